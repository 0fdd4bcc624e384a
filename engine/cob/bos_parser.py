"""Tokens to syntax tree. Hyphenated keywords exist only where a statement may begin: `a-b` subtracts."""

from __future__ import annotations

from collections.abc import Callable

from engine.cob.bos_syntax import (
    Assign,
    Binary,
    Block,
    CallScript,
    Command,
    Expr,
    For,
    Function,
    Get,
    GetStatement,
    If,
    MissionCommand,
    Name,
    Not,
    Number,
    PieceCommand,
    PlaySound,
    Program,
    Rand,
    Return,
    Step,
    Stmt,
    Var,
    While,
)
from engine.cob.profiles import Profile
from engine.cob.tokens import MAX_DIGITS, NUMBER_TOO_LONG, Token, whole_number
from engine.source import Diagnostic, Note, Span
from engine.source.nearest import did_you_mean

MAX_ERRORS = 50
MAX_NESTING = 40
"""Blocks and parentheses inside each other: deeper than any script, shallower than Python's stack (a level of
parentheses takes eleven frames of it)."""

_AXES = {"x-axis": 0, "y-axis": 1, "z-axis": 2}

_PIECE_ONLY = ("show", "hide", "cache", "dont-cache", "shade", "dont-shade", "dont-shadow")

# From tight to loose; level 0 is unary. The logical operators differ by profile and are not in the table.
_LEVELS: tuple[dict[str, str], ...] = (
    {"|": "bit-or"},
    {"^": "bit-xor"},
    {"&": "bit-and", "?": "bit-and"},
    {"==": "eq", "!=": "ne"},
    {"<": "lt", ">": "gt", "<=": "le", ">=": "ge"},
    {"+": "add", "-": "sub"},
    {"*": "mul", "/": "div", "%": "mod"},
)

_LOGIC_LEVELS = (("xor", "^^"), ("or", "||"), ("and", "&&"))


class _Abandon(Exception):
    """A statement cannot be understood; its diagnostic is recorded and parsing goes on behind it."""


class BosParser:
    """Parses one preprocessed program. Faults collect in `problems`."""

    def __init__(self, tokens: list[Token], profile: Profile, problems: list[Diagnostic]) -> None:
        self._tokens = tokens
        self._at = 0
        self._profile = profile
        self._problems = problems
        self._blamed: set[Span] = set()
        """Places in macros that were told of."""
        self._depth = 0
        self._statements: dict[str, Callable[[Token], Stmt]] = {
            "var": self._var,
            "call-script": lambda t: self._call("call-script", t),
            "start-script": lambda t: self._call("start-script", t),
            "move": lambda t: self._move("move", t),
            "turn": lambda t: self._move("turn", t),
            "spin": self._spin,
            "stop-spin": self._stop_spin,
            "wait-for-turn": lambda t: self._wait("wait-for-turn", "around", t),
            "wait-for-move": lambda t: self._wait("wait-for-move", "along", t),
            "emit-sfx": self._emit_sfx,
            "explode": self._explode,
            "sleep": lambda t: Command(t.span, "sleep", [self._expr()]),
            "signal": lambda t: Command(t.span, "signal", [self._expr()]),
            "set-signal-mask": lambda t: Command(t.span, "set-signal-mask", [self._expr()]),
            "set": self._set,
            "get": self._get_statement,
            "attach-unit": self._attach,
            "drop-unit": lambda t: Command(t.span, "drop-unit", [self._expr()]),
            "return": self._return,
            "play-sound": self._play_sound,
            "mission-command": self._mission_command,
        }
        for word in _PIECE_ONLY:
            self._statements[word] = self._piece_only(word)

    # ---- tokens -------------------------------------------------------------------------------------

    @property
    def _token(self) -> Token:
        return self._tokens[self._at]

    def _next(self) -> Token:
        token = self._tokens[self._at]
        if token.kind != "end":
            self._at += 1
        return token

    def _error(self, code: str, message: str, span: Span, *notes: Note) -> None:
        if len(self._problems) < MAX_ERRORS:
            self._problems.append(Diagnostic(code, message, span, notes=notes))

    def _fail(self, expected: str, *notes: Note) -> _Abandon:
        token = self._token
        found = "the end of the file" if token.kind == "end" else f"'{token.text}'"
        self._error("bos-syntax", f"expected {expected}, found {found}", token.span, *notes)
        return _Abandon()

    def _accept(self, text: str) -> bool:
        if self._token.is_op(text):
            self._at += 1
            return True
        return False

    def _expect(self, text: str, where: str) -> Token:
        if not self._token.is_op(text):
            raise self._fail(f"'{text}' {where}")
        return self._next()

    def _expect_word(self, word: str) -> None:
        if not self._accept_word(word):
            raise self._fail(f"'{word}'")

    def _accept_word(self, word: str) -> bool:
        """Take a keyword, which may be hyphenated, if it stands here."""
        length = self._word_length(word)
        self._at += length
        return length > 0

    def _word_length(self, word: str) -> int:
        """How many tokens the keyword takes here; 0 when something else stands here."""
        at = self._at
        for index, part in enumerate(word.split("-")):
            if index:
                if not self._tokens[at].is_op("-"):
                    return 0
                at += 1
            if not self._tokens[at].is_word(part):
                return 0
            at += 1
        return at - self._at

    def _name(self, what: str) -> Name:
        if self._token.kind != "name":
            raise self._fail(what)
        token = self._next()
        return Name(token.span, token.text)

    # ---- declarations -------------------------------------------------------------------------------

    def parse(self) -> Program:
        program = Program()
        while self._token.kind != "end":
            try:
                if self._accept_word("static-var"):
                    program.statics += self._name_list("a variable's name")
                elif self._token.is_word("piece") and self._tokens[self._at + 1].kind == "name":
                    self._next()
                    program.pieces += self._name_list("a piece's name")
                elif self._token.kind == "name":
                    program.functions.append(self._function())
                elif self._accept(";"):
                    pass
                else:
                    raise self._fail("a piece, static-var or function declaration")
            except _Abandon:
                self._skip_declaration()
        return program

    def _skip_declaration(self) -> None:
        """To behind the next `}` or `;` at the start of a line's worth of declarations."""
        depth = 0
        while self._token.kind != "end":
            token = self._next()
            if token.is_op("{"):
                depth += 1
            elif token.is_op("}"):
                depth -= 1
                if depth <= 0:
                    return
            elif token.is_op(";") and depth == 0:
                return

    def _name_list(self, what: str) -> list[Name]:
        names = [self._name(what)]
        while self._accept(","):
            names.append(self._name(what))
        self._expect(";", "after the list")
        return names

    def _function(self) -> Function:
        name = self._name("a function's name")
        self._expect("(", f"after the function name '{name.name}'")
        params: list[Name] = []
        if not self._token.is_op(")"):
            params.append(self._name("a parameter's name"))
            while self._accept(","):
                params.append(self._name("a parameter's name"))
        self._expect(")", "after the parameters")
        body = self._statement()
        block = body if isinstance(body, Block) else Block(name.span, [body] if body is not None else [])
        return Function(name.span, name.name, params, block)

    # ---- statements ---------------------------------------------------------------------------------

    def _statement(self) -> Stmt | None:
        """One statement; None for an empty one."""
        self._depth += 1
        try:
            if self._depth > MAX_NESTING:
                self._error("bos-nesting", f"more than {MAX_NESTING} levels of nesting", self._token.span)
                raise _Abandon
            return self._any_statement()
        finally:
            self._depth -= 1

    def _any_statement(self) -> Stmt | None:
        token = self._token
        if self._accept(";"):
            return None
        if token.is_op("{"):
            return self._block()
        if token.is_word("if"):
            return self._if()
        if token.is_word("while"):
            return self._while()
        if token.is_word("for"):
            return self._for()
        if token.is_word("break", "continue") and self._tokens[self._at + 1].is_op(";"):
            text = f"BOS has no '{token.text}'; leave the loop with a condition or a return"
            self._error("bos-syntax", text, token.span)
            raise _Abandon
        statement = self._simple()
        self._expect(";", "after the statement")
        return statement

    def _block(self) -> Block:
        opening = self._next()
        body: list[Stmt] = []
        while not self._token.is_op("}"):
            if self._token.kind == "end":
                self._error("bos-syntax", "this block is never closed with '}'", opening.span)
                raise _Abandon
            try:
                statement = self._statement()
            except _Abandon:
                if self._depth > MAX_NESTING - 1:
                    raise
                self._skip_statement()
                continue
            if statement is not None:
                body.append(statement)
        self._next()
        return Block(opening.span, body)

    def _skip_statement(self) -> None:
        """To behind the next `;`, or to the `}` that ends the block."""
        depth = 0
        while self._token.kind != "end":
            if self._token.is_op("}"):
                if depth == 0:
                    return
                depth -= 1
            elif self._token.is_op("{"):
                depth += 1
            elif self._token.is_op(";") and depth == 0:
                self._next()
                return
            self._next()

    def _body(self, owner: Token) -> Stmt:
        statement = self._statement()
        return statement if statement is not None else Block(owner.span, [])

    def _condition(self, keyword: str) -> Expr:
        self._expect("(", f"after '{keyword}'")
        value = self._expr()
        if self._token.is_op("="):
            raise self._fail("')'", Note("'=' assigns; compare with '=='"))
        self._expect(")", "after the condition")
        return value

    def _if(self) -> If:
        """A chain of `else if` is read in a loop: it nests in the tree, but not on Python's stack."""
        token = self._next()
        first = last = If(token.span, self._condition("if"), self._body(token), None)
        while self._token.is_word("else"):
            owner = self._next()
            if not self._token.is_word("if"):
                last.otherwise = self._body(owner)
                break
            token = self._next()
            chained = If(token.span, self._condition("if"), self._body(token), None)
            last.otherwise = chained
            last = chained
        return first

    def _while(self) -> While:
        token = self._next()
        return While(token.span, self._condition("while"), self._body(token))

    def _for(self) -> For:
        token = self._next()
        self._expect("(", "after 'for'")
        first = self._simple()
        self._expect(";", "after the first part of 'for'")
        condition = self._expr()
        self._expect(";", "after the condition of 'for'")
        step = self._simple()
        self._expect(")", "after the last part of 'for'")
        return For(token.span, first, condition, step, self._body(token))

    def _simple(self) -> Stmt:
        token = self._token
        if token.is_op("++", "--"):
            self._next()
            op = "add" if token.text == "++" else "sub"
            return Step(token.span, self._name("a variable's name"), "add" if op == "add" else "sub")
        # The longest keyword wins: `set-signal-mask` before `set`.
        best, length = "", 0
        for word in self._statements:
            found = self._word_length(word)
            if found > length:
                best, length = word, found
        if length and not self._tokens[self._at + length].is_op("="):
            self._at += length
            return self._statements[best](token)
        if token.kind != "name":
            raise self._fail("a statement")
        target = self._name("a statement")
        if not self._token.is_op("="):
            if self._token.is_op("++", "--"):
                note = Note(f"write {self._token.text}{target.name}: the sign stands in front")
                raise self._fail("'='", note)
            hint = did_you_mean(target.name, [*self._statements, "if", "while"])
            if self._token.is_op("("):
                hint = (
                    f"call a function with call-script {target.name}(...) or start-script {target.name}(...)"
                )
            raise self._fail("'=' after the name", *([Note(hint)] if hint else []))
        self._next()
        return Assign(token.span, target, self._expr())

    def _var(self, token: Token) -> Var:
        names = [self._name("a variable's name")]
        while self._accept(","):
            names.append(self._name("a variable's name"))
        return Var(token.span, names)

    def _call(self, op: str, token: Token) -> CallScript:
        function = self._name("a function's name")
        return CallScript(
            token.span, op, function, self._arguments(f"after the function name '{function.name}'")
        )

    def _arguments(self, where: str) -> list[Expr]:
        self._expect("(", where)
        args: list[Expr] = []
        if not self._token.is_op(")"):
            args.append(self._expr())
            while self._accept(","):
                args.append(self._expr())
        self._expect(")", "after the arguments")
        return args

    def _piece(self) -> Name | Number:
        """A piece by name, or by number (a macro may have put it in parentheses)."""
        if self._accept("("):
            piece = self._piece()
            self._expect(")", "after the piece")
            return piece
        if self._token.kind == "number" and "." not in self._token.text:
            token = self._next()
            return Number(token.span, self._digits(token), "bare")
        return self._name("a piece's name")

    def _axis(self) -> int:
        for word, axis in _AXES.items():
            if self._accept_word(word):
                return axis
        raise self._fail("x-axis, y-axis or z-axis")

    def _move(self, op: str, token: Token) -> PieceCommand:
        piece = self._piece()
        self._expect_word("to")
        axis = self._axis()
        target = self._expr()
        if self._accept_word("now"):
            return PieceCommand(token.span, f"{op}-now", piece, axis, [target])
        if not self._accept_word("speed"):
            raise self._fail("'now' or 'speed' and a value")
        return PieceCommand(token.span, op, piece, axis, [self._expr(), target])

    def _spin(self, token: Token) -> PieceCommand:
        piece = self._piece()
        self._expect_word("around")
        axis = self._axis()
        self._expect_word("speed")
        speed = self._expr()
        accelerate: Expr = Number(token.span, 0.0, "bare")
        if self._accept_word("accelerate"):
            accelerate = self._expr()
        return PieceCommand(token.span, "spin", piece, axis, [accelerate, speed])

    def _stop_spin(self, token: Token) -> PieceCommand:
        piece = self._piece()
        self._expect_word("around")
        axis = self._axis()
        decelerate: Expr = Number(token.span, 0.0, "bare")
        if self._accept_word("decelerate"):
            decelerate = self._expr()
        return PieceCommand(token.span, "stop-spin", piece, axis, [decelerate])

    def _wait(self, op: str, word: str, token: Token) -> PieceCommand:
        piece = self._piece()
        self._expect_word(word)
        return PieceCommand(token.span, op, piece, self._axis(), [])

    def _piece_only(self, op: str) -> Callable[[Token], Stmt]:
        return lambda token: PieceCommand(token.span, op, self._piece(), None, [])

    def _emit_sfx(self, token: Token) -> PieceCommand:
        value = self._expr()
        self._expect_word("from")
        return PieceCommand(token.span, "emit-sfx", self._piece(), None, [value])

    def _explode(self, token: Token) -> PieceCommand:
        piece = self._piece()
        self._expect_word("type")
        return PieceCommand(token.span, "explode", piece, None, [self._expr()])

    def _set(self, token: Token) -> Command:
        port = self._expr()
        self._expect_word("to")
        return Command(token.span, "set-unit-value", [port, self._expr()])

    def _attach(self, token: Token) -> Command:
        unit = self._expr()
        self._expect_word("to")
        return Command(token.span, "attach-unit", [unit, self._expr(), Number(token.span, 0.0, "bare")])

    def _get_statement(self, token: Token) -> GetStatement:
        return GetStatement(token.span, self._get(token))

    def _return(self, token: Token) -> Return:
        return Return(token.span, None if self._token.is_op(";") else self._expr())

    def _string(self) -> str:
        if self._token.kind != "string":
            raise self._fail("a name in quotes")
        return self._next().text[1:-1]

    def _play_sound(self, token: Token) -> PlaySound:
        self._expect("(", "after 'play-sound'")
        sound = self._string()
        self._expect(",", "after the sound's name")
        priority = self._expr()
        self._expect(")", "after the priority")
        return PlaySound(token.span, sound, priority)

    def _mission_command(self, token: Token) -> MissionCommand:
        self._expect("(", "after 'mission-command'")
        command = self._string()
        args: list[Expr] = []
        while self._accept(","):
            args.append(self._expr())
        self._expect(")", "after the arguments")
        return MissionCommand(token.span, command, args)

    # ---- expressions --------------------------------------------------------------------------------

    def _expr(self) -> Expr:
        self._depth += 1
        try:
            if self._depth > MAX_NESTING:
                self._error("bos-nesting", f"more than {MAX_NESTING} levels of nesting", self._token.span)
                raise _Abandon
            return self._logic_right() if self._profile.logic == "right" else self._logic(0)
        finally:
            self._depth -= 1

    def _logic_op(self, token: Token) -> str | None:
        for word, sign in _LOGIC_LEVELS:
            if token.is_word(word) or token.is_op(sign):
                return word
        return None

    def _logic_right(self) -> Expr:
        """AND, OR and XOR have one level and group to the right."""
        operands = [self._level(0)]
        operators: list[tuple[str, Span]] = []
        while (op := self._logic_op(self._token)) is not None:
            operators.append((op, self._next().span))
            operands.append(self._level(0))
        result = operands.pop()
        while operators:
            op, span = operators.pop()
            result = Binary(span, op, operands.pop(), result)
        return result

    def _logic(self, level: int) -> Expr:
        if level == len(_LOGIC_LEVELS):
            return self._level(0)
        word, sign = _LOGIC_LEVELS[level]
        left = self._logic(level + 1)
        while self._token.is_word(word) or self._token.is_op(sign):
            span = self._next().span
            left = Binary(span, word, left, self._logic(level + 1))
        return left

    def _level(self, level: int) -> Expr:
        if level == len(_LEVELS):
            return self._term()
        left = self._level(level + 1)
        table = _LEVELS[level]
        while self._token.kind == "op" and self._token.text in table:
            token = self._next()
            if token.text in ("%", "^") and not self._profile.modern_operators:
                text = f"the {self._profile.name} compiler has no '{token.text}' operator"
                self._error("bos-operator", text, token.span, Note("--profile bos2cob has it"))
            left = Binary(token.span, table[token.text], left, self._level(level + 1))
        return left

    def _term(self) -> Expr:
        token = self._token
        if token.is_op("!") or token.is_word("not"):
            self._next()
            self._depth += 1
            if self._depth > MAX_NESTING:
                self._depth -= 1
                self._error("bos-nesting", f"more than {MAX_NESTING} levels of nesting", token.span)
                raise _Abandon
            operand = self._term()
            self._depth -= 1
            return Not(token.span, operand)
        if token.is_op("("):
            self._next()
            value = self._expr()
            self._expect(")", "after the expression")
            return value
        if token.is_op("["):
            return self._bracketed("]", "linear")
        if token.is_op("<"):
            return self._bracketed(">", "angular")
        if token.is_word("get"):
            return self._get(self._next())
        if token.is_word("rand") and self._tokens[self._at + 1].is_op("("):
            self._next()
            args = self._arguments("after 'rand'")
            if len(args) != 2:
                self._error(
                    "bos-arguments", f"rand takes a low and a high value, not {len(args)} values", token.span
                )
                raise _Abandon
            return Rand(token.span, args[0], args[1])
        if token.is_word("call", "start") and self._word_length(f"{token.text.lower()}-script"):
            text = f"{token.text.lower()}-script gives no value; let the function leave it in a static-var"
            self._error("bos-call-value", text, token.span)
            raise _Abandon
        if token.kind == "name":
            self._next()
            return Name(token.span, token.text)
        if token.kind == "number" or token.is_op("-"):
            return self._number("bare")
        raise self._fail("a value")

    def _number(self, unit: str) -> Number:
        token = self._token
        sign = -1.0 if self._accept("-") else 1.0
        if self._token.kind != "number":
            if sign < 0:
                text = "a minus may stand only before a number; write 0 - x"
                self._error("bos-minus", text, token.span)
                raise _Abandon
            raise self._fail("a number")
        digits = self._next()
        value = sign * self._digits(digits)
        match unit:
            case "linear":
                return Number(token.span, value, "linear")
            case "angular":
                return Number(token.span, value, "angular")
            case _:
                return Number(token.span, value, "bare", bits=digits.text[:2].lower() == "0x")

    def _digits(self, token: Token) -> float:
        whole = whole_number(token.text) if "." not in token.text else None
        if whole is None and len(token.text) > MAX_DIGITS:
            self._error("bos-number-range", NUMBER_TOO_LONG, token.span)
            return 0.0
        return float(token.text) if whole is None else float(whole)

    def _bracketed(self, closing: str, unit: str) -> Number:
        made = self._next().made
        number = self._number(unit)
        if made is not None and not self._token.is_op(closing):
            # A bracket that a macro opens and leaves open is that macro's fault, once, wherever it is used.
            if made not in self._blamed:
                self._blamed.add(made)
                self._error("bos-syntax", f"expected '{closing}' after the number in this macro", made)
            raise _Abandon
        self._expect(closing, "after the number")
        return number

    def _get(self, token: Token) -> Get:
        port = self._term()
        args = self._arguments("after the port") if self._token.is_op("(") else None
        if args is not None and not 1 <= len(args) <= 4:
            self._error("bos-arguments", f"get takes 1 to 4 arguments, not {len(args)}", token.span)
            raise _Abandon
        return Get(token.span, port, args)

"""Expressions: precedence climbing over operands with what is attached to them.

Fields, elements, `.size` and calls bind tightest; a name directly after an operand makes it the object of a
call (language page, "Expressions" and "Functions and calls").
"""

from __future__ import annotations

from collections.abc import Callable
from copy import copy
from typing import Literal, NoReturn, cast

from engine.gsc import syntax as s
from engine.gsc.cursor import Cursor
from engine.gsc.dialect import Dialect
from engine.gsc.scanner import Tokens

INT_MAX = 2**31 - 1

_PREDEFINED = frozenset({"self", "level", "game", "anim"})


def wrap_int(value: int) -> int:
    """The low 32 bits of `value` as a signed integer."""
    return (value + 0x80000000 & 0xFFFFFFFF) - 0x80000000


class ExpressionParser(Cursor):
    """`height` is the height of the tree that was built last; it is limited together with `depth`, so that
    no pass over the tree can run into Python's recursion limit."""

    def __init__(self, tokens: Tokens, dialect: Dialect) -> None:
        super().__init__(tokens, dialect)
        self.height = 0
        self.tree: str | None = None
        self.levels = dialect.binary
        self.right = dialect.right
        self.prefixes = dialect.prefix | dialect.casts.keys()
        self.features = dialect.features
        self.constants: dict[str, s.Expr] = {}
        """Values that stand for a name in the rest of the file."""
        self.operands: dict[str, Callable[[], s.Expr]] = {
            "name": self.named,
            "path": self.scripted,
            "int": self.int_literal,
            "float": self.float_literal,
            "string": self.string_literal,
            "localized": self.localized_literal,
            "undefined": self.undefined,
            "true": self.truth,
            "false": self.truth,
            "(": self.parenthesised,
            "[": self.bracketed,
            "-": self.negative,
            "%": self.animation,
            "animation": self.animation,
            "#animtree": self.animtree,
            "::": self.function_value,
            "thread": self.threaded,
            **dict.fromkeys(_PREDEFINED, self.predefined),
        }

    # ---- operators --------------------------------------------------------------------------------

    def expression(self, minimum: int = 1) -> s.Expr:
        """An expression of operators that bind at least as tightly as `minimum` (table of levels)."""
        self.depth += 1
        if self.depth > self.dialect.limits.nesting:
            self.fail_nesting("this expression is nested too deeply", self.dialect.limits.nesting)
        left = self.unary()
        kinds, levels = self.kinds, self.levels
        level = levels.get(kinds[self.pos], 0)
        while level >= minimum:
            at = self.pos
            op = kinds[at]
            height = self.height
            self.pos = at + 1
            right = self.expression(level if op in self.right else level + 1)
            self.grow(max(height, self.height))
            if op in ("||", "&&"):
                logical = cast(s.LogicalOp, op)
                left = s.Logical(left.start, right.end, logical, left, right, self.starts[at])
            else:
                left = s.Binary(left.start, right.end, cast(s.BinaryOp, op), left, right, self.starts[at])
            level = levels.get(kinds[self.pos], 0)
        if minimum == 1 and kinds[self.pos] == "?" and "conditional" in self.features:
            left = self.conditional(left)
        self.depth -= 1
        return left

    def conditional(self, condition: s.Expr) -> s.Expr:
        """The rest of `condition ? then : otherwise`, which groups to the right."""
        at = self.pos
        self.pos = at + 1
        height = self.height
        then = self.expression()
        height = max(height, self.height)
        self.expect(":")
        otherwise = self.expression()
        self.grow(max(height, self.height))
        return s.Conditional(condition.start, otherwise.end, condition, then, otherwise, self.starts[at])

    def grow(self, height: int) -> None:
        """Put a node on top of a tree of that height."""
        self.height = height + 1
        if self.height > self.dialect.limits.height:
            self.fail_nesting("this expression has too many parts in a row", self.dialect.limits.height)

    def fail_nesting(self, message: str, limit: int) -> NoReturn:
        self.fail(f"{message}: {limit} is the limit; split it into several", code="nesting")

    def unary(self) -> s.Expr:
        kinds, casts, prefixes = self.kinds, self.dialect.casts, self.prefixes
        first = self.pos
        while kinds[self.pos] in prefixes or self.at_negation():
            self.pos += 1
        last = self.pos
        node = self.postfix()
        if kinds[self.pos] == self.dialect.power:
            node = self.raised(node)
        for at in range(last - 1, first - 1, -1):
            self.grow(self.height)
            start, kind = self.starts[at], kinds[at]
            if kind in casts:
                node = s.Cast(start, node.end, cast(s.CastKind, casts[kind]), node, start)
            else:
                node = s.Unary(start, node.end, cast(s.UnaryOp, kind), node, start)
        return node

    def raised(self, base: s.Expr) -> s.Expr:
        """`base ** exponent`; the exponent may have a prefix and be raised itself."""
        at = self.pos
        height = self.height
        self.pos = at + 1
        self.depth += 1
        if self.depth > self.dialect.limits.nesting:
            self.fail_nesting("this expression is nested too deeply", self.dialect.limits.nesting)
        exponent = self.unary()
        self.depth -= 1
        self.grow(max(height, self.height))
        op = cast(s.BinaryOp, self.kinds[at])
        return s.Binary(base.start, exponent.end, op, base, exponent, self.starts[at])

    def at_negation(self) -> bool:
        """Whether a minus stands here that is an operator: before a number it is part of the number."""
        if self.kinds[self.pos] != "-" or "negation" not in self.features:
            return False
        return self.kinds[self.pos + 1] not in ("int", "float")

    # ---- what is attached to an operand -----------------------------------------------------------

    def postfix(self) -> s.Expr:
        kinds, starts = self.kinds, self.starts
        operand = self.operands.get(kinds[self.pos])
        if operand is None:
            self.no_operand()
        node = operand()
        while True:
            at = self.pos
            kind = kinds[at]
            if kind == ".":
                self.pos = at + 1
                name = self.expect_name("a field name")
                self.grow(self.height)
                node = s.FieldAccess(node.start, self.ends[name], node, self.name(name), starts[name])
            elif kind == "name":
                if kinds[at + 1] not in ("(", "::"):
                    word = self.call_word()
                    if word is None:
                        return node
                    node = self.worded_call(node, word)
                else:
                    node = self.call(node, threaded=False)
            elif kind == "[":
                node = self.call(node, threaded=False) if self.at_pointer() else self.index(node)
            elif kind == ".size":
                self.pos = at + 1
                self.grow(self.height)
                node = s.Size(node.start, self.ends[at], node, starts[at])
            elif kind == "path":
                node = self.call(node, threaded=False)
            elif kind == "thread":
                self.pos = at + 1
                node = self.call(node, threaded=True)
            else:
                return node

    def call_word(self) -> Literal["childthread", "call"] | None:
        """Whether the name here is a word that says how the function after it is called. Else it is a plain name."""
        kinds, at = self.kinds, self.pos
        if self.values[at] == "childthread" and kinds[at + 1] in ("name", "path", "["):
            if "childthread" not in self.features:
                self.fail_later("childthread")
            return "childthread"
        if self.values[at] == "call" and kinds[at + 1] == "[" and kinds[at + 2] == "[":
            self.pos = at + 1
            calls = self.at_pointer()
            self.pos = at
            if calls and "native-call" in self.features:
                return "call"
        return None

    def worded_call(self, obj: s.Expr | None, word: Literal["childthread", "call"]) -> s.Call:
        """`object childthread f()` or `object call [[ f ]]()` from the word on."""
        start = self.starts[self.pos]
        self.pos += 1
        node = self.call(obj, threaded=word == "childthread", start=None if obj is not None else start)
        node.child = word == "childthread"
        node.native = word == "call"
        return node

    def no_operand(self) -> NoReturn:
        """Refuse what cannot begin an expression."""
        kind = self.kinds[self.pos]
        if kind in ("++", "--"):
            self.fail(f"{kind} stands after a variable, as a statement of its own: write x{kind};")
        if kind == "+":
            self.fail("there is no unary plus: leave it out")
        self.unexpected("a value")

    def at_pointer(self) -> bool:
        """Whether the brackets here begin `[[ value ]](...)` rather than an index.

        `]]` and `[[` are no tokens, so the number of brackets in a row decides: two begin a pointer call, and
        a third is the index around one.
        """
        run = self.pos
        while self.kinds[run] == "[":
            run += 1
        return (run - self.pos) % 2 == 0

    def index(self, container: s.Expr) -> s.Expr:
        height = self.height
        at = self.expect("[")
        key = self.expression()
        end = self.ends[self.expect("]")]
        self.grow(max(height, self.height))
        return s.Index(container.start, end, container, key, self.starts[at])

    def call(self, obj: s.Expr | None, threaded: bool, start: int | None = None) -> s.Call:
        """A call from its callee on. `start` is the offset where the whole of it begins."""
        height = self.height if obj is not None else 0
        at = self.pos
        kind = self.kinds[at]
        target: s.NamedTarget | s.PointerTarget
        if kind == "[" and self.at_pointer():
            target = self.pointer()
            height = max(height, self.height)
        elif kind in ("name", "path"):
            target = self.named_target()
        else:
            self.unexpected("the function to call")
        if start is None:
            start = obj.start if obj is not None else self.starts[at]
        if self.kinds[self.pos] != "(":
            self.unexpected("'(' and the arguments of the call")
        args = self.arguments()
        self.grow(max(height, self.height))
        return s.Call(start, self.ends[self.pos - 1], target, obj, threaded, args, self.starts[at])

    def named_target(self) -> s.NamedTarget:
        at = self.pos
        self.pos = at + 1
        if self.kinds[at] == "name" and self.kinds[at + 1] != "::":
            return s.NamedTarget(self.starts[at], self.ends[at], None, self.name(at))
        self.expect("::")
        name = self.expect_name("a function name")
        return s.NamedTarget(self.starts[at], self.ends[name], self.name(at), self.name(name))

    def pointer(self) -> s.PointerTarget:
        start = self.starts[self.expect("[")]
        self.expect("[")
        value = self.expression()
        self.expect("]")
        end = self.ends[self.expect("]")]
        return s.PointerTarget(start, end, value)

    def arguments(self) -> list[s.Expr]:
        """`( ... )`. An empty first argument is undefined (shipped scripts have it), another an error."""
        args: list[s.Expr] = []
        open_at = self.expect("(")
        height = 0
        if self.kinds[self.pos] == ")":
            self.pos += 1
            self.height = 0
            return args
        if self.kinds[self.pos] == "," and "undefined" in self.dialect.keywords:
            self.warn(
                "empty-argument", "the first argument is empty: undefined is passed for it", self.span()
            )
            at = self.starts[open_at] + 1
            args.append(s.Undefined(at, at, written=False))
        else:
            args.append(self.expression())
            height = self.height
        while self.kinds[self.pos] == ",":
            self.pos += 1
            args.append(self.expression())
            if self.height > height:
                height = self.height
        if self.kinds[self.pos] != ")":
            self.unexpected("',' or ')'")
        self.pos += 1
        self.height = height
        return args

    # ---- operands ---------------------------------------------------------------------------------

    def named(self) -> s.Expr:
        at = self.pos
        following = self.kinds[at + 1]
        if following == "(":
            return self.call(None, threaded=False)
        if following == "::":
            return self.scripted()
        word = self.call_word()
        if word is not None:
            return self.worded_call(None, word)
        constant = self.constants.get(self.name(at))
        if constant is not None:
            return self.constant(constant)
        self.pos = at + 1
        self.height = 1
        return s.LocalVar(self.starts[at], self.ends[at], self.name(at))

    def constant(self, value: s.Expr) -> s.Expr:
        """The value of a name that stands for one, at the place of the name."""
        at = self.pos
        self.pos = at + 1
        self.height = 2 if isinstance(value, s.VectorLiteral) else 1
        copied = copy(value)
        copied.start, copied.end = self.starts[at], self.ends[at]
        return copied

    def scripted(self) -> s.Expr:
        """`path::name`: a call when arguments follow, else a function value."""
        at = self.pos
        target = self.named_target()
        if self.kinds[self.pos] == "(":
            self.pos = at
            return self.call(None, threaded=False)
        self.height = 1
        return s.FunctionRef(target.start, target.end, target.script, target.name)

    def function_value(self) -> s.Expr:
        start = self.starts[self.pos]
        self.pos += 1
        name = self.expect_name("a function name")
        if self.kinds[self.pos] == "(":
            self.fail(f"'::' makes a function value; to call the function write {self.spelling(name)}(...)")
        self.height = 1
        return s.FunctionRef(start, self.ends[name], None, self.name(name))

    def threaded(self) -> s.Expr:
        start = self.starts[self.pos]
        self.pos += 1
        if self.kinds[self.pos] in _PREDEFINED:
            self.fail(f"the object stands before 'thread': write {self.spelling(self.pos)} thread f()")
        return self.call(None, threaded=True, start=start)

    def predefined(self) -> s.Expr:
        at = self.pos
        self.pos = at + 1
        self.height = 1
        name = cast(Literal["self", "level", "game", "anim"], self.kinds[at])
        return s.Predefined(self.starts[at], self.ends[at], name)

    def int_literal(self, negate: bool = False) -> s.Expr:
        at = self.pos
        self.pos = at + 1
        self.height = 1
        value = self.values[at]
        assert isinstance(value, int)
        start = self.starts[at - 1] if negate else self.starts[at]
        if value > INT_MAX + negate:
            value = wrap_int(value)
            self.warn(
                "int-wrapped",
                f"this number does not fit into 32 bits and becomes {wrap_int(-value) if negate else value}",
                self.source.span(start, self.ends[at]),
            )
        return s.IntLiteral(start, self.ends[at], wrap_int(-value) if negate else value)

    def float_literal(self, negate: bool = False) -> s.Expr:
        at = self.pos
        self.pos = at + 1
        self.height = 1
        value = self.values[at]
        assert isinstance(value, float)
        start = self.starts[at - 1] if negate else self.starts[at]
        if value == float("inf"):
            self.warn(
                "float-range", "this number is too large for a float and becomes infinite", self.span(at)
            )
        return s.FloatLiteral(start, self.ends[at], -value if negate else value)

    def negative(self) -> s.Expr:
        """A minus where an operand must stand belongs to the number after it. The unary operator, where there is one,
        stands before operands, and not at the beginning of a statement."""
        kind = self.kinds[self.pos + 1]
        if kind not in ("int", "float"):
            if "negation" in self.features:
                self.no_operand()
            self.fail_later("negation", pos=self.pos)
        self.pos += 1
        return self.int_literal(negate=True) if kind == "int" else self.float_literal(negate=True)

    def string_literal(self) -> s.Expr:
        at = self.pos
        self.pos = at + 1
        self.height = 1
        return s.StringLiteral(self.starts[at], self.ends[at], cast(str, self.values[at]))

    def localized_literal(self) -> s.Expr:
        at = self.pos
        self.pos = at + 1
        self.height = 1
        return s.LocalizedLiteral(self.starts[at], self.ends[at], cast(str, self.values[at]))

    def undefined(self) -> s.Expr:
        at = self.pos
        self.pos = at + 1
        self.height = 1
        return s.Undefined(self.starts[at], self.ends[at])

    def truth(self) -> s.Expr:
        at = self.pos
        self.pos = at + 1
        self.height = 1
        return s.IntLiteral(self.starts[at], self.ends[at], 1 if self.kinds[at] == "true" else 0)

    def animation(self) -> s.Expr:
        """`%name`. The name may be a reserved word or begin with a digit, as a file's may."""
        at = self.pos
        self.pos = at + 1
        self.height = 1
        if self.kinds[at] == "animation":
            return s.AnimationRef(self.starts[at], self.ends[at], cast(str, self.values[at]), self.tree)
        name = self.pos
        if self.kinds[name] not in ("name", "int") and self.kinds[name] not in self.dialect.keywords:
            self.unexpected("the name of an animation")
        self.pos = name + 1
        return s.AnimationRef(self.starts[at], self.ends[name], self.spelling(name).lower(), self.tree)

    def animtree(self) -> s.Expr:
        at = self.pos
        self.pos = at + 1
        self.height = 1
        return s.AnimTreeRef(self.starts[at], self.ends[at], self.tree)

    def bracketed(self) -> s.Expr:
        """`[]`, or a call through a function value."""
        at = self.pos
        if self.kinds[at + 1] == "]":
            self.pos = at + 2
            self.height = 1
            return s.EmptyArray(self.starts[at], self.ends[at + 1])
        if not self.at_pointer():
            self.fail("only the empty array [] can be written: assign the entries one by one")
        return self.call(None, threaded=False)

    def refuse_cast(self, open_at: int) -> None:
        """`(int)value` where the dialect has no casts: a type in parentheses right before a value."""
        if self.dialect.casts or self.pos != open_at + 3 or self.kinds[open_at + 1] != "name":
            return
        key = f"({self.values[open_at + 1]})"
        kind = self.kinds[self.pos]
        value = kind in ("int", "float", "string", "(") or (
            kind == "name" and self.kinds[self.pos + 1] != "("
        )
        if value and key in self.dialect.later:
            self.fail_later(key, pos=open_at)

    def parenthesised(self) -> s.Expr:
        """`(value)` or the vector `(x, y, z)`."""
        open_at = self.pos
        self.pos = open_at + 1
        parts = [self.expression()]
        height = self.height
        while self.kinds[self.pos] == ",":
            self.pos += 1
            parts.append(self.expression())
            height = max(height, self.height)
        if self.kinds[self.pos] != ")":
            self.unexpected("')'" if len(parts) in (1, 3) else "',' or ')'")
        end = self.ends[self.pos]
        if len(parts) not in (1, 3):
            self.fail(
                f"a vector has three components, not {len(parts)}: write (x, y, z)",
                pos=open_at,
            )
        self.pos += 1
        if len(parts) == 1:
            self.refuse_cast(open_at)
            return parts[0]
        self.height = height
        self.grow(height)
        return s.VectorLiteral(self.starts[open_at], end, parts[0], parts[1], parts[2])

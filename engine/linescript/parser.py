"""Lines to a program: one statement a line, blocks closed by `end`.

Parsing goes on after an error at the next line, and a block whose head is wrong is still a block, so that one run
reports every fault of a file and no consequence of one.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from types import MappingProxyType

from engine.gsc.dialect import LINES
from engine.linescript.compiler import Signature
from engine.linescript.front import GiveUp, LineReader, Recover
from engine.linescript.functions import HostFunction
from engine.linescript.program import MAIN, Code, Function, Kind, Program, Step
from engine.source import Diagnostic, DiagnosticError, SourceText

_NOTHING = Code(None, None)


@dataclass(slots=True)
class _Block:
    """An open block. `head` is the step that opened it, `holds` whether the frame knows it at run time.

    exits   steps that must go on behind the block
    branch  the `if` whose condition, when false, goes on at the next arm
    closed  whether the last arm was met: `else`, or the `catch` of a `try`
    """

    word: str
    place: tuple[int, int]
    head: int
    holds: bool = False
    exits: list[int] = field(default_factory=list)
    branch: int = -1
    closed: bool = False


@dataclass(slots=True)
class _Draft:
    """A function being read."""

    signature: Signature
    code: list[Step] = field(default_factory=list)
    blocks: list[_Block] = field(default_factory=list)


def parse(name: str, source: SourceText, natives: Mapping[str, HostFunction]) -> Program:
    """Parse a file. `natives` are the functions of the host that it may call.

    Raises DiagnosticError with everything that is wrong with it.
    """
    return _Parser(name, source, natives).run()


class _Parser:
    def __init__(self, name: str, source: SourceText, natives: Mapping[str, HostFunction]) -> None:
        self.name = name
        self.source = source
        self.reader = LineReader(source, natives)
        self.signatures: dict[str, Signature] = {}
        self.heads: dict[int, Signature] = {}
        self.main = _Draft(Signature(MAIN, (), frozenset()))
        self.draft = self.main
        self.functions: dict[str, Function] = {}
        self.start = 0
        self.statements = {
            "function": self.function,
            "end": self.end,
            "return": self.return_,
            "if": self.if_,
            "elseif": self.elseif,
            "else": self.else_,
            "while": self.while_,
            "for": self.for_,
            "break": self.break_,
            "continue": self.continue_,
            "local": self.local,
            "try": self.try_,
            "catch": self.catch,
            "wait": self.wait,
            "waituntil": self.waituntil,
            "yield": self.yield_,
        }

    def run(self) -> Program:
        try:
            self.collect()
            while self.reader.next_line():
                self.line()
                self.reader.skip_line()
            self.close_all()
        except GiveUp:
            pass
        diagnostics = self.reader.diagnostics
        if diagnostics:
            raise DiagnosticError(diagnostics)
        self.finish(self.main, len(self.source.text))
        digest = hashlib.blake2b(self.source.text.encode("latin-1"), digest_size=12).hexdigest()
        return Program(self.name, self.source, MappingProxyType(self.functions), digest)

    # ---- functions ----------------------------------------------------------------------------------

    def collect(self) -> None:
        """Learn the functions of the file first: they are known in all of it."""
        reader = self.reader
        while reader.next_line():
            head = reader.start()
            if reader.take("function"):
                at = reader.start()
                try:
                    signature = self.heads[head] = self.signature()
                    if signature.name in self.signatures:
                        text = f"function '{signature.name}' is there already"
                        reader.report("duplicate-function", text, (at, at + len(signature.name)))
                    self.signatures.setdefault(signature.name, signature)
                except Recover:
                    pass
            reader.skip_line()
        reader.pos = 0
        reader.know(self.signatures)

    def signature(self) -> Signature:
        reader = self.reader
        name = reader.name("the name of the function")
        reader.expect("(")
        params: list[str] = []
        refs: list[int] = []
        if not reader.take(")"):
            while True:
                if reader.take("ref"):
                    refs.append(len(params))
                at = reader.start()
                param = reader.name("the name of a parameter")
                if param in params:
                    reader.report("duplicate-name", f"there are two parameters '{param}'", (at, reader.end()))
                params.append(param)
                if not reader.take(","):
                    break
            reader.expect(")")
        reader.finish()
        return Signature(name, tuple(params), frozenset(refs))

    def function(self) -> None:
        place = (self.start, self.reader.end())
        if self.draft is not self.main:
            opener = self.draft.blocks[-1]
            text = (
                f"this '{opener.word}' is never closed: a line with 'end' is missing before the next function"
            )
            self.reader.report("syntax", text, opener.place)
        elif self.main.blocks:
            inside = self.main.blocks[-1].word
            self.reader.report("syntax", f"a function cannot stand within '{inside}'", place)
        # A head with a fault was told of when the functions were collected; its body is read all the same.
        signature = self.heads.get(self.start, Signature("?", (), frozenset()))
        self.draft = _Draft(signature)
        self.draft.blocks.append(_Block("function", place, 0))
        self.reader.enter(frozenset(signature.params[i] for i in signature.refs))

    def finish(self, draft: _Draft, at: int) -> None:
        """The function is read: what it is goes into the program."""
        self.draft = draft
        self.start = at
        self.emit(Kind.END, line=self.source.line_col(at)[0])
        own = draft.signature
        self.functions[own.name] = Function(own.name, own.params, own.refs, tuple(draft.code))

    def close_all(self) -> None:
        """The file ends while blocks are open."""
        for block in {id(b): b for draft in (self.main, self.draft) for b in draft.blocks}.values():
            text = f"this '{block.word}' is never closed: a line with 'end' is missing"
            self.reader.report("syntax", text, block.place)

    # ---- a line -------------------------------------------------------------------------------------

    def line(self) -> None:
        reader = self.reader
        self.start = reader.start()
        word = reader.keyword()
        try:
            if not word:
                code = reader.expression(used=False)
                reader.finish()
                self.emit(Kind.EVAL, code)
                return
            statement = self.statements.get(word)
            if statement is None:
                reader.pos -= 1
                reader.fail(f"a statement cannot begin with '{word}'")
            statement()
        except Recover:
            pass

    def emit(self, kind: Kind, code: Code = _NOTHING, *, target: int = -1, keep: int = 0, name: str = "",
             line: int = 0) -> int:  # fmt: skip
        """Add a step for the statement at hand; its index."""
        draft = self.draft
        place = (self.start, max(self.start, self.reader.end()))
        draft.code.append(
            Step(
                kind,
                line or self.source.line_col(self.start)[0],
                place,
                code.value,
                code.micro,
                target,
                keep,
                name,
                next((b.head for b in reversed(draft.blocks) if b.holds), -1),
            )
        )
        return len(draft.code) - 1

    def aim(self, index: int, target: int | None = None) -> None:
        """Set where a step goes on: by default at what comes next."""
        code = self.draft.code
        code[index] = replace(code[index], target=len(code) if target is None else target)

    def open(self, word: str, *, holds: bool = False) -> _Block:
        """Open a block whose first step comes next."""
        blocks = self.draft.blocks
        block = _Block(word, (self.start, self.reader.end()), len(self.draft.code), holds)
        if len(blocks) == LINES.limits.blocks:
            text = f"blocks nest no more than {LINES.limits.blocks} deep: make a function of a part"
            self.reader.report("nesting", text, block.place)
        blocks.append(block)
        return block

    def condition(self) -> Code:
        """The rest of the line as an expression. A block's head that is wrong opens its block all the same."""
        code = self.reader.expression()
        self.reader.finish()
        return code

    # ---- if -----------------------------------------------------------------------------------------

    def if_(self) -> None:
        block = self.open("if")
        block.branch = block.head
        code = self.condition()
        self.emit(Kind.IF, code)

    def arm(self, word: str) -> _Block:
        """The block that another arm belongs to; the arm before it ends here."""
        blocks = self.draft.blocks
        block = blocks[-1] if blocks else None
        if block is None or block.word != "if":
            self.reader.pos -= 1
            inside = f"; the innermost open block is '{block.word}'" if block is not None else ""
            self.reader.fail(f"'{word}' belongs to an 'if', and none is open here{inside}")
        if block.closed:
            self.reader.pos -= 1
            self.reader.fail(f"'{word}' comes after 'else': nothing may")
        block.exits.append(self.emit(Kind.JUMP))
        if 0 <= block.branch < len(self.draft.code):
            self.aim(block.branch)
        return block

    def elseif(self) -> None:
        block = self.arm("elseif")
        block.branch = len(self.draft.code)
        code = self.condition()
        self.emit(Kind.IF, code)

    def else_(self) -> None:
        block = self.arm("else")
        block.closed, block.branch = True, -1
        if not self.reader.at_end():
            self.reader.fail(
                "'else' stands alone on its line", "another condition is written as one word: elseif"
            )

    # ---- loops --------------------------------------------------------------------------------------

    def while_(self) -> None:
        self.open("while")
        code = self.condition()
        head = self.emit(Kind.WHILE, code)
        self.hold(head)

    def for_(self) -> None:
        reader = self.reader
        self.open("for")
        name = self.own_name("the variable of the loop")
        reader.expect("in")
        code = reader.bounds()
        reader.finish()
        self.hold(self.emit(Kind.FOR, code, name=name))

    def hold(self, head: int) -> None:
        """The block that was opened last is known to the frame from here on."""
        block = self.draft.blocks[-1]
        block.head, block.holds = head, True

    def loop(self, word: str) -> tuple[int, _Block]:
        """The innermost loop, and how many held blocks are around it."""
        blocks = self.draft.blocks
        index = next((i for i in range(len(blocks) - 1, -1, -1) if blocks[i].word in ("while", "for")), -1)
        if index < 0:
            self.reader.pos -= 1
            self.reader.fail(f"'{word}' stands outside any loop")
        return sum(b.holds for b in blocks[:index]), blocks[index]

    def break_(self) -> None:
        keep, block = self.loop("break")
        self.reader.finish()
        block.exits.append(self.emit(Kind.BREAK, keep=keep))

    def continue_(self) -> None:
        keep, block = self.loop("continue")
        self.reader.finish()
        at = self.emit(Kind.CONTINUE, keep=keep + 1, target=block.head)
        if block.word == "for":
            block.exits.append(~at)  # Its target is the `end`, which counts on.

    # ---- the end of a block -------------------------------------------------------------------------

    def end(self) -> None:
        draft = self.draft
        if not draft.blocks:
            self.reader.pos -= 1
            self.reader.fail("nothing is open here that could end")
        block = draft.blocks[-1]
        self.reader.finish()
        if block.word == "function":
            draft.blocks.pop()
            self.finish(draft, self.start)
            self.draft = self.main
            self.reader.enter(frozenset())
            return
        closing = len(draft.code)
        if block.word == "try" and not block.closed:
            self.reader.report(
                "syntax",
                "this 'try' has no 'catch': a line 'catch NAME' must stand before its 'end'",
                block.place,
            )
        if block.word == "while":
            self.emit(Kind.JUMP, target=block.head)
        elif block.word == "for":
            self.emit(
                Kind.NEXT, target=block.head + 1, name=draft.code[block.head].name if block.holds else ""
            )
        draft.blocks.pop()
        if block.holds and block.word in ("while", "for"):
            self.aim(block.head)
        if 0 <= block.branch < len(draft.code):
            self.aim(block.branch)
        for index in block.exits:
            if index < 0:
                self.aim(~index, closing)
            else:
                self.aim(index)

    # ---- errors -------------------------------------------------------------------------------------

    def try_(self) -> None:
        self.open("try")
        self.reader.finish()
        self.hold(self.emit(Kind.TRY))

    def catch(self) -> None:
        blocks = self.draft.blocks
        block = blocks[-1] if blocks else None
        if block is None or block.word != "try":
            self.reader.pos -= 1
            self.reader.fail("'catch' belongs to a 'try', and none is open here")
        if block.closed:
            self.reader.pos -= 1
            self.reader.fail("this 'try' has a 'catch' already")
        block.closed = True
        name = "?"
        try:
            name = self.own_name("the variable that receives the message")
            self.reader.finish()
        finally:
            at = self.emit(Kind.CATCH, name=name)
            if block.holds:
                self.aim(block.head, at)
            block.exits.append(at)
            block.holds = False

    # ---- the rest -----------------------------------------------------------------------------------

    def return_(self) -> None:
        code = _NOTHING
        if not self.reader.at_end():
            code = self.condition()
        self.emit(Kind.RETURN, code)

    def own_name(self, what: str) -> str:
        """A name for a variable of the call itself, which a reference cannot be."""
        name = self.reader.name(what)
        if name in {self.draft.signature.params[i] for i in self.draft.signature.refs}:
            self.reader.pos -= 1
            self.reader.fail(f"'{name}' is a reference: it cannot be a variable of the call itself too")
        return name

    def local(self) -> None:
        name = self.own_name("the name of the variable")
        self.reader.expect("=")
        self.emit(Kind.LOCAL, self.condition(), name=name)

    def wait(self) -> None:
        self.emit(Kind.WAIT, self.condition())

    def waituntil(self) -> None:
        self.emit(Kind.WAITUNTIL, self.condition())

    def yield_(self) -> None:
        self.reader.finish()
        self.emit(Kind.YIELD)


def check(source: SourceText, natives: Mapping[str, HostFunction]) -> tuple[Diagnostic, ...]:
    """Everything that is wrong with a file."""
    try:
        parse(source.path, source, natives)
    except DiagnosticError as error:
        return error.diagnostics
    return ()

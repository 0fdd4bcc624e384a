"""Programs from text, with what they printed."""

from __future__ import annotations

from engine.linescript.context import Clock, Context, Persistence
from engine.linescript.library import global_scope
from engine.linescript.parser import parse
from engine.linescript.program import Program
from engine.linescript.runner import tick
from engine.linescript.scope import GlobalScope, Scope
from engine.source import SourceText


class Bench:
    """A global scope, a clock, and the lines that were printed."""

    def __init__(self) -> None:
        self.lines: list[str] = []
        self.clock = Clock()
        self.scope: GlobalScope = global_scope(lambda text: self.lines.append(text.rstrip("\n")), lambda: 0.5)

    def program(self, text: str, name: str = "test") -> Program:
        return parse(name, SourceText(f"{name}.script", text), self.scope.functions or {})

    def context(self, program: Program | str, persistence: Persistence = Persistence.PERSISTENT) -> Context:
        if isinstance(program, str):
            program = self.program(program)
        return Context(program, Scope(self.scope), self.clock, persistence)

    def frames(self, context: Context, count: int = 1, ms: int = 50) -> None:
        """Tick now, and so many frames on."""
        tick(context)
        for _ in range(count):
            self.clock.advance(ms)
            tick(context)

    def run(self, text: str) -> list[str]:
        """What a program prints within a second."""
        context = self.context(text)
        self.frames(context, 20)
        assert context.fault is None, context.fault
        return self.lines

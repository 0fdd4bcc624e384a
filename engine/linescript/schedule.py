"""Many contexts at once: who runs in a tick, for how long, and what is told.

Each context has its own budget; all together have a cap, which is shared fairly: where it is reached, the next tick
begins with those that did not run.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field

from engine.linescript.context import Context
from engine.linescript.program import Program
from engine.linescript.reload import Fate, LineMap, carry_over, map_lines
from engine.linescript.runner import BUDGET, tick
from engine.source import Diagnostic

CAP = 100_000
"""Statements of all contexts together in a tick: about a tenth of a second, where every other limit has failed."""


@dataclass(slots=True)
class Profile:
    """Figures of the last tick. `by_program` counts statements, `over` contexts that used up their budget."""

    statements: int = 0
    contexts: int = 0
    over: int = 0
    by_program: Counter[str] = field(default_factory=Counter)


class Schedule:
    """The contexts of a host. `report` receives faults and warnings; a warning comes once for each function."""

    def __init__(self, report: Callable[[Diagnostic], None], *, budget: int = BUDGET, cap: int = CAP) -> None:
        self.contexts: list[Context] = []
        self.budget = budget
        self.cap = cap
        self.profile = Profile()
        self.errors = 0
        self.ended: Counter[str] = Counter()
        """Contexts that a fault ended, by the names of their programs; whoever starts new ones may forget those."""
        self._report = report
        self._warned: set[tuple[Program, str]] = set()
        self._faults: Counter[tuple[str, int, str]] = Counter()
        self._next = 0

    def add(self, context: Context) -> Context:
        """Let a context run from the next tick on."""
        self.contexts.append(context)
        return context

    def run(self, context: Context) -> None:
        """Run one context for the present time of its clock."""
        self._run(context, self.budget)

    def tick(self) -> None:
        """Run every context for the present time of its clock, and forget those that have ended."""
        contexts = self.contexts
        self.profile = Profile(contexts=len(contexts))
        count, left, budget = len(contexts), self.cap, self.budget
        first = self._next % count if count else 0
        self._next = 0
        for offset, context in enumerate(contexts[first:] + contexts[:first] if first else contexts):
            if context.due > context.clock.now:
                continue
            if left <= 0:
                self._next = (first + offset) % count
                break
            left -= self._run(context, budget if budget < left else left)
        if any(not c.frames for c in contexts):
            kept = [c for c in contexts if c.frames]
            if self._next:
                self._next = sum(1 for c in contexts[: self._next] if c.frames)
            self.contexts = kept

    def _run(self, context: Context, budget: int) -> int:
        if not context.frames:
            return 0
        try:
            ran = tick(context, budget, self._over_budget)
        except (ArithmeticError, AttributeError, LookupError, TypeError, ValueError) as error:
            # A state that somebody made up can stand where no run ever does.
            message = f"internal error of the engine: {type(error).__name__}: {error}"
            context.fault = Diagnostic("internal", message, severity="runtime error")
            context.end()
            ran = 1
        profile = self.profile
        profile.statements += ran
        profile.by_program[context.program.name] += ran
        if context.fault is not None:
            self.ended[context.program.name] += 1
            self._fault(context.fault)
        return ran

    def _over_budget(self, context: Context, diagnostic: Diagnostic) -> None:
        self.profile.over += 1
        key = (context.program, context.frames[-1].function.name)
        if key not in self._warned:
            self._warned.add(key)
            self._report(diagnostic)

    def _fault(self, fault: Diagnostic) -> None:
        """A fault of the same place and message is told once, whatever number of contexts meets it."""
        self.errors += 1
        key = (fault.span.path, fault.span.start, fault.message) if fault.span is not None else ("", 0, "")
        self._faults[key] += 1
        if self._faults[key] == 1:
            self._report(fault)

    def replace(self, old: Program, new: Program) -> list[Fate]:
        """Carry the contexts of a program over into its new text; what became of each."""
        lines: LineMap = map_lines(old, new)
        self._faults.clear()
        return [carry_over(context, new, lines) for context in self.contexts if context.program is old]

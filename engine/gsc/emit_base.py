"""What everything that emits Python text has in common: lines, temporaries, branches, suspension sites."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator
from contextlib import contextmanager

from engine.gsc import mangle, syntax
from engine.gsc.atoms import Atom, Held
from engine.gsc.compounds import Branch
from engine.gsc.cost import LARGE, Costs
from engine.gsc.hints import float_fields
from engine.gsc.inference import Inference, Masks
from engine.gsc.sequence import FRESH, Line, Resumable, Sequence, Site, Straight
from engine.gsc.suspension import Behaviour, Key
from engine.gsc.vectors import vectors

Spill = tuple[int, int, int]
"""An operand that was evaluated before a site and is wanted after it: the offsets of its expression (-1 where it is
no expression of its own) and the types that it can have."""


class Output(ABC):
    """Emits into the current sequence. One instance emits one function."""

    def __init__(
        self,
        script: str,
        function: syntax.Function,
        behaviour: Behaviour,
        recovers: bool,
        loose: frozenset[str] = frozenset(),
        masks: Masks | None = None,
    ) -> None:
        self.script = script
        self.function = function
        self.behaviour = behaviour
        self.rules = function.rules
        self.recovers = recovers
        """Whether a failing operation yields undefined, so that code after it runs."""
        self.inference = Inference(function, behaviour, recovers, loose, (script, function.name), masks)
        self.resumable = (script, function.name) in behaviour.suspends
        self.vectors: dict[str, Atom] = {}
        """Locals that surely are vectors, as three floats: Python locals, or constants."""
        if not (self.resumable or recovers or self.rules.strict):
            # A thread that is moved here from another version of the function would bring other values.
            self.vectors = vectors(self.inference)
        self.sequence = Sequence()
        self.temps = 0
        self.pending: list[str] = []
        """Temporaries that are still wanted and have to survive a suspension."""
        self.sites: list[tuple[int, int]] = []
        """The script text of each suspension site, by number from 1."""
        self.spills: list[tuple[Spill, ...]] = []
        """The operands that each site keeps, in the order of a frame's `temps`."""
        self.origins: dict[str, tuple[int, int]] = {}
        """The expression whose value a temporary holds."""
        self.masks: dict[str, int] = {}
        self.float_fields = float_fields(function, behaviour.strips)
        self.likely_floats: set[str] = set()
        """Temporaries that hold what was read from such a field."""
        self.seen: dict[tuple[str, str], str] | None = None
        """In conditions of one chain, which cannot change a field: the temporaries that hold fields already read, by
        owner and name. None elsewhere."""
        self.versions: dict[str, Key] = {}
        """The versions that it calls, by their names in the text."""
        self.loops = 0
        """Loops around the place of emission, each of which counts its rounds."""
        self.costs = Costs(function, behaviour.strips)
        self.counts_entry = self.costs.entry > LARGE
        """Whether it counts its cost when it is entered, and not when it first calls a script function."""
        self.counts_calls = False
        """Whether it counts it at a call on one way at least."""
        self.counted = False
        """Whether a call was counted on every way to the place of emission."""
        self.measured = False
        """Whether the depth of calls was looked at on every way to it, with that of a callee in `BELOW`."""

    # ---- lines -----------------------------------------------------------------------------------------

    def line(self, text: str, start: int, end: int, depth: int = 0) -> None:
        self.sequence.add([Line(depth, text, start, end)])

    def taken_back(self, atom: Atom) -> Line | None:
        """The line that has just put the result of a call into a temporary, taken out again: whoever names the
        temporary next, and only once, can stand around the call instead."""
        last = self.sequence.items[-1] if self.sequence.items else None
        if not isinstance(last, Straight) or not last.lines or last.lines[-1].depth:
            return None
        return (
            last.lines.pop()
            if last.lines[-1].text.startswith(f"{atom.text} = {mangle.VERSION_PREFIX}")
            else None
        )

    def temp(self) -> str:
        self.temps += 1
        name = f"T{self.temps}"
        self.origins.pop(name, None)
        self.likely_floats.discard(name)
        return name

    @contextmanager
    def nested(self) -> Iterator[Sequence]:
        """Emit into a sequence of its own for the duration."""
        outer = self.sequence
        counted, measured, seen = self.counted, self.measured, self.seen
        self.sequence = Sequence()
        self.seen = dict(seen) if seen is not None else None
        try:
            yield self.sequence
        finally:
            self.sequence = outer
            self.counted, self.measured, self.seen = counted, measured, seen

    @contextmanager
    def holding(self, *atoms: Atom) -> Iterator[None]:
        """Keep these operands over whatever is evaluated in between."""
        count = len(self.pending)
        for atom in atoms:
            if atom.text.startswith("T") and atom.text not in self.pending:
                self.pending.append(atom.text)
                self.masks[atom.text] = atom.mask
        yield
        del self.pending[count:]

    def branch(
        self, condition: str, then: Sequence, otherwise: Sequence | None, start: int, end: int
    ) -> None:
        """`if condition: then else: otherwise`, either of which may hold sites."""
        self.add_compound(Branch(condition, then, otherwise, start, end))

    def add_compound(self, compound: Resumable) -> None:
        if compound.high:
            self.sequence.items.append(compound)
        else:
            self.sequence.add(compound.forward(FRESH))

    def suspend(
        self,
        issue: list[tuple[int, str]],
        waits: str,
        restore: list[str],
        start: int,
        end: int,
        ms: int | None = -1,
        *,
        needs_thread: bool = False,
    ) -> None:
        """A suspension site: run the lines of `issue`, each with its depth; leave, if `waits` holds (always when it is
        ""); `restore` runs on resumption. `ms` is for how long, None for an event, -1 where something else tells.
        `needs_thread`: the lines of `issue` use `TH`, the running thread."""
        self.counted = self.measured = False
        self.sites.append((start, end))
        self.spills.append(tuple((*self.origins.get(t, (-1, -1)), self.masks[t]) for t in self.pending))
        number = len(self.sites)
        kept = ", ".join(self.pending) + ("," if len(self.pending) == 1 else "")
        me = mangle.running(self.script, self.function.name)
        made = ["FR = FRAME()", f"FR.function = {me}", "FR.self = SELF", "FR.value = None"]
        save = [f"FR.locals = ({self.saved_locals()})"]
        back = list(restore)
        if kept:
            save.append(f"FR.temps = ({kept})")
            # Emptied, so that a later site without operands of its own does not keep these.
            back += [f"({kept}) = FR.temps", "FR.temps = ()"]
        else:
            made.append("FR.temps = ()")
        resume = mangle.resume(self.script, self.function.name, number)
        self.sequence.items.append(
            Site(number, issue, waits, made, save, resume, ms, back, start, end, needs_thread)
        )

    def python_locals(self, name: str) -> tuple[str, ...]:
        """The Python locals that hold a script local."""
        atom = self.vectors.get(name)
        parts = mangle.components(name)
        return parts if atom is not None and atom.parts == parts else (mangle.local(name),)

    def saved_locals(self) -> str:
        names = [mangle.local(n) for n in self.inference.names]
        return ", ".join(names) + ("," if len(names) == 1 else "")

    def assigned(self, text: str, mask: int, start: int, end: int, into: str | None = None) -> Atom:
        """`text` evaluated into a temporary, or into `into`."""
        name = into or self.temp()
        self.line(f"{name} = {text}", start, end)
        return Atom(name, mask)

    @abstractmethod
    def value(self, node: syntax.Expr | Held, into: str | None = None) -> Atom:
        """Evaluate an expression; `into` names a local that may receive the result directly."""

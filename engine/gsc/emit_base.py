"""What everything that emits Python text has in common: lines, temporaries, branches, suspension sites."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator
from contextlib import contextmanager

from engine.gsc import mangle, syntax
from engine.gsc.atoms import Atom, Held
from engine.gsc.cost import LARGE, Costs
from engine.gsc.inference import Inference, Masks
from engine.gsc.sequence import Compound, Line, Sequence, Site, Straight, block
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
        return name

    @contextmanager
    def nested(self) -> Iterator[Sequence]:
        """Emit into a sequence of its own for the duration."""
        outer = self.sequence
        counted, measured = self.counted, self.measured
        self.sequence = Sequence()
        try:
            yield self.sequence
        finally:
            self.sequence = outer
            self.counted, self.measured = counted, measured

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
        low = then.low or (otherwise.low if otherwise else 0)
        high = (otherwise.high if otherwise else 0) or then.high
        if not high:
            test = condition
        elif otherwise is None or not otherwise.high:
            test = f"site or {condition}"
        elif not then.high:
            test = f"site == 0 and {condition}"
        else:
            test = f"{condition} if site == 0 else site <= {then.high}"
        lines = [Line(0, f"if {test}:", start, end), *block(then.render(), start, end)]
        if otherwise is not None and not otherwise.empty:
            rest = otherwise.render()
            if rest[0].text.startswith("if ") and all(
                line.depth or line.text.startswith(("elif ", "else:")) for line in rest[1:]
            ):
                lines += [Line(0, "el" + rest[0].text, rest[0].start, rest[0].end), *rest[1:]]
            else:
                lines += [Line(0, "else:", start, end), *block(rest, start, end)]
        if high:
            self.sequence.items.append(Compound(low, high, lines))
        else:
            self.sequence.add(lines)

    def suspend(
        self, issue: list[tuple[int, str]], waits: str, restore: list[str], start: int, end: int
    ) -> None:
        """A suspension site: run the lines of `issue`, each with its depth; leave, if `waits` holds (always when it is
        ""); `restore` runs on resumption."""
        self.counted = self.measured = False
        self.sites.append((start, end))
        self.spills.append(tuple((*self.origins.get(t, (-1, -1)), self.masks[t]) for t in self.pending))
        number = len(self.sites)
        kept = ", ".join(self.pending) + ("," if len(self.pending) == 1 else "")
        at = [Line(depth, text, start, end) for depth, text in issue]
        inner = 0
        if waits:
            at.append(Line(0, f"if {waits}:", start, end))
            inner = 1
        me = mangle.running(self.script, self.function.name)
        made = ["FR = FRAME()", f"FR.function = {me}", "FR.self = SELF", "FR.value = None", "UNWIND(FR)"]
        if not kept:
            made.insert(3, "FR.temps = ()")
        save = [f"FR.site = {number}", f"FR.locals = ({self.saved_locals()})"]
        if kept:
            save.append(f"FR.temps = ({kept})")
        save.append("return SUSPENDED")
        at.append(Line(inner, "if FR is None:", start, end))
        at += [Line(inner + 1, text, start, end) for text in made]
        at += [Line(inner, text, start, end) for text in save]
        back = ["site = 0", *restore]
        if kept:
            # Emptied, so that a later site without operands of its own does not keep these.
            back += [f"({kept}) = FR.temps", "FR.temps = ()"]
        self.sequence.items.append(Site(number, at, [Line(0, text, start, end) for text in back]))

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

"""Two versions of a function: the old one that frames stand in, and what the new program has in its place."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from engine.gsc import syntax
from engine.gsc.alignment import Alignment, Match, Refusal, likeness
from engine.gsc.code import Unit
from engine.gsc.inference import Inference
from engine.gsc.kinds import ANY, ARRAY, FLOAT, INT, OTHER, STRING, UNDEFINED, VECTOR
from engine.gsc.script import Script
from engine.gsc.sites import Mark, Outline, Site, shape_of
from engine.gsc.suspension import Key, walk
from engine.vm.arrays import Array
from engine.vm.epochs import Linked
from engine.vm.frames import Frame

SAME_NAME, OTHER_NAME = 0.6, 0.85
"""How alike a vanished and a new function have to be to count as one that was moved, or moved and renamed."""

_TYPES: dict[type, int] = {
    type(None): UNDEFINED, int: INT, float: FLOAT, str: STRING, tuple: VECTOR, Array: ARRAY,
}  # fmt: skip


def type_bit(value: Any) -> int:
    return _TYPES.get(value.__class__, OTHER)


def changed_functions(old: Linked, new: Linked) -> tuple[Key, ...]:
    """Functions that are new, gone, or different in more than comments and layout."""
    changed: list[Key] = []
    before, after = old.program.scripts, new.program.scripts
    for name in dict.fromkeys([*before, *after]):
        one, other = before.get(name), after.get(name)
        if one is other:
            continue
        if one is not None and other is not None and one.source.text == other.source.text:
            continue
        mine = one.functions if one is not None else {}
        theirs = other.functions if other is not None else {}
        for function in dict.fromkeys([*mine, *theirs]):
            a, b = mine.get(function), theirs.get(function)
            if a is None or b is None or one is None or other is None:
                changed.append((name, function))
            elif one.text_of(a) == other.text_of(b) and one.deeds[function][1] == other.deeds[function][1]:
                continue
            elif a.params != b.params or shape_of(a.body, {}) != shape_of(b.body, {}):
                changed.append((name, function))
    return tuple(changed)


class Versions:
    """Finds the successors of functions. Nothing is compiled for it but what frames stand in."""

    def __init__(self, old: Linked, new: Linked) -> None:
        self.old = old
        self.new = new
        self.renamed: dict[Key, Key] = {}
        """Vanished functions to the new ones that took their place."""
        self._find_renamed()

    def _find_renamed(self) -> None:
        before, after = self.old.program.scripts, self.new.program.scripts
        names = [name for name in {**before, **after} if before.get(name) is not after.get(name)]
        old, new = _functions(before, names), _functions(after, names)
        gone = [key for key in old if key not in new]
        fresh = [key for key in new if key not in old]
        if not gone or not fresh:
            return
        outlines = {key: Outline(new[key], (), self.new.behaviour.strips, {}) for key in fresh}
        ranked: list[tuple[float, Key, Key]] = []
        for key in gone:
            outline = Outline(old[key], (), self.old.behaviour.strips, {})
            for other in fresh:
                like = likeness(outline, outlines[other])
                if like >= (SAME_NAME if other[1] == key[1] else OTHER_NAME):
                    ranked.append((like + (other[1] == key[1]), key, other))
        taken: set[Key] = set()
        for _, key, other in sorted(ranked, reverse=True):
            if key not in self.renamed and other not in taken:
                self.renamed[key] = other
                taken.add(other)

    def successor(self, key: Key) -> Key | None:
        """What a function is called in the new program, None when it is gone."""
        if self.new.program.function(*key) is not None:
            return key
        return self.renamed.get(key)


def _functions(scripts: Mapping[str, Script], names: Iterable[str]) -> dict[Key, syntax.Function]:
    return {(name, f.name): f for name in names if name in scripts for f in scripts[name].functions.values()}


class Change:
    """One changed function with frames inside: where each of its sites is now.

    `key` is the function in the new program, `unit` its compiled form, which may be replaced by one that believes no
    types of some locals.
    """

    def __init__(
        self, old: Linked, old_key: Key, old_unit: Unit, new: Linked, key: Key, unit: Unit, versions: Versions
    ) -> None:
        self.key = key
        self.unit = unit
        self.new = new
        self.old_unit = old_unit
        self._old_script = old.program.scripts[old_key[0]]
        self._new_script = new.program.scripts[key[0]]
        self._new_function = self._new_script.functions[key[1]]
        self.old = Outline(
            self._old_script.functions[old_key[1]], old_unit.sites, old.behaviour.strips, versions.renamed
        )
        self.outline = Outline(self._new_function, unit.sites, new.behaviour.strips, {})
        self.alignment = Alignment(self.old, self.outline, old.behaviour, versions.renamed)
        self.brought: list[Mapping[str, Any]] = []
        """The locals of every frame that moves here."""
        self.loose: set[str] = set()
        """Locals whose values have types that the code does not expect where it reads them."""
        self.stuck = False
        """Such locals cannot be allowed for: other threads wait in the code as it is."""

    def site(self, number: int) -> tuple[Site, Match | Refusal]:
        """A site of the old unit with its partner."""
        site = self.old.by_number[number]
        return site, self.alignment.partner(site)

    def line(self, offset: int) -> int:
        return self._new_script.source.line_col(offset)[0]

    # ---- variables -------------------------------------------------------------------------------------

    def locals(self, frame: Frame) -> tuple[dict[str, Any], tuple[str, ...]]:
        """The new locals of a frame with their values, and the names of those that are lost with a value."""
        held = dict(zip(self.old_unit.locals, frame.locals, strict=False))
        come_from = self.alignment.locals
        values = {name: held.get(come_from.get(name, "")) for name in self.unit.locals}
        used = set(come_from.values())
        lost = tuple(name for name, value in held.items() if name not in used and value is not None)
        return values, lost

    def loosen(self, recovers: bool) -> None:
        """Find `loose` for what was brought."""
        if not self.brought:
            return
        believed = self._believed(recovers)
        for values in self.brought:
            for name, value in values.items():
                if not believed.get(name, ANY) & type_bit(value):
                    self.loose.add(name)

    def _believed(self, recovers: bool) -> dict[str, int]:
        """For each local the types that every read of it expects."""
        inference = Inference(self._new_function, self.new.behaviour, recovers)
        masks: dict[str, int] = {}
        for node in walk(self._new_function.body, self.new.behaviour.strips):
            if isinstance(node, syntax.LocalVar):
                masks[node.name] = masks.get(node.name, ANY) & inference.read(node)
        return masks

    # ---- operands --------------------------------------------------------------------------------------

    def temps(self, frame: Frame, old: Site, new: Site, number: int) -> tuple[Any, ...] | None:
        """The operands that wait at the new site, taken from those of the old one by their expressions; None when the
        new text wants one that was not evaluated."""
        wanted = self.unit.spills[number - 1]
        if not wanted:
            return ()
        had = self.old_unit.spills[frame.site - 1]
        before, after = self.old.marks[old.mark], self.outline.marks[new.mark]
        if before.shape == after.shape and len(had) == len(wanted):
            values = frame.temps
        else:
            found = self._by_expression(frame.temps, had, before, wanted, after)
            if found is None:
                return None
            values = found
        fits = all(mask & type_bit(value) for value, (_, _, mask) in zip(values, wanted, strict=True))
        return values if fits else None

    def _by_expression(
        self,
        temps: tuple[Any, ...],
        had: tuple[tuple[int, int, int], ...],
        before: Mark,
        wanted: tuple[tuple[int, int, int], ...],
        after: Mark,
    ) -> tuple[Any, ...] | None:
        old_nodes, new_nodes = _by_span(before.node), _by_span(after.node)
        known: list[tuple[object, Any]] = []
        for (start, end, _), value in zip(had, temps, strict=True):
            node = old_nodes.get((start, end))
            if node is not None:
                known.append((shape_of(node, self.alignment.renamed), value))
        values: list[Any] = []
        for start, end, _ in wanted:
            node = new_nodes.get((start, end))
            if node is None:
                return None
            shape, names = shape_of(node, {})
            wanted_shape = (shape, tuple(self.alignment.locals.get(name, "") for name in names))
            at = next((n for n, (other, _) in enumerate(known) if other == wanted_shape), None)
            if at is None:
                return None
            values.append(known.pop(at)[1])
        return tuple(values)


def _by_span(node: syntax.Node) -> dict[tuple[int, int], syntax.Node]:
    def parts() -> Iterator[syntax.Node]:
        return walk(node, lambda part: False)

    return {(part.start, part.end): part for part in parts()}

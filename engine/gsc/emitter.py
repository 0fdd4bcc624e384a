"""From a bound function to Python text.

The text of a function is one `def` over (frame, self, depth, parameters):

    def C_maps_5cx_qmain(FR, SELF, D, v_a=None):

`FR` is None for a fresh call and the saved frame for a resumption, `D` the number of calls around this one. The
same source and the same facts about what it calls always give the same text, which is how a reload tells what
has changed.
"""

from __future__ import annotations

from dataclasses import dataclass

from engine.gsc import mangle, syntax
from engine.gsc.cost import LEAF, weight
from engine.gsc.emit_base import Spill
from engine.gsc.emit_flow import Flow
from engine.gsc.inference import Masks
from engine.gsc.sequence import Line, block, indent
from engine.gsc.suspension import Behaviour, Key


@dataclass(frozen=True, slots=True)
class Emitted:
    """The Python text of one function, with the script text to blame for each of its lines."""

    name: str
    lines: list[Line]
    locals: tuple[str, ...]
    """Script locals in the order in which a frame saves them."""
    arity: int
    resumable: bool
    sites: tuple[tuple[int, int], ...]
    """Offsets of the script text of each suspension site, by number from 1."""
    spills: tuple[tuple[Spill, ...], ...]
    """What a frame's `temps` hold at each site."""
    tables: tuple[tuple[str, dict[int | str, int]], ...]
    """Switch tables: global name, and the group for each label."""
    versions: tuple[tuple[str, Key], ...]
    """Versions of functions for certain types that it calls: global name and function."""

    @property
    def text(self) -> str:
        return "\n".join("    " * line.depth + line.text for line in self.lines) + "\n"


def emit(
    script: str,
    function: syntax.Function,
    behaviour: Behaviour,
    *,
    recovers: bool,
    loose: frozenset[str] = frozenset(),
    masks: Masks | None = None,
) -> Emitted:
    """The text of one function. `recovers`: the policy lets code go on after a failing operation. `loose` are locals
    that may hold any type wherever they are read: a thread brought them from another version of the function.

    With `masks` it is a version for parameters of these types, which only code calls that knows them:

        def V_i_qmaps_5cx_qsquare(SELF, D, v_n):
    """
    flow = Flow(script, function, behaviour, recovers, loose, masks)
    flow.statement(function.body)
    flow.leave(function.end - 1, function.end)
    start, end = function.name_start, function.name_start + len(function.name)
    names = [mangle.local(p) for p in function.params]
    if masks is None:
        name = mangle.code(script, function.name)
        head = ", ".join(["FR", "SELF", "D", *(f"{n}=None" for n in names)])
    else:
        name = mangle.version(script, function.name, masks)
        head = ", ".join(["SELF", "D", *names])

    def at(texts: list[str], depth: int) -> list[Line]:
        return [Line(depth, text, start, end) for text in texts]

    locals_ = flow.inference.names
    others = [n for name in locals_[len(function.params) :] for n in flow.python_locals(name)]
    # Of a version the caller has checked it, unless it has to go on with undefined.
    fresh = ["if D >= MAX_DEPTH: return OVERFLOW()"] if masks is None or recovers else []
    if flow.counts_entry or (flow.costs.entry > LEAF and not flow.counts_calls):
        fresh.append(f"for _ in {mangle.ticks(weight(flow.costs.entry))}: break")
    if others:
        fresh.append(" = ".join([*others, "None"]))
    lines = at([f"def {name}({head}):"], 0)
    if flow.resumable:
        saved = flow.saved_locals()
        restore = [f"({saved}) = FR.locals"] if saved else []
        lines += at(["if FR is None:"], 1) + at([*fresh, "site = 0"], 2)
        lines += at(["else:"], 1) + at([*restore, "site = FR.site"], 2)
    else:
        lines += at(fresh, 1)
    if flow.flags:
        lines += at([" = ".join([*flow.flags, "0"])], 1)
    lines += block(flow.sequence.render(), start, end) if len(lines) == 1 else indent(flow.sequence.render())
    return Emitted(
        name,
        lines,
        locals_,
        len(function.params),
        flow.resumable,
        tuple(flow.sites),
        tuple(flow.spills),
        tuple(flow.tables),
        tuple(flow.versions.items()),
    )

"""From a bound function to Python text.

The text of a function is a `def` over (frame, self, depth, parameters):

    def C_maps_5cx_qmain(FR, SELF, D, v_a=None):

`FR` is None for a fresh call, `D` the number of calls around this one. Where a function can wait, more of them follow,
one for each site:

    def Q_maps_5cx_qmain_q1(FR, SELF, TH):

`FR` is the saved frame then, `TH` the thread. A function for which that would be long has the first alone, which takes
the frame of a resumption and finds its way to the site. The same source and the same facts about what it calls always
give the same text, which is how a reload tells what has changed.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from engine.gsc import mangle, syntax
from engine.gsc.cost import LEAF, weight
from engine.gsc.emit_base import Spill
from engine.gsc.emit_flow import Flow
from engine.gsc.inference import Masks
from engine.gsc.sequence import Line, Sequence, block, indent
from engine.gsc.suspension import Behaviour, Key

MAX_TAILS = 16
"""Sites of a function each of which may get code of its own."""

MAX_GROWTH = 3
"""How many times as long as the function itself all of that may be, unless it is `SHORT`."""

SHORT = 120
"""Lines of Python that are compiled at once."""

MAX_INDENT = 40
"""Python has 100 levels of indentation, and the rest of a round of a loop stands further in."""


_DEPTH = re.compile(r"\bD\b")


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
    saved = flow.saved_locals()
    restore = [f"({saved}) = FR.locals"] if saved else []
    flags = [" = ".join([*flow.flags, "0"])] if flow.flags else []
    body = flow.sequence.forward()
    tails = _tails(flow.sequence, len(flow.sites), len(body))
    lines = at([f"def {name}({head}):"], 0)
    if flow.resumable and tails is None:
        lines += at(["if FR is None:"], 1) + at([*fresh, "site = 0"], 2)
        lines += at(["else:"], 1) + at([*restore, "D = FR.level", "site = FR.site"], 2) + at(flags, 1)
        lines += indent(flow.sequence.dispatch())
    else:
        lines += block([*at([*fresh, *flags], 0), *body], start, end)
    for number, tail in enumerate(tails or (), 1):
        lines += at([f"def {mangle.resume(script, function.name, number)}(FR, SELF, TH):"], 0)
        level = ["D = FR.level"] if any(_DEPTH.search(line.text) for line in tail) else []
        # What a notification brings may be all that there is.
        replaced = bool(tail) and tail[0].text == f"({saved}) = FR.value"
        lines += block([*at([*([] if replaced else restore), *level, *flags], 0), *tail], start, end)
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


def _tails(sequence: Sequence, sites: int, length: int) -> list[list[Line]] | None:
    """What is left of a function behind each of its sites; None where it is better to have one function for all."""
    if sites > MAX_TAILS:
        return None
    tails = [sequence.resumed(number) for number in range(1, sites + 1)]
    lines = [line for tail in tails for line in tail]
    if len(lines) > max(SHORT, MAX_GROWTH * length) or any(line.depth > MAX_INDENT for line in lines):
        return None
    return tails

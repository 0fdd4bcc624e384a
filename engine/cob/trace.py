"""Running one unit tick by tick and writing down what changed, one object a tick."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from engine.cob.machine import Machine
from engine.cob.threads import STATE_NAMES, State, int32


@dataclass(frozen=True, slots=True)
class RootCall:
    """A script that the engine starts before the drain of a tick."""

    script: str
    args: tuple[int, ...] = ()
    tick: int = 0


def parse_cell(text: str) -> int:
    """A number of 32 bits, decimal with its sign or hexadecimal bits. Raises ValueError with what is wrong."""
    try:
        value = int(text, 0)
    except ValueError:
        raise ValueError(f"'{text}' is no whole number") from None
    most = 2**32 if text.strip().lower().startswith("0x") else 2**31
    if not -(2**31) <= value < most:
        raise ValueError(f"{text} does not fit 32 bits")
    return int32(value)


def parse_call(text: str) -> RootCall:
    """`NAME[:ARG,ARG...][@TICK]`. Raises ValueError with what is wrong."""
    text, at, tick = text.partition("@")
    name, _, args = text.partition(":")
    if not name:
        raise ValueError("a call begins with a script's name")
    if at and not tick:
        raise ValueError(f"after @ comes the tick: {text}@30")
    values = tuple(parse_cell(part) for part in args.split(",")) if args else ()
    try:
        when = int(tick) if tick else 0
    except ValueError:
        raise ValueError(f"a tick is a whole number, not '{tick}'") from None
    if when < 0:
        raise ValueError("a tick is 0 or more")
    if len(values) > 4:
        raise ValueError("the engine passes at most 4 arguments")
    return RootCall(name, values, when)


def run_trace(machine: Machine, calls: Sequence[RootCall], ticks: int) -> Iterator[dict[str, Any]]:
    """Advance `ticks` ticks, giving one object after the interpolation pass of each.

    Keys in this order: tick, slots, pieces (only those that changed in this tick), statics, and events when
    there were any. Raises KeyError for a call of an unknown script.
    """
    index: dict[RootCall, int] = {}
    for call in calls:
        found = machine.program.script_index(call.script)
        if found is None:
            raise KeyError(call.script)
        index[call] = found

    def receiver(name: str) -> Callable[[int], None]:
        return lambda value: machine.events.append({"done": name, "value": value})

    before = [piece.placement() for piece in machine.pieces]
    for tick in range(ticks):
        machine.events.clear()
        for call in calls:
            if call.tick == tick:
                machine.start(index[call], call.args, receiver(call.script))
        machine.tick()
        after = [piece.placement() for piece in machine.pieces]
        changed = {
            piece.name: {"pos": list(now[:3]), "rot": list(now[3:6]), "flags": now[6]}
            for piece, was, now in zip(machine.pieces, before, after, strict=True)
            if was != now
        }
        before = after
        line: dict[str, Any] = {
            "tick": tick,
            "slots": [
                None
                if slot.state is State.IDLE
                else {
                    "script": machine.program.scripts[slot.script].name,
                    "state": STATE_NAMES[slot.state],
                    "mask": slot.mask,
                }
                for slot in machine.slots
            ],
            "pieces": changed,
            "statics": list(machine.statics),
        }
        if machine.events:
            line["events"] = list(machine.events)
        yield line

"""The state of a unit in a saved game: the machine's image, its ports, and who waits for a value.

Pieces that fly after an explosion are for the eye only and are not in it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.cob.image import ImageError, load_image, save_image
from engine.cob.threads import SLOTS, State
from engine.vm.packing import In, Out, damaged
from engine.world.units import Unit

if TYPE_CHECKING:
    from engine.world.entity import Entity

_MOST_IMAGE = 8 << 20


def write_unit(out: Out, unit: Unit) -> None:
    machine = unit.machine
    out.text(unit.program.name)
    out.whole(unit.ticks)
    out.whole(machine.random.state)
    out.blob(save_image(machine))
    waiting = [s.number for s in machine.slots if s.state is not State.IDLE and s.receiver is not None]
    out.whole(len(waiting))
    for number in waiting:
        out.whole(number)
    ports = unit.host.ports()
    out.whole(len(ports))
    for port, value in sorted(ports.items()):
        out.whole(port)
        out.whole(value)


def read_unit(inp: In, entity: Entity) -> Unit:
    name = inp.text()
    program = entity.world.units_source.unit(name)
    if program is None:
        damaged(f"it needs the unit script '{name[:40]}'")
    unit = Unit(entity, program)
    unit.ticks = inp.whole()
    unit.machine.random.state = inp.whole(0x7FFFFFFF)
    try:
        load_image(unit.machine, inp.blob(_MOST_IMAGE))
    except ImageError as error:
        damaged(f"unit script '{name[:40]}': {error}")
    for _ in range(inp.whole(SLOTS)):
        slot = unit.machine.slots[inp.whole(SLOTS - 1)]
        if slot.state is State.IDLE:
            damaged("a unit script answers that does not run")
        slot.receiver = unit.receiver(program.cob.scripts[slot.script].name)
    unit.host.set_ports({inp.whole(20): inp.whole(3) for _ in range(inp.count(2))})
    return unit

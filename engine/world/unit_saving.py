"""The state of a unit in a saved game: the machine's image, its ports, and who waits for a value.

Pieces that fly after an explosion are for the eye only and are not in it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.cob.image import AXIS, THREAD_SIZE, THREADS, ImageError, load_image, save_image
from engine.cob.machine import Machine
from engine.cob.threads import SLOTS, WINDOW, Slot, State
from engine.vm.packing import In, Out, damaged
from engine.world.units import Unit

if TYPE_CHECKING:
    from engine.world.entity import Entity

_MOST_IMAGE = 8 << 20


def write_unit(out: Out, aside: Out, unit: Unit) -> None:
    """`aside` gets what must come back and makes no other state."""
    machine = unit.machine
    out.text(unit.program.name)
    out.whole(unit.ticks)
    out.whole(machine.random.state)
    out.blob(_without_leavings(machine))
    for slot in _running(machine):
        for word in slot.window[slot.top + 1 :]:
            aside.number(word)
    waiting = [s.number for s in machine.slots if s.state is not State.IDLE and s.receiver is not None]
    out.whole(len(waiting))
    for number in waiting:
        out.whole(number)
    ports = unit.host.ports()
    out.whole(len(ports))
    for port, value in sorted(ports.items()):
        out.whole(port)
        out.whole(value)


def _running(machine: Machine) -> list[Slot]:
    return [slot for slot in machine.slots if slot.state is not State.IDLE]


def _without_leavings(machine: Machine) -> bytes:
    """The image with zeros for threads that have ended, for axes that nobody waits for any more, and for what operands
    have left above the top of a window.

    Code that runs translated leaves less there than code that is interpreted, which nobody can see; so the leavings of
    threads that run come back, but make no other state.
    """
    image = bytearray(save_image(machine))
    for number, slot in enumerate(machine.slots):
        begin = THREADS + THREAD_SIZE * number
        end = begin + THREAD_SIZE
        if slot.state not in (State.WAIT_TURN, State.WAIT_MOVE):
            image[begin + AXIS : begin + AXIS + 8] = bytes(8)
        unused = THREAD_SIZE if slot.state is State.IDLE else 4 * (WINDOW - slot.top - 1)
        image[end - unused : end] = bytes(unused)
    return bytes(image)


def read_unit(inp: In, aside: In, entity: Entity) -> Unit:
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
    for slot in _running(unit.machine):
        for index in range(slot.top + 1, WINDOW):
            slot.window[index] = aside.number(-(1 << 31), (1 << 31) - 1)
    for _ in range(inp.whole(SLOTS)):
        slot = unit.machine.slots[inp.whole(SLOTS - 1)]
        if slot.state is State.IDLE:
            damaged("a unit script answers that does not run")
        slot.receiver = unit.receiver(program.cob.scripts[slot.script].name)
    unit.host.set_ports({inp.whole(20): inp.whole(3) for _ in range(inp.count(2))})
    return unit

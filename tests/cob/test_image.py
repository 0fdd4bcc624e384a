"""Saving and loading a machine at any tick changes nothing of what follows."""

from __future__ import annotations

from typing import Any

import pytest

from engine.cob.compiler import compile_bos
from engine.cob.container import CobFile, write_cob
from engine.cob.image import ImageError, checksum, image_size, load_image, save_image
from engine.cob.machine import Machine
from engine.cob.random import RandomStream
from engine.cob.threads import State
from engine.source import SourceText
from tests.cob.programs import Writer

WALKER = """
piece base, leg, gun; static-var steps, shots;
Walk() { while (TRUE) { turn leg to x-axis <30> speed <120>; wait-for-turn leg around x-axis;
    turn leg to x-axis <-30> speed <120>; move base to y-axis [1] speed [4]; wait-for-turn leg around x-axis;
    move base to y-axis [0] speed [4]; wait-for-move base along y-axis; ++steps; } }
Fire(n) { var i; i = 0; while (i < n) { call-script Shot(i); ++i; } return (1); }
Shot(k) { emit-sfx 256 from gun; shots = shots + rand(1, 3); sleep 120;
    spin gun around z-axis speed <90> accelerate <9>; }
Aim(h) { signal 2; set-signal-mask 2; turn gun to y-axis h speed <45>; wait-for-turn gun around y-axis; }
"""


def compiled(text: str) -> CobFile:
    return compile_bos(SourceText("u.bos", text)).cob


def state(unit: Machine) -> tuple[Any, ...]:
    slots = [
        (s.state, s.pc, s.top, s.timer, s.mask, s.wait_slot) for s in unit.slots if s.state is not State.IDLE
    ]
    return slots, unit.statics[:], [p.placement() for p in unit.pieces], unit.events[:], unit.random.state


def drive(unit: Machine, tick: int) -> tuple[Any, ...]:
    unit.events.clear()
    if tick % 40 == 0:
        unit.start(tick // 40 % len(unit.program.scripts), [tick * 7 % 200])
    unit.tick()
    return state(unit)


def restored(unit: Machine) -> Machine:
    fresh = Machine(unit.program, random=RandomStream())
    fresh.random.state = unit.random.state
    load_image(fresh, save_image(unit))
    return fresh


@pytest.mark.parametrize("text", [WALKER, *(Writer(seed).program() for seed in (3, 8, 21))])
def test_a_machine_restored_at_every_tick_goes_on_alike(text: str) -> None:
    program = compiled(text)
    original, passed_on = Machine(program), Machine(program)
    for tick in range(500):
        assert drive(original, tick) == drive(passed_on, tick), f"tick {tick}"
        passed_on = restored(passed_on)


@pytest.mark.parametrize("at", range(0, 120, 17))
def test_a_machine_restored_once_goes_on_alike(at: int) -> None:
    unit = Machine(compiled(WALKER))
    for tick in range(at):
        drive(unit, tick)
    other = restored(unit)
    assert save_image(other) == save_image(unit)
    for tick in range(at, at + 100):
        assert drive(unit, tick) == drive(other, tick)


def test_the_layout_is_the_retail_games() -> None:
    program = compiled(WALKER)
    unit = Machine(program)
    unit.start(0, [5])
    image = save_image(unit)
    assert len(image) == image_size(program) == 0x528 + 4 * 2 + 0x6C * 3

    def word(offset: int) -> int:
        return int.from_bytes(image[offset : offset + 4], "little")

    assert word(0) == checksum(write_cob(program))
    assert word(4) == 0x01000000
    assert word(4 + 4 * 7) == 1
    assert word(4 + 4 * 9) == 5
    assert word(0x524) == 1


def test_the_checksum_has_four_lanes() -> None:
    assert checksum(b"") == 0
    assert checksum(b"\x01\x02") == 0x03 | 0x03 << 8 | ((1 + 3) << 16) | ((1 ^ 3) << 24)


def test_images_of_others_and_damaged_ones_change_nothing() -> None:
    program = compiled(WALKER)
    unit = Machine(program)
    unit.start(0)
    unit.tick()
    image = save_image(unit)
    before = state(unit)
    for broken, said in (
        (image[:-1], "bytes"),
        (b"\0\0\0\0" + image[4:], "another program"),
        (image[:4] + b"\x07\0\0\0" + image[8:], "status"),
        (image[:12] + b"\x40\0\0\0" + image[16:], "window"),
        (image[:20] + b"\x09\0\0\0" + image[24:], "piece 9"),
        (image[:8] + b"\xff\xff\xff\xff" + image[12:], "no script"),
        (image[:0x524] + b"\x05\0\0\0" + image[0x528:], "count"),
    ):
        with pytest.raises(ImageError, match=said):
            load_image(unit, broken)
        assert state(unit) == before


def test_pieces_of_a_retail_image_count_as_moving() -> None:
    unit = Machine(compiled(WALKER))
    image = bytearray(save_image(unit))
    at = 0x528 + 8 + 0x6C - 8
    image[at : at + 4] = b"\x12\x34\x56\x78"
    load_image(unit, bytes(image))
    assert [piece.busy for piece in unit.pieces] == [True, False, False]
    assert unit.dirty

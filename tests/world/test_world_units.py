"""Entities moved by unit scripts: time, poses, ports, effects, and what a save keeps."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest

from engine.anim.pose import model_matrices
from engine.anim.skeleton import Skeleton
from engine.cob.compiler import compile_bos
from engine.cob.pieces import DRAWN, Piece
from engine.cob.profiles import PROFILES
from engine.cob.unit import UnitProgram
from engine.source import SourceText
from engine.vm.packing import Damaged, In, Out
from engine.world.angles import distance
from engine.world.entity import MovingEntity
from engine.world.unit_host import pack, unpack
from engine.world.unit_saving import read_unit, write_unit
from engine.world.units import pose_of, use_program
from engine.world.world import World
from tests.world.world_kit import make_world

HEAD = "piece root, tag_top; static-var s, t;\n"


def program(text: str, name: str = "u") -> UnitProgram:
    unit = compile_bos(SourceText(f"{name}.bos", HEAD + text), profile=PROFILES["engine"], safe_end=True)
    return UnitProgram.of(name, unit.cob, unit.statics)


class Programs:
    def __init__(self, *programs: UnitProgram) -> None:
        self.by_name = {p.name: p for p in programs}
        self.faults: list[tuple[str, str, str]] = []
        self.lacks: list[str] = []

    def unit(self, name: str) -> UnitProgram | None:
        return self.by_name.get(name)

    def unit_names(self) -> list[str]:
        return sorted(self.by_name)

    def unit_fault(self, program: str, script: str, code: str, at: int) -> None:
        self.faults.append((program, script, code))

    def unit_lacks(self, program: str, model: str, piece: str, known: Sequence[str]) -> None:
        self.lacks.append(piece)


def placed(text: str) -> tuple[World, Any, MovingEntity]:
    world, host = make_world()
    world.units_source = Programs(program(text))
    entity = world.entities.add(MovingEntity, "script_model")
    entity.set_model("crate")
    entity.place((100.0, 50.0, 0.0), (0.0, 90.0, 0.0))
    use_program(entity, world.units_source.unit("u"))
    return world, host, entity


def machine(entity: MovingEntity) -> Any:
    assert entity.unit is not None
    return entity.unit.machine


def test_thirty_ticks_a_second_out_of_twenty_frames() -> None:
    world, _, entity = placed("Create() { while (TRUE) { ++s; sleep 1; } }")
    counts = []
    for _ in range(20):
        world.frame()
        counts.append(machine(entity).statics[0])
    assert counts[:4] == [2, 4, 5, 7]
    assert counts[-1] == 31


def test_create_runs_at_once_and_a_returned_value_is_notified() -> None:
    world, host, entity = placed("Create() { s = 7; } F(x) { sleep 60; return x * 2; } G() { return; }")
    assert machine(entity).statics[0] == 7
    assert entity.unit is not None
    assert entity.unit.start("F", [21])
    assert entity.unit.start("G")
    assert not entity.unit.start("Missing")
    for _ in range(4):
        world.frame()
    assert (entity, "F", 42) in host.notified
    assert (entity, "G", 0) in host.notified


def test_pieces_move_and_turn_the_bones_of_the_view() -> None:
    world, _, entity = placed("Create() { turn root to y-axis <90> now; move tag_top to z-axis [5] now; }")
    view = world.frame()
    batch, row = view.entities[entity.number].pose or (0, 0)
    local = view.poses[batch].local[row]
    assert local[:4, 0].tolist() == pytest.approx([0, 0, math.sqrt(0.5), math.sqrt(0.5)], abs=1e-6)
    assert local[4:7, 1].tolist() == pytest.approx([5, 0, local[6, 1]])
    place = world.animator.tag_frame(entity, "tag_top")
    assert place is not None
    # The unit faces north and the root is turned left from there: ahead of what hangs on it is west.
    assert place[0][:2] == pytest.approx((95.0, 50.0), abs=1e-4)


@pytest.mark.parametrize(
    ("axis", "point", "goal"),
    [
        ("x", (1, 0, 0), (0, 0, -1)), ("x", (0, 0, 1), (1, 0, 0)),
        ("y", (1, 0, 0), (0, 1, 0)), ("z", (0, 1, 0), (0, 0, 1)),
    ],
)  # fmt: skip
def test_axes_turn_as_documented(axis: str, point: Any, goal: Any) -> None:
    """A positive turn about x lowers the nose, about y goes to the left, about z lifts the left side."""
    _, _, entity = placed(f"Create() {{ turn root to {axis}-axis <90> now; }}")
    assert entity.unit is not None
    m = entity.unit.matrices()[0][:, :3]
    assert (m @ np.array(point, float)).tolist() == pytest.approx(list(goal), abs=1e-6)


def test_the_turns_of_a_piece_are_made_about_z_then_x_then_y() -> None:
    _, _, entity = placed("Create() { turn root to x-axis <90> now; turn root to y-axis <90> now; }")
    assert entity.unit is not None
    m = entity.unit.matrices()[0][:, :3]
    assert (m @ np.array([1.0, 0, 0])).tolist() == pytest.approx([0, 0, -1], abs=1e-6)
    assert (m @ np.array([0.0, 1, 0])).tolist() == pytest.approx([-1, 0, 0], abs=1e-6)


def test_a_hidden_piece_leaves_what_hangs_on_it_in_sight() -> None:
    rest = np.zeros((8, 3), np.float32)
    rest[3] = rest[7] = 1.0
    rest[4, 1:] = 10.0
    inverse = np.tile(np.eye(3, 4, dtype=np.float32), (3, 1, 1))
    skeleton = Skeleton(("a", "b", "c"), np.array([-1, 0, 1], np.int32), rest, inverse)
    pieces = [(Piece(name), bone) for bone, name in enumerate("abc")]
    for flags, sizes in (
        ((7, 7, 7), (1, 1, 1)),
        ((6, 7, 7), (0, 1, 1)),
        ((7, 6, 7), (1, 0, 1)),
        ((6, 6, 7), (0, 0, 1)),
    ):
        for (piece, _), flag in zip(pieces, flags, strict=True):
            piece.flags = flag
        matrices = model_matrices(pose_of(skeleton, pieces)[None], skeleton)[0]
        found = [float(np.linalg.norm(m[:, 0])) for m in matrices]
        assert found == pytest.approx(sizes, abs=2e-3)
        assert matrices[2][:, 3].tolist() == pytest.approx([20, 0, 0], abs=1e-3)


def test_effects_explosions_and_flying_pieces() -> None:
    world, _, entity = placed(
        "F() { emit-sfx 256 from tag_top; emit-sfx 99 from root; "
        "explode root type 32 | 256; explode tag_top type 4 | 8; }"
    )
    assert entity.unit is not None
    entity.unit.start("F")
    view = world.frame()
    assert [event.effect for event in view.effects] == ["muzzle", "explosion", "explosion"]
    assert not machine(entity).pieces[1].flags & DRAWN
    (debris,) = entity.unit.debris
    begin = world.animator.tag_frame(entity, "tag_top")
    for _ in range(8):
        world.frame()
    flown = world.animator.tag_frame(entity, "tag_top")
    assert begin is not None
    assert flown is not None
    assert distance(begin[0], flown[0]) > 5.0
    for _ in range(250):
        world.frame()
    assert not debris.alive
    assert entity.unit.debris == []


def test_ports_say_how_things_are() -> None:
    text = """
    F() { s = get 4; t = get 7(tag_top); }
    G() { s = get 16(get 9(ME)); t = get 12(get 9(ME)); }
    H() { s = get 8(root); t = get 11(ME); }
    """
    world, _, entity = placed(text.replace("ME", "65"))
    assert entity.number == 64
    entity.set_health(80)
    entity.hit_points = 20
    assert entity.unit is not None
    for script, expected in (
        ("F", [25, pack((100.0, 50.0, 0.0))]),
        ("G", [0, round(math.atan2(50, 100) * 65536 / math.tau) - 16384 & 0xFFFF]),
        ("H", [0, int((entity.maxs[2] - entity.mins[2]) * 65536)]),
    ):
        entity.unit.start(script)
        world.frame()
        assert machine(entity).statics == expected, script


@pytest.mark.parametrize(
    "place", [(10.0, 20.0, 0.0), (-10.5, 20.0, 0.0), (10.0, -20.0, 0.0), (-300.25, -7.0, 0.0)]
)
def test_packed_places_keep_whole_inches(place: Any) -> None:
    left, ahead = unpack(pack(place))
    assert abs(left / 65536 - place[1]) <= 1.0
    assert abs(ahead / 65536 - place[0]) <= 1.0


def test_switching_on_and_off_calls_the_script() -> None:
    world, _, entity = placed("Activate() { s = s + 1; } Deactivate() { t = t + 1; }")
    assert entity.unit is not None
    for value in (1, 1, 0, 0, 1):
        entity.unit.host.write_port(1, value)
        entity.unit.host.settle()
        world.frame()
    assert machine(entity).statics == [2, 1]
    assert machine(entity).get_port(1, (0, 0, 0, 0)) == 1


def test_what_is_attached_follows_the_piece() -> None:
    world, _, entity = placed("F(who) { attach-unit who to tag_top; } G(who) { drop-unit who; }")
    cargo = world.entities.add(MovingEntity, "script_model")
    assert entity.unit is not None
    entity.unit.start("F", [cargo.number + 1])
    world.frame()
    assert cargo.link is not None
    assert (cargo.link.parent, cargo.link.tag) == (entity, "tag_top")
    entity.unit.start("G", [cargo.number + 1])
    world.frame()
    assert cargo.link is None


def test_faults_are_told_with_their_script() -> None:
    world, _, entity = placed("F() { s = 1 / s; }")
    assert entity.unit is not None
    entity.unit.start("F")
    world.frame()
    assert isinstance(world.units_source, Programs)
    assert world.units_source.faults == [("u", "F", "DIVIDE")]


def test_pieces_that_the_model_lacks_are_told_and_harmless() -> None:
    world, _, entity = placed("Create() { sleep 1; }")
    text = "piece root, ghost, tag_top; Create() { hide ghost; turn ghost to y-axis 9 now; hide tag_top; }"
    unit = compile_bos(SourceText("g.bos", text), safe_end=True)
    use_program(entity, UnitProgram.of("g", unit.cob, unit.statics))
    assert isinstance(world.units_source, Programs)
    assert world.units_source.lacks == ["ghost"]
    world.frame()
    assert [piece.flags & DRAWN for piece in machine(entity).pieces] == [1, 0, 0]


OLD = "Walk() { while (TRUE) { ++s; sleep 60; } } Aim(h) { sleep 900; t = h; return 1; }"


def test_a_new_version_keeps_what_is_the_same_and_begins_what_changed() -> None:
    world, host, entity = placed(OLD)
    assert entity.unit is not None
    entity.unit.start("Walk")
    entity.unit.start("Aim", [33])
    for _ in range(6):
        world.frame()
    steps = machine(entity).statics[0]
    assert steps >= 3
    fresh = program("Extra() { hide root; } " + OLD.replace("++s", "s = s + 100"))
    entity.unit.replace(fresh)
    world.frame()
    assert machine(entity).statics[0] >= steps + 100
    for _ in range(20):
        world.frame()
    assert machine(entity).statics[1] == 33
    assert (entity, "Aim", 1) in host.notified
    assert sum(1 for entry in host.notified if entry[1] == "Aim") == 1


def test_statics_go_on_by_name_and_called_scripts_with_their_caller() -> None:
    world, _, entity = placed(
        "F() { s = 5; t = 6; call-script C(); s = s + 1; } C() { sleep 200; t = t + 1; }"
    )
    assert entity.unit is not None
    entity.unit.start("F")
    world.frame()
    text = "F() { s = s + 10; call-script C(); s = s + 1; } C() { sleep 200; t = t + 1; }"
    unit = compile_bos(
        SourceText("u.bos", "piece root, tag_top; static-var extra, t, s;\n" + text), safe_end=True
    )
    entity.unit.replace(UnitProgram.of("u", unit.cob, unit.statics))
    for _ in range(12):
        world.frame()
    # F begins again, and with it C; the C that was under way is not counted twice.
    assert machine(entity).statics == [0, 7, 16]


def test_a_thread_whose_script_is_gone_ends() -> None:
    world, _, entity = placed("F() { call-script C(); s = 1; } C() { sleep 9000; }")
    assert entity.unit is not None
    entity.unit.start("F")
    world.frame()
    entity.unit.replace(program("G() { s = 2; }"))
    world.frame()
    assert all(slot.state == 0 for slot in machine(entity).slots)


def test_a_saved_unit_goes_on_alike_and_answers() -> None:
    world, host, entity = placed(
        "F(x) { turn root to y-axis <180> speed <60>; wait-for-turn root around y-axis; return x; }"
    )
    assert entity.unit is not None
    entity.unit.start("F", [9])
    for _ in range(10):
        world.frame()
    out, aside = Out(), Out()
    write_unit(out, aside, entity.unit)
    first = read_unit(In(bytes(out.data)), In(bytes(aside.data)), entity)
    entity.unit = first
    for _ in range(60):
        world.frame()
    assert [entry for entry in host.notified if entry[1] == "F"] == [(entity, "F", 9)]
    again = Out()
    write_unit(again, Out(), read_unit(In(bytes(out.data)), In(bytes(aside.data)), entity))
    assert again.data == out.data


def test_a_save_of_another_program_is_refused() -> None:
    _, _, entity = placed("F() { s = 1; }")
    assert entity.unit is not None
    out, aside = Out(), Out()
    write_unit(out, aside, entity.unit)
    entity.world.units_source = Programs(program("F() { s = 2; }"))
    with pytest.raises(Damaged, match="another program"):
        read_unit(In(bytes(out.data)), In(bytes(aside.data)), entity)
    entity.world.units_source = Programs()
    with pytest.raises(Damaged, match="needs the unit script"):
        read_unit(In(bytes(out.data)), In(bytes(aside.data)), entity)

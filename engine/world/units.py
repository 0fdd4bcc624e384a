"""Entities that unit scripts (COB) move: each has a machine whose pieces are the bones of its model.

The machine ticks 30 times a second of game time, one or two times a server frame. Its axes are those of the model
files: x to the left, y up, z forward, 65536 of its units an inch and 65536 of its angles a turn.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Protocol

import numpy as np

from engine.anim.pose import model_matrices
from engine.anim.skeleton import Float32, Skeleton
from engine.cob.machine import Machine
from engine.cob.pieces import DRAWN, TICKS_PER_SECOND, Piece
from engine.cob.random import RandomStream
from engine.cob.threads import Event, State
from engine.cob.unit import UnitProgram, carry_over
from engine.world.angles import matrix
from engine.world.debris import Debris
from engine.world.movers import link_to
from engine.world.unit_host import UnitHost
from engine.world.view import EffectEvent, PoseBatch, SoundEvent

if TYPE_CHECKING:
    from engine.world.entity import Entity
    from engine.world.world import World

UNITS_PER_INCH = 65536.0
TURN = 65536.0

_HIDDEN = 1.0 / 1024.0
"""Scale of a piece that is not drawn. Not 0, so that what hangs on it can be drawn in its full size."""

SFX = {
    0: "dust_vtol", 1: "fire_thrust", 2: "dust_wake", 3: "dust_wake", 4: "dust_wake", 5: "dust_wake",
    256: "muzzle", 257: "smoke_white", 258: "smoke_black", 259: "dust_bubbles",
}  # fmt: skip
"""Effects for the kinds of emit-sfx. Other kinds show nothing."""

EXPLOSION, ONLY_BITMAP, ON_HIT, SMOKE, FIRE = "explosion", 32, 2, 8, 16
_BITMAPS = 0x3F00


class UnitSource(Protocol):
    """Where programs of units come from."""

    def unit(self, name: str) -> UnitProgram | None:
        """The program of a name, None when there is none that compiles."""

    def unit_names(self) -> Sequence[str]:
        """Every name, for hints."""

    def unit_fault(self, program: str, script: str, code: str, at: int) -> None:
        """A thread of a unit ended with a fault of the instruction at a code word."""

    def unit_lacks(self, program: str, model: str, piece: str, known: Sequence[str]) -> None:
        """A model lacks a piece of a program; `known` are the nodes that it has. Commands to the piece do nothing."""


class NoUnits:
    """A world without unit scripts."""

    def unit(self, name: str) -> UnitProgram | None:
        return None

    def unit_names(self) -> Sequence[str]:
        return ()

    def unit_fault(self, program: str, script: str, code: str, at: int) -> None:
        """There is no program that could fault."""

    def unit_lacks(self, program: str, model: str, piece: str, known: Sequence[str]) -> None:
        """There is no program that could miss anything."""


class Unit:
    """The machine of one entity and what its pieces do to the entity's model."""

    def __init__(self, entity: Entity, program: UnitProgram) -> None:
        self.entity = entity
        self.program = program
        self.host = UnitHost(entity, self)
        self.machine = Machine(
            program.cob,
            host=self.host,
            random=RandomStream(entity.world.random.getrandbits(31)),
            translation=program.translation,
        )
        self.ticks = _ticks_at(entity.world.time)
        self.debris: list[Debris] = []
        self._matrices: Float32 | None = None
        self._local: Float32 | None = None
        self._bound: tuple[Skeleton, list[tuple[Piece, int]]] | None = None

    # ---- scripts --------------------------------------------------------------------------------------

    def start(self, script: str, args: Sequence[int] = ()) -> bool:
        """Start a script; its returned value is notified to the entity under the script's name."""
        index = self.machine.program.script_index(script)
        if index is None:
            return False
        return self.machine.start(index, args, self.receiver(script))

    def receiver(self, script: str) -> Callable[[int], None]:
        """What hears the value that a script returns."""
        entity = self.entity

        def done(value: int) -> None:
            if not entity.freed:
                entity.world.host.notify(entity, script, value)

        return done

    def running(self) -> list[str]:
        """The scripts whose threads live, by slot."""
        scripts = self.machine.program.scripts
        return [scripts[slot.script].name for slot in self.machine.slots if slot.state is not State.IDLE]

    def replace(self, program: UnitProgram) -> None:
        """Go on with another version of the program."""
        self.machine = carry_over(self.machine, self.program, program)
        self.program = program
        self._bound = None
        self._local = None

    # ---- time -----------------------------------------------------------------------------------------

    def advance(self) -> None:
        """All ticks up to the world's time."""
        due = _ticks_at(self.entity.world.time)
        while self.ticks < due:
            self.ticks += 1
            self.machine.tick()
            self.host.settle()
            self.show_events()
            for debris in self.debris:
                debris.tick()
            self.debris = [debris for debris in self.debris if debris.alive]
            self._local = None

    def show_events(self) -> None:
        """Turn what happened in the machine into what the client shows and hears."""
        events, self.machine.events = self.machine.events, []
        for event in events:
            self._show(event)
        for piece, draws in self.machine.flights:
            self._fly(piece, draws)
        self.machine.flights.clear()

    def _show(self, event: Event) -> None:
        world, entity = self.entity.world, self.entity
        if "fault" in event:
            world.units_source.unit_fault(self.program.name, event["script"], event["fault"], event["at"])
        elif "sfx" in event:
            effect = SFX.get(event["sfx"])
            if effect is not None:
                self._effect(effect, event["piece"])
        elif "explode" in event:
            if event["explode"] & (_BITMAPS | SMOKE | FIRE | ON_HIT):
                self._effect(EXPLOSION, event["piece"])
        elif "play-sound" in event:
            world.events.sounds.append(
                SoundEvent(event["play-sound"][0].lower(), entity.position, entity.number)
            )
        elif "attach" in event:
            cargo = world.entities.get(event["attach"][0] - 1)
            piece = event["attach"][1]
            if cargo is not None and cargo is not entity:
                names = self.machine.program.pieces
                link_to(cargo, entity, names[piece].lower() if 0 <= piece < len(names) else "", None, None)
        elif "drop" in event:
            cargo = world.entities.get(event["drop"] - 1)
            if cargo is not None and cargo.link is not None and cargo.link.parent is entity:
                cargo.link = None

    def _effect(self, effect: str, piece: str) -> None:
        frame = self.entity.world.animator.tag_frame(self.entity, piece.lower())
        if frame is None:
            frame = self.entity.position, matrix(self.entity.rotation)
        place, axes = frame
        way = axes[0][0], axes[1][0], axes[2][0]
        self.entity.world.events.effect(EffectEvent(effect, place, way))

    def _fly(self, piece: int, draws: list[int]) -> None:
        """A piece that was blown off goes on as debris of its own."""
        found = self.machine.pieces[piece]
        frame = self.entity.world.animator.tag_frame(self.entity, found.name.lower())
        if frame is not None:
            self.debris.append(Debris(found.name.lower(), self.entity, frame[0], draws))

    # ---- places ---------------------------------------------------------------------------------------

    def bones(self, skeleton: Skeleton) -> list[tuple[Piece, int]]:
        """The pieces that the model has, with their bones."""
        if self._bound is None or self._bound[0] is not skeleton:
            pairs = [(piece, skeleton.index.get(piece.name.lower(), -1)) for piece in self.machine.pieces]
            self._bound = skeleton, [pair for pair in pairs if pair[1] >= 0]
        return self._bound[1]

    def skeleton(self) -> Skeleton:
        return self.entity.world.models.model(self.entity.model_name).skeleton

    def local(self) -> Float32:
        """(8, B): the model's rest pose with what the script did to its pieces."""
        skeleton = self.skeleton()
        if self._local is None or self._local.shape[1] != len(skeleton):
            self._local = pose_of(skeleton, self.bones(skeleton), self.debris)
            self._matrices = None
        return self._local

    def matrices(self) -> Float32:
        """(B, 3, 4): where the bones are in the model."""
        local = self.local()
        if self._matrices is None:
            self._matrices = model_matrices(local[None], self.skeleton())[0]
        return self._matrices


def _ticks_at(milliseconds: int) -> int:
    return milliseconds * TICKS_PER_SECOND // 1000


def pose_of(skeleton: Skeleton, bones: Sequence[tuple[Piece, int]], debris: Sequence[Debris] = ()) -> Float32:
    """(8, B) local pose: each piece moved and turned in its own axes from where it rests.

    A turn is made about z first, then x, then y. A piece that is hidden takes nothing with it that hangs on it.
    """
    local: Float32 = skeleton.rest.copy()
    shrunk = [False] * len(skeleton)
    flying = {part.bone: part for part in debris}
    for piece, bone in bones:
        x, y, z = piece.axes
        if x.position or y.position or z.position:
            # The model's axes: x forward, y left, z up.
            local[4, bone] += z.position / UNITS_PER_INCH
            local[5, bone] += x.position / UNITS_PER_INCH
            local[6, bone] += y.position / UNITS_PER_INCH
        if x.angle or y.angle or z.angle:
            local[:4, bone] = _product(local[:4, bone].tolist(), _turned(x.angle, y.angle, z.angle))
        shrunk[bone] = not piece.flags & DRAWN
    for bone, parent in enumerate(skeleton.parents):
        above = parent >= 0 and shrunk[parent]
        if above:
            local[4:7, bone] /= _HIDDEN
        if shrunk[bone] != above:
            local[7, bone] *= _HIDDEN if shrunk[bone] else 1.0 / _HIDDEN
    return local if not flying else _thrown(local, skeleton, flying)


def _thrown(local: Float32, skeleton: Skeleton, flying: dict[str, Debris]) -> Float32:
    """Bones whose pieces fly: shown where they are, in the model's own frame."""
    matrices = model_matrices(local[None], skeleton)[0]
    for name, debris in flying.items():
        bone = skeleton.index.get(name)
        if bone is None:
            continue
        place, turn = debris.in_model()
        parent = int(skeleton.parents[bone])
        if parent >= 0:
            m = matrices[parent]
            scale = float(np.linalg.norm(m[:, 0]))
            axes = m[:, :3] / scale
            place = tuple((axes.T @ (np.asarray(place) - m[:, 3]) / scale).tolist())
            local[7, bone] = 1.0 / scale
        else:
            local[7, bone] = 1.0
        local[4:7, bone] = place
        local[:4, bone] = turn
    return local


def _turned(x: int, y: int, z: int) -> tuple[float, float, float, float]:
    """Quaternion of z, then x, then y, in the model's axes (left is y, up is z, forward is x)."""
    half = math.pi / TURN
    about_left = (0.0, math.sin(x * half), 0.0, math.cos(x * half))
    about_up = (0.0, 0.0, math.sin(y * half), math.cos(y * half))
    about_forward = (math.sin(z * half), 0.0, 0.0, math.cos(z * half))
    return _product(_product(about_up, about_left), about_forward)


def _product(a: Sequence[float], b: Sequence[float]) -> tuple[float, float, float, float]:
    ax, ay, az, aw = a
    bx, by, bz, bw = b
    return (
        aw * bx + ax * bw + ay * bz - az * by,
        aw * by - ax * bz + ay * bw + az * bx,
        aw * bz + ax * by - ay * bx + az * bw,
        aw * bw - ax * bx - ay * by - az * bz,
    )


def run_units(world: World) -> None:
    """Let the machines of all units go on to the world's time."""
    for entity in world.entities.all():
        if entity.unit is not None and not entity.freed:
            entity.unit.advance()


def add_unit_poses(world: World, poses: list[PoseBatch], places: dict[int, tuple[int, int]]) -> None:
    """Put the poses of units into the view: one batch for each skeleton."""
    by_skeleton: dict[int, tuple[Skeleton, list[Float32], list[int]]] = {}
    for entity in world.entities.all():
        unit = entity.unit
        if unit is None or entity.freed or not entity.model_name:
            continue
        skeleton = unit.skeleton()
        _, rows, numbers = by_skeleton.setdefault(id(skeleton), (skeleton, [], []))
        rows.append(unit.local())
        numbers.append(entity.number)
    for skeleton, rows, numbers in by_skeleton.values():
        for row, number in enumerate(numbers):
            places[number] = (len(poses), row)
        poses.append(PoseBatch(skeleton, np.stack(rows)))


def use_program(entity: Entity, program: UnitProgram) -> Unit:
    """Give an entity a machine; its Create runs at once."""
    entity.world.animator.drop(entity)
    unit = entity.unit = Unit(entity, program)
    names = unit.skeleton().names
    for piece in program.cob.pieces:
        if piece.lower() not in names:
            entity.world.units_source.unit_lacks(program.name, entity.model_name, piece, names)
    create = program.cob.script_index("Create")
    if create is not None:
        unit.machine.wake(create)
        unit.host.settle()
        unit.show_events()
    return unit

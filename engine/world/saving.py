"""The world's part of a saved state: entities, path nodes, animations, HUD, timers and chance.

What a level file says is not saved: a state is read into a world of the same level. Collision follows from the
entities; only the order in which they were put there is state, since a tie between two goes to the first.
"""

from __future__ import annotations

import struct
from collections.abc import Callable, Iterable
from random import Random
from typing import Any

import numpy as np

from engine.anim.errors import AnimationError
from engine.anim.sampler import bind
from engine.anim.saved import ARRAYS, SavedInstances, load_instances, save_instances, tree_digest
from engine.vm.heap import HeapIn, HeapOut, ObjectKind
from engine.vm.objects import ScriptObject, ScriptStruct
from engine.vm.packing import damaged
from engine.vm.records import (
    STRING,
    VALUE,
    many,
    number,
    optional,
    read_attributes,
    real,
    sorted_set,
    table,
    whole,
    write_attributes,
)
from engine.world.animator import Batch, Pose
from engine.world.entities import MAX_ENTITIES, MAX_PLAYERS
from engine.world.entity import Entity
from engine.world.events import FrameEvents
from engine.world.hud import HudState
from engine.world.paths import PathNode
from engine.world.player import Player
from engine.world.schema import ENTITY, HUD_ELEMENT, entity_schemas, world_schema
from engine.world.unit_saving import read_unit, write_unit
from engine.world.world import World

_RANDOM = struct.Struct("<625I")
_NUMBERS = table(whole(MAX_ENTITIES - 1), whole(1 << 40), MAX_ENTITIES)
_ORDER = many(whole(MAX_ENTITIES - 1), MAX_ENTITIES)
_NODE_VALUES = table(STRING, VALUE)
_POSE_PARTS = {
    "flagged": table(STRING, STRING),
    "scripted": optional(STRING),
    "ended": table(STRING, number()),
    "bent": sorted_set(whole(1 << 16)),
}
_FARTHEST = 1e6


class WorldState:
    """A `StateHost` over a world. `more` are kinds of objects that the world does not know, such as the scripts' side
    of HUD elements; they find the HUD that is being read in `hud`."""

    def __init__(self, world: World, more: Iterable[Callable[[WorldState], ObjectKind]] = ()) -> None:
        self.world = world
        self.hud: dict[int, HudState] = {}
        self.batches: list[Batch] = []
        """Those that are being written or read."""
        self.claimed: set[tuple[int, int]] = set()
        schemas = entity_schemas(world)
        self.kinds: list[ObjectKind] = [
            *(_EntityKind(self, kind) for kind in schemas),
            _NodeKind(self),
            *(make(self) for make in more),
        ]
        self.schemas = schemas
        self._schema = world_schema()

    # ---- writing ---------------------------------------------------------------------------------------

    def write(self, out: HeapOut) -> None:
        world = self.world
        self.batches = world.animator.batch_list()
        out.whole(len(self.batches))
        for batch in self.batches:
            _write_batch(out, batch)
        write_attributes(self._schema, out, world)
        _, words, gauss = world.random.getstate()
        out.blob(_RANDOM.pack(*words))
        optional(real()).write(out, gauss)
        out.whole(len(world.hud.elements))
        for element in world.hud.elements.values():
            HUD_ELEMENT.write(out, element)
        out.whole(len(world.entities))
        for entity in world.entities.all():
            out.object(entity)
        _NUMBERS.write(out, world.entities.serials)
        _NUMBERS.write(out, world.entities.leaving_times)
        _ORDER.write(out, world.space.body_numbers())
        _ORDER.write(out, world.trigger_space.body_numbers())
        out.whole(len(world.structs))
        for struct_ in world.structs:
            out.object(struct_)
        for node in world.paths.nodes:
            out.object(node)
        lives = world.lives.packed()
        out.whole(len(lives))
        for target, packed in lives:
            out.object(target)
            out.text(packed)
        out.whole(len(world.paths.closed))
        for entity_number, links in world.paths.closed.items():
            out.whole(entity_number)
            out.whole(len(links))
            for a, b in sorted(links):
                out.whole(a)
                out.whole(b)

    # ---- reading ---------------------------------------------------------------------------------------

    def read(self, inp: HeapIn) -> Callable[[], Callable[[], None]]:
        world = self.world
        self.claimed = set()
        self.batches = []
        for _ in range(inp.count()):
            self.batches.append(self._read_batch(inp))
        attributes = read_attributes(self._schema, inp)
        random = _read_random(inp)
        self.hud = {}
        for _ in range(inp.count()):
            element = HUD_ELEMENT.read(inp)
            if element.number in self.hud:
                damaged("a HUD element is there twice")
            self.hud[element.number] = element
        entities = [self._entity(inp) for _ in range(inp.whole(MAX_ENTITIES))]
        slots = {entity.number: entity for entity in entities}
        if list(slots) != sorted(slots) or len(slots) != len(entities):
            damaged("entities are not in order")
        serials, leaving = _NUMBERS.read(inp), _NUMBERS.read(inp)
        bodies, triggers = _ORDER.read(inp), _ORDER.read(inp)
        structs = [_struct(inp) for _ in range(inp.count())]
        for node in world.paths.nodes:
            if inp.object() is not node:
                damaged("it has other path nodes than the level")
        lives = [self._read_life(inp) for _ in range(inp.count(2))]
        closed = self._read_closed(inp)
        hud = self.hud

        def finish() -> Callable[[], None]:
            known = sum(isinstance(object, Entity) for object in inp.objects)
            if known != len(slots) or not set(leaving) <= set(slots):
                damaged("it has an entity without a number")
            for order in (bodies, triggers):
                if len(set(order)) != len(order) or not set(order) <= set(slots):
                    damaged("something that is no entity is in the way of others")
            for batch_number, batch in enumerate(self.batches):
                if any((batch_number, row) not in self.claimed for row in batch.entities):
                    damaged("an entity does not know its animations")
            for entity in entities:
                _check_entity(entity)
            return commit

        def commit() -> None:
            for name, value in attributes.items():
                setattr(world, name, value)
            # Others hold on to the world's source of chance, so it stays the same one.
            world.random.setstate(random.getstate())
            world.hud.put_back(hud)
            world.structs = structs
            world.lives.clear()
            for put in lives:
                put()
            world.paths.closed = closed
            world.events = FrameEvents()
            world.animator.replace(self.batches)
            world.entities.replace(slots, serials, leaving)
            for entity in entities:
                entity.teleported = True
            for space, order in ((world.space, bodies), (world.trigger_space, triggers)):
                space.clear_bodies()
                for entity_number in order:
                    slots[entity_number].relink()

        return finish

    def _entity(self, inp: HeapIn) -> Entity:
        found: Entity = ENTITY.read(inp)
        if not isinstance(found, Entity):
            damaged("an entity of the level has ended")
        return found

    def _read_life(self, inp: HeapIn) -> Callable[[], None]:
        target = inp.object()
        if not isinstance(target, ScriptObject):
            damaged("a line script runs on nothing")
        try:
            return self.world.lives.unpack(target, inp.text())
        except ValueError as error:
            damaged(f"a line script cannot go on: {error}")

    def _read_closed(self, inp: HeapIn) -> dict[int, set[tuple[int, int]]]:
        last = len(self.world.paths.nodes) - 1
        closed: dict[int, set[tuple[int, int]]] = {}
        for _ in range(inp.count(2)):
            entity_number = inp.whole(MAX_ENTITIES - 1)
            closed[entity_number] = {(inp.whole(last), inp.whole(last)) for _ in range(inp.count(2))}
        return closed

    def _read_batch(self, inp: HeapIn) -> Batch:
        world = self.world
        tree_name, model = inp.string(), inp.string()
        tree = world.animator.trees.get(tree_name)
        if tree is None or inp.blob(8) != tree_digest(tree):
            damaged(f"it needs the animation tree '{tree_name[:40]}' as it was")
        if not world.models.has_model(model):
            damaged(f"it needs the model '{model[:40]}'")
        skeleton = world.models.model(model).skeleton
        rows = inp.whole(1 << 16)
        if rows * len(tree) > len(inp.data):
            damaged("animation state of the wrong size")
        alive = _array(inp, np.dtype(np.uint8), (rows,)) != 0
        free = tuple(inp.whole(rows) for _ in range(inp.whole(rows)))
        arrays = {name: _array(inp, kind, (len(tree), rows)) for name, kind in ARRAYS}
        notify = tuple((inp.whole(rows), inp.whole(len(tree)), inp.string()) for _ in range(inp.count(3)))
        turns = tuple(
            (inp.whole(rows), inp.whole(1 << 16), (*inp.reals(), inp.real())) for _ in range(inp.count(34))
        )
        parameters = tuple(
            (inp.whole(rows), inp.string(), *inp.reals()) for _ in range(inp.count(26) if tree.blends else 0)
        )
        saved = SavedInstances(rows, alive, free, arrays, notify, turns, parameters)
        binding = world.animator.binding(tree, skeleton) or bind(tree, skeleton)
        try:
            batch = Batch(tree, skeleton, load_instances(tree, binding, saved, world.animator.infos), model)
        except AnimationError as error:
            damaged(str(error))
        if inp.flag():
            shape = (inp.whole(1 << 16), 8, len(skeleton))
            batch.local = _array(inp, np.dtype("<f4"), shape)
            if not bool((np.abs(batch.local) <= _FARTHEST).all()):
                damaged("an impossible pose")
        for _ in range(inp.count(2)):
            row = inp.whole(max(0, rows - 1))
            if row in batch.entities or row >= rows or not alive[row]:
                damaged("two entities have the same animations")
            batch.entities[row] = ENTITY.read(inp)
        return batch


class _EntityKind:
    """Entities of one class."""

    def __init__(self, state: WorldState, kind: type[Entity]) -> None:
        self.name = kind.__name__.lower()
        self.type: type[ScriptObject] = kind
        self._kind = kind
        self._state = state

    def write_shell(self, out: HeapOut, entity: Entity) -> None:
        out.whole(entity.number)
        out.whole(entity.serial)
        out.text(entity.class_name)

    def read_shell(self, inp: HeapIn) -> Entity:
        low, high = (0, MAX_PLAYERS - 1) if self._kind is Player else (MAX_PLAYERS, MAX_ENTITIES - 1)
        entity_number = inp.whole(high)
        if entity_number < low:
            damaged("an entity has the number of a player")
        return self._kind(self._state.world, entity_number, inp.whole(1 << 40), inp.string())

    def write(self, out: HeapOut, entity: Entity) -> None:
        write_attributes(self._state.schemas[self._kind], out, entity)
        block = self._state.world.level.blocks[entity.block] if entity.block is not None else None
        own = block is not None and entity.brushes is block.brushes
        out.whole(0 if not entity.brushes else 1 if own else 2)
        pose = entity.pose
        out.flag(pose is not None)
        if pose is not None:
            batch = next(n for n, b in enumerate(self._state.batches) if b is pose.batch)
            out.whole(batch)
            out.whole(pose.row)
            out.flag(pose.ending)
            write_attributes(_POSE_PARTS, out, pose)
        out.flag(entity.unit is not None)
        if entity.unit is not None:
            write_unit(out, out.aside, entity.unit)

    def read(self, inp: HeapIn, entity: Entity) -> None:
        world = self._state.world
        entity.held.update(read_attributes(self._state.schemas[self._kind], inp))
        if entity.block is not None and entity.block >= len(world.level.blocks):
            damaged("an entity belongs to no block of the level")
        whose = inp.whole(2)
        if whose == 1:
            if entity.block is None:
                damaged("an entity has brushes of no block of the level")
            entity.brushes = world.level.blocks[entity.block].brushes
        elif whose == 2:
            entity.brushes = world.model_solids(entity.model_name)
        if inp.flag():
            entity.pose = self._pose(inp, entity)
        if inp.flag():
            entity.unit = read_unit(inp, inp.aside, entity)

    def _pose(self, inp: HeapIn, entity: Entity) -> Pose:
        batch_number = inp.whole(len(self._state.batches) - 1)
        batch = self._state.batches[batch_number]
        row = inp.whole()
        if batch.entities.get(row) is not entity:
            damaged("an entity has the animations of another")
        self._state.claimed.add((batch_number, row))
        ending = inp.flag()
        boxes = self._state.world.animator.boxes_of(entity.model_name)
        return Pose(batch, row, boxes, ending=ending, **read_attributes(_POSE_PARTS, inp))


class _NodeKind:
    """Path nodes, which the level has anyway."""

    def __init__(self, state: WorldState) -> None:
        self.name = "pathnode"
        self.type: type[ScriptObject] = PathNode
        self._state = state

    def write_shell(self, out: HeapOut, node: PathNode) -> None:
        out.whole(node.index)

    def read_shell(self, inp: HeapIn) -> PathNode:
        nodes = self._state.world.paths.nodes
        index = inp.whole()
        if index >= len(nodes):
            damaged("it has more path nodes than the level")
        return nodes[index]

    def write(self, out: HeapOut, node: PathNode) -> None:
        _NODE_VALUES.write(out, node.values)

    def read(self, inp: HeapIn, node: PathNode) -> Callable[[], None]:
        values = _NODE_VALUES.read(inp)

        def commit() -> None:
            node.values = values

        return commit


# ---- parts -------------------------------------------------------------------------------------------------


def _write_batch(out: HeapOut, batch: Batch) -> None:
    saved = save_instances(batch.instances)
    out.text(batch.tree.name)
    out.text(batch.model)
    out.blob(tree_digest(batch.tree))
    out.whole(saved.rows)
    out.blob(saved.alive.astype(np.uint8).tobytes())
    out.whole(len(saved.free))
    for row in saved.free:
        out.whole(row)
    for name, _ in ARRAYS:
        out.blob(saved.arrays[name].tobytes())
    out.whole(len(saved.notify))
    for row, node, name in saved.notify:
        out.whole(row)
        out.whole(node)
        out.text(name)
    out.whole(len(saved.turns))
    for row, bone, (x, y, z, w) in saved.turns:
        out.whole(row)
        out.whole(bone)
        out.reals((x, y, z))
        out.real(w)
    if batch.tree.blends:
        out.whole(len(saved.parameters))
        for row, name, value, goal, remain in saved.parameters:
            out.whole(row)
            out.text(name)
            out.reals((value, goal, remain))
    out.flag(batch.local is not None)
    if batch.local is not None:
        out.whole(len(batch.local))
        out.blob(batch.local.astype("<f4").tobytes())
    out.whole(len(batch.entities))
    for row, entity in batch.entities.items():
        out.whole(row)
        out.object(entity)


def _array(inp: HeapIn, kind: np.dtype[Any], shape: tuple[int, ...]) -> Any:
    data = inp.blob()
    size = kind.itemsize
    for length in shape:
        size *= length
    if len(data) != size:
        damaged("a table of numbers has the wrong size")
    return np.frombuffer(data, kind).reshape(shape).astype(kind.newbyteorder("="))


def _read_random(inp: HeapIn) -> Random:
    words = _RANDOM.unpack(inp.blob(_RANDOM.size).ljust(_RANDOM.size, b"\xff"))
    if not 0 < words[-1] <= 624:
        damaged("an impossible state of chance")
    random = Random()
    random.setstate((3, words, optional(real()).read(inp)))
    return random


def _struct(inp: HeapIn) -> ScriptStruct:
    found = inp.object()
    if not isinstance(found, ScriptStruct):
        damaged("something that is no struct stands where one should")
    return found


def _follows_itself(entity: Entity) -> bool:
    seen: set[int] = set()
    at: Any = entity
    while isinstance(at, Entity):
        if id(at) in seen:
            return True
        seen.add(id(at))
        at = at.link.parent if at.link is not None else None
    return False


def _check_entity(entity: Entity) -> None:
    if _follows_itself(entity):
        damaged("an entity is linked to itself")
    if any(low > high for low, high in zip(entity.mins, entity.maxs, strict=True)):
        damaged("an entity has an impossible size")

"""The tables of what is saved are held against the objects of a running world: nothing can be forgotten silently."""

from __future__ import annotations

from dataclasses import dataclass

import pytest

from engine.gsc.mangle import FIELD_PREFIX
from engine.vm.records import FLAG, record
from engine.world.actor import Actor, Spawner
from engine.world.doors import Door
from engine.world.entity import Entity, MovingEntity
from engine.world.player import Player
from engine.world.saving import WorldState
from engine.world.schema import DERIVED, entity_schemas, world_schema
from engine.world.spawning import spawn_actor
from engine.world.triggers import Trigger
from engine.world.world import World
from tests.world.world_kit import block, brush, make_world

BOX = brush((-8, -8, 0), (8, 8, 32))

SAVED_APART = {"random", "hud", "entities", "space", "trigger_space", "animator", "structs", "paths", "lives"}
OF_THE_LEVEL = {
    "level", "host", "models", "weapons", "surfaces", "sound_seconds", "sound_asked", "trees_in_order",
    "units_source", "_solids", "_prop_solids", "complain", "_overrun",
}  # fmt: skip
OF_THE_FRAME = {"events", "_plans_left"}


def everybody() -> tuple[World, dict[type, Entity]]:
    world, _ = make_world(
        block("trigger_multiple", BOX, origin="100 0 0"),
        block("func_door", BOX, origin="200 0 0"),
        block("script_model", model="crate", origin="300 0 0"),
        block("actor_soldier", origin="400 0 0"),
        block("mp_deathmatch_spawn", origin="0 0 0"),
    )
    world.connect()
    spawner = next(e for e in world.entities.all() if isinstance(e, Spawner))
    assert spawn_actor(world, spawner, None) is not None
    return world, {type(e): e for e in world.entities.all()}


def test_every_attribute_of_an_entity_is_saved_or_known_to_be_derived() -> None:
    world, found = everybody()
    schemas = entity_schemas(world)
    assert set(found) == set(schemas) == {Entity, Trigger, Door, MovingEntity, Spawner, Actor, Player}
    for kind, entity in found.items():
        attributes = {name for name in vars(entity) if not name.startswith(FIELD_PREFIX)}
        assert attributes - DERIVED == set(schemas[kind]), kind.__name__


def test_every_attribute_of_the_world_is_saved_or_known_to_be_derived() -> None:
    world, _ = everybody()
    known = set(world_schema()) | SAVED_APART
    assert known <= set(vars(world))
    assert set(vars(world)) - known <= OF_THE_LEVEL | OF_THE_FRAME


def test_kinds_have_names_of_their_own() -> None:
    world, _ = everybody()
    names = [kind.name for kind in WorldState(world).kinds]
    assert len(set(names)) == len(names)


def test_a_record_without_one_of_its_fields_is_a_fault() -> None:
    @dataclass
    class Lamp:
        lit: bool
        broken: bool = False

    record(Lamp, lit=FLAG, broken=FLAG)
    with pytest.raises(TypeError, match="broken"):
        record(Lamp, lit=FLAG)

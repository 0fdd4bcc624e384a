"""From a map's blocks to entities: typed keys, faults with their place, structs, spawners, limits."""

from __future__ import annotations

from pathlib import Path

import pytest

from engine.source import Diagnostic, DiagnosticError, SourceText
from engine.source.toml import TomlFile
from engine.vm.errors import ScriptError
from engine.vm.objects import ScriptStruct
from engine.world.actor import Actor, Spawner
from engine.world.classes import CLASSES, class_of
from engine.world.entities import MAX_ENTITIES, MAX_PLAYERS
from engine.world.entity import MovingEntity
from engine.world.fgd import fgd_text
from engine.world.levels import load_level
from engine.world.spawning import spawn_actor, spawn_for_script
from engine.world.surfaces import SurfaceTable, surface_materials
from engine.world.triggers import Trigger
from engine.world.view import Viewpoint
from tests.world.world_kit import FLOOR, block, brush, make_level, make_world


def level_faults(*blocks: str) -> list[Diagnostic]:
    with pytest.raises(DiagnosticError) as caught:
        make_level(*blocks)
    return list(caught.value.diagnostics)


def test_keys_are_typed() -> None:
    world, _ = make_world(
        block(
            "script_model", origin="1 2 3", angles="0 90 0", model="crate", count="3", script_delay="1",
            script_noteworthy="7", mine="12", ratio="0.5", place="1 2 3", words="1 2", targetname="5",
        )
    )  # fmt: skip
    (entity,) = world.entities.all()
    assert isinstance(entity, MovingEntity)
    assert entity.get_field("origin") == (1.0, 2.0, 3.0)
    assert entity.get_field("angles") == (0.0, 90.0, 0.0)
    assert entity.get_field("model") == "crate"
    assert entity.get_field("count") == 3
    assert entity.get_field("script_noteworthy") == "7"
    assert entity.get_field("targetname") == "5"
    assert entity.get_field("mine") == 12
    assert entity.get_field("ratio") == 0.5
    assert entity.get_field("place") == (1.0, 2.0, 3.0)
    assert entity.get_field("words") == "1 2"
    delay = entity.get_field("script_delay")
    assert (delay, type(delay)) == (1.0, float)


def test_unset_fields_have_the_value_of_their_kind() -> None:
    world, _ = make_world(block("script_origin", origin="0 0 0"))
    (entity,) = world.entities.all()
    assert entity.get_field("target") is None
    assert entity.get_field("count") == 0
    assert entity.get_field("speed") == 0.0
    assert entity.get_field("_color") == (1.0, 1.0, 1.0)


def test_fields_that_share_storage() -> None:
    world, _ = make_world(block("script_origin", origin="0 0 0", speed="4"))
    (entity,) = world.entities.all()
    assert entity.get_field("time") == 4.0
    entity.set_field("shard", 9)
    assert entity.get_field("count") == 9


def test_fields_refuse_wrong_types_and_read_only_ones() -> None:
    world, _ = make_world(block("script_origin", origin="0 0 0"))
    (entity,) = world.entities.all()
    with pytest.raises(ScriptError, match="origin"):
        entity.set_field("origin", 5)
    with pytest.raises(ScriptError, match="read-only"):
        entity.set_field("classname", "x")
    entity.set_field("speed", 3)
    assert entity.get_field("speed") == 3.0


def test_structs_are_plain_objects_and_found_by_key() -> None:
    world, _ = make_world(block("script_struct", origin="1 2 3", targetname="spot"))
    assert world.entities.all() == []
    (struct,) = world.by_key("targetname", "spot")
    assert isinstance(struct, ScriptStruct)
    assert struct.get_field("origin") == (1.0, 2.0, 3.0)


def test_brush_models_turn_about_their_middle_or_their_origin_brush() -> None:
    plain = block("script_brushmodel", brush((0, 0, 0), (64, 32, 16)))
    hinged = block(
        "script_brushmodel", brush((0, 0, 0), (64, 32, 16)) + brush((-4, -4, 0), (4, 4, 8), "common/origin")
    )
    world, _ = make_world(plain, hinged)
    first, second = world.entities.all()
    assert first.position == (32.0, 16.0, 8.0)
    assert second.position == (0.0, 0.0, 4.0)
    assert first.get_field("model") == "*1"
    assert world.level.geometry.brush_models[1][0].positions[:, 0].max() == 64.0


@pytest.mark.parametrize(
    ("text", "code", "words"),
    [
        (block("script_modell", origin="0 0 0"), "map-class", "script_modell"),
        (block("script_model", origin="0 0"), "map-key", "three numbers"),
        (block("script_model", count="many"), "map-key", "whole number"),
        (block("trigger_multiple"), "map-class", "made of brushes"),
        (block("misc_model", origin="0 0 0"), "map-key", "needs the key model"),
        ('{\n"origin" "0 0 0"\n}\n', "map-class", "no classname"),
    ],
)
def test_faults_of_blocks(text: str, code: str, words: str) -> None:
    (fault,) = level_faults(text)
    assert fault.code == code
    assert words in fault.message
    assert fault.span is not None
    assert fault.span.line > 10


def test_a_misspelt_class_names_the_nearest() -> None:
    (fault,) = level_faults(block("script_modell", origin="0 0 0"))
    assert any("script_model" in note.message for note in fault.notes)


def test_all_faults_of_a_level_come_together() -> None:
    faults = level_faults(block("nothing_like_it"), block("script_model", angles="x"), block("trigger_once"))
    assert [f.code for f in faults] == ["map-class", "map-key", "map-class"]


def test_classes_of_the_original_that_are_not_here_are_warnings() -> None:
    level = make_level(block("misc_turret", origin="0 0 0"), block("script_origin", origin="1 1 1"))
    (warning,) = level.diagnostics
    assert (warning.severity, warning.code) == ("warning", "map-class")
    assert "misc_turret" in warning.message
    assert [b.classname for b in level.blocks] == ["script_origin"]


def test_a_missing_prop_is_a_warning_with_its_place() -> None:
    text = block("worldspawn", FLOOR) + block("misc_model", model="nowhere", origin="0 0 0")
    level = load_level(SourceText("t.map", text), "t", SurfaceTable(), lambda name: False)
    (warning,) = level.diagnostics
    assert (warning.severity, warning.code) == ("warning", "missing-model")
    assert level.geometry.models[0].model == "nowhere"


def test_props_and_lights_belong_to_the_level() -> None:
    world, _ = make_world(
        block("misc_model", model="crate", origin="100 0 0", angles="0 45 0"),
        block("light", origin="0 0 90", _color="1 0.5 0", light="200"),
    )
    geometry = world.level.geometry
    assert geometry.models[0].angles == (0.0, 45.0, 0.0)
    assert geometry.lights[0].radius == 200.0
    assert world.space.trace((0, 0, 20), (200, 0, 20)).fraction < 0.5, "the crate stands in the way"


def test_worldspawn_makes_the_air() -> None:
    text = block("worldspawn", FLOOR, sundirection="-30 90 0", suncolor="1 0.5 0.25", gravity="400")
    level = load_level(SourceText("t.map", text), "t", SurfaceTable())
    air = level.geometry.atmosphere
    assert air.sun_direction == pytest.approx((0.0, 0.8660254, 0.5), abs=1e-6)
    assert air.sun_color == pytest.approx((2.6, 1.3, 0.65))
    assert level.settings["gravity"] == 400.0


def test_spawner_makes_actors_until_its_count_is_used_up() -> None:
    world, host = make_world(
        block(
            "actor_soldier_grey",
            origin="0 0 0",
            angles="0 90 0",
            count="2",
            script_noteworthy="gate",
            health="60",
        )
    )
    (spawner,) = world.entities.all()
    assert isinstance(spawner, Spawner)
    first = spawn_actor(world, spawner, "bob")
    assert isinstance(first, Actor)
    assert first.model_name == "soldier_grey"
    assert first.side == "axis"
    assert first.hit_points == 60
    assert first.get_field("targetname") == "bob"
    assert first.get_field("script_noteworthy") == "gate"
    assert first.attachments == [("rifle", "tag_weapon_right", 1)]
    assert spawn_actor(world, spawner, None) is None, "somebody stands there"
    first.place((300.0, 0.0, 0.0))
    assert spawn_actor(world, spawner, None) is not None
    first.place((600.0, 0.0, 0.0))
    world.entities.get(first.number + 1).place((300.0, 300.0, 0.0))  # type: ignore[union-attr]
    assert spawn_actor(world, spawner, None) is None, "the count is used up"
    assert host.notified == []


def test_what_scripts_may_spawn() -> None:
    world, _ = make_world()
    entity = spawn_for_script(world, "Script_Origin", (1.0, 2.0, 3.0), 0)
    assert entity.position == (1.0, 2.0, 3.0)
    for classname in ("trigger_multiple", "worldspawn", "nothing", "node_path"):
        with pytest.raises(ScriptError, match="cannot be spawned"):
            spawn_for_script(world, classname, (0.0, 0.0, 0.0), 0)


@pytest.mark.parametrize(
    ("classname", "nearest"), [("script_modl", "script_model"), ("Script_Orign", "script_origin")]
)
def test_a_misspelt_class_of_a_script_names_the_nearest_that_it_may_spawn(
    classname: str, nearest: str
) -> None:
    world, _ = make_world()
    with pytest.raises(ScriptError, match=f"cannot be spawned by a script; did you mean {nearest}"):
        spawn_for_script(world, classname, (0.0, 0.0, 0.0), 0)
    for other in ("zzz", "worldspaw", "worldspawn"):
        with pytest.raises(ScriptError, match="cannot be spawned") as caught:
            spawn_for_script(world, other, (0.0, 0.0, 0.0), 0)
        assert "mean" not in str(caught.value), "none that it could spawn either"


def test_slots_run_out_with_a_message_and_are_used_again() -> None:
    world, host = make_world()
    made = [
        spawn_for_script(world, "script_origin", (0.0, 0.0, 0.0), 0)
        for _ in range(MAX_ENTITIES - MAX_PLAYERS)
    ]
    with pytest.raises(ScriptError, match="no free entities"):
        spawn_for_script(world, "script_origin", (0.0, 0.0, 0.0), 0)
    number, serial = made[5].number, made[5].serial
    world.entities.remove_later(made[5])
    assert host.events(made[5]) == ["death"]
    world.frame()
    with pytest.raises(ScriptError, match="no free entities"):
        spawn_for_script(world, "script_origin", (0.0, 0.0, 0.0), 0)
    world.frame()
    assert made[5].dead
    again = spawn_for_script(world, "script_origin", (0.0, 0.0, 0.0), 0)
    assert (again.number, again.serial) == (number, serial + 1)


def test_every_class_of_the_table_has_a_known_kind_of_key() -> None:
    for info in CLASSES.values():
        assert info.meaning
        assert len({key.name for key in info.keys}) == len(info.keys), info.name
    assert class_of("mp_sd_spawn_attacker") is CLASSES["mp_deathmatch_spawn"]
    assert class_of("trigger_nothing") is None


def test_the_shipped_fgd_is_current() -> None:
    shipped = Path(__file__).resolve().parents[2] / "assets" / "levels" / "notetrack.fgd"
    assert shipped.read_text() == fgd_text()


def test_surfaces_by_table_and_by_word() -> None:
    table = SurfaceTable({"odd_name": "grass"})
    assert table["yard/odd_name"].material == "grass"
    assert table["old_planks_3"].material == "wood"
    assert table["unheard_of"].material == "stone"
    assert not table["common/clip"].drawn
    source = SourceText("surfaces.toml", '[a]\nmaterial = "wood"\n[b]\nmaterial = "cheese"\n')
    found, faults = surface_materials(TomlFile(source))
    assert found == {"a": "wood"}
    assert [(f.code, f.span and f.span.start) for f in faults] == [
        ("surface-material", source.text.index("[b]") + 1)
    ]


def test_trigger_brushes_do_not_collide() -> None:
    world, _ = make_world(block("trigger_multiple", brush((100, -50, 0), (200, 50, 100), "trigger")))
    (trigger,) = world.entities.all()
    assert isinstance(trigger, Trigger)
    assert world.space.trace((0, 0, 50), (300, 0, 50)).fraction == 1.0


def test_structs_called_viewpoint_are_where_pictures_are_taken_from():
    blocks = "".join(
        f'{{ "classname" "script_struct" "targetname" "{name}" "origin" "1 2 3" "angles" "4 5 0" }}'
        for name in ("ViewPoint", "elsewhere")
    )
    level = load_level(SourceText("t.map", '{ "classname" "worldspawn" }' + blocks), "t", SurfaceTable())
    assert level.geometry.viewpoints == (Viewpoint((1.0, 2.0, 3.0), (4.0, 5.0, 0.0)),)
    assert len(level.blocks) == 2

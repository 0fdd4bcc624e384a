"""The level yard: it is what its script makes, its names exist, and its paths can be walked."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import pytest

from assets.tools.make_props import MAKERS
from assets.tools.make_yard import TARGET, make_yard
from assets.tools.yard import route
from engine.source import SourceText
from engine.source.toml import TomlFile
from engine.world.brush import build_brush
from engine.world.classes import class_of
from engine.world.collision import Collision
from engine.world.level import read_map
from engine.world.paths import walkable
from engine.world.surfaces import WORLD_MASK, SurfaceTable, surface_materials

LEVELS = TARGET.parent
TOOLS = {"nodraw", "clip", "trigger"}
OTHERS_MAKE = {"dummy", "soldier_olive", "soldier_grey"}


@pytest.fixture(scope="module")
def entities():
    return read_map(SourceText.read(TARGET))


@pytest.fixture(scope="module")
def space(entities):
    table, problems = SurfaceTable(), []
    still = [e for e in entities if not e.classname.startswith(("trigger_", "script_"))]
    built = [build_brush(brush, table, problems) for entity in still for brush in entity.brushes]
    assert problems == []
    return Collision(brush for brush in built if brush is not None)


def test_the_file_is_what_the_script_makes() -> None:
    assert TARGET.read_text(encoding="latin-1") == make_yard().text()


def test_every_class_is_known_to_the_engine(entities) -> None:
    assert [e.classname for e in entities if class_of(e.classname) is None] == []


def test_every_surface_is_described(entities) -> None:
    materials, problems = surface_materials(TomlFile.read(LEVELS / "surfaces.toml"))
    assert problems == []
    used = {face.texture for e in entities for brush in e.brushes for face in brush.faces}
    assert used - TOOLS - set(materials) == set()
    assert set(materials) - used - set(MAKERS) - OTHERS_MAKE == set()


def test_every_model_exists(entities) -> None:
    named = {e.value("model") for e in entities if e.value("model")}
    assert named - set(MAKERS) - OTHERS_MAKE == set()


def test_every_target_has_its_name(entities) -> None:
    names = {e.value("targetname") for e in entities}
    wanted = {
        key.value
        for e in entities
        for name, key in e.keys.items()
        if name.startswith("target") and name != "targetname"
    }
    assert wanted - names == set()


def test_every_link_can_be_walked_both_ways(space) -> None:
    blocked = []
    for way in route.WAYS:
        names = way.split()
        for a, b in pairwise(names):
            for start, end in ((a, b), (b, a)):
                if not walkable(space, route.NODES[start], route.NODES[end]):
                    blocked.append((start, end))
    assert blocked == []


def test_nobody_starts_inside_something(entities, space) -> None:
    for entity in entities:
        if entity.classname.startswith(("actor_", "mp_deathmatch", "info_player")):
            x, y, z = (float(part) for part in entity.value("origin").split())
            trace = space.trace((x, y, z + 1), (x, y, z + 2), (-15, -15, 0), (15, 15, 70))
            assert not trace.startsolid, entity.value("targetname")


def test_one_cannot_walk_out_of_the_gate(space) -> None:
    outside = space.trace((-304, -700, 20), (-304, -3000, 20), (-15, -15, 0), (15, 15, 60), WORLD_MASK)
    assert -1070 < outside.position[1] < -900


def test_no_generator_depends_on_where_it_runs(tmp_path: Path) -> None:
    make_yard().write(tmp_path / "again.map")
    assert (tmp_path / "again.map").read_bytes() == TARGET.read_bytes()

"""The library: cooking on demand, shipped copies, placeholders, reloading; and life without libassimp."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest

from engine.client.preview.finding import Finder
from engine.pipeline import assimp_library, container, importer
from engine.pipeline.background import BackgroundCook
from engine.pipeline.batch import Order, cook_one
from engine.pipeline.library import MAX_HINTS, MAX_PLACEHOLDERS, MAX_UNKNOWN, AssetLibrary, find_sources
from engine.pipeline.names import asset_name
from engine.pipeline.placeholder import checker_png
from engine.source import Diagnostic
from tests.pipeline.gltf_writer import Gltf, quad, strip

needs_assimp = pytest.mark.skipif(not importer.available(), reason="no libassimp here")


class Room:
    """An asset root and a cache in a temporary folder."""

    def __init__(self, base: Path) -> None:
        self.root, self.cache = base / "assets", base / "cache"
        self.root.mkdir()
        self.told: list[Diagnostic] = []

    def library(self, *more: Path) -> AssetLibrary:
        return AssetLibrary([*more, self.root], self.cache, self.told.append)

    def add(self, name: str, gltf: Gltf | None = None, sidecar: str = "") -> Path:
        return (gltf or strip()).write(self.root / "models" / name / f"{name}.glb", sidecar)

    @property
    def codes(self) -> list[str]:
        return [diagnostic.code for diagnostic in self.told]

    def ship(self) -> None:
        for source in find_sources([self.root], self.cache).values():
            assert cook_one(Order(source, ship=True)).outcome != "failed"


@pytest.fixture
def room(tmp_path: Path) -> Room:
    return Room(tmp_path)


@pytest.fixture
def no_assimp(monkeypatch: pytest.MonkeyPatch) -> None:
    """A machine without libassimp."""

    def missing() -> None:
        raise importer.LibraryMissing("libassimp was not found")

    monkeypatch.setattr(importer, "library", missing)


def _moving(z: float = 1.0) -> Gltf:
    gltf = strip()
    gltf.clip("man_walk", (0, "translation", [0, 1], [[0, 0, 0], [0, 0, z]]))
    return gltf


@pytest.mark.parametrize(
    ("name", "canonical"),
    [
        ("soldier", "soldier"),
        ("xmodel/Soldier", "soldier"),
        ("XANIM\\soldier_walk", "soldier_walk"),
        ("fx/dust.efx", "dust"),
        ("models/a/b.glb", "b"),
        ("Creak_1.OGG", "creak_1"),
        ("wall.left", "wall.left"),
        ("xmodel/Wall.Left.glb", "wall.left"),
        (".glb", ".glb"),
    ],
)
def test_names_are_canonical(name: str, canonical: str) -> None:
    assert asset_name(name) == canonical


@needs_assimp
def test_models_and_clips_by_name(room: Room) -> None:
    room.add("man", _moving())
    library = room.library()
    assert library.model_names() == ("man",)
    assert list(library.clip_names()) == ["man_walk", "void", "void_loop"]
    assert library.model("xmodel/Man") is library.model("man")
    walk = library.clip("man_walk")
    assert walk is not None
    assert walk.frames == 31
    assert library.clip_source("man_walk") == "man"
    assert (library.has_model("man"), library.has_model("x"), library.has_clip("void")) == (True, False, True)
    assert room.told == []


def test_void_clips_are_built_in(room: Room) -> None:
    library = room.library()
    still, loop = library.clip("void"), library.clip("void_loop")
    assert still is not None
    assert loop is not None
    assert (still.looping, loop.looping) == (False, True)
    assert (still.bones, still.length, still.notes[-1].name) == ((), 0, "end")


def test_a_missing_model_is_a_crate_and_one_diagnostic(room: Room) -> None:
    library = room.library()
    crate = library.model("nothing")
    assert crate is library.model("nothing")
    assert crate.textures == (checker_png(),)
    assert crate.bounds == ((-16, -16, 0), (16, 16, 32))
    mesh = crate.meshes[0]
    for a, b, c in mesh.positions[mesh.indices]:
        outward = (a + b + c) / 3 - np.array([0, 0, 16])
        assert np.dot(np.cross(b - a, c - a), outward) > 0
    assert room.codes == ["missing-model"]
    assert library.clip("nothing") is None


@needs_assimp
def test_a_near_name_is_named(room: Room) -> None:
    room.add("soldier")
    room.library().model("solder")
    assert room.told[0].notes[0].message == "did you mean soldier?"


@needs_assimp
def test_cooked_once_and_then_mapped(room: Room, monkeypatch: pytest.MonkeyPatch) -> None:
    room.add("man", _moving())
    room.library().model("man")
    monkeypatch.setattr("engine.pipeline.library.cook", None)
    assert room.library().model("man").skeleton.names == ("lower", "upper")


@needs_assimp
@pytest.mark.parametrize("touch", ["source", "sidecar", "texture"])
def test_a_change_makes_it_stale(room: Room, touch: str) -> None:
    gltf = _moving()
    path = room.add("man", gltf, '[materials.paint]\ntexture = "a.png"\n')
    gltf.add("materials", name="paint")
    gltf.document["meshes"][0]["primitives"][0]["material"] = 0
    gltf.write(path)
    before = room.library().content_hash("man")
    assert room.library().content_hash("man") == before
    if touch == "source":
        gltf.document["nodes"][0]["name"] = "other"
        gltf.write(path)
    elif touch == "sidecar":
        path.with_suffix(".toml").write_text("scale = 2\n")
    else:
        (path.parent / "a.png").write_bytes(checker_png() + b" ")
    library = room.library()
    library.reload()
    after = library.content_hash("man")
    assert after != before
    assert len(list(room.cache.rglob("*.ntk"))) == 1


@needs_assimp
def test_a_damaged_cache_file_is_cooked_again(room: Room) -> None:
    room.add("man")
    room.library().model("man")
    (cached,) = room.cache.rglob("*.ntk")
    data = bytearray(cached.read_bytes())
    data[-1] ^= 1
    cached.write_bytes(bytes(data))
    assert room.library().model("man").skeleton.names == ("lower", "upper")
    assert room.codes == ["damaged-file"]
    assert container.read(cached).arrays


@needs_assimp
def test_without_a_writable_cache_it_still_plays(room: Room) -> None:
    room.add("man", _moving())
    room.add("other")
    room.cache.write_text("a file where the folder should be")
    library = room.library()
    assert library.model("man").meshes
    assert library.model("other").meshes
    assert room.codes == ["no-cache"]
    assert room.told[0].severity == "warning"


@needs_assimp
def test_earlier_roots_win(room: Room, tmp_path: Path) -> None:
    room.add("man")
    mod = tmp_path / "mod"
    gltf = Gltf()
    gltf.node("box", mesh=quad(gltf))
    gltf.write(mod / "models" / "man" / "man.glb")
    assert room.library(mod).model("man").skeleton.names == ("root",)


@needs_assimp
def test_one_clip_name_in_two_sources_is_told(room: Room) -> None:
    room.add("a", _moving())
    room.add("b", _moving(2))
    library = room.library()
    assert library.clip_source("man_walk") == "a"
    assert room.codes == ["duplicate-clip"]
    assert "a.glb" in room.told[0].message


@needs_assimp
@pytest.mark.parametrize("name", ["a", "z"])
def test_a_clip_of_an_earlier_root_wins_and_is_told_where_it_is_named(
    room: Room, tmp_path: Path, name: str
) -> None:
    room.add("man", _moving())
    mod, gltf = tmp_path / "mod", strip()
    gltf.clip("swing", (0, "translation", [0, 1], [[0, 0, 0], [0, 0, 1]]))
    gltf.write(mod / "models" / name / f"{name}.glb", '\n[clips.swing]\nname = "man_walk"\n')
    library = room.library(mod)
    assert library.clip_source("man_walk") == name
    (told,) = room.told
    assert (told.code, told.severity) == ("duplicate-clip", "warning")
    assert "man.glb as well; this one is used" in told.message
    assert str(told.span).endswith(f"{name}.toml:3:1")
    assert library.clip_clashes(mod) == (told,)
    assert not library.clip_clashes(room.root)


@needs_assimp
def test_a_file_of_clips_is_no_model(room: Room) -> None:
    room.add("moves", _moving(), "model = false\n")
    library = room.library()
    assert library.clip("man_walk") is not None
    assert not library.has_model("moves")
    assert library.model("moves").textures == (checker_png(),)
    assert room.codes == ["missing-model"]


@needs_assimp
def test_faults_are_told_at_each_start(room: Room) -> None:
    room.add("man", _moving(), "[clips.man_wlk]\nloop = true\n")
    for _ in range(2):
        room.told.clear()
        room.library().model("man")
        assert room.codes == ["unknown-source-animation"]
        assert room.told[0].span is not None
        assert room.told[0].span.line == 1


# Reloading --------------------------------------------------------------------------------------------


@needs_assimp
def test_reload_tells_what_changed(room: Room) -> None:
    path = room.add("man", _moving())
    room.add("still")
    library = room.library()
    kept, old = library.model("still"), library.clip("man_walk")
    assert library.reload() == ()
    _moving(3).write(path)
    assert library.clip("man_walk") is old
    assert library.reload("man") == ("man", "man_walk")
    new = library.clip("man_walk")
    assert new is not None
    assert old is not None
    assert new.rows[-1, 4, 0] == pytest.approx(3 * old.rows[-1, 4, 0])
    assert library.model("still") is kept


@needs_assimp
def test_a_broken_save_keeps_the_good_version(room: Room) -> None:
    path = room.add("man", _moving())
    library = room.library()
    good = library.model("man")
    data = path.read_bytes()
    path.write_bytes(data[:300])
    assert library.reload() == ()
    assert library.model("man") is good
    assert room.codes == ["bad-source"]
    assert library.reload() == ()
    assert room.codes == ["bad-source"]
    path.write_bytes(data)
    assert library.reload() == ()
    assert library.model("man") is good


@needs_assimp
def test_what_an_older_version_had_wrong_is_not_told_again(room: Room) -> None:
    source = room.add("man", _moving(), "\n[clips.man_walk]\nframes = [10, 900]\n")
    room.library().model("man")
    assert [(d.code, d.span.line) for d in room.told if d.span is not None] == [("bad-setting", 3)]
    source.with_suffix(".toml").write_text('scale = "big"\n')
    for library in (room.library(), room.library()):
        room.told.clear()
        assert library.has_model("man")
        assert [d.message for d in room.told] == ["`scale` must be a number from 1e-06 to 1e+06"]
        assert library.faults("man") == tuple(room.told)


@needs_assimp
def test_a_new_model_replaces_its_placeholder(room: Room) -> None:
    library = room.library()
    library.model("man")
    list(library.clip_names())
    room.add("man", _moving())
    assert library.reload() == ("man", "man_walk")
    assert library.model("man").skeleton.names == ("lower", "upper")


@needs_assimp
def test_a_removed_model_is_gone(room: Room) -> None:
    path = room.add("man")
    library = room.library()
    library.model("man")
    path.unlink()
    assert library.reload() == ("man",)
    assert not library.has_model("man")


@needs_assimp
def test_cooking_in_the_background(room: Room, monkeypatch: pytest.MonkeyPatch) -> None:
    path = room.add("man", _moving())
    library = room.library()
    old = library.model("man")
    cooking = BackgroundCook(library)
    assert not cooking.done()
    _moving(3).write(path)
    cooking.begin()
    cooking.begin()
    while not cooking.done():
        time.sleep(0.005)
    assert not cooking.busy
    assert library.model("man") is old
    monkeypatch.setattr("engine.pipeline.library.cook", None)
    monkeypatch.setattr("engine.pipeline.library.source_hash", None)
    assert library.reload(hashes=cooking.hashes) == ("man",)
    assert library.model("man") is not old


# Without libassimp ------------------------------------------------------------------------------------


@needs_assimp
def test_shipped_copies_play_without_the_library(room: Room, request: pytest.FixtureRequest) -> None:
    room.add("man", _moving())
    room.ship()
    request.getfixturevalue("no_assimp")
    library = room.library()
    assert library.model("man").skeleton.names == ("lower", "upper")
    assert library.clip("man_walk") is not None
    assert room.told == []


@needs_assimp
def test_shipped_copies_play_without_their_sources(room: Room) -> None:
    room.add("man", _moving())
    room.ship()
    (room.root / "models" / "man" / "man.glb").unlink()
    library = room.library()
    assert library.model_names() == ("man",)
    assert library.clip("man_walk") is not None


@needs_assimp
def test_an_old_copy_is_better_than_none(room: Room, request: pytest.FixtureRequest) -> None:
    paths = [room.add("man", _moving()), room.add("other")]
    room.ship()
    for path in paths:
        path.with_suffix(".toml").write_text("scale = 2\n")
    request.getfixturevalue("no_assimp")
    library = room.library()
    assert library.model("man").skeleton.names == ("lower", "upper")
    assert library.model("other").skeleton.names == ("lower", "upper")
    assert room.codes == ["no-assimp"]
    assert "older version" in room.told[0].notes[-1].message


def test_a1_no_library_is_one_readable_hint(room: Room, no_assimp: None) -> None:
    room.add("man")
    model = room.library().model("man")
    assert model.textures == (checker_png(),)
    assert room.codes == ["no-assimp"]
    (diagnostic,) = room.told
    assert "libassimp was not found" in diagnostic.message
    assert "pip install cmeel-assimp" in diagnostic.notes[0].message


def test_a1_no_folder_with_the_library(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(assimp_library, "search_groups", lambda: [[str(tmp_path)], [str(tmp_path / "none")]])
    importer.library.cache_clear()
    try:
        assert not importer.available()
    finally:
        importer.library.cache_clear()


@needs_assimp
@pytest.mark.skipif(os.name == "nt", reason="the search path is the system's there")
def test_a2_library_named_by_the_environment_is_found(tmp_path: Path) -> None:
    """In a process of its own, with warnings as errors and only LD_LIBRARY_PATH to go by."""
    folder = next(
        f for group in assimp_library.search_groups() for f in group if assimp_library.holds_library(f)
    )
    name = next(n for n in sorted(os.listdir(folder)) if n.startswith("libassimp") and ".so" in n)
    (tmp_path / "libassimp.so").symlink_to(Path(folder) / name)
    code = (
        "from engine.pipeline import importer as i\n"
        "from engine.pipeline import assimp_library as a\n"
        "a.wheel_folders = lambda: []\n"
        "a.SYSTEM_FOLDERS = ()\n"
        "assert i.available()\n"
        "print(i.library().functions.dll._name)\n"
    )
    run = subprocess.run(
        [sys.executable, "-W", "error", "-c", code],
        env={**os.environ, "LD_LIBRARY_PATH": os.pathsep.join([str(tmp_path), folder])},
        capture_output=True,
        text=True,
        check=False,
    )
    assert run.returncode == 0, run.stderr
    assert run.stdout.strip() == str(tmp_path / "libassimp.so")


# Sounds -----------------------------------------------------------------------------------------------


def _sounds(room: Room, text: str = "") -> Path:
    folder = room.root / "sounds"
    folder.mkdir()
    for name in ("Step_1.wav", "step_2.ogg", "bell.ogg", "bell.wav"):
        (folder / name).write_bytes(b"")
    (folder / "sounds.toml").write_text(text)
    return folder


def test_sounds_by_alias_and_by_file(room: Room) -> None:
    text = '[step]\nfiles = ["step_1", "Step_2"]\nvolume = 0.5\nmax = 900\nloop = true\ngroup = "ambience"\n'
    folder = _sounds(room, text)
    library = room.library()
    alias = library.sound_alias("Step")
    assert alias is not None
    assert alias.files == (folder / "Step_1.wav", folder / "step_2.ogg")
    assert (alias.volume, alias.near, alias.far, alias.loop, alias.group) == (0.5, 80, 900, True, "ambience")
    assert library.sound("bell") == folder / "bell.wav"
    assert library.sound_names() == ("bell", "step", "step_1", "step_2")
    assert room.told == []


def test_an_unknown_sound_is_told_once(room: Room) -> None:
    _sounds(room)
    library = room.library()
    assert library.sound("bel") is None
    assert library.sound("bel") is None
    assert room.codes == ["missing-sound"]
    assert room.told[0].notes[0].message == "did you mean bell?"


@pytest.mark.parametrize(
    ("text", "code", "line"),
    [
        ('[a]\nfiles = ["bell"]\nvolum = 1', "unknown-setting", 3),
        ('[a]\nfiles = ["bell"]\nvolume = 2', "bad-setting", 3),
        ('[a]\nfiles = ["bell"]\nloop = 2', "bad-setting", 3),
        ('[a]\nfiles = ["bell"]\ngroup = "x"', "bad-setting", 3),
        ('[a]\nfiles = ["bel"]', "missing-sound", 2),
        ("[a]\nvolume = 1", "bad-setting", 1),
        ("a = 1", "bad-setting", 1),
        ("a = = 1", "bad-toml", 1),
    ],
)
def test_faults_of_the_alias_file(room: Room, text: str, code: str, line: int) -> None:
    _sounds(room, text)
    room.library()
    assert [(d.code, d.span.line if d.span else 0) for d in room.told] == [(code, line)]


@needs_assimp
def test_a_name_may_have_a_dot(room: Room) -> None:
    """Under the name that it is listed by, it is found."""
    room.add("wall.left")
    library = room.library()
    assert library.model_names() == ("wall.left",)
    for name in ("wall.left", "xmodel/Wall.Left", "wall.left.glb"):
        assert library.has_model(name)
        assert library.model(name).name == "wall.left"
    assert Finder(library, ()).find("wall.left").name == "wall.left"
    assert room.codes == []


def test_a_file_beside_a_source_that_breaks_and_is_mended_is_read(room: Room) -> None:
    """The source has the same bytes all the while; which version of it serves follows from those beside it."""

    def save(height: float) -> None:
        gltf = _moving(height)
        (folder / "man.gltf").write_bytes(gltf.gltf("man.bin"))
        (folder / "man.bin").write_bytes(bytes(gltf.binary))

    folder = room.root / "models" / "man"
    folder.mkdir(parents=True)
    save(1.0)
    library = room.library()
    assert library.model("man") is not None
    (folder / "man.bin").write_bytes(b"\0" * 7)
    library.reload()
    assert library.broken() == ("man",)
    save(2.0)
    assert "man" in library.reload()
    assert library.broken() == ()
    save(1.0)
    assert "man" in library.reload()


def test_names_without_end_are_told_and_kept_to_a_limit(room: Room) -> None:
    """A script can ask for ever new ones."""
    room.add("man")
    library = room.library()
    models = {id(library.model(f"man{number}")) for number in range(500)}
    assert len(models) == MAX_PLACEHOLDERS
    for number in range(500):
        assert library.sound_alias(f"man{number}") is None
    assert len(room.told) == MAX_UNKNOWN + 1
    assert room.told[-1].message.startswith("more models and sounds")
    assert sum(bool(diagnostic.notes) for diagnostic in room.told) == MAX_HINTS
    library.reload()
    library.model("another")
    assert room.told[-1].message == "there is no model `another`"

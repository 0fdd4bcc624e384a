"""Models, clips, sounds, variables and surfaces that are saved while a level runs, and what is wrong with them."""

from __future__ import annotations

import time
import wave
from collections.abc import Iterator
from pathlib import Path

import pytest

from engine.mods.watch import Changes
from engine.pipeline import importer
from tests.mods.test_reload_history import Table
from tests.mods.yard import Yard
from tests.pipeline.gltf_writer import strip

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="module")
def yard(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Yard]:
    yard = Yard(tmp_path_factory.mktemp("yard"))
    yield yard
    yard.session.close()


def test_a_soldier_a_clip_and_a_tree_change_under_who_plays_them(yard: Yard) -> None:
    before, old = yard.playing(), yard.session.library.model("soldier_olive")
    worn = [e for e in yard.soldiers() if e.model_name == "soldier_olive"]
    assert worn
    clips, settings = (
        yard.models / "soldier" / "soldier.toml",
        yard.models / "soldier_olive" / "soldier_olive.toml",
    )
    for file in (clips, settings):
        file.write_text("scale = 1.5\n" + file.read_text())
    tree = yard.folder / "animtrees" / "soldier.atr"
    tree.parent.mkdir()
    tree.write_text("// another version\n" + (ROOT / "animtrees" / "soldier.atr").read_text())
    event = yard.save(clips, settings, tree)
    assert event["ok"]
    assert {"soldier", "soldier_olive", "soldier_walk"} <= set(event["assets"])
    assert event["threads"]["untouched"] == sum(event["threads"].values())
    assert yard.playing() == before
    new = yard.session.library.model("soldier_olive")
    assert new.bounds[1][2] == pytest.approx(1.5 * old.bounds[1][2])
    for entity in worn:
        assert entity.pose.batch.skeleton is new.skeleton
        assert entity.pose.boxes is yard.session.world.animator.boxes_of("soldier_olive")
    yard.run(3)
    height = yard.session.world.animator.tag_frame(worn[0], "head")
    assert height is not None
    assert height[0][2] - worn[0].position[2] > 75.0


def test_a_model_that_cannot_be_read_leaves_the_old_one_and_is_told_once(yard: Yard) -> None:
    old = yard.session.library.model("soldier")
    yard.says()
    source = yard.models / "soldier" / "soldier.glb"
    whole = source.read_bytes()
    source.write_bytes(whole[: len(whole) // 2])
    event = yard.save(source)
    assert not event["ok"]
    assert event["notes"] == ["soldier as it was, since it cannot be read"]
    assert ["soldier.glb" in fault["path"] for fault in event["diagnostics"]] == [True]
    assert yard.session.library.model("soldier") is old
    assert len([text for text in yard.says() if "error: " in text and "soldier.glb" in text]) == 1
    source.write_bytes(whole)
    assert yard.save(source)["ok"]
    assert yard.session.library.model("soldier").bounds == old.bounds


@pytest.mark.parametrize("broken", ["plate.glb", "plate.toml"])
def test_a_repair_ends_a_fault_and_each_break_is_told(yard: Yard, broken: str) -> None:
    """Whether the repaired file is the old one again or another, and whether the break is the same again or another."""
    home = yard.models / "plate"
    source, sidecar = home / "plate.glb", home / "plate.toml"
    strip().write(source, "scale = 1.0\n")
    assert yard.save(source, sidecar)["ok"]
    file, good = home / broken, (home / broken).read_bytes()
    other = good + b"\0" if broken == "plate.glb" else good + b"[skins.bare]\nhide = []\n"
    breaks = (good[:300], good[:200]) if broken == "plate.glb" else (b"scale = 0\n", b"scale = [\n")
    for whole, cut in ((good, breaks[0]), (other, breaks[0]), (other, breaks[1]), (good, breaks[1])):
        model, _ = yard.session.library.model("plate"), yard.says()
        file.write_bytes(cut)
        event = yard.save(file)
        assert not event["ok"]
        assert event["notes"] == ["plate as it was, since it cannot be read"]
        assert [broken in fault["path"] for fault in event["diagnostics"]] == [True]
        lines = yard.session.drain_log()
        assert [line.kind for line in lines] == ["error", "error"]
        assert [line.diagnostic is not None for line in lines] == [True, False]
        assert yard.session.library.model("plate") is model
        file.write_bytes(whole)
        event = yard.save(file)
        assert event["ok"], event
        assert (event["notes"], event["diagnostics"]) == ([], [])
        assert [line.kind for line in yard.session.drain_log()] == ["reload"]


def test_what_is_saved_with_a_broken_model_is_taken_in(yard: Yard) -> None:
    """A model may take long to export and to repair; nothing else waits for that."""
    source, tree = yard.models / "soldier" / "soldier.glb", yard.folder / "animtrees" / "soldier.atr"
    shipped, whole = (ROOT / "animtrees" / "soldier.atr").read_text(), source.read_bytes()
    tree.parent.mkdir(exist_ok=True)
    source.write_bytes(whole[:300])
    tree.write_text("// with a model\n" + shipped)
    event = yard.save(source, tree)
    assert not event["ok"]
    assert event["threads"]
    assert "soldier as it was" in event["notes"][0]
    source.write_bytes(whole[:200])
    tree.write_text(shipped + "one two\n")
    event = yard.save(source, tree)
    assert {Path(fault["path"]).name for fault in event["diagnostics"]} == {"soldier.atr", "soldier.glb"}
    assert not event["threads"]
    # What was told of the model is not told again with the next save.
    tree.write_text(shipped)
    event = yard.save(tree)
    assert (event["ok"], event["diagnostics"]) == (True, [])
    source.write_bytes(whole)
    assert yard.save(source)["ok"]


@pytest.mark.skipif(not importer.available(), reason="no libassimp here")
def test_models_of_other_formats_and_the_files_beside_them_change_too(yard: Yard) -> None:
    """They are read in another process, while the game goes on."""
    home = yard.models / "board"
    home.mkdir()
    source, paint = home / "board.obj", home / "board.mtl"
    source.write_text("mtllib board.mtl\nv 0 0 0\nv 1 0 0\nv 0 1 0\nusemtl paint\nf 1 2 3\n")
    paint.write_text("newmtl paint\nKd 1 0 0\n")
    assert yard.save(source, paint)["ok"]
    model = yard.session.library.model("board")
    assert model.bounds[1][2] == pytest.approx(39.37, abs=0.01)
    assert model.materials[model.meshes[0].material].color[:3] == (1, 0, 0)
    paint.write_text("newmtl paint\nKd 0 1 0\n")
    assert "board" in yard.save(paint)["assets"]
    model = yard.session.library.model("board")
    assert model.materials[model.meshes[0].material].color[:3] == (0, 1, 0)
    whole = source.read_text()
    source.write_text(whole.replace("v 0 1 0", "v 0 nan 0"))
    yard.says()
    assert yard.save(source)["notes"] == ["board as it was, since it cannot be read"]
    assert yard.session.library.model("board") is model
    source.write_text(whole.replace("v 0 1 0", "v 0 2 0"))
    assert yard.save(source)["ok"]
    assert yard.session.library.model("board").bounds[1][2] == pytest.approx(78.74, abs=0.01)


def test_saves_wait_for_the_model_that_was_saved_with_them(yard: Yard) -> None:
    script = yard.folder / "probe.gsc"
    script.write_text("main()\n{\n}\n")
    settings = yard.models / "soldier" / "soldier.toml"
    settings.write_text(settings.read_text() + "\n# x\n")
    reloader = yard.session.reloader
    before = len(yard.reloads())
    assert reloader.take(Changes(frozenset({settings}), frozenset(), time.monotonic())) is None
    event = yard.save(script)
    assert sorted(Path(name).name for name in event["files"]) == ["probe.gsc", "soldier.toml"]
    assert len(yard.reloads()) == before + 1


def test_a_sound_ends_when_its_file_does(yard: Yard) -> None:
    file = yard.folder / "assets" / "sounds" / "tone.wav"
    file.parent.mkdir(parents=True)

    def write(seconds: float) -> None:
        with wave.open(str(file), "wb") as out:
            out.setnchannels(1)
            out.setsampwidth(2)
            out.setframerate(8000)
            out.writeframes(b"\0\0" * int(8000 * seconds))

    write(2.5)
    yard.save(file)
    assert yard.session.world.sound_seconds("tone") == pytest.approx(2.5)
    write(0.5)
    yard.save(file)
    assert yard.session.world.sound_seconds("tone") == pytest.approx(0.5)


def test_what_is_wrong_in_a_save_or_of_no_use_is_in_its_report(yard: Yard) -> None:
    sounds = yard.folder / "assets" / "sounds" / "sounds.toml"
    sounds.parent.mkdir(parents=True, exist_ok=True)
    sounds.write_text("x = 1\n")
    assert yard.save(sounds)["notes"] == ["1 error in what was saved, told above"]
    sounds.write_text('[x]\nfiles = ["ambience_wind"]\n')
    assert yard.save(sounds)["notes"] == []
    stray = yard.models / "stray.obj"
    stray.write_text("v 0 0 0\n")
    yard.says()
    assert yard.save(stray)["notes"] == ["stray.obj is of no use where it is"]
    assert "its place is models/stray/stray.obj" in "\n".join(yard.says())


def test_variables_of_a_mod_hold_at_the_start_and_change_when_saved(tmp_path: Path) -> None:
    file = tmp_path / "mine" / "cvars.toml"
    file.parent.mkdir()
    file.write_text('scr_kind = "slow"\nscr_count = 4\nscr_on = true\n')
    session = Table(tmp_path).session
    cvars = session.vm.cvars
    assert (cvars["scr_kind"], cvars["scr_count"], cvars["scr_on"]) == ("slow", "4", "1")
    session.execute("set scr_count 9")
    file.write_text('scr_kind = "fast"\nscr_count = 4\nscr_on = true\n')
    report = session.reloader.take(Changes(frozenset({file}), frozenset(), 0.0))
    assert report is not None
    assert report.notes == ["variables scr_kind"]
    assert (cvars["scr_kind"], cvars["scr_count"]) == ("fast", "9")
    file.write_text("scr_kind = [1]\n")
    report = session.reloader.take(Changes(frozenset({file}), frozenset(), 0.0))
    assert report is not None
    assert not report.ok
    assert report.diagnostics[0].span is not None
    assert report.diagnostics[0].span.line == 1
    assert cvars["scr_kind"] == "fast"
    session.close()


def test_surfaces_come_with_the_next_start_of_the_level(yard: Yard) -> None:
    file = yard.folder / "assets" / "levels" / "surfaces.toml"
    file.parent.mkdir(parents=True)
    shipped = (ROOT / "assets" / "levels" / "surfaces.toml").read_text()
    name = next(iter(yard.session.geometry.world)).texture
    file.write_text(shipped)
    assert yard.save(file)["notes"] == ["surfaces with the next `map_restart`"]
    before = yard.session.geometry
    yard.session.execute("map_restart")
    assert yard.session.geometry is not before
    assert name in {surface.texture for surface in yard.session.geometry.world}


def test_animation_values_in_variables_follow_their_names_into_a_new_tree(tmp_path: Path) -> None:
    table = Table(tmp_path)
    tree = table.folder / "animtrees" / "small.atr"
    tree.parent.mkdir()
    tree.write_text("sway\nrest\n")
    text = (
        '#using_animtree("small");\nmain()\n{\n    level.rounds = 0;\n    level.held = %rest;\n'
        "    level.other = %sway;\n    for (;;)\n        wait 1;\n}\n"
    )
    table.save(text)
    table.session.vm.start("mine::main")
    table.run(2)
    held = table.session.vm.level.get_field("held")
    before = held.index
    tree.write_text("rest\nmore\n{\n    sway\n}\n")
    event = table.save(tree.read_text(), tree)
    assert event["ok"]
    now = table.session.build
    assert now is not None
    assert table.session.vm.level.get_field("held") is held
    assert held.index != before
    assert now.linked.trees["small"].names[held.index] == "rest"
    table.session.close()


def test_settings_that_are_deleted_while_their_model_is_cooked_count(tmp_path: Path) -> None:
    yard = Yard(tmp_path)
    settings, reloader = yard.models / "soldier_olive" / "soldier_olive.toml", yard.session.reloader
    before, height = settings.read_text(), yard.session.library.model("soldier_olive").bounds[1][2]
    settings.write_text("scale = 3.0\n" + before)
    reloader.take(Changes(frozenset({settings}), frozenset(), time.monotonic()))
    while yard.session.intake._cooking._thread.is_alive():  # type: ignore[union-attr]  # it was begun
        time.sleep(0.01)
    # The cook is over, and nothing has been taken over from it yet.
    settings.unlink()
    yard.save(removed=[settings])
    assert yard.session.library.model("soldier_olive").bounds[1][2] < 1.1 * height
    yard.session.close()

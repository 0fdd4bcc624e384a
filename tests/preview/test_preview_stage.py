"""The preview without a screen: what is found, what plays, notes, scrubbing and reloading."""

from __future__ import annotations

import shutil
from pathlib import Path

import numpy as np
import pytest

from engine.client.preview.stage import REST_AT_END, Stage
from engine.client.preview.studio import Orbit
from engine.client.preview.subject import Attachment, Order, UnknownSubjectError, open_subject
from engine.pipeline.skins import in_skin
from engine.source import DiagnosticError
from tests.pipeline.gltf_writer import Gltf, turn
from tests.preview.conftest import Room

INCH = 39.37007874


def _stage(room: Room, name: str = "man") -> Stage:
    return Stage(open_subject(room.order(name), room.library))


def _node(stage: Stage, name: str) -> int:
    node = stage.subject.tree.node(name)
    assert node is not None
    return node


def _weights(stage: Stage) -> dict[str, float]:
    shown = stage.shown()
    return {view.name: view.weight for view in stage.views() if view.leaf and view.node in shown}


def test_a_tree_is_shown_on_the_model_its_clips_come_from(room: Room) -> None:
    (room.trees / "other.atr").write_text("man_walk\nman_fall\n")
    subject = open_subject(room.order("other"), room.library)
    assert subject.model.name == "man"
    assert [subject.tree.names[node] for node in subject.leaves] == ["man_walk", "man_fall"]


def test_a_model_without_a_tree_shows_all_its_clips(room: Room) -> None:
    (room.trees / "man.atr").unlink()
    subject = open_subject(room.order(), room.library)
    assert subject.file is None
    assert [subject.tree.names[node] for node in subject.leaves] == ["man_fall", "man_run", "man_walk"]
    assert open_subject(room.order("crate"), room.library).leaves == []


def test_an_unknown_name_names_the_nearest(room: Room) -> None:
    with pytest.raises(UnknownSubjectError, match="did you mean man"):
        room.order("mann")
    with pytest.raises(UnknownSubjectError, match="did you mean crate"):
        room.order("man", "crat")


def test_a_clip_is_shown_in_the_tree_of_its_model(room: Room) -> None:
    stage = _stage(room, "man_fall")
    assert (stage.subject.name, stage.subject.file) == ("man", room.trees / "man.atr")
    assert stage.subject.tree.names[stage.chosen] == "man_fall"
    (room.trees / "man.atr").write_text("man_walk\n")
    stage = _stage(room, "man_fall")
    assert stage.subject.file is None
    assert stage.subject.tree.names[stage.chosen] == "man_fall"


def test_files_are_shown_by_their_paths(room: Room, tmp_path: Path) -> None:
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    tree = elsewhere / "Other.atr"
    tree.write_text("man_fall\n")
    subject = open_subject(room.order(str(tree)), room.library)
    assert (subject.name, subject.file, subject.model.name) == ("other", tree, "man")
    # The path of a model is the model with all its clips, though there is a tree of its name.
    subject = open_subject(room.order(str(room.source)), room.library)
    assert (subject.file, len(subject.leaves)) == (None, 3)
    # One that lies in no asset folder is known from then on, and wins.
    shutil.copy(room.assets / "models" / "crate" / "crate.glb", elsewhere / "box.glb")
    subject = open_subject(room.order(str(elsewhere / "box.glb")), room.library)
    assert (subject.model.name, subject.leaves) == ("box", [])
    assert room.library.roots == (elsewhere / "box.glb", room.assets)
    for missing in ("none.atr", "none.glb"):
        with pytest.raises(UnknownSubjectError, match="there is no file"):
            room.order(str(elsewhere / missing))
    assert not room.told


def test_a_file_of_clips_alone_is_shown_on_a_model_with_its_bones(room: Room, tmp_path: Path) -> None:
    gltf = Gltf()
    lower = gltf.node("lower")
    upper = gltf.node("upper", lower, translation=[0, 1, 0])
    gltf.clip("nod", (upper, "rotation", [0, 1], [turn("x", 0), turn("x", 30)]))
    path = gltf.write(tmp_path / "nod.glb", "model = false\n")
    subject = open_subject(room.order(str(path)), room.library)
    assert subject.model.name in ("man", "crate")
    assert [subject.tree.names[leaf] for leaf in subject.leaves] == ["nod"]


def test_doubtful_trees_are_warned_of(room: Room) -> None:
    (room.trees / "man.atr").write_text("man_walk\nman_jump\n")
    subject = open_subject(room.order(), room.library)
    (warning,) = subject.warnings
    assert warning.code == "missing-clip"
    assert warning.span is not None
    assert warning.span.line == 2


def test_an_unknown_tag_is_an_error(room: Room) -> None:
    order = Order("man", (room.trees,), attach=(Attachment("crate", "uper"),))
    with pytest.raises(DiagnosticError, match="no tag 'uper'"):
        open_subject(order, room.library)


def test_something_carried_follows_its_bone(room: Room) -> None:
    order = Order("man", (room.trees,), attach=(Attachment("crate", "upper"),))
    _, carried = Stage(open_subject(order, room.library)).batches()
    assert carried.model.name == "crate"
    assert carried.transforms[0, :, 3] == pytest.approx([0, 0, INCH], abs=1e-3)


def test_choosing_a_leaf_plays_it_alone(room: Room) -> None:
    stage = _stage(room)
    stage.choose(_node(stage, "man_fall"))
    stage.step(0.1)
    assert set(_weights(stage)) == {"man_walk", "man_fall"}
    stage.step(0.5)
    assert _weights(stage) == {"man_fall": 1.0}


def test_choosing_a_parent_plays_its_children_in_step(room: Room) -> None:
    stage = _stage(room)
    stage.choose(_node(stage, "moves"))
    for _ in range(10):
        stage.step(0.05)
    assert _weights(stage) == {"man_walk": 1.0, "man_run": 1.0}
    times = {view.name: view.time for view in stage.views()}
    assert times["man_walk"] == pytest.approx(times["man_run"])


def test_weights_can_be_mixed(room: Room) -> None:
    stage = _stage(room)
    run = _node(stage, "man_run")
    stage.weigh(run, 0.4)
    stage.step(1.0)
    assert _weights(stage) == pytest.approx({"man_walk": 1.0, "man_run": 0.4})
    stage.toggle(run)
    stage.step(1.0)
    assert _weights(stage) == {"man_walk": 1.0}
    stage.weigh(run, 60.0)
    stage.step(5.0)
    assert _weights(stage)["man_run"] == pytest.approx(4.0)


def test_travel_moves_the_figure_over_the_ground(room: Room) -> None:
    stage = _stage(room)
    for _ in range(20):
        stage.step(0.05)
    assert stage.place[0] == pytest.approx(INCH, abs=0.5)
    stage.travel = False
    stage.go_home()
    stage.step(0.5)
    assert not stage.place.any()


def test_notes_are_shown_as_they_pass(room: Room) -> None:
    stage = _stage(room)
    for _ in range(9):
        stage.step(0.05)
    assert stage.passed == []
    stage.step(0.1)
    assert [note.name for note in stage.passed] == ["step"]
    for _ in range(60):
        stage.step(0.05)
    assert all(note.age < 1.2 for note in stage.passed)


def test_pause_and_frames(room: Room) -> None:
    stage = _stage(room)
    stage.scrub(0.5)
    stage.step(1.0)
    assert not stage.playing
    assert stage.fraction == pytest.approx(0.5)
    stage.step_frames(1)
    assert stage.fraction == pytest.approx(16 / 30)
    stage.scrub(0.0)
    stage.step_frames(-1)
    assert stage.fraction == pytest.approx(29 / 30)
    stage.scrub(2.0)
    assert stage.fraction == pytest.approx(1.0, abs=1e-3)


def test_clips_that_end_are_played_again(room: Room) -> None:
    stage = _stage(room)
    stage.choose(_node(stage, "man_fall"))
    stage.step(1.01)
    assert stage.fraction == 1.0
    stage.step(REST_AT_END)
    stage.step(0.1)
    assert stage.fraction < 0.3
    stage.repeat = False
    for _ in range(40):
        stage.step(0.1)
    assert stage.fraction == 1.0
    assert [note.name for note in stage.passed] == ["end"]


def test_speed_and_next(room: Room) -> None:
    stage = _stage(room)
    stage.faster(-1)
    stage.step(0.5)
    assert stage.fraction == pytest.approx(0.25)
    names = []
    for _ in range(3):
        stage.next(1)
        names.append(stage.subject.tree.names[stage.chosen])
    assert names == ["man_run", "man_fall", "man_walk"]


def test_a_tree_read_again_goes_on(room: Room) -> None:
    stage = _stage(room)
    for _ in range(8):
        stage.step(0.05)
    before = stage.fraction
    (room.trees / "man.atr").write_text("extra\n{\n\tman_fall\n}\n" + "moves : loopsync\n{\n\tman_walk\n}\n")
    stage.replace(open_subject(room.order(), room.library))
    assert stage.subject.tree.names[stage.chosen] == "man_walk"
    assert stage.fraction == pytest.approx(before)


def test_a_skin_is_a_model_of_its_own(room: Room) -> None:
    model = room.library.model("man")
    bare = in_skin(model, "bare")
    assert len(bare.meshes) == len(model.meshes) - 1
    assert in_skin(model, "bare") is bare
    assert in_skin(model, "nothing") is model


def test_the_camera_keeps_its_target_in_the_middle() -> None:
    orbit = Orbit()
    orbit.drag(120, -60)
    orbit.zoom(3)
    orbit.pan(40, 25, 720)
    camera = orbit.camera((100.0, -50.0, 0.0))
    target = np.append(orbit.target + np.array([100, -50, 0]), 1.0)
    clip = camera.projection(1.5) @ camera.view() @ target
    assert clip[:2] == pytest.approx([0, 0], abs=1e-2)
    assert clip[3] > 0


@pytest.mark.parametrize("aspect", [0.8, 1.0, 1.78])
def test_the_camera_frames_points_tightly(aspect: float) -> None:
    points = np.array([[x, y, z] for x in (-10, 10) for y in (-20, 20) for z in (0, 72)], np.float32)
    orbit = Orbit()
    orbit.frame(points, aspect)
    camera = orbit.camera()
    clip = np.concatenate([points, np.ones((8, 1))], axis=1) @ (camera.projection(aspect) @ camera.view()).T
    assert 0.85 < np.abs(clip[:, :2] / clip[:, 3:]).max() < 1.0


@pytest.mark.parametrize("size", [1e-5, 0.5, 3.0, 3e5])
def test_the_camera_stands_where_it_can_see(size: float) -> None:
    points = np.array([[x, y, z] for x in (-1, 1) for y in (-1, 1) for z in (0, 1)], np.float32) * size
    orbit = Orbit()
    orbit.frame(points, 1.0)
    camera = orbit.camera()
    assert camera.far > 2 * orbit.distance
    assert orbit.distance > 1.4 * camera.near
    if size > 1:
        ahead = np.append(points.max(axis=0), 1.0) @ camera.view().T
        assert camera.near < -ahead[2] < camera.far


EXTENDED = """#extended
moves : loopsync blend=speed
{
\tman_walk : at=60
\tman_run : at=160
}
man_fall : additive mask=upper,no_such_bone
"""


def test_an_extended_tree_is_shown_leaf_by_leaf(room: Room) -> None:
    (room.trees / "man.atr").write_text(EXTENDED)
    subject = open_subject(room.order(), room.library)
    assert [w.code for w in subject.warnings] == ["unknown-bone"]
    stage = Stage(subject)
    node = subject.tree.index
    for name, other in (("man_run", "man_walk"), ("man_walk", "man_run")):
        stage.choose(node[name], fade=0.0)
        stage.instances.step(0.0, lambda *_: None)
        weights = {view.name: view.weight for view in stage.views()}
        assert (weights[name], weights[other]) == (1.0, 0.0)
    # What is added is seen on what plays, and on the first leaf where nothing does.
    stage.choose(node["man_fall"], fade=0.0)
    stage.instances.step(0.0, lambda *_: None)
    assert [stage.instances.is_playing(0, node[name]) for name in ("man_walk", "man_fall")] == [True, True]
    stage.choose(node["moves"], fade=0.0)
    stage.weigh(node["man_run"], 1.5)
    assert {view.name: view.goal for view in stage.views()}["moves"] == 1.5
    stage.toggle(node["man_run"])
    stage.toggle(node["moves"])
    assert {view.name: view.goal for view in stage.views()}["moves"] == 0.0

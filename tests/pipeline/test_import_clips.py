"""Clips from glTF: length and loops, curves of every kind, rest poses, root motion and notes."""

from __future__ import annotations

import numpy as np
import pytest

from engine.anim.clip import ClipNote
from engine.pipeline.convert import convert
from engine.pipeline.faults import Faults
from engine.pipeline.formats import Format
from engine.pipeline.scene import Channel, Node, Scene, SceneAnimation, SceneMesh, Track
from engine.pipeline.settings import ModelSettings
from engine.source.render import to_text
from tests.pipeline.conftest import CookIt, posed
from tests.pipeline.gltf_writer import INCH, Gltf, strip, turn

LOOP = "[clips.move]\nloop = true\n"


def _slide(z: list[float], times: list[float] | None = None, mode: str = "LINEAR"):  # type: ignore[no-untyped-def]
    """A strip whose lower bone moves forward by `z` metres."""
    gltf = strip()
    moments = times if times is not None else [i / 30 for i in range(len(z))]
    gltf.clip("move", (0, "translation", moments, [[0, 0, v] for v in z], mode))
    return gltf


def _forward(clip) -> np.ndarray:  # type: ignore[no-untyped-def,type-arg]
    return np.asarray(clip.rows[:, 4, 0] / INCH)


def test_a_clip_is_sampled_at_thirty_a_second(cook_it: CookIt) -> None:
    clip = cook_it(_slide([0, 1], [0, 1])).clips["move"]
    assert (clip.frames, clip.fps, clip.length) == (31, pytest.approx(30), pytest.approx(1))
    assert np.allclose(_forward(clip), np.linspace(0, 1, 31), atol=1e-5)
    assert clip.notes == (ClipNote(1.0, "end"),)


def test_an_odd_length_is_kept_exactly(cook_it: CookIt) -> None:
    clip = cook_it(_slide([0, 1], [0, 1.05])).clips["move"]
    assert clip.length == pytest.approx(1.05, abs=1e-6)
    assert clip.fps == pytest.approx(30, rel=0.05)


def test_the_sample_rate_is_a_setting(cook_it: CookIt) -> None:
    assert cook_it(_slide([0, 1], [0, 1]), "sample_rate = 60").clips["move"].frames == 61


def test_a_clip_begins_at_its_first_key(cook_it: CookIt) -> None:
    """Authoring tools often count from frame 1: that is no dead frame at the start."""
    clip = cook_it(_slide([0, 1, 2], [1 / 30, 2 / 30, 3 / 30])).clips["move"]
    assert clip.frames == 3
    assert np.allclose(_forward(clip), [0, 1, 2], atol=1e-4)


def test_a4_three_keys_are_two_frames_long(cook_it: CookIt) -> None:
    clip = cook_it(_slide([0, 1, 2])).clips["move"]
    assert clip.frames == 3
    assert clip.length == pytest.approx(2 / 30)


def test_a4_a_closed_loop_keeps_its_length(cook_it: CookIt) -> None:
    """The last key repeats the first pose: nothing is added."""
    clip = cook_it(_slide([0, 0.2, 0.4, 0]), LOOP).clips["move"]
    assert clip.looping
    assert clip.length == pytest.approx(3 / 30)
    assert np.array_equal(clip.rows[0], clip.rows[-1])


def test_a4_an_open_loop_gets_its_closing_frame(cook_it: CookIt) -> None:
    """The last key leads up to the first pose: one frame of the source's rate is added, without a jump."""
    clip = cook_it(_slide([0, 0.05, 0.1, 0.05]), LOOP).clips["move"]
    assert clip.length == pytest.approx(4 / 30)
    assert np.allclose(_forward(clip), [0, 0.05, 0.1, 0.05, 0], atol=1e-5)
    assert np.array_equal(clip.rows[0], clip.rows[-1])


def test_the_closing_frame_has_the_sources_rate(cook_it: CookIt) -> None:
    clip = cook_it(_slide([0, 0.05, 0.1, 0.05], [0, 0.1, 0.2, 0.3]), "fps = 10\n" + LOOP).clips["move"]
    assert clip.length == pytest.approx(0.4)
    assert _forward(clip)[-1] == pytest.approx(0, abs=1e-5)
    assert np.abs(np.diff(_forward(clip))).max() < 0.02


def test_stepped_curves_hold_and_then_jump(cook_it: CookIt) -> None:
    clip = cook_it(_slide([0, 1, 2], [0, 5 / 30, 10 / 30], "STEP")).clips["move"]
    assert np.allclose(_forward(clip), [0] * 5 + [1] * 5 + [2], atol=1e-4)


def test_cubic_curves_follow_their_tangents(cook_it: CookIt) -> None:
    """A point with no tangents eases in and out: the quarter of the way is at 0.15625."""
    gltf = strip()
    points = [[0, 0, v] for v in (0, 0, 0, 0, 1, 0)]  # in-tangent, value, out-tangent for each key
    gltf.clip("move", (0, "translation", [0, 1], points, "CUBICSPLINE"))
    clip = cook_it(gltf, "sample_rate = 20").clips["move"]
    assert _forward(clip)[[5, 10, 15]] == pytest.approx([0.15625, 0.5, 0.84375], abs=1e-4)


def test_a9_cubic_rotations_are_unit_long(cook_it: CookIt) -> None:
    gltf = strip()
    zero = [0.0] * 4
    keys = [zero, turn("x", 0), zero, zero, turn("x", 170), zero]
    gltf.clip("bend", (1, "rotation", [0, 0.5], keys, "CUBICSPLINE"))
    result = cook_it(gltf)
    clip = result.clips["bend"]
    assert np.allclose(np.linalg.norm(clip.rows[:, :4], axis=1), 1, atol=1e-6)
    lengths = [np.linalg.norm(np.ptp(posed(result.model, clip, f), axis=0)) for f in range(clip.frames)]
    assert min(lengths) > 0.9 * INCH


def test_linear_rotations_turn_evenly_the_short_way(cook_it: CookIt) -> None:
    gltf = strip()
    far = [-v for v in turn("x", 90)]  # the same rotation on the other side of the sphere
    gltf.clip("bend", (1, "rotation", [0, 1], [turn("x", 0), far]))
    clip = cook_it(gltf, "sample_rate = 9").clips["bend"]
    angles = 2 * np.degrees(np.arccos(np.clip(np.abs(clip.rows[:, 3, 0]), 0, 1)))
    assert angles == pytest.approx(np.arange(10) * 10.0, abs=0.05)
    assert (np.sum(clip.rows[1:, :4] * clip.rows[:-1, :4], axis=1) > 0).all()


def test_a10_one_key_is_a_still_clip(cook_it: CookIt) -> None:
    clip = cook_it(_slide([0.5], [0]), LOOP).clips["move"]
    assert (clip.frames, clip.length) == (1, 0)
    assert np.isfinite(clip.frequency)
    assert _forward(clip) == pytest.approx([0.5])


def test_a11_bones_without_tracks_keep_their_rest_pose(cook_it: CookIt) -> None:
    result = cook_it(_slide([0, 0]))
    clip = result.clips["move"]
    assert clip.bones == ("lower",)
    assert np.allclose(posed(result.model, clip), posed(result.model), atol=1e-4)


def test_a11_a_property_without_keys_is_at_rest(cook_it: CookIt) -> None:
    """Only the rotation of `upper` is animated: it stays one metre up."""
    gltf = strip()
    gltf.clip("bend", (1, "rotation", [0, 1], [turn("x", 0), turn("x", 90)]))
    clip = cook_it(gltf).clips["bend"]
    assert np.allclose(clip.rows[:, 4:7, 0], [0, 0, INCH], atol=1e-4)


def test_a14_tracks_with_different_keys_are_sampled_each(cook_it: CookIt) -> None:
    gltf = strip()
    gltf.clip(
        "mixed",
        (0, "translation", [0, 1], [[0, 0, 0], [0, 0, 1]]),
        (0, "rotation", [0, 0.25, 0.5, 0.75, 1], [turn("y", a) for a in (0, 20, 40, 20, 0)]),
        (0, "scale", [0], [[1, 1, 1]]),
    )
    clip = cook_it(gltf).clips["mixed"]
    assert np.allclose(_forward(clip), np.linspace(0, 1, 31), atol=1e-5)
    assert 2 * np.degrees(np.arccos(clip.rows[15, 3, 0])) == pytest.approx(40, abs=0.01)


def test_quaternions_without_length_become_no_rotation(cook_it: CookIt) -> None:
    gltf = strip()
    gltf.clip("bend", (1, "rotation", [0, 1], [[0, 0, 0, 0], turn("x", 90)]))
    rows = cook_it(gltf).clips["bend"].rows
    assert np.isfinite(rows).all()
    assert rows[0, :4, 0] == pytest.approx([0, 0, 0, 1])


def test_an_animated_armature_above_the_bones_counts(cook_it: CookIt) -> None:
    gltf = strip()
    gltf.document["scenes"][0]["nodes"] = [2]
    armature = gltf.node("armature", children=[0])
    gltf.clip("move", (armature, "translation", [0, 1], [[0, 0, 0], [0, 0, 2]]))
    result = cook_it(gltf)
    clip = result.clips["move"]
    assert clip.bones == ("lower",)
    assert _forward(clip)[-1] == pytest.approx(2)


def test_uneven_scale_is_named(cook_it: CookIt) -> None:
    gltf = strip()
    gltf.clip("squash", (1, "scale", [0, 1], [[1, 1, 1], [1, 0.5, 1]]))
    result = cook_it(gltf)
    assert result.codes == ["uneven-scale"]
    assert "`upper`" in result.diagnostics[0].message


def test_even_scale_is_kept(cook_it: CookIt) -> None:
    gltf = strip()
    gltf.clip("grow", (1, "scale", [0, 1], [[1, 1, 1], [2, 2, 2]]))
    assert cook_it(gltf).clips["grow"].rows[-1, 7, 0] == pytest.approx(2)


# Settings ---------------------------------------------------------------------------------------------


def test_notes_by_frame_time_and_fraction(cook_it: CookIt) -> None:
    sidecar = """
fps = 10
[clips.move]
notes = [
    { name = "Late", at = 0.9 },
    { name = "by_frame", frame = 5 },
    { name = "by_time", time = 0.25 },
]
"""
    clip = cook_it(_slide([0, 1], [0, 1]), sidecar).clips["move"]
    assert [(note.name, round(note.fraction, 6)) for note in clip.notes] == [
        ("by_time", 0.25),
        ("by_frame", 0.5),
        ("late", 0.9),
        ("end", 1.0),
    ]


def test_note_frames_count_on_the_sources_time_line(cook_it: CookIt) -> None:
    sidecar = '[clips.move]\nnotes = [{ name = "mid", frame = 45 }]\n'
    clip = cook_it(_slide([0, 1], [1, 2]), sidecar).clips["move"]
    assert clip.notes[0].fraction == pytest.approx(0.5)


def test_a_note_outside_its_clip_is_an_error_at_its_line(cook_it: CookIt) -> None:
    sidecar = '[clips.move]\nnotes = [\n  { name = "a", frame = 3 },\n  { name = "b", frame = 99 },\n]\n'
    result = cook_it(_slide([0, 1], [0, 1]), sidecar)
    assert result.codes == ["note-outside"]
    text = to_text(result.diagnostics[0])
    assert "thing.toml:4:" in text
    assert "frames 0 to 30" in text
    assert [note.name for note in result.clips["move"].notes] == ["a", "end"]


def test_frames_cut_out_a_part(cook_it: CookIt) -> None:
    clip = cook_it(_slide([0, 3], [0, 3]), "[clips.move]\nframes = [30, 60]\n").clips["move"]
    assert clip.length == pytest.approx(1)
    assert _forward(clip)[[0, -1]] == pytest.approx([1, 2], abs=1e-4)


def test_clips_can_be_renamed_and_limited_to_bones(cook_it: CookIt) -> None:
    gltf = _slide([0, 1], [0, 1])
    gltf.clip(
        "Wave.01",
        (0, "translation", [0, 1], [[0, 0, 0], [0, 0, 1]]),
        (1, "rotation", [0, 1], [turn("x", 0), turn("x", 90)]),
    )
    sidecar = '[clips.move]\nname = "thing_move"\n[clips.wave_01]\nbones = ["upper"]\n'
    clips = cook_it(gltf, sidecar).clips
    assert sorted(clips) == ["thing_move", "wave_01"]
    assert clips["wave_01"].bones == ("upper",)


def test_settings_for_unknown_things_are_errors_with_hints(cook_it: CookIt) -> None:
    sidecar = 'root = "lowr"\n[clips.mov]\nloop = true\n[materials.nothing]\nroughness = 1\n'
    result = cook_it(_slide([0, 1]), sidecar)
    assert result.codes == ["unknown-bone", "unknown-source-animation", "unknown-material"]
    texts = [to_text(d) for d in result.diagnostics]
    assert "thing.toml:1:1" in texts[0]
    assert "did you mean lower?" in texts[0]
    assert "did you mean move?" in texts[1]
    assert "thing.toml:4:" in texts[2]


# Root motion --------------------------------------------------------------------------------------------


def test_full_root_motion_moves_the_entity_and_not_the_pose(cook_it: CookIt) -> None:
    gltf = strip()
    gltf.clip(
        "move",
        (0, "translation", [0, 0.5, 1], [[0, 0, 0], [0.1, 0.2, 1], [0, 0, 2]]),
    )
    clip = cook_it(gltf, LOOP + "root_motion = true\n").clips["move"]
    assert clip.delta is not None
    assert clip.delta[-1] == pytest.approx([2 * INCH, 0, 0, 0], abs=1e-3)
    assert clip.delta[15, :2] == pytest.approx([INCH, 0.1 * INCH], abs=1e-3)
    assert np.allclose(clip.rows[:, 4:6, 0], 0, atol=1e-3)
    assert clip.rows[15, 6, 0] == pytest.approx(0.2 * INCH, abs=1e-3)
    assert clip.length == pytest.approx(1)


def test_linear_root_motion_leaves_the_sway(cook_it: CookIt) -> None:
    gltf = strip()
    gltf.clip("move", (0, "translation", [0, 0.5, 1], [[0, 0, 0], [0.1, 0, 1], [0, 0, 2]]))
    clip = cook_it(gltf, LOOP + 'root_motion = "linear"\n').clips["move"]
    assert clip.delta is not None
    assert np.allclose(clip.delta[:, 0], np.linspace(0, 2 * INCH, 31), atol=1e-3)
    assert clip.rows[15, 5, 0] == pytest.approx(0.1 * INCH, abs=1e-3)


def test_turning_root_motion_has_yaw_and_no_drift(cook_it: CookIt) -> None:
    """A quarter turn to the left (counter-clockwise from above) about a point beside the root."""
    gltf = strip()
    angles = np.linspace(0, 90, 31)
    path = [[1 - np.cos(np.radians(a)), 0, np.sin(np.radians(a))] for a in angles]
    times = np.linspace(0, 1, 31)
    gltf.clip(
        "move", (0, "translation", times, path), (0, "rotation", times, [turn("y", float(a)) for a in angles])
    )
    clip = cook_it(gltf, "[clips.move]\nroot_motion = true\n").clips["move"]
    assert clip.delta is not None
    assert clip.delta[-1] == pytest.approx([INCH, INCH, 0, 90], abs=1e-2)
    assert np.allclose(clip.rows[:, :4, 0], [0, 0, 0, 1], atol=1e-4)
    assert np.allclose(clip.rows[:, 4:6, 0], 0, atol=1e-2)


def test_open_loops_extend_their_travel(cook_it: CookIt) -> None:
    """Three of four frames of an even walk: the closing frame travels like the others."""
    gltf = strip()
    times = [0, 1 / 30, 2 / 30, 3 / 30]
    gltf.clip(
        "move",
        (0, "translation", times, [[0, 0, i] for i in range(4)]),
        (1, "rotation", times, [turn("x", a) for a in (0, 20, 0, -20)]),
    )
    clip = cook_it(gltf, LOOP + "root_motion = true\n").clips["move"]
    assert clip.delta is not None
    assert np.allclose(clip.delta[:, 0], np.arange(5) * INCH, atol=1e-2)


def test_a_loop_that_walks_off_is_warned_of(cook_it: CookIt) -> None:
    result = cook_it(_slide([0, 1, 2]), LOOP)
    assert result.codes == ["loop-travels"]
    assert "root_motion = true" in result.diagnostics[0].notes[0].message


# Scenes that no glTF file can hold ------------------------------------------------------------------------


def _scene(rate: float, duration: float = 48.0) -> Scene:
    triangle = SceneMesh(
        "mesh",
        0,
        np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0]], np.float32),
        np.array([[0, 0, 1]] * 3, np.float32),
        None,
        None,
        np.array([[0, 1, 2]], np.uint32),
    )
    track = Track(np.array([0.0, duration]), np.array([[0.0, 0, 0], [0, 0, 1]]))
    animation = SceneAnimation("move", duration, rate, [Channel("part", translation=track)])
    nodes = [Node("scene", -1, np.eye(4)), Node("part", 0, np.eye(4), (0,))]
    return Scene(nodes, [triangle], animations=[animation])


def test_a3_no_ticks_a_second_means_frames() -> None:
    """Where the file does not say how long a tick is, it is a frame of `fps`."""
    faults = Faults("a.x")
    (clip,) = convert("a", _scene(0), ModelSettings(fps=24), Format(), lambda _: None, faults).clips
    assert clip.length == pytest.approx(2.0)
    assert np.isfinite(clip.rows).all()
    assert not faults.found


@pytest.mark.parametrize("duration", [float("nan"), float("inf"), 1e9])
def test_senseless_key_times_are_an_error(duration: float) -> None:
    faults = Faults("a.x")
    content = convert("a", _scene(25, duration), ModelSettings(), Format(), lambda _: None, faults)
    assert content.clips == ()
    assert [d.code for d in faults.found] == ["bad-clip"]


def test_a13_texture_number_without_image_is_a_checker() -> None:
    from engine.pipeline.placeholder import checker_png
    from engine.pipeline.scene import SceneMaterial

    scene = _scene(25)
    scene.materials.append(SceneMaterial("paint", texture="*3"))
    scene.images.append(checker_png())
    faults = Faults("a.x")
    model = convert("a", scene, ModelSettings(), Format(), lambda _: None, faults).model
    assert model is not None
    assert model.materials[0].texture == 0
    assert [d.code for d in faults.found] == ["missing-texture"]


# Clips that move nothing ----------------------------------------------------------------------------------


def _pivot() -> Gltf:
    """A clip of a node that has the name of what libassimp makes of an FBX pivot, and so is no bone."""
    gltf = strip()
    node = gltf.node("bone_$AssimpFbx$_Rotation")
    gltf.clip("move", (node, "translation", [0, 1], [[0, 0, 0], [0, 0, 1]]))
    return gltf


def _empty() -> Gltf:
    gltf = strip()
    gltf.add("animations", name="move", samplers=[], channels=[])
    return gltf


@pytest.mark.parametrize(
    ("gltf", "sidecar", "code", "place", "said"),
    [
        (_slide([0, 1]), '\nbones = ["lowr"]', "unknown-bone", "thing.toml:3:1", "did you mean lower?"),
        (_slide([0, 1]), 'bones = ["upper"]', "bad-clip", "thing.toml:2:1", "it moves: lower"),
        (_pivot(), "loop = true", "bad-clip", "thing.glb:1:1", "`move` moves no bone"),
        (_pivot(), 'mirror = "other"', "bad-clip", "thing.glb:1:1", "`move` moves no bone"),
        (_empty(), "loop = true", "bad-clip", "thing.glb:1:1", "`move` moves no bone"),
    ],
    ids=["a bone that is not there", "a bone without keys", "no bone", "mirrored", "no keys"],
)
def test_a_clip_that_moves_no_bone_is_told_and_stands_still(
    cook_it: CookIt, gltf: Gltf, sidecar: str, code: str, place: str, said: str
) -> None:
    result = cook_it(gltf, f"[clips.MOVE]\n{sidecar}\n")
    assert result.codes == [code]
    text = to_text(result.diagnostics[0])
    assert place in text
    assert "`move`" in text
    assert said in text
    assert {clip.bones for clip in result.clips.values()} == {()}
    assert result.clips["move"].notes == (ClipNote(1.0, "end"),)
    assert len(result.model.meshes) == 1


def test_some_unknown_bones_leave_the_known_ones(cook_it: CookIt) -> None:
    result = cook_it(_slide([0, 1]), '[clips.move]\nbones = ["lower", "nose"]\n')
    assert result.codes == ["unknown-bone"]
    assert result.clips["move"].bones == ("lower",)


def test_a_clip_is_found_in_the_sidecar_by_either_of_its_names(cook_it: CookIt) -> None:
    """`Wave.01` is the clip `wave_01`; what is wrong with it is told at its line, whatever its capitals."""
    gltf = strip()
    gltf.clip("Wave.01", (1, "rotation", [0, 1], [turn("x", 0), turn("x", 90)]))
    for name in ("Wave_01", '"WAVE.01"'):
        sidecar = f'[clips.other]\n\n[clips.{name}]\nnotes = [{{ name = "late", frame = 90 }}]\n'
        faults = [to_text(d) for d in cook_it(gltf, sidecar).diagnostics if d.code == "note-outside"]
        assert [":4:" in fault for fault in faults] == [True]


# Frames that are not there ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("frames", "length", "forward"),
    [
        ("10, 400", 2 / 3, [1 / 3, 1]),
        ("0, 32", 1, [0, 1]),
        ("100, 200", 0, [1, 1]),
    ],
)
def test_frames_outside_the_animation_are_an_error_at_their_line(
    cook_it: CookIt, frames: str, length: float, forward: list[float]
) -> None:
    """What there is of them is the clip."""
    result = cook_it(_slide([0, 1], [0, 1]), f"[clips.MOVE]\nloop = false\nframes = [{frames}]\n")
    assert [(d.code, d.severity) for d in result.diagnostics] == [("bad-setting", "error")]
    text = to_text(result.diagnostics[0])
    assert "thing.toml:3:1" in text
    assert "frames 0 to 30, at 30 a second" in text
    clip = result.clips["move"]
    assert clip.length == pytest.approx(length)
    assert _forward(clip)[[0, -1]] == pytest.approx(forward, abs=1e-4)


def test_frames_before_the_animation_are_an_error_too(cook_it: CookIt) -> None:
    result = cook_it(_slide([0, 1], [1, 2]), "[clips.move]\nframes = [0, 60]\n")
    assert result.codes == ["bad-setting"]
    assert "frames 30 to 60" in to_text(result.diagnostics[0])


@pytest.mark.parametrize("frames", ["0, 30", "30, 30", "0, 30.4", "5.5, 6"])
def test_frames_of_the_animation_are_fine(cook_it: CookIt, frames: str) -> None:
    assert cook_it(_slide([0, 1], [0, 1]), f"[clips.move]\nframes = [{frames}]\n").diagnostics == ()


def test_the_frame_of_a_pose_is_fine(cook_it: CookIt) -> None:
    """A pose is one key, wherever it stands; Blender counts from frame 1."""
    assert cook_it(_slide([1], [1 / 24]), "fps = 24\n[clips.move]\nframes = [1, 1]\n").diagnostics == ()

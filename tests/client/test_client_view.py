"""The camera, sound by place, effects, HUD text, preferences and what a picture looks at."""

from __future__ import annotations

import math
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from engine.anim.skeleton import Skeleton
from engine.client import preferences as prefs
from engine.client.audio import Ear, bend, gains, muffle
from engine.client.camera import View, behind
from engine.client.canvas import PAPER, RED, Canvas
from engine.client.effects import MOST_DECALS, MOST_PARTICLES, Effects
from engine.client.framing import BODY, PORTRAIT, best_shot, close_shot
from engine.client.hud import Hud, coloured, draw_element
from engine.client.render.scene import FLAME, Camera
from engine.client.text import Letters
from engine.pipeline.sounds import SoundAlias
from engine.world.view import EffectEvent, FrameView, HudElement, Message, PoseBatch, Shake, Vector, Viewpoint
from tests.client.fake_session import FakeSession

ALIAS = SoundAlias("shot", (), near=80.0, far=2000.0)
EAR = Ear((0.0, 0.0, 0.0), 90.0)


def test_the_camera_projects_left_to_the_left_and_up_to_the_top():
    camera = Camera((10.0, 20.0, 30.0), (0.0, 90.0, 0.0), 90.0)
    matrix = camera.projection(2.0) @ camera.view()
    for point, x, y in (((10, 120, 30), 0, 0), ((-90, 120, 30), -1, 0), ((10, 120, 80), 0, 1)):
        clip = matrix @ np.array((*point, 1.0))
        assert clip[:2] / clip[3] == pytest.approx((x, y), abs=1e-5)
        assert clip[3] > 0


def test_the_third_person_stops_before_a_wall():
    free = behind((0, 0, 60), (0.0, 0.0, 0.0), None)
    near = behind((0, 0, 60), (0.0, 0.0, 0.0), lambda a, b: 0.5)
    assert free[0] < -90
    assert near[0] == pytest.approx(free[0] * 0.44)


def test_a_shot_throws_the_view_as_far_as_its_weapon_says_and_the_view_comes_back():
    player = FakeSession().state
    view = View()
    view.step(player, 0.016)
    pitch, yaw, _ = view.camera(player).angles
    shot = replace(player, shots=1, kick=(2.0, -0.5))
    seen = []
    for _ in range(120):
        view.step(shot, 0.008)
        seen.append(view.camera(shot).angles)
    assert min(angles[0] for angles in seen) == pytest.approx(pitch - 2.0, abs=0.15)
    assert min(angles[1] for angles in seen) == pytest.approx(yaw - 0.5, abs=0.05)
    assert seen[-1][0] == pytest.approx(pitch, abs=0.05)


def test_an_old_shot_is_not_shown_when_the_view_begins():
    player = replace(FakeSession().state, shots=12)
    view = View()
    view.step(player, 0.016)
    assert view.camera(player).angles[0] == pytest.approx(0.0, abs=0.3)


def test_stairs_are_smooth_and_teleports_are_not():
    player = FakeSession().state
    view = View()
    view.step(player, 0.016)
    step = replace(player, eye=(-100.0, 0.0, 68.0))
    view.step(step, 0.016)
    assert 60 < view.camera(step).position[2] < 64
    far = replace(player, eye=(-100.0, 0.0, 300.0))
    view.step(far, 0.016)
    assert view.camera(far).position[2] == pytest.approx(300.0, abs=2.0)


def test_a_quake_shakes_near_and_not_far():
    player = FakeSession().state
    view = View()
    view.shake(Shake(1.0, 1.0, (-100.0, 0.0, 0.0), 500.0))
    view.shake(Shake(1.0, 1.0, (9000.0, 0.0, 0.0), 500.0))
    view.step(player, 0.1)
    assert abs(view.camera(player).angles[0]) > 0.3
    for _ in range(11):
        view.step(player, 0.1)
    assert abs(view.camera(player).angles[0]) < 0.3


def test_sound_is_louder_near_and_on_its_side():
    near, far = gains(ALIAS, EAR, (0, 100, 0), 1.0), gains(ALIAS, EAR, (0, 1000, 0), 1.0)
    assert near[0] == pytest.approx(near[1])
    assert near[0] > 3 * far[0] > 0
    left, right, _ = gains(ALIAS, EAR, (-300, 0, 0), 1.0)
    assert left > 2 * right
    assert gains(ALIAS, EAR, (0, 2000, 0), 1.0)[:2] == (0.0, 0.0)


def test_sound_grows_dull_with_distance_and_never_without_a_place():
    assert [gains(ALIAS, EAR, (0, d, 0), 1.0)[2] for d in (100, 700, 1500)] == [0, 1, 2]
    assert gains(ALIAS, EAR, None, 0.5) == (0.5, 0.5, 0)
    assert gains(replace(ALIAS, positional=False), EAR, (0, 1900, 0), 0.5) == (0.5, 0.5, 0)


def test_muffling_keeps_low_tones_and_takes_high_ones():
    time = np.arange(44100) / 44100
    low, high = (np.sin(2 * np.pi * f * time).astype(np.float32) for f in (100, 6000))
    assert np.abs(muffle(low, 1)).max() > 0.9
    assert np.abs(muffle(high, 1)[1000:-1000]).max() < 0.1
    assert muffle(low, 0) is low


def test_bending_changes_the_length():
    wave = np.zeros(1000, np.float32)
    assert len(bend(wave, 1.25)) == pytest.approx(800, abs=1)
    assert bend(wave, 1.0) is wave


@pytest.mark.parametrize(
    "effect",
    ["impact", "muzzle", "tracer", "explosion", "smoke", "smoke_screen", "fire", "sparks", "fx/unheard_of"],
)
def test_every_effect_shows_something_and_ends(effect: str):
    effects = Effects()
    effects.show(EffectEvent(effect, (0, 0, 0), (0, 0, 1), end=(500, 0, 0), surface="stone"))
    assert effects.count
    for _ in range(1000):
        effects.step(0.05)
    assert effects.count == 0
    assert (
        len(effects.sprites()) == len(effects.beams()) == len(effects.decals()) == len(effects.lights()) == 0
    )


def test_a_muzzle_lights_its_surroundings_for_a_moment():
    effects = Effects()
    effects.show(EffectEvent("muzzle", (0, 0, 50), (1, 0, 0)))
    assert effects.lights()[0].radius > 100
    effects.step(0.07)
    assert not effects.lights()


def test_hits_on_bodies_leave_no_mark_and_walls_do():
    effects = Effects()
    effects.show(EffectEvent("impact", (0, 0, 0), surface="flesh", entity=3))
    assert not len(effects.decals())
    effects.show(EffectEvent("impact", (0, 0, 0), surface="wood"))
    assert len(effects.decals()) == 1


def test_effects_never_pile_up():
    effects = Effects()
    for _ in range(400):
        effects.show(EffectEvent("impact", (0, 0, 0), surface="metal"))
    assert len(effects.sprites()) <= MOST_PARTICLES
    assert len(effects.decals()) <= MOST_DECALS


@pytest.mark.parametrize("effect", ["fire", "flame"])
def test_fire_rises_cools_and_no_tongue_is_like_another(effect: str):
    effects = Effects()
    for _ in range(12):
        effects.show(EffectEvent(effect, (0, 0, 50), (0, 0, 1)))
        effects.step(0.02)
    rows = effects.sprites()
    tongues = rows[rows[:, 8] >= FLAME]
    assert len(tongues) >= 12
    assert len(np.unique(tongues[:, 8])) == len(tongues)
    assert (tongues[:, 8] < FLAME + 1).all()
    brightness = tongues[:, 4]
    for _ in range(5):
        effects.step(0.02)
    later = effects.sprites()
    later = later[later[:, 8] >= FLAME]
    assert later[:, 2].mean() > tongues[:, 2].mean(), "it licks upwards"
    assert later[:, 4].mean() < brightness.mean()


def test_text_of_the_hud_stands_on_dark_plates(canvas: Canvas):
    element = HudElement(
        1, "text", "9 LIVES", 320, 100, "center", "middle", "default", 1.0, (0.93, 0.9, 0.84), 0.5, 1.0
    )
    draw_element(canvas, element)
    rows = canvas.quads()
    letters = rows[rows[:, 8] > 0.5]
    plates = rows[rows[:, 8] < 0.2]
    assert len(letters) == 6
    assert plates[:, 0].min() < letters[:, 0].min()
    assert (plates[:, 0] + plates[:, 2]).max() > (letters[:, 0] + letters[:, 2]).max()
    assert 0.1 < plates[0, 11] < 0.5, "fainter than the text"
    assert (rows[: len(plates), 8] < 0.2).all(), "behind it"


def test_tracers_fly_and_arrive():
    effects = Effects()
    effects.show(EffectEvent("tracer", (0, 0, 0), (1, 0, 0), end=(900, 0, 0)))
    effects.step(0.05)
    beam = effects.beams()[0]
    assert 0 < beam[0] < beam[3] <= 900
    effects.step(0.1)
    assert not len(effects.beams())


def test_colour_codes_split_text():
    assert coloured("a^1b^7c", PAPER) == [("a", PAPER), ("b", RED), ("c", PAPER)]
    assert coloured("5^ 2^x", PAPER) == [("5^ 2^x", PAPER)]
    assert coloured("^1", PAPER) == []


@pytest.fixture
def canvas() -> Canvas:
    return Canvas(Letters(720), (1280, 720))


def element(**changes: object) -> HudElement:
    base = HudElement(
        1, "shader", "white", 320.0, 240.0, "left", "top", "default", 1.0, (1.0, 0.0, 0.0), 1.0, 0.0
    )
    return replace(base, width=64.0, height=32.0, **changes)  # type: ignore[arg-type]


def test_hud_elements_keep_the_middle_in_the_middle(canvas: Canvas):
    draw_element(canvas, element(align_x="center", align_y="middle"))
    x, y, w, h = canvas.quads()[0, :4]
    assert (x + w / 2, y + h / 2) == (640, 360)
    assert (w, h) == (96, 48)


def test_hud_elements_from_the_left_are_measured_on_a_four_to_three_screen(canvas: Canvas):
    draw_element(canvas, element(x=0.0, y=0.0))
    assert canvas.quads()[0, 0] == 640 - 320 * 1.5


def test_faded_elements_are_not_drawn(canvas: Canvas):
    draw_element(canvas, element(alpha=0.0))
    assert not len(canvas.quads())


def test_right_aligned_text_ends_where_it_is_told(canvas: Canvas):
    canvas.text(500, 10, "120", align="right")
    row = canvas.quads()[-1]
    assert row[0] + row[2] == pytest.approx(500, abs=3)


def test_text_wraps_at_spaces_and_breaks_what_is_too_long(canvas: Canvas):
    lines = canvas.wrap("one two three " + "x" * 80, 200)
    assert lines[0].startswith("one two")
    assert all(canvas.letters.width(line) <= 200 for line in lines)
    assert "".join(lines).replace(" ", "") == "onetwothree" + "x" * 80


def test_a_full_sheet_starts_again_instead_of_failing():
    letters = Letters(2160, sheet_size=512)
    for code in range(33, 255):
        glyph = letters.glyph("large", chr(code))
        assert 0 <= glyph.box[0] < glyph.box[2] <= 1
    assert letters.sheet.version > 100


def test_messages_come_and_fade():
    hud = Hud()
    frame = FrameView(
        1, 50, {}, messages=(Message("line", "a"), Message("line", "b", player=3), Message("bold", "c"))
    )
    hud.see(frame, 0)
    assert [said.text for said in hud.lines] == ["a"]
    assert hud.bold is not None
    hud.step(None, 7.0)
    assert not hud.lines
    assert hud.bold is None


def test_preferences_survive_and_damage_does_not_hurt(tmp_path: Path):
    path = tmp_path / "deep" / "client.json"
    wanted = prefs.Preferences(effects=0.3, invert=True, fov=95.0)
    assert prefs.save(wanted, path) == ""
    assert prefs.load(path) == (wanted, "")
    path.write_text('{"effects": 40, "fov": "wide", "other": 1}')
    mended, told = prefs.load(path)
    assert mended == prefs.Preferences(effects=1.0)
    assert "fov is a number from 60 to 110, effects is a number from 0 to 1" in told
    path.write_text("{")
    loaded, complaint = prefs.load(path)
    assert loaded == prefs.Preferences()
    assert "cannot be read" in complaint
    (tmp_path / "file").write_text("")
    assert "cannot be kept" in prefs.save(wanted, tmp_path / "file" / "client.json")


def test_the_picture_is_taken_from_where_the_figures_are_seen_best():
    session = FakeSession()
    before, frame = session.frame(), session.frame()
    chest = frame.entities[7].origin
    near = Viewpoint((chest[0] - 300.0, chest[1], 60.0), (0.0, 8.0, 0.0))
    far = Viewpoint((chest[0] - 760.0, chest[1], 60.0), (0.0, 0.0, 0.0))
    shot = best_shot(before, frame, [far, near], None, session.trace)
    assert shot is not None
    assert not shot.own
    assert shot.camera.position == near.origin
    assert abs((shot.camera.angles[1] + 180) % 360 - 180) < 8
    assert best_shot(before, frame, [far, near], None, lambda a, b: 0.2) is None
    assert best_shot(before, frame, [], None, session.trace) is None


def test_the_picture_is_not_taken_through_what_stands_close():
    session = FakeSession()
    before, frame = session.frame(), session.frame()
    chest = frame.entities[7].origin
    open_place = Viewpoint((chest[0] - 480.0, chest[1], 60.0), (0.0, 0.0, 0.0))
    behind_a_rail = Viewpoint((chest[0] - 300.0, chest[1], 60.0), (0.0, 0.0, 0.0))

    def trace(start: Vector, end: Vector) -> float:
        # Only the way to the figure itself is free from behind the rail.
        return 1.0 if start == open_place.origin or math.dist(end, (*chest[:2], 44.0)) < 1 else 0.3

    shot = best_shot(before, frame, [behind_a_rail, open_place], None, trace)
    assert shot is not None
    assert shot.camera.position == open_place.origin


def test_the_picture_has_the_sun_behind_it_rather_than_before_it():
    session = FakeSession()
    before, frame = session.frame(), session.frame()
    chest = frame.entities[7].origin
    west = Viewpoint((chest[0] - 300.0, chest[1], 60.0), (0.0, 0.0, 0.0))
    east = Viewpoint((chest[0] + 300.0, chest[1], 60.0), (0.0, 180.0, 0.0))
    for sun, wanted in (((0.9, 0.0, 0.4), east), ((-0.9, 0.0, 0.4), west)):
        shot = best_shot(before, frame, [west, east], None, lambda a, b: 1.0, sun)
        assert shot is not None
        assert shot.camera.position == wanted.origin


def test_the_players_own_eye_competes_while_it_lives():
    session = FakeSession()
    before, frame = session.frame(), session.frame()
    chest = frame.entities[7].origin
    wanted = math.degrees(math.atan2(chest[1], chest[0] + 100)) % 360
    shot = best_shot(before, frame, [], session.state, session.trace)
    assert shot is not None
    assert shot.own
    assert shot.camera.position == session.state.eye
    assert abs((shot.camera.angles[1] - wanted + 180) % 360 - 180) <= 4
    assert best_shot(before, frame, [], replace(session.state, alive=False), session.trace) is None


def test_where_nobody_sees_anything_a_camera_is_set_up_for_a_body_in_motion():
    session = FakeSession()
    names = tuple(f"bone{i}" for i in range(BODY))
    rest = np.zeros((8, BODY), np.float32)
    rest[3] = rest[7] = 1
    inverse = np.tile(np.eye(4, dtype=np.float32)[:3], (BODY, 1, 1))
    skeleton = Skeleton(names, np.arange(-1, BODY - 1, dtype=np.int32), rest, inverse)
    before, frame = session.frame(), session.frame()
    before, frame = (replace(f, poses=(PoseBatch(skeleton, rest[None]),)) for f in (before, frame))
    shot = best_shot(before, frame, [], replace(session.state, alive=False), session.trace)
    assert shot is not None
    assert not shot.own
    chest = frame.entities[7].origin
    assert math.dist(shot.camera.position[:2], chest[:2]) == pytest.approx(240.0, abs=0.1)
    yaw = math.degrees(math.atan2(chest[1] - shot.camera.position[1], chest[0] - shot.camera.position[0]))
    assert abs((shot.camera.angles[1] - yaw + 180) % 360 - 180) < 0.1


def test_a_portrait_shows_a_moving_figure_from_the_front_and_in_the_sun():
    session = FakeSession()
    before, frame = session.frame(), session.frame()
    figure = frame.entities[7]
    facing = math.radians(figure.angles[1])
    sun = (math.cos(facing + 0.7), math.sin(facing + 0.7), 0.5)
    shot = close_shot(before, frame, sun, session.trace)
    assert shot is not None
    assert not shot.own
    away = [shot.camera.position[i] - figure.origin[i] for i in range(2)]
    assert math.hypot(*away) == pytest.approx(PORTRAIT, abs=0.1)
    assert away[0] * math.cos(facing) + away[1] * math.sin(facing) > 60, "its face is seen"
    assert away[0] * sun[0] + away[1] * sun[1] > 60, "from the side of the sun"
    assert close_shot(before, frame, sun, lambda a, b: 0.5) is None
    post = (figure.origin[0] + away[0] / 2, figure.origin[1] + away[1] / 2, 0.0)
    other = close_shot(before, frame, sun, session.trace, [post])
    assert other is not None
    assert other.camera.position != shot.camera.position, "not with a lamp in between"
    assert close_shot(frame, frame, sun, session.trace) is None, "nothing moves"
    fallen = replace(frame, entities={n: replace(state, dying=True) for n, state in frame.entities.items()})
    assert close_shot(before, fallen, sun, session.trace) is None, "nobody is taken as he falls"

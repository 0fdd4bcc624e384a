"""What an animator does in the preview besides playing: weights, two clips side by side, wires, light, problems."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pygame
import pytest

from engine.client.preview.app import PreviewApp
from engine.client.preview.motion_path import path_batch
from engine.client.preview.statistics import clip_facts, copies, model_facts
from engine.client.preview.subject import open_subject
from engine.client.preview.wire import wire_of
from engine.client.projecting import project
from engine.client.window import Window, WindowSettings
from tests.preview.conftest import SIDECAR, Room

INCH = 39.37007874


@pytest.fixture
def app(room: Room) -> Iterator[PreviewApp]:
    window = Window(WindowSettings(size=(960, 540), headless=True, gl="off"))
    made = PreviewApp(
        window, room.order(), open_subject(room.order(), room.library), room.library, room.told.append
    )
    made.step(0.05)
    made.draw()
    yield made
    window.close()


def node(app: PreviewApp, name: str) -> int:
    return app.stage.subject.tree.index[name]


def place(app: PreviewApp, part: str, name: str = "", along: float = 0.5) -> tuple[int, int]:
    spots = [s for s in app.panel.spots if s.part == part and (not name or s.node == node(app, name))]
    x, y, w, h = spots[0].box
    return round(x + w * along), round(y + h / 2)


def press(app: PreviewApp, at: tuple[int, int]) -> None:
    app.handle(pygame.event.Event(pygame.MOUSEBUTTONDOWN, pos=at, button=1))


def drag(app: PreviewApp, start: tuple[int, int], end: tuple[int, int]) -> None:
    press(app, start)
    moved = end[0] - start[0], end[1] - start[1]
    app.handle(pygame.event.Event(pygame.MOUSEMOTION, pos=end, rel=moved, buttons=(1, 0, 0)))
    app.handle(pygame.event.Event(pygame.MOUSEBUTTONUP, pos=end, button=1))


def key(app: PreviewApp, code: int) -> None:
    app.handle(pygame.event.Event(pygame.KEYDOWN, key=code, mod=0))


def weights(app: PreviewApp) -> dict[str, float]:
    return {view.name: round(view.weight, 2) for view in app.stage.views()}


# Weights ------------------------------------------------------------------------------------------------


def test_a_weight_is_dragged_and_the_blend_is_seen(app: PreviewApp) -> None:
    app.stage.playing = False
    before = app.stage.pose().copy()
    start, end = place(app, "weight", "man_fall", 0.1), place(app, "weight", "man_fall", 0.75)
    drag(app, start, end)
    app.step(0.02)
    assert weights(app)["man_fall"] == pytest.approx(0.75, abs=0.02)
    assert weights(app)["man_walk"] == 1.0
    app.stage.instances.set_time(app.stage.row, node(app, "man_fall"), 0.9)
    app.step(0.02)
    assert abs(app.stage.pose() - before).max() > 0.02
    drag(app, end, (end[0] - 500, end[1]))
    app.step(0.02)
    assert weights(app)["man_fall"] == 0.0


def test_a_group_that_is_dragged_to_nothing_keeps_what_is_below_it(app: PreviewApp) -> None:
    end = place(app, "weight", "moves", 0.0)
    drag(app, place(app, "weight", "moves", 0.9), (end[0] - 3, end[1]))
    app.step(0.02)
    assert (weights(app)["moves"], weights(app)["man_walk"]) == (0.0, 1.0)
    drag(app, end, place(app, "weight", "moves", 1.0))
    app.step(0.02)
    assert weights(app)["moves"] == pytest.approx(1.0, abs=0.02)


def test_a_double_click_and_the_key_put_weights_back(
    app: PreviewApp, monkeypatch: pytest.MonkeyPatch
) -> None:
    now = 1000
    monkeypatch.setattr(pygame.time, "get_ticks", lambda: now)
    drag(app, place(app, "weight", "man_walk", 0.9), place(app, "weight", "man_walk", 0.3))
    now = 3000
    drag(app, place(app, "weight", "man_fall", 0.1), place(app, "weight", "man_fall", 0.8))
    app.step(0.02)
    time = app.stage.fraction
    now = 5000
    for _ in range(2):
        press(app, place(app, "weight", "man_fall"))
        app.handle(pygame.event.Event(pygame.MOUSEBUTTONUP, pos=(0, 0), button=1))
        now += 100
    app.step(1.0)
    assert (weights(app)["man_fall"], weights(app)["man_walk"]) == (0.0, pytest.approx(0.3, abs=0.02))
    app.stage.scrub(time)
    key(app, pygame.K_r)
    assert app.stage.fraction == pytest.approx(time)
    app.stage.playing = True
    app.step(1.0)
    assert weights(app)["man_walk"] == 1.0


def test_the_wheel_weighs_on_a_bar_and_scrolls_beside_it(
    app: PreviewApp, room: Room, monkeypatch: pytest.MonkeyPatch
) -> None:
    def wheel(at: tuple[int, int], turns: int) -> None:
        monkeypatch.setattr(pygame.mouse, "get_pos", lambda: at)
        app.handle(pygame.event.Event(pygame.MOUSEWHEEL, y=turns, x=0))

    wheel(place(app, "weight", "man_fall"), 3)
    assert app.stage.goal(node(app, "man_fall")) == pytest.approx(0.3)
    path = room.trees / "man.atr"
    path.write_text(
        "man_walk\n" + "".join(f"group{n}\n{{\n\tman_{n}\n}}\n" for n in range(30)) + "man_fall\n"
    )
    assert app.reload([path])
    app.draw()
    wheel(place(app, "node", "group2", 0.1), -4)
    app.draw()
    assert app.panel.scroll > 0
    assert all(view.goal == 0 for view in app.stage.views() if view.name.startswith("group"))
    # What is chosen with the keys is brought into sight.
    app.stage.choose(node(app, "man_fall"))
    app.draw()
    assert place(app, "node", "man_fall")
    app.stage.choose(node(app, "man_walk"))
    app.draw()
    assert place(app, "node", "man_walk")


def test_a_parameter_of_an_extended_tree_has_a_bar(app: PreviewApp, room: Room) -> None:
    path = room.trees / "man.atr"
    path.write_text("#extended\nmoves : loopsync blend=speed\n{\n\tman_walk : at=60\n\tman_run : at=160\n}\n")
    assert app.reload([path])
    app.stage.choose(node(app, "moves"), fade=0.0)
    app.step(0.02)
    app.draw()
    drag(app, place(app, "parameter", along=0.1), place(app, "parameter", along=0.75))
    app.step(0.02)
    (slider,) = app.stage.parameters()
    assert (slider.name, slider.low, slider.high) == ("speed", 60.0, 160.0)
    assert slider.value == pytest.approx(135.0, abs=2.0)
    assert weights(app)["man_run"] == pytest.approx(0.75, abs=0.02)
    app.draw()
    drag(app, place(app, "parameter", along=0.5), (5, place(app, "parameter")[1]))
    assert app.stage.parameters()[0].value == 60.0


def test_a_model_without_clips_has_none_to_choose(room: Room, app: PreviewApp) -> None:
    bare = PreviewApp(
        app.window, room.order("crate"), open_subject(room.order("crate"), room.library), room.library,
        room.told.append,
    )  # fmt: skip
    bare.step(0.05)
    bare.draw()
    assert (bare.stage.views(), bare.stage.clip) == ([], None)
    for code in (
        pygame.K_SPACE,
        pygame.K_RIGHT,
        pygame.K_HOME,
        pygame.K_DOWN,
        pygame.K_r,
        pygame.K_i,
        pygame.K_p,
    ):
        key(bare, code)
        bare.step(0.05)
        bare.draw()


# Two clips ----------------------------------------------------------------------------------------------


def test_two_clips_run_side_by_side_on_one_clock(app: PreviewApp, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pygame.key, "get_mods", lambda: pygame.KMOD_CTRL)
    press(app, place(app, "node", "man_run", 0.2))
    beside = app.beside
    assert beside is not None
    assert beside.stage.clip is not None
    assert (beside.stage.clip.name, app.stage.clip.name) == ("man_run", "man_walk")  # type: ignore[union-attr]  # it has one
    assert beside.stage.moment == pytest.approx(app.stage.moment)
    for _ in range(6):
        app.step(0.05)
    assert beside.stage.moment == pytest.approx(app.stage.moment, abs=1e-3)
    app.draw()
    monkeypatch.setattr(pygame.key, "get_mods", lambda: 0)
    app.handle(pygame.event.Event(pygame.MOUSEBUTTONUP, pos=(0, 0), button=1))
    drag(app, place(app, "timeline", along=0.2), place(app, "timeline", along=0.8))
    assert app.stage.moment == pytest.approx(0.8, abs=0.01)
    assert beside.stage.moment == pytest.approx(0.3, abs=0.01)  # its loop has half a second
    key(app, pygame.K_RIGHT)
    assert beside.stage.moment == pytest.approx(app.stage.moment - 0.5, abs=0.01)
    # They stand beside each other, and both are drawn.
    own, other = app.batches()
    assert other.transforms[0, 1, 3] - own.transforms[0, 1, 3] == pytest.approx(beside.offset[1])
    monkeypatch.setattr(pygame.key, "get_mods", lambda: pygame.KMOD_CTRL)
    press(app, place(app, "node", "man_run", 0.2))
    assert app.beside is None
    assert len(app.batches()) == 1


def test_what_ends_waits_for_the_other_and_both_begin_again(app: PreviewApp, room: Room) -> None:
    path = room.trees / "man.atr"
    path.write_text("man_walk\nman_fall\nman_drop\n")
    room.source.with_suffix(".toml").write_text(
        SIDECAR.replace(
            "[clips.man_run]\nloop = true\nroot_motion = true\n", "[clips.man_run]\nname = 'man_drop'\n"
        )
    )
    assert app.reload([path])
    assert app.stage.subject.tree.index["man_drop"]
    app.stage.choose(node(app, "man_drop"), fade=0.0)
    app.show_beside(node(app, "man_fall"))
    beside = app.beside
    assert beside is not None
    for _ in range(19):
        app.step(0.05)
    assert app.stage.ended
    assert beside.stage.moment == pytest.approx(0.95, abs=1e-3)
    while app.stage.ended:
        app.step(0.05)
    assert beside.stage.moment == pytest.approx(app.stage.moment, abs=1e-3)


def test_the_second_figure_goes_on_with_a_saved_tree(app: PreviewApp, room: Room) -> None:
    app.show_beside(node(app, "man_run"))
    path = room.trees / "man.atr"
    path.write_text("group : loopsync\n{\n\tman_run\n}\nman_walk\n")
    assert app.reload([path])
    assert app.beside is not None
    assert app.beside.stage.clip is not None
    assert app.beside.stage.clip.name == "man_run"
    app.step(0.05)
    app.draw()


# On the ground, light, wires -----------------------------------------------------------------------------


def test_the_way_lies_where_the_figure_goes(app: PreviewApp) -> None:
    stage = app.stage
    key(app, pygame.K_p)
    way = app.ground()
    assert len(way) == 1
    begin = way[0].transforms[0, :, 3]
    mesh = way[0].model.meshes[0]
    assert mesh.positions[:, 0].max() == pytest.approx(INCH, abs=3)
    for _ in range(9):
        app.step(0.05)
        now = app.ground()[0].transforms[0, :, 3]
        assert now == pytest.approx(begin, abs=0.2)  # one way for the whole pass, while he walks along it
    assert stage.place[0] == pytest.approx(INCH / 2, abs=1)
    stage.choose(node(app, "man_fall"), fade=0.0)
    assert app.ground() == []


def test_the_way_turns_with_the_figure(app: PreviewApp) -> None:
    clip = app.stage.subject.tree.clip(node(app, "man_walk"))
    batch = path_batch(clip, 0.5, (0.0, 100.0, 0.0), 90.0)
    assert batch is not None
    # He faces y and has come half of his way, so he began below.
    assert batch.transforms[0, :, 3] == pytest.approx([0.0, 100.0 - INCH / 2, 0.0], abs=0.5)


def test_the_light_turns_with_keys_and_mouse(app: PreviewApp, monkeypatch: pytest.MonkeyPatch) -> None:
    before = app.look.air(100.0).sun_direction
    key(app, pygame.K_PERIOD)
    turned = app.look.air(100.0).sun_direction
    assert turned != pytest.approx(before)
    assert turned[2] == pytest.approx(before[2])
    key(app, pygame.K_COMMA)
    assert app.look.air(100.0).sun_direction == pytest.approx(before)
    monkeypatch.setattr(pygame.key, "get_mods", lambda: pygame.KMOD_CTRL)
    yaw = app.orbit.yaw
    drag(app, (600, 200), (650, 120))
    assert app.look.air(100.0).sun_direction[2] > before[2]
    assert app.orbit.yaw == yaw
    assert np.linalg.norm(app.look.air(100.0).sun_direction) == pytest.approx(1.0)


def test_the_figure_stays_beside_the_list_when_one_comes_nearer(app: PreviewApp) -> None:
    app.panel.help = False
    app.frame_figure()
    width, height = app.window.renderer.size
    free = (364 * height / 720 + width) / 2
    for turns in (0, 6, 6):
        app.orbit.zoom(turns)
        points, seen = project(app.orbit.camera(), app.orbit.target[None], width, height)
        assert seen.all()
        assert points[0, 0] == pytest.approx(free, abs=3)


def test_what_is_large_is_not_seen_through_haze(app: PreviewApp) -> None:
    near, far = app.look.air(150.0), app.look.air(1500.0)
    assert near.fog_start == 500.0
    assert far.fog_start > 1500.0
    assert far.fog_end > far.fog_start


def test_a_wire_frame_has_a_strip_for_each_edge_seen_from_outside(app: PreviewApp) -> None:
    model = app.model
    wire = wire_of(model, 0.1)
    assert wire_of(model, 0.095) is wire
    assert wire_of(model, 0.3) is not wire
    for mesh, strips in zip(model.meshes, wire.meshes, strict=True):
        places = np.round(mesh.positions, 3)[mesh.indices.astype(int)]
        edges = {
            frozenset((tuple(corner[a]), tuple(corner[b])))
            for corner in places.tolist()
            for a, b in ((0, 1), (1, 2), (2, 0))
        }
        assert len(strips.indices) == 2 * len(edges)
        a, b, c = (strips.positions[strips.indices[:, k].astype(int)] for k in range(3))
        facing = np.einsum(
            "ij,ij->i", np.cross(b - a, c - a), strips.normals[strips.indices[:, 0].astype(int)]
        )
        assert (facing > 0).all()
        assert set(map(tuple, strips.joints.tolist())) <= set(map(tuple, mesh.joints.tolist()))
    key(app, pygame.K_w)
    assert [batch.model.name for batch in app.scene().models] == ["floor", "man", "man wire"]
    key(app, pygame.K_w)
    assert [batch.model.name for batch in app.scene().models] == ["floor", "man wire"]


def test_figures_of_a_model_and_a_clip(app: PreviewApp) -> None:
    model, clip = app.model, app.stage.clip
    facts = " | ".join(model_facts(model))
    triangles = sum(len(mesh.indices) for mesh in model.meshes)
    assert "2 bones, 2 meshes" in facts
    assert f"{triangles} triangles" in facts
    assert "inches" in facts
    assert clip is not None
    told = " | ".join(clip_facts(clip))
    assert f"{clip.frames * len(clip.bones)} keys" in told
    assert "travels 39 inches, 39 a second" in told
    assert copies(model) == "no coarser copies"


def test_what_the_mouse_is_over_is_explained(app: PreviewApp) -> None:
    app.draw()
    before = app.window.renderer.read_pixels().astype(int)
    at = place(app, "node", "man_walk", 0.2)
    app.handle(pygame.event.Event(pygame.MOUSEMOTION, pos=at, rel=(0, 0), buttons=(0, 0, 0)))
    app.draw()
    shown = np.abs(app.window.renderer.read_pixels().astype(int) - before).sum(axis=2) > 40
    panel = round(364 * 540 / 720)
    foot = round(540 * (1 - 92 / 720))
    assert shown[foot - 40 : foot - 10, 10 : panel - 10].mean() > 0.3
    assert not shown[:foot, panel:].any(), "nothing lies over the figure"


# Problems -----------------------------------------------------------------------------------------------


def test_problems_are_listed_chosen_and_gone_when_repaired(app: PreviewApp, room: Room) -> None:
    assert app.problems.words() == "no problems"
    path = room.trees / "man.atr"
    path.write_text("man_walk\nman_run\nman_jump\n")
    assert app.reload([path])
    assert app.problems.words() == "1 problem"
    assert app.problems.worst == "warning"
    app.draw()
    press(app, place(app, "problems"))
    assert app.problems.open
    app.draw()
    (spot,) = [spot for spot in app.problems.spots if spot.part == "problem"]
    press(app, (round(spot.box[0] + 30), round(spot.box[1] + 10)))
    assert app.problems.chosen == 0
    assert app.stage.subject.tree.names[app.stage.chosen] == "man_jump"
    app.draw()
    taller = next(spot for spot in app.problems.spots if spot.part == "problem")
    assert taller.box[3] > spot.box[3]  # with its source now
    path.write_text("man_walk man_run\n")
    assert not app.reload([path])
    assert app.problems.worst == "error"
    assert "one name a line" in app.problems.listed[0].message
    path.write_text("man_walk\nman_run\nman_walk\n")
    assert app.reload([path])
    assert [problem.severity for problem in app.problems.listed] == ["warning"]
    assert "'man_walk' stands in this block again" in app.problems.listed[0].message
    path.write_text("man_walk\nman_run\n")
    assert app.reload([path])
    assert app.problems.listed == []
    key(app, pygame.K_x)
    assert not app.problems.open


def test_what_cooking_found_is_among_the_problems(app: PreviewApp, room: Room) -> None:
    sidecar = room.source.with_suffix(".toml")
    sidecar.write_text(SIDECAR + "[clips.man_nothing]\nloop = true\n")
    assert app.reload([sidecar])
    (problem,) = app.problems.listed
    assert "man_nothing" in problem.message
    assert Path(problem.span.path).name == "man.toml"  # type: ignore[union-attr]  # it has a place

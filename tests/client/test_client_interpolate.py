"""Two frames and a moment between them: places, angles, poses, attachments, tags."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from engine.client.interpolate import draw_world, turn
from engine.client.render.scene import Camera
from engine.world.view import EntityState, FrameView, PoseBatch
from tests.client.fake_session import FakeLibrary

LIBRARY = FakeLibrary()
SKELETON = LIBRARY.model("figure").skeleton


def state(**changes: object) -> EntityState:
    base = EntityState(5, 1, "figure", "", (0.0, 0.0, 0.0), (0.0, 0.0, 0.0), True, (0, 0))
    return replace(base, **changes)  # type: ignore[arg-type]


def frame(one: EntityState, lift: float = 0.0) -> FrameView:
    local = SKELETON.rest.copy()
    local[6, 1] += lift
    return FrameView(1, 50, {one.number: one}, (PoseBatch(SKELETON, local[None]),))


def place(drawn, index: int = 0):
    return drawn.models[index].transforms[0][:, 3]


def test_places_lie_between_the_frames():
    drawn = draw_world(frame(state()), frame(state(origin=(100.0, 0.0, 8.0))), 0.25, LIBRARY.model)
    assert place(drawn) == pytest.approx((25.0, 0.0, 2.0))


@pytest.mark.parametrize(
    ("a", "b", "middle"), [(350, 10, 360), (10, 350, 0), (-170, 170, -180), (90, 100, 95)]
)
def test_angles_go_the_short_way(a: float, b: float, middle: float):
    assert turn(a, b, 0.5) == pytest.approx(middle)


@pytest.mark.parametrize("changes", [{"teleport": True}, {"serial": 2}])
def test_what_did_not_travel_is_where_it_is(changes: dict[str, object]):
    after = state(origin=(100.0, 0.0, 0.0), **changes)
    assert place(draw_world(frame(state()), frame(after), 0.25, LIBRARY.model)) == pytest.approx((100, 0, 0))


def test_what_has_just_appeared_is_where_it_is():
    after = frame(state(origin=(100.0, 0.0, 0.0)))
    assert place(draw_world(FrameView(0, 0, {}), after, 0.25, LIBRARY.model)) == pytest.approx((100, 0, 0))


def test_poses_lie_between_the_frames():
    drawn = draw_world(frame(state()), frame(state(), lift=10.0), 0.5, LIBRARY.model)
    palettes = drawn.models[0].palettes
    assert palettes is not None
    assert palettes[0, 1, :, 3] == pytest.approx((0, 0, 5), abs=1e-4)
    assert palettes[0, 0] == pytest.approx(np.eye(4)[:3], abs=1e-5)


@pytest.mark.parametrize(
    ("distance", "fov", "height"), [(1900.0, 80.0, 5.0), (2100.0, 80.0, 10.0), (2100.0, 30.0, 5.0)]
)
def test_far_poses_are_those_of_the_last_server_frame(distance: float, fov: float, height: float):
    camera = Camera((-distance, 0.0, 0.0), fov=fov)
    now = frame(state(), lift=10.0)
    drawn = draw_world(frame(state()), now, 0.5, LIBRARY.model, camera=camera)
    palettes = drawn.models[0].palettes
    assert palettes is not None
    assert palettes[0, 1, :, 3] == pytest.approx((0, 0, height), abs=1e-4)
    assert drawn.tags is not None
    again = draw_world(frame(state()), now, 0.7, LIBRARY.model, camera=camera)
    assert (np.abs(again.models[0].palettes - palettes).max() < 1e-6) == (height == 10.0)


def test_hidden_things_are_not_drawn_but_their_tags_are_known():
    after = frame(state(origin=(10.0, 0.0, 0.0)))
    drawn = draw_world(after, after, 1.0, LIBRARY.model, hidden=5)
    assert not drawn.models
    assert drawn.count == 0
    assert drawn.tags is not None
    tag = drawn.tags.find(5, "tag_top")
    assert tag is not None
    assert tag[:, 3] == pytest.approx((10, 0, 70))


def test_invisible_things_have_no_tags():
    after = frame(state(visible=False))
    drawn = draw_world(after, after, 1.0, LIBRARY.model)
    assert not drawn.models
    assert drawn.tags is not None
    assert drawn.tags.find(5, "") is None


def test_attachments_hang_on_the_posed_tag():
    after = frame(state(angles=(0.0, 90.0, 0.0), attachments=(("hat", "tag_top"),)), lift=4.0)
    drawn = draw_world(after, after, 1.0, LIBRARY.model)
    hats = [batch for batch in drawn.models if batch.model is LIBRARY.model("hat")]
    assert hats[0].transforms[0][:, 3] == pytest.approx((0, 0, 74), abs=1e-3)
    assert hats[0].transforms[0][:, 0] == pytest.approx((0, 1, 0), abs=1e-5)


def test_an_attachment_to_a_still_model_uses_its_rest_pose():
    after = frame(state(pose=None, attachments=(("hat", "tag_top"),)))
    drawn = draw_world(after, after, 1.0, LIBRARY.model)
    hats = [batch for batch in drawn.models if batch.model is LIBRARY.model("hat")]
    assert hats[0].transforms[0][:, 3] == pytest.approx((0, 0, 70), abs=1e-3)


def test_a_known_place_goes_before_the_frames():
    after = frame(state())
    own = np.eye(4, dtype=np.float32)[:3]
    own[:, 3] = 7, 8, 9
    assert place(draw_world(after, after, 0.5, LIBRARY.model, places={5: own})) == pytest.approx((7, 8, 9))


def test_equal_models_are_one_batch():
    states = {n: state(number=n, origin=(float(n), 0.0, 0.0)) for n in range(4)}
    view = FrameView(1, 50, states, (PoseBatch(SKELETON, SKELETON.rest[None]),))
    drawn = draw_world(view, view, 1.0, LIBRARY.model)
    assert len(drawn.models) == 1
    assert drawn.models[0].transforms.shape == (4, 3, 4)


def test_a_figure_in_a_skin_is_drawn_with_its_materials():
    figure = LIBRARY.model("figure")
    dressed = replace(
        figure, materials=(*figure.materials, replace(figure.materials[0], name="cloth")), skins={"red": (1,)}
    )
    drawn = draw_world(frame(state()), frame(state(skin="red")), 0.5, lambda name: dressed)
    assert [mesh.material for mesh in drawn.models[0].model.meshes] == [1]
    drawn = draw_world(frame(state()), frame(state()), 0.5, lambda name: dressed)
    assert drawn.models[0].model is dressed

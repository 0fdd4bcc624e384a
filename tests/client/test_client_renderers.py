"""Both renderers draw a small place without a screen, and what is in the pictures is where it should be."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
import pygame
import pytest

from engine.client.canvas import Canvas
from engine.client.hud import Hud
from engine.client.render.cells import Cells, in_cells
from engine.client.render.charts import INSET, faces, unfold
from engine.client.render.detail import Step, coarser, steps
from engine.client.render.gl import GLRenderer, GLUnusableError
from engine.client.render.pace import SCALES, SETTLE, Pace
from engine.client.render.programs import MAX_LIGHTS, chosen_lights
from engine.client.render.quality import HIGH, SOFTWARE, suits
from engine.client.render.renderer import Renderer
from engine.client.render.scene import FLAME, Camera, Light, ModelBatch, Scene, placed, view_planes
from engine.client.render.shadow_shape import SIMPLE, shadow_shape
from engine.client.render.sheet import Sheet, SheetFullError
from engine.client.render.soft import SoftRenderer, _clipped
from engine.client.render.surfaces import kind_of, normals, paint
from engine.client.text import Letters
from tests.client.fake_session import AIR, FakeSession, block, face, level

SIZE = (320, 180)
CAMERA = Camera((-100.0, 0.0, 60.0), (0.0, 0.0, 0.0))


def open_window(driver: str, flags: int) -> None:
    os.environ["SDL_VIDEODRIVER"] = driver
    pygame.display.quit()
    pygame.display.init()
    if flags & pygame.OPENGL:
        pygame.display.gl_set_attribute(pygame.GL_CONTEXT_MAJOR_VERSION, 3)
        pygame.display.gl_set_attribute(pygame.GL_CONTEXT_MINOR_VERSION, 3)
        pygame.display.gl_set_attribute(pygame.GL_CONTEXT_PROFILE_MASK, pygame.GL_CONTEXT_PROFILE_CORE)
    pygame.display.set_mode(SIZE, flags)


@pytest.fixture(scope="module", params=["gl", "soft"])
def renderer(request: pytest.FixtureRequest) -> Iterator[Renderer]:
    made: Renderer
    if request.param == "gl":
        try:
            open_window("offscreen", pygame.OPENGL | pygame.DOUBLEBUF)
            # On a busy machine it would draw fewer pixels, in the middle of a test that compares two pictures.
            made = GLRenderer(SIZE, quality=replace(SOFTWARE, adaptive=False), offscreen=True)
        except (pygame.error, GLUnusableError) as error:
            pytest.skip(f"no OpenGL here: {error}")
    else:
        open_window("dummy", 0)
        made = SoftRenderer(SIZE)
    made.load_level(level())
    yield made
    made.close()
    pygame.display.quit()


def picture(renderer: Renderer, scene: Scene) -> np.ndarray:
    renderer.draw(scene)
    return renderer.read_pixels().astype(int)


def scene(**parts: object) -> Scene:
    return Scene(CAMERA, 1.0, AIR, **parts)  # type: ignore[arg-type]


def spot(pixels: np.ndarray, x: float, y: float) -> np.ndarray:
    """The mean colour of a small patch; x and y are parts of the picture from the top left."""
    height, width = pixels.shape[:2]
    at_x, at_y = int(x * width), int(y * height)
    return pixels[at_y - 2 : at_y + 3, at_x - 2 : at_x + 3].reshape(-1, 3).mean(axis=0)


def test_sky_above_is_blue_and_the_sand_below_is_not(renderer: Renderer):
    pixels = picture(renderer, scene())
    assert pixels.shape == (180, 320, 3)
    sky, ground = spot(pixels, 0.5, 0.06), spot(pixels, 0.5, 0.9)
    assert sky[2] > sky[0]
    assert ground[0] > ground[2] + 15
    assert sky.min() > 60


def test_the_red_pillar_stands_left_of_the_middle(renderer: Renderer):
    pixels = picture(renderer, scene())
    red = (
        (pixels[..., 0] > 100) & (pixels[..., 0] > 2 * pixels[..., 1]) & (pixels[..., 0] > 2 * pixels[..., 2])
    )
    assert red.sum() > 200
    _, columns = np.nonzero(red)
    assert columns.max() < 160
    assert 90 < columns.mean() < 150


def test_a_model_stands_where_it_is_put_and_its_pose_moves_it(renderer: Renderer):
    figure = block("green", (20, 20, 70), (40, 220, 40))
    there = placed((100.0, -40.0, 0.0), (0.0, 0.0, 0.0))[None]

    def green(batch: ModelBatch) -> tuple[int, float]:
        pixels = picture(renderer, scene(models=[batch]))
        mask = (pixels[..., 1] > pixels[..., 0] * 1.3) & (pixels[..., 1] > pixels[..., 2] * 1.3)
        rows, columns = np.nonzero(mask)
        assert columns.min() > 160
        return int(mask.sum()), float(rows.min())

    size, top = green(ModelBatch(figure, there))
    assert size > 150
    lifted = np.tile(np.eye(4, dtype=np.float32)[:3], (1, 2, 1, 1))
    lifted[0, 1, 2, 3] = 30.0
    higher, raised = green(ModelBatch(figure, there, lifted))
    assert higher > size
    assert raised < top - 8


def test_a_tint_colours_a_model(renderer: Renderer):
    figure = block("white", (20, 20, 70), (230, 230, 230))
    there = placed((60.0, 0.0, 0.0), (0.0, 0.0, 0.0))[None]
    tint = np.array([[0.1, 0.1, 1.0, 0.0]], np.float32)
    colour = spot(picture(renderer, scene(models=[ModelBatch(figure, there, tints=tint)])), 0.5, 0.6)
    assert colour[2] > colour[0] + 40


def test_a_model_behind_the_wall_is_hidden(renderer: Renderer):
    figure = block("green", (20, 20, 70), (40, 220, 40))
    there = placed((500.0, 0.0, 0.0), (0.0, 0.0, 0.0))[None]
    pixels = picture(renderer, scene(models=[ModelBatch(figure, there)]))
    assert np.array_equal(pixels, picture(renderer, scene()))


def test_quads_lie_over_everything_in_their_colour(renderer: Renderer):
    letters = Letters(SIZE[1])
    canvas = Canvas(letters, SIZE)
    canvas.box(10, 20, 40, 30, (0.0, 1.0, 1.0))
    plain = picture(renderer, scene())
    pixels = picture(renderer, scene(quads=canvas.quads(), sheet=letters.sheet))
    assert pixels[21:49, 11:49].reshape(-1, 3).mean(axis=0) == pytest.approx((0, 255, 255), abs=2)
    changed = np.abs(pixels - plain).sum(axis=2) > 0
    assert not changed[60:].any()
    assert not changed[:, 60:].any()


def test_text_is_light_with_a_dark_edge(renderer: Renderer):
    letters = Letters(SIZE[1])
    canvas = Canvas(letters, SIZE)
    canvas.box(0, 0, 320, 60, (0.5, 0.5, 0.5))
    canvas.text(20, 20, "HHHH", "large", (1.0, 1.0, 1.0))
    pixels = picture(renderer, scene(quads=canvas.quads(), sheet=letters.sheet))[:60]
    assert pixels.max() > 240
    assert pixels.min() < 70


def test_the_frame_of_the_hurt_and_the_dead_is_soft_everywhere(renderer: Renderer):
    session = FakeSession()
    letters = Letters(SIZE[1])
    for health, alive in ((0, False), (8, True)):
        hud, canvas = Hud(), Canvas(letters, SIZE)
        player = replace(session.state, health=health, alive=alive)
        hud._draw_damage(canvas, player)
        assert len(canvas.quads()) == 1
        for _ in range(2):
            renderer.draw_screen(canvas.quads(), letters.sheet)
            red = renderer.read_pixels()[..., 0].astype(int)
        height, width = red.shape
        assert not red[height // 2, width // 2]
        assert red[0].min() > 30
        assert red[:, 0].min() > 30
        assert np.abs(red - red[::-1]).max() <= 8, "above as below"
        assert np.abs(red - red[:, ::-1]).max() <= 8, "left as right"
        for quarter in (red[: height // 2, : width // 2], red[: height // 2, : width // 2].T):
            step = np.diff(quarter, axis=0)
            assert step.max() <= 1, "it only fades inwards"
            assert step.min() >= -9, "and nowhere at once"


def test_close_things_are_drawn_over_near_walls(renderer: Renderer):
    tool = block("green", (8, 8, 8), (40, 240, 40))
    at = placed((392.0, 0.0, 56.0), (0.0, 0.0, 0.0))
    camera = Camera((380.0, 0.0, 60.0), (0.0, 0.0, 0.0))
    far = at.copy()
    far[0, 3] = 405.0  # inside the wall
    pixels = picture(renderer, Scene(camera, 1.0, AIR, models=[ModelBatch(tool, far[None], close=True)]))
    assert (pixels[..., 1] > pixels[..., 0] * 1.3).sum() > 300


def test_pictures_of_another_size(renderer: Renderer):
    if renderer.name.startswith("plain"):
        pytest.skip("a plain window's surface changes with the window, not with the renderer")
    renderer.resize((200, 120))
    try:
        assert picture(renderer, scene()).shape == (120, 200, 3)
    finally:
        renderer.resize(SIZE)


def test_shadows_lights_and_air_on_opengl(renderer: Renderer):
    if renderer.name.startswith("plain"):
        pytest.skip("plain surfaces have no shadows")
    bare = picture(renderer, scene())
    figure = block("grey", (30, 30, 80), (120, 120, 120))
    there = placed((60.0, 60.0, 0.0), (0.0, 0.0, 0.0))[None]
    shaded = picture(renderer, scene(models=[ModelBatch(figure, there)]))
    darker = (bare.sum(axis=2) - shaded.sum(axis=2))[110:] > 60
    assert darker.sum() > 100, "a figure in the sun throws a shadow on the ground"
    lamp = Light((100.0, -60.0, 20.0), (4.0, 3.0, 1.0), 200.0)
    lit = picture(renderer, scene(lights=[lamp]))
    gain = lit.sum(axis=2) - bare.sum(axis=2)
    assert gain[:, 160:].max() > 60
    assert np.abs(gain[:40]).max() <= 3, "the sky is no wall"


def test_a_tongue_of_fire_lights_up_what_is_behind_it_and_is_hottest_below(renderer: Renderer):
    if renderer.name.startswith("plain"):
        pytest.skip("plain surfaces have flat discs")
    bare = picture(renderer, scene())
    flame = np.array([(40.0, -30.0, 45.0, 25.0, 2.3, 0.72, 0.12, 0.9, FLAME + 0.3)], np.float32)
    gain = picture(renderer, scene(sprites=flame)) - bare
    rows, columns = np.nonzero(gain[..., 0] > 40)
    assert len(rows) > 150
    assert gain[..., 0].sum() > 2 * gain[..., 2].sum(), "it is red and yellow"
    middle = (rows.min() + rows.max()) // 2
    wide, narrow = ((gain[part, :, 0] > 40).sum() for part in (slice(middle, None), slice(middle)))
    assert wide > 1.3 * narrow
    assert columns.min() > 160


def test_light_is_kept_and_found_again(renderer: Renderer):
    if renderer.name.startswith("plain"):
        pytest.skip("plain surfaces bake no light")
    before = picture(renderer, scene())
    renderer.load_level(level())
    assert np.abs(picture(renderer, scene()) - before).max() <= 2


def test_pictures_of_progress_while_light_is_worked_out_do_not_touch_the_light(
    renderer: Renderer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    before = picture(renderer, scene())
    letters = Letters(SIZE[1])
    canvas = Canvas(letters, SIZE)
    canvas.box(0, 0, *SIZE, (0.2, 0.4, 0.9))
    heard: dict[str, list[float]] = {}
    seen: list[np.ndarray] = []

    def progress(work: str, part: float) -> None:
        heard.setdefault(work, []).append(part)
        if (part > 0.4 and not seen) or work.startswith("cutting"):
            renderer.draw_screen(canvas.quads(), letters.sheet)
            seen.append(renderer.read_pixels().astype(int))

    monkeypatch.setenv("NOTETRACK_CACHE", str(tmp_path))
    renderer.load_level(level(), (), progress)
    assert np.abs(picture(renderer, scene()) - before).max() <= 2
    assert np.ptp(seen[0].reshape(-1, 3), axis=0).max() == 0, "nothing but the screen's one quad"
    assert seen[0][0, 0, 2] > 200
    for parts in heard.values():
        assert parts == sorted(parts)
        assert 0 <= parts[0] <= parts[-1] < 1
    if renderer.name.startswith("OpenGL"):
        assert list(heard) == ["painting surfaces", "working out the light"]
        assert len(heard["working out the light"]) > 10
        heard.clear()
        renderer.load_level(level(), (), progress)
        assert not heard, "what is kept takes no time worth a word"


def test_the_foot_of_a_wall_is_darker_than_open_ground(renderer: Renderer):
    if renderer.name.startswith("plain"):
        pytest.skip("plain surfaces bake no light")
    camera = Camera((330.0, 0.0, 300.0), (89.9, 0.0, 0.0))
    shade = replace(AIR, sun_color=(0.0, 0.0, 0.0))
    pixels = picture(renderer, Scene(camera, 1.0, shade)).sum(axis=2)

    def across(x: float) -> float:
        """The mean brightness of a line of ground at x, which is up in the picture."""
        row = int(90 - (x - 330) / 141 * 90)
        return float(pixels[row - 2 : row + 3, 100:220].mean())

    assert across(392) < 0.92 * across(290)


# Without a driver -------------------------------------------------------------------------------------------


def test_faces_are_found_and_luxels_lie_inside_them():
    surfaces = level().world
    assert [len(f) for f in faces(surfaces[0])] == [4]
    atlas = unfold(surfaces, 10.0, width=256)
    floor = atlas.positions[(atlas.normals[..., 2] > 0.9) & (atlas.positions[..., 2] == 0)]
    assert np.abs(floor[:, :2]).max() <= 800 - INSET + 1e-3
    for uvs in atlas.uvs:
        assert uvs.min() > 0
        assert uvs.max() < 1


def test_a_vertex_finds_its_own_luxel():
    surface = face("sand", (0, 0, 0), (100, 0, 0), (0, 50, 0))
    atlas = unfold([surface], 5.0, width=64)
    height, width = atlas.positions.shape[:2]
    for point, uv in zip(surface.positions, atlas.uvs[0], strict=True):
        luxel = atlas.positions[int(uv[1] * height), int(uv[0] * width), :3]
        assert luxel == pytest.approx(point, abs=1.0)


def test_what_does_not_fit_is_made_coarser():
    surface = face("sand", (0, 0, 0), (9000, 0, 0), (0, 9000, 0))
    atlas = unfold([surface] * 6, 4.0, width=512)
    assert atlas.density > 4.0
    assert atlas.positions.shape[0] <= 2048


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("brick_red", "brick"), ("plaster_warm", "plaster_warm"), ("metal_rust", "rust"), ("trim_wood", "trim"),
        ("trim_stone", "trim_stone"), ("yard/planks", "planks"), ("roof_tile", "roof"), ("glass_dark", "glass"),
        ("floor_wood", "floor_wood"), ("unheard_of", "concrete"), ("sign_lane_3", "sign_lane_3"), ("", "concrete"),
    ],
)  # fmt: skip
def test_names_of_surfaces(name: str, kind: str):
    assert kind_of(name) == kind
    assert paint(kind, 32).colour.shape == (32, 32, 3)


def test_surfaces_are_the_same_every_time_and_tile():
    one, two = paint("gravel", 64), paint("gravel", 64)
    assert np.array_equal(one.colour, two.colour)
    seam = np.abs(one.colour[:, 0] - one.colour[:, -1]).mean()
    inside = np.abs(one.colour[:, 20] - one.colour[:, 40]).mean()
    assert seam < inside * 1.5
    assert np.linalg.norm(normals(one.height), axis=-1) == pytest.approx(1.0, abs=1e-4)


def test_shadow_shapes_are_small_and_follow_the_bones():
    rng = np.random.default_rng(1)
    model = block("m", (20, 20, 70), (1, 2, 3))
    assert len(shadow_shape(model, steps(model)).indices) == len(model.meshes[0].indices)
    mesh = model.meshes[0]
    count = SIMPLE + 100
    indices = rng.integers(0, len(mesh.positions), (count, 3)).astype(np.uint32)
    large = replace(model, meshes=(replace(mesh, indices=indices),))
    few = Step((replace(mesh, indices=indices[:200]),), 3.0)
    for copies in ([Step(large.meshes, 0.0)], [Step(large.meshes, 0.0), few]):
        shape = shadow_shape(large, copies)
        assert len(shape.indices) < count
        assert set(shape.joints.tolist()) == {0.0, 1.0}
        assert shape.indices.max() < len(shape.positions)
    assert len(shape.indices) == 200, "the coarse copy"


def test_coarser_meshes_keep_their_size():
    side = np.linspace(0, 40, 41, dtype=np.float32)
    x, y = np.meshgrid(side, side)
    flat = np.stack((x, y, np.zeros_like(x)), -1).reshape(-1, 3)
    model = block("m", (20, 20, 70), (1, 2, 3))
    mesh = model.meshes[0]
    corner = np.arange(41 * 40).reshape(40, 41)[:, :40].reshape(-1)
    indices = np.concatenate(
        (np.stack((corner, corner + 1, corner + 42), 1), np.stack((corner, corner + 42, corner + 41), 1))
    )
    count = len(flat)
    grid = type(mesh)(
        "grid", 0, flat, np.tile(np.float32([0, 0, 1]), (count, 1)), np.zeros((count, 2), np.float32),
        np.full((count, 4), 200, np.uint8), np.zeros((count, 4), np.uint16),
        np.tile(np.float32([1, 0, 0, 0]), (count, 1)), indices.astype(np.uint32),
    )  # fmt: skip
    less = coarser(grid, 0.1)
    assert len(less.indices) < len(grid.indices) / 8
    assert np.ptp(less.positions, axis=0)[:2] == pytest.approx((40, 40), abs=1)
    assert np.allclose(less.normals, (0, 0, 1)), "a plane stays a plane"
    assert coarser(mesh, 0.1) is mesh, "a box has no triangle to spare"


def test_coarser_meshes_keep_hard_edges_colours_and_bones():
    model = block("m", (20, 20, 70), (1, 2, 3))
    side = np.linspace(0, 40, 21, dtype=np.float32)
    x, y = np.meshgrid(side, side)
    flat = np.stack((x, y, np.zeros_like(x)), -1).reshape(-1, 3)
    upright = flat[:, [0, 2, 1]] * (1, 1, -1)
    corner = np.arange(21 * 20).reshape(20, 21)[:, :20].reshape(-1)
    half = np.concatenate(
        (np.stack((corner, corner + 1, corner + 22), 1), np.stack((corner, corner + 22, corner + 21), 1))
    )
    count = len(flat)
    grid = replace(
        model.meshes[0],
        positions=np.concatenate((flat, upright)).astype(np.float32),
        normals=np.repeat(np.float32([[0, 0, 1], [0, -1, 0]]), count, axis=0),
        uvs=np.zeros((2 * count, 2), np.float32),
        colors=np.repeat(np.uint8([[250, 0, 0, 255], [0, 0, 250, 255]]), count, axis=0),
        joints=np.repeat(np.uint16([[1, 0, 0, 0], [2, 0, 0, 0]]), count, axis=0),
        weights=np.tile(np.float32([1, 0, 0, 0]), (2 * count, 1)),
        indices=np.concatenate((half, half[:, ::-1] + count)).astype(np.uint32),
    )
    less = coarser(grid, 0.1)
    assert len(less.indices) < len(grid.indices) / 5
    corners = less.positions[less.indices]
    facing = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    lying = np.abs(facing[:, 2]) > np.abs(facing[:, 1])
    assert lying.any()
    assert not lying.all()
    for part, normal, colour in ((lying, (0, 0, 1), (250, 0, 0)), (~lying, (0, -1, 0), (0, 0, 250))):
        rows = less.indices[part]
        assert np.allclose(less.normals[rows], normal)
        assert (less.colors[rows][..., :3] == colour).all()
    places: dict[tuple[float, ...], set[int]] = {}
    for place, joint in zip(np.round(less.positions, 3).tolist(), less.joints[:, 0].tolist(), strict=True):
        places.setdefault(tuple(place), set()).add(joint)
    assert all(len(joints) == 1 for joints in places.values()), "one place follows one bone, or it would tear"


def test_triangles_are_found_by_the_square_that_they_are_in():
    rng = np.random.default_rng(3)
    middles = rng.uniform(-3000, 3000, (400, 1, 3)) * (1, 1, 0.05)
    positions = (middles + rng.uniform(-30, 30, (400, 3, 3))).reshape(-1, 3).astype(np.float32)
    positions[:3] = [(-5000, -5000, 0), (5000, -5000, 0), (0, 5000, 0)]
    cells = in_cells(positions, np.arange(1200, dtype=np.uint32).reshape(-1, 3))
    assert sorted(cells.indices[:, 0].tolist()) == list(range(0, 1200, 3))
    camera = Camera((0.0, 0.0, 60.0), (0.0, 30.0, 0.0))
    planes = view_planes(camera.projection(16 / 9) @ camera.view())
    ranges = cells.runs(cells.inside(planes))
    shown = {int(row) for _, first, count in ranges for row in cells.indices[first : first + count, 0]}
    corners = positions.reshape(-1, 3, 3)
    inside = ((corners @ planes[:, :3].T + planes[:, 3]) >= 0).any(axis=1).all(axis=1)
    assert {int(i) * 3 for i in np.flatnonzero(inside)} <= shown, "nothing in view is left out"
    assert len(shown) < 250
    assert 0 in shown


def test_a_few_cells_out_of_view_are_drawn_where_that_saves_a_call():
    counts = [10, 20, 30, 20, 200, 20, 20, 20]
    starts = np.append(0, np.cumsum(counts))
    none = np.zeros((len(counts), 3), np.float32)
    cells = Cells(np.zeros((starts[-1], 3), np.uint32), starts, none, none)
    seen = np.array([1, 0, 1, 0, 0, 1, 1, 1], bool)
    # But not over 220 triangles.
    assert cells.runs(seen) == [(0, 0, 60), (0, 280, 60)]
    assert cells.runs(seen, np.array([5, 5, 5, 0, 0, 5, 6, 5])) == [
        (5, 0, 60),
        (5, 280, 20),
        (6, 300, 20),
        (5, 320, 20),
    ]
    assert cells.runs(np.zeros(8, bool)) == []


def test_there_are_no_cells_without_triangles():
    positions = np.zeros((0, 3), np.float32)
    assert not len(in_cells(positions, np.zeros((0, 3), np.uint32)).middles)


def test_the_sheet_places_pictures_apart_and_says_when_it_is_full():
    sheet = Sheet(64)
    boxes = [sheet.add(np.full((10, 12, 4), i, np.uint8)) for i in range(8)]
    for i, (u0, v0, u1, v1) in enumerate(boxes):
        part = sheet.pixels[round(v0 * 64) : round(v1 * 64), round(u0 * 64) : round(u1 * 64)]
        assert part.shape == (10, 12, 4)
        assert (part == i).all()
    with pytest.raises(SheetFullError):
        sheet.add(np.zeros((60, 60, 4), np.uint8))


def test_software_drivers_are_recognised():
    assert suits("llvmpipe (LLVM 15.0.6, 256 bits)") is SOFTWARE
    assert suits("NVIDIA GeForce RTX 4070") is HIGH


def test_the_pace_gives_up_pixels_and_takes_them_back():
    pace = Pace()
    for _ in range(SETTLE):
        pace.took(0.060)
    assert pace.scale == SCALES[1]
    for _ in range(3 * SETTLE):
        pace.took(0.060)
    assert pace.scale == SCALES[-1]
    for _ in range(200):
        pace.took(0.030)
    assert pace.scale == SCALES[-1], "a step up would be too slow again"
    for _ in range(1000):
        pace.took(0.008)
    assert pace.scale == 1.0


def test_lights_out_of_sight_are_left_out_and_the_strongest_come_first():
    def lamp(x: float, strength: float = 1.0, radius: float = 100.0) -> Light:
        return Light((x, 0.0, 60.0), (strength, 0.5, 0.2), radius)

    ahead, behind, reaching = lamp(300.0), lamp(-300.0), lamp(-150.0, radius=200.0)
    bright = lamp(300.0, 20.0)
    view = CAMERA.projection(1.6) @ CAMERA.view()
    chosen = chosen_lights(scene(lights=[ahead, behind, reaching, bright]), view_planes(view))
    assert chosen[0] is bright
    assert behind not in chosen
    assert len(chosen) == 3
    many = chosen_lights(scene(lights=[lamp(100.0 + i) for i in range(20)]), view_planes(view))
    assert len(many) == MAX_LIGHTS


def test_what_reaches_behind_the_eye_is_cut_and_not_bent():
    behind, left, right = (0.0, 0.0, 20.0), (-10.0, 0.0, -20.0), (10.0, 0.0, -20.0)
    both = np.array([(behind, left, right), (behind, (0.0, 5.0, 30.0), left)], np.float32)
    (rows, four), (others, three) = _clipped(both, 1.0)
    assert (rows, four.shape) == ([0], (1, 4, 3)), "one corner behind: a quadrangle is left"
    assert (others, three.shape) == ([1], (1, 3, 3))
    assert four[..., 2].max() == pytest.approx(-1.01)
    assert sorted(four[0, :, 0].tolist()) == pytest.approx([-10.0, -5.2525, 5.2525, 10.0])

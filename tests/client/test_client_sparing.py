"""What spares a slow machine work must not show: the same picture from fewer pixels, corners and triangles."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from dataclasses import replace

import numpy as np
import pygame
import pytest

from engine.client.render.cells import in_cells
from engine.client.render.gl import EXPOSURE, GLRenderer, GLUnusableError
from engine.client.render.gl_flush import flusher
from engine.client.render.gl_models import ModelStore
from engine.client.render.gl_sky import REPAIRED, STRIPS, SWEEP, octahedron, strips
from engine.client.render.ground import Ground
from engine.client.render.lean import lean
from engine.client.render.needs import AIR, EVERYTHING, FINE, LIT, NEEDS, SHADED, Surroundings, needs
from engine.client.render.pieces import MOST, cut
from engine.client.render.programs import developed
from engine.client.render.quality import SOFTWARE, Quality
from engine.client.render.renderer import at_once
from engine.client.render.scene import BrushInstance, Camera, Light, ModelBatch, Scene, placed
from engine.pipeline.model import Mesh
from engine.world.view import Atmosphere, LevelGeometry, SurfaceGeometry
from tests.client.fake_session import AIR as PLACE
from tests.client.fake_session import block, box_faces, face, level

SIZE = (320, 180)
Make = Callable[[Quality], GLRenderer]


@pytest.fixture(scope="module")
def make() -> Iterator[Make]:
    os.environ["SDL_VIDEODRIVER"] = "offscreen"
    pygame.display.quit()
    made: list[GLRenderer] = []

    def renderer(quality: Quality) -> GLRenderer:
        made.append(GLRenderer(SIZE, quality=replace(quality, adaptive=False), offscreen=True))
        return made[-1]

    try:
        pygame.display.init()
        pygame.display.gl_set_attribute(pygame.GL_CONTEXT_MAJOR_VERSION, 3)
        pygame.display.gl_set_attribute(pygame.GL_CONTEXT_MINOR_VERSION, 3)
        pygame.display.gl_set_attribute(pygame.GL_CONTEXT_PROFILE_MASK, pygame.GL_CONTEXT_PROFILE_CORE)
        pygame.display.set_mode(SIZE, pygame.OPENGL | pygame.DOUBLEBUF)
        renderer(SOFTWARE)
    except (pygame.error, GLUnusableError) as error:
        pytest.skip(f"no OpenGL here: {error}")
    yield renderer
    for one in made:
        one.close()
    pygame.display.quit()


def picture(renderer: GLRenderer, scene: Scene) -> np.ndarray:
    renderer.draw(scene)
    return renderer.read_pixels().astype(int)


WAYS = (
    (0.0, 20.0, 0.0),
    (-25.0, 140.0, 0.0),
    (-70.0, 0.0, 0.0),
    (-90.0, 45.0, 0.0),
    (10.0, 250.0, 30.0),
    (35.0, 90.0, 0.0),
)


@pytest.mark.parametrize("angles", WAYS)
def test_the_sky_that_is_kept_is_that_of_the_pixels(make: Make, angles: tuple[float, float, float]) -> None:
    scene = Scene(Camera((0.0, 0.0, 60.0), angles), 50.0, Atmosphere())
    by_pixel = picture(make(replace(SOFTWARE, sky_pixels=True)), scene)
    kept = picture(make(SOFTWARE), scene)
    assert np.ptp(by_pixel.reshape(-1, 3), axis=0).max() > 5, "there is something in this sky"
    difference = np.abs(by_pixel - kept)
    assert difference.mean() < 0.6
    assert np.percentile(difference, 99) < 5


def test_the_sun_stands_in_the_sky_that_is_kept(make: Make) -> None:
    air = replace(Atmosphere(), sun_direction=(0.9, 0.0, 0.435))
    scene = Scene(Camera((0.0, 0.0, 60.0), (-25.8, 0.0, 0.0)), 0.0, air)
    both = [picture(make(replace(SOFTWARE, sky_pixels=pixels)), scene)[90, 160] for pixels in (True, False)]
    assert min(both[0]) > 235
    assert np.abs(both[0] - both[1]).max() < 6


def test_clouds_drift_in_the_sky_that_is_kept(make: Make) -> None:
    renderer, fresh = make(SOFTWARE), make(replace(SOFTWARE, sky_pixels=True))
    camera = Camera((0.0, 0.0, 60.0), (-60.0, 140.0, 0.0))
    first = picture(renderer, Scene(camera, 0.0, Atmosphere()))
    later = Scene(camera, 90.0, Atmosphere())
    wanted = picture(fresh, later)
    assert np.abs(first - wanted).mean() > 2.0, "they have moved"
    for _ in range(STRIPS):
        renderer.draw(later)
    assert np.abs(picture(renderer, later) - wanted).mean() < 0.6


@pytest.mark.parametrize("rate", [15, 120])
def test_the_sky_that_is_kept_is_drawn_anew_at_the_same_pace_at_any_frame_rate(make: Make, rate: int) -> None:
    renderer, fresh = make(SOFTWARE), make(replace(SOFTWARE, sky_pixels=True))
    camera = Camera((0.0, 0.0, 60.0), (-60.0, 140.0, 0.0))
    drawn = 0
    turn = renderer._sky._turn

    def counted() -> int:
        nonlocal drawn
        drawn += 1
        return turn()

    renderer._sky._turn = counted
    for i in range(6 * rate):
        renderer.draw(Scene(camera, 30.0 + i / rate, Atmosphere()))
    assert drawn == pytest.approx(min(6 * rate, 3 * STRIPS), abs=2)
    late = Scene(camera, 36.0 - SWEEP / 2, Atmosphere())
    assert np.abs(picture(renderer, late) - picture(fresh, late)).mean() < 0.6


def test_other_air_shows_in_the_whole_sky_at_once_and_soon_sharp(make: Make) -> None:
    renderer, fresh = make(SOFTWARE), make(replace(SOFTWARE, sky_pixels=True))
    camera = Camera((0.0, 0.0, 60.0), (-10.0, 140.0, 0.0))

    def off(red: float, light: float = 1.0) -> float:
        air = replace(
            Atmosphere(), fog_color=(red, 0.3, 0.3), sky_color=(0.3 * light, 0.42 * light, 0.62 * light)
        )
        scene = Scene(camera, 0.0, air)
        return float(np.abs(picture(renderer, scene) - picture(fresh, scene)).mean())

    assert off(0.6) < 0.6
    for step in range(20):
        assert off(0.9 - step * 0.04, 1.0 - step * 0.05) < 1.5, (
            "a slow change, and one right after the first picture"
        )
    for _ in range(STRIPS // REPAIRED):
        assert off(0.1, 0.05) < 1.5
    assert off(0.1, 0.05) < 0.9
    assert renderer._sky._shown is renderer._sky._kept


def test_what_is_not_seen_in_the_sky_does_not_change_it(make: Make) -> None:
    renderer = make(SOFTWARE)
    renderer.draw(Scene(Camera(), 0.0, Atmosphere()))
    renderer.draw(Scene(Camera(), 0.1, replace(Atmosphere(), fog_end=900.0, ambient_sound="wind")))
    assert renderer._sky._shown is renderer._sky._kept


def test_clouds_that_jump_are_drawn_as_a_whole(make: Make) -> None:
    renderer, fresh = make(SOFTWARE), make(replace(SOFTWARE, sky_pixels=True))
    camera = Camera((0.0, 0.0, 60.0), (-60.0, 140.0, 0.0))
    for time in (300.0, 0.0, 500.0):
        scene = Scene(camera, time, Atmosphere())
        assert np.abs(picture(renderer, scene) - picture(fresh, scene)).mean() < 1.5


def test_another_level_has_another_sky_at_once(make: Make) -> None:
    renderer = make(SOFTWARE)
    renderer.draw(Scene(Camera(), 0.0, Atmosphere()))
    renderer.load_level(level())
    renderer.draw(Scene(Camera(), 0.0, PLACE))
    assert renderer._sky._shown is renderer._sky._kept
    assert not renderer._sky._old


@pytest.mark.parametrize("moving", [False, True])
def test_haze_over_large_surfaces_is_where_it_is_far(make: Make, moving: bool) -> None:
    ground = face("sand", (-6000, -6000, 0), (12000, 0, 0), (0, 12000, 0))
    wall = face("red", (2500, 6000, 0), (0, -12000, 0), (0, 0, 3000))
    world, models = ((), ((ground, wall),)) if moving else ((ground, wall), ())
    bounds = ((-6000.0, -6000.0, 0.0), (6000.0, 6000.0, 3000.0))
    clear = replace(PLACE, fog_density=0.0)
    pictures = {}
    for start, end in ((600.0, 6000.0), (20.0, 500.0), (300.0, 2500.0)):
        for fine in (False, True):
            renderer = make(SOFTWARE)
            if fine:
                renderer._programs.pictures[:NEEDS] = [renderer._programs.pictures[AIR | FINE]] * NEEDS
            renderer.load_level(LevelGeometry("wide", world, models, bounds, clear))
            placement = np.eye(4, dtype=np.float32)[:3]
            air = replace(PLACE, fog_start=start, fog_end=end)
            scene = Scene(Camera((0.0, 0.0, 60.0), (5.0, 0.0, 0.0)), 0.0, air)
            scene.brushes = [BrushInstance(0, placement)] if moving else []
            pictures[start, fine] = picture(renderer, scene)
        difference = np.abs(pictures[start, False] - pictures[start, True])
        assert np.percentile(difference, 99.5) < 8, (start, end)
    scene.atmosphere = clear
    away = np.abs(pictures[600.0, False] - picture(renderer, scene)).max(axis=2)
    assert away[-1, 160] < 4, "at the feet the air is clear"
    assert away[60, 160] > 15, "and it is seen before the wall"


def test_figures_lit_at_their_corners_look_as_those_lit_at_every_pixel(make: Make) -> None:
    figure = block("grey", (20, 20, 70), (150, 140, 120))
    transforms = np.stack([placed((x, y, 0.0), (0.0, 30.0, 0.0)) for x, y in ((120.0, -60.0), (400.0, 40.0))])
    tints = np.array([(1.0, 0.8, 0.6, 0.0), (1.0, 1.0, 1.0, 0.7)], np.float32)
    scene = Scene(
        Camera((-100.0, 0.0, 60.0)), 1.0, PLACE, [ModelBatch(figure, transforms, tints=tints)],
        lights=[Light((100.0, -90.0, 30.0), (2.0, 1.4, 0.6), 160.0)],
    )  # fmt: skip
    pictures = []
    for corners in (False, True):
        renderer = make(replace(SOFTWARE, corner_light=corners))
        renderer.load_level(level())
        pictures.append(picture(renderer, scene))
    difference = np.abs(pictures[0] - pictures[1])
    assert difference.mean() < 1.0
    assert np.percentile(difference, 99.5) < 30


def test_a_crowd_gets_coarser_until_it_fits(make: Make) -> None:
    renderer = make(SOFTWARE)
    store: ModelStore = renderer._models
    fine = _sphere()
    model = replace(block("m", (20, 20, 70), (1, 2, 3)), meshes=(fine,))

    def triangles(count: int) -> int:
        places = np.stack([placed((150.0, y - count / 2, 0.0), (0.0, 0.0, 0.0)) for y in range(count)])
        renderer.draw(Scene(Camera(), 0.0, PLACE, [ModelBatch(model, places)]))
        return store.triangles

    one = triangles(1)
    assert one > 150
    assert triangles(4) == 4 * one
    assert 30 * one < triangles(200) < 110 * one


# Without a driver ----------------------------------------------------------------------------------------------------


def _sphere() -> Mesh:
    """4,600 triangles on one bone, with a seam in the picture."""
    rows, columns = 49, 49
    v, u = np.meshgrid(np.linspace(0, 1, rows), np.linspace(0, 1, columns), indexing="ij")
    up, around = (v.ravel() - 0.5) * np.pi, u.ravel() * 2 * np.pi
    unit = np.stack((np.cos(up) * np.cos(around), np.cos(up) * np.sin(around), np.sin(up)), -1)
    corner = (np.arange(rows - 1)[:, None] * columns + np.arange(columns - 1)).ravel()
    a, b, c, d = corner, corner + 1, corner + columns, corner + columns + 1
    faces = np.concatenate((np.stack((a, b, d), -1), np.stack((a, d, c), -1)))
    count = len(unit)
    weights = np.tile(np.float32([0.1, 0.6, 0.3, 0.0]), (count, 1))
    return Mesh(
        "sphere", 0, (unit * 20 + (0, 0, 40)).astype(np.float32), unit.astype(np.float32),
        np.stack((u.ravel(), v.ravel()), -1).astype(np.float32), np.full((count, 4), 255, np.uint8),
        np.tile(np.uint16([0, 1, 2, 0]), (count, 1)), weights, faces.astype(np.uint32),
    )  # fmt: skip


def test_lean_copies_lose_seams_and_bones_and_keep_colours_and_size() -> None:
    mesh = _sphere()
    half = np.zeros((8, 8, 4), np.uint8)
    half[:4], half[4:] = (255, 0, 0, 255), (0, 0, 128, 255)
    small, painted = lean(mesh, 2.5, half)
    assert painted
    assert len(small.positions) < len(mesh.positions) - 60, (
        "the seam is closed, the poles are one corner each"
    )
    assert np.ptp(small.positions, axis=0) == pytest.approx(np.ptp(mesh.positions, axis=0), abs=0.01)
    assert np.linalg.norm(small.normals, axis=1) == pytest.approx(1.0, abs=1e-4)
    low, high = small.positions[:, 2] < 35, small.positions[:, 2] > 45
    assert (small.colors[low] == (255, 0, 0, 255)).all()
    blue = small.colors[high][:, 2] / 255.0
    assert blue * blue * (0.2 * blue + 0.8) == pytest.approx((128 / 255) ** 2, abs=0.01)
    assert (np.sort(small.weights, axis=1)[:, :2] == 0).all(), "two bones"
    assert small.weights.sum(axis=1) == pytest.approx(1.0)
    assert (small.joints[:, 0] == 1).all(), "the strongest first"
    one, _ = lean(mesh, 5.0, None)
    assert (one.weights[:, 0] == 1.0).all()
    unpainted, painted = lean(mesh, 1.0, half)
    assert not painted
    assert len(unpainted.positions) > len(small.positions), "a seam of a picture that is still needed stays"


def test_pieces_cover_what_was_cut_and_interpolate_what_corners_carry() -> None:
    table = np.array(
        [(0, 0, 0, 0), (1000, 0, 0, 1000), (0, 900, 90, 1800), (10, 0, 0, 5), (60, 0, 0, 6), (10, 40, 0, 7)],
        np.float32,
    )
    points, triangles = cut(table, np.array([(0, 1, 2), (3, 4, 5)], np.uint32), 100.0)
    corners = points[triangles.astype(int)]
    assert np.ptp(corners[:, :, :2], axis=1).max() <= 100.0 + 1e-3
    assert (triangles == (3, 4, 5)).all(axis=1).any(), "what is small stays as it is"
    facing = np.cross(corners[:, 1, :3] - corners[:, 0, :3], corners[:, 2, :3] - corners[:, 0, :3])
    assert np.linalg.norm(facing, axis=1).sum() / 2 == pytest.approx(
        np.hypot(1000 * 900 / 2, 1000 * 90 / 2) + 1000, rel=1e-4
    )
    large = corners[~(triangles == (3, 4, 5)).all(axis=1)]
    assert large[..., 2] == pytest.approx(large[..., 1] / 10, abs=1e-2)
    assert large[..., 3] == pytest.approx(large[..., 0] + 2 * large[..., 1], abs=1e-2)
    same, untouched = cut(table, np.array([(3, 4, 5)], np.uint32), 100.0)
    assert same is table
    assert len(untouched) == 1


def test_an_endless_plain_is_not_cut_into_endlessly_many_pieces() -> None:
    side = 1e6
    table = np.array([(0, 0, 0), (side, 0, 0), (side, side, 0), (0, side, 0)], np.float32)
    _, triangles = cut(table, np.array([(0, 1, 2), (0, 2, 3)], np.uint32), 256.0)
    assert len(triangles) < 3 * MOST


def test_cells_need_what_reaches_them() -> None:
    squares = np.array([(x, y) for x in range(8) for y in range(8)], np.float32) * 200
    corners = np.array([(10, 10, 0), (190, 10, 0), (10, 190, 0)], np.float32)
    positions = (np.pad(squares, ((0, 0), (0, 1)))[:, None] + corners).reshape(-1, 3)
    cells = in_cells(positions, np.arange(len(positions), dtype=np.uint32).reshape(-1, 3), 200.0)
    seen = np.ones(len(cells.middles), bool)
    around = Surroundings(
        np.zeros(3, np.float32), 900.0, 5000.0, [Light((500.0, 500.0, 50.0), (1.0, 1.0, 1.0), 120.0)],
        (0.6, 0.0, 0.8), np.array([(1000.0, 300.0, 40.0)], np.float32),
        np.array([60.0], np.float32),
    )  # fmt: skip
    found = {
        tuple((middle[:2] // 200).astype(int).tolist()): int(n)
        for middle, n in zip(cells.middles, needs(cells, seen, around), strict=True)
    }
    assert found[0, 0] == 0
    assert found[7, 7] == AIR
    assert found[2, 2] & LIT
    assert not found[5, 0] & LIT
    shaded = {place for place, n in found.items() if n & SHADED}
    assert (4, 1) in shaded, "the shadow of what floats at (1000, 300) falls away from the sun"
    assert all(abs(y - 1) <= 1 for _, y in shaded)
    assert not needs(cells, ~seen, around).any()
    assert max(found.values()) <= EVERYTHING
    steep = needs(cells, seen, replace(around, thickens=1000.0))
    assert not any(n & FINE for n in found.values())
    assert set((steep & (AIR | FINE)).tolist()) == {0, AIR | FINE}


def test_a_place_in_the_unfolded_sky_depends_linearly_on_the_direction() -> None:
    corners = octahedron()
    assert corners.shape == (24, 5)
    directions, places = corners[:, :3], corners[:, 3:]
    assert np.abs(directions).sum(axis=1) == pytest.approx(1.0)
    above = directions[:, 2] >= 0
    assert places[above] == pytest.approx(directions[above, :2])
    assert np.abs(places[~above]) == pytest.approx(1.0), "straight down is at the corners of the square"
    flat = corners.reshape(-1, 3, 5)[:, :, 3:]
    a, b = flat[:, 1] - flat[:, 0], flat[:, 2] - flat[:, 0]
    assert np.abs(a[:, 0] * b[:, 1] - a[:, 1] * b[:, 0]).sum() / 2 == pytest.approx(4.0), "the whole square"


@pytest.mark.parametrize(("side", "count"), [(1024, 64), (1024, 8), (100, 7)])
def test_the_strips_cover_what_is_above_the_horizon(side: int, count: int) -> None:
    covered = np.zeros((side, side), int)
    for x, y, width, height in strips(side, count):
        covered[y : y + height, x : x + width] += 1
    assert covered.max() == 1
    middle = np.abs(np.arange(side) + 0.5 - side / 2)
    assert covered[middle[:, None] + middle[None, :] <= side / 2].all()
    assert covered.mean() < 0.5 + 1.0 / count + 0.05


def test_a_shadow_map_drawn_over_several_pictures_is_the_one_drawn_at_once(make: Make) -> None:
    places = np.stack([placed((x, 40.0, 0.0), (0.0, 0.0, 0.0)) for x in (100.0, 300.0, 500.0)])
    props = [ModelBatch(block(f"p{side}", (side, side, 60), (1, 2, 3)), places) for side in (10, 20, 30)]
    slow, quick = make(replace(SOFTWARE, shadow_pace=1)), make(SOFTWARE)
    for renderer in (slow, quick):
        renderer.load_level(level(), props)
        renderer.draw(Scene(Camera((0.0, 0.0, 60.0)), 0.0, PLACE))
    away = Scene(Camera((500.0, 0.0, 60.0)), 0.0, PLACE)
    before = slow._still_shadow.matrix.copy()
    pictures = 0
    while (slow._still_shadow.matrix == before).all():
        slow.draw(away)
        pictures += 1
    assert 3 < pictures < 40
    quick.replace_props(props)  # so that it starts afresh
    quick.draw(away)
    maps = [renderer._still_shadow._shown for renderer in (slow, quick)]
    assert (maps[0].matrix == maps[1].matrix).all()
    drawn = maps[0].texture.read()
    assert drawn == maps[1].texture.read()
    assert len(set(drawn)) > 3, "something stands there"
    slow.draw(away)
    assert slow._still_shadow._work is None, "and it stays"
    there = slow._still_shadow.matrix.copy()
    slow.draw(Scene(Camera((-500.0, 0.0, 60.0)), 0.0, PLACE))
    assert slow._still_shadow._work is None, "after a jump it is there at once"
    assert (slow._still_shadow.matrix != there).any()


def test_the_driver_is_told_to_begin_with_the_shadows_and_with_a_complete_picture(make: Make) -> None:
    assert flusher() is not at_once, "glFlush is found where there is OpenGL"
    renderer = make(SOFTWARE)
    told: list[str] = []
    renderer._flush = lambda: told.append("flush")
    renderer.draw(Scene(Camera(), 0.0, PLACE), lambda: told.append("before"))
    assert told == ["flush", "before", "flush"], "with the shadows, and with all of it"


def test_shadows_go_where_what_moves_goes(make: Make) -> None:
    rng = np.random.default_rng(2)
    renderer, whole = make(SOFTWARE), make(SOFTWARE)
    mover = block("mover", (30, 30, 60), (1, 2, 3))
    for one in (renderer, whole):
        one.load_level(level())
    shaded = []
    for i in range(12):
        count = (2, 0, 1, 3)[i % 4]
        places = [placed((*rng.uniform((50, -200, 0), (400, 200, 90)),), (0, 0, 0)) for _ in range(count)]
        models = [ModelBatch(mover, np.stack(places))] if count else []
        scene = Scene(Camera((0.0, 0.0, 60.0), (15.0, 0.0, 0.0)), 0.0, PLACE, models=models)
        # As if nothing were known of what is in the maps.
        whole._mover_shadow._dirty = dict.fromkeys(whole._mover_shadow._dirty, (0, 0, 768, 768))
        shown = picture(renderer, scene)
        assert (shown == picture(whole, scene)).all(), i
        bare = picture(whole, replace(scene, models=[]))
        shaded.append(int((shown.sum(axis=2) < bare.sum(axis=2) - 30).sum()))
    assert max(shaded) > 200
    assert shaded[1] == shaded[5] == 0


def boxes(rng: np.random.Generator) -> list[SurfaceGeometry]:
    """A floor of boxes of many heights, of which some are missing."""
    surfaces = []
    for x in range(-1500, 1500, 500):
        for y in range(-1500, 1500, 500):
            top = float(rng.choice((*(0.0,) * 6, 20.0, -80.0, 200.0)))
            if rng.random() < 0.03:
                continue
            surfaces += box_faces("sand", (x, y, -300.0), (x + 500.0, y + 500.0, top))
    return surfaces


def test_a_gap_in_the_ground_is_hazy(make: Make) -> None:
    renderer = make(SOFTWARE)
    # A step without a side.
    surfaces = [floor(4000.0), floor(8000.0, -90.0, (2000.0, -4000.0))]
    bounds = ((-2000.0, -4000.0, -90.0), (10000.0, 4000.0, 0.0))
    air = replace(PLACE, fog_color=(0.9, 0.1, 0.6), fog_density=0.0)
    renderer.load_level(LevelGeometry("step", tuple(surfaces), (), bounds, air))
    scene = Scene(Camera((4000.0, 0.0, 60.0), (10.0, 180.0, 0.0)), 0.0, air)
    assert renderer._look(scene).covered > 0.4
    renderer._targets.place.clear(0.0, 1.0, 0.0)
    column = picture(renderer, scene)[:, 160]
    assert (np.abs(column - 255 * np.array(developed(air.fog_color, EXPOSURE))).max(axis=1) < 2).any()
    assert not (column == (0, 255, 0)).all(axis=1).any(), "nothing of what was there before"
    assert developed((0.0, 10.0, 0.05), 1.0) == pytest.approx((0.0, 0.98, 0.25), abs=0.02)


@pytest.mark.parametrize("seed", range(4))
def test_no_sky_is_missing_where_the_ground_is_said_to_hide_it(make: Make, seed: int) -> None:
    rng = np.random.default_rng(seed)
    renderer, everywhere = make(SOFTWARE), make(SOFTWARE)
    air = replace(PLACE, fog_density=0.0)
    bounds = ((-1500.0, -1500.0, -300.0), (1500.0, 1500.0, 200.0))
    place = LevelGeometry("boxes", tuple(boxes(rng)), (), bounds, air)
    renderer.load_level(place)
    everywhere.load_level(place)
    everywhere._ground = Ground(())
    hidden = 0.0
    for _ in range(40):
        origin = *rng.uniform(-1600, 1600, 2).tolist(), float(rng.choice((-60.0, 20.0, 60.0, 260.0, 900.0)))
        angles = rng.uniform(-30, 80), rng.uniform(0, 360), float(rng.choice((0.0, 0.0, 35.0)))
        camera = Camera(origin, angles, rng.uniform(20, 110), far=float(rng.choice((900.0, 16000.0))))
        scene = Scene(camera, 0.0, air)
        hidden += renderer._look(scene).covered
        assert (picture(renderer, scene) == picture(everywhere, scene)).all(), camera
    assert hidden > 3, "it is tried"


def floor(size: float, height: float = 0.0, corner: tuple[float, float] | None = None) -> SurfaceGeometry:
    west, south = corner or (-size / 2, -size / 2)
    return face("sand", (west, south, height), (size, 0, 0), (0, size, 0))


@pytest.mark.parametrize(
    ("surfaces", "camera", "least", "most"),
    [
        ([floor(100000.0)], Camera((0.0, 0.0, 60.0)), 0.45, 0.5),
        ([floor(100000.0)], Camera((0.0, 0.0, 60.0), (89.0, 0.0, 0.0)), 1.0, 1.0),
        ([floor(100000.0)], Camera((0.0, 0.0, 60.0), (-60.0, 0.0, 0.0)), 0.0, 0.0),
        ([floor(100000.0)], Camera((0.0, 0.0, -60.0)), 0.0, 0.0),
        ([floor(100000.0)], Camera((0.0, 0.0, 2.0), (60.0, 0.0, 0.0)), 0.0, 0.0),
        ([floor(100000.0)], Camera((0.0, 0.0, 60.0), far=400.0), 0.2, 0.4),
        ([floor(1000.0)], Camera((2000.0, 0.0, 60.0), (0.0, 180.0, 0.0)), 0.0, 0.0),
        ([floor(1000.0)], Camera((0.0, 0.0, 60.0)), 0.3, 0.43),
        ([floor(1000.0), floor(1000.0, 300.0)], Camera((0.0, 0.0, 60.0)), 0.3, 0.43),
        ([floor(1000.0), floor(8000.0, 0.0, (500.0, -4000.0))], Camera((0.0, 0.0, 60.0)), 0.35, 0.5),
        ([], Camera((0.0, 0.0, 60.0)), 0.0, 0.0),
    ],
    ids=[
        *(
            "flat",
            "straight down",
            "up",
            "from below",
            "too near",
            "too far",
            "from outside",
            "small",
            "under a roof",
        ),
        *("two", "nothing"),
    ],
)
def test_how_much_of_the_picture_the_ground_covers(
    surfaces: list[SurfaceGeometry], camera: Camera, least: float, most: float
) -> None:
    ground = Ground(surfaces)
    for _ in range(2):
        assert least <= ground.covered(camera, camera.view(), camera.projection(16 / 9)) <= most


def test_the_ground_is_looked_for_again_where_the_eye_goes_below_some_of_it() -> None:
    step = face("sand", (500.0, -5000.0, 20.0), (5000.0, 0, 0), (0, 10000.0, 0))
    ground = Ground([face("sand", (-500.0, -5000.0, 0.0), (1000.0, 0, 0), (0, 10000.0, 0)), step])

    def covered(height: float) -> float:
        camera = Camera((0.0, 0.0, height), (10.0, 0.0, 0.0))
        return ground.covered(camera, camera.view(), camera.projection(16 / 9))

    high = covered(60.0)
    low = covered(19.0)
    assert 0.0 < low < high
    assert covered(60.0) == high
    assert covered(-5.0) == 0.0

"""The level's surfaces, painted in code from the palette: what each texture name of a `.map` looks like.

A surface tiles over `TILE` inches. Each is a colour (sRGB 0..1) and a height, from which the normals come. A name is looked up
whole, then by the words in it (`brick_red_old` is brick), so that a level may tint and vary names freely.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from engine.client.render.noise import Plane, cells, smooth, spectral, step

TILE = 128.0
"""Inches that one repeat of a surface covers."""

Colour = tuple[int, int, int]
Planes = NDArray[np.float32]

PALETTE: dict[str, Colour] = {
    "sand": (194, 170, 128),
    "plaster": (212, 196, 164),
    "wood": (124, 100, 74),
    "brick": (150, 84, 62),
    "slate": (92, 98, 108),
    "olive": (98, 102, 62),
    "field_grey": (106, 112, 104),
    "rust": (140, 80, 44),
    "red": (196, 46, 38),
    "paper": (234, 226, 206),
    "stone": (150, 144, 132),
    "grass": (104, 112, 58),
}


@dataclass(frozen=True, eq=False)
class Surface:
    """colour (S, S, 3) sRGB 0..1 float32, height (S, S) in inches, shine 0..1 (how much the sun glints)."""

    colour: Planes
    height: Plane
    shine: float = 0.0


def _rgb(colour: Colour) -> Planes:
    return np.asarray(colour, np.float32) / 255.0


def _tinted(base: Colour, shade: Plane) -> Planes:
    """`base` made lighter and darker by `shade`, around 1."""
    return np.asarray(_rgb(base)[None, None, :] * shade[..., None], np.float32)


def _mix(a: Planes, b: Planes, t: Plane) -> Planes:
    return np.asarray(a + (b - a) * t[..., None], np.float32)


def _blotches(size: int, seed: int, depth: float) -> Plane:
    return 1 + depth * spectral(size, seed, 1, 10, 1.3)


def _plaster(size: int, seed: int, base: Colour) -> Surface:
    grain = spectral(size, seed, 40, size / 3, 0.6)
    trowel = spectral(size, seed + 1, 3, 40, 1.1, 0.5)
    stain = step(0.5, 2.2, spectral(size, seed + 2, 1, 14, 1.5))
    worn = step(1.35, 1.6, spectral(size, seed + 3, 2, 60, 1.25))
    crack = 1 - step(0.0, 0.05, np.abs(spectral(size, seed + 4, 2, 40, 1.5)))
    crack *= step(0.7, 1.3, spectral(size, seed + 5, 1, 8, 1.0))
    colour = _tinted(base, _blotches(size, seed + 6, 0.035) + 0.022 * grain + 0.018 * trowel)
    colour = _mix(colour, colour * _rgb((232, 206, 176)), stain * 0.55)
    colour = _mix(colour, _tinted(PALETTE["stone"], 0.92 + 0.06 * grain), worn * 0.8)
    colour *= (1 - 0.34 * crack)[..., None]
    height = 0.05 * trowel + 0.035 * grain - 0.5 * smooth(worn, 2) - 0.3 * crack
    return Surface(colour, height)


def _bond(size: int, rows: int, across: int) -> tuple[Plane, Plane, NDArray[np.int32]]:
    """Running bond: distance in inches from the joint along x and y, and the number of the brick."""
    at = (np.arange(size, dtype=np.float32) + 0.5) / size
    x, y = np.meshgrid(at, at)
    row = (y * rows).astype(np.int32)
    u = x * across + 0.5 * (row % 2)
    brick = row * across + u.astype(np.int32) % across
    fx, fy = u % 1.0, (y * rows) % 1.0
    to_x = np.minimum(fx, 1 - fx) * (TILE / across)
    to_y = np.minimum(fy, 1 - fy) * (TILE / rows)
    return to_x.astype(np.float32), to_y.astype(np.float32), brick


def _brick(size: int, seed: int, base: Colour) -> Surface:
    rng = np.random.default_rng(seed)
    rows, across = 24, 8
    to_x, to_y, brick = _bond(size, rows, across)
    wobble = 0.16 * spectral(size, seed + 1, 4, 60, 0.9)
    edge = np.minimum(to_x, to_y) + wobble
    face = step(0.25, 0.6, edge)
    each = rng.normal(0, 1, rows * across).astype(np.float32)
    hue = rng.normal(0, 1, (rows * across, 3)).astype(np.float32) * np.float32([0.02, 0.014, 0.012])
    grain = spectral(size, seed + 2, 24, size / 3, 0.7)
    tone = 1 + 0.13 * each[brick] + 0.05 * grain + 0.05 * spectral(size, seed + 3, 1, 8, 1.2)
    bricks = _tinted(base, tone) + hue[brick]
    dark = (each > 1.5)[brick].astype(np.float32)
    bricks = _mix(bricks, _tinted((92, 66, 60), 1 + 0.05 * grain), dark * 0.7)
    bricks *= (1 + 0.08 * step(0.5, 0.8, edge) * (1 - step(0.9, 1.6, edge)))[..., None]
    mortar = _tinted((168, 156, 136), 0.88 + 0.06 * grain)
    soot = step(0.3, 2.2, spectral(size, seed + 4, 1, 6, 1.4))
    colour = _mix(mortar, bricks, face) * (1 - 0.16 * soot)[..., None]
    height = 0.42 * face + 0.05 * grain * face + 0.1 * each[brick] * face
    return Surface(colour, smooth(height, 1))


def _planks(size: int, seed: int, base: Colour, boards: int = 10, paint: Colour | None = None) -> Surface:
    rng = np.random.default_rng(seed)
    at = (np.arange(size, dtype=np.float32) + 0.5) / size
    x, y = np.meshgrid(at, at)
    board = (y * boards).astype(np.int32)
    across = (y * boards) % 1.0
    gap = np.minimum(across, 1 - across) * (TILE / boards)
    shift = (rng.integers(0, size, boards))[board]
    column = (np.arange(size)[None, :] + shift) % size
    rows = np.arange(size)[:, None]
    grain = spectral(size, seed + 1, 3, size / 2, 0.55, 14.0)[rows, column]
    fibre = spectral(size, seed + 2, 30, size / 2, 0.3, 22.0)[rows, column]
    butt = ((column / size + 0.37) * 1.0) % 1.0
    joint = np.minimum(butt, 1 - butt) * TILE
    seam = 1 - step(0.14, 0.42, np.minimum(gap, joint))
    each = rng.normal(0, 1, boards).astype(np.float32)[board]
    weather = step(-0.6, 1.6, spectral(size, seed + 3, 1, 16, 1.2))
    wood = _tinted(base, 1 + 0.1 * each + 0.1 * grain + 0.06 * fibre)
    grey = _tinted((142, 134, 122), 1 + 0.09 * grain + 0.07 * fibre + 0.05 * each)
    colour = _mix(wood, grey, weather * 0.55)
    if paint is not None:
        flake = step(0.75, 1.15, spectral(size, seed + 4, 3, 90, 1.0, 4.0) + 0.3 * fibre)
        colour = _mix(_tinted(paint, 1 + 0.04 * grain + 0.04 * each), colour, flake)
    nail_x = np.abs(joint - 2.2)
    nail_y = np.minimum(np.abs(across - 0.25), np.abs(across - 0.75)) * (TILE / boards)
    nail = 1 - step(0.22, 0.42, np.hypot(nail_x, nail_y).astype(np.float32))
    colour *= (1 - 0.72 * seam)[..., None] * (1 - 0.55 * nail)[..., None]
    height = 0.06 * grain + 0.04 * fibre + 0.08 * each - 0.55 * seam - 0.06 * nail
    return Surface(np.asarray(colour, np.float32), np.asarray(height, np.float32))


def _gravel(size: int, seed: int, base: Colour, across: int = 34) -> Surface:
    rng = np.random.default_rng(seed)
    near, border, owner = cells(size, seed, across)
    fine, fine_border, fine_owner = cells(size, seed + 1, across * 2)
    tone = rng.normal(0, 1, across * across).astype(np.float32)[owner]
    fine_tone = rng.normal(0, 1, across * across * 4).astype(np.float32)[fine_owner]
    big = step(0.35, 0.75, spectral(size, seed + 2, 2, 30, 0.9)) * step(-0.4, 0.4, tone + 0.3)
    grain = spectral(size, seed + 3, 60, size / 2, 0.3)
    warm = spectral(size, seed + 4, 1, 7, 1.2)
    coarse = _tinted(base, 0.98 + 0.13 * tone + 0.04 * grain)
    small = _tinted(base, 0.9 + 0.09 * fine_tone + 0.05 * grain)
    dirt = _tinted((150, 128, 98), 0.84 + 0.06 * grain + 0.04 * warm)
    pebble = step(0.05, 0.3, border)
    small = _mix(dirt, small, step(0.05, 0.35, fine_border) * 0.75)
    colour = _mix(small, coarse, big * pebble)
    colour *= (1 - 0.28 * big * (1 - pebble))[..., None] * (1 + 0.035 * warm)[..., None]
    height = 0.6 * big * np.sqrt(np.clip(border, 0, 1)) + 0.25 * np.sqrt(np.clip(fine_border, 0, 1)) * (
        1 - big
    )
    return Surface(colour, np.asarray(height - 0.1 * near * big, np.float32))


def _sand(size: int, seed: int, base: Colour) -> Surface:
    grain = spectral(size, seed, 60, size / 2, 0.2)
    drift = spectral(size, seed + 1, 2, 24, 1.2)
    stone_near, _, owner = cells(size, seed + 2, 22)
    chosen = (np.random.default_rng(seed).random(22 * 22) < 0.16)[owner].astype(np.float32)
    pebble = (1 - step(0.1, 0.2, stone_near)) * chosen
    tracks = step(0.6, 2.0, spectral(size, seed + 3, 1, 9, 1.3))
    colour = _tinted(base, 1 + 0.045 * grain + 0.05 * drift)
    colour = _mix(colour, _tinted((158, 134, 98), 1 + 0.05 * grain), tracks * 0.6)
    colour = _mix(colour, _tinted((160, 150, 134), 0.95 + 0.06 * grain), pebble)
    return Surface(colour, 0.05 * grain + 0.14 * drift + 0.5 * smooth(pebble, 2))


def _tiles(size: int, seed: int, base: Colour, rows: int, across: int, round_: float) -> Surface:
    """Roof courses: each lies on the one below, with its lower edge in the light."""
    rng = np.random.default_rng(seed)
    at = (np.arange(size, dtype=np.float32) + 0.5) / size
    x, y = np.meshgrid(at, at)
    row = (y * rows).astype(np.int32)
    u = x * across + 0.5 * (row % 2)
    tile = row * across + u.astype(np.int32) % across
    fx, fy = (u % 1.0).astype(np.float32), ((y * rows) % 1.0).astype(np.float32)
    each = rng.normal(0, 1, rows * across).astype(np.float32)[tile]
    grain = spectral(size, seed + 1, 20, size / 3, 0.7)
    moss = step(1.0, 1.9, spectral(size, seed + 2, 2, 40, 1.1))
    side = step(0.012, 0.06, np.minimum(fx, 1 - fx))
    lip = step(0.9, 0.985, fy)
    dome = np.sqrt(np.clip(1 - (2 * fx - 1) ** 2, 0, 1))
    colour = _tinted(base, 1 + 0.1 * each + 0.05 * grain + 0.03 * spectral(size, seed + 3, 1, 6, 1.2))
    colour = _mix(colour, _tinted((104, 104, 70), 1 + 0.08 * grain), moss * 0.55)
    colour *= (0.55 + 0.45 * side)[..., None] * (1 - 0.5 * lip)[..., None] * (0.93 + 0.1 * fy)[..., None]
    height = 0.9 * fy * (1 - lip) + round_ * dome + 0.06 * grain - 0.3 * (1 - side)
    return Surface(np.asarray(colour, np.float32), np.asarray(height, np.float32))


def _concrete(size: int, seed: int, base: Colour, slabs: int = 1) -> Surface:
    at = (np.arange(size, dtype=np.float32) + 0.5) / size * slabs % 1.0
    x, y = np.meshgrid(at, at)
    joint = np.minimum(np.minimum(x, 1 - x), np.minimum(y, 1 - y)) * (TILE / slabs)
    seam = 1 - step(0.15, 0.5, joint)
    grain = spectral(size, seed, 50, size / 2, 0.4)
    near, _, owner = cells(size, seed + 1, 40)
    holes = (np.random.default_rng(seed).random(1600) < 0.13)[owner].astype(np.float32)
    pit = (1 - step(0.06, 0.16, near)) * holes
    stain = step(0.2, 2.2, spectral(size, seed + 2, 1, 30, 1.4))
    drip = step(0.3, 2.0, spectral(size, seed + 3, 2, 40, 1.0, 0.2))
    crack = 1 - step(0.0, 0.04, np.abs(spectral(size, seed + 4, 1, 30, 1.6)))
    crack *= step(0.4, 1.2, spectral(size, seed + 5, 1, 6, 1.0))
    tone = _blotches(size, seed + 6, 0.04) + 0.035 * grain - 0.1 * stain - 0.05 * drip
    colour = _tinted(base, tone) * (1 - 0.4 * pit - 0.45 * crack)[..., None] * (1 - 0.4 * seam)[..., None]
    return Surface(np.asarray(colour, np.float32), 0.05 * grain - 0.3 * pit - 0.4 * seam - 0.25 * crack)


def _cobbles(size: int, seed: int, base: Colour) -> Surface:
    rng = np.random.default_rng(seed)
    _, border, owner = cells(size, seed, 14)
    each = rng.normal(0, 1, 196).astype(np.float32)[owner]
    grain = spectral(size, seed + 1, 20, size / 3, 0.7)
    stone = step(0.05, 0.22, border)
    stones = _tinted(base, 1 + 0.1 * each + 0.06 * grain)
    colour = _mix(_tinted((110, 100, 82), 0.85 + 0.08 * grain), stones, stone)
    return Surface(colour, np.asarray(1.1 * np.sqrt(np.clip(border, 0, 0.6)) + 0.06 * grain, np.float32))


def _metal(size: int, seed: int, base: Colour, ribs: int, rusty: float) -> Surface:
    at = (np.arange(size, dtype=np.float32) + 0.5) / size
    x, _ = np.meshgrid(at, at)
    wave = np.cos(2 * np.pi * ribs * x).astype(np.float32) if ribs else np.zeros((size, size), np.float32)
    grain = spectral(size, seed, 30, size / 2, 0.5)
    streak = spectral(size, seed + 1, 2, 60, 0.8, 0.12)
    rust = step(0.75 - rusty, 1.7 - rusty, spectral(size, seed + 2, 2, 120, 1.1) + 0.35 * streak)
    sheet = _tinted(base, 1 + 0.03 * grain + 0.05 * streak + 0.06 * wave)
    oxide = _tinted(PALETTE["rust"], 0.9 + 0.12 * spectral(size, seed + 3, 3, 90, 0.9) + 0.05 * grain)
    return Surface(_mix(sheet, oxide, rust * 0.85), 0.8 * wave + 0.04 * grain + 0.1 * rust, 0.35)


def _grass(size: int, seed: int, base: Colour) -> Surface:
    blades = spectral(size, seed, 20, size / 2, 0.35, 0.35)
    tilted = np.roll(spectral(size, seed + 1, 20, size / 2, 0.35, 0.5), 9, 1).T
    clump = spectral(size, seed + 2, 3, 30, 1.0)
    dry = step(0.1, 1.9, spectral(size, seed + 3, 1, 18, 1.2))
    bare = step(1.3, 1.9, spectral(size, seed + 4, 2, 40, 1.1))
    tone = 0.98 + 0.11 * blades + 0.09 * tilted + 0.06 * clump
    colour = _mix(_tinted(base, tone), _tinted((164, 146, 84), tone), dry * 0.55)
    colour = _mix(colour, _tinted((140, 118, 86), 1 + 0.05 * blades), bare * 0.7)
    return Surface(colour, np.asarray(0.2 * blades + 0.15 * tilted + 0.35 * clump, np.float32))


def _flat(size: int, seed: int, base: Colour) -> Surface:
    grain = spectral(size, seed, 30, size / 2, 0.5)
    return Surface(_tinted(base, _blotches(size, seed + 1, 0.03) + 0.02 * grain), 0.03 * grain)


Painter = Callable[[int, int, Colour], Surface]


def _painted(size: int, seed: int, base: Colour) -> Surface:
    return _planks(size, seed, PALETTE["wood"], 8, base)


def _trim(size: int, seed: int, base: Colour) -> Surface:
    return _planks(size, seed, base, 4)


def _boards(size: int, seed: int, base: Colour) -> Surface:
    return _planks(size, seed, base)


def _roof_tile(size: int, seed: int, base: Colour) -> Surface:
    return _tiles(size, seed, base, 10, 12, 0.9)


def _shingles(size: int, seed: int, base: Colour) -> Surface:
    return _tiles(size, seed, base, 12, 8, 0.0)


def _corrugated(size: int, seed: int, base: Colour) -> Surface:
    return _metal(size, seed, base, 20, 0.15)


def _rusty(size: int, seed: int, base: Colour) -> Surface:
    return _metal(size, seed, base, 0, 0.6)


def _plate(size: int, seed: int, base: Colour) -> Surface:
    return _metal(size, seed, base, 0, 0.0)


def _slabs(size: int, seed: int, base: Colour) -> Surface:
    return _concrete(size, seed, base, 3)


def _stone_wall(size: int, seed: int, base: Colour) -> Surface:
    return _cobbles(size, seed, base)


_KINDS: dict[str, tuple[Painter, Colour]] = {
    "plaster": (_plaster, PALETTE["plaster"]),
    "plaster_warm": (_plaster, (214, 186, 140)),
    "plaster_white": (_plaster, (222, 214, 196)),
    "brick": (_brick, PALETTE["brick"]),
    "planks": (_boards, PALETTE["wood"]),
    "wood": (_boards, PALETTE["wood"]),
    "trim": (_trim, (104, 84, 62)),
    "painted": (_painted, (92, 110, 96)),
    "gravel": (_gravel, (164, 154, 136)),
    "sand": (_sand, PALETTE["sand"]),
    "dirt": (_sand, (142, 118, 88)),
    "slate": (_shingles, PALETTE["slate"]),
    "roof": (_roof_tile, (164, 92, 62)),
    "concrete": (_concrete, (160, 156, 146)),
    "slab": (_slabs, (158, 152, 138)),
    "stone": (_stone_wall, PALETTE["stone"]),
    "cobble": (_cobbles, (138, 132, 122)),
    "metal": (_plate, (116, 122, 124)),
    "corrugated": (_corrugated, (134, 140, 140)),
    "rust": (_rusty, (118, 116, 112)),
    "grass": (_grass, PALETTE["grass"]),
    "red": (_flat, PALETTE["red"]),
    "white": (_flat, PALETTE["paper"]),
    "paper": (_flat, PALETTE["paper"]),
    "cloth": (_flat, PALETTE["olive"]),
    "glass": (_plate, (70, 84, 92)),
    "black": (_flat, (40, 40, 42)),
}

_WORDS = {
    "tile": "roof", "tiles": "roof", "wooden": "wood", "plank": "planks", "board": "planks", "bricks": "brick",
    "pavement": "slab", "paving": "slab", "floor": "slab", "rusty": "rust", "steel": "metal", "iron": "metal",
    "earth": "dirt", "mud": "dirt", "rock": "stone", "wall": "plaster", "canvas": "cloth", "tarp": "cloth",
    "door": "painted", "window": "glass",
}  # fmt: skip


def kind_of(name: str) -> str:
    """The kind of surface that a texture name means: the longest known part of it, else `concrete`."""
    name = name.lower().replace("/", "_")
    words = [w for w in name.split("_") if w]
    for length in range(len(words), 0, -1):
        for at in range(len(words) - length + 1):
            part = "_".join(words[at : at + length])
            if part in _KINDS:
                # metal_rust and trim_wood: the later word is the finish, which tells more than the stuff.
                later = [w for w in words if w in ("rust", "trim", "painted", "corrugated")]
                return later[0] if length == 1 and later else part
    return next((_WORDS[w] for w in words if w in _WORDS), "concrete")


def paint(kind: str, size: int = 512) -> Surface:
    """The picture of a surface kind, `size` pixels a side. The same on every machine."""
    painter, base = _KINDS[kind]
    surface = painter(size, sum(map(ord, kind)) * 13, base)
    cavity = surface.height - smooth(surface.height, 6)
    shade = 1 + np.clip(cavity * 0.35, -0.25, 0.12)
    return Surface(np.clip(surface.colour * shade[..., None], 0.0, 1.0), surface.height, surface.shine)


def normals(height: Plane, strength: float = 1.0) -> Planes:
    """Unit normals (S, S, 3) of a height in inches over one tile; x along u, y along v, z outwards."""
    pixel = TILE / height.shape[0]
    dx = (np.roll(height, -1, 1) - np.roll(height, 1, 1)) / (2 * pixel) * strength
    dy = (np.roll(height, -1, 0) - np.roll(height, 1, 0)) / (2 * pixel) * strength
    n = np.stack([-dx, -dy, np.ones_like(dx)], -1)
    return np.asarray(n / np.linalg.norm(n, axis=-1, keepdims=True), np.float32)

"""The level's surfaces, painted in code from the palette: what each texture name of a `.map` looks like.

A surface tiles over 128 inches. A name is looked up whole, then by the words in it (`brick_red_old` is
brick), so that a level may vary names freely. `sign_WORDS` is a board with those words on it, `sign_lane_3`
one with a large red 3.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import numpy as np
import pygame

from engine.client.render.noise import Plane, smooth
from engine.client.render.painting import fittings, ground, masonry, timber
from engine.client.render.painting.core import PALETTE, TILE, Colour, Planes, Surface

Painter = Callable[[int, int, Colour], Surface]

_KINDS: dict[str, tuple[Painter, Colour]] = {
    "plaster": (masonry.plaster, PALETTE["plaster"]),
    "plaster_warm": (masonry.plaster, (206, 178, 132)),
    "plaster_white": (masonry.plaster, (220, 213, 198)),
    "brick": (masonry.brick, PALETTE["brick"]),
    "concrete": (masonry.concrete, (158, 154, 144)),
    "slab": (partial(masonry.concrete, slabs=3), (156, 150, 136)),
    "stone": (masonry.cobbles, (148, 142, 130)),
    "cobble": (masonry.cobbles, (136, 130, 120)),
    "slate": (masonry.flagstones, (108, 112, 116)),
    "trim_stone": (masonry.cut_stone, (188, 172, 142)),
    "roof": (partial(masonry.tiles, rows=10, across=10, round_=0.9), (150, 86, 62)),
    "shingle": (partial(masonry.tiles, rows=12, across=8, round_=0.0), PALETTE["slate"]),
    "planks": (timber.planks, (122, 98, 72)),
    "planks_green": (partial(timber.planks, paint=(112, 116, 84)), (116, 92, 68)),
    "floor_wood": (partial(timber.planks, boards=16, grey=0.15), (112, 80, 54)),
    "trim": (timber.beam, (98, 76, 54)),
    "bark": (timber.bark, (78, 64, 52)),
    "log_end": (timber.log_end, (176, 144, 102)),
    "gravel": (ground.gravel, (164, 152, 132)),
    "sand": (ground.sand, PALETTE["sand"]),
    "dirt": (ground.sand, (140, 114, 84)),
    "grass": (ground.grass, (104, 108, 60)),
    "meadow": (ground.meadow, (112, 114, 68)),
    "hill": (ground.hill, (118, 122, 82)),
    "water": (ground.water, (46, 66, 68)),
    "metal": (fittings.metal, (112, 118, 120)),
    "corrugated": (partial(fittings.metal, ribs=16, rusty=0.1), (132, 138, 138)),
    "rust": (partial(fittings.metal, ribs=16, rusty=0.55), (124, 124, 120)),
    "glass": (fittings.window, (52, 64, 76)),
    "red": (fittings.plain, PALETTE["red"]),
    "paper": (fittings.plain, PALETTE["paper"]),
    "black": (fittings.plain, (44, 44, 46)),
    "cloth": (fittings.cloth, PALETTE["olive"]),
}

_WORDS = {
    "tile": "roof", "tiles": "roof", "wood": "planks", "wooden": "planks", "plank": "planks", "board": "planks",
    "boards": "planks", "painted": "planks_green", "bricks": "brick", "pavement": "slab", "paving": "slab",
    "floor": "slab", "rusty": "rust", "steel": "metal", "iron": "metal", "earth": "dirt", "mud": "dirt",
    "rock": "stone", "wall": "plaster", "canvas": "cloth", "tarp": "cloth", "door": "planks_green",
    "window": "glass", "white": "paper", "log": "bark", "lawn": "grass", "field": "meadow",
}  # fmt: skip

_FINISHES = ("rust", "trim", "corrugated")
"""Words that say more about the look than the stuff does: `metal_rust` is rust."""

GRAINED = frozenset({"trim"})
"""Kinds whose grain runs along the longer side of a face, whichever way the level laid its texture."""


def kind_of(name: str) -> str:
    """The kind of surface that a texture name means: the longest known part of it, else `concrete`."""
    name = name.lower().replace("/", "_")
    if name.startswith("sign_"):
        return name
    words = [w for w in name.split("_") if w]
    for length in range(len(words), 0, -1):
        parts = ["_".join(words[at : at + length]) for at in range(len(words) - length + 1)]
        known = [part for part in parts if part in _KINDS]
        if known:
            return next((part for part in known if part in _FINISHES), known[0])
    return next((_WORDS[w] for w in words if w in _WORDS), "concrete")


def _letters(text: str, size: int) -> Plane:
    """`text` as large as fits a square board, (S, S) 0..1."""
    pygame.font.init()
    picture = pygame.font.Font(None, size).render(text, True, (255, 255, 255))
    scale = min(size * 0.8 / picture.get_width(), size * 0.95 / picture.get_height())
    # A word board is wider than high on its wall, and the level stretches the square tile over it.
    wide = (
        round(size * 0.8),
        round(picture.get_height() * min(scale * 2.2, size * 0.8 / picture.get_height())),
    )
    single = (round(picture.get_width() * scale), round(picture.get_height() * scale))
    picture = pygame.transform.smoothscale(picture, wide if len(text) > 1 else single)
    board = pygame.Surface((size, size), 0, 32)
    board.blit(picture, picture.get_rect(center=(size // 2, size // 2 + size // 40)))
    return np.asarray(pygame.surfarray.array3d(board)[..., 0].T, np.float32) / np.float32(255)


def paint(kind: str, size: int = 512) -> Surface:
    """The picture of a surface kind, `size` pixels a side. The same on every machine."""
    seed = sum(map(ord, kind)) * 13
    if kind.startswith("sign_"):
        text = kind.removeprefix("sign_").removeprefix("lane_").replace("_", " ").upper()
        ink = PALETTE["slate"] if text == "YARD" else PALETTE["red"]
        surface = fittings.lettered(size, seed, _letters(text, size), ink)
    else:
        painter, base = _KINDS[kind]
        surface = painter(size, seed, base)
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

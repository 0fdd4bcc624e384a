"""What lies on the ground, near and far: gravel, sand, grass, meadow, hills, water."""

from __future__ import annotations

import numpy as np

from engine.client.render.noise import cells, smooth, spectral, step
from engine.client.render.painting.core import Colour, Surface, mix, tinted


def gravel(size: int, seed: int, base: Colour, across: int = 34) -> Surface:
    rng = np.random.default_rng(seed)
    near, border, owner = cells(size, seed, across)
    _, fine_border, fine_owner = cells(size, seed + 1, across * 2)
    tone = rng.normal(0, 1, across * across).astype(np.float32)[owner]
    fine_tone = rng.normal(0, 1, across * across * 4).astype(np.float32)[fine_owner]
    big = step(0.35, 0.75, spectral(size, seed + 2, 2, 30, 0.9)) * step(-0.4, 0.4, tone + 0.3)
    grain = spectral(size, seed + 3, 60, size / 2, 0.3)
    warm = spectral(size, seed + 4, 1, 7, 1.2)
    coarse = tinted(base, 0.98 + 0.13 * tone + 0.04 * grain)
    small = tinted(base, 0.9 + 0.09 * fine_tone + 0.05 * grain)
    dirt = tinted((150, 128, 98), 0.84 + 0.06 * grain + 0.04 * warm)
    pebble = step(0.05, 0.3, border)
    small = mix(dirt, small, step(0.05, 0.35, fine_border) * 0.75)
    colour = mix(small, coarse, big * pebble)
    colour *= (1 - 0.28 * big * (1 - pebble))[..., None] * (1 + 0.035 * warm)[..., None]
    height = 0.6 * big * np.sqrt(np.clip(border, 0, 1)) + 0.25 * np.sqrt(np.clip(fine_border, 0, 1)) * (
        1 - big
    )
    return Surface(colour, np.asarray(height - 0.1 * near * big, np.float32))


def sand(size: int, seed: int, base: Colour) -> Surface:
    grain = spectral(size, seed, 60, size / 2, 0.2)
    drift = spectral(size, seed + 1, 2, 24, 1.2)
    stone_near, _, owner = cells(size, seed + 2, 22)
    chosen = (np.random.default_rng(seed).random(22 * 22) < 0.16)[owner].astype(np.float32)
    pebble = (1 - step(0.1, 0.2, stone_near)) * chosen
    tracks = step(0.6, 2.0, spectral(size, seed + 3, 1, 9, 1.3))
    colour = tinted(base, 1 + 0.045 * grain + 0.05 * drift)
    colour = mix(colour, tinted((158, 134, 98), 1 + 0.05 * grain), tracks * 0.6)
    colour = mix(colour, tinted((160, 150, 134), 0.95 + 0.06 * grain), pebble)
    return Surface(colour, 0.05 * grain + 0.14 * drift + 0.5 * smooth(pebble, 2))


def grass(size: int, seed: int, base: Colour) -> Surface:
    blades = spectral(size, seed, 20, size / 2, 0.35, 0.35)
    tilted = np.roll(spectral(size, seed + 1, 20, size / 2, 0.35, 0.5), 9, 1).T
    clump = spectral(size, seed + 2, 3, 30, 1.0)
    dry = step(0.1, 1.9, spectral(size, seed + 3, 1, 18, 1.2))
    bare = step(1.3, 1.9, spectral(size, seed + 4, 2, 40, 1.1))
    tone = 0.98 + 0.11 * blades + 0.09 * tilted + 0.06 * clump
    colour = mix(tinted(base, tone), tinted((164, 146, 84), tone), dry * 0.55)
    colour = mix(colour, tinted((140, 118, 86), 1 + 0.05 * blades), bare * 0.7)
    return Surface(colour, np.asarray(0.2 * blades + 0.15 * tilted + 0.35 * clump, np.float32))


def meadow(size: int, seed: int, base: Colour) -> Surface:
    """Grass from far: broad, soft and without marks that would show the repetition."""
    patch = spectral(size, seed, 2, 14, 0.9)
    fine = spectral(size, seed + 1, 20, size / 2, 0.5)
    dry = step(-0.8, 1.8, spectral(size, seed + 2, 3, 40, 0.9))
    colour = mix(
        tinted(base, 1 + 0.04 * patch + 0.05 * fine), tinted((158, 146, 88), 1 + 0.05 * fine), dry * 0.5
    )
    return Surface(colour, 0.15 * fine)


def hill(size: int, seed: int, base: Colour) -> Surface:
    """A far hill side: pale fields and darker woods."""
    woods = step(0.45, 0.8, spectral(size, seed, 3, 20, 0.8) + 0.2 * spectral(size, seed + 1, 20, 120, 0.6))
    fields = step(0.2, 0.5, spectral(size, seed + 2, 2, 12, 0.9))
    crowns = spectral(size, seed + 3, 40, size / 2, 0.3)
    colour = mix(tinted(base, 1 + 0.02 * crowns), tinted((166, 152, 98), 1 + 0.02 * crowns), fields * 0.6)
    colour = mix(colour, tinted((58, 70, 46), 1 + 0.16 * crowns), woods * 0.8)
    return Surface(colour, np.asarray(0.2 * crowns * woods, np.float32))


def water(size: int, seed: int, base: Colour) -> Surface:
    ripple = spectral(size, seed, 3, 40, 1.0, 0.6)
    return Surface(tinted(base, 1 + 0.04 * ripple), 0.12 * ripple, 0.9)

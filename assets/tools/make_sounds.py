"""Makes every sound of the game into `assets/sounds`. Run as ``python -m assets.tools.make_sounds``.

A maker takes a random source and gives a signal; RECIPES says which files it makes. What a script calls a
sound, how loud it is and which of the files are picked stands in `assets/sounds/sounds.toml`.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np

from assets.tools import synth
from assets.tools.synth import Signal, band, decay, hump, mix, noise, press, ringing, sweep, time, tone

TARGET = Path(__file__).parents[1] / "sounds"
Random = np.random.Generator
Maker = Callable[[Random], Signal]


def _thud(rng: Random, low: float, seconds: float = 0.09) -> Signal:
    """Weight that lands: a sine that falls below ``low`` and a breath of dull noise."""
    body = tone(sweep(low * 1.8, low, seconds), seconds) * decay(seconds, seconds / 4, 0.003)
    return body + 0.8 * band(noise(rng, seconds), 60, 400) * decay(seconds, seconds / 5)


def _scrape(rng: Random, low: float, high: float, seconds: float, peak: float = 0.3) -> Signal:
    return band(noise(rng, seconds), low, high) * hump(seconds, peak)


def _grains(rng: Random, count: int, seconds: float, low: float, high: float, life: float) -> Signal:
    """Many short clicks, as of gravel: each a few milliseconds of band noise at a random moment."""
    out = np.zeros(synth.samples(seconds + 0.04))
    for _ in range(count):
        at = int(rng.beta(1.4, 2.4) * synth.samples(seconds))
        length = 0.006 + rng.random() * 0.012
        grain = band(noise(rng, length), low, high * rng.uniform(0.6, 1.0)) * decay(length, life)
        out[at : at + len(grain)] += grain * rng.uniform(0.2, 1.0)
    return out


# --- steps: heel, then sole ------------------------------------------------------------------------------


def step_stone(rng: Random) -> Signal:
    tick = band(noise(rng, 0.03), 1400, 5200) * decay(0.03, 0.004)
    return mix(
        (0.0, 0.9, _thud(rng, rng.uniform(78, 92))),
        (0.0, 0.7, tick),
        (0.055, 0.35, tick * 0.8),
        (0.05, 0.22, _scrape(rng, 1500, 6000, 0.11)),
    )


def step_wood(rng: Random) -> Signal:
    knock = ringing(rng, 0.16, (rng.uniform(165, 190), 318, 474, 690), 0.028)
    return mix(
        (0.0, 0.8, _thud(rng, rng.uniform(68, 80), 0.12)),
        (0.002, 0.9, knock),
        (0.06, 0.35, knock[:1800]),
        (0.06, 0.12, _scrape(rng, 700, 3000, 0.09)),
    )


def step_gravel(rng: Random) -> Signal:
    return mix(
        (0.0, 0.5, _thud(rng, 74)),
        (0.0, 1.0, _grains(rng, 44, 0.12, 900, 6500, 0.0025)),
        (0.07, 0.7, _grains(rng, 34, 0.12, 1500, 8000, 0.002)),
    )


def step_grass(rng: Random) -> Signal:
    return mix(
        (0.0, 0.65, _thud(rng, 66)),
        (0.01, 0.5, _scrape(rng, 900, 5000, 0.14, 0.25)),
        (0.07, 0.3, _grains(rng, 20, 0.1, 2500, 8500, 0.0015)),
    )


def step_sand(rng: Random) -> Signal:
    return mix((0.0, 0.7, _thud(rng, 62)), (0.01, 0.55, _scrape(rng, 500, 3600, 0.18, 0.3)))


def step_metal(rng: Random) -> Signal:
    plate = ringing(rng, 0.3, (rng.uniform(310, 340), 742, 1180, 1730, 2510), 0.05)
    return mix((0.0, 0.6, _thud(rng, 84)), (0.001, 0.7, plate), (0.06, 0.2, _scrape(rng, 1800, 6500, 0.09)))


# --- the rifle -------------------------------------------------------------------------------------------


def _shot(rng: Random) -> Signal:
    crack = band(noise(rng, 0.06), 1200, 10500) * decay(0.06, 0.006, 0.0004)
    body = press(band(noise(rng, 0.3), 130, 1900) * decay(0.3, 0.032, 0.0008) * 3, 1.6)
    boom = tone(sweep(150, 46, 0.28), 0.28) * decay(0.28, 0.05, 0.001)
    return mix((0.0, 2.2, crack), (0.001, 0.9, body), (0.0, 0.9, boom))


def rifle_shot(rng: Random) -> Signal:
    action = ringing(rng, 0.08, (1870, 2840, 4120), 0.01)
    dry = mix((0.0, 1.0, _shot(rng)), (0.075, 0.06, action))
    return press(synth.echoes(rng, dry, 0.9, 0.13, 0.03, 3800), 1.5)


def rifle_shot_far(rng: Random) -> Signal:
    dull = band(_shot(rng), 60, 1100)
    dull[:60] *= np.linspace(0, 1, 60)
    return press(synth.echoes(rng, dull, 1.5, 0.3, 0.07, 900), 1.3)


def _click(rng: Random, pitch: float, life: float = 0.012) -> Signal:
    metal = ringing(rng, 0.1, (pitch, pitch * 1.52, pitch * 2.31, pitch * 3.4), life)
    return mix((0.0, 0.8, metal), (0.0, 0.6, band(noise(rng, 0.02), 2000, 9000) * decay(0.02, 0.003)))


def mag_out(rng: Random) -> Signal:
    return mix(
        (0.0, 0.7, _click(rng, 1450)),
        (0.03, 0.4, _scrape(rng, 1200, 5200, 0.13, 0.6)),
        (0.15, 0.5, _click(rng, 820, 0.02)),
    )


def mag_in(rng: Random) -> Signal:
    return mix(
        (0.0, 0.35, _scrape(rng, 1000, 4600, 0.1, 0.7)),
        (0.1, 1.0, _click(rng, 980, 0.018)),
        (0.1, 0.6, _thud(rng, 120, 0.06)),
        (0.13, 0.4, _click(rng, 1900)),
    )


def bolt(rng: Random) -> Signal:
    return mix(
        (0.0, 0.6, _click(rng, 1700)),
        (0.03, 0.5, _scrape(rng, 1500, 7000, 0.1, 0.7)),
        (0.13, 0.9, _click(rng, 1150, 0.02)),
        (0.2, 0.5, _scrape(rng, 1300, 6000, 0.08, 0.6)),
        (0.28, 1.1, _click(rng, 1320, 0.02)),
        (0.28, 0.4, _thud(rng, 140, 0.05)),
    )


def dry_fire(rng: Random) -> Signal:
    return _click(rng, 2300, 0.008)


def shell_drop(rng: Random) -> Signal:
    brass = [ringing(rng, 0.12, (p, p * 1.61, p * 2.4), 0.02) for p in (3900, 4150, 3700)]
    return mix((0.0, 0.8, brass[0]), (0.11, 0.5, brass[1]), (0.17, 0.25, brass[2]))


# --- what bullets hit ------------------------------------------------------------------------------------


def hit_stone(rng: Random) -> Signal:
    snap = band(noise(rng, 0.05), 1800, 9000) * decay(0.05, 0.006, 0.0004)
    ring = tone(sweep(rng.uniform(2600, 3400), 1300, 0.32), 0.32) * hump(0.32, 0.08) * 0.22
    return mix(
        (0.0, 1.2, snap),
        (0.0, 0.5, _thud(rng, 130, 0.06)),
        (0.01, 0.5, ring),
        (0.03, 0.5, _grains(rng, 26, 0.3, 1500, 7500, 0.002)),
    )


def hit_wood(rng: Random) -> Signal:
    knock = ringing(rng, 0.14, (rng.uniform(380, 440), 830, 1310, 1920), 0.016)
    return mix(
        (0.0, 1.0, knock),
        (0.0, 0.8, band(noise(rng, 0.06), 700, 5000) * decay(0.06, 0.008, 0.0004)),
        (0.02, 0.25, _grains(rng, 12, 0.16, 1200, 5000, 0.002)),
    )


def hit_metal(rng: Random) -> Signal:
    base = rng.uniform(1150, 1450)
    bell = ringing(rng, 0.7, (base, base * 1.47, base * 2.09, base * 2.83, base * 3.9), 0.1, 0.8)
    return mix((0.0, 0.9, bell), (0.0, 0.9, band(noise(rng, 0.03), 2500, 10000) * decay(0.03, 0.004, 0.0004)))


def hit_dirt(rng: Random) -> Signal:
    return mix(
        (0.0, 1.0, _thud(rng, 95, 0.1)),
        (0.0, 0.7, band(noise(rng, 0.12), 400, 3200) * decay(0.12, 0.02)),
        (0.04, 0.3, _grains(rng, 20, 0.25, 900, 4500, 0.002)),
    )


def hit_flesh(rng: Random) -> Signal:
    return mix(
        (0.0, 1.0, _thud(rng, 105, 0.1)),
        (0.0, 0.5, band(noise(rng, 0.08), 300, 1700) * decay(0.08, 0.014)),
        (0.012, 0.25, _scrape(rng, 800, 3000, 0.07)),
    )


def dummy_clang(rng: Random) -> Signal:
    base = rng.uniform(505, 545)
    plate = ringing(
        rng, 1.1, (base, base * 1.59, base * 2.36, base * 3.05, base * 4.2, base * 5.4), 0.2, 0.82
    )
    wobble = 1 + 0.25 * np.sin(2 * np.pi * 11 * time(1.1))
    return mix(
        (0.0, 1.0, plate * wobble), (0.0, 0.6, band(noise(rng, 0.03), 2000, 9000) * decay(0.03, 0.004))
    )


def dummy_fall(rng: Random) -> Signal:
    creak = _creak(rng, 0.22, 260)
    knock = ringing(rng, 0.3, (132, 251, 377, 520), 0.05)
    return mix(
        (0.0, 0.3, creak), (0.24, 1.0, knock), (0.24, 1.0, _thud(rng, 60, 0.18)), (0.37, 0.35, knock[:3000])
    )


def dummy_rise(rng: Random) -> Signal:
    return mix((0.0, 0.6, _creak(rng, 0.5, 320)), (0.48, 0.8, ringing(rng, 0.2, (240, 433, 640), 0.03)))


def _creak(rng: Random, seconds: float, pitch: float) -> Signal:
    """Wood or a hinge that sticks and slips: a buzz whose pitch wanders."""
    steps = synth.samples(seconds)
    wander = np.interp(np.arange(steps), np.linspace(0, steps, 9), rng.uniform(0.8, 1.25, 9))
    phase = np.cumsum(pitch * wander) / synth.RATE
    saw = 2 * (phase % 1) - 1
    return band(saw, 300, 4200) * hump(seconds, 0.5) * 0.7


# --- doors, bodies, the round ----------------------------------------------------------------------------


def door_slide(rng: Random) -> Signal:
    seconds = 2.0
    rumble = band(noise(rng, seconds), 70, 420)
    wheel = 0.6 + 0.4 * np.sin(2 * np.pi * 6.2 * time(seconds)) ** 2
    rail = band(noise(rng, seconds), 1400, 4200) * (0.4 + 0.6 * np.sin(2 * np.pi * 3.1 * time(seconds)) ** 8)
    clatter = _grains(rng, 46, seconds - 0.05, 500, 3000, 0.006)[: synth.samples(seconds)]
    out = mix((0.0, 1.6, rumble * wheel), (0.0, 0.3, rail), (0.0, 0.5, clatter))
    edge = synth.samples(0.12)
    out[:edge] *= np.linspace(0, 1, edge)
    out[-edge:] *= np.linspace(1, 0, edge)
    return out


def door_stop(rng: Random) -> Signal:
    return mix(
        (0.0, 1.0, _thud(rng, 70, 0.16)),
        (0.0, 0.8, ringing(rng, 0.3, (170, 322, 486, 735), 0.04)),
        (0.05, 0.25, _click(rng, 900, 0.03)),
    )


def body_fall(rng: Random) -> Signal:
    cloth = _scrape(rng, 300, 2400, 0.2, 0.4)
    return mix(
        (0.0, 0.35, cloth),
        (0.09, 0.8, _thud(rng, 74, 0.14)),
        (0.26, 1.0, _thud(rng, 56, 0.2)),
        (0.27, 0.4, cloth),
        (0.3, 0.16, _click(rng, 760, 0.03)),
    )


def pain(rng: Random) -> Signal:
    """A short grunt: a buzzing throat through three formants, falling, with breath behind."""
    seconds = rng.uniform(0.22, 0.3)
    pitch = sweep(rng.uniform(150, 175), rng.uniform(92, 108), seconds)
    phase = np.cumsum(pitch * (1 + 0.03 * rng.standard_normal(len(pitch)).cumsum() / 60)) / synth.RATE
    throat = (2 * (phase % 1) - 1) + 0.25 * noise(rng, seconds)
    mouth = (
        band(throat, 430, 720, 0.8)
        + 0.55 * band(throat, 930, 1250, 0.7)
        + 0.18 * band(throat, 2200, 2700, 0.6)
    )
    return mix((0.0, 1.0, mouth * hump(seconds, 0.22)), (0.05, 0.1, _scrape(rng, 900, 3800, 0.25)))


def hit_marker(rng: Random) -> Signal:
    return mix(
        (0.0, 0.7, tone(1560, 0.045) * decay(0.045, 0.01)),
        (0.0, 0.4, band(noise(rng, 0.02), 3000, 9000) * decay(0.02, 0.004)),
    )


def kill_marker(rng: Random) -> Signal:
    return mix((0.0, 1.0, hit_marker(rng)), (0.07, 0.8, tone(2080, 0.09) * decay(0.09, 0.02)))


def whistle(rng: Random) -> Signal:
    """The referee's whistle: two close tones, a pea that flutters, breath."""
    seconds = 0.75
    flutter = 1 + 0.02 * np.sin(2 * np.pi * 34 * time(seconds))
    shape = np.minimum(time(seconds) / 0.03, 1) * np.minimum((seconds - time(seconds)) / 0.08, 1)
    pea = 0.65 + 0.35 * np.sin(2 * np.pi * 34 * time(seconds) + 0.6)
    blow = tone(2330 * flutter, seconds) + 0.7 * tone(2710 * flutter, seconds) + 0.3 * noise(rng, seconds)
    return synth.echoes(rng, blow * shape * pea, 0.5, 0.09, 0.03, 5000)


def bell(rng: Random) -> Signal:
    base = 392.0
    partials = (base, base * 1.19, base * 1.5, base * 2.0, base * 2.51, base * 3.01, base * 4.1)
    toll = ringing(rng, 2.4, partials, 0.6, 0.84)
    return mix((0.0, 1.0, toll), (0.0, 0.4, band(noise(rng, 0.02), 1500, 7000) * decay(0.02, 0.004)))


def ui_click(rng: Random) -> Signal:
    return mix(
        (0.0, 0.7, tone(940, 0.03) * decay(0.03, 0.006)),
        (0.0, 0.3, band(noise(rng, 0.012), 2500, 8000) * decay(0.012, 0.003)),
    )


def tick(rng: Random) -> Signal:
    return ringing(rng, 0.07, (1240, 1980, 3100), 0.012)


# --- what is always there --------------------------------------------------------------------------------


def ambience_wind(rng: Random) -> Signal:
    """Twelve seconds of wind that swells and sinks, with leaves in the gusts. Loops."""
    seconds = 13.0
    gust = np.interp(time(seconds), np.linspace(0, seconds, 12), rng.uniform(0.25, 1.0, 12))
    gust = np.convolve(np.pad(gust, 8000, "edge"), np.hanning(16001) / np.hanning(16001).sum(), "valid")
    low = band(noise(rng, seconds), 50, 330, 1.2) * (0.5 + 0.5 * gust)
    moan = band(noise(rng, seconds), 380, 620, 0.9) * gust**2
    leaves = band(noise(rng, seconds), 2200, 7000, 1.0) * gust**3
    return synth.seamless(low + 0.35 * moan + 0.16 * leaves, 1.0)


def fire_loop(rng: Random) -> Signal:
    seconds = 3.5
    breath = 0.7 + 0.3 * np.interp(time(seconds), np.linspace(0, seconds, 20), rng.random(20))
    base = band(noise(rng, seconds), 90, 700, 1.0) * breath
    crackle = _grains(rng, 70, seconds - 0.1, 1800, 9000, 0.002)[: synth.samples(seconds)]
    return synth.seamless(mix((0.0, 0.6, base), (0.0, 0.9, crackle)), 0.5)


def water(rng: Random) -> Signal:
    """A bucket that comes up: drops that ring and a splash."""
    layers = [(0.0, 0.7, _scrape(rng, 500, 3800, 0.5, 0.2))]
    for _ in range(16):
        pitch = rng.uniform(500, 1500)
        drop = tone(sweep(pitch, pitch * rng.uniform(1.3, 2.2), 0.09), 0.09) * decay(0.09, 0.016)
        layers.append((rng.beta(1.2, 2.0) * 1.1, rng.uniform(0.15, 0.5), drop))
    return mix(*layers)


def bird(rng: Random) -> Signal:
    """Two to four short notes that bend, far away."""
    layers = []
    at, top = 0.0, rng.uniform(3100, 4000)
    for _ in range(rng.integers(2, 5)):
        seconds = rng.uniform(0.07, 0.16)
        bend = sweep(top * rng.uniform(0.8, 1.1), top * rng.uniform(0.75, 1.15), seconds)
        layers.append((at, rng.uniform(0.5, 1.0), tone(bend, seconds) * hump(seconds, 0.35)))
        at += seconds + rng.uniform(0.03, 0.1)
    return synth.echoes(rng, mix(*layers), 0.7, 0.14, 0.05, 5200)


RECIPES: tuple[tuple[Maker, int], ...] = (
    (step_stone, 4), (step_wood, 4), (step_gravel, 4), (step_grass, 4), (step_sand, 4), (step_metal, 4),
    (rifle_shot, 3), (rifle_shot_far, 3), (mag_out, 1), (mag_in, 1), (bolt, 1),
    (dry_fire, 1), (shell_drop, 2),
    (hit_stone, 3), (hit_wood, 3), (hit_metal, 3), (hit_dirt, 3), (hit_flesh, 3),
    (dummy_clang, 2), (dummy_fall, 1), (dummy_rise, 1), (door_slide, 1), (door_stop, 1),
    (body_fall, 2), (pain, 4),
    (hit_marker, 1), (kill_marker, 1), (whistle, 1), (bell, 1), (ui_click, 1), (tick, 1),
    (ambience_wind, 1), (fire_loop, 1), (water, 1), (bird, 4),
)  # fmt: skip
"""Which maker makes how many variants: `step_stone_1.wav` and so on, or `bell.wav` where there is one."""


def file_names(maker: Maker, count: int) -> list[str]:
    name = maker.__name__
    return [name] if count == 1 else [f"{name}_{i}" for i in range(1, count + 1)]


if __name__ == "__main__":
    for maker, count in RECIPES:
        for name in file_names(maker, count):
            synth.write(TARGET / f"{name}.wav", maker(synth.source(name)))
    print(f"wrote {sum(count for _, count in RECIPES)} sounds")

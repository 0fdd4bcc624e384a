"""Building blocks of sounds: noise, tones, filters, envelopes, and a writer of WAV files.

A signal is a one-dimensional float64 array at RATE samples a second, about -1..1. All noise comes from a
generator that is seeded by the sound's name, so that a sound made twice is the same bytes twice.
"""

from __future__ import annotations

import wave
import zlib
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

RATE = 22050
PEAK = 10 ** (-3 / 20)
"""Every file's loudest sample: 3 dB below full scale."""

Signal = NDArray[np.float64]


def source(name: str) -> np.random.Generator:
    """The random source of one sound."""
    return np.random.default_rng(zlib.crc32(name.encode()))


def samples(seconds: float) -> int:
    return max(1, round(seconds * RATE))


def time(seconds: float) -> Signal:
    return np.arange(samples(seconds)) / RATE


def noise(rng: np.random.Generator, seconds: float) -> Signal:
    return rng.standard_normal(samples(seconds)) * 0.3


def band(signal: Signal, low: float, high: float, soft: float = 0.35) -> Signal:
    """The part between two frequencies in hertz; ``soft`` is the width of the edges in octaves."""
    padded = np.concatenate([signal, np.zeros(samples(0.05))])
    spectrum = np.fft.rfft(padded)
    octaves = np.log2(np.maximum(np.fft.rfftfreq(len(padded), 1 / RATE), 1.0))
    rise = 1 / (1 + np.exp(-(octaves - np.log2(max(low, 1.0))) / (soft / 4)))
    fall = 1 / (1 + np.exp((octaves - np.log2(high)) / (soft / 4)))
    return np.fft.irfft(spectrum * rise * fall, len(padded))[: len(signal)]


def decay(seconds: float, half_life: float, attack: float = 0.001) -> Signal:
    """An envelope: a short straight rise, then halved every ``half_life`` seconds; ends at nothing."""
    t = time(seconds)
    shape = np.minimum(t / attack, 1.0) * 0.5 ** (np.maximum(t - attack, 0) / half_life)
    tail = min(len(shape), samples(0.01))
    shape[-tail:] *= np.linspace(1, 0, tail)
    return shape


def hump(seconds: float, peak: float = 0.4) -> Signal:
    """An envelope that swells and fades: 0 at both ends, 1 at ``peak`` of the way."""
    x = np.linspace(0, 1, samples(seconds))
    return np.where(x < peak, np.sin(np.pi / 2 * x / peak), np.cos(np.pi / 2 * (x - peak) / (1 - peak))) ** 2


def tone(frequency: Signal | float, seconds: float, phase: float = 0.0) -> Signal:
    """A sine; the frequency in hertz may change over time."""
    steps = np.broadcast_to(np.asarray(frequency, float), samples(seconds))
    return np.sin(2 * np.pi * np.cumsum(steps) / RATE + phase)


def sweep(start: float, end: float, seconds: float) -> Signal:
    """Frequencies that fall or rise evenly by octaves."""
    return np.geomspace(start, end, samples(seconds))


def ringing(
    rng: np.random.Generator,
    seconds: float,
    partials: tuple[float, ...],
    half_life: float,
    bright: float = 0.7,
) -> Signal:
    """Struck metal or wood: decaying partials, higher ones weaker and shorter."""
    out: Signal = np.zeros(samples(seconds))
    for rank, frequency in enumerate(partials):
        life = half_life / (1 + 0.5 * rank)
        out += bright**rank * tone(frequency, seconds, rng.uniform(0, 6)) * decay(seconds, life, 0.0008)
    out /= len(partials) ** 0.5
    return out


def mix(*layers: tuple[float, float, Signal]) -> Signal:
    """Layers as (start in seconds, gain, signal), added up."""
    length = max(samples(start) + len(signal) for start, _, signal in layers)
    out = np.zeros(length)
    for start, gain, signal in layers:
        at = samples(start) if start > 0 else 0
        out[at : at + len(signal)] += gain * signal
    return out


def press(signal: Signal, drive: float) -> Signal:
    """Soft clipping: louder quiet parts and a rounder peak."""
    pressed: Signal = np.tanh(signal * drive) / np.tanh(drive)
    return pressed


def echoes(
    rng: np.random.Generator, signal: Signal, seconds: float, half_life: float, first: float, dull: float
) -> Signal:
    """The signal with the open-air reverberation of walls around: sparse at first, then dense and dull."""
    tail = noise(rng, seconds) * decay(seconds, half_life, first)
    density = np.linspace(0.15, 1.0, len(tail))
    tail *= rng.random(len(tail)) < density
    length = len(signal) + len(tail)
    wet = np.fft.irfft(np.fft.rfft(signal, length) * np.fft.rfft(tail, length), length)
    wet = band(wet, 90, dull)
    peak = np.max(np.abs(wet)) or 1.0
    out: Signal = wet / peak * np.max(np.abs(signal)) * 0.5
    out[: len(signal)] += signal
    return out


def seamless(signal: Signal, seconds: float) -> Signal:
    """A loop: the last stretch is faded into the first with equal power, so that the join is not heard."""
    count = samples(seconds)
    fade = np.linspace(0, np.pi / 2, count)
    head = signal[:count] * np.sin(fade) + signal[-count:] * np.cos(fade)
    return np.concatenate([head, signal[count:-count]])


def write(path: Path, signal: Signal) -> None:
    """A mono 16-bit WAV without offset, its peak at PEAK."""
    centred = signal - np.mean(signal)
    peak = np.max(np.abs(centred))
    data = np.round(centred / peak * PEAK * 32767).astype("<i2")
    path.parent.mkdir(parents=True, exist_ok=True)
    with wave.open(str(path), "wb") as file:
        file.setnchannels(1)
        file.setsampwidth(2)
        file.setframerate(RATE)
        file.writeframes(data.tobytes())

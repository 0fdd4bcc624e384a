"""Animated GIF files: a palette for all frames, and only what changes from one frame to the next."""

from __future__ import annotations

import struct
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

Pixels = NDArray[np.uint8]

COLORS = 255
"""Colours of the palette; one more entry stands for "as in the frame before"."""

_SAME = COLORS
_LEVELS = 32  # steps of each channel that are told apart while colours are counted
_MAX_CODES = 4096


def encode(frames: Sequence[Pixels], seconds: float) -> bytes:
    """A GIF that repeats for ever. frames are (H, W, 3) of one size; `seconds` each, 0.02 at least."""
    height, width = frames[0].shape[:2]
    table, palette = _palette(frames)
    hundredths = max(2, round(seconds * 100))
    parts = [struct.pack("<6sHHBBB", b"GIF89a", width, height, 0xF7, 0, 0), palette]
    parts.append(b"\x21\xff\x0bNETSCAPE2.0\x03\x01\x00\x00\x00")
    before: NDArray[np.uint8] | None = None
    for frame in frames:
        picture = table[_cell(frame)]
        shown = picture if before is None else np.where(picture == before, np.uint8(_SAME), picture)
        parts.append(struct.pack("<BBBBHBB", 0x21, 0xF9, 4, 0x05, hundredths, _SAME, 0))
        parts.append(struct.pack("<BHHHHB", 0x2C, 0, 0, width, height, 0))
        parts.append(_compressed(shown.tobytes()))
        before = picture
    return b"".join([*parts, b"\x3b"])


def _cell(pixels: Pixels) -> NDArray[np.intp]:
    """The coarse colour of each pixel, 0.._LEVELS**3 - 1."""
    r, g, b = (pixels[..., channel].astype(np.intp) * _LEVELS // 256 for channel in range(3))
    return (r * _LEVELS + g) * _LEVELS + b


def _palette(frames: Sequence[Pixels]) -> tuple[NDArray[np.uint8], bytes]:
    """The palette entry of every coarse colour, and the palette's bytes: median cut over all frames."""
    counts = np.zeros(_LEVELS**3, np.int64)
    for frame in frames:
        counts += np.bincount(_cell(frame).ravel(), minlength=len(counts))
    used = np.flatnonzero(counts)
    places = np.stack(np.unravel_index(used, (_LEVELS,) * 3), axis=1).astype(np.float64)
    weights = np.sqrt(counts[used])  # a large plain floor must not take every colour
    boxes = [np.arange(len(used))]
    while len(boxes) < COLORS:
        spread = [float((weights[box] * np.ptp(places[box], axis=0).max()).sum()) for box in boxes]
        largest = int(np.argmax(spread))
        if spread[largest] <= 0:
            break
        box = boxes.pop(largest)
        axis = int(np.argmax(np.ptp(places[box], axis=0)))
        box = box[np.argsort(places[box, axis], kind="stable")]
        share = np.cumsum(weights[box])
        cut = min(max(1, int(np.searchsorted(share, share[-1] / 2))), len(box) - 1)
        boxes += [box[:cut], box[cut:]]
    table = np.zeros(len(counts), np.uint8)
    colors = np.zeros((256, 3), np.uint8)
    for entry, box in enumerate(boxes):
        mean = np.average(places[box], axis=0, weights=counts[used[box]])
        colors[entry] = np.clip((mean + 0.5) * 256 / _LEVELS, 0, 255)
        table[used[box]] = entry
    return table, colors.tobytes()


def _compressed(data: bytes) -> bytes:
    """The picture data of one frame: LZW codes of 9 to 12 bits in blocks of 255 bytes."""
    clear, end = 256, 257
    known: dict[int, int] = {}  # a code and the byte after it, as code * 256 + byte
    size, count = 9, 258
    bits, filled = clear, 9
    out = bytearray()
    prefix = data[0]
    for value in data[1:]:
        longer = prefix << 8 | value
        found = known.get(longer)
        if found is not None:
            prefix = found
            continue
        bits |= prefix << filled
        filled += size
        if count < _MAX_CODES:
            known[longer] = count
            if count == 1 << size:
                size += 1
            count += 1
        else:
            bits |= clear << filled
            filled += size
            known.clear()
            size, count = 9, 258
        while filled >= 8:
            out.append(bits & 255)
            bits >>= 8
            filled -= 8
        prefix = value
    bits |= (end << size | prefix) << filled
    filled += 2 * size
    out += bits.to_bytes(-(-filled // 8), "little")
    blocks = [bytes(out[at : at + 255]) for at in range(0, len(out), 255)]
    return b"\x08" + b"".join(bytes((len(block),)) + block for block in blocks) + b"\x00"

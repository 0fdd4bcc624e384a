"""The list of keys in the corner of a preview."""

from __future__ import annotations

from collections.abc import Sequence

from engine.client.canvas import AMBER, NIGHT, PAPER, Canvas

KEYS_WIDTH = 392.0
"""About what the list takes at the right, in units of a picture 720 high."""

Keys = Sequence[tuple[str, str]]
"""Keys, and what they do."""


def draw_keys(canvas: Canvas, rows: Keys, bottom: float) -> float:
    """A box in the upper right corner, down to `bottom` at most: rows that a small window has no room for are left out.
    Where it ends."""
    u, step = canvas.unit, canvas.letters.line_height("mono")
    rows = rows[: max(1, int((bottom - 36 * u) / step))]
    keys = max(canvas.letters.width(key, "mono") for key, _ in rows)
    words = max(canvas.letters.width(word, "mono") for _, word in rows)
    width, height = keys + words + 40 * u, len(rows) * step + 20 * u
    x, y = canvas.width - width - 16 * u, 16 * u
    canvas.box(x, y, width, height, NIGHT, 0.72)
    for number, (key, word) in enumerate(rows):
        top = y + 10 * u + number * step
        canvas.text(x + 12 * u + keys, top, key, "mono", AMBER, align="right")
        canvas.text(x + 26 * u + keys, top, word, "mono", PAPER)
    return y + height

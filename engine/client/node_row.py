"""A node of an animation tree as a row: its name, its weight and its time as bars. The preview and the panel in the
game draw their trees with it."""

from __future__ import annotations

from engine.anim.state import NodeView
from engine.client.canvas import AMBER, DIM, GREEN, PAPER, Canvas, Colour

BAR = 84.0
"""Width of the bars, in units of a picture 720 high."""

BLUE: Colour = (0.45, 0.68, 0.84)
SHADE: Colour = (0.11, 0.12, 0.14)
IDLE: Colour = (0.24, 0.28, 0.33)
_STEP = 14.0
_NUMBER = 46.0

Box = tuple[float, float, float, float]


def row_height(canvas: Canvas) -> float:
    return canvas.letters.line_height("mono") + 6 * canvas.unit


def draw_node(
    canvas: Canvas, view: NodeView, x: float, y: float, width: float, *, depth: int, active: bool
) -> Box:
    """Draw a row that is `depth` steps in; the place of its weight bar. Where the weight has not come to its goal, the
    goal is a line in the bar. Above 1 the bar is full."""
    u, step = canvas.unit, row_height(canvas)
    colour = PAPER if active else DIM
    bar = x + width - (BAR + _NUMBER + 8) * u
    left = x + 14 * u + depth * _STEP * u
    name = fitted(canvas, view.name, bar - left - 8 * u)
    canvas.text(left, y + 3 * u, name, "mono", colour if view.leaf else (AMBER if active else DIM))
    high, low = y + step / 2 - 6 * u, y + step / 2 + 4 * u
    box = (bar, high, BAR * u, 8 * u)
    canvas.box(*box, SHADE)
    canvas.box(bar, high, BAR * u * min(view.weight, 1.0), 8 * u, GREEN if active else IDLE)
    if abs(view.goal - view.weight) > 0.005:
        goal = bar + BAR * u * min(view.goal, 1.0)
        canvas.box(goal - u, high - 2 * u, 2 * u, 12 * u, PAPER)
    if view.time is not None:
        canvas.box(bar, low, BAR * u, 3 * u, SHADE)
        if active:
            canvas.box(bar, low, BAR * u * view.time, 3 * u, BLUE)
    if view.goal > 0 or view.weight > 0:
        canvas.text(x + width - 10 * u, y + 3 * u, f"{view.weight:.2f}", "mono", colour, align="right")
    return box


def fitted(canvas: Canvas, text: str, width: float) -> str:
    """As much of a name as a width holds."""
    while len(text) > 4 and canvas.letters.width(text, "mono") > width:
        text = text[:-4] + "..."
    return text

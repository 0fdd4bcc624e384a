"""What is drawn over a unit: a button for each script, arguments and ports, the eight slots, and what happened."""

from __future__ import annotations

from engine.client.canvas import AMBER, DIM, GREEN, NIGHT, PAPER, RED, Canvas, Colour
from engine.client.preview.key_list import KEYS_WIDTH
from engine.client.preview.problems import Problems
from engine.client.preview.spots import Spot, Spots
from engine.client.preview.unit_stage import MARK_SECONDS, UnitStage
from engine.client.projecting import project
from engine.client.render.scene import Camera
from engine.world.unit_host import ACTIVATION, HEALTH

KEYS = (
    ("H  Esc", "these keys, close"),
    ("space", "run or stand"),
    ("right", "one tick"),
    ("home", "begin again"),
    ("[ ]", "slower or faster"),
    ("1 .. 9", "start a script"),
    ("click", "start it"),
    ("wheel on a number", "change it; shift: a little"),
    ("click on a number", "argument to 0, port 0 or 1"),
    ("B W G", "pieces, wire frame, grid"),
    ("X", "problems"),
    ("F", "whole figure"),
    ("F11 F12", "full screen, picture"),
    ("drag", "turn; right or shift: move"),
    ("pad 1 3 7", "front, side, above"),
    ("ctrl drag", "turn the light; also , and ."),
    ("wheel", "nearer or farther"),
    ("drop a file", "look at it"),
)

LEFT, FOOT = 268.0, 168.0
"""Width of the left side and height of the foot, in units of a picture 720 high."""

PORT_NAMES = {ACTIVATION: "activation", HEALTH: "health"}
_BUTTON: Colour = (0.19, 0.22, 0.26)
_RUNNING: Colour = (0.30, 0.27, 0.17)
_RULE: Colour = (0.24, 0.28, 0.33)


class UnitPanel(Spots):
    """Draws a unit's state. Its spots are a `script`, an `argument`, a `port`, `play`, `tick`, `reset`, `problems`, and
    the `panel` itself; `node` is the script's index, the argument's place or the port's number."""

    keys = KEYS

    def __init__(self) -> None:
        super().__init__()
        self.help = True
        self.scroll = 0.0

    def draw(
        self, canvas: Canvas, stage: UnitStage, camera: Camera, problems: Problems, busy: str = ""
    ) -> None:
        """`busy` is what is being done meanwhile."""
        self.spots = []
        self._draw_marks(canvas, stage, camera)
        self._draw_controls(canvas, stage)
        self._draw_foot(canvas, stage)
        facts = f"tick {stage.tick}" + (f", speed {stage.speed:g}" if stage.speed != 1.0 else "")
        x, step = self.width(canvas) + 18 * canvas.unit, canvas.letters.line_height("mono")
        canvas.text(x, 16 * canvas.unit, facts, "mono", PAPER)
        if problems.worst:
            colour = RED if problems.worst == "error" else AMBER
            wide = canvas.text(x, 16 * canvas.unit + step, problems.words(), "mono", colour)
            self.spots.append(Spot("problems", (x, 16 * canvas.unit + step, wide, step)))
        canvas.text(x, 16 * canvas.unit + 2 * step, busy, "mono", GREEN)

    def covers(self) -> tuple[float, float, float]:
        return LEFT, KEYS_WIDTH if self.help else 0.0, FOOT

    def width(self, canvas: Canvas) -> float:
        return LEFT * canvas.unit

    def foot(self, canvas: Canvas) -> float:
        # Letters keep a least size in small windows, and the eight slots must fit.
        return max(FOOT * canvas.unit, 9 * canvas.letters.line_height("mono") + 22 * canvas.unit)

    # The left side --------------------------------------------------------------------------------------

    def _draw_controls(self, canvas: Canvas, stage: UnitStage) -> None:
        u, width = canvas.unit, self.width(canvas)
        height = canvas.height - self.foot(canvas)
        canvas.box(0, 0, width, height, NIGHT, 0.86)
        self.spots.append(Spot("panel", (0, 0, width, height)))
        title = canvas.text(14 * u, 12 * u, stage.subject.name, "small", PAPER)
        canvas.text(24 * u + title, 12 * u, f"on {stage.subject.model.name}", "small", DIM)
        third = (width - 28 * u - 12 * u) / 3
        for number, (part, word) in enumerate(
            (("play", "stand" if stage.playing else "run"), ("tick", "one tick"), ("reset", "again"))
        ):
            self._button(canvas, part, 14 * u + number * (third + 6 * u), 40 * u, third, word)
        below = self._numbers_height(canvas, stage)
        self._draw_scripts(canvas, stage, 76 * u, height - below)
        self._draw_numbers(canvas, stage, height - below)

    def _button(self, canvas: Canvas, part: str, x: float, y: float, width: float, word: str) -> None:
        height = canvas.letters.line_height("mono") + 10 * canvas.unit
        canvas.box(x, y, width, height, _BUTTON)
        canvas.text(x + width / 2, y + 5 * canvas.unit, word, "mono", PAPER, align="center")
        self.spots.append(Spot(part, (x, y, width, height)))

    def _draw_scripts(self, canvas: Canvas, stage: UnitStage, top: float, bottom: float) -> None:
        u, width = canvas.unit, self.width(canvas)
        step = canvas.letters.line_height("mono") + 8 * u
        running = [view.script for view in stage.slots() if view.script]
        room = bottom - top
        self.scroll = min(max(0.0, self.scroll), max(0.0, len(stage.scripts) * step - room))
        for index, name in enumerate(stage.scripts):
            y = top + index * step - self.scroll
            if y < top or y + step > bottom:
                continue
            threads = running.count(name)
            canvas.box(14 * u, y, width - 28 * u, step - 3 * u, _RUNNING if threads else _BUTTON)
            canvas.text(22 * u, y + 2 * u, name, "mono", AMBER if threads else PAPER)
            if threads:
                text = "runs" if threads == 1 else f"runs {threads} times"
                canvas.text(width - 22 * u, y + 2 * u, text, "mono", DIM, align="right")
            elif index < 9:
                canvas.text(width - 22 * u, y + 2 * u, str(index + 1), "mono", DIM, align="right")
            self.spots.append(Spot("script", (14 * u, y, width - 28 * u, step - 3 * u), index))

    def _ports(self, stage: UnitStage) -> list[int]:
        return sorted({ACTIVATION, HEALTH, *stage.subject.ports})

    def _numbers_height(self, canvas: Canvas, stage: UnitStage) -> float:
        return (3 + len(self._ports(stage))) * (canvas.letters.line_height("mono") + 6 * canvas.unit)

    def _draw_numbers(self, canvas: Canvas, stage: UnitStage, top: float) -> None:
        u, width = canvas.unit, self.width(canvas)
        step = canvas.letters.line_height("mono") + 6 * u
        canvas.box(14 * u, top, width - 28 * u, u, _RULE)
        canvas.text(14 * u, top + 5 * u, "arguments, 65536 a turn", "mono", DIM)
        cell = (width - 28 * u) / 4
        for place, value in enumerate(stage.arguments):
            x, y = 14 * u + place * cell, top + step + 3 * u
            canvas.box(x, y, cell - 4 * u, step - 3 * u, _BUTTON)
            canvas.text(x + cell - 10 * u, y + u, str(value), "mono", PAPER if value else DIM, align="right")
            self.spots.append(Spot("argument", (x, y, cell - 4 * u, step - 3 * u), place))
        y = top + 2 * step + 6 * u
        for port in self._ports(stage):
            value = stage.host.values.get(port, 0)
            name = PORT_NAMES.get(port, "")
            canvas.text(14 * u, y + u, f"port {port} {name}", "mono", DIM)
            canvas.box(width - 14 * u - cell + 4 * u, y, cell - 4 * u, step - 3 * u, _BUTTON)
            canvas.text(width - 24 * u, y + u, str(value), "mono", PAPER, align="right")
            self.spots.append(Spot("port", (14 * u, y, width - 28 * u, step - 3 * u), port))
            y += step

    # The foot -------------------------------------------------------------------------------------------

    def _draw_foot(self, canvas: Canvas, stage: UnitStage) -> None:
        u, height = canvas.unit, self.foot(canvas)
        top, step = canvas.height - height, canvas.letters.line_height("mono")
        canvas.box(0, top, canvas.width, height, NIGHT, 0.92)
        canvas.box(0, top, canvas.width, u, _RULE)
        self.spots.append(Spot("panel", (0, top, canvas.width, height)))
        columns = (14 * u, 40 * u, 190 * u, 250 * u, 308 * u)
        for x, word in zip(columns, ("", "script", "line", "mask", "state"), strict=True):
            canvas.text(x, top + 8 * u, word, "mono", DIM)
        y = top + 14 * u + step
        for view in stage.slots():
            colour = PAPER if view.script else _RULE
            line = str(view.line) if view.line is not None else ""
            cells = (str(view.number), view.script, line, str(view.mask) if view.script else "", view.doing)
            for x, cell in zip(columns, cells, strict=True):
                canvas.text(x, y, cell, "mono", GREEN if cell == "runs" else colour)
            y += step
        self._draw_log(canvas, stage, 0.53 * canvas.width, top)

    def _draw_log(self, canvas: Canvas, stage: UnitStage, x: float, top: float) -> None:
        u, step = canvas.unit, canvas.letters.line_height("mono")
        statics = "   ".join(f"{name} = {value}" for name, value in stage.statics()) or "no static variables"
        width = canvas.width - x - 14 * u
        lines = canvas.wrap(statics, width, "mono")[:2]
        for number, line in enumerate(lines):
            canvas.text(x, top + 8 * u + number * step, line, "mono", AMBER)
        y = top + 14 * u + len(lines) * step
        room = max(0, int((canvas.height - 8 * u - y) / step))
        for told in list(stage.log)[-room:] if room else []:
            canvas.text(x, y, f"{told.tick:5}  {told.text}", "mono", RED if told.bad else PAPER)
            y += step

    # Over the figure ------------------------------------------------------------------------------------

    def _draw_marks(self, canvas: Canvas, stage: UnitStage, camera: Camera) -> None:
        """What just happened at a piece is marked there."""
        index = stage.subject.model.skeleton.index
        fresh = {told.piece: told for told in stage.log if told.age < MARK_SECONDS and told.piece in index}
        if not fresh:
            return
        points, seen = project(camera, stage.bones(), canvas.width, canvas.height)
        for piece, told in fresh.items():
            bone = index[piece]
            if not seen[bone]:
                continue
            fade = 1.0 - told.age / MARK_SECONDS
            size = (6 + 14 * told.age / MARK_SECONDS) * canvas.unit
            x, y = (float(part) for part in points[bone])
            canvas.frame(x - size, y - size, 2 * size, 2 * size, AMBER, fade, 2 * canvas.unit)
            canvas.text(x + size + 4 * canvas.unit, y - size, told.text, "mono", AMBER, fade)

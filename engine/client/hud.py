"""What the player reads while playing: crosshair, health, ammunition, messages, and what scripts put on the screen."""

from __future__ import annotations

import math
from collections import deque
from dataclasses import dataclass

from engine.client.canvas import NIGHT, PAPER, RED, Canvas, Colour
from engine.client.text import Face
from engine.source.render import readable
from engine.world.view import FrameView, HudElement, PlayerState

LINE_SECONDS = 6.0
BOLD_SECONDS = 3.6
PLATE = 0.5
"""How dark the plates behind text are: light letters have to read on a white wall."""

_MARK_SECONDS = 0.22
_HURT_SECONDS = 1.1

_COLOUR_CODES: dict[str, Colour] = {
    "0": (0.1, 0.1, 0.1), "1": RED, "2": (0.5, 0.75, 0.35), "3": (0.93, 0.80, 0.36), "4": (0.42, 0.56, 0.82),
    "5": (0.45, 0.74, 0.78), "6": (0.82, 0.48, 0.72), "7": PAPER, "8": (0.62, 0.62, 0.58), "9": (0.5, 0.5, 0.5),
}  # fmt: skip


def coloured(text: str, colour: Colour) -> list[tuple[str, Colour]]:
    """`text` in pieces by its colour codes: ^1 is red from there on, ^7 the standard colour."""
    pieces: list[tuple[str, Colour]] = []
    start, i = 0, 0
    while i < len(text) - 1:
        if text[i] == "^" and text[i + 1] in _COLOUR_CODES:
            if i > start:
                pieces.append((text[start:i], colour))
            colour = _COLOUR_CODES[text[i + 1]]
            start = i = i + 2
        else:
            i += 1
    if start < len(text):
        pieces.append((text[start:], colour))
    return pieces


@dataclass(slots=True)
class _Said:
    text: str
    age: float = 0.0


class Hud:
    """Keeps what fades: messages, hit marks, the direction of damage. `see` a frame, `step`, `draw`."""

    def __init__(self) -> None:
        self.lines: deque[_Said] = deque(maxlen=5)
        self.bold: _Said | None = None
        self.objective = ""
        self._opening = 0.0
        self._mark = 0.0
        self._kill = False
        self._hurt: list[tuple[float, float]] = []
        self._red = 0.0
        self._health = 0.0
        self._hits: int | None = None
        self._kills = 0
        self._hurts = 0

    def see(self, frame: FrameView, player: int | None) -> None:
        """Takes a frame's messages."""
        for message in frame.messages:
            if message.player is not None and message.player != player:
                continue
            if message.kind == "line":
                self.lines.append(_Said(readable(message.text)))
            elif message.kind == "bold":
                self.bold = _Said(readable(message.text))
            elif message.kind == "objective":
                self.objective = readable(message.text)

    def step(self, player: PlayerState | None, seconds: float) -> None:
        for said in self.lines:
            said.age += seconds
        while self.lines and self.lines[0].age > LINE_SECONDS:
            self.lines.popleft()
        if self.bold is not None:
            self.bold.age += seconds
            if self.bold.age > BOLD_SECONDS:
                self.bold = None
        self._mark = max(0.0, self._mark - seconds)
        self._red = max(0.0, self._red - seconds * 1.4)
        self._hurt = [(yaw, age + seconds) for yaw, age in self._hurt if age < _HURT_SECONDS]
        if player is None:
            self._hits = None
            return
        self._notice(player)
        self._health += (player.health - self._health) * min(1.0, seconds * 9.0)
        speed = math.hypot(player.velocity[0], player.velocity[1])
        wanted = max(player.spread * 2.2, speed / 280.0 * 3.0) + (3.0 if not player.on_ground else 0.0)
        self._opening += (wanted - self._opening) * min(1.0, seconds * 14.0)

    def _notice(self, player: PlayerState) -> None:
        if self._hits is None:
            self._health = float(player.health)
        else:
            if player.hits > self._hits:
                self._mark, self._kill = _MARK_SECONDS, player.kills > self._kills
            if player.hurt > self._hurts:
                self._hurt.append((player.hurt_from, 0.0))
                self._red = min(1.0, self._red + 0.55)
        self._hits, self._kills, self._hurts = player.hits, player.kills, player.hurt

    # Picture ---------------------------------------------------------------------------------------------

    def draw(
        self,
        canvas: Canvas,
        frame: FrameView,
        player: PlayerState | None,
        third_person: bool = False,
        aiming: bool = True,
    ) -> None:
        """`aiming` is False where the picture is not the player's view, so that nothing is aimed at in it."""
        if player is not None:
            self._draw_damage(canvas, player)
            if player.alive:
                if aiming:
                    self._draw_crosshair(canvas, player, third_person)
                self._draw_figures(canvas, player)
                if player.usable and aiming:
                    self._text(
                        canvas, canvas.width / 2, canvas.height * 0.62, player.usable, "small", 1.0, "center"
                    )
        number = player.entity if player is not None else None
        for element in sorted(frame.hud, key=lambda e: e.sort):
            if element.player is None or element.player == number:
                draw_element(canvas, element)
        self._draw_messages(canvas)

    def _draw_crosshair(self, canvas: Canvas, player: PlayerState, third_person: bool) -> None:
        u = canvas.unit
        x, y = round(canvas.width / 2), round(canvas.height / 2)
        alpha = 0.9 * (1 - player.ads) if not third_person else 0.9
        if player.weapon and alpha > 0.02 and not player.sprinting:
            gap, length, thick = (3.5 + self._opening * 3.0) * u, 7.5 * u, max(2.0, round(1.8 * u))
            half = thick / 2
            bars = (
                (x - gap - length, y - half, length, thick), (x + gap, y - half, length, thick),
                (x - half, y - gap - length, thick, length), (x - half, y + gap, thick, length),
            )  # fmt: skip
            for bx, by, bw, bh in bars:
                canvas.box(bx - 1, by - 1, bw + 2, bh + 2, NIGHT, 0.45 * alpha)
                canvas.box(bx, by, bw, bh, PAPER, alpha)
        if self._mark > 0:
            self._draw_mark(canvas, x, y)

    def _draw_mark(self, canvas: Canvas, x: float, y: float) -> None:
        u = canvas.unit
        left = self._mark / _MARK_SECONDS
        colour = RED if self._kill else PAPER
        for sx, sy in ((-1, -1), (1, -1), (-1, 1), (1, 1)):
            for i in range(5):
                d = (7 + i * 2.2 + 3 * (1 - left)) * u
                size = 2.6 * u
                canvas.box(x + sx * d - size / 2, y + sy * d - size / 2, size, size, colour, left)

    def _draw_damage(self, canvas: Canvas, player: PlayerState) -> None:
        low = max(0.0, 1 - player.health / max(player.max_health, 1) * 2.5) * 0.35 if player.alive else 0.5
        strength = max(self._red * 0.55, low)
        if strength > 0.01:
            canvas.vignette(RED, strength)
        for yaw, age in self._hurt:
            # Yaw grows to the left, the arc's angle clockwise from straight ahead.
            clockwise = math.radians(player.view[1] - yaw)
            fade = 1 - age / _HURT_SECONDS
            canvas.arc(
                canvas.width / 2, canvas.height / 2, 110 * canvas.unit, clockwise, 0.8, RED, 0.85 * fade
            )

    def _draw_figures(self, canvas: Canvas, player: PlayerState) -> None:
        u, m = canvas.unit, canvas.margin
        large, small = canvas.letters.line_height("large"), canvas.letters.line_height("small")
        y = canvas.height - m - large
        part = max(0.0, min(1.0, self._health / max(player.max_health, 1)))
        colour = PAPER if part > 0.35 else RED
        health, gap = str(max(player.health, 0)), 8 * u
        letters = canvas.letters
        wide = letters.width(health, "large") + gap + letters.width("health", "small")
        canvas.plate(m, y, wide, large, PLATE)
        width = canvas.text(m, y, health, "large", colour)
        canvas.text(m + width + gap, y + large - small - 4 * u, "health", "small", PAPER, 0.9)
        self._bar(canvas, m, canvas.height - m + 2 * u, 132 * u, part, colour)
        if not player.weapon:
            return
        right = canvas.width - m
        stock, clip = f"/ {player.stock}", str(player.clip)
        word = "reloading" if player.weapon_state == "reloading" else player.weapon.replace("_", " ")
        stock_width = letters.width(stock, "small")
        wide = max(stock_width + gap + letters.width(clip, "large"), letters.width(word, "small"))
        canvas.plate(right - wide, y - 0.5 * small, wide, large + 0.5 * small, PLATE)
        canvas.text(right, y + large - small - 4 * u, stock, "small", PAPER, 0.9, "right")
        empty = player.clip == 0 or (player.clip_size > 0 and player.clip <= player.clip_size * 0.2)
        canvas.text(right - stock_width - gap, y, clip, "large", RED if empty else PAPER, align="right")
        canvas.text(right, y - small + 2 * u, word, "small", PAPER, 0.9, "right")
        full = player.clip / player.clip_size if player.clip_size else 0.0
        if player.weapon_state == "reloading" and player.weapon_length:
            full = player.weapon_time / player.weapon_length
        self._bar(canvas, right - 132 * u, canvas.height - m + 2 * u, 132 * u, min(full, 1.0), PAPER)

    def _bar(self, canvas: Canvas, x: float, y: float, width: float, part: float, colour: Colour) -> None:
        high = max(2.0, round(3 * canvas.unit))
        canvas.box(x - 1, y - 1, width + 2, high + 2, NIGHT, 0.5)
        canvas.box(x, y, width * part, high, colour, 0.9)

    def _draw_messages(self, canvas: Canvas) -> None:
        line = canvas.letters.line_height("small")
        y = canvas.height * 0.60
        for said in self.lines:
            alpha = min(1.0, (LINE_SECONDS - said.age) / 1.0, said.age / 0.12 + 0.1)
            self._text(canvas, canvas.margin, y, said.text, "small", max(alpha, 0.0), "left")
            y += line
        if self.bold is not None:
            alpha = min(1.0, (BOLD_SECONDS - self.bold.age) / 0.8, self.bold.age / 0.15 + 0.1)
            y = canvas.height * 0.26
            for part in canvas.wrap(self.bold.text, canvas.width * 0.7, "large"):
                self._text(canvas, canvas.width / 2, y, part, "large", max(alpha, 0.0), "center")
                y += canvas.letters.line_height("large")

    def _text(
        self, canvas: Canvas, x: float, y: float, text: str, face: Face, alpha: float, align: str
    ) -> None:
        pieces = coloured(text, PAPER)
        width = sum(canvas.letters.width(piece, face) for piece, _ in pieces)
        pen = x - (width / 2 if align == "center" else 0.0)
        canvas.plate(pen, y, width, canvas.letters.line_height(face), PLATE * alpha)
        for piece, colour in pieces:
            pen += canvas.text(pen, y, piece, face, colour, alpha)


def draw_element(canvas: Canvas, element: HudElement) -> None:
    """One of the scripts' elements, from their 640 x 480 screen to the picture, the middle staying in the middle."""
    if element.alpha <= 0.004:
        return
    scale = canvas.height / 480.0
    x = canvas.width / 2 + (element.x - 320.0) * scale
    y = element.y * scale
    if element.kind in ("shader", "clock"):
        w, h = element.width * scale, element.height * scale
        x -= {"left": 0.0, "center": w / 2, "right": w}.get(element.align_x, 0.0)
        y -= {"top": 0.0, "middle": h / 2, "bottom": h}.get(element.align_y, 0.0)
        colour = (0.0, 0.0, 0.0) if element.text == "black" else element.color
        if element.kind == "clock":
            canvas.frame(x, y, w, h, colour, element.alpha, max(1.0, canvas.unit))
            canvas.box(x, y + h * element.turn, w, h * (1 - element.turn), colour, element.alpha * 0.6)
        else:
            canvas.box(x, y, w, h, colour, element.alpha)
        return
    large = element.scale >= 1.7 or "big" in element.font
    face: Face = "large" if large else "small"
    line = canvas.letters.line_height(face)
    rows = [coloured(row, element.color) for row in readable(element.text).split("\n")]
    y -= {"top": 0.0, "middle": line * len(rows) / 2, "bottom": float(line * len(rows))}.get(
        element.align_y, 0.0
    )
    for row in rows:
        width = sum(canvas.letters.width(piece, face) for piece, _ in row)
        pen = x - {"left": 0.0, "center": width / 2, "right": float(width)}.get(element.align_x, 0.0)
        if width:
            canvas.plate(pen, y, width, line, PLATE * element.alpha)
        for piece, colour in row:
            pen += canvas.text(pen, y, piece, face, colour, element.alpha)
        y += line

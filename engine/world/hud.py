"""HUD elements of scripts: what they show, and the fades, moves and scales that run over time.

An element is 640 x 480 units of screen. Changes of colour, alpha, place or size are at once unless the script
asked for time first (`fadeovertime`, `moveovertime`, `scaleovertime`): then the next change is gradual.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from engine.world.angles import Vector, lerp
from engine.world.view import HudElement, HudKind

MAX_ELEMENTS = 2048
MAX_OVER_TIME = 60.0

FONTS = ("default", "bigfixed", "smallfixed")
ALIGN_X = ("left", "center", "right")
ALIGN_Y = ("top", "middle", "bottom")


@dataclass(slots=True)
class Ramp:
    """A change from one value to another between two times (ms)."""

    start: int = 0
    end: int = 0

    def at(self, now: int) -> float:
        if now >= self.end or self.end <= self.start:
            return 1.0
        return max(0.0, (now - self.start) / (self.end - self.start))


@dataclass(slots=True)
class HudState:
    """The drawable state of one element; the script object that owns it lives in `engine.natives`.

    player is the number of the only player who sees it, team the only team; None and "" mean everybody.
    """

    number: int
    player: int | None = None
    team: str = ""
    x: float = 0.0
    y: float = 0.0
    align_x: str = "left"
    align_y: str = "top"
    font: str = "default"
    scale: float = 1.0
    color: Vector = (1.0, 1.0, 1.0)
    alpha: float = 1.0
    label: str = ""
    sort: float = 0.0
    archived: int = 1
    kind: HudKind | None = None
    text: str = ""
    value: float = 0.0
    width: float = 0.0
    height: float = 0.0
    timer_end: int = 0
    timer_up: bool = False
    tenths: bool = False
    clock_total: int = 0
    from_color: Vector = (1.0, 1.0, 1.0)
    from_alpha: float = 1.0
    from_x: float = 0.0
    from_y: float = 0.0
    from_width: float = 0.0
    from_height: float = 0.0
    fade: Ramp = field(default_factory=Ramp)
    move: Ramp = field(default_factory=Ramp)
    grow: Ramp = field(default_factory=Ramp)

    # --- over time --------------------------------------------------------------------------------------

    def fade_over(self, now: int, seconds: float) -> None:
        t = self.fade.at(now)
        self.from_color = lerp(self.from_color, self.color, t)
        self.from_alpha += (self.alpha - self.from_alpha) * t
        self.fade = Ramp(now, now + round(seconds * 1000))

    def move_over(self, now: int, seconds: float) -> None:
        t = self.move.at(now)
        self.from_x += (self.x - self.from_x) * t
        self.from_y += (self.y - self.from_y) * t
        self.move = Ramp(now, now + round(seconds * 1000))

    def scale_over(self, now: int, seconds: float, width: float, height: float) -> None:
        t = self.grow.at(now)
        self.from_width += (self.width - self.from_width) * t
        self.from_height += (self.height - self.from_height) * t
        self.grow = Ramp(now, now + round(seconds * 1000))
        self.width, self.height = width, height

    # --- contents ---------------------------------------------------------------------------------------

    def set_text(self, text: str) -> None:
        self.kind, self.text = "text", text

    def set_value(self, value: float) -> None:
        self.kind, self.value = "value", value

    def set_shader(self, name: str, width: float, height: float) -> None:
        self.kind, self.text = "shader", name
        self.width, self.height = width, height

    def set_timer(self, now: int, seconds: float, *, up: bool, tenths: bool) -> None:
        self.kind, self.timer_up, self.tenths = "timer", up, tenths
        span = round(seconds * 1000)
        self.timer_end = now - span if up else now + span

    def set_clock(
        self, now: int, seconds: float, total: float, shader: str, width: float, height: float, *, up: bool
    ) -> None:
        self.kind, self.text, self.timer_up = "clock", shader, up
        self.width, self.height = width, height
        self.clock_total = round(total * 1000)
        span = round(seconds * 1000)
        self.timer_end = now - span if up else now + span

    def reset(self) -> None:
        """Back to what a new element is, for the same viewers."""
        fresh = HudState(self.number, self.player, self.team)
        for name in HudState.__slots__:
            setattr(self, name, getattr(fresh, name))

    # --- drawing ----------------------------------------------------------------------------------------

    def _shown(self, now: int) -> str:
        if self.kind == "value":
            return self.label + f"{self.value:g}"
        if self.kind == "timer":
            left = now - self.timer_end if self.timer_up else self.timer_end - now
            return self.label + timer_text(left, tenths=self.tenths, up=self.timer_up)
        if self.kind == "text":
            return self.label + self.text
        return self.text

    def _turn(self, now: int) -> float:
        if self.kind != "clock" or self.clock_total <= 0:
            return 0.0
        left = now - self.timer_end if self.timer_up else self.timer_end - now
        return max(0.0, min(1.0, left / self.clock_total))

    def resolve(self, now: int) -> HudElement | None:
        """The element as it looks at a time; None while it has nothing to show."""
        if self.kind is None:
            return None
        fade, move, grow = self.fade.at(now), self.move.at(now), self.grow.at(now)
        alpha = self.from_alpha + (self.alpha - self.from_alpha) * fade if fade < 1.0 else self.alpha
        if alpha <= 0.0 and fade >= 1.0:
            return None
        return HudElement(
            number=self.number,
            kind=self.kind,
            text=self._shown(now),
            x=self.from_x + (self.x - self.from_x) * move if move < 1.0 else self.x,
            y=self.from_y + (self.y - self.from_y) * move if move < 1.0 else self.y,
            align_x=self.align_x,
            align_y=self.align_y,
            font=self.font,
            scale=self.scale,
            color=lerp(self.from_color, self.color, fade) if fade < 1.0 else self.color,
            alpha=max(0.0, min(1.0, alpha)),
            sort=self.sort,
            width=self.from_width + (self.width - self.from_width) * grow if grow < 1.0 else self.width,
            height=self.from_height + (self.height - self.from_height) * grow if grow < 1.0 else self.height,
            turn=self._turn(now),
            player=self.player,
        )


def timer_text(ms: int, *, tenths: bool, up: bool) -> str:
    """A time as minutes and seconds. A countdown shows the second that has begun: 0.2 s is 0:01."""
    ms = max(0, ms)
    if tenths:
        return f"{ms // 60000}:{ms // 1000 % 60:02d}.{ms // 100 % 10}"
    seconds = ms // 1000 if up else -(-ms // 1000)
    return f"{seconds // 60}:{seconds % 60:02d}"


class Hud:
    """All live elements, in the order of their numbers."""

    def __init__(self) -> None:
        self.elements: dict[int, HudState] = {}
        self._taken = 0
        """The numbers below are in use, as far as is known."""

    def put_back(self, elements: dict[int, HudState]) -> None:
        """Let these be all that there are, as a saved game has them."""
        self.elements, self._taken = elements, 0

    def new(self, player: int | None = None, team: str = "") -> HudState | None:
        """A fresh element, or None when all 2048 are in use."""
        number = self._taken = next(
            (n for n in range(self._taken, MAX_ELEMENTS) if n not in self.elements), MAX_ELEMENTS
        )
        if number == MAX_ELEMENTS:
            return None
        element = self.elements[number] = HudState(number, player, team)
        return element

    def remove(self, number: int) -> None:
        self.elements.pop(number, None)
        self._taken = min(self._taken, number)

    def resolve(self, now: int, teams: dict[int, str]) -> tuple[HudElement, ...]:
        """Everything to draw, sorted; an element of a team appears once for each of its players."""
        shown: list[HudElement] = []
        for number in sorted(self.elements):
            state = self.elements[number]
            element = state.resolve(now)
            if element is None:
                continue
            if state.team:
                shown += [replace(element, player=p) for p in sorted(teams) if teams[p] == state.team]
            else:
                shown.append(element)
        return tuple(sorted(shown, key=lambda e: (e.sort, e.number)))

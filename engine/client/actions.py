"""What a player can ask for, and which keys, buttons and sticks ask for it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum
from typing import Literal

import pygame


class Action(Enum):
    """Values are the words that the controls page shows."""

    FORWARD = "move forward"
    BACK = "move back"
    LEFT = "move left"
    RIGHT = "move right"
    JUMP = "jump"
    CROUCH = "crouch"
    SPRINT = "sprint"
    WALK = "walk"
    FIRE = "fire"
    AIM = "aim"
    RELOAD = "reload"
    USE = "use"
    MELEE = "strike"
    VIEW = "first or third person"
    PAUSE = "menu"
    CONSOLE = "console"
    OVERLAY = "figures"
    ANIMATIONS = "animations of whom you look at"
    FULL_SCREEN = "full screen"
    SCREENSHOT = "screenshot"
    SAVE = "save the game"
    LOAD = "load the saved game"


Device = Literal["key", "mouse", "wheel", "pad", "trigger"]


@dataclass(frozen=True, slots=True)
class Source:
    """A key by its pygame code, a mouse or pad button by its number, a trigger by its axis, the wheel by its sign."""

    device: Device
    code: int

    @property
    def on_pad(self) -> bool:
        """Whether it belongs to a gamepad, and not to keyboard and mouse."""
        return self.device in ("pad", "trigger")

    @property
    def label(self) -> str:
        """As it is printed on the thing itself."""
        if self.device == "key":
            name = pygame.key.name(self.code)
            return {"`": "grave (left of 1)", "": f"key {self.code}"}.get(name, name)
        if self.device == "mouse":
            names = {1: "left mouse", 2: "middle mouse", 3: "right mouse"}
            return names.get(self.code, f"mouse {self.code}")
        if self.device == "wheel":
            return "wheel up" if self.code > 0 else "wheel down"
        if self.device == "trigger":
            return "left trigger" if self.code == pygame.CONTROLLER_AXIS_TRIGGERLEFT else "right trigger"
        return _PAD_NAMES.get(self.code, f"pad {self.code}")


_PAD_NAMES = {
    pygame.CONTROLLER_BUTTON_A: "pad A",
    pygame.CONTROLLER_BUTTON_B: "pad B",
    pygame.CONTROLLER_BUTTON_X: "pad X",
    pygame.CONTROLLER_BUTTON_Y: "pad Y",
    pygame.CONTROLLER_BUTTON_BACK: "pad back",
    pygame.CONTROLLER_BUTTON_START: "pad start",
    pygame.CONTROLLER_BUTTON_LEFTSTICK: "left stick pressed",
    pygame.CONTROLLER_BUTTON_RIGHTSTICK: "right stick pressed",
    pygame.CONTROLLER_BUTTON_LEFTSHOULDER: "left shoulder",
    pygame.CONTROLLER_BUTTON_RIGHTSHOULDER: "right shoulder",
    pygame.CONTROLLER_BUTTON_DPAD_UP: "pad up",
    pygame.CONTROLLER_BUTTON_DPAD_DOWN: "pad down",
    pygame.CONTROLLER_BUTTON_DPAD_LEFT: "pad left",
    pygame.CONTROLLER_BUTTON_DPAD_RIGHT: "pad right",
}


def _key(*codes: int) -> tuple[Source, ...]:
    return tuple(Source("key", code) for code in codes)


def _pad(code: int) -> tuple[Source, ...]:
    return (Source("pad", code),)


def standard() -> dict[Action, tuple[Source, ...]]:
    """The bindings of a fresh installation."""
    left_trigger = Source("trigger", pygame.CONTROLLER_AXIS_TRIGGERLEFT)
    right_trigger = Source("trigger", pygame.CONTROLLER_AXIS_TRIGGERRIGHT)
    return {
        Action.FORWARD: _key(pygame.K_w, pygame.K_UP),
        Action.BACK: _key(pygame.K_s, pygame.K_DOWN),
        Action.LEFT: _key(pygame.K_a, pygame.K_LEFT),
        Action.RIGHT: _key(pygame.K_d, pygame.K_RIGHT),
        Action.JUMP: _key(pygame.K_SPACE) + _pad(pygame.CONTROLLER_BUTTON_A),
        Action.CROUCH: _key(pygame.K_LCTRL, pygame.K_c) + _pad(pygame.CONTROLLER_BUTTON_B),
        Action.SPRINT: _key(pygame.K_LSHIFT) + _pad(pygame.CONTROLLER_BUTTON_LEFTSTICK),
        Action.WALK: _key(pygame.K_LALT),
        Action.FIRE: (Source("mouse", 1), right_trigger),
        Action.AIM: (Source("mouse", 3), left_trigger),
        Action.RELOAD: _key(pygame.K_r) + _pad(pygame.CONTROLLER_BUTTON_X),
        Action.USE: _key(pygame.K_f, pygame.K_e) + _pad(pygame.CONTROLLER_BUTTON_Y),
        Action.MELEE: _key(pygame.K_v) + _pad(pygame.CONTROLLER_BUTTON_RIGHTSTICK),
        Action.VIEW: _key(pygame.K_t) + _pad(pygame.CONTROLLER_BUTTON_BACK),
        Action.PAUSE: _key(pygame.K_ESCAPE, pygame.K_p) + _pad(pygame.CONTROLLER_BUTTON_START),
        Action.CONSOLE: _key(pygame.K_BACKQUOTE),
        Action.OVERLAY: _key(pygame.K_F3),
        Action.ANIMATIONS: _key(pygame.K_F4),
        Action.FULL_SCREEN: _key(pygame.K_F11),
        Action.SCREENSHOT: _key(pygame.K_F12),
        Action.SAVE: _key(pygame.K_F5),
        Action.LOAD: _key(pygame.K_F9),
    }


@dataclass(frozen=True)
class Bindings:
    """Which sources ask for which action; one source serves one action."""

    by_action: Mapping[Action, tuple[Source, ...]] = field(default_factory=standard)

    def action(self, source: Source) -> Action | None:
        return next((action for action, sources in self.by_action.items() if source in sources), None)

    def label(self, action: Action, pad: bool | None = None) -> str:
        """`w or up`; "-" for an action that nothing asks for. `pad` asks for gamepad (True) or keys and mouse."""
        sources = self.by_action.get(action, ())
        return " or ".join(s.label for s in sources if pad is None or s.on_pad == pad) or "-"

    def bound(self, action: Action, source: Source) -> Bindings:
        """The same with `source` asking for `action`, in place of the others of its kind, and for nothing else.

        Escape stays with the menu, so that nobody can lock the door behind themselves.
        """
        if source == ESCAPE:
            return self
        rest = {known: tuple(s for s in sources if s != source) for known, sources in self.by_action.items()}
        kept = tuple(s for s in rest.get(action, ()) if s.on_pad != source.on_pad or s == ESCAPE)
        return Bindings({**rest, action: (source, *kept)})


ESCAPE = Source("key", pygame.K_ESCAPE)

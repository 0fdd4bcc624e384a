"""From keys, mouse and gamepad to actions, and from actions to the command of a stretch of time.

Everything goes through `Controls`: the window's events press and release actions, and so do tests and
scripted runs, because posted key events do not change what pygame believes to be held.
"""

from __future__ import annotations

from dataclasses import dataclass

import pygame
from pygame._sdl2 import controller
from pygame._sdl2.controller import Controller

from engine.client.actions import Action, Bindings, Source
from engine.world.command import Button, UserCommand

MOUSE_DEGREES = 0.06
"""Degrees of turn for each count of the mouse at sensitivity 1."""

STICK_DEGREES = 210.0
"""Degrees a second at a stick's end."""

STICK_REST = 0.16
TRIGGER_PRESSED = 0.35
PITCH_LIMIT = 85.0

_BUTTONS = {
    Action.FIRE: Button.ATTACK,
    Action.USE: Button.USE,
    Action.JUMP: Button.JUMP,
    Action.CROUCH: Button.CROUCH,
    Action.SPRINT: Button.SPRINT,
    Action.RELOAD: Button.RELOAD,
    Action.WALK: Button.WALK,
    Action.AIM: Button.AIM,
    Action.MELEE: Button.MELEE,
}


def _stick(value: float) -> float:
    """A stick's deflection with its slack taken out: 0 at rest, -1..1, finer near the middle."""
    size = abs(value)
    if size < STICK_REST:
        return 0.0
    scaled = min((size - STICK_REST) / (1 - STICK_REST), 1.0)
    return scaled * scaled if value > 0 else -scaled * scaled


def _whole(value: float) -> float:
    return max(-1.0, min(1.0, float(value)))


@dataclass(slots=True)
class Look:
    """How the mouse turns the view: sensitivity 0.1..10, and whether pushing it away looks down."""

    sensitivity: float = 1.0
    invert: bool = False


class Controls:
    """What is held, what was pressed since the last command, and where the player looks."""

    def __init__(self, look: Look | None = None) -> None:
        self.look = look or Look()
        self.pitch = self.yaw = 0.0
        self._held: set[Action] = set()
        self._tapped: set[Action] = set()
        self._move = (0.0, 0.0)
        self._turn = (0.0, 0.0)

    def press(self, action: Action) -> None:
        self._held.add(action)
        self._tapped.add(action)

    def release(self, action: Action) -> None:
        """The press still counts in the next command, however short it was."""
        self._held.discard(action)

    def release_all(self) -> None:
        """Nothing is held any more: the window lost the focus, or a menu opened."""
        self._held.clear()
        self._tapped.clear()
        self._move = self._turn = (0.0, 0.0)

    def held(self, action: Action) -> bool:
        return action in self._held

    def turn(self, counts_x: float, counts_y: float) -> None:
        """The mouse moved by so many counts, right and down positive."""
        scale = MOUSE_DEGREES * self.look.sensitivity
        self._rotate(-counts_x * scale, counts_y * scale * (-1 if self.look.invert else 1))

    def set_view(self, pitch: float, yaw: float) -> None:
        """Looks along these angles: at a spawn, or when the game turns the player."""
        self.pitch, self.yaw = max(-PITCH_LIMIT, min(PITCH_LIMIT, pitch)), yaw % 360.0

    def stick(self, left: tuple[float, float], right: tuple[float, float]) -> None:
        """Both sticks' deflections, x right and y down, -1..1."""
        self._move = _stick(left[0]), -_stick(left[1])
        self._turn = _stick(right[0]), _stick(right[1])

    def _rotate(self, yaw: float, pitch: float) -> None:
        self.set_view(self.pitch + pitch, self.yaw + yaw)

    def command(self, msec: int) -> UserCommand:
        """The command for `msec` milliseconds. Short presses are used up by it."""
        seconds = msec / 1000.0
        if self._turn != (0.0, 0.0):
            invert = -1 if self.look.invert else 1
            self._rotate(
                -self._turn[0] * STICK_DEGREES * seconds,
                self._turn[1] * STICK_DEGREES * 0.7 * seconds * invert,
            )
        asked = self._held | self._tapped
        self._tapped.clear()
        buttons = Button(0)
        for action, button in _BUTTONS.items():
            if action in asked:
                buttons |= button
        forward = (Action.FORWARD in asked) - (Action.BACK in asked) + self._move[1]
        right = (Action.RIGHT in asked) - (Action.LEFT in asked) + self._move[0]
        up = (Action.JUMP in asked) - (Action.CROUCH in asked)
        angles = (self.pitch, self.yaw, 0.0)
        return UserCommand(msec, _whole(forward), _whole(right), _whole(up), buttons, angles)


class EventReader:
    """Turns pygame's events into presses of actions, and keeps gamepads open."""

    def __init__(self, bindings: Bindings) -> None:
        self.bindings = bindings
        controller.init()
        self._pads: dict[int, Controller] = {}
        self._sticks = dict.fromkeys(range(4), 0.0)
        self._triggers: set[int] = set()

    def source(self, event: pygame.event.Event) -> tuple[Source, bool] | None:
        """(source, pressed) for an event that is a key or a button; None for any other."""
        if event.type in (pygame.KEYDOWN, pygame.KEYUP):
            if event.type == pygame.KEYDOWN and getattr(event, "repeat", False):
                return None
            return Source("key", event.key), event.type == pygame.KEYDOWN
        if event.type in (pygame.MOUSEBUTTONDOWN, pygame.MOUSEBUTTONUP):
            return Source("mouse", event.button), event.type == pygame.MOUSEBUTTONDOWN
        if event.type == pygame.MOUSEWHEEL and event.y:
            return Source("wheel", 1 if event.y > 0 else -1), True
        if event.type in (pygame.CONTROLLERBUTTONDOWN, pygame.CONTROLLERBUTTONUP):
            return Source("pad", event.button), event.type == pygame.CONTROLLERBUTTONDOWN
        if event.type == pygame.CONTROLLERAXISMOTION:
            return self._axis(event.axis, event.value / 32767.0)
        return None

    def _axis(self, axis: int, value: float) -> tuple[Source, bool] | None:
        if axis in self._sticks:
            self._sticks[axis] = value
            return None
        pressed = value > TRIGGER_PRESSED
        if pressed == (axis in self._triggers):
            return None
        self._triggers ^= {axis}
        return Source("trigger", axis), pressed

    def sticks(self) -> tuple[tuple[float, float], tuple[float, float]]:
        """Left and right stick, x right and y down."""
        s = self._sticks
        return (s[0], s[1]), (s[2], s[3])

    def device_event(self, event: pygame.event.Event) -> None:
        """Opens a gamepad that was plugged in and forgets one that was taken away."""
        if event.type == pygame.CONTROLLERDEVICEADDED:
            try:
                pad = Controller(event.device_index)
            except pygame.error:
                return
            self._pads[pad.as_joystick().get_instance_id()] = pad
        elif event.type == pygame.CONTROLLERDEVICEREMOVED:
            self._pads.pop(event.instance_id, None)
            self._sticks = dict.fromkeys(self._sticks, 0.0)

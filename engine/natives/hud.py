"""HUD elements as scripts see them."""

from __future__ import annotations

from engine.natives.text import plain
from engine.vm.errors import ScriptError
from engine.vm.machine import VM
from engine.vm.objects import DeadObject, EngineField, ScriptObject
from engine.vm.registry import Registry
from engine.vm.values import Localized, Value
from engine.world.angles import Vector
from engine.world.entity import backed
from engine.world.hud import ALIGN_X, ALIGN_Y, FONTS, MAX_OVER_TIME, HudState
from engine.world.player import Player
from engine.world.world import World

natives = Registry(services=(World,))


def _plain_field(kind: str, name: str) -> EngineField:
    return backed(kind, lambda e: getattr(e.state, name), lambda e, v: setattr(e.state, name, v))


def _choice(name: str, attribute: str, allowed: tuple[str, ...]) -> EngineField:
    def write(element: HudElem, value: str) -> None:
        if value not in allowed:
            raise ScriptError(f"'{value}' is no {name}; it must be one of {', '.join(allowed)}")
        setattr(element.state, attribute, value)

    return backed("string", lambda e: getattr(e.state, attribute), write)


class HudElem(ScriptObject):
    """One element. Its fields are the registry's; their changes may be gradual (see `fadeovertime`)."""

    type_name = "hudelem"

    def __init__(self, state: HudState) -> None:
        self.state = state

    def set_number(self, attribute: str, value: Value) -> None:
        """x and y take ints and floats."""
        if not isinstance(value, (int, float)):
            raise ScriptError(f"field '{attribute}' takes a number")
        setattr(self.state, attribute, float(value))

    def set_scale(self, value: float) -> None:
        if value <= 0:
            raise ScriptError("fontscale must be greater than 0")
        self.state.scale = value

    def set_color(self, value: Vector) -> None:
        self.state.color = value

    def set_label(self, value: Value) -> None:
        if not isinstance(value, (str, Localized)):
            raise ScriptError("field 'label' takes a localized string")
        self.state.label = plain(value, 1)

    x = backed("any", lambda e: int(e.state.x), lambda e, v: e.set_number("x", v))
    y = backed("any", lambda e: int(e.state.y), lambda e, v: e.set_number("y", v))
    fontscale = backed("float", lambda e: e.state.scale, lambda e, v: e.set_scale(v))
    font = _choice("font", "font", FONTS)
    alignx = _choice("horizontal alignment", "align_x", ALIGN_X)
    aligny = _choice("vertical alignment", "align_y", ALIGN_Y)
    color = backed("vector", lambda e: e.state.color, lambda e, v: e.set_color(v))
    alpha = _plain_field("float", "alpha")
    label = backed("any", lambda e: Localized(e.state.label), lambda e, v: e.set_label(v))
    sort = _plain_field("float", "sort")
    archived = _plain_field("int", "archived")


def _new(world: World, player: int | None = None, team: str = "") -> HudElem:
    state = world.hud.new(player, team)
    if state is None:
        raise ScriptError("no free HUD elements: all 2048 are in use")
    return HudElem(state)


@natives.function()
def newhudelem(world: World) -> HudElem:
    """An element that everybody sees."""
    return _new(world)


@natives.function()
def newclienthudelem(world: World, player: Player) -> HudElem:
    """An element that one player sees."""
    return _new(world, player.number)


@natives.function()
def newteamhudelem(world: World, team: str) -> HudElem:
    """An element that the players of a team see."""
    if team not in ("allies", "axis", "spectator"):
        raise ScriptError(f"'{team}' is no team; it must be allies, axis or spectator")
    return _new(world, team=team)


def _time(seconds: float) -> float:
    if not 0.0 < seconds <= MAX_OVER_TIME:
        raise ScriptError(f"the time must be greater than 0 and at most {MAX_OVER_TIME:g} seconds")
    return seconds


@natives.method()
def settext(self: HudElem, text: Value) -> None:
    """Show a text: a localized string, or an ordinary one."""
    self.state.set_text(plain(text, 1))


@natives.method()
def setvalue(self: HudElem, number: float) -> None:
    self.state.set_value(number)


@natives.method()
def setshader(
    self: HudElem, name: str, width: float | None = None, height: float | None = None,
    right: float | None = None, bottom: float | None = None,
) -> None:  # fmt: skip
    """Show a picture. Without a size it is 32 x 32."""
    if width is not None and height is None:
        raise ScriptError("setshader takes 1, 3 or 5 arguments")
    self.state.set_shader(name, 32.0 if width is None else width, 32.0 if height is None else height)


@natives.method()
def settimer(self: HudElem, world: World, seconds: float) -> None:
    """Count down to 0 in minutes and seconds."""
    self.state.set_timer(world.time, seconds, up=False, tenths=False)


@natives.method()
def settimerup(self: HudElem, world: World, seconds: float) -> None:
    self.state.set_timer(world.time, seconds, up=True, tenths=False)


@natives.method()
def settenthstimer(self: HudElem, world: World, seconds: float) -> None:
    self.state.set_timer(world.time, seconds, up=False, tenths=True)


@natives.method()
def settenthstimerup(self: HudElem, world: World, seconds: float) -> None:
    self.state.set_timer(world.time, seconds, up=True, tenths=True)


def _clock(
    element: HudElem, world: World, seconds: float, total: float, shader: str, width: float | None,
    height: float | None, *, up: bool,
) -> None:  # fmt: skip
    if total <= 0:
        raise ScriptError("the whole time of a clock must be greater than 0")
    element.state.set_clock(world.time, seconds, total, shader, width or 32.0, height or 32.0, up=up)


@natives.method()
def setclock(
    self: HudElem, world: World, seconds: float, total: float, shader: str, width: float | None = None,
    height: float | None = None,
) -> None:  # fmt: skip
    """A clock whose hand runs down."""
    _clock(self, world, seconds, total, shader, width, height, up=False)


@natives.method()
def setclockup(
    self: HudElem, world: World, seconds: float, total: float, shader: str, width: float | None = None,
    height: float | None = None,
) -> None:  # fmt: skip
    _clock(self, world, seconds, total, shader, width, height, up=True)


@natives.method()
def fadeovertime(self: HudElem, world: World, seconds: float) -> None:
    """The next change of colour or alpha takes this long."""
    self.state.fade_over(world.time, _time(seconds))


@natives.method()
def moveovertime(self: HudElem, world: World, seconds: float) -> None:
    self.state.move_over(world.time, _time(seconds))


@natives.method()
def scaleovertime(self: HudElem, world: World, seconds: float, width: float, height: float) -> None:
    self.state.scale_over(world.time, _time(seconds), width, height)


@natives.method()
def reset(self: HudElem) -> None:
    """Back to what a new element is."""
    self.state.reset()


@natives.method()
def destroy(self: HudElem, vm: VM, world: World) -> None:
    """Free the element at once; what still refers to it refers to a dead object."""
    world.hud.remove(self.state.number)
    vm.free(self, DeadObject)

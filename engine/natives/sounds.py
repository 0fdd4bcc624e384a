"""Sounds and effects."""

from __future__ import annotations

from engine.natives.text import asset
from engine.vm.errors import ScriptError
from engine.vm.registry import Registry
from engine.vm.values import Value, Vector
from engine.world.angles import normalize
from engine.world.effects import LoopedEffect
from engine.world.entity import Entity
from engine.world.player import Player
from engine.world.view import EffectEvent, Shake, SoundEvent
from engine.world.world import World

natives = Registry(services=(World,))

MAX_EFFECTS = 256
"""Names that `loadfx` has given numbers to."""

_UP: Vector = (0.0, 0.0, 1.0)


# --- sounds -------------------------------------------------------------------------------------------------


def _named(world: World, alias: str) -> str:
    """A sound's name as it is kept. One that nothing has is told here, where it stands."""
    if alias:
        world.sound_asked(alias)
    return alias.lower()


@natives.method()
def playsound(
    self: Entity, world: World, alias: str, notifyname: str | None = None, flag: Value | None = None
) -> None:
    """Play a sound at the entity; with a name, notify it when the sound is over."""
    world.events.sound(_named(world, alias), self.position, self.number)
    if notifyname is not None:
        world.notify_later(world.sound_seconds(alias), self, notifyname)


@natives.method()
def playloopsound(self: Entity, world: World, alias: str) -> None:
    """A sound that goes on until stoploopsound; the last one wins."""
    self.loop_sound = _named(world, alias)
    world.events.sounds.append(SoundEvent(self.loop_sound, self.position, self.number, loop=True))


@natives.method()
def stoploopsound(self: Entity, world: World, fade: float | None = None) -> None:
    if self.loop_sound:
        world.events.sounds.append(
            SoundEvent(self.loop_sound, self.position, self.number, loop=True, stop=True, fade=fade or 0.0)
        )
        self.loop_sound = ""


@natives.method()
def playlocalsound(self: Player, world: World, alias: str) -> None:
    """A sound that only this player hears, without a place."""
    world.events.sounds.append(SoundEvent(_named(world, alias), player=self.number))


@natives.method()
def playlocalannouncersound(self: Player, world: World, alias: str) -> None:
    world.events.sounds.append(SoundEvent(_named(world, alias), player=self.number))


@natives.function()
def musicplay(world: World, alias: str) -> None:
    world.music = _named(world, alias)
    world.events.sounds.append(SoundEvent(world.music, loop=True))


@natives.function()
def musicstop(world: World, fade: float | None = None) -> None:
    if world.music:
        world.events.sounds.append(SoundEvent(world.music, loop=True, stop=True, fade=fade or 0.0))
        world.music = ""


@natives.function()
def ambientplay(world: World, alias: str, fade: float | None = None) -> None:
    """The sound that always plays; it takes the place of the one before."""
    ambientstop(world, fade)
    world.ambient = _named(world, alias)
    world.events.sounds.append(SoundEvent(world.ambient, loop=True, fade=fade or 0.0))


@natives.function()
def ambientstop(world: World, fade: float | None = None) -> None:
    if world.ambient:
        world.events.sounds.append(SoundEvent(world.ambient, loop=True, stop=True, fade=fade or 0.0))
        world.ambient = ""


# --- effects ------------------------------------------------------------------------------------------------


@natives.function()
def loadfx(world: World, path: str) -> int:
    """Register an effect; the number is what playfx takes. The same name gives the same number."""
    name = asset(path, "fx/")
    if name not in world.effects:
        if len(world.effects) >= MAX_EFFECTS:
            raise ScriptError(f"more than {MAX_EFFECTS} effects", code="limit")
        world.effects.append(name)
    return world.effects.index(name) + 1


def _effect(world: World, number: int) -> str:
    if not 1 <= number <= len(world.effects):
        raise ScriptError(f"effect {number} was not loaded with loadfx")
    return world.effects[number - 1]


@natives.function()
def playfx(world: World, effect: int, origin: Vector, forward: Vector | None = None) -> None:
    """Show an effect once."""
    way = normalize(forward) if forward is not None else _UP
    world.events.effect(EffectEvent(_effect(world, effect), origin, way))


@natives.function()
def playfxontag(world: World, effect: int, entity: Entity, tag: str) -> None:
    """Show an effect once at a tag of an entity's model."""
    frame = world.animator.tag_frame(entity, tag)
    if frame is None:
        raise ScriptError(f"model '{entity.model_name}' has no tag '{tag}'")
    way = (frame[1][0][0], frame[1][1][0], frame[1][2][0])
    world.events.effect(
        EffectEvent(_effect(world, effect), frame[0], way, entity=entity.number, tag=tag.lower())
    )


@natives.function()
def playloopedfx(
    world: World, effect: int, delay: float, origin: Vector, culldist: float | None = None,
    forward: Vector | None = None,
) -> None:  # fmt: skip
    """Show an effect again and again, every `delay` seconds."""
    if delay <= 0:
        raise ScriptError("the delay must be greater than 0")
    way = normalize(forward) if forward is not None else _UP
    world.looped_effects.append(
        LoopedEffect(_effect(world, effect), origin, way, round(delay * 1000), world.time)
    )


@natives.function()
def playfxonplayer(world: World, effect: int, player: Player) -> None:
    world.events.effect(
        EffectEvent(_effect(world, effect), player.eye(), player.facing(), entity=player.number)
    )


@natives.function()
def grenadeexplosioneffect(world: World, origin: Vector) -> None:
    world.events.effect(EffectEvent("explosion", origin, _UP))


@natives.function()
def bullettracer(world: World, start: Vector, end: Vector) -> None:
    """Draw a tracer."""
    way = normalize((end[0] - start[0], end[1] - start[1], end[2] - start[2]))
    world.events.effect(EffectEvent("tracer", start, way, end=end))


@natives.function()
def earthquake(world: World, scale: float, duration: float, origin: Vector, radius: float) -> None:
    """Shake the view of whoever is near."""
    if scale <= 0 or duration <= 0 or radius <= 0:
        raise ScriptError("scale, duration and radius must be greater than 0")
    world.events.shakes.append(Shake(scale, duration, origin, radius))


@natives.function()
def setcullfog(
    world: World, near: float, far: float, red: float, green: float, blue: float, time: float
) -> None:
    """Haze that begins at one distance and hides everything at another. It changes at once."""
    if not 0 <= near < far:
        raise ScriptError("the near distance must be 0 or more and less than the far one")
    world.set_fog((red, green, blue), near, far, 1.0)


@natives.function()
def setexpfog(world: World, density: float, red: float, green: float, blue: float, time: float) -> None:
    """Haze that thickens with distance by a density of 0 to 1 an inch."""
    if not 0 < density < 1:
        raise ScriptError("the density must be between 0 and 1")
    world.set_fog((red, green, blue), 0.0, 3.0 / density, 0.95)

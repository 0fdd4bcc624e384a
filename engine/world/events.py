"""What happens within a server frame and is shown once: sounds, effects, messages, shakes, lights, notes."""

from __future__ import annotations

from dataclasses import dataclass, field

from engine.world.view import DynamicLight, EffectEvent, Message, NoteEvent, Shake, SoundEvent, Vector


@dataclass(slots=True)
class FrameEvents:
    """Collected while a frame runs, handed to the view at its end."""

    sounds: list[SoundEvent] = field(default_factory=list)
    effects: list[EffectEvent] = field(default_factory=list)
    messages: list[Message] = field(default_factory=list)
    shakes: list[Shake] = field(default_factory=list)
    lights: list[DynamicLight] = field(default_factory=list)
    notes: list[NoteEvent] = field(default_factory=list)

    def sound(self, alias: str, origin: Vector | None, entity: int | None = None) -> None:
        """One sound at a place, or following an entity."""
        if alias:
            self.sounds.append(SoundEvent(alias.lower(), origin, entity))

    def effect(self, event: EffectEvent) -> None:
        self.effects.append(event)

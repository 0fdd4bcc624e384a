"""How the figure is looked at: grid, skeleton, wire frame, and where the light comes from."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace

import pygame

from engine.client.preview.studio import AIR, air_at, floor_batch
from engine.client.preview.wire import wire_of
from engine.client.render.scene import ModelBatch
from engine.pipeline.model import Model
from engine.world.view import Atmosphere, Vector

BONES = ("", "bones and tags", "bones with names")
WIRE = ("", "wire frame over it", "wire frame alone")

WIRE_PIXELS = 1.6
LIGHT_STEP = 15.0
_YAW = math.degrees(math.atan2(AIR.sun_direction[1], AIR.sun_direction[0]))
_PITCH = math.degrees(math.asin(AIR.sun_direction[2]))


@dataclass
class Look:
    """`bones` and `wire` are places in BONES and WIRE; the light's yaw and height in degrees."""

    grid: bool = True
    bones: int = 0
    wire: int = 0
    light_yaw: float = _YAW
    light_height: float = _PITCH

    def actions(self) -> dict[int, Callable[[], object]]:
        """What keys do to it."""
        return {
            pygame.K_g: lambda: setattr(self, "grid", not self.grid),
            pygame.K_b: lambda: setattr(self, "bones", (self.bones + 1) % len(BONES)),
            pygame.K_w: lambda: setattr(self, "wire", (self.wire + 1) % len(WIRE)),
            pygame.K_COMMA: lambda: self.turn_light(-LIGHT_STEP, 0.0),
            pygame.K_PERIOD: lambda: self.turn_light(LIGHT_STEP, 0.0),
        }

    def turn_light(self, yaw: float, height: float) -> None:
        """Let the light come from elsewhere, by degrees."""
        self.light_yaw = (self.light_yaw + yaw) % 360.0
        self.light_height = min(88.0, max(5.0, self.light_height + height))

    def air(self, distance: float) -> Atmosphere:
        """Light and air for a camera so far away."""
        yaw, height = math.radians(self.light_yaw), math.radians(self.light_height)
        flat = math.cos(height)
        return replace(
            air_at(distance), sun_direction=(flat * math.cos(yaw), flat * math.sin(yaw), math.sin(height))
        )

    def models(
        self, place: Vector, model: Model, figures: list[ModelBatch], pixel: float
    ) -> list[ModelBatch]:
        """What is drawn: the floor under `place`, and the figures or their wires; a pixel has `pixel` inches there."""
        shown = [floor_batch(place, model)] if self.grid else []
        if self.wire != 2:
            shown += figures
        if self.wire:
            shown += [
                ModelBatch(
                    wire_of(batch.model, WIRE_PIXELS * pixel), batch.transforms, batch.palettes, batch.tints
                )
                for batch in figures
            ]
        return shown

    def facts(self) -> list[str]:
        """What is other than usual, in words."""
        return [word for word in (BONES[self.bones], WIRE[self.wire]) if word]

"""The part of the asset library that the client uses."""

from __future__ import annotations

from typing import Protocol

from engine.anim.clip import Clip
from engine.pipeline.model import Model
from engine.pipeline.sounds import SoundAlias


class Library(Protocol):
    """`engine.pipeline.library.AssetLibrary` is one."""

    def model(self, name: str) -> Model:
        """The model, or a visible placeholder; a new object after its source has changed."""

    def clip(self, name: str) -> Clip | None:
        """The animation clip, None where there is none."""

    def sound_alias(self, name: str) -> SoundAlias | None:
        """What an alias plays; None, after one diagnostic, for an unknown one."""

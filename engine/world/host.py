"""What the world needs of its surroundings: somebody who runs scripts, somebody who has models."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Protocol

from engine.anim.tree import Tree
from engine.pipeline.model import Model
from engine.vm.objects import ScriptObject
from engine.vm.values import Value


class ScriptHost(Protocol):
    """The scripts' side. The virtual machine stands behind it in a game; tests put a recorder there."""

    def begin(self, time: int) -> None:
        """A frame begins that ends at a time in ms."""

    def notify(self, target: ScriptObject, event: str, *args: Value) -> None:
        """Queue the threads that wait for an event. Runs nothing."""

    def drain(self) -> None:
        """Run everything that is due now."""

    def advance(self, time: int) -> None:
        """Move the script clock to a time in ms and run what falls due on the way."""

    def callback(self, name: str, target: ScriptObject, *args: Value) -> bool:
        """Run an engine callback such as CodeCallback_PlayerDamage at once. False where no script has it."""

    def listen(self, target: ScriptObject, hear: Callable[[str, tuple[Value, ...]], None] | None) -> None:
        """Call `hear` for every event that is notified on an object from now on; None ends it."""

    def free(self, target: ScriptObject) -> None:
        """An object has ended: it becomes a dead entity, threads that wait on it end."""


class ModelSource(Protocol):
    """Models by name; a missing one gives a placeholder and one diagnostic of the library's own."""

    def model(self, name: str) -> Model:
        """The cooked model."""

    def has_model(self, name: str) -> bool:
        """Whether there is such a model."""


Trees = Mapping[str, Tree]
"""Animation trees of the running program by canonical name."""

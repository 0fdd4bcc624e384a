"""Natives for poses that the original game does not have: parameters of extended trees, and single bones."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from engine.anim.errors import AnimationError
from engine.vm.errors import ScriptError
from engine.vm.registry import Registry
from engine.vm.values import Vector
from engine.world.animator import Pose
from engine.world.entity import Entity
from engine.world.world import World

natives = Registry(services=(World,))


@contextmanager
def _posed(entity: Entity) -> Iterator[Pose]:
    """An entity's pose; what the animation room refuses meanwhile is a run-time error of the script."""
    if entity.pose is None:
        raise ScriptError(f"{entity.class_name} has no animation tree; call useanimtree first")
    try:
        yield entity.pose
    except AnimationError as error:
        raise ScriptError(str(error)) from None


@natives.method(stock=False)
def setanimparameter(self: Entity, name: str, value: float, time: float | None = None) -> None:
    """Let a parameter of the tree, by which groups of it blend, come to a value in so many seconds."""
    with _posed(self) as pose:
        pose.batch.instances.set_parameter(pose.row, name, value, 0.0 if time is None else time)


@natives.method(stock=False)
def getanimparameter(self: Entity, name: str) -> float:
    """The value of the moment, 0 where nobody has set one."""
    with _posed(self) as pose:
        return pose.batch.instances.get_parameter(pose.row, name)


@natives.method(stock=False)
def turnbone(self: Entity, world: World, bone: str, angles: Vector | None = None) -> None:
    """Turn a bone further in its own axes, whatever plays; without angles no longer."""
    with _posed(self):
        if not world.animator.turn_bone(self, bone, angles):
            raise ScriptError(f"model '{self.model_name}' has no bone '{bone}'")

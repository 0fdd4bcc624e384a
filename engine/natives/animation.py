"""Animation natives: trees, goals, notes, scripted animations (animation facts, section 5)."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from engine.anim.cause import Cause
from engine.anim.errors import AnimationError
from engine.anim.motion import angle_delta, move_delta
from engine.anim.state import TreeInstances
from engine.anim.tree import Tree
from engine.vm.errors import ScriptError
from engine.vm.machine import VM
from engine.vm.registry import Registry
from engine.vm.values import Animation, AnimTree, Value, Vector
from engine.world.angles import add, matrix, matrix_angles, multiply, rotate
from engine.world.animator import Pose
from engine.world.entity import Entity
from engine.world.world import World

natives = Registry(services=(World,))


@contextmanager
def _as_script_errors() -> Iterator[None]:
    """What the animation room refuses is a run-time error of the script."""
    try:
        yield
    except AnimationError as error:
        raise ScriptError(str(error)) from None


def _pose(entity: Entity) -> Pose:
    if entity.pose is None:
        raise ScriptError(f"{entity.class_name} has no animation tree; call useanimtree first")
    return entity.pose


def _node(pose: Pose, animation: Animation) -> int:
    """The node of an animation in the tree that an entity plays."""
    tree = pose.batch.tree
    if animation.tree != tree.name:
        raise ScriptError(
            f"animation '{animation.name}' belongs to tree '{animation.tree}', the entity plays '{tree.name}'"
        )
    node = tree.node(animation.name)
    if node is None:
        raise ScriptError(f"tree '{tree.name}' has no animation '{animation.name}'")
    return node


def _tree_of(world: World, animation: Animation) -> tuple[Tree, int]:
    tree = world.animator.trees.get(animation.tree)
    node = tree.node(animation.name) if tree is not None else None
    if tree is None or node is None:
        raise ScriptError(f"tree '{animation.tree}' has no animation '{animation.name}'")
    return tree, node


# --- trees ------------------------------------------------------------------------------------------------------


@natives.method()
def useanimtree(self: Entity, world: World, tree: Value) -> None:
    """Play on a tree from now on, with nothing playing yet. `tree` is what #animtree gives."""
    order = world.trees_in_order
    number = tree.number if isinstance(tree, AnimTree) else tree
    known = isinstance(number, int) and 1 <= number <= len(order)
    found = world.animator.trees.get(order[number - 1]) if known else None
    if found is None:
        raise ScriptError("bad anim tree: pass #animtree of a file with #using_animtree")
    if not self.model_name:
        raise ScriptError(f"{self.class_name} has no model to animate; call setmodel first")
    world.animator.use_tree(self, found)


@natives.method()
def stopuseanimtree(self: Entity, world: World) -> None:
    world.animator.drop(self)
    self.relink()


# --- goals ------------------------------------------------------------------------------------------------------

_Command = Callable[
    [Entity, VM, str | None, Animation, Animation | None, float | None, float | None, float | None], None
]


@contextmanager
def _commanding(vm: VM, instances: TreeInstances, command: str) -> Iterator[None]:
    """A command that is remembered with the line that it stands on."""
    with _as_script_errors(), instances.because(Cause(command, vm.time, vm.here())):
        yield


def _command(name: str, *, knob: bool, all_: bool, limited: bool, restart: bool) -> _Command:
    """One of the set... commands; weight, time and rate are 1.0, 0.2 s and 1.0 where they are left out."""

    def run(
        entity: Entity, vm: VM, notify: str | None, animation: Animation, root: Animation | None,
        weight: float | None, time: float | None, rate: float | None,
    ) -> None:  # fmt: skip
        pose = _pose(entity)
        node = _node(pose, animation)
        values = (
            1.0 if weight is None else weight, 0.2 if time is None else time, 1.0 if rate is None else rate,
        )  # fmt: skip
        instances = pose.batch.instances
        with _commanding(vm, instances, name if notify is None else name.replace("set", "setflagged", 1)):
            if all_ and root is not None:
                top = _node(pose, root)
                instances.set_knob_all(
                    pose.row, node, top, *values, notify=notify, limited=limited, restart=restart
                )
            elif knob:
                instances.set_knob(pose.row, node, *values, notify=notify, limited=limited, restart=restart)
            else:
                instances.set_anim(pose.row, node, *values, notify=notify, limited=limited, restart=restart)
        if notify is not None:
            pose.flagged[notify] = animation.name

    return run


def _register_plain(name: str, run: _Command) -> None:
    def command(
        self: Entity, vm: VM, anim: Animation, weight: float | None = None, time: float | None = None,
        rate: float | None = None,
    ) -> None:  # fmt: skip
        run(self, vm, None, anim, None, weight, time, rate)

    natives.method(name)(command)


def _register_flagged(name: str, run: _Command) -> None:
    def command(
        self: Entity, vm: VM, notifyname: str, anim: Animation, weight: float | None = None, time: float | None = None,
        rate: float | None = None,
    ) -> None:  # fmt: skip
        run(self, vm, notifyname, anim, None, weight, time, rate)

    natives.method(name)(command)


def _register_all(name: str, run: _Command) -> None:
    def command(
        self: Entity, vm: VM, anim: Animation, root: Animation, weight: float | None = None, time: float | None = None,
        rate: float | None = None,
    ) -> None:  # fmt: skip
        run(self, vm, None, anim, root, weight, time, rate)

    natives.method(name)(command)


def _register_flagged_all(name: str, run: _Command) -> None:
    def command(
        self: Entity, vm: VM, notifyname: str, anim: Animation, root: Animation, weight: float | None = None,
        time: float | None = None, rate: float | None = None,
    ) -> None:  # fmt: skip
        run(self, vm, notifyname, anim, root, weight, time, rate)

    natives.method(name)(command)


for _restart in (False, True):
    for _limited in (False, True):
        _end = f"{'limited' if _limited else ''}{'restart' if _restart else ''}"
        for _knob in (False, True):
            _stem = f"anim{'knob' if _knob else ''}{_end}"
            _run = _command("set" + _stem, knob=_knob, all_=False, limited=_limited, restart=_restart)
            _register_plain("set" + _stem, _run)
            _register_flagged("setflagged" + _stem, _run)
        _stem = f"animknoball{_end}"
        _run = _command("set" + _stem, knob=True, all_=True, limited=_limited, restart=_restart)
        _register_all("set" + _stem, _run)
        if not _limited:
            _register_flagged_all("setflagged" + _stem, _run)


@natives.method()
def clearanim(self: Entity, vm: VM, anim: Animation, time: float) -> None:
    """Fade out an animation and everything below it."""
    pose = _pose(self)
    with _commanding(vm, pose.batch.instances, "clearanim"):
        pose.batch.instances.clear_anim(pose.row, _node(pose, anim), time)


@natives.method()
def getanimtime(self: Entity, anim: Animation) -> float:
    """The place 0..1 that an animation is at."""
    pose = _pose(self)
    with _as_script_errors():
        return pose.batch.instances.get_time(pose.row, _node(pose, anim))


@natives.method()
def setanimtime(self: Entity, anim: Animation, time: float) -> None:
    """Put an animation at a place 0..1."""
    pose = _pose(self)
    with _as_script_errors():
        pose.batch.instances.set_time(pose.row, _node(pose, anim), time)


# --- scripted ---------------------------------------------------------------------------------------------------


@natives.method()
def animscripted(
    self: Entity, world: World, vm: VM, notifyname: str, origin: Vector, angles: Vector, anim: Animation,
    mode: str | None = None, root: Animation | None = None,
) -> None:  # fmt: skip
    """Play one animation that alone decides where the entity is, beginning at a place."""
    if mode is not None and mode.lower() not in ("normal", "deathplant"):
        raise ScriptError(f"'{mode}' is no mode of animscripted; it must be normal or deathplant")
    pose = _pose(self)
    node = _node(pose, anim)
    top = _node(pose, root) if root is not None else 0
    with _commanding(vm, pose.batch.instances, "animscripted"):
        pose.batch.instances.play_scripted(pose.row, node, notifyname, top)
    pose.flagged[notifyname] = anim.name
    pose.scripted, pose.ending = notifyname, False
    self.place(origin, angles, teleport=True)


@natives.method()
def stopanimscripted(self: Entity) -> None:
    """Let the entity go from a scripted animation; it plays on without deciding the place."""
    if self.pose is not None:
        self.pose.scripted, self.pose.ending = None, False


# --- questions about animations -----------------------------------------------------------------------------------


@natives.function()
def getanimlength(world: World, anim: Animation) -> float:
    """Seconds of a leaf."""
    tree, node = _tree_of(world, anim)
    with _as_script_errors():
        return tree.clip(node).length


@natives.function()
def animhasnotetrack(world: World, anim: Animation, name: str) -> bool:
    """Whether a leaf has a note of a name; each has `end`."""
    tree, node = _tree_of(world, anim)
    with _as_script_errors():
        tree.clip(node)
    return any(note.name == name for note in tree.notes(node))


@natives.function()
def getmovedelta(
    world: World, anim: Animation, start: float | None = None, end: float | None = None
) -> Vector:
    """How far a leaf moves its root between two places, 0 for parents."""
    tree, node = _tree_of(world, anim)
    if not tree.is_leaf(node):
        return (0.0, 0.0, 0.0)
    with _as_script_errors():
        return move_delta(tree.clip(node), 0.0 if start is None else start, 1.0 if end is None else end)


@natives.function()
def getangledelta(
    world: World, anim: Animation, start: float | None = None, end: float | None = None
) -> float:
    """How far a leaf turns its root between two places, in degrees."""
    tree, node = _tree_of(world, anim)
    if not tree.is_leaf(node):
        return 0.0
    with _as_script_errors():
        return angle_delta(tree.clip(node), 0.0 if start is None else start, 1.0 if end is None else end)


@natives.function()
def getcycleoriginoffset(world: World, angles: Vector, anim: Animation) -> Vector:
    """How far one pass of an animation moves somebody who faces along angles."""
    return rotate(matrix(angles), getmovedelta(world, anim))


@natives.function()
def getstartorigin(world: World, origin: Vector, angles: Vector, anim: Animation) -> Vector:
    """Where an actor stands at the beginning of a scripted animation placed at origin and angles."""
    return add(origin, rotate(matrix(angles), _first(world, anim)[0]))


@natives.function()
def getstartangles(world: World, origin: Vector, angles: Vector, anim: Animation) -> Vector:
    """Which way the actor faces there."""
    turn = matrix((0.0, _first(world, anim)[1], 0.0))
    return matrix_angles(multiply(matrix(angles), turn))


def _first(world: World, anim: Animation) -> tuple[Vector, float]:
    """Place and yaw of the root in the first frame."""
    tree, node = _tree_of(world, anim)
    with _as_script_errors():
        clip = tree.clip(node)
    if clip.delta is None or not len(clip.delta):
        return (0.0, 0.0, 0.0), 0.0
    x, y, z, yaw = (float(c) for c in clip.delta[0])
    return (x, y, z), yaw

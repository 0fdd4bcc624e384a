"""The animation state of all entities on one tree and skeleton: what the world holds and commands.

instances = TreeInstances(tree, bind(tree, skeleton))
row = instances.add()
instances.set_knob(row, tree.node("walk"), time=0.3, notify="steps")
instances.step(0.05, deliver)
poses = instances.sample()
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from engine.anim import update
from engine.anim.blend import Blender
from engine.anim.cause import Cause
from engine.anim.errors import AnimationError
from engine.anim.frame import Deliver, Frame
from engine.anim.goals import Goal, Goals
from engine.anim.infos import InfoBudget
from engine.anim.motion import RootMotion, Rows4
from engine.anim.overrides import Overrides, Quaternion
from engine.anim.parameters import Parameters
from engine.anim.sampler import Binding
from engine.anim.skeleton import Float32
from engine.anim.store import NodeStore
from engine.anim.tree import Tree

MAX_STEP = 1000.0
"""Seconds that one step takes at most; with the highest speed its loops can still be counted."""


@dataclass(frozen=True, slots=True)
class NodeView:
    """One node of one entity for a preview or a panel. `time` is None for a parent without a time of its own, and
    `cause` where nobody said who commanded it."""

    node: int
    parent: int
    depth: int
    name: str
    leaf: bool
    weight: float
    goal: float
    time: float | None
    rate: float
    speed: float
    notify: str | None
    cause: Cause | None


class TreeInstances:
    """Rows are small numbers that stay valid until `remove`; nodes are numbers of `tree`.

    Commands and questions may come at any time, also from within `step`. What the rules refuse is an
    AnimationError, a row or node that does not exist an IndexError.
    """

    def __init__(
        self,
        tree: Tree,
        binding: Binding | None = None,
        store: NodeStore | None = None,
        infos: InfoBudget | None = None,
    ) -> None:
        """`binding` is `bind(tree, skeleton)`; without one everything works but `sample`. `store` is a state to go on
        from; nothing plays without one. `infos` is a limit that several instances share; alone they have one of
        their own."""
        self._infos = infos if infos is not None else InfoBudget(lambda: self.store.infos())
        self._frame: Frame | None = None
        self._blender: Blender | None = None
        self._use(tree, binding, store if store is not None else NodeStore(len(tree)))
        self.overrun: list[int] = []
        """Rows that the last step let run to the end of the frame because their notes would not end."""

    # -- rows --

    def __len__(self) -> int:
        """Rows that arrays by row have, those of removed entities included."""
        return self.store.rows

    def add(self) -> int:
        """A new entity, with nothing playing."""
        row = self.store.add()
        if row < len(self._motion.total):
            self._motion.total[row] = 0.0
        if self._frame is not None:
            self._frame.join(row)
        return row

    def copy_from(self, other: TreeInstances, row: int) -> int:
        """A new row that goes on with what a row of other instances plays, for an entity that changes its model.

        The trees may differ: nodes are matched as in `rebind`. Bones that are turned further stay so, by their names.
        """
        other._asked(row)
        new = self.add()
        nodes = _same_nodes(other.tree, self.tree)
        self.store.move_from(other.store, row, new, nodes)
        if self.parameters is not None and other.parameters is not None:
            self.parameters.move_from(other.parameters, row, new)
        if self._blender is not None and other._blender is not None:
            there, here = other._blender.binding.skeleton, self._blender.binding.skeleton
            for bone, turn in other.overrides.of(row):
                number = here.index.get(there.names[bone])
                if number is not None:
                    self.overrides.set(new, number, turn)
        self.store.speed[:, new] = 0.0
        _keep_step(self.tree, self.store, np.array([new]))
        update.mark(self.store, slice(new, new + 1))
        return new

    def remove(self, row: int) -> None:
        self.store.remove(row)
        self._drop(row)
        if self._frame is not None:
            self._frame.join(row)

    def clear(self, row: int) -> None:
        """Stop everything at once, as for an entity that is given its tree anew."""
        self._commanded(row, 0)
        self.store.clear(row)
        self._drop(row)

    def _drop(self, row: int) -> None:
        self.overrides.drop(row)
        if self.parameters is not None:
            self.parameters.clear(row)

    # -- commands --

    @contextmanager
    def because(self, cause: Cause) -> Iterator[None]:
        """The commands within are remembered with their cause; `inspect` tells it."""
        goals = self._goals
        goals.cause = cause
        try:
            yield
        finally:
            goals.cause = None

    def set_anim(
        self,
        row: int,
        node: int,
        weight: float = 1.0,
        time: float = 0.2,
        rate: float = 1.0,
        *,
        notify: str | None = None,
        limited: bool = False,
        restart: bool = False,
    ) -> None:
        """Give a node a goal weight, reached `time` seconds per unit of weight from now, and a rate.

        notify   name of the notifications for its notes (the flagged forms)
        limited  leave ancestors that are not playing as they are
        restart  begin at time 0 even when it is playing
        """
        goal = Goal(weight, time, rate, notify)
        with self._command(row, node):
            self._goals.set_anim(row, node, goal, limited=limited, restart=restart)

    def set_knob(
        self,
        row: int,
        node: int,
        weight: float = 1.0,
        time: float = 0.2,
        rate: float = 1.0,
        *,
        notify: str | None = None,
        limited: bool = False,
        restart: bool = False,
    ) -> None:
        """The same, and fade out the siblings of the node."""
        goal = Goal(weight, time, rate, notify)
        with self._command(row, node):
            self._goals.set_knob(row, node, goal, limited=limited, restart=restart)

    def set_knob_all(
        self,
        row: int,
        node: int,
        root: int,
        weight: float = 1.0,
        time: float = 0.2,
        rate: float = 1.0,
        *,
        notify: str | None = None,
        limited: bool = False,
        restart: bool = False,
    ) -> None:
        """The same on every level up to, not including, `root`, which has to be an ancestor of the node.

        The limited form leaves `root` and what is above it as they are, even when they do not play.
        """
        self._node(root)
        goal = Goal(weight, time, rate, notify)
        with self._command(row, node):
            self._goals.set_knob_all(row, node, root, goal, limited=limited, restart=restart)

    def clear_anim(self, row: int, node: int, time: float = 0.2) -> None:
        """Fade out a node and everything below it within `time` seconds."""
        with self._command(row, node):
            self._goals.clear_anim(row, node, time)

    def play_scripted(self, row: int, node: int, notify: str, root: int = 0) -> None:
        """Let one leaf take over from everything below `root`; a clip that does not loop starts over."""
        self.tree.clip(node)
        self._node(root)
        with self._command(row, node):
            self._goals.play_scripted(row, node, notify, root)

    def set_time(self, row: int, node: int, time: float) -> None:
        """Put a leaf at a place 0..1; a member of a sync group takes the group with it."""
        clip = self.tree.clip(self._node(node))
        if not (math.isfinite(time) and 0.0 <= time <= 1.0):
            raise AnimationError(f"time of animation '{clip.name}' must be between 0 and 1")
        if clip.looping and time == 1.0:
            raise AnimationError(f"time of looping animation '{clip.name}' must be less than 1")
        self._commanded(row, node)
        self._goals.rewind(row, node, time)

    def set_parameter(self, row: int, name: str, value: float, time: float = 0.0) -> None:
        """Let a parameter of the tree come to a value within `time` seconds, and with it what blends by it."""
        self._commanded(row, 0)
        if self.parameters is None:
            raise AnimationError(f"nothing in tree '{self.tree.name}' blends by a parameter")
        self.parameters.set(row, name, value, time)

    def lead(self, row: int, node: int) -> int:
        """The node to command so that `node` is seen, for previews: itself, or the group that it blends in.

        Parameters are set to where the node and what is above it stand.
        """
        for at in (node, *self.tree.ancestors(node)):
            if at in self.tree.following:
                blend = self.tree.blends[self.tree.following[at]]
                self.set_parameter(row, blend.parameter, blend.places[blend.children.index(at)])
        while node in self.tree.following:
            node = self.tree.following[node]
        return node

    # -- questions --

    def get_parameter(self, row: int, name: str) -> float:
        self._asked(row)
        if self.parameters is None:
            raise AnimationError(f"nothing in tree '{self.tree.name}' blends by a parameter")
        return self.parameters.get(row, name)

    def get_time(self, row: int, node: int) -> float:
        """Place 0..1 of a leaf or of a node of a sync group."""
        if not self.tree.has_time(self._node(node)):
            raise AnimationError(
                f"'{self.tree.names[node]}' is neither a primitive animation nor in a sync group"
            )
        self._asked(row)
        return float(self.store.time[node, row])

    def get_weight(self, row: int, node: int) -> float:
        self._node(node)
        self._asked(row)
        return float(self.store.weight[node, row])

    def is_playing(self, row: int, node: int) -> bool:
        """Whether a node shows: weights all the way up and down to a leaf."""
        self._node(node)
        self._asked(row)
        return self._goals.effective(row, node)

    def inspect(self, row: int) -> list[NodeView]:
        """Every node of the entity, parents before their children and siblings in the order of the file."""
        self._asked(row)
        tree, s = self.tree, self.store
        views = []
        pending = [(0, 0)]
        while pending:
            node, depth = pending.pop()
            views.append(
                NodeView(
                    node,
                    tree.parents[node],
                    depth,
                    tree.names[node],
                    tree.is_leaf(node),
                    float(s.weight[node, row]),
                    float(s.goal[node, row]),
                    float(s.time[node, row]) if tree.has_time(node) else None,
                    float(s.rate[node, row]),
                    float(s.speed[node, row]),
                    s.notify.get((row, node)),
                    s.causes.get((row, node)),
                )
            )
            # Numbers run against the file, and the last pushed is the first out.
            pending += [(child, depth + 1) for child in tree.children[node]]
        return views

    # -- time --

    def step(self, dt: float, deliver: Deliver, settle: Callable[[], None] = lambda: None) -> None:
        """Let `dt` seconds pass for every entity; a negative dt counts as 0, one beyond MAX_STEP as that.

        deliver(row, notify, note) is called for each note that is passed, in the order of their time; settle()
        after all notes of one entity at one moment, which is when stock runs the threads that they woke. Both
        may issue commands, add rows and remove them.
        """
        if self._frame is not None:
            raise RuntimeError("a step cannot start another step")
        dt = min(max(0.0, dt), MAX_STEP)
        self._frame = Frame(self.tree, self.store, self._motion, dt, self.parameters)
        try:
            self._frame.run(deliver, settle)
        finally:
            self.overrun = self._frame.overrun
            self._frame = None

    def root_motion(self) -> Rows4:
        """(rows, 4): how far the last step moved each entity, x, y, z in inches and yaw in degrees.

        Yaw comes first: the translation is in the orientation that the entity has after the turn. Rows that were
        added since the step are at 0 or not there yet.
        """
        return self._motion.total

    # -- poses --

    @property
    def binding(self) -> Binding:
        """The clips on the skeleton; RuntimeError for instances that were made without one."""
        return self._poser().binding

    def sample(self) -> Float32:
        """(rows, 8, B) local poses of the present moment, a new array; rows that play nothing are in rest pose."""
        store = self.store
        rows = slice(0, store.rows)
        poses = self._poser().local_poses(store.weight[:, rows], store.time[:, rows])
        self.overrides.apply(poses)
        return poses

    def set_override(self, row: int, bone: int, rotation: Quaternion | None) -> None:
        """Turn a bone further after blending, in its own axes: x, y, z, w; None takes the rotation away."""
        self.store.check(row)
        if not 0 <= bone < len(self.binding.skeleton):
            raise IndexError(f"the skeleton has no bone {bone}")
        self.overrides.set(row, bone, rotation)

    def clear_overrides(self, row: int) -> None:
        self.overrides.drop(row)

    # -- reload --

    def rebind(self, tree: Tree, binding: Binding | None = None) -> None:
        """Go on with another version of the tree. Rows, weights, times and notify names stay, by node name.

        A node is found again by its place in the tree, or else by its name where that is unique in both; what
        is gone stops, what is new does not play.
        """
        if self._frame is not None:
            raise RuntimeError("a tree cannot change during a step")
        nodes = _same_nodes(self.tree, tree)
        old, store, values = self.store, NodeStore(len(tree), self.store.capacity), self.parameters
        store.adopt_rows(old)
        for row in old.live_rows():
            store.move_from(old, row, row, nodes)
        _keep_step(tree, store, np.arange(store.rows))
        self._use(tree, binding, store)
        if values is not None and self.parameters is not None:
            for row in store.live_rows():
                self.parameters.move_from(values, row, row)

    # -- helpers --

    def _poser(self) -> Blender:
        if self._blender is None:
            raise RuntimeError("these instances have no skeleton; make them with bind(tree, skeleton)")
        return self._blender

    def _use(self, tree: Tree, binding: Binding | None, store: NodeStore) -> None:
        if binding is not None and binding.tree is not tree:
            raise ValueError("the binding was made for another tree")
        old = self._blender
        if old is None or binding is None or binding.skeleton is not old.binding.skeleton:
            self.overrides = Overrides()
        self.tree = tree
        self._blender = Blender(binding) if binding is not None else None
        self.store = store
        self.parameters = Parameters(tree, store) if tree.blends else None
        """Values by which the tree blends; None for one that has no such group, as none of the original game has."""
        self._goals = Goals(tree, store, self._infos)
        if binding is not None:
            covers = binding.moves_root
        else:
            covers = np.array([clip is not None and clip.delta is not None for clip in tree.clips])
        self._motion = RootMotion(tree, covers)
        self._motion.total = np.zeros((store.rows, 4))

    def _node(self, node: int) -> int:
        if not 0 <= node < len(self.tree):
            raise IndexError(f"tree {self.tree.name} has no node {node}")
        return node

    @contextmanager
    def _command(self, row: int, node: int) -> Iterator[None]:
        """Around a command: what blends by a parameter is not commanded by itself, and follows what is."""
        self._commanded(row, node)
        parameters = self.parameters
        if parameters is None:
            yield
            return
        group = self.tree.following.get(node)
        if group is not None:
            names = self.tree.names
            raise AnimationError(
                f"'{names[node]}' follows the parameter '{self.tree.blends[group].parameter}'; "
                f"command '{names[group]}', and set the parameter"
            )
        if node in self.tree.blends:
            parameters.wake(row, node)
        try:
            yield
        finally:
            parameters.follow(slice(row, row + 1))

    def _commanded(self, row: int, node: int) -> None:
        self.store.check(row)
        self._node(node)
        if self._frame is not None:
            self._frame.touch(row)

    def _asked(self, row: int) -> None:
        self.store.check(row)
        if self._frame is not None:
            self._frame.bring(row)


def _same_nodes(old: Tree, new: Tree) -> dict[int, int]:
    """Nodes of `old` and what they are in `new`: by place, or by a name that is unique in both."""
    by_path = {new.path(node): node for node in range(len(new))}
    found, taken = {}, set()
    for node in range(len(old)):
        same = by_path.get(old.path(node))
        if same is not None:
            found[node] = same
            taken.add(same)
    unique = {name: nodes[0] for name, nodes in _by_name(new).items() if len(nodes) == 1}
    for name, nodes in _by_name(old).items():
        if len(nodes) == 1 and nodes[0] not in found and unique.get(name, 0) not in (0, *taken):
            found[nodes[0]] = unique[name]
    return found


def _keep_step(tree: Tree, store: NodeStore, rows: NDArray[np.intp]) -> None:
    """Put the members of each sync group at one place again, where a new tree has brought strangers together.

    That is the place of the root, if it has played, or of the heaviest member.
    """
    for root, _, members in tree.sync_groups:
        heaviest = members[store.weight[members][:, rows].argmax(axis=0)]
        lead = np.where(store.weight[root, rows] > 0.0, root, heaviest)
        store.time[members[:, None], rows] = store.time[lead, rows]
        store.cycle[members[:, None], rows] = store.cycle[lead, rows]


def _by_name(tree: Tree) -> dict[str, list[int]]:
    found: dict[str, list[int]] = {}
    for node, name in enumerate(tree.names):
        found.setdefault(name, []).append(node)
    return found

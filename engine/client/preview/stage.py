"""The stage of a preview: what plays, where it stands, and which notes it just passed. Draws nothing."""

from __future__ import annotations

import math
from contextlib import AbstractContextManager
from dataclasses import dataclass

import numpy as np

from engine.anim.cause import Cause
from engine.anim.clip import Clip
from engine.anim.pose import model_matrices
from engine.anim.skeleton import Float32
from engine.anim.state import NodeView, TreeInstances
from engine.client.preview.figure import extent, figure
from engine.client.preview.subject import Subject
from engine.client.render.scene import ModelBatch, placed
from engine.world.view import Vector

SPEEDS = (0.1, 0.25, 0.5, 1.0, 2.0, 4.0)
FADE = 0.25
"""Seconds in which a newly chosen animation takes over."""

REST_AT_END = 0.6
"""Seconds that a clip that does not loop is held at its end before it is played again."""

NOTE_SECONDS = 1.2
"""How long a note that was passed is shown."""

MAX_WEIGHT = 4.0
_NOTIFY = "preview"
_FIELD = 2000.0


@dataclass(slots=True)
class PassedNote:
    """A note that was passed: its name and how many seconds ago."""

    name: str
    age: float = 0.0


@dataclass(frozen=True, slots=True)
class Slider:
    """A parameter with the least and the greatest place of those who blend by it, and its value."""

    name: str
    low: float
    high: float
    value: float

    @property
    def part(self) -> float:
        """Where the value is, 0..1."""
        return min(1.0, max(0.0, (self.value - self.low) / max(self.high - self.low, 1e-9)))


class Stage:
    """One figure playing a tree. Weights, times and notes are those of the game's own runtime."""

    def __init__(self, subject: Subject) -> None:
        self.subject = subject
        self.instances = TreeInstances(subject.tree, subject.binding)
        self.row = self.instances.add()
        self.chosen = 0
        """The node that plays alone; 0 where somebody else says what plays."""
        self._row_chosen = 0
        self.playing = True
        self.speed = 1.0
        self.repeat = True
        self.travel = True
        self.passed: list[PassedNote] = []
        self.place = np.zeros(3)
        self.yaw = 0.0
        self.time = 0.0
        """Seconds that have passed on the stage."""
        self.starts = 0
        """How often something was begun anew."""
        self.homes = 0
        """How often the figure was put back into the middle of the field."""
        self.partner: Stage | None = None
        """Another that is to be over too before a clip is played again."""
        self._held = 0.0
        first = subject.first
        if first is not None:
            self.choose(first, fade=0.0)

    # What plays -----------------------------------------------------------------------------------------

    def choose(self, node: int, *, fade: float = FADE, restart: bool = True) -> None:
        """Play a leaf, or all children of a parent at equal weight, and nothing else."""
        self.chosen = self._row_chosen = node
        self._held = 0.0
        self.starts += restart
        tree, instances, row = self.subject.tree, self.instances, self.row
        with self._by("a click"):
            if tree.added[node]:
                self._lay_under(fade)
            lead = instances.lead(row, node)
            if tree.is_leaf(node):
                heard = _NOTIFY if tree.has_time(lead) else None
                instances.set_knob_all(row, lead, 0, 1.0, fade, notify=heard, restart=restart)
                return
            synced = tree.has_time(node)  # then the group's notes are those of its heaviest child
            for below in tree.subtrees[node][1:]:
                if below in tree.following:
                    continue
                flag = _NOTIFY if tree.is_leaf(below) and not synced else None
                instances.set_anim(row, below, 1.0, fade, notify=flag)
            if node:
                heard = _NOTIFY if tree.has_time(lead) else None
                instances.set_knob_all(row, lead, 0, 1.0, fade, notify=heard)

    def _by(self, what: str) -> AbstractContextManager[None]:
        """What is commanded within was asked for with the mouse or a key."""
        return self.instances.because(Cause(what, round(self.time * 1000)))

    def watch_all(self) -> None:
        """Let the time line be that of the heaviest leaf: somebody else says now what plays."""
        self.chosen = 0

    def _lay_under(self, fade: float) -> None:
        """What is added needs something to be added to: the first leaf that is not, where none plays."""
        tree, instances, row = self.subject.tree, self.instances, self.row
        plain = [leaf for leaf in self.subject.leaves if not tree.added[leaf]]
        if plain and not any(instances.is_playing(row, leaf) for leaf in plain):
            instances.set_anim(row, instances.lead(row, plain[0]), 1.0, fade)

    def toggle(self, node: int) -> None:
        """Add a node to what plays, or fade it out."""
        lead = self.instances.lead(self.row, node)
        with self._by("a shift click"):
            if self.goal(lead) > 0 and lead == node:
                self.instances.clear_anim(self.row, node, FADE)
            else:
                self.instances.set_anim(self.row, lead, 1.0, FADE)

    def weigh(self, node: int, weight: float, *, fade: float = FADE) -> None:
        """Give a node, or the group that it blends in, a goal weight. What is below it keeps its own."""
        weight = min(MAX_WEIGHT, max(0.0, round(weight, 2)))
        with self._by("its bar"):
            lead = self.instances.lead(self.row, node)
            if weight > 0 and self.subject.tree.added[lead]:
                self._lay_under(fade)
            self.instances.set_anim(self.row, lead, weight, fade)

    def reset(self, node: int) -> None:
        """Give a node the weight that it had when what was chosen last began."""
        tree = self.subject.tree
        plays = node in tree.subtrees[self._row_chosen] or node in tree.ancestors(self._row_chosen)
        self.weigh(node, 1.0 if plays else 0.0)

    def reset_all(self) -> None:
        """All weights as they were when what was chosen last began; it goes on where it is."""
        if self._row_chosen:
            self.choose(self._row_chosen, restart=False)

    def play_again(self) -> None:
        """Begin a clip anew that is over."""
        if self.chosen:
            self.choose(self.chosen, fade=0.0)
        else:
            self.scrub(0.0)
        self.playing = True

    def parameters(self) -> list[Slider]:
        """What groups of the tree blend by, by name."""
        found = []
        for name in self.subject.tree.parameters:
            places = [at for b in self.subject.tree.blends.values() if b.parameter == name for at in b.places]
            value = self.instances.get_parameter(self.row, name)
            found.append(Slider(name, min(places), max(places), value))
        return found

    def set_parameter(self, name: str, value: float) -> None:
        self.instances.set_parameter(self.row, name, value)

    def next(self, step: int) -> None:
        """Choose the next or the previous leaf."""
        leaves = self.subject.leaves
        if leaves:
            at = leaves.index(self.timed) if self.timed in leaves else -1 if step > 0 else 0
            self.choose(leaves[(at + step) % len(leaves)])

    def goal(self, node: int) -> float:
        """The weight that a node comes to."""
        return float(self.instances.store.goal[node, self.row])

    # Time -----------------------------------------------------------------------------------------------

    @property
    def timed(self) -> int:
        """The leaf whose time line is shown: the chosen one, or the heaviest below the chosen parent."""
        tree, store, row = self.subject.tree, self.instances.store, self.row

        def share(leaf: int) -> tuple[float, float]:
            """How much of a leaf there is going to be, and how much there is."""
            way = [leaf, *tree.ancestors(leaf)]
            return (
                math.prod(float(store.goal[node, row]) for node in way),
                math.prod(float(store.weight[node, row]) for node in way),
            )

        stands_in = self.subject.stands_in
        below = [node for node in tree.subtrees[self.chosen] if tree.is_leaf(node) and node not in stands_in]
        return max(below, key=share, default=0)

    @property
    def clip(self) -> Clip | None:
        return self.subject.tree.clips[self.timed]

    @property
    def fraction(self) -> float:
        """Place 0..1 on the time line."""
        return self.instances.get_time(self.row, self.timed) if self.clip is not None else 0.0

    @property
    def moment(self) -> float:
        """Seconds on the time line."""
        return self.fraction * self.clip.length if self.clip is not None else 0.0

    def scrub(self, fraction: float) -> None:
        """Put the time line's leaf at a place 0..1 and pause; a sync group moves as one."""
        clip = self.clip
        if clip is None:
            return
        self.playing = False
        last = 1.0 - 1e-6 if clip.looping else 1.0
        self.instances.set_time(self.row, self.timed, min(max(fraction, 0.0), last))
        self.passed.clear()

    def step_frames(self, frames: int) -> None:
        """Pause and move by frames of the clip, around the end of a loop."""
        clip = self.clip
        if clip is None or clip.frames < 2:
            return
        count = clip.frames - 1
        at = round(self.fraction * count) + frames
        self.scrub((at % count if clip.looping else min(max(at, 0), count)) / count)

    def faster(self, step: int) -> None:
        at = SPEEDS.index(self.speed) + step
        self.speed = SPEEDS[min(max(at, 0), len(SPEEDS) - 1)]

    def step(self, seconds: float) -> None:
        """Let real time pass."""
        for note in self.passed:
            note.age += seconds
        self.passed = [note for note in self.passed if note.age < NOTE_SECONDS]
        if not self.playing:
            self.instances.step(0.0, self._deliver)
            return
        ended = self.ended
        self.time += seconds * self.speed
        self.instances.step(seconds * self.speed, self._deliver)
        self._move(self.instances.root_motion()[self.row])
        self._held = self._held + seconds if ended and self.ended else 0.0
        partner = self.partner
        waits = partner is not None and not partner.ended and not partner.loops
        if self.repeat and self.chosen and self._held >= REST_AT_END and not waits:
            self.go_home()
            self.choose(self.chosen, fade=0.0)

    @property
    def loops(self) -> bool:
        return self.clip is not None and self.clip.looping

    @property
    def ended(self) -> bool:
        """Whether the time line's clip is over and does not loop."""
        clip = self.clip
        return clip is not None and not clip.looping and self.fraction >= 1.0

    def _deliver(self, row: int, notify: str, note: str) -> None:
        if self.passed and self.passed[-1].name == note:
            self.passed[-1].age = 0.0  # a clip held at its end says so every frame
        else:
            self.passed.append(PassedNote(note))

    # Place ----------------------------------------------------------------------------------------------

    def _move(self, motion: np.ndarray[tuple[int], np.dtype[np.float64]]) -> None:
        if not self.travel:
            return
        self.yaw = (self.yaw + float(motion[3])) % 360.0
        turn = math.radians(self.yaw)
        self.place += [
            motion[0] * math.cos(turn) - motion[1] * math.sin(turn),
            motion[0] * math.sin(turn) + motion[1] * math.cos(turn),
            motion[2],
        ]
        if np.abs(self.place[:2]).max() > _FIELD:
            self.go_home()

    def go_home(self) -> None:
        """Back to the middle of the field."""
        self.place[:] = 0.0
        self.yaw = 0.0
        self.homes += 1

    # Looks ----------------------------------------------------------------------------------------------

    def views(self) -> list[NodeView]:
        """The tree as a list, without its invisible root and what only stands in for clips."""
        stands_in = self.subject.stands_in
        return [view for view in self.instances.inspect(self.row)[1:] if view.node not in stands_in]

    def shown(self) -> set[int]:
        """Nodes that have a say in the pose: weighted all the way up and down."""
        return {view.node for view in self.views() if self.instances.is_playing(self.row, view.node)}

    def pose(self) -> Float32:
        """(1, 8, B) local pose of the moment."""
        return self.instances.sample()[self.row : self.row + 1]

    def batches(self) -> list[ModelBatch]:
        """The figure and what it carries, as the renderer wants them."""
        origin = float(self.place[0]), float(self.place[1]), float(self.place[2])
        return figure(self.subject, self.pose(), placed(origin, (0.0, self.yaw, 0.0)))

    @property
    def standing(self) -> Vector:
        """Where the figure stands on the ground."""
        return float(self.place[0]), float(self.place[1]), 0.0

    def room(self) -> Float32:
        """(N, 3) points that enclose the figure, around its origin."""
        return extent(self.subject, self.pose())

    def bones(self) -> Float32:
        """(B, 3) places of the bones in the world."""
        matrices = model_matrices(self.pose(), self.subject.model.skeleton)[0]
        place = placed((float(self.place[0]), float(self.place[1]), float(self.place[2])), (0, self.yaw, 0))
        return np.asarray(matrices[:, :, 3] @ place[:, :3].T + place[:, 3], np.float32)

    def replace(self, subject: Subject) -> None:
        """Go on with a tree, clips or model that were read again; what plays goes on by name."""
        old, new = self.subject.tree, subject.tree
        paths = {new.path(node): node for node in range(len(new))}

        def again(node: int) -> int:
            """A node in the new tree: by its place, or else by its name."""
            return paths.get(old.path(node)) or new.node(old.names[node]) or 0

        lost = self.chosen and not again(self.chosen)
        self.chosen, self._row_chosen = again(self.chosen), again(self._row_chosen)
        self.instances.rebind(new, subject.binding)
        self.subject = subject
        first = subject.first
        if first is not None and (lost or not self.shown()):
            self.choose(first)

"""What animation commands do to the goals of one entity (animation facts, sections 5.2 and 5.3).

Plain functions over a tree and a store. Every argument is checked before anything changes, with one exception
that the stock engine has too: a knob below a root that is no ancestor has done its work when it is refused.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from engine.anim.cause import Cause
from engine.anim.errors import AnimationError
from engine.anim.infos import InfoBudget
from engine.anim.store import NodeStore
from engine.anim.tree import Tree

SMALL = 0.001
"""Weights and times below this count as 0; a node that starts gets this share of its goal at once."""


MOST = 1e6
"""Weights, times and rates beyond this count as this."""


@dataclass(frozen=True, slots=True)
class Goal:
    """What a command asks of a node. `notify` is None for an unflagged command."""

    weight: float = 1.0
    time: float = 0.2
    rate: float = 1.0
    notify: str | None = None

    def checked(self, tree: Tree, node: int) -> Goal:
        """The goal with tiny values as 0 and immense ones as MOST; AnimationError for what the rules refuse."""
        for name, value in (("weight", self.weight), ("time", self.time), ("rate", self.rate)):
            if not math.isfinite(value):
                raise AnimationError(f"{name} of animation '{tree.names[node]}' must be a finite number")
            if value < 0:
                raise AnimationError(f"{name} of animation '{tree.names[node]}' must not be negative")
        weight = 0.0 if self.weight < SMALL else min(self.weight, MOST)
        if self.notify is not None and weight == 0.0:
            raise AnimationError(f"a flagged animation needs a weight above 0 ('{tree.names[node]}')")
        return Goal(weight, min(self.time, MOST), min(self.rate, MOST), self.notify)


class Goals:
    """The commands of one store. `node` is checked by the callers' tree; rows are trusted.

    cause  what the nodes that are set from now on are set by, or None
    """

    def __init__(self, tree: Tree, store: NodeStore, infos: InfoBudget) -> None:
        self.tree = tree
        self.store = store
        self.infos = infos
        self.cause: Cause | None = None

    # -- the steps of 5.2 --

    def set_goal(self, row: int, node: int, goal: Goal, source: int) -> None:
        s = self.store
        if node == 0:
            goal = Goal(1.0, 0.0, 1.0, goal.notify)
        current = float(s.weight[node, row])
        if current == 0.0 and s.goal[node, row] == 0.0:
            if goal.weight == 0.0:
                return
            self.infos.spend()
        remain = min(abs(goal.weight - current) * goal.time, MOST)
        if remain < SMALL:
            s.weight[node, row], remain = goal.weight, 0.0
        elif current == 0.0:
            s.weight[node, row] = goal.weight * SMALL
        s.goal[node, row] = goal.weight
        s.remain[node, row] = remain
        s.rate[node, row] = goal.rate
        s.touch(row)
        self._note(row, node, goal.notify, source)

    def clear_goal(self, row: int, node: int, time: float) -> None:
        s = self.store
        if s.weight[node, row] == 0.0 and s.goal[node, row] == 0.0:
            return  # most siblings, most of the time
        if not self.effective(row, node):
            s.weight[node, row] = s.goal[node, row] = s.remain[node, row] = 0.0
        elif s.goal[node, row] != 0.0:
            s.goal[node, row] = 0.0
            s.remain[node, row] = min(time, MOST)
        else:
            s.remain[node, row] = min(float(s.remain[node, row]), time)
        s.touch(row)
        self._note(row, node, None, node)

    def _note(self, row: int, node: int, notify: str | None, source: int) -> None:
        s = self.store
        if self.cause is not None:
            s.causes[row, node] = self.cause
        else:
            s.causes.pop((row, node), None)
        s.flagged[node, row] = notify is not None
        s.source[node, row] = source
        if notify is None:
            s.notify.pop((row, node), None)
        else:
            s.notify[row, node] = notify

    def effective(self, row: int, node: int) -> bool:
        """Whether a node shows: weights all the way up, and a weighted way down to a leaf."""
        weight = self.store.weight
        if any(weight[n, row] == 0.0 for n in self.tree.ancestors(node)):
            return False
        pending = [node]
        while pending:
            at = pending.pop()
            if weight[at, row] != 0.0:
                if self.tree.is_leaf(at):
                    return True
                pending += self.tree.children[at]
        return False

    def note_source(self, row: int, node: int) -> int:
        """The node whose notes a flagged node sends (sections 5.2 and 5.5); AnimationError when it can have none."""
        tree = self.tree
        at = node
        while not tree.has_time(at):
            if len(tree.children[at]) != 1:
                raise AnimationError(
                    f"'{tree.names[node]}' has several animations and no common time, so it has no notes"
                )
            at = tree.children[at][0]
        if tree.is_leaf(at):
            return at
        goals = self.store.goal
        best, heaviest = -1, 0.0
        pending = list(tree.children[at][::-1])
        while pending:
            n = pending.pop()
            weight = float(goals[n, row])
            if weight == 0.0:
                continue
            if not tree.is_leaf(n):
                pending += tree.children[n][::-1]
            elif weight > heaviest:
                best, heaviest = n, weight
        if best < 0:
            raise AnimationError(f"nothing below '{tree.names[node]}' is playing, so it has no notes")
        return best

    def raise_ancestors(self, row: int, node: int, goal: Goal) -> None:
        for ancestor in self.tree.ancestors(node):
            if self.store.goal[ancestor, row] == 0.0:
                self.set_goal(row, ancestor, Goal(1.0, goal.time, 1.0), ancestor)

    def rewind(self, row: int, node: int, time: float = 0.0) -> None:
        """Put a leaf, or the whole sync group of a node, at a time; a note exactly there will be sent."""
        s, root = self.store, self.tree.sync_roots[node]
        for n in self.tree.subtrees[root] if root >= 0 else (node,):
            s.time[n, row] = s.mark_time[n, row] = time
            s.cycle[n, row] = s.mark_cycle[n, row] = 0
            s.fresh[n, row] = True

    # -- the commands of 5.3 --

    def set_anim(
        self, row: int, node: int, goal: Goal, *, limited: bool = False, restart: bool = False
    ) -> None:
        goal = goal.checked(self.tree, node)
        source = node if goal.notify is None else self.note_source(row, node)
        self._set(row, node, goal, source, limited=limited, restart=restart)

    def set_knob(
        self, row: int, node: int, goal: Goal, *, limited: bool = False, restart: bool = False
    ) -> None:
        goal = goal.checked(self.tree, node)
        source = node if goal.notify is None else self.note_source(row, node)
        self._clear_siblings(row, node, goal.weight, goal.time)
        self._set(row, node, goal, source, limited=limited, restart=restart)

    def set_knob_all(
        self, row: int, node: int, root: int, goal: Goal, *, limited: bool = False, restart: bool = False
    ) -> None:
        self.set_knob(row, node, goal, limited=limited, restart=restart)
        for ancestor in self.tree.ancestors(node):
            if ancestor == root:
                return
            if ancestor == 0:
                break
            self._clear_siblings(row, ancestor, 1.0, goal.time)
            self.set_goal(row, ancestor, Goal(1.0, goal.time, 1.0), ancestor)
        raise AnimationError(
            f"root anim '{self.tree.names[root]}' is not an ancestor of the anim '{self.tree.names[node]}'"
        )

    def clear_anim(self, row: int, node: int, time: float) -> None:
        if not math.isfinite(time) or time < 0:
            raise AnimationError(f"time of animation '{self.tree.names[node]}' must be a number of 0 or more")
        for n in self.tree.subtrees[node]:
            self.clear_goal(row, n, 0.0 if time < SMALL else time)

    def play_scripted(self, row: int, node: int, notify: str, root: int) -> None:
        """Everything below `root` fades out and one leaf takes over, for `animscripted`."""
        restart = not self.tree.clip(node).looping
        for n in self.tree.subtrees[root][1:]:
            self.clear_goal(row, n, 0.2)
        self._set(row, node, Goal(notify=notify), node, limited=False, restart=restart)

    def _set(self, row: int, node: int, goal: Goal, source: int, *, limited: bool, restart: bool) -> None:
        # Whether something was playing has to be asked first: the goal makes it count as playing.
        root = self.tree.sync_roots[node]
        rewind = False
        if root >= 0:
            rewind = restart or not self.effective(row, root)
        elif self.tree.is_leaf(node):
            rewind = restart or not self.effective(row, node)
        self.set_goal(row, node, goal, source)
        if not limited:
            self.raise_ancestors(row, node, goal)
        elif self.store.goal[0, row] == 0.0:
            self.set_goal(row, 0, Goal(), 0)
        if rewind:
            self.rewind(row, node)

    def _clear_siblings(self, row: int, node: int, weight: float, time: float) -> None:
        current = self.store.weight
        siblings = list(self.tree.rivals(node))
        change = max([abs(weight - float(current[node, row])), *(float(current[n, row]) for n in siblings)])
        blend = time * change
        for sibling in siblings:
            self.clear_goal(row, sibling, 0.0 if blend < SMALL else blend)

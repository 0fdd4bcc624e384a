"""What an entity plays, and why: each active node with the script line that set it, for the console and the socket."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from engine.anim.state import NodeView
from engine.source import Span
from engine.vm.trace import Place

if TYPE_CHECKING:
    from engine.mods.session import GameSession
    from engine.world.entity import Entity

_NAME_WIDTH = 28


@dataclass(frozen=True, slots=True)
class Played:
    """What an entity plays at a moment: its active nodes and what is above them, parents before their children.
    `asleep` are those among them that do not show, because a node above has no weight; `parameters` the values that an
    extended tree blends by, by name."""

    number: int
    model: str
    tree: str
    nodes: tuple[NodeView, ...]
    asleep: frozenset[int]
    parameters: Mapping[str, float] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Why:
    """The command that set a node: its name, the level time in ms, and the line of the script, where one did."""

    command: str
    time: int
    span: Span | None
    function: str | None


class Playing:
    """One session's answers, for the client."""

    def __init__(self, session: GameSession) -> None:
        self._session = session

    def players(self) -> list[int]:
        """Numbers of the entities that have an animation tree."""
        return [entity.number for entity in players(self._session)]

    def played(self, number: int) -> Played | None:
        """What one of them plays; None for any other."""
        entity = self._session.world.entities.get(number)
        if entity is None or entity.pose is None:
            return None
        instances, row = entity.pose.batch.instances, entity.pose.row
        tree, views = instances.tree, instances.inspect(row)
        playing = [view for view in views if _is_active(view)]
        above = {node for view in playing for node in tree.ancestors(view.node)}
        nodes = tuple(view for view in views if _is_active(view) or view.node in above)
        weights = {view.node: view.weight for view in nodes}
        asleep = frozenset(
            node
            for node in weights
            if any(weights[higher] == 0.0 for higher in (node, *tree.ancestors(node)))
        )
        parameters = {name: instances.get_parameter(row, name) for name in tree.parameters}
        return Played(entity.number, entity.model_name, tree.name, nodes, asleep, parameters)


def players(session: GameSession) -> list[Entity]:
    """The entities that have an animation tree, by number."""
    return [entity for entity in session.world.entities.all() if entity.pose is not None]


def active(entity: Entity) -> list[NodeView]:
    """The nodes that have a weight or are about to have one, parents before their children."""
    pose = entity.pose
    if pose is None:
        return []
    return [view for view in pose.batch.instances.inspect(pose.row) if _is_active(view)]


def _is_active(view: NodeView) -> bool:
    return view.weight > 0.0 or view.goal > 0.0


def animation_dict(entity: Entity) -> dict[str, Any]:
    """What an entity plays, for programs."""
    assert entity.pose is not None
    return {
        "number": entity.number,
        "model": entity.model_name,
        "tree": entity.pose.batch.tree.name,
        "nodes": [_node_dict(view) for view in active(entity)],
    }


def describe(session: GameSession, number: int | None) -> str:
    """The same as text; without a number, who plays anything."""
    if number is None:
        lines = []
        for entity in players(session):
            leaves = [view for view in active(entity) if view.leaf]
            names = ", ".join(view.name for view in sorted(leaves, key=lambda view: -view.weight)[:3])
            lines.append(f"{entity.number:5} {entity.model_name:24} {names or 'nothing'}")
        return "\n".join(lines) or "nobody plays an animation"
    found = session.world.entities.get(number)
    if found is None or found.pose is None:
        return f"entity {number} has no animation tree; `anims` lists those that have one"
    lines = [f"entity {number}, {found.model_name}, tree {found.pose.batch.tree.name}"]
    return "\n".join(lines + [_line(view) for view in active(found)])


def _line(view: NodeView) -> str:
    name = "  " * view.depth + view.name
    weight = f"{view.weight:.2f}" if view.weight == view.goal else f"{view.weight:.2f} to {view.goal:.2f}"
    time = f"at {view.time:.2f}" if view.time is not None else ""
    return f"{name:{_NAME_WIDTH}} {weight:13} {time:8} {why(view)}".rstrip()


def why_of(view: NodeView) -> Why | None:
    """What set a node; None where nothing is known."""
    cause = view.cause
    if cause is None:
        return None
    place = cause.place if isinstance(cause.place, Place) else None
    span = place.span if place is not None else None
    return Why(cause.command, cause.time, span, place.function if place is not None else None)


def why(view: NodeView) -> str:
    """The command that set a node, with its line and the time; "" where no script did."""
    cause = why_of(view)
    if cause is None:
        return ""
    where = f" at {cause.span.path}:{cause.span.line}" if cause.span is not None else ""
    return f"{cause.command}{where}, {cause.time} ms"


def _node_dict(view: NodeView) -> dict[str, Any]:
    cause = why_of(view)
    span = cause.span if cause is not None else None
    return {
        "name": view.name,
        "depth": view.depth,
        "leaf": view.leaf,
        "weight": view.weight,
        "goal": view.goal,
        "time": view.time,
        "rate": view.rate,
        "notify": view.notify,
        "command": cause.command if cause is not None else None,
        "since": cause.time if cause is not None else None,
        "function": cause.function if cause is not None else None,
        "path": span.path if span is not None else None,
        "line": span.line if span is not None else None,
    }

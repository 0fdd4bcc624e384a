"""Single steps: a foot stands until it is lifted, swings over, and stands again where it was set down."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from assets.tools.keys import Channel
from assets.tools.rotations import Array, turn
from assets.tools.soldier.gait import in_root_space
from assets.tools.soldier.skeleton import BALL

Keys = dict[float, ArrayLike]
Given = Mapping[float, Any]


@dataclass(frozen=True)
class Step:
    """A foot is lifted at frame `start` and stands at `place` (x, y inches), turned by `heading` degrees, at `end`.

    lift is how high it passes over the ground, heel how far it rolls over the ball before it leaves (degrees).
    """

    start: float
    end: float
    place: tuple[float, float]
    heading: float
    lift: float = 2.6
    heel: float = 26.0


@dataclass(frozen=True)
class Pivot:
    """A foot turns on its ball from frame `start` to `end`, until its heel is up by `heel` degrees."""

    start: float
    end: float
    heading: float
    heel: float


def stepped(place: ArrayLike, turned: ArrayLike, *moves: Step | Pivot) -> tuple[Keys, Keys]:
    """Channels of a sole and of its turn, from where it stands at first over the moves in order of time."""
    sole = np.array(place, float)
    heading, pitch = float(np.asarray(turned, float)[0]), 0.0
    places: Keys = {0: sole}
    turns: Keys = {0: (heading, pitch, 0.0)}
    for move in moves:
        span = move.end - move.start
        places[move.start] = sole
        turns[move.start] = (heading, pitch, 0.0)
        if isinstance(move, Pivot):
            sole = sole + turn((heading, 0, 0)) @ BALL - turn((move.heading, 0, 0)) @ BALL
            pitch = move.heel
        else:
            there = np.array([*move.place, 0.0])
            places[move.start + span * 0.45] = (sole + there) / 2.0 + (0.0, 0.0, move.lift)
            leaving = heading + (move.heading - heading) * 0.3
            turns[move.start + span * 0.3] = (leaving, max(move.heel, pitch), 0.0)
            turns[move.end - span * 0.2] = (move.heading, -6.0, 0.0)
            sole, pitch = there, 0.0
        heading = move.heading
        places[move.end] = sole
        turns[move.end] = (heading, pitch, 0.0)
    return places, turns


def in_the_world(root: Given, feet: Mapping[str, tuple[Given, Given]]) -> Callable[[float], dict[str, Any]]:
    """A path for a root that travels while the feet stand: both are keyed in the world, in inches and degrees.

    root is where the ground point is; it does not turn. feet are the channels of sole and turn by side.
    """
    travel = Channel(root)
    soles = {side: (Channel(places), Channel(turns)) for side, (places, turns) in feet.items()}

    def path(frame: float) -> dict[str, Any]:
        at = np.asarray(travel.at(frame), float)
        controls: dict[str, Any] = {"root": at}
        for side, (places, turns) in soles.items():
            turned: Array = np.array(turns.at(frame), float)
            place, turned[0] = in_root_space(np.asarray(places.at(frame), float), turned[0], at, 0.0)
            controls[f"{side}_foot"], controls[f"{side}_foot_turn"] = place, turned
        return controls

    return path

"""Feet on stairs and slopes: figures near the eye stand with each foot on the ground below it, their hips let
down as far as the lower one asks, and climb evenly where the game lifts them a step at a time.

Animations are made for level ground, and the game moves a figure as one box. What is done here is for the eye only: hit
boxes and everything that scripts ask for stay as the game has them. On level ground nothing is touched.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from operator import itemgetter
from typing import NamedTuple

from engine.anim.skeleton import Float32
from engine.client.legs import Leg, legs_of, reach
from engine.client.posing import seen_as
from engine.client.render.scene import Camera
from engine.world.view import EntityState, FrameView, Vector

NEAR = 500.0
"""Inches from the eye, about 13 metres, within which feet are looked after, in a picture of 80 degrees."""

MOST = 8
"""Figures whose feet are looked after in one picture: the nearest ones. Each costs some 50 microseconds."""

Trace = Callable[[Vector, Vector], float]
"""The part (0..1) of the way from one point to another that is free."""

Placement = list[list[float]]
Joints = list[list[float]]
"""Places of ankle and toe joint in model space."""

_ABOVE, _BELOW = 20.0, 22.0
"""Inches above and below a figure's own ground within which a foot finds some."""

_STANDS, _SWINGS = 3.0, 12.0
"""A foot that is lifted by less bears weight; one that is lifted by more goes its own way."""

_FOOT_SPEED = 110.0
"""Inches a second that the ground below a foot rises or sinks at most: a foot does not jump onto a step."""

_HIPS_TIME = 0.07
"""Seconds in which the hips come most of the way to their height."""

_LOWEST, _HIGHEST = -14.0, 9.0
"""Inches that the hips may be from where the animation has them."""

_UPRIGHT = 0.9999
_LEVEL = 0.05
_FORGET = 0.3
_SAME_PLACE, _SAME_HEIGHT = 0.3, 0.02


class _Probe(NamedTuple):
    """What was found below a foot: where its ankle and its figure's ground were, when, and the height of the ground."""

    x: float
    y: float
    height: float
    time: float
    ground: float | None

    def holds(self, x: float, y: float, height: float, time: float) -> bool:
        """Whether it still tells about a foot at a place: one that stands need not be asked about in every picture."""
        still = abs(x - self.x) + abs(y - self.y) < _SAME_PLACE and abs(height - self.height) < _SAME_HEIGHT
        return still and 0.0 <= time - self.time < _FORGET


@dataclass(slots=True)
class _Stand:
    """Where a figure stood in a picture.

    time     seconds of the game
    probes   what was found below its feet, None for one in its swing
    grounds  heights in the world of what is below its feet
    soles    inches that each foot is above where the animation has it
    hips     height in the world of its own ground, after it has been let down or has lagged behind
    """

    serial: int
    time: float
    probes: list[_Probe | None]
    grounds: list[float]
    soles: list[float]
    hips: float


class Footing:
    """Looks after the feet of all figures of a game, from picture to picture."""

    def __init__(self, trace: Trace) -> None:
        self._trace = trace
        self._stands: dict[int, _Stand] = {}

    def plant(
        self,
        now: FrameView,
        time: float,
        placed: Sequence[tuple[EntityState, Float32]],
        bones: Mapping[int, Float32],
        palettes: Mapping[int, Float32],
        camera: Camera,
    ) -> None:
        """Put the feet of near figures on the ground, in place.

        time      seconds of the game that the picture shows
        placed    what is visible, with its (3, 4) placement in the picture
        bones     (B, 3, 4) by entity number, of which near ones are changed; palettes as well
        """
        near, within = [], seen_as(NEAR, camera)
        for state, place in placed:
            if state.pose is None or state.number not in bones or place[2, 2] < _UPRIGHT:
                continue
            away = math.dist(state.origin, camera.position)
            if away < within and (legs := legs_of(now.poses[state.pose[0]].skeleton)):
                near.append((away, state.number, state, place, legs))
        stands: dict[int, _Stand] = {}
        for _, number, state, place, legs in sorted(near, key=itemgetter(0, 1))[:MOST]:
            stands[number] = self._stand(state, time, place, legs, bones[number])
            _settle(stands[number], float(place[2, 3]), legs, bones[number], palettes[number])
        self._stands = stands

    def _stand(
        self, state: EntityState, time: float, place: Float32, legs: Sequence[Leg], bones: Float32
    ) -> _Stand:
        """Where a figure stands now, coming from where it stood in the last picture."""
        height = float(place[2, 3])
        old = self._stands.get(state.number)
        if old is not None and (
            old.serial != state.serial or state.teleport or not old.time <= time < old.time + _FORGET
        ):
            old = None
        placement, feet = place.tolist(), [bones[[leg.foot, leg.toe], :, 3].tolist() for leg in legs]
        bears = [_bears(joints, leg) for joints, leg in zip(feet, legs, strict=True)]
        probes = [
            self._probe(placement, joints, time, old.probes[i] if old is not None else None)
            if bears[i]
            else None
            for i, joints in enumerate(feet)
        ]
        grounds = _grounds(probes, height, time, old)
        soles = [(ground - height) * weight for ground, weight in zip(grounds, bears, strict=True)]
        # As high as lets every foot that bears come down to its ground.
        most = min(
            (
                leg.most_up(bones, sole)
                for leg, sole, weight in zip(legs, soles, bears, strict=True)
                if weight
            ),
            default=_HIGHEST,
        )
        lift = min(sum(soles) / len(soles), most)
        if old is not None and any(probe is not None and probe.ground is not None for probe in probes):
            before = old.hips - height  # in the air nothing lags behind
            lift = min(lift + (before - lift) * math.exp((old.time - time) / _HIPS_TIME), most)
        return _Stand(state.serial, time, probes, grounds, soles, height + max(_LOWEST, min(lift, _HIGHEST)))

    def _probe(self, place: Placement, joints: Joints, time: float, last: _Probe | None) -> _Probe:
        """What is below a foot: the higher of what is below its ankle and below its toe joint."""
        (a, b, _, left), (c, d, _, ahead), (_, _, _, height) = place
        best: float | None = None
        spots = [(a * x + b * y + left, c * x + d * y + ahead) for x, y, _ in joints]
        if last is not None and last.holds(*spots[0], height, time):
            return last
        for x, y in spots:
            free = self._trace((x, y, height + _ABOVE), (x, y, height - _BELOW))
            if 0.0 < free < 1.0:
                ground = height + _ABOVE - free * (_ABOVE + _BELOW)
                best = ground if best is None else max(best, ground)
        return _Probe(*spots[0], height, time, best)


def _grounds(probes: Sequence[_Probe | None], height: float, time: float, old: _Stand | None) -> list[float]:
    """Heights of the ground below the feet, none of which jumps; the figure's own where there is none."""
    grounds = []
    for i, probe in enumerate(probes):
        if probe is None or probe.ground is None:
            grounds.append(height)
        elif old is None:
            grounds.append(probe.ground)
        else:
            most = _FOOT_SPEED * (time - old.time)
            grounds.append(old.grounds[i] + max(-most, min(probe.ground - old.grounds[i], most)))
    return grounds


def _bears(joints: Joints, leg: Leg) -> float:
    """How far a foot bears weight by its height over the figure's ground: 1 when it stands, 0 well up in its swing."""
    lifted = min(joint[2] - rest for joint, rest in zip(joints, leg.heights, strict=True))
    return 1.0 - min(max((lifted - _STANDS) / (_SWINGS - _STANDS), 0.0), 1.0)


def _settle(stand: _Stand, height: float, legs: Sequence[Leg], bones: Float32, palette: Float32) -> None:
    """Bring hips and feet to where a figure stands."""
    hips = stand.hips - height
    if abs(hips) < _LEVEL and all(abs(sole) < _LEVEL for sole in stand.soles):
        return
    # First all of him, then the feet from there.
    bones[:, 2, 3] += hips
    palette[:, 2, 3] += hips
    for leg, sole in zip(legs, stand.soles, strict=True):
        reach(leg, bones, palette, sole - hips)

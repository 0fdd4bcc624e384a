"""How a player's box moves: walking, air, stairs, slopes, crouching, jumping. No entity, no script.

The world runs it for each `UserCommand`; a client may run the same code ahead of the server, since the state
is one small value and the result depends on nothing else.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from math import sqrt

from engine.world.angles import ZERO, Vector, add, axes, cross, dot, length, madd, normalize, scale, wrap180
from engine.world.collision import Collision, Trace
from engine.world.command import Button, UserCommand
from engine.world.surfaces import MOVE_MASK, Contents

WIDTH = 15.0
"""Half the width of a player's box: 30 x 30."""
STAND_HEIGHT = 70.0
CROUCH_HEIGHT = 50.0
STAND_EYE = 60.0
CROUCH_EYE = 40.0
STEP = 18.0
MIN_WALK_NORMAL = 0.7
"""z of the normal of the steepest ground that one can stand on: 45 degrees and a little."""

WALK_SPEED = 90.0
RUN_SPEED = 190.0
SPRINT_SPEED = 280.0
CROUCH_SPEED = 95.0
AIM_SPEED = 95.0
GRAVITY = 800.0
JUMP_SPEED = sqrt(2.0 * GRAVITY * 40.0)

_ACCELERATE = 9.0
_AIR_ACCELERATE = 1.2
_FRICTION = 6.5
_STOP_SPEED = 90.0
_EYE_SPEED = 130.0
_OVERCLIP = 1.001
_SPRINT_SECONDS = 6.0
_RECOVER_SECONDS = 8.0
_LONGEST_STEP = 0.05


@dataclass(slots=True)
class MoveState:
    """Everything about a player's body that lasts from one command to the next.

    origin lies between the feet; view is (pitch, yaw, roll). fatigue goes from 0 (fresh) to 1
    (no sprint left). landed is the downward speed of a landing in the last command, 0 otherwise; jumped says
    whether a jump began.
    """

    origin: Vector = ZERO
    velocity: Vector = ZERO
    view: Vector = ZERO
    crouched: bool = False
    eye_height: float = STAND_EYE
    on_ground: bool = False
    ground_entity: int | None = None
    ground_surface: str = ""
    ground_normal: Vector = ZERO
    sprinting: bool = False
    fatigue: float = 0.0
    jump_held: bool = False
    jumped: bool = False
    landed: float = 0.0
    max_speed: float = RUN_SPEED
    gravity: float = GRAVITY

    @property
    def mins(self) -> Vector:
        return -WIDTH, -WIDTH, 0.0

    @property
    def maxs(self) -> Vector:
        return WIDTH, WIDTH, CROUCH_HEIGHT if self.crouched else STAND_HEIGHT

    @property
    def eye(self) -> Vector:
        x, y, z = self.origin
        return x, y, z + self.eye_height


def run_command(
    state: MoveState, command: UserCommand, collision: Collision, ignore: Collection[int],
    mask: Contents = MOVE_MASK, *, frozen: bool = False,
) -> None:  # fmt: skip
    """Move `state` by one command. frozen keeps the view and the legs still but lets the body fall."""
    state.landed = 0.0
    state.jumped = False
    if not frozen:
        pitch = max(-85.0, min(85.0, wrap180(command.angles[0])))
        state.view = pitch, wrap180(command.angles[1]), wrap180(command.angles[2])
    left = max(1, min(200, command.msec)) / 1000.0
    while left > 1e-9:
        step = min(left, _LONGEST_STEP)
        left -= step
        _Move(state, command, collision, ignore, mask, step, frozen).run()


def _clip_velocity(velocity: Vector, normal: Vector) -> Vector:
    """The velocity without its part into a surface, and a hair more, so that the next sweep leaves it."""
    back = dot(velocity, normal)
    back = back * _OVERCLIP if back < 0.0 else back / _OVERCLIP
    return madd(velocity, -back, normal)


class _Move:
    """One step of at most 50 ms."""

    def __init__(
        self, state: MoveState, command: UserCommand, collision: Collision, ignore: Collection[int],
        mask: Contents, seconds: float, frozen: bool,
    ) -> None:  # fmt: skip
        self.s = state
        self.command = command
        self.collision = collision
        self.ignore = ignore
        self.mask = mask
        self.dt = seconds
        self.frozen = frozen

    def _sweep(self, start: Vector, end: Vector, maxs: Vector | None = None) -> Trace:
        s = self.s
        return self.collision.trace(
            start, end, s.mins, s.maxs if maxs is None else maxs, self.mask, self.ignore
        )

    def run(self) -> None:
        s = self.s
        buttons = Button(0) if self.frozen else self.command.buttons
        self._free()
        self._stance(bool(buttons & Button.CROUCH))
        self._find_ground()
        if not buttons & Button.JUMP:
            s.jump_held = False
        elif s.on_ground and not s.jump_held and not s.crouched:
            self._jump()
        self._sprint(buttons)
        wish, speed = self._wish(buttons)
        was_on_ground = s.on_ground
        falling = s.gravity * self.dt - s.velocity[2]
        if s.on_ground:
            self._walk(wish, speed)
        else:
            self._fly(wish, speed)
        self._find_ground()
        if s.on_ground and not was_on_ground and falling > 0.0:
            s.landed = max(s.landed, falling)
        goal = CROUCH_EYE if s.crouched else STAND_EYE
        most = _EYE_SPEED * self.dt
        s.eye_height += max(-most, min(most, goal - s.eye_height))

    def _free(self) -> None:
        """Get out of what one has been put into: a spawn too close, a body that fell, a door that closed."""
        s = self.s
        if not self._sweep(s.origin, s.origin).startsolid:
            return
        for reach in (1.0, 2.0, 4.0, 8.0, 16.0, 32.0):
            for dx, dy, dz in (
                (0, 0, 1), (1, 0, 0), (-1, 0, 0), (0, 1, 0), (0, -1, 0),
                (1, 1, 0), (1, -1, 0), (-1, 1, 0), (-1, -1, 0), (0, 0, -1),
            ):  # fmt: skip
                lift = dz * reach if dz else 0.25
                place = s.origin[0] + dx * reach, s.origin[1] + dy * reach, s.origin[2] + lift
                if not self._sweep(place, place).startsolid:
                    s.origin = place
                    return

    def _stance(self, crouch: bool) -> None:
        s = self.s
        if crouch == s.crouched:
            return
        if crouch:
            s.crouched = True
            return
        top = (WIDTH, WIDTH, STAND_HEIGHT)
        if not self._sweep(s.origin, s.origin, top).startsolid:
            s.crouched = False

    def _find_ground(self) -> None:
        s = self.s
        x, y, z = s.origin
        trace = self._sweep(s.origin, (x, y, z - 0.25))
        rising = s.velocity[2] > 0.0 and dot(s.velocity, trace.normal) > 10.0
        if trace.fraction >= 1.0 or trace.allsolid or rising or trace.normal[2] < MIN_WALK_NORMAL:
            s.on_ground = False
            s.ground_entity = None
            return
        s.on_ground = True
        s.ground_entity = trace.entity
        s.ground_surface = trace.surface
        s.ground_normal = trace.normal

    def _jump(self) -> None:
        s = self.s
        s.jump_held = True
        s.jumped = True
        s.on_ground = False
        s.velocity = s.velocity[0], s.velocity[1], JUMP_SPEED * sqrt(s.gravity / GRAVITY)

    def _sprint(self, buttons: Button) -> None:
        s = self.s
        wants = bool(buttons & Button.SPRINT) and self.command.forward > 0.5 and not s.crouched
        wants = wants and not buttons & Button.AIM
        if wants and (s.sprinting or s.fatigue < 0.5) and s.fatigue < 1.0:
            s.sprinting = True
            s.fatigue = min(1.0, s.fatigue + self.dt / _SPRINT_SECONDS)
        else:
            s.sprinting = False
            s.fatigue = max(0.0, s.fatigue - self.dt / _RECOVER_SECONDS)

    def _wish(self, buttons: Button) -> tuple[Vector, float]:
        """Direction (unit, level) and speed that the command asks for."""
        if self.frozen:
            return ZERO, 0.0
        s = self.s
        ahead, right, _ = axes((0.0, s.view[1], 0.0))
        forward = max(-1.0, min(1.0, self.command.forward))
        side = max(-1.0, min(1.0, self.command.right))
        wish = madd(scale(ahead, forward), side, right)
        amount = min(1.0, length(wish))
        if s.crouched:
            speed = CROUCH_SPEED
        elif s.sprinting:
            speed = SPRINT_SPEED
        elif buttons & Button.AIM:
            speed = AIM_SPEED
        elif buttons & Button.WALK:
            speed = WALK_SPEED
        else:
            speed = RUN_SPEED
        if forward < -0.1:
            speed *= 0.8
        return normalize(wish), speed * amount * s.max_speed / RUN_SPEED

    def _friction(self) -> None:
        s = self.s
        speed = length(s.velocity)
        if speed < 1.0:
            s.velocity = 0.0, 0.0, s.velocity[2]
            return
        drop = max(speed, _STOP_SPEED) * _FRICTION * self.dt
        s.velocity = scale(s.velocity, max(0.0, speed - drop) / speed)

    def _accelerate(self, wish: Vector, speed: float, rate: float) -> None:
        s = self.s
        missing = speed - dot(s.velocity, wish)
        if missing > 0.0:
            s.velocity = madd(s.velocity, min(missing, rate * self.dt * speed), wish)

    def _walk(self, wish: Vector, speed: float) -> None:
        s = self.s
        self._friction()
        normal = s.ground_normal
        along = normalize(madd(wish, -dot(wish, normal), normal))
        self._accelerate(along, speed, _ACCELERATE)
        before = length(s.velocity)
        s.velocity = _clip_velocity(s.velocity, normal)
        after = length(s.velocity)
        if after > 0.0:
            s.velocity = scale(s.velocity, before / after)
        if before < 0.01:
            return
        self._step_slide(gravity=False)
        self._stay_down()

    def _stay_down(self) -> None:
        """Follow the ground over the edge of a step or down a slope: stairs are no row of falls."""
        s = self.s
        x, y, z = s.origin
        trace = self._sweep(s.origin, (x, y, z - STEP - 0.25))
        if 0.0 < trace.fraction < 1.0 and trace.normal[2] >= MIN_WALK_NORMAL and not trace.startsolid:
            s.origin = trace.position

    def _fly(self, wish: Vector, speed: float) -> None:
        self._accelerate(wish, speed, _AIR_ACCELERATE)
        self._step_slide(gravity=True)

    def _step_slide(self, *, gravity: bool) -> None:
        """Slide; when something low was in the way, try from a step higher and keep what came farther."""
        s = self.s
        origin, velocity = s.origin, s.velocity
        if not self._slide(gravity):
            return
        x, y, z = origin
        below = self._sweep(origin, (x, y, z - STEP))
        supported = below.fraction < 1.0 and below.normal[2] >= MIN_WALK_NORMAL
        if velocity[2] > 0.0 and not supported:
            return
        if gravity and not supported:
            return
        up = self._sweep(origin, (x, y, z + STEP))
        if up.allsolid or up.position[2] - z < 0.5:
            return
        slid_origin, slid_velocity = s.origin, s.velocity
        s.origin, s.velocity = up.position, velocity
        self._slide(gravity)
        raised = up.position[2] - z
        ax, ay, az = s.origin
        down = self._sweep(s.origin, (ax, ay, az - raised))
        if not down.allsolid:
            s.origin = down.position
        if down.fraction < 1.0:
            s.velocity = _clip_velocity(s.velocity, down.normal)
        far = (s.origin[0] - x) ** 2 + (s.origin[1] - y) ** 2
        near = (slid_origin[0] - x) ** 2 + (slid_origin[1] - y) ** 2
        steep = down.fraction < 1.0 and down.normal[2] < MIN_WALK_NORMAL
        if far <= near or steep or down.allsolid:
            s.origin, s.velocity = slid_origin, slid_velocity

    def _slide(self, gravity: bool) -> bool:
        """Move by the velocity along whatever is in the way; True when something was."""
        s = self.s
        end_velocity = s.velocity
        if gravity:
            end_velocity = s.velocity[0], s.velocity[1], s.velocity[2] - s.gravity * self.dt
            s.velocity = s.velocity[0], s.velocity[1], (s.velocity[2] + end_velocity[2]) * 0.5
        planes: list[Vector] = [normalize(s.velocity)]
        if s.on_ground:
            planes.append(s.ground_normal)
            s.velocity = _clip_velocity(s.velocity, s.ground_normal)
        left = self.dt
        blocked = False
        for _ in range(4):
            trace = self._sweep(s.origin, madd(s.origin, left, s.velocity))
            if trace.allsolid:
                s.velocity = s.velocity[0], s.velocity[1], 0.0
                return True
            if trace.fraction > 0.0:
                s.origin = trace.position
            if trace.fraction >= 1.0:
                break
            blocked = True
            left -= left * trace.fraction
            if any(dot(trace.normal, plane) > 0.99 for plane in planes[1:]):
                s.velocity = add(s.velocity, trace.normal)
                continue
            planes.append(trace.normal)
            s.velocity, end_velocity, stop = self._along(planes, s.velocity, end_velocity)
            if stop:
                return True
        if gravity:
            s.velocity = end_velocity
        return blocked

    @staticmethod
    def _along(planes: list[Vector], velocity: Vector, end: Vector) -> tuple[Vector, Vector, bool]:
        """The velocity that leaves every plane touched in this step: along one, along a crease, or none."""
        for i, plane in enumerate(planes):
            if dot(velocity, plane) >= 0.1:
                continue
            clipped, clipped_end = _clip_velocity(velocity, plane), _clip_velocity(end, plane)
            for j, second in enumerate(planes):
                if j == i or dot(clipped, second) >= 0.1:
                    continue
                clipped = _clip_velocity(clipped, second)
                clipped_end = _clip_velocity(clipped_end, second)
                if dot(clipped, plane) >= 0.0:
                    continue
                crease = normalize(cross(plane, second))
                clipped = scale(crease, dot(crease, velocity))
                clipped_end = scale(crease, dot(crease, end))
                for k, third in enumerate(planes):
                    if k not in (i, j) and dot(clipped, third) < 0.1:
                        return ZERO, ZERO, True
            return clipped, clipped_end, False
        return velocity, end, False

"""Actors: soldiers that scripts steer and animate. The engine walks them; what they do is the scripts' business.

An actor with a goal goes there by the path nodes. How fast is decided by the animation that plays: each frame it
moves by the length of the blended root motion, so that feet do not slide.
"""

from __future__ import annotations

from math import atan2, degrees, hypot
from typing import TYPE_CHECKING

from engine.vm.errors import ScriptError
from engine.vm.values import Value
from engine.world.angles import (
    Vector,
    add,
    circle,
    distance2d,
    forward,
    look_angles,
    madd,
    matrix,
    normalize,
    rotate,
    sub,
    turn_towards,
    wrap180,
)
from engine.world.damage import fire
from engine.world.entity import Entity, backed
from engine.world.hits import Hit
from engine.world.lying import lie_of
from engine.world.motion import GRAVITY
from engine.world.stepping import HEIGHT, stride
from engine.world.surfaces import SHOT_MASK, SIGHT_MASK, Contents
from engine.world.walker import Walker

if TYPE_CHECKING:
    from engine.world.world import World

ANIM_MODES = ("none", "normal", "gravity", "nogravity", "angle deltas", "zonly_physics", "point relative")
_RAW_MODES = ("gravity", "nogravity", "angle deltas", "point relative")
ORIENT_MODES = (
    "face default", "face current", "face motion", "face angle", "face direction", "face point", "face enemy",
    "face goal",
)  # fmt: skip

_SECONDS = 0.05
_WAYPOINT_RADIUS = 24.0
_DIRECT = 48.0
_REPATH = 500
_STUCK = 1500
_GO_ROUND = 400
_AIM_TIME = 2000
_AIM_SPEED = 240.0
_LOOK_SPEED = 200.0
_SETTLE_SPEED = 90.0
_MAX_AIM = 60.0
_MAX_LOOK = 70.0


class Actor(Walker):
    """One living (or just dead) soldier."""

    type_name = "entity"
    noun = "actor"

    def __init__(self, world: World, number: int, serial: int, classname: str) -> None:
        super().__init__(world, number, serial, classname)
        self.side = "axis"
        self.weapon_name = ""
        self.accuracy = 0.5
        self.goal_radius = 16.0
        self.turn_rate = 360.0
        self.goal: Vector | None = None
        self.goal_entity: Entity | None = None
        self.path: list[Vector] = []
        self.path_time = -_REPATH
        self.at_goal = True
        self.stuck_since = 0
        self.anim_mode = "normal"
        self.orient_mode = "face default"
        self.orient_value: Vector | float | None = None
        self.aim_pos: Vector | None = None
        self.aim_until = 0
        self.look_entity: Entity | None = None
        self.look_until = 0
        self.aim = (0.0, 0.0)
        self.look = (0.0, 0.0)
        self.fall_speed = 0.0
        self.ground = "stone"
        self.ground_number: int | None = None
        self.moving = 0.0
        self.motion_yaw = 0.0
        self.last_hit: Hit | None = None
        self.crouching = False
        self.scripted = False
        self.resting = False
        self.lies: tuple[float, float] | None = None
        """Pitch and roll of the ground that a dead body lies on."""
        self.around = 0.0
        self.around_until = 0

    # --- body -------------------------------------------------------------------------------------------

    def enter(self, position: Vector, rotation: Vector) -> None:
        self.mins, self.maxs = (-13.0, -13.0, 0.0), (13.0, 13.0, HEIGHT)
        self.contents = Contents.BODY
        self.takes_damage = True
        self.place(position, (0.0, rotation[1], 0.0), teleport=True)

    def stands_on(self) -> int | None:
        return self.ground_number

    def eye(self) -> Vector:
        for tag in ("tag_eye", "head", "j_head"):
            frame = self.world.animator.tag_frame(self, tag)
            if frame is not None:
                return frame[0]
        x, y, z = self.position
        return x, y, z + (40.0 if self.crouching else 60.0)

    def muzzle(self) -> Vector:
        frame = self.world.animator.tag_frame(self, "tag_flash")
        return frame[0] if frame is not None else madd(self.eye(), 20.0, self.facing())

    def died(self, hit: Hit) -> None:
        self.hit_points = 0
        self.contents = Contents.CORPSE
        self.goal, self.goal_entity, self.path = None, None, []
        self.aim_pos, self.look_entity = None, None
        self.takes_damage = False
        self.relink()
        super().died(hit)

    def damage(self, hit: Hit) -> None:
        if self.takes_damage and hit.amount > 0:
            self.last_hit = hit
            if self.hit_points > hit.amount:
                super().damage(hit)
                self.world.host.notify(self, "pain", hit.attacker)
                return
        super().damage(hit)

    # --- goals ------------------------------------------------------------------------------------------

    def set_goal(self, goal: Vector) -> None:
        """Go to a place."""
        self.goal, self.goal_entity = goal, None
        self._new_goal()

    def set_goal_entity(self, entity: Entity) -> None:
        """Follow an entity."""
        self.goal_entity = entity
        self.goal = entity.position
        self._new_goal()

    def aim_at(self, point: Vector) -> None:
        """Aim at a point, and when standing turn towards it. It lasts for two seconds, or until the next goal."""
        self.aim_pos = point
        self.aim_until = self.world.time + _AIM_TIME

    def _new_goal(self) -> None:
        self.aim_pos = None
        self.path = []
        self.path_time = -_REPATH
        self.at_goal = False
        self.stuck_since = self.world.time

    def stop(self) -> None:
        self.goal, self.goal_entity, self.path, self.at_goal = None, None, [], True

    def _plan(self) -> None:
        """Keep the path up to date: find one for a new goal, or when the goal has moved away from its end."""
        world = self.world
        if self.goal_entity is not None:
            if self.goal_entity.freed:
                self.stop()
                return
            self.goal = self.goal_entity.position
            if distance2d(self.position, self.goal) > max(self.goal_radius, 48.0) and self.at_goal:
                self.at_goal = False
        if self.goal is None or self.at_goal or world.time - self.path_time < _REPATH:
            return
        stale = not self.path or distance2d(self.path[-1], self.goal) > 32.0
        blocked = world.time - self.stuck_since > _STUCK
        if (stale or blocked) and world.may_plan():
            self.path_time = world.time
            self.stuck_since = world.time
            found = world.paths.find(self.position, self.goal)
            if found is None:
                world.host.notify(self, "bad_path", self.goal)
                found = [self.goal]
            self.path = found

    # --- frame ------------------------------------------------------------------------------------------

    def think(self) -> None:
        if self.scripted:
            return
        dx, dy, dz, turn = self.world.animator.root_motion(self)
        if not self.alive():
            self._raw(dx, dy, 0.0, turn, gravity=True)
            self._lie()
            return
        if self.link is not None or self.anim_mode == "none":
            self._aim()
            return
        if self.anim_mode in _RAW_MODES:
            self._raw(dx, dy, dz, turn, gravity=self.anim_mode == "gravity")
        else:
            self._plan()
            self._walk(dx, dy, turn)
        self._aim()

    def _lie(self) -> None:
        """Settle along the ground, once it has come to rest."""
        if not self.resting:
            self.lies = None
            return
        pitch, yaw, roll = self.rotation
        if self.lies is None:
            self.lies = lie_of(self.world.space, self.position, yaw)
        settled = _ease((pitch, roll), self.lies, _SETTLE_SPEED * _SECONDS)
        if settled != (pitch, roll):
            self.rotation = (settled[0], yaw, settled[1])

    def _raw(self, dx: float, dy: float, dz: float, turn: float, *, gravity: bool) -> None:
        """Go as the animation goes."""
        yaw = wrap180(self.rotation[1] + turn)
        c, s = circle(yaw)
        wx, wy = dx * c - dy * s, dx * s + dy * c
        rotation = (self.rotation[0], yaw, self.rotation[2])
        if not gravity:
            if dx or dy or dz or turn:
                self.place(add(self.position, (wx, wy, dz)), rotation)
            return
        self._step(wx, wy, rotation)

    def _walk(self, dx: float, dy: float, turn: float) -> None:
        """Follow the path by the length of the animation's stride."""
        length = hypot(dx, dy)
        heading = degrees(atan2(dy, dx)) if length > 0.05 else 0.0
        way = self._way()
        yaw = self.rotation[1]
        if way is None or self.goal is None:
            yaw = self._face(yaw, None, turn)
            self.moving = 0.0
            self._step(0.0, 0.0, (0.0, yaw, 0.0))
            return
        move_yaw = degrees(atan2(way[1], way[0]))
        self.motion_yaw = move_yaw
        yaw = self._face(yaw, wrap180(move_yaw - heading), turn)
        off = abs(wrap180(move_yaw - heading - yaw))
        near = hypot(way[0], way[1])
        direct = near < _DIRECT or self.orient_mode not in ("face default", "face motion")
        direction = move_yaw if direct else yaw + heading
        amount = min(length, near + 4.0) * (1.0 if direct or off < 80.0 else 0.35)
        c, s = circle(direction)
        before = self.position
        self._step(c * amount, s * amount, (0.0, yaw, 0.0))
        self.moving = distance2d(before, self.position) / _SECONDS
        if self.moving > 15.0 or length < 0.3:
            self.stuck_since = self.world.time
        self._arrive()

    def _way(self) -> Vector | None:
        """From here to the next point of the path."""
        while len(self.path) > 1 and distance2d(self.position, self.path[0]) < _WAYPOINT_RADIUS:
            self.path.pop(0)
        return sub(self.path[0], self.position) if self.path else None

    def _arrive(self) -> None:
        if self.goal is None or self.at_goal:
            return
        near = distance2d(self.position, self.goal) <= max(12.0, self.goal_radius)
        if near and abs(self.position[2] - self.goal[2]) < 72.0:
            self.at_goal = True
            self.path = []
            self.moving = 0.0
            self.world.host.notify(self, "goal")

    def _face(self, yaw: float, motion: float | None, turn: float) -> float:
        """The yaw after this frame: towards what orientmode names, as far as the turn rate allows."""
        goal = self._facing_goal(motion)
        if goal is None:
            return wrap180(yaw + turn)
        return turn_towards(yaw, goal, self.turn_rate * _SECONDS)

    def _facing_goal(self, motion: float | None) -> float | None:
        mode, value = self.orient_mode, self.orient_value
        if mode == "face angle" and isinstance(value, float):
            return value
        if mode == "face direction" and isinstance(value, tuple):
            return look_angles(value)[1]
        point: Vector | None = None
        if mode == "face point" and isinstance(value, tuple):
            point = value
        elif mode == "face enemy":
            enemy = self.get_field("enemy")
            point = enemy.position if isinstance(enemy, Entity) and not enemy.freed else None
        elif mode == "face goal":
            point = self.goal
        if point is None and motion is None and mode != "face current":
            point = self.aim_pos
        if point is not None:
            return look_angles(sub(point, self.position))[1]
        return None if mode == "face current" else motion

    def place(self, position: Vector, rotation: Vector | None = None, *, teleport: bool = False) -> None:
        self.resting = False
        super().place(position, rotation, teleport=teleport)

    def _step(self, wx: float, wy: float, rotation: Vector) -> None:
        if self.resting and wx == 0.0 and wy == 0.0:
            # On ground that cannot go away: no need to look for it again. The body's box does not turn.
            self.rotation = rotation
            return
        around = self.around if self.world.time < self.around_until else 0.0
        done = stride(self.world.space, self.position, (wx, wy), {self.number}, around)
        position = done.position
        if done.turn and done.turn != around:
            self.around, self.around_until = done.turn, self.world.time + _GO_ROUND
        if done.grounded:
            self.fall_speed = 0.0
            self.ground = done.surface or self.ground
            self.ground_number = done.ground_entity
        else:
            self.ground_number = None
            self.fall_speed += GRAVITY * _SECONDS
            x, y, z = position
            down = self.world.space.trace(
                (x, y, z + 1.0), (x, y, z - self.fall_speed * _SECONDS), (-6, -6, 0), (6, 6, 50), SHOT_MASK,
                {self.number},
            )  # fmt: skip
            position = down.position
        if position != self.position or rotation != self.rotation:
            self.place(position, rotation)
        self.resting = done.grounded and done.ground_entity is None and wx == 0.0 and wy == 0.0

    # --- looking and shooting -----------------------------------------------------------------------------

    def _aim(self) -> None:
        """Bend the spine towards what it aims at and the head towards what it looks at."""
        if self.world.time > self.aim_until:
            self.aim_pos = None
        aim = self._angles_to(self.aim_pos, _MAX_AIM) if self.aim_pos is not None else (0.0, 0.0)
        if self.look_entity is not None and (
            self.look_entity.freed or (self.look_until and self.world.time > self.look_until)
        ):
            self.look_entity = None
        look = (0.0, 0.0)
        if self.look_entity is not None:
            look = self._angles_to(self.look_entity.eye(), _MAX_LOOK)
        before = (self.aim, self.look)
        self.aim = _ease(self.aim, aim, _AIM_SPEED * _SECONDS)
        self.look = _ease(self.look, look, _LOOK_SPEED * _SECONDS)
        if (self.aim, self.look) != before:
            self.world.animator.bend(self, self.aim, self.look)

    def _angles_to(self, point: Vector, most: float) -> tuple[float, float]:
        pitch, yaw, _ = look_angles(sub(point, self.eye()))
        yaw = wrap180(yaw - self.rotation[1])
        return max(-most, min(most, pitch)), max(-most, min(most, yaw))

    def can_see(self, other: Entity) -> bool:
        """Whether a straight line from eye to eye or to the middle of the other is free."""
        eye = self.eye()
        ignore = {self.number, other.number}
        for point in (other.eye(), other.centre()):
            if self.world.space.trace(eye, point, mask=SIGHT_MASK, ignore=ignore).fraction >= 1.0:
                return True
        return False

    def can_shoot(self, point: Vector, offset: Vector) -> bool:
        """Whether a shot from the eye, moved by an offset in its own frame, would reach a point."""
        start = add(self.eye(), rotate(matrix((0.0, self.rotation[1], 0.0)), offset))
        trace = self.world.space.trace(start, point, mask=SHOT_MASK, ignore={self.number})
        if trace.fraction >= 0.98:
            return True
        hit = self.world.entities.get(trace.entity) if trace.entity is not None else None
        return hit is not None and (not isinstance(hit, Actor) or hit.side != self.side)

    def shoot(self, accuracy: float | None, target: Vector | None) -> None:
        """Fire once: at a point, at what it aims at, at its enemy, or straight ahead."""
        weapon = self.world.weapons.get(self.weapon_name)
        if weapon is None:
            raise ScriptError(f"this actor has no weapon that the engine knows ('{self.weapon_name}')")
        muzzle = self.muzzle()
        if target is None:
            enemy = self.get_field("enemy")
            if self.aim_pos is not None:
                target = self.aim_pos
            elif isinstance(enemy, Entity) and not enemy.freed:
                target = enemy.centre()
        start = self.eye() if target is None else muzzle
        way = forward(self.rotation) if target is None else normalize(sub(target, start))
        skill = max(0.0, min(1.0, self.accuracy if accuracy is None else accuracy))
        fire(self.world, self, weapon, start, way, 5.0 * (1.0 - skill), muzzle)

    # --- fields -----------------------------------------------------------------------------------------

    def set_team(self, value: str) -> None:
        if value not in ("axis", "allies", "neutral"):
            raise ScriptError(f"'{value}' is no team of actors; it must be axis, allies or neutral")
        self.side = value

    def set_goal_radius(self, value: float) -> None:
        if value < 0:
            raise ScriptError("goalradius must not be negative")
        self.goal_radius = value

    def _hit_value(self, name: str) -> Value:
        hit = self.last_hit
        if hit is None:
            return None
        if name == "yaw":
            if hit.direction is None:
                return 0.0
            return wrap180(look_angles(sub((0.0, 0.0, 0.0), hit.direction))[1] - self.rotation[1])
        found: Value = getattr(hit, name)
        return found

    goalradius = backed("float", lambda a: a.goal_radius, lambda a, v: a.set_goal_radius(v))
    goalpos = backed("vector", lambda a: a.goal)
    pathgoalpos = backed("vector", lambda a: a.path[-1] if a.path else None)
    sessionteam = backed("string", lambda a: a.side)
    team = backed("string", lambda a: a.side, lambda a, v: a.set_team(v))
    weapon = backed("string", lambda a: a.weapon_name, lambda a, v: a.set_weapon(v))
    groundtype = backed("string", lambda a: a.ground)
    turnrate = backed("float", lambda a: a.turn_rate, lambda a, v: setattr(a, "turn_rate", max(0.0, v)))
    damagelocation = backed("string", lambda a: a._hit_value("location"))
    damageyaw = backed("float", lambda a: a._hit_value("yaw"))
    damagetaken = backed("int", lambda a: a._hit_value("amount"))
    damagedir = backed("vector", lambda a: a._hit_value("direction"))
    damageweapon = backed("string", lambda a: a._hit_value("weapon"))

    def set_weapon(self, name: str) -> None:
        """Carry a weapon: its model hangs at tag_weapon_right."""
        old = self.world.weapons.get(self.weapon_name)
        if old is not None:
            self.attachments = [a for a in self.attachments if a[0] != old.model]
        self.weapon_name = name.lower()
        new = self.world.weapons.get(self.weapon_name)
        if new is not None and new.model:
            self.attachments.append((new.model, "tag_weapon_right", 1))


def _ease(now: tuple[float, float], goal: tuple[float, float], most: float) -> tuple[float, float]:
    return (
        now[0] + max(-most, min(most, goal[0] - now[0])),
        now[1] + max(-most, min(most, goal[1] - now[1])),
    )


class Spawner(Entity):
    """An `actor_...` block of a map: makes actors by dospawn."""

    def model_for(self) -> str:
        """The model of what it makes: its key, or what its classname says after `actor_`."""
        return self.text("model") or self.class_name.removeprefix("actor_")

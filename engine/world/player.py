"""A player: a body that runs commands, hands that hold weapons, and the fields that scripts know of clients."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.vm.arrays import Array
from engine.vm.errors import ScriptError
from engine.world.angles import ZERO, Vector, axes, forward, look_angles, madd, sub
from engine.world.arms import Arms
from engine.world.command import Button, UserCommand
from engine.world.damage import fire
from engine.world.entity import backed, stored
from engine.world.hits import Hit
from engine.world.movement import STAND_EYE, MoveState, run_command
from engine.world.surfaces import NONE, Contents
from engine.world.triggers import usable
from engine.world.view import Message, PlayerState
from engine.world.walker import Walker
from engine.world.weapons import Weapon

if TYPE_CHECKING:
    from engine.world.world import World

__all__ = ["Button", "Player", "UserCommand"]

STATES = ("playing", "dead", "spectator", "intermission")
TEAMS = ("axis", "allies", "spectator", "none")
SQUADS = ("squad_alpha", "squad_bravo", "none")

_STRIDE = 62.0
_SAFE_FALL = 560.0
_DEADLY_FALL = 900.0
_FLY_SPEED = 400.0


def _choice(field: str, value: str, allowed: tuple[str, ...]) -> str:
    if value not in allowed:
        raise ScriptError(f"'{value}' is no {field}; it must be one of {', '.join(allowed)}")
    return value


class Player(Walker):
    """sessionstate says whether there is a body: only `playing` has one that moves, shoots and is hit."""

    type_name = "entity"
    noun = "player"

    def __init__(self, world: World, number: int, serial: int, classname: str = "player") -> None:
        super().__init__(world, number, serial, classname)
        self.body = MoveState()
        self.arms = Arms()
        self.player_name = "player"
        self.team = "none"
        self.squad = "none"
        self.state = "spectator"
        self.persistent = Array()
        self.max_hit_points = 100
        self.max_speed = 190
        self.frozen = False
        self.buttons = Button(0)
        self.use_held = False
        self.hurt = 0
        self.hurt_from = 0.0
        self.hits = 0
        self.kills = 0
        self.walked = 0.0
        self.view_model = ""
        self.spectator_client = -1
        self.archive_time = 0.0
        self.allow_crouch = True
        self.allow_stand = True
        self.allow_use = True
        self.cvars: dict[str, str] = {}
        self.death_count = 0
        self.kick = (0.0, 0.0)

    # --- body -------------------------------------------------------------------------------------------

    def is_player(self) -> bool:
        return True

    def alive(self) -> bool:
        return self.state == "playing" and self.hit_points > 0

    def eye(self) -> Vector:
        return self.body.eye

    def facing(self) -> Vector:
        return forward(self.body.view)

    def stands_on(self) -> int | None:
        return self.body.ground_entity if self.body.on_ground else None

    def place(self, position: Vector, rotation: Vector | None = None, *, teleport: bool = False) -> None:
        self.body.origin = position
        if rotation is not None:
            self.body.view = rotation
        super().place(position, rotation, teleport=teleport)

    def follow(self, position: Vector, rotation: Vector) -> None:
        """Be carried by a link; the view stays the player's own."""
        if position != self.position:
            self.place(position)

    def spawn(self, origin: Vector, angles: Vector) -> None:
        """Come into the world, alive and whole, without weapons."""
        self.body = MoveState(origin=origin, view=angles, max_speed=float(self.max_speed))
        self.body.gravity = self.world.gravity
        self.state = "playing"
        self.hit_points = self.max_hit_points
        self.takes_damage = True
        self.visible = True
        self.frozen = False
        self.walked = 0.0
        self.contents = Contents.BODY
        self.arms = Arms()
        self._shape()
        self.place(origin, angles, teleport=True)
        self.world.host.notify(self, "spawned")

    def leave_body(self, state: str) -> None:
        """Be a spectator, dead or in an intermission: nothing collides."""
        self.state = state
        self.contents = NONE
        self.takes_damage = False
        self.visible = False
        self.relink()

    def _shape(self) -> None:
        self.mins, self.maxs = self.body.mins, self.body.maxs

    def run(self, command: UserCommand) -> None:
        """Run one command at once: movement, footsteps, hands, the use key."""
        buttons = command.buttons if not self.frozen else Button(0)
        self.buttons = command.buttons
        if self.state != "playing":
            self._float(command)
            return
        if not self.alive():
            return
        if not self.allow_crouch:
            buttons &= ~Button.CROUCH
        if not self.allow_stand:
            buttons |= Button.CROUCH
        before = self.body.origin
        self.body.max_speed = float(self.max_speed)
        linked = self.link is not None
        forward, right = (0.0, 0.0) if linked else (command.forward, command.right)
        moved = UserCommand(
            command.msec,
            forward,
            right,
            command.up,
            buttons & ~Button.JUMP if linked else buttons,
            command.angles,
        )
        run_command(self.body, moved, self.world.space, {self.number}, frozen=self.frozen)
        if linked:
            self.body.origin, self.body.velocity, self.body.landed = before, ZERO, 0.0
        self.position = self.body.origin
        self.rotation = (0.0, self.body.view[1], 0.0)
        self._shape()
        self.relink()
        self._steps(before)
        if self.body.landed > _SAFE_FALL:
            self._fell(self.body.landed)
        if self.alive():
            self.arms.run(self, buttons, command.msec)
            self._use(bool(buttons & Button.USE))

    def _float(self, command: UserCommand) -> None:
        """Fly freely as a spectator; stand still in an intermission and when dead."""
        if not self.frozen and self.state != "intermission":
            self.body.view = command.angles
        if self.state == "spectator" and not self.frozen:
            ahead, right, _ = axes(self.body.view)
            step = _FLY_SPEED * max(1, min(200, command.msec)) / 1000.0
            place = madd(madd(self.body.origin, command.forward * step, ahead), command.right * step, right)
            self.body.origin = self.position = place[0], place[1], place[2] + command.up * step
        self.rotation = self.body.view
        self.use_held = bool(command.buttons & Button.USE)

    def _steps(self, before: Vector) -> None:
        body = self.body
        if body.landed > 150.0:
            self.feet_sound(body.ground_surface)
            self.walked = 0.0
        if not body.on_ground or body.crouched:
            return
        self.walked += ((body.origin[0] - before[0]) ** 2 + (body.origin[1] - before[1]) ** 2) ** 0.5
        if self.walked >= _STRIDE * (1.25 if body.sprinting else 1.0):
            self.walked = 0.0
            self.feet_sound(body.ground_surface)

    def _fell(self, speed: float) -> None:
        share = min(1.0, (speed - _SAFE_FALL) / (_DEADLY_FALL - _SAFE_FALL))
        amount = max(1, round(self.max_hit_points * share))
        self.damage(Hit(amount, self, self, "MOD_FALLING", direction=(0.0, 0.0, -1.0)))

    def _use(self, down: bool) -> None:
        pressed = down and not self.use_held
        self.use_held = down
        if pressed and self.allow_use:
            target = usable(self.world, self)
            if target is not None:
                target.used_by(self)

    # --- hands ------------------------------------------------------------------------------------------

    def fire(self, weapon: Weapon, spread: float) -> None:
        """One shot along the view."""
        body = self.body
        ahead, right, up = axes(body.view)
        muzzle = madd(madd(madd(body.eye, 26.0, ahead), 5.0, right), -5.0, up)
        struck = fire(self.world, self, weapon, body.eye, ahead, spread, muzzle)
        kick = weapon.kick * (0.6 if self.arms.aim > 0.5 else 1.0)
        self.kick = (kick, (self.world.random.random() - 0.5) * kick)
        self.hits += struck.hits
        self.kills += struck.kills
        self.world.host.notify(self, "weapon_fired", weapon.name)

    # --- damage -----------------------------------------------------------------------------------------

    def damage(self, hit: Hit) -> None:
        """Ask the scripts' CodeCallback_PlayerDamage; without one the damage is simply done."""
        if not self.alive() or not self.takes_damage or hit.amount <= 0:
            return
        asked = self.world.host.callback(
            "CodeCallback_PlayerDamage", self, hit.inflictor, hit.attacker, hit.amount, hit.flags, hit.mod,
            hit.weapon, hit.point, hit.direction, hit.location,
        )  # fmt: skip
        if not asked:
            self.finish_damage(hit)

    def finish_damage(self, hit: Hit) -> None:
        """The engine's part, which scripts call when they have decided that the damage counts."""
        if not self.alive():
            return
        self.hit_points -= hit.amount
        self.hurt += 1
        if hit.attacker is not None and hit.attacker is not self:
            self.hurt_from = look_angles(sub(hit.attacker.position, self.position))[1]
        elif hit.direction is not None:
            self.hurt_from = look_angles((-hit.direction[0], -hit.direction[1], 0.0))[1]
        self.world.host.notify(self, "damage", hit.amount, hit.attacker, hit.direction, hit.point, hit.mod)
        if self.hit_points <= 0:
            self.hit_points = 0
            self.died(hit)

    def died(self, hit: Hit) -> None:
        self.state = "dead"
        self.contents = NONE
        self.relink()
        self.death_count += 1
        self.world.host.notify(self, "death", hit.attacker)
        self.world.host.callback(
            "CodeCallback_PlayerKilled", self, hit.inflictor, hit.attacker, hit.amount, hit.mod, hit.weapon,
            hit.direction, hit.location,
        )  # fmt: skip

    # --- client fields of the registry ----------------------------------------------------------------------

    def set_state(self, value: str) -> None:
        _choice("sessionstate", value, STATES)
        if value == self.state:
            return
        if value == "playing":
            self.state = value
        else:
            self.leave_body(value)

    def set_team(self, value: str) -> None:
        self.team = _choice("sessionteam", value, TEAMS)

    def set_squad(self, value: str) -> None:
        self.squad = _choice("sessionsquad", value, SQUADS)

    def set_max_health(self, value: int) -> None:
        if value < 1:
            raise ScriptError("maxhealth must be at least 1")
        self.max_hit_points = value
        self.hit_points = min(self.hit_points, value)

    def set_max_speed(self, value: int) -> None:
        if value < 0:
            raise ScriptError("maxspeed must be at least 0")
        self.max_speed = value

    def set_health(self, value: int) -> None:
        self.hit_points = min(value, self.max_hit_points)

    def set_angles(self, value: Vector) -> None:
        self.body.view = value
        super().set_angles(value)

    name = backed("string", lambda p: p.player_name)
    sessionteam = backed("string", lambda p: p.team, lambda p, v: p.set_team(v))
    sessionsquad = backed("string", lambda p: p.squad, lambda p, v: p.set_squad(v))
    sessionstate = backed("string", lambda p: p.state, lambda p, v: p.set_state(v))
    maxhealth = backed("int", lambda p: p.max_hit_points, lambda p, v: p.set_max_health(v))
    maxspeed = backed("int", lambda p: p.max_speed, lambda p, v: p.set_max_speed(v))
    handicap = backed("int", lambda p: 100)
    score = stored("score", "int", 0)
    deaths = backed("int", lambda p: p.death_count, lambda p, v: setattr(p, "death_count", v))
    statusicon = stored("statusicon", "string", "")
    headicon = stored("headicon", "string", "")
    headiconteam = stored("headiconteam", "string", "none")
    spectatorclient = stored("spectatorclient", "int", -1)
    archivetime = stored("archivetime", "float", 0.0)
    pers = backed("any", lambda p: p.persistent)
    noinactivitykick = stored("noinactivitykick", "int", 0)

    # --- for the view -----------------------------------------------------------------------------------

    def tell(self, kind: str, text: str) -> None:
        self.world.events.messages.append(Message("bold" if kind == "bold" else "line", text, self.number))

    def view_state(self) -> PlayerState:
        """What a client shows of this player."""
        body, arms = self.body, self.arms
        weapon = arms.weapon
        held = arms.held.get(arms.current)
        target = usable(self.world, self) if self.alive() and self.allow_use else None
        eye = body.eye
        if self.state == "dead":
            # The client lets the view sink from standing height, whatever the stance was.
            eye = body.origin[0], body.origin[1], body.origin[2] + STAND_EYE
        return PlayerState(
            entity=self.number,
            name=self.player_name,
            team=self.team,
            state=self.state,
            origin=body.origin,
            eye=eye,
            view=body.view,
            velocity=body.velocity,
            health=self.hit_points,
            max_health=self.max_hit_points,
            alive=self.alive(),
            stance="crouch" if body.crouched else "stand",
            on_ground=body.on_ground,
            sprinting=body.sprinting,
            weapon=arms.current,
            weapon_model=(weapon.view_model or weapon.model) if weapon is not None else "",
            clip=held.clip if held is not None else 0,
            clip_size=weapon.clip if weapon is not None else 0,
            stock=held.stock if held is not None else 0,
            weapon_state=arms.state if weapon is not None and arms.enabled else "none",
            weapon_time=round(arms.time),
            weapon_length=round(arms.length()),
            shots=arms.shots,
            ads=arms.aim,
            spread=arms.spread(self),
            hurt=self.hurt,
            hurt_from=self.hurt_from,
            hits=self.hits,
            kills=self.kills,
            usable=(target.hint or "Use") if target is not None else "",
            kick=self.kick,
            frozen=self.frozen,
        )

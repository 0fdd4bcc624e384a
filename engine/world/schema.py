"""Which attributes of the world's objects are state, and of what kind each is.

What is not listed follows from the rest or is made anew: the table `DERIVED` names it, and a test holds both tables
against the objects of a running game.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from engine.vm.heap import HeapIn, HeapOut
from engine.vm.objects import DeadEntity
from engine.vm.packing import damaged
from engine.vm.records import (
    ARRAY,
    FLAG,
    STRING,
    TEXT,
    VALUE,
    Codec,
    Schema,
    each,
    flags,
    many,
    number,
    one_of,
    optional,
    pair,
    real,
    record,
    sorted_set,
    table,
    vector,
    whole,
)
from engine.world.actor import ANIM_MODES, ORIENT_MODES, Actor, Spawner
from engine.world.arms import Arms
from engine.world.command import Button
from engine.world.doors import Door
from engine.world.effects import LoopedEffect
from engine.world.entity import Entity, Link, MovingEntity
from engine.world.hits import Hit
from engine.world.hud import ALIGN_X, ALIGN_Y, FONTS, MAX_ELEMENTS, HudState, Ramp
from engine.world.motion import Course
from engine.world.movement import MoveState
from engine.world.objectives import MAX_OBJECTIVES, Objective
from engine.world.objectives import STATES as OBJECTIVE_STATES
from engine.world.player import SQUADS, STATES, TEAMS, Player
from engine.world.surfaces import Contents
from engine.world.triggers import Trigger
from engine.world.view import Atmosphere
from engine.world.weapons import Held, Weapon

if TYPE_CHECKING:
    from engine.world.world import World

DERIVED = frozenset(
    {
        "world",
        "number",
        "serial",
        "class_name",
        "brushes",
        "pose",
        "unit",
        "freed",
        "teleported",
        "waiters",
        "endons",
    }
)
"""What is in the shell (number, serial, class), saved apart (brushes, pose, unit), or only of this moment."""

MOMENT = number(-(1 << 40), 1 << 40)
"""A time in ms."""
PLACE = vector()
SIZE = vector(16384.0)
SPEED = real(-1e6, 1e6)
SHARE = real(0.0, 1.0)


def _read_entity(inp: HeapIn) -> Any:
    found = inp.object()
    if not isinstance(found, Entity | DeadEntity):
        damaged("something that is no entity stands where one should")
    return found


ENTITY = Codec(lambda out, value: out.object(value), _read_entity)
"""An entity, perhaps one that was freed since."""

LINK = record(Link, parent=ENTITY, tag=STRING, offset=PLACE, turn=PLACE)
COURSE = record(
    Course, lambda course: course.accel + course.decel <= course.seconds,
    start=PLACE, delta=PLACE, begin=MOMENT, seconds=real(0.0, 1e6), accel=real(0.0, 1e6), decel=real(0.0, 1e6),
    falling=FLAG,
)  # fmt: skip
HIT = record(
    Hit, amount=number(), inflictor=optional(ENTITY), attacker=optional(ENTITY), mod=STRING, weapon=STRING,
    point=optional(PLACE), direction=optional(PLACE), location=STRING, flags=number(),
)  # fmt: skip
RAMP = record(Ramp, start=MOMENT, end=MOMENT)
HUD_ELEMENT = record(
    HudState, number=whole(MAX_ELEMENTS - 1), player=optional(whole(1023)), team=STRING, x=real(), y=real(),
    align_x=one_of(*ALIGN_X), align_y=one_of(*ALIGN_Y), font=one_of(*FONTS), scale=real(), color=PLACE,
    alpha=real(), label=STRING, sort=real(), archived=number(),
    kind=one_of(None, "text", "value", "shader", "timer", "clock"), text=STRING, value=real(-1e40, 1e40),
    width=real(), height=real(), timer_end=MOMENT, timer_up=FLAG, tenths=FLAG, clock_total=MOMENT,
    from_color=PLACE, from_alpha=real(), from_x=real(), from_y=real(), from_width=real(), from_height=real(),
    fade=RAMP, move=RAMP, grow=RAMP,
)  # fmt: skip
BODY = record(
    MoveState, origin=PLACE, velocity=vector(1e6), view=PLACE, crouched=FLAG, eye_height=real(0.0, 1000.0),
    on_ground=FLAG, ground_entity=optional(whole(1023)), ground_surface=STRING, ground_normal=PLACE,
    sprinting=FLAG, fatigue=SHARE, jump_held=FLAG, jumped=FLAG, landed=SPEED, max_speed=SPEED, gravity=SPEED,
)  # fmt: skip
OBJECTIVE = record(
    Objective, state=one_of(*OBJECTIVE_STATES), text=STRING, position=PLACE, icon=STRING,
    entity=optional(ENTITY), team=STRING, ring=FLAG,
)  # fmt: skip
OBJECTIVES = table(whole(MAX_OBJECTIVES), OBJECTIVE, MAX_OBJECTIVES)
LOOPED_EFFECT = record(
    LoopedEffect, effect=STRING, origin=PLACE, forward=PLACE, period=MOMENT, next_time=MOMENT
)
ATMOSPHERE = record(
    Atmosphere, sun_direction=PLACE, sun_color=PLACE, sky_color=PLACE, ground_color=PLACE, fog_color=PLACE,
    fog_start=real(), fog_end=real(), fog_density=real(), ambient_sound=STRING,
)  # fmt: skip


def _orient_codec() -> Codec:
    """Nothing, an angle or a vector."""
    angle = real()

    def write(out: HeapOut, value: Any) -> None:
        out.whole(0 if value is None else 2 if isinstance(value, tuple) else 1)
        if isinstance(value, tuple):
            PLACE.write(out, value)
        elif value is not None:
            angle.write(out, value)

    def read(inp: HeapIn) -> Any:
        kind = inp.whole(2)
        return None if kind == 0 else angle.read(inp) if kind == 1 else PLACE.read(inp)

    return Codec(write, read)


def _weapon_codec(world: World) -> Codec:
    def read(inp: HeapIn) -> Weapon:
        name = inp.string()
        found = world.weapons.get(name)
        if found is None:
            damaged(f"there is no weapon '{name[:40]}' here")
        return found

    return Codec(lambda out, weapon: out.text(weapon.name), read)


def entity_schemas(world: World) -> dict[type[Entity], Schema]:
    """For each class of entities all attributes that are saved, the inherited ones first."""
    base: dict[str, Codec] = {
        "values": table(STRING, VALUE),
        "position": PLACE,
        "rotation": PLACE,
        "model_name": STRING,
        "skin": STRING,
        "visible": FLAG,
        "mins": SIZE,
        "maxs": SIZE,
        "contents": flags(Contents),
        "block": optional(whole(len(world.level.blocks))),
        "brush_model": optional(whole(1 << 20)),
        "hit_points": number(),
        "max_hit_points": number(),
        "takes_damage": FLAG,
        "attachments": many(each(STRING, STRING, number()), 64),
        "link": optional(LINK),
        "move_course": optional(COURSE),
        "turn_course": optional(COURSE),
        "loop_sound": STRING,
        "linkable": FLAG,
        "hint": STRING,
    }
    held = record(Held, weapon=_weapon_codec(world), clip=number(), stock=number())
    arms = record(
        Arms, lambda made: not made.current or made.current in made.held,
        held=table(STRING, held, 256), current=STRING, queued=STRING,
        state=one_of("ready", "firing", "reloading", "raising", "lowering", "none"), time=real(), loaded=FLAG,
        trigger_down=FLAG, heat=real(), aim=SHARE, shots=whole(), enabled=FLAG, said=sorted_set(STRING),
    )  # fmt: skip
    trigger: dict[str, Codec] = {"next_time": MOMENT, "enabled": FLAG}
    door: dict[str, Codec] = {
        "state": one_of("closed", "opening", "open", "closing"),
        "locked": FLAG,
        "shut": PLACE,
        "ajar": PLACE,
        "close_time": MOMENT,
    }
    actor: dict[str, Codec] = {
        "side": one_of("axis", "allies", "neutral"),
        "weapon_name": STRING,
        "accuracy": real(),
        "goal_radius": real(),
        "turn_rate": real(),
        "goal": optional(PLACE),
        "goal_entity": optional(ENTITY),
        "path": many(PLACE, 4096),
        "path_time": MOMENT,
        "at_goal": FLAG,
        "stuck_since": MOMENT,
        "anim_mode": one_of(*ANIM_MODES),
        "orient_mode": one_of(*ORIENT_MODES),
        "orient_value": _orient_codec(),
        "aim_pos": optional(PLACE),
        "aim_until": MOMENT,
        "look_entity": optional(ENTITY),
        "look_until": MOMENT,
        "aim": pair(real(-360.0, 360.0)),
        "look": pair(real(-360.0, 360.0)),
        "fall_speed": SPEED,
        "ground": STRING,
        "ground_number": optional(whole(1023)),
        "moving": SPEED,
        "motion_yaw": real(),
        "last_hit": optional(HIT),
        "crouching": FLAG,
        "scripted": FLAG,
        "resting": FLAG,
        "lies": optional(pair(real(-90.0, 90.0))),
        "around": real(),
        "around_until": MOMENT,
    }
    player: dict[str, Codec] = {
        "body": BODY,
        "arms": arms,
        "player_name": STRING,
        "team": one_of(*TEAMS),
        "squad": one_of(*SQUADS),
        "state": one_of(*STATES),
        "persistent": ARRAY,
        "max_speed": number(),
        "frozen": FLAG,
        "buttons": flags(Button),
        "use_held": FLAG,
        "hurt": whole(),
        "hurt_from": real(),
        "hits": whole(),
        "kills": whole(),
        "walked": real(),
        "view_model": STRING,
        "spectator_client": number(),
        "archive_time": real(),
        "allow_crouch": FLAG,
        "allow_stand": FLAG,
        "allow_use": FLAG,
        "cvars": table(TEXT, TEXT),
        "death_count": number(),
        "kick": pair(real(-1e4, 1e4)),
    }
    return {
        Entity: base,
        MovingEntity: base,
        Spawner: base,
        Trigger: base | trigger,
        Door: base | door,
        Actor: base | actor,
        Player: base | player,
    }


def world_schema() -> Schema:
    """The plain attributes of the world itself."""
    return {
        "time": whole(1 << 40),
        "frame_number": whole(1 << 40),
        "gravity": SPEED,
        "atmosphere": ATMOSPHERE,
        "spare_players": FLAG,
        "trigger_events": many(each(ENTITY, ENTITY)),
        "team_scores": table(STRING, number()),
        "effects": many(STRING),
        "looped_effects": many(LOOPED_EFFECT),
        "music": STRING,
        "ambient": STRING,
        "requests": many(STRING, 64),
        "loading": FLAG,
        "winner": STRING,
        "client_names": STRING,
        "objectives": OBJECTIVES,
        "timers": many(each(MOMENT, ENTITY, STRING)),
    }

"""What a client may see: one immutable picture of the world a server frame, and the level that stands still.

The client keeps the last two `FrameView`s and interpolates between them; it never touches the world's own
objects. Everything here is plain data: tuples, strings, numbers and NumPy arrays that nobody writes again.

Units as everywhere: inches, z up, angles (pitch, yaw, roll) in degrees, time in milliseconds.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from engine.anim.skeleton import Float32, Skeleton

Vector = tuple[float, float, float]

ZERO: Vector = (0.0, 0.0, 0.0)


# --- the level, handed over once ------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class SurfaceGeometry:
    """All triangles of one texture, merged; counter-clockwise seen from the visible side.

    positions (V, 3) and normals (V, 3) float32; uvs (V, 2) float32 where 1 is one
    repetition of the texture: 128 inches unless the level scales it; indices (T, 3) uint32. Vertices are
    not shared between faces.
    """

    texture: str
    positions: Float32
    normals: Float32
    uvs: Float32
    indices: NDArray[np.uint32]


@dataclass(frozen=True, slots=True)
class Atmosphere:
    """Light and air, from worldspawn. Colours are linear RGB 0..1 (above 1 is brighter than white).

    sun_direction points from the ground to the sun and has length 1. Fog starts at fog_start inches and
    reaches fog_density of its colour at fog_end.
    """

    sun_direction: Vector = (0.5, 0.55, 0.42)
    sun_color: Vector = (2.6, 1.9, 1.15)
    sky_color: Vector = (0.30, 0.42, 0.62)
    ground_color: Vector = (0.22, 0.17, 0.12)
    fog_color: Vector = (0.62, 0.60, 0.56)
    fog_start: float = 600.0
    fog_end: float = 6000.0
    fog_density: float = 0.85
    ambient_sound: str = ""


@dataclass(frozen=True, slots=True)
class Viewpoint:
    """A place that the level's author found good to look from: a `script_struct` with the targetname `viewpoint`."""

    origin: Vector
    angles: Vector


@dataclass(frozen=True, slots=True)
class StaticLight:
    """A lamp of the level: linear colour, radius in inches at which it has faded to nothing."""

    origin: Vector
    color: Vector
    radius: float


@dataclass(frozen=True, slots=True)
class StaticModel:
    """A prop that stands in the level for good (`misc_model`): it is no entity and never moves."""

    model: str
    origin: Vector
    angles: Vector
    scale: float = 1.0


@dataclass(frozen=True, eq=False)
class LevelGeometry:
    """Everything of a level that never changes while it runs.

    world           the brushes of worldspawn (and of func_group, detail and the like), by texture
    brush_models    geometry of moving brushes around their own origin; `EntityState.brush_model` is the index
    bounds          (minimum, maximum) corner of the world
    models          props that never move; they are in no `FrameView`, so draw them with the level
    viewpoints      good places to take a picture from
    """

    name: str
    world: tuple[SurfaceGeometry, ...]
    brush_models: tuple[tuple[SurfaceGeometry, ...], ...]
    bounds: tuple[Vector, Vector]
    atmosphere: Atmosphere = Atmosphere()
    lights: tuple[StaticLight, ...] = ()
    models: tuple[StaticModel, ...] = ()
    viewpoints: tuple[Viewpoint, ...] = ()


# --- one server frame -------------------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class PoseBatch:
    """Local poses of all entities on one (skeleton, tree).

    local is (E, 8, B) float32, each row as in `Skeleton.rest`.
    """

    skeleton: Skeleton
    local: Float32


@dataclass(frozen=True, slots=True)
class EntityState:
    """One entity as it is to be drawn.

    number       slot 0..1023; (number, serial) stays the same for the life of one entity
    serial       counts the entities that have used this slot: states of unequal serial are not interpolated
    model        lower-case model name, "" for none
    skin         name of a texture or colour variant, "" for the model's own
    pose         (batch, row) into `FrameView.poses`, None for a rest pose
    attachments  (model, tag) of models that hang on this one's bones; "" as tag is the origin
    brush_model  index into `LevelGeometry.brush_models`, or None
    teleport     True when it did not travel from its last place: draw it here, without interpolation
    dying        somebody who has died: he falls or lies there, and has let go of what he carried
    """

    number: int
    serial: int
    model: str
    skin: str
    origin: Vector
    angles: Vector
    visible: bool
    pose: tuple[int, int] | None = None
    attachments: tuple[tuple[str, str], ...] = ()
    brush_model: int | None = None
    teleport: bool = False
    dying: bool = False


Stance = Literal["stand", "crouch"]
WeaponState = Literal["ready", "firing", "reloading", "raising", "lowering", "none"]


@dataclass(frozen=True, slots=True)
class PlayerState:
    """One player as the client shows it.

    entity        number of the player's entity
    eye           position of the eye; view is (pitch, yaw, roll) without recoil
    velocity      inches a second, for bob and for the crosshair
    weapon_state  what the hands do; weapon_time is milliseconds since it began, weapon_length its length
    shots         counts shots fired, so that each is shown exactly once
    ads           0..1, how far the weapon is at the eye
    spread        half angle of the shot cone in degrees: the crosshair's opening
    hurt          counts times damaged; hurt_from is the yaw (degrees, world) that the last damage came from
    hits          counts hits on something that has health, for the hit marker; kills likewise
    usable        text of what the use key would do here, "" for nothing
    frozen        movement is switched off (freezecontrols, intermission)
    """

    entity: int
    name: str
    team: str
    state: str
    origin: Vector
    eye: Vector
    view: Vector
    velocity: Vector
    health: int
    max_health: int
    alive: bool
    stance: Stance
    on_ground: bool
    sprinting: bool
    weapon: str
    weapon_model: str
    clip: int
    clip_size: int
    stock: int
    weapon_state: WeaponState
    weapon_time: int
    weapon_length: int
    shots: int = 0
    ads: float = 0.0
    spread: float = 0.0
    hurt: int = 0
    hurt_from: float = 0.0
    hits: int = 0
    kills: int = 0
    usable: str = ""
    kick: tuple[float, float] = (0.0, 0.0)
    frozen: bool = False


HudKind = Literal["text", "value", "shader", "timer", "clock"]


@dataclass(frozen=True, slots=True)
class HudElement:
    """A script's HUD element with every fade, move and scale already worked out for this frame.

    x and y are in a 640 x 480 screen whose middle stays in the middle; align_x is left, center or right and
    align_y top, middle or bottom and say which point of the element x, y is. kind says what `text` holds:
    the finished text for text, value and timer; for a shader its name, drawn width x height; for a clock
    `turn` (0..1) says how far the hand is round.
    """

    number: int
    kind: HudKind
    text: str
    x: float
    y: float
    align_x: str
    align_y: str
    font: str
    scale: float
    color: Vector
    alpha: float
    sort: float
    width: float = 0.0
    height: float = 0.0
    turn: float = 0.0
    player: int | None = None


@dataclass(frozen=True, slots=True)
class SoundEvent:
    """Play, or stop, a sound.

    alias      name in the sound table, lower case
    entity     follow this entity; origin is where it was at the time. None with origin None: not positioned
    loop       start a loop on the entity; with stop, end it
    fade       seconds over which a loop (or music) comes or goes
    player     number of the only player who hears it, or None for all
    """

    alias: str
    origin: Vector | None = None
    entity: int | None = None
    loop: bool = False
    stop: bool = False
    fade: float = 0.0
    volume: float = 1.0
    player: int | None = None


@dataclass(frozen=True, slots=True)
class EffectEvent:
    """Show an effect once.

    effect   lower-case name without folder: `impact`, `muzzle`, `tracer`, `dust`, or what a script loaded
    forward  unit vector: the surface normal of an impact, the direction of a muzzle flash
    end      for a tracer where it ends
    surface  footstep material of what was hit (`stone`, `wood`, ... or `flesh`), "" where it does not matter
    entity, tag  the effect hangs on this tag (or on the entity's origin with "")
    """

    effect: str
    origin: Vector
    forward: Vector = (0.0, 0.0, 1.0)
    end: Vector | None = None
    surface: str = ""
    entity: int | None = None
    tag: str = ""


@dataclass(frozen=True, slots=True)
class Message:
    """Text for the screen: `line` scrolls at the side, `bold` is large and central, `objective` the task."""

    kind: Literal["line", "bold", "objective", "log"]
    text: str
    player: int | None = None


@dataclass(frozen=True, slots=True)
class Shake:
    """An earthquake: scale about 0..1, seconds, fading from origin over radius inches."""

    scale: float
    duration: float
    origin: Vector
    radius: float


@dataclass(frozen=True, slots=True)
class DynamicLight:
    """A light of this frame only, such as a muzzle flash. entity is whom it belongs to, if anybody."""

    origin: Vector
    color: Vector
    radius: float
    entity: int | None = None


@dataclass(frozen=True, slots=True)
class NoteEvent:
    """A notetrack mark that was passed in this frame: for logs, previews and tests."""

    entity: int
    animation: str
    note: str


@dataclass(frozen=True, eq=False)
class FrameView:
    """The world at `time`; sounds, effects and the rest are what happened in the 50 ms before it."""

    frame: int
    time: int
    entities: Mapping[int, EntityState]
    poses: tuple[PoseBatch, ...] = ()
    players: Mapping[int, PlayerState] = field(default_factory=dict)
    hud: tuple[HudElement, ...] = ()
    sounds: tuple[SoundEvent, ...] = ()
    effects: tuple[EffectEvent, ...] = ()
    messages: tuple[Message, ...] = ()
    shakes: tuple[Shake, ...] = ()
    lights: tuple[DynamicLight, ...] = ()
    notes: tuple[NoteEvent, ...] = ()
    atmosphere: Atmosphere | None = None

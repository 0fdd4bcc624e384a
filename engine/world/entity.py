"""An entity: a numbered thing in the world with a place, perhaps a picture, a body, a course and keys.

Python code uses the plain attributes (`position`, `rotation`, ...). Scripts use the fields of the registry,
which are `EngineField`s over them, and whatever other fields they like.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

from engine.vm.errors import ScriptError
from engine.vm.objects import EngineField, ScriptObject
from engine.vm.values import Value
from engine.world.angles import ZERO, Vector, forward, matrix
from engine.world.brush import Brush
from engine.world.hits import Hit
from engine.world.motion import Course
from engine.world.surfaces import NONE

if TYPE_CHECKING:
    from engine.world.animator import Pose
    from engine.world.units import Unit
    from engine.world.world import World


def backed(
    kind: str, read: Callable[[Any], Value], write: Callable[[Any, Any], None] | None = None
) -> EngineField:
    """A field of the registry over the entity's own state; read-only without `write`."""
    field = EngineField(kind, read)
    return field if write is None else field.setter(write)


def stored(name: str, kind: str, default: Value = None) -> EngineField:
    """A field that the engine keeps under its key and that needs no further work when it changes."""

    def read(entity: Entity) -> Value:
        return entity.values.get(name, default)

    def write(entity: Entity, value: Value) -> None:
        entity.values[name] = value

    return backed(kind, read, write)


@dataclass(slots=True)
class Link:
    """How an entity follows another: at an offset in the frame of a tag, or of the parent's origin for ""."""

    parent: Entity
    tag: str
    offset: Vector
    turn: Vector


class Entity(ScriptObject):
    """Any entity; the subclasses are what think in ways of their own.

    number and serial   the slot, and which of its users this is
    position, rotation  inches and degrees
    bounds              box around the position for touching, and for colliding without brushes
    contents            what it stops; NONE is nothing
    brushes             around the position, for brush models and solid models
    block               number of the level's block that it was made from
    takes_damage        whether shots and explosions count
    """

    type_name = "entity"
    moves: ClassVar[bool] = False
    """Whether the methods moveto, rotateto and so on are for it."""

    def __init__(self, world: World, number: int, serial: int, classname: str) -> None:
        self.world = world
        self.number = number
        self.serial = serial
        self.class_name = classname
        self.values: dict[str, Value] = {}
        self.position: Vector = ZERO
        self.rotation: Vector = ZERO
        self.model_name = ""
        self.skin = ""
        self.visible = True
        self.mins: Vector = ZERO
        self.maxs: Vector = ZERO
        self.contents = NONE
        self.brushes: Sequence[Brush] = ()
        self.block: int | None = None
        self.brush_model: int | None = None
        self.hit_points = 0
        self.max_hit_points = 0
        self.takes_damage = False
        self.attachments: list[tuple[str, str, int]] = []
        self.link: Link | None = None
        self.move_course: Course | None = None
        self.turn_course: Course | None = None
        self.pose: Pose | None = None
        self.unit: Unit | None = None
        self.loop_sound = ""
        self.linkable = True
        self.teleported = True
        self.freed = False
        self.hint = ""

    # --- place ------------------------------------------------------------------------------------------

    def place(self, position: Vector, rotation: Vector | None = None, *, teleport: bool = False) -> None:
        """Put it somewhere, collision included."""
        self.position = position
        if rotation is not None:
            self.rotation = rotation
        self.teleported = self.teleported or teleport
        self.relink()

    def relink(self) -> None:
        """Tell the collision where it is and what it is made of."""
        space = self.world.space
        if self.freed or not self.contents:
            space.unlink(self.number)
        elif self.brushes:
            refine = self.pose.refine(self) if self.pose is not None else None
            space.link_brushes(
                self.number, self.brushes, self.position, matrix(self.rotation), self.contents, refine
            )
        else:
            mins, maxs = self.world_bounds()
            refine = self.pose.refine(self) if self.pose is not None else None
            space.link_box(self.number, mins, maxs, self.contents, refine)

    def world_bounds(self) -> tuple[Vector, Vector]:
        body = self.world.space.body(self.number)
        if self.brushes and body is not None:
            return body.mins, body.maxs
        x, y, z = self.position
        a, b = self.mins, self.maxs
        return (x + a[0], y + a[1], z + a[2]), (x + b[0], y + b[1], z + b[2])

    def centre(self) -> Vector:
        mins, maxs = self.world_bounds()
        return (mins[0] + maxs[0]) / 2, (mins[1] + maxs[1]) / 2, (mins[2] + maxs[2]) / 2

    def eye(self) -> Vector:
        """Where it looks from: 40 above its origin, unless it knows better."""
        x, y, z = self.position
        return x, y, z + 40.0

    def facing(self) -> Vector:
        return forward(self.rotation)

    def set_origin(self, value: Vector) -> None:
        """What a script's write of `origin` does: there at once, and any course ends."""
        self.move_course = None
        self.place(value, teleport=True)

    def set_angles(self, value: Vector) -> None:
        self.turn_course = None
        self.place(self.position, value)

    # --- picture ----------------------------------------------------------------------------------------

    def set_model(self, name: str) -> None:
        """Wear a model. A solid script_model collides as the box of its model's rest pose."""
        self.model_name = name
        self.world.animator.model_changed(self)
        self.shape_from_model()
        self.relink()

    def model_field(self) -> str | None:
        """What scripts read: a model's name, `*N` for the Nth brush model, undefined for neither."""
        if self.brush_model is not None:
            return f"*{self.brush_model + 1}"
        return self.model_name or None

    def shape_from_model(self) -> None:
        """Take bounds, and for a script_model what it collides with, from the model."""
        if self.brush_model is not None or not self.model_name or not self.moves:
            return
        model = self.world.models.model(self.model_name)
        self.mins, self.maxs = model.bounds
        if self.class_name == "script_model":
            self.brushes = self.world.model_solids(self.model_name)

    # --- life -------------------------------------------------------------------------------------------

    def is_player(self) -> bool:
        return False

    def alive(self) -> bool:
        return self.hit_points > 0

    def set_health(self, value: int) -> None:
        self.hit_points = value
        self.max_hit_points = max(self.max_hit_points, value)

    def damage(self, hit: Hit) -> None:
        """Take a hit, where this is something that can: notifies damage, and death when health runs out."""
        if not self.takes_damage or hit.amount <= 0:
            return
        had = self.hit_points
        self.hit_points = had - hit.amount
        self.world.host.notify(self, "damage", hit.amount, hit.attacker, hit.direction, hit.point, hit.mod)
        if had > 0 and self.hit_points <= 0:
            self.died(hit)

    def died(self, hit: Hit) -> None:
        """Health has run out."""
        self.world.host.notify(self, "death", hit.attacker)

    def arrived(self) -> None:
        """The move that was under way has ended."""

    def turned(self) -> None:
        """The turn that was under way has ended."""

    def blocked(self) -> None:
        """Something that cannot give way stopped this mover during this frame."""

    def follow(self, position: Vector, rotation: Vector) -> None:
        """Go where the link leads."""
        if position != self.position or rotation != self.rotation:
            self.place(position, rotation)

    def think(self) -> None:
        """Once in every server frame, after movers moved."""

    def used_by(self, user: Entity) -> None:
        """Somebody pressed the use key here, or a script called useby."""

    # --- fields of the registry ---------------------------------------------------------------------------

    classname = backed("string", lambda e: e.class_name)
    origin = backed("vector", lambda e: e.position, lambda e, v: e.set_origin(v))
    angles = backed("vector", lambda e: e.rotation, lambda e, v: e.set_angles(v))
    model = backed("string", lambda e: e.model_field())
    health = backed("int", lambda e: e.hit_points, lambda e, v: e.set_health(v))
    spawnflags = backed("int", lambda e: e.values.get("spawnflags", 0))
    vehicletype = backed("string", lambda e: e.values.get("vehicletype"))
    speed = stored("speed", "float", 0.0)
    closespeed = stored("closespeed", "float", 0.0)
    target = stored("target", "string")
    targetname = stored("targetname", "string")
    message = stored("message", "string")
    teamname = stored("teamname", "string")
    wait = stored("wait", "float", 0.0)
    random = stored("random", "float", 0.0)
    count = stored("count", "int", 0)
    light = stored("light", "any")
    dmg = stored("dmg", "int", 0)
    duration = stored("duration", "float", 0.0)
    rotate = stored("rotate", "vector", ZERO)
    degrees = stored("degrees", "float", 0.0)
    time = stored("speed", "float", 0.0)
    _color = stored("_color", "vector", (1.0, 1.0, 1.0))
    color = stored("_color", "vector", (1.0, 1.0, 1.0))
    key = stored("key", "int", 0)
    harc = stored("harc", "float", 0.0)
    varc = stored("varc", "float", 0.0)
    delay = stored("delay", "float", 0.0)
    radius = stored("radius", "int", 0)
    missionlevel = stored("missionlevel", "int", 0)
    start_size = stored("start_size", "int", 0)
    end_size = stored("end_size", "int", 0)
    shard = stored("count", "int", 0)
    spawnitem = stored("spawnitem", "string")
    track = stored("track", "string")
    capturing = stored("capturing", "int", 0)
    vehicle_owner = stored("vehicle_owner", "object")

    # --- keys by name, for lookups ------------------------------------------------------------------------

    def text(self, name: str, default: str = "") -> str:
        value = self.values.get(name)
        return value if isinstance(value, str) else default

    def number_of(self, name: str, default: float) -> float:
        value = self.values.get(name)
        return float(value) if isinstance(value, (int, float)) else default

    @property
    def shown_name(self) -> str:
        return f"{self.class_name} {self.number}"

    def __repr__(self) -> str:
        return f"<{self.shown_name}>"


class MovingEntity(Entity):
    """script_model, script_brushmodel and script_origin: what scripts move."""

    moves = True


def require_moving(entity: Entity) -> Entity:
    """The entity, if scripts may move it."""
    if not entity.moves:
        raise ScriptError(
            f"{entity.class_name} cannot be moved by a script; "
            "use a script_model, script_brushmodel or script_origin"
        )
    return entity

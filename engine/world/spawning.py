"""From the blocks of a map, and from scripts, to entities."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from engine.source.nearest import did_you_mean
from engine.vm.errors import ScriptError
from engine.vm.objects import EngineField, ScriptObject, ScriptStruct
from engine.vm.values import Value
from engine.world.actor import Actor, Spawner
from engine.world.angles import ZERO, Vector
from engine.world.classes import CLASSES, ClassInfo, class_of, key_type
from engine.world.doors import Door
from engine.world.entity import Entity, MovingEntity
from engine.world.keys import vector_key
from engine.world.levels import Block
from engine.world.paths import PathNode
from engine.world.surfaces import MOVE_MASK, Contents
from engine.world.triggers import Trigger

if TYPE_CHECKING:
    from engine.world.world import World

Structs = list[ScriptStruct]

NOT_SOLID = 1
DEFAULT_HEALTH = 100

_ENGINE_KEYS = ("classname", "origin", "angles", "model", "health")


def spawn_blocks(world: World, blocks: Sequence[Block]) -> tuple[list[PathNode], Structs]:
    """Make everything of a level: entities in the order of the file, path nodes, and plain structs."""
    nodes: list[PathNode] = []
    structs: Structs = []
    for number, block in enumerate(blocks):
        if block.role == "node":
            node = PathNode(
                len(nodes), block.classname, dict(block.values), block.position,
                vector_key(block.values, "angles", ZERO),
            )  # fmt: skip
            _free_fields(node, block.values, skip=("radius",))
            nodes.append(node)
        elif block.role == "struct":
            struct = ScriptStruct()
            for key, value in block.values.items():
                struct.set_field(key, value)
            structs.append(struct)
        else:
            spawn_block(world, block).block = number
    return nodes, structs


def _free_fields(target: ScriptObject, values: dict[str, Value], skip: Sequence[str] = ()) -> None:
    """Set the keys that the engine does not back as ordinary script fields."""
    for key, value in values.items():
        if key not in _ENGINE_KEYS and key not in skip and not _backed(target, key):
            target.set_field(key, value)


def _backed(target: ScriptObject, key: str) -> bool:
    return isinstance(getattr(type(target), key, None), EngineField)


def kind_for(role: str) -> type[Entity]:
    """The Python class for a role of the class table."""
    kinds: dict[str, type[Entity]] = {
        "trigger": Trigger, "door": Door, "mover": MovingEntity, "actor": Spawner,
    }  # fmt: skip
    return kinds.get(role, Entity)


def spawn_block(world: World, block: Block) -> Entity:
    """One entity of a map."""
    entity = world.entities.add(kind_for(block.role), block.classname)
    _take_keys(entity, block.values)
    entity.brush_model = block.brush_model
    entity.position = block.position
    if block.role not in ("trigger",):
        entity.rotation = vector_key(block.values, "angles", ZERO)
    if block.brushes:
        entity.brushes = block.brushes
        entity.mins, entity.maxs = _hull(block)
        if block.role in ("mover", "door"):
            entity.contents = Contents.SOLID
    model = block.values.get("model")
    if block.role == "mover" and isinstance(model, str):
        _dress(entity, model)
    entity.hint = entity.text("hintstring")
    entity.relink()
    if isinstance(entity, Door):
        entity.prepare()
    return entity


def _hull(block: Block) -> tuple[Vector, Vector]:
    brushes = block.brushes
    low = tuple(min(b.mins[i] for b in brushes) for i in range(3))
    high = tuple(max(b.maxs[i] for b in brushes) for i in range(3))
    return (low[0], low[1], low[2]), (high[0], high[1], high[2])


def _take_keys(entity: Entity, values: dict[str, Value]) -> None:
    for key, value in values.items():
        if key in ("radius", "light") and isinstance(value, float):
            value = int(value)
        entity.values[key] = value
    health = values.get("health")
    if isinstance(health, int):
        entity.hit_points = entity.max_hit_points = health
    _free_fields(entity, values)


def _dress(entity: Entity, model: str) -> None:
    entity.model_name = model.lower().removeprefix("xmodel/")
    flags = entity.values.get("spawnflags", 0)
    if entity.class_name == "script_model" and not (isinstance(flags, int) and flags & NOT_SOLID):
        entity.contents = Contents.SOLID
    entity.shape_from_model()


def _by_script(info: ClassInfo) -> bool:
    """Whether scripts can make entities of a class out of nothing."""
    return info.role not in ("world", "struct", "node", "prop", "none") and not info.brushes


def spawn_for_script(world: World, classname: str, origin: Vector, flags: int) -> Entity:
    """What a script's spawn() makes. Raises ScriptError for a class that cannot be spawned."""
    classname = classname.lower()
    info = class_of(classname)
    if info is None or not _by_script(info):
        why = " without brushes" if info is not None and info.brushes else ""
        message = f"an entity of class '{classname}' cannot be spawned by a script{why}"
        near = (
            did_you_mean(classname, [name for name in CLASSES if _by_script(CLASSES[name])])
            if info is None
            else None
        )
        raise ScriptError(f"{message}; {near}" if near else message)
    entity = world.entities.add(kind_for(info.role), classname)
    entity.values["spawnflags"] = flags
    entity.place(origin, teleport=True)
    return entity


def spawn_actor(world: World, spawner: Spawner, targetname: str | None) -> Actor | None:
    """dospawn: a new actor at the spawner, or None when its count is used up or somebody stands there."""
    count = spawner.values.get("count", 1)
    if not isinstance(count, int) or count <= 0:
        return None
    x, y, z = spawner.position
    mins, maxs = (-13.0, -13.0, 1.0), (13.0, 13.0, 68.0)
    if world.space.overlapping((x, y, z + 0.5), mins, maxs, MOVE_MASK & ~Contents.PLAYER_CLIP):
        return None
    spawner.values["count"] = count - 1
    actor = world.entities.add(Actor, spawner.class_name)
    skip = ("classname", "origin", "angles", "count", "targetname", "model", "health", "team", "weapon")
    for key, value in spawner.values.items():
        if key not in skip:
            actor.values[key] = value
            if key_type(key) is None or not _backed(actor, key):
                actor.set_field(key, value)
    if targetname is not None:
        actor.values["targetname"] = targetname
    actor.side = spawner.text("team") or ("allies" if "olive" in spawner.class_name else "axis")
    health = spawner.values.get("health")
    actor.hit_points = actor.max_hit_points = health if isinstance(health, int) else DEFAULT_HEALTH
    actor.model_name = spawner.model_for()
    actor.enter(spawner.position, spawner.rotation)
    actor.set_weapon(spawner.text("weapon", "rifle"))
    return actor

"""The table of entities: 1024 numbered slots, some of them waiting a little before they are used again."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, TypeVar

from engine.vm.errors import ScriptError
from engine.vm.values import Value
from engine.world.entity import Entity

if TYPE_CHECKING:
    from engine.world.world import World

MAX_ENTITIES = 1024
MAX_PLAYERS = 64
"""Slots 0 to 63 are for players."""
FREE_DELAY = 100
"""Milliseconds from delete() until the entity is gone (vm facts, 4.2)."""

E = TypeVar("E", bound=Entity)


class EntityTable:
    """Entities by number, in ascending order."""

    def __init__(self, world: World) -> None:
        self._world = world
        self._slots: dict[int, Entity] = {}
        self._order: list[Entity] | None = None
        self.serials: dict[int, int] = {}
        """How many entities have had each slot."""
        self.leaving_times: dict[int, int] = {}
        """When those that were deleted go, in ms."""

    def __len__(self) -> int:
        return len(self._slots)

    def all(self) -> list[Entity]:
        """Every entity, by number. The list is a snapshot: entities that appear meanwhile are not in it."""
        if self._order is None:
            self._order = [self._slots[n] for n in sorted(self._slots)]
        return self._order

    def get(self, number: int) -> Entity | None:
        return self._slots.get(number)

    def add(self, kind: Callable[[World, int, int, str], E], classname: str, *, player: bool = False) -> E:
        """A new entity in the lowest free slot. Raises ScriptError when there is none."""
        slots = range(MAX_PLAYERS) if player else range(MAX_PLAYERS, MAX_ENTITIES)
        number = next((n for n in slots if n not in self._slots), None)
        if number is None:
            limit = MAX_PLAYERS if player else MAX_ENTITIES
            raise ScriptError(f"no free entities: all {limit} are in use")
        serial = self.serials.get(number, 0) + 1
        self.serials[number] = serial
        entity = kind(self._world, number, serial, classname)
        self._slots[number] = entity
        self._order = None
        if self._world.level.open_classes:
            entity.set_field("code_classname", code_class(classname))
        return entity

    def remove_later(self, entity: Entity) -> None:
        """What delete() does: `death` is notified now, the slot is free 100 ms later."""
        if entity.number in self.leaving_times:
            return
        self.leaving_times[entity.number] = self._world.time + FREE_DELAY
        self._world.host.notify(entity, "death", entity)

    def remove(self, entity: Entity) -> None:
        """Free an entity at once: it becomes a dead entity for scripts."""
        if self._slots.get(entity.number) is not entity:
            return
        entity.freed = True
        entity.contents = type(entity.contents)(0)
        entity.relink()
        self._world.animator.drop(entity)
        del self._slots[entity.number]
        self.leaving_times.pop(entity.number, None)
        self._order = None
        self._world.host.free(entity)

    def free_due(self) -> None:
        """Free what was deleted long enough ago."""
        now = self._world.time
        for number in [n for n, at in self.leaving_times.items() if at <= now]:
            entity = self._slots.get(number)
            if entity is not None:
                self.remove(entity)

    def leaving(self, entity: Entity) -> bool:
        return entity.number in self.leaving_times

    def replace(self, slots: dict[int, Entity], serials: dict[int, int], leaving: dict[int, int]) -> None:
        """Have these entities instead, without any of the consequences."""
        self._slots, self.serials, self.leaving_times = slots, serials, leaving
        self._order = None

    def by_key(self, key: str, value: Value) -> list[Entity]:
        """Entities whose field has a value, by number; those about to go are left out."""
        found = []
        for entity in self.all():
            if entity.number not in self.leaving_times and entity.get_field(key) == value:
                found.append(entity)
        return found


def code_class(classname: str) -> str:
    """What `code_classname` tells of an entity: all kinds of `script_vehicle` are one."""
    return "script_vehicle" if classname.startswith("script_vehicle") else classname

"""Every built-in with arguments that it does not expect: a script error or a result, never a fault of the engine."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

import pytest

from engine.mods.session import GameOptions, GameSession
from engine.natives.costs import COSTS
from engine.natives.registry import dialect_registries
from engine.vm.arrays import Array
from engine.vm.errors import ScriptError
from engine.vm.faults import Ended
from engine.vm.objects import ScriptStruct
from engine.vm.values import Animation, Localized
from engine.world.actor import Actor

TUPLES = 20
INF = float("inf")


@pytest.fixture(scope="module")
def game() -> Iterator[GameSession]:
    session = GameSession(GameOptions(watch=False))
    for _ in range(3):
        session.frame()
    yield session
    session.close()


def test_a_man_who_looks_about_turns_into_a_barrel(game: GameSession) -> None:
    """Whose spine and head are bones of a number that a barrel does not have."""
    man = next(e for e in game.world.entities.all() if isinstance(e, Actor) and e.pose is not None)
    model = man.model_name
    man.aim_pos, man.aim_until = (4000.0, 4000.0, 400.0), game.world.time + 10_000
    for _ in range(4):
        game.frame()
    assert man.aim != (0.0, 0.0)
    assert man.pose is not None
    assert man.pose.bent
    man.set_model("barrel")
    game.frame()
    assert man.pose.bent == set()
    man.set_model(model)
    game.frame()
    assert man.pose.bent


def values(game: GameSession) -> list[Any]:
    assert game.player is not None
    player = game.world.entities.get(game.player)
    gone = ScriptStruct()
    game.vm.free(gone)
    return [
        None, 0, -1, 7, 2**31 - 1, -(2**31), 0.0, -0.5, 3.0e38, INF, -INF, INF - INF, "", "axis", "x" * 5000,
        "../../etc/passwd", "\x00\x1b[2J", "%s%n", (0.0, 0.0, 0.0), (INF, -INF, INF - INF), (3e38, 3e38, 3e38),
        Array(), Array.of([1, "two", None]), game.vm.level, ScriptStruct(), gone, player,
        game.vm.function("maps\\\\mp\\\\gametypes\\\\range::main"), Localized("KEY"), Animation("none", "nothing"),
    ]  # fmt: skip


def fault(name: str, call: Any, receiver: list[Any], args: list[Any]) -> list[str]:
    """What the engine, and not the script, did wrong in a call: nothing, or one line."""
    try:
        call(*receiver, *args)
    except (ScriptError, Ended):
        pass
    except Exception as error:
        return [f"{name}({receiver}, {args!r}): {type(error).__name__}: {error}"[:300]]
    return []


def faults(game: GameSession, name: str, call: Any, receivers: list[Any], chance: random.Random) -> list[str]:
    found: list[str] = []
    domain = values(game)
    for count in range(TUPLES):
        args = [chance.choice(domain) for _ in range(count % 6)]
        receiver = [chance.choice(receivers)] if receivers else []
        found += fault(name, call, receiver, args)
    return found


def test_functions(game: GameSession) -> None:
    chance = random.Random(1)
    found = [
        fault
        for name in sorted(game.vm.registry.functions)
        for fault in faults(game, name, game.vm.linker.native(name, False), [], chance)
    ]
    assert not found, "\n".join(found)


def test_methods(game: GameSession) -> None:
    chance = random.Random(2)
    found: list[str] = []
    for name in sorted(game.vm.registry.methods):
        receivers = [game.vm.level, 5, None, *list(game.world.entities.all())[:40]]
        found += faults(game, name, game.vm.linker.native(name, True), receivers, chance)
    assert not found, "\n".join(found)
    game.frame()


def test_places_that_are_nowhere(game: GameSession) -> None:
    assert game.player is not None
    player = game.world.entities.get(game.player)
    for place in ((INF, -INF, INF - INF), (3e38, -3e38, 3e38)):
        game.vm.linker.native("setorigin", True)(player, place)
        game.frame()
    game.vm.linker.native("setorigin", True)(player, (0.0, 0.0, 64.0))
    game.frame()


def test_costs_are_of_built_ins_that_there_are(game: GameSession) -> None:
    registries = [game.vm.registry, *(registry for registry, _ in dialect_registries().values())]
    known = {name for registry in registries for name in (*registry.functions, *registry.methods)}
    assert set(COSTS) <= known
    assert game.vm.registry.functions["bullettrace"].cost == COSTS["bullettrace"]


WILD = [INF, -INF, INF - INF, 3.0e38, -3.0e38, 1e9]


def test_numbers_of_the_right_kind_that_are_infinite_or_none_at_all(game: GameSession) -> None:
    chance = random.Random(3)
    assert game.player is not None
    player = game.world.entities.get(game.player)
    others: dict[Any, list[Any]] = {
        float: WILD,
        int: [2**31 - 1, -(2**31), 0],
        str: ["dust", "rifle", "barrel", "tag_weapon_right", "white"],
        tuple: [(chance.choice(WILD), chance.choice(WILD), chance.choice(WILD)) for _ in range(8)],
    }
    found: list[str] = []
    registry = game.vm.registry
    named = [(name, native, False) for name, native in registry.functions.items()]
    named += [(name, native, True) for name, natives in registry.methods.items() for native in natives]
    for name, native, method in sorted(named, key=lambda item: (item[0], item[2])):
        call = game.vm.linker.native(name, method)
        for _ in range(6):
            args = [chance.choice(others.get(p.kind, [player])) for p in native.parameters]
            fitting = [e for e in game.world.entities.all() if isinstance(e, native.receiver or object)]
            receiver = [chance.choice(fitting or [player])] if method else []
            found += fault(name, call, receiver, args)
        game.frame()  # and what follows from it
    assert not found, "\n".join(found)

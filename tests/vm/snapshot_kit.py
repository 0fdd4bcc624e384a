"""A program with everything that a state holds, and states that were damaged or forged."""

from __future__ import annotations

import hashlib
from random import Random
from typing import NamedTuple

from engine.vm.packing import In, Out
from engine.vm.snapshot import MAGIC, VERSION
from tests.vm.vm_kit import Run, make

HEAD = len(MAGIC) + 18

EVERYTHING = r"""
main()
{
    level.list = [];
    level.list[0] = 1;
    level.list["x"] = (1, 2, 3.5);
    level.copy = level.list;
    level.node = spawnstruct();
    level.node.me = level.node;
    level.callback = ::deep;
    level.label = &"GAME_OVER";
    game["kept"] = level.list;
    setcvar("g_speed", 190);
    for (i = 0; i < 5; i++)
        level.node thread works(i);
    for (i = 0; i < 3; i++)
        level.node thread hears(i);
    level.node thread wants(7);
    level thread tells();
    level thread ends();
}

hears(number)
{
    self endon("stop");
    for (;;)
    {
        self waittill("event", x, y);
        level.heard = number + x * 10 + y;
        println("heard " + level.heard);
    }
}

wants(value)
{
    self waittillmatch("event", value);
    println("matched");
    self thread works(9);
}

tells()
{
    for (i = 0; i < 20; i++)
    {
        wait 0.1;
        self.node notify("event", i, randomint(100));
    }
    level.node notify("stop");
}

works(number)
{
    list = [];
    for (;;)
    {
        list[list.size] = number;
        result = [[level.callback]](list, number) + self deep(list, number) * randomfloat(2);
        wait 0.05 * (number + 1);
        level.copy[number] = list;
        println(number + " " + result);
    }
}

deep(list, number)
{
    wait 0.05;
    return list.size * number + after(list);
}

after(list)
{
    wait randomfloat(0.3);
    return list.size;
}

ends()
{
    self endon("never");
    wait 1;
    self thread fails();
    level.late = spawnstruct();
    level.late endon("x");
    level.late waittill("y");
}

fails()
{
    wait 0.05;
    level.nothing.field = 1;
}
"""


def fresh(text: str = EVERYTHING, *, start: bool = False, policy: str = "stop", **settings: int) -> Run:
    run = make(policy, **settings)
    run.vm.link(run.program(main=text))
    if start:
        run.vm.start("main::main")
    return run


class Played(NamedTuple):
    """A run of 80 frames that nothing interrupts: each one's state, hash, and everything printed by its end."""

    states: list[bytes]
    hashes: list[str]
    printed: list[str]


def played() -> Played:
    run = fresh(start=True)
    found = Played([], [], [])
    for _ in range(80):
        run.frames(1)
        found.states.append(run.vm.snapshot())
        found.hashes.append(run.vm.state_hash())
        found.printed.append(run.text)
    assert len(run.errors) == 1
    return found


def seal(parts: list[bytes]) -> bytes:
    """A snapshot of these parts, as somebody who knows the format would forge it."""
    out = Out()
    for part in parts:
        out.blob(part)
    check = hashlib.blake2b(out.data, digest_size=16).digest()
    return MAGIC + VERSION.to_bytes(2, "little") + check + bytes(out.data)


def parts_of(state: bytes) -> list[bytes]:
    inp = In(state[HEAD:])
    return [inp.blob() for _ in range(5)]


def mutated(state: bytes, random: Random) -> bytes:
    data = bytearray(state)
    at = random.randrange(len(data))
    match random.randrange(5):
        case 0:
            data[at] ^= 1 << random.randrange(8)
        case 1:
            data[at] = (data[at] + random.choice([1, 255, 128])) % 256
        case 2:
            del data[at : at + random.randrange(1, 9)]
        case 3:
            data[at:at] = random.randbytes(random.randrange(1, 9))
        case _:
            other = random.randrange(len(data))
            data[at : at + 8] = data[other : other + 8]
    return bytes(data)

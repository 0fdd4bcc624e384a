"""Saved states with IW4 threads: they go on exactly as they would have, from every frame."""

from __future__ import annotations

import sys
from pathlib import Path
from random import Random

import pytest

sys.path.insert(0, str(Path(__file__).parent))

from iw4_kit import Run, make, program

from engine.mods.journal import Journal
from engine.mods.session import GameOptions, GameSession
from engine.source import DiagnosticError
from engine.vm.machine import VM
from engine.vm.objects import ScriptObject
from engine.vm.registry import Registry
from engine.vm.strict_natives import strict_registry
from tests.vm.snapshot_kit import parts_of, seal

FRAMES = 24

MODERN = r"""
main()
{
    level.log = ::logprint;
    level.thing = spawnstruct();
    level.thing.name = "thing";
    level.gone = spawnstruct();
    level.gone.name = "gone";
    for (i = 0; i < 3; i++)
        level thread hears(i);
    level thread outer(2);
    level.gone thread mourns();
    level.thing childthread ticks("child of main");
    level thread parent();
    foreach (key, value in level.names)
    {
        wait 0.15;
        call [[ level.log ]](key + " = " + value + "\n");
        level notify("go", key, value);
    }
    waittillframeend;
    end(level.gone);
    logprint("ended " + level.gone.name + "\n");
    level.gone.after = "written";
    wait 0.1;
    logprint("now " + isdefined(level.gone.name) + level.gone.after + "\n");
}
hears(n)
{
    level endon("stop");
    for (;;)
    {
        level waittill("go", key, value);
        logprint("heard " + n + " " + key + "\n");
    }
}
outer(n)
{
    level endon("go" + n);
    inner(n);
    logprint("outer goes on\n");
    wait 0.3;
    level notify("stop");
    logprint("outer ends\n");
}
inner(n)
{
    level endon("go");
    x = n / 4;
    late(inner2() + x);
}
inner2() { wait 0.05; return 1; }
late(n) { wait n; logprint("never\n"); }
mourns() { level.gone endon("death"); level.gone waittill("never"); }
ticks(text) { for (n = 0; ; n++) { wait 0.1; logprint(text + " " + n + "\n"); } }
parent() { self childthread ticks("child of parent"); wait 0.35; }
"""
OLDER = r"""
main()
{
    level.names["k"] = "v"; level.names[2] = "two"; level.names["a"] = 1;
    level thread waits();
    for (;;) { wait 0.2; level notify("go2"); }
}
waits() { for (;;) { level waittill("go", key); level.heard = key; self waittill("go"); } }
"""


def registry() -> Registry:
    """The built-ins, and one that ends an object as the world ends an entity."""
    natives = strict_registry()

    @natives.function()
    def end(vm: VM, target: ScriptObject) -> None:
        vm.free(target)

    return natives


def fresh(*, started: bool = False) -> Run:
    """A mixed game in a VM of its own."""
    run = make(registry())
    run.vm.link(program(run, {"older": OLDER, "modern": MODERN}, uo=frozenset({"older"})))
    if started:
        run.vm.start("older::main")
        run.vm.start("modern::main")
    return run


@pytest.fixture(scope="module")
def played() -> tuple[list[bytes], list[str], list[str]]:
    """The state and its hash before every frame, and what one run through all of them says."""
    run = fresh(started=True)
    states, hashes = [run.vm.snapshot()], [run.vm.state_hash()]
    for _ in range(FRAMES):
        run.frames(1)
        states.append(run.vm.snapshot())
        hashes.append(run.vm.state_hash())
    return states, hashes, run.lines


def test_the_game_says_what_it_should(played: tuple[list[bytes], list[str], list[str]]) -> None:
    _, hashes, lines = played
    assert len(set(hashes)) == len(hashes)
    assert [line for line in lines if not line.startswith(("heard", "child"))] == [
        "2 = two", "outer goes on", "a = 1", "k = v", "ended gone", "now 0written",
    ]  # fmt: skip
    assert [line for line in lines if line.startswith("heard")] == [
        f"heard {n} {key}" for key, order in (("2", (2, 1, 0)), ("a", (0, 1, 2)), ("k", (2, 1, 0))) for n in order
    ]  # fmt: skip
    assert sum(line.startswith("child of parent") for line in lines) == 3


def test_every_frame_can_be_gone_on_from(played: tuple[list[bytes], list[str], list[str]]) -> None:
    states, hashes, lines = played
    for frame, state in enumerate(states):
        run = fresh()
        run.vm.restore(state)
        assert run.vm.state_hash() == hashes[frame]
        for later in hashes[frame + 1 :]:
            run.frames(1)
            assert run.vm.state_hash() == later
        assert run.lines == lines[len(lines) - len(run.lines) :]
        assert run.errors == []


def test_the_state_can_move_on_at_every_frame(played: tuple[list[bytes], list[str], list[str]]) -> None:
    _, hashes, lines = played
    run = fresh(started=True)
    said: list[str] = []
    for hash_ in hashes[1:]:
        following = fresh()
        following.vm.restore(run.vm.snapshot())
        said += run.lines
        run = following
        run.frames(1)
        assert run.vm.state_hash() == hash_
    assert said + run.lines == lines


def test_a_forged_state_is_refused_or_runs(played: tuple[list[bytes], list[str], list[str]]) -> None:
    """Whatever the bytes say, nothing of Python comes out of it."""
    states, hashes, _ = played
    random = Random(4)
    run = fresh()
    refused = 0
    for _ in range(250):
        parts = parts_of(states[4])
        at = random.randrange(len(parts[1]))
        parts[1] = parts[1][:at] + bytes([random.randrange(256)]) + parts[1][at + 1 :]
        run.vm.restore(states[2])
        try:
            run.vm.restore(seal(parts))
        except DiagnosticError:
            refused += 1
            assert run.vm.state_hash() == hashes[2]
        else:
            run.frames(3)
            run.vm.state_hash()
    assert 100 < refused < 250


def test_78_a_copy_keeps_everything_and_a_new_level_nothing(
    played: tuple[list[bytes], list[str], list[str]],
) -> None:
    """Program, heap, threads and waits of a copy are its own from then on."""
    states, hashes, _ = played
    first, copy = fresh(), fresh()
    first.vm.restore(states[3])
    copy.vm.restore(first.vm.snapshot())
    copy.frames(5)
    assert copy.vm.state_hash() == hashes[8]
    assert first.vm.state_hash() == hashes[3]
    first.vm.new_level(keep_game=False)
    assert first.vm.stats().threads == 0
    assert list(first.vm.level.fields()) == []
    assert not first.vm.level.waiters
    assert not first.vm.level.scopes


def test_79_a_state_without_the_scripts_part_is_refused(
    played: tuple[list[bytes], list[str], list[str]],
) -> None:
    states, hashes, _ = played
    run = fresh()
    run.vm.restore(states[3])
    parts = parts_of(states[5])
    parts[1] = b""
    for absent in (b"", seal(parts)):
        with pytest.raises(DiagnosticError, match="no state that can be restored"):
            run.vm.restore(absent)
        assert run.vm.state_hash() == hashes[3]


# ---- the shipped mode ------------------------------------------------------------------------------------


def test_the_shipped_mode_goes_on_beside_the_sandbox() -> None:
    """A game of both dialects, saved in the middle of a round and gone on from in another session."""

    def session() -> GameSession:
        return GameSession(GameOptions(mods=(Path("holdout"),), watch=False), Journal(echo=lambda line: None))

    first = session()
    flag = first.vm.level.get_field("holdout").get_field("flags")["well"]
    for frame in range(40):
        if frame == 20:
            first.world.players()[0].origin = flag.get_field("origin")
        first.frame()
    second = session()
    second.frame()
    second.states.adopt(first.states.take())
    for _ in range(20):
        first.frame()
        second.frame()
        assert second.vm.state_hash() == first.vm.state_hash()
    assert any(thread.bonds.order for thread in second.vm.runner.suspended)

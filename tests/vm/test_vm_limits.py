"""Every limit: what is just within it runs, and one more ends the thread that is over it and no other."""

from __future__ import annotations

import pytest

from tests.vm.vm_kit import play

OTHER = 'other() { wait 0.1; println("other"); }\n'


def ends(text: str, code: str, **settings: int) -> list[str]:
    """The lines printed by a program in which a thread ends with an error of this code beside one that goes on."""
    run = play(OTHER + text, **settings)
    assert {d.code for d in run.errors} == {code}
    return run.lines


def fits(text: str, **settings: int) -> list[str]:
    run = play(OTHER + text, **settings)
    assert not run.errors
    return run.lines


def started(body: str) -> str:
    return "main() { thread other(); thread tries(); }\ntries() { " + body + ' println("done"); }\n'


@pytest.mark.parametrize(
    ("setting", "limit", "body"),
    [
        ("max_string", 2000, 's = "x"; for (i = 1; i < {n}; i++) s = s + "x";'),
        ("max_variables", 500, "for (i = 0; i < {n} - 6; i++) list[i] = i;"),
        ("max_threads", 40, "for (i = 0; i < {n} - 1; i++) thread other();"),
        ("budget", 4000, "for (i = 0; i < {n} - 600; i++) x = i;"),
    ],
)
def test_at_the_limit_and_past_it(setting: str, limit: int, body: str) -> None:
    settings = {setting: limit, "budget_block": 100}
    code = "budget" if setting == "budget" else "limit"
    assert "done" in fits(started(body.replace("{n}", str(limit))), **settings)
    lines = ends(started(body.replace("{n}", str(limit + 700))), code, **settings)
    assert "done" not in lines
    assert "other" in lines


def test_depth() -> None:
    text = 'main() { thread other(); thread tries(); }\ntries() { down(LEVELS); println("done"); }\n'
    down = "down(n) { if (n > 1) down(n - 1); }\n"
    assert "done" in fits(text.replace("LEVELS", "29") + down, max_depth=32)
    assert "done" not in ends(text.replace("LEVELS", "32") + down, "limit", max_depth=32)


def test_resumptions_within_one_moment() -> None:
    text = started("for (i = 0; i < COUNT; i++) wait 0;")
    assert "done" in fits(text.replace("COUNT", "90"), max_resumptions=100)
    lines = ends(text.replace("COUNT", "150"), "budget", max_resumptions=100)
    assert ("done" in lines, "other" in lines) == (False, True)


def test_a_frame_that_is_full_ends_who_goes_on() -> None:
    text = started("for (i = 0; i < 20; i++) { for (n = 0; n < 100; n++) x = n; wait 0; }")
    assert "done" in fits(text, frame_budget=5000, budget_block=50)
    lines = ends(text, "budget", frame_budget=1000, budget_block=50)
    assert ("done" in lines, "other" in lines) == (False, True)


def test_a_frame_may_be_limited_by_a_clock() -> None:
    from engine.gsc.program import load_program
    from engine.vm.core import core_registry
    from engine.vm.limits import Settings
    from engine.vm.machine import VM
    from tests.vm.vm_kit import Scripts

    now = [0.0]

    def clock() -> float:
        now[0] += 0.01
        return now[0]

    codes: list[str] = []
    settings = Settings(frame_seconds=0.05, budget_block=100)
    vm = VM(core_registry(), settings=settings, clock=clock, report=lambda d: codes.append(d.code))
    text = "main() { wait 0.05; for (i = 0; i < 100000; i++) x = i; level.done = 1; }"
    vm.link(load_program(["main"], Scripts(main=text), vm.natives))
    vm.start("main::main")
    vm.step(50)
    assert codes == ["budget"]
    assert vm.level.get_field("done") is None


def test_who_has_most_is_told() -> None:
    run = play("main() { for (i = 0; i < 900; i++) level.hoard[i] = i; }", max_variables=500)
    assert any("field 'hoard'" in note.message for d in run.errors for note in d.notes)

"""Switches with more cases than are looked at in a row: found in halves, also by what goes on behind a wait."""

from __future__ import annotations

import pytest

from engine.gsc.compounds import MAX_FLAT
from tests.vm.vm_kit import play


@pytest.mark.parametrize("waits", [False, True])
@pytest.mark.parametrize("breaks", [False, True])
@pytest.mark.parametrize("count", [MAX_FLAT, MAX_FLAT + 1, 3 * MAX_FLAT, MAX_FLAT**2 + 5])
def test_every_case_is_found(count: int, breaks: bool, waits: bool) -> None:
    end = ("wait 0.05; " if waits else "") + ("break;" if breaks else "")
    cases = " ".join(f"case {k}: n = n + {k + 1}; {end}" for k in range(count))
    asked = [0, MAX_FLAT - 1, MAX_FLAT, count // 2, count - 1, count]
    calls = " ".join(f"println(f({value}));" for value in asked)
    run = play(
        f"main() {{ {calls} }} f(v) {{ n = 0; switch (v) {{ {cases} default: n = n + 1000000; }} return n; }}",
        frames=len(asked) * count + 1,
    )
    assert not run.errors
    assert run.lines == [
        str(value + 1 if breaks and value < count else sum(range(value + 1, count + 1)) + 1_000_000)
        for value in asked
    ]


@pytest.mark.parametrize("end", ["break;", ""])
def test_thousands_of_cases(end: str) -> None:
    """Neither CPython's compiler nor the running game looks at them one after the other."""
    cases = " ".join(f"case {k}: level.n = {k}; {end}" for k in range(3500))
    run = play(f"main() {{ switch (3210) {{ {cases} }} println(level.n); }}")
    assert not run.errors
    assert run.lines == ["3210" if end else "3499"]

"""The benchmark of line scripts does what it says. Nothing here looks at how long it takes."""

from __future__ import annotations

import pytest

from tests.bench import lines


@pytest.mark.parametrize("kind", lines.KINDS)
def test_every_context_runs_ten_statements_a_tick(kind: str) -> None:
    crowd = lines.Crowd(lines.KINDS[kind][0], 20)
    crowd.tick()  # It also runs what stands before the loop.
    for _ in range(50):
        crowd.tick()
        assert 9 * 20 <= crowd.schedule.profile.statements <= 13 * 20
    assert crowd.faults == []
    assert crowd.programs.parses == 1


def test_the_report_tells_of_all_kinds() -> None:
    text = "\n".join(lines.report(rounds=2, count=5))
    assert "(1 parse)" in text
    assert all(kind in text for kind in lines.KINDS)
    assert lines.bytes_each(200) < 1000

"""The benchmark of waiting threads does what it says. Nothing here looks at how long it takes."""

from __future__ import annotations

import pytest

from engine.gsc.dialect import DIALECTS
from tests.bench import waiters


@pytest.mark.parametrize("dialect", ["uo", "iw4"])
def test_every_worker_is_resumed_and_ended_and_the_others_wait_on(dialect: str) -> None:
    game = waiters.Game(DIALECTS[dialect], 40)
    assert game.vm.stats().threads == 40
    resumptions = game.vm.runner.serial
    game.round()
    assert game.vm.runner.serial - resumptions >= waiters.WORKERS
    assert game.vm.stats().threads == 40


def test_the_report_tells_of_both_dialects() -> None:
    lines = waiters.report(1, few=4, many=40)
    assert [line.split()[:2] for line in lines[1:]] == [
        [dialect, part] for dialect in ("uo", "iw4") for part in waiters.PARTS
    ]

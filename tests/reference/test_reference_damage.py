"""Damaged sources give diagnostics with a place, whatever was done to them."""

from __future__ import annotations

import pytest

from engine.gsc.dialect import IW4
from engine.source import SourceText
from tests.reference.damage import Damager, diagnostics_of, try_one
from tests.reference.fuzz import run_damaged

INPUTS = 20_000
BATCH = 1000


@pytest.mark.parametrize("first", range(0, INPUTS, BATCH))
def test_damaged_sources(first: int, capsys: pytest.CaptureFixture[str]) -> None:
    assert run_damaged(first, BATCH) == 0, capsys.readouterr().out


def test_damaged_sources_of_modern_warfare(capsys: pytest.CaptureFixture[str]) -> None:
    assert run_damaged(0, BATCH, IW4) == 0, capsys.readouterr().out


def test_the_inputs_are_of_all_kinds() -> None:
    damager = Damager()
    texts = [damager.text(seed) for seed in range(300)]
    assert texts == [damager.text(seed) for seed in range(300)]
    faults = [
        sum(d.severity == "error" for d in diagnostics_of(SourceText("main.gsc", text))) for text in texts
    ]
    assert 10 < faults.count(0) < 150
    assert sum(count > 2 for count in faults) > 20


def test_an_exception_is_not_taken_for_a_diagnostic(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*args: object, **options: object) -> None:
        raise RecursionError

    monkeypatch.setattr("tests.reference.damage.load_program", fail)
    with pytest.raises(RecursionError):
        try_one("main() { }")

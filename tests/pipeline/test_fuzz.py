"""A few cases of each kind of the fuzzer of sources (`python -m tests.pipeline.fuzz`)."""

from __future__ import annotations

from pathlib import Path

import pytest

from engine.pipeline import importer
from tests.pipeline import fuzz

pytestmark = pytest.mark.skipif(not importer.available(), reason="no libassimp here")


@pytest.mark.parametrize("kind", fuzz.FORMATS)
def test_good_sources_have_no_fault(kind: str, tmp_path: Path) -> None:
    """Else damage would prove nothing."""
    tally = fuzz.Tally()
    fuzz.Case(0, fuzz.FORMATS[kind](), tmp_path, tally).check()
    assert tally.faults == []
    assert tally.outcomes == {"cooked": 1}
    assert set(tally.codes) <= {"missing-texture"}


@pytest.mark.parametrize("kind", fuzz.FORMATS)
def test_damaged_sources(kind: str, tmp_path: Path) -> None:
    tally = fuzz.run(kind, range(24), 2, tmp_path)
    assert tally.faults == []
    assert tally.outcomes["failed"] > 0


def test_a_case_is_the_same_in_every_run() -> None:
    assert fuzz.case("glb", 1, 7) == fuzz.case("glb", 1, 7)
    assert fuzz.case("glb", 1, 7) != fuzz.case("glb", 1, 8)


def test_the_fuzzer_sees_faults(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A cook that raises what it may not is a fault."""

    def broken(order: object) -> None:
        raise ZeroDivisionError("oh")

    monkeypatch.setattr(fuzz, "cook_one", broken)
    assert fuzz.run("glb", range(1), 1, tmp_path).faults == ["case 0: ZeroDivisionError: oh"]

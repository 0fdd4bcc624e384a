"""The benchmarks do the same work in every language. Nothing here looks at how long they take."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from engine.cli.bench import bench, measure, peer_scope

NAMES = sorted(path.stem for path in Path(__file__).parent.glob("*.gsc"))


@pytest.mark.parametrize("name", NAMES)
def test_results_agree(name: str) -> None:
    row = measure(name, 1)
    assert row.name == name
    assert row.ms["gsc"] >= 0


@pytest.mark.parametrize(("name", "rows"), [("loading", 4), ("states", 4)])
def test_reports(name: str, rows: int) -> None:
    lines = peer_scope(name)["report"](1)
    assert len(lines) == rows
    assert all(float(line.split()[-1]) >= 0 for line in lines[1:])


def test_command() -> None:
    runner = CliRunner()
    result = runner.invoke(bench, ["recursion", "--rounds", "1", "--json"], standalone_mode=False)
    assert (result.return_value, json.loads(result.output)["name"]) == (0, "recursion")
    assert "recursion" in runner.invoke(bench, ["recursion", "--rounds", "1"], standalone_mode=False).output
    unknown = runner.invoke(bench, ["nonsense"])
    assert unknown.exit_code == 2
    assert "there is no benchmark 'nonsense'" in unknown.output

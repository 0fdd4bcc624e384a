"""The benchmark of swaps saves what it says. Nothing here looks at how long it takes."""

from __future__ import annotations

from pathlib import Path

from tests.bench.swap_latency import swaps


def test_every_kind_of_save_reaches_the_level_and_changes_nothing_that_plays(tmp_path: Path) -> None:
    found = list(swaps(tmp_path, 1))
    assert [swap.what for swap in found] == ["model", "clips", "tree", "all three"]
    assert all(swap.kept == swap.soldiers > 5 for swap in found)

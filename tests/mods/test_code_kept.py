"""Compiled code outlives a game: the second start of the same scripts compiles nothing."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner

from engine.cli.run import run
from engine.gsc.cache import UnitCache
from engine.mods.session import GameOptions, GameSession


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("NOTETRACK_CACHE", str(tmp_path / "cache"))
    return tmp_path / "cache" / "code"


@pytest.fixture
def counts(monkeypatch: pytest.MonkeyPatch) -> list[UnitCache]:
    """Every cache that was made, in order."""
    made: list[UnitCache] = []
    whole = UnitCache.__init__

    def remember(self: UnitCache, folder: Path) -> None:
        whole(self, folder)
        made.append(self)

    monkeypatch.setattr(UnitCache, "__init__", remember)
    return made


def test_a_game_keeps_its_code(cache: Path, counts: list[UnitCache]) -> None:
    for _ in range(2):
        game = GameSession(GameOptions(watch=False))
        for _ in range(5):
            game.frame()
        game.restart()
        game.close()
    first, second = counts
    assert first.misses > 10
    assert (second.misses, second.hits) == (0, first.misses + first.hits)
    assert list(cache.glob("*.gscc"))


def test_run_keeps_its_code(tmp_path: Path, counts: list[UnitCache]) -> None:
    file = tmp_path / "main.gsc"
    file.write_text('main() { println("done"); }')
    for _ in range(2):
        assert CliRunner().invoke(run, [str(file)], standalone_mode=False).output == "done\n"
    assert [(c.hits, c.misses) for c in counts] == [(0, 1), (1, 0)]

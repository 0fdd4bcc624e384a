"""Every kind of broken save in a running game. `python -m tests.reload.broken` does it round after round."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.reload.broken import SCENARIOS, Game


@pytest.fixture(scope="module")
def game(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Game]:
    game = Game(tmp_path_factory.mktemp("broken") / "mine")
    yield game
    game.session.close()


def test_there_are_enough() -> None:
    assert len(SCENARIOS) >= 20


@pytest.mark.parametrize("name", SCENARIOS)
def test_nothing_is_lost(game: Game, name: str) -> None:
    before = game.session.vm.level.get_field("total")
    game.round(name)
    assert game.outcome.faults == []
    assert game.session.vm.level.get_field("total") > before

"""Places, sizes and colours that are infinite or no numbers at all, drawn by both renderers."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from engine.cli.main import cli
from engine.world import showable
from engine.world.view import ZERO, Atmosphere, EffectEvent, HudElement, Shake, SoundEvent

INF = float("inf")
NONE = INF - INF
MOD = Path(__file__).parent / "nowhere"


@pytest.mark.filterwarnings("ignore::RuntimeWarning")
@pytest.mark.parametrize("renderer", ["auto", "plain"])
def test_the_game_goes_on_and_is_drawn(
    renderer: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("NOTETRACK_STATE", str(tmp_path / "state"))
    picture = tmp_path / "end.png"
    result = CliRunner().invoke(
        cli,
        [
            *("play", "--mod", str(MOD), "--headless", "--draw", "--seconds", "5", "--size", "320x180"),
            *("--renderer", renderer, "--screenshot", str(picture)),
        ],
    )
    assert result.exit_code == 3, "some calls are refused, and nothing else happens"
    assert "internal" not in result.output + result.stderr
    assert picture.exists()


def element(**changes: Any) -> HudElement:
    whole = HudElement(1, "text", "a", 1.0, 2.0, "left", "top", "default", 1.0, (1.0, 1.0, 1.0), 1.0, 0.0)
    return replace(whole, **changes)


def test_what_is_nowhere_is_not_shown() -> None:
    far = (0.0, 0.0, 1e7)
    for place in ((NONE, 0.0, 0.0), (0.0, INF, 0.0), (0.0, 0.0, -INF), far):
        assert not showable.is_place(place)
        assert not list(showable.sounds([SoundEvent("a", place)]))
        assert not list(showable.effects([EffectEvent("a", place), EffectEvent("a", ZERO, end=place)]))
        assert not list(showable.shakes([Shake(1.0, 1.0, place, 100.0)]))
    assert list(showable.sounds([SoundEvent("a")])) == [SoundEvent("a")]
    assert not list(showable.hud([element(x=NONE), element(y=INF), element(x=1e30), element(sort=NONE)]))


def test_the_rest_is_brought_to_what_can_be_shown() -> None:
    (effect,) = showable.effects([EffectEvent("a", ZERO, (NONE, 0.0, 0.0))])
    assert effect.forward == (0.0, 0.0, 1.0)
    (shake,) = showable.shakes([Shake(INF, INF, ZERO, NONE)])
    assert shake == Shake(10.0, showable.LONGEST_SHAKE, ZERO, 0.0)
    (one,) = showable.hud(
        [element(scale=INF, alpha=NONE, color=(NONE, INF, 0.5), width=-1.0, height=INF, turn=2.0)]
    )
    assert (one.scale, one.alpha, one.color) == (50.0, 0.0, (0.0, 1.0, 0.5))
    assert (one.width, one.height, one.turn) == (0.0, showable.LARGEST, 1.0)
    assert list(showable.hud([element()])) == [element()]
    air = showable.air(Atmosphere(fog_color=(NONE, INF, 0.5), fog_start=NONE, fog_end=NONE, fog_density=INF))
    assert (air.fog_color, air.fog_start, air.fog_end, air.fog_density) == (
        (0.0, showable.BRIGHTEST, 0.5),
        0.0,
        showable.FARTHEST,
        1.0,
    )

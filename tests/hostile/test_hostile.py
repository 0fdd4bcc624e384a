"""Hostile mods beside honest ones: the game goes on, and so do the threads of everybody else."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.hostile.hostile_run import FRAMES as LONGER
from tests.hostile.hostile_run import NAMES, find, play

FRAMES = 45


def test_all_at_once(tmp_path: Path) -> None:
    found = play([find(name, tmp_path) for name in NAMES], tmp_path / "witness", FRAMES)
    assert found.beats >= FRAMES - 2
    assert found.answers
    assert "internal" not in found.codes
    assert {"budget", "limit"} <= set(found.codes)


@pytest.mark.parametrize(
    "name", ["thread_bomb", "deleting", "paths", "links", "native_notify", "starting", "waking", "listening"]
)
def test_alone(name: str, tmp_path: Path) -> None:
    found = play([find(name, tmp_path)], tmp_path / "witness", FRAMES)
    assert found.beats >= FRAMES - 2
    assert found.answers
    assert found.reached
    assert "internal" not in found.codes


def test_every_built_in_is_called_and_ends_no_thread_of_another_mod(tmp_path: Path) -> None:
    """Such as by twenty test clients in one frame, whom the sandbox's own scripts welcome."""
    frames = LONGER["natives"]
    found = play([find("natives", tmp_path)], tmp_path / "witness", frames)
    assert found.reached
    assert found.beats >= frames - 2
    assert "internal" not in found.codes
    blamed = [line for line in found.lines if line.startswith(("mods/sandbox/", "mods/base/"))]
    assert [line for line in blamed if "[budget]" in line.splitlines()[0]] == []

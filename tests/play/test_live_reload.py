"""A modder at work: the sandbox runs in real time while a copy of its mod is saved in three styles.

Every save is one reload; a bad one changes nothing and says where; the next good one recovers.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parents[2]


def in_place(path: Path, text: str) -> None:
    path.write_text(text)


def rename_over(path: Path, text: str) -> None:
    other = path.with_name(path.name + "~new")
    other.write_text(text)
    os.replace(other, path)


def delete_and_create(path: Path, text: str) -> None:
    path.unlink()
    path.write_text(text)


class Game:
    """`play --headless --realtime` in its own process, read through its events file."""

    def __init__(self, mod: Path, events: Path, seconds: int) -> None:
        self.events_file = events
        self.process = subprocess.Popen(
            [
                *(sys.executable, "-m", "engine", "play", "--headless", "--realtime"),
                *("--seconds", str(seconds), "--mod", str(mod), "--events", str(events)),
            ],
            cwd=ROOT,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )

    def events(self, kind: str) -> list[dict[str, Any]]:
        if not self.events_file.exists():
            return []
        lines = self.events_file.read_text().splitlines()
        return [
            event
            for line in lines
            if line.endswith("}")
            for event in [json.loads(line)]
            if event["event"] == kind
        ]

    def wait_for(self, kind: str, count: int, limit: float = 30.0) -> dict[str, Any]:
        """The `count`-th event of a kind, once it is there."""
        end = time.monotonic() + limit
        while time.monotonic() < end:
            found = self.events(kind)
            if len(found) >= count:
                return found[count - 1]
            if self.process.poll() is not None:
                break
            time.sleep(0.02)
        pytest.fail(f"no event {kind} number {count}; the game printed: {self.finish()}")

    def finish(self) -> str:
        self.process.terminate()
        return self.process.communicate(timeout=20)[0]


@pytest.fixture
def mod(tmp_path: Path) -> Path:
    copy = tmp_path / "copy"
    shutil.copytree(ROOT / "mods" / "sandbox", copy)
    probe = copy / "probe.gsc"
    probe.write_text(PROBE.format(value=1))
    manifest = copy / "mod.toml"
    manifest.write_text(manifest.read_text() + '\nautostart = "probe"\n')
    return copy


@pytest.fixture
def game(mod: Path, tmp_path: Path) -> Iterator[Game]:
    game = Game(mod, tmp_path / "events.jsonl", seconds=60)
    yield game
    if game.process.poll() is None:
        game.finish()


PROBE = """// What the game says once a frame follows what this file says.
main()
{{
    while (1)
    {{
        logprint("probe " + answer() + "\\n");
        wait 0.05;
    }}
}}

answer()
{{
    return {value};
}}
"""


@pytest.mark.parametrize("save", [in_place, rename_over, delete_and_create])
def test_save_break_and_repair(game: Game, mod: Path, save: Callable[[Path, str], None]) -> None:
    game.wait_for("start", 1)
    game.wait_for("frame", 1)
    probe = mod / "probe.gsc"

    save(probe, PROBE.format(value=2))
    good = game.wait_for("reload", 1)
    assert good["ok"] is True
    assert good["ms"] > 0
    assert [Path(name).name for name in good["files"]] == ["probe.gsc"]

    save(probe, PROBE.format(value="2 +"))
    bad = game.wait_for("reload", 2)
    assert bad["ok"] is False
    diagnostic = bad["diagnostics"][0]
    assert (Path(diagnostic["path"]).name, diagnostic["line"]) == ("probe.gsc", 13)
    assert diagnostic["col"] >= 1

    save(probe, PROBE.format(value=3))
    assert game.wait_for("reload", 3)["ok"] is True
    game.wait_for("frame", len(game.events("frame")) + 1)
    assert len(game.events("reload")) == 3
    assert game.events("error") == []
    said = [event["text"] for event in game.events("log")]
    assert [said.index(f"probe {n}") >= 0 for n in (1, 2, 3)] == [True, True, True]

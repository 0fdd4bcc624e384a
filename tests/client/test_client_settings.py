"""Files of settings: whatever is in them, the game starts, says what is wrong, and never leaves half a file."""

from __future__ import annotations

import errno
import json
import os
from collections.abc import Iterator
from pathlib import Path
from random import Random

import pygame
import pytest

from engine.client import keymap
from engine.client import preferences as prefs
from engine.client.actions import Action, Bindings, Source
from engine.client.preferences import LARGEST, Preferences

DEEP = "[" * 20_000
LONG = "1" + "0" * 5_000
"""More digits than Python makes an int of."""


@pytest.fixture(autouse=True)
def display(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Names of keys are the window system's."""
    monkeypatch.setenv("SDL_VIDEODRIVER", "dummy")
    pygame.display.init()
    yield
    pygame.display.quit()


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "settings.json"


@pytest.mark.parametrize(
    "text", [DEEP, '{"fov": ' * 5_000, f'{{"fov": {LONG}}}', "", '"x"', "null", "[1]", " " * (LARGEST + 1)]
)
def test_what_is_no_file_of_settings_is_said(path: Path, text: str):
    path.write_text(text)
    found, complaint = prefs.load(path)
    assert found == Preferences()
    assert str(path) in complaint
    bindings, complaint = keymap.load(path)
    assert bindings == Bindings()
    assert str(path) in complaint


@pytest.mark.parametrize("content", [b"\xff", b"\xef\xbb\xbf{}", None])
def test_what_is_no_text_and_no_file_is_said(path: Path, content: bytes | None):
    if content is None:
        path.mkdir()
    else:
        path.write_bytes(content)
    assert str(path) in prefs.load(path)[1]
    assert str(path) in keymap.load(path)[1]


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="the system has no pipes with a name")
def test_a_pipe_is_not_waited_for(path: Path):
    os.mkfifo(path)
    assert prefs.load(path)[1] == f"{path} cannot be read (it is no file); the standard settings are used"
    assert keymap.load(path)[1] == f"{path} cannot be read (it is no file); the standard keys are used"


@pytest.mark.parametrize(
    ("text", "name", "value", "said"),
    [
        ('{"effects": 1' + "0" * 400 + "}", "effects", 1.0, "effects is a number from 0 to 1"),
        ('{"effects": -1' + "0" * 400 + "}", "effects", 0.0, "effects is a number from 0 to 1"),
        ('{"fov": 1e400}', "fov", 110.0, "fov is a number from 60 to 110"),
        ('{"fov": NaN}', "fov", 80.0, "fov is a number from 60 to 110"),
        ('{"sensitivity": "high"}', "sensitivity", 1.0, "sensitivity is a number from 0.1 to 5"),
        ('{"invert": "yes"}', "invert", False, "invert is true or false"),
    ],
)
def test_a_wrong_setting_is_said_and_the_others_kept(
    path: Path, text: str, name: str, value: float, said: str
):
    path.write_text(text[:-1] + ', "interface": 0.25, "pause_away": true}')
    found, complaint = prefs.load(path)
    assert (getattr(found, name), found.interface, found.pause_away) == (value, 0.25, True)
    assert complaint.startswith(f"{path}: {said}")


@pytest.mark.parametrize(
    "source",
    ["--5", "5-", LONG, "-" + LONG, "9999999999", "2147483648", "\u0665\u0665", "\x00", "\ud800"],
)
@pytest.mark.parametrize("device", ["key", "mouse", "wheel", "pad"])
def test_a_source_that_is_none_is_said(path: Path, device: str, source: str):
    path.write_text(json.dumps({"jump": [f"{device} {source}"]}))
    assert keymap.load(path) == (
        Bindings(),
        f"{path}: 'jump' is no action with its keys; the standard keys are used"
        "; what it held is kept in settings.json.old",
    )


@pytest.mark.parametrize(
    "text", ['{"fov": 95, "jump": ["key j"]', '{"fov": "wide", "jump": ["key nothing"]}']
)
def test_what_somebody_wrote_outlives_the_next_change(path: Path, text: str):
    aside = path.with_name("settings.json.old")
    for load, change in (
        (prefs.load, lambda: prefs.save(Preferences(fov=70.0), path)),
        (keymap.load, lambda: keymap.save(Bindings(), path)),
    ):
        path.write_text(text)
        assert load(path)[1].endswith("; what it held is kept in settings.json.old")
        assert change() == ""
        assert load(path)[1] == ""
        assert path.read_text() != text
        assert aside.read_text() == text
        aside.unlink()


def test_settings_that_are_fine_are_kept_nowhere_else(path: Path):
    assert prefs.save(Preferences(fov=70.0), path) == ""
    assert prefs.load(path) == (Preferences(fov=70.0), "")
    assert list(path.parent.iterdir()) == [path]


def test_a_source_that_is_no_text_is_said(path: Path):
    for text in ("[[]]", "[{}]", "[null]", "[true]", "{}", "null"):
        path.write_text(f'{{"jump": {text}}}')
        assert "'jump' is no action" in keymap.load(path)[1]


_PIECES = (
    *'{}[]",:-+.eE0 \\\x00\t\xff\u0665',
    *("--5", "1e999", "NaN", "-Infinity", "null", "true", "key ", "mouse ", "wheel -", "\\ud800", '"jump"'),
    *("9" * 400, LONG, "[" * 3_000, '{"fov":' * 2_000, '"menu": []', '"fov": 1'),
)


def _mutated(text: str, random: Random) -> str:
    for _ in range(random.randrange(1, 4)):
        at, end = sorted(random.randrange(len(text) + 1) for _ in range(2))
        end = min(end, at + random.randrange(12))
        text = text[:at] + random.choice(("", *_PIECES)) + text[end:]
    return text


def test_whatever_a_file_holds_it_is_read_or_said(path: Path):
    """Mutated settings and keys: no exception, values in their ranges, names for every action; and what was read can
    be written and read again."""
    random = Random(72)
    settings = json.dumps({"effects": 0.5, "fov": 90, "invert": True, "sensitivity": 2})
    keys = json.dumps({"jump": ["key space", "key 1073742999"], "fire": ["mouse 1", "wheel -1"], "menu": []})
    complaints = 0
    for round_ in range(600):
        path.write_text(_mutated((settings, keys)[round_ % 2], random), "utf-8")
        found, complaint = prefs.load(path)
        assert found == found.checked()
        bindings, damage = keymap.load(path)
        for action in Action:
            assert isinstance(bindings.label(action), str)
        complaints += bool(complaint) + bool(damage)
        assert prefs.save(found, path) == ""
        assert prefs.load(path) == (found, "")
        assert keymap.save(bindings, path) == ""
        assert keymap.load(path) == (bindings, "")
    assert complaints > 600


def _save_both(path: Path) -> list[str]:
    return [
        prefs.save(Preferences(fov=90.0), path),
        keymap.save(Bindings().bound(Action.JUMP, Source("key", pygame.K_j)), path.with_name(keymap.FILE)),
    ]


def test_a_failed_save_leaves_what_there_was(path: Path, monkeypatch: pytest.MonkeyPatch):
    """As on a full disk: the old file as it was, and nothing besides."""
    assert _save_both(path) == ["", ""]
    before = {file.name: file.read_bytes() for file in path.parent.iterdir()}
    assert set(before) == {path.name, keymap.FILE}

    def full(*_: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(os, "replace", full)
    monkeypatch.setattr(Path, "replace", full)
    for said in _save_both(path):
        assert said.endswith("(No space left on device)")
    assert {file.name: file.read_bytes() for file in path.parent.iterdir()} == before


def test_another_games_half_file_is_left_alone(path: Path):
    """Two games may share a folder: no name is written to that the other one could be writing."""
    halves = [path.with_suffix(".part"), path.with_name(keymap.FILE).with_suffix(".part")]
    for half in halves:
        half.write_text("half of another")
    assert _save_both(path) == ["", ""]
    assert [half.read_text() for half in halves] == ["half of another"] * 2

"""What lies in a mod's folder and is no file, or may not be read: a game neither ends nor stands still for it."""

from __future__ import annotations

import builtins
import errno
import io
import os
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from engine import paths as shipped
from engine.mods.check import Checker
from engine.mods.contents import Contents
from engine.mods.journal import Journal, LogLine
from engine.mods.session import GameOptions, GameSession
from engine.mods.watch import FileWatcher
from engine.natives.registry import dialect_registries, game_catalogue, game_registry
from engine.pipeline import files
from engine.source import Diagnostic, DiagnosticError

pytestmark = [
    pytest.mark.skipif(os.name == "nt", reason="pipes have no names there"),
    pytest.mark.usefixtures("in_time"),
]

Put = Callable[[Path], None]


def _device(path: Path) -> None:
    path.symlink_to("/dev/zero")


def _nowhere(path: Path) -> None:
    path.symlink_to("ann@desk.4242:1")


@pytest.fixture(
    params=[os.mkfifo, Path.mkdir, _device, _nowhere], ids=["pipe", "folder", "device", "nowhere"]
)
def put(request: pytest.FixtureRequest) -> Put:
    made: Put = request.param
    return made


@pytest.fixture
def forbid(monkeypatch: pytest.MonkeyPatch) -> Callable[[Path], None]:
    """Makes a file, or a folder and all below it, what its owner alone may read; whoever runs tests may read all."""

    def forbidden(path: Path) -> None:
        whole = os.path.realpath(path)

        def guarded(call: Callable[..., object], *, below: bool) -> Callable[..., object]:
            def guard(name: object, *args: object, **others: object) -> object:
                at = os.path.abspath(os.fsdecode(name)) if isinstance(name, str | bytes | os.PathLike) else ""
                if at.startswith(whole + os.sep) or (at == whole and not below):
                    raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), name)
                return call(name, *args, **others)

            return guard

        for module, call in (
            (os, "open"),
            (io, "open"),
            (builtins, "open"),
            (os, "listdir"),
            (os, "scandir"),
        ):
            monkeypatch.setattr(module, call, guarded(getattr(module, call), below=False))
        monkeypatch.setattr(os, "stat", guarded(os.stat, below=True))
        monkeypatch.setattr(os, "lstat", guarded(os.lstat, below=True))

    return forbidden


def _removed(watcher: FileWatcher) -> set[str]:
    end = time.monotonic() + 8
    while time.monotonic() < end:
        changes = watcher.poll()
        if changes is not None:
            return {path.name for path in changes.removed}
        time.sleep(0.005)
    return set()


def test_what_takes_the_place_of_a_watched_file_is_no_file(tmp_path: Path, put: Put) -> None:
    path = tmp_path / "a.gsc"
    path.write_text("main(){}")
    watcher = FileWatcher([tmp_path], lambda _: None)
    try:
        path.unlink()
        put(path)
        assert _removed(watcher) == {"a.gsc"}
    finally:
        watcher.close()


def test_a_pipe_that_comes_between_look_and_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    os.mkfifo(tmp_path / "a")
    monkeypatch.setattr(files, "check_file", lambda _: None)
    with pytest.raises(OSError, match="no file"):
        files.read_file(tmp_path / "a")


def test_a_file_without_measure(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It is not read whole, and a change of it is noticed all the same."""
    monkeypatch.setattr(files, "MAX_DIGESTED", 1000)
    path = tmp_path / "a"
    path.write_bytes(b"x" * 2000)
    before = files.digest_file(path)
    path.write_bytes(b"x" * 2001)
    assert files.digest_file(path) != before
    with pytest.raises(OSError, match="larger"):
        files.read_file(path, 1000)


# ---- what a game says of them ---------------------------------------------------------------------------


def _said(*mods: Path) -> list[Diagnostic]:
    """What is said of the contents of these mods, or why there are none; without a game, which takes longer."""
    found: list[Diagnostic] = []
    try:
        contents = Contents(mods, found.append)
        contents.weapons()
        contents.surfaces()
        contents.cvars()
    except DiagnosticError as error:
        found += error.diagnostics
    return found


def _played(*mods: Path) -> list[Diagnostic]:
    """What a game with these mods says at its start, or why there is none."""
    lines: list[LogLine] = []
    try:
        session = GameSession(GameOptions(mods=mods, watch=False), Journal(echo=lines.append))
    except DiagnosticError as error:
        return list(error.diagnostics)
    session.frame()
    session.close()
    return [line.diagnostic for line in lines if line.diagnostic is not None]


def _checked(*paths: Path) -> list[Diagnostic]:
    natives = game_catalogue(game_registry(), dialect_registries())
    return Checker(natives, shelves=[shipped.mods()]).check(paths).diagnostics


def _unreadable(found: list[Diagnostic]) -> set[str]:
    """The names of the files that are told as unreadable, each with its place."""
    return {Path(d.span.path).name for d in found if d.code == "unreadable-file" and d.span is not None}


READ = [
    "mod.toml",
    "cvars.toml",
    "assets/levels/surfaces.toml",
    "assets/sounds/sounds.toml",
    "assets/weapons/a.toml",
]


def _mod(folder: Path) -> Path:
    for name in ("assets/levels", "assets/sounds", "assets/weapons"):
        (folder / name).mkdir(parents=True, exist_ok=True)
    return folder


@pytest.mark.parametrize("name", READ)
def test_what_has_the_name_of_a_file_of_settings_is_told(tmp_path: Path, name: str, put: Put) -> None:
    folder = _mod(tmp_path / "m")
    put(folder / name)
    assert _unreadable(_said(folder)) == {Path(name).name}
    assert _unreadable(_checked(folder)) == {Path(name).name}


def test_what_editors_lay_beside_a_file_is_no_news(tmp_path: Path) -> None:
    folder = _mod(tmp_path / "m")
    for place in (
        "assets/weapons",
        "units",
        "animtrees",
        "assets/models/a",
        "assets/sounds",
        "maps",
        "scripts",
    ):
        (folder / place).mkdir(parents=True, exist_ok=True)
        for suffix in (".toml", ".bos", ".atr", ".glb", ".wav", ".gsc", ".script", ".map"):
            _nowhere(folder / place / f".#a{suffix}")
            (folder / place / f".a{suffix}").write_bytes(b"\0\1(((")
    (folder / "readme.txt").write_text("it is not empty")
    assert _played(folder) == []
    assert _checked(folder) == []


@pytest.mark.parametrize(
    "name", [*READ, "maps/mp/gametypes/a.gsc", "a.csv", "units/a.bos", "units/a.cob", "assets/levels/a.map"]
)
def test_a_check_says_of_every_file_that_it_cannot_be_read(
    tmp_path: Path, name: str, forbid: Callable[[Path], None]
) -> None:
    folder = _mod(tmp_path / "m")
    (folder / name).parent.mkdir(parents=True, exist_ok=True)
    (folder / name).write_text("")
    forbid(folder / name)
    if name != "a.csv":
        assert _unreadable(_checked(folder)) == {Path(name).name}
    if name in READ:
        assert _unreadable(_said(folder)) == {Path(name).name}


@pytest.mark.parametrize(
    "name",
    [
        ".",
        "assets",
        "assets/weapons",
        "assets/levels",
        "assets/models",
        "assets/sounds",
        "units",
        "animtrees",
        "maps",
    ],
)
def test_a_folder_that_cannot_be_looked_into(
    tmp_path: Path, name: str, forbid: Callable[[Path], None]
) -> None:
    folder = _mod(tmp_path / "m")
    (folder / name).mkdir(parents=True, exist_ok=True)
    (folder / "mod.toml").write_text("")
    forbid(folder / name)
    told = "mod.toml" if name == "." else Path(name).name
    assert told in _unreadable(_said(folder))
    assert _unreadable(_checked(folder)) & {told, folder.name}


def test_names_that_no_disk_has(tmp_path: Path) -> None:
    long = "a" * 300
    (fault,) = _played(Path(long))
    assert fault.code == "missing-mod"
    (tmp_path / "mod.toml").write_text(f'level = "{long}"\nautostart = "{long}"\ngametype = "{long}"')
    assert {d.code for d in _played(tmp_path)} <= {"missing-level", "unknown-script"}
    assert {d.code for d in _checked(tmp_path)} <= {"missing-level", "unknown-script"}
    (tmp_path / "units").mkdir()
    (tmp_path / "units" / "a.bos").write_text(f'#include "{long}"\n')
    assert "bos-missing-include" in {d.code for d in _checked(tmp_path)}


@pytest.mark.parametrize("name", READ)
@pytest.mark.parametrize(
    "text", ["clip = " + "9" * 400 + "\n", ".".join("a" * 20_000) + " = 1\n"], ids=["number", "key"]
)
def test_toml_beyond_all_use(tmp_path: Path, name: str, text: str) -> None:
    folder = _mod(tmp_path / "m")
    (folder / name).write_text("\n" + text)
    for found in (_said(folder), _checked(folder)):
        assert [(d.code, str(d.span)[-4:]) for d in found] == [("bad-toml", ":2:1")]

"""Everything that can stand in the way gives a plain sentence, never a traceback, and the best that is possible."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
NOWHERE = "/dev/null/nowhere"


def play(
    *options: str, env: dict[str, str] | None = None, cwd: Path = ROOT
) -> subprocess.CompletedProcess[str]:
    """`play` in its own process, with plain surfaces and a small picture, since most of this is not about drawing."""
    settings = {key: value for key, value in os.environ.items() if key not in ("DISPLAY", "WAYLAND_DISPLAY")}
    settings.pop("SDL_VIDEODRIVER", None)
    settings["PYTHONPATH"] = str(ROOT)
    result = subprocess.run(
        [sys.executable, "-m", "engine", "play", "--renderer", "plain", "--size", "320x180", *options],
        env=settings | (env or {}),
        cwd=cwd,
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert "Traceback" not in result.stderr + result.stdout, result.stderr
    return result


def make_mod(folder: Path, script: bytes, name: str = "mine") -> Path:
    folder.mkdir()
    (folder / "mod.toml").write_text(f'name = "{name}"\nrequires = ["sandbox"]\nautostart = "mine"\n')
    (folder / "mine.gsc").write_bytes(script)
    return folder


def test_no_display_plays_ten_seconds_and_writes_a_picture(tmp_path: Path) -> None:
    result = play(cwd=tmp_path)
    assert result.returncode == 0, result.stderr
    assert "there is no screen here" in result.stderr
    assert (tmp_path / "notetrack.png").stat().st_size > 1000


def test_opengl_that_is_asked_for_and_missing_is_said_with_the_way_out() -> None:
    result = play(
        "--renderer",
        "gl",
        "--headless",
        "--seconds",
        "0.1",
        env={
            "LIBGL_DRIVERS_PATH": NOWHERE,
            "EGL_PLATFORM": "none",
            "__EGL_VENDOR_LIBRARY_FILENAMES": NOWHERE,
        },
    )
    if result.returncode == 0:
        pytest.skip("this system's OpenGL cannot be taken away")
    assert result.returncode == 2
    assert "--renderer plain" in result.stderr


def test_no_sound_device_is_one_sentence_and_the_game_goes_on(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SDL_AUDIODRIVER", "no-such-driver")
    from engine.client.audio import Audio
    from engine.client.preferences import Preferences
    from engine.pipeline.library import AssetLibrary

    audio = Audio(AssetLibrary([ROOT / "assets"]), Preferences(), silent=False)
    assert "sound" in audio.problem
    audio.play_name("ui_click")
    audio.close()


def test_folders_that_cannot_be_written_cost_nothing_but_their_files(tmp_path: Path) -> None:
    env = {"NOTETRACK_CACHE": NOWHERE, "NOTETRACK_STATE": NOWHERE}
    result = play("--headless", "--seconds", "0.5", env=env)
    assert result.returncode == 0, result.stderr
    assert f"cannot write {NOWHERE}" in result.stderr


def test_events_that_cannot_be_written_are_said_at_once_and_in_the_exit_code() -> None:
    result = play("--headless", "--seconds", "0.5", "--events", f"{NOWHERE}/e.jsonl")
    assert f"cannot write {NOWHERE}/e.jsonl" in result.stderr
    assert result.returncode == 2


def test_a_picture_of_an_unknown_kind_is_refused_before_the_game_begins(tmp_path: Path) -> None:
    result = play("--headless", "--seconds", "0.5", "--screenshot", str(tmp_path / "a.weird"))
    assert result.returncode == 2
    assert ".png" in result.stderr
    assert not list(tmp_path.iterdir())


def test_a_picture_that_cannot_be_written_is_an_error_of_usage() -> None:
    result = play("--headless", "--seconds", "0.1", "--screenshot", f"{NOWHERE}/a.png")
    assert result.returncode == 2
    assert "cannot be written" in result.stderr


def test_a_missing_model_is_said_once_and_stands_there_as_a_placeholder(tmp_path: Path) -> None:
    script = b'main(){ for(i=0;i<3;i++){ e = spawn("script_model", (0,0,0)); e setmodel("nothing_here"); wait 0.1; } }'
    mod = make_mod(tmp_path / "mine", script)
    result = play("--headless", "--seconds", "1", "--mod", str(mod))
    assert result.stderr.count("there is no model `nothing_here`") == 1, result.stderr


def test_a_mod_with_errors_at_start_is_told_with_every_place(tmp_path: Path) -> None:
    mod = make_mod(tmp_path / "mine", b"main()\n{\n\tnosuch();\n\tx = %none;\n}\n")
    result = play("--headless", "--seconds", "1", "--mod", str(mod))
    assert result.returncode == 1
    assert "mine.gsc:3:2: error:" in result.stderr
    assert "mine.gsc:4:" in result.stderr
    assert result.stderr.endswith("since the scripts have errors, nothing is played without a screen\n")


def test_a_run_time_error_ends_its_thread_and_the_exit_code_says_so(tmp_path: Path) -> None:
    mod = make_mod(tmp_path / "mine", b"main()\n{\n\twait 0.1;\n\tx = 1 + [];\n}\n")
    events = tmp_path / "e.jsonl"
    result = play("--headless", "--seconds", "1", "--mod", str(mod), "--events", str(events))
    assert result.returncode == 3
    assert "mine.gsc:4:8: runtime error:" in result.stderr
    kinds = [json.loads(line)["event"] for line in events.read_text().splitlines()]
    assert kinds[0] == "start"
    assert kinds[-1] == "end"
    assert "error" in kinds


def test_a_line_script_that_fails_is_in_the_exit_code_too(tmp_path: Path) -> None:
    mod = tmp_path / "bees"
    (mod / "scripts").mkdir(parents=True)
    bee = (ROOT / "mods/sandbox/scripts/bee.script").read_text()
    (mod / "scripts" / "bee.script").write_text(bee.replace("out = reach ", "out = reech "))
    result = play("--headless", "--seconds", "1", "--mod", str(mod))
    assert "there is no variable 'reech'" in result.stderr
    assert result.returncode == 3


@pytest.mark.parametrize(
    "script",
    [
        b'\xef\xbb\xbfmain(){ logprint("fine"); }',
        b'main()\r\n{\r\n\tlogprint("fine");\r\n}\r\n',
        b'// caf\xe9 \xff\nmain(){ x = "\xfc"; if (x.size == 1) logprint("fine"); }',
        b'main(){ logprint("fine"); }',
    ],
    ids=["bom", "crlf", "latin-1", "no final newline"],
)
def test_oddly_saved_scripts_run(tmp_path: Path, script: bytes) -> None:
    mod = make_mod(tmp_path / "mine", script)
    (mod / "empty.gsc").write_bytes(b"")
    result = play("--headless", "--seconds", "0.2", "--mod", str(mod))
    assert result.returncode == 0, result.stderr
    assert "fine" in result.stdout
    assert result.stdout.endswith("\n0.2 seconds played\n")


def test_a_mod_of_which_nothing_runs_is_told_with_what_to_do(tmp_path: Path) -> None:
    mod = tmp_path / "mine"
    (mod / "maps" / "mp").mkdir(parents=True)
    result = play("--headless", "--seconds", "0.1", "--mod", str(mod))
    assert "warning: there is nothing in the mod 'mine' yet [idle-mod]" in result.stderr
    (mod / "helper.gsc").write_text("two() { return 2; }\n")
    (mod / "maps" / "mp" / "mine.gsc").write_text('main() { logprint("here"); }\n')
    result = play("--headless", "--seconds", "0.1", "--mod", str(mod))
    assert result.returncode == 0
    assert "nothing starts the scripts of the mod 'mine'" in result.stderr
    assert 'note: `autostart = "maps/mp/mine"` in ' in result.stderr
    (mod / "mod.toml").write_text('autostart = "maps/mp/mine"\n')
    result = play("--headless", "--seconds", "0.1", "--mod", str(mod))
    assert result.stderr == ""
    assert "here" in result.stdout


def test_mods_of_which_something_is_in_the_game_are_not_idle(tmp_path: Path) -> None:
    replacing = make_mod(tmp_path / "replacing", b"")
    (replacing / "mod.toml").unlink()
    (replacing / "maps" / "mp").mkdir(parents=True)
    (replacing / "maps" / "mp" / "_hud.gsc").write_bytes(
        (ROOT / "mods/sandbox/maps/mp/_hud.gsc").read_bytes()
    )
    tree = tmp_path / "tree"
    (tree / "animtrees").mkdir(parents=True)
    (tree / "animtrees" / "other.atr").write_text("soldier_walk\n")
    mods = [part for name in (replacing, tree, "juggler") for part in ("--mod", str(name))]
    result = play("--headless", "--seconds", "0.1", *mods)
    assert result.stderr == ""


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (
            ("--mod", "nowhere_at_all"),
            "there is no mod folder 'nowhere_at_all'; there are base, crowd, holdout",
        ),
        (("yrad",), "there is no level 'yrad'; did you mean yard?"),
    ],
)
def test_what_is_not_there_is_named(options: tuple[str, ...], message: str) -> None:
    result = play("--headless", *options)
    assert result.returncode == 2
    assert message in result.stderr


@pytest.mark.parametrize(
    ("option", "value"), [("--size", "big"), ("--seconds", "nan"), ("--seed", "99999999999999999999")]
)
def test_a_value_that_is_none_is_wrong_usage(option: str, value: str) -> None:
    result = play("--headless", option, value)
    assert result.returncode == 2
    assert f"Invalid value for '{option}'" in result.stderr


def test_without_assimp_the_game_plays_from_the_cooked_models_that_come_with_it(tmp_path: Path) -> None:
    """What is installed cannot be taken away, so the lookup is pointed at nothing."""
    blocker = tmp_path / "sitecustomize.py"
    blocker.write_text(
        "import engine.pipeline.importer as importer\n"
        "def nothing(*_):\n"
        "    raise importer.LibraryMissing('no libassimp')\n"
        "importer.library = nothing\n"
    )
    env = {"PYTHONPATH": f"{tmp_path}:{ROOT}", "NOTETRACK_CACHE": str(tmp_path / "cache")}
    played = subprocess.run(
        [sys.executable, "-m", "engine", "play", "--renderer", "plain", "--size", "320x180", "--headless",
         "--seconds", "0.2"],
        env=os.environ | env, cwd=ROOT, capture_output=True, text=True, timeout=120,
    )  # fmt: skip
    assert played.returncode == 0, played.stderr
    assert played.stderr == ""


def test_a_recording_that_cannot_be_written_is_wrong_usage() -> None:
    result = play("--headless", "--seconds", "0.1", "--record", f"{NOWHERE}/file")
    assert result.returncode == 2
    assert f"{NOWHERE}/file" in result.stderr


FULL = Path("/dev/full")
"""A place where nothing can be written, as on a full disk."""
PRINTING = {
    "few.gsc": 'main() { println("hello"); }\n',
    "many.gsc": 'main() { for (i = 0; i < 20000; i++) println("hello ", i); }\n',
    "many.script": "while time() < 5\n  print('hello')\n  yield\nend\n",
    "bad.gsc": "main() { x = ; }\n",
    "unit.bos": "piece base;\nCreate() { sleep 100; }\n",
}


@pytest.mark.skipif(not FULL.exists(), reason="no /dev/full here")
@pytest.mark.parametrize("unbuffered", ["", "1"])
@pytest.mark.parametrize(
    "words",
    [
        ["run", "few.gsc"], ["run", "many.gsc"], ["run", "many.script"], ["check", "."], ["--help"],
        ["run", "unit.bos", "--trace"], ["play", "--headless", "--seconds", "0.1", "--hash"],
    ],
    ids=" ".join,
)  # fmt: skip
def test_output_that_cannot_be_written_is_one_line_and_no_fault_of_a_script(
    tmp_path: Path, words: list[str], unbuffered: str
) -> None:
    for name, text in PRINTING.items():
        (tmp_path / name).write_text(text)
    folders = {"NOTETRACK_CACHE": str(tmp_path / "cache"), "NOTETRACK_STATE": str(tmp_path / "state")}
    with FULL.open("w") as full:
        done = subprocess.run(
            [sys.executable, "-m", "engine", *words],
            cwd=tmp_path,
            env=os.environ | folders | {"PYTHONPATH": str(ROOT), "PYTHONUNBUFFERED": unbuffered},
            stdout=full, stderr=subprocess.PIPE, text=True, timeout=120,
        )  # fmt: skip
    assert done.returncode == 2
    told = [line for line in done.stderr.splitlines() if not line.startswith(str(tmp_path))]
    assert told == ["notetrack: what is printed cannot be written (No space left on device)"]


@pytest.mark.skipif(not FULL.exists(), reason="no /dev/full here")
def test_errors_that_cannot_be_written_change_no_exit_code(tmp_path: Path) -> None:
    (tmp_path / "bad.gsc").write_text('main() { println("hello"); level.x = 1 + level; }\n')
    with FULL.open("w") as full:
        done = subprocess.run(
            [sys.executable, "-m", "engine", "run", "bad.gsc"],
            cwd=tmp_path, env=os.environ | {"PYTHONPATH": str(ROOT)}, stdout=subprocess.PIPE, stderr=full, timeout=60,
        )  # fmt: skip
    assert (done.returncode, done.stdout) == (3, b"hello\n")


@pytest.mark.skipif(os.name == "nt", reason="a POSIX shell closes the streams")
@pytest.mark.parametrize(("file", "code"), [("hello.gsc", 0), ("missing.gsc", 2)])
def test_closed_output_streams_change_no_exit_code(tmp_path: Path, file: str, code: int) -> None:
    (tmp_path / "hello.gsc").write_text('main() { println("hello"); }\n')
    command = f'exec "$0" -m engine run "{tmp_path / file}" >&- 2>&-'
    done = subprocess.run(
        ["/bin/sh", "-c", command, sys.executable],
        cwd=ROOT,
        env=os.environ | {"PYTHONPATH": str(ROOT)},
        timeout=60,
    )
    assert done.returncode == code


@pytest.mark.skipif(os.name == "nt", reason="ctrl-C reaches a process in another way there")
@pytest.mark.parametrize(("end", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_who_ends_a_game_hears_what_is_kept(tmp_path: Path, end: signal.Signals, code: int) -> None:
    recording = tmp_path / "game.rec"
    command = [sys.executable, "-m", "engine", "play", "--headless", "--realtime", "--seconds", "600"]
    played = subprocess.Popen(
        [*command, "--record", str(recording)],
        stderr=subprocess.PIPE,
        text=True,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
    )
    try:
        while played.poll() is None and not (recording.is_file() and recording.read_bytes().count(b"\n") > 3):
            time.sleep(0.05)
        played.send_signal(end)
        _, said = played.communicate(timeout=60)
    finally:
        played.kill()
    assert played.returncode == code
    assert re.search(rf"stopped after [0-9.]+ seconds of the game; its recording is {recording}\n$", said)
    replay = subprocess.run(
        [sys.executable, "-m", "engine", "replay", str(recording)], capture_output=True, text=True
    )
    assert (replay.returncode, "all as recorded" in replay.stdout) == (0, True)

"""A real window on a screen of its own: Xvfb is started where it is installed, and the game is played on it."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]

PLAYED = """
import json, sys, pygame
from engine.client.app import AppSettings, ClientApp
from engine.client.window import WindowSettings
from tests.client.fake_session import FakeSession

session = FakeSession()
app = ClientApp(session, AppSettings(WindowSettings((640, 360), gl=sys.argv[1]), None, silent=True))
told = {"driver": pygame.display.get_driver(), "renderer": app.window.renderer.name}

def post(kind, **parts):
    pygame.event.post(pygame.event.Event(kind, **parts))

def key(code, down=True):
    post(pygame.KEYDOWN if down else pygame.KEYUP, key=code, mod=0, repeat=False)

def walked():
    return round(session.state.origin[0] + 100, 1)

for _ in range(3):
    app.step(0.05)
key(pygame.K_w)
app.step(0.1)
key(pygame.K_w, down=False)
app.step(0.0)
told["walked"] = walked()
told["colours"] = len({tuple(p) for p in app.pixels()[::9, ::9].reshape(-1, 3).tolist()})
pygame.Window.from_display_module().size = 800, 450
for _ in range(3):
    app.step(0.0)
told["size"] = list(app.window.renderer.size)
key(pygame.K_ESCAPE)
app.step(0.1)
told["paused"] = app.paused
key(pygame.K_ESCAPE)
app.step(0.0)
told["resumed"] = not app.paused
post(pygame.WINDOWFOCUSLOST)
app.step(0.0)
told["away"] = app.paused, app.window.grabbed
post(pygame.QUIT)
app.step(0.0)
told["over"] = app.over
app.close()
print(json.dumps(told))
"""


@pytest.fixture(scope="module")
def display() -> Iterator[str]:
    """The name of a screen that nobody else has."""
    program = shutil.which("Xvfb")
    if program is None:
        pytest.skip("Xvfb is not installed")
    reading, writing = os.pipe()
    server = subprocess.Popen(
        [program, "-displayfd", str(writing), "-screen", "0", "1024x640x24", "-nolisten", "tcp"],
        pass_fds=(writing,),
        stderr=subprocess.DEVNULL,
    )
    os.close(writing)
    with os.fdopen(reading) as pipe:
        number = pipe.readline().strip()
    if not number:
        server.wait()
        pytest.skip("Xvfb does not start here")
    yield f":{number}"
    server.terminate()
    server.wait()


@pytest.mark.parametrize("gl", ["off", "auto"])
def test_a_window_is_played_in(display: str, gl: str, tmp_path: Path):
    away = ("SDL_VIDEODRIVER", "WAYLAND_DISPLAY", "XDG_RUNTIME_DIR")
    environment = {name: value for name, value in os.environ.items() if name not in away}
    environment |= {"DISPLAY": display, "PYTHONPATH": str(ROOT), "PYGAME_HIDE_SUPPORT_PROMPT": "1"}
    done = subprocess.run(
        [sys.executable, "-W", "ignore::DeprecationWarning:__main__", "-c", PLAYED, gl],
        env=environment,
        cwd=tmp_path,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")
    told = json.loads(done.stdout)
    assert told["driver"] == "x11"
    assert told["walked"] == pytest.approx(19.0, abs=0.5)
    assert told["colours"] > 20, "there is a place in the window"
    assert told["size"] == [800, 450]
    assert told["paused"]
    assert told["resumed"]
    assert told["away"] == [False, False], "a window without the focus goes on and lets the mouse go"
    assert told["over"]
    if gl == "off":
        assert told["renderer"] == "plain surfaces"


def test_options_for_a_run_without_a_screen_are_named_where_there_is_one(display: str, tmp_path: Path):
    environment = {name: value for name, value in os.environ.items() if name != "SDL_VIDEODRIVER"}
    environment |= {"DISPLAY": display, "PYTHONPATH": str(ROOT), "NOTETRACK_STATE": str(tmp_path)}
    words = ["--look", "close", "--realtime", "--seconds", "0.3", "--renderer", "plain", "--no-sound"]
    done = subprocess.run(
        [sys.executable, "-m", "engine", "play", *words],
        env=environment, cwd=tmp_path, capture_output=True, text=True, timeout=120, check=False,
    )  # fmt: skip
    said = [
        f"notetrack: {option} does nothing in a window; it goes with --headless"
        for option in ("--look", "--realtime")
    ]
    assert (done.returncode, done.stderr.splitlines()) == (0, said)

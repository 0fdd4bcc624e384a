"""What is shown and said while a level is prepared."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pygame
import pytest

from engine.client import loading
from engine.client.loading import Loading
from engine.client.text import Letters
from engine.client.window import Window, WindowSettings


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """Seconds that `loading` believes in; tests move them."""
    now = [100.0]
    monkeypatch.setattr(loading.time, "monotonic", lambda: now[0])
    return now


@pytest.fixture
def window(monkeypatch: pytest.MonkeyPatch) -> Iterator[Window]:
    pygame.display.quit()
    monkeypatch.setenv("SDL_VIDEODRIVER", "dummy")
    made = Window(WindowSettings((480, 270), gl="off", vsync=False))
    yield made
    made.close()


def bar(window: Window) -> int:
    """Pixels of the bar that are filled."""
    pixels = window.renderer.read_pixels().astype(int)
    return int(((pixels[..., 0] > 200) & (pixels[..., 2] < 120)).sum())


def test_a_window_shows_a_bar_that_grows(window: Window, clock: list[float]):
    shown = Loading(window, Letters(270), "The yard", None)
    shown("painting surfaces", 0.1)
    assert not window.renderer.read_pixels().any(), "what is over at once is not worth a picture"
    filled = []
    for part in (0.2, 0.6, 1.0):
        clock[0] += 0.2
        shown("painting surfaces", part)
        filled.append(bar(window))
    assert 0 < filled[0] < filled[1] < filled[2]
    assert np.ptp(window.renderer.read_pixels()) > 100, "with words"


def test_without_a_window_each_work_is_said_once_and_only_when_it_takes_time(clock: list[float]):
    pygame.display.quit()
    window = Window(WindowSettings((480, 270), gl="off", headless=True))
    said: list[str] = []
    shown = Loading(window, Letters(270), "The yard", said.append)
    shown("painting surfaces", 0.0)
    clock[0] += 1.0
    for part in (0.5, 0.6):
        shown("working out the light", part)
        clock[0] += 1.0
    assert said == ["working out the light; kept for the next time"]
    assert not window.renderer.read_pixels().any()
    window.close()

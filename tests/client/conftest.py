"""Every test here runs without a screen, keeps its cached light to itself, and hears nothing."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

os.environ.setdefault("SDL_AUDIODRIVER", "dummy")


@pytest.fixture(scope="session", autouse=True)
def own_folders(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """Caches and saved pictures of a test run stay in its own folder."""
    folder = tmp_path_factory.mktemp("client")
    before = {name: os.environ.get(name) for name in ("NOTETRACK_CACHE", "NOTETRACK_STATE")}
    os.environ["NOTETRACK_CACHE"] = str(folder / "cache")
    os.environ["NOTETRACK_STATE"] = str(folder / "state")
    yield folder
    for name, value in before.items():
        if value is None:
            os.environ.pop(name, None)
        else:
            os.environ[name] = value

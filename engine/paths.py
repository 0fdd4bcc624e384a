"""Where the files that come with the engine lie: beside the package in a checkout, else inside it."""

from __future__ import annotations

import os
from pathlib import Path

import platformdirs

_PACKAGE = Path(__file__).resolve().parent


def _shipped(name: str) -> Path:
    installed = _PACKAGE / "data" / name
    return installed if installed.is_dir() else _PACKAGE.parent / name


def assets() -> Path:
    return _shipped("assets")


def animtrees() -> Path:
    return _shipped("animtrees")


def mods() -> Path:
    return _shipped("mods")


def cache() -> Path:
    """The user's cache folder, or NOTETRACK_CACHE. Nothing in it is needed; it may be deleted at any time."""
    return Path(
        os.environ.get("NOTETRACK_CACHE") or platformdirs.user_cache_dir("notetrack", appauthor=False)
    )


def state() -> Path:
    """Where logs, saves and screenshots go, or NOTETRACK_STATE."""
    return Path(
        os.environ.get("NOTETRACK_STATE") or platformdirs.user_state_dir("notetrack", appauthor=False)
    )

"""The assets that come with the engine: they cook without a fault, and their shipped copies are current."""

from __future__ import annotations

from pathlib import Path

import pytest

from engine.pipeline import importer
from engine.pipeline.container import read_meta
from engine.pipeline.cook import cook, is_current, source_hash
from engine.pipeline.library import AssetLibrary, find_sources
from engine.source import Diagnostic

ASSETS = Path(__file__).resolve().parents[2] / "assets"
SOURCES = [source for source in find_sources([ASSETS]).values() if not source.cooked_only]


@pytest.mark.parametrize("source", SOURCES, ids=lambda source: source.name)
def test_sources_cook_without_a_fault(source) -> None:  # type: ignore[no-untyped-def]
    if not importer.available():
        pytest.skip("no libassimp here")
    assert cook(source.path).diagnostics == ()


@pytest.mark.parametrize("source", SOURCES, ids=lambda source: source.name)
def test_the_shipped_copy_is_current(source) -> None:  # type: ignore[no-untyped-def]
    """If this fails, an asset was changed: run `python -m engine cook --ship` and commit assets/cooked."""
    shipped = source.cache.shipped_path(source.path)
    assert shipped.is_file()
    assert is_current(read_meta(shipped), source.path, source_hash(source.path))


def test_no_shipped_copy_is_left_over() -> None:
    names = {source.name for source in SOURCES}
    assert {path.stem for path in (ASSETS / "cooked").glob("*.ntk")} == names


def test_everything_plays_from_the_shipped_copies(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As on a machine without libassimp and with an empty cache."""

    def missing() -> None:
        raise importer.LibraryMissing("libassimp was not found")

    monkeypatch.setattr(importer, "library", missing)
    told: list[Diagnostic] = []
    library = AssetLibrary([ASSETS], tmp_path, told.append)
    assert {name for name in library.model_names() if not library.has_model(name)} == {"soldier_falls"}
    assert {"soldier_walk", "soldier_death_head"} <= set(library.clip_names())
    assert told == []

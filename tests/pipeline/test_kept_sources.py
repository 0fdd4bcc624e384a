"""A source that was read once is not read again to be cooked with other settings, and gives the same bytes."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from engine.pipeline import curves, importer, reading
from engine.pipeline.cook import cook
from engine.pipeline.faults import Faults
from engine.pipeline.reading import MAX_KEPT, KeptSources, ReadSource
from engine.source import DiagnosticError
from tests.pipeline.gltf_writer import Gltf, strip, turn

pytestmark = pytest.mark.skipif(not importer.available(), reason="no libassimp here")

Reads = list[Path]


@pytest.fixture
def reads(monkeypatch: pytest.MonkeyPatch) -> Reads:
    """The sources that are read."""
    found: Reads = []
    real = reading.read_source

    def read(path: Path, data: bytes, faults: Faults) -> ReadSource:
        found.append(path)
        return real(path, data, faults)

    monkeypatch.setattr(reading, "read_source", read)
    return found


def _bends(degrees: float = 40.0) -> Gltf:
    gltf = strip()
    gltf.clip("bend", (1, "rotation", [0, 0.5, 1], [turn("x", angle) for angle in (0, degrees, 0)]))
    return gltf


def test_other_settings_give_what_they_give_a_source_read_anew(tmp_path: Path, reads: Reads) -> None:
    path, kept = tmp_path / "man.glb", KeptSources()
    _bends().write(path)
    for settings in (
        "",
        "scale = 2.0",
        "up = 'z'",
        "[clips.bend]\nloop = true\nmirror = 'other'",
        "scale = 2.0",
    ):
        path.with_suffix(".toml").write_text(settings)
        again = cook(path, kept)
        assert again.data == cook(path).data
    assert reads == [path]


def test_another_content_is_read(tmp_path: Path, reads: Reads) -> None:
    path, kept = tmp_path / "man.glb", KeptSources()
    for degrees in (40.0, 50.0, 40.0):
        _bends(degrees).write(path)
        assert cook(path, kept).data == cook(path).data
    assert reads == [path, path]


def test_only_a_few_are_kept(tmp_path: Path, reads: Reads) -> None:
    kept = KeptSources()
    paths = [tmp_path / f"man{number}.glb" for number in range(MAX_KEPT + 1)]
    for path in paths:
        _bends().write(path)
        cook(path, kept)
    cook(paths[1], kept)
    assert reads == paths
    cook(paths[0], kept)
    cook(paths[1], kept)
    assert reads == [*paths, paths[0]]


def test_what_is_kept_has_an_end(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "man.glb"
    _bends().write(path)
    for numbers in (0, 2**10, 2**22):
        monkeypatch.setattr(curves, "MOST_NUMBERS", numbers)
        kept = KeptSources()
        for rate in range(20, 60, 10):
            path.with_suffix(".toml").write_text(f"sample_rate = {rate}\n[clips.bend]\nloop = true")
            assert cook(path, kept).data == cook(path).data
            scene = kept.read(path, path.read_bytes(), Faults("man.glb")).scene
            assert scene.kept is not None
            assert len(scene.kept) == 1
            (sampler,) = scene.kept.values()
            assert len(sampler.worlds) <= curves.MOST_KEPT
            held = [worlds.size for worlds in sampler.worlds.values()]
            assert sum(held) <= numbers
        assert bool(held) == bool(numbers)


def _sheared() -> Gltf:
    gltf = strip()
    gltf.document["nodes"][2]["matrix"] = [1, 0, 0, 0.5, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1]
    return gltf


def _twice() -> Gltf:
    gltf = _bends()
    gltf.document["nodes"][1]["name"] = "lower"
    return gltf


@pytest.mark.parametrize("make", [_sheared, _twice, Gltf])
def test_what_is_wrong_with_one_is_told_each_time(tmp_path: Path, make: Callable[[], Gltf]) -> None:
    path, kept = tmp_path / "man.glb", KeptSources()
    make().write(path)

    def told() -> list[str]:
        try:
            return [fault.message for fault in cook(path, kept).diagnostics]
        except DiagnosticError as error:
            return [fault.message for fault in error.diagnostics]

    first = told()
    assert first
    assert told() == first


def test_a_file_beside_the_source_is_read_each_time(tmp_path: Path) -> None:
    path, kept = tmp_path / "man.gltf", KeptSources()
    for degrees in (40.0, 50.0):
        gltf = _bends(degrees)
        (tmp_path / "man.bin").write_bytes(gltf.binary)
        path.write_bytes(gltf.gltf("man.bin"))
        assert cook(path, kept).data == cook(path).data

"""Importing in a process of its own: what happens to it is one diagnostic, and the next source is read as ever."""

from __future__ import annotations

import os
import re
import signal
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from engine.pipeline import contained, importer
from engine.pipeline.batch import Order, cook_one
from engine.pipeline.cook import cook
from engine.pipeline.library import find_sources
from engine.source import Diagnostic, DiagnosticError
from tests.pipeline.formats import obj
from tests.pipeline.formats.figure import Figure

pytestmark = pytest.mark.skipif(not importer.available(), reason="no libassimp here")


@pytest.fixture
def source(tmp_path: Path) -> Path:
    path = tmp_path / "assets" / "models" / "thing" / "thing.obj"
    path.parent.mkdir(parents=True)
    path.write_bytes(obj.document(Figure()))
    path.with_suffix(".mtl").write_bytes(obj.material())
    return path


@pytest.fixture(autouse=True)
def another_process(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Each test starts its own, and leaves none behind that was made to misbehave."""
    monkeypatch.setattr(contained, "_current", None)
    yield
    contained._end()


def _worker_that(monkeypatch: pytest.MonkeyPatch, does: str) -> None:
    """The process, with `does` in place of its work. `name` is the source's."""
    code = (
        "import sys; sys.path[:] = sys.argv[1:]\n"
        "import os, time, importlib\n"
        "from engine.pipeline import import_worker as w\n"
        f"def answer(path, data):\n    name = path.name\n    {does}\n"
        "w._answer = answer\n"
        "w.main()\n"
    )
    monkeypatch.setattr(contained, "_START", code)


def _fault(source: Path) -> Diagnostic:
    with pytest.raises(DiagnosticError) as caught:
        cook(source)
    (diagnostic,) = caught.value.diagnostics
    assert diagnostic.span is not None
    assert diagnostic.span.path.endswith("thing.obj")
    return diagnostic


def test_one_process_serves_all(source: Path) -> None:
    cook(source)
    first = contained._current
    cook(source)
    assert contained._current is first
    assert first is not None
    assert first.alive


@pytest.mark.parametrize("does", ["os.abort()", "raise RuntimeError"])
def test_a_crash_is_a_fault_of_that_source(source: Path, monkeypatch: pytest.MonkeyPatch, does: str) -> None:
    with monkeypatch.context() as patch:
        _worker_that(patch, does)
        diagnostic = _fault(source)
        assert diagnostic.code == "bad-source"
        assert "libassimp crashed" in diagnostic.message
    assert cook(source).meta["model"]["bones"] == ["root"]


def test_a_hang_comes_to_an_end(source: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as patch:
        patch.setattr(contained, "PATIENCE", 0.3)
        _worker_that(patch, "time.sleep(60)")
        assert "did not come to an end" in _fault(source).message
    assert cook(source).meta["model"]["bones"] == ["root"]


def test_what_comes_back_can_only_be_a_scene(
    source: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """A process that something took over cannot make this one do what it wants."""
    with monkeypatch.context() as patch:
        mark = tmp_path / "mark"
        _worker_that(
            patch, f"return type('E', (), {{'__reduce__': lambda s: (os.mkdir, ({str(mark)!r},))}})()"
        )
        assert "libassimp crashed" in _fault(source).message
        assert not mark.exists()


def test_noise_of_a_library_does_not_matter(source: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    does = "os.write(1, b'noise' * 99); os.write(2, b'noise'); return importlib.reload(w)._answer(path, data)"
    _worker_that(monkeypatch, does)
    assert cook(source).meta["model"]["bones"] == ["root"]


def test_without_a_process_it_imports_here(source: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "executable", str(source.with_name("no-such-program")))
    assert cook(source).meta["model"]["bones"] == ["root"]


@pytest.mark.skipif(os.name == "nt", reason="there are no such limits there")
def test_the_process_has_limits_of_its_own(source: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It ends also when nobody is left to end it, and takes no more memory than a model may."""
    wanted = "import resource as r; return ('failed', repr([r.getrlimit(k)[0] for k in (r.RLIMIT_AS, r.RLIMIT_CPU)]))"
    _worker_that(monkeypatch, wanted)
    memory, seconds = re.findall(r"\d+", _fault(source).message)
    assert 2**30 < int(memory) < 2**31
    assert 2 * contained.PATIENCE < int(seconds) < 2 * contained.PATIENCE + 60


@pytest.mark.skipif(os.name == "nt", reason="there are no such signals there")
def test_a_process_that_was_killed_meanwhile_is_started_again(source: Path) -> None:
    cook(source)
    worker = contained._current
    assert worker is not None
    assert worker._process is not None
    os.kill(worker._process.pid, signal.SIGKILL)
    worker._process.wait()
    assert cook(source).meta["model"]["bones"] == ["root"]


def test_a_missing_library_is_told_as_ever(source: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    _worker_that(monkeypatch, "return ('missing', 'libassimp was not found')")
    diagnostic = _fault(source)
    assert diagnostic.code == "no-assimp"
    assert "pip install cmeel-assimp" in diagnostic.notes[0].message


def test_a_crash_leaves_no_file(source: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    _worker_that(monkeypatch, "os.abort()")
    (order,) = [Order(found) for found in find_sources([tmp_path / "assets"], tmp_path / "cache").values()]
    result = cook_one(order)
    assert result.outcome == "failed"
    assert [d.code for d in result.diagnostics] == ["bad-source"]
    assert not list((tmp_path / "cache").rglob("*"))

"""Many sources at once: one that kills its process, an interrupt, the bar, and the same bytes every time."""

from __future__ import annotations

import io
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from click.testing import CliRunner
from rich.console import Console

from engine.cli import cook as command
from engine.pipeline import batch, container, importer
from engine.pipeline import cook as cooking
from engine.pipeline.batch import Order, cook_all
from engine.pipeline.convert import Converted
from engine.pipeline.library import find_sources
from engine.pipeline.packing import unpack
from engine.source.render import to_text
from tests.pipeline.formats import dae
from tests.pipeline.formats.figure import Figure
from tests.pipeline.gltf_writer import strip, turn

pytestmark = pytest.mark.skipif(not importer.available(), reason="no libassimp here")


def _fill(root: Path, count: int) -> None:
    gltf = strip()
    gltf.clip("bend", (1, "rotation", [0, 0.5, 1], [turn("x", angle) for angle in (0, 40, 0)]))
    for number in range(count):
        gltf.write(root / "models" / f"m{number}" / f"m{number}.glb")


def dies_of_m1(order: Order) -> batch.Result:
    """In place of `cook_one`, in the processes of the pool."""
    if order.source.name == "m1":
        os._exit(3)
    return batch.Result(order.source.name, "cooked")


def test_one_that_kills_its_process_fails_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    _fill(tmp_path, 4)
    monkeypatch.setattr(batch, "cook_one", dies_of_m1)
    orders = [Order(source) for source in find_sources([tmp_path], tmp_path / "cache").values()]
    results = {result.name: result for result in cook_all(orders, 2)}
    assert {name: result.outcome for name, result in results.items()} == {
        "m0": "cooked",
        "m1": "failed",
        "m2": "cooked",
        "m3": "cooked",
    }
    (diagnostic,) = results["m1"].diagnostics
    assert diagnostic.code == "cook-crashed"
    assert diagnostic.span is not None
    assert diagnostic.span.path.endswith("m1.glb")


def _hear_interrupts() -> None:
    """A shell tells what it runs in the background to ignore them, and so would these tests tell what they start."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


@pytest.mark.skipif(os.name == "nt", reason="ctrl-C reaches a process in another way there")
@pytest.mark.parametrize("end", ["SIGINT", "SIGTERM"])
def test_ctrl_c_leaves_whole_files_only(tmp_path: Path, end: str) -> None:
    """Over two processes, in the middle of the work. A terminal tells all of them, who ends the command only that."""
    _fill(tmp_path / "assets", 800)
    cache = tmp_path / "cache"
    process = subprocess.Popen(
        [sys.executable, "-m", "engine", "cook", "--assets", str(tmp_path / "assets"), "--jobs", "2"],
        env={
            **os.environ,
            "NOTETRACK_CACHE": str(cache),
            "PYTHONPATH": os.pathsep.join(p for p in sys.path if p),
        },
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
        preexec_fn=_hear_interrupts,
    )
    try:
        while process.poll() is None and len(list(cache.rglob("*.ntk"))) < 3:
            time.sleep(0.02)
        if end == "SIGINT":
            os.killpg(process.pid, signal.SIGINT)
        else:
            process.terminate()
        _, said = process.communicate(timeout=60)
    finally:
        if process.poll() is None:
            os.killpg(process.pid, signal.SIGKILL)
            process.communicate()
    assert process.returncode == (130 if end == "SIGINT" else 143)
    assert said.startswith("notetrack: stopped; ")
    assert len(said.splitlines()) == 1
    found = [path for path in cache.rglob("*") if path.is_file()]
    assert 3 <= len(found) < 800
    for path in found:
        unpack(container.read(path))  # a half file, or one of another name, would not be readable


def test_a_bar_runs_in_a_terminal(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NOTETRACK_CACHE", str(tmp_path / "cache"))
    _fill(tmp_path, 2)
    screen = io.StringIO()
    monkeypatch.setattr(
        command,
        "Console",
        lambda stderr: Console(file=screen, force_terminal=True, width=100, color_system=None),
    )
    result = CliRunner().invoke(command.cook, ["--assets", str(tmp_path), "--jobs", "1"])
    assert result.exit_code == 0
    assert "cooking" in screen.getvalue()
    assert "2/2" in screen.getvalue()


def test_the_same_bytes_in_every_process(tmp_path: Path) -> None:
    """Whatever the seed of Python's hashes, whatever was cooked before in the process."""
    _fill(tmp_path, 1)
    (tmp_path / "models" / "m1").mkdir()
    (tmp_path / "models" / "m1" / "m1.dae").write_bytes(dae.document(Figure()))
    code = (
        "import sys, hashlib\nfrom pathlib import Path\n"
        "from engine.pipeline import container\nfrom engine.pipeline.cook import cook\n"
        "for name in sys.argv[1:]:\n"
        "    cooked = cook(Path(name))\n"
        "    print(Path(name).name, hashlib.sha256(container.to_bytes(cooked.meta, cooked.arrays)).hexdigest())\n"
    )
    sources = sorted(map(str, (tmp_path / "models").glob("*/*.*")))
    found = [
        subprocess.run(
            [sys.executable, "-c", code, *order],
            env={
                **os.environ,
                "PYTHONHASHSEED": seed,
                "PYTHONPATH": os.pathsep.join(p for p in sys.path if p),
            },
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for seed, order in (("1", sources), ("2", sources[::-1]))
    ]
    assert sorted(found[0].splitlines()) == sorted(found[1].splitlines())
    assert len(found[0].splitlines()) == 2


def test_what_has_the_name_of_a_source_and_is_none_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("NOTETRACK_CACHE", str(tmp_path / "cache"))
    _fill(tmp_path, 1)
    (tmp_path / "models" / "m0" / "bag.glb").mkdir()
    (tmp_path / "models" / "m0" / "lost.fbx").symlink_to(tmp_path / "nowhere")
    (tmp_path / "models" / "m0" / "loop.obj").symlink_to(tmp_path / "models" / "m0" / "loop.obj")
    os.mkfifo(tmp_path / "models" / "m0" / "pipe.x")
    result = CliRunner().invoke(command.cook, ["--assets", str(tmp_path), "--jobs", "1"])
    assert result.exit_code == 0
    assert "bag.glb is a folder and left out" in result.output
    for name in ("lost.fbx", "loop.obj"):
        assert f"{name} is a link that leads nowhere and left out" in result.output
    assert "pipe.x is no file and left out" in result.output
    assert "1 cooked" in result.output


@pytest.mark.parametrize("ship", [False, True])
def test_what_could_not_be_read_again_is_not_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, ship: bool
) -> None:
    """Whatever a converter gets wrong: what was cooked before stays."""
    _fill(tmp_path, 1)
    (source,) = find_sources([tmp_path], tmp_path / "cache").values()
    assert batch.cook_one(Order(source, ship=ship)).outcome == "cooked"
    before = {path: path.read_bytes() for path in tmp_path.rglob("*.ntk")}
    whole = cooking.pack

    def short(converted: Converted) -> tuple[dict[str, Any], dict[str, np.ndarray[Any, Any]]]:
        meta, arrays = whole(converted)
        return meta, {name: array for name, array in arrays.items() if name != "clip0.still"}

    monkeypatch.setattr(cooking, "pack", short)
    result = batch.cook_one(Order(source, force=True, ship=ship))
    assert result.outcome == "failed"
    assert "m0.glb" in to_text(result.diagnostics[0])
    assert {path: path.read_bytes() for path in tmp_path.rglob("*.ntk")} == before


def sleeps_for_ever(order: Order) -> batch.Result:
    """In place of `cook_one`: what a worker does that nobody ends."""
    os.write(1, b"%d\n" % os.getpid())
    time.sleep(120)
    return batch.Result(order.source.name, "cooked")


_COOK_FOR_EVER = """
import sys
from pathlib import Path
from engine.pipeline import batch
from engine.pipeline.library import find_sources
from tests.pipeline import test_batch

if __name__ == "__main__":
    batch.cook_one = test_batch.sleeps_for_ever
    root = Path(sys.argv[1])
    orders = [batch.Order(source) for source in find_sources([root], root / "cache").values()]
    list(batch.cook_all(orders, 2))
"""


def _lives(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    try:  # one that has ended may wait to be asked about it
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return not Path("/proc").is_dir() or Path(f"/proc/{pid}").is_dir()


@pytest.mark.skipif(os.name == "nt", reason="signals are of another kind there")
@pytest.mark.parametrize("end", ["SIGTERM", "SIGKILL"])
def test_workers_end_with_their_parent(tmp_path: Path, end: str) -> None:
    """In the middle of their work, and however it ends."""
    _fill(tmp_path, 4)
    process = subprocess.Popen(
        [sys.executable, "-c", _COOK_FOR_EVER, str(tmp_path)],
        env={**os.environ, "PYTHONPATH": os.pathsep.join((os.getcwd(), *filter(None, sys.path)))},
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,  # Python's own word about a pool whose owner was killed
        text=True,
    )
    assert process.stdout is not None
    workers = []
    try:
        workers = [int(process.stdout.readline()) for _ in range(2)]
        process.send_signal(getattr(signal, end))
        process.wait(timeout=30)
        until = time.monotonic() + 20
        while any(map(_lives, workers)) and time.monotonic() < until:
            time.sleep(0.05)
        assert [pid for pid in workers if _lives(pid)] == []
    finally:
        for pid in filter(_lives, workers):
            os.kill(pid, signal.SIGKILL)
        process.kill()
        process.wait()
        process.stdout.close()

"""`notetrack bench`: how fast scripts run, beside the same work written by hand in Python and Lua.

Every benchmark is a script in `tests/bench` with peers of the same name. In each round all of them run one
after another, so that a busy machine slows them alike; what counts is the median of the ratios. Their results
must be the same. Python's garbage collector is set as in a game, for all of them.

The parts of the engine that have no peer are measured by themselves, in microseconds for each entity: `animation`,
`drawing`.
Line scripts (`lines`) and unit scripts (`units`) stand beside generators and a plain dispatch loop.
"""

from __future__ import annotations

import gc
import importlib
import json
import runpy
import statistics
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import click

from engine.cli.output import OK, PROBLEMS, fail
from engine.client import collecting
from engine.source.render import to_text
from engine.vm.core import core_registry
from engine.vm.limits import Settings
from engine.vm.machine import VM

FOLDER = Path(__file__).resolve().parents[2] / "tests" / "bench"
MAX_FRAMES = 2000

Body = Callable[[], str]


LUAS = {"luajit": "lupa.luajit21", "lua": "lupa.lua54"}
"""Columns of Lua peers, and the modules that run them where lupa is installed."""


ENGINE = ("animation", "drawing", "cooking")
"""Modules beside the benchmarks whose `measures()` are work of the engine: a name, a count, and what to run. `CLOCK` is
what tells their seconds, this thread's processor time unless they say otherwise; `UNIT` is what is counted."""

REPORTS = ("lines", "units", "waiters", "loading", "states")
"""Modules beside the benchmarks that compare in ways of their own, such as line scripts with peers:
`report(rounds)` gives the lines to print."""

MAX_MEASURE = 2.0
"""Seconds that one measure of the engine takes at most."""


@dataclass(frozen=True, slots=True)
class Figure:
    """One measure of the engine: milliseconds of the best round and of the median one, for `count` entities."""

    name: str
    count: int
    best: float
    median: float


@dataclass(frozen=True, slots=True)
class Row:
    """One benchmark: medians in milliseconds, ratios to the peers, and the spread of the script's times.

    `spread` is (slowest - fastest) / median. Ratios are medians over the rounds; a peer that is not there is missing.
    """

    name: str
    ms: dict[str, float]
    ratio: dict[str, float]
    spread: float


@click.command()
@click.argument("names", nargs=-1, metavar="[NAME ...]")
@click.option("--rounds", type=click.IntRange(1, 1000), default=7, show_default=True, help="Rounds of each.")
@click.option("--json", "as_json", is_flag=True, help="One JSON object a line.")
def bench(names: tuple[str, ...], rounds: int, as_json: bool) -> int:
    """Measure scripts against hand-written Python and, where lupa is installed, Lua."""
    scripts = sorted(path.stem for path in FOLDER.glob("*.gsc"))
    if not scripts:
        fail("the benchmarks come with the source tree; there is none here")
    known = [*scripts, *ENGINE, *REPORTS]
    for name in names:
        if name not in known:
            fail(f"there is no benchmark '{name}'; there are {', '.join(known)}")
    chosen = [name for name in scripts if not names or name in names]
    if chosen and not as_json:
        click.echo(
            f"Python {sys.version.split()[0]}; medians of {rounds} rounds, in milliseconds of processor time"
        )
        columns = "".join(f"{'gsc/' + peer:>12}" for peer in ("python", *LUAS))
        click.echo(f"{'':12}{'gsc':>9}{'python':>9}{columns}{'spread':>9}")
    code = OK
    for name in chosen:
        try:
            row = measure(name, rounds)
        except AssertionError as error:
            click.echo(f"{name}: {error}", err=True)
            code = PROBLEMS
            continue
        click.echo(json.dumps(asdict(row)) if as_json else as_text(row))
    for name in ENGINE:
        if not names or name in names:
            report(name, rounds, as_json)
    for name in REPORTS:
        if not names or name in names:
            lines = peer_scope(name)["report"](rounds)
            click.echo(json.dumps({"part": name, "report": lines}) if as_json else "\n".join(lines))
    return code


def report(name: str, rounds: int, as_json: bool) -> None:
    """Run the measures of a part of the engine and print them."""
    if not as_json:
        click.echo(f"{name:42}{'best ms':>9}{'median':>9}{'us each':>9}")
    scope = peer_scope(name)
    clock, unit = scope.get("CLOCK", time.thread_time), scope.get("UNIT", "entities")
    for what, count, run in scope["measures"]():
        figure = figure_of(f"{count:,} {unit}, {what}", count, run, rounds, clock)
        if as_json:
            click.echo(json.dumps({"part": name, **asdict(figure)}))
        else:
            each = figure.best * 1000 / figure.count
            click.echo(f"{figure.name:42}{figure.best:9.2f}{figure.median:9.2f}{each:9.2f}")


def figure_of(
    name: str, count: int, run: Callable[[], object], rounds: int, clock: Callable[[], float]
) -> Figure:
    """Run something ten times a round. The best counts: another program on the machine only makes it slower."""
    run()
    times: list[float] = []
    began = clock()
    while len(times) < rounds * 10 and (len(times) < rounds or clock() - began < MAX_MEASURE):
        start = clock()
        run()
        times.append((clock() - start) * 1000)
    return Figure(name, count, round(min(times), 3), round(statistics.median(times), 3))


def measure(name: str, rounds: int) -> Row:
    """Run one benchmark. Raises AssertionError when a peer's result differs or the script fails."""
    bodies: dict[str, Body] = {"gsc": script_body(name), "python": python_body(name)}
    for column, module in LUAS.items():
        lua = lua_body(name, module)
        if lua is not None:
            bodies[column] = lua
    wanted = bodies["python"]()
    for kind, body in bodies.items():
        found = body()
        if found != wanted:
            raise AssertionError(f"{kind} gives {found!r}, python {wanted!r}")
    times: dict[str, list[float]] = {kind: [] for kind in bodies}
    with as_in_a_game():
        for _ in range(rounds):
            for kind, body in bodies.items():
                start = time.process_time()
                body()
                times[kind].append((time.process_time() - start) * 1000)
    gsc = times["gsc"]
    median = statistics.median(gsc)
    return Row(
        name,
        {kind: round(statistics.median(each), 2) for kind, each in times.items()},
        {
            kind: round(statistics.median(a / max(b, 1e-6) for a, b in zip(gsc, each, strict=True)), 2)
            for kind, each in times.items()
            if kind != "gsc"
        },
        round((max(gsc) - min(gsc)) / max(median, 1e-6), 2),
    )


@contextmanager
def as_in_a_game() -> Iterator[None]:
    """The collector as a game sets it."""
    before = gc.get_threshold()
    collecting.settle()
    try:
        yield
    finally:
        gc.set_threshold(*before)
        gc.unfreeze()


def as_text(row: Row) -> str:
    ratios = "".join(f"{row.ratio.get(peer, '-'):>12}" for peer in ("python", *LUAS))
    return f"{row.name:12}{row.ms['gsc']:9.2f}{row.ms['python']:9.2f}{ratios}{row.spread:9.0%}"


# ---- the three languages ---------------------------------------------------------------------------------


def script_body(name: str) -> Body:
    """Runs the script's `main` until no thread waits for a time. Compiled code is kept from round to round."""
    printed: list[str] = []

    def complain(diagnostic: Any) -> None:
        raise AssertionError(to_text(diagnostic))

    host = FOLDER / f"{name}_host.py"
    registry = peer_scope(f"{name}_host")["make_registry"]() if host.is_file() else core_registry()
    settings = Settings(budget=1 << 40, frame_budget=1 << 40, max_variables=1 << 20)
    vm = VM(registry, settings=settings, report=complain, out=printed.append)
    vm.load(FOLDER / f"{name}.gsc")

    def body() -> str:
        printed.clear()
        vm.new_level(keep_game=False)
        vm.start("main")
        for _ in range(MAX_FRAMES):
            if vm.idle:
                break
            vm.step()
        return "".join(printed).strip()

    return body


def peer_scope(stem: str) -> dict[str, Any]:
    """The globals of a Python file beside the benchmarks; it may import others there, and the assets' tools."""
    folders = [str(FOLDER), str(FOLDER.parents[1])]
    sys.path[:0] = folders
    try:
        return runpy.run_path(str(FOLDER / f"{stem}.py"), run_name=stem)
    finally:
        for folder in folders:
            sys.path.remove(folder)


def python_body(name: str) -> Body:
    run: Body = peer_scope(name)["run"]
    return run


def lua_body(name: str, module: str) -> Body | None:
    """The Lua peer, None when there is none or no such Lua is installed. Its objects are those of the Python peer, or
    of a host of their own, `host`, as they would be in a host that is written in Python."""
    path = FOLDER / f"{name}.lua"
    if not path.is_file():
        return None
    text = path.read_text("utf-8")
    try:
        lupa = importlib.import_module(module)
    except ImportError:
        return None
    runtime = lupa.LuaRuntime(unpack_returned_tuples=False)
    own = f"{name}_lua"
    host = peer_scope(own if (FOLDER / f"{own}.py").is_file() else name)
    runtime.globals()["host"] = SimpleNamespace(**host)
    chunk = runtime.eval(f"function()\n{text}\nend")
    return lambda: str(chunk())

"""`notetrack bench`: how fast scripts run, beside the same work written by hand in Python and Lua.

Every benchmark is a script in `tests/bench` with peers of the same name. In each round all of them run one
after another, so that a busy machine slows them alike; what counts is the median of the ratios. Their results
must be the same.
"""

from __future__ import annotations

import json
import statistics
import sys
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import click

from engine.cli.output import OK, PROBLEMS, fail
from engine.source.render import to_text
from engine.vm.core import core_registry
from engine.vm.limits import Settings
from engine.vm.machine import VM

FOLDER = Path(__file__).resolve().parents[2] / "tests" / "bench"
MAX_FRAMES = 2000

Body = Callable[[], str]


@dataclass(frozen=True, slots=True)
class Row:
    """One benchmark: medians in milliseconds, ratios to the peers, and the spread of the script's times.

    `spread` is (slowest - fastest) / median. A peer that is not there is None."""

    name: str
    gsc_ms: float
    python_ms: float
    lua_ms: float | None
    to_python: float
    to_lua: float | None
    spread: float


@click.command()
@click.argument("names", nargs=-1, metavar="[NAME ...]")
@click.option("--rounds", type=click.IntRange(1, 1000), default=7, show_default=True, help="Rounds of each.")
@click.option("--json", "as_json", is_flag=True, help="One JSON object a line.")
def bench(names: tuple[str, ...], rounds: int, as_json: bool) -> int:
    """Measure scripts against hand-written Python and, where lupa is installed, Lua."""
    known = sorted(path.stem for path in FOLDER.glob("*.gsc"))
    if not known:
        fail("the benchmarks come with the source tree; there is none here")
    for name in names:
        if name not in known:
            fail(f"there is no benchmark '{name}'; there are {', '.join(known)}")
    if not as_json:
        click.echo(
            f"Python {sys.version.split()[0]}; medians of {rounds} rounds, in milliseconds of processor time"
        )
        click.echo(f"{'':10}{'gsc':>9}{'python':>9}{'lua':>9}{'gsc/python':>12}{'gsc/lua':>9}{'spread':>9}")
    code = OK
    for name in names or known:
        try:
            row = measure(name, rounds)
        except AssertionError as error:
            click.echo(f"{name}: {error}", err=True)
            code = PROBLEMS
            continue
        click.echo(json.dumps(asdict(row)) if as_json else as_text(row))
    return code


def measure(name: str, rounds: int) -> Row:
    """Run one benchmark. Raises AssertionError when a peer's result differs or the script fails."""
    bodies: dict[str, Body] = {"gsc": script_body(name), "python": python_body(name)}
    lua = lua_body(name)
    if lua is not None:
        bodies["lua"] = lua
    wanted = bodies["python"]()
    for kind, body in bodies.items():
        found = body()
        if found != wanted:
            raise AssertionError(f"{kind} gives {found!r}, python {wanted!r}")
    times: dict[str, list[float]] = {kind: [] for kind in bodies}
    for _ in range(rounds):
        for kind, body in bodies.items():
            start = time.process_time()
            body()
            times[kind].append((time.process_time() - start) * 1000)
    median = {kind: statistics.median(each) for kind, each in times.items()}

    def ratio(peer: str) -> float:
        pairs = zip(times["gsc"], times[peer], strict=True)
        return statistics.median(ours / max(theirs, 1e-6) for ours, theirs in pairs)

    return Row(
        name,
        round(median["gsc"], 2),
        round(median["python"], 2),
        round(median["lua"], 2) if lua is not None else None,
        round(ratio("python"), 2),
        round(ratio("lua"), 2) if lua is not None else None,
        round((max(times["gsc"]) - min(times["gsc"])) / max(median["gsc"], 1e-6), 2),
    )


def as_text(row: Row) -> str:
    lua = f"{row.lua_ms:9.2f}" if row.lua_ms is not None else f"{'-':>9}"
    to_lua = f"{row.to_lua:9.2f}" if row.to_lua is not None else f"{'-':>9}"
    return f"{row.name:10}{row.gsc_ms:9.2f}{row.python_ms:9.2f}{lua}{row.to_python:12.2f}{to_lua}{row.spread:8.0%}"


# ---- the three languages ---------------------------------------------------------------------------------


def script_body(name: str) -> Body:
    """Runs the script's `main` until no thread waits for a time. Compiled code is kept from round to round."""
    printed: list[str] = []

    def complain(diagnostic: Any) -> None:
        raise AssertionError(to_text(diagnostic))

    vm = VM(core_registry(), settings=Settings(budget=1 << 30), report=complain, out=printed.append)
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


def python_body(name: str) -> Body:
    path = FOLDER / f"{name}.py"
    scope: dict[str, Any] = {"__name__": name}
    exec(compile(path.read_text("utf-8"), str(path), "exec"), scope)
    run: Body = scope["run"]
    return run


def lua_body(name: str) -> Body | None:
    """The Lua peer, None when there is none or no Lua is installed."""
    path = FOLDER / f"{name}.lua"
    if not path.is_file():
        return None
    try:
        import lupa
    except ImportError:
        return None
    runtime = lupa.LuaRuntime()
    chunk = runtime.eval(f"function()\n{path.read_text('utf-8')}\nend")
    return lambda: str(chunk())

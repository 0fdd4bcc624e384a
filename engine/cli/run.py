"""`notetrack run FILE`: a program in simulated time, without a window."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from typing import get_args

import click

from engine.cli.options import refuse_options
from engine.cli.output import FilePath, give_up_output
from engine.cob.profiles import PROFILES
from engine.cob.threads import ArgOrder
from engine.gsc.dialect import DIALECTS
from engine.source.render import legible
from engine.vm.errors import Policy
from engine.vm.limits import Settings

UNITS = (".bos", ".cob")
MOST_LINES = 1 << 30
"""Lines that a script may print in a frame: here it writes to whoever started it."""
LINES = ".script"

KINDS = (
    ("scripts", (".gsc",), ("root", "entry", "seconds", "developer", "on_error", "dialect")),
    ("unit scripts", UNITS, ("calls", "ticks", "trace", "arg_order", "seed", "profile", "ports")),
    ("line scripts", (LINES,), ("seconds", "seed", "budget", "settings")),
)
"""Each kind of program with its endings and the options that it takes."""


@click.command()
@click.argument("file", type=FilePath())
@click.option(
    "--root",
    type=FilePath(),
    help="Folder of scripts and animtrees (default: the file's mod, or its folder).",
)
@click.option("--entry", default="main", show_default=True, help="Function to start, with self = level.")
@click.option(
    "--until",
    "--seconds",
    "seconds",
    type=float,
    default=60.0,
    show_default=True,
    help="Simulated seconds at most.",
)
@click.option("--developer/--no-developer", default=True, show_default=True, help="Keep developer code.")
@click.option(
    "--on-error",
    type=click.Choice([p.value for p in Policy]),
    help="What a run-time error does (default: stop; for iw4 continue).",
)
@click.option(
    "--dialect",
    type=click.Choice(sorted(DIALECTS)),
    help="The language of a .gsc file (default: its mod's, or uo).",
)
@click.option(
    "--call",
    "calls",
    multiple=True,
    metavar="NAME[:ARG,...][@TICK]",
    help="Unit scripts: start a script before a tick (repeatable).",
)
@click.option(
    "--ticks",
    type=click.IntRange(0, 10_000_000),
    default=300,
    show_default=True,
    help="Unit scripts: how long.",
)
@click.option("--trace", is_flag=True, help="Unit scripts: print one JSON object a tick.")
@click.option(
    "--arg-order",
    type=click.Choice(get_args(ArgOrder)),
    default="natural",
    show_default=True,
    help="Unit scripts: how arguments reach a child.",
)
@click.option(
    "--seed", type=int, default=0, show_default=True, help="Unit and line scripts: of the random stream."
)
@click.option(
    "--profile",
    type=click.Choice(sorted(PROFILES)),
    default="scriptor",
    show_default=True,
    help="Unit scripts: whose compiler to match.",
)
@click.option(
    "--port", "ports", multiple=True, metavar="ID=VALUE", help="Unit scripts: what a port reads (repeatable)."
)
@click.option(
    "--budget",
    type=click.IntRange(1, 10_000_000),
    default=1000,
    show_default=True,
    help="Line scripts: statements a frame.",
)
@click.option(
    "--global",
    "settings",
    multiple=True,
    metavar="NAME=VALUE",
    help="Line scripts: a variable of the global scope (repeatable).",
)
@click.pass_context
def run(
    context: click.Context, file: Path, root: Path | None, entry: str, seconds: float, developer: bool,
    on_error: str | None, dialect: str | None, calls: tuple[str, ...], ticks: int, trace: bool,
    arg_order: ArgOrder, seed: int, profile: str, ports: tuple[str, ...], budget: int, settings: tuple[str, ...],
) -> int:  # fmt: skip
    """Run a .gsc script, a .script line script, or a .bos or .cob unit script, in simulated time.

    stdout has what the program prints, stderr what is wrong.
    """
    for kind, endings, options in KINDS:
        if file.suffix.lower() in endings:
            others = {name for _, _, names in KINDS for name in names} - set(options)
            refuse_options(context, others, f"is not for {kind} such as {file.name}")
    if file.suffix.lower() in UNITS:
        from engine.cli.run_unit import run_unit

        return run_unit(
            file, calls=calls, ticks=ticks, trace=trace, arg_order=arg_order, seed=seed, profile=profile,
            ports=ports,
        )  # fmt: skip
    if file.suffix.lower() == LINES:
        from engine.cli.run_script import run_script

        return run_script(
            file, seconds=seconds, budget=budget, settings=settings, seed=seed, out=_latin1_writer()
        )
    from engine.cli.run_gsc import run_file

    return run_file(
        file,
        root=root,
        entry=entry,
        seconds=seconds,
        settings=Settings(
            developer=developer,
            on_error=Policy(on_error) if on_error else None,
            max_log_lines=MOST_LINES,
        ),
        dialect=DIALECTS[dialect] if dialect is not None else None,
        out=_latin1_writer(),
        err=sys.stderr,
    )


def _latin1_writer() -> Callable[[str], object]:
    """Writes script text to stdout, a byte a character and with line feeds as they are; to a terminal without what
    would drive it."""
    binary = sys.stdout.buffer
    watched = sys.stdout.isatty()

    def write(text: str) -> None:
        data = legible(text).encode("utf-8", "replace") if watched else text.encode("latin-1", "replace")
        try:
            binary.write(data)
        except BrokenPipeError:
            # Nobody reads any more (`| head`): the run is over, and no script is to blame.
            give_up_output()

    return write

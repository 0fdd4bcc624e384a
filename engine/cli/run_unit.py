"""`notetrack run` for unit scripts: one unit without a model, tick by tick."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

import click

from engine.cli.output import OK, PROBLEMS, RUNTIME, Reporter, fail
from engine.cob.bos_codegen import CompiledUnit
from engine.cob.compiler import compile_bos
from engine.cob.container import read_cob
from engine.cob.machine import Machine
from engine.cob.profiles import PROFILES
from engine.cob.random import RandomStream
from engine.cob.threads import ArgOrder, NoHost, Options
from engine.cob.trace import RootCall, parse_call, parse_cell, run_trace
from engine.source import Diagnostic, DiagnosticError, SourceText
from engine.source.nearest import did_you_mean


def _load(file: Path, profile: str, reporter: Reporter) -> CompiledUnit:
    """The program, with the places of its instructions where there is a source."""
    warnings: list[Diagnostic] = []
    try:
        if file.suffix.lower() == ".cob":
            return CompiledUnit(read_cob(file.read_bytes(), str(file)))
        source = SourceText.read(file)
        unit = compile_bos(source, folder=file.parent, profile=PROFILES[profile], warnings=warnings)
    except OSError as error:
        fail(f"cannot read {file}: {error.strerror}")
    except DiagnosticError as error:
        reporter.all(error.diagnostics)
        raise SystemExit(PROBLEMS) from None
    reporter.all(warnings)
    return unit


def _ports(settings: Sequence[str]) -> dict[int, int]:
    ports: dict[int, int] = {}
    for text in settings:
        number, _, value = text.partition("=")
        try:
            ports[parse_cell(number)] = parse_cell(value)
        except ValueError as error:
            fail(f"--port takes ID=VALUE, not '{text}': {error}")
    return ports


def run_unit(
    file: Path,
    *,
    calls: Sequence[str],
    ticks: int,
    trace: bool,
    arg_order: ArgOrder,
    seed: int,
    profile: str,
    ports: Sequence[str],
    style: str = "text",
) -> int:
    """Run a `.bos` or `.cob` program; the exit code. With `trace` one JSON object a tick goes to stdout."""
    reporter = Reporter(style)
    unit = _load(file, profile, reporter)
    program = unit.cob
    roots: list[RootCall] = []
    for text in calls:
        try:
            call = parse_call(text)
        except ValueError as error:
            fail(f"--call {text}: {error}")
        if program.script_index(call.script) is None:
            names = [script.name for script in program.scripts]
            hint = did_you_mean(call.script, names) or f"there are {', '.join(names) or 'none'}"
            fail(f"{file} has no script '{call.script}'; {hint}")
        if call.tick >= ticks:
            fail(
                f"--call {text} is never reached: the run has {ticks} ticks; --ticks {call.tick + 1} has one more"
            )
        roots.append(call)
    machine = Machine(
        program,
        host=NoHost(_ports(ports)),
        options=Options(arg_order=arg_order),
        random=RandomStream(seed),
    )
    status = OK
    for line in run_trace(machine, roots, ticks):
        if trace:
            click.echo(json.dumps(line))
        for event in line.get("events", ()):
            if "fault" in event:
                status = RUNTIME
                text = f"script '{event['script']}' ended with fault {event['fault']} in tick {line['tick']}"
                place = unit.spans.get(event["at"])
                if place is None:
                    # A program has no lines, nor has what is reached beyond the end of a source's last function.
                    text += f", at code word {event['at']}"
                    place = SourceText(str(file), b"").span(0)
                reporter.one(Diagnostic("cob-fault", text, place, "runtime error"))
    return status

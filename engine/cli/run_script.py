"""`notetrack run` for line scripts: one context in frames of 50 ms, from time 0."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TextIO

from engine.cli.output import OK, PROBLEMS, RUNTIME, USAGE
from engine.linescript.context import Clock, Context
from engine.linescript.library import global_scope, read_number
from engine.linescript.parser import parse
from engine.linescript.runner import BUDGET, tick
from engine.linescript.scope import Scope
from engine.linescript.values import Value
from engine.source import Diagnostic, DiagnosticError, SourceText
from engine.source.render import to_text
from engine.vm.randomness import Random

FRAME = 50
"""Milliseconds of a simulated frame."""


def _globals(settings: Sequence[str]) -> dict[str, Value]:
    """`NAME=VALUE` as variables; a value that reads as a number is one. Raises ValueError with what is wrong."""
    found: dict[str, Value] = {}
    for setting in settings:
        name, sign, value = setting.partition("=")
        if not sign or not name.isascii() or not name.isidentifier():
            raise ValueError(f"--global takes NAME=VALUE, not '{setting}'")
        number = read_number(value)
        found[name] = value if number is None else number
    return found


def run_script(
    file: Path,
    *,
    seconds: float = 60.0,
    budget: int = BUDGET,
    settings: Sequence[str] = (),
    seed: int = 0,
    out: Callable[[str], object],
    err: TextIO | None = None,
) -> int:
    """Run a `.script` file to its end, or for so many seconds. Returns the exit code."""
    err = err if err is not None else sys.stderr

    def complain(diagnostic: Diagnostic) -> None:
        err.write(to_text(diagnostic) + "\n")

    if not file.is_file():
        what = "this is a folder, not a program" if file.is_dir() else "there is no such file"
        err.write(f"{file}: error: {what}\n")
        return USAGE
    if not 0 <= seconds <= 1_000_000:
        err.write("error: --seconds takes seconds from 0 to 1000000\n")
        return USAGE
    scope = global_scope(out, Random(seed).unit)
    try:
        scope.values.update(_globals(settings))
        source = SourceText.read(file)
        assert scope.functions is not None
        program = parse(file.stem, source, scope.functions)
    except ValueError as error:
        err.write(f"error: {error}\n")
        return USAGE
    except OSError as error:
        err.write(f"{file}: error: cannot read it: {error.strerror}\n")
        return USAGE
    except DiagnosticError as error:
        for diagnostic in error.diagnostics:
            complain(diagnostic)
        return PROBLEMS
    clock = Clock()
    context = Context(program, Scope(scope), clock)
    warned: list[Diagnostic] = []

    def warn(context: Context, diagnostic: Diagnostic) -> None:
        if not warned:
            warned.append(diagnostic)
            complain(diagnostic)

    tick(context, budget, warn)
    while not context.done and clock.now + FRAME <= seconds * 1000:
        clock.advance(FRAME)
        tick(context, budget, warn)
    if context.fault is not None:
        complain(context.fault)
        return RUNTIME
    return OK

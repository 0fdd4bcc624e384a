"""What every command prints: diagnostics as text or JSON, on standard error where they are not what the command is
for, and the exit codes."""

from __future__ import annotations

import io
import os
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Any, NoReturn, TextIO

import click

from engine.source import Diagnostic
from engine.source.render import to_json, to_text

OK, PROBLEMS, USAGE, RUNTIME = 0, 1, 2, 3
"""Exit codes: fine; problems in the user's files; wrong usage, a missing file or output that cannot be written; a
run-time error."""


class Reporter:
    """Prints diagnostics in one style (`text` or `json`) and counts them."""

    def __init__(self, style: str = "text", *, to_stdout: bool = False) -> None:
        self.style = style
        self._err = not to_stdout
        self.errors = 0
        self.warnings = 0

    def one(self, diagnostic: Diagnostic) -> None:
        if diagnostic.severity == "warning":
            self.warnings += 1
        else:
            self.errors += 1
        text = to_json(diagnostic) if self.style == "json" else to_text(diagnostic)
        click.echo(text, err=self._err)

    def all(self, diagnostics: Iterable[Diagnostic]) -> None:
        for diagnostic in diagnostics:
            self.one(diagnostic)

    def plain(self, message: str) -> None:
        """A sentence that concerns no place in a file."""
        click.echo(f"notetrack: {message}", err=True)


SOURCES = (".gsc", ".bos", ".script", ".atr", ".map", ".toml")
"""Endings of files that people write."""


class FilePath(click.Path):
    """A path among a command's arguments. An empty one is wrong usage: it comes from a variable that a shell does not
    have, and would otherwise mean the folder that the command was started in."""

    def __init__(self, *, dir_okay: bool = True, file_okay: bool = True) -> None:
        super().__init__(dir_okay=dir_okay, file_okay=file_okay, path_type=Path)

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        if value == "":
            self.fail("the path is empty", param, ctx)
        return super().convert(value, param, ctx)


def counted(number: int, noun: str) -> str:
    """`1 error`, `2 errors`."""
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def keep_sources(output: Path, *inputs: Path) -> None:
    """End the command where its output would replace one of its inputs, or a file that somebody has written."""
    if output.is_file():
        if any(file.exists() and output.samefile(file) for file in inputs):
            fail(f"{output} would be written over itself; name another file")
        if output.suffix.lower() in SOURCES:
            fail(f"{output} is a source; it is not written over")


def open_closed_output() -> None:
    """Let what is printed go nowhere where the command was started with a closed stream (`>&-`, a service)."""
    # Python has None there, on which a script's first print would end in a traceback. Both stay open to the end.
    if sys.stdout is None:
        sys.stdout = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115 - open to the end
    if sys.stderr is None:
        sys.stderr = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115 - open to the end


def give_up_output() -> NoReturn:
    """End the command quietly because nobody reads what it prints."""
    _discard(sys.stdout.fileno())
    raise SystemExit(OK)


def _discard(stream: int) -> None:
    """What is still buffered goes nowhere; else Python complains about it at exit."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), stream)


class _Output(io.FileIO):
    """A standard stream whose failure ends the command, whatever it was doing: no script that prints is to blame. One
    that nothing can be told on goes silent."""

    def write(self, data: Any, /) -> int:
        try:
            return super().write(data)
        except BrokenPipeError:
            # Nobody reads any more (`| head`).
            _discard(self.fileno())
            raise SystemExit(OK) from None
        except OSError as error:
            _discard(self.fileno())
            if self.fileno() == sys.stderr.fileno():
                return len(data)
            message = f"what is printed cannot be written ({error.strerror})"
            click.echo(f"notetrack: {message}", err=True)
            raise SystemExit(USAGE) from None


def guard_output() -> None:
    """Let a full disk and the like be told in a line."""
    sys.stdout, sys.stderr = _guarded(sys.stdout), _guarded(sys.stderr)


def _guarded(stream: TextIO) -> TextIO:
    buffer = getattr(stream, "buffer", None)
    raw = getattr(buffer, "raw", buffer)
    own = stream is sys.__stdout__ or stream is sys.__stderr__
    if not own or not isinstance(stream, io.TextIOWrapper) or not isinstance(raw, io.FileIO):
        return stream  # a console of Windows, or what has been put in its place
    output = _Output(raw.fileno(), "wb", closefd=False)
    return io.TextIOWrapper(
        output if buffer is raw else io.BufferedWriter(output),  # as Python does for -u
        encoding=stream.encoding,
        errors=stream.errors,
        line_buffering=stream.line_buffering,
        write_through=stream.write_through,
    )


def fail(message: str, style: str = "text") -> NoReturn:
    """End the command: it was used wrongly, or a file that it was given is not there. In the style `json` a program
    reads that from standard output, as it does diagnostics."""
    if style == "json":
        click.echo(to_json(Diagnostic("usage", message)))
    else:
        click.echo(f"notetrack: {message}", err=True)
    raise SystemExit(USAGE)

"""Exceptions of Python code that nobody meant for a script: whose they are, and where in Python they came from."""

from __future__ import annotations

import logging
import sys
import traceback
from itertools import chain, repeat
from pathlib import Path
from types import CodeType, FrameType

from engine.source.paths import shown_path
from engine.vm.errors import ScriptError, wording
from engine.vm.objects import Misgiven

log = logging.getLogger("notetrack.vm")

MAX_CALLS = 3
"""Calls of Python that a report of an internal error shows."""

ENGINE = frozenset({"engine"})
NOT_OF_HOST = ENGINE | sys.stdlib_module_names


def unforeseen(error: Exception) -> ScriptError:
    """A fault of Python code as an error of the script that met it, with the places in that code. It is the host's
    where code of the host stands between the script and the fault: most often that asked for what cannot be."""
    try:
        text = f"{type(error).__name__}: {error}"
    except Exception:
        text = wording(error)
    log.debug("internal error", exc_info=error)
    calls: list[tuple[FrameType, int]] = []
    for frame, line in traceback.walk_tb(error.__traceback__):
        if frame.f_code.co_filename.endswith(".py"):
            calls.append((frame, line))
        else:
            # A script, or what stands between one and a built-in.
            calls.clear()
    calls.reverse()
    # The host's own line is what a host looks for, also where something that it called has raised.
    host = next((n for n, (frame, _) in enumerate(calls) if _is_of_host(frame)), None)
    if host is None and calls and not _is_in(calls[-1][0], ENGINE):
        host = len(calls) - 1
    words = chain(["raised"], repeat("called"))
    notes = [f"{word} in {_shown_call(*call)}" for word, call in zip(words, calls[:MAX_CALLS], strict=False)]
    if host is not None and host >= MAX_CALLS:
        between = ", through others," if host > MAX_CALLS else ""
        notes.append(f"called{between} in {_shown_call(*calls[host])}")
    whose = "the engine" if host is None else "a built-in of the host"
    code = getattr(error.getter, "__code__", None) if isinstance(error, Misgiven) else None
    if code is not None and _is_code_of_host(code, error.getter.__module__):  # type: ignore[attr-defined]
        whose, text = "a getter of the host", str(error)
        notes = [f"given by {code.co_name}, {shown_path(Path(code.co_filename))}:{code.co_firstlineno}"]
    # One object may be raised again and again, and Python would add to what it has seen so far.
    error.__traceback__ = None
    return ScriptError(f"internal error of {whose}: {text}", code="internal", notes=tuple(notes))


def _is_in(frame: FrameType, packages: frozenset[str]) -> bool:
    return str(frame.f_globals.get("__name__", "")).partition(".")[0] in packages


def _is_of_host(frame: FrameType) -> bool:
    """Whether code is neither of the engine nor of Python nor of a package that is installed."""
    return _is_code_of_host(frame.f_code, str(frame.f_globals.get("__name__", "")))


def _is_code_of_host(code: CodeType, module: str) -> bool:
    return module.partition(".")[0] not in NOT_OF_HOST and "site-packages" not in Path(code.co_filename).parts


def _shown_call(frame: FrameType, line: int) -> str:
    return f"{frame.f_code.co_name}, {shown_path(Path(frame.f_code.co_filename))}:{line}"

"""`cvars.toml` of a mod: console variables that hold from the start of a game, and anew whenever the file is saved."""

from __future__ import annotations

import math
import re
from pathlib import Path

from engine.pipeline.texts import is_gone, read_toml, unreadable
from engine.source import Diagnostic, DiagnosticError

FILE_NAME = "cvars.toml"

_NAME = re.compile(r"[\w.]+", re.ASCII)


def read_cvars(folder: Path, shown: str | None = None) -> dict[str, str]:
    """The variables of a mod by lower-case name, none where it has no such file.

    A value is a text or a number, and true or false mean 1 and 0. Raises DiagnosticError with everything that is
    wrong in the file.
    """
    path = folder / FILE_NAME
    shown = FILE_NAME if shown == "." else f"{shown}/{FILE_NAME}" if shown else None
    try:
        file = read_toml(path, shown)
    except OSError as error:
        if is_gone(path, error):
            return {}
        raise DiagnosticError([unreadable(path, error, shown)]) from None
    found: dict[str, str] = {}
    problems: list[Diagnostic] = []
    for name, value in file.data.items():
        if not _NAME.fullmatch(name):
            text = f"'{name}' is no name that the console takes: letters, digits, `_` and `.`"
            problems.append(Diagnostic("bad-mod-setting", text, file.span((name,))))
        elif isinstance(value, float) and not math.isfinite(value):
            text = f"the variable '{name}' is {value}, which is no number that scripts can use"
            problems.append(Diagnostic("bad-mod-setting", text, file.span((name,))))
        elif isinstance(value, bool):
            found[name.lower()] = str(int(value))
        elif isinstance(value, str | int | float):
            found[name.lower()] = str(value)
        else:
            text = f"the variable '{name}' takes a text, a number, true or false"
            problems.append(Diagnostic("bad-mod-setting", text, file.span((name,))))
    if problems:
        raise DiagnosticError(problems)
    return found

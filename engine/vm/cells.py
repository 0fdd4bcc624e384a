"""What function values run: the code of a unit over a namespace."""

from __future__ import annotations

from collections.abc import Callable
from types import FunctionType
from typing import Any

from engine.gsc import mangle
from engine.gsc.code import Unit
from engine.vm.values import Function


def install(cell: Function, entry: Callable[..., Any], unit: Unit | None, namespace: dict[str, Any]) -> None:
    """Let a function run `entry`, and its frames go on with the code of the unit that it belongs to, if to any."""
    cell.entry = entry
    cell.unit = unit
    namespace[mangle.code(cell.script, cell.name)] = entry
    if unit is None:
        cell.resumes = ()
    elif unit.tails:
        cell.resumes = tuple(FunctionType(code, namespace, cell.name) for code in unit.tails)
    else:
        cell.resumes = (entry,) * len(unit.sites)
    for site, resume in enumerate(cell.resumes, 1):
        namespace[mangle.resume(cell.script, cell.name, site)] = resume

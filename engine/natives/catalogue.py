"""Every built-in name that scripts of the original game may call, whether the engine has it or not.

The compiler asks here for what the registry does not have, so that a call of something that exists elsewhere
is told from a misspelt name: the first is a run-time error that says so, the second an error at load.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

from engine.gsc.catalogue import Signature
from engine.vm.registry import Registry


@dataclass(frozen=True, slots=True)
class BuiltIn:
    """One row: a function or a method of one group of objects. maximum None means any number of arguments."""

    kind: str
    name: str
    minimum: int
    maximum: int | None
    group: str
    stock: bool
    developer_only: bool


@cache
def built_ins() -> tuple[BuiltIn, ...]:
    """All rows, in the order of the original tables."""
    rows = []
    for line in files("engine.natives").joinpath("builtins.txt").read_text("ascii").splitlines():
        if not line or line.startswith("#"):
            continue
        kind, name, least, most, group, origin, when = line.split()
        rows.append(
            BuiltIn(
                kind, name, int(least), None if most == "*" else int(most), group, origin == "stock",
                when == "developer",
            )
        )  # fmt: skip
    return tuple(rows)


@cache
def _signatures(kind: str) -> dict[str, Signature]:
    """By name; what any of several groups' methods of one name takes."""
    found: dict[str, Signature] = {}
    for row in built_ins():
        if row.kind != kind:
            continue
        other = found.get(row.name)
        if other is None:
            found[row.name] = Signature(row.name, row.minimum, row.maximum, row.stock, implemented=False)
        else:
            most = None if None in (row.maximum, other.maximum) else max(row.maximum or 0, other.maximum or 0)
            found[row.name] = Signature(
                row.name, min(row.minimum, other.minimum), most, row.stock or other.stock, implemented=False
            )
    return found


class Catalogue:
    """The names that exist but are not necessarily there: give it to a VM as `known`."""

    def function(self, name: str) -> Signature | None:
        return _signatures("function").get(name)

    def method(self, name: str) -> Signature | None:
        return _signatures("method").get(name)

    def function_names(self) -> Iterable[str]:
        return _signatures("function").keys()

    def method_names(self) -> Iterable[str]:
        return _signatures("method").keys()


@dataclass(frozen=True, slots=True)
class Coverage:
    """How much of the original's tables a registry has: names by what became of them."""

    implemented: tuple[str, ...]
    missing: tuple[str, ...]
    own: tuple[str, ...]


def coverage(registry: Registry) -> Coverage:
    """Compare a registry with the tables. Methods are shown with a leading dot."""
    here = {*registry.functions, *("." + name for name in registry.methods)}
    known = {("." if row.kind == "method" else "") + row.name for row in built_ins()}
    return Coverage(tuple(sorted(here & known)), tuple(sorted(known - here)), tuple(sorted(here - known)))

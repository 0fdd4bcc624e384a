"""What the compiler asks of its host: which built-ins there are, and where scripts come from."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol, runtime_checkable

from engine.source import SourceText
from engine.source.folder import Folder
from engine.source.paths import canonical


@dataclass(frozen=True, slots=True)
class Signature:
    """One built-in by its lower-case name.

    `minimum` to `maximum` arguments are taken, not counting the object of a method; None for no upper bound.
    `stock` built-ins are those of the original game and win over a function of the same file. One that is
    not `implemented` is known by name only: calling it is a run-time error, or refused where the dialect wants
    every name bound. `why` says in words why it is missing.
    """

    name: str
    minimum: int = 0
    maximum: int | None = None
    stock: bool = True
    implemented: bool = True
    why: str = ""

    def takes(self, count: int) -> bool:
        return self.minimum <= count and (self.maximum is None or count <= self.maximum)

    def wanted(self) -> str:
        """The arguments it takes, in words."""
        if self.maximum is None:
            return f"at least {_count(self.minimum)}"
        if self.minimum == self.maximum:
            return _count(self.minimum)
        return f"{self.minimum} to {_count(self.maximum)}"


def _count(number: int) -> str:
    return "no arguments" if number == 0 else f"{number} argument{'' if number == 1 else 's'}"


@dataclass(frozen=True, slots=True)
class BuiltIn:
    """What the compiler can make use of beside the signature.

    takes   for each parameter the types that are taken as they are, as a bit set of `kinds`
    least   how many of them must be given; the others are undefined then
    gives   the types of the result
    form    how a result comes into the domain of script values: `int`, `bool`, `float`, `vector`, `none`, and anything
            else as it is
    direct  whether the Python function can be called without the wrapper, when the arguments have their types
    """

    takes: tuple[int, ...]
    least: int
    gives: int
    form: str
    direct: bool


class NativeCatalogue(Protocol):
    """The built-ins of a host. Names are lower-case."""

    def function(self, name: str) -> Signature | None: ...

    def method(self, name: str) -> Signature | None: ...


@runtime_checkable
class ListsNatives(Protocol):
    """A catalogue that can also tell its names, for the nearest one to a misspelt."""

    def function_names(self) -> Iterable[str]: ...

    def method_names(self) -> Iterable[str]: ...


@runtime_checkable
class DialectNatives(Protocol):
    """Built-ins that are not the same for every dialect."""

    def of(self, dialect: str) -> NativeCatalogue: ...


class ScriptSearch(Protocol):
    """Where scripts are found, by canonical name."""

    def find(self, name: str) -> SourceText | None: ...


@runtime_checkable
class ListsScripts(Protocol):
    """A search that can also tell the canonical names of all its scripts."""

    def script_names(self) -> Iterable[str]: ...


class FolderSearch:
    """Scripts below some folders; the first that has a name wins. It is for one load: each folder is listed once, and
    what comes into it later is not seen."""

    def __init__(self, *roots: Path) -> None:
        self.roots = roots
        self._folders = [Folder(root) for root in roots]

    def find(self, name: str) -> SourceText | None:
        for root, folder in zip(self.roots, self._folders, strict=True):
            inside = folder.find(name, ".gsc")
            if inside is not None:
                try:
                    return SourceText.read(root / inside)
                except OSError:
                    return None
        return None

    def script_names(self) -> Iterable[str]:
        names: set[str] = set()
        for root in self.roots:
            for path in root.rglob("*.[gG][sS][cC]"):
                names.add(canonical(path.relative_to(root).as_posix()[:-4]))
        return sorted(names)

"""Runs small IW4 programs in a fresh VM without a world."""

from __future__ import annotations

from dataclasses import dataclass, field

from engine.gsc.catalogue import Signature
from engine.gsc.dialect import IW4, UO, Dialect
from engine.gsc.program import Program, load_program
from engine.source import Diagnostic, SourceText
from engine.vm.core import core_registry
from engine.vm.limits import Settings
from engine.vm.machine import VM
from engine.vm.registry import Registry
from engine.vm.strict_natives import strict_registry


class Scripts:
    """A script search over texts by canonical name."""

    def __init__(self, texts: dict[str, str]) -> None:
        self.texts = texts

    def find(self, name: str) -> SourceText | None:
        text = self.texts.get(name)
        return None if text is None else SourceText(f"{name}.gsc", text)


class NoNatives:
    """A catalogue of nothing but logprint."""

    def function(self, name: str) -> Signature | None:
        return Signature(name) if name == "logprint" else None

    def method(self, name: str) -> Signature | None:
        return None


@dataclass
class Run:
    """One VM with its output."""

    vm: VM
    out: list[str] = field(default_factory=list)
    errors: list[Diagnostic] = field(default_factory=list)

    @property
    def lines(self) -> list[str]:
        return "".join(self.out).splitlines()

    @property
    def messages(self) -> list[str]:
        return [error.message for error in self.errors]

    def frames(self, count: int) -> None:
        for _ in range(count):
            self.vm.step(50)


def make(registry: Registry | None = None, **settings: int) -> Run:
    run: Run
    vm = VM(
        core_registry(),
        settings=Settings(**settings),  # type: ignore[arg-type]
        report=lambda d: run.errors.append(d),
        out=lambda text: run.out.append(text),
        dialects={"iw4": (registry or strict_registry(), None)},
    )
    run = Run(vm)
    vm.game_log = vm.out
    return run


def program(run: Run, texts: dict[str, str], uo: frozenset[str] = frozenset()) -> Program:
    """A program of these scripts; those in `uo` are United Offensive's."""

    def dialect(name: str) -> Dialect:
        return UO if name in uo else IW4

    return load_program(list(texts), Scripts(texts), run.vm.natives, dialect=dialect)


def play(text: str, frames: int = 20, **settings: int) -> Run:
    """Run `main` of one script."""
    run = make(**settings)
    run.vm.link(program(run, {"main": text}))
    run.vm.start("main::main")
    run.frames(frames)
    return run

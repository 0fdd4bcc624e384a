"""Runs small GSC programs in a fresh VM and keeps what they print and what goes wrong."""

from __future__ import annotations

from dataclasses import dataclass, field

from engine.gsc.program import Program, load_program
from engine.source import Diagnostic, SourceText
from engine.vm.core import core_registry
from engine.vm.errors import Policy
from engine.vm.limits import Settings
from engine.vm.machine import VM
from engine.vm.registry import Registry


class Scripts:
    """A script search over texts by canonical name."""

    def __init__(self, **texts: str) -> None:
        self.texts = texts

    def find(self, name: str) -> SourceText | None:
        text = self.texts.get(name)
        return None if text is None else SourceText(f"{name}.gsc", text)


@dataclass
class Run:
    """One VM with its output."""

    vm: VM
    out: list[str] = field(default_factory=list)
    errors: list[Diagnostic] = field(default_factory=list)

    @property
    def text(self) -> str:
        return "".join(self.out)

    @property
    def lines(self) -> list[str]:
        return self.text.splitlines()

    @property
    def messages(self) -> list[str]:
        return [error.message for error in self.errors]

    @property
    def places(self) -> list[tuple[int, int]]:
        return [(e.span.line, e.span.col) for e in self.errors if e.span is not None]

    def program(self, **scripts: str) -> Program:
        return load_program(
            ["main"], Scripts(**scripts), self.vm.natives, developer=self.vm.settings.developer
        )

    def frames(self, count: int) -> None:
        for _ in range(count):
            self.vm.time += 50
            self.vm.advance(50)
            self.vm.drain()


def make(
    policy: str = "stop", registry: Registry | None = None, services: tuple[object, ...] = (), **settings: int
) -> Run:
    """A VM without a program. If a budget is asked for, there is no more before the first frame than in any other."""
    run: Run
    if "budget" in settings or "frame_budget" in settings:
        settings.setdefault("loading_budget", 0)
    vm = VM(
        registry or core_registry(),
        settings=Settings(on_error=Policy(policy), **settings),  # type: ignore[arg-type]
        services=services,
        report=lambda d: run.errors.append(d),
        out=lambda text: run.out.append(text),
    )
    run = Run(vm)
    return run


def play(text: str, policy: str = "stop", frames: int = 100, **settings: int) -> Run:
    """Run `main` of a script for up to so many frames."""
    run = make(policy, **settings)
    run.vm.link(run.program(main=text))
    run.vm.start("main::main")
    run.vm.drain()
    while frames and not run.vm.idle:
        run.frames(1)
        frames -= 1
    return run


def body(statements: str, policy: str = "stop", **settings: int) -> Run:
    """Run some statements as the body of `main`."""
    return play("main()\n{\n" + statements + "\n}\n", policy, **settings)

"""One program through the engine and through the reference: same output, same errors at the same places."""

from __future__ import annotations

import sys
from collections.abc import Callable, Container, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import dataclass
from functools import partial
from unittest.mock import patch

from engine.gsc import emit_base, emitter, vectors
from engine.gsc.callgraph import dependencies
from engine.gsc.code import Unit, make_unit
from engine.gsc.dialect import IW4, UO, Dialect
from engine.gsc.emit_natives import Natives
from engine.gsc.inference import Inference, Masks
from engine.gsc.kinds import ANY
from engine.gsc.parse_cache import ParseCache
from engine.gsc.program import Program, load_program
from engine.gsc.spans import WHOLE
from engine.gsc.suspension import Behaviour, Key, Leaves
from engine.source import Diagnostic, SourceText
from engine.vm import strict
from engine.vm.core import core_registry
from engine.vm.errors import Policy
from engine.vm.limits import Settings
from engine.vm.machine import VM
from engine.vm.objects import ScriptObject
from engine.vm.operators import type_name
from engine.vm.registry import Registry
from engine.vm.strict_natives import strict_registry
from engine.vm.values import Localized, Value
from tests.reference.interpreter import Interpreter
from tests.reference.machine import Report
from tests.reference.natives import NATIVES
from tests.reference.strict_interpreter import StrictInterpreter
from tests.reference.strict_natives import STRICT_NATIVES
from tests.reference.values import MAX_STRING

FRAMES = 60
RECURSION = 12_000
"""The reference nests generators, several for each call of a script."""


@dataclass(frozen=True)
class Difference:
    """What the two disagree on first. `what` is `output` or `error`."""

    what: str
    engine: object
    reference: object

    def __str__(self) -> str:
        return f"{self.what}\n  engine:    {self.engine}\n  reference: {self.reference}"


class Scripts:
    """Scripts by canonical name, as the loader asks for them."""

    def __init__(self, texts: Mapping[str, str]) -> None:
        self.texts = texts

    def find(self, name: str) -> SourceText | None:
        text = self.texts.get(name)
        return None if text is None else SourceText(f"{name}.gsc", text)


def shared_registry() -> Registry:
    """The engine's natives that the reference has too, and two that only the comparison has."""
    registry = Registry()
    functions = core_registry().functions
    registry.functions.update({name: functions[name] for name in NATIVES if name in functions})
    println = functions["println"].function

    @registry.function(pure=True)
    def trace(vm: VM, *parts: Value) -> None:
        """println that is not developer code."""
        println(vm, *parts)

    @registry.function()
    def free(vm: VM, target: ScriptObject) -> None:
        """End an object, as the world does with an entity; the globals stay."""
        if target is not vm.level and target is not vm.anim:
            vm.free(target)

    return registry


def strict_shared_registry() -> Registry:
    """The same for Modern Warfare 2."""
    registry = Registry()
    functions = strict_registry().functions
    registry.functions.update({name: functions[name] for name in STRICT_NATIVES if name in functions})
    registry.functions["free"] = REGISTRY.functions["free"]

    @registry.function(pure=True)
    def trace(vm: VM, *parts: Value) -> None:
        """A line of any values, those without a text by their type."""
        textual = (str, int, float, tuple)
        texts = [p.key if isinstance(p, Localized) else strict.to_text(p) if p.__class__ in textual else type_name(p)
                 for p in parts]  # fmt: skip
        vm.out("".join(texts) + "\n")

    return registry


REGISTRY = shared_registry()
STRICT_REGISTRY = strict_shared_registry()


def without_vectors() -> AbstractContextManager[object]:
    return patch.object(emit_base, "vectors", lambda inference: {})


@contextmanager
def without_types() -> Iterator[None]:
    """Nor with vectors in three parts: for these the emitter has to know that nothing else is ever put there."""
    with patch.object(Inference, "read", lambda *_: ANY), without_vectors():
        yield


OPTIMISATIONS: Mapping[str, Callable[[], AbstractContextManager[object]]] = {
    "": nullcontext,
    "types": without_types,
    "bounds": lambda: patch.object(Inference, "span_at", lambda *_: WHOLE),
    "direct": lambda: patch.object(Natives, "direct", lambda *_: None),
    "vectors": without_vectors,
    "whole vectors": lambda: patch.object(vectors, "gains", lambda _, sure: dict.fromkeys(sure, 1)),
    "versions": lambda: patch.object(Leaves, "get", lambda *_: None),
    "tails": lambda: patch.object(emitter, "MAX_TAILS", 0),
    "short tails": lambda: patch.multiple(emitter, MAX_TAILS=1 << 20, SHORT=1 << 20),
}
"""What the compiler can do without, each with the way to switch it off. Without whole vectors every one that may
stand in three parts does; without short tails every site gets code of its own, however much that is."""
UNITS: dict[object, Unit] = {}
"""Compiled functions by what they were compiled from: generated programs have a part in common."""
MAX_UNITS = 4000
PARSED = ParseCache()
"""Likewise for scripts that programs have in common."""


def make(
    without: str,
    program: Program,
    key: Key,
    behaviour: Behaviour,
    recovers: bool,
    masks: Masks | None = None,
) -> Unit:
    """A compiled function, kept as the cache on disk keeps it; `without` one of the `OPTIMISATIONS`."""
    script = program.scripts[key[0]]
    function = script.functions[key[1]]
    text = script.source.text[function.start : function.end]
    known = (
        key,
        function.rules.name,
        function.start,
        text,
        dependencies(key, script.deeds[key[1]], behaviour),
        recovers,
        behaviour.developer,
        without,
        masks,
    )
    if len(UNITS) > MAX_UNITS:
        UNITS.clear()
    if known not in UNITS:
        with OPTIMISATIONS[without]():
            UNITS[known] = make_unit(program, key, behaviour, recovers, masks)
    return UNITS[known]


def new_vm(policy: str, developer: bool, errors: list[Diagnostic], out: list[str], without: str = "") -> VM:
    settings = Settings(
        on_error=Policy(policy), developer=developer, max_string=MAX_STRING, max_variables=10**9
    )
    make_one = partial(make, without)
    dialects = {IW4.name: (STRICT_REGISTRY, None)}
    vm = VM(
        REGISTRY, settings=settings, report=errors.append, out=out.append, make=make_one, dialects=dialects
    )
    vm.game_log = out.append
    return vm


def load(texts: Mapping[str, str], vm: VM, dialect: Dialect = UO) -> Program:
    """The bound program. Raises `DiagnosticError` for one that does not compile."""
    return load_program(
        ["main"], Scripts(texts), vm.natives, dialect=dialect, developer=vm.settings.developer, cache=PARSED
    )


def by_engine(vm: VM, program: Program, successors: Iterator[VM], saves: Container[int] = ()) -> None:
    """Run a program. In the frames of `saves` the state is saved, and the run goes on in the next of `successors`."""
    vm.link(program)
    vm.start("main::main")
    vm.drain()
    for frame in range(FRAMES):
        if vm.idle:
            return
        if frame in saves:
            state, reporter = vm.snapshot(), vm.reporter
            vm = next(successors)
            vm.link(program)
            vm.restore(state)
            # What was reported before is not again.
            vm.reporter = reporter
        vm.time += 50
        vm.advance(50)
        vm.drain()


@contextmanager
def deep_recursion() -> Iterator[None]:
    before = sys.getrecursionlimit()
    sys.setrecursionlimit(max(before, RECURSION))
    try:
        yield
    finally:
        sys.setrecursionlimit(before)


def as_report(error: Diagnostic) -> Report:
    span = error.span
    stack = tuple((e.function, e.span.start if e.span else -1) for e in error.stack)
    return Report(error.message, (span.start, span.end) if span else (-1, -1), stack)


def compare(
    texts: Mapping[str, str],
    policy: str = "stop",
    developer: bool = True,
    saves: Container[int] = (),
    without: str = "",
    dialect: Dialect = UO,
) -> Difference | None:
    """The first difference, or None. Raises `GivenUp` for a program that is not worth running.

    In the frames of `saves` the engine's state is saved and restored in a fresh VM. `without` is one of the
    `OPTIMISATIONS`, to be left out."""
    errors: list[Diagnostic] = []
    out: list[str] = []
    vms = iter(lambda: new_vm(policy, developer, errors, out, without), None)
    vm = next(vms)
    program = load(texts, vm, dialect)
    reference = (
        StrictInterpreter(program, goes_on=policy == "continue")
        if dialect.rules.strict
        else Interpreter(program, goes_on=policy == "continue", developer=developer)
    )
    with deep_recursion():
        reference.play("main", "main", FRAMES)
    by_engine(vm, program, vms, saves)
    return first_difference("".join(out).split("\n"), "".join(reference.out).split("\n"), "output") or (
        first_difference([as_report(e) for e in errors], reference.reports, "error")
    )


def first_difference(engine: Sequence[object], reference: Sequence[object], what: str) -> Difference | None:
    for ours, theirs in zip([*engine, None], [*reference, None], strict=False):
        if ours != theirs:
            return Difference(what, ours, theirs)
    return None

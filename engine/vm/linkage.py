"""A linked program: function values with the code that they run, emitted and compiled when first called."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from types import FunctionType
from typing import Any

from engine.gsc import mangle
from engine.gsc.catalogue import NativeCatalogue
from engine.gsc.code import Make, TooDeep, Unit, make_unit
from engine.gsc.program import Program
from engine.gsc.suspension import Behaviour, Key, analyse
from engine.vm.errors import ScriptError
from engine.vm.objects import declare_fields
from engine.vm.registry import Registry
from engine.vm.trace import CodeMap
from engine.vm.values import Animation, Function
from engine.vm.wrappers import bind, bind_methods


@dataclass(frozen=True, slots=True)
class Linked:
    """A program with the facts that its code is emitted by."""

    program: Program
    behaviour: Behaviour


class Linker:
    """Owns the namespace of emitted code and every `Function` cell."""

    def __init__(
        self,
        registry: Registry,
        known: NativeCatalogue | None,
        services: Mapping[type, Any],
        namespace: dict[str, Any],
        recover: Callable[[Callable[..., Any]], Callable[..., Any]] | None,
        make: Make = make_unit,
    ) -> None:
        self.registry = registry
        self.known = known
        self.services = services
        self.namespace = namespace
        self.recover = recover
        self.make = make
        self.codes = CodeMap()
        self.functions: dict[Key, Function] = {}
        self.linked: Linked | None = None

    # ---- linking ---------------------------------------------------------------------------------------

    def link(self, program: Program, animations: Mapping[tuple[str, str], Animation]) -> None:
        """Let every function value run the code of `program`; nothing is compiled yet."""
        behaviour = analyse(
            program.scripts.values(),
            lambda native: self.registry.is_pure(native.name, native.method),
            developer=program.developer,
            developer_natives=program.dialect.developer_natives,
        )
        self.linked = Linked(program, behaviour)
        live: set[Key] = set()
        for script in program.scripts.values():
            for function in script.functions.values():
                key = (script.name, function.name)
                live.add(key)
                cell = self.functions.get(key)
                if cell is None:
                    cell = self.functions[key] = Function(*key)
                    self.namespace[mangle.function(*key)] = cell
                cell.params = tuple(function.params)
                cell.arity = len(function.params)
                self._install(cell, self._lazy(cell), None)
        for key, cell in self.functions.items():
            if key not in live:
                self._install(cell, _gone(cell), None)
        for (tree, name), animation in animations.items():
            self.namespace[mangle.animation(tree, name)] = animation
        for number, tree in enumerate(program.trees, 1):
            self.namespace[mangle.tree(tree)] = number

    def exists(self, function: Function) -> bool:
        """Whether the linked program still has a function."""
        program = self.linked.program if self.linked else None
        return program is not None and program.function(function.script, function.name) is not None

    def compile(self, cell: Function) -> Unit:
        """The unit of a function, compiled now if it was not yet."""
        unit: Unit | None = cell.unit
        if unit is None:
            assert self.linked is not None
            program, behaviour = self.linked.program, self.linked.behaviour
            try:
                unit = self.make(program, (cell.script, cell.name), behaviour, self.recover is not None)
            except TooDeep:
                script = program.scripts[cell.script]
                at = script.functions[cell.name].name_start
                raise ScriptError(
                    f"function '{cell.name}' is nested too deeply to be compiled",
                    code="too-deep",
                    span=script.source.span(at, at + len(cell.name)),
                ) from None
            self._bind_names(unit.code.co_names)
            self.namespace.update(unit.tables)
            entry = FunctionType(unit.code, self.namespace, cell.name, (None,) * cell.arity or None)
            self.codes.add(unit.code, cell, program.scripts[cell.script].source)
            self._install(cell, entry, unit)
        return unit

    def prune(self, kept: Iterable[int]) -> None:
        """Forget code that no function runs any more, except the code objects with these ids."""
        keep = set(kept)
        for known, compiled in list(self.codes.known.items()):
            unit = compiled.function.unit
            if known not in keep and (unit is None or unit.code is not compiled.code):
                del self.codes.known[known]

    def _install(self, cell: Function, entry: Callable[..., Any], unit: Unit | None) -> None:
        cell.entry = entry
        cell.unit = unit
        self.namespace[mangle.code(cell.script, cell.name)] = entry

    def _lazy(self, cell: Function) -> Callable[..., Any]:
        def first_call(*args: Any) -> Any:
            self.compile(cell)
            return cell.entry(*args)

        return first_call

    # ---- natives ---------------------------------------------------------------------------------------

    def _bind_names(self, names: Iterable[str]) -> None:
        """Give a unit what it refers to: natives, and fields that no unit has named before."""
        fields: list[str] = []
        for name in names:
            if name.startswith(mangle.FIELD_PREFIX):
                fields.append(name[len(mangle.FIELD_PREFIX) :])
            elif name not in self.namespace:
                if name.startswith(mangle.NATIVE_PREFIX):
                    self.namespace[name] = self._native(name[len(mangle.NATIVE_PREFIX) :], False)
                elif name.startswith(mangle.METHOD_PREFIX):
                    self.namespace[name] = self._native(name[len(mangle.METHOD_PREFIX) :], True)
        declare_fields(fields)

    def _native(self, name: str, method: bool) -> Callable[..., Any]:
        if method:
            natives = self.registry.methods.get(name)
            wrapper = bind_methods(natives, self.services) if natives else _missing(name)
        else:
            native = self.registry.functions.get(name)
            wrapper = bind(native, self.services) if native else _missing(name)
        return self.recover(wrapper) if self.recover is not None else wrapper


def _missing(name: str) -> Callable[..., Any]:
    def call(*args: Any) -> Any:
        raise ScriptError(
            f"'{name}' is a stock built-in that is not available here", code="unavailable-native"
        )

    return call


def _gone(cell: Function) -> Callable[..., Any]:
    def call(*args: Any) -> Any:
        raise ScriptError(f"function '{cell}' is not part of the program any more", code="gone")

    return call

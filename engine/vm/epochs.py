"""Replaced programs that threads are still inside of.

A thread that stays on the old code of a function also calls the old code of everything else, so that what it runs is
one coherent program until it returns: an old caller would not know how to wait for a callee that waits only now.
Function values and threads that it starts are those of the running program.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import CodeType
from typing import Any

from engine.gsc import mangle, syntax
from engine.gsc.code import Unit
from engine.gsc.inference import Masks
from engine.gsc.program import Program
from engine.gsc.suspension import Behaviour, Key
from engine.source import SourceText
from engine.vm.cells import install
from engine.vm.values import Function


@dataclass(frozen=True, slots=True)
class Linked:
    """A program with the facts that its code is emitted by."""

    program: Program
    behaviour: Behaviour


class KeptFunction(Function):
    """A function of a replaced program, as frames know it; no script ever holds one."""

    __slots__ = ("epoch",)

    def __init__(self, cell: Function, like: syntax.Function, epoch: Epoch) -> None:
        super().__init__(cell.script, cell.name)
        self.params = tuple(like.params)
        self.arity = len(like.params)
        self.rules = like.rules
        self.account = cell.account
        self.epoch = epoch


MakeVersion = Callable[[Key, Masks], tuple[Unit, Function, SourceText]]
"""Makes the version of a function for certain types, and tells the function that it belongs to, and its source."""
Enter = Callable[[Unit, Function, SourceText, dict[str, Any], MakeVersion], Callable[..., Any]]


class Epoch:
    """A program at the moment before another takes its place.

    `units` is what was compiled then, `namespace` a copy of what its code sees. Nothing is set up before a thread
    really stays; then every function of the old program has its old code in the namespace. It lives as long as a frame
    refers to one of its functions.
    """

    def __init__(
        self,
        linked: Linked,
        namespace: dict[str, Any],
        units: Mapping[Key, Unit],
        cells: Mapping[Key, Function],
        make: Callable[[Key, Masks | None], Unit],
        enter: Enter,
    ) -> None:
        self.linked = linked
        self.namespace = namespace
        self.units = units
        self._cells = cells
        self._make = make
        self._enter = enter
        self._kept: dict[Key, KeptFunction] = {}
        self._versions: list[CodeType] = []

    def keep(self, key: Key) -> KeptFunction:
        """The function that frames on the old code of `key` have from now on."""
        if not self._kept:
            for name in [name for name in self.namespace if name.startswith(mangle.VERSION_PREFIX)]:
                # Those call the functions of the program that runs.
                del self.namespace[name]
            for script in self.linked.program.scripts.values():
                for function in script.functions.values():
                    key_of = (script.name, function.name)
                    self._kept[key_of] = KeptFunction(self._cells[key_of], function, self)
            for cell in self._kept.values():
                self._set_up(cell)
        cell = self._kept[key]
        if cell.unit is None:
            self._compile(cell)
        return cell

    def codes(self) -> list[CodeType]:
        """The code objects that may run."""
        units = [cell.unit for cell in self._kept.values() if cell.unit is not None]
        return [code for unit in units for code in unit.codes] + self._versions

    def _set_up(self, cell: KeptFunction) -> None:
        key = (cell.script, cell.name)
        self.namespace[mangle.running(*key)] = cell
        unit = self.units.get(key)
        if unit is not None:
            self._install(cell, unit)
            return

        def first_call(*args: Any) -> Any:
            self._compile(cell)
            return cell.entry(*args)

        cell.entry = first_call
        self.namespace[mangle.code(*key)] = first_call

    def _compile(self, cell: KeptFunction) -> None:
        self._install(cell, self._make((cell.script, cell.name), None))

    def _version(self, key: Key, masks: Masks) -> tuple[Unit, Function, SourceText]:
        unit = self._make(key, masks)
        self._versions.append(unit.code)
        return unit, self._kept[key], self.linked.program.scripts[key[0]].source

    def _install(self, cell: KeptFunction, unit: Unit) -> None:
        source = self.linked.program.scripts[cell.script].source
        entry = self._enter(unit, cell, source, self.namespace, self._version)
        install(cell, entry, unit, self.namespace)

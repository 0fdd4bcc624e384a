"""A linked program: function values with the code that they run, emitted and compiled when first called."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Set
from contextlib import suppress
from types import CodeType, FunctionType
from typing import Any
from weakref import WeakSet

from engine.gsc import mangle, syntax
from engine.gsc.callgraph import CallGraph
from engine.gsc.catalogue import BuiltIn, NativeCatalogue
from engine.gsc.code import Make, TooDeep, Unit, make_unit
from engine.gsc.inference import Masks
from engine.gsc.program import Program, undisturbed
from engine.gsc.suspension import Key
from engine.source import SourceText, Span
from engine.vm.accounts import Accounts
from engine.vm.budget import Budget
from engine.vm.cells import install
from engine.vm.charges import Counts
from engine.vm.epochs import Epoch, Linked, MakeVersion
from engine.vm.errors import ScriptError
from engine.vm.frames import Suspended
from engine.vm.native import facts_of
from engine.vm.objects import declare_fields
from engine.vm.operators import to_text
from engine.vm.registry import Registry
from engine.vm.trace import CodeMap
from engine.vm.values import Animation, AnimTree, Builtin, Function
from engine.vm.wrappers import bind, bind_direct, bind_methods

LARGE = 10_000
"""Characters of a function that is not compiled when it is first called, as the others are, but before."""


class Linker:
    """Owns the namespace of emitted code and every `Function` cell."""

    def __init__(
        self,
        registry: Registry,
        known: NativeCatalogue | None,
        services: Mapping[type, Any],
        namespace: dict[str, Any],
        recover: Callable[[Callable[..., Any]], Callable[..., Any]] | None,
        make: Make,
        accounts: Accounts,
        budget: Budget,
        spend: Callable[[int], None],
    ) -> None:
        self.registry = registry
        self.known = known
        self.services = services
        self.namespace = namespace
        self.recover = recover
        self.make = make
        self._accounts = accounts
        self._budget = budget
        self._counts = Counts(budget.charge, spend)
        self.codes = CodeMap()
        self.graph = CallGraph(self._is_pure, self._built_in)
        self.functions: dict[Key, Function] = {}
        self.units: dict[Key, Unit] = {}
        """What is compiled of the linked program."""
        self.linked: Linked | None = None
        self.registries: dict[str, Registry] = {}
        """The built-ins of dialects that have their own, by the dialect's name."""
        self.recoveries: dict[str, Callable[[Callable[..., Any]], Callable[..., Any]] | None] = {}
        """How built-ins recover in dialects with an error policy of their own."""
        self.checks: dict[str, Callable[[Callable[..., Any]], Callable[..., Any]]] = {}
        """What is put around built-ins that may notify or end something, in dialects whose calls that can cut."""
        self.texts: dict[str, Callable[[Any], str]] = {}
        """How built-ins that want a string get one from a number, in dialects that write numbers otherwise."""
        self._natives: dict[tuple[str | None, str, bool], Callable[..., Any]] = {}
        self._builtins: dict[str, Builtin] = {}
        self._facts: dict[syntax.NativeFunction, BuiltIn | None] = {}
        self._trees: dict[str, AnimTree] = {}
        self.loose: dict[Key, frozenset[str]] = {}
        """Locals of which no types are believed, since threads brought them from other versions of a function."""
        self._versions: dict[str, Key] = {}
        """Names in the namespace that mean versions of functions of the linked program, with the function of each."""
        self._version_codes: dict[str, CodeType] = {}
        """The code of those that were called."""
        self.epochs: WeakSet[Epoch] = WeakSet()
        """Replaced programs that threads are still inside of."""

    # ---- linking ---------------------------------------------------------------------------------------

    @undisturbed()
    def link(
        self,
        program: Program,
        animations: Mapping[tuple[str, str], Animation],
        waiting: Set[Key] = frozenset(),
    ) -> None:
        """Let every function value run the code of `program`; nothing is compiled yet, and what is compiled already and
        would be the same stays. Threads wait inside older versions of the functions in `waiting`."""
        stale = self.graph.update(
            program.scripts,
            waiting,
            developer=program.developer,
            developer_natives=_developer_natives(program),
        )
        self.linked = Linked(program, self.graph.behaviour)
        self._accounts.forget_scripts()
        for key in [key for key in self.loose if key not in waiting]:
            del self.loose[key]
            stale[key] = None
        for key in stale:
            function = program.function(*key)
            cell = self.functions.get(key)
            if function is None:
                if cell is not None:
                    self._install(cell, gone(cell), None)
                continue
            if cell is None:
                cell = self.functions[key] = Function(*key)
                self.namespace[mangle.function(*key)] = cell
                self.namespace[mangle.running(*key)] = cell
            cell.params = tuple(function.params)
            cell.arity = len(function.params)
            cell.rules = function.rules
            cell.account = self._accounts.of(cell.script)
            self._install(cell, self._lazy(cell), None)
        for name, key in list(self._versions.items()):
            if key in stale:
                # Who still calls it gets what it is now; who could not is compiled again itself.
                self._version_codes.pop(name, None)
                if program.function(*key) is not None:
                    self.namespace[name] = self._lazy_version(name, key, self.namespace, self._version)
                else:
                    del self.namespace[name], self._versions[name]
        for (tree, name), animation in animations.items():
            self.namespace[mangle.animation(tree, name)] = animation
        late = {s.dialect.name for s in program.scripts.values() if s.dialect.rules.late_animations}
        for number, tree in enumerate(program.trees, 1):
            self.namespace[mangle.tree(tree)] = number
            for dialect in late:
                value = self.tree(tree)
                value.number = number
                self.namespace[mangle.of_dialect(mangle.tree(tree), dialect)] = value
        self._compile_large(program)

    def _compile_large(self, program: Program) -> None:
        """Compile now what would take long in the frame in which it is first called."""
        for script in program.scripts.values():
            for function in script.functions.values():
                if function.end - function.start > LARGE and (program.developer or not function.developer):
                    with suppress(ScriptError):
                        # What cannot be compiled is an error where it is called.
                        self.compile(self.functions[script.name, function.name])

    def exists(self, function: Function) -> bool:
        """Whether the linked program still has a function."""
        return self.text_of(function) is not None

    def text_of(self, function: Function) -> tuple[syntax.Function, SourceText] | None:
        """What the linked program has of the name of a function, and the script that it stands in."""
        program = self.linked.program if self.linked else None
        found = program.function(function.script, function.name) if program is not None else None
        return (found, program.scripts[function.script].source) if program is not None and found else None

    def declaration(self, function: Function) -> Span | None:
        """Where the linked program declares a function; None for one that it does not have."""
        text = self.text_of(function)
        if text is None or self.functions.get((function.script, function.name)) is not function:
            return None
        found, source = text
        return source.span(found.name_start, found.name_start + len(found.name))

    def compile(self, cell: Function) -> Unit:
        """The unit of a function, compiled now if it was not yet."""
        unit: Unit | None = cell.unit
        if unit is None:
            assert self.linked is not None
            unit = self._make(self.linked, (cell.script, cell.name), None)
            self._install(cell, self._enter(unit, cell), unit)
        return unit

    def variant(self, cell: Function, loose: frozenset[str]) -> Unit:
        """What a function would be if no types of these locals were believed. Raises `ScriptError` as `compile`."""
        key = (cell.script, cell.name)
        if loose == self.loose.get(key, frozenset()):
            return self.compile(cell)
        assert self.linked is not None
        return self._make(self.linked, key, None, loose)

    def adopt(self, cell: Function, unit: Unit, loose: frozenset[str]) -> None:
        """Let a function run a `variant` of it. No call may stand in what it was."""
        if cell.unit is not unit:
            self._believe(cell, loose)
            self._install(cell, self._enter(unit, cell), unit)

    def _make(
        self, linked: Linked, key: Key, masks: Masks | None, loose: frozenset[str] | None = None
    ) -> Unit:
        """The unit of a function of a program, or of a version of it. Raises `ScriptError` for one that Python cannot
        compile."""
        recovers = self.recover is not None
        if loose is None and linked is self.linked and masks is None:
            loose = self.loose.get(key)
        try:
            if loose:
                return make_unit(linked.program, key, linked.behaviour, recovers, None, loose)
            return self.make(linked.program, key, linked.behaviour, recovers, masks)
        except TooDeep:
            script = linked.program.scripts[key[0]]
            at = script.functions[key[1]].name_start
            raise ScriptError(
                f"function '{key[1]}' is nested too deeply to be compiled",
                code="too-deep",
                span=script.source.span(at, at + len(key[1])),
            ) from None

    def _enter(self, unit: Unit, cell: Function) -> Callable[..., Any]:
        """A unit of the linked program as a Python function."""
        assert self.linked is not None
        source = self.linked.program.scripts[cell.script].source
        self._versions.update(unit.versions)
        return self.enter(unit, cell, source, self.namespace, self._version)

    def _version(self, key: Key, masks: Masks) -> tuple[Unit, Function, SourceText]:
        """The version of a function of the program that is linked when it is first called."""
        assert self.linked is not None
        unit = self._make(self.linked, key, masks)
        self._versions.update(unit.versions)
        return unit, self.functions[key], self.linked.program.scripts[key[0]].source

    def enter(
        self, unit: Unit, cell: Function, source: SourceText, namespace: dict[str, Any], version: MakeVersion
    ) -> Callable[..., Any]:
        """A unit as a Python function over a namespace. The versions that it calls are made when it first does."""
        self._bind_names([name for code in unit.codes for name in code.co_names], namespace)
        namespace.update(unit.tables)
        for name, key in unit.versions:
            if name not in namespace:
                namespace[name] = self._lazy_version(name, key, namespace, version)
        for code in unit.codes:
            # The running program and replaced ones may share code: it counts as the running one's.
            if namespace is self.namespace or id(code) not in self.codes.known:
                self.codes.add(code, cell, source)
        return FunctionType(unit.code, namespace, cell.name, (None,) * unit.arity or None)

    def _lazy_version(
        self, name: str, key: Key, namespace: dict[str, Any], version: MakeVersion
    ) -> Callable[..., Any]:
        def first_call(*args: Any) -> Any:
            unit, cell, source = version(key, mangle.version_masks(name))
            namespace[name] = entry = self.enter(unit, cell, source, namespace, version)
            if namespace is self.namespace:
                self._version_codes[name] = unit.code
            return entry(*args)

        return first_call

    def recompile(self, cell: Function, loose: frozenset[str]) -> Unit:
        """Compile a function again, believing no types of these locals."""
        self._believe(cell, loose)
        self._install(cell, self._lazy(cell), None)
        return self.compile(cell)

    def _believe(self, cell: Function, loose: frozenset[str]) -> None:
        key = (cell.script, cell.name)
        if loose:
            self.loose[key] = loose
        else:
            self.loose.pop(key, None)

    def epoch(self) -> Epoch | None:
        """The program as it is now, for threads that stay inside it when another one is linked."""
        if self.linked is None:
            return None
        linked = self.linked

        def make(key: Key, masks: Masks | None) -> Unit:
            return self._make(linked, key, masks)

        epoch = Epoch(self.linked, dict(self.namespace), dict(self.units), self.functions, make, self.enter)
        self.epochs.add(epoch)
        return epoch

    def set_global(self, name: str, value: Any) -> None:
        """Give all code, also that of replaced programs, another value for one of the emitter's names."""
        self.namespace[name] = value
        for epoch in self.epochs:
            epoch.namespace[name] = value

    def prune(self, kept: Iterable[int]) -> None:
        """Forget code that no function runs any more, except the code objects with these ids."""
        keep = {*kept, *map(id, self._version_codes.values())}
        for known, compiled in list(self.codes.known.items()):
            function = compiled.function
            running = self.functions.get((function.script, function.name)) is function
            codes = function.unit.codes if running and function.unit is not None else ()
            if known in keep or any(code is compiled.code for code in codes):
                continue
            del self.codes.known[known]

    def _install(self, cell: Function, entry: Callable[..., Any], unit: Unit | None) -> None:
        install(cell, entry, unit, self.namespace)
        if unit is not None:
            self.units[cell.script, cell.name] = unit
        else:
            self.units.pop((cell.script, cell.name), None)

    def _lazy(self, cell: Function) -> Callable[..., Any]:
        def first_call(*args: Any) -> Any:
            self.compile(cell)
            return cell.entry(*args)

        return first_call

    # ---- natives ---------------------------------------------------------------------------------------

    def _bind_names(self, names: Iterable[str], namespace: dict[str, Any]) -> None:
        """Give a unit what it refers to: natives, and fields that no unit has named before."""
        fields: list[str] = []
        for name in names:
            if name.startswith(mangle.FIELD_PREFIX):
                fields.append(name[len(mangle.FIELD_PREFIX) :])
            elif name not in namespace:
                dialect, own = mangle.dialect_of(name)
                if name.startswith(mangle.TICKS_PREFIX):
                    namespace[name] = self._budget.ticks(int(name[len(mangle.TICKS_PREFIX) :]))
                elif name.startswith(mangle.LATER_PREFIX):
                    namespace[name] = Suspended(int(name[len(mangle.LATER_PREFIX) :]))
                elif own.startswith(mangle.NATIVE_PREFIX):
                    namespace[name] = self.native(own[len(mangle.NATIVE_PREFIX) :], False, dialect)
                elif own.startswith(mangle.METHOD_PREFIX):
                    namespace[name] = self.native(own[len(mangle.METHOD_PREFIX) :], True, dialect)
                elif own.startswith(mangle.NATIVE_VALUE_PREFIX):
                    namespace[name] = self.builtin(own[len(mangle.NATIVE_VALUE_PREFIX) :])
                elif own.startswith(mangle.DIRECT_PREFIX):
                    function = self.registry.functions[own[len(mangle.DIRECT_PREFIX) :]]
                    namespace[name] = bind_direct(function, self.services)
                elif own.startswith(mangle.DIRECT_METHOD_PREFIX):
                    (method,) = self.registry.methods[own[len(mangle.DIRECT_METHOD_PREFIX) :]]
                    namespace[name] = bind_direct(method, self.services)
                elif own.startswith(mangle.RECEIVER_PREFIX):
                    (method,) = self.registry.methods[own[len(mangle.RECEIVER_PREFIX) :]]
                    namespace[name] = method.receiver
        declare_fields(fields)

    def native(self, name: str, method: bool, dialect: str | None = None) -> Callable[..., Any]:
        """What emitted code of a dialect (None: United Offensive) calls for a built-in."""
        key = (dialect, name, method)
        found = self._natives.get(key)
        if found is None:
            registry = self.registries.get(dialect or "", self.registry)
            counts, text = self._counts, self.texts.get(dialect or "", to_text)
            if method:
                natives = registry.methods.get(name)
                wrapper = bind_methods(natives, self.services, counts, text) if natives else _missing(name)
            else:
                native = registry.functions.get(name)
                wrapper = bind(native, self.services, counts, text) if native else _missing(name)
            check = self.checks.get(dialect or "")
            if check is not None and not registry.is_pure(name, method):
                wrapper = check(wrapper)
            recover = self.recoveries.get(dialect or "", self.recover)
            found = self._natives[key] = recover(wrapper) if recover is not None else wrapper
        return found

    def tree(self, name: str) -> AnimTree:
        """The value of an animation tree: the same object every time."""
        return self._trees.setdefault(name, AnimTree(name))

    def builtin(self, name: str) -> Builtin:
        """The value of a built-in: the same object every time."""
        return self._builtins.setdefault(name, Builtin(name))

    def _built_in(self, native: syntax.NativeFunction) -> BuiltIn | None:
        """What the compiler can make use of; nothing where it is seen at the call which of several is meant."""
        if native not in self._facts:
            if native.method:
                having = self.registry.methods.get(native.name, [])
            else:
                having = [self.registry.functions[n] for n in (native.name,) if n in self.registry.functions]
            self._facts[native] = facts_of(having[0]) if len(having) == 1 else None
        return self._facts[native]

    def _is_pure(self, native: syntax.NativeFunction) -> bool:
        known = [self.registry, *self.registries.values()]
        having = [r for r in known if native.name in (r.methods if native.method else r.functions)]
        return bool(having) and all(r.is_pure(native.name, native.method) for r in having)


def _developer_natives(program: Program) -> frozenset[str]:
    """Built-ins whose calls are developer code, in the dialects that let the user switch that off."""
    dialects = {script.dialect for script in program.scripts.values() if script.dialect.developer}
    return frozenset[str]().union(*(dialect.developer_natives for dialect in dialects))


def _missing(name: str) -> Callable[..., Any]:
    def call(*args: Any) -> Any:
        raise ScriptError(
            f"'{name}' is a stock built-in that is not available here", code="unavailable-native"
        )

    return call


def gone(cell: Function) -> Callable[..., Any]:
    """What a function value runs that has no code."""

    def call(*args: Any) -> Any:
        raise ScriptError(f"function '{cell}' is not part of the program any more", code="gone")

    return call

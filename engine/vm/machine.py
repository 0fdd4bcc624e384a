"""The VM: a linked program, its globals, its threads and its clock. This is what a host embeds.

vm = VM(registry, out=print)
vm.load("game.gsc")
vm.start("main")
vm.step(50)
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterable, Mapping
from functools import partial
from operator import index
from pathlib import Path
from types import MappingProxyType

from engine.gsc.catalogue import FolderSearch, NativeCatalogue
from engine.gsc.code import Make, make_unit
from engine.gsc.dialect import UO, Dialect, Rules
from engine.gsc.mangle import FIELD_PREFIX
from engine.gsc.parse_cache import ParseCache
from engine.gsc.program import Program, load_program
from engine.source import Diagnostic
from engine.source.nearest import did_you_mean
from engine.source.paths import canonical
from engine.source.render import to_text
from engine.vm import scopes, strict
from engine.vm.accounts import Accounts
from engine.vm.arrays import Array
from engine.vm.epochs import Epoch, KeptFunction
from engine.vm.errors import Halted, NoSuchFunction, Policy, Reporter, ScriptError
from engine.vm.events import drop_object
from engine.vm.fates import LinkReport, PolicyOf
from engine.vm.framing import now
from engine.vm.hosted import check_text, from_host
from engine.vm.inspect import Stats, ThreadView, stats, view_thread
from engine.vm.limits import Settings
from engine.vm.linkage import Linker
from engine.vm.migrate import Migration
from engine.vm.objects import DeadEntity, DeadObject, ScriptObject, ScriptStruct
from engine.vm.randomness import Random
from engine.vm.registry import Registry, RegistryCatalogue
from engine.vm.runner import Runner
from engine.vm.scheduler import Scheduler
from engine.vm.snapshot import NoHost, RestoreReport, StateHost, restore, snapshot, state_hash
from engine.vm.strict_support import build_strict, cutting, guarding
from engine.vm.support import build_later, build_namespace, recovering
from engine.vm.tables import Tables
from engine.vm.threads import Thread, new_thread
from engine.vm.trace import Place
from engine.vm.values import Animation, Function, Value
from engine.vm.variables import VariableBudget


class Root:
    """Holds the `game` variable: an array that outlives a level."""

    __slots__ = ("game",)

    def __init__(self) -> None:
        self.game = Array()


class VM:
    """Runs one program. Nothing here reads a clock or shares state with another VM.

    `services` are the host objects that natives ask for by class. `report` gets every run-time error once per
    place and message (default: text on stderr). `out` gets what scripts print (default: stdout). `known` is a
    catalogue of built-ins that exist but are not available here. `make` compiles a function: give it an
    `engine.gsc.cache.UnitCache` to keep compiled code between runs. `dialects` has the built-ins of dialects
    that do not share the registry's, by name, each with its `known`. `owner_of` tells whose a script is by its
    canonical name: budgets and limits of a frame count for each owner. Without it all threads are of one.
    """

    def __init__(
        self,
        registry: Registry,
        *,
        settings: Settings | None = None,
        services: Iterable[object] = (),
        report: Callable[[Diagnostic], None] | None = None,
        out: Callable[[str], object] | None = None,
        known: NativeCatalogue | None = None,
        make: Make = make_unit,
        dialects: Mapping[str, tuple[Registry, NativeCatalogue | None]] | None = None,
        owner_of: Callable[[str], str] | None = None,
    ) -> None:
        self.registry = registry
        self.settings = settings or Settings()
        self.natives = RegistryCatalogue(registry, known)
        self.reporter = Reporter(report or _to_stderr)
        self.game_log: Callable[[str], object] = lambda text: None
        """Gets what scripts write with `logprint`."""
        self.out: Callable[[str], object] = out or sys.stdout.write
        self.level = ScriptStruct()
        self.anim = ScriptStruct()
        self.root = Root()
        self.time = 0
        """Level time in milliseconds: what `gettime` gives."""
        self.start_time = 0
        self.halted = False
        self.cvars: dict[str, str] = {}
        """Console variables by lower-case name."""
        self.tables = Tables(lambda name: ())
        """String tables; a host gives it the files."""
        self.random = Random(self.settings.seed)
        self.object_classes: set[type] = {ScriptStruct}
        """Classes of objects that were seen alive."""
        self.state_host: StateHost = NoHost()
        """Saves what a host has beside the VM; a host with objects of its own sets it."""
        self.accounts = Accounts(owner_of)
        self.scheduler = Scheduler()
        self.variables = VariableBudget(self)
        self.runner = Runner(self)
        recovers = self.policy(UO.rules) is Policy.CONTINUE
        namespace = build_namespace(self, recovers)
        namespace["OBJECTS"] = self.object_classes
        self.linker = Linker(
            registry,
            known,
            _by_class(registry, self, services),
            namespace,
            (lambda helper: recovering(self, helper)) if recovers else None,
            make,
            self.accounts,
            self.runner.budget,
            self.variables.spend,
        )
        self._dialects = {UO.name}
        for name, (other, unavailable) in (dialects or {}).items():
            self.linker.registries[name] = other
            self.natives.others[name] = RegistryCatalogue(other, unavailable)
        self.program: Program | None = None
        self._keeps_fields = False
        """Whether code runs here that may read objects after their end."""
        self._parsed = ParseCache()
        self._loaded: list[str] = []
        self._roots: list[Path] = []

    # ---- programs --------------------------------------------------------------------------------------

    def load(self, path: str | Path, root: str | Path | None = None, dialect: Dialect = UO) -> str:
        """Load a script file with everything that it refers to, beside what was loaded before.

        Other scripts are found below `root` (default: the file's folder). Returns the script's canonical name. Raises
        `DiagnosticError` with every error found, OSError if the file cannot be read, ValueError for one that is not
        below `root`.
        """
        path = Path(path)
        base = Path(root) if root is not None else path.parent
        with path.open("rb"):
            pass
        # Either may be given from the folder that the program was started in.
        below = Path(os.path.abspath(path))
        if not below.is_relative_to(os.path.abspath(base)):
            raise ValueError(f"{path} is not below {base}, and its name is the way to it from there")
        name = canonical(below.relative_to(os.path.abspath(base)).with_suffix("").as_posix())
        roots = [*self._roots, *([base] if base not in self._roots else [])]
        entries = list(dict.fromkeys([*self._loaded, name]))
        program = load_program(
            entries,
            FolderSearch(*roots),
            self.natives,
            dialect=dialect,
            developer=self.settings.developer,
            cache=self._parsed,
        )
        self.link(program)
        self._roots = roots
        self._loaded = entries
        return name

    def link(
        self,
        program: Program,
        animations: Mapping[tuple[str, str], Animation] = MappingProxyType({}),
        policy: PolicyOf = lambda key: "restart",
    ) -> LinkReport:
        """Swap a program in. Call it between frames, not from a native.

        Function values keep their identity and run the new code. A suspended thread with a changed function on its
        stack goes on at the same place in the new text; `policy` says what becomes of one that has no such place.
        `animations` gives the value of every `%name` by tree and name.
        """
        if not animations:
            animations = {
                (tree, name): Animation(tree, name, number)
                for number, tree in enumerate(program.trees, 1)
                for name in program.animations[tree]
            }
        self.program = program
        self._keeps_fields = any(s.dialect.rules.outlives_self for s in program.scripts.values())
        self._take_up({script.dialect for script in program.scripts.values()})
        before = self.linker.epoch()
        waiting = {
            (frame.function.script, frame.function.name)
            for thread in self.runner.suspended
            for frame in thread.frames
        }
        self.linker.link(program, animations, waiting)
        report = Migration(self, before, policy).run() if before is not None else LinkReport(0)
        self.linker.prune(self._codes_in_use())
        self.runner.faults.forget()
        return report

    def _take_up(self, dialects: Iterable[Dialect]) -> None:
        """Give the names of emitted code their meaning in dialects that were not linked before."""
        for dialect in dialects:
            if dialect.name in self._dialects:
                continue
            self._dialects.add(dialect.name)
            recovers = self.policy(dialect.rules) is Policy.CONTINUE
            helpers = (
                build_strict(self, dialect.rules, recovers)
                if dialect.rules.strict
                else build_later(self, recovers)
            )
            for name, helper in helpers.items():
                self.linker.set_global(name, helper)
            if dialect.rules.strict:
                self.linker.texts[dialect.name] = strict.to_text
            if dialect.rules.scoped_endon:
                self.runner.scoped = True
                self.linker.checks[dialect.name] = partial(cutting, self)
            wrap = guarding if dialect.rules.strict else recovering
            self.linker.recoveries[dialect.name] = partial(wrap, self) if recovers else None

    def _codes_in_use(self) -> set[int]:
        """Ids of code that no function has any more, and that is still run or mentioned as the origin of a thread."""
        used: set[int] = set()
        epochs: set[Epoch] = set()
        for thread in self.runner.suspended:
            origin = thread.origin
            while origin is not None:
                used.add(id(origin.code))
                origin = origin.parent
            epochs |= {f.function.epoch for f in thread.frames if isinstance(f.function, KeptFunction)}
        return used.union(*({id(code) for code in epoch.codes()} for epoch in epochs))

    def restart(self, thread: Thread) -> Thread:
        """End a suspended thread and queue one that begins again from its root function. Returns the new thread. Raises
        `ValueError` for the running one and for one that has ended."""
        if thread.ended:
            raise ValueError(f"{thread!r} has ended: vm.start begins a new one")
        self.end(thread)
        self.runner.started += 1
        fresh = new_thread(
            self.runner.started,
            thread.root_function,
            thread.root_self,
            thread.root_args,
            thread.origin,
            thread.account,
        )
        fresh.on_end = thread.on_end
        for other in self.runner.suspended:
            children = other.bonds.children
            if children and thread in children:
                other.bonds.children = [fresh if child is thread else child for child in children]
        self.runner.keep(fresh)
        self.scheduler.put(fresh, 0)
        return fresh

    def function(self, name: str) -> Function:
        """The function value for `script::name`, or for `name` in the script that was loaded last. Raises
        `NoSuchFunction`, a `KeyError` that says so."""
        script, separator, function = name.rpartition("::")
        if not separator:
            entries = self._loaded or (list(self.program.entries) if self.program else [])
            if not entries:
                raise NoSuchFunction(name, "no script is loaded")
            script = entries[-1]
        found = self.linker.functions.get((canonical(script), function.lower()))
        if found is None or not self.linker.exists(found):
            raise NoSuchFunction(name, self._nearest(canonical(script), function))
        return found

    def _nearest(self, script: str, function: str) -> str | None:
        """What may have been meant by the name of a function that a script has not."""
        every = [cell for cell in self.linker.functions.values() if self.linker.exists(cell)]
        own = [cell.name for cell in every if cell.script == script]
        if not own:
            return did_you_mean(script, {cell.script for cell in every})
        return did_you_mean(function, own)

    def policy(self, rules: Rules) -> Policy:
        """What a run-time error does in code with these rules."""
        settings = self.settings
        return settings.policies.get(rules.name) or settings.on_error or Policy(rules.on_error)

    # ---- running ---------------------------------------------------------------------------------------

    def start(
        self, function: Function | str, self_: ScriptObject | None = None, args: Iterable[Value] = ()
    ) -> Thread:
        """Start a thread and run it at once to its first suspension. `self_` is `level` if None.

        Natives may call it, as the engine's callbacks do; the depth of calls goes on counting. Raises `NoSuchFunction`
        for a name that is none, `TypeError` for what is no function of this VM, a `self_` that is no script object and
        an argument that is no script value, `Halted` after an error whose policy is to halt; what goes wrong in the
        script is told to `report` and raises nothing."""
        if isinstance(function, str):
            function = self.function(function)
        elif not isinstance(function, Function):
            raise TypeError(f"{function!r} is no function of a script")
        elif not isinstance(function, KeptFunction) and (
            self.linker.functions.get((function.script, function.name), function) is not function
        ):
            raise TypeError(f"{function} is a function of another VM")
        if self_ is not None and not isinstance(self_, ScriptObject):
            raise TypeError(f"{self_!r} is no script object, and so no self")
        values = self._given(args, str(function))
        if self.halted:
            raise Halted
        depth = 0
        origin = None
        if self.runner.current is not None:
            depth = self.linker.codes.depth() + max(0, self.runner.current.depth - 1)
            if depth >= self.settings.max_depth:
                raise ScriptError("script stack overflow (too many embedded function calls)", code="limit")
            origin = self.linker.codes.origin(2, self.runner.current)
        else:
            self.runner.serial += 1
        target = self.level if self_ is None else self_
        return self.runner.start(function, target, values, depth, origin)

    def here(self) -> Place | None:
        """Where the script stands that called the running native, None outside of scripts. For natives that remember
        who asked; it costs a microsecond, and its line is worked out when somebody looks."""
        return self.linker.codes.here(2)

    def notify(self, object: ScriptObject, event: str, *args: Value) -> None:
        """Queue who waits for an event and end who has an endon for it. Runs nothing; a dead object is ignored.

        Raises `TypeError` for an object or event that is none, and for an argument that is no script value."""
        if not isinstance(object, ScriptObject):
            raise TypeError(f"{object!r} is no script object")
        if not isinstance(event, str):
            raise TypeError(f"{event!r} is no name of an event")
        check_text(event)
        if not object.dead:
            self.runner.notify(object, event, self._given(args, f"event {event!r}"))

    def _given(self, args: Iterable[Value], receiver: str) -> tuple[Value, ...]:
        """What a host gives to scripts. Several threads may get it: each has an array of its own when it writes."""
        if args.__class__ is not tuple and (isinstance(args, str | Array) or not hasattr(args, "__iter__")):
            raise TypeError(
                f"the arguments of {receiver} are a list or a tuple of values, not one {type(args).__name__}"
            )
        values = []
        for number, value in enumerate(args, 1):
            try:
                values.append(from_host(value, self.settings.max_string))
            except TypeError as error:
                raise TypeError(f"argument {number} of {receiver}: {error}") from None
        return tuple(values)

    def drain(self) -> None:
        """Run what is queued for the present millisecond, until nothing is. Raises `Halted` after an error whose policy
        is to halt, once."""
        if not self.halted:
            self.runner.drain()

    def run_early(self, thread: Thread) -> None:
        """Run one thread that waits for a time to its next suspension, before its time. Raises `ValueError` for one
        that waits for an event or is running."""
        if not self.halted:
            self.runner.run_early(thread)

    def advance(self, ms: int) -> None:
        """Move the clock on by `ms`, running the buckets passed; that of the new time is left to the next drain. Raises
        `TypeError` for a time that is no whole number of milliseconds, `Halted` as `drain` does."""
        ms = max(0, index(ms))
        if not self.halted:
            self.runner.advance(ms)

    def step(self, ms: int = 50) -> None:
        """One frame of a host without a world of its own: what is queued, then everything that is due by the new
        time. Raises `TypeError` for a time that is no whole number of milliseconds."""
        # A host's clock may jump back; time never does.
        ms = max(0, index(ms))
        if self.halted:
            return
        self.time += ms
        try:
            self.drain()
            self.advance(ms)
            self.drain()
        except Halted:
            return

    @property
    def idle(self) -> bool:
        """Whether no thread waits for a time; those that wait for events stay for ever unless the host notifies."""
        return self.scheduler.idle

    # ---- objects ---------------------------------------------------------------------------------------

    def free(self, object: ScriptObject, kind: type[DeadObject] = DeadEntity) -> None:
        """End an object (vm facts, 4.1): its fields go, threads that wait on it end, endons on it are dropped."""
        if object.dead:
            return
        if object.scopes is not None:
            scopes.drop_object(self.runner, object)
        drop_object(object, self.runner.end)
        if self._keeps_fields:
            object.held["kept"] = (now(self), _last_fields(object))
        for name, _ in list(object.fields()):
            object.remove_field(name)
        object.__class__ = kind

    def end(self, thread: Thread) -> None:
        """End a suspended thread. Raises `ValueError` for the running one."""
        if not thread.suspended and not thread.ended:
            raise ValueError(f"{thread!r} is running")
        self.runner.end(thread)

    def new_level(self, *, keep_game: bool) -> None:
        """Drop every thread and the fields of `level` and `anim`, as a new map does. The `game` array stays if asked,
        without what cannot outlive a level: functions, animations and objects."""
        for thread in list(self.runner.suspended):
            self.runner.end(thread)
        for holder in (self.level, self.anim):
            for name, _ in list(holder.fields()):
                holder.remove_field(name)
            holder.waiters = holder.endons = holder.scopes = None
        self.root.game = _persistent(self.root.game) if keep_game else Array()

    # ---- state -----------------------------------------------------------------------------------------

    def snapshot(self) -> bytes:
        """The whole state between two frames, safe to be read from strangers. Raises `TypeError` for an object of a
        class that `state_host` does not know, and for a `time` that is no whole number."""
        self._check_time()
        return snapshot(self)

    def restore(self, data: bytes, *, changed: bool = False) -> RestoreReport:
        """Go on from a snapshot of the same program, or with `changed` of another version of it. What the VM had is
        dropped without notice. Raises `DiagnosticError` for bytes that are no such state, and is as before then."""
        return restore(self, data, changed=changed)

    def state_hash(self) -> str:
        """16 hexadecimal digits, the same for equal states everywhere. Call it between frames."""
        self._check_time()
        return state_hash(self)

    def _check_time(self) -> None:
        # Scripts ask for the time too often for a look at what a host sets it to.
        if self.time.__class__ is not int:
            raise TypeError(f"vm.time is {self.time!r}: level time is a whole number of milliseconds")

    # ---- views -----------------------------------------------------------------------------------------

    def threads(self) -> list[ThreadView]:
        """Every suspended thread, in order of its first wait."""
        return [view_thread(self, thread) for thread in self.runner.suspended]

    def stats(self) -> Stats:
        """Counts of threads, waiters and variables; the last is an exact census."""
        return stats(self)


def _last_fields(object: ScriptObject) -> dict[str, Value]:
    """Every field of an object that ends as scripts read it, those of the engine included. Arrays are shared from then
    on: what is written below such a field is stored in it, and stays when the others go."""
    names = {name for kind in type(object).__mro__ for name in vars(kind) if name.startswith(FIELD_PREFIX)}
    values = {name[len(FIELD_PREFIX) :]: getattr(object, name, None) for name in names}
    kept = {name: value for name, value in (*values.items(), *object.fields()) if value is not None}
    for value in kept.values():
        if value.__class__ is Array:
            value.shared = True
    return kept


def _persistent(array: Array) -> Array:
    """A copy of an array and all arrays inside, without functions, animations and objects."""
    result = Array()
    open_arrays = [(array, result)]
    while open_arrays:
        old, new = open_arrays.pop()
        for key, value in old.items():
            if value.__class__ is Array:
                new[key] = inner = Array()
                open_arrays.append((value, inner))
            elif not isinstance(value, ScriptObject | Function | Animation):
                new[key] = value
    return result


def _to_stderr(diagnostic: Diagnostic) -> None:
    print(to_text(diagnostic), file=sys.stderr)


def _by_class(registry: Registry, vm: VM, services: Iterable[object]) -> dict[type, object]:
    """The instance for every service class of the registry. Raises TypeError for one that is missing."""
    given = list(services)
    found: dict[type, object] = {VM: vm}
    for kind in registry.services:
        instance = next((s for s in given if isinstance(s, kind)), None)
        if instance is None:
            raise TypeError(f"the registry needs a {kind.__name__}, which is not among the services")
        found[kind] = instance
    return found

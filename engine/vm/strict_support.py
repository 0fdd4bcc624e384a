"""The names of emitted code in a strict dialect: the same text as United Offensive's with other meanings behind it.

Names that both have carry the dialect's name in front (`mangle.of_dialect`). Where errors recover, each operation is
wrapped to report and yield undefined; what takes a failed value decides what that means: a condition goes into its
body, a foreach walks nothing, a switch takes its default, a wait goes on at once.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from engine.gsc import mangle
from engine.gsc.dialect import Rules
from engine.vm import containers, strict
from engine.vm.arrays import Array
from engine.vm.census import FREE_ENDONS, LONG_STRING
from engine.vm.charges import (
    building,
    indexing,
    make_by_name,
    make_copied,
    make_long_text,
    measuring,
    pairing,
    reading,
    turning,
)
from engine.vm.errors import Halted, ScriptError
from engine.vm.events import wait_for
from engine.vm.faults import Ended
from engine.vm.framing import frames_of, now
from engine.vm.objects import ScriptObject
from engine.vm.operators import size, switch_value, type_name
from engine.vm.scheduler import CLOCK_MASK
from engine.vm.scopes import Unwound, check_unwinding, end_on, leave
from engine.vm.support import recovering
from engine.vm.threads import Thread, new_thread
from engine.vm.unforeseen import unforeseen
from engine.vm.values import Builtin, Function

if TYPE_CHECKING:
    from engine.vm.machine import VM

Helper = Callable[..., Any]


def build_strict(vm: VM, rules: Rules, recover: bool) -> dict[str, Any]:
    """What a VM's namespace gets for one strict dialect."""

    def wrap(helpers: dict[str, Helper]) -> dict[str, Helper]:
        return {name: recovering(vm, helper) for name, helper in helpers.items()} if recover else helpers

    plain: dict[str, Any] = {**wrap({**_operators(vm), **_fields(vm), **_calls(vm, rules), **_events(vm)})}
    plain |= {name: _falling(helper, result) for name, helper, result in _conditions(vm, wrap)}
    plain |= {"SWITCH": _switch(vm, recover), "KEYS": _falling(wrap({"KEYS": strict.keys})["KEYS"], Array)}
    plain["MAX_DEPTH"] = rules.max_depth
    plain["FIELD_ERRORS"] = (AttributeError, ScriptError) if recover else AttributeError
    plain["UNWOUND"] = Unwound
    return {mangle.of_dialect(name, rules.name): value for name, value in plain.items()}


def cutting(vm: VM, native: Helper) -> Helper:
    """A built-in that may notify, start or end something, after which the thread that called it may be cut."""
    runner = vm.runner

    def call(*args: Any) -> Any:
        result = native(*args)
        check_unwinding(runner.current)
        return result

    return call


def guarding(vm: VM, native: Helper) -> Helper:
    """A built-in whose every failure is an error of its caller, also one that the host did not foresee."""

    def call(*args: Any) -> Any:
        try:
            return native(*args)
        except (Ended, Halted, Unwound):
            raise
        except ScriptError as error:
            if error.fatal:
                raise
            return vm.runner.faults.recovered(error)
        except Exception as error:
            return vm.runner.faults.recovered(unforeseen(error))

    return call


def _conditions(
    vm: VM, wrap: Callable[[dict[str, Helper]], dict[str, Helper]]
) -> list[tuple[str, Helper, Any]]:
    """Tests of a value, with what a failed one counts as: control falls through to what follows."""
    test = wrap({"TRUTH": reading(vm.runner.budget.charge, strict.truth)})["TRUTH"]
    return [("TRUTH", test, 1), ("BOTH", test, 1), ("EITHER", test, 0)]


def _falling(helper: Helper, result: Any) -> Helper:
    def test(value: Any) -> Any:
        found = helper(value)
        if found is not None:
            return found
        return result() if result is Array else result

    return test


def _switch(vm: VM, recover: bool) -> Helper:
    def switch(value: Any, default: int) -> int:
        """The group for a value that no label has: the default, also for what no switch can take."""
        try:
            switch_value(value)
        except ScriptError as error:
            if not recover:
                raise
            vm.runner.faults.recovered(error)
        return default

    return switch


def _operators(vm: VM) -> dict[str, Helper]:
    charge = vm.runner.budget.charge
    long_text = make_long_text(vm)

    def pair(operation: Helper) -> Helper:
        return pairing(charge, operation)

    return {
        "ADD": pair(strict.make_add(LONG_STRING, long_text)),
        "SUB": pair(strict.subtract),
        "MUL": pair(strict.multiply),
        "DIV": pair(strict.divide),
        "MOD": strict.remainder,
        "OR": strict.bit_or,
        "XOR": strict.bit_xor,
        "AND": strict.bit_and,
        "SHL": strict.shift_left,
        "SHR": strict.shift_right,
        "EQ": pair(strict.equal),
        "NE": pair(strict.not_equal),
        "LT": pair(strict.less),
        "GT": pair(strict.greater),
        "LE": pair(strict.less_equal),
        "GE": pair(strict.greater_equal),
        "TO_BOOL": reading(charge, strict.truth),
        "NOT": reading(charge, strict.logical_not),
        "NEGATE": turning(charge, strict.negate),
        "INCREMENT": strict.increment,
        "VECTOR": building(charge, strict.make_vector),
        "SIZE": measuring(charge, size),
        "LONG_TEXT": long_text,
    }


def _fields(vm: VM) -> dict[str, Helper]:
    """Fields, also those of objects that have ended: readable until the frame is over, and writable for ever."""

    def ended_field(owner: ScriptObject, name: str) -> Any:
        attribute = mangle.field(name)
        if attribute in owner.held:
            return owner.held[attribute]
        kept: tuple[int, dict[str, Any]] | None = owner.held.get("kept")
        return kept[1].get(name) if kept is not None and kept[0] == now(vm) else None

    def get_field(owner: Any, name: str) -> Any:
        if isinstance(owner, ScriptObject) and owner.dead:
            return ended_field(owner, name)
        return containers.get_field(owner, name)

    def index(container: Any, key: Any) -> Any:
        if isinstance(container, ScriptObject) and container.dead and key.__class__ is str:
            return ended_field(container, key)
        return strict.index(container, key)

    def set_field(owner: Any, name: str, value: Any) -> None:
        if isinstance(owner, ScriptObject) and owner.dead:
            owner.held[mangle.field(name)] = value
        else:
            containers.set_field(owner, name, value)

    def remove_field(owner: Any, name: str) -> None:
        if isinstance(owner, ScriptObject) and owner.dead:
            owner.held.pop(mangle.field(name), None)
            kept: tuple[int, dict[str, Any]] | None = owner.held.get("kept")
            if kept is not None:
                kept[1].pop(name, None)
        else:
            containers.remove_field(owner, name)

    charge = vm.runner.budget.charge
    copied = make_copied(vm)
    by_name = make_by_name(charge)
    return {
        "INDEX": indexing(charge, index),
        "FIELD": get_field,
        "SET_FIELD": set_field,
        "DEL_FIELD": remove_field,
        "WRITABLE": lambda container: containers.writable(container, copied),
        "ELEMENT": lambda parent, key: containers.element(parent, key, copied, by_name),
        "PUT": containers.make_put(vm.variables.spend, vm.settings.max_array, by_name),
        "REMOVE": indexing(charge, containers.remove),
    }


def _calls(vm: VM, rules: Rules) -> dict[str, Helper]:
    runner = vm.runner
    objects = vm.object_classes

    def receiver(value: Any) -> Any:
        if not isinstance(value, ScriptObject):
            raise ScriptError(f"{type_name(value)} is not an object")
        if not value.dead:
            objects.add(value.__class__)
        return value

    def overflow() -> None:
        raise ScriptError(
            f"more than {rules.max_depth} calls within one another", code="limit", in_caller=True
        )

    def script_function(function: Any) -> Function:
        if function.__class__ is Builtin:
            raise ScriptError(f"'{function.name}' is a built-in: write call [[ ... ]]()")
        if not isinstance(function, Function):
            raise ScriptError(f"{type_name(function)} is not a function")
        return function

    def call(function: Any, self_: Any, depth: int, args: tuple[Any, ...]) -> Any:
        cell = script_function(function)
        return cell.entry(None, self_, depth + 1, *args[: cell.arity])

    def call_on(function: Any, self_: Any, depth: int, args: tuple[Any, ...]) -> Any:
        return call(function, receiver(self_), depth, args)

    def start(function: Any, self_: Any, depth: int, args: tuple[Any, ...], child: bool) -> Any:
        cell = script_function(function)
        runner.budget.start_another()
        if depth + 1 >= rules.max_depth:
            raise ScriptError(f"more than {rules.max_depth} calls within one another", code="limit")
        if len(runner.suspended) >= vm.settings.max_threads:
            runner.too_many_threads()
        for value in args:
            if value.__class__ is Array:
                value.shared = True
        parent: Any = runner.current
        origin = vm.linker.codes.origin(3, parent)
        number = runner.started = runner.started + 1
        thread = new_thread(number, cell, self_, args, origin, parent.account)
        result = runner.begin(thread, depth + 1)
        if child and not thread.ended:
            bonds = parent.own_bonds()
            bonds.children = [t for t in bonds.children or () if not t.ended]
            bonds.children.append(thread)
        check_unwinding(parent)
        return result

    def spawn(function: Any, self_: Any, depth: int, args: tuple[Any, ...]) -> Any:
        return start(function, self_, depth, args, False)

    def spawn_on(function: Any, self_: Any, depth: int, args: tuple[Any, ...]) -> Any:
        return start(function, receiver(self_), depth, args, False)

    def spawn_child(function: Any, self_: Any, depth: int, args: tuple[Any, ...]) -> Any:
        return start(function, self_, depth, args, True)

    def spawn_child_on(function: Any, self_: Any, depth: int, args: tuple[Any, ...]) -> Any:
        return start(function, receiver(self_), depth, args, True)

    def builtin(value: Any, method: bool) -> Callable[..., Any]:
        if value.__class__ is not Builtin:
            raise ScriptError(f"{type_name(value)} is not a built-in")
        catalogue = vm.natives.of(rules.name)
        registry = catalogue.registry
        if value.name not in (registry.methods if method else registry.functions):
            if method and catalogue.method(value.name) is None:
                raise ScriptError(
                    f"'{value.name}' is called on no object: write call [[ ... ]]() without one"
                )
            if not method and catalogue.function(value.name) is None:
                raise ScriptError(f"'{value.name}' is called on an object: write OBJECT call [[ ... ]]()")
        return vm.linker.native(value.name, method, rules.name)

    def call_native(value: Any, args: tuple[Any, ...]) -> Any:
        return builtin(value, False)(*args)

    def call_method(value: Any, args: tuple[Any, ...]) -> Any:
        return builtin(value, True)(*args)

    def caught(unwound: Unwound, depth: int) -> None:
        """What a call yields whose frame was killed; the unwinding goes on where it was meant for one further out."""
        thread = runner.current
        if thread is None or unwound.level != depth + 1 - thread.bonds.base:
            raise unwound
        leave(thread, unwound.level)

    def leave_call(depth: int) -> None:
        thread = runner.current
        if thread is not None:
            leave(thread, depth - thread.bonds.base)

    return {
        "RECEIVER": receiver,
        "OVERFLOW": overflow,
        "CALL": call,
        "CALL_ON": call_on,
        "SPAWN": spawn,
        "SPAWN_ON": spawn_on,
        "SPAWN_CHILD": spawn_child,
        "SPAWN_CHILD_ON": spawn_child_on,
        "CALL_NATIVE": call_native,
        "CALL_METHOD": call_method,
        "CAUGHT": caught,
        "LEAVE": leave_call,
    }


def _events(vm: VM) -> dict[str, Helper]:
    runner = vm.runner
    scheduler = vm.scheduler
    max_endons = vm.settings.max_endons
    spend = vm.variables.spend

    def current() -> Thread:
        """The running thread, which is about to wait. Ends it where an object with its endon has ended."""
        thread = runner.current
        assert thread is not None, "script code runs in a thread"
        if thread.bonds.doomed:
            raise Ended
        return thread

    def check(object: Any, event: Any) -> None:
        if not isinstance(object, ScriptObject) or object.dead:
            raise ScriptError(f"{type_name(object)} is not an object")
        if event.__class__ is not str:
            raise ScriptError(f"the name of an event is a string, not {type_name(event)}")

    def wait(seconds: Any) -> bool:
        frames = frames_of(seconds)
        ms = frames * vm.settings.frame_ms - now(vm, offset=True) if frames else 0
        scheduler.put(current(), ms & CLOCK_MASK)
        return True

    def wait_end() -> bool:
        scheduler.put_last(current())
        return True

    def wait_till(object: Any, event: Any, wanted: int | tuple[Any, ...]) -> bool:
        check(object, event)
        if isinstance(wanted, tuple):
            spend(len(wanted))
        thread = current()
        wait_for(thread, object, event, wanted)
        thread.own_bonds().order = runner.next_order()
        return True

    def notify(object: Any, event: Any, args: tuple[Any, ...]) -> None:
        check(object, event)
        units = runner.notify(object, event, args)
        check_unwinding(runner.current)
        if units:
            runner.budget.charge(units)

    def end_on_(object: Any, event: Any, depth: int) -> None:
        check(object, event)
        thread = runner.current
        assert thread is not None, "script code runs in a thread"
        level = depth - thread.bonds.base
        if end_on(thread, object, event, level, runner.next_order(), max_endons) > FREE_ENDONS:
            spend()

    return {
        "WAIT": wait,
        "WAIT_END": wait_end,
        "WAITTILL": wait_till,
        "NOTIFY": notify,
        "ENDON": end_on_,
    }

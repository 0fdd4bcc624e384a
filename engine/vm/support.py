"""The names that emitted code uses: value classes, operators, and what reaches into the running VM.

Under the policies that end the thread an operator is bound as it is and raises; under `continue` each is
wrapped to report and yield its result. Nothing else may be put here: emitted code can name only this, and the
whitelist test knows the list.
"""

from __future__ import annotations

from collections.abc import Callable
from struct import Struct
from typing import TYPE_CHECKING, Any

from engine.vm import containers, operators
from engine.vm.arrays import Array
from engine.vm.census import FREE_ENDONS, LONG_STRING
from engine.vm.charges import (
    building,
    formatting,
    indexing,
    make_by_name,
    make_copied,
    make_long_text,
    measuring,
    pairing,
    reading,
    turning,
)
from engine.vm.errors import ScriptError
from engine.vm.events import end_on, wait_for
from engine.vm.faults import Ended
from engine.vm.frames import SUSPENDED, WAITING, Frame
from engine.vm.objects import ScriptObject
from engine.vm.operators import type_name
from engine.vm.scheduler import delay
from engine.vm.scopes import check_unwinding
from engine.vm.threads import new_thread
from engine.vm.values import Animation, Builtin, Function, Localized, f32, wrap

if TYPE_CHECKING:
    from engine.vm.machine import VM

Helper = Callable[..., Any]

_THREE_FLOATS = Struct("3f")


def recovering(vm: VM, operation: Helper) -> Helper:
    """`operation` under the policy `continue`."""

    def helper(*args: Any) -> Any:
        try:
            return operation(*args)
        except ScriptError as error:
            if error.fatal:
                raise
            return vm.runner.faults.recovered(error)

    return helper


def build_namespace(vm: VM, recover: bool) -> dict[str, Any]:
    """The globals of emitted code, without the program's own names."""
    fallible = {**_operators(vm), **_calls(vm, recover), **_events(vm)}
    if recover:
        fallible = {name: recovering(vm, helper) for name, helper in fallible.items()}
        # A condition that fails counts as false, and a chain of && and || needs an int to go on with.
        test = fallible["TRUTH"]
        fallible["TRUTH"] = lambda value: test(value) or 0
    defined: set[type] = {int, float, str, tuple, Array, Function, Localized, Animation, Builtin}

    def is_defined(value: Any) -> bool:
        """Whether a value that is not undefined is no object that has ended; the classes of the others are remembered,
        so that the next look is one look-up."""
        if isinstance(value, ScriptObject) and value.dead:
            return False
        defined.add(value.__class__)
        return True

    return {
        "__builtins__": {},
        "INT": int,
        "FLOAT": float,
        "STR": str,
        "TUPLE": tuple,
        "ARRAY": Array,
        "FUNCTION": Function,
        "LOCALIZED": Localized,
        "AttributeError": AttributeError,
        "EVENT_ERRORS": (KeyError, TypeError),
        "FIELD_ERRORS": (AttributeError, ScriptError) if recover else AttributeError,
        "INFINITY": f32(float("inf")),
        "LEN": len,
        "WRAP": wrap,
        "PACK": _THREE_FLOATS.pack,
        "UNPACK": _THREE_FLOATS.unpack,
        "M": memoryview(bytearray(4)).cast("f"),
        "LONG": LONG_STRING,
        "MAX_DEPTH": vm.settings.max_depth,
        "OBJECTS": set(),
        "DEFINED": defined,
        "IS_DEFINED": is_defined,
        "SUSPENDED": SUSPENDED,
        "WAITING": WAITING,
        "FRAME": Frame,
        "DELAY": vm.runner.delay,
        "RUNNER": vm.runner,
        "UNWIND": vm.runner.pending.append,
        "LEVEL": vm.level,
        "ANIM": vm.anim,
        "ROOT": vm.root,
        "END_THREAD": _end_thread,
        **fallible,
    }


def build_later(vm: VM, recover: bool) -> dict[str, Any]:
    """What the namespace gets for dialects with the rules of United Offensive and forms of later games."""

    def wait_end() -> bool:
        assert vm.runner.current is not None, "script code runs in a thread"
        vm.scheduler.put_last(vm.runner.current)
        return True

    helpers: dict[str, Helper] = {
        "NEGATE": turning(vm.runner.budget.charge, operators.negate),
        "WAIT_END": wait_end,
    }
    return {name: recovering(vm, helper) for name, helper in helpers.items()} if recover else helpers


def _end_thread() -> None:
    raise Ended


def _operators(vm: VM) -> dict[str, Helper]:
    charge = vm.runner.budget.charge
    copied = make_copied(vm)
    by_name = make_by_name(charge)
    long_text = make_long_text(vm)

    def pair(operation: Helper) -> Helper:
        return pairing(charge, operation)

    def writable(container: Any) -> Any:
        return containers.writable(container, copied)

    def element(parent: Any, key: Any) -> Any:
        return containers.element(parent, key, copied, by_name)

    def switch(value: Any, default: int) -> int:
        """The group for a value that no label has; a bad value skips the switch."""
        try:
            operators.switch_value(value)
        except ScriptError as error:
            raise ScriptError(error.message, result=1 << 30) from None
        return default

    return {
        "ADD": pair(operators.make_add(LONG_STRING, long_text)),
        "SUB": pair(operators.subtract),
        "MUL": pair(operators.multiply),
        "DIV": pair(operators.divide),
        "MOD": operators.remainder,
        "OR": operators.bit_or,
        "XOR": operators.bit_xor,
        "AND": operators.bit_and,
        "SHL": operators.shift_left,
        "SHR": operators.shift_right,
        "EQ": pair(operators.equal),
        "NE": pair(operators.not_equal),
        "LT": pair(operators.less),
        "GT": pair(operators.greater),
        "LE": pair(operators.less_equal),
        "GE": pair(operators.greater_equal),
        "TRUTH": reading(charge, operators.truth),
        "TO_BOOL": reading(charge, operators.truth),
        "TO_INT": reading(charge, operators.to_int),
        "TO_FLOAT": reading(charge, operators.to_float),
        "TO_STRING": formatting(charge, operators.to_text),
        "COMPLEMENT": operators.complement,
        "INCREMENT": operators.increment,
        "VECTOR": building(charge, operators.make_vector),
        "SIZE": measuring(charge, operators.size),
        "INDEX": indexing(charge, operators.index),
        "SWITCH": switch,
        "LONG_TEXT": long_text,
        "FIELD": containers.get_field,
        "SET_FIELD": containers.set_field,
        "DEL_FIELD": containers.remove_field,
        "WRITABLE": writable,
        "ELEMENT": element,
        "PUT": containers.make_put(vm.variables.spend, vm.settings.max_array, by_name),
        "REMOVE": indexing(charge, containers.remove),
    }


def _calls(vm: VM, recover: bool) -> dict[str, Helper]:
    runner = vm.runner
    objects = vm.object_classes
    suspended = runner.suspended
    max_depth, max_threads = vm.settings.max_depth, vm.settings.max_threads

    def receiver(value: Any) -> Any:
        """Check the explicit self of a call; its class is remembered, so that the next check is one look-up."""
        if not isinstance(value, ScriptObject) or value.dead:
            raise ScriptError(f"{type_name(value)} is not an object")
        objects.add(value.__class__)
        return value

    def overflow() -> None:
        raise ScriptError(
            "script stack overflow (too many embedded function calls)", code="limit", in_caller=True
        )

    def too_deep() -> None:
        raise ScriptError("script stack overflow (too many embedded function calls)", code="limit")

    def too_many() -> None:
        raise ScriptError("function called with too many parameters")

    def call(function: Any, self_: Any, depth: int, args: tuple[Any, ...]) -> Any:
        if function.__class__ is not Function:
            raise ScriptError(f"{type_name(function)} is not a function")
        if len(args) > function.arity:
            runner.too_many_parameters(function, len(args))
            args = args[: function.arity]
        return function.entry(None, self_, depth + 1, *args)

    def call_on(function: Any, self_: Any, depth: int, args: tuple[Any, ...]) -> Any:
        return call(function, receiver(self_), depth, args)

    def spawn(function: Any, self_: Any, depth: int, args: tuple[Any, ...]) -> Any:
        if function.__class__ is not Function:
            raise ScriptError(f"{type_name(function)} is not a function")
        runner.budget.start_another()
        if depth + 1 >= max_depth:
            too_deep()
        if len(suspended) >= max_threads:
            runner.too_many_threads()
        for value in args:
            if value.__class__ is Array:
                value.shared = True
        # Two Python frames up is the script; under recovery there is the wrapper in between.
        parent: Any = runner.current
        origin = vm.linker.codes.origin(2, parent)
        number = runner.started = runner.started + 1
        result = runner.begin(new_thread(number, function, self_, args, origin, parent.account), depth + 1)
        if runner.order:
            check_unwinding(parent)
        return result

    def spawn_on(function: Any, self_: Any, depth: int, args: tuple[Any, ...]) -> Any:
        return spawn(function, receiver(self_), depth, args)

    def start_native(native: Helper, args: tuple[Any, ...]) -> Any:
        return native(*args)

    return {
        "RECEIVER": receiver,
        "OVERFLOW": overflow,
        "TOO_DEEP": too_deep,
        "TOO_MANY": too_many,
        "CALL": call,
        "CALL_ON": call_on,
        "SPAWN": spawn,
        "SPAWN_ON": spawn_on,
        "START_NATIVE": start_native,
    }


def _events(vm: VM) -> dict[str, Helper]:
    runner = vm.runner
    wanted = runner.delay
    classes = vm.object_classes
    max_endons = vm.settings.max_endons
    spend = vm.variables.spend

    def check(object: Any, event: Any) -> None:
        if object.__class__ in classes and event.__class__ is str:
            return
        if not isinstance(object, ScriptObject) or object.dead:
            raise ScriptError(f"{type_name(object)} is not an object")
        if event.__class__ is not str:
            raise ScriptError(f"the name of an event is a string, not {type_name(event)}")
        classes.add(object.__class__)

    read = reading(runner.budget.charge, delay)

    def wait(seconds: Any) -> bool:
        # A text counts by its length, as in a cast; of numbers the statement's own price is all.
        wanted[0] = read(seconds) if seconds.__class__ is str else delay(seconds)
        return True

    def wait_till(object: Any, event: Any, wanted: int | tuple[Any, ...]) -> bool:
        if object.__class__ not in classes or event.__class__ is not str:
            check(object, event)
        if wanted.__class__ is tuple:
            spend(len(wanted))
        thread: Any = runner.current
        wait_for(thread, object, event, wanted)
        return True

    def notify_(object: Any, event: Any, args: tuple[Any, ...]) -> None:
        check(object, event)
        units = runner.notify(object, event, args)
        if units:
            runner.budget.charge(units)
        if runner.order:
            check_unwinding(runner.current)

    def end_on_(object: Any, event: Any) -> None:
        if object.__class__ not in classes or event.__class__ is not str:
            check(object, event)
        thread: Any = runner.current
        end_on(thread, object, event, max_endons)
        if len(thread.endons) > FREE_ENDONS:
            spend()

    return {
        "WAIT": wait,
        "WAITTILL": wait_till,
        "NOTIFY": notify_,
        "ENDON": end_on_,
    }

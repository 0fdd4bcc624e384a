"""What scripts may call: Python functions whose annotations say what is checked.

    registry = Registry(services=(World,))

    @registry.function()
    def distance(a: Vector, b: Vector) -> float: ...

    @registry.method()
    def sethealth(self: Player, world: World, amount: int) -> None: ...

A parameter annotated with `VM` or a service is filled in and is not an argument. The others are `int`, `float`
(takes ints too), `str` (takes ints, floats and vectors, as their text), `Vector`, `Array`, `ScriptObject` or a
class of the host derived from it, `Function`, `Animation`, `Localized`, `Value` (anything), `X | None` with a
default for what may be left out, and `*args: Value` for any number. The first parameter of a method is the
object that it is called on. Any other annotation raises `TypeError` at registration. A native raises
`ScriptError` for a run-time error.
"""

from __future__ import annotations

import inspect
import types
import typing
from collections.abc import Callable, Iterable
from typing import Any

from engine.gsc.catalogue import Signature
from engine.gsc.kinds import ANY, ARRAY, FLOAT, INT, OTHER, STRING, UNDEFINED, VECTOR
from engine.vm.arrays import Array
from engine.vm.native import VALUE_NAMES, Native, Parameter
from engine.vm.objects import ScriptObject
from engine.vm.values import Animation, Function, Localized, Value, Vector


class Registry:
    """The natives of a host. One registry can serve several VMs."""

    def __init__(self, services: Iterable[type] = ()) -> None:
        self.services = tuple(services)
        self.functions: dict[str, Native] = {}
        self.methods: dict[str, list[Native]] = {}

    # ---- registration ----------------------------------------------------------------------------------

    def function(
        self,
        name: str | None = None,
        *,
        stock: bool = True,
        pure: bool = False,
        strict: bool = False,
        exact: bool = False,
        cost: int = 0,
    ) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
        """Register a function under `name` or its own name. `pure`: it ends no object and starts no script. `strict`
        refuses surplus arguments, which are else ignored. `exact`: what it returns is a script value as it is, its ints
        of 32 bits and no bools, its floats and vectors rounded to binary32; nothing looks at it again. `cost` is what
        it takes beside other built-ins, in units of the budget (10 ns); such a call is never made without a wrapper."""
        _not_bare(name, "function")

        def register(function: Callable[..., Any]) -> Callable[..., Any]:
            native = self._describe(function, name, False, stock, pure, strict, exact, cost)
            if native.signature.name in self.functions:
                raise TypeError(f"function {native.signature.name!r} is registered twice")
            self.functions[native.signature.name] = native
            return function

        return register

    def method(
        self,
        name: str | None = None,
        *,
        stock: bool = True,
        pure: bool = False,
        strict: bool = False,
        exact: bool = False,
        cost: int = 0,
    ) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
        """Register a method. The same name may be given to several classes; the first that fits the object is
        called."""
        _not_bare(name, "method")

        def register(function: Callable[..., Any]) -> Callable[..., Any]:
            native = self._describe(function, name, True, stock, pure, strict, exact, cost)
            same = self.methods.setdefault(native.signature.name, [])
            if any(other.receiver is native.receiver for other in same):
                raise TypeError(f"method {native.signature.name!r} is registered twice for one class")
            same.append(native)
            return function

        return register

    def include(self, other: Registry) -> None:
        """Take over everything of another registry."""
        self.services = tuple(dict.fromkeys((*self.services, *other.services)))
        for name, native in other.functions.items():
            if name in self.functions:
                raise TypeError(f"function {name!r} is registered twice")
            self.functions[name] = native
        for name, natives in other.methods.items():
            self.methods.setdefault(name, []).extend(natives)

    def _describe(
        self,
        function: Callable[..., Any],
        name: str | None,
        method: bool,
        stock: bool,
        pure: bool,
        strict: bool,
        exact: bool,
        cost: int,
    ) -> Native:
        label = (name or function.__name__).lower()
        late = (inspect.iscoroutinefunction, inspect.isgeneratorfunction, inspect.isasyncgenfunction)
        if any(is_late(function) for is_late in late):
            raise TypeError(
                f"native {label!r}: no script waits for a coroutine or a generator; return the result"
            )
        try:
            hints = typing.get_type_hints(function, localns=_late_types())
        except NameError as error:
            raise TypeError(f"native {label!r}: {error}; annotate with names of its module") from None
        injected: list[type] = []
        receiver: type[ScriptObject] | None = None
        parameters: list[Parameter] = []
        variadic = False
        for parameter in inspect.signature(function).parameters.values():
            where = f"native {label!r}, parameter {parameter.name!r}"
            if parameter.kind in (parameter.KEYWORD_ONLY, parameter.VAR_KEYWORD):
                raise TypeError(f"{where}: a script passes arguments by position only")
            if parameter.name not in hints:
                raise TypeError(f"{where}: it needs an annotation")
            hint = hints[parameter.name]
            if method and receiver is None:
                if not (isinstance(hint, type) and issubclass(hint, ScriptObject)):
                    raise TypeError(f"{where}: a method's first parameter is a ScriptObject class")
                receiver = hint
            elif self._injects(hint):
                if parameters or variadic:
                    raise TypeError(f"{where}: services come before the arguments")
                injected.append(hint)
            elif parameter.kind is parameter.VAR_POSITIONAL:
                if _kind_of(hint, where) is not None:
                    raise TypeError(
                        f"{where}: any number of arguments is written as *{parameter.name}: Value"
                    )
                variadic = True
            else:
                optional = parameter.default is not parameter.empty
                if parameters and parameters[-1].optional and not optional:
                    raise TypeError(f"{where}: it follows one that may be left out")
                kind, nullable = _optional_kind(hint, where)
                if optional and parameter.default is not None:
                    raise TypeError(f"{where}: its default must be None, for an argument that is left out")
                if nullable and not optional:
                    raise TypeError(f"{where}: X | None needs the default None")
                parameters.append(Parameter(parameter.name, kind, optional, nullable))
        if method and receiver is None:
            raise TypeError(
                f"native {label!r}: a method's first parameter is the object that it is called on"
            )
        least = sum(not p.optional for p in parameters)
        signature = Signature(label, least, None if variadic else len(parameters), stock)
        returns, gives = _return_kind(hints.get("return", Any))
        if exact and returns not in ("none", "any"):
            returns = "plain"
        text = inspect.getdoc(function) or ""
        return Native(
            signature,
            function,
            receiver,
            tuple(injected),
            tuple(parameters),
            variadic,
            returns,
            gives,
            pure,
            strict,
            text,
            cost,
        )

    def _injects(self, hint: Any) -> bool:
        from engine.vm.machine import VM

        return hint is VM or hint in self.services

    # ---- what the compiler asks ------------------------------------------------------------------------

    def signature(self, name: str, method: bool) -> Signature | None:
        return self.method_signature(name) if method else self.function_signature(name)

    def function_signature(self, name: str) -> Signature | None:
        native = self.functions.get(name)
        return native.signature if native else None

    def method_signature(self, name: str) -> Signature | None:
        """Of several classes' methods of one name, what any of them takes."""
        natives = self.methods.get(name)
        if not natives:
            return None
        each = [n.signature for n in natives]
        most = [s.maximum for s in each]
        return Signature(
            name,
            min(s.minimum for s in each),
            None if None in most else max(m for m in most if m is not None),
            any(s.stock for s in each),
        )

    def is_pure(self, name: str, method: bool) -> bool:
        if method:
            natives = self.methods.get(name, [])
            return bool(natives) and all(n.pure for n in natives)
        return name in self.functions and self.functions[name].pure


class RegistryCatalogue:
    """A registry as the compiler's catalogue, in front of one that knows further names."""

    def __init__(self, registry: Registry, known: Any = None) -> None:
        self.registry = registry
        self.known = known
        self.others: dict[str, RegistryCatalogue] = {}

    def function(self, name: str) -> Signature | None:
        found = self.registry.function_signature(name)
        if found is None and self.known is not None:
            found = self.known.function(name)
        return found

    def method(self, name: str) -> Signature | None:
        found = self.registry.method_signature(name)
        if found is None and self.known is not None:
            found = self.known.method(name)
        return found

    def of(self, dialect: str) -> RegistryCatalogue:
        """The built-ins of one dialect: its own registry where it has one."""
        return self.others.get(dialect, self)

    def function_names(self) -> Iterable[str]:
        more = self.known.function_names() if hasattr(self.known, "function_names") else ()
        return {*self.registry.functions, *more}

    def method_names(self) -> Iterable[str]:
        more = self.known.method_names() if hasattr(self.known, "method_names") else ()
        return {*self.registry.methods, *more}


def _not_bare(name: object, decorator: str) -> None:
    """Raise TypeError for a decorator without brackets, whose first argument is the function: it would register
    nothing."""
    if name is not None and not isinstance(name, str):
        raise TypeError(f"write @registry.{decorator}(), with brackets: they take the name and the options")


def _late_types() -> dict[str, Any]:
    from engine.vm.machine import VM

    names = (Animation, Array, Function, Localized, ScriptObject, VM)
    return {**{kind.__name__: kind for kind in names}, "Value": Value, "Vector": Vector}


# ---- annotations -----------------------------------------------------------------------------------------


def _is_value(hint: Any) -> bool:
    return hint is Value or hint is object


def _kind_of(hint: Any, where: str) -> type | None:
    """The class that an annotation asks for, None for anything."""
    if _is_value(hint):
        return None
    if hint == Vector:
        return tuple
    if hint in VALUE_NAMES and hint is not tuple:
        return typing.cast(type, hint)
    if isinstance(hint, type) and issubclass(hint, ScriptObject):
        return hint
    raise TypeError(f"{where}: {hint!r} is no type that a script can pass")


def _optional_kind(hint: Any, where: str) -> tuple[type | None, bool]:
    if isinstance(hint, types.UnionType) or typing.get_origin(hint) is typing.Union:
        options = typing.get_args(hint)
        rest = [o for o in options if o is not types.NoneType]
        if len(rest) == 1 and len(rest) < len(options):
            return _kind_of(rest[0], where), True
    return _kind_of(hint, where), False


_RETURNS: dict[Any, tuple[str, int]] = {
    int: ("int", INT),
    bool: ("bool", INT),
    float: ("float", FLOAT),
    None: ("none", UNDEFINED),
    types.NoneType: ("none", UNDEFINED),
    str: ("plain", STRING),
    Array: ("array", ARRAY),
}


def _return_kind(hint: Any) -> tuple[str, int]:
    """How a result is brought into the domain of script values, and the types that it has there."""
    if hint in _RETURNS:
        return _RETURNS[hint]
    if hint == Vector:
        return "vector", VECTOR
    if isinstance(hint, type) and (issubclass(hint, ScriptObject) or hint in VALUE_NAMES):
        return "plain", ANY if hint is tuple else OTHER | UNDEFINED
    return "any", ANY

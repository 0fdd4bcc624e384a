"""What emitted code calls for a native: its arguments checked, its services filled in, its result converted."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from struct import Struct
from struct import error as StructError
from types import MethodType
from typing import Any

from engine.vm.arrays import Array
from engine.vm.charges import NAME_CHARACTERS, SHORT, Counts, formatting, listing
from engine.vm.errors import ScriptError
from engine.vm.hosted import to_script
from engine.vm.misgiven import misgiven
from engine.vm.native import VALUE_NAMES, Native
from engine.vm.objects import ScriptObject
from engine.vm.operators import to_text, type_name
from engine.vm.values import INT_MAX, INT_MIN, f32, wrap

_MISSING = object()
_THREE_FLOATS = Struct("3f")


def bind(
    native: Native,
    services: Mapping[type, Any],
    counts: Counts,
    text: Callable[[Any], str] = to_text,
) -> Callable[..., Any]:
    """The function that emitted code calls for one native: checks the arguments, fills in the services, converts
    the result. `counts` are told of what costs more than most; `text` writes numbers and vectors where a string is
    wanted.

    The text of it is generated, so that a call costs only the checks that its annotations ask for."""
    counted = listing(counts, to_script)
    scope: dict[str, Any] = {
        "NATIVE": native,
        "ERRORS": (TypeError, ValueError, OverflowError, StructError),
        "MISGIVEN": misgiven,
        "FUNCTION": native.function,
        "MISSING": _MISSING,
        "CONVERT": {**_CONVERT, str: _text_by(formatting(counts.charge, text))},
        "OBJECT": _check_object,
        "RECEIVER": _check_receiver,
        "SURPLUS": _surplus,
        "ABSENT": _absent,
        "ROUNDED": memoryview(bytearray(4)).cast("f"),
        "PACK": _THREE_FLOATS.pack,
        "UNPACK": _THREE_FLOATS.unpack,
        "INT": int,
        "WRAP": wrap,
        "CHARGE": counts.charge,
        "LEN": len,
        "COUNTED": counted,
        "ARRAY": Array,
        "LISTED": _listed(native, counted),
    }
    head: list[str] = []
    body: list[str] = []
    if native.cost:
        body.append(f"CHARGE({native.cost})")
    passed: list[str] = []
    if native.receiver is not None:
        scope["CLASS"] = native.receiver
        head.append("S")
        passed.append("S")
        dead = " or S.dead" if native.receiver is ScriptObject else ""
        body.append(f"if S.__class__ is not CLASS and not ISINSTANCE(S, CLASS){dead}: RECEIVER(S, CLASS)")
        scope["ISINSTANCE"] = isinstance
    for number, service in enumerate(native.injected):
        scope[f"V{number}"] = services[service]
        passed.append(f"V{number}")
    for number, parameter in enumerate(native.parameters, 1):
        name = f"A{number}"
        head.append(f"{name}=MISSING")
        passed.append(name)
        absent = f"if {name} is MISSING: {name} = " + ("None" if parameter.optional else f"ABSENT({number})")
        kind = parameter.kind
        if kind is None:
            body.append(absent)
            continue
        scope[f"K{number}"] = kind
        missing = f"{name} is MISSING or {name} is None" if parameter.nullable else f"{name} is MISSING"
        default = "None" if parameter.optional or parameter.nullable else f"ABSENT({number})"
        if not issubclass(kind, ScriptObject):
            # What is as it should be takes one check.
            body.append(f"if {name}.__class__ is not K{number}:")
            body.append(f"    {name} = {default} if {missing} else CONVERT[K{number}]({name}, {number})")
            if kind is str:
                given = f"{name} is not None and " if parameter.optional or parameter.nullable else ""
                length = f"LEN({name})"
                body.append(f"if {given}{length} > {SHORT}: CHARGE({length} // {NAME_CHARACTERS})")
            continue
        dead = f" or {name}.dead" if kind is ScriptObject else ""
        check = f"elif not ISINSTANCE({name}, K{number}){dead}: OBJECT({name}, K{number}, {number})"
        scope["ISINSTANCE"] = isinstance
        if parameter.nullable:
            absent = f"if {missing}: {name} = None"
        body += [absent, check]
    if native.variadic:
        head.append("*REST")
        passed.append("*REST")
    elif native.strict:
        head.append("*REST")
        body.insert(0, f"if REST: SURPLUS({len(native.parameters)})")
    else:
        head.append("*_")
    call = f"FUNCTION({', '.join(passed)})"
    match native.returns:
        case "float":
            body += _guarded(call, "ROUNDED[0] = R", "return ROUNDED[0]")
        case "bool":
            body.append(f"return 1 if {call} else 0")
        case "int":
            body += _guarded(
                call, f"return R if R.__class__ is INT and {INT_MIN} <= R <= {INT_MAX} else WRAP(R)"
            )
        case "vector":
            # Packing rounds all three at once.
            body += _guarded(call, "return UNPACK(PACK(*R))")
        case "plain":
            body.append(f"return {call}")
        case "array":
            body += [f"R = {call}", "return R if R.__class__ is ARRAY else LISTED(R)"]
        case "none":
            body.append(call)
        case _:
            body += _guarded(call, "return COUNTED(R)")
    source = f"def wrapper({', '.join(head)}):\n" + "".join(f"    {line}\n" for line in body)
    exec(compile(source, f"<native {native.signature.name}>", "exec"), scope)
    wrapper: Callable[..., Any] = scope["wrapper"]
    wrapper.__name__ = native.signature.name
    return wrapper


def bind_direct(native: Native, services: Mapping[type, Any]) -> Callable[..., Any]:
    """The Python function of a native with its services filled in, for code that knows the types of all arguments and
    deals with the result itself."""
    if not native.injected:
        return native.function
    if native.receiver is None and len(native.injected) == 1:
        return MethodType(native.function, services[native.injected[0]])
    given = {f"V{number}": services[service] for number, service in enumerate(native.injected)}
    names = [f"A{number}" for number in range(len(native.parameters))]
    first = ["S"] if native.receiver is not None else []
    text = f"lambda {', '.join([*first, *names])}: FUNCTION({', '.join([*first, *given, *names])})"
    made: Callable[..., Any] = eval(text, {"FUNCTION": native.function, **given})
    return made


def bind_methods(
    natives: list[Native],
    services: Mapping[type, Any],
    counts: Counts,
    text: Callable[[Any], str] = to_text,
) -> Callable[..., Any]:
    """One function for the methods of one name: it picks the first whose class fits the object."""
    if len(natives) == 1:
        return bind(natives[0], services, counts, text)
    choices = [(native.receiver or ScriptObject, bind(native, services, counts, text)) for native in natives]

    def dispatch(receiver: Any, *args: Any) -> Any:
        for kind, wrapper in choices:
            if isinstance(receiver, kind):
                return wrapper(receiver, *args)
        return _check_receiver(receiver, *(kind for kind, _ in choices))

    return dispatch


def _absent(number: int) -> None:
    raise ScriptError(f"parameter {number} does not exist")


def _surplus(most: int) -> None:
    raise ScriptError(f"too many arguments: at most {most} are taken")


def _wrong(value: Any, wanted: str, number: int) -> ScriptError:
    error = ScriptError(f"parameter {number} is {type_name(value)}, not {wanted}")
    error.argument = (number, value)
    return error


def _guarded(call: str, *convert: str) -> list[str]:
    """Lines of a wrapper that bring a result into the domain of script values. A `try` costs nothing until
    something is raised."""
    return [
        f"R = {call}",
        "try:",
        *(f"    {line}" for line in convert),
        "except ERRORS as E: raise MISGIVEN(NATIVE, E, R)",
    ]


def _listed(native: Native, convert: Callable[[Any], Any]) -> Callable[[Any], Any]:
    """What a built-in returned that promises an array, as one: of a list."""

    def to_array(result: Any) -> Any:
        if result.__class__ is not list:
            raise misgiven(native, TypeError(), result)
        try:
            return convert(result)
        except TypeError as error:
            raise misgiven(native, error, result) from None

    return to_array


def _to_float(value: Any, number: int) -> float:
    if value.__class__ is int:
        return f32(value)
    raise _wrong(value, "float", number)


def _text_by(text: Callable[[Any], str]) -> Callable[[Any, int], str]:
    def to_str(value: Any, number: int) -> str:
        if value.__class__ in (int, float, tuple):
            return text(value)
        raise _wrong(value, "string", number)

    return to_str


def _never(kind: type) -> Callable[[Any, int], Any]:
    def refuse(value: Any, number: int) -> Any:
        raise _wrong(value, VALUE_NAMES[kind], number)

    return refuse


_CONVERT: dict[type, Callable[[Any, int], Any]] = {
    **{kind: _never(kind) for kind in VALUE_NAMES},
    float: _to_float,
}


def _check_object(value: Any, kind: type[ScriptObject], number: int) -> None:
    if value is None or not isinstance(value, ScriptObject) or value.dead:
        raise _wrong(value, "an object" if kind is ScriptObject else _one(kind), number)
    raise _wrong(value, _one(kind), number)


def _check_receiver(value: Any, *kinds: type[ScriptObject]) -> None:
    if not isinstance(value, ScriptObject) or value.dead:
        raise ScriptError(f"{type_name(value)} is not an object")
    names = " or ".join(dict.fromkeys(_one(kind) for kind in kinds))
    raise ScriptError(f"{type_name(value)} is not {names}")


def _one(kind: type[ScriptObject]) -> str:
    name = kind.noun or kind.type_name
    return f"an {name}" if name[0] in "aeiou" else f"a {name}"

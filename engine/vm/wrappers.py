"""What emitted code calls for a native: its arguments checked, its services filled in, its result converted."""

from __future__ import annotations

import dis
from collections.abc import Callable, Mapping
from struct import Struct
from struct import error as StructError
from types import FrameType, MethodType
from typing import TYPE_CHECKING, Any

from engine.gsc import mangle
from engine.vm.arrays import KEY_MAX, KEY_MIN, Array
from engine.vm.charges import NAME_CHARACTERS, SHORT, Counts, formatting, listing
from engine.vm.errors import ScriptError
from engine.vm.native import VALUE_NAMES, Native
from engine.vm.objects import ScriptObject
from engine.vm.operators import to_text, type_name
from engine.vm.values import INT_MAX, INT_MIN, Animation, AnimTree, Builtin, Function, Localized, f32, wrap

if TYPE_CHECKING:
    from engine.vm.registry import Registry

ACCEPTED = (
    "None, an int, a float, a str, a tuple of three numbers, an Array, a ScriptObject, a Function, "
    "an Animation or a Localized"
)
"""What Python code may give to scripts, for messages."""

_MISSING = object()
_THREE_FLOATS = Struct("3f")


def to_script(value: Any) -> Any:
    """A native's result as a script value. Raises `TypeError` for what cannot be one, a list that holds itself too. An
    array counts as held by the native too from then on; what is in it is not looked at."""
    kind = value.__class__
    if value is None:
        return value
    if kind is str:
        if not value.isascii():
            check_text(value)
        return value
    if kind is Array:
        value.shared = True
        return value
    if kind is bool:
        return 1 if value else 0
    if kind is int:
        return wrap(value)
    if kind is float:
        return f32(value)
    if kind is tuple and len(value) == 3:
        try:
            return (f32(value[0]), f32(value[1]), f32(value[2]))
        except (ValueError, OverflowError):
            raise TypeError("a part of a vector is beyond what floats can be") from None
    if kind is list:
        try:
            return Array.of(to_script(v) for v in value)
        except RecursionError:
            raise TypeError("a list that holds itself, or others too deeply, is no script value") from None
    if isinstance(value, ScriptObject | Function | Animation | AnimTree | Localized | Builtin):
        return value
    raise TypeError(f"{kind.__name__} is no script value")


def check_text(text: str) -> None:
    """Raise `TypeError` for text that is no script string, which has one character a byte."""
    try:
        text.encode("latin-1")
    except UnicodeEncodeError as error:
        raise TypeError(
            f"{text[error.start]!r} is no character of a script string, which has one a byte, up to 255; "
            "text.encode('latin-1', 'replace').decode('latin-1') writes '?' for it"
        ) from None


def from_host(value: Any, longest: int | None = None) -> Any:
    """What a host gives to scripts of its own accord, as a script value: like a result, but that arrays are looked
    into and, with `longest`, strings are measured. An array that holds what is not yet a script value is replaced by
    one that does; each counts as held elsewhere, so that whoever writes to it has a copy of its own."""
    try:
        return _from_host(value, longest)
    except RecursionError:
        raise TypeError(
            "an array or a list that holds itself, or others too deeply, is no script value"
        ) from None


def _from_host(value: Any, longest: int | None) -> Any:
    kind = value.__class__
    if kind is str and longest is not None and len(value) > longest:
        raise TypeError(f"a text of {len(value)} characters is longer than strings may be, {longest}")
    if kind is not Array and kind is not list:
        return to_script(value)
    entries: dict[int | str, Any] = {}
    for key, old in value.items() if kind is Array else enumerate(value):
        if key.__class__ is str:
            _from_host(key, longest)
        elif key.__class__ is not int or not KEY_MIN <= key <= KEY_MAX:
            raise TypeError(f"{key!r} is no key of an array: text, or an int from {KEY_MIN} to {KEY_MAX}, is")
        try:
            entries[key] = _from_host(old, longest)
        except TypeError as error:
            raise TypeError(f"at [{key!r}]: {error}") from None
    made = value
    if kind is list or not all(_is_same(value[key], new) for key, new in entries.items()):
        made = Array(entries)
    made.shared = True
    return made


def _is_same(old: Any, new: Any) -> bool:
    if new.__class__ is tuple and not all(part.__class__ is float for part in old):
        return False
    return new is old or (new.__class__ is old.__class__ and bool(new == old))


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
        "COUNTED": listing(counts, to_script),
        "ARRAY": Array,
        "LISTED": _listed(native, listing(counts, to_script)),
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


_GIVES = {
    "array": "an Array, or a list of script values",
    "int": "an int",
    "float": "a float",
    "vector": "a tuple of three numbers",
}


def misgiven(native: Native, error: Exception, result: Any = _MISSING) -> ScriptError:
    """What is told of a built-in that returned something which does not become a value of its kind. It ends the
    thread: the fault is none of the script's. Of what was called directly the result may be lost."""
    wanted = _GIVES.get(native.returns)
    given = "something else" if result is _MISSING else f"a Python {type(result).__name__}"
    text = f"built-in '{native.signature.name}' returned {given}"
    text += f", its annotation promises {wanted}" if wanted else f": {error}"
    notes = () if wanted else (f"it may return {ACCEPTED}, a bool, or a list of them",)
    return ScriptError(f"internal error: {text}", code="internal", fatal=True, notes=notes)


def misgiven_directly(
    registry: Registry, error: Exception, frame: FrameType, instruction: int
) -> ScriptError | None:
    """The same where emitted code called a built-in's Python function itself: the conversion of its result belongs to
    the same text of the script as the call. None if the error is another one."""
    last = error.__traceback__
    while last is not None and last.tb_next is not None:
        last = last.tb_next
    if last is None or (last.tb_frame is not frame and last.tb_frame.f_code is not wrap.__code__):
        return None
    places = list(frame.f_code.co_positions())
    native, result = None, _MISSING
    for step in dis.get_instructions(frame.f_code):
        if step.offset > instruction or places[step.offset // 2] != places[instruction // 2]:
            continue
        name = str(step.argval)
        if step.opname == "LOAD_GLOBAL" and name.startswith(mangle.DIRECT_PREFIX):
            native = registry.functions.get(name[len(mangle.DIRECT_PREFIX) :])
        elif step.opname == "LOAD_GLOBAL" and name.startswith(mangle.DIRECT_METHOD_PREFIX):
            native = registry.methods[name[len(mangle.DIRECT_METHOD_PREFIX) :]][0]
        elif step.opname == "STORE_FAST" and native is not None:
            result = frame.f_locals.get(name, _MISSING)
    if native is None or native.returns not in _GIVES:
        return None
    return misgiven(native, error, result)


def refusing(error: ScriptError) -> Native | None:
    """The built-in whose wrapper raised an error, if one did."""
    traceback = error.__traceback__
    while traceback is not None:
        native = traceback.tb_frame.f_globals.get("NATIVE")
        if native.__class__ is Native:
            return native
        traceback = traceback.tb_next
    return None


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

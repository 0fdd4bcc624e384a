"""Values that Python code gives to scripts: brought into their domain, or refused with what may be given."""

from __future__ import annotations

from typing import Any

from engine.vm.arrays import KEY_MAX, KEY_MIN, Array
from engine.vm.objects import ScriptObject
from engine.vm.values import Animation, AnimTree, Builtin, Function, Localized, f32, wrap

ACCEPTED = (
    "None, an int, a float, a str, a tuple of three numbers, an Array, a ScriptObject, a Function, "
    "an Animation or a Localized"
)
"""What Python code may give to scripts, for messages."""


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
        except TypeError:
            raise TypeError("a tuple of three that is no vector: its parts are no numbers") from None
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

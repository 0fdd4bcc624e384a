"""How the attributes of engine objects are saved: codecs, each for one kind of value, that check what they read."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import fields
from enum import IntFlag
from typing import Any, NamedTuple

from engine.vm.heap import HeapIn, HeapOut
from engine.vm.packing import damaged

MAX_ITEMS = 1 << 16


class Codec(NamedTuple):
    """`write` puts a value into bytes, `read` gets it back or raises `Damaged`."""

    write: Callable[[HeapOut, Any], None]
    read: Callable[[HeapIn], Any]


Schema = Mapping[str, Codec]
"""Attributes in the order in which they are saved."""


def write_attributes(schema: Schema, out: HeapOut, owner: object) -> None:
    for name, codec in schema.items():
        codec.write(out, getattr(owner, name))


def read_attributes(schema: Schema, inp: HeapIn) -> dict[str, Any]:
    return {name: codec.read(inp) for name, codec in schema.items()}


FLAG = Codec(lambda out, value: out.flag(value), lambda inp: inp.flag())
TEXT = Codec(lambda out, value: out.text(value), lambda inp: inp.text())
STRING = Codec(lambda out, value: out.text(value), lambda inp: inp.string())
VALUE = Codec(lambda out, value: out.value(value), lambda inp: inp.value())
ARRAY = Codec(lambda out, value: out.object(value), lambda inp: inp.array())


def whole(most: int = 1 << 53) -> Codec:
    """An int from 0."""
    return Codec(lambda out, value: out.whole(value), lambda inp: inp.whole(most))


def number(low: int = -(1 << 53), high: int = 1 << 53) -> Codec:
    return Codec(lambda out, value: out.number(value), lambda inp: inp.number(low, high))


def real(low: float = -1e12, high: float = 1e12) -> Codec:
    """A finite number between two bounds."""

    def read(inp: HeapIn) -> float:
        value = inp.real()
        if not low <= value <= high:
            damaged(f"a number is {value:g}, not between {low:g} and {high:g}")
        return value

    return Codec(lambda out, value: out.real(value), read)


def vector(most: float = 1e9) -> Codec:
    """Three finite numbers, none farther from 0 than `most`."""

    def read(inp: HeapIn) -> tuple[float, float, float]:
        a, b, c = inp.reals()
        if not (-most <= a <= most and -most <= b <= most and -most <= c <= most):
            damaged("a vector is out of bounds")
        return a, b, c

    return Codec(lambda out, value: out.reals(value), read)


def pair(codec: Codec) -> Codec:
    """Two of a kind, as a tuple."""

    def write(out: HeapOut, value: Any) -> None:
        codec.write(out, value[0])
        codec.write(out, value[1])

    return Codec(write, lambda inp: (codec.read(inp), codec.read(inp)))


def optional(codec: Codec) -> Codec:
    def write(out: HeapOut, value: Any) -> None:
        out.flag(value is not None)
        if value is not None:
            codec.write(out, value)

    return Codec(write, lambda inp: codec.read(inp) if inp.flag() else None)


def many(codec: Codec, most: int = MAX_ITEMS) -> Codec:
    """A list."""

    def write(out: HeapOut, value: Any) -> None:
        out.whole(len(value))
        for item in value:
            codec.write(out, item)

    return Codec(write, lambda inp: [codec.read(inp) for _ in range(inp.whole(most))])


def each(*codecs: Codec) -> Codec:
    """A tuple with one item of each."""

    def write(out: HeapOut, value: Any) -> None:
        for codec, item in zip(codecs, value, strict=True):
            codec.write(out, item)

    return Codec(write, lambda inp: tuple([codec.read(inp) for codec in codecs]))


def table(key: Codec, value: Codec, most: int = MAX_ITEMS) -> Codec:
    """A dict in its order."""
    items = many(each(key, value), most)

    def read(inp: HeapIn) -> dict[Any, Any]:
        found = items.read(inp)
        result = dict(found)
        if len(result) != len(found):
            damaged("a table has a key twice")
        return result

    return Codec(lambda out, held: items.write(out, list(held.items())), read)


def sorted_set(codec: Codec) -> Codec:
    """A set, in ascending order: its own order means nothing and differs between runs."""
    items = many(codec)
    return Codec(lambda out, value: items.write(out, sorted(value)), lambda inp: set(items.read(inp)))


def one_of(*choices: str | None) -> Codec:
    """One of these words."""
    numbers = {choice: number for number, choice in enumerate(choices)}
    return Codec(
        lambda out, value: out.whole(numbers[value]), lambda inp: choices[inp.whole(len(choices) - 1)]
    )


def flags(kind: type[IntFlag]) -> Codec:
    every = 0
    for member in kind:
        every |= int(member)

    def read(inp: HeapIn) -> IntFlag:
        value = inp.whole(every)
        if value & ~every:
            damaged(f"{value} is no combination of {kind.__name__}")
        return kind(value)

    return Codec(lambda out, value: out.whole(int(value)), read)


def record(kind: type, check: Callable[[Any], bool] = lambda made: True, /, **schema: Codec) -> Codec:
    """An object of a data class, by its fields. Raises `TypeError` unless all of them are there: one that is forgotten
    would be lost silently."""
    forgotten = {f.name for f in fields(kind)} ^ set(schema)
    if forgotten:
        raise TypeError(f"{kind.__name__} is saved without, or with unknown, {', '.join(sorted(forgotten))}")

    def read(inp: HeapIn) -> Any:
        made = kind(**read_attributes(schema, inp))
        if not check(made):
            damaged(f"an impossible {kind.__name__}")
        return made

    return Codec(lambda out, value: write_attributes(schema, out, value), read)

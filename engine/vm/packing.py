"""Bytes of a saved state: numbers, texts and blobs, written one after another and read with every bound checked.

Whole numbers are little-endian base 128 with a continuation bit; signed ones are folded so that small ones stay
small (0, -1, 1, -2 ...). A real is eight bytes. A text that was there before is its number among the texts, a new one
is the next number with its UTF-8 bytes. So equal states are equal bytes, on every machine and Python.
"""

from __future__ import annotations

import hashlib
import struct
from typing import NoReturn

_REAL = struct.Struct("<d")
_THREE_REALS = struct.Struct("<3d")

MAX_WHOLE = (1 << 64) - 1
MAX_TEXT = 1 << 24
"""Bytes of one text."""


class Damaged(Exception):
    """These bytes are no state that can be taken up; the message says what is wrong, for the user."""


def damaged(message: str) -> NoReturn:
    raise Damaged(message)


def sealed(body: bytes | bytearray, magic: bytes, version: int) -> bytes:
    """What a file has that begins with a magic word, its version in two bytes and a check sum of 16 over the body."""
    return magic + version.to_bytes(2, "little") + hashlib.blake2b(body, digest_size=16).digest() + body


def unsealed(data: bytes, magic: bytes, version: int) -> bytes:
    """The body of what `sealed` has made. Raises `Damaged` for anything else."""
    head = len(magic)
    if data[:head] != magic:
        damaged("it does not begin like one")
    found = int.from_bytes(data[head : head + 2], "little")
    if found != version:
        damaged(f"it has version {found}, and only {version} is known")
    body = data[head + 18 :]
    if hashlib.blake2b(body, digest_size=16).digest() != data[head + 2 : head + 18]:
        damaged("it is incomplete or was changed")
    return body


class Out:
    """Collects bytes in `data`."""

    def __init__(self) -> None:
        self.data = bytearray()
        self._texts: dict[str, int] = {}

    def whole(self, value: int) -> None:
        """An int from 0 to `MAX_WHOLE`."""
        data = self.data
        while value > 127:
            data.append(value & 127 | 128)
            value >>= 7
        # A negative one is a fault of whoever writes, and refused here.
        data.append(value)

    def number(self, value: int) -> None:
        """An int of at most 64 bits with its sign."""
        self.whole(value << 1 if value >= 0 else ~value << 1 | 1)

    def flag(self, value: bool) -> None:
        self.data.append(1 if value else 0)

    def real(self, value: float) -> None:
        self.data += _REAL.pack(value)

    def reals(self, value: tuple[float, float, float]) -> None:
        """Three reals."""
        self.data += _THREE_REALS.pack(*value)

    def text(self, value: str) -> None:
        number = self._texts.get(value)
        if number is not None:
            self.whole(number)
            return
        self.whole(len(self._texts))
        self._texts[value] = len(self._texts)
        self.blob(value.encode("utf-8", "surrogatepass"))

    def blob(self, value: bytes) -> None:
        self.whole(len(value))
        self.data += value


class In:
    """Reads what `Out` wrote. Raises `Damaged` for everything that `Out` would not have written."""

    def __init__(self, data: bytes) -> None:
        self.data = data
        self.at = 0
        self._texts: list[str] = []

    def whole(self, most: int = MAX_WHOLE) -> int:
        """An int from 0 to `most`."""
        data, at = self.data, self.at
        value = shift = 0
        try:
            while True:
                byte = data[at]
                at += 1
                value |= (byte & 127) << shift
                if byte < 128:
                    break
                shift += 7
                if shift > 63:
                    damaged("a number is too long")
        except IndexError:
            damaged("it ends too early")
        if shift and not byte:
            damaged("a number is not in its shortest form")
        if value > most:
            damaged(f"a number is {value}, more than {most}")
        self.at = at
        return value

    def number(self, low: int = -(1 << 63), high: int = (1 << 63) - 1) -> int:
        """An int from `low` to `high`."""
        folded = self.whole()
        value = ~(folded >> 1) if folded & 1 else folded >> 1
        if not low <= value <= high:
            damaged(f"a number is {value}, not between {low} and {high}")
        return value

    def count(self, size: int = 1) -> int:
        """How many items follow, each of at least `size` bytes."""
        return self.whole((len(self.data) - self.at) // size)

    def flag(self) -> bool:
        return self.whole(1) == 1

    def real(self) -> float:
        value: float = _REAL.unpack(self._take(8))[0]
        return value

    def reals(self) -> tuple[float, float, float]:
        a, b, c = _THREE_REALS.unpack(self._take(24))
        return a, b, c

    def text(self) -> str:
        number = self.whole()
        texts = self._texts
        if number < len(texts):
            return texts[number]
        if number > len(texts):
            damaged("a text has the wrong number")
        try:
            value = self.blob(MAX_TEXT).decode("utf-8", "surrogatepass")
        except UnicodeDecodeError:
            damaged("a text is not UTF-8")
        texts.append(value)
        return value

    def blob(self, most: int = 1 << 30) -> bytes:
        return self._take(self.whole(most))

    def end(self) -> None:
        """Nothing may follow."""
        if self.at != len(self.data):
            damaged("something follows its end")

    def _take(self, length: int) -> bytes:
        at = self.at
        part = self.data[at : at + length]
        if len(part) != length:
            damaged("it ends too early")
        self.at = at + length
        return bytes(part)

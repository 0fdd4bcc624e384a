"""A run-time error of a line script. `try` catches it; uncaught it ends its context and becomes a diagnostic."""

from __future__ import annotations


class Fault(Exception):
    """`place` is the range of offsets in the program's source to blame; None blames the whole statement."""

    def __init__(self, message: str, place: tuple[int, int] | None = None) -> None:
        super().__init__(message)
        self.message = message
        self.place = place

"""What ends a command from outside: ctrl-C, and a polite kill, which is taken for one."""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager


class Terminated(KeyboardInterrupt):
    """Who started the command wants it to end."""


@contextmanager
def ended_as_interrupted() -> Iterator[None]:
    """What is told to end ends as after ctrl-C: with whole files, and its processes with it."""

    def end(*_: object) -> None:
        raise Terminated

    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGTERM, end)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)


def exit_code(stop: KeyboardInterrupt) -> int:
    """The code of a command that was ended so: 128 and the number of the signal, as shells have it."""
    return 128 + (signal.SIGTERM if isinstance(stop, Terminated) else signal.SIGINT)

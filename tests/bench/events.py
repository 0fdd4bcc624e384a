"""The same with generators and a list of waiters."""

from __future__ import annotations

from collections.abc import Generator

heard = 0


def listen() -> Generator[str, int, None]:
    global heard
    while True:
        yield "go"
        heard += 1


def run() -> str:
    global heard
    heard = 0
    waiters: dict[str, list[Generator[str, int, None]]] = {}
    for _ in range(500):
        thread = listen()
        waiters.setdefault(next(thread), []).append(thread)
    for number in range(20):
        for thread in waiters.pop("go", []):
            waiters.setdefault(thread.send(number), []).append(thread)
    for thread in waiters.pop("go", []):
        thread.close()
    return str(heard)

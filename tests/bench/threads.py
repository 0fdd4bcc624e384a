"""The same with generators and time buckets."""

from __future__ import annotations

from collections.abc import Generator

total = 0


def tick() -> Generator[int, None, None]:
    global total
    n = 0
    while n < 40:
        yield 50
        n += 1
    total += n


def run() -> str:
    global total
    total = 0
    buckets: dict[int, list[Generator[int, None, None]]] = {}
    for _ in range(1000):
        thread = tick()
        buckets.setdefault(next(thread), []).append(thread)
    now = 0
    while buckets:
        now += 50
        bucket = buckets.pop(now, [])
        while bucket:
            thread = bucket.pop()
            try:
                delay = thread.send(None)
            except StopIteration:
                continue
            buckets.setdefault(now + delay, []).append(thread)
    return str(total)

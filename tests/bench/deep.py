"""The same with nested generators."""

from __future__ import annotations

from bench_scheduler import Body, Scheduler

total = 0


def nest(depth: int) -> Body:
    global total
    if depth == 0:
        for _ in range(60):
            yield 50
        return 60
    got: int = yield from nest(depth - 1)
    if depth == 9:
        total += got
    return got


def run() -> str:
    global total
    total = 0
    scheduler = Scheduler()
    for _ in range(500):
        scheduler.start(nest(9))
    scheduler.run(80)
    return str(total)

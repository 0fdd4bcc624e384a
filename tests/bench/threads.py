"""The same with generators and time buckets."""

from __future__ import annotations

from bench_scheduler import Body, Scheduler


class Unit:
    def __init__(self) -> None:
        self.x = 0


total = 0


def tick(self: Unit) -> Body:
    global total
    for n in range(40):
        self.x = self.x + n
        if self.x > 500:
            self.x = 0
        yield 50
    total = total + self.x


def run() -> str:
    global total
    total = 0
    scheduler = Scheduler()
    for _ in range(10_000):
        scheduler.start(tick(Unit()))
    scheduler.run(60)
    return str(total)

"""The same with generators."""

from __future__ import annotations

from bench_scheduler import Body, Events, Scheduler


class Level(Events):
    heard = 0


def listen(scheduler: Scheduler, level: Level) -> Body:
    scheduler.end_on(level, "stop")
    while True:
        yield level, "go"
        level.heard += 1


def conduct(scheduler: Scheduler, level: Level) -> Body:
    for number in range(10):
        yield 50
        scheduler.notify(level, "go", number)
    yield 50
    scheduler.notify(level, "stop")


def run() -> str:
    scheduler, level = Scheduler(), Level()
    for _ in range(5000):
        scheduler.start(listen(scheduler, level))
    scheduler.start(conduct(scheduler, level))
    scheduler.run(20)
    return str(level.heard)

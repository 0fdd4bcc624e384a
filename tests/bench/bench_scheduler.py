"""What a host in plain Python would write for its coroutines: time buckets, events by object, endings.

A coroutine is a generator that yields milliseconds to wait, or (object, event) to wait for.
"""

from __future__ import annotations

from collections.abc import Generator
from typing import Any

Body = Generator[Any, Any, Any]


class Task:
    __slots__ = ("body", "ended", "endons", "waits")

    def __init__(self, body: Body) -> None:
        self.body = body
        self.ended = False
        self.waits: dict[Task, None] | None = None
        self.endons: list[dict[Task, None]] = []


class Events:
    """Mixed into whatever can be waited on."""

    def __init__(self) -> None:
        self.waiters: dict[str, dict[Task, None]] = {}
        self.endons: dict[str, dict[Task, None]] = {}


class Scheduler:
    def __init__(self) -> None:
        self.now = 0
        self.buckets: dict[int, list[Task]] = {}
        self.current: Task | None = None

    def start(self, body: Body) -> None:
        outer = self.current
        task = Task(body)
        self.resume(task, None)
        self.current = outer

    def resume(self, task: Task, value: Any) -> None:
        self.current = task
        try:
            wish = task.body.send(value)
        except StopIteration:
            self.finish(task)
            return
        if wish.__class__ is int:
            self.buckets.setdefault(self.now + wish, []).append(task)
        else:
            place, event = wish
            task.waits = place.waiters.setdefault(event, {})
            task.waits[task] = None

    def finish(self, task: Task) -> None:
        task.ended = True
        task.body.close()
        if task.waits is not None:
            task.waits.pop(task, None)
        for owners in task.endons:
            owners.pop(task, None)

    def end_on(self, place: Events, event: str) -> None:
        task = self.current
        assert task is not None
        owners = place.endons.setdefault(event, {})
        owners[task] = None
        task.endons.append(owners)

    def notify(self, place: Events, event: str, value: Any = None) -> None:
        waiters = place.waiters.pop(event, None)
        if waiters:
            bucket = self.buckets.setdefault(self.now, [])
            for task in waiters:
                task.waits = None
                bucket.append(task)
            self.value = value
        for task in list(place.endons.pop(event, ())):
            if not task.ended:
                self.finish(task)

    def run(self, frames: int) -> None:
        for _ in range(frames):
            self.drain()
            self.now += 50
        self.drain()

    def drain(self) -> None:
        bucket = self.buckets.get(self.now)
        value = self.__dict__.pop("value", None)
        while bucket:
            task = bucket.pop()
            if task.ended:
                continue
            self.current = task
            try:
                wish = task.body.send(value)
            except StopIteration:
                self.finish(task)
                continue
            if wish.__class__ is int:
                self.buckets.setdefault(self.now + wish, []).append(task)
            else:
                place, event = wish
                task.waits = place.waiters.setdefault(event, {})
                task.waits[task] = None
        self.buckets.pop(self.now, None)

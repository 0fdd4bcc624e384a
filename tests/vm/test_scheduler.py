"""The buckets of time, where no script looks: what is left behind by threads that end."""

from __future__ import annotations

from engine.vm.scheduler import FEW, Scheduler


class _Counted(dict[int, list[object]]):
    """Buckets that count how often all of them are looked at."""

    looks = 0

    def values(self):  # type: ignore[no-untyped-def]
        self.looks += 1
        return super().values()


class _Thread:
    bucket: list[object] | None = None
    ended = False


def test_threads_that_end_by_the_thousand_do_not_each_look_at_every_bucket() -> None:
    """A notify that ended 8,000 of 16,000 threads, each in a bucket of its own, took five seconds."""
    scheduler = Scheduler()
    scheduler.buckets = buckets = _Counted()  # type: ignore[assignment]
    threads = [_Thread() for _ in range(16_000)]
    for delay, thread in enumerate(threads):
        scheduler.put(thread, delay)  # type: ignore[arg-type]
    for thread in threads[::2]:
        thread.ended = True
        scheduler.forget(thread)  # type: ignore[arg-type]
    assert buckets.looks < 10
    for thread in threads[1:8_000:2]:
        thread.ended = True
        scheduler.forget(thread)  # type: ignore[arg-type]
    # More than half of the places were left behind at some time, and were swept then.
    assert scheduler.left_behind < 4_000 + FEW
    assert sum(map(len, buckets.values())) < 16_000

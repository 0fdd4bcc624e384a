"""Many sources cooked at once: over a pool of processes, with one result a source."""

from __future__ import annotations

import multiprocessing
import os
import signal
import threading
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from dataclasses import dataclass
from multiprocessing import connection
from pathlib import Path
from typing import Literal

from engine.pipeline import container
from engine.pipeline.cook import cook, source_hash
from engine.pipeline.faults import os_reason
from engine.pipeline.files import write_atomically
from engine.pipeline.kept_faults import from_meta
from engine.pipeline.library import Source
from engine.pipeline.reading import KeptSources
from engine.source import Diagnostic, DiagnosticError, SourceText
from engine.source.paths import shown_path

Outcome = Literal["cooked", "current", "failed"]


@dataclass(frozen=True, slots=True)
class Result:
    """What became of one source. `size` is the cooked file's in bytes, 0 for a failed one; `hash` the source's, empty
    where it could not be read."""

    name: str
    outcome: Outcome
    diagnostics: tuple[Diagnostic, ...] = ()
    size: int = 0
    hash: str = ""


@dataclass(frozen=True, slots=True)
class Order:
    """Cook `source`; `ship` puts the result among the shipped files, `force` also if it is current."""

    source: Source
    force: bool = False
    ship: bool = False


def cook_one(order: Order, kept: KeptSources | None = None) -> Result:
    """Cook one source, which `kept` may have read before, unless it is current. Never raises for a fault of the source
    or of the disk."""
    source = order.source
    span = SourceText(shown_path(source.path), "").span(0)
    hash_ = ""
    try:
        hash_ = source_hash(source.path)
        shipped = source.cache.shipped_path(source.path)
        found = source.cache.find(source.path, hash_)
        if found is not None and not order.force and (found == shipped or not order.ship):
            known = from_meta(container.read_meta(found), source.path)
            return Result(source.name, "current", known, found.stat().st_size, hash_)
        cooked = cook(source.path, kept)
    except DiagnosticError as error:
        return Result(source.name, "failed", error.diagnostics, hash=hash_)
    except OSError as error:
        what = f"{error.filename or source.path}: {os_reason(error)}"
        return Result(source.name, "failed", (Diagnostic("unreadable-file", what, span),))
    try:
        if order.ship:
            write_atomically(shipped, cooked.data)
        else:
            source.cache.store(source.path, cooked)
    except OSError as error:
        # No fault of the source, which may be tried again.
        folder = shipped.parent if order.ship else source.cache.folder.parent
        what = f"cooked assets cannot be kept in {shown_path(folder)} ({os_reason(error)})"
        remedy = "NOTETRACK_CACHE names another folder" if not order.ship else "it is part of the assets"
        return Result(
            source.name, "failed", (*cooked.diagnostics, Diagnostic("no-cache", what).with_note(remedy))
        )
    return Result(source.name, "cooked", cooked.diagnostics, len(cooked.data), cooked.meta["source"])


def cook_all(orders: Sequence[Order], jobs: int) -> Iterator[Result]:
    """Results in the order in which they are done. Closing the iterator stops what has not begun.

    A worker that dies takes the others of its pool with it. What they had not done is done again, one after another, so
    that only the source that is to blame has a failed result.
    """
    if jobs <= 1 or len(orders) <= 1:
        for order in orders:
            yield cook_one(order)
        return
    lost: list[Order] = []
    for order, result in _pooled(orders, jobs):
        if result is not None:
            yield result
        else:
            lost.append(order)
    while lost:
        done = []
        for order, result in _pooled(lost, 1):
            if result is not None:
                done.append(order)
                yield result
        left = [order for order in lost if order not in done]
        if left:
            yield _crashed(left[0])
        lost = left[1:]


def _pooled(orders: Sequence[Order], jobs: int) -> Iterator[tuple[Order, Result | None]]:
    """Each order with its result as it is done, None where the processes died before it was."""
    context = multiprocessing.get_context("spawn")
    pool = ProcessPoolExecutor(min(jobs, len(orders)), context, _quiet_worker)
    try:
        with _interrupts_later():
            # The processes begin here, and a ctrl-C must not reach one that cannot handle it yet.
            waiting = {pool.submit(cook_one, order): order for order in orders}
        for future in as_completed(waiting):
            error = future.exception()
            if error is not None and not isinstance(error, BrokenProcessPool):
                raise error
            yield waiting[future], None if error is not None else future.result()
    finally:
        pool.shutdown(wait=True, cancel_futures=True)


@contextmanager
def _interrupts_later() -> Iterator[None]:
    """Keeps a ctrl-C until afterwards, and for good from the processes that are started meanwhile."""
    if os.name == "nt":
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _crashed(order: Order) -> Result:
    span = SourceText(shown_path(Path(order.source.path)), "").span(0)
    fault = Diagnostic("cook-crashed", "the process that cooked this source died of it", span)
    return Result(order.source.name, "failed", (fault.with_note("export it again, as glTF (.glb) best"),))


def _quiet_worker() -> None:
    """Ctrl-C is the parent's to handle; one BLAS thread a process is enough; and no worker outlives its parent."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    threading.Thread(target=_end_with_parent, name="end with parent", daemon=True).start()


def _end_with_parent() -> None:
    """A parent that is killed tells nobody, and its workers would wait for orders for ever."""
    parent = multiprocessing.parent_process()
    if parent is not None:
        connection.wait([parent.sentinel])
        os._exit(1)

"""The process in which `contained.py` has sources imported: reads them from its input, writes scenes to its output."""

from __future__ import annotations

import os
import pickle
import signal
import sys
from pathlib import Path
from typing import Any

from engine.pipeline import importer
from engine.pipeline.contained import READY, receive, send

MEMORY = 1536 * 2**20
"""Bytes of address space for the process, its own quarter included."""

MEMORY_FACTOR = 32
"""Bytes more for each of the source's."""


def main() -> None:
    """Serve until the input ends."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # ctrl-C is the parent's to handle; the input then ends
    source = sys.stdin.buffer
    out = os.fdopen(os.dup(sys.stdout.fileno()), "wb")
    silence = os.open(os.devnull, os.O_WRONLY)
    os.dup2(silence, sys.stdout.fileno())  # nothing that a library prints may get between the messages
    out.write(READY)
    out.flush()
    while (message := receive(source)) is not None:
        path, data, seconds = pickle.loads(message)
        _limit(MEMORY + MEMORY_FACTOR * len(data), seconds)
        send(out, _answer(Path(path), data))


def _answer(path: Path, data: bytes) -> Any:
    try:
        return importer.import_source(path, data, listen=True)
    except importer.ImportFailed as error:
        return ("failed", str(error))
    except importer.LibraryMissing as error:
        return ("missing", str(error))
    except MemoryError:
        return ("memory", "")


def _limit(size: int, seconds: float) -> None:
    """Where the system can: an absurd count in a file is then refused, and does not slow the whole machine; and an
    import that never ends does end when the process that waited for it is gone and cannot end it."""
    if sys.platform == "win32":
        return
    import resource

    used = resource.getrusage(resource.RUSAGE_SELF)
    later = int(used.ru_utime + used.ru_stime + 2 * seconds) + 1
    for kind, wanted in ((resource.RLIMIT_AS, size), (resource.RLIMIT_CPU, later), (resource.RLIMIT_CORE, 0)):
        most = resource.getrlimit(kind)[1]
        resource.setrlimit(kind, (wanted if most == resource.RLIM_INFINITY else min(wanted, most), most))

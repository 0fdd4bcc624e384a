"""Sources that nobody has checked are imported in a process of their own, which may crash, hang or run out of memory.

glTF and .3do are checked before anything trusts them. Everything else goes to libassimp as it is, whose readers a
damaged file can make write where they should not. The process is started when it is first needed, serves one source
after another, and ends with this one. What it sends back can only be a scene.
"""

from __future__ import annotations

import atexit
import contextlib
import io
import os
import pickle
import struct
import subprocess
import sys
import threading
from pathlib import Path
from typing import IO, Any

from engine.pipeline import importer
from engine.pipeline.importer import Imported, ImportFailed, LibraryMissing

PATIENCE = 15.0
"""Seconds that an import may take, and two more for each mebibyte."""

LENGTH = struct.Struct("<Q")
"""Before each message in both directions."""

READY = b"ready\n"

_START = (
    "import sys; sys.path[:] = sys.argv[1:]; from engine.pipeline import import_worker; import_worker.main()"
)
_ALLOWED = {
    ("engine.pipeline.importer", "Imported"),
    *(
        ("engine.pipeline.scene", name)
        for name in ("Scene", "Node", "SceneMesh", "BoneWeights", "SceneMaterial", "SceneAnimation", "Channel", "Track")
    ),
    ("builtins", "frozenset"),
    ("numpy", "dtype"),
    ("numpy", "ndarray"),
    *((module, "_reconstruct") for module in ("numpy._core.multiarray", "numpy.core.multiarray")),
    *((module, "_frombuffer") for module in ("numpy._core.numeric", "numpy.core.numeric")),
}  # fmt: skip


def import_contained(path: Path, data: bytes) -> Imported:
    """As `importer.import_source`, in the other process. Raises ImportFailed also where that process dies of the file
    or does not come to an end, LibraryMissing."""
    with _lock:
        return _worker().ask(path, data)


class _Worker:
    """The process and the pipes to it. After a death, or a message that makes no sense, another has to be made."""

    def __init__(self) -> None:
        self._closed = False
        paths = [entry or os.getcwd() for entry in sys.path]
        self._process: subprocess.Popen[bytes] | None = None
        try:
            self._process = subprocess.Popen(
                [sys.executable, "-P", "-c", _START, *paths],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
            )
        except (OSError, ValueError):
            self._process = None  # a Python inside another program, which has no executable of its own
        if self._process is not None and self._pipes()[1].read(len(READY)) != READY:
            self.close()
            self._process, self._closed = None, False

    @property
    def alive(self) -> bool:
        return not self._closed and (self._process is None or self._process.poll() is None)

    def _pipes(self) -> tuple[IO[bytes], IO[bytes]]:
        assert self._process is not None
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        return self._process.stdin, self._process.stdout

    def ask(self, path: Path, data: bytes) -> Imported:
        if self._process is None:
            return importer.import_source(path, data)
        limit = PATIENCE + 2 * len(data) / 2**20
        late = threading.Event()

        def stop() -> None:
            late.set()
            self._kill()

        timer = threading.Timer(limit, stop)
        timer.daemon = True
        timer.start()
        answer: Any = None
        try:
            to, out = self._pipes()
            send(to, (str(path), data, limit))
            message = receive(out)
            answer = _Unpickler(io.BytesIO(message)).load() if message is not None else None
        except (
            OSError,
            EOFError,
            pickle.UnpicklingError,
            ValueError,
            TypeError,
            AttributeError,
            IndexError,
            KeyError,
        ):
            answer = None
        finally:
            timer.cancel()
        if late.is_set():
            self.close()
            raise ImportFailed(f"libassimp did not come to an end within {limit:.0f} seconds")
        match answer:
            case Imported():
                return answer
            case ("failed", str(reason)):
                raise ImportFailed(reason)
            case ("missing", str(reason)):
                raise LibraryMissing(reason)
            case ("memory", _):
                raise ImportFailed(importer.TOO_MUCH_MEMORY)
        self.close()
        raise ImportFailed("libassimp crashed while it read the file")

    def _kill(self) -> None:
        if self._process is not None:
            with contextlib.suppress(OSError):
                self._process.kill()

    def close(self) -> None:
        """End the process."""
        self._closed = True
        if self._process is not None:
            self._kill()
            for pipe in self._pipes():
                with contextlib.suppress(OSError):
                    pipe.close()
            self._process.wait()


class _Unpickler(pickle.Unpickler):
    """Makes scenes and nothing else."""

    def find_class(self, module: str, name: str) -> Any:
        if (module, name) not in _ALLOWED:
            raise pickle.UnpicklingError(f"{module}.{name}")
        return super().find_class(module, name)


def send(pipe: IO[bytes], message: Any) -> None:
    """Write a message. Raises OSError where the other side is gone."""
    data = pickle.dumps(message, pickle.HIGHEST_PROTOCOL)
    pipe.write(LENGTH.pack(len(data)))
    pipe.write(data)
    pipe.flush()


def receive(pipe: IO[bytes]) -> bytes | None:
    """The next message as it came, None at the end."""
    head = pipe.read(LENGTH.size)
    if len(head) < LENGTH.size:
        return None
    (length,) = LENGTH.unpack(head)
    data = pipe.read(length)
    return data if len(data) == length else None


_lock = threading.Lock()
_current: _Worker | None = None


def _worker() -> _Worker:
    global _current
    if _current is not None and not _current.alive:
        _current.close()
        _current = None
    if _current is None:
        _current = _Worker()
    return _current


@atexit.register
def _end() -> None:
    if _current is not None:
        _current.close()

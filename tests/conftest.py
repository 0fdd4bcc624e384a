"""For all tests: no user folder is touched, nothing is random between runs, SDL says nothing."""

from __future__ import annotations

import atexit
import os
import shutil
import signal
import tempfile
from collections.abc import Iterator

import pytest
from hypothesis import settings

# Before anything imports pygame or asks for a folder; processes that tests start inherit it.
_FOLDER = tempfile.mkdtemp(prefix="notetrack-tests-")
atexit.register(shutil.rmtree, _FOLDER, ignore_errors=True)
_FOLDERS = {"NOTETRACK_STATE": "state", "NOTETRACK_CACHE": "cache", "XDG_CONFIG_HOME": "config"}
for _name, _inside in _FOLDERS.items():
    # Tests that run side by side, in processes of pytest-xdist, have inherited those of the process that started them.
    if "PYTEST_XDIST_WORKER" in os.environ or _name not in os.environ:
        os.environ[_name] = f"{_FOLDER}/{_inside}"
os.environ.setdefault("PYGAME_HIDE_SUPPORT_PROMPT", "1")
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

settings.register_profile("same", derandomize=True, deadline=None, print_blob=False)
settings.load_profile("same")


@pytest.fixture
def in_time() -> Iterator[None]:
    """For tests of what could read for ever, such as from a pipe: that is a failure, and no run that does not end."""

    def late(*_: object) -> None:
        raise AssertionError("a read that does not return")

    before = signal.signal(signal.SIGALRM, late)
    signal.alarm(60)
    yield
    signal.alarm(0)
    signal.signal(signal.SIGALRM, before)

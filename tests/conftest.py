"""For all tests: no user folder is touched, nothing is random between runs, SDL says nothing."""

from __future__ import annotations

import os
import tempfile

from hypothesis import settings

# Before anything imports pygame or asks for a folder; processes that tests start inherit it.
_FOLDER = tempfile.mkdtemp(prefix="notetrack-tests-")
os.environ.setdefault("NOTETRACK_STATE", f"{_FOLDER}/state")
os.environ.setdefault("NOTETRACK_CACHE", f"{_FOLDER}/cache")
os.environ.setdefault("XDG_CONFIG_HOME", f"{_FOLDER}/config")
os.environ.setdefault("PYGAME_HIDE_SUPPORT_PROMPT", "1")
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

settings.register_profile("same", derandomize=True, deadline=None, print_blob=False)
settings.load_profile("same")

"""Finding libassimp: what the user named, what the wheel brought, what the system has; pyassimp loads it."""

from __future__ import annotations

import importlib
import importlib.metadata
import importlib.util
import os
import sys
import types
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

SYSTEM_FOLDERS = (
    "/usr/lib",
    "/usr/lib64",
    "/usr/lib/x86_64-linux-gnu",
    "/usr/lib/aarch64-linux-gnu",
    "/usr/local/lib",
    "/opt/homebrew/lib",
)

MISSING_LIBRARY = (
    "`pip install cmeel-assimp` (Linux, macOS) or `apt install libassimp5` brings it; "
    "assets that are already cooked need it not"
)


class LibraryMissing(Exception):
    """No usable libassimp. The message is one sentence for the user; `MISSING_LIBRARY` is the remedy."""


def wheel_folders() -> list[str]:
    """Where the `cmeel-assimp` wheel puts its libraries."""
    try:
        files = importlib.metadata.files("cmeel-assimp") or []
    except importlib.metadata.PackageNotFoundError:
        return []
    folders = {str(Path(str(file.locate())).parent) for file in files if "libassimp" in file.name}
    return sorted(folders)


def search_groups() -> list[list[str]]:
    """Folders by precedence: what the user set, the wheel, the system."""
    chosen = [part for part in os.environ.get("LD_LIBRARY_PATH", "").split(os.pathsep) if part]
    if os.name == "nt":
        return [wheel_folders(), [part for part in os.environ.get("PATH", "").split(os.pathsep) if part]]
    return [chosen, wheel_folders(), list(SYSTEM_FOLDERS)]


def holds_library(folder: str) -> bool:
    try:
        return any("assimp" in name.lower() for name in os.listdir(folder))
    except OSError:
        return False


@contextmanager
def _stub_distutils() -> Iterator[None]:
    """pyassimp asks distutils for one path under conda; Python 3.12 no longer has it, 3.11 warns of it."""
    names = ("distutils", "distutils.sysconfig")
    saved = {name: sys.modules.get(name) for name in names}
    package, sysconfig = types.ModuleType(names[0]), types.ModuleType(names[1])
    sysconfig.__dict__["get_python_lib"] = lambda: os.path.join(sys.prefix, "lib", "")
    package.__dict__["sysconfig"] = sysconfig
    sys.modules.update({names[0]: package, names[1]: sysconfig})
    try:
        yield
    finally:
        for name, module in saved.items():
            if module is None:
                del sys.modules[name]
            else:
                sys.modules[name] = module


def load_functions() -> Any:
    """pyassimp's functions, from the first group of folders that holds a library.

    pyassimp searches while it is imported, in the current folder too, and takes the newest file. So its
    helper is imported first, below a bare package, and is told the folders; then the package proper.
    """
    spec = importlib.util.find_spec("pyassimp")
    if spec is None or spec.submodule_search_locations is None:
        raise LibraryMissing("pyassimp is not installed")
    groups = [group for group in search_groups() if any(map(holds_library, group))]
    if not groups:
        raise LibraryMissing("libassimp was not found")
    loaded = {name: module for name, module in sys.modules.items() if name.split(".")[0] == "pyassimp"}
    if not loaded:
        bare = types.ModuleType("pyassimp")
        bare.__path__ = list(spec.submodule_search_locations)
        sys.modules["pyassimp"] = bare
    try:
        with _stub_distutils(), warnings.catch_warnings():
            warnings.simplefilter("ignore")
            helper = importlib.import_module("pyassimp.helper")
            if not loaded:
                del sys.modules["pyassimp"]
            helper.additional_dirs[:] = groups[0]
            core = importlib.import_module("pyassimp.core")
        return core._assimp_lib
    except (SystemExit, KeyboardInterrupt):
        raise
    except BaseException as error:  # AssimpError derives from BaseException
        raise LibraryMissing(f"libassimp cannot be loaded ({error})") from None
    finally:
        if "pyassimp.core" not in sys.modules:
            for name in [name for name in sys.modules if name.split(".")[0] == "pyassimp"]:
                if name not in loaded:
                    del sys.modules[name]

"""Whether the tests that docs/conformance.md names fail when their rule is broken: `python -m tests.mutation.breaks`.

A break (`breaks.toml`) is a row of that page and a change to the one place in the engine where its rule lives. Each is
put into a copy of the project, by itself, and meets the tests of its row there. A change that does not even import
proves nothing, and neither does one after which the engine trips over itself: such a break is called bad.
"""

from __future__ import annotations

import argparse
import os
import re
import shutil
import subprocess
import sys
import time
import tomllib
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from queue import SimpleQueue
from tempfile import TemporaryDirectory

from tests.mutation.run import QUIET, ROOT, apart
from tests.reference.test_conformance_page import names_of, rows

BREAKS = Path(__file__).with_name("breaks.toml")
COPIED = ("engine", "tests")
"""Folders of which a copy is needed: one is changed, and tests find the rest of the project from where they are."""
LINKED = ("animtrees", "assets", "docs", "mods", "README.md", "CHANGELOG.md", "pyproject.toml")

_FAILED = re.compile(r"^(?:FAILED|ERROR) (\S+\.py(?:::.*?)?)(?: - .*)?$", re.MULTILINE)
_CRASH = re.compile(
    r"\b(?:(?:Syntax|Indentation|Import|ModuleNotFound|Name|UnboundLocal)Error:|internal error of the engine).*"
)
"""What a slip in the change leaves behind, wherever it comes to light."""


@dataclass(frozen=True, slots=True)
class Break:
    """`row` is the number of a row of the page or the beginning of one of its cells; `old` occurs once in `file`."""

    name: str
    row: str
    file: str
    old: str
    new: str

    @property
    def tests(self) -> list[str]:
        """The tests that the row names, as pytest takes them."""
        return [node_of(name) for name in names_of(row_of(self.row))]

    def text(self, root: Path = ROOT) -> str:
        """The whole file with the change. Raises ValueError where that has no place in it, or is no Python."""
        text = (root / self.file).read_text("utf-8")
        if text.count(self.old) != 1:
            raise ValueError(f"{self.name}: the old text occurs {text.count(self.old)} times in {self.file}")
        changed = text.replace(self.old, self.new)
        try:
            compile(changed, self.file, "exec")
        except SyntaxError as error:
            raise ValueError(f"{self.name}: {self.file} is no Python any more: {error}") from None
        return changed


def read_breaks() -> list[Break]:
    return [Break(**fields) for fields in tomllib.loads(BREAKS.read_text("utf-8"))["break"]]


def row_of(key: str) -> list[str]:
    """The cells of the one row that is meant. Raises ValueError if there is none, or more than one."""
    numbered = [cells for cells in rows() if cells[0] == key]
    found = numbered or [cells for cells in rows() if any(cell.startswith(key) for cell in cells[:-1])]
    if len(found) != 1:
        raise ValueError(f"{len(found)} rows of the page begin with {key!r}")
    return found[0]


def node_of(name: str) -> str:
    """A test as the page names it, for pytest."""
    return f"tests/{name}" if "::" in name else f"tests/scripts/test_scripts.py::test_script[{name}]"


# ---- a copy of the project -------------------------------------------------------------------------------


class Tree:
    """A copy in which breaks can be made and tests be run. Python keeps its bytecode beside it, so that only what was
    changed is compiled for each run."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.root = folder / "project"
        self.serial = count(1)
        self.root.mkdir(parents=True)
        for name in COPIED:
            shutil.copytree(ROOT / name, self.root / name, ignore=shutil.ignore_patterns("__pycache__"))
        for name in LINKED:
            (self.root / name).symlink_to(ROOT / name)

    @contextmanager
    def broken(self, change: Break) -> Iterator[None]:
        """With the change in its place."""
        path = self.root / change.file
        sound, before = path.read_bytes(), path.stat()
        path.write_text(change.text(self.root), "utf-8", newline="\n")
        # Bytecode is taken for that of a file by its size and second: no two texts may have the same.
        number = next(self.serial)
        os.utime(path, (number, number))
        try:
            yield
        finally:
            path.write_bytes(sound)
            os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))

    def run(self, tests: Iterable[str], seconds: float, *, until_failure: bool = True) -> tuple[int, str]:
        """pytest's exit code, and what it wrote. Raises `subprocess.TimeoutExpired`."""
        with TemporaryDirectory(dir=self.folder) as folder:
            environment = {k: v for k, v in os.environ.items() if k != "PYTHONDONTWRITEBYTECODE"}
            environment |= apart(folder)
            environment |= {
                "PYTHONPATH": str(self.root),
                "PYTHONPYCACHEPREFIX": str(self.folder / "bytecode"),
            }
            # A line of the summary is cut at the width of the terminal.
            environment["COLUMNS"] = "2000"
            stop = ["-x"] if until_failure else []
            done = subprocess.run(
                [sys.executable, "-m", "pytest", *QUIET, *stop, "--tb=short", "-rfE", *tests],
                cwd=self.root,
                env=environment,
                capture_output=True,
                text=True,
                errors="replace",
                timeout=seconds,
            )
        return done.returncode, done.stdout + done.stderr


# ---- what comes of it ------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Verdict:
    noticed: bool
    text: str


def verdict(code: int, output: str) -> Verdict:
    """What a run of the tests of a row says about a break."""
    if code == 0:
        return Verdict(False, "NOT NOTICED")
    if crash := _CRASH.search(output):
        return Verdict(False, f"BAD BREAK, {crash[0][:200]}")
    failed = _FAILED.search(output)
    if code != 1 or failed is None:
        last = output.strip().rpartition("\n")[2]
        return Verdict(False, f"BAD BREAK, pytest ended with {code}: {last[:200]}")
    return Verdict(True, f"noticed by {failed[1]}")


def examine(change: Break, tree: Tree, seconds: float) -> Verdict:
    try:
        with tree.broken(change):
            return verdict(*tree.run(change.tests, seconds))
    except subprocess.TimeoutExpired:
        # A machine may be slow; a break must be one that tests see and not one that they wait for.
        return Verdict(False, f"BAD BREAK, no answer within {seconds:.0f} s")


def sound(tree: Tree, breaks: Sequence[Break], seconds: float) -> bool:
    """Whether the code as it is passes all of their tests; prints those that fail."""
    tests = list(dict.fromkeys(test for change in breaks for test in change.tests))
    code, output = tree.run(tests, seconds * len(breaks), until_failure=False)
    if code:
        failed = "\n".join(_FAILED.findall(output)) or output
        print(f"these fail without any break; nothing to learn:\n{failed}", file=sys.stderr)
    return code == 0


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="*", help="names of breaks (default: all)")
    parser.add_argument("--jobs", type=int, default=1, help="so many at once (default: %(default)s)")
    parser.add_argument(
        "--seconds", type=float, default=300, help="longest time for one (default: %(default)s)"
    )
    options = parser.parse_args(arguments)
    known = {change.name: change for change in read_breaks()}
    unknown = [name for name in options.names if name not in known]
    if unknown:
        parser.error(f"no such break: {', '.join(unknown)}; there are {', '.join(known)}")
    breaks = [known[name] for name in options.names or known]
    jobs = max(1, min(options.jobs, len(breaks)))
    start = time.perf_counter()
    with TemporaryDirectory(prefix="notetrack-breaks-") as folder:
        trees: SimpleQueue[Tree] = SimpleQueue()
        first = Tree(Path(folder, "0"))
        if not sound(first, breaks, options.seconds):
            return 1
        for tree in (first, *(Tree(Path(folder, str(number))) for number in range(1, jobs))):
            trees.put(tree)

        def one(change: Break) -> Verdict:
            tree = trees.get()
            try:
                return examine(change, tree, options.seconds)
            finally:
                trees.put(tree)

        noticed = 0
        with ThreadPoolExecutor(jobs) as pool:
            for change, found in zip(breaks, pool.map(one, breaks), strict=True):
                noticed += found.noticed
                print(f"{change.name}: {found.text}", flush=True)
    print(f"{len(breaks)} breaks, {noticed} noticed, {time.perf_counter() - start:.0f} s")
    return 0 if noticed == len(breaks) else 1


if __name__ == "__main__":
    sys.exit(main())

"""Compiled code between runs: used when everything matches, ignored when anything is off."""

from __future__ import annotations

from pathlib import Path

import pytest

from engine.gsc.cache import UnitCache
from engine.gsc.program import load_program
from engine.vm.core import core_registry
from engine.vm.machine import VM
from tests.vm.vm_kit import Run, Scripts, make, play

TEXT = """main()
{
    lib::f(2);
    println([[::two]](), " ", (1, 2, 3)[1]);
    switch (2) { case 2: println("two"); }
}
two() { return 2; }
"""
LIB = "f(n) { for (i = 0; i < n; i++) println(i); }"


def cached(
    folder: Path, text: str = TEXT, lib: str = LIB, developer: bool = True
) -> tuple[UnitCache, str, VM]:
    cache = UnitCache(folder)
    out: list[str] = []
    vm = VM(core_registry(), make=cache, out=out.append)
    vm.link(load_program(["main"], Scripts(main=text, lib=lib), vm.natives, developer=developer))
    vm.start("main::main")
    return cache, "".join(out), vm


def test_the_second_run_compiles_nothing(tmp_path: Path) -> None:
    first, wanted, _ = cached(tmp_path)
    assert (first.hits, first.misses) == (0, 3)
    first.flush()
    second, out, vm = cached(tmp_path)
    assert (second.hits, second.misses, out) == (3, 0, wanted)
    assert wanted == "0\n1\n2 2\ntwo\n"
    unit = vm.function("main::two").unit
    assert unit.code.co_filename == "main.gsc"
    assert vm.linker.codes.known[id(unit.code)].positions.span(0).line == 7


@pytest.mark.parametrize("change", ["source", "callee waits", "developer"])
def test_what_the_text_depends_on_is_part_of_the_key(tmp_path: Path, change: str) -> None:
    cached(tmp_path)[0].flush()
    again = {
        "source": lambda: cached(tmp_path, TEXT + "\n"),
        "callee waits": lambda: cached(tmp_path, TEXT, "f(n) { wait 1; }"),
        "developer": lambda: cached(tmp_path, developer=False),
    }[change]()[0]
    assert again.misses >= 2


def test_what_another_compiler_has_made_is_not_used(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    cached(tmp_path)[0].flush()
    monkeypatch.setattr("engine.gsc.keeping.compiler_version", lambda: "a compiler with another text")
    assert cached(tmp_path)[0].misses == 3


@pytest.mark.parametrize("damage", ["cut", "flip", "empty", "foreign"])
def test_damaged_files_are_ignored_and_replaced(tmp_path: Path, damage: str) -> None:
    first, wanted, _ = cached(tmp_path)
    first.flush()
    for path in tmp_path.glob("*.gscc"):
        data = bytearray(path.read_bytes())
        if damage == "cut":
            data = data[: len(data) // 2]
        elif damage == "flip":
            data[len(data) // 2] ^= 1
        elif damage == "empty":
            data = bytearray()
        else:
            data = bytearray(b"PK\x03\x04" + bytes(100))
        path.write_bytes(bytes(data))
    second, out, _ = cached(tmp_path)
    assert (second.hits, out) == (0, wanted)
    second.flush()
    assert cached(tmp_path)[0].misses == 0


def test_a_folder_that_cannot_be_made(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    cache, out, _ = cached(tmp_path / "file")
    cache.flush()
    assert out.startswith("0\n1\n")
    assert not list(tmp_path.glob("*.tmp"))


def test_no_cache_by_default() -> None:
    run: Run = make()
    assert run.vm.linker.make.__name__ == "make_unit"
    assert play("main() { println(1); }").lines == ["1"]

"""What is known of scripts from one run to the next: used when everything matches, ignored when anything is off."""

from __future__ import annotations

from pathlib import Path

import pytest

from engine.gsc import keeping
from engine.gsc.catalogue import Signature
from engine.gsc.parse_cache import MAX_FILES, ParseCache
from engine.gsc.program import Program, load_program
from engine.source import DiagnosticError, SourceText

TEXTS = {
    "main": 'main() { println(lib::f(1, 2)); x = %walk; }\n#using_animtree("late");',
    "lib": "f(a) { wait 1; return ::g; } g() { }",
}
GOOD = {**TEXTS, "main": '#using_animtree("t");\nmain() { println(lib::f(1, 2)); x = %walk; }'}


class Natives:
    def function(self, name: str) -> Signature | None:
        return Signature(name) if name == "println" else None

    def method(self, name: str) -> Signature | None:
        return None


class Scripts:
    def __init__(self, texts: dict[str, str]) -> None:
        self.texts = texts

    def find(self, name: str) -> SourceText | None:
        text = self.texts.get(name)
        return SourceText(f"{name}.gsc", text) if text is not None else None


def run(folder: Path, texts: dict[str, str], developer: bool = True) -> tuple[ParseCache, Program]:
    """Load as a fresh process would, and end as one does."""
    cache = ParseCache(folder)
    program = load_program(["main"], Scripts(texts), Natives(), cache=cache, developer=developer)
    cache.flush()
    return cache, program


def told(texts: dict[str, str], cache: ParseCache) -> list[tuple[str, str]]:
    with pytest.raises(DiagnosticError) as caught:
        load_program(["main"], Scripts(texts), Natives(), cache=cache)
    return [(str(d.span), d.message) for d in caught.value.diagnostics]


def test_the_second_run_parses_nothing_and_says_the_same(tmp_path: Path) -> None:
    first, cold = run(tmp_path, GOOD)
    second, warm = run(tmp_path, GOOD)
    assert (first.parses, second.parses) == (2, 0)
    assert [d.code for d in cold.diagnostics] == ["too-many-parameters"]
    assert (warm.trees, warm.entries) == (cold.trees, cold.entries) == (("t",), ("main",))
    assert str(warm.animations["t"]["walk"]) == str(cold.animations["t"]["walk"]) == "main.gsc:2:37"
    assert [(d.code, d.message, str(d.span)) for d in warm.diagnostics] == [
        (d.code, d.message, str(d.span)) for d in cold.diagnostics
    ]
    body = warm.scripts["lib"].functions["f"].body
    assert len(body.body) == 2


def test_only_what_changed_is_parsed(tmp_path: Path) -> None:
    run(tmp_path, GOOD)
    cache, program = run(tmp_path, {**GOOD, "lib": GOOD["lib"] + " h() { }"})
    assert cache.parses == 1
    assert "h" in program.scripts["lib"].functions
    assert run(tmp_path, {**GOOD, "lib": GOOD["lib"] + " h() { }"})[0].parses == 0


def test_errors_are_found_without_parsing(tmp_path: Path) -> None:
    run(tmp_path, GOOD)
    less = {**GOOD, "lib": "g() { }"}
    warm = ParseCache(tmp_path)
    assert told(less, warm) == told(less, ParseCache())
    assert warm.parses == 1
    assert told(TEXTS, ParseCache(tmp_path)) == told(TEXTS, ParseCache())


@pytest.mark.parametrize("damage", ["cut", "flip", "empty", "foreign", "another value"])
def test_damaged_files_are_ignored_and_replaced(tmp_path: Path, damage: str) -> None:
    run(tmp_path, GOOD)
    (path,) = tmp_path.glob("*.facts")
    data = bytearray(path.read_bytes())
    if damage == "cut":
        data = data[: len(data) // 2]
    elif damage == "flip":
        data[len(data) // 2] ^= 1
    elif damage == "empty":
        data = bytearray()
    elif damage == "foreign":
        data = bytearray(b"PK\x03\x04" + bytes(100))
    path.write_bytes(bytes(data))
    if damage == "another value":
        keeping.write_kept(path, b"NTFACTS\x01", [1, 2])
    assert run(tmp_path, GOOD)[0].parses == 2
    assert run(tmp_path, GOOD)[0].parses == 0


@pytest.mark.parametrize("other", ["compiler", "python"])
def test_what_another_version_has_left_is_not_used(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, other: str
) -> None:
    run(tmp_path, GOOD)
    if other == "compiler":
        monkeypatch.setattr(keeping, "compiler_version", lambda: "a compiler with another text")
    else:
        monkeypatch.setattr(keeping.sys, "version_info", (3, 99, 0))
    assert run(tmp_path, GOOD)[0].parses == 2


def test_developer_code_is_part_of_the_key(tmp_path: Path) -> None:
    run(tmp_path, GOOD)
    assert run(tmp_path, GOOD, developer=False)[0].parses == 2


def test_a_folder_that_cannot_be_made(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    cache, _ = run(tmp_path / "file", GOOD)
    assert cache.parses == 2
    assert not list(tmp_path.glob("*.tmp"))


def test_the_folder_does_not_grow_for_ever(tmp_path: Path) -> None:
    for number in range(MAX_FILES + 5):
        (tmp_path / f"{number}.facts").write_bytes(b"")
    run(tmp_path, GOOD)
    assert len(list(tmp_path.glob("*.facts"))) == MAX_FILES
    assert run(tmp_path, GOOD)[0].parses == 0


def test_the_compilers_version_is_its_text(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    versions = set()
    monkeypatch.setattr(keeping, "files", lambda package: tmp_path)
    for text in (b"a = 1\n", b"a = 2\n", b"a = 1\r\n", b"a = 1\n"):
        (tmp_path / "emitter.py").write_bytes(text)
        keeping.compiler_version.cache_clear()
        versions.add(keeping.compiler_version())
    keeping.compiler_version.cache_clear()
    assert len(versions) == 2, "line ends are no difference, all else is"

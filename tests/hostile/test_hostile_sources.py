"""Sources that are made to hurt a compiler: a diagnostic comes out, or a program that runs."""

from __future__ import annotations

import pytest

from engine.gsc.program import load_program
from engine.source import DiagnosticError
from engine.vm.core import core_registry
from engine.vm.machine import VM
from tests.vm.vm_kit import Scripts

DEEP = 10_000
SOURCES = {
    "parentheses": "main() { x = " + "(" * DEEP + "1" + ")" * DEEP + "; }",
    "open parentheses": "main() { x = " + "(" * DEEP,
    "blocks": "main() " + "{" * DEEP + "}" * DEEP,
    "open blocks": "main() " + "{" * DEEP,
    "brackets": "main() { x = a" + "[0]" * DEEP + "; }",
    "nots": "main() { x = " + "!" * DEEP + "1; }",
    "ifs": "main() { " + "if (1) " * DEEP + "x = 1; }",
    "else ifs": "main() { if (0) x = 1;" + " else if (0) x = 1;" * DEEP + " }",
    "sum": "main() { x = 1" + " + 1" * DEEP + "; println(x); }",
    "calls": "f(x) { return x; } main() { x = " + "f(" * DEEP + "1" + ")" * DEEP + "; }",
    "switch": "main() { switch (7) { " + "".join(f"case {n}: x = 1; break; " for n in range(20_000)) + "} }",
    "arguments": "f() {} main() { f(" + ", ".join("1" * DEEP) + "); }",
    "int": "main() { x = " + "9" * 200_000 + "; }",
    "float": "main() { x = 1." + "1" * 200_000 + "; println(x); }",
    "string": 'main() { x = "' + "z" * 300_000 + '"; println(x.size); }',
    "name": "main() { " + "n" * 200_000 + " = 1; }",
    "comment": "main() { /* " + "x" * 500_000,
    "locals": "main() { " + "".join(f"v{n} = {n}; " for n in range(5000)) + "}",
    "functions": "".join(f"f{n}() {{ return {n}; }} " for n in range(5000)) + "main() { println(f4999()); }",
}


@pytest.mark.parametrize("name", SOURCES)
def test_sources(name: str) -> None:
    said: list[str] = []
    vm = VM(core_registry(), report=lambda d: said.append(d.code), out=said.append)
    try:
        program = load_program(["main"], Scripts(main=SOURCES[name]), vm.natives)
    except DiagnosticError:
        return
    vm.link(program)
    vm.start("main::main")
    assert "internal" not in said


@pytest.mark.parametrize(
    "path",
    [
        "..\\..\\secret::f", "..::f", "maps\\..\\..\\x::f", "c:\\x::f", "\\\\host\\share::f", "con::f", "a\\\\\\\\b::f",
        "x" * 5000 + "::f", "a\\" * 500 + "b::f", "nul\\aux::f",
    ],
)  # fmt: skip
def test_paths_stay_in_the_mod(path: str, tmp_path: object) -> None:
    from pathlib import Path

    from engine.gsc.catalogue import FolderSearch

    folder = Path(str(tmp_path)) / "mods" / "mine"
    folder.mkdir(parents=True)
    (folder.parent.parent / "secret.gsc").write_text("f() {}")
    (folder / "main.gsc").write_text(f"main() {{ {path}(); }}")
    with pytest.raises(DiagnosticError):
        load_program(["main"], FolderSearch(folder), VM(core_registry()).natives)

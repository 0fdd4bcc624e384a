"""docs/running.md: its limits are the defaults, its examples give their codes, and no code is missing."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

from engine.cli.main import cli
from engine.gsc.catalogue import Signature
from engine.gsc.program import load_program
from engine.vm.core import core_registry
from engine.vm.limits import Settings
from engine.vm.machine import VM
from tests.vm.vm_kit import Scripts

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "running.md").read_text("utf-8")
ENTRIES = re.findall(r"^### `([a-z-]+)`\n(.*?)(?=^### |\Z)", PAGE, re.MULTILINE | re.DOTALL)
EXAMPLES = [
    (code, example)
    for code, text in ENTRIES
    for example in re.findall(r"^```gsc\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)
]


class Stock:
    def function(self, name: str) -> Signature | None:
        return Signature(name, implemented=False) if name == "earthquake" else None

    def method(self, name: str) -> Signature | None:
        return None


@pytest.mark.parametrize(("code", "text"), EXAMPLES, ids=[code for code, _ in EXAMPLES])
def test_example(code: str, text: str) -> None:
    found: list[str] = []
    vm = VM(
        core_registry(),
        settings=Settings(budget=20_000, loading_budget=0),
        report=lambda d: found.append(d.code),
        known=Stock(),
    )
    vm.link(load_program(["main"], Scripts(main=text), vm.natives))
    vm.start("main::main")
    vm.step()
    assert found == [code]


def test_limits_are_the_defaults() -> None:
    rows = dict(re.findall(r"^\| `(\w+)` \| (\d+) \|", PAGE, re.MULTILINE))
    assert {name: int(value) for name, value in rows.items()} == {
        name: getattr(Settings(), name) for name in rows
    }
    assert len(rows) == 12


def test_the_listing_of_waits_prints_what_it_says(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (listing,) = re.findall(
        r"^```gsc\n(.*?)^```$", PAGE.partition("\n## What an error does")[0], re.MULTILINE | re.DOTALL
    )
    script = tmp_path / "waits.gsc"
    script.write_text(listing)
    assert cli.main(["run", str(script)], prog_name="notetrack", standalone_mode=False) == 0
    assert capsys.readouterr().out.split() == re.findall(r"// (\d+)$", listing, re.MULTILINE)


def test_every_code_is_on_the_page() -> None:
    codes = {"runtime"}
    for path in (ROOT / "engine" / "vm").glob("*.py"):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "ScriptError":
                codes |= {ast.literal_eval(k.value) for k in node.keywords if k.arg == "code"}
    assert codes == {code for code, _ in ENTRIES}

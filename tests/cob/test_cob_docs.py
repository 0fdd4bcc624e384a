"""docs/cob.md: every listing runs, and every table says what is so."""

from __future__ import annotations

import contextlib
import io
import re
from pathlib import Path

import pytest
from click.testing import CliRunner

from engine.cli.main import cli
from engine.cob.compiler import compile_bos
from engine.cob.container import read_cob
from engine.cob.machine import Machine
from engine.cob.profiles import PROFILES
from engine.cob.threads import Options
from engine.cob.unit import UnitProgram
from engine.source import Diagnostic, DiagnosticError, SourceText
from tests.natives.natives_kit import game

ROOT = Path(__file__).resolve().parents[2]
PAGE = (ROOT / "docs" / "cob.md").read_text(encoding="utf-8")


def listings(language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)


def rows(header: str) -> list[list[str]]:
    found = []
    for line in PAGE.partition(f"| {header} |\n")[2].splitlines()[1:]:
        if not line.startswith("|"):
            break
        found.append([cell.strip() for cell in line.strip("|").split("|")])
    assert found
    return found


def unit(text: str) -> UnitProgram:
    warnings: list[Diagnostic] = []
    made = compile_bos(
        SourceText("gun.bos", text), profile=PROFILES["engine"], safe_end=True, warnings=warnings
    )
    assert warnings == []
    return UnitProgram.of("gun", made.cob, made.statics)


@pytest.mark.parametrize("text", listings("bos"))
def test_each_listing_compiles_without_a_warning_and_runs(text: str) -> None:
    machine = Machine(unit(text).cob)
    for script in range(len(machine.program.scripts)):
        machine.start(script, [1000, 500])
    for _ in range(60):
        machine.tick()
    assert all(slot.state == 0 for slot in machine.slots)
    assert not any("fault" in event for event in machine.events)


def test_the_console_shows_what_is_printed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (console,) = listings("console")
    command, _, shown = console.partition("\n")
    monkeypatch.chdir(tmp_path)
    Path("gun.bos").write_text(listings("bos")[0], encoding="utf-8")
    result = CliRunner().invoke(cli, command.removeprefix("$ python -m engine ").split())
    assert result.output == shown


def test_the_script_aims_and_fires() -> None:
    (script,) = listings("gsc")

    class Programs:
        def unit(self, name: str) -> UnitProgram | None:
            pieces = listings("bos")
            firing = pieces[2].replace("Create()\n{\n    hide flare1;\n}\n", "")
            aiming = pieces[1].replace("piece base, turret, sleeves, barrel1, flare1;\n", "")
            return unit(firing + aiming) if name == "gun" else None

        def unit_names(self) -> list[str]:
            return ["gun"]

        def unit_fault(self, *where: str) -> None:
            raise AssertionError(where)

        def unit_lacks(self, *where: object) -> None:
            """The kit's models have no pieces but their root and tag."""

    class Late(Programs):
        """The kit's models have no flare: the muzzle is their root."""

        def unit(self, name: str) -> UnitProgram | None:
            found = super().unit(name)
            if found is not None:
                found.cob.pieces[-1] = "tag_top"
            return found

    made = game(script.replace("main()\n{", "main()\n{\n\twait 0.05;"))
    made.world.units_source = Late()
    made.frames(60)
    assert made.messages == []
    assert [line.partition(" (")[0] for line in made.printed] == ["fired from"]
    assert made.world.picture().effects == ()


def test_the_python_listing_prints_what_is_said() -> None:
    (listing,) = listings("python")
    out = io.StringIO()
    with contextlib.redirect_stdout(out):
        exec(compile(listing, "docs/cob.md", "exec"), {})
    assert f"prints `{out.getvalue().strip()}`" in PAGE


def test_profiles_are_as_the_table_says() -> None:
    for name, linear, angle, empty, logic in rows(
        "profile | `[1]` | `<90>` | an empty function | `AND`, `OR`"
    ):
        text = "static-var s; Values() { s = [1]; s = <90>; } Empty() { } End() { s = s AND s OR s; }"
        cob = compile_bos(SourceText("p.bos", text), profile=PROFILES[name]).cob
        assert [str(cob.code[1]), str(cob.code[5])] == [linear, angle]
        entries = [script.entry for script in cob.scripts]
        assert (entries[1] == entries[2]) == (empty == "no words")
        operators = [word for word in cob.code[entries[2] :] if word in (0x10057000, 0x10058000)]
        assert (operators[0] == 0x10058000) == (logic == "one level, to the right")
    assert {row[0] for row in rows("profile | `[1]` | `<90>` | an empty function | `AND`, `OR`")} == set(
        PROFILES
    )


def test_warnings_are_as_the_table_says() -> None:
    for code, source in rows("warning | source"):
        warnings: list[Diagnostic] = []
        compile_bos(SourceText("w.bos", source.strip("`")), warnings=warnings)
        assert code.strip("`") in [d.code for d in warnings]


@pytest.mark.parametrize(("source", "error"), rows("source | error"))
def test_errors_are_as_the_table_says(source: str, error: str) -> None:
    with pytest.raises(DiagnosticError) as caught:
        compile_bos(SourceText("e.bos", "\n".join(re.findall(r"`([^`]+)`", source))))
    assert re.findall(r"`([a-z-]+)`", error)[0] in [d.code for d in caught.value.diagnostics]


def test_every_code_is_on_the_page() -> None:
    for path in (ROOT / "engine" / "cob").glob("*.py"):
        for code in re.findall(r'"((?:bos|cob|asm)-[a-z-]+)"', path.read_text(encoding="utf-8")):
            assert f"`{code}`" in PAGE, code


def test_options_are_as_the_table_says() -> None:
    for name, values in rows("option | values, the default first"):
        default = re.findall(r"`([a-z]+)`", values)[0]
        assert getattr(Options(), name.strip("`")) == default


def test_every_tool_is_there() -> None:
    for command, _ in rows("command | does"):
        for words in re.findall(r"`([a-z ]+)", command):
            result = CliRunner().invoke(cli, [*words.split(), "--help"])
            assert result.exit_code == 0, words


def test_tools_make_the_same_bytes_again(tmp_path: Path) -> None:
    """bos, disasm, asm and decompile in a circle, with the positions beside."""
    source = tmp_path / "gun.bos"
    source.write_text(listings("bos")[1], encoding="utf-8")

    def run(*arguments: object) -> str:
        result = CliRunner().invoke(cli, [str(argument) for argument in arguments])
        assert result.exit_code == 0, result.output
        return result.output

    run("bos", source, "-o", tmp_path / "a.cob", "--positions")
    assert '"instructions": [[0, ' in (tmp_path / "a.cob.json").read_text()
    (tmp_path / "a.txt").write_text(run("cob", "disasm", tmp_path / "a.cob"), encoding="utf-8")
    run("cob", "asm", tmp_path / "a.txt", "-o", tmp_path / "b.cob")
    run("cob", "decompile", tmp_path / "a.cob", "-o", tmp_path / "c.bos")
    run("bos", tmp_path / "c.bos", "-o", tmp_path / "c.cob")
    data = (tmp_path / "a.cob").read_bytes()
    assert (tmp_path / "b.cob").read_bytes() == data
    assert (tmp_path / "c.cob").read_bytes() == data
    assert "AimPrimary" in run("cob", "info", tmp_path / "a.cob")
    assert "no errors" in run("cob", "verify", tmp_path / "b.cob")
    assert [s.name for s in read_cob(data).scripts] == ["Create", "AimPrimary"]

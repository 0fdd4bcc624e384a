"""What commands make of arguments that mean nothing, and how they count."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from engine.cli.main import cli


@pytest.mark.parametrize(
    "words",
    [
        ("check", ""),
        ("check", "fine.gsc", "--mount", ""),
        ("run", ""),
        ("replay", ""),
        ("cob", "info", ""),
        ("bos", "", "-o", "x.cob"),
        ("bos", "fine.bos", "-o", ""),
        ("play", "", "--headless", "--seconds", "0.1"),
        ("play", "--headless", "--seconds", "0.1", "--mod", ""),
    ],
)
def test_an_empty_path_is_no_folder(
    words: tuple[str, ...], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It would be the folder of the command, which is full of files that nobody has named."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "fine.gsc").write_text("main()\n{\n}\n")
    (tmp_path / "fine.bos").write_text("piece a;\nF() { show a; }\n")
    result = CliRunner().invoke(cli, list(words))
    assert (result.exit_code, "is empty" in result.output) == (2, True), result.output
    assert len(list(tmp_path.iterdir())) == 2


@pytest.mark.parametrize(
    ("texts", "line"),
    [
        (["main() { x = ; }"], "1 file checked: 1 error, 0 warnings"),
        (["main() { x = ; y = ; }"], "1 file checked: 2 errors, 0 warnings"),
        (["main() { f(1); }\nf() { }", "main() { }"], "2 files checked: 0 errors, 1 warning"),
    ],
)
def test_check_counts(texts: list[str], line: str, tmp_path: Path) -> None:
    for number, text in enumerate(texts):
        (tmp_path / f"s{number}.gsc").write_text(text)
    result = CliRunner().invoke(cli, ["check", str(tmp_path)])
    assert result.output.splitlines()[-1] == line


def test_check_prints_what_it_finds_on_standard_output(tmp_path: Path) -> None:
    (tmp_path / "a.gsc").write_text("main() { x = ; }")
    for style, first in (
        ("text", str(tmp_path / "a.gsc") + ":1:14: error:"),
        ("json", '{"severity": "error"'),
    ):
        result = CliRunner().invoke(cli, ["check", str(tmp_path), "--format", style])
        assert (result.exit_code, result.stderr) == (1, "")
        assert result.stdout.startswith(first)
    result = CliRunner().invoke(cli, ["check", str(tmp_path / "nosuch"), "--format", "json"])
    assert (result.exit_code, json.loads(result.stdout)["code"]) == (2, "usage")


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("run", "fine.gsc", "--seconds", "-1"), "--seconds (or --until) is from 0 to 1000000"),
        (("replay", "folder"), "'folder' is no file"),
        (("replay", "nowhere"), "there is no file 'nowhere'"),
    ],
)
def test_what_cannot_be_is_named(
    words: tuple[str, ...], said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "fine.gsc").write_text("main()\n{\n}\n")
    (tmp_path / "folder").mkdir()
    result = CliRunner().invoke(cli, list(words), standalone_mode=False)
    code = result.return_value if result.exception is None else result.exit_code
    assert (code, said in result.output) == (2, True), result.output


def test_check_takes_the_language_of_a_script_that_belongs_to_no_mod(tmp_path: Path) -> None:
    script = tmp_path / "mine.gsc"
    script.write_text("main(list)\n{\n    n = 0;\n    foreach (x in list)\n        n++;\n    return n;\n}\n")
    result = CliRunner().invoke(cli, ["check", str(script)])
    assert (result.exit_code, "later-dialect" in result.output) == (1, True)
    for words in ([], ["--syntax-only"]):
        result = CliRunner().invoke(cli, ["check", "--dialect", "iw4", *words, str(script)])
        assert (result.exit_code, result.output) == (0, "1 file checked: 0 errors, 0 warnings\n")

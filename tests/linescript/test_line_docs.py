"""docs/line-scripts.md: every listing runs, and prints what the page says."""

from __future__ import annotations

import re
from pathlib import Path

from click.testing import CliRunner

from engine.cli.run import run
from engine.client import effects
from engine.gsc.dialect import LINES
from engine.linescript.library import global_scope
from tests.natives.natives_kit import game

PAGE = (Path(__file__).resolve().parents[2] / "docs" / "line-scripts.md").read_text(encoding="utf-8")
LISTINGS = re.findall(r"^```(\w*)\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)


def test_line_scripts_of_the_page_print_what_it_says(tmp_path: Path) -> None:
    texts = [text for kind, text in LISTINGS if not kind]
    assert len(texts) == 4
    for number, text in enumerate(texts):
        path = tmp_path / f"listing{number}.script"
        path.write_text(text)
        result = CliRunner().invoke(run, [str(path)], standalone_mode=False)
        assert result.stderr == ""
        expected = re.findall(r"// (.*)$", text, re.MULTILINE)
        if not expected:
            (shown,) = re.findall(r"^    \$ notetrack run bee\.script\n((?:    .*\n)+)", PAGE, re.MULTILINE)
            expected = [line.strip() for line in shown.splitlines()]
        assert result.stdout.splitlines() == expected


def test_the_table_of_mended_quirks_is_true(tmp_path: Path) -> None:
    rows = re.findall(r"^\| `([^`]+)` \| [^|]+ \| (-?[\d.]+|true|false) \|", PAGE, re.MULTILINE)
    assert len(rows) >= 6
    path = tmp_path / "quirks.script"
    path.write_text("".join(f"print({expression})\n" for expression, _ in rows))
    result = CliRunner().invoke(run, [str(path)], standalone_mode=False)
    assert result.stdout.splitlines() == [value for _, value in rows]


def test_python_listings_run() -> None:
    (text,) = [text for kind, text in LISTINGS if kind == "python"]
    found: dict[str, object] = {}
    exec(compile(text, "line-scripts.md", "exec"), found)
    assert found["lines"] == ["8\n"]


def test_gsc_listings_are_gsc() -> None:
    first, second = [text for kind, text in LISTINGS if kind == "c"]
    made = game(
        "main() { " + first + "level.score = 3; level.health = 50; score = newhudelem(); bar = newhudelem();"
        'bar setshader("white", 1, 1); player = level; ' + second + " }"
    )
    made.frames(2)
    # There are no line scripts in this game; the call itself is right.
    assert [m[:33] for m in made.messages] == ["there is no line script 'bee': it"]
    made = game(
        "main() { level.score = 3; level.health = 50; score = newhudelem(); bar = newhudelem();"
        'bar setshader("white", 1, 1); player = level; ' + second + " }"
    )
    made.frames(2)
    text, bar = made.world.picture().hud
    assert (text.text, bar.width, bar.height) == ("Score 3", 100.0, 6.0)


def test_every_function_and_statement_is_on_the_page() -> None:
    scope = global_scope(print, float)
    for name in [*scope.function_names(), *(LINES.keywords - {"true", "false", "in", "ref"})]:
        assert re.search(rf"`[^`]*\b{name}\b", PAGE), name
    for function in ("notify", "heard", "effect", "sound", "loopsound", "light", "nearest"):
        assert f"`{function}(" in PAGE or f", `{function}(" in PAGE


def test_the_words_of_effects_are_those_that_are_drawn() -> None:
    (row,) = re.findall(r"^\| `effect\(.*$", PAGE, re.MULTILINE)
    assert re.findall(r"`(\w+)`", row) == list(effects._SPAWNERS)


def test_the_line_that_the_tour_changes_is_there() -> None:
    root = Path(__file__).resolve().parents[2]
    tour = (root / "README.md").read_text(encoding="utf-8")
    (path, line) = re.findall(r"`(mods/\S+\.script)` change\s+`([^`]+)`", tour)[0]
    assert (root / path).read_text().count(f"  {line}\n") == 1

"""`notetrack run` of a script that lies in a mod: it finds what it would find in a game with that mod."""

from __future__ import annotations

import io
from pathlib import Path

import pytest

from engine.cli.run_gsc import run_file


def play(file: Path, root: Path | None = None) -> tuple[int, str, str]:
    """Exit code, output, errors."""
    out: list[str] = []
    err = io.StringIO()
    code = run_file(file, root=root, out=out.append, err=err)
    return code, "".join(out), err.getvalue()


@pytest.fixture
def mod(tmp_path: Path) -> Path:
    """A mod of two scripts that requires another one beside it."""
    mod, other = tmp_path / "night", tmp_path / "tools"
    (mod / "maps" / "mp").mkdir(parents=True)
    (other / "maps").mkdir(parents=True)
    (mod / "mod.toml").write_text('requires = ["tools"]\non_error = "continue"\n')
    (mod / "maps" / "mp" / "night.gsc").write_text(
        "main() { maps\\mp\\_stars::shine(); x = undefined + 1; println(maps\\_tools::twice(21)); }"
    )
    (mod / "maps" / "mp" / "_stars.gsc").write_text('shine() { println("stars"); }')
    (other / "mod.toml").write_text("")
    (other / "maps" / "_tools.gsc").write_text("twice(x) { return 2 * x; }")
    return mod


def test_it_has_the_scripts_of_its_mod_and_of_those_required(mod: Path) -> None:
    code, out, err = play(mod / "maps" / "mp" / "night.gsc")
    # The mod's policy is to go on after an error.
    assert out == "stars\n42\n"
    assert (code, err.count("[runtime]")) == (3, 1)


@pytest.mark.parametrize(
    ("text", "hint"),
    [
        ("mian() { }", "did you mean mian?"),
        ("first() { }\nsecond() { }", "--entry NAME starts another one: first, second"),
        ("", "there is no function in this file"),
    ],
)
def test_a_script_with_nothing_to_start_says_what_there_is(tmp_path: Path, text: str, hint: str) -> None:
    script = tmp_path / "lost.gsc"
    script.write_text(text)
    code, out, err = play(script)
    assert (code, out) == (1, "")
    assert err.startswith(f"{script}:1:1: error: there is no function 'main' to start [missing-entry]")
    assert f"note: {hint}" in err


def test_what_a_player_would_read_is_printed(tmp_path: Path) -> None:
    script = tmp_path / "told.gsc"
    script.write_text('main() { iprintln("one"); wait 0.2; iprintlnbold("two ", 3); }')
    assert play(script) == (0, "one\ntwo 3\n", "")
    script.write_text('main() { iprintln("at once"); }')
    assert play(script) == (0, "at once\n", "")


def test_a_root_is_all_that_is_searched(mod: Path) -> None:
    code, out, err = play(mod / "maps" / "mp" / "night.gsc", mod)
    assert (code, out) == (1, "")
    assert "there is no script 'maps\\_tools'" in err
    assert "no script 'maps\\mp" not in err


def test_the_mod_says_in_which_language(mod: Path) -> None:
    (mod / "mod.toml").write_text('dialect = "iw4"\n')
    script = mod / "maps" / "mp" / "night.gsc"
    script.write_text(
        "main() { level waittillmatch_or_timeout(1); }\nwaittillmatch_or_timeout(x) { foreach (a in []) { } }"
    )
    assert play(script)[0] == 0


def test_what_is_wrong_with_the_mod_is_told(mod: Path) -> None:
    (mod / "mod.toml").write_text('requires = ["nothing"]\n')
    code, out, err = play(mod / "maps" / "mp" / "night.gsc")
    assert (code, out) == (1, "")
    assert "mod.toml:1:13" in err
    assert "requires 'nothing', which is nowhere" in err

"""docs/diagnostics.md, the codes of mods: each row is met here."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest

from engine.mods.journal import Journal, LogLine
from engine.mods.misplaced import misplaced
from engine.mods.program import find_entries
from engine.mods.search import ModSearch, open_mod
from engine.mods.session import GameOptions, GameSession
from engine.source import Diagnostic, DiagnosticError

PAGE = (Path(__file__).resolve().parents[2] / "docs" / "diagnostics.md").read_text(encoding="utf-8")
SECTION = PAGE.partition("\n## Mods\n")[2].partition("\n## ")[0]
CODES = re.findall(r"^\| `([a-z-]+)` \|", SECTION, re.MULTILINE)


def played(folder: Path, **files: str) -> list[Diagnostic]:
    """What a game says that has a mod of these files over the sandbox."""
    for name, text in files.items():
        path = folder / name.replace("__", "/").replace("_dot_", ".")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    lines: list[LogLine] = []
    try:
        session = GameSession(GameOptions(mods=(folder,), watch=False), Journal(echo=lines.append))
    except DiagnosticError as error:
        return list(error.diagnostics)
    session.frame()
    session.close()
    return [line.diagnostic for line in lines if line.diagnostic is not None]


def bad_mod_setting(folder: Path) -> list[Diagnostic]:
    return played(folder, mod_dot_toml='nam = "x"\n')


def missing_mod(folder: Path) -> list[Diagnostic]:
    return played(folder, mod_dot_toml='requires = ["nowhere"]\n')


def missing_gametype(folder: Path) -> list[Diagnostic]:
    with pytest.raises(DiagnosticError) as caught:
        find_entries(ModSearch([open_mod(folder)]), "yard")
    return list(caught.value.diagnostics)


def missing_entry(folder: Path) -> list[Diagnostic]:
    return played(folder, mod_dot_toml='autostart = "mine"\n', mine_dot_gsc="other()\n{\n}\n")


def misplaced_file(folder: Path) -> list[Diagnostic]:
    """Told by `check`, and by a game when such a file is saved."""
    folder.joinpath("surfaces.toml").write_text("")
    found = misplaced(folder / "surfaces.toml")
    return [found] if found is not None else []


def idle_mod(folder: Path) -> list[Diagnostic]:
    return played(folder, mine_dot_gsc="main()\n{\n}\n")


def unknown_animtree(folder: Path) -> list[Diagnostic]:
    text = '#using_animtree("nowhere");\nmain()\n{\n    level.tree = #animtree;\n}\n'
    return played(folder, mod_dot_toml='autostart = "mine"\n', mine_dot_gsc=text)


def unreadable_file(folder: Path) -> list[Diagnostic]:
    (folder / "units" / "gun.bos").mkdir(parents=True)
    text = 'main()\n{\n    e = spawn("script_model", (0, 0, 0));\n    e setmodel("turret");\n    e usecob("gun");\n}\n'
    return played(folder, mod_dot_toml='autostart = "mine"\n', mine_dot_gsc=text)


def struct_init_waits(folder: Path) -> list[Diagnostic]:
    text = "initstructs()\n{\n    wait 1;\n}\n"
    return played(folder, mod_dot_toml='dialect = "iw4"\n', codescripts__struct_dot_gsc=text)


MET: dict[str, Callable[[Path], list[Diagnostic]]] = {
    f.__name__.replace("_", "-"): f
    for f in (
        bad_mod_setting, missing_mod, missing_gametype, missing_entry, unknown_animtree, misplaced_file,
        idle_mod, unreadable_file, struct_init_waits,
    )
}  # fmt: skip


@pytest.mark.parametrize("code", MET)
def test_a_code_of_the_page_is_met(code: str, tmp_path: Path) -> None:
    found = MET[code](tmp_path)
    assert [d.code for d in found if d.severity != "runtime error"] == [code]


def test_no_row_of_the_page_is_left_out() -> None:
    """The preview has its own tests for the one of tags."""
    assert set(CODES) == {*MET, "unknown-tag"}


NAMES = {
    "e setmodel": 'e setmodel("xmodel/soldier_grean");',
    "e attach": 'e attach("xmodel/soldier_grean");',
    "p setviewmodel": 'p setviewmodel("xmodel/soldier_grean");',
    "precachemodel": 'precachemodel("xmodel/soldier_grean");',
    "e playsound": 'e playsound("bel");',
    "e playloopsound": 'e playloopsound("bel");',
    "p playlocalsound": 'p playlocalsound("bel");',
    "musicplay": 'musicplay("bel");',
    "ambientplay": 'ambientplay("bel");',
}
"""A name that nothing has, by the call that is to blame."""
NAMING = """main()
{
    e = spawn("script_origin", (0, 0, 0));
    p = addtestclient();
    names(e, p);
}

names(e, p)
{
    CALL
    e detachall();
    CALL
}
"""


@pytest.mark.parametrize("call", NAMES)
def test_a_name_that_nothing_has_is_told_once_with_the_place_of_the_call(tmp_path: Path, call: str) -> None:
    text = NAMING.replace("CALL", NAMES[call])
    lines: list[LogLine] = []
    (tmp_path / "mod.toml").write_text('name = "mine"\nautostart = "mine"\n')
    (tmp_path / "mine.gsc").write_text(text)
    session = GameSession(GameOptions(mods=(tmp_path,), watch=False), Journal(echo=lines.append))
    for _ in range(4):
        session.frame()
    session.close()
    (line,) = [line for line in lines if line.kind == "error"]
    told = line.diagnostic
    assert told is not None
    assert told.code in ("missing-model", "missing-sound")
    assert told.span is not None
    assert (told.span.path.rpartition("/")[2], told.span.line) == ("mine.gsc", 10)
    assert [entry.function for entry in told.stack] == ["mine::names"]
    assert line.text.startswith(f"{told.span}: error: there is no ")


def test_a_line_without_a_place_says_once_that_it_is_an_error(tmp_path: Path) -> None:
    lines: list[LogLine] = []
    session = GameSession(GameOptions(mods=(), watch=False), Journal(echo=lines.append))
    session.tell(Diagnostic("missing-model", "there is no model `x`"))
    session.close()
    (line,) = [line for line in lines if line.kind == "error"]
    assert line.text == "there is no model `x` [missing-model]"

"""docs/diagnostics.md, the codes of mods: each row is met here."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest

from engine.mods.journal import Journal, LogLine
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
        bad_mod_setting, missing_mod, missing_gametype, missing_entry, unknown_animtree, unreadable_file,
        struct_init_waits,
    )
}  # fmt: skip


@pytest.mark.parametrize("code", MET)
def test_a_code_of_the_page_is_met(code: str, tmp_path: Path) -> None:
    found = MET[code](tmp_path)
    assert [d.code for d in found if d.severity != "runtime error"] == [code]


def test_no_row_of_the_page_is_left_out() -> None:
    """The preview has its own tests for the one of tags."""
    assert set(CODES) == {*MET, "unknown-tag"}

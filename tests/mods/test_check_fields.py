"""Fields that are most likely misspelt, and loops that never end: what `check` says of both, and where it is silent."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from engine import paths
from engine.mods import check_fields
from engine.mods.check import Checker
from engine.natives.registry import dialect_registries, game_catalogue, game_registry

Doubts = Callable[[str], list[str]]
CODES = ("unset-field", "unread-field", "endless-loop")


def checker() -> Checker:
    return Checker(
        game_catalogue(game_registry(), dialect_registries()),
        assets=[paths.assets()],
        shelves=[paths.mods()],
        animtrees=[paths.animtrees()],
    )


@pytest.fixture
def doubts(tmp_path: Path) -> Doubts:
    """Line, code and note of each of these warnings about a script that belongs to no mod."""

    def check(text: str) -> list[str]:
        file = tmp_path / "mine.gsc"
        file.write_text(text)
        found = [d for d in checker().check([file]).diagnostics if d.code in CODES]
        assert all(d.severity == "warning" and d.span is not None for d in found), found
        return [
            " | ".join((f"{d.span.line} {d.code}", *(n.message for n in d.notes)))
            for d in found
            if d.span is not None
        ]

    return check


def test_slips_of_a_single_file_are_told(doubts: Doubts) -> None:
    assert doubts("""main(p)
{
    level.soldires["grey"] = 12;
    p.orgin = (1, 2, 3);
    println(p.helth);
    println(p.helth);
    for (;;)
        p.x = 1;
}
""") == [
        "3 unread-field | did you mean soldiers?",
        "4 unread-field | did you mean origin?",
        "5 unset-field | did you mean health?",
        "7 endless-loop",
    ]


def test_slips_against_the_script_s_own_fields(doubts: Doubts) -> None:
    assert doubts("""main()
{
    level.lapcount = 0;
    level.lapcuont++;
    level.bestlap[0] = 1;
    level.bestlep[1] = 2;
    iprintln(level.lapcount, level.bestlap[0], level.lapcont, level.lapcount);
}
""") == ["6 unread-field | did you mean bestlap?", "7 unset-field | did you mean lapcount or lapcuont?"]


@pytest.mark.parametrize(
    "line",
    [
        "p.helth = 1; iprintln(p.helth);",
        "if (isdefined(p.helth)) iprintln(p.helth);",
        'iprintln(p["helth"], p.helth);',
        'p.orgin = 1; iprintln(p["orgin"]);',
        "p.way = 1; iprintln(p.way, p.way2);",
        "p.wayside2 = 1; iprintln(p.wayside);",
        "p.origins = 1;",
        "iprintln(p.zzz, p.hp);",
        "p.farfromall = 1; iprintln(p.neverheardof);",
        "iprintln(p.Health, p.ORIGIN, level.players.size);",
        "// p.orgin = 1;",
    ],
)
def test_what_is_no_slip(doubts: Doubts, line: str) -> None:
    assert doubts(f"main(p)\n{{\n    {line}\n}}\n") == []


def test_what_another_script_a_level_or_a_line_script_sets_is_set(doubts: Doubts, tmp_path: Path) -> None:
    text = "main(p)\n{\n    iprintln(p.helth);\n}\n"
    assert doubts(text) == ["3 unset-field | did you mean health?"]
    for name, other in (
        ("other.gsc", "main(p) { p.helth = 3; }"),
        ("deep/er.map", '{\n"classname" "worldspawn"\n"helth" "3"\n}\n'),
        ("bee.script", "helth = 3"),
    ):
        file = tmp_path / name
        file.parent.mkdir(exist_ok=True)
        file.write_text(other)
        assert doubts(text) == [], name
        file.unlink()


@pytest.mark.skipif(not Path("/proc/self/mem").exists(), reason="needs a file that not even root can read")
def test_a_file_that_cannot_be_read_may_set_anything(doubts: Doubts, tmp_path: Path) -> None:
    other = tmp_path / "other.gsc"
    other.symlink_to("/proc/self/mem")
    assert doubts("main(p) { iprintln(p.helth); }") == []


def test_a_mod_is_read_with_those_below_it(tmp_path: Path) -> None:
    (tmp_path / "mod.toml").write_text('name = "mine"\nrequires = ["sandbox"]\nautostart = "mine"\n')
    (tmp_path / "mine.gsc").write_text('main()\n{\n    level.soldires["grey"] = 12;\n}\n')
    (found,) = checker().check([tmp_path]).diagnostics
    assert found.code == "unread-field"


def test_of_a_place_with_too_many_files_no_field_is_doubted(
    doubts: Doubts, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(check_fields, "MAX_FILES", 60)
    for number in range(70):
        (tmp_path / f"{number}.txt").touch()
    assert doubts("main(p) { iprintln(p.helth); }") == []


def test_the_shipped_mods_have_no_doubts() -> None:
    assert [d for d in checker().check([paths.mods()]).diagnostics if d.severity == "warning"] == []


@pytest.mark.parametrize(
    ("body", "told"),
    [
        ("for (;;) level.a = 1;", True),
        ('while (1) { iprintln("x"); }', True),
        ("do { level.a = randomint(3); } while (true);", True),
        ("for (;;) { level.a = 1; if (level.a) continue; }", True),
        ("for (;;) { level.a = 1; wait 0.05; }", False),
        ("for (;;) waittillframeend;", False),
        ('for (;;) level waittill("x");', False),
        ("for (;;) { if (level.a) break; }", False),
        ("for (;;) { if (level.a) return; }", False),
        ("for (;;) { helper(); }", False),
        ("for (;;) { [[level.f]](); }", False),
        ('for (;;) { level notify("x"); }', False),
        ("for (;;) { self delete(); }", False),
        ("while (0) level.a = 1;", False),
        ("while (level.a) level.b = 1;", False),
        ("for (i = 0; i < 3; i++) level.a = i;", False),
    ],
)  # fmt: skip
def test_loops_that_never_end(doubts: Doubts, body: str, told: bool) -> None:
    found = doubts(f"main()\n{{\n    {body}\n}}\nhelper() {{ wait 1; }}\n")
    assert found == (["3 endless-loop"] if told else [])

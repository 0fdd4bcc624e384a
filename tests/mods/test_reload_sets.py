"""Sets of files of several kinds: everything in them is right and taken in, or nothing is, and nothing is forgotten."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from engine.mods.kinds import WATCHED
from engine.mods.prepared import Wanted, kind_of
from engine.mods.watch import Changes
from tests.mods.test_reload_history import FASTER, LEVEL, MAIN, MANIFEST, Table

TURNER = "n = 0\nwhile true\n  n = n + 1\n  wait 0.1\nend\n"
GUN = "F() { sleep 100; }\n"


class Sets(Table):
    """A game of one mod with a line script and a unit script in use."""

    def __init__(self, folder: Path) -> None:
        self.files = {
            "script": folder / "mine" / "mine.gsc",
            "line": folder / "mine" / "scripts" / "turner.script",
            "unit": folder / "mine" / "units" / "gun.bos",
            "cvars": folder / "mine" / "cvars.toml",
            "manifest": folder / "mine" / "mod.toml",
            "level": folder / "mine" / "levels" / "tiny.map",
            "weapon": folder / "mine" / "assets" / "weapons" / "bow.toml",
        }
        for path in self.files.values():
            path.parent.mkdir(parents=True, exist_ok=True)
        self.files["line"].write_text(TURNER)
        self.files["unit"].write_text(GUN)
        super().__init__(folder)
        self.session.world.lives.start(self.session.vm.level, "turner")
        assert self.session.contents.units.unit("gun") is not None
        self.run(2)

    def saves(self, **texts: str) -> dict[str, Any]:
        for name, text in texts.items():
            self.files[name].write_text(text)
        changed = frozenset(self.files[name] for name in texts)
        self.session.reloader.take(Changes(changed, frozenset(), 0.0))
        return self.reloads()[-1]

    def state(self) -> tuple[object, ...]:
        """What a set may change."""
        session = self.session
        line, unit = session.world.lives.programs.loaded.get("turner"), session.contents.units.unit("gun")
        return (
            session.build, session.world, line, unit, session.variables().get("speed"), session.search,
            session.world.weapons.get("bow"),
        )  # fmt: skip


@pytest.fixture
def sets(tmp_path: Path) -> Iterator[Sets]:
    sets = Sets(tmp_path)
    yield sets
    sets.session.close()


GOOD = {
    "script": FASTER,
    "line": TURNER.replace("+ 1", "+ 2"),
    "unit": GUN.replace("100", "200"),
    "cvars": "speed = 7\n",
    "manifest": MANIFEST + 'title = "Mine"\n',
    "weapon": "clip = 3\n",
}
BAD = {
    "script": FASTER.replace(";", "", 1),
    "line": TURNER.replace("+ 1", "+ ="),
    "unit": GUN.replace("sleep", "slip"),
    "cvars": "speed = [7]\n",
    "manifest": MANIFEST + "titel = 1\n",
    "level": LEVEL.replace("worldspawn", "worldspwn"),
    "weapon": 'clip = "many"\n',
}


@pytest.mark.parametrize("bad", BAD)
def test_one_bad_file_keeps_all_others_out_until_it_is_repaired(sets: Sets, bad: str) -> None:
    before = sets.state()
    event = sets.saves(**{**GOOD, bad: BAD[bad]})
    assert not event["ok"]
    assert {Path(d["path"]).name for d in event["diagnostics"]} == {sets.files[bad].name}
    assert sets.state() == before
    sets.run(1)
    event = sets.saves(**{bad: {**GOOD, "level": LEVEL}[bad]})
    assert event["ok"], event
    after = sets.state()
    same = {number for number, (one, other) in enumerate(zip(before, after, strict=True)) if one == other}
    # A level begins again in another world, and nothing else leads to one.
    assert same == (set() if bad == "level" else {1})
    assert (after[4], sets.session.search.mods[0].manifest.title) == ("7", "Mine")


def test_everything_that_is_wrong_in_a_set_is_told(sets: Sets) -> None:
    event = sets.saves(**{name: BAD[name] for name in ("script", "line", "unit", "cvars", "weapon")})
    names = {sets.files[name].name for name in ("script", "line", "unit", "cvars", "weapon")}
    assert {Path(d["path"]).name for d in event["diagnostics"]} == names


def test_what_is_left_wrong_does_not_stand_in_the_way_of_other_kinds(sets: Sets) -> None:
    assert not sets.saves(script=FASTER, unit=BAD["unit"])["ok"]
    event = sets.saves(cvars=GOOD["cvars"])
    assert event["ok"]
    assert [Path(name).name for name in event["files"]] == ["cvars.toml", "mine.gsc"]
    assert event["threads"]["moved"] == 1
    assert not sets.saves(unit=BAD["unit"])["ok"]
    assert sets.saves(unit=GOOD["unit"])["notes"] == ["units gun"]


def test_tables_are_read_again(sets: Sets) -> None:
    table = sets.folder / "ranks.csv"
    table.write_text("1,private\n")
    tables = sets.session.vm.tables
    assert tables("ranks.csv") == [["1", "private"]]
    table.write_text("1,corporal\n")
    sets.session.reloader.take(Changes(frozenset({table}), frozenset(), 0.0))
    assert sets.reloads()[-1]["notes"] == ["tables"]
    assert tables("ranks.csv") == [["1", "corporal"]]


def test_a_script_that_was_refused_with_others_is_compiled_once_it_is_right(sets: Sets) -> None:
    assert not sets.saves(script=MAIN + "more() { x }", line=GOOD["line"])["ok"]
    assert sets.saves(script=MAIN + "more() { }")["notes"] == ["line scripts turner: 1 went on"]


@pytest.mark.parametrize(
    ("path", "kind"),
    [
        ("maps/mp/a.GSC", "scripts"),
        ("animtrees/a.atr", "scripts"),
        ("mod.toml", "manifests"),
        ("assets/weapons/rifle.toml", "weapons"),
        ("assets/levels/surfaces.toml", "surfaces"),
        ("assets/sounds/sounds.toml", "assets"),
        ("assets/models/a/a.obj", "assets"),
        ("assets/models/a/skin.jpeg", "assets"),
        ("assets/sounds/a.flac", "assets"),
        ("mp/ranks.csv", "tables"),
        ("units/a.h", "units"),
        ("levels/a.map", "levels"),
    ],
)
def test_every_kind_of_file_is_watched(path: str, kind: str) -> None:
    assert kind_of(Path(path)) == kind
    assert Path(path).suffix.lower() in WATCHED


def test_only_the_level_that_is_played_matters() -> None:
    wanted = Wanted([Path("levels/Yard.map")], "yard")
    assert ("levels" in wanted, wanted.other_levels, "scripts" in wanted) == (True, False, False)
    wanted = Wanted([Path("levels/other.map")], "yard")
    assert ("levels" in wanted, wanted.other_levels) == (False, True)
    assert "levels" not in Wanted([], "yard", everything=True)

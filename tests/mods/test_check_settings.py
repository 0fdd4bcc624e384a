"""`check` reads every settings file of a mod as the game does, and says of each fault where it stands."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from engine import paths
from engine.mods.check import Checker
from engine.mods.session import GameOptions, GameSession
from engine.natives.registry import game_catalogue, game_registry
from engine.pipeline import importer
from engine.source import Diagnostic, DiagnosticError
from tests.pipeline.gltf_writer import strip

Faults = list[tuple[str, int, int, str, str]]
Check = Callable[[dict[str, str]], Faults]


def places(diagnostics: list[Diagnostic]) -> Faults:
    """File name, line, column, code and message of each."""
    found = []
    for each in diagnostics:
        assert each.span is not None, each
        line, column = each.span.source.line_col(each.span.start)
        found.append((Path(each.span.path).name, line, column, each.code, each.message))
    return found


def write(folder: Path, files: dict[str, str]) -> None:
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)


@pytest.fixture
def check(tmp_path: Path) -> Check:
    checker = Checker(game_catalogue(game_registry(), {}), assets=[paths.assets()], shelves=[paths.mods()])

    def run(files: dict[str, str]) -> Faults:
        folder = tmp_path / "mine"
        write(folder, files)
        result = checker.check([folder])
        assert result.files == len(files)
        return places(result.diagnostics)

    return run


def test_a_mod_without_faults(check: Check) -> None:
    assert not check(
        {
            "mod.toml": 'level = "hut"\ngametype = "range"\nautostart = "Mine"\nrequires = ["sandbox"]\n',
            "mine.gsc": "main() { }",
            "cvars.toml": "speed = 3\n",
            "levels/hut.map": '{\n"classname" "worldspawn"\n}\n',
            "assets/levels/surfaces.toml": 'planks = "wood"\n',
            "assets/sounds/sounds.toml": '[crack]\nfiles = ["ambience_wind"]\n',
            "assets/weapons/pistol.toml": 'slot = "pistol"\nmodel = "rifle"\nsound_fire = "crack"\n',
        }
    )


def test_variables_surfaces_sounds_and_weapons(check: Check) -> None:
    assert check(
        {
            "mod.toml": "",
            "cvars.toml": "speed = 3\ncolours = [1, 2]\n",
            "assets/levels/surfaces.toml": 'floor = "wood"\nwall = "chocolate"\n',
            "assets/sounds/sounds.toml": '[bang]\nfiles = ["rifel_shot"]\nvolum = 1\n',
            "assets/weapons/musket.toml": 'clip = "many"\n[reload_sounds]\nrumble = 0.2\n',
            "assets/weapons/sling.toml": 'model = "slingg"\n',
        }
    ) == [
        ("surfaces.toml", 2, 1, "surface-material", "surface wall needs a material: one of stone, wood, gravel, "
         "grass, metal, plaster, sand, dirt, glass, cloth, flesh"),
        ("sounds.toml", 2, 1, "missing-sound", "there is no sound file `rifel_shot`"),
        ("sounds.toml", 3, 1, "unknown-setting", "unknown setting `volum`"),
        ("musket.toml", 1, 1, "weapon-key", "clip must be a whole number"),
        ("musket.toml", 3, 1, "missing-sound", "there is no sound `rumble`"),
        ("sling.toml", 1, 1, "missing-model", "there is no model `slingg`"),
        ("cvars.toml", 2, 1, "bad-mod-setting", "the variable 'colours' takes a text, a number, true or false"),
    ]  # fmt: skip


def test_variables_that_nobody_could_read_or_set(check: Check) -> None:
    found = check(
        {
            "mod.toml": "",
            "cvars.toml": 'a = nan\nb = 1e400\n"" = 1\n"a b;quit" = 2\nc = true\n"d.e_1" = -0.5\n',
        }
    )
    assert [(line, text) for _, line, _, _, text in found] == [
        (1, "the variable 'a' is nan, which is no number that scripts can use"),
        (2, "the variable 'b' is inf, which is no number that scripts can use"),
        (3, "'' is no name that the console takes: letters, digits, `_` and `.`"),
        (4, "'a b;quit' is no name that the console takes: letters, digits, `_` and `.`"),
    ]


@pytest.mark.parametrize(
    "name", ["mod", "cvars", "assets/levels/surfaces", "assets/sounds/sounds", "assets/weapons/bow"]
)
def test_text_that_is_no_toml(check: Check, name: str) -> None:
    ((file, line, _, code, _),) = check({"mod.toml": "", f"{name}.toml": "a = 1\nb = \n"} if name != "mod" else
                                        {"mod.toml": "a = 1\nb = \n"})  # fmt: skip
    assert (file, line, code) == (f"{name.rpartition('/')[2]}.toml", 2, "bad-toml")


def test_what_a_manifest_names_has_to_be_there(check: Check) -> None:
    manifest = 'level = "atlantis"\ngametype = "sandbx"\nautostart = "start/here"\n'
    assert check({"mod.toml": manifest}) == [
        ("mod.toml", 1, 9, "missing-level", "there is no level 'atlantis'; there are yard"),
        ("mod.toml", 2, 12, "unknown-script", "there is no script 'maps\\mp\\gametypes\\sandbx'"),
        ("mod.toml", 2, 12, "unknown-script", "there is no script 'maps\\mp\\gametypes\\_callbacksetup'"),
        ("mod.toml", 3, 13, "unknown-script", "there is no script 'start\\here'"),
    ]
    assert check({"mod.toml": 'autostart = "other"\n', "other.gsc": "begin() { }"}) == [
        ("mod.toml", 1, 13, "missing-entry", "script 'other' has no function 'main', which the engine calls")
    ]


def test_mods_that_are_required_have_to_be_there(check: Check) -> None:
    (fault,) = check({"mod.toml": 'requires = [\n    "sandbox",\n    "Nowhere",\n]\n', "a.gsc": "main() { }"})
    assert fault[:4] == ("mod.toml", 3, 5, "missing-mod")


def test_a_level_is_read_whole(check: Check) -> None:
    level = '{\n"classname" "worldspawn"\n}\n{\n"classname" "scrpt_origin"\n}\n'
    twice = '{\n"classname" "worldspawn"\n"music" "a"\n"Music" "b"\n}\n'
    assert check({"mod.toml": "", "levels/a.map": level, "levels/b.map": twice}) == [
        ("a.map", 5, 14, "map-class", "there is no class 'scrpt_origin'"),
        ("b.map", 3, 1, "map-repeated", "the key music stands twice in this block; the last one counts"),
    ]


@pytest.mark.parametrize(
    ("setting", "line"),
    [
        ('requires = ["nowhere"]', "mod 'mine' requires 'nowhere', which is nowhere; give it with --mod"),
        ('level = "atlantis"', "there is no level 'atlantis'; there are yard"),
    ],
)
def test_a_game_that_cannot_begin_says_which_line_asks_for_it(
    tmp_path: Path, setting: str, line: str
) -> None:
    write(tmp_path / "mine", {"mod.toml": f"# a mod\n{setting}\n"})
    with pytest.raises(DiagnosticError) as caught:
        GameSession(GameOptions(mods=(tmp_path / "mine",), watch=False))
    ((file, at, _, _, message),) = places(list(caught.value.diagnostics))
    assert (file, at, message) == ("mod.toml", 2, line)


def test_a_game_without_its_scripts_says_which_lines_ask_for_them(tmp_path: Path) -> None:
    write(tmp_path / "mine", {"mod.toml": 'gametype = "chess"\nautostart = "knight"\n'})
    session = GameSession(GameOptions(mods=(tmp_path / "mine",), watch=False))
    told = [line.diagnostic for line in session.drain_log() if line.diagnostic is not None]
    session.close()
    assert [place[:4] for place in places(told)] == [
        ("mod.toml", 1, 12, "unknown-script"),
        ("mod.toml", 1, 12, "unknown-script"),
        ("mod.toml", 2, 13, "unknown-script"),
    ]


def test_one_fault_hides_no_other(check: Check) -> None:
    tree = '#using_animtree("mine");\n'
    found = check(
        {
            "mod.toml": 'levle = "x"\nrequires = ["sandbx"]\nautostart = "nix"\n',
            "animtrees/mine.atr": "soldier_walk\n",
            "a.gsc": "main() { x = ; }",
            "b.gsc": "main() { spwan(); }",
            "c.gsc": tree + "main() { spwan(); level.x = %soldier_wlak; }",
            "d.gsc": '#using_animtree("nowhere");\nmain() { x = ; y = %walk; }',
            "e.gsc": "main() { level.x = %walk; }",
        }
    )
    assert [(name, line, code) for name, line, _, code, _ in found] == [
        ("a.gsc", 1, "syntax"),
        ("b.gsc", 1, "unknown-function"),
        ("c.gsc", 2, "unknown-function"),
        ("c.gsc", 2, "unknown-animation"),
        ("d.gsc", 1, "unknown-animtree"),
        ("d.gsc", 2, "syntax"),
        ("e.gsc", 1, "no-tree"),
        ("mod.toml", 1, "bad-mod-setting"),
        ("mod.toml", 2, "missing-mod"),
        ("mod.toml", 3, "unknown-script"),
    ]


def test_a_tree_in_the_place_of_another_is_checked_with_the_scripts_that_use_it(check: Check) -> None:
    tree = (paths.animtrees() / "soldier.atr").read_text()
    assert "soldier_run\n" in tree
    found = check(
        {
            "mod.toml": 'requires = ["sandbox"]\n',
            "animtrees/soldier.atr": tree.replace("soldier_run\n", "soldier_runn\n"),
        }
    )
    told = {(name, code): message for name, _, _, code, message in found}
    assert len(told) == len(found) == 2
    assert (
        told["soldier.atr", "missing-clip"] == "there is no clip 'soldier_runn'; the animation stands still"
    )
    assert "animation 'soldier_run' is not defined" in told["_body.gsc", "unknown-animation"]


def test_clips_of_a_tree_that_are_nowhere(check: Check) -> None:
    found = check({"mod.toml": "", "animtrees/dog.atr": "a : loopsync\n{\nsoldier_walk\nsoldier_runn\n}\n"})
    assert [(line, code, message) for _, line, _, code, message in found] == [
        (4, "missing-clip", "there is no clip 'soldier_runn'; the animation stands still")
    ]
    names = "\n".join(f"clip{i}" for i in range(9))
    found = check({"mod.toml": "", "animtrees/dog.atr": f"a : loopsync\n{{\n{names}\n}}\n"})
    assert [(line, code, message) for _, line, _, code, message in found] == [
        (3, "missing-clip", "none of the 9 clips of this tree is there; they stand still")
    ]


def test_the_nearest_mod_is_named(tmp_path: Path) -> None:
    with pytest.raises(DiagnosticError, match=r"there is no mod folder 'jugler'; did you mean juggler\?"):
        GameSession(GameOptions(mods=(Path("jugler"),), watch=False))


@pytest.mark.skipif(not importer.available(), reason="no libassimp here")
def test_a_clip_with_a_name_that_the_engine_has_is_told(tmp_path: Path) -> None:
    gltf = strip()
    gltf.clip("swing", (0, "translation", [0, 1], [[0, 0, 0], [0, 0, 1]]))
    folder = tmp_path / "mine"
    write(folder, {"mod.toml": ""})
    sign = folder / "assets" / "models" / "sign" / "sign.glb"
    gltf.write(sign, '[clips.swing]\nname = "soldier_walk"\n')
    checker = Checker(game_catalogue(game_registry(), {}), assets=[paths.assets()], shelves=[paths.mods()])
    ((name, line, column, code, message),) = places(checker.check([folder]).diagnostics)
    assert (name, line, column, code) == ("sign.toml", 2, 1, "duplicate-clip")
    assert "soldier.glb as well; this one is used" in message


def test_what_lies_where_no_game_looks_is_told(check: Check) -> None:
    faults = check(
        {
            "mod.toml": "",
            "surfaces.toml": 'planks = "wood"\n',
            "assets/sounds.toml": "",
            "assets/levels/surfaces.toml": 'planks = "wood"\n',
            "assets/models/crate.obj": "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n",
            "assets/models/box/box.obj": "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n",
        }
    )
    assert [(name, code) for name, _, _, code, _ in faults if code == "misplaced-file"] == [
        ("crate.obj", "misplaced-file"),
        ("sounds.toml", "misplaced-file"),
        ("surfaces.toml", "misplaced-file"),
    ]

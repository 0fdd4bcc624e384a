"""Which file a name means, and what a manifest may say."""

from __future__ import annotations

from pathlib import Path

import pytest

from engine.mods.manifest import read_manifest
from engine.mods.search import arrange
from engine.source import DiagnosticError
from engine.source.render import to_text


def make_mod(folder: Path, manifest: str = "", **files: str) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    if manifest:
        (folder / "mod.toml").write_text(manifest)
    for name, text in files.items():
        path = folder / name.replace("__", "/")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.with_suffix(".gsc").write_text(text)
    return folder


@pytest.fixture
def shelf(tmp_path: Path) -> Path:
    shelf = tmp_path / "mods"
    make_mod(shelf / "base", maps__util="base(){}", maps__only="only(){}")
    make_mod(shelf / "sandbox", 'gametype = "range"\nlevel = "yard"', maps__util="sandbox(){}")
    make_mod(shelf / "examples" / "night", 'requires = ["sandbox"]\nautostart = "night"', night="main(){}")
    return shelf


def names(search) -> list[str]:
    return [mod.name for mod in search]


def test_the_sandbox_stands_above_base(shelf: Path) -> None:
    search = arrange([], [shelf])
    assert names(search) == ["sandbox", "base"]
    assert search.setting("level") == "yard"
    util = search.now().find(r"maps\util")
    assert util is not None
    assert "sandbox" in util.text
    only = search.now().find(r"maps\only")
    assert only is not None
    assert only.path.endswith("mods/base/maps/only.gsc")
    assert search.now().find(r"maps\none") is None


def test_a_mod_is_named_or_given_as_a_folder_and_brings_what_it_requires(shelf: Path) -> None:
    assert names(arrange([Path("night")], [shelf])) == ["night", "sandbox", "base"]
    assert names(arrange([shelf / "examples" / "night"], [shelf])) == ["night", "sandbox", "base"]


def test_a_copy_of_the_sandbox_replaces_it(shelf: Path, tmp_path: Path) -> None:
    copy = make_mod(tmp_path / "copy", 'name = "sandbox"\ngametype = "range"', maps__util="copy(){}")
    search = arrange([copy], [shelf])
    assert [mod.folder for mod in search] == [copy, shelf / "base"]


def test_a_required_mod_that_is_nowhere_is_named(shelf: Path, tmp_path: Path) -> None:
    mod = make_mod(tmp_path / "mine", 'requires = ["sandbux"]')
    with pytest.raises(DiagnosticError, match="requires 'sandbux', which is nowhere; did you mean sandbox"):
        arrange([mod], [shelf])


@pytest.mark.parametrize("place", ["asked", "required"])
def test_all_that_is_wrong_in_manifests_is_told_at_once(shelf: Path, tmp_path: Path, place: str) -> None:
    text = 'gametyp = "range"\nrequires = ["sandbx"]\non_error = "panic"\n'
    mod = make_mod(shelf / "faulty", text)
    if place == "required":
        mod = make_mod(tmp_path / "mine", 'titel = "x"\nrequires = ["faulty"]')
    with pytest.raises(DiagnosticError) as caught:
        arrange([mod], [shelf])
    told = [(d.span.path.split("/")[-2], d.span.line, d.code) for d in caught.value.diagnostics if d.span]
    own = [("mine", 1, "bad-mod-setting")] if place == "required" else []
    faulty = [(1, "bad-mod-setting"), (3, "bad-mod-setting"), (2, "missing-mod")]
    assert told == own + [("faulty", *where) for where in faulty]


def test_a_missing_mod_folder_is_a_plain_message(shelf: Path) -> None:
    with pytest.raises(DiagnosticError, match="there is no mod folder 'nothing'"):
        arrange([Path("nothing")], [shelf])


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("gametyp = 'range'", "mod.toml:1:1: error: unknown setting 'gametyp'; did you mean gametype?"),
        ("# a\n\nname = 3", "mod.toml:3:1: error: 'name' takes a text in quotes"),
        ("on_error = 'panic'", "mod.toml:1:1: error: 'on_error' is one of stop, continue, halt"),
        ("max_anim_infos = 0", "mod.toml:1:1: error: 'max_anim_infos' takes a whole number from 1 to "),
        ("max_anim_infos = true", "mod.toml:1:1: error: 'max_anim_infos' takes a whole number from 1 to "),
        ("requires = 'base'", "mod.toml:1:1: error: 'requires' takes a list of mod names"),
        ("name = 'a\n", "mod.toml:1:10: error: "),
    ],
)
def test_every_fault_of_a_manifest_has_its_place(tmp_path: Path, text: str, message: str) -> None:
    (tmp_path / "mod.toml").write_text(text)
    with pytest.raises(DiagnosticError) as caught:
        read_manifest(tmp_path)
    assert to_text(caught.value.diagnostics[0]).startswith(f"{tmp_path}/{message}")


def test_a_script_of_the_working_folder_is_shown_by_its_bare_name(
    shelf: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(shelf / "base")
    found = arrange([Path(".")], [shelf]).now().find(r"maps\only")
    assert found is not None
    assert found.path == "maps/only.gsc"

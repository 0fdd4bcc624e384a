"""The shipped animation trees name clips that exist, and their sync groups hold clips of one kind."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest

from assets.tools.make_dummy import CLIPS as DUMMY_CLIPS
from engine.anim import atr
from engine.anim.entries import Entry, NodeFlag
from engine.pipeline.library import AssetLibrary
from engine.source import SourceText

ROOT = Path(__file__).resolve().parents[2]
TREES = ("soldier", "dummy")


def entries(name: str) -> tuple[Entry, ...]:
    path = ROOT / "animtrees" / f"{name}.atr"
    return atr.read(SourceText.read(path)).entries


def leaves(branch: tuple[Entry, ...]) -> Iterator[Entry]:
    for entry in branch:
        if entry.children is None:
            yield entry
        else:
            yield from leaves(entry.children)


def clips(name: str) -> dict[str, dict[str, object]]:
    found: dict[str, dict[str, object]] = {}
    for path in sorted((ROOT / "assets/models").glob(f"{name}*/*.toml")):
        found |= tomllib.loads(path.read_text(encoding="utf-8")).get("clips", {})
    return found


OVERLAID = {"soldier_breathe"}  # of the extended set only: it means nothing by itself


@pytest.mark.parametrize("name", TREES)
def test_every_leaf_is_a_clip_and_every_clip_is_a_leaf(name: str) -> None:
    found = [leaf.name for leaf in leaves(entries(name))]
    assert len(found) == len(set(found))
    assert set(found) == set(clips(name)) - {"void", "void_loop"} - OVERLAID


def test_the_soldier_asks_for_nothing_beyond_the_original_set_and_the_sentry_for_all_of_it() -> None:
    assert not (ROOT / "animtrees/soldier.atr").read_text(encoding="utf-8").startswith("#extended")
    library = AssetLibrary([ROOT / "assets"], None, lambda _: None)
    tree = atr.read(SourceText.read(ROOT / "animtrees/sentry.atr")).prune({}, library, all_names=True)
    named = {tree.names[node]: node for node in range(len(tree.names))}
    assert tree.parameters == ("speed",)
    assert set(clips("soldier")) >= {tree.names[node] for node in named.values() if tree.is_leaf(node)}
    assert {name for name, node in named.items() if tree.is_additive(node)} == {"winded", "hurt"}
    assert set(tree.masks) == {named["greeting"], named["winded"], named["hurt"]}
    pace = tree.names.index("pace")
    assert tree.flags[pace] & NodeFlag.SYNC_ROOT
    assert [tree.names[node] for node in tree.children[pace]][::-1] == [
        "soldier_idle",
        "soldier_walk",
        "soldier_run",
    ]


def test_what_travels_keeps_step() -> None:
    branches = {entry.name: entry for entry in entries("soldier")[0].children or ()}
    travelling = branches["travelling"]
    assert travelling.flags == NodeFlag.LOOPSYNC
    settings = clips("soldier")
    for leaf in travelling.children or ():
        assert settings[leaf.name]["loop"] is True
        assert settings[leaf.name]["root_motion"] == "full"
    moving = {name for name, clip in settings.items() if "root_motion" in clip and "loop" in clip}
    assert {leaf.name for leaf in travelling.children or ()} == moving


def test_the_dummy_falls_and_rises_with_a_thud() -> None:
    notes = {name: [note for note, _ in marks] for name, _, _, _, marks in DUMMY_CLIPS}
    assert notes == {"dummy_idle": [], "dummy_fall": ["thud"], "dummy_rise": ["thud"]}
    keys = {name: angles for name, _, _, angles, _ in DUMMY_CLIPS}
    assert list(keys["dummy_fall"].values())[-1] == keys["dummy_rise"][0]
    assert list(keys["dummy_rise"].values())[-1] == keys["dummy_idle"][0] == 0.0

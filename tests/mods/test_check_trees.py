"""`check` reads a tree as the game does: the extended set's conflicts, and masks of bones that no model has."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from engine import paths
from engine.mods.check import Checker
from engine.natives.registry import game_catalogue, game_registry
from engine.source import Diagnostic

Found = list[tuple[int, str, str]]
Check = Callable[..., Found]


@pytest.fixture
def check(tmp_path: Path) -> Check:
    def run(tree: str, *, syntax_only: bool = False, **files: str) -> Found:
        folder = tmp_path / "mine"
        (folder / "animtrees").mkdir(parents=True)
        (folder / "mod.toml").write_text(files.get("manifest", ""))
        (folder / "animtrees" / "mine.atr").write_text(tree)
        if "script" in files:
            (folder / "mine.gsc").write_text(files["script"])
        checker = Checker(
            game_catalogue(game_registry(), {}),
            assets=[paths.assets()],
            shelves=[paths.mods()],
            syntax_only=syntax_only,
        )
        return [_place(each) for each in checker.check([folder]).diagnostics]

    return run


def _place(diagnostic: Diagnostic) -> tuple[int, str, str]:
    assert diagnostic.span is not None, diagnostic
    return diagnostic.span.line, diagnostic.code, diagnostic.message


def test_a_tree_without_faults(check: Check) -> None:
    assert not check(
        "#extended\nbody\n{\n\tsoldier_walk\n\tsoldier_run\n}\nlook : mask=spine_lower,-head\n{\n\tsoldier_aim\n}\n"
    )


def test_conflicts_of_the_extended_set_stand_at_their_line(check: Check) -> None:
    tree = "#extended\nbody\n{\n\tsoldier_walk\n}\nadd : additive\n{\n\tsoldier_run : additive\n}\n"
    assert check(tree) == [(8, "bad-additive", "'soldier_run' is additive and below another additive node")]


def test_a_blend_without_places_is_told(check: Check) -> None:
    tree = "#extended\nmove : blend=speed\n{\n\tsoldier_walk : at=60\n\tsoldier_run\n}\n"
    ((line, code, message),) = check(tree)
    assert (line, code) == (5, "bad-blend")
    assert "does not say where it stands" in message


def test_masks_of_unknown_bones_are_told_with_the_nearest(check: Check) -> None:
    tree = "#extended\nlook : mask=spine_lowr,-haed,-arm_left\n{\n\tsoldier_aim\n}\n"
    ((line, code, message),) = check(tree)
    assert (line, code) == (2, "unknown-bone")
    assert "the mask of 'look' names bones that model 'soldier' does not have: spine_lowr, -haed" in message


def test_without_a_model_nothing_is_said_of_bones(check: Check) -> None:
    found = check("#extended\nlook : mask=anything\n{\n\tno_such_clip\n}\n")
    assert [code for _, code, _ in found] == ["missing-clip"]


def test_names_that_only_scripts_decide_about_are_not_told(check: Check) -> None:
    """A strict tree may list what nobody mentions: it is not there then."""
    assert not check("soldier_walk\nsoldier_walk\nsoldier_run\n")


def test_a_leaf_that_nobody_may_mention_is_told_while_no_script_uses_the_tree(check: Check) -> None:
    ((line, code, message),) = check("body : loopsync\n{\n\tsoldier_walk\n\tsoldier_wave\n}\n")
    assert (line, code) == (4, "sync-loop-mismatch")
    assert "'soldier_wave' does not loop" in message


def test_a_fault_of_a_used_tree_is_told_once(check: Check) -> None:
    tree = "#extended\nadd : additive\n{\n\tsoldier_run : additive\n}\n"
    script = '#using_animtree("mine");\nmain() { self UseAnimTree(#animtree); self SetAnim(%soldier_run); }\n'
    assert [code for _, code, _ in check(tree, script=script)] == ["bad-additive"]


def test_syntax_only_reads_the_text_only(check: Check) -> None:
    assert not check("#extended\nlook : mask=spine_lowr\n{\n\tsoldier_aim\n}\n", syntax_only=True)

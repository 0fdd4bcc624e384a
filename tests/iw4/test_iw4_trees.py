"""Animation trees that only IW4 scripts select are read by that game's rules."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))

from iw4_kit import make, program

from engine.anim import atr
from engine.anim.entries import NodeFlag
from engine.mods.trees import NoClips, load_trees
from engine.source import DiagnosticError, SourceText

ADDITIVE = "lean : additive\n{\n    lean_left\n    lean_right\n}\nstand\n"
TWICE = "stand\nwalk\nstand\n"
SCRIPT = '#using_animtree("walker");\nmain() { x = %stand; }'


def codes(text: str, *, modern: bool) -> list[str]:
    try:
        atr.read(SourceText("walker.atr", text), modern=modern)
    except DiagnosticError as error:
        return [diagnostic.code for diagnostic in error.diagnostics]
    return []


@pytest.mark.parametrize(
    ("text", "older", "modern"),
    [
        (ADDITIVE, ["unknown-anim-property"], []),
        (TWICE, [], ["duplicate-animation"]),
        ("", [], ["empty-anim-tree"]),
        ("walk : LoopSync\n{\n    a\n}\n", [], []),
        ("walk : loopsync\n", ["property-on-leaf"], ["property-on-leaf"]),
        ("walk run\n", ["anim-alias"], ["anim-alias"]),
        ("walk {\n    a\n}\n", ["bad-token"], ["bad-token"]),
    ],
)
def test_what_a_file_may_have(text: str, older: list[str], modern: list[str]) -> None:
    assert codes(text, modern=False) == older
    assert codes(text, modern=True) == modern


def test_a_tree_that_others_select_too_is_read_by_the_older_rules() -> None:
    run = make()
    alone = program(run, {"main": SCRIPT})
    shared = program(run, {"main": SCRIPT, "other\\uo": SCRIPT}, uo=frozenset({"other\\uo"}))
    assert alone.late_trees == {"walker"}
    assert shared.late_trees == frozenset()
    source = SourceText("walker.atr", ADDITIVE)
    tree = load_trees(alone, lambda name: source, NoClips()).trees["walker"]
    assert tree.node("stand") is not None
    with pytest.raises(DiagnosticError, match="additive"):
        load_trees(shared, lambda name: source, NoClips())


def test_a_group_may_be_additive() -> None:
    entries = atr.read(SourceText("walker.atr", ADDITIVE), modern=True).entries
    assert entries[0].flags == NodeFlag.ADDITIVE

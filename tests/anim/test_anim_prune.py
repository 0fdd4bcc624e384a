"""Which entries become nodes, their numbers, and what is refused (animation facts, section 2)."""

from __future__ import annotations

import pytest

from engine.anim import atr, prune
from engine.anim.clip import Clip
from engine.anim.entries import NodeFlag
from engine.anim.tree import MAX_NODES
from engine.source import Diagnostic, DiagnosticError, SourceText, Span
from tests.anim.kit import Clips, build, make_clip, shape, source

LAMP = "lamp_still\nlamp_swing\nlamp_break\n{\n\tlamp_fall\n\tlamp_shatter\n}\n"
ROBOT = """
robot
{
	strides : complete loopsync
	{
		stride_left
		stride_mid
		stride_right
	}
	flinch : nonloopsync
	{
		flinch_soft
		flinch_hard
	}
}
"""
ROBOT_CLIPS = Clips(loops=("stride_left", "stride_mid", "stride_right"), plain=("flinch_soft", "flinch_hard"))
LAMP_CLIPS = Clips(plain=("lamp_still", "lamp_swing", "lamp_fall", "lamp_shatter"))


def faults(text: str, clips: Clips, referenced: dict[str, Span | None] | list[str]) -> list[Diagnostic]:
    with pytest.raises(DiagnosticError) as caught:
        build(text, clips, referenced)
    return list(caught.value.diagnostics)


@pytest.mark.parametrize(
    ("names", "expected"),
    [
        (["lamp_swing", "lamp_shatter"], "root{ lamp_swing lamp_break{ lamp_shatter } }"),
        (["lamp_still"], "root{ lamp_still }"),
        (["lamp_break"], "root{ lamp_break{ void } }"),
        (["LAMP_Fall"], "root{ lamp_break{ lamp_fall } }"),
        ([], "root{ void }"),
        (["root"], "root{ void }"),
    ],
)
def test_only_what_is_mentioned_stays(names: list[str], expected: str) -> None:
    assert shape(build(LAMP, LAMP_CLIPS, names)) == expected


@pytest.mark.parametrize(
    ("names", "expected"),
    [
        (["strides"], "root{ robot{ strides{ stride_left stride_mid stride_right } } }"),
        (["stride_mid"], "root{ robot{ strides{ stride_mid } } }"),
        (["flinch"], "root{ robot{ flinch{ void } } }"),
        (["robot"], "root{ robot{ void } }"),
        (["robot", "flinch_hard"], "root{ robot{ flinch{ flinch_hard } } }"),
    ],
)
def test_complete_keeps_all_below_only_where_it_is_mentioned(names: list[str], expected: str) -> None:
    assert shape(build(ROBOT, ROBOT_CLIPS, names)) == expected


def test_complete_reaches_all_descendants_and_forces_their_voids() -> None:
    text = "p : complete\n{\n\tq\n\t{\n\t\ta\n\t}\n\te : loopsync\n\t{\n\t}\n}\n"
    clips = Clips(plain=["a"])
    assert shape(build(text, clips, ["p"])) == "root{ p{ q{ a } e{ void_loop } } }"
    assert shape(build(text, clips, ["q"])) == "root{ p{ q{ void } } }"


def test_a_mentioned_loopsync_parent_without_animations_gets_void_loop() -> None:
    text = "idles : loopsync\n{\n\tidle_a\n\tidle_b\n}\n"
    assert shape(build(text, Clips(), ["idles"])) == "root{ idles{ void_loop } }"
    assert shape(build(text, Clips(), [])) == "root{ void }"


def test_check_mode_treats_every_name_as_mentioned() -> None:
    assert (
        shape(build(LAMP, LAMP_CLIPS)) == "root{ lamp_still lamp_swing lamp_break{ lamp_fall lamp_shatter } }"
    )


def test_children_are_numbered_together_newest_first_then_their_subtrees() -> None:
    text = "a\nb\n{\n\tb1\n\tb2\n}\nc\n{\n\tc1\n\tc2\n\t{\n\t\td\n\t}\n}\n"
    tree = build(text, Clips(plain=["a", "b1", "b2", "c1", "d"]))
    assert tree.names == ("root", "c", "b", "a", "c2", "c1", "d", "b2", "b1")
    assert tree.parents == (-1, 0, 0, 0, 1, 1, 4, 2, 2)
    assert tree.children[0] == (1, 2, 3)


@pytest.mark.parametrize(
    "path", ["animtrees/lamp.atr", "C:\\mods\\x\\animtrees\\Lamp.ATR", "lamp.atr", "lamp"]
)
def test_a_tree_has_the_name_of_its_file(path: str) -> None:
    entries = atr.read(SourceText(path, LAMP))
    assert entries.prune({}, LAMP_CLIPS).name == "lamp"


def test_a_stand_in_takes_the_place_of_a_missing_clip() -> None:
    asked: list[tuple[str, bool, str]] = []

    def stand_in(name: str, looping: bool, place: Span) -> Clip:
        asked.append((name, looping, str(place)))
        return make_clip(name, looping=looping)

    text = "p : loopsync\n{\n\twalk\n}\nrun\nhere\n"
    tree = atr.read(source(text)).prune({}, Clips(plain=["here"]), all_names=True, stand_in=stand_in)
    assert sorted(asked) == [
        ("run", False, "animtrees/test.atr:5:1"),
        ("walk", True, "animtrees/test.atr:3:2"),
    ]
    assert [tree.clip(tree.index[name]).name for name in ("walk", "run", "here")] == ["walk", "run", "here"]


def test_root_is_node_0_and_names_are_found_in_any_case() -> None:
    tree = build(LAMP, LAMP_CLIPS)
    assert tree.node("ROOT") == 0
    assert tree.names[tree.node("Lamp_Fall") or 0] == "lamp_fall"
    assert tree.node("nothing") is None


def test_duplicates_count_only_after_pruning() -> None:
    twice = "walk\nrun\nwalk\nwalk\n"
    clips = Clips(plain=["walk", "run"])
    assert shape(build(twice, clips, ["run"])) == "root{ run }"
    found = faults(twice, clips, ["walk"])
    assert [(d.code, d.span.line if d.span else 0) for d in found] == [
        ("duplicate-animation", 3),
        ("duplicate-animation", 4),
    ]
    assert found[0].notes[0].span is not None
    assert found[0].notes[0].span.line == 1


def test_tools_show_the_first_of_what_stands_again_and_warn() -> None:
    """Also retail trees have such leaves: they load, since nobody mentions them."""
    read = atr.read(source("a\n{\n\twalk\n\trun\n\twalk\n}\nb\n{\n\twalk\n}\n"))
    tree = read.prune({}, Clips(plain=["walk", "run"]), all_names=True)
    assert shape(tree) == "root{ a{ walk run } b{ walk } }"
    (found,) = prune.repeated(read.entries)
    assert (found.code, found.severity, str(found.span)) == (
        "duplicate-animation",
        "warning",
        "animtrees/test.atr:5:2",
    )
    assert str(found.notes[0].span) == "animtrees/test.atr:3:2"
    groups = atr.read(source("a\n{\n\twalk\n}\na\n{\n\trun\n}\n"))
    assert list(prune.repeated(groups.entries)) == []
    with pytest.raises(DiagnosticError):
        groups.prune({}, Clips(plain=["walk", "run"]), all_names=True)


def test_a_dropped_parent_does_not_collide_but_a_kept_one_does() -> None:
    text = "p\n{\n\ta\n}\np\n{\n\tb\n}\n"
    clips = Clips(plain=["a", "b"])
    assert shape(build(text, clips, ["b"])) == "root{ p{ b } }"
    # The first p stays for its child, and the second is read while it does.
    assert [d.code for d in faults(text, clips, ["a"])] == ["duplicate-animation"]


def test_a_mentioned_name_may_survive_in_one_block_only() -> None:
    text = "p : complete\n{\n\twalk\n}\nq : complete\n{\n\twalk\n}\n"
    clips = Clips(plain=["walk"])
    assert shape(build(text, clips, ["p", "q"])) == "root{ p{ walk } q{ walk } }"
    (found,) = faults(text, clips, ["p", "walk"])
    assert found.code == "duplicate-animation"
    assert found.message == "duplicate animation 'walk' in animtrees/test.atr"


def test_an_unresolved_name_is_an_error_at_the_script_with_the_nearest_name() -> None:
    script = SourceText("maps/mp/yard.gsc", "x = %lamp_swng;\n")
    (found,) = faults(LAMP, LAMP_CLIPS, {"lamp_swng": script.span(4, 14), "lamp_fall": None})
    assert found.code == "unknown-animation"
    assert found.message == "animation 'lamp_swng' is not defined in anim tree animtrees/test.atr"
    assert found.span is not None
    assert str(found.span) == "maps/mp/yard.gsc:1:5"
    assert found.notes[0].message.startswith("did you mean lamp_swing")


def test_a_missing_clip_is_an_error_at_the_leaf() -> None:
    (found,) = faults("walk\nrun\n", Clips(plain=["walk", "runn"]), ["walk", "run"])
    assert (found.code, found.message) == ("missing-clip", "cannot find the clip 'run'")
    assert found.span is not None
    assert found.span.line == 2
    assert found.notes[0].message == "did you mean runn?"


def test_a_missing_void_says_what_it_is_for() -> None:
    class Nothing(Clips):
        def clip(self, name: str) -> None:
            return None

    (found,) = faults("p\n{\n\ta\n}\n", Nothing(), ["p"])
    assert found.message == "cannot find the clip 'void'"
    assert "no animation is used" in found.notes[0].message


def test_sync_roots_are_marked_and_the_bit_is_inherited() -> None:
    text = "p : loopsync complete\n{\n\ta\n\tq\n\t{\n\t\tb\n\t}\n}\nc\n"
    tree = build(text, Clips(loops=["a", "b"], plain=["c"]))
    flags = {name: tree.flags[tree.index[name]] for name in tree.names}
    assert flags["p"] == NodeFlag.LOOPSYNC | NodeFlag.SYNC_ROOT | NodeFlag.COMPLETE
    assert flags["q"] == flags["a"] == flags["b"] == NodeFlag.LOOPSYNC
    assert flags["c"] == flags["root"] == 0
    p = tree.index["p"]
    assert [tree.sync_roots[tree.index[n]] for n in "pqabc"] == [p, p, p, p, -1]
    assert [tree.has_time(tree.index[n]) for n in ("p", "q", "a", "c", "root")] == [True] * 4 + [False]
    assert [tree.is_looping(tree.index[n]) for n in ("p", "q", "a", "c", "root")] == [True] * 3 + [False] * 2


@pytest.mark.parametrize(
    ("text", "code", "line"),
    [
        ("p : loopsync nonloopsync\n{\n\tgo\n}\n", "sync-conflict", 1),
        ("p : loopsync\n{\n\tq : loopsync\n\t{\n\t\tgo\n\t}\n}\n", "sync-nested", 3),
        (
            "p : loopsync\n{\n\tq\n\t{\n\t\tr : nonloopsync\n\t\t{\n\t\t\tgo\n\t\t}\n\t}\n}\n",
            "sync-nested",
            5,
        ),
        ("p : loopsync\n{\n\tq\n\t{\n\t\tonce\n\t}\n}\n", "sync-loop-mismatch", 5),
        ("p : nonloopsync\n{\n\tgo\n}\n", "sync-loop-mismatch", 3),
    ],
)
def test_sync_faults(text: str, code: str, line: int) -> None:
    (found,) = faults(text, Clips(loops=["go"], plain=["once"]), ["go"] if "go" in text else ["once"])
    assert found.code == code
    assert found.span is not None
    assert found.span.line == line


def test_all_faults_come_together() -> None:
    text = "p : loopsync\n{\n\tonce\n}\nwalk\nwalk\n"
    found = faults(text, Clips(plain=["once", "walk"]), ["once", "walk", "fly"])
    assert sorted(d.code for d in found) == ["duplicate-animation", "sync-loop-mismatch", "unknown-animation"]


def test_a_tree_has_at_most_65536_nodes(monkeypatch: pytest.MonkeyPatch) -> None:
    assert MAX_NODES == 65_536
    monkeypatch.setattr(prune, "MAX_NODES", 5)
    four = [f"a{i}" for i in range(4)]
    assert len(build("\n".join(four) + "\n", Clips(plain=four))) == 5
    five = [*four, "b"]
    with pytest.raises(DiagnosticError, match="has 6 nodes; a tree may have 5"):
        build("\n".join(five) + "\n", Clips(plain=five))


def test_end_is_always_the_last_note() -> None:
    clip = make_clip("walk", notes={"step": 0.5, "land": 1.0})
    bare = type(clip)("walk", clip.bones, clip.rows, clip.fps, False, clip.notes[:-1])
    tree = build("walk\n", Clips(bare))
    assert [note.name for note in tree.notes(1)] == ["step", "land", "end"]

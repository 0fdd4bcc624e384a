"""Animation natives: trees, goals, notes, scripted animations, and their refusals."""

from __future__ import annotations

import pytest

from engine.anim.state import NodeView
from tests.natives.natives_kit import Game, error, game, printed
from tests.world.world_kit import block

MAN = block("script_model", origin="0 0 0", model="soldier", targetname="man")
START = 'man = getent("man", "targetname"); man useanimtree(#animtree);'


def test_notes_wake_scripts_in_time_order() -> None:
    script = (
        "main() {" + START + ' man thread notes(); man setflaggedanim("n", %once); }'
        'notes() { for (;;) { self waittill("n", note); println(gettime(), " ", note); if (note == "end") return; } }'
    )
    assert printed(script, MAN, frames=14) == ["250 half", "500 end"]


def test_waittillmatch_waits_for_the_right_note() -> None:
    script = (
        "main() {" + START + ' man setflaggedanimknob("n", %once); man waittillmatch("n", "end");'
        ' println("ended at ", gettime(), " ", man getanimtime(%once)); }'
    )
    assert printed(script, MAN, frames=14) == ["ended at 500 1"]


def test_the_view_has_pose_and_note_events() -> None:
    made = game("main() {" + START + ' man setflaggedanim("n", %walk); }', MAN)
    view = made.frames(10)
    (man,) = (e for e in view.entities.values() if e.model == "soldier")
    assert man.pose == (0, 0)
    assert view.poses[0].local.shape == (1, 8, 2)
    assert [(n.entity, n.animation, n.note) for n in view.notes] == [(man.number, "walk", "half")]


def test_every_form_of_set_is_there() -> None:
    calls = []
    for restart in ("", "restart"):
        for limited in ("", "limited"):
            for knob in ("", "knob"):
                calls.append(f"man setanim{knob}{limited}{restart}(%walk, 1, 0.1, 1);")
                calls.append(f'man setflaggedanim{knob}{limited}{restart}("n", %walk);')
        calls.append(f"man setanimknoball{restart}(%left, %root);")
        calls.append(f"man setanimknoballlimited{restart}(%left, %group);")
        calls.append(f'man setflaggedanimknoball{restart}("n", %left, %root, 1, 0.1, 1);')
    assert printed("main() {" + START + " ".join(calls) + ' println("ok"); }', MAN, frames=3) == ["ok"]


def test_knobs_fade_out_what_stands_beside() -> None:
    script = (
        "main() {" + START + " man setanim(%walk, 1, 0); man setanimknob(%stand, 1, 0);"
        " wait 0.1; println(man getanimtime(%stand) > 0, man getanimtime(%walk)); }"
    )
    made = game(script, MAN)
    made.frames(5)
    (man,) = made.world.entities.by_key("targetname", "man")
    assert man.pose is not None
    instances, tree = man.pose.batch.instances, man.pose.batch.tree
    assert instances.get_weight(man.pose.row, tree.node("walk") or 0) == 0.0
    assert instances.get_weight(man.pose.row, tree.node("stand") or 0) == 1.0


def test_questions_about_animations() -> None:
    script = """main() {
        println(getanimlength(%once), " ", animhasnotetrack(%once, "half"), animhasnotetrack(%once, "x"));
        println(getmovedelta(%walk), getmovedelta(%walk, 0, 0.5), getangledelta(%walk));
        println(getcycleoriginoffset((0, 90, 0), %walk));
        println(getstartorigin((1, 2, 3), (0, 0, 0), %walk), getstartangles((0, 0, 0), (0, 90, 0), %walk));
    }"""
    assert printed(script) == [
        "0.5 10", "(90.00, 0.00, 0.00)(45.00, 0.00, 0.00)0", "(0.00, 90.00, 0.00)",
        "(1.00, 2.00, 3.00)(0.00, 90.00, 0.00)",
    ]  # fmt: skip


def test_animscripted_places_moves_and_ends() -> None:
    script = (
        "main() {" + START + ' man animscripted("go", (10, 0, 0), (0, 90, 0), %once);'
        ' println(man.origin); man waittillmatch("go", "end"); wait 0.3; println(man.origin); }'
    )
    first, last = printed(script, MAN, frames=30)
    assert first == "(10.00, 0.00, 0.00)"
    assert last == "(10.00, 45.00, 0.00)"


def test_clearanim_and_stopuseanimtree() -> None:
    script = (
        "main() {" + START + " man setanim(%walk); man clearanim(%root, 0); man stopuseanimtree();"
        ' println("ok"); man setanim(%walk); }'
    )
    made = game(script, MAN)
    assert made.printed == ["ok"]
    assert "no animation tree" in made.messages[0]


def test_a_new_model_goes_on_playing() -> None:
    script = (
        "main() {"
        + START
        + ' man setanim(%walk); wait 0.2; man setmodel("soldier_two"); wait 0.1; println(man getanimtime(%walk)); }'
    )
    made = game(script, MAN)
    made.frames(8)
    assert made.messages == []
    assert float(made.printed[0]) == pytest.approx(0.3, abs=0.06)


def test_deleting_in_the_middle_of_notes_is_safe() -> None:
    script = (
        "main() {"
        + START
        + ' man setflaggedanim("n", %walk); man waittill("n", x); man delete(); println("gone"); }'
    )
    made = game(script, MAN)
    made.frames(30)
    assert made.printed == ["gone"]
    assert made.frames(1).poses == ()


@pytest.mark.parametrize(
    ("body", "words"),
    [
        ('man = getent("man", "targetname"); man setanim(%walk);', "call useanimtree first"),
        ('man = spawn("script_origin", (0,0,0)); man useanimtree(#animtree);', "no model"),
        ('man = getent("man", "targetname"); man useanimtree(7);', "bad anim tree"),
        (START + "man setanim(%walk, -1);", "negative"),
        (START + 'man setflaggedanim("n", %walk, 0);', "weight above 0"),
        (START + "man setanimknoball(%walk, %left);", "not an ancestor"),
        (START + "man setanimtime(%walk, 1.0);", "less than 1"),
        (START + "getanimlength(%group); x = %left;", "not a primitive"),
        (START + 'animhasnotetrack(%group, "end"); x = %left;', "not a primitive"),
        (START + "man getanimtime(%group); x = %left;", "neither a primitive animation nor in a sync group"),
        (
            START + 'other(man); } #using_animtree("other"); other(man) { man setanim(%walk);',
            "belongs to tree 'other', the entity plays 'man'",
        ),
        (START + "man setanim(5);", "parameter 1 is int, not animation"),
        (START + 'man animscripted("n", (0,0,0), (0,0,0), %once, "fast");', "no mode"),
    ],
)
def test_refusals(body: str, words: str) -> None:
    assert words in error(body, MAN)


def test_a_clip_that_stands_at_its_end_notifies_each_frame_but_is_logged_once() -> None:
    script = (
        "main() {"
        + START
        + ' man setflaggedanim("n", %once); for (i = 0; i < 4; i++) man waittill("n", note);'
        " println(gettime()); }"
    )
    made = game(script, MAN)
    notes = []
    for _ in range(20):
        notes += [n.note for n in made.world.frame().notes]
    assert len(made.printed) == 1
    assert notes == ["half", "end"]


def test_the_limited_knob_of_all_leaves_a_sleeping_group_asleep() -> None:
    script = (
        "main() {" + START + " man setanim(%walk, 1, 0); man setanim(%right, 1, 0); man clearanim(%group, 0);"
        " man setanimknoballlimited(%left, %group, 1, 0); }"
    )
    made = game(script, MAN)
    nodes = {view.name: view for view in played(made)}
    assert made.messages == []
    assert [nodes[name].goal for name in ("left", "right", "group", "walk")] == [1.0, 0.0, 0.0, 1.0]


def test_each_node_knows_the_command_and_the_line_that_set_it() -> None:
    script = (
        "main() {" + START + "\n man setanim(%walk, 1, 0);\n thread later(man); }\n"
        "later(man) {\n wait 0.1;\n turn(man); }\nturn(man) { println(gettime());\n"
        ' man setflaggedanimknob("n", %stand, 1, 0.5); }'
    )
    made = game(script, MAN)
    causes = {view.name: view.cause for view in played(made)}
    assert causes["stand"] is None
    first = causes["walk"]
    assert first is not None
    assert (first.command, first.time, first.place.span.line, first.place.function) == (
        "setanim", 0, 3, "game::main",
    )  # fmt: skip
    made.frames(4)
    causes = {view.name: view.cause for view in played(made)}
    # The knob has set the one and cleared the other.
    for name in ("stand", "walk"):
        cause = causes[name]
        assert cause is not None
        assert (cause.command, cause.time, cause.place.span.line) == (
            "setflaggedanimknob",
            int(made.printed[0]),
            9,
        )
        assert cause.place.function == "game::turn"


def test_what_the_engine_sets_has_no_cause() -> None:
    made = game("main() {" + START + " man setanim(%walk); }", MAN)
    (man,) = made.world.entities.by_key("targetname", "man")
    assert man.pose is not None
    instances, tree = man.pose.batch.instances, man.pose.batch.tree
    instances.set_knob(man.pose.row, tree.index["walk"])
    assert {view.name: view.cause for view in played(made)}["walk"] is None


def played(made: Game) -> list[NodeView]:
    (man,) = made.world.entities.by_key("targetname", "man")
    assert man.pose is not None
    return man.pose.batch.instances.inspect(man.pose.row)


def test_what_is_left_out_of_a_command() -> None:
    """Weight 1, 0.2 s for a whole unit of weight, rate 1."""
    made = game("main() {" + START + " man setanim(%walk); man setanim(%stand, 0.5); }", MAN)
    nodes = {view.name: view for view in played(made)}
    assert [(nodes[name].goal, nodes[name].rate) for name in ("walk", "stand")] == [(1.0, 1.0), (0.5, 1.0)]
    made.frames(3)
    assert {view.name: view for view in played(made)}["walk"].weight < 1.0
    made.frames(2)
    assert {view.name: view for view in played(made)}["walk"].weight == 1.0


def test_a_tree_is_used_anew_with_nothing_playing() -> None:
    script = "main() {" + START + " man setanim(%walk, 1, 0); wait 0.2; man useanimtree(#animtree); }"
    made = game(script, MAN)
    assert any(view.weight for view in played(made))
    made.frames(6)
    assert not any(view.weight or view.goal for view in played(made))

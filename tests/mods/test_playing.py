"""Who plays which animation and why, in the console and over the socket."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from engine.mods.playing import why_of
from tests.mods.test_inspect_socket import Editor
from tests.mods.test_reload_history import MAIN, Table

PLAYS = """#using_animtree("soldier");
main()
{
    level.rounds = 0;
    level.man = spawn("script_model", (0, 0, 0));
    level.man setmodel("soldier");
    level.man useanimtree(#animtree);
    level.man setflaggedanimknoball("steps", %soldier_walk, %root, 1, 0);
    wait 0.1;
    level.man setanim(%soldier_run, 0.5, 10);
}
"""


@pytest.fixture
def table(tmp_path: Path) -> Iterator[Table]:
    table = Table(tmp_path)
    table.save(PLAYS)
    table.session.restart()
    table.run(6)
    yield table
    table.session.close()


def test_the_console_tells_which_line_set_each_node(table: Table) -> None:
    (row,) = table.session.execute("anims").splitlines()
    number, model, *names = row.replace(",", "").split()
    assert (model, names) == ("soldier", ["soldier_walk", "soldier_run"])
    first, *lines = table.session.execute(f"anims {number}").splitlines()
    assert first == f"entity {number}, soldier, tree soldier"
    walk, run = (next(line for line in lines if name in line) for name in ("soldier_walk", "soldier_run"))
    assert walk.split()[:2] == ["soldier_walk", "1.00"]
    assert walk.endswith("ms")
    assert "setflaggedanimknoball at mine.gsc:8, " in walk.replace(str(table.folder) + "/", "")
    assert "setanim at mine.gsc:10, " in run.replace(str(table.folder) + "/", "")
    assert " to 0.50" in run
    assert "soldier_idle" not in "".join(lines)


def test_the_socket_tells_it_too_and_a_reload_does_not_change_it(table: Table) -> None:
    editor = Editor(table)
    ((whole,), number) = (editor.result(do="animations"), int(table.session.execute("anims").split()[0]))
    assert (whole["number"], whole["tree"], whole["model"]) == (number, "soldier", "soldier")
    table.save(PLAYS.replace("main()", "// moved down\n\nmain()"))
    (one,) = editor.result(do="animations", entity=number)
    walk = next(node for node in one["nodes"] if node["name"] == "soldier_walk")
    assert (walk["command"], walk["line"], walk["function"]) == ("setflaggedanimknoball", 8, "mine::main")
    assert (walk["weight"], walk["goal"], walk["rate"], walk["notify"], walk["leaf"]) == (
        1,
        1,
        1,
        "steps",
        True,
    )
    assert "has no animation tree" in editor.ask(do="animations", entity=number + 900)["error"]
    editor.socket.close()


def test_the_client_is_told_what_shows_and_the_line_that_set_it(table: Table) -> None:
    (number,) = table.session.playing.players()
    played = table.session.playing.played(number)
    assert played is not None
    assert (played.number, played.model, played.tree) == (number, "soldier", "soldier")
    nodes = {view.name: view for view in played.nodes}
    assert list(nodes) == ["root", "soldier", "travelling", "soldier_walk", "soldier_run"]
    assert not played.asleep
    why = why_of(nodes["soldier_run"])
    assert why is not None
    assert why.span is not None
    assert (why.command, why.span.line, why.function) == ("setanim", 10, "mine::main")
    assert why.span.source.line(why.span.line).strip() == "level.man setanim(%soldier_run, 0.5, 10);"
    # Below a group without weight nothing shows, whatever weight it has.
    pose = table.session.world.entities.get(number).pose
    instances, tree = pose.batch.instances, pose.batch.tree
    instances.store.weight[tree.node("travelling"), pose.row] = 0.0
    played = table.session.playing.played(number)
    assert {tree.names[node] for node in played.asleep} == {"travelling", "soldier_walk", "soldier_run"}
    assert table.session.playing.played(number + 900) is None


def test_without_animations(tmp_path: Path) -> None:
    table = Table(tmp_path)
    table.save(MAIN)
    assert table.session.execute("anims") == "nobody plays an animation"
    assert "has no animation tree" in table.session.execute("anims 900")
    assert table.session.execute("anims nobody") == "anims, or anims NUMBER"
    table.session.close()


def test_a_mod_may_have_the_limit_of_the_original_game(table: Table) -> None:
    table.manifest.write_text(table.manifest.read_text() + "max_anim_infos = 2\n")
    table.session.execute("reload")
    table.session.restart()
    table.run(3)
    (said,) = [line for line in table.says() if "anim info" in line][-1:]
    assert "exceeded maximum number of anim info: 2 animations play already" in said
    assert "mine.gsc:8" in said


TREE = """#extended
strides : loopsync blend=speed
{
    soldier_walk : at=60
    soldier_run : at=160
}
"""

PACES = """#using_animtree("paces");
main()
{
    level.rounds = 0;
    level.man = spawn("script_model", (0, 0, 0));
    level.man setmodel("soldier");
    level.man useanimtree(#animtree);
    level.man setanim(%strides, 1, 0);
    level.man setanimparameter("speed", 160, 0.2);
    wait 0.1;
    println("halfway ", level.man getanimparameter("speed"));
    wait 0.3;
    println(level.man getanimparameter("Speed"));
    level.man turnbone("head", (0, 90, 0));
    level.man turnbone("no_such_bone");
}
"""


def test_scripts_blend_by_a_parameter_and_turn_bones(table: Table) -> None:
    (table.folder / "animtrees").mkdir()
    (table.folder / "animtrees" / "paces.atr").write_text(TREE)
    table.save(PACES)
    table.session.restart()
    table.run(12)
    said = table.says()
    assert any(line.startswith("halfway ") and 40.0 <= float(line.split()[1]) <= 120.0 for line in said)
    assert "160" in said
    assert any("model 'soldier' has no bone 'no_such_bone'" in line for line in said)
    number = int(table.session.execute("anims").split()[0])
    pose = table.session.world.entities.get(number).pose
    assert list(pose.batch.instances.overrides.turns) == [(pose.row, pose.batch.skeleton.index["head"])]
    assert "soldier_run" in table.session.execute(f"anims {number}")
    played = table.session.playing.played(number)
    assert played is not None
    assert played.parameters == {"speed": 160.0}
    # A saved game keeps the parameter.
    table.session.execute("save here")
    table.session.execute("load here")
    pose = table.session.world.entities.get(number).pose
    assert pose.batch.instances.get_parameter(pose.row, "speed") == 160.0


def test_a_missing_tree_is_told_where_it_is_asked_for(table: Table) -> None:
    event = table.save(PACES)
    assert event["ok"] is False
    (found,) = event["diagnostics"]
    assert (found["code"], found["line"]) == ("unknown-animtree", 1)
    assert "there is no animation tree 'paces'" in found["message"]

"""Who plays which animation and why, in the console and over the socket."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

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

"""Line scripts in a mod: found by name, checked, edited while they run, together with GSC or not at all."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from engine.cli.check import check
from engine.mods.journal import Journal
from engine.mods.kinds import WATCHED
from engine.mods.session import GameOptions, GameSession
from engine.mods.watch import Changes

MAIN = """
main()
{
    level.turns = 0;
    level.step = 1;
    level runscript("turner");
}
"""
TURNER = "n = 0\nwhile true\n  n = n + 1\n  turns = turns + step\n  wait 0.1\nend\n"


@pytest.fixture(scope="module")
def mod(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("mods") / "mine"
    (folder / "scripts").mkdir(parents=True)
    (folder / "mod.toml").write_text('name = "mine"\nrequires = ["sandbox"]\nautostart = "mine"\n')
    (folder / "mine.gsc").write_text(MAIN)
    (folder / "scripts" / "turner.script").write_text(TURNER)
    return folder


def test_saves_are_taken_in_as_one_transaction(mod: Path, tmp_path: Path) -> None:
    assert ".script" in WATCHED
    events = tmp_path / "events.jsonl"
    session = GameSession(GameOptions(mods=(mod,), watch=False), Journal(events))
    script, gsc = mod / "scripts" / "turner.script", mod / "mine.gsc"

    def run(frames: int) -> Any:
        for _ in range(frames):
            session.frame()
        return session.vm.level.get_field("turns")

    def save(**texts: str) -> dict[str, Any]:
        files = {"line": script, "gsc": gsc}
        for name, text in texts.items():
            files[name].write_text(text)
        session.reloader.take(Changes(frozenset(files[name] for name in texts), frozenset(), 0.0))
        found: dict[str, Any] = json.loads(events.read_text().splitlines()[-1])
        return found

    first = run(12)
    assert first > 2
    before = session.world.lives.lives[-1].context.scope.values["n"]

    event = save(line="# more\n" + TURNER.replace("+ step", "+ step * 100"))
    assert event["ok"] is True
    assert session.world.lives.lives[-1].context.scope.values["n"] == before
    second = run(4)
    assert second - first == 200
    assert "turner: 1 went on, " in session.execute("reload undo")
    assert run(4) - second == 2
    assert "turner: 1 went on, " in session.execute("reload redo")
    second += 2
    session.execute("reload undo")
    assert session.execute("reload undo") == "there is no reload to take back"
    session.execute("reload redo")

    event = save(line=TURNER.replace("n + 1", "n + + = 1"), gsc=MAIN + "\nmore() { }\n")
    assert event["ok"] is False
    (diagnostic,) = event["diagnostics"]
    assert diagnostic["path"].endswith("scripts/turner.script")
    assert (diagnostic["line"], diagnostic["code"]) == (3, "syntax")
    assert session.build is not None
    assert "more" not in session.build.program.scripts["mine"].functions
    third = run(4)
    assert third - second == 200

    event = save(line=TURNER, gsc=MAIN + "\nmore() { broken }\n")
    assert event["ok"] is False
    assert run(4) - third == 200

    event = save(line=TURNER, gsc=MAIN + "\nmore() { }\n")
    assert event["ok"] is True
    fourth = run(0)
    assert run(4) - fourth == 2
    assert any(life.name == "bee" for life in session.world.lives.lives)
    assert session.execute("lives turner").startswith("turner: waits until ")
    assert session.execute("lives nobody") == "none"
    assert session.inspect().variables["line scripts"] > 5
    shown = dict(session.inspect().threads)
    assert shown["scripts\\turner"] == 1
    assert shown["scripts\\bee"] > 5
    assert session.inspect().variables["line statements"] > 20
    session.close()


@pytest.mark.parametrize("way", ["undo", "save", "rollback"])
@pytest.mark.parametrize("back", ["rewind 3", "map_restart"])
def test_what_an_error_of_a_save_ended_comes_back_as_the_message_says(
    mod: Path, tmp_path: Path, way: str, back: str
) -> None:
    script = mod / "scripts" / "turner.script"
    script.write_text(TURNER)
    options = GameOptions(mods=(mod,), watch=False, auto_rollback=way == "rollback")
    session = GameSession(options, Journal(None))

    def run(frames: int) -> list[str]:
        for _ in range(frames):
            session.frame()
        return [line.text for line in session.drain_log() if line.kind in ("error", "reload")]

    def save(text: str) -> None:
        script.write_text(text)
        session.reloader.take(Changes(frozenset({script}), frozenset(), 0.0))

    run(30)
    save(TURNER.replace("+ step", "+ stepp"))
    said = run(5)
    (advice,) = [text for text in said if text.startswith("since this reload: ")]
    assert "'stepp'" in advice
    assert "`map_restart`" in advice
    assert "`rewind`" in advice
    assert session.execute("lives turner") == "none"
    if way == "undo":
        assert "`reload undo` takes it back" in advice
        report = session.execute("reload undo")
    elif way == "save":
        save(TURNER)
        (report,) = run(1)
    else:
        assert "taken back" in advice
        report = next(text for text in said if text.startswith("undo of "))
    assert "turner: none run (" in report
    assert "1 that an error ended" in report
    run(5)
    assert session.execute("lives turner") == "none", "that starts nothing"
    session.execute(back)
    run(5)
    assert session.execute("lives turner").startswith("turner: waits until ")
    save("# again\n" + TURNER)
    assert "ended" not in run(1)[0]
    session.close()


def test_an_error_that_was_there_before_is_no_fault_of_the_save(mod: Path) -> None:
    script, gsc = mod / "scripts" / "turner.script", mod / "mine.gsc"
    script.write_text(TURNER.replace("+ step", "+ stepp"))
    gsc.write_text(MAIN.replace("level run", "level.step = 1;\n    wait 0.3;\n    level run"))
    session = GameSession(GameOptions(mods=(mod,), watch=False), Journal(None))
    for _ in range(10):
        session.frame()
    script.write_text("# other\n" + TURNER.replace("+ step", "+ stepp"))
    session.reloader.take(Changes(frozenset({script}), frozenset(), 0.0))
    session.vm.start(session.vm.function("mine::main"))
    for _ in range(10):
        session.frame()
    assert session.world.lives.schedule.errors == 2
    assert not [line.text for line in session.drain_log() if line.text.startswith("since")]
    session.close()
    gsc.write_text(MAIN)


def test_check_reads_line_scripts(tmp_path: Path) -> None:
    good, bad = tmp_path / "good.script", tmp_path / "bad.script"
    good.write_text("origin = origin + (0, 0, 1)\nif heard('up')\n  effect('bee', origin)\nend\n")
    bad.write_text("x = \nnearst(x)\nend\n")
    result = CliRunner().invoke(check, [str(good)])
    assert result.exit_code == 0
    result = CliRunner().invoke(check, [str(tmp_path)])
    assert result.exit_code == 1
    assert "bad.script:1:5: error: expected a value" in result.stdout
    assert "bad.script:2:1: error: there is no function 'nearst'" in result.stdout
    assert "did you mean nearest?" in result.stdout
    assert "bad.script:3:1: error: nothing is open here" in result.stdout
    assert "2 files checked: 3 errors" in result.stdout

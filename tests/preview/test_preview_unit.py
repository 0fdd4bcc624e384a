"""Units in the preview: the stage by itself, the window through its events, sheets and films."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pygame
import pytest
from click.testing import CliRunner, Result

from engine.cli.preview import preview
from engine.client.preview.spots import Spot
from engine.client.preview.unit import UnitOrder, find_unit, open_unit
from engine.client.preview.unit_app import UnitApp
from engine.client.preview.unit_stage import UnitStage
from engine.client.window import Window, WindowSettings
from engine.cob.compiler import compile_bos
from engine.cob.container import write_cob
from engine.cob.trace import RootCall
from engine.pipeline.library import AssetLibrary
from engine.source import Diagnostic, SourceText
from tests.pipeline.threedo_writer import tank, write

SCRIPT = """piece hull, turret, barrel, flare;
static-var shots;

Create()
{
    hide flare;
    start-script Idle();
}

Idle()
{
    var health;
    while (TRUE)
    {
        health = get 4;
        if (health < 50)
        {
            emit-sfx 258 from hull;
        }
        sleep 500;
    }
}

AimPrimary(heading, pitch)
{
    signal 2;
    set-signal-mask 2;
    turn turret to y-axis heading speed <90>;
    wait-for-turn turret around y-axis;
    return (1);
}

QueryPrimary(number)
{
    number = flare;
}

Activate() { ++shots; }
Deactivate() { shots = 0; }
Wild() { while (1) { ++shots; } }
"""


class Yard:
    """A mod with one unit, and a library over its assets."""

    def __init__(self, base: Path) -> None:
        self.mod = base / "yard"
        models, units = self.mod / "assets" / "models" / "tank", self.mod / "units"
        models.mkdir(parents=True)
        units.mkdir()
        (models / "tank.3do").write_bytes(write(tank()))
        self.file = units / "tank.bos"
        self.file.write_text(SCRIPT)
        self.told: list[Diagnostic] = []
        self.library = AssetLibrary([self.mod / "assets"], base / "cache", self.told.append)
        self.order = UnitOrder(self.file)

    def stage(self) -> UnitStage:
        return UnitStage(open_unit(self.order, self.library))


@pytest.fixture
def yard(tmp_path: Path) -> Yard:
    return Yard(tmp_path)


def doing(stage: UnitStage) -> list[str]:
    return [f"{view.script}: {view.doing}" for view in stage.slots() if view.script]


def said(stage: UnitStage) -> list[str]:
    return [told.text for told in stage.log]


# The stage --------------------------------------------------------------------------------------------


def test_create_runs_first_and_slots_tell_where_they_stand(yard: Yard) -> None:
    stage = yard.stage()
    assert doing(stage) == ["Create: runs"]
    stage.one_tick()
    assert said(stage) == ["Create returned 0"]
    (view,) = [view for view in stage.slots() if view.script]
    assert (view.number, view.script, view.doing, view.line, view.mask) == (
        1,
        "Idle",
        "sleeps, 15 ticks left",
        20,
        1,
    )


def test_arguments_and_answers(yard: Yard) -> None:
    stage = yard.stage()
    stage.arguments = [16384, 0, 0, 0]
    stage.start_with_arguments(stage.scripts.index("AimPrimary"))
    stage.one_tick()
    assert "AimPrimary: waits for turret to turn (y)" in doing(stage)
    for _ in range(40):
        stage.one_tick()
    assert "AimPrimary returned 1" in said(stage)
    turret = stage.subject.model.skeleton.index["flare"]
    assert tuple(map(float, stage.bones()[turret])) == pytest.approx((-2, 32, 11), abs=0.01)
    stage.start("QueryPrimary")
    assert said(stage)[-1] == "QueryPrimary gives 3 (flare)"


def test_ports_are_set_from_outside(yard: Yard) -> None:
    stage = yard.stage()
    assert stage.subject.ports == (4,)
    stage.one_tick()
    assert said(stage) == ["Create returned 0"]
    stage.set_port(4, 30)
    for _ in range(16):
        stage.one_tick()
    assert said(stage)[1:] == ["effect 258 smoke_black at hull"]
    stage.set_port(1, 1)
    stage.one_tick()
    assert dict(stage.statics()) == {"shots": 1}
    stage.set_port(1, 0)
    stage.one_tick()
    assert dict(stage.statics()) == {"shots": 0}
    stage.set_port(4, 900)
    assert stage.host.values[4] == 100


def test_faults_and_full_slots_are_told(yard: Yard) -> None:
    stage = yard.stage()
    stage.start("Wild")
    stage.one_tick()
    (bad,) = [told for told in stage.log if told.bad]
    assert bad.text.startswith("Wild ended with fault BUDGET at line 40")
    for _ in range(9):
        stage.start("Wild")
    assert said(stage)[-1] == "Wild was not started: all eight slots are taken"
    stage.start("QueryPrimary")
    assert said(stage)[-1] == "QueryPrimary was not asked: all eight slots are taken"
    stage.start("Nowhere")
    stage.reset()
    assert said(stage) == []
    assert doing(stage) == ["Create: runs"]


def test_time_runs_at_thirty_ticks_a_second(yard: Yard) -> None:
    stage = yard.stage()
    for _ in range(20):
        stage.step(0.05)
    assert stage.tick == 30
    stage.faster(-1)
    for _ in range(20):
        stage.step(0.05)
    assert stage.tick == 45
    stage.step_once()
    stage.step(1.0)
    assert stage.tick == 46


def test_calls_are_started_before_their_ticks(yard: Yard) -> None:
    stage = UnitStage(
        open_unit(yard.order, yard.library), [RootCall("Activate", (), 3), RootCall("Activate")]
    )
    seen = []
    for _ in range(2):
        for _ in range(5):
            stage.one_tick()
            seen.append(stage.statics()[0][1])
        stage.reset()
    assert seen == [1, 1, 1, 2, 2] * 2


def test_a_compiled_program_is_shown_too(yard: Yard) -> None:
    cob = compile_bos(SourceText("tank.bos", SCRIPT.replace("hull", "Hull").replace("barrel", "gun"))).cob
    file = yard.file.with_name("other.cob")
    file.write_bytes(write_cob(cob))
    subject = open_unit(UnitOrder(file, "tank"), yard.library)
    assert [d.code for d in subject.warnings] == ["bos-missing-piece"]
    stage = UnitStage(subject)
    stage.one_tick()
    assert [view.line for view in stage.slots() if view.script] == [None]


def test_units_are_found_by_name_and_by_path(yard: Yard) -> None:
    folders = [yard.mod / "nowhere", yard.mod / "units"]
    assert find_unit("Tank", folders) == yard.file
    assert find_unit(str(yard.file), []) == yard.file
    assert find_unit(str(yard.file.with_name("no.bos")), folders) is None
    assert find_unit("nothing", folders) is None


# The window -------------------------------------------------------------------------------------------


@pytest.fixture
def window() -> Iterator[Window]:
    opened = Window(WindowSettings(size=(1280, 720), headless=True, gl="off"))
    yield opened
    opened.close()


@pytest.fixture
def app(yard: Yard, window: Window) -> UnitApp:
    subject = open_unit(yard.order, yard.library)
    made = UnitApp(window, yard.order, subject, yard.library, yard.told.append)
    made.step(0.05)
    made.draw()
    return made


def click(app: UnitApp, part: str, node: int = -1) -> None:
    spot: Spot = next(s for s in app.panel.spots if s.part == part and node in (-1, s.node))
    x, y, w, h = spot.box
    place = int(x + w / 2), int(y + h / 2)
    app.handle(pygame.event.Event(pygame.MOUSEBUTTONDOWN, pos=place, button=1))
    app.handle(pygame.event.Event(pygame.MOUSEBUTTONUP, pos=place, button=1))


def key(app: UnitApp, number: int) -> None:
    app.handle(pygame.event.Event(pygame.KEYDOWN, key=number))


def test_each_script_has_a_button(app: UnitApp) -> None:
    scripts = [s.node for s in app.panel.spots if s.part == "script"]
    assert scripts == list(range(len(app.stage.scripts)))
    click(app, "script", app.stage.scripts.index("AimPrimary"))
    assert "AimPrimary: runs" in doing(app.stage)


def test_the_step_button_makes_one_tick(app: UnitApp) -> None:
    before = app.stage.tick
    click(app, "tick")
    assert (app.stage.tick, app.stage.playing) == (before + 1, False)
    app.step(0.1)
    assert app.stage.tick == before + 1
    click(app, "play")
    assert app.stage.playing
    click(app, "reset")
    assert app.stage.tick == 0


def test_the_keys_of_a_unit(app: UnitApp) -> None:
    key(app, pygame.K_SPACE)
    assert not app.stage.playing
    before = app.stage.tick
    key(app, pygame.K_RIGHT)
    assert app.stage.tick == before + 1
    key(app, pygame.K_3)
    assert "AimPrimary: runs" in doing(app.stage)
    key(app, pygame.K_LEFTBRACKET)
    assert app.stage.speed == 0.5
    for number in (pygame.K_b, pygame.K_g, pygame.K_h, pygame.K_f):
        key(app, number)
        app.draw()
    key(app, pygame.K_HOME)
    assert app.stage.tick == 0


def test_numbers_answer_the_wheel_and_the_mouse(app: UnitApp, monkeypatch: pytest.MonkeyPatch) -> None:
    argument = next(s for s in app.panel.spots if s.part == "argument" and s.node == 0)
    port = next(s for s in app.panel.spots if s.part == "port" and s.node == 4)

    def wheel(spot: Spot, turns: int) -> None:
        x, y, w, h = spot.box
        monkeypatch.setattr(pygame.mouse, "get_pos", lambda: (int(x + w / 2), int(y + h / 2)))
        app.handle(pygame.event.Event(pygame.MOUSEWHEEL, y=turns, x=0))

    wheel(argument, 2)
    assert app.stage.arguments == [4096, 0, 0, 0]
    wheel(port, -3)
    assert app.stage.host.values[4] == 70
    click(app, "argument", 0)
    assert app.stage.arguments[0] == 0
    click(app, "port", 4)
    assert app.stage.host.values[4] == 0
    click(app, "port", 1)
    assert app.stage.host.values[1] == 1


def test_a_saved_script_goes_on_where_it_stands(app: UnitApp, yard: Yard) -> None:
    for _ in range(4):
        app.step(0.05)
    before = [view.script for view in app.stage.slots()]
    yard.file.write_text(SCRIPT.replace("speed <90>", "speed <45>"))
    assert app.reload([yard.file])
    assert [view.script for view in app.stage.slots()] == before
    assert app.toasts.shown[-1].kind == "good"
    yard.file.write_text(SCRIPT + "Broken() { hide nothing; }")
    assert not app.reload([yard.file])
    assert (app.toasts.shown[-1].kind, app.toasts.shown[-1].place) == ("bad", "tank.bos:41")
    app.draw()


def test_the_panel_says_what_happens(app: UnitApp) -> None:
    app.stage.set_port(4, 10)
    for _ in range(12):
        app.step(0.05)
    app.draw()
    dark = app.window.renderer.read_pixels()
    assert dark.shape == (720, 1280, 3)
    assert any(told.text.startswith("effect 258") for told in app.stage.log)


# The command ------------------------------------------------------------------------------------------


@pytest.fixture
def command(yard: Yard, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., Result]:
    monkeypatch.setenv("NOTETRACK_CACHE", str(tmp_path / "cache"))
    monkeypatch.setattr("engine.paths.mods", lambda: tmp_path)
    return lambda *arguments: CliRunner().invoke(preview, [*arguments, "--gl", "off"])


@pytest.mark.parametrize(("name", "first"), [("run.png", b"\x89PNG"), ("run.gif", b"GIF89a")])
def test_a_run_is_exported(command: Callable[..., Result], tmp_path: Path, name: str, first: bytes) -> None:
    path = tmp_path / name
    result = command(
        "tank", "--export", str(path), "--call", "AimPrimary:9000@2", "--ticks", "12", "--poses", "6"
    )
    assert result.exit_code == 0, result.output
    assert path.read_bytes().startswith(first)
    assert "12 ticks of tank in" in result.output


def test_a_run_goes_into_a_folder_and_the_window_into_a_picture(
    command: Callable[..., Result], tmp_path: Path
) -> None:
    folder = tmp_path / "pictures"
    folder.mkdir()
    result = command("tank", "--export", str(folder), "--ticks", "4")
    assert result.exit_code == 0, result.output
    assert sorted(path.name for path in folder.iterdir()) == [f"tank-000{n}.png" for n in range(3)]
    result = command("tank", "--screenshot", str(tmp_path / "w.png"), "--call", "AimPrimary:9000@2")
    assert result.exit_code == 0, result.output
    assert (tmp_path / "w.png").read_bytes().startswith(b"\x89PNG")


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("tank", "--call", "Aim"), "has no script 'Aim'"),
        (("tank", "--call", "AimPrimary:x"), "'x' is no whole number"),
        (("nowhere.bos",), "there is no file nowhere.bos"),
        (("tank", "--model", "nothing"), "there is no model `nothing`"),
        (("nobody", "--call", "Create"), "there is no unit `nobody`"),
        (("tank", "--export", "a.png", "--call", "AimPrimary@"), "after @ comes the tick: AimPrimary@30"),
        (
            ("tank", "--export", "a.png", "--call", "AimPrimary@90"),
            "never reached: the run has 90 ticks; --ticks 91",
        ),
        (("tank", "--type", "setanim run"), "--type is for trees and models"),
        (("tank", "--clip", "walk"), "--clip is for trees and models, and tank is a unit"),
        (("tank", "--attach", "none"), "--attach is for trees and models"),
        (("tank", "--ticks", "9"), "--ticks is for --export"),
        (("tank", "--export", "tank.txt"), "not `tank.txt`"),
    ],
)
def test_wrong_usage_is_told(command: Callable[..., Result], arguments: tuple[str, ...], said: str) -> None:
    result = command(*arguments)
    assert result.exit_code == 2
    assert said in result.output


def test_a_fault_of_a_run_is_told_and_shows_in_the_exit_code(
    command: Callable[..., Result], yard: Yard, tmp_path: Path
) -> None:
    result = command("tank", "--export", str(tmp_path / "x.png"), "--call", "Wild@2", "--ticks", "9")
    assert result.exit_code == 3
    assert "runtime error: Wild ended with fault BUDGET" in result.stderr
    assert "in tick 2 [cob-fault]" in result.stderr
    assert "tank.bos:40" in result.stderr


def test_a_script_with_errors_is_reported(command: Callable[..., Result], yard: Yard, tmp_path: Path) -> None:
    yard.file.write_text("piece hull;\nCreate() { hide nothing; }\n")
    result = command("tank", "--export", str(tmp_path / "x.png"))
    assert result.exit_code == 1
    assert "tank.bos:2:17" in result.output

"""The preview's window through its events, and the picture sheet, drawn where there is no screen."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
import pygame
import pytest
from click.testing import CliRunner

from engine.cli.preview import preview
from engine.client.preview.app import PreviewApp
from engine.client.preview.film import SIZE
from engine.client.preview.sheet import SheetPainter
from engine.client.preview.spots import Spot
from engine.client.preview.subject import open_subject
from engine.client.window import Window, WindowSettings
from tests.preview.conftest import Room


@pytest.fixture(params=["auto", "off"])
def window(request: pytest.FixtureRequest) -> Iterator[Window]:
    """With OpenGL where there is one, and without."""
    opened = Window(WindowSettings(size=(640, 360), headless=True, gl=request.param))
    yield opened
    opened.close()


@pytest.fixture
def app(room: Room, window: Window) -> PreviewApp:
    made = PreviewApp(
        window, room.order(), open_subject(room.order(), room.library), room.library, room.told.append
    )
    made.step(0.05)
    made.draw()
    return made


def _spot(app: PreviewApp, part: str, name: str = "") -> tuple[int, int]:
    """The middle of a part of the panel."""
    tree = app.stage.subject.tree
    spot: Spot = next(
        s for s in app.panel.spots if s.part == part and (not name or tree.names[s.node] == name)
    )
    x, y, w, h = spot.box
    return int(x + w / 2), int(y + h / 2)


def _click(app: PreviewApp, place: tuple[int, int], button: int = 1) -> None:
    app.handle(pygame.event.Event(pygame.MOUSEBUTTONDOWN, pos=place, button=button))
    app.handle(pygame.event.Event(pygame.MOUSEBUTTONUP, pos=place, button=button))


def _drag(app: PreviewApp, start: tuple[int, int], by: tuple[int, int], button: int = 1) -> None:
    end = start[0] + by[0], start[1] + by[1]
    app.handle(pygame.event.Event(pygame.MOUSEBUTTONDOWN, pos=start, button=button))
    app.handle(pygame.event.Event(pygame.MOUSEMOTION, pos=end, rel=by, buttons=(1, 0, 0)))
    app.handle(pygame.event.Event(pygame.MOUSEBUTTONUP, pos=end, button=button))


def _key(app: PreviewApp, key: int) -> None:
    app.handle(pygame.event.Event(pygame.KEYDOWN, key=key))


def test_a_click_on_a_row_plays_it(app: PreviewApp) -> None:
    _click(app, _spot(app, "node", "man_fall"))
    assert app.stage.subject.tree.names[app.stage.chosen] == "man_fall"


def test_the_time_line_is_dragged(app: PreviewApp) -> None:
    x, y = _spot(app, "timeline")
    _drag(app, (x, y), (80, 0))
    assert not app.stage.playing
    assert app.stage.fraction == pytest.approx(app.panel.fraction(x + 80), abs=0.01)
    _click(app, _spot(app, "play"))
    assert app.stage.playing


def test_the_mouse_turns_and_moves_the_camera(app: PreviewApp) -> None:
    free = (560, 200)
    yaw, target = app.orbit.yaw, app.orbit.target.copy()
    _drag(app, free, (30, 0))
    assert app.orbit.yaw != yaw
    assert np.array_equal(app.orbit.target, target)
    yaw = app.orbit.yaw
    _drag(app, free, (30, 0), button=2)
    assert app.orbit.yaw != yaw
    assert np.array_equal(app.orbit.target, target)
    _drag(app, free, (0, 20), button=3)
    assert not np.array_equal(app.orbit.target, target)
    for key, yaw in ((pygame.K_KP1, 0.0), (pygame.K_KP3, 270.0), (pygame.K_KP7, 0.0)):
        _key(app, key)
        app.draw()
        assert app.orbit.yaw == yaw


def test_the_keys(app: PreviewApp) -> None:
    stage = app.stage
    _key(app, pygame.K_SPACE)
    assert not stage.playing
    before = stage.fraction
    _key(app, pygame.K_RIGHT)
    assert stage.fraction > before
    _key(app, pygame.K_HOME)
    assert stage.fraction == pytest.approx(0)
    _key(app, pygame.K_DOWN)
    assert stage.subject.tree.names[stage.chosen] == "man_run"
    _key(app, pygame.K_LEFTBRACKET)
    assert stage.speed == 0.5
    for key in (
        pygame.K_b,
        pygame.K_w,
        pygame.K_g,
        pygame.K_h,
        pygame.K_l,
        pygame.K_t,
        pygame.K_f,
        pygame.K_p,
    ):
        _key(app, key)
        app.draw()
    look = app.look
    assert (look.bones, look.wire, look.grid) == (1, 1, False)
    assert (app.panel.help, stage.repeat, stage.travel, app.path) == (False, False, False, True)
    _key(app, pygame.K_i)
    app.draw()
    _key(app, pygame.K_s)
    assert app.skin == "bare"
    app.draw()
    _key(app, pygame.K_ESCAPE)
    assert app.done


def test_the_window_may_change_its_size(app: PreviewApp) -> None:
    if app.window.settings.gl == "off":
        pygame.display.set_mode((800, 500), pygame.RESIZABLE)  # a real window has done this by itself
    app.handle(pygame.event.Event(pygame.VIDEORESIZE, w=800, h=500, size=(800, 500)))
    app.draw()
    assert app.window.renderer.read_pixels().shape == (500, 800, 3)
    _click(app, _spot(app, "timeline"))
    assert app.stage.fraction == pytest.approx(0.5, abs=0.01)


def test_the_figure_stands_beside_the_list(app: PreviewApp) -> None:
    app.panel.help = False
    _key(app, pygame.K_g)
    app.draw()
    with_figure = app.window.renderer.read_pixels().astype(int)
    scene = app.scene()
    scene.models = []
    app.window.renderer.draw(scene)
    without = app.window.renderer.read_pixels().astype(int)
    changed = np.abs(with_figure - without).sum(axis=2) > 20
    assert changed.sum() > 500
    panel = int(364 * 360 / 720)
    assert changed[:, panel:].sum() > 0.9 * changed.sum()


def test_a_saved_tree_is_read_again(app: PreviewApp, room: Room) -> None:
    path = room.trees / "man.atr"
    path.write_text("man_fall\n")
    assert app.reload([path])
    assert [view.name for view in app.stage.views()] == ["man_fall"]
    assert app.toasts.shown[-1].kind == "good"
    path.write_text("man_fall man_walk\n")
    assert not app.reload([path])
    assert [view.name for view in app.stage.views()] == ["man_fall"]
    assert (app.toasts.shown[-1].kind, app.toasts.shown[-1].place) == ("bad", "man.atr:1")
    path.write_text("man_run\n")
    assert app.reload([path])
    assert [view.name for view in app.stage.views()] == ["man_run"]


def test_a_saved_model_is_read_again(app: PreviewApp, room: Room) -> None:
    sidecar = room.source.with_suffix(".toml")
    sidecar.write_text(sidecar.read_text() + "[materials.felt]\ncolor = [1, 0, 0]\n")
    old = app.stage.subject.model
    assert app.reload([sidecar])
    assert app.stage.subject.model is not old
    app.draw()


@pytest.mark.parametrize("broken", ["man.glb", "man.toml"])
def test_a_repair_ends_a_fault_and_each_break_is_told(app: PreviewApp, room: Room, broken: str) -> None:
    """Whether the repaired file is the old one again or another, and whether the break is the same again or another."""
    file = room.source.with_name(broken)
    good = file.read_bytes()
    other = good + (b"\0" if broken == "man.glb" else b"[skins.bald]\nhide = []\n")
    cuts = (good[:300], good[:200]) if broken == "man.glb" else (b"scale = 0\n", b"scale = [\n")
    for whole, cut in ((good, cuts[0]), (good, cuts[0]), (other, cuts[1]), (good, cuts[1])):
        model = app.stage.subject.model
        room.told.clear()
        file.write_bytes(cut)
        assert not app.reload([file])
        assert (app.stage.subject.model, app.problems.worst) == (model, "error")
        assert [broken in str(fault.span) for fault in room.told] == [True]
        card = app.toasts.shown[-1]
        assert (card.kind, card.text, card.count) == ("bad", room.told[0].message, 1)
        file.write_bytes(whole)
        assert app.reload([file])
        assert app.problems.listed == []
        assert [toast.kind for toast in app.toasts.shown] == ["good"]
        assert broken in app.toasts.shown[0].text
        app.toasts.shown.clear()


def test_a_file_of_settings_that_goes_again_ends_its_fault(app: PreviewApp, room: Room) -> None:
    sidecar = room.assets / "models" / "crate" / "crate.toml"
    crate = PreviewApp(
        app.window,
        room.order("crate"),
        open_subject(room.order("crate"), room.library),
        room.library,
        room.told.append,
    )
    for _ in range(2):
        room.told.clear()
        sidecar.write_text("scale = 0\n")
        assert not crate.reload([sidecar])
        assert (crate.problems.worst, len(room.told)) == ("error", 1)
        sidecar.unlink()
        assert crate.reload([sidecar])
        assert crate.problems.worst == ""


def test_the_sheet_has_a_row_of_poses_for_each_clip(room: Room, window: Window) -> None:
    painter = SheetPainter(window.renderer, poses=6)
    sheet = painter.sheet(open_subject(room.order(), room.library))
    assert sheet.get_width() == painter.width
    pixels = pygame.surfarray.array3d(sheet).astype(int)
    assert pixels.shape[1] > 3 * 250
    fall = pixels[300:484, 640:840]
    assert fall.std() > 3


def test_a_model_without_clips_is_shown_all_round(room: Room, window: Window) -> None:
    sheet = SheetPainter(window.renderer, poses=6).sheet(open_subject(room.order("crate"), room.library))
    assert sheet.get_height() < 450


# The command ------------------------------------------------------------------------------------------


@pytest.fixture
def command(room: Room, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):  # type: ignore[no-untyped-def]
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("NOTETRACK_CACHE", str(tmp_path / "cache"))
    monkeypatch.setattr("engine.paths.assets", lambda: room.assets)
    monkeypatch.setattr("engine.paths.animtrees", lambda: room.trees)
    return lambda *arguments: CliRunner().invoke(preview, list(arguments))


def test_export_writes_a_picture(command, tmp_path: Path) -> None:  # type: ignore[no-untyped-def]
    path = tmp_path / "sheet.png"
    result = command("man", "--export", str(path), "--poses", "6")
    assert result.exit_code == 0, result.output
    assert path.read_bytes().startswith(b"\x89PNG")
    assert "3 clips of man in 6 poses each" in result.stderr
    assert result.stdout == ""


def test_a_clip_is_exported_by_its_name(command, tmp_path: Path) -> None:  # type: ignore[no-untyped-def]
    path = tmp_path / "fall.png"
    result = command("man_fall", "--export", str(path))
    assert result.exit_code == 0, result.output
    assert "1 clip of man in 8 poses each" in result.stderr


def test_a_clip_may_be_named_by_its_end(command, room: Room, tmp_path: Path) -> None:  # type: ignore[no-untyped-def]
    result = command("man", "--export", "sheet.png", "--clip", "Run", "--clip", "fall")
    assert result.exit_code == 0, result.output
    assert "2 clips of man" in result.stderr
    shot = ("--screenshot", "w.png", "--seconds", "0")
    assert command("man", "--clip", "fall", "--beside", "run", *shot).exit_code == 0
    subject = open_subject(replace(room.order(), clip="fall"), room.library)
    assert subject.first == subject.tree.node("man_fall")


def test_warnings_of_a_tree_come_in_the_order_of_its_lines(command, room: Room) -> None:  # type: ignore[no-untyped-def]
    (room.trees / "man.atr").write_text(
        "moves\n{\n\tman_one\n\tman_walk\n\tinner\n\t{\n\t\tman_two\n\t}\n\tman_three\n}\nman_four\n"
    )
    result = command("man", "--export", "sheet.png")
    found = re.findall(r"man\.atr:(\d+):\d+: warning", result.stderr)
    assert found == ["3", "7", "9", "11"]


def test_the_picture_of_the_first_page_comes_of_the_command_below_it(tmp_path: Path) -> None:
    """Its proportions tell it from a sheet of other clips or poses."""
    root = Path(__file__).parents[2]
    (line,) = re.findall(
        r"`notetrack (preview [^`]*)`\]\(docs/pictures/preview\.png\)", (root / "README.md").read_text()
    )
    path = tmp_path / "sheet.png"
    _, *words = line.replace("sheet.png", str(path)).split()
    assert CliRunner().invoke(preview, words).exit_code == 0
    (wide, tall), shown = (
        pygame.image.load(path).get_size(),
        pygame.image.load(root / "docs/pictures/preview.png"),
    )
    assert shown.get_height() == pytest.approx(tall * shown.get_width() / wide, abs=1)


def test_the_pictures_of_a_film_go_into_a_folder(command, tmp_path: Path) -> None:  # type: ignore[no-untyped-def]
    folder = tmp_path / "pictures"  # made by the command
    result = command("man", "--export", str(folder), "--clip", "man_run", "--clip", "man_fall", "--gl", "off")
    assert result.exit_code == 0, result.output
    names = sorted(path.name for path in folder.iterdir())
    assert names[0] == "man_fall-0000.png"
    assert names[-1] == "man_run-0014.png"
    assert f"2 clips of man in {len(names)} pictures" in result.stderr
    assert pygame.image.load(folder / names[0]).get_size() == SIZE


def test_a_picture_of_the_window(command, tmp_path: Path) -> None:  # type: ignore[no-untyped-def]
    path = tmp_path / "window.png"
    typed = ("--type", "setanimknob run 1 0.4", "--type", "setanim fall .5 0")
    result = command("man", "--screenshot", str(path), "--beside", "man_run", *typed, "--seconds", "0.2")
    assert result.exit_code == 0, result.output
    assert "man after 0.2 seconds" in result.stderr
    assert pygame.image.load(path).get_size() == (1280, 720)


@pytest.mark.parametrize("gl", ["auto", "off"])
def test_a_film_of_one_clip(command, tmp_path: Path, gl: str) -> None:  # type: ignore[no-untyped-def]
    path = tmp_path / "fall.gif"
    result = command("man", "--export", str(path), "--clip", "man_fall", "--gl", gl)
    assert result.exit_code == 0, result.output
    frames = pygame.image.load_animation(path)
    assert len(frames) == 15 + 6
    assert frames[0][0].get_size() == SIZE
    first, last = (pygame.surfarray.array3d(frames[i][0]).astype(int) for i in (0, -1))
    assert np.abs(first - last).max() > 60


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("mann", "--export", "a.png"), "did you mean man or"),
        (("man", "--export", "a.bmp"), "a .png (picture sheet) or a .gif"),
        (("man", "--screenshot", "a.gif"), "--screenshot writes a .png, not `a.gif`"),
        (("man", "--screenshot", "nowhere/a.png"), "there is no folder nowhere"),
        (("man", "--screenshot", "a.png", "--export", "b.png"), "--screenshot is for the window"),
        (("man", "--seconds", "3"), "--seconds is for --screenshot"),
        (
            ("man", "--screenshot", "a.png", "--type", "setanimm run"),
            "--type setanimm run: there is no call 'setanimm'",
        ),
        (("man", "--export", "a.png", "--clip", "man_wlk"), "did you mean man_walk or man_fall?"),
        (("man", "--export", "a.png", "--clip", "rn"), "man has no clip `rn`; did you mean run?"),
        (("crate", "--export", "a.gif"), "no clips to make a film of"),
        (("man", "--export", "nowhere/a.png"), "there is no folder nowhere"),
        (("man", "--mod", "nowhere"), "there is no folder nowhere"),
        (("hello.gsc", "--export", "a.png"), "a script; `notetrack run hello.gsc` runs it"),
        (("man", "--assets", "nowhere"), "there is no folder nowhere"),
        (("mannequin_of_a_mod", "--export", "a.png"), "what a mod has is found with --mod FOLDER"),
        (("man", "--attach", "rifle"), "MODEL:TAG"),
        (("man", "--model", "crat", "--export", "a.png"), "there is no model `crat`; did you mean crate?"),
        (("man_wal", "--export", "a.png"), "did you mean man_walk"),
        (("man", "--call", "Create", "--export", "a.png"), "--call is for units, and there is no unit `man`"),
        (("man", "--ticks", "9", "--export", "a.png"), "--ticks is for units"),
        (("man", "--poses", "9"), "--poses is for --export"),
        (("man", "--beside", "man_run", "--export", "a.png"), "--beside is for the window"),
        (("man", "--beside", "man_rn"), "man has no clip `man_rn`; did you mean man_run"),
        (("nowhere/man.glb", "--export", "a.png"), "there is no file nowhere/man.glb"),
    ],
)
def test_wrong_usage_says_what_to_do(command, arguments: tuple[str, ...], message: str) -> None:  # type: ignore[no-untyped-def]
    result = command(*arguments)
    assert result.exit_code == 2
    assert message in result.stderr


def test_no_picture_shows_another_model_for_a_broken_file(command, room: Room) -> None:  # type: ignore[no-untyped-def]
    Path("bad.fbx").write_text("; FBX 7.3.0 project file\nObjects: {{{\n\noops")
    for option in ("--export", "--screenshot"):
        result = command("bad.fbx", option, "bad.png")
        assert result.exit_code == 1
        assert "bad-source" in result.stderr
        assert "bad.png" not in result.stderr
        assert not Path("bad.png").exists()


def test_a_broken_tree_is_shown_with_its_line(command, room: Room) -> None:  # type: ignore[no-untyped-def]
    (room.trees / "man.atr").write_text("man_walk {\n")
    result = command("man", "--export", "a.png")
    assert result.exit_code == 1
    assert "man.atr:1:10: error" in result.stderr


@pytest.mark.parametrize("name", ["man", "man_fall", "crate"])
def test_a_window_opens_and_closes(command, monkeypatch: pytest.MonkeyPatch, name: str) -> None:  # type: ignore[no-untyped-def]
    shown: list[PreviewApp] = []

    def headless(settings: WindowSettings, title: str) -> Window:
        return Window(WindowSettings(size=(640, 360), headless=True, gl="off"), title)

    def step(app: PreviewApp, seconds: float) -> None:
        shown.append(app)
        app.done = len(shown) > 1

    monkeypatch.setattr("engine.cli.preview.Window", headless)
    monkeypatch.setattr(PreviewApp, "step", step)
    monkeypatch.setattr(pygame.event, "get", list)
    beside = ("--beside", "man_run") if name != "crate" else ()
    result = command(name, *beside)
    assert result.exit_code == 0, result.output
    assert (shown[0].beside is not None) == bool(beside)
    if name == "man_fall":
        assert shown[0].stage.subject.tree.names[shown[0].stage.chosen] == "man_fall"


def test_a_broken_tree_opens_with_its_faults_and_is_shown_when_it_is_repaired(
    command, room: Room, monkeypatch: pytest.MonkeyPatch
) -> None:  # type: ignore[no-untyped-def]
    shown: list[tuple[str, list[str]]] = []
    path = room.trees / "man.atr"
    path.write_text("man_walk {\n")

    def headless(settings: WindowSettings, title: str) -> Window:
        return Window(WindowSettings(size=(640, 360), headless=True, gl="off"), title)

    def step(app: PreviewApp, seconds: float) -> None:
        shown.append((app.problems.worst, [view.name for view in app.stage.views()]))
        app.draw()
        path.write_text("man_walk\nman_fall\n")
        app.done = len(shown) > 1
        assert app.reload([path])
        assert [toast.kind for toast in app.toasts.shown] == ["good"]

    monkeypatch.setattr("engine.cli.preview.Window", headless)
    monkeypatch.setattr(PreviewApp, "step", step)
    monkeypatch.setattr(pygame.event, "get", list)
    result = command("man")
    assert result.exit_code == 1
    assert "man.atr:1:10: error" in result.stderr
    assert shown == [("error", []), ("", ["man_walk", "man_fall"])]


def test_no_picture_is_made_of_a_model_that_cannot_be_used(command, tmp_path: Path) -> None:  # type: ignore[no-untyped-def]
    source, picture = tmp_path / "cut.glb", tmp_path / "cut.png"
    source.write_bytes(b"glTF\2\0\0\0\x99\0\0\0")
    result = command(str(source), "--export", str(picture))
    assert result.exit_code == 1
    assert "cut.glb" in result.stderr
    assert not picture.exists()

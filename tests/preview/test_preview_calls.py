"""Script calls that are typed in the preview: what they do, how short they may be, and what they say."""

from __future__ import annotations

from collections.abc import Iterator

import pygame
import pytest

from engine.client.preview.app import PreviewApp
from engine.client.preview.calls import Caller
from engine.client.preview.short_names import meant, unclear
from engine.client.preview.stage import Stage
from engine.client.preview.subject import open_subject
from engine.client.window import Window, WindowSettings
from engine.mods.playing import why
from tests.preview.conftest import Room


@pytest.fixture
def stage(room: Room) -> Stage:
    return Stage(open_subject(room.order(), room.library))


@pytest.fixture
def caller(room: Room, stage: Stage) -> Caller:
    return Caller(stage, room.library)


def goals(stage: Stage) -> dict[str, float]:
    return {view.name: view.goal for view in stage.views() if view.goal > 0}


@pytest.mark.parametrize(
    "line",
    [
        "setanimknoball(%man_run, %root, 1, 0.2, 1)",
        "self setanimknoball( %man_run , %root, 1, 0.2, 1 );",
        "SetAnimKnobAll man_run root 1 .2 1",
        "setanimknoball %run, root, 1, .2, 1",
        "setanimknoball run root 1 (0.1 + 0.1) 1",
    ],
)
def test_a_call_may_be_written_short(stage: Stage, caller: Caller, line: str) -> None:
    answer = caller.call(line)
    assert answer.good, answer.text
    assert answer.text.startswith("self setanimknoball(%man_run, %root, 1, ")
    assert goals(stage) == {"moves": 1.0, "man_run": 1.0}
    stage.step(0.1)
    weights = {view.name: view.weight for view in stage.views()}
    assert 0.4 < weights["man_walk"] < 0.6
    assert 0.4 < weights["man_run"] < 0.6


def test_the_nodes_know_the_call_that_set_them(stage: Stage, caller: Caller) -> None:
    stage.step(0.75)
    caller.call("setanim nothing")
    caller.call("getanimlength fall")
    caller.call("setanim fall .5 0")
    (fall,) = (view for view in stage.views() if view.name == "man_fall")
    assert why(fall) == "setanim at typed:2, 750 ms"


def test_what_comes_of_a_call_is_said(caller: Caller) -> None:
    assert caller.call("getanimlength fall").text == "getanimlength(%man_fall) is 1.0"
    assert caller.call("getanimtime(%man_walk)").text == "self getanimtime(%man_walk) is 0.0"
    assert caller.call("animhasnotetrack walk step").text == 'animhasnotetrack(%man_walk, "step") is 1'
    assert caller.call('animhasnotetrack(%man_walk, "st, ep")').text.endswith("is 0")


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("setanimknb run", "there is no call 'setanimknb' here; did you mean setanimknob, "),
        ("setanim man_rn", "tree 'man' has no animation 'man_rn'; did you mean man_run"),
        ("setanimknob rn", "tree 'man' has no animation 'rn'; did you mean run?"),
        ("setanimknob fal 1", "did you mean fall?"),
        ("setanim", "setanim needs 1 argument: anim, [weight], [time], [rate]"),
        ("setanim run 1 2 3 4", "setanim takes 4 arguments, not 5: "),
        ("setanim run -1", "weight of animation 'man_run' must not be negative"),
        ("setanim run 1 nope()", "there is no function 'nope'"),
        ("setanim(run, 1", "a bracket is opened and not closed"),
        ("setanimknoball run fall 1", "is not an ancestor"),
        ("turnbone tail (0, 5, 0)", "model 'man' has no bone 'tail'"),
        ("useanimtree 1", "there is no call 'useanimtree' here"),
        ("12", "a call begins with the name of a function"),
    ],
)
def test_what_is_wrong_with_a_call_is_said_in_a_line(
    stage: Stage, caller: Caller, line: str, said: str
) -> None:
    before = goals(stage)
    answer = caller.call(line)
    assert not answer.good
    assert said in answer.text
    assert "\n" not in answer.text
    assert goals(stage) == before or "ancestor" in said  # stock has done half of that one when it notices


NAMES = ("soldier_walk", "soldier_crouch_walk", "soldier_run", "guard_idle", "dog_idle", "root")


@pytest.mark.parametrize(
    ("word", "names"),
    [
        ("walk", ["soldier_walk"]),
        ("crouch_walk", ["soldier_crouch_walk"]),
        ("soldier_run", ["soldier_run"]),
        ("root", ["root"]),
        ("idle", ["guard_idle", "dog_idle"]),
        ("rn", []),
        ("", []),
    ],
)
def test_which_names_a_word_means(word: str, names: list[str]) -> None:
    assert meant(word, NAMES, "soldier") == names


def test_what_is_said_of_a_word_that_means_no_one_name() -> None:
    assert unclear("idle", NAMES, "soldier") == "there are guard_idle and dog_idle; which of them?"
    assert unclear("rn", NAMES, "soldier") == "did you mean run?"
    assert (unclear("soldier_rn", NAMES, "soldier") or "").startswith("did you mean soldier_run, ")
    assert unclear("idl", NAMES, "soldier") is None  # the end alone would not be clear either
    assert unclear("xyzzy", NAMES, "soldier") is None


def test_a_bone_is_turned(stage: Stage, caller: Caller) -> None:
    before = stage.pose().copy()
    assert caller.call("turnbone upper (0, 30, 0)").good
    assert abs(stage.pose() - before).max() > 0.1


def test_calls_go_on_with_a_tree_that_was_read_again(room: Room, stage: Stage, caller: Caller) -> None:
    assert caller.call("setanim fall").good
    (room.trees / "man.atr").write_text("man_walk\nother\n{\n\tman_fall\n}\n")
    stage.replace(open_subject(room.order(), room.library))
    assert caller.call("setanim other 1 0").good
    assert goals(stage)["other"] == 1.0
    assert not caller.call("setanim man_run").good


# The line -----------------------------------------------------------------------------------------------


@pytest.fixture
def app(room: Room) -> Iterator[PreviewApp]:
    window = Window(WindowSettings(size=(960, 540), headless=True, gl="off"))
    made = PreviewApp(
        window, room.order(), open_subject(room.order(), room.library), room.library, room.told.append
    )
    made.draw()
    yield made
    window.close()


def key(app: PreviewApp, code: int) -> None:
    app.handle(pygame.event.Event(pygame.KEYDOWN, key=code, mod=0))


def write(app: PreviewApp, text: str) -> None:
    for character in text:
        app.handle(pygame.event.Event(pygame.TEXTINPUT, text=character))


def test_typing_a_call_blends_what_plays(app: PreviewApp) -> None:
    stage = app.stage
    stage.playing = False
    key(app, pygame.K_RETURN)
    # The letters of keys that do something else are only letters while one types.
    write(app, "setanimknob run 1 .2")
    assert (app.line.text, app.look.bones) == ("setanimknob run 1 .2", 0)
    key(app, pygame.K_RETURN)
    assert app.line.answer is not None
    assert app.line.answer.text == "self setanimknob(%man_run, 1, .2);"
    assert stage.playing
    app.step(0.1)
    app.draw()
    assert 0.4 < {view.name: view.weight for view in stage.views()}["man_run"] < 0.6
    assert stage.clip is not None
    assert stage.clip.name == "man_run"  # the time line shows what is coming
    key(app, pygame.K_ESCAPE)
    assert (app.line.open, app.done) == (False, False)
    key(app, pygame.K_b)
    assert app.look.bones == 1


def test_after_a_call_the_row_that_was_chosen_can_be_had_back(app: PreviewApp, room: Room) -> None:
    stage = app.stage
    app.call("setanimknoball run root 1 0")
    app.call("setanim fall 1 0")
    key(app, pygame.K_r)
    app.step(1.0)
    assert goals(stage) == {"moves": 1.0, "man_walk": 1.0}
    # A call goes on when the tree is saved, though it was no row that was chosen.
    app.call("setanimknoball fall root .5 0")
    path = room.trees / "man.atr"
    path.write_text("man_fall\nmoves : loopsync\n{\n\tman_walk\n}\n")
    assert app.reload([path])
    assert goals(stage) == {"man_fall": 0.5, "man_walk": 1.0}  # asleep below its group
    stage.repeat = False
    app.step(1.2)
    app.step(1.2)
    assert stage.ended
    key(app, pygame.K_SPACE)  # it stands already, so this pauses
    key(app, pygame.K_SPACE)
    app.step(0.25)
    assert stage.moment == pytest.approx(0.25, abs=0.01)
    assert stage.goal(stage.subject.tree.index["man_fall"]) == 0.5


def test_the_line_remembers_and_finishes_words(app: PreviewApp) -> None:
    app.handle(pygame.event.Event(pygame.MOUSEBUTTONDOWN, pos=_middle(app, "call"), button=1))
    assert app.line.open
    for text in ("setanim fall .5", "setanim nobody"):
        write(app, text)
        key(app, pygame.K_RETURN)
    assert app.line.answer is not None
    assert not app.line.answer.good
    assert app.line.text == "setanim nobody", "it stays, to be mended"
    key(app, pygame.K_UP)
    key(app, pygame.K_UP)
    assert app.line.text == "setanim fall .5"
    key(app, pygame.K_DOWN)
    key(app, pygame.K_DOWN)
    assert app.line.text == "setanim nobody"
    key(app, pygame.K_ESCAPE)
    assert (app.line.open, app.line.text, app.line.answer) == (False, "", None)
    key(app, pygame.K_RETURN)
    write(app, "cle")
    key(app, pygame.K_TAB)
    assert app.line.text == "clearanim "
    write(app, "%man_f")
    key(app, pygame.K_TAB)
    assert app.line.text == "clearanim %man_fall"
    write(app, ",ru")
    key(app, pygame.K_TAB)
    assert app.line.text == "clearanim %man_fall,man_run"
    write(app, " man_")
    key(app, pygame.K_TAB)
    assert app.line.offered == ("man_fall", "man_run", "man_walk")
    app.draw()
    key(app, pygame.K_LEFT)
    assert app.line.offered == ()


def test_an_answer_is_copied_and_a_line_pasted(app: PreviewApp, monkeypatch: pytest.MonkeyPatch) -> None:
    held: list[str] = []
    monkeypatch.setattr(pygame.scrap, "put_text", held.append)
    monkeypatch.setattr(pygame.scrap, "get_text", lambda: "getanimlength run\n")

    def control(code: int) -> None:
        app.handle(pygame.event.Event(pygame.KEYDOWN, key=code, mod=pygame.KMOD_LCTRL))

    key(app, pygame.K_RETURN)
    control(pygame.K_v)
    assert app.line.text == "getanimlength run"
    key(app, pygame.K_RETURN)
    control(pygame.K_c)
    assert held == ["getanimlength(%man_run) is 0.5"]

    def nothing(text: str) -> None:
        raise pygame.error("no display")

    monkeypatch.setattr(pygame.scrap, "put_text", nothing)
    control(pygame.K_c)
    assert "there is no clipboard here" in app.toasts.shown[-1].text


def _middle(app: PreviewApp, part: str) -> tuple[int, int]:
    x, y, w, h = next(spot.box for spot in app.panel.spots if spot.part == part)
    return int(x + w / 2), int(y + h / 2)

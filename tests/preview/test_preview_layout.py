"""What lies over the picture of the preview lies over nothing else that is read there."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable
from itertools import combinations
from pathlib import Path
from typing import Any

import pygame
import pytest

from engine.client.canvas import Canvas
from engine.client.preview import call_line, showing
from engine.client.preview.app import PreviewApp
from engine.client.preview.subject import open_subject
from engine.client.preview.unit import UnitOrder, open_unit
from engine.client.preview.unit_app import UnitApp
from engine.client.toast import Toast, Toasts
from engine.client.window import Window, WindowSettings
from engine.source import Diagnostic, SourceText
from tests.preview.conftest import Room

Box = tuple[float, float, float, float]
LONG = (
    "what is wrong with it is said here at some length, so that a card has as many lines of it as cards have; "
    * 3
)


class Drawn:
    """Boxes and texts of the last picture, by who drew them."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.boxes: dict[str, list[Box]] = defaultdict(list)
        self.texts: list[tuple[float, str]] = []
        self._who = ""
        plain, text = Canvas.box, Canvas.text

        def box(canvas: Canvas, x: float, y: float, w: float, h: float, *rest: Any) -> None:
            self.boxes[self._who].append((x, y, x + w, y + h))
            plain(canvas, x, y, w, h, *rest)

        def write(canvas: Canvas, x: float, y: float, words: str, *rest: Any, **named: Any) -> float:
            self.texts.append((x, words))
            return text(canvas, x, y, words, *rest, **named)

        monkeypatch.setattr(Canvas, "box", box)
        monkeypatch.setattr(Canvas, "text", write)
        monkeypatch.setattr(call_line, "_draw_answer", self._by("answer", call_line._draw_answer))
        monkeypatch.setattr(showing, "draw_keys", self._by("keys", showing.draw_keys))
        monkeypatch.setattr(showing, "draw_problems", self._by("problems", showing.draw_problems))
        monkeypatch.setattr(Toasts, "draw", self._by("cards", Toasts.draw))

    def _by(self, who: str, draw: Callable[..., Any]) -> Callable[..., Any]:
        def drawn(*arguments: Any, **named: Any) -> Any:
            self._who = who
            try:
                return draw(*arguments, **named)
            finally:
                self._who = ""

        return drawn

    def picture(self, shown: Any) -> None:
        self.boxes.clear()
        self.texts.clear()
        shown.step(0.05)
        shown.draw()

    def overlaps(self) -> list[tuple[str, str]]:
        named = [(who, box) for who, boxes in self.boxes.items() if who for box in boxes]
        return [
            (one, other)
            for (one, a), (other, b) in combinations(named, 2)
            if one != other and a[0] < b[2] and b[0] < a[2] and a[1] < b[3] and b[1] < a[3]
        ]


@pytest.fixture
def drawn(monkeypatch: pytest.MonkeyPatch) -> Drawn:
    return Drawn(monkeypatch)


def _fault(number: int) -> Diagnostic:
    return Diagnostic("bad-token", f"fault {number}: {LONG}", SourceText("man.atr", "man_walk\n").span(0))


@pytest.mark.parametrize("size", [(1280, 720), (1920, 1080), (640, 360)])
@pytest.mark.parametrize("problems", [False, True])
@pytest.mark.parametrize("line", ["setanimknob run 1 .4", "setanimknob " + "n" * 300, ""])
def test_cards_keys_problems_and_answers_lie_beside_each_other(
    drawn: Drawn, room: Room, size: tuple[int, int], problems: bool, line: str
) -> None:
    window = Window(WindowSettings(size=size, headless=True, gl="off"))
    subject = open_subject(room.order(), room.library)
    app = PreviewApp(window, room.order(), subject, room.library, room.told.append)
    if line:
        app.call(line)
    for count in (1, 4, 20):
        app.refuse([_fault(number) for number in range(count)])
        app.problems.open = problems
        drawn.picture(app)
        assert drawn.overlaps() == []
        assert drawn.boxes["cards"]
        assert drawn.boxes["problems" if problems else "keys"]
        assert bool(drawn.boxes["answer"]) == bool(line)
        bottom = max(box[3] for box in drawn.boxes["cards"])
        assert bottom <= size[1] * (1 - 92 / 720)
    app.toasts.shown.clear()
    app.toasts.add(Toast("good", "man.atr read again"))
    drawn.picture(app)
    assert any(words == "man.atr read again" for _, words in drawn.texts)
    window.close()


def test_cards_of_a_unit_lie_beside_its_keys(drawn: Drawn, room: Room) -> None:
    window = Window(WindowSettings(size=(1280, 720), headless=True, gl="off"))
    path = room.assets.parent / "crate.bos"
    path.write_text("Create() { }\n")
    order = UnitOrder(path, None, ())
    app = UnitApp(window, order, open_unit(order, room.library), room.library, room.told.append)
    app.refuse([_fault(number) for number in range(4)])
    drawn.picture(app)
    assert drawn.overlaps() == []
    assert drawn.boxes["cards"]
    assert max(box[3] for box in drawn.boxes["cards"]) <= 720 - app.panel.foot(
        Canvas(app._letters, (1280, 720))
    )
    window.close()


def _words(key: int) -> str:
    """What a key is called in lists of keys."""
    names = {
        pygame.K_ESCAPE: "esc", pygame.K_RETURN: "enter", pygame.K_COMMA: ",", pygame.K_PERIOD: ".",
        pygame.K_KP1: "pad 1", pygame.K_KP3: "3", pygame.K_KP7: "7",
    }  # fmt: skip
    return names.get(key, pygame.key.name(key))


def test_every_key_is_in_the_list_and_on_the_page(room: Room) -> None:
    window = Window(WindowSettings(size=(640, 360), headless=True, gl="off"))
    path = room.assets.parent / "crate.bos"
    path.write_text("Create() { }\n")
    order, shown = UnitOrder(path, None, ()), room.order()
    page = (Path(__file__).parents[2] / "docs" / "preview.md").read_text()
    for app in (
        PreviewApp(window, shown, open_subject(shown, room.library), room.library, room.told.append),
        UnitApp(window, order, open_unit(order, room.library), room.library, room.told.append),
    ):
        listed = f" {' '.join(' '.join(row) for row in app.panel.keys)} ".lower()
        for key in app.all_actions():
            assert f" {_words(key)} " in listed, _words(key)
            if isinstance(app, PreviewApp):
                word = _words(key).removeprefix("pad ")
                assert (word if len(word) > 1 or word.isdigit() else f"`{word}`") in page.lower()
    window.close()


def test_figures_cover_nothing_of_the_picture(drawn: Drawn, room: Room) -> None:
    window = Window(WindowSettings(size=(1280, 720), headless=True, gl="off"))
    subject = open_subject(room.order(), room.library)
    app = PreviewApp(window, room.order(), subject, room.library, room.told.append)
    drawn.picture(app)
    usual = [words for x, words in drawn.texts if x > 364]
    boxes = [box for box in drawn.boxes[""] if box[2] > 364]
    app.handle(pygame.event.Event(pygame.KEYDOWN, key=pygame.K_i))
    drawn.picture(app)
    assert any("vertices" in words for _, words in drawn.texts)
    assert [words for x, words in drawn.texts if x > 364] == usual
    assert len([box for box in drawn.boxes[""] if box[2] > 364]) == len(boxes)
    window.close()

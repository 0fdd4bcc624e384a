"""Toasts: what becomes one, how they are counted, and that they go away."""

from __future__ import annotations

from typing import Any

import pytest

from engine.client.canvas import Canvas
from engine.client.console import Console
from engine.client.session import LogLine
from engine.client.text import Letters
from engine.client.toast import MOST, Toast, Toasts, first_line, toast_of
from engine.gsc.parser import parse_or_raise
from engine.source import Diagnostic, DiagnosticError, SourceText


def test_a_fault_shows_file_and_line():
    source = SourceText("maps/mp/a.gsc", "a\nb\nccc\n")
    line = LogLine("error", "text", Diagnostic("unknown-function", "there is no f", source.span(5, 6)))
    toast = toast_of(line)
    assert toast is not None
    assert (toast.kind, toast.text, toast.place) == ("bad", "there is no f", "a.gsc:3")


def test_what_was_left_out_is_placed_where_it_belongs_and_not_at_what_follows():
    source = SourceText("maps/mp/a.gsc", "main()\n{\n\tx = 1\n\ty = 2;\n}\n")
    with pytest.raises(DiagnosticError) as caught:
        parse_or_raise("maps\\mp\\a", source)
    toast = toast_of(LogLine("error", "text", caught.value.diagnostics[0]))
    assert toast is not None
    assert toast.place == "a.gsc:3"


def test_reloads_are_good_and_prints_are_no_toast():
    reload = toast_of(LogLine("reload", "reloaded 2 files\n  a.gsc"))
    assert reload is not None
    assert (reload.kind, reload.text) == ("good", "reloaded 2 files ...")
    assert first_line("one line\n") == "one line"
    assert toast_of(LogLine("print", "hello")) is None
    assert toast_of(LogLine("info", "hello")) is None


def test_the_same_again_counts_and_stays_longer():
    toasts = Toasts()
    toasts.add(Toast("bad", "x", "a.gsc:1"))
    toasts.step(9.0)
    toasts.add(Toast("bad", "x", "a.gsc:1"))
    toasts.step(5.0)
    assert [(t.text, t.count) for t in toasts.shown] == [("x", 2)]


def test_they_fade_and_go():
    toasts = Toasts()
    toasts.add(Toast("good", "saved"))
    toasts.step(1.0)
    assert toasts.shown[0].alpha == 1.0
    toasts.step(2.3)
    assert 0 < toasts.shown[0].alpha < 1
    toasts.step(0.3)
    assert not toasts.shown


def test_no_more_than_fit():
    toasts = Toasts()
    for number in range(10):
        toasts.add(Toast("bad", str(number)))
    assert [t.text for t in toasts.shown] == [str(n) for n in range(10 - MOST, 10)]


class Written(Canvas):
    """Keeps what was written."""

    def __init__(self) -> None:
        super().__init__(Letters(720), (1280, 720))
        self.written: list[str] = []

    def text(self, x: float, y: float, text: str, *args: Any, **settings: Any) -> float:
        self.written.append(text)
        return super().text(x, y, text, *args, **settings)


@pytest.mark.parametrize("word", ["function", "x" * 400])
def test_what_is_longer_than_its_card_ends_in_a_mark_and_is_whole_in_the_console(word: str):
    whole = f"{word} " * 60
    toast = toast_of(LogLine("reload", whole))
    assert toast is not None
    for text, cut in ((whole, True), ("untouched", False)):
        canvas, toasts = Written(), Toasts()
        toast.text = text
        toasts.add(toast)
        toasts.draw(canvas)
        lines = [line for line in canvas.written if line]
        assert lines[-1].endswith(" ...") == cut
        assert len(lines) == (3 if cut else 1)
        assert not any(line.endswith("...") for line in lines[:-1])
        assert all(canvas.letters.width(line) <= 390 for line in lines)
    console = Console(lambda line: "", dict, dict)
    console.add(LogLine("reload", whole))
    assert console.log[-1][0] == whole

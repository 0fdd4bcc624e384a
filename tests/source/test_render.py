"""Diagnostics and printed text as people see them."""

from __future__ import annotations

import pytest

from engine.pipeline.names import asset_name
from engine.source import Diagnostic, SourceText
from engine.source.render import legible, readable, to_dict, to_text

SNOW = "hé Größe ☃"


def as_script(text: str) -> str:
    """A byte a character, as scripts are read."""
    return text.encode("utf-8").decode("latin-1")


@pytest.mark.parametrize(
    ("text", "seen"),
    [
        (as_script(SNOW), SNOW),
        ("plain", "plain"),
        ("caf\xe9", "caf\xe9"),  # Latin-1, as the original game's own files are
        ("\xc3", "\xc3"),
        (SNOW, SNOW),  # readable already
    ],
)
def test_text_of_scripts_is_read_as_it_was_written(text: str, seen: str) -> None:
    assert readable(text) == seen
    assert readable(seen) == seen


def test_what_scripts_print_drives_no_terminal() -> None:
    assert legible("a\x1b[2Jb\x07\n\tc") == "a\\x1b[2Jb\\x07\n\tc"
    # A control character that takes two bytes of UTF-8.
    assert legible(as_script("\x9b2J")) == "\\x9b2J"
    assert legible(as_script(SNOW)) == SNOW


def test_a_report_shows_the_line_with_its_letters_and_the_mark_under_its_place() -> None:
    source = SourceText("a.gsc", as_script('x = "é☃" + 3;'))
    start = source.text.index("+")
    fault = Diagnostic("runtime", as_script("of 'é☃'"), source.span(start, start + 1))
    line, excerpt, mark = to_text(fault).split("\n")
    assert line.endswith("error: of 'é☃' [runtime]")
    assert excerpt == '    x = "é☃" + 3;'
    assert mark.index("^") == excerpt.index("+")
    assert to_dict(fault)["message"] == "of 'é☃'"


def test_a_model_of_any_letters_has_the_name_that_scripts_write() -> None:
    assert asset_name(as_script("xmodel/BÖX 2")) == asset_name("böx 2.glb") == "böx 2"

"""Positions are bytes, lines end at line feeds, a byte order mark does not count."""

from engine.source import Diagnostic, SourceText
from engine.source.nearest import did_you_mean
from engine.source.paths import canonical, find_file, is_safe
from engine.source.render import to_dict, to_text


def test_bom_is_dropped_and_positions_follow_it() -> None:
    source = SourceText("a.gsc", b"\xef\xbb\xbfmain(){}\r\nx")
    assert source.text.startswith("main")
    assert source.line_col(source.text.index("x")) == (2, 1)
    assert source.line(1) == "main(){}"


def test_text_marks_the_column() -> None:
    source = SourceText("a.gsc", "one\n\ttwo three\n")
    start = source.text.index("three")
    shown = to_text(Diagnostic("some-code", "no such thing", source.span(start, start + 5)))
    assert shown.splitlines() == [
        "a.gsc:2:6: error: no such thing [some-code]",
        "     two three",
        "         ^~~~~",
    ]


def test_an_empty_line_is_not_shown() -> None:
    source = SourceText("a.gsc", "one\n\nthree\n")
    assert to_text(Diagnostic("c", "m", source.span(4))) == "a.gsc:2:1: error: m [c]"


def test_a_source_line_cannot_drive_the_terminal() -> None:
    source = SourceText("a.gsc", "x \x1b[31m y")
    shown = to_text(Diagnostic("c", "m \x07", source.span(7)))
    assert "\x1b" not in shown
    assert "\x07" not in shown


def test_json_has_the_fixed_keys() -> None:
    source = SourceText("a.gsc", "abc")
    assert list(to_dict(Diagnostic("c", "m", source.span(1, 2)))) == [
        "severity", "code", "message", "path", "line", "col", "end_line", "end_col", "notes", "stack",
    ]  # fmt: skip


def test_canonical_names() -> None:
    assert canonical("Maps/MP//gametypes\\\\_Callbacksetup") == r"maps\mp\gametypes\_callbacksetup"
    assert not is_safe(canonical("../secret"))
    assert not is_safe(canonical("c:/windows"))


def test_find_file_ignores_case_and_stays_inside(tmp_path) -> None:
    (tmp_path / "root" / "Maps").mkdir(parents=True)
    (tmp_path / "root" / "Maps" / "Yard.GSC").write_text("main(){}")
    (tmp_path / "secret.gsc").write_text("main(){}")
    (tmp_path / "root" / "link.gsc").symlink_to(tmp_path / "secret.gsc")
    found = find_file(tmp_path / "root", r"maps\yard", ".gsc")
    assert found is not None
    assert found.name == "Yard.GSC"
    assert find_file(tmp_path / "root", "link", ".gsc") is None
    assert find_file(tmp_path / "root", r"..\secret", ".gsc") is None


def test_nearest() -> None:
    assert did_you_mean("isdefned", ["isdefined", "spawn"]) == "did you mean isdefined?"
    assert did_you_mean("zzz", ["isdefined"]) is None

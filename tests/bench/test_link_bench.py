"""The programs behind the figures of loading and of saves still work."""

from __future__ import annotations

from pathlib import Path

from engine.gsc.parser import parse
from engine.source import SourceText
from tests.bench.link_speed import LINES, Bench, again, edited_text, first
from tests.bench.many_files import write
from tests.bench.reload_latency import SCRIPTS, filled, prepare


def test_a_second_process_parses_nothing_and_a_save_parses_one_file(tmp_path: Path) -> None:
    folder, cache = tmp_path / "scripts", tmp_path / "cache"
    write(folder, 5)
    assert [first(folder, cache)["parses"] for _ in range(2)] == [6, 0]
    bench = Bench(folder, cache)
    bench.link()
    (folder / "sectors" / "s1.gsc").write_text(edited_text(5, 0))
    bench.link()
    assert bench.cache.parses == 1
    assert set(again(folder, cache, 5, 2)) == {"ms", "most"}


def test_the_edited_file_has_its_lines_and_compiles() -> None:
    text = edited_text(5, 3)
    assert LINES - 40 < text.count("\n") < LINES + 40
    assert not parse("s1", SourceText("s1.gsc", text)).errors


def test_every_save_changes_the_probe_alone(tmp_path: Path) -> None:
    texts = prepare(tmp_path)
    assert set(texts) == set(SCRIPTS)
    for text in texts.values():
        one, two = filled(text, 1), filled(text, 2)
        assert not parse("s", SourceText("s.gsc", one)).errors
        changed = [
            pair for pair in zip(one.splitlines(), two.splitlines(), strict=True) if len(set(pair)) > 1
        ]
        assert changed == [("        said = 1;", "        said = 2;")]

"""What is said again after a save: what is about functions that the save changed, and nothing else."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from engine.mods.journal import Journal, LogLine
from engine.mods.session import GameOptions, GameSession
from engine.mods.watch import Changes

OTHER = """
main()
{
    for (;;)
    {
        level thread adds();
        level thread moves();
        wait 0.05;
    }
}

adds()
{
    level.sum = 1 + level;
}

moves()
{
    target = spawn("script_origin", (0, 0, 0));
    target thread vanishes();
    target moveto((0, 0, 0));
}

vanishes()
{
    wait 0.05;
    self delete();
}
"""
WATCHED = """
main()
{
    for (;;)
    {
        level.name = "one";
        wait 0.05;
    }
}
"""


class Told:
    """Two mods of one script each; everything that is said."""

    def __init__(self, folder: Path) -> None:
        self.scripts = {}
        for name, text in (("other", OTHER), ("watched", WATCHED)):
            mod = folder / name
            mod.mkdir()
            (mod / "mod.toml").write_text(f'name = "{name}"\nrequires = ["sandbox"]\nautostart = "{name}"\n')
            self.scripts[name] = mod / f"{name}.gsc"
            self.scripts[name].write_text(text)
        mods = tuple(path.parent for path in self.scripts.values())
        self.session = GameSession(GameOptions(mods=mods, watch=False), Journal(None))
        self.run()

    def run(self) -> list[LogLine]:
        """Faults and warnings of the next frames."""
        for _ in range(8):
            self.session.frame()
        return [line for line in self.session.drain_log() if line.kind in ("error", "warning")]

    def save(self, name: str, text: str) -> list[LogLine]:
        self.scripts[name].write_text(text)
        self.session.reloader.take(Changes(frozenset({self.scripts[name]}), frozenset(), 0.0))
        return self.run()

    @property
    def counted(self) -> int:
        return self.session.vm.reporter.total


@pytest.fixture
def told(tmp_path: Path) -> Iterator[Told]:
    made = Told(tmp_path)
    yield made
    made.session.close()


def messages(lines: list[LogLine]) -> list[str]:
    return sorted(line.diagnostic.message if line.diagnostic else line.text for line in lines)


def test_a_save_that_is_refused_counts_among_the_faults(told: Told) -> None:
    """`play --headless` ends with exit code 1 for it; 3 is for what went wrong while scripts ran."""
    faults, failures = told.session.faults, told.session.failures
    assert failures == faults > 0, "what `other` does wrong"
    assert told.save("watched", "main()\n{\n\txx(\n}\n")
    assert told.session.faults == faults + 1
    assert told.session.failures == failures


def test_what_an_untouched_script_does_wrong_is_not_told_with_every_save(told: Told) -> None:
    before = told.counted
    assert told.save("watched", WATCHED.replace("one", "two")) == []
    assert told.save("watched", WATCHED.replace("one", "three")) == []
    assert told.counted > before + 20, "it happens all the same"
    assert told.session.execute("reload").startswith("all files")
    assert told.run() == []
    assert "undo" in told.session.execute("reload undo")
    assert told.run() == []


@pytest.mark.parametrize(
    "text",
    [
        "// a comment in front\n" + OTHER,
        OTHER.replace("level.sum", "/* beside */ level.sum").replace("    target move", "// above\n    target move"),
        OTHER.replace("main()", "helper()\n{\n}\n\nmain()"),
    ],
    ids=["moved", "comments", "function"],
)  # fmt: skip
def test_functions_that_moved_or_got_a_comment_are_not_told_of_again(told: Told, text: str) -> None:
    assert told.save("other", text) == []


def test_only_what_is_about_changed_functions_is_told_again(told: Told) -> None:
    (again,) = told.save("other", OTHER.replace("1 + level", "2 + level"))[:1]
    assert again.diagnostic is not None
    assert again.diagnostic.span is not None
    assert again.diagnostic.span.source.line(again.diagnostic.span.line).strip() == "level.sum = 2 + level;"
    text = OTHER.replace(
        "    target moveto((0, 0, 0));", "    level.moved = 1;\n    target moveto((0, 0, 0));"
    )
    said = told.save("other", text.replace("1 + level", "2 + level"))
    assert {line.kind for line in said} == {"error", "warning"}
    assert not any("level.sum" in line.text for line in said)


def test_a_mod_that_comes_or_goes_brings_no_old_news(told: Told, tmp_path: Path) -> None:
    mod = tmp_path / "third"
    mod.mkdir()
    (mod / "mod.toml").write_text('name = "third"\nautostart = "third"\n')
    (mod / "third.gsc").write_text(
        "main()\n{\n    level.third = level - 1;\n    level moveto((0, 0, 0));\n}\n"
    )
    assert "error" not in told.session.execute(f"mods add {mod}")
    spans = [line.diagnostic.span for line in told.run() if line.diagnostic is not None]
    assert {span.path.rpartition("/")[2] for span in spans if span is not None} == {"third.gsc"}
    assert len(spans) == 2, "a warning and an error"
    told.session.execute("mods remove third")
    assert told.run() == []

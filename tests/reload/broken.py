"""Broken saves over a running game, round after round: `python -m tests.reload.broken --rounds N`.

Each scenario damages the files of a small mod, hands the save over, and repairs it with a good save that changes
something. Nothing may be lost: the threads stay as they are through a broken save, and the fates of the good one add up
to them. The command also tells how much Python holds after each fifth of the rounds, over what it held after
`WARM_UP` rounds.
"""

from __future__ import annotations

import argparse
import gc
import shutil
import sys
import tempfile
import tracemalloc
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from engine.mods.reload_report import ReloadReport
from engine.mods.session import GameOptions, GameSession
from engine.mods.watch import Changes

SCRIPT = """main()
{
    level.total = 0;
    for (n = 0; n < 20; n++)
        level thread walker(n);
    level thread listener();
    level thread wears();
}
walker(n)
{
    level endon("stop");
    for (rounds = 0;; rounds++)
    {
        level.total += helper(n);
        wait 0.05 + n * 0.01;
    }
}
helper(n) { if (n == 3) wait 0.05; return lib::one(); }
listener() { for (;;) { level waittill("go", x); level.heard = x; } }
#using_animtree("small");
wears() { for (;;) { level.clip = %sway; wait 0.1; } }
"""

FILES = {
    "mod.toml": 'name = "mine"\nrequires = ["base"]\ngametype = "mine"\nautostart = "mine"\n',
    "maps/mp/gametypes/mine.gsc": "main()\n{\n}\n",
    "maps/mp/gametypes/_callbacksetup.gsc": "codecallback_startgametype()\n{\n}\ncodecallback_playerconnect()\n{\n}\n",
    "levels/tiny.map": '{\n"classname" "worldspawn"\n}\n{\n"classname" "info_player_start"\n}\n',
    "mine.gsc": SCRIPT,
    "lib.gsc": "one()\n{\n    return 1;\n}\n",
    "animtrees/small.atr": "sway\n",
}

WARM_UP = 10
"""Rounds before memory is measured. In one of the first the interpreter's own table of interned names is made larger,
once, by 2 MB: paths and keys that come and go fill it with gaps."""

Damage = Callable[[Path], None]


def _text(old: str, new: str, name: str = "mine.gsc") -> Damage:
    def damage(folder: Path) -> None:
        text = FILES[name]
        assert old in text
        (folder / name).write_text(text.replace(old, new))

    return damage


def _bytes(make: Callable[[bytes], bytes], name: str = "mine.gsc") -> Damage:
    return lambda folder: (folder / name).write_bytes(make(FILES[name].encode())) and None


def _gone(name: str) -> Damage:
    return lambda folder: (folder / name).unlink()


def _folder_instead(folder: Path) -> None:
    (folder / "lib.gsc").unlink()
    (folder / "lib.gsc").mkdir()


def _both(one: Damage, other: Damage) -> Damage:
    def damage(folder: Path) -> None:
        one(folder)
        other(folder)

    return damage


SCENARIOS: dict[str, Damage] = {
    "half a line": _text("wait 0.05 + n * 0.01;", "wait 0.05 +"),
    "an open brace": _text("return lib::one(); }", "return lib::one();"),
    "an open comment": _text("rounds++)", "rounds++) /*"),
    "an open string": _text('"stop"', '"stop'),
    "an unknown function": _text("helper(n);", "helpre(n);"),
    "an unknown script": _text("lib::one", "libb::one"),
    "a directive of another game": _text("main()\n", "#include maps\\mp\\x;\nmain()\n"),
    "a function twice": _text("listener() {", "helper(n) { return 2; }\nlistener() {"),
    "a parameter twice": _text("walker(n)\n", "walker(n, n)\n"),
    "a keyword as a name": _text("rounds", "wait"),
    "a break outside a loop": _text("level.total = 0;", "break;"),
    "a control character": _text("level.total = 0;", "level.total = 0;\x01"),
    "cut in the middle": _bytes(lambda data: data[: len(data) // 2]),
    "the same text twice": _bytes(lambda data: data + data),
    "a merge that was not finished": _text(
        "return lib::one();", "\n<<<<<<< a\nreturn 1;\n=======\nreturn 2;\n>>>>>>> b\n"
    ),
    "a statement as an expression": _text("helper(n);", "wait 1;"),
    "a missing semicolon": _text("level.heard = x;", "level.heard = x"),
    "bytes that are no text": _bytes(lambda data: bytes(range(256)) + data),
    "saved as UTF-16": _bytes(lambda data: data.decode().encode("utf-16")),
    "what the script needs is gone": _gone("lib.gsc"),
    "a folder in the place of a script": _folder_instead,
    "a function that others need is gone": _text("one()", "two()", "lib.gsc"),
    "the manifest is broken": _text('name = "mine"', "name = ", "mod.toml"),
    "the manifest requires what is not there": _text('["base"]', '["nowhere"]', "mod.toml"),
    "the tree has lost an animation": _text("sway", "swat", "animtrees/small.atr"),
    "the tree is gone": _gone("animtrees/small.atr"),
    "two files are broken at once": _both(
        _text("helper(n);", "helper(n;"), _text("return 1;", "return;;)", "lib.gsc")
    ),
}
"""More than the 20 that were asked for."""

GOOD = (
    ("return lib::one();", "return lib::one() + 1;"),
    ("level.heard = x;", "level.heard = x; level.more = 1;"),
    ("for (rounds = 0", "level.begun = n; for (rounds = 0"),
    ("if (n == 3) wait 0.05;", ""),
    ("wait 0.05 + n * 0.01;", "wait 0.1 + n * 0.01;"),
)
"""Edits of good saves; they alternate with the text without any."""


@dataclass
class Outcome:
    """`faults` says what went wrong, `reloads` how many saves were handed over, good and broken."""

    reloads: int = 0
    faults: list[str] = field(default_factory=list)


class Game:
    """The mod in a folder of its own, and a session that plays it."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.restore()
        self.session = GameSession(GameOptions("tiny", mods=(folder,), watch=False))
        self.run(4)
        self.outcome = Outcome()
        self._good = 0

    def restore(self) -> None:
        for name, text in FILES.items():
            path = self.folder / name
            if path.is_dir():
                shutil.rmtree(path)
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)

    def run(self, frames: int) -> None:
        for _ in range(frames):
            self.session.frame()
        self.session.drain_log()

    def held(self) -> int:
        """Bytes that Python objects take, without what is kept to go back to, which grows with the frames up to a size
        of its own."""
        self.session.states.rewind_buffer.clear()
        self.session.trail.clear()
        gc.collect()
        return tracemalloc.get_traced_memory()[0]

    def all_rounds(self) -> None:
        for name in SCENARIOS:
            self.round(name)

    def threads(self) -> list[tuple[int, str, int]]:
        """Number, function and number of calls of every thread."""
        return [(v.number, v.function, len(v.frames)) for v in self.session.vm.threads()]

    def save(self) -> ReloadReport:
        """All files are handed over at once, as after a checkout."""
        paths = [self.folder / name for name in FILES if not name.endswith(".map")]
        there = frozenset(path for path in paths if path.is_file())
        report = self.session.reloader.take(Changes(there, frozenset(paths) - there, 0.0))
        assert report is not None
        self.outcome.reloads += 1
        return report

    def round(self, name: str) -> None:
        """Break the files, let the game go on, and save something good."""
        faults = self.outcome.faults
        before = self.threads()
        SCENARIOS[name](self.folder)
        broken = self.save()
        if broken.ok or not broken.diagnostics:
            faults.append(f"{name}: taken in")
        if self.threads() != before:
            faults.append(f"{name}: the threads are others")
        self.run(1)
        self.restore()
        if self._good % 2 == 0:
            old, new = GOOD[self._good // 2 % len(GOOD)]
            (self.folder / "mine.gsc").write_text(SCRIPT.replace(old, new))
        self._good += 1
        count = len(self.threads())
        good = self.save()
        if not good.ok:
            faults.append(f"{name}: the repair is refused: {good.line()}")
        elif sum(good.threads.values()) != count or good.threads["ended"]:
            faults.append(f"{name}: {count} threads, but {good.threads}")
        self.session.vm.notify(self.session.vm.level, "go", self._good)
        self.run(1)
        if len(self.threads()) != count:
            faults.append(f"{name}: {count} threads were there, {len(self.threads())} are")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=50)
    rounds = parser.parse_args().rounds
    with tempfile.TemporaryDirectory() as folder:
        game = Game(Path(folder) / "mine")
        tracemalloc.start()
        for _ in range(WARM_UP):
            game.all_rounds()
        before = game.held()
        warm, grown = game.outcome.reloads, 0
        for number in range(1, rounds + 1):
            game.all_rounds()
            if number % max(rounds // 5, 1) == 0 or number == rounds:
                grown = game.held() - before
                print(f"{game.outcome.reloads - warm:6} saves: {grown / 1024:9.1f} KiB more", flush=True)
        tracemalloc.stop()
    for fault in game.outcome.faults:
        print(fault)
    print(
        f"{len(SCENARIOS)} scenarios, {rounds} times each: {len(game.outcome.faults)} faults; "
        f"{game.outcome.reloads - warm} saves, memory grew by {grown / 1e6:.2f} MB"
    )
    return 1 if game.outcome.faults else 0


if __name__ == "__main__":
    sys.exit(main())

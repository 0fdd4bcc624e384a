"""The game's own console commands. Whatever is typed, the answer is text."""

from __future__ import annotations

import shlex
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from engine.linescript.state import describe
from engine.mods import playing
from engine.mods.states import QUICK
from engine.source import DiagnosticError
from engine.source.nearest import did_you_mean
from engine.source.render import to_text

if TYPE_CHECKING:
    from engine.mods.history import Entry
    from engine.mods.session import GameSession

Handler = Callable[[list[str]], str]

BACK = 5
"""Seconds that `rewind` goes back without a number."""
ADDING, REMOVING = "adding", "removing"
"""How reports and the history call a change of mods: one of these, `mod`, and its name."""


class Commands:
    """Console commands over one session; an unknown word is a cvar: alone it is shown, with a value it is set."""

    def __init__(self, session: GameSession) -> None:
        self._session = session
        self._table: dict[str, tuple[Handler, str]] = {
            "map_restart": (self._map_restart, "start the level again; `map_restart persist` keeps `game`"),
            "reload": (
                self._reload,
                "read everything again; `reload undo`, `redo`, `pause` (collect saves) and `resume`",
            ),
            "reload_report": (self._reload_report, "what the last reload did to each thread"),
            "kill": (self._kill, "end the player's life"),
            "set": (self._set, "set NAME VALUE: set a console variable"),
            "cvars": (self._cvars, "list console variables; `cvars TEXT` only those with TEXT in the name"),
            "threads": (self._threads, "list script threads with what they wait for"),
            "thread": (self._thread, "thread NUMBER: a thread with its source and its variables"),
            "census": (
                lambda words: session.debugger.census_text(),
                "how many threads each function has begun, and where they wait",
            ),
            "waiters": (
                lambda words: session.debugger.waiters_text(),
                "who waits for which event, who raises it, and what nothing can wake",
            ),
            "anims": (
                self._anims,
                "who plays animations; `anims NUMBER` what one plays, and which line set it",
            ),
            "hold": (lambda words: session.debugger.hold(), "let the game stand still"),
            "go": (lambda words: session.debugger.go(), "let it go on"),
            "step": (self._step, "step FRAMES: let so many server frames pass, one without a number"),
            "step_thread": (self._step_thread, "step_thread NUMBER: run one thread to its next wait"),
            "save": (self._save, f"save NAME: save the game ({QUICK} without a name)"),
            "load": (self._load, f"load NAME: go on from a saved game ({QUICK} without a name)"),
            "saves": (self._saves, "list the saved games, the newest last"),
            "rewind": (
                self._rewind,
                f"rewind SECONDS: go back in time, {BACK} s without a number, and no further than states are kept",
            ),
            "again": (
                self._play_again,
                "again SECONDS: go back and play the same seconds again with the present code; "
                "without a number what comes after a `rewind`",
            ),
            "record": (self._record, "record FILE: write down all input from now on; `record stop` ends it"),
            "lives": (
                self._lives,
                "list line scripts with what they wait for; `lives NAME` those of one script",
            ),
            "mods": (
                self._mods,
                "list the mods in their search order; `mods add NAME` and `mods remove NAME`",
            ),
            "help": (self._help, "list what can be typed; `help NAME` tells of one"),
        }

    def _help(self, words: list[str]) -> str:
        """For whoever has no console of the client's: that one knows its own commands too."""
        if words:
            name = words[0].lower()
            if name in self._table:
                return f"{name}: {self._table[name][1]}"
            return self.execute(shlex.quote(name))
        width = max(map(len, self._table)) + 2
        rows = [f"{name:<{width}}{text}" for name, (_, text) in sorted(self._table.items())]
        return "\n".join([*rows, "any other name is a console variable; `cvars` lists them"])

    def help(self) -> Mapping[str, str]:
        return {name: text for name, (_, text) in self._table.items()}

    def execute(self, line: str) -> str:
        """Run one line. Errors are text too."""
        try:
            words = shlex.split(line)
        except ValueError:
            return "a quote is opened and not closed"
        if not words:
            return ""
        name = words[0].lower()
        found = self._table.get(name)
        if found is not None:
            return found[0](words[1:])
        cvars = self._session.vm.cvars
        if name in cvars:
            if len(words) == 1:
                return f'{name} is "{cvars[name]}"'
            return self._set(words)
        hint = did_you_mean(name, [*self._table, *cvars])
        return f"there is no command or variable '{words[0]}'" + (f"; {hint}" if hint else "")

    def _map_restart(self, words: list[str]) -> str:
        def restart() -> str:
            self._session.restart(keep_game=bool(words) and words[0] in ("1", "true", "persist"))
            return "the level starts again"

        return self._told(restart)

    def _reload(self, words: list[str]) -> str:
        reloader = self._session.reloader
        ways = {
            "undo": reloader.undo,
            "redo": reloader.redo,
            "pause": reloader.pause,
            "resume": reloader.resume,
        }
        if words:
            way = ways.get(words[0].lower())
            if way is None:
                return f"reload, or reload {', '.join(ways)}"
            before = reloader.history.current
            return way() + self._mods_apart(before, reloader.history.current, words[0].lower())
        report = reloader.everything()
        return report.line() if not report.refused else "\n".join(to_text(d) for d in report.diagnostics)

    def _mods_apart(self, before: Entry | None, after: Entry | None, way: str) -> str:
        """What is left to do where a step of the history was one that brought a mod or took it away: going back and
        forth changes the code, and not which mods are played."""
        step = before if way == "undo" else after
        if before is after or step is None or len(step.files) != 1:
            return ""
        verb, _, name = step.files[0].partition(" mod ")
        if verb not in (ADDING, REMOVING):
            return ""
        runs = (verb == ADDING) == (way == "redo")
        short = Path(name).name
        played = any(short.lower() in (mod.name, mod.folder.name.lower()) for mod in self._session.search)
        if runs == played:
            return ""
        if runs:
            return f"\nonly its code is back: {short} is played again after `mods add {name}`"
        return f"\nonly its code is gone: {short} is played, and saves say so, until `mods remove {short}`"

    def _reload_report(self, words: list[str]) -> str:
        report = self._session.reloader.last
        return f"{report.line()}\n{report.table()}" if report is not None else "nothing was reloaded yet"

    def _thread(self, words: list[str]) -> str:
        number = whole(words)
        return self._session.debugger.describe(number) if number is not None else "thread NUMBER"

    def _anims(self, words: list[str]) -> str:
        number = whole(words) if words else None
        if words and number is None:
            return "anims, or anims NUMBER"
        return playing.describe(self._session, number)

    def _step(self, words: list[str]) -> str:
        number = whole(words or ["1"])
        return self._session.debugger.step(number) if number is not None else "step FRAMES"

    def _step_thread(self, words: list[str]) -> str:
        number = whole(words)
        return self._session.debugger.step_thread(number) if number is not None else "step_thread NUMBER"

    def _kill(self, words: list[str]) -> str:
        number = self._session.player
        if number is None:
            return "there is no player"
        return self._session.kill_player() or "the player's life has ended"

    def _set(self, words: list[str]) -> str:
        if len(words) < 2:
            return "set NAME VALUE"
        # Scripts have a byte for a character: what is none would make a string that no saved game could have.
        name, value = words[0].lower(), " ".join(words[1:]).encode("latin-1", "replace").decode("latin-1")
        self._session.vm.cvars[name] = value
        return f'{name} is "{value}"'

    def _cvars(self, words: list[str]) -> str:
        part = words[0].lower() if words else ""
        lines = [
            f"{name:24} {value}" for name, value in sorted(self._session.vm.cvars.items()) if part in name
        ]
        return "\n".join(lines) or "none"

    def _threads(self, words: list[str]) -> str:
        lines = []
        for view in self._session.vm.threads():
            place = view.frames[-1].span if view.frames else None
            lines.append(f"{view.number:5} {view.function:48} {view.waits:32} {place or ''}")
        return "\n".join(lines) or "none"

    def _save(self, words: list[str]) -> str:
        if len(words) > 1:
            return "save NAME; a name is one word"
        return self._told(lambda: self._session.states.save(words[0] if words else QUICK))

    def _load(self, words: list[str]) -> str:
        if len(words) > 1:
            return "load NAME; `saves` lists the names"
        return self._told(lambda: self._session.states.load(words[0] if words else QUICK))

    def _saves(self, words: list[str]) -> str:
        if words:
            return "saves, without anything behind it"
        return "\n".join(self._session.states.saves()) or "none"

    def _rewind(self, words: list[str]) -> str:
        seconds = _seconds(words or [str(BACK)])
        if seconds is None or len(words) > 1:
            return f"rewind SECONDS, such as `rewind {BACK}`"
        return self._told(lambda: self._session.states.rewind(seconds))

    def _play_again(self, words: list[str]) -> str:
        seconds = _seconds(words) if words else None
        if (words and seconds is None) or len(words) > 1:
            return "again SECONDS, such as `again 5`"
        return self._told(lambda: self._session.states.again(seconds))

    def _record(self, words: list[str]) -> str:
        if len(words) != 1:
            return "record FILE, or `record stop`; quotes go around a name with spaces"
        if words[0].lower() == "stop":
            return self._session.states.stop_recording()
        return self._told(lambda: self._session.states.record(Path(words[0])))

    def _told(self, deed: Callable[[], str]) -> str:
        """What a deed says, or why it could not be done."""
        try:
            return deed()
        except DiagnosticError as error:
            return "\n".join(to_text(d) for d in error.diagnostics)

    def _lives(self, words: list[str]) -> str:
        lives = self._session.world.lives.lives
        named = [life for life in lives if not words or life.name == words[0].lower()]
        return "\n".join(describe(life.context) for life in named) or "none"

    def _mods(self, words: list[str]) -> str:
        if words:
            return self._change_mods(words)
        return "\n".join(f"{mod.name:16} {mod.shown}" for mod in self._session.search)

    def _change_mods(self, words: list[str]) -> str:
        if len(words) != 2 or words[0].lower() not in ("add", "remove"):
            return "mods, mods add NAME or mods remove NAME; NAME may be a folder"
        asked, name = list(self._session.contents.asked), words[1]
        if words[0].lower() == "add":
            asked.insert(0, Path(name))
            what = f"{ADDING} mod {name}"
        else:
            folders = {mod.folder for mod in self._session.search if mod.name == name.lower()}
            left = [path for path in asked if path.name.lower() != name.lower() and path not in folders]
            if len(left) == len(asked):
                return f"'{name}' was not asked for; what others require stays as long as they do"
            gone = next(path for path in asked if path not in left)
            asked, what = left, f"{REMOVING} mod {gone}"
        report = self._session.reloader.change_mods(asked, what)
        if report.refused:
            return "\n".join(to_text(d) for d in report.diagnostics)
        # Nothing says which entities are a mod's: it may have spawned them through functions of others.
        left_over = "\nwhat it has spawned stays until `map_restart`" if what.startswith(REMOVING) else ""
        return report.line() + left_over


def _seconds(words: list[str]) -> float | None:
    """How many seconds are asked for."""
    try:
        seconds = float(words[0])
    except ValueError:
        return None
    return seconds if 0.0 < seconds <= 1e6 else None


def whole(words: list[str]) -> int | None:
    """The number that is asked for."""
    return int(words[0]) if words and words[0].isdecimal() and len(words[0]) < 10 else None

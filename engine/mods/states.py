"""A session's state as data: saved games, the way back, hashes, recordings.

`GameSession` tells of everything that goes into the game (`command`, `line`) and of every frame; this keeps what is
asked for.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

from engine.mods.again import Again, AgainReport
from engine.mods.recording import Recorder, is_input
from engine.mods.rewind import Pace, RewindBuffer
from engine.mods.savefile import SavedGame, clock, describe, read_save, refused, saved_names, write_save
from engine.mods.trail import FRAMES_A_SECOND, SECONDS
from engine.vm.snapshot import RestoreReport
from engine.world.command import UserCommand
from engine.world.player import Player
from engine.world.view import FrameView

if TYPE_CHECKING:
    from pathlib import Path

    from engine.mods.session import GameSession

QUICK = "quick"
"""The name of the game that the keys save and load."""


class States:
    """One session's. `hashes`: every frame's hash is worked out and told as an event."""

    def __init__(self, session: GameSession, *, hashes: bool = False) -> None:
        self._session = session
        self.hashes = hashes
        self.last_hash = ""
        self.rewind_buffer = RewindBuffer()
        self.trail = session.trail
        self._again: Again | None = None
        self.again_report: AgainReport | None = None
        """How the last repetition went."""
        self._pace = Pace()
        self.recorder: Recorder | None = None
        self.recording_lost = False
        """Whether a recording could not be written to its end."""
        self._geometry = session.geometry
        self._build = session.build
        self._vm = session.vm
        self._whole = True
        """Whether everything in the game can be saved, as far as is known."""
        self.loaded = False
        """Whether a state was put in place since the last frame: no input comes between, so that the player looks where
        the state says."""

    # ---- what the session tells ------------------------------------------------------------------------

    def feed(self) -> None:
        """A server frame is about to be played."""
        if self._again is not None:
            self._again.feed()

    def frame(self, number: int, view: FrameView) -> None:
        """A server frame has ended."""
        session = self._session
        self.loaded = False
        if session.broken:
            return
        if self._again is not None:
            self._see_again(self._again, view)
        else:
            self.trail.keep(view, session.vm.reporter.total)
        if session.vm is not self._vm:
            # The game has begun again, and nobody goes back into the one before.
            self._vm = session.vm
            self.rewind_buffer.clear()
            self._pace = Pace(number - 1)
        if session.geometry is not self._geometry:
            # States of another version of the level fit no more.
            self._geometry = session.geometry
            self.rewind_buffer.clear()
            self.trail.clear()
            self.end_again()
        if session.build is not self._build:
            self._build = session.build
            self._end_recording(number)
        self._try(self._keep, number)

    def _end_recording(self, number: int) -> None:
        """The scripts are others now. Nobody could play what comes after that again, since a recording holds no
        scripts: going on would only look as if it were recorded."""
        recorder = self.recorder
        if recorder is None:
            return
        recorder.reloaded(self._session.fingerprint())
        self.close()
        self._session.journal.say(
            "warning",
            f"the recording {recorder.path} has ended before frame {number}, since the scripts are others now; "
            "`record FILE` begins another one",
        )

    def stand(self, number: int) -> None:
        """No time passes after a server frame: there is time for a state that it had no room for."""
        if self._pace.put_off and not self._session.broken:
            self._try(self._take_moment, number)

    def _try(self, keep: Callable[[int], None], number: int) -> None:
        if not self._whole:
            return
        try:
            keep(number)
        except TypeError as error:
            # A mod may hold what no state can: it is told once, and the game goes on without a way back.
            self._whole = False
            self.close()
            self._session.journal.say("warning", f"this game cannot be saved or recorded: {error}")

    def _keep(self, number: int) -> None:
        session = self._session
        if self.hashes or self.recorder is not None:
            self.last_hash = session.vm.state_hash()
            session.journal.event("state", session.time, frame=number, hash=self.last_hash)
        if self.recorder is not None:
            self.recorder.frame(number, self.last_hash)
            if self.recorder.lost:
                self.close()
        if self._pace.allows(number, session.vm, len(session.world.entities)):
            self._take_moment(number)

    def _take_moment(self, number: int) -> None:
        session = self._session
        state = session.vm.snapshot()
        self._pace.taken(number, len(state))
        self.rewind_buffer.keep(session.time, session.player, state, session.build)

    def command(self, command: UserCommand) -> None:
        """Input of the player is about to be run."""
        if self._again is None:
            self.trail.take(command)
        if self.recorder is not None:
            self.recorder.command(command)

    def line(self, line: str) -> None:
        """A console line is about to be run."""
        if self._again is None and is_input(line):
            self.trail.take(line)
        if self.recorder is not None:
            self.recorder.line(line)

    def close(self) -> None:
        if self.recorder is not None:
            self.recorder.close()
            self.recording_lost = self.recording_lost or self.recorder.lost
            self.recorder = None

    # ---- what people ask for -------------------------------------------------------------------------------

    def save(self, name: str) -> str:
        """Save the game; what to say. Raises DiagnosticError."""
        path = write_save(name, self.take())
        return f"saved as {path.stem} at {clock(self._session.time)}"

    def load(self, name: str) -> str:
        """Go on from a saved game; what to say. Raises DiagnosticError, and the game goes on as it was."""
        game = read_save(name)
        report = self.adopt(game)
        restarted = len(report.restarted)
        changes = f"; the scripts have changed, {restarted} threads begin again" if restarted else ""
        return f"{name} goes on at {clock(self._session.time)}{changes}"

    def rewind(self, seconds: float) -> str:
        """Go back in time; what to say. Threads that waited in older code go on in the present one."""
        session = self._session
        now, build = session.time, session.build
        moment = self.rewind_buffer.find(now - round(seconds * 1000))
        if moment is None:
            if self._pace.put_off:
                return (
                    "there is nothing to go back to: so large a game is kept only while it is paused or held"
                )
            return "there is nothing to go back to yet"
        self.end_again()
        changes = ""
        if moment.build is not None and moment.build is not build:
            # The state fits the program that it was made of; from there its threads move as at a save.
            session.link(moment.build)
        self.put(moment.state, moment.player)
        if build is not None and session.build is not build:
            counts = session.link(build).counts()
            changes = "; " + ", ".join(f"{count} {fate}" for fate, count in counts.items() if count)
            if self.recorder is not None:
                # A replay knows the present scripts only: it cannot move the threads as they were moved here.
                self.recorder.state(session.vm.snapshot(), moment.player)
        self.rewind_buffer.cut(moment.time + 1)
        return f"{(now - moment.time) / 1000:g} seconds back, at {clock(session.time)}{changes}"

    def again(self, seconds: float | None = None) -> str:
        """Play what comes after the present moment again as it was played before, with what went into it, and stand
        still then; what to say. With `seconds` go back that far first."""
        said = self.rewind(seconds) + "; " if seconds is not None else ""
        session = self._session
        steps = self.trail.after(session.time)
        if not steps:
            return "there is nothing to play again; `rewind SECONDS` goes back, or `again SECONDS`"
        if steps[0].time > session.time + 1000 // FRAMES_A_SECOND:
            return f"{said}what came after that is not known any more: the last {SECONDS} seconds are"
        self._again = Again(session, steps, lambda text: session.journal.say("warning", text))
        session.debugger.step(len(steps))
        return f"{said}{len(steps) / FRAMES_A_SECOND:g} seconds are played again"

    @property
    def repeating(self) -> bool:
        """Whether seconds are being played again, so that nothing else may come in."""
        return self._again is not None

    def end_again(self) -> None:
        """From now on the game goes on by itself."""
        self._again = None

    def _see_again(self, again: Again, view: FrameView) -> None:
        again.see(self.trail, view)
        report = again.report
        if report is not None:
            self._again, self.again_report = None, report
            journal = self._session.journal
            journal.say("reload" if report.difference is None else "warning", report.line())
            journal.event("again", view.time, begin=report.begin, at=report.at, difference=report.difference)

    def record(self, path: Path) -> str:
        """Write down everything that goes into the game from now on; what to say. Raises DiagnosticError, and a
        recording that is being made goes on."""
        if self.recorder is not None and _same_file(path, self.recorder.path):
            self.close()
        recorder = Recorder(path, self._session)
        self.close()
        self.recorder, self._build = recorder, self._session.build
        return f"everything from now on is recorded to {path}"

    def stop_recording(self) -> str:
        """End the recording; what to say."""
        recorder = self.recorder
        if recorder is None:
            return "nothing is being recorded"
        self.close()
        return f"the recording {recorder.path} " + ("is incomplete" if recorder.lost else "has ended")

    def saves(self) -> list[str]:
        """A line about each saved game, the newest last."""
        return [describe(name) for name in saved_names()]

    # ---- states ----------------------------------------------------------------------------------------

    def take(self) -> SavedGame:
        """The game as it is. Raises DiagnosticError while there is no program."""
        session = self._session
        if session.broken:
            raise refused("there is no game to save: the scripts have errors")
        try:
            state = session.vm.snapshot()
        except TypeError as error:
            raise refused(f"this game cannot be saved: {error}") from None
        return SavedGame(
            session.level_name,
            level_text(session),
            tuple(mod.name for mod in session.search),
            session.fingerprint(),
            session.time,
            session.player,
            state,
        )

    def adopt(self, game: SavedGame) -> RestoreReport:
        """Go on from it. Raises DiagnosticError where it was made with other mods, or on another level."""
        session = self._session
        if session.broken:
            raise refused("nothing can be loaded while the scripts have errors")
        if game.level != session.level_name:
            raise refused(
                f"this game was saved in level '{game.level}'", f"start it with `notetrack play {game.level}`"
            )
        mods = tuple(mod.name for mod in session.search)
        if game.mods != mods:
            raise refused(
                f"this game was saved with the mods {', '.join(game.mods)}, and {', '.join(mods)} are played",
                *_ways(game, mods),
            )
        if game.level_text != level_text(session):
            raise refused("the level's file is not what it was when this game was saved")
        report = self.put(game.state, game.player)
        # The states of the game that was played until now are no way back in this one.
        self.rewind_buffer.clear()
        return report

    def put(self, state: bytes, player: int | None) -> RestoreReport:
        """Put a state in place. Raises DiagnosticError."""
        session = self._session
        report = session.vm.restore(state, changed=True)
        self._pace.forget()
        entity = session.world.entities.get(player) if player is not None else None
        session.take_up(entity if isinstance(entity, Player) else None)
        self.loaded = True
        if self.recorder is not None:
            self.recorder.state(state, player)
        return report


def _same_file(a: Path, b: Path) -> bool:
    try:
        return a.samefile(b)
    except (OSError, ValueError):
        return False


def level_text(session: GameSession) -> str:
    """A short hash of the text of the level's file."""
    return hashlib.blake2b(session.level_text.encode("latin-1"), digest_size=8).hexdigest()


def _ways(game: SavedGame, played: tuple[str, ...]) -> Iterator[str]:
    """How to come to the mods of a saved game."""
    # Of what the last mods require nothing has to be said, but it does no harm.
    named = "".join(f" --mod {name}" for name in game.mods[:-1] or game.mods)
    yield f"start it with `notetrack play {game.level}{named}`; a mod of another folder by its folder"
    if set(game.mods) != set(played):
        steps = [f"`mods remove {name}`" for name in played if name not in game.mods]
        steps += [f"`mods add {name}`" for name in reversed(game.mods) if name not in played]
        yield f"or type {', '.join(steps)}"

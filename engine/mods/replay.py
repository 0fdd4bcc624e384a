"""Plays a recording again, and says where the game goes another way."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from engine.mods.journal import Journal
from engine.mods.recording import Frame, Head, Line, Recording, Reload, State, is_input
from engine.mods.session import GameOptions, GameSession
from engine.source import Diagnostic, DiagnosticError
from engine.world.command import UserCommand


@dataclass(frozen=True, slots=True)
class Difference:
    """The first frame whose state is not that of the recording. `time` is the game's, in ms."""

    frame: int
    time: int
    recorded: str
    found: str


@dataclass(frozen=True, slots=True)
class ReplayReport:
    """How many frames were compared, the first that differs, and how many were left after the scripts were others."""

    frames: int
    difference: Difference | None
    reloaded: bool


def open_session(head: Head, mods: tuple[Path, ...], journal: Journal | None = None) -> GameSession:
    """The game that a recording was made of. `mods` takes the place of the recorded names, which may only name mods
    that come with the engine. Raises DiagnosticError."""
    for name in head.mods if not mods else ():
        if "/" in name or "\\" in name or name.startswith("."):
            fault = Diagnostic("bad-recording", f"'{name[:40]}' is no name of a mod")
            raise DiagnosticError([fault.with_note("say with --mod which mods to play")])
    wanted = mods or tuple(Path(name) for name in head.mods)
    options = GameOptions(head.level, wanted, developer=head.developer, watch=False, seed=head.seed)
    session = GameSession(options, journal)
    if session.broken:
        session.close()
        raise DiagnosticError([Diagnostic("bad-recording", "the scripts of this game have errors")])
    return session


def replay(
    recording: Recording, session: GameSession, on_frame: Callable[[Frame], None] = lambda frame: None
) -> ReplayReport:
    """Run all entries in a fresh session. Stops at the first frame that differs. Raises DiagnosticError for a line
    that cannot be read, or a state that cannot be taken up."""
    head = recording.head
    if head.state is not None:
        session.states.put(head.state, head.player)
        session.states.loaded = False
        session.frames = head.frame
    compared = 0
    for entry in recording.entries():
        if isinstance(entry, UserCommand):
            session.command(entry)
        elif isinstance(entry, Line):
            if is_input(entry.text):
                session.execute(entry.text)
        elif isinstance(entry, State):
            session.states.put(entry.state, entry.player)
            # What comes before the next frame was run in the game: `again` feeds input in where a client must not.
            session.states.loaded = False
        elif isinstance(entry, Reload):
            return ReplayReport(compared, None, True)
        else:
            session.frame()
            compared += 1
            on_frame(entry)
            found = session.vm.state_hash()
            if found != entry.hash:
                return ReplayReport(
                    compared, Difference(entry.number, session.time, entry.hash, found), False
                )
    return ReplayReport(compared, None, False)

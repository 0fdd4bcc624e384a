"""What the client needs of a running game. The client knows only this, `FrameView` and `UserCommand`; tests
give it a small fake."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Protocol

from engine.client.session_assets import Library
from engine.mods.journal import Inspection, LogLine
from engine.mods.playing import Played
from engine.source import Span
from engine.vm.inspect import ThreadView
from engine.world.command import UserCommand
from engine.world.view import FrameView, LevelGeometry, PlayerState, Vector


class Scripts(Protocol):
    """A look into the running scripts, for the page that shows them."""

    @property
    def held(self) -> bool:
        """Whether the game stands still."""

    def threads(self) -> list[ThreadView]:
        """Every thread that waits, in order of its first wait."""

    def view(self, number: int) -> ThreadView | None:
        """One of them."""

    def source(self, span: Span, around: int) -> list[tuple[int, str]]:
        """Numbered lines of the text that runs, so many on either side of a position."""

    def waiters(self) -> list[dict[str, Any]]:
        """Who waits for which event, as over the inspection socket."""

    def last_reload(self) -> tuple[str, list[dict[str, Any]], list[str]]:
        """The last reload in a line, what became of each call whose function changed, and what was wrong."""


class Animations(Protocol):
    """Who plays what, and why, for the panel that shows it."""

    def players(self) -> list[int]:
        """Numbers of the entities that have an animation tree."""

    def played(self, number: int) -> Played | None:
        """What one of them plays; None for any other."""


class Session(Protocol):
    """A game in progress. All calls come from one thread."""

    @property
    def title(self) -> str:
        """For the window: the mod's and the level's names."""

    @property
    def geometry(self) -> LevelGeometry:
        """The level. A new object means that another level was loaded."""

    @property
    def library(self) -> Library:
        """Models and sounds by name."""

    @property
    def player(self) -> int | None:
        """Number of the local player, a key of `FrameView.players`; None while there is none."""

    def frame(self) -> FrameView:
        """Lets 50 ms of game time pass and shows the world after it."""

    def stand(self) -> FrameView:
        """Lets no time pass, but takes in what was saved; called twenty times a second while the player pauses."""

    def idle(self) -> None:
        """Does ahead what the next frame would have to do; called while there is time, any number of times."""

    def command(self, command: UserCommand) -> PlayerState | None:
        """Runs the local player's input at once; the state after it, None while there is no player."""

    def trace(self, start: Vector, end: Vector) -> float:
        """The part (0..1) of a straight way that no wall blocks, for the camera behind the player."""

    def execute(self, line: str) -> str:
        """Runs a console line that the client itself does not know; what to print, "" for nothing.

        An unknown command or a wrong argument is text too, never an exception.
        """

    def commands(self) -> Mapping[str, str]:
        """The session's console commands and, for each, what it does in a line."""

    def variables(self) -> Mapping[str, str]:
        """Console variables and their values."""

    def drain_log(self) -> Sequence[LogLine]:
        """What happened since the last call."""

    def tell_frame(self, timings: Mapping[str, float]) -> None:
        """Takes note, once a second of game time, of how long pictures and server frames took (`Timings.summary`)."""

    def inspect(self) -> Inspection:
        """Counts for the overlay."""

    @property
    def debugger(self) -> Scripts:
        """What the scripts are doing."""

    @property
    def playing(self) -> Animations:
        """What entities play."""

    def close(self) -> None:
        """Ends the game: watchers stopped, files written."""

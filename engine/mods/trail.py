"""The last seconds of a game: what went into each frame, and what was to be seen and read of it.

With a state of before and this, the same seconds can be played again, with other code, and the first thing that goes
another way can be named.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from engine.pipeline.files import content_hash
from engine.world.command import UserCommand
from engine.world.view import EntityState, FrameView, HudElement, PlayerState

SECONDS = 30
FRAMES_A_SECOND = 20

SAID = 1 << 14
"""Characters of what is said in a frame that are kept word for word; 30 seconds of more would be hundreds of MiB."""

Input = UserCommand | str
"""A command of the player, or a console line."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a frame showed, what was printed in it and how many errors were raised. States that are as in the frame
    before are the same objects."""

    entities: Mapping[int, EntityState]
    players: Mapping[int, PlayerState]
    hud: Sequence[HudElement]
    said: tuple[str, ...]
    errors: int = 0


@dataclass(frozen=True, slots=True)
class Step:
    """One server frame: the game time at its end in ms, what came in before it, what came of it."""

    time: int
    inputs: tuple[Input, ...]
    outcome: Outcome


class Trail:
    """Steps in order of time. What is said and what comes in is gathered until the frame ends."""

    def __init__(self, seconds: int = SECONDS) -> None:
        self._steps: deque[Step] = deque(maxlen=seconds * FRAMES_A_SECOND)
        self._inputs: list[Input] = []
        self._said: list[str] = []
        self._last: Outcome | None = None
        self._errors = 0
        """How many errors had been raised when the last frame ended."""

    def take(self, given: Input) -> None:
        self._inputs.append(given)

    def say(self, text: str) -> None:
        self._said.append(text)

    def outcome(self, view: FrameView, errors: int) -> Outcome:
        """What this frame shows and what was said in it, which is used up. `errors` were raised since the start."""
        before = self._last.entities if self._last is not None else {}
        said, self._said = bounded((*self._said, *(message.text for message in view.messages))), []
        entities = {number: _bare(state, before.get(number)) for number, state in view.entities.items()}
        new, self._errors = errors - self._errors, errors
        self._last = Outcome(entities, view.players, view.hud, said, max(new, 0))
        return self._last

    def keep(self, view: FrameView, errors: int) -> None:
        """A frame was played. Those of its time and later, from before a step back, are dropped."""
        while self._steps and self._steps[-1].time >= view.time:
            self._steps.pop()
        inputs, self._inputs = tuple(self._inputs), []
        self._steps.append(Step(view.time, inputs, self.outcome(view, errors)))

    def after(self, time: int) -> list[Step]:
        """The steps that come after a moment."""
        return [step for step in self._steps if step.time > time]

    def clear(self) -> None:
        self._steps.clear()
        self._inputs.clear()
        self._said.clear()
        self._last = None


def _bare(state: EntityState, known: EntityState | None) -> EntityState:
    """A state without what says nothing to anybody, such as the row of its pose; the known one where it is that."""
    if (
        known is not None
        and known.origin is state.origin
        and known.angles is state.angles
        and known.serial == state.serial
        and known.model == state.model
        and known.visible == state.visible
        and known.attachments == state.attachments
        and known.skin == state.skin
    ):
        return known
    # To copy a state takes longer than all else here, and what is only moved has nothing to leave out.
    bare = replace(state, pose=None, teleport=False) if state.pose is not None or state.teleport else state
    return known if known == bare else bare


def difference(old: Outcome, new: Outcome) -> str | None:
    """The first thing that the two do not have in common, in words."""
    if old.said != new.said:
        return _said(old.said, new.said)
    if old.errors != new.errors:
        return f"{new.errors} errors are raised and not {old.errors}"
    return (
        next(_states(old.players, new.players, "player"), None)
        or next(_states(old.entities, new.entities, "entity"), None)
        or _hud(old.hud, new.hud)
    )


def _said(old: tuple[str, ...], new: tuple[str, ...]) -> str:
    for was, now in zip((*old, None), (*new, None), strict=False):
        if was != now:
            break
    if now is None:
        return f"{_quoted(was)} is not said any more"
    return f"{_quoted(now)} is said" + (f" and not {_quoted(was)}" if was is not None else "")


def _quoted(text: str | None) -> str:
    line = (text or "").split("\n", 1)[0]
    return f'"{line[:70]}{"..." if len(line) > 70 else ""}"'


def _states(
    old: Mapping[int, EntityState] | Mapping[int, PlayerState],
    new: Mapping[int, EntityState] | Mapping[int, PlayerState],
    kind: str,
) -> Iterator[str]:
    for number in sorted({*old, *new}):
        was, now = old.get(number), new.get(number)
        if was == now:
            continue
        some = was if was is not None else now
        name = getattr(some, "model", "") or getattr(some, "name", "")
        who = f"{kind} {number}" + (f" ({name})" if name else "")
        if was is None:
            yield f"{who} is there"
        elif now is None:
            yield f"{who} is not there"
        else:
            yield f"{who}: {_field(was, now)}"


def _hud(old: Sequence[HudElement], new: Sequence[HudElement]) -> str | None:
    was = {element.number: element for element in old}
    now = {element.number: element for element in new}
    for number in sorted({*was, *now}):
        if was.get(number) == now.get(number):
            continue
        if number not in was:
            return f"HUD element {number} is there ({_quoted(now[number].text)})"
        if number not in now:
            return f"HUD element {number} is not there ({_quoted(was[number].text)})"
        return f"HUD element {number}: {_field(was[number], now[number])}"
    return None


def _field(was: object, now: object) -> str:
    for name in type(was).__slots__:  # type: ignore[attr-defined]  # a dataclass with slots
        a, b = getattr(was, name), getattr(now, name)
        if a != b:
            return f"{name} is {_shown(b)}, not {_shown(a)}"
    return "another one"


def _shown(value: object) -> str:
    if isinstance(value, float):
        return f"{value:.4g}"
    if isinstance(value, tuple):
        return f"({', '.join(_shown(part) for part in value)})"
    return repr(value) if isinstance(value, str) else str(value)


def bounded(said: tuple[str, ...]) -> tuple[str, ...]:
    """What was said, the end of very much of it as a digest, by which it can still be compared."""
    left = SAID
    for count, text in enumerate(said):
        left -= len(text)
        if left < 0:
            rest = "\0".join(said[count:]).encode("utf-8", "surrogatepass")
            return (*said[:count], f"{len(said) - count} more lines, {content_hash(rest)}")
    return said

"""The console: the log, a line to type in, history, completion, and the client's own commands."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

import pygame

from engine.client.canvas import AMBER, DIM, GREEN, NIGHT, PAPER, RED, Canvas, Colour
from engine.client.line_edit import LineEdit
from engine.mods.journal import LogLine
from engine.source.nearest import did_you_mean
from engine.source.render import printable, to_text

LINES = 2000
"""Lines that the log keeps."""

Tone = Literal["plain", "quiet", "good", "warning", "bad", "typed"]
_TONES: dict[Tone, Colour] = {
    "plain": PAPER,
    "quiet": DIM,
    "good": GREEN,
    "warning": AMBER,
    "bad": RED,
    "typed": (0.75, 0.82, 0.9),
}
_OF_KIND: dict[str, Tone] = {
    "print": "plain", "info": "quiet", "warning": "warning", "error": "bad", "reload": "good",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Command:
    """A console command of the client: what it does, and how (arguments to what to print)."""

    help: str
    run: Callable[[list[str]], str]


class Console(LineEdit):
    """Text only; `draw` shows it and `key` takes what is typed. `execute` runs what the client does not know."""

    def __init__(
        self,
        execute: Callable[[str], str],
        commands: Callable[[], Mapping[str, str]],
        variables: Callable[[], Mapping[str, str]],
    ) -> None:
        super().__init__()
        self._execute, self._commands, self._variables = execute, commands, variables
        self.open = False
        self.scroll = 0
        self.log: deque[tuple[str, Tone]] = deque(maxlen=LINES)
        self._blink = 0.0
        self._fits = 20
        self._answer = ""
        self.own: dict[str, Command] = {
            "help": Command("what can be typed here; help NAME tells of one", self._help),
            "clear": Command("empties the log", self._clear),
        }

    # What happened ---------------------------------------------------------------------------------------

    def add(self, line: LogLine) -> None:
        """A log line; a fault is shown whole, with its source line."""
        text = to_text(line.diagnostic) if line.diagnostic is not None else line.text
        tone = _OF_KIND[line.kind]
        if self._answer and text == self._answer and (text, "plain") in self.log:
            # The answer to what was typed goes into the log of the game as well; it is not said twice.
            self.log[len(self.log) - 1 - [*reversed(self.log)].index((text, "plain"))] = text, tone
            self._answer = ""
            return
        self.write(text, tone)

    def write(self, text: str, tone: Tone = "plain") -> None:
        for part in text.rstrip("\n").split("\n"):
            self.log.append((printable(part.replace("\t", "    ")), tone))
            if self.scroll:
                self.scroll = min(self.scroll + 1, len(self.log))

    # What is typed ---------------------------------------------------------------------------------------

    def submit(self, line: str) -> None:
        """Runs a line as if it had been typed. Parts separated by ; run one after another."""
        self.write(f"] {line}", "typed")
        super().submit(line)
        self.scroll = 0
        for part in line.split(";"):
            words = part.split()
            if words:
                answer = self._run(words, part.strip())
                if answer:
                    self.write(answer)
                    self._answer = answer
                    # What is longer than the console is read from its beginning.
                    self.scroll = max(0, answer.count("\n") + 2 - self._fits)

    def _run(self, words: list[str], line: str) -> str:
        own = self.own.get(words[0].lower())
        if own is not None:
            return own.run(words[1:])
        answer = self._execute(line)
        if answer and words[0].lower() not in self.names():
            # The session knows what it has; what the client has besides may have been meant too.
            hint = did_you_mean(words[0].lower(), self.own)
            return f"{answer}; {hint}" if hint and "did you mean" not in answer else answer
        return answer

    def names(self) -> list[str]:
        """Everything that can stand first in a line."""
        return sorted({*self.own, *self._commands(), *self._variables()})

    def choices(self, before: str, word: str) -> Sequence[str]:
        return [name for name in self.names() if name.lower().startswith(word.lower())]

    def offer(self, choices: Sequence[str]) -> None:
        self.write("  ".join(choices[:40]), "quiet")

    def insert(self, text: str) -> None:
        super().insert(text)
        self._blink = 0.0

    def key(self, code: int, *, control: bool = False) -> None:
        """A key that is no letter: editing, history, scrolling."""
        self._blink = 0.0
        if code in (pygame.K_PAGEUP, pygame.K_PAGEDOWN):
            self.scroll_by(8 if code == pygame.K_PAGEUP else -8)
        else:
            super().key(code, control=control)

    def scroll_by(self, lines: int) -> None:
        self.scroll = max(0, min(self.scroll + lines, max(len(self.log) - 1, 0)))

    # Commands --------------------------------------------------------------------------------------------

    def _help(self, words: list[str]) -> str:
        known = {**self._commands(), **{name: command.help for name, command in self.own.items()}}
        if words:
            name = words[0].lower()
            if name in known:
                return f"{name}: {known[name]}"
            value = self._variables().get(name)
            if value is not None:
                return f'{name} is a variable, "{value}" now; type {name} VALUE to set it'
            return f"there is no {words[0]}; {did_you_mean(name, self.names()) or 'help lists what there is'}"
        width = max(map(len, known)) + 2
        rows = [f"{name:<{width}}{text}" for name, text in sorted(known.items())]
        return "\n".join(
            [*rows, "A variable's name shows its value; a value after it sets it. Tab finishes names."]
        )

    def _clear(self, _: list[str]) -> str:
        self.log.clear()
        self.scroll = 0
        return ""

    # Picture ---------------------------------------------------------------------------------------------

    def step(self, seconds: float) -> None:
        self._blink = (self._blink + seconds) % 1.0

    def draw(self, canvas: Canvas) -> None:
        if not self.open:
            return
        unit, line = canvas.unit, canvas.letters.line_height("mono")
        height = canvas.height * 0.56
        canvas.box(0, 0, canvas.width, height, NIGHT, 0.88)
        canvas.box(0, height - 2 * unit, canvas.width, 2 * unit, DIM, 0.6)
        left = 14 * unit
        y = height - line - 10 * unit
        canvas.text(left, y, "]", "mono", _TONES["typed"])
        start = left + 2 * canvas.letters.width(" ", "mono")
        canvas.text(start, y, self.text, "mono", PAPER)
        if self._blink < 0.55:
            at = start + canvas.letters.width(self.text[: self.cursor], "mono")
            canvas.box(at, y, max(1.5 * unit, 1), line, PAPER, 0.9)
        y -= 8 * unit
        self._fits = max(1, int(y / line))
        if self.scroll:
            more = f"{self.scroll} more below: Page Down or the wheel"
            canvas.text(canvas.width - left, height - line - 10 * unit, more, "mono", AMBER, align="right")
        columns = max(8, int((canvas.width - 2 * left) / max(canvas.letters.width("0", "mono"), 1)))
        for text, tone in _newest(self.log, self.scroll):
            for part in reversed([text[i : i + columns] for i in range(0, max(len(text), 1), columns)]):
                y -= line
                if y < 2 * unit:
                    return
                canvas.text(left, y, part, "mono", _TONES[tone])


def _newest(log: deque[tuple[str, Tone]], skip: int) -> Iterable[tuple[str, Tone]]:
    return (log[i] for i in range(len(log) - 1 - skip, -1, -1))

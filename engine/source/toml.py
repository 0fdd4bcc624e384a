"""TOML files as people write them: what is wrong in one is a diagnostic with its line, as in a script.

The standard parser throws positions away, so a small scan over the lines finds each key again. It follows table
headers and keys at line starts exactly; keys inside inline tables are found by name after the key that holds them,
which is where a reader would look too.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from engine.source.diagnostic import Diagnostic, DiagnosticError
from engine.source.text import SourceText, Span

Key = str | int

_HEADER = re.compile(r"^\s*\[\[?\s*(?P<name>[^\]]+?)\s*\]\]?")
_ENTRY = re.compile(r"^\s*(?P<name>(?:[A-Za-z0-9_-]+|\"[^\"]*\"|'[^']*')(?:\s*\.\s*[A-Za-z0-9_\"'-]+)*)\s*=")
_AT = re.compile(r"\s*\(at line (\d+), column (\d+)\)$")


def parse_toml(source: SourceText) -> dict[str, Any]:
    """The file as a dictionary. Raises DiagnosticError (`bad-toml`) at the place of a syntax error."""
    text = source.text.encode("latin-1")
    try:
        return tomllib.loads(text.decode("utf-8"))
    except RecursionError:
        message = "lists and tables are nested too deeply"
        raise DiagnosticError([Diagnostic("bad-toml", message, source.span(0))]) from None
    except UnicodeDecodeError as error:
        span = source.span(error.start, error.end)
        raise DiagnosticError(
            [Diagnostic("bad-toml", "this byte is not UTF-8; save the file as UTF-8", span)]
        ) from None
    except tomllib.TOMLDecodeError as error:
        message = str(error)
        found = _AT.search(message)
        span = source.span(len(source.text.rstrip()))
        if found:
            start = source.line_starts[int(found[1]) - 1] + int(found[2]) - 1
            span = source.span(start, start + 1)
            message = message[: found.start()]
        else:
            message = message.removesuffix(" (at end of document)")
        raise DiagnosticError([Diagnostic("bad-toml", message[0].lower() + message[1:], span)]) from None
    except ValueError as error:  # what Python itself refuses, such as a number of 5,000 digits
        long = max(re.finditer(r"\d+", source.text), key=lambda found: len(found[0]), default=None)
        span = source.span(long.start(), long.end()) if long else source.span(0)
        raise DiagnosticError([Diagnostic("bad-toml", str(error).split(";")[0].lower(), span)]) from None


def _parts(dotted: str) -> tuple[str, ...]:
    quoted = re.findall(r"\"([^\"]*)\"|'([^']*)'|([A-Za-z0-9_-]+)", dotted)
    return tuple(a or b or c for a, b, c in quoted)


class TomlFile:
    """A parsed file: `data`, and `span(path)` for the place of a key such as `("clips", "walk", "loop")`."""

    def __init__(self, source: SourceText) -> None:
        self.source = source
        self.data: dict[str, Any] = parse_toml(source)
        self._places = _scan(source)

    @classmethod
    def read(cls, path: Path, shown: str | None = None) -> TomlFile:
        """Raises OSError as the system gives it, DiagnosticError for bad text."""
        return cls(SourceText.read(path, shown))

    def span(self, path: Sequence[Key]) -> Span:
        """The place of the key at the end of `path`; of the nearest key above it where it has none."""
        names = [part for part in path if isinstance(part, str)]
        for length in range(len(names), 0, -1):
            place = self._places.get(tuple(names[:length]))
            if place is None:
                continue
            inside = self._inside(place, path, length) if length < len(names) else None
            return inside or place
        return self.source.span(0, 0)

    def text_span(self, key: str, text: str) -> Span:
        """The place of a quoted text in the value of a key at the top; of the key where it is spelt in another way."""
        place = self.span((key,))
        end = min((s.start for s in self._places.values() if s.start > place.start), default=None)
        value = self.source.text[place.end : end]
        for quote in "\"'":
            at = value.lower().find(quote + text.lower() + quote)
            if at >= 0:
                return self.source.span(place.end + at, place.end + at + len(text) + 2)
        return place

    def _inside(self, place: Span, path: Sequence[Key], known: int) -> Span | None:
        """The place of the last name of `path` inside the value of `place`: the n-th use of that name."""
        name = path[-1]
        if not isinstance(name, str):
            return None
        numbers = [part for part in path if isinstance(part, int)]
        later = [span.start for span in self._places.values() if span.start > place.start]
        end = min(later, default=len(self.source.text))
        element = numbers[-1] if numbers else 0
        openings = [m.start() for m in re.finditer(r"\{", self.source.text[place.end : end])]
        start = place.end + (openings[element] if element < len(openings) else 0)
        found = re.compile(rf"(?<![\w-])\"?{re.escape(name)}\"?\s*=").search(self.source.text, start, end)
        return self.source.span(found.start(), found.start() + len(name)) if found else None


def _scan(source: SourceText) -> dict[tuple[str, ...], Span]:
    """First place of every table header and of every key that begins a line."""
    places: dict[tuple[str, ...], Span] = {}
    table: tuple[str, ...] = ()
    depth = 0
    for start in source.line_starts:
        line = source.line(source.line_col(start)[0])
        header = _HEADER.match(line) if depth == 0 else None
        entry = _ENTRY.match(line) if depth == 0 else None
        if header:
            table = _parts(header["name"])
            for length in range(1, len(table) + 1):
                places.setdefault(
                    table[:length], source.span(start + header.start("name"), start + header.end("name"))
                )
        elif entry:
            path = table + _parts(entry["name"])
            for length in range(len(table) + 1, len(path) + 1):
                places.setdefault(
                    path[:length], source.span(start + entry.start("name"), start + entry.end("name"))
                )
        bare = re.sub(r"\"(?:[^\"\\]|\\.)*\"|'[^']*'|#.*", "", line)
        if not header:
            depth = max(0, depth + sum(bare.count(c) for c in "[{") - sum(bare.count(c) for c in "]}"))
    return places

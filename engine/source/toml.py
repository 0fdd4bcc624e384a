"""TOML files as people write them: what is wrong in one is a diagnostic with its line, as in a script."""

from __future__ import annotations

import re
import tomllib
from typing import Any

from engine.source.diagnostic import Diagnostic, DiagnosticError
from engine.source.text import SourceText, Span

_AT = re.compile(r"\s*\(at line (\d+), column (\d+)\)$")


def parse_toml(source: SourceText) -> dict[str, Any]:
    """The file as a dictionary. Raises DiagnosticError (`bad-toml`) at the place of a syntax error."""
    text = source.text.encode("latin-1")
    try:
        return tomllib.loads(text.decode("utf-8"))
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


def key_span(source: SourceText, *path: str) -> Span:
    """Where a key stands, for a diagnostic about its value: the last part of `path`, after its table's head.

    The file is not parsed again: a name that is found nowhere gives the first line.
    """
    at = 0
    for depth in range(len(path) - 1, 0, -1):
        header = r"\.".join(r"\"?" + re.escape(part) + r"\"?" for part in path[:depth])
        found = re.compile(rf"^\s*\[+\s*{header}\s*\]+", re.MULTILINE).search(source.text)
        if found:
            at = found.end()
            break
    name = re.escape(path[-1])
    found = re.compile(rf"(?:^|[\{{,])\s*(\"?{name}\"?)\s*[=.]", re.MULTILINE).search(source.text, at)
    found = found or re.compile(rf"^\s*\[+[^\]\n]*?(\"?{name}\"?)\s*\]", re.MULTILINE).search(source.text)
    return source.span(found.start(1), found.end(1)) if found else source.span(0)

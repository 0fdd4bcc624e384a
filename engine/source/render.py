"""Diagnostics as text and as JSON.

Text: `PATH:LINE:COL: error: MESSAGE [code]`, the source line, a mark under the column, notes, call stack.
Whatever comes from a file is made safe for a terminal first: a script must not move the cursor.
"""

from __future__ import annotations

import json
from typing import Any

from engine.source.diagnostic import Diagnostic, StackEntry
from engine.source.text import Span

MAX_LINE = 200
"""Longest source line shown, in characters; a longer one is cut around the mark."""


def printable(text: str) -> str:
    """`text` with control characters shown as `\\xNN`, so that it cannot drive a terminal."""
    if text.isascii() and text.isprintable():
        return text
    return "".join(c if c == "\t" or 32 <= ord(c) < 127 or ord(c) > 159 else f"\\x{ord(c):02x}" for c in text)


def readable(text: str) -> str:
    """Text of a script, where every character is a byte, as whoever wrote it in UTF-8 sees it. What is no UTF-8 stays
    as it is: the original game's own letters are those of Latin-1."""
    if text.isascii():
        return text
    try:
        return text.encode("latin-1").decode("utf-8")
    except UnicodeError:
        return text


def legible(text: str) -> str:
    """What a script prints, for a terminal: readable, and nothing in it drives the terminal."""
    return "\n".join(map(printable, readable(text).split("\n")))


def _place(span: Span | None) -> str:
    return f"{printable(str(span))}: " if span is not None else ""


def _excerpt(span: Span) -> list[str]:
    """The line and a mark under the place; nothing for an empty line, and for a file whose text is not there, such as a
    model's."""
    line, col = span.source.line_col(span.start)
    text = span.source.line(line)
    if not text.strip():
        return []
    end_line, end_col = span.source.line_col(span.end)
    width = max(1, (end_col if end_line == line else len(text) + 1) - col)
    at = col - 1
    if len(text) > MAX_LINE:
        cut = max(0, at - MAX_LINE // 2)
        text = text[cut : cut + MAX_LINE]
        at -= cut
    # Each by itself, so that the mark stays under its place; tokens end where letters do.
    parts = text[:at], text[at : at + width], text[at + width :]
    shown, marked, rest = (printable(readable(part).replace("\t", " ")) for part in parts)
    return [f"    {shown}{marked}{rest}".rstrip(), "    " + " " * len(shown) + "^" + "~" * (len(marked) - 1)]


def _frame(entry: StackEntry) -> str:
    return f"  {entry.relation} {printable(entry.function)}" + (f" ({entry.span})" if entry.span else "")


def to_text(diagnostic: Diagnostic) -> str:
    """The diagnostic as several lines, without a final line feed."""
    code = f" [{diagnostic.code}]" if diagnostic.code else ""
    lines = [
        f"{_place(diagnostic.span)}{diagnostic.severity}: {printable(readable(diagnostic.message))}{code}"
    ]
    if diagnostic.span is not None:
        lines += _excerpt(diagnostic.span)
    for note in diagnostic.notes:
        lines.append(f"  note: {_place(note.span)}{printable(readable(note.message))}")
        if note.span is not None:
            lines += _excerpt(note.span)
    lines += [_frame(entry) for entry in diagnostic.stack]
    return "\n".join(lines)


def _span_json(span: Span | None) -> dict[str, Any]:
    if span is None:
        return {"path": None, "line": None, "col": None, "end_line": None, "end_col": None}
    line, col = span.source.line_col(span.start)
    end_line, end_col = span.source.line_col(span.end)
    return {"path": span.path, "line": line, "col": col, "end_line": end_line, "end_col": end_col}


def to_dict(diagnostic: Diagnostic) -> dict[str, Any]:
    """The diagnostic as the JSON object that `--format json` prints, one a line."""
    return {
        "severity": diagnostic.severity,
        "code": diagnostic.code,
        "message": readable(diagnostic.message),
        **_span_json(diagnostic.span),
        "notes": [{"message": readable(n.message), **_span_json(n.span)} for n in diagnostic.notes],
        "stack": [
            {"function": e.function, "relation": e.relation, **_span_json(e.span)} for e in diagnostic.stack
        ],
    }


def to_json(diagnostic: Diagnostic) -> str:
    return json.dumps(to_dict(diagnostic))

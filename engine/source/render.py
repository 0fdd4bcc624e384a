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
    return "".join(c if c == "\t" or 32 <= ord(c) < 127 or ord(c) > 159 else f"\\x{ord(c):02x}" for c in text)


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
    shown = printable(text[:at].replace("\t", " "))
    marked = printable(text[at : at + width].replace("\t", " "))
    rest = printable(text[at + width :].replace("\t", " "))
    return [f"    {shown}{marked}{rest}".rstrip(), "    " + " " * len(shown) + "^" + "~" * (len(marked) - 1)]


def _frame(entry: StackEntry) -> str:
    return f"  {entry.relation} {printable(entry.function)}" + (f" ({entry.span})" if entry.span else "")


def to_text(diagnostic: Diagnostic) -> str:
    """The diagnostic as several lines, without a final line feed."""
    code = f" [{diagnostic.code}]" if diagnostic.code else ""
    lines = [f"{_place(diagnostic.span)}{diagnostic.severity}: {printable(diagnostic.message)}{code}"]
    if diagnostic.span is not None:
        lines += _excerpt(diagnostic.span)
    for note in diagnostic.notes:
        lines.append(f"  note: {_place(note.span)}{printable(note.message)}")
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
        "message": diagnostic.message,
        **_span_json(diagnostic.span),
        "notes": [{"message": n.message, **_span_json(n.span)} for n in diagnostic.notes],
        "stack": [
            {"function": e.function, "relation": e.relation, **_span_json(e.span)} for e in diagnostic.stack
        ],
    }


def to_json(diagnostic: Diagnostic) -> str:
    return json.dumps(to_dict(diagnostic))

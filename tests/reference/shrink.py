"""Cuts a program that shows a difference down to a small one, by dropping and simplifying pieces of its text.

A candidate counts when it compiles, runs, and still shows the same symptom.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Any

from engine.source import DiagnosticError
from tests.reference.compare import compare
from tests.reference.values import GivenUp

Texts = dict[str, str]
Cut = tuple[str, str, str]


def symptom(texts: Texts, *variant: Any) -> str | None:
    """What goes wrong with a program, in one word; None when nothing does or it says nothing. `variant` is the rest of
    what `compare` takes."""
    try:
        difference = compare(texts, *variant)
    except (DiagnosticError, GivenUp):
        return None
    except Exception as error:
        return type(error).__name__
    return None if difference is None else difference.what


def shrink(texts: Texts, *variant: Any) -> Texts:
    """The smallest program found that shows the same symptom.

    A cut that did not do is not tried again before a whole pass is over, wherever it stands by then."""
    wanted = symptom(texts, *variant)
    while True:
        tried: set[Cut] = set()
        before = texts
        while (smaller := one_cut(texts, tried, lambda c: symptom(c, *variant) == wanted)) is not None:
            texts = smaller
        if texts == before:
            return texts


def one_cut(texts: Texts, tried: set[Cut], keep: Callable[[Texts], bool]) -> Texts | None:
    """The first smaller program to keep, by a cut that has not been tried."""
    for cut, smaller in candidates(texts):
        if cut not in tried:
            tried.add(cut)
            if keep(smaller):
                return smaller
    return None


def candidates(texts: Texts) -> Iterator[tuple[Cut, Texts]]:
    """Programs that are a little smaller, those that lose most first, each with the text that went and what came."""
    for name, text in texts.items():
        for start, end, replacement in sorted(cuts(text), key=lambda cut: len(cut[2]) - (cut[1] - cut[0])):
            yield (
                (name, text[start:end], replacement),
                {**texts, name: text[:start] + replacement + text[end:]},
            )


def cuts(text: str) -> Iterator[tuple[int, int, str]]:
    """Ranges with what may stand for them: functions, statements, blocks without their head, calls, operands."""
    yield from ((start, end, "") for start, end in statements(text))
    for found in re.finditer(r"(?:if|while|switch) \((?:[^()]|\([^()]*\))*\) \{", text):
        end = closing(text, found.end() - 1)
        yield found.start(), end, text[found.end() : end - 1]
    for at, character in enumerate(text):
        if character == "(":
            end = closing(text, at)
            inside = text[at + 1 : end - 1]
            for middle in re.finditer(r" (?:[-+*/%&|^<>=!]{1,2}) ", inside):
                yield at, end, inside[: middle.start()]
                yield at, end, inside[middle.end() :]
            if text[max(0, at - 1)] == " ":
                yield at, end, "1"
    for found in re.finditer(r'(?:, )?(?:"[^"\n]*"|[\w.]+)(?=[,)])', text):
        yield found.start(), found.end(), ""


def statements(text: str) -> Iterator[tuple[int, int]]:
    """Ranges from a statement's beginning to its end, nested ones as well, and whole functions."""
    starts = [0, *(found.end() for found in re.finditer(r"[;{}]\s*|#/\s*|/#\s*|:\s+", text))]
    for start in starts:
        end = end_of_statement(text, start)
        if end is not None and end > start:
            yield start, end


def end_of_statement(text: str, at: int) -> int | None:
    depth = 0
    while at < len(text):
        character = text[at]
        if character == '"':
            at = text.find('"', at + 1)
            if at < 0:
                return None
        elif character in "({[":
            depth += 1
        elif character in ")}]":
            depth -= 1
            if depth < 0:
                return None
            if character == "}" and depth == 0:
                return at + 1
        elif character == ";" and depth == 0:
            return at + 1
        at += 1
    return None


def closing(text: str, at: int) -> int:
    """The offset after the bracket that closes the one at `at`."""
    depth = 0
    for end in range(at, len(text)):
        depth += (text[end] in "({[") - (text[end] in ")}]")
        if depth == 0:
            return end + 1
    return len(text)

"""The names that somebody may have meant."""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches


def nearest(name: str, known: Iterable[str], count: int = 3) -> list[str]:
    """Up to `count` of `known` that look like `name`, best first; case is ignored."""
    by_lower: dict[str, str] = {}
    for candidate in sorted(known):
        by_lower.setdefault(candidate.lower(), candidate)
    return [by_lower[m] for m in get_close_matches(name.lower(), by_lower, n=count, cutoff=0.6)]


def did_you_mean(name: str, known: Iterable[str]) -> str | None:
    """A sentence that names the nearest known names, or None when nothing is near."""
    names = nearest(name, known)
    if not names:
        return None
    return (
        "did you mean " + (names[0] if len(names) == 1 else ", ".join(names[:-1]) + " or " + names[-1]) + "?"
    )

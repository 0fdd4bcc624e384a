"""Nodes of a tree as people call them: by their names, or by the end of them where that is clear."""

from __future__ import annotations

from collections.abc import Collection

from engine.source.nearest import did_you_mean


def meant(word: str, names: Collection[str], tree: str) -> list[str]:
    """Which of these names a word may mean, in lower case: `run` means `soldier_run` in the tree `soldier`, and where
    no other name ends so."""
    for name in (word, f"{tree}_{word}"):
        if name in names:
            return [name]
    return [name for name in names if name.endswith(f"_{word}")]


def unclear(word: str, names: Collection[str], tree: str) -> str | None:
    """What to say of a word that does not mean one of these names: which it may mean, or what is near."""
    found = meant(word, names, tree)
    if found:
        return f"there are {' and '.join(found[:4])}; which of them?"
    return did_you_mean(word, names) or did_you_mean(word, _short(names, tree))


def _short(names: Collection[str], tree: str) -> set[str]:
    """Ends of names that mean just one of them."""
    ends = {name[at + 1 :] for name in names for at, letter in enumerate(name) if letter == "_"}
    return {end for end in ends if len(meant(end, names, tree)) == 1}

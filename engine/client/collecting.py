"""Python's garbage collector in a game: it must not look through everything in the middle of a picture."""

from __future__ import annotations

import gc

THRESHOLDS = 20_000, 20, 20
"""Objects that come before the youngest are looked through, and how often that happens before older ones are. Python's
own is 700, 10, 10, which a game of some hundred threads reaches several times a frame, nearly always for nothing."""


def settle() -> None:
    """What a level has loaded stays, and is not looked through again."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(*THRESHOLDS)

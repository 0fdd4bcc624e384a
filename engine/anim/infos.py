"""How many nodes may play at once, over all trees and entities (animation facts, section 2.5)."""

from __future__ import annotations

import math
from collections.abc import Callable

from engine.anim.errors import AnimationError

MAX_INFOS = 65_536
"""Nodes with a weight or a goal, each of each entity. The stock engine has 2,048 and ends the game at the next one."""


class InfoBudget:
    """What may still begin to play. `count` says how many nodes play now; it is asked only when the limit may have
    been reached, so `limit` may be changed at any time."""

    def __init__(self, count: Callable[[], int], limit: int = MAX_INFOS) -> None:
        self.limit = limit
        self._count = count
        self._most = math.inf
        """What played at the last count, and all that has begun since."""

    def recount(self) -> None:
        """Count anew at the next node: more may play than is known, as after a saved game was loaded."""
        self._most = math.inf

    def spend(self) -> None:
        """One more node begins to play. Raises AnimationError when that is one too many."""
        self._most += 1
        if self._most > self.limit:
            self._most = self._count() + 1
            if self._most > self.limit:
                raise AnimationError(
                    f"exceeded maximum number of anim info: {self.limit} animations play already"
                )

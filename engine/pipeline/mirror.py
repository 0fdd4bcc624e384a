"""A clip seen in a mirror: what the left did the right does, by the names of the bones.

The mirror stands at y = 0, between left and right. A bone's change from its rest pose is mirrored and given to its
partner, so that it does not matter which way the axes of either point.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from engine.pipeline.faults import Faults
from engine.pipeline.rig import Rig
from engine.pipeline.scene import Float64

_FLIP = np.diag([1.0, -1.0, 1.0, 1.0])
_SIDE = re.compile(r"left|right|(?<![a-z0-9])[lr](?![a-z0-9])")
_OTHER = {"left": "right", "right": "left", "l": "r", "r": "l"}


def other_side(name: str) -> str:
    """The name with left and right exchanged: `hand_left`, `leftarm`, `thigh.l`, `l_foot`; itself where it has no
    side."""
    return _SIDE.sub(lambda found: _OTHER[found[0]], name)


@dataclass(frozen=True, eq=False)
class Mirror:
    """names (B); partners (B,) which bone each takes its motion from; rest (B, 4, 4) and its inverse."""

    names: tuple[str, ...]
    partners: NDArray[np.intp]
    rest: Float64
    to_rest: Float64

    @classmethod
    def of(cls, rig: Rig, animation: str, faults: Faults) -> Mirror:
        """Bones without a partner keep to themselves, which is told where their name has a side."""
        partners = np.arange(len(rig.names))
        for bone, name in enumerate(rig.names):
            wanted = other_side(name)
            if wanted in rig.names:
                partners[bone] = rig.names.index(wanted)
            elif wanted != name:
                faults.warn(
                    "no-partner",
                    f"bone `{name}` has no `{wanted}` to change places with in the mirror of `{animation}`",
                    "name the bones of both sides alike",
                )
        return cls(rig.names, partners, rig.rest, np.linalg.inv(rig.rest).astype(np.float64))

    def bones(self, names: list[str]) -> list[str]:
        """Which bones move where those of `names` did, in the rig's order."""
        moved = {self.names.index(name) for name in names}
        return [name for name, partner in zip(self.names, self.partners, strict=True) if partner in moved]

    def worlds(self, worlds: Float64) -> Float64:
        """(B, F, 4, 4) world transforms in the mirror."""
        changes = worlds[self.partners] @ self.to_rest[self.partners][:, None]
        mirrored: Float64 = _FLIP @ changes @ _FLIP @ self.rest[:, None]
        return mirrored

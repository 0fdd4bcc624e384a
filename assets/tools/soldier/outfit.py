"""The two soldiers: what each wears, put together and finished with baked shade."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np

from assets.tools import palette
from assets.tools.occlusion import visibility
from assets.tools.rotations import Array
from assets.tools.shapes import Finished, Shape, finish
from assets.tools.soldier import gear, head
from assets.tools.soldier.body import Uniform, body
from assets.tools.soldier.skeleton import BONES, INDEX


@dataclass(frozen=True)
class Outfit:
    """A team's uniform with its headgear and kit."""

    uniform: Uniform
    headgear: Callable[[Uniform], list[Shape]]
    kit: Callable[[Uniform], list[Shape]]

    def parts(self) -> list[Shape]:
        """Every part in the bind pose."""
        return (
            body(self.uniform)
            + head.head(self.uniform)
            + self.headgear(self.uniform)
            + self.kit(self.uniform)
        )


OUTFITS: Mapping[str, Outfit] = {
    "soldier_olive": Outfit(
        Uniform(
            jacket=palette.shade(palette.mix(palette.OLIVE, palette.SLATE, 0.2), 0.96),
            trousers=palette.mix(palette.mix(palette.OLIVE, palette.WOOD, 0.4), palette.SLATE, 0.15),
            trim=palette.shade(palette.mix(palette.OLIVE, palette.SLATE, 0.25), 0.84),
            webbing=palette.CANVAS,
            pouch=palette.CANVAS,
            leather=palette.LEATHER,
            skin=palette.SKIN,
            hair=(58.0, 44.0, 34.0),
        ),
        head.helmet,
        gear.olive_kit,
    ),
    "soldier_grey": Outfit(
        Uniform(
            jacket=palette.FIELD_GREY,
            trousers=palette.mix(palette.FIELD_GREY, palette.SLATE, 0.55),
            trim=palette.shade(palette.FIELD_GREY, 0.72),
            webbing=palette.shade(palette.LEATHER, 0.9),
            pouch=palette.mix(palette.LEATHER, palette.RUST, 0.25),
            leather=palette.shade(palette.LEATHER, 0.72),
            skin=palette.mix(palette.SKIN, palette.PLASTER, 0.18),
            hair=(112.0, 88.0, 58.0),
        ),
        head.field_cap,
        gear.grey_kit,
    ),
}


def shaded(parts: list[Shape], *, ground: float | None = 0.0) -> Finished:
    """Parts finished, with what lies in creases darker and what is free a little lighter.

    Arms move too far from the bind pose for their shade to stay true: they darken themselves, and neither body nor
    arms darken each other.
    """
    model = finish(parts)
    arms = np.zeros(len(model.positions), bool)
    if model.weights is not None and model.weights.shape[1] == len(BONES):
        limbs = [
            INDEX[bone.name]
            for bone in BONES
            if bone.name.startswith(("upper_arm", "forearm", "hand", "finger"))
        ]
        arms = model.weights[:, limbs].sum(axis=1) > 0.5
    light = np.zeros(len(model.positions))
    for group in (arms, ~arms):
        if group.any():
            light[group] = _light(model, model.triangles[group[model.triangles].all(axis=1)], ground)[group]
    shade = light[:, None] ** np.array([1.05, 1.0, 0.94])  # shade leans to blue
    model.colors = np.clip(model.colors * shade, 0.0, 255.0)
    return model


def _light(model: Finished, blockers: Array, ground: float | None) -> Array:
    """0.36..1.04 at every vertex: small creases and wide hollows together."""
    places, normals = model.positions, model.normals
    fine = visibility(places, normals, blockers, cell=0.3, reach=4.0, rays=64, ground=ground)
    broad = visibility(places, normals, blockers, cell=0.7, reach=16.0, ground=ground)
    return np.clip(0.36 + 0.34 * fine + 0.36 * broad, 0.0, 1.04)

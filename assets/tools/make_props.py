"""Makes the props into `assets/models`. Run as ``python -m assets.tools.make_props [NAME ...]``."""

from __future__ import annotations

import sys
import zlib
from collections.abc import Callable
from pathlib import Path

import numpy as np

from assets.tools.gltf import GlbWriter
from assets.tools.props import metalwork, plants, prop, soft, woodwork
from assets.tools.props.prop import Prop

TARGET = Path(__file__).parents[1] / "models"
Maker = Callable[[np.random.Generator], Prop]

MAKERS: dict[str, Maker] = {
    "crate_large": lambda rng: woodwork.crate(48, rng, mark=True),
    "crate_small": lambda rng: woodwork.crate(32, rng, mark=False),
    "table": woodwork.table,
    "bench": woodwork.bench,
    "fence": woodwork.fence,
    "signboard": woodwork.signboard,
    "sign_arm": woodwork.sign_arm,
    "sign_hung": woodwork.sign_hung,
    "target_frame": woodwork.target_frame,
    "door_panel": woodwork.door_panel,
    "barrel": metalwork.barrel,
    "fire_barrel": metalwork.fire_barrel,
    "jerrycan": metalwork.jerrycan,
    "smoke_pot": metalwork.smoke_pot,
    "ammo_box": metalwork.ammo_box,
    "lamp": metalwork.lamp,
    "lamp_dark": lambda rng: metalwork.lamp(rng, lit=False),
    "sandbags": soft.sandbags,
    "awning": soft.awning,
    "tree_oak": plants.tree_oak,
    "tree_oak_far": lambda rng: plants.tree_oak(rng, near=False),
    "tree_poplar": plants.tree_poplar,
    "grass_tuft": plants.grass_tuft,
}
SIDECAR = "# Settings of the importer; what is not said here is the default.\n"


def make_prop(name: str) -> int:
    """Writes one prop with its sidecar and gives its number of triangles."""
    glb = GlbWriter()
    count = prop.write(MAKERS[name](np.random.default_rng(zlib.crc32(name.encode()))), name, glb)
    glb.write(TARGET / name / f"{name}.glb")
    (TARGET / name / f"{name}.toml").write_text(SIDECAR, encoding="utf-8", newline="\n")
    return count


if __name__ == "__main__":
    for wanted in sys.argv[1:] or MAKERS:
        print(f"{wanted:14} {make_prop(wanted):5} triangles")

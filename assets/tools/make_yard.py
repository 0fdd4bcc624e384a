"""Makes `assets/levels/yard.map`. Run as ``python -m assets.tools.make_yard``."""

from __future__ import annotations

from pathlib import Path

from assets.tools.mapkit import Level
from assets.tools.yard import ground, house, people, range_ground, sheds, skyline

TARGET = Path(__file__).parents[1] / "levels" / "yard.map"


def make_yard() -> Level:
    """The whole level: late afternoon, the sun low in the south-west."""
    level = Level(
        message="The Yard",
        sundirection=(-30, 222, 0),
        suncolor=(1, 0.82, 0.58),
        skycolor=(0.52, 0.64, 0.82),
        ambientsound="ambience_wind",
    )
    for part in (ground, house, sheds, range_ground, skyline, people):
        part.build(level)
    return level


if __name__ == "__main__":
    make_yard().write(TARGET)
    print(f"wrote {TARGET.name}")

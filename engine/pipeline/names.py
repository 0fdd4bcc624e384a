"""What assets are called: lower case, without folder and extension."""

from __future__ import annotations

from functools import lru_cache

from engine.pipeline.formats import FORMATS
from engine.pipeline.sounds import EXTENSIONS
from engine.source.render import readable

_PREFIXES = ("xmodel/", "xanim/", "fx/")
_ENDINGS = frozenset({*FORMATS, *EXTENSIONS, ".atr", ".bos", ".cob", ".efx", ".ntk"})
"""What is no part of a name; any other dot is, as in `wall.left` of `wall.left.glb`."""


@lru_cache(maxsize=4096)
def asset_name(name: str) -> str:
    """The canonical name: `xmodel/Soldier` and `Soldier.glb` are `soldier`."""
    plain = readable(name).lower().replace("\\", "/").lstrip("/")
    for prefix in _PREFIXES:
        plain = plain.removeprefix(prefix)
    plain = plain.rsplit("/", 1)[-1]
    stem, dot, ending = plain.rpartition(".")
    return stem if stem and dot + ending in _ENDINGS else plain

"""Which files matter to a game, by what they are of: whoever watches, reads or checks files agrees here."""

from __future__ import annotations

from engine.pipeline.formats import FORMATS
from engine.pipeline.sounds import EXTENSIONS as SOUNDS

SCRIPTS = frozenset({".gsc", ".atr"})
LINES = frozenset({".script"})
UNITS = frozenset({".bos", ".cob", ".h"})
LEVELS = frozenset({".map"})
TABLES = frozenset({".csv"})
SETTINGS = frozenset({".toml"})
COOKED_FROM = frozenset({*FORMATS, *SETTINGS, ".png", ".jpg", ".jpeg", ".bin", ".mtl"})
"""Files in a model's folder that its cooked copy may be made of."""
ASSETS = COOKED_FROM.union(SOUNDS)

WATCHED = frozenset[str]().union(SCRIPTS, LINES, UNITS, LEVELS, TABLES, ASSETS)
"""Everything that a game takes in while it runs. All else in the watched folders, such as editors' own files, is no
news."""

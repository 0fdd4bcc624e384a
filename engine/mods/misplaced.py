"""Files that the game reads, in places where it does not look."""

from __future__ import annotations

from pathlib import Path

from engine.mods.contents import SURFACES
from engine.pipeline.formats import FORMATS
from engine.pipeline.library import MODELS, SOUNDS
from engine.pipeline.sounds import ALIAS_FILE
from engine.source import Diagnostic, SourceText
from engine.source.paths import shown_path

_HOMES = {SURFACES: "levels", ALIAS_FILE: SOUNDS}
"""Files of settings of which there is one in the folder of that name among a mod's assets."""


def misplaced(path: Path) -> Diagnostic | None:
    """A warning about a file that looks like one of a mod's and that no game finds where it is."""
    folder = path.absolute().parent.name.lower()
    home = _HOMES.get(path.name)
    if home is not None and folder != home:
        where = f"assets/{home}/{path.name}"
    elif path.suffix.lower() in FORMATS and folder == MODELS:
        # Each has a folder of its own, for its settings and textures.
        where = f"{MODELS}/{path.stem}/{path.name}"
    else:
        return None
    fault = Diagnostic(
        "misplaced-file", "the game does not look here", SourceText(shown_path(path), "").span(0), "warning"
    )
    return fault.with_note(f"its place is {where}")

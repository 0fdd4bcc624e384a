"""What is wrong with an animation tree as it stands in its file, whatever scripts mention of it.

Scripts and their trees are checked together elsewhere, by the names that the scripts mention. Here stands what belongs
to the tree alone: which properties of the extended set go together, whether its clips are there, and the bones of its
masks.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from engine.anim import atr
from engine.anim.clip import Clip
from engine.anim.entries import Entry
from engine.anim.mismatch import few
from engine.mods.trees import missing_clip
from engine.pipeline.library import AssetLibrary
from engine.pipeline.placeholder import still_clip
from engine.source import Diagnostic, DiagnosticError, SourceText, Span
from engine.source.nearest import did_you_mean

FEW = 3
"""Clips of which each is told, where a tree has none of them."""

_OF_THE_TREE = ("bad-additive", "bad-blend")
"""Errors that no choice of names makes good."""

_OF_A_LEAF = ("sync-loop-mismatch",)
"""Errors of leaves that no script may mention."""


def check_tree(source: SourceText, library: AssetLibrary, *, used: bool = False) -> list[Diagnostic]:
    """Errors and warnings about a tree. Raises DiagnosticError for one that cannot be read.

    used  whether there are scripts that use it, with which it is checked too: what they mention is told then, and what
          nobody mentions does no harm
    """
    tree = atr.read(source)
    found: list[Diagnostic] = []
    lacking: dict[str, Span] = {}

    def still(name: str, looping: bool, place: Span) -> Clip:
        lacking.setdefault(name, place)
        return still_clip(name, looping=looping)

    try:
        tree.prune({}, library, all_names=True, stand_in=still)
    except DiagnosticError as error:
        found += [diagnostic for diagnostic in error.diagnostics if diagnostic.code in _OF_THE_TREE]
        leaf = [diagnostic for diagnostic in error.diagnostics if diagnostic.code in _OF_A_LEAF and not used]
        found += [replace(diagnostic, severity="warning") for diagnostic in leaf]
    leaves = [entry.name for entry in _below(tree.entries) if entry.children is None]
    if len(lacking) < len(set(leaves)) or len(lacking) <= FEW:
        found += [missing_clip(name, place, library) for name, place in sorted(lacking.items())]
    else:
        # A tree of another game, whose clips nobody has here.
        text = f"none of the {len(lacking)} clips of this tree is there; they stand still"
        found.append(
            Diagnostic("missing-clip", text, min(lacking.values(), key=lambda span: span.start), "warning")
        )
    models = _models(leaves, library)
    if models:
        bones = {bone for model in models for bone in library.model(model).skeleton.names}
        found += _masks(tree.entries, bones, models)
    return found


def _below(entries: Iterable[Entry]) -> Iterator[Entry]:
    """All entries, in the order of the file."""
    for entry in entries:
        yield entry
        yield from _below(entry.children or ())


def _models(leaves: Iterable[str], library: AssetLibrary) -> list[str]:
    """The models that bring the clips of these names; for clips that come without one, the model whose skeleton has
    most of their bones."""
    sources = {name for leaf in leaves if (name := library.clip_source(leaf)) is not None}
    models = sorted(name for name in sources if library.has_model(name))
    if models or not sources:
        return models
    moved = {b for leaf in leaves if (clip := library.clip(leaf)) is not None for b in clip.bones}
    known = [name for name in library.model_names() if library.has_model(name)]
    if not known or not moved:
        return []
    best = max(known, key=lambda name: len(moved & set(library.model(name).skeleton.names)))
    return [best] if moved & set(library.model(best).skeleton.names) else []


def _masks(entries: Iterable[Entry], bones: set[str], models: list[str]) -> Iterator[Diagnostic]:
    for entry in _below(entries):
        lacking = [word for word in entry.extras.mask if word.removeprefix("-") not in bones]
        if lacking:
            of = f"model '{models[0]}' does" if len(models) == 1 else f"the models {few(models)} do"
            hint = did_you_mean(lacking[0].removeprefix("-"), bones)
            text = f"the mask of '{entry.name}' names bones that {of} not have: {few(lacking)}"
            yield Diagnostic("unknown-bone", text, entry.span, "warning").with_note(
                hint or f"its bones: {few(sorted(bones))}"
            )

"""What of a tree does not find its bones on a skeleton. Such tracks move nothing, which is worth a word."""

from __future__ import annotations

from collections.abc import Collection

from engine.anim.entries import VOID, VOID_LOOP
from engine.anim.sampler import Binding
from engine.source import Diagnostic

_SHOWN = 5


def mismatches(binding: Binding, model: str) -> tuple[Diagnostic, ...]:
    """Warnings about clips and masks of the binding's tree that name bones which the model does not have. The void
    clips are the loader's, for whatever model there is."""
    found = []
    tree = binding.tree
    unknown = {clip: bones for clip, bones in binding.unknown.items() if clip not in (VOID, VOID_LOOP)}
    lacking = sorted({bone for bones in unknown.values() for bone in bones})
    if lacking:
        clips = sorted(unknown)
        who = f"clip '{clips[0]}' moves" if len(clips) == 1 else f"{len(clips)} clips move"
        text = f"{who} bones that model '{model}' does not have: {few(lacking)}"
        diagnostic = Diagnostic("unknown-bone", text, severity="warning")
        if len(clips) > 1:
            diagnostic = diagnostic.with_note(f"in the tree '{tree.name}': {few(clips)}")
        found.append(diagnostic.with_note("bones go by their names: rename them in one of the two sources"))
    for node, bones in binding.unknown_masks.items():
        text = (
            f"the mask of '{tree.names[node]}' names bones that model '{model}' does not have: {few(bones)}"
        )
        found.append(Diagnostic("unknown-bone", text, severity="warning"))
    return tuple(found)


def few(names: Collection[str]) -> str:
    """The first of some names."""
    shown = ", ".join(list(names)[:_SHOWN])
    return shown + (" ..." if len(names) > _SHOWN else "")

"""What is previewed: an animation tree with a model to show it on, or a model with all its clips."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from engine.anim import atr
from engine.anim.clip import Clip
from engine.anim.mismatch import mismatches
from engine.anim.prune import repeated
from engine.anim.sampler import Binding, bind
from engine.anim.tree import Tree
from engine.client.preview.short_names import meant
from engine.pipeline.library import BUILT_IN_CLIPS, AssetLibrary
from engine.pipeline.model import Model
from engine.pipeline.placeholder import placeholder_model, still_clip
from engine.source import Diagnostic, DiagnosticError, SourceText, Span
from engine.source.nearest import did_you_mean
from engine.source.paths import shown_path

WEAPON, WEAPON_TAG = "rifle", "tag_weapon_right"
"""Put into the hand of a model that has such a tag, so that no soldier is seen aiming at nothing."""


class UnknownSubjectError(Exception):
    """There is no tree, model or clip of that name; the message says what is near."""


@dataclass(frozen=True, slots=True)
class Attachment:
    """A model carried on a bone of another."""

    model: str
    tag: str


@dataclass(frozen=True, eq=False)
class Subject:
    """A tree bound to a model.

    file      the tree's file, None where the tree was made of a model's clips
    clip      what plays first, by its name or the end of it, None for the first leaf
    warnings  what is doubtful about the tree
    """

    name: str
    tree: Tree
    binding: Binding
    model: Model
    attached: tuple[tuple[Model, int], ...]
    file: Path | None
    clip: str | None = None
    warnings: tuple[Diagnostic, ...] = ()

    @property
    def leaves(self) -> list[int]:
        """The leaves in the order of the file; a model without clips has none."""
        stands_in = self.stands_in
        nodes = in_file_order(self.tree)
        return [node for node in nodes if self.tree.is_leaf(node) and node not in stands_in]

    @property
    def stands_in(self) -> frozenset[int]:
        """Leaves that are only there because a tree has to have one, where a model brings no clips."""
        if self.file is not None:
            return frozenset()
        names = self.tree.names
        return frozenset(node for node in range(len(names)) if names[node] in BUILT_IN_CLIPS)

    @property
    def first(self) -> int | None:
        """The leaf that plays first, None where there is none."""
        named = {self.tree.names[leaf]: leaf for leaf in self.leaves}
        found = meant(self.clip, named, self.tree.name) if self.clip is not None else []
        return named[found[0]] if len(found) == 1 else next(iter(named.values()), None)


def in_file_order(tree: Tree) -> list[int]:
    """Nodes below the root, parents first and siblings as in the file (numbers run the other way)."""
    found, pending = [], [0]
    while pending:
        node = pending.pop()
        if node:
            found.append(node)
        pending.extend(tree.children[node])
    return found


@dataclass(frozen=True)
class Order:
    """What is to be shown: a tree, or a model with its clips where there is no `tree`.

    name          of the tree or the model
    tree_folders  to be watched
    model         to show the tree on, None where the tree decides
    attach        what is carried, None where the model decides
    tree          the tree's file
    clip          what plays first, None for the first leaf
    """

    name: str
    tree_folders: tuple[Path, ...]
    model: str | None = None
    attach: tuple[Attachment, ...] | None = None
    tree: Path | None = None
    clip: str | None = None


def open_subject(order: Order, library: AssetLibrary) -> Subject:
    """Read tree and model afresh. Raises DiagnosticError for a tree that cannot be read, or OSError."""
    source = _tree_source(order, library)
    warnings: list[Diagnostic] = []

    def stand_in(leaf: str, looping: bool, place: Span) -> Clip:
        problem = Diagnostic(
            "missing-clip", f"there is no clip '{leaf}'; the animation stands still", place, "warning"
        )
        hint = did_you_mean(leaf, library.clip_names())
        warnings.append(problem.with_note(hint) if hint else problem)
        return still_clip(leaf, looping=looping)

    written = atr.read(source)
    tree = written.prune({}, library, all_names=True, stand_in=stand_in)
    warnings += repeated(written.entries)
    model = library.model(order.model or _model_for(order.name, tree, library))
    binding = bind(tree, model.skeleton)
    warnings += mismatches(binding, model.name)
    warnings.sort(key=lambda warning: warning.span.start if warning.span is not None else 0)
    attached = _attached(order, model, library)
    return Subject(order.name, tree, binding, model, attached, order.tree, order.clip, tuple(warnings))


def empty_subject(order: Order, library: AssetLibrary) -> Subject:
    """What is shown of a tree that cannot be read, until it can: its model, or something in its place, and no clips."""
    name = order.model or order.name
    model = library.model(name) if library.has_model(name) else placeholder_model(name)
    tree = atr.read(SourceText(order.name, "\n")).prune({}, library, all_names=True)
    return Subject(order.name, tree, bind(tree, model.skeleton), model, (), None)


def sources_of(subject: Subject, library: AssetLibrary) -> set[str]:
    """Names of the sources of models and clips that a subject is made of."""
    clips = [clip.name for clip in subject.tree.clips if clip is not None]
    sources = {source for clip in clips if (source := library.clip_source(clip)) is not None}
    return sources | {subject.model.name, *(model.name for model, _ in subject.attached)}


def _tree_source(order: Order, library: AssetLibrary) -> SourceText:
    """The text of the tree: its file, or one made of a model's clips."""
    if order.tree is not None:
        return SourceText.read(order.tree, shown_path(order.tree))
    clips = [clip for clip in library.clip_names() if library.clip_source(clip) == order.name]
    return SourceText(order.name, "\n".join(clips) + "\n")


def _model_for(name: str, tree: Tree, library: AssetLibrary) -> str:
    """The model to show a tree on: of its name, else the source of most of its clips, else, where these bring no model,
    the one that has most of the bones that they move."""
    if library.has_model(name):
        return name
    clips = [clip for clip in tree.clips if clip is not None]
    sources = [source for clip in clips if (source := library.clip_source(clip.name))]
    usable = [source for source in sources if library.has_model(source)]
    if usable:
        return max(usable, key=usable.count)
    moved = {bone for clip in clips for bone in clip.bones}
    models = [model for model in library.model_names() if library.has_model(model)]
    shared = {model: len(moved & set(library.model(model).skeleton.names)) for model in models}
    best = max(shared, key=lambda model: shared[model], default=name)
    return best if shared.get(best) else name


def _attached(order: Order, model: Model, library: AssetLibrary) -> tuple[tuple[Model, int], ...]:
    wanted: Sequence[Attachment]
    if order.attach is None:
        known = WEAPON_TAG in model.skeleton.index and library.has_model(WEAPON)
        wanted = [Attachment(WEAPON, WEAPON_TAG)] if known else []
    else:
        wanted = order.attach
    found = []
    for attachment in wanted:
        bone = model.skeleton.index.get(attachment.tag.lower())
        if bone is None:
            text = f"model '{model.name}' has no tag '{attachment.tag}'"
            hint = did_you_mean(attachment.tag, model.skeleton.names)
            problem = Diagnostic("unknown-tag", text)
            raise DiagnosticError([problem.with_note(hint) if hint else problem])
        found.append((library.model(attachment.model), bone))
    return tuple(found)

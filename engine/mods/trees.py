"""Animation trees for a program: found by name, kept to what its scripts mention, and `%names` resolved.

A script's animation value keeps its identity over reloads; linking gives it the node that its name has in the
tree of the moment.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, MutableMapping
from dataclasses import dataclass, field
from pathlib import Path

from engine.anim import atr
from engine.anim.clip import Clip
from engine.anim.prune import ClipSource
from engine.anim.tree import Tree
from engine.gsc.program import Program
from engine.mods.manifest import Manifest
from engine.mods.search import Mod, ModSearch
from engine.pipeline.files import walk
from engine.pipeline.placeholder import still_clip
from engine.source import Diagnostic, DiagnosticError, SourceText, Span
from engine.source.nearest import did_you_mean
from engine.source.paths import canonical, shown_path
from engine.vm.values import Animation

FindTree = Callable[[str], SourceText | None]
"""A tree's text by canonical name."""

AnimationTable = MutableMapping[tuple[str, str], Animation]
"""Animation values by canonical tree name and lower-case animation name."""


class NoClips:
    """A clip source without clips, for programs that run without assets."""

    def clip(self, name: str) -> Clip | None:
        return None

    def clip_names(self) -> Iterable[str]:
        return ()


@dataclass(frozen=True, slots=True)
class MadeTree:
    """A tree with all that it was made of: its text, whose rules it was read by, the names that scripts mention, those
    among them that may be missing, and the clips that were asked for."""

    tree: Tree
    source: SourceText
    modern: bool
    names: frozenset[str]
    late: frozenset[str]
    clips: Mapping[str, Clip | None]
    warnings: tuple[Diagnostic, ...]

    def holds(
        self,
        source: SourceText,
        modern: bool,
        names: frozenset[str],
        late: frozenset[str],
        clips: ClipSource,
    ) -> bool:
        """Whether it would be made the same way again."""
        return (
            (self.source.path, self.source.text) == (source.path, source.text)
            and (self.modern, self.names, self.late) == (modern, names, late)
            and all(clips.clip(name) is clip for name, clip in self.clips.items())
        )


@dataclass(slots=True)
class LinkedTrees:
    """The trees of one program by canonical name, and what is doubtful about them."""

    trees: dict[str, Tree] = field(default_factory=dict)
    warnings: list[Diagnostic] = field(default_factory=list)
    made: dict[str, MadeTree] = field(default_factory=dict)


class _Asked:
    """A clip source that remembers what it was asked for."""

    def __init__(self, clips: ClipSource) -> None:
        self.given: dict[str, Clip | None] = {}
        self._clips = clips

    def clip(self, name: str) -> Clip | None:
        self.given[name] = found = self._clips.clip(name)
        return found

    def clip_names(self) -> Iterable[str]:
        return self._clips.clip_names()


def load_trees(
    program: Program,
    find: FindTree,
    clips: ClipSource,
    *,
    known: Iterable[str] = (),
    before: LinkedTrees | None = None,
) -> LinkedTrees:
    """Read and prune every tree that the program uses. `known` are tree names for hints. Trees of `before` that would
    be the same again are the same objects.

    A leaf without a clip stands still and is a warning. Raises DiagnosticError with every error of every
    tree: a missing file, a bad line, a `%name` that the tree lacks (in dialects where that does not wait for its use).
    """
    linked = LinkedTrees()
    errors: list[Diagnostic] = []
    for name in program.trees:
        source = find(name)
        if source is None:
            place = program.tree_places.get(name)
            problem = Diagnostic("unknown-animtree", f"there is no animation tree '{name}'", place)
            hint = did_you_mean(name, known)
            errors.append(problem.with_note(hint or f"it would be the file animtrees/{name}.atr"))
            continue
        mentioned = program.animations[name]
        late = frozenset(animation for animation in mentioned if (name, animation) in program.late_names)
        modern = name in program.late_trees
        made = before.made.get(name) if before is not None else None
        if made is None or not made.holds(source, modern, frozenset(mentioned), late, clips):
            try:
                made = _make(source, modern, mentioned, late, clips)
            except DiagnosticError as error:
                errors += error.diagnostics
                continue
        linked.made[name] = made
        linked.trees[name] = made.tree
        linked.warnings += made.warnings
    if errors:
        raise DiagnosticError(errors)
    return linked


def missing_clip(leaf: str, place: Span, clips: ClipSource) -> Diagnostic:
    """What to say of a leaf that has no clip, once it is played."""
    text = f"there is no clip '{leaf}'; the animation stands still"
    problem = Diagnostic("missing-clip", text, place, "warning")
    hint = did_you_mean(leaf, clips.clip_names())
    return problem.with_note(hint) if hint else problem


def _make(
    source: SourceText, modern: bool, names: Mapping[str, Span], late: frozenset[str], clips: ClipSource
) -> MadeTree:
    asked = _Asked(clips)
    warnings: list[Diagnostic] = []

    def stand_in(leaf: str, looping: bool, place: Span) -> Clip:
        warnings.append(missing_clip(leaf, place, clips))
        return still_clip(leaf, looping=looping)

    file = atr.read(source, modern=modern)
    there = file.names()
    wanted = {name: place for name, place in names.items() if name in there or name not in late}
    tree = file.prune(wanted, asked, stand_in=stand_in)
    return MadeTree(tree, source, modern, frozenset(names), late, asked.given, tuple(warnings))


def resolve(program: Program, trees: Mapping[str, Tree], table: AnimationTable) -> AnimationTable:
    """Give every `%name` of the program its animation value in `table`, new or with its new node."""
    for number, tree_name in enumerate(program.trees, 1):
        tree = trees[tree_name]
        for name in program.animations[tree_name]:
            value = table.get((tree_name, name))
            if value is None:
                value = table[tree_name, name] = Animation(tree_name, name)
            node = tree.node(name)
            value.index = -1 if node is None else node
            value.tree_index = number
    return table


def find_shared_tree(folders: Iterable[Path], name: str) -> SourceText | None:
    """A tree from folders of trees that belong to no mod."""
    search = ModSearch([Mod(folder, shown_path(folder), Manifest(folder.name)) for folder in folders])
    found = search.locate(name, ".atr")
    return search.read(*found) if found is not None else None


def tree_names(search: ModSearch, folders: Iterable[Path]) -> list[str]:
    """The names of all trees that a program could use, for hints."""
    places = [mod.folder / "animtrees" for mod in search] + list(folders)
    return sorted(
        {
            canonical(p.relative_to(place).with_suffix("").as_posix())
            for place in places
            for p in walk(place)
            if p.suffix == ".atr"
        }
    )

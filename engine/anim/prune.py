"""From the entries of a file to the tree that a program needs (animation facts, sections 2.2 to 2.5).

Only what scripts mention is kept, with the parents that lead to it. Faults are collected and raised together.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Protocol

from engine.anim.clip import Clip
from engine.anim.entries import NO_FLAGS, SYNC, VOID, VOID_LOOP, Entry, Extras, NodeFlag
from engine.anim.tree import MAX_NODES, Blend, Tree
from engine.source import Diagnostic, DiagnosticError, Note, SourceText, Span
from engine.source.nearest import did_you_mean

ROOT = "root"
"""`%root` means node 0 in every tree, whether or not the file has such a name."""


class ClipSource(Protocol):
    """Where leaves find their clips."""

    def clip(self, name: str) -> Clip | None:
        """The clip of that name, or None when there is none."""

    def clip_names(self) -> Iterable[str]:
        """Every known name, for messages."""


StandIn = Callable[[str, bool, Span], Clip]
"""Makes the clip for a leaf that has none, from its name, whether it has to loop, and its place in the file."""


@dataclass(slots=True)
class _Kept:
    """An entry that survives. `children` is empty for a leaf."""

    entry: Entry
    children: list[_Kept] = field(default_factory=list)
    synthetic: bool = False


def prune(
    source: SourceText,
    entries: tuple[Entry, ...],
    referenced: Mapping[str, Span | None],
    clips: ClipSource,
    *,
    all_names: bool = False,
    stand_in: StandIn | None = None,
) -> Tree:
    """Keep what is referenced, number it and check it.

    referenced  every name that scripts mention, with the place that a message points at
    all_names   treat every name of the file as mentioned, as tools do; of a leaf that stands in its block again the
                first counts, since the tree is one that loads while nobody mentions it (see `repeated`)
    stand_in    gives the clip of a leaf that has none; without it a missing clip is an error
    Raises DiagnosticError with every fault: duplicates, unknown names, sync faults, missing clips.
    """
    wanted = {name.lower(): span for name, span in referenced.items()}
    work = _Pruning(source, wanted, clips, all_names, stand_in)
    top = Entry(ROOT, source.span(0), NO_FLAGS, entries)
    root = _Kept(top, work.keep_block(top, include=True, force=False))
    tree = work.number(root)
    if work.diagnostics:
        raise DiagnosticError(work.diagnostics)
    return tree


def repeated(entries: tuple[Entry, ...]) -> Iterator[Diagnostic]:
    """Warnings of leaves that stand in their block again: a tree loads while no script mentions it (section 1.3)."""
    first: dict[str, Entry] = {}
    for entry in entries:
        earlier = first.setdefault(entry.name, entry)
        if earlier is not entry and _both_leaves(earlier, entry):
            text = f"'{entry.name}' stands in this block again; no script can mention it"
            notes = (Note("the first is here", earlier.span),)
            yield Diagnostic("duplicate-animation", text, entry.span, "warning", notes)
        yield from repeated(entry.children or ())


def _both_leaves(one: Entry, other: Entry) -> bool:
    return one.children is None and other.children is None


@dataclass(slots=True)
class _Pruning:
    source: SourceText
    wanted: Mapping[str, Span | None]
    clips: ClipSource
    all_names: bool
    stand_in: StandIn | None
    diagnostics: list[Diagnostic] = field(default_factory=list)

    def _error(self, code: str, message: str, span: Span | None, *notes: Note | str | None) -> None:
        made = tuple(Note(note) if isinstance(note, str) else note for note in notes if note)
        self.diagnostics.append(Diagnostic(code, message, span, notes=made))

    # -- what stays --

    def keep_block(self, parent: Entry, *, include: bool, force: bool) -> list[_Kept]:
        """The surviving entries of a block, in file order (section 2.2)."""
        kept: list[_Kept] = []
        first: dict[str, Entry] = {}
        for entry in parent.children or ():
            if (earlier := first.get(entry.name)) is not None:
                passed_over = self.all_names and entry.name not in self.wanted
                if not (passed_over and _both_leaves(earlier, entry)):
                    self._duplicate(entry, earlier)
                continue
            mentioned = force or self.all_names or entry.name in self.wanted
            if entry.children is None:
                if not mentioned:
                    continue
                survivor = _Kept(entry)
            else:
                # Scripts set a blend's parameter and mention none of its children.
                whole = bool(entry.flags & NodeFlag.COMPLETE) or entry.extras.blend is not None
                below = self.keep_block(entry, include=mentioned, force=force or (mentioned and whole))
                if not below:
                    continue
                survivor = _Kept(entry, below)
            kept.append(survivor)
            # Only what stays can collide: an unmentioned leaf is gone before the next name is read.
            first[entry.name] = entry
        if not kept and include:
            name = VOID_LOOP if parent.flags & NodeFlag.LOOPSYNC else VOID
            kept.append(_Kept(Entry(name, parent.span), synthetic=True))
        return kept

    def _duplicate(self, entry: Entry, earlier: Entry) -> None:
        self._error(
            "duplicate-animation",
            f"duplicate animation '{entry.name}' in {self.source.path}",
            entry.span,
            Note("the first is here", earlier.span),
        )

    # -- numbers --

    def number(self, root: _Kept) -> Tree:
        """Number, resolve and check the survivors (sections 2.3 and 2.4)."""
        nodes: list[_Kept] = [root]
        parents = [-1]
        pending = [(root, 0)]
        while pending:
            node, number = pending.pop()
            # Sibling lists of the stock loader are newest first.
            children = node.children[::-1]
            first = len(nodes)
            nodes += children
            parents += [number] * len(children)
            pending += [(child, first + i) for i, child in enumerate(children)][::-1]
        if len(nodes) > MAX_NODES:
            self._error(
                "anim-tree-too-large",
                f"{self.source.path} has {len(nodes)} nodes; a tree may have {MAX_NODES}",
                nodes[MAX_NODES].entry.span,
            )
        self._resolve(nodes)
        flags = self._sync_flags(nodes, parents)
        loaded = [
            None if node.children else self._load(node, flag) for node, flag in zip(nodes, flags, strict=True)
        ]
        self._check_loops(nodes, flags, loaded)
        self._check_extended(nodes, parents, flags)
        extras = [node.entry.extras for node in nodes]
        return Tree(
            name=_tree_name(self.source.path),
            names=tuple(node.entry.name for node in nodes),
            parents=tuple(parents),
            flags=tuple(flags),
            clips=tuple(loaded),
            masks={n: extra.mask for n, extra in enumerate(extras) if extra.mask},
            blends={
                n: _blend(extra.blend, [child for child, parent in enumerate(parents) if parent == n], extras)
                for n, extra in enumerate(extras)
                if extra.blend is not None
            },
        )

    def _resolve(self, nodes: list[_Kept]) -> None:
        """Every mentioned name has to be one surviving node."""
        found: dict[str, _Kept] = {}
        for node in nodes:
            name = node.entry.name
            if name not in self.wanted:
                continue
            earlier = found.setdefault(name, node)
            if earlier is not node:
                self._duplicate(node.entry, earlier.entry)
        for name, span in self.wanted.items():
            if name not in found:
                self._error(
                    "unknown-animation",
                    f"animation '{name}' is not defined in anim tree {self.source.path}",
                    span,
                    did_you_mean(name, self._all_file_names(nodes[0].entry)),
                )

    def _all_file_names(self, top: Entry) -> set[str]:
        names, pending = set(), [top]
        while pending:
            entry = pending.pop()
            names.add(entry.name)
            pending += entry.children or ()
        return names

    # -- sync --

    def _sync_flags(self, nodes: list[_Kept], parents: list[int]) -> list[NodeFlag]:
        """The flags of every node, with the sync bit inherited and the sync roots marked."""
        flags: list[NodeFlag] = []
        for node, parent in zip(nodes, parents, strict=True):
            entry = node.entry
            own = entry.flags & SYNC
            inherited = flags[parent] & SYNC if parent >= 0 else NO_FLAGS
            if own == SYNC:
                self._error(
                    "sync-conflict",
                    f"'{entry.name}' is both loopsync and nonloopsync",
                    entry.span,
                    "keep one of them",
                )
                own = NodeFlag.LOOPSYNC
            if own and inherited:
                self._error(
                    "sync-nested",
                    f"'{entry.name}' has a sync property below another sync node",
                    entry.span,
                    "remove one of the two: everything below a sync node is in step already",
                )
                own = NO_FLAGS
            root = NodeFlag.SYNC_ROOT if own else NO_FLAGS
            kept = entry.flags & (NodeFlag.COMPLETE | NodeFlag.ADDITIVE)
            flags.append(kept | inherited | own | root)
        return flags

    def _check_extended(self, nodes: list[_Kept], parents: list[int], flags: list[NodeFlag]) -> None:
        """What the extended set demands of a tree's shape."""
        added: list[bool] = []
        for number, node in enumerate(nodes):
            entry, parent = node.entry, parents[number]
            above = parent >= 0 and added[parent]
            added.append(above or bool(entry.flags & NodeFlag.ADDITIVE))
            if entry.flags & NodeFlag.ADDITIVE and above:
                self._error(
                    "bad-additive",
                    f"'{entry.name}' is additive and below another additive node",
                    entry.span,
                    "remove one of the two",
                )
            elif entry.flags & NodeFlag.ADDITIVE and parent >= 0 and flags[parent] & SYNC:
                self._error(
                    "bad-additive",
                    f"'{entry.name}' is additive and below a sync node",
                    entry.span,
                    "put it beside the sync node; it may be one itself",
                )
            follows = parent >= 0 and nodes[parent].entry.extras.blend is not None
            if follows and (entry.extras.at is None or entry.flags & NodeFlag.ADDITIVE):
                self._error(
                    "bad-blend",
                    f"'{entry.name}' blends by '{nodes[parent].entry.extras.blend}' and "
                    + (
                        "is additive" if entry.extras.at is not None else "does not say where it stands on it"
                    ),
                    entry.span,
                    "put it beside the blend"
                    if entry.extras.at is not None
                    else "give it a place, such as `: at=60`",
                )
            elif entry.extras.at is not None and not follows:
                self._error(
                    "bad-blend",
                    f"'{entry.name}' has a place, but its group blends by no parameter",
                    entry.span,
                    "give the group above a parameter, such as `: blend=speed`",
                )
            places = [child.entry.extras.at for child in node.children]
            if entry.extras.blend is not None and len(set(places)) < len(places):
                self._error(
                    "bad-blend",
                    f"two animations of '{entry.name}' stand at the same place of '{entry.extras.blend}'",
                    entry.span,
                    "give each a place of its own",
                )

    def _load(self, node: _Kept, flags: NodeFlag) -> Clip | None:
        name = node.entry.name
        clip = self.clips.clip(name)
        if clip is None and self.stand_in is not None:
            return self.stand_in(name, bool(flags & NodeFlag.LOOPSYNC), node.entry.span)
        if clip is None:
            why = "needed for a block of which no animation is used" if node.synthetic else None
            self._error(
                "missing-clip",
                f"cannot find the clip '{name}'",
                node.entry.span,
                why,
                None if node.synthetic else did_you_mean(name, self.clips.clip_names()),
            )
        return clip

    def _check_loops(self, nodes: list[_Kept], flags: list[NodeFlag], clips: list[Clip | None]) -> None:
        for node, flag, clip in zip(nodes, flags, clips, strict=True):
            if clip is None or not flag & SYNC:
                continue
            if clip.looping != bool(flag & NodeFlag.LOOPSYNC):
                kind, group = ("loops", "nonloopsync") if clip.looping else ("does not loop", "loopsync")
                self._error(
                    "sync-loop-mismatch",
                    f"'{node.entry.name}' {kind} but stands below a {group} node",
                    node.entry.span,
                    "change `loop` in the clip's settings, or move the animation",
                )


def _blend(parameter: str, children: list[int], extras: list[Extras]) -> Blend:
    """The children of a group in the order of their places."""
    placed = sorted((extras[child].at or 0.0, child) for child in children)
    return Blend(parameter, tuple(child for _, child in placed), tuple(at for at, _ in placed))


def _tree_name(path: str) -> str:
    """The name by which scripts call a tree, from the path of its file."""
    return path.replace("\\", "/").rpartition("/")[2].lower().removesuffix(".atr")

"""What a name or a path means: a tree, a model or a clip, whether it lies in a known folder or anywhere else."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path

from engine.client.preview.subject import Attachment, Order, UnknownSubjectError
from engine.pipeline.formats import FORMATS
from engine.pipeline.library import MODELS, AssetLibrary
from engine.pipeline.names import asset_name
from engine.source import DiagnosticError
from engine.source.nearest import did_you_mean
from engine.source.paths import canonical, find_file

TREE = ".atr"
MOST_HOLDING = 4
"""Names that are offered because the one asked for is in them, such as `soldier_walk` for `walk`."""
RUN = (".gsc", ".script")
"""Endings of what is run and not looked at."""
TREES, ASSETS = "animtrees", "assets"


@dataclass(frozen=True)
class Finder:
    """Finds what is to be shown. `folders` hold trees, the one that wins first; `model` and `attach` are what the user
    asked for besides (see `Order`)."""

    library: AssetLibrary
    folders: tuple[Path, ...]
    model: str | None = None
    attach: tuple[Attachment, ...] | None = None

    def find(self, name: str) -> Order:
        """The order for a tree, a model or a clip, by name or by path. A path brings the assets that it lies among into
        the library. Raises UnknownSubjectError, whose message says what is near."""
        path = Path(name)
        suffix = path.suffix.lower()
        if suffix == TREE and path.is_file():
            order = self._tree_file(path)
        elif suffix in FORMATS and path.is_file():
            order = self._model_file(path)
        elif suffix == TREE or suffix in FORMATS:
            if path.name != name:
                raise UnknownSubjectError(f"there is no file {name}")
            order = self._named(path.stem)
        elif suffix in RUN:
            raise UnknownSubjectError(f"{name} is a script; `notetrack run {name}` runs it")
        else:
            order = self._named(name)
        return self._checked(order)

    def dropped(self, path: Path) -> Order:
        """The order for a file that is given as such: a tree, a model or clips, on its own model. Raises
        UnknownSubjectError, or DiagnosticError with what stands in the way of using it."""
        suffix = path.suffix.lower()
        own = replace(self, model=None, attach=None)
        if suffix == TREE and path.is_file():
            return own._tree_file(path)
        if suffix not in FORMATS or not path.is_file():
            kinds = ", ".join((TREE, *FORMATS, ".bos", ".cob"))
            raise UnknownSubjectError(f"{path.name} is nothing that can be shown; these can: {kinds}")
        order = own._model_file(path)
        library = self.library
        clips = [clip for clip in library.clip_names() if library.clip_source(clip) == order.name]
        if not clips and not library.has_model(order.name):
            raise DiagnosticError(library.faults(order.name))
        return order

    def _checked(self, order: Order) -> Order:
        if self.model is not None and not self.library.has_model(self.model):
            hint = did_you_mean(asset_name(self.model), self.library.model_names())
            raise UnknownSubjectError(f"there is no model `{self.model}`" + (f"; {hint}" if hint else ""))
        return order

    def _order(self, name: str, tree: Path | None = None, clip: str | None = None) -> Order:
        return Order(name, self.folders, self.model, self.attach, tree, clip)

    def _tree_file(self, path: Path) -> Order:
        folder = path.resolve().parent
        if folder.name.lower() == TREES:
            self._bring(folder.parent / ASSETS)
        return self._order(path.stem.lower(), path)

    def _model_file(self, path: Path) -> Order:
        above = path.resolve().parent.parent
        self._bring(above.parent if above.name.lower() == MODELS else path.resolve())
        return Order(path.stem.lower(), (), self.model, self.attach)

    def _bring(self, root: Path) -> None:
        """Let the library know an asset root, or a single file, before those that it knows already."""
        known = [path.resolve() for path in self.library.roots]
        if root.exists() and root not in known:
            self.library.roots = (root, *self.library.roots)
            self.library.reload()

    def _named(self, name: str) -> Order:
        key = asset_name(name)
        for folder in self.folders:
            path = find_file(folder, canonical(name), TREE)
            if path is not None:
                return self._order(name.lower(), path)
        if key in self.library.model_names():
            return self._order(key)
        if self.library.has_clip(key) and (source := self.library.clip_source(key)) is not None:
            return self._clip(key, source)
        trees = {path.stem.lower() for folder in self.folders for path in folder.glob(f"*{TREE}")}
        names = {*trees, *self.library.model_names(), *self.library.clip_names()}
        holding = sorted((n for n in names if key in n), key=lambda n: (len(n), n))[:MOST_HOLDING]
        hint = did_you_mean(key, names) or (f"there is {', '.join(holding)}" if key and holding else None)
        known = "trees: " + (", ".join(sorted(trees)) or "none")
        elsewhere = "what a mod has is found with --mod FOLDER, or by its path"
        raise UnknownSubjectError(f"there is no tree, model or clip `{name}`; {hint or known}; {elsewhere}")

    def _clip(self, clip: str, source: str) -> Order:
        """A clip is shown in the tree of its model where that has it, so that it can be blended with its neighbours."""
        for folder in self.folders:
            path = find_file(folder, canonical(source), TREE)
            if path is not None and clip in path.read_text("latin-1").lower().split():
                return self._order(source, path, clip)
        return self._order(source, clip=clip)

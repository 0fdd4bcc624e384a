"""A model in one of its skins, as a model of its own that shares everything with the first."""

from __future__ import annotations

from dataclasses import replace
from weakref import WeakKeyDictionary

from engine.pipeline.model import Model

_KNOWN: WeakKeyDictionary[Model, dict[str, Model]] = WeakKeyDictionary()


def in_skin(model: Model, skin: str) -> Model:
    """The model with the materials of a skin and without the meshes that it hides.

    The same model and skin give the same object. An unknown skin gives the model itself.
    """
    indices = model.skins.get(skin.lower())
    if indices is None:
        return model
    known = _KNOWN.setdefault(model, {})
    if skin not in known:
        shown = [(mesh, index) for mesh, index in zip(model.meshes, indices, strict=True) if index >= 0]
        meshes = tuple(replace(mesh, material=index) for mesh, index in shown)
        known[skin] = replace(model, meshes=meshes, skins={})
    return known[skin]

"""A scene and its settings become a model and clips in engine conventions."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from itertools import chain

import numpy as np

from engine.anim.clip import Clip
from engine.anim.skeleton import FARTHEST, Skeleton
from engine.pipeline.faults import Faults
from engine.pipeline.formats import Format
from engine.pipeline.geometry import build_parts, join_parts, to_linear
from engine.pipeline.model import Material, Mesh, Model
from engine.pipeline.motion import Order, convert_clips, settings_key
from engine.pipeline.pictures import fault_of
from engine.pipeline.placeholder import checker_png
from engine.pipeline.quaternions import quats_of
from engine.pipeline.rig import Axes, Rig, build_rig, node_worlds
from engine.pipeline.scene import Float64, Node, Scene, SceneMaterial
from engine.pipeline.settings import ClipSettings, MaterialSettings, ModelSettings
from engine.source import Span
from engine.source.nearest import did_you_mean

LoadFile = Callable[[str], bytes | None]

_LAST_ROW = (0.0, 0.0, 0.0, 1.0)

MOST_LIGHT = 1e6
"""Largest number in a material."""

SMALLEST_MODEL, LARGEST_MODEL = 0.01, 100_000.0
"""Inches; a model whose longest side is beyond them has hardly the size that it is meant to have."""


@dataclass(frozen=True)
class Converted:
    """`model` is None for a source that only brings clips."""

    model: Model | None
    clips: tuple[Clip, ...]


def convert(
    name: str, scene: Scene, settings: ModelSettings, form: Format, load: LoadFile, faults: Faults
) -> Converted:
    """Convert a whole scene. `load` reads a texture file beside the source, None where it cannot.

    Faults that leave something usable go to `faults`; others raise DiagnosticError.
    """
    scene = replace(scene, nodes=[_checked(index, node, faults) for index, node in enumerate(scene.nodes)])
    pieces = settings.pieces or form.pieces
    axes = Axes.of(settings, form)
    _check_scale(scene, axes, settings, form, faults)
    rig = build_rig(scene, axes, faults, pieces=pieces, motion=form.motion)
    if settings.root is not None and settings.root not in rig.names:
        _unknown(settings, ("root",), "bone", settings.root, rig.names, faults)
    clips = _clips(scene, rig, settings, faults)
    wanted = settings.model and not form.motion
    model = _model(name, scene, rig, settings, form, load, faults) if wanted else None
    if model is None and not clips:
        reason = "`model = false` is set" if not form.motion else "the format holds nothing else"
        faults.error("empty-source", f"there are no animations in this source, and {reason}")
    return Converted(model, clips)


def _checked(index: int, node: Node, faults: Faults) -> Node:
    """The node with a transform that is one. The scene, which may be converted again, stays as it is."""
    label = node.name or f"node_{index}"
    if not np.isfinite(node.transform).all():
        raise faults.fatal(
            "bad-node", f"node `{label}` has a transform that is not made of numbers", "export it again"
        )
    if np.array_equal(node.transform[3], _LAST_ROW):
        return node
    faults.warn(
        "bad-node",
        f"node `{label}` has a matrix whose last row is not 0 0 0 1, as it is now taken to be",
        "export it again",
    )
    return replace(node, transform=np.array([*node.transform[:3], _LAST_ROW]))


def _size_place(settings: ModelSettings) -> Span | None:
    """Where the settings say how large everything is, None where they do not."""
    given = settings.file.data if settings.file is not None else {}
    return next((settings.place(key) for key in ("scale", "unit") if key in given), None)


def _check_scale(scene: Scene, axes: Axes, settings: ModelSettings, form: Format, faults: Faults) -> None:
    """Raises where it is the settings that move nodes out of reach: nothing is wrong with the source then."""
    times = axes.scale / Axes.of(replace(settings, unit=None, scale=1.0), form).scale
    if times <= 1.0 or not scene.nodes:
        return
    worlds = axes.matrices(node_worlds(scene, np.array([node.transform for node in scene.nodes])))
    away = np.abs(worlds[:, :3, 3]).max(axis=1)
    index = int(np.argmax(away))
    if FARTHEST < away[index] <= FARTHEST * times:
        raise faults.fatal(
            "bad-setting",
            f"node `{scene.nodes[index].name or f'node_{index}'}` is {away[index]:,.0f} inches away with these"
            f" settings; {FARTHEST:,.0f} at most",
            f"they make the source {times:g} times as large as it says that it is",
            span=_size_place(settings),
        )


def _check_size(model: Model, settings: ModelSettings, faults: Faults) -> None:
    """A warning of a model that is too small or too large to be meant so."""
    low, high = (np.asarray(corner) for corner in model.bounds)
    size = float((high - low).max())
    if not SMALLEST_MODEL <= size <= LARGEST_MODEL:
        faults.warn(
            "odd-size",
            f"the longest side of the model is {f'{size:,.0f}' if size > 1 else f'{size:.2g}'} inches",
            "look at `scale` and `unit` in the settings",
            span=_size_place(settings),
        )


def _unknown(
    settings: ModelSettings,
    path: tuple[str, ...],
    kind: str,
    name: str,
    known: tuple[str, ...] | list[str],
    faults: Faults,
) -> None:
    hint = did_you_mean(name, known) or f"the source has: {', '.join(sorted(known)[:20]) or 'none'}"
    faults.error(
        f"unknown-{kind}",
        f"the source has no {kind.removeprefix('source-')} `{name}`",
        hint,
        span=settings.place(*path),
    )


# Clips --------------------------------------------------------------------------------------------------


def _clips(scene: Scene, rig: Rig, settings: ModelSettings, faults: Faults) -> tuple[Clip, ...]:
    """Every animation of the source, in the order of their names."""
    found: dict[str, Clip] = {}
    known: list[str] = []
    orders: list[list[Order]] = []
    for animation in scene.animations:
        key = settings_key(animation, settings)
        known.append(key)
        how = settings.clips.get(key, ClipSettings())
        sides = (False, True) if how.mirror is not None else (False,)
        orders.append([Order(animation, how, mirrored, faults.another()) for mirrored in sides])
    made = iter(convert_clips(scene, rig, list(chain.from_iterable(orders)), settings))
    for of_one in orders:
        clips = [next(made) for _ in of_one]
        for order in of_one:
            faults.add(order.faults)
        for clip in clips:
            if clip is not None and clip.name in found:
                faults.error(
                    "duplicate-clip",
                    f"two animations give a clip `{clip.name}`",
                    "rename one in the source, or with `name` in the settings",
                )
            elif clip is not None:
                found[clip.name] = clip
    for key in settings.clips:
        if key not in known:
            _unknown(settings, ("clips", key), "source-animation", key, list(dict.fromkeys(known)), faults)
    return tuple(found[name] for name in sorted(found))


# Model --------------------------------------------------------------------------------------------------


def _model(
    name: str,
    scene: Scene,
    rig: Rig,
    settings: ModelSettings,
    form: Format,
    load: LoadFile,
    faults: Faults,
) -> Model:
    worlds = rig.axes.matrices(node_worlds(scene, np.array([node.transform for node in scene.nodes])))
    linear = form.linear_colors if settings.colors is None else settings.colors == "linear"
    parts, binds = build_parts(scene, rig, worlds, linear, faults)
    if not parts:
        raise faults.fatal(
            "no-mesh",
            "there are no triangles in this source",
            "export the mesh too, or set `model = false` for a file of clips",
        )
    nodes = sorted({part.node for part in parts})
    for skin, of_skin in settings.skins.items():
        for hidden in of_skin.hide:
            if hidden not in nodes:
                _unknown(settings, ("skins", skin, "hide"), "mesh", hidden, nodes, faults)
    hidden_by = {
        node: frozenset(skin for skin, of_skin in settings.skins.items() if node in of_skin.hide)
        for node in nodes
    }
    meshes = join_parts(parts, hidden_by)
    paint = _Paint(scene, settings, load, faults)
    meshes = [replace(mesh, material=paint.of_source(mesh.material)) for mesh in meshes]
    skins = {
        skin: tuple(
            -1 if skin in hidden_by[mesh.name] else paint.of_skin(skin, mesh.material) for mesh in meshes
        )
        for skin in settings.skins
    }
    paint.check_names()
    model = Model(
        name=name,
        skeleton=_skeleton(rig, binds, faults),
        meshes=tuple(meshes),
        materials=tuple(paint.materials),
        textures=tuple(paint.textures),
        bounds=_bounds(meshes, rig.rest @ binds),
        skins=skins,
    )
    _check_size(model, settings, faults)
    return model


def _skeleton(rig: Rig, binds: Float64, faults: Faults) -> Skeleton:
    local = rig.rest.copy()
    below = np.flatnonzero(rig.parents >= 0)
    local[below] = np.linalg.inv(rig.rest)[rig.parents[below]] @ rig.rest[below]
    rest = np.concatenate([quats_of(local[:, :3, :3]).T, local[:, :3, 3].T, np.ones((1, len(rig.names)))])
    try:
        return Skeleton(rig.names, rig.parents, rest.astype(np.float32), binds[:, :3].astype(np.float32))
    except ValueError as error:
        raise faults.fatal("bad-source", str(error), "look at the scales in the source") from None


def _bounds(
    meshes: list[Mesh], palette: Float64
) -> tuple[tuple[float, float, float], tuple[float, float, float]]:
    """Corners of the rest pose."""
    low, high = np.full(3, np.inf), np.full(3, -np.inf)
    for mesh in meshes:
        skin = _blended(palette[:, :3].reshape(-1, 12), mesh).reshape(-1, 3, 4)
        points = np.einsum("vij,vj->vi", skin[..., :3], mesh.positions) + skin[..., 3]
        low, high = np.minimum(low, points.min(axis=0)), np.maximum(high, points.max(axis=0))
    return (float(low[0]), float(low[1]), float(low[2])), (float(high[0]), float(high[1]), float(high[2]))


def _blended(palette: Float64, mesh: Mesh) -> Float64:
    """Rows of the palette for each vertex, by its weights."""
    found: Float64 = np.zeros((len(mesh.weights), palette.shape[1]))
    for joints, weights in zip(mesh.joints.T.astype(np.intp), mesh.weights.T.astype(np.float64), strict=True):
        if weights.any():
            found += palette.take(joints, axis=0) * weights[:, None]
    return found


class _Paint:
    """The materials and textures of a model, those of its skins included; equal ones are shared."""

    def __init__(self, scene: Scene, settings: ModelSettings, load: LoadFile, faults: Faults) -> None:
        self.scene, self.settings, self.load, self.faults = scene, settings, load, faults
        self.materials: list[Material] = []
        self.textures: list[bytes] = []
        self._names_used: set[str] = set()
        self._looked_at: dict[bytes | None, str | None] = {}

    def of_source(self, index: int) -> int:
        """The model's material for a material of the source, with what the settings replace."""
        source = self.scene.materials[index] if index < len(self.scene.materials) else None
        if source is None:
            return self._add(Material("default"))
        name = source.name.lower() or f"material_{index}"
        self._names_used.add(name)
        numbers = np.array([*source.color, *source.emissive, source.roughness, source.metallic])
        if not (np.abs(numbers) <= MOST_LIGHT).all():
            self.faults.warn(
                "bad-material",
                f"material `{name}` has values beyond all measure; plain white is taken instead",
                "set its colours anew in the source, or in the settings",
            )
            source = SceneMaterial(source.name, two_sided=source.two_sided, texture=source.texture)
        material = Material(
            name,
            source.color,
            self._texture(source.texture, name),
            source.emissive,
            source.roughness,
            source.metallic,
            source.two_sided,
        )
        return self._add(self._replaced(material, self.settings.materials.get(name)))

    def of_skin(self, skin: str, index: int) -> int:
        material = self.materials[index]
        return self._add(self._replaced(material, self.settings.skins[skin].materials.get(material.name)))

    def check_names(self) -> None:
        """Settings for materials that the source does not have."""
        tables: list[tuple[tuple[str, ...], Mapping[str, MaterialSettings]]] = [
            (("materials",), self.settings.materials)
        ]
        tables += [(("skins", k, "materials"), skin.materials) for k, skin in self.settings.skins.items()]
        for path, table in tables:
            for name in table:
                if name not in self._names_used:
                    known = sorted(self._names_used)
                    _unknown(self.settings, (*path, name), "material", name, known, self.faults)

    def _add(self, material: Material) -> int:
        if material not in self.materials:
            self.materials.append(material)
        return self.materials.index(material)

    def _replaced(self, material: Material, by: MaterialSettings | None) -> Material:
        if by is None:
            return material
        changes: dict[str, object] = {
            key: value for key in ("roughness", "metallic") if (value := getattr(by, key)) is not None
        }
        if by.color is not None:
            r, g, b = to_linear(by.color[:3])
            changes["color"] = (float(r), float(g), float(b), by.color[3])
        if by.emissive is not None:
            changes["emissive"] = by.emissive
        if by.texture is not None:
            changes["texture"] = self._texture(by.texture, material.name)
        return replace(material, **changes)  # type: ignore[arg-type]  # each value has its field's type

    def _texture(self, name: str, material: str) -> int | None:
        """The texture behind a name: `*N` inside the source, else a file. A checker where it is missing."""
        if not name:
            return None
        data: bytes | None = None
        if name.startswith("*"):
            number = int(name[1:]) if name[1:].isdecimal() else -1
            if 0 <= number < len(self.scene.images):
                data = self.scene.images[number]
        else:
            data = self.load(name)
        reason = self._fault(data)
        if data is None or reason is not None:
            self.faults.warn(
                "missing-texture",
                f"texture `{name}` of material `{material}` {reason}; a checker is shown instead",
                "put a PNG or JPEG beside the source, or include it in the export",
            )
            data = checker_png()
        if data not in self.textures:
            self.textures.append(data)
        return self.textures.index(data)

    def _fault(self, data: bytes | None) -> str | None:
        """Why a picture cannot be shown; each is looked through once."""
        if data not in self._looked_at:
            self._looked_at[data] = "cannot be found" if data is None else fault_of(data)
        return self._looked_at[data]

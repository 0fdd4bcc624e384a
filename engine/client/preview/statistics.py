"""Figures of what is previewed: what it is made of, and how much room it takes."""

from __future__ import annotations

from weakref import WeakKeyDictionary

from engine.anim.clip import Clip
from engine.client.render.detail import steps
from engine.pipeline.model import Model


def model_facts(model: Model) -> list[str]:
    """Lines about a model, without its coarser copies."""
    vertices = sum(len(mesh.positions) for mesh in model.meshes)
    triangles = sum(len(mesh.indices) for mesh in model.meshes)
    arrays = [
        array
        for mesh in model.meshes
        for array in (
            mesh.positions,
            mesh.normals,
            mesh.uvs,
            mesh.colors,
            mesh.joints,
            mesh.weights,
            mesh.indices,
        )
    ]
    size = sum(array.nbytes for array in arrays) + sum(len(texture) for texture in model.textures)
    low, high = model.bounds
    sides = " x ".join(f"{b - a:.0f}" for a, b in zip(low, high, strict=True))
    return [
        f"{counted(len(model.skeleton), 'bone')}, {counted(len(model.meshes), 'mesh', 'es')}",
        f"{triangles:,} triangles, {vertices:,} vertices",
        f"{counted(len(model.materials), 'material')}, {counted(len(model.textures), 'texture')}",
        f"{_bytes(size)}, {sides} inches",
    ]


def clip_facts(clip: Clip) -> list[str]:
    """Lines about a clip."""
    size = clip.rows.nbytes + (clip.delta.nbytes if clip.delta is not None else 0)
    facts = [
        f"{counted(len(clip.bones), 'bone')} moved, {clip.frames * len(clip.bones):,} keys",
        f"{clip.fps:.4g} frames a second, {_bytes(size)}",
    ]
    if clip.delta is not None and clip.length:
        x, y, _, yaw = (float(value) for value in clip.delta[-1])
        way = (x * x + y * y) ** 0.5
        if way > 0.5:
            facts.append(f"travels {way:.0f} inches, {way / clip.length:.0f} a second")
        if abs(yaw) > 0.5:
            facts.append(f"turns {abs(yaw):.0f} degrees {'left' if yaw > 0 else 'right'}")
    return facts


_copies: WeakKeyDictionary[Model, str] = WeakKeyDictionary()


def copies(model: Model) -> str:
    """The triangles of the copies that are drawn far away. The first time takes as long as making them."""
    if model not in _copies:
        counts = [sum(len(mesh.indices) for mesh in step.meshes) for step in steps(model)[1:]]
        listed = ", ".join(f"{count:,}" for count in counts)
        _copies[model] = f"far away {listed} triangles" if counts else "no coarser copies"
    return _copies[model]


def counted(number: int, noun: str, plural: str = "s") -> str:
    """`1 bone`, `2 bones`."""
    return f"{number:,} {noun}" + ("" if number == 1 else plural)


def _bytes(size: int) -> str:
    return f"{size / 1024:,.0f} kB" if size < 10 << 20 else f"{size / (1 << 20):,.1f} MB"

"""Stepped and cubic animation curves of a glTF document, rewritten as linear ones.

libassimp keeps neither the tangents of a cubic curve nor, before 5.4, the mode of a stepped one. A cubic
curve is evaluated here by the formula of the glTF specification (its appendix on interpolation) and stored
as short straight pieces; a stepped one gets a second key just before each step.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from engine.pipeline.faults import Faults
from engine.pipeline.gltf_data import Document, add_accessor, check_accessor, item, read_floats

Float64 = NDArray[np.float64]

PIECES_PER_SECOND = 120.0
"""Straight pieces a second of a cubic curve: four for each frame at the usual 30."""

MAX_PIECES = 100_000

_SHAPES = {"translation": "VEC3", "rotation": "VEC4", "scale": "VEC3"}
"""What a node can be moved by."""

STEP_GAP = 1e-4
"""Seconds before a step at which the old value ends. Half of it is left for rounding of key times."""


def make_linear(document: Document, binary: bytearray, faults: Faults) -> None:
    """Rewrite every sampler that is not linear; leave out channels that move no node."""
    for animation in document.get("animations", []):
        samplers = animation["samplers"]
        kept = []
        for channel in animation["channels"]:
            target = channel["target"]
            if target.get("path") == "weights":
                faults.warn(
                    "shape-keys",
                    f"animation `{animation['name']}` moves shape keys, which are not supported",
                    "animate bones instead",
                )
            elif target.get("node") is not None and target.get("path") not in _SHAPES:
                faults.warn(
                    "bad-clip",
                    f"animation `{animation['name']}` moves `{target.get('path')}` of a node, which is not read",
                    "animate translation, rotation and scale",
                )
            elif target.get("node") is not None:
                kept.append(channel)
        animation["channels"] = kept
        rotations = {channel["sampler"] for channel in kept if channel["target"].get("path") == "rotation"}
        for channel in kept:
            _check_shape(document, animation, channel)
        for index in {channel["sampler"] for channel in kept}:
            check_accessor(document, samplers[index]["input"], ("SCALAR",))
            mode = samplers[index].get("interpolation", "LINEAR")
            if mode == "LINEAR":
                continue
            times = read_floats(document, binary, samplers[index]["input"])[:, 0]
            values = read_floats(document, binary, samplers[index]["output"])
            if not (np.isfinite(times).all() and np.isfinite(values).all()):
                raise ValueError(f"animation `{animation['name']}` has keys that are not numbers")
            times, values = (
                _step(times, values) if mode == "STEP" else _cubic(times, values, index in rotations)
            )
            samplers[index] = {
                "input": add_accessor(document, binary, times[:, None], "SCALAR"),
                "output": add_accessor(document, binary, values, "VEC4" if values.shape[1] == 4 else "VEC3"),
                "interpolation": "LINEAR",
            }


def _check_shape(document: Document, animation: Document, channel: Document) -> None:
    """Raises ValueError where a channel's curve is not there, or not of numbers that can move what it moves."""
    samplers, index, path = animation["samplers"], channel["sampler"], channel["target"]["path"]
    if not 0 <= index < len(samplers):
        raise IndexError(f"animation `{animation['name']}` has no sampler {index}")
    found = check_accessor(document, samplers[index]["output"])["type"]
    if found != _SHAPES[path]:
        name = item(document, "nodes", channel["target"]["node"]).get("name", "?")
        raise ValueError(
            f"animation `{animation['name']}` moves {path} of node `{name}` by {found} values, not {_SHAPES[path]}"
        )


def _step(times: Float64, values: Float64) -> tuple[Float64, Float64]:
    if len(times) != len(values):
        raise ValueError("a stepped curve with a wrong number of values")
    count = len(times)
    if count < 2:
        return times, values
    gaps = np.minimum(STEP_GAP, np.diff(times) / 4)
    moments = np.empty(3 * count - 2)
    held = np.empty((3 * count - 2, values.shape[1]))
    moments[0::3], held[0::3] = times, values
    moments[1::3], held[1::3] = times[1:] - gaps, values[:-1]
    moments[2::3], held[2::3] = times[1:] - gaps / 2, values[1:]
    order = np.argsort(moments, kind="stable")
    return moments[order], held[order]


def _cubic(times: Float64, values: Float64, rotation: bool) -> tuple[Float64, Float64]:
    if len(values) != 3 * len(times):
        raise ValueError("a cubic curve with a wrong number of values")
    incoming, points, outgoing = values[0::3], values[1::3], values[2::3]
    if len(times) < 2:
        return times, points
    spans = np.diff(times)
    if spans.min() < 0:
        raise ValueError("a curve whose times go back")
    counts = np.maximum(1, np.ceil(spans * PIECES_PER_SECOND)).astype(np.int64)
    if counts.sum() > MAX_PIECES:
        raise ValueError("a cubic curve that is too long")
    moments, results = [times[:1]], [points[:1]]
    for key, (span, count) in enumerate(zip(spans, counts, strict=True)):
        s = (np.arange(1, count + 1) / count)[:, None]
        s2, s3 = s * s, s * s * s
        results.append(
            (2 * s3 - 3 * s2 + 1) * points[key]
            + (s3 - 2 * s2 + s) * span * outgoing[key]
            + (3 * s2 - 2 * s3) * points[key + 1]
            + (s3 - s2) * span * incoming[key + 1]
        )
        moments.append(times[key] + span * s[:, 0])
    curve = np.concatenate(results)
    if rotation:
        lengths = np.linalg.norm(curve, axis=1, keepdims=True)
        curve = np.where(lengths > 1e-9, curve / np.maximum(lengths, 1e-9), np.array([0, 0, 0, 1.0]))
    return np.concatenate(moments), curve

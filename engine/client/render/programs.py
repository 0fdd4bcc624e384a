"""Shader programs: the files of `shaders/`, with `#include` and defines, and the block of values that all of
them share."""

from __future__ import annotations

import re
from collections.abc import Sequence
from enum import IntEnum
from functools import cache
from importlib.resources import files

import moderngl
import numpy as np

from engine.client.render.scene import Float32, Light, Scene
from engine.world.view import Vector

MAX_LIGHTS = 8
"""Room for point lights in `Frame`."""


class Unit(IntEnum):
    """Where each texture is bound; programs read it by the name in lower case."""

    LEVEL_DEPTH = 0
    MOVER_DEPTH = 1
    SURFACES = 2
    RELIEF = 3
    LIGHT_MAP = 4
    PALETTES = 5
    SKIN = 6
    NOISE = 7
    SHEET = 8
    PICTURE = 9


PIECE = 4096
"""Bytes that are written to a buffer at once."""

_INCLUDE = re.compile(r'^#include "([a-z_.]+)"$', re.MULTILINE)


@cache
def _text(name: str) -> str:
    text = files("engine.client.render").joinpath("shaders", name).read_text("utf-8")
    return _INCLUDE.sub(lambda match: _text(match[1]), text)


def build(context: moderngl.Context, vertex: str, fragment: str, **defines: float) -> moderngl.Program:
    """Compiles `vertex`.vert with `fragment`.frag; every keyword becomes a `#define`."""
    defines.setdefault("LIGHTS", MAX_LIGHTS)
    head = "#version 330 core\n" + "".join(f"#define {name} {value}\n" for name, value in defines.items())
    program = context.program(head + _text(f"{vertex}.vert"), head + _text(f"{fragment}.frag"))
    if "Frame" in program:
        program["Frame"].binding = 0  # type: ignore[union-attr]  # the kind is known
    for unit in Unit:
        put(program, unit.name.lower(), int(unit))
    return program


def put(program: moderngl.Program, name: str, value: object) -> None:
    """Sets a uniform; one that the compiler dropped because nothing depends on it is no error."""
    if name in program:
        program[name].value = value  # type: ignore[union-attr]  # the kind is known


def put_matrix(program: moderngl.Program, name: str, matrix: Float32) -> None:
    """Sets a matrix uniform from rows, as NumPy writes them."""
    if name in program:
        program[name].write(np.ascontiguousarray(matrix.T, np.float32).tobytes())  # type: ignore[union-attr]  # the kind is known


def refill(buffer: moderngl.Buffer, data: bytes) -> None:
    """Writes new content, without waiting for what is still being drawn with the old one.

    In pieces: Mesa hands small ones to its own thread, and for a large one waits until that thread has drawn
    everything.
    """
    buffer.orphan()
    for start in range(0, len(data), PIECE):
        buffer.write(data[start : start + PIECE], offset=start)


def frame_block(
    scene: Scene,
    view_projection: Float32,
    level_shadow: Float32,
    mover_shadow: Float32,
    exposure: float,
    lights: Sequence[Light],
) -> bytes:
    """The uniform block `Frame` of common.glsl (std140), with at most `MAX_LIGHTS` point lights."""
    air = scene.atmosphere
    block = np.zeros(48 + 28 + MAX_LIGHTS * 8, np.float32)
    for i, matrix in enumerate((view_projection, level_shadow, mover_shadow)):
        block[i * 16 : i * 16 + 16] = matrix.T.ravel()
    block[48:76] = np.array(
        [
            (*scene.camera.position, scene.time % 36000.0),
            (*air.sun_direction, 0.0),
            (*air.sun_color, 0.0),
            (*air.sky_color, 0.0),
            (*air.ground_color, 0.0),
            (*air.fog_color, air.fog_density),
            (air.fog_start, max(air.fog_end, air.fog_start + 1.0), 0.0, exposure),
        ],
        np.float32,
    ).ravel()
    block[76 : 76 + MAX_LIGHTS * 4] = (0.0, 0.0, -1e6, 1.0) * MAX_LIGHTS
    for i, light in enumerate(lights):
        block[76 + i * 4 : 80 + i * 4] = (*light.position, light.radius)
        at = 76 + MAX_LIGHTS * 4 + i * 4
        block[at : at + 3] = light.color
    return block.tobytes()


def developed(colour: Vector, exposure: float) -> Vector:
    """A linear colour as the display shows it: `develop` of common.glsl."""
    c = np.maximum(np.asarray(colour) * exposure - 0.004, 0.0)
    shown: Vector = tuple(((c * (6.2 * c + 0.5)) / (c * (6.2 * c + 1.7) + 0.06)).tolist())
    return shown


def chosen_lights(scene: Scene, planes: Float32, most: int = MAX_LIGHTS) -> list[Light]:
    """At most `most` lights that reach into the view, those that matter most at the camera first.

    Each one costs every pixel of the picture, so that those out of sight are worth leaving out.
    """
    eye = np.asarray(scene.camera.position)

    def weight(light: Light) -> float:
        distance = float(np.linalg.norm(np.asarray(light.position) - eye))
        return max(light.color) * light.radius / (distance + 64.0)

    def seen(light: Light) -> bool:
        return bool((planes[:, :3] @ np.asarray(light.position) + planes[:, 3] > -light.radius).all())

    return sorted(filter(seen, scene.lights), key=weight, reverse=True)[:most]

"""Textures that are cut short or damaged are told when they are cooked, and a checker is shown in their place."""

from __future__ import annotations

import base64
import io
import random
import struct
import zlib
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pygame
import pytest
from PIL import Image

from engine.client.render.gl_materials import Materials
from engine.pipeline.pictures import LARGEST_SIDE, fault_of
from engine.pipeline.placeholder import checker_png
from engine.source.render import to_text
from tests.pipeline.conftest import CookIt
from tests.pipeline.gltf_writer import Gltf, quad

_PIXELS = np.random.default_rng(1).integers(0, 255, (37, 29, 4), np.uint8)


def _encoded(kind: str, mode: str, **how: object) -> bytes:
    buffer = io.BytesIO()
    Image.fromarray(_PIXELS).convert(mode).save(buffer, kind, **how)
    return buffer.getvalue()


def _chunk(kind: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


def _png(width: int, height: int, rows: bytes, interlaced: int = 0) -> bytes:
    """Of grey pixels of a byte."""
    header = struct.pack(">IIBBBBB", width, height, 8, 0, 0, 0, interlaced)
    body = _chunk(b"IHDR", header) + _chunk(b"IDAT", zlib.compress(rows)) + _chunk(b"IEND", b"")
    return b"\x89PNG\r\n\x1a\n" + body


PNGS = {mode: _encoded("PNG", mode) for mode in ("1", "L", "LA", "P", "RGB", "RGBA")}
PNGS["interlaced"] = _png(2, 3, b"\0a" + b"\0b" + b"\0c" + b"\0d" + b"\0ee", 1)
JPEGS = {
    f"{mode} {how}": _encoded("JPEG", mode, **how)
    for mode in ("L", "RGB", "CMYK")
    for how in ({}, {"progressive": True}, {"restart_marker_rows": 1})
}
WHOLE = [pytest.param(data, id=name) for name, data in (PNGS | JPEGS).items()]


@pytest.mark.parametrize("data", WHOLE)
def test_whole_pictures_are_good_whatever_comes_after_them(data: bytes) -> None:
    assert fault_of(data) is None
    assert fault_of(data + b"trailing") is None


@pytest.mark.parametrize("data", WHOLE)
def test_a_picture_that_is_cut_anywhere_is_told(data: bytes) -> None:
    assert all(fault_of(data[:size]) for size in range(len(data)))


@pytest.mark.parametrize("name", [name for name in PNGS if name != "interlaced"])
def test_what_no_decoder_reads_is_never_good(name: str) -> None:
    chance = random.Random(3)
    for _ in range(150):
        damaged = bytearray(PNGS[name])
        for _ in range(chance.randint(1, 3)):
            damaged[chance.randrange(len(damaged))] = chance.randrange(256)
        if fault_of(bytes(damaged)) is None:
            pygame.image.load(io.BytesIO(damaged))


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b"GIF89a", "is neither PNG nor JPEG"),
        (b"", "is neither PNG nor JPEG"),
        (b"\x89PNG\r\n\x1a\n" + b"junk" * 30, "is damaged"),
        (b"\xff\xd8\xff" + b"junk" * 30, "is cut short"),
        (_png(2, 2, b"\0aa\0"), "is damaged"),
        (_png(2, 2, b"\0aa\7aa"), "is damaged"),
        (_png(0, 2, b"\0\0"), "is damaged"),
        (_png(60000, 2, b"\0"), f"has 60000 x 2 pixels, and {LARGEST_SIDE} a side are the most"),
        (PNGS["P"].replace(b"PLTE", b"pLTE"), "is damaged"),
        (JPEGS["RGB {}"].replace(b"\xff\xc0", b"\xff\xc3"), "is a JPEG of a kind that is not read"),
        (JPEGS["RGB {}"].replace(b"\xff\xc4", b"\xff\xee"), "is damaged"),
        (JPEGS["RGB {}"].replace(b"\xff\xdb", b"\xff\xee"), "is damaged"),
    ],
    ids=range(12),
)
def test_what_is_wrong_is_said(data: bytes, said: str) -> None:
    assert fault_of(data) == said


def test_a_picture_is_not_unpacked_further_than_its_size() -> None:
    """A few bytes may stand for all memory."""
    assert fault_of(_png(2, 2, b"\0aa\0aa" + bytes(50_000_000))) is None


def _painted(picture: bytes, inside: bool) -> Gltf:
    gltf = Gltf()
    gltf.add("textures", source=0)
    if inside:
        gltf.add("images", bufferView=gltf.view(picture), mimeType="image/png")
    else:
        gltf.add("images", uri="data:image/png;base64," + base64.b64encode(picture).decode())
    gltf.add("materials", name="Cloth", pbrMetallicRoughness={"baseColorTexture": {"index": 0}})
    mesh = quad(gltf, TEXCOORD_0=gltf.accessor([[0, 1], [1, 1], [1, 0], [0, 0]], "VEC2"))
    gltf.document["meshes"][mesh]["primitives"][0]["material"] = 0
    gltf.node("body", mesh=mesh)
    return gltf


@pytest.mark.parametrize("inside", [True, False])
@pytest.mark.parametrize("data", [PNGS["RGB"], JPEGS["RGB {}"]], ids=["PNG", "JPEG"])
def test_a_damaged_picture_is_a_checker_and_one_warning(cook_it: CookIt, data: bytes, inside: bool) -> None:
    result = cook_it(_painted(data[: len(data) // 2], inside))
    assert result.model.textures == (checker_png(),)
    (warning,) = result.diagnostics
    assert (warning.code, warning.severity) == ("missing-texture", "warning")
    assert "of material `cloth` is cut short; a checker is shown instead" in warning.message
    assert "thing.glb" in to_text(warning)


def test_a_damaged_picture_of_the_sidecar_is_named(cook_it: CookIt, tmp_path: Path) -> None:
    (tmp_path / "thing").mkdir()
    (tmp_path / "thing" / "t.png").write_bytes(PNGS["RGB"][:60])
    sidecar = '[materials.cloth]\ntexture = "t.png"\n[skins.a.materials.cloth]\ntexture = "t.png"\n'
    result = cook_it(_painted(PNGS["L"], True), sidecar)
    assert result.model.textures == (PNGS["L"], checker_png())
    assert [d.message.split(";")[0] for d in result.diagnostics] == [
        "texture `t.png` of material `cloth` is cut short"
    ]


def test_what_the_renderer_cannot_read_is_a_checker_there_too() -> None:
    """A cooked file may hold what only a decoder finds wrong."""
    made = []

    def texture(size: tuple[int, int], components: int, pixels: bytes) -> SimpleNamespace:
        made.append((size, pixels))
        return SimpleNamespace(build_mipmaps=lambda: None)

    materials = Materials.__new__(Materials)
    materials.context = SimpleNamespace(texture=texture)
    materials._pictures = {}
    materials.picture(PNGS["RGB"][:60])
    materials.picture(checker_png())
    assert made[0] == made[1]

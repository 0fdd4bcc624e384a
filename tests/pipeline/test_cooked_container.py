"""The cooked file: the same bytes for the same content, aligned, and refused when it is damaged."""

from __future__ import annotations

import json
import struct
import zlib
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.pipeline import container
from engine.pipeline.container import DamagedFile
from engine.pipeline.convert import Converted
from engine.pipeline.files import write_atomically
from engine.pipeline.packing import pack, unpack
from engine.pipeline.placeholder import placeholder_model, still_clip

ARRAYS = {
    "b": np.arange(12, dtype=np.float32).reshape(3, 4),
    "a": np.array([[1, 2]], np.uint16),
    "empty": np.zeros((0, 3), np.float32),
}
META = {"name": "thing", "list": [1, 2.5, None, "ä"]}


def _model_bytes() -> bytes:
    content = Converted(placeholder_model("crate"), (still_clip("void", looping=True),))
    meta, arrays = pack(content)
    return container.to_bytes(meta | {"name": "crate"}, arrays)


MODEL = _model_bytes()


def test_round_trip_through_a_file(tmp_path: Path) -> None:
    write_atomically(tmp_path / "a.ntk", container.to_bytes(META, ARRAYS))
    found = container.read(tmp_path / "a.ntk")
    assert found.meta == META
    assert set(found.arrays) == set(ARRAYS)
    for name, array in ARRAYS.items():
        assert np.array_equal(found.arrays[name], array)
        assert found.arrays[name].dtype == array.dtype
    assert container.read_meta(tmp_path / "a.ntk") == META


def test_arrays_are_aligned_mapped_and_read_only(tmp_path: Path) -> None:
    write_atomically(tmp_path / "a.ntk", container.to_bytes(META, ARRAYS))
    array = container.read(tmp_path / "a.ntk").arrays["b"]
    assert array.ctypes.data % container.ALIGNMENT == 0
    assert not array.flags.owndata
    with pytest.raises(ValueError, match="read-only"):
        array[0, 0] = 1


def test_same_content_same_bytes() -> None:
    again = dict(reversed(list(ARRAYS.items())))
    assert container.to_bytes(META, ARRAYS) == container.to_bytes(dict(reversed(META.items())), again)


def test_no_half_file_is_left(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write_atomically(tmp_path / "a.ntk", container.to_bytes(META, ARRAYS))
    before = (tmp_path / "a.ntk").read_bytes()
    monkeypatch.setattr("os.replace", _interrupted)
    with pytest.raises(KeyboardInterrupt):
        write_atomically(tmp_path / "a.ntk", container.to_bytes({"other": 1}, {}))
    assert [path.name for path in tmp_path.iterdir()] == ["a.ntk"]
    assert (tmp_path / "a.ntk").read_bytes() == before


def _interrupted(*_: object) -> None:
    raise KeyboardInterrupt


def test_types_that_no_reader_knows_are_refused() -> None:
    with pytest.raises(TypeError, match="float64"):
        container.to_bytes({}, {"a": np.zeros(3)})


def _with_header(change: Any) -> bytes:
    """The model's file with an edited header and matching check sums."""
    length = struct.unpack_from("<I", MODEL, 12)[0]
    header = json.loads(MODEL[24 : 24 + length])
    change(header)
    text = json.dumps(header).encode()
    text += b" " * (length - len(text)) if len(text) < length else b""
    body = MODEL[24 + length :]
    fixed = struct.pack("<8sIIII", b"NTKASSET", 1, len(text), zlib.crc32(text), zlib.crc32(body))
    return fixed + text + body


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"", "cut short"),
        (MODEL[:20], "cut short"),
        (b"x" * 100, "not a cooked file"),
        (MODEL[:8] + b"\x09" + MODEL[9:], "another version"),
        (MODEL[:100], "check sum"),
        (MODEL[:-1], "check sum"),
        (MODEL[:-1] + bytes([MODEL[-1] ^ 1]), "check sum"),
        (MODEL[:40] + b"?" + MODEL[41:], "check sum"),
        (_with_header(lambda h: h["arrays"][0].__setitem__(1, "|O")), "wrong entry"),
        (_with_header(lambda h: h["arrays"][0].__setitem__(2, [-1])), "wrong entry"),
        (_with_header(lambda h: h["arrays"][0].__setitem__(2, [2**30, 2**30])), "outside"),
        (_with_header(lambda h: h["arrays"][0].__setitem__(3, 0)), "outside"),
        (_with_header(lambda h: h["arrays"][0].__setitem__(3, 65)), "wrong entry"),
        (_with_header(lambda h: h["arrays"].insert(0, [1])), "no full entry"),
        (_with_header(lambda h: h.pop("meta")), "lacks"),
    ],
)
def test_damaged_files_are_refused(data: bytes, message: str) -> None:
    with pytest.raises(DamagedFile, match=message):
        container.from_buffer(data)


@pytest.mark.parametrize(
    "change",
    [
        lambda h: h["arrays"].pop(0),
        lambda h: h["meta"]["model"].pop("bones"),
        lambda h: h["meta"]["model"].update(bones=[]),
        lambda h: h["meta"]["model"].update(bones=["a", "b"]),
        lambda h: h["meta"]["model"].update(materials=[]),
        lambda h: h["meta"]["model"].update(textures=9),
        lambda h: h["meta"]["model"].update(meshes=[["a", 7]]),
        lambda h: h["meta"]["model"].update(skins={"s": [5]}),
        lambda h: h["meta"]["clips"][0].update(fps=0),
        lambda h: h["meta"]["clips"][0].update(bones=["a"]),
        lambda h: h["meta"]["clips"][0].update(notes=[[1]]),
        lambda h: h["meta"].update(clips=[1]),
    ],
)
def test_content_that_contradicts_itself_is_refused(change: Any) -> None:
    with pytest.raises(DamagedFile):
        unpack(container.from_buffer(_with_header(change)))


def test_indices_past_the_vertices_are_refused() -> None:
    model = placeholder_model("crate")
    model.meshes[0].indices[0, 0] = 999
    meta, arrays = pack(Converted(model, ()))
    with pytest.raises(DamagedFile, match="indices"):
        unpack(container.from_buffer(container.to_bytes(meta | {"name": "x"}, arrays)))


@settings(max_examples=150, deadline=None)
@given(st.integers(0, len(MODEL) - 1), st.integers(1, 255), st.integers(0, len(MODEL)))
def test_no_damage_gets_past(at: int, flip: int, length: int) -> None:
    damaged = bytearray(MODEL)
    damaged[at] ^= flip
    for data in (bytes(damaged), MODEL[:length], bytes(damaged[:length])):
        if data != MODEL:
            with pytest.raises(DamagedFile):
                unpack(container.from_buffer(data))

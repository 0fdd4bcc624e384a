"""The numbers of a glTF document: accessors read from its block of data, checked and added to it."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

Document = dict[str, Any]

COMPONENTS = {5120: "<i1", 5121: "<u1", 5122: "<i2", 5123: "<u2", 5125: "<u4", 5126: "<f4"}
WIDTHS = {"SCALAR": 1, "VEC2": 2, "VEC3": 3, "VEC4": 4, "MAT2": 4, "MAT3": 9, "MAT4": 16}
MAX_DENSE = 64 * 1024 * 1024
"""Bytes of an accessor that a file states without writing them down."""

_FLOAT = 5126


def item(document: Document, section: str, index: Any) -> Document:
    """Entry `index` of a section. Raises ValueError where there is none."""
    entries = document.get(section, [])
    if type(index) is not int or not 0 <= index < len(entries) or not isinstance(entries[index], dict):
        raise ValueError(f"{section} has no entry {index!r}")
    entry: Document = entries[index]
    return entry


def check_accessor(document: Document, index: Any, shapes: tuple[str, ...] = ()) -> Document:
    """An accessor of one of `shapes` (any, if empty) whose data lies inside its view. Raises ValueError."""
    accessor = item(document, "accessors", index)
    dtype = np.dtype(COMPONENTS[accessor["componentType"]])
    size, count = dtype.itemsize * WIDTHS[accessor["type"]], accessor["count"]
    if shapes and accessor["type"] not in shapes:
        raise ValueError(f"accessor {index} holds {accessor['type']}, not {' or '.join(shapes)}")
    if type(count) is not int or count < 1:
        raise ValueError(f"accessor {index} has no values")
    if "bufferView" in accessor:
        view = item(document, "bufferViews", accessor["bufferView"])
        stride = view.get("byteStride") or size
        offset = accessor.get("byteOffset", 0)
        if offset < 0 or stride < size or offset + stride * (count - 1) + size > view["byteLength"]:
            raise ValueError(f"accessor {index} lies outside its view")
    return accessor


def make_dense(document: Document, binary: bytearray) -> None:
    """Give accessors that have no data, or only what differs from another's, data of their own. Raises ValueError."""
    for index, accessor in enumerate(document.get("accessors", [])):
        if "bufferView" in accessor and "sparse" not in accessor:
            continue
        check_accessor(document, index)
        dtype, width = np.dtype(COMPONENTS[accessor["componentType"]]), WIDTHS[accessor["type"]]
        if accessor["count"] * width * dtype.itemsize > MAX_DENSE:
            raise ValueError(f"accessor {index} is larger than {MAX_DENSE // 2**20} MiB and has no data")
        sparse = accessor.pop("sparse", None)
        if "bufferView" in accessor:
            values = read_accessor(document, binary, index).copy()
        else:
            values = np.zeros((accessor["count"], width), dtype)
        if sparse is not None:
            count = sparse["count"]
            places = _sparse(
                document, binary, sparse["indices"], sparse["indices"]["componentType"], count, 1
            )[:, 0]
            changes = _sparse(document, binary, sparse["values"], accessor["componentType"], count, width)
            if places.dtype.kind != "u" or int(places.max()) >= len(values):
                raise ValueError(f"accessor {index} changes values that it lacks")
            values[places] = changes
        accessor["bufferView"], accessor["byteOffset"] = add_view(document, binary, values.tobytes()), 0


def _sparse(
    document: Document, binary: bytearray, part: Document, component: int, count: Any, width: int
) -> NDArray[Any]:
    """(count, width) values of one half of a sparse accessor."""
    dtype = np.dtype(COMPONENTS[component])
    view = item(document, "bufferViews", part["bufferView"])
    offset = part.get("byteOffset", 0)
    size = dtype.itemsize * width * count
    if type(count) is not int or count < 1 or offset < 0 or offset + size > view["byteLength"]:
        raise ValueError("a sparse accessor lies outside its view")
    start = view["byteOffset"] + offset
    return np.frombuffer(bytes(binary[start : start + size]), dtype).reshape(count, width)


def read_accessor(document: Document, binary: bytearray, index: Any) -> NDArray[Any]:
    """The (count, width) values as stored. Raises ValueError."""
    accessor = check_accessor(document, index)
    if "bufferView" not in accessor:
        raise ValueError(f"accessor {index} has no data")
    view = document["bufferViews"][accessor["bufferView"]]
    dtype = np.dtype(COMPONENTS[accessor["componentType"]])
    size, count = dtype.itemsize * WIDTHS[accessor["type"]], accessor["count"]
    stride = view.get("byteStride") or size
    start = view["byteOffset"] + accessor.get("byteOffset", 0)
    raw = np.frombuffer(bytes(binary[start : start + stride * (count - 1) + size]), np.uint8)
    rows = np.lib.stride_tricks.as_strided(raw, (count, size), (stride, 1))
    return np.ascontiguousarray(rows).view(dtype)


def read_floats(document: Document, binary: bytearray, index: Any) -> NDArray[np.float64]:
    """The (count, width) values as numbers; integers are normalised ones. Raises ValueError."""
    values = read_accessor(document, binary, index)
    if values.dtype.kind == "f":
        return values.astype(np.float64)
    return np.maximum(values.astype(np.float64) / np.iinfo(values.dtype).max, -1.0)


def add_view(document: Document, binary: bytearray, data: bytes) -> int:
    """Append data at a 16-byte boundary as a view; its number."""
    binary.extend(b"\0" * (-len(binary) % 16))
    document.setdefault("bufferViews", []).append(
        {"buffer": 0, "byteOffset": len(binary), "byteLength": len(data)}
    )
    binary.extend(data)
    return len(document["bufferViews"]) - 1


def add_accessor(document: Document, binary: bytearray, values: NDArray[Any], shape: str) -> int:
    """Append (count, width) numbers as an accessor of floats; its number."""
    data = values.astype("<f4")
    document.setdefault("accessors", []).append(
        {
            "bufferView": add_view(document, binary, data.tobytes()),
            "componentType": _FLOAT,
            "count": len(data),
            "type": shape,
            "min": [float(v) for v in data.min(axis=0)],
            "max": [float(v) for v in data.max(axis=0)],
        }
    )
    return len(document["accessors"]) - 1

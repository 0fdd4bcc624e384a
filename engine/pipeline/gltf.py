"""glTF files made plain before libassimp reads them.

libassimp finds bones and tracks by node name, follows no file beside the source when it reads from memory,
and takes the values of stepped and cubic curves for linear ones. So the document is checked and rewritten
first: one block of data, nodes with unique names (a bone keeps its name against any other node), images
inside, and only linear curves. What cannot be repaired is a diagnostic that names the node.
"""

from __future__ import annotations

import base64
import binascii
import json
import struct
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import unquote

from engine.pipeline.faults import Faults, os_reason
from engine.pipeline.files import content_hash, find_beside, read_file
from engine.pipeline.gltf_check import check_meshes, check_skins, is_read
from engine.pipeline.gltf_curves import make_linear
from engine.pipeline.gltf_data import Document, add_view, item, make_dense
from engine.pipeline.gltf_extensions import EMISSIVE_STRENGTH, check_extensions
from engine.pipeline.gltf_uvs import choose_uvs
from engine.pipeline.placeholder import checker_png

_MAGIC = b"glTF"
_JSON_CHUNK, _BINARY_CHUNK = 0x4E4F534A, 0x004E4942
_SECTIONS = (
    "accessors", "animations", "asset", "buffers", "bufferViews", "images", "materials", "meshes", "nodes", "samplers",
    "scene", "scenes", "skins", "textures",
)  # fmt: skip
_KEPT = {
    "nodes": ("children", "matrix", "mesh", "name", "rotation", "scale", "skin", "translation"),
    "scenes": ("name", "nodes"),
    "skins": ("inverseBindMatrices", "joints", "name"),
    "meshes": ("name", "primitives"),
    "animations": ("channels", "name", "samplers"),
    "materials": (
        "alphaCutoff", "alphaMode", "doubleSided", "emissiveFactor", "extensions", "name", "pbrMetallicRoughness",
    ),
    "textures": ("name", "sampler", "source"),
}  # fmt: skip
"""What the engine reads of each section's entries."""

_TRANSFORMS = {"matrix": 16, "translation": 3, "rotation": 4, "scale": 3}
_CONTRADICTIONS = (
    KeyError, IndexError, TypeError, ValueError, AttributeError, OverflowError, RecursionError, struct.error,
)  # fmt: skip
MAX_BYTES = 512 * 1024 * 1024
MAX_DEPTH = 400
"""Nodes below one another."""


@dataclass(frozen=True)
class PlainSource:
    """A self-contained GLB, the other files that went into it, with hashes of their content (None for one that is
    missing), and the names of the bones."""

    data: bytes
    used: Mapping[Path, str | None]
    joints: frozenset[str]


def plain_glb(data: bytes, path: Path, faults: Faults) -> PlainSource:
    """Rewrite a .glb or .gltf as described above.

    Warnings go to `faults`. Raises DiagnosticError where the file cannot be used at all.
    """
    document, binary = _split(data, faults)
    if not isinstance(document, dict) or not isinstance(document.get("asset"), dict):
        raise faults.fatal("bad-source", "this is not a glTF 2.0 file", "export the model as glTF 2.0 (.glb)")
    version = str(document["asset"].get("version", ""))
    if not version.startswith("2."):
        raise faults.fatal(
            "bad-source", f"glTF version {version or '?'} is not supported", "export as glTF 2.0"
        )
    try:
        check_extensions(document, faults)
        writer = _Rewriter(document, binary, path, faults)
        writer.run()
        joints = frozenset(document["nodes"][index]["name"] for index in writer.joints())
        plain = pack(document, bytes(writer.binary))
    except _CONTRADICTIONS as error:
        raise faults.fatal(
            "bad-source", f"the file contradicts itself: {_said(error)}", "export it again"
        ) from None
    return PlainSource(plain, writer.used, joints)


def _said(error: Exception) -> str:
    """What a contradiction is, in words for the one who has the file."""
    match error:
        case KeyError():
            return f"`{error.args[0]}` is missing somewhere"
        case ValueError() if not isinstance(error, UnicodeError):
            return str(error)
        case IndexError():
            return str(error) or "something names an entry that is not there"
        case _:
            return "a value is of the wrong kind"


def pack(document: Document, binary: bytes) -> bytes:
    """A GLB of a document whose buffer 0 is `binary`."""
    text = json.dumps(document, separators=(",", ":"), allow_nan=False).encode("utf-8")
    text += b" " * (-len(text) % 4)
    binary += b"\0" * (-len(binary) % 4)
    chunks = struct.pack("<II", len(text), _JSON_CHUNK) + text
    if binary:
        chunks += struct.pack("<II", len(binary), _BINARY_CHUNK) + binary
    return struct.pack("<4sII", _MAGIC, 2, 12 + len(chunks)) + chunks


def _split(data: bytes, faults: Faults) -> tuple[Any, bytes]:
    """The JSON and the binary chunk of a .glb, or the text of a .gltf."""
    text, binary = data, b""
    if data[:4] == _MAGIC:
        text = b""
        if len(data) < 20:
            raise faults.fatal("bad-source", "the file ends within its header", "export it again")
        version, length = struct.unpack_from("<II", data, 4)
        if version != 2:
            raise faults.fatal("bad-source", f"GLB version {version} is not supported", "export as glTF 2.0")
        if length > len(data):
            raise faults.fatal(
                "bad-source",
                f"the file is cut short: {length} bytes announced, {len(data)} there",
                "copy or export it again",
            )
        at = 12
        while at + 8 <= length:
            size, kind = struct.unpack_from("<II", data, at)
            chunk = data[at + 8 : at + 8 + size]
            if len(chunk) < size:
                raise faults.fatal(
                    "bad-source", "a data block runs past the end of the file", "export it again"
                )
            if kind == _JSON_CHUNK and not text:
                text = chunk
            elif kind == _BINARY_CHUNK and not binary:
                binary = chunk
            at += 8 + size
    try:
        return json.loads(text.decode("utf-8-sig")), binary
    except (UnicodeDecodeError, ValueError, RecursionError) as error:
        reason = str(error).split(":")[0].lower()
        raise faults.fatal(
            "bad-source", f"the glTF text cannot be read ({reason})", "export it again"
        ) from None


def _list(document: Document, name: str) -> list[Any]:
    value = document.get(name, [])
    if not isinstance(value, list):
        raise ValueError(f"`{name}` is not a list")
    return value


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and abs(value) < 1e300


def _keep(entry: Document, keys: tuple[str, ...]) -> None:
    for key in [key for key in entry if key not in keys]:
        del entry[key]


class _FreeNames:
    """Names that are not in `taken`, whose keys are lower case: the wanted one, else with a number behind it."""

    def __init__(self, taken: Mapping[str, int]) -> None:
        self.taken = taken
        self._numbers: dict[str, int] = {}

    def __call__(self, wanted: str) -> str:
        name, number = wanted, self._numbers.get(wanted.lower(), 2)
        while name.lower() in self.taken:
            name, number = f"{wanted}_{number}", number + 1
        self._numbers[wanted.lower()] = number
        return name


class _Rewriter:
    """Brings one document into the plain form, in place; `binary` grows, `used` lists the files read."""

    def __init__(self, document: Document, binary: bytes, path: Path, faults: Faults) -> None:
        self.document = document
        self.binary = bytearray()
        self.folder = path.parent
        self.used: dict[Path, str | None] = {}
        self.faults = faults
        self._glb_chunk = binary

    def run(self) -> None:
        self._drop_unused()
        self._check_scene()
        self._check_nodes()
        self._name_nodes()
        self._name_animations()
        self._join_buffers()
        self._embed_images()
        self._check_textures()
        choose_uvs(self.document, self.faults)
        make_dense(self.document, self.binary)
        check_skins(self.document, self.binary)
        check_meshes(self.document, self.binary)
        make_linear(self.document, self.binary, self.faults)
        if self.binary:
            self.document["buffers"] = [{"byteLength": len(self.binary)}]

    def node_label(self, index: int) -> str:
        name = _list(self.document, "nodes")[index].get("name")
        return f"`{name}` (node {index})" if name else f"node {index}"

    def _drop_unused(self) -> None:
        """Keep what the engine reads, so that nothing wrong in the rest can matter."""
        _keep(self.document, _SECTIONS)
        for section, keys in _KEPT.items():
            for entry in _list(self.document, section):
                _keep(entry, keys)
        for mesh in _list(self.document, "meshes"):
            for primitive in mesh["primitives"]:
                _keep(primitive, ("attributes", "indices", "material", "mode", "targets"))
                attributes = primitive["attributes"]
                _keep(attributes, tuple(name for name in attributes if is_read(name)))
        for material in _list(self.document, "materials"):
            material.get("pbrMetallicRoughness", {}).pop("metallicRoughnessTexture", None)
            extensions = material.get("extensions", {})
            material["extensions"] = {k: v for k, v in extensions.items() if k == EMISSIVE_STRENGTH}

    def _check_scene(self) -> None:
        """The scene that is shown exists; a file without scenes shows every node that has no parent."""
        nodes = _list(self.document, "nodes")
        if not self.document.get("scenes"):
            children = {child for node in nodes for child in node.get("children", [])}
            self.document["scenes"] = [{"nodes": [i for i in range(len(nodes)) if i not in children]}]
            self.document["scene"] = 0
        scene = item(self.document, "scenes", self.document.setdefault("scene", 0))
        if not scene.get("nodes"):
            raise self.faults.fatal("bad-source", "the scene is empty", "export the objects too")
        for index in scene["nodes"]:
            item(self.document, "nodes", index)
        for index, node in enumerate(nodes):
            for key in (key for key in _TRANSFORMS if key in node):
                values, count = node[key], _TRANSFORMS[key]
                if len(values) != count or not all(map(_is_number, values)):
                    raise ValueError(f"{key} of {self.node_label(index)} is not {count} numbers")

    def _check_nodes(self) -> None:
        """Every node hangs in one place only, and no node is its own ancestor."""
        nodes = _list(self.document, "nodes")
        parents: dict[int, int] = {}
        for index, node in enumerate(nodes):
            for child in node.get("children", []):
                if not isinstance(child, int) or not 0 <= child < len(nodes):
                    raise self.faults.fatal(
                        "bad-source", f"{self.node_label(index)} names child {child!r}, which does not exist"
                    )
                if child in parents:
                    raise self.faults.fatal(
                        "node-twice",
                        f"{self.node_label(child)} is a child of {self.node_label(parents[child])}"
                        f" and of {self.node_label(index)}",
                        "give every node one parent and export again",
                    )
                parents[child] = index
        depths: dict[int, int] = {}
        for start in range(len(nodes)):
            path: list[int] = []
            at: int | None = start
            while at is not None and at not in depths:
                depths[at] = 0
                path.append(at)
                at = parents.get(at)
            if at is not None and depths[at] == 0:
                raise self.faults.fatal("node-cycle", f"{self.node_label(start)} is its own ancestor")
            depth = depths[at] if at is not None else 0
            for index in reversed(path):
                depth += 1
                depths[index] = depth
                if depth > MAX_DEPTH:
                    raise self.faults.fatal(
                        "bad-source", f"{self.node_label(index)} is nested deeper than {MAX_DEPTH} nodes"
                    )

    def joints(self) -> set[int]:
        return {joint for skin in _list(self.document, "skins") for joint in skin.get("joints", [])}

    def _name_nodes(self) -> None:
        """Unique names without regard to case. Bones choose first, then animated nodes, then the rest."""
        nodes = _list(self.document, "nodes")
        joints = self.joints()
        moved = {channel["target"].get("node") for channel in self._channels()}
        order = sorted(range(len(nodes)), key=lambda i: (i not in joints, i not in moved, i))
        taken: dict[str, int] = {}
        free = _FreeNames(taken)
        for index in order:
            wanted = str(nodes[index].get("name") or f"node_{index}")
            name = free(wanted)
            if name != wanted and index in joints:
                self.faults.warn(
                    "duplicate-bone",
                    f"bones {self.node_label(taken[wanted.lower()])} and {self.node_label(index)} have the"
                    f" same name; the second is now `{name.lower()}`",
                    "rename one of them in the source",
                )
            taken[name.lower()] = index
            nodes[index]["name"] = name

    def _channels(self) -> Iterator[Document]:
        for animation in _list(self.document, "animations"):
            yield from animation.get("channels", [])

    def _name_animations(self) -> None:
        taken: dict[str, int] = {}
        free = _FreeNames(taken)
        for index, animation in enumerate(_list(self.document, "animations")):
            wanted = str(animation.get("name") or f"animation_{index}")
            name = free(wanted)
            if name != wanted:
                self.faults.warn(
                    "duplicate-source-animation",
                    f"two animations are called `{wanted}`; the second is now `{name}`",
                    "rename one of them in the source",
                )
            taken[name.lower()] = index
            animation["name"] = name

    # Data ------------------------------------------------------------------------------------------------

    def _join_buffers(self) -> None:
        offsets, sizes = [], []
        for index, buffer in enumerate(_list(self.document, "buffers")):
            uri = buffer.get("uri")
            data = self._glb_chunk if uri is None and index == 0 else self._load(uri, f"buffer {index}")
            if data is None or len(data) < buffer["byteLength"]:
                raise self.faults.fatal(
                    "bad-source",
                    f"buffer {index} is incomplete"
                    if data is not None
                    else f"buffer {index} ({uri}) cannot be read",
                    "export as .glb, which keeps everything in one file",
                )
            self.binary.extend(b"\0" * (-len(self.binary) % 16))
            sizes.append(len(data))
            offsets.append(len(self.binary))
            self.binary.extend(data)
            if len(self.binary) > MAX_BYTES:
                raise self.faults.fatal("bad-source", f"more than {MAX_BYTES // 2**20} MiB of data")
        for index, view in enumerate(_list(self.document, "bufferViews")):
            buffer, start = view.get("buffer"), view.get("byteOffset", 0)
            if not 0 <= buffer < len(sizes) or start < 0 or start + view["byteLength"] > sizes[buffer]:
                raise self.faults.fatal(
                    "bad-source", f"data view {index} lies outside its buffer", "export it again"
                )
            view["buffer"], view["byteOffset"] = 0, offsets[buffer] + start

    def _load(self, uri: Any, what: str) -> bytes | None:
        """The data behind a URI: inline, or a file beside the source. None where there is none."""
        if not isinstance(uri, str):
            return None
        if uri.startswith("data:"):
            try:
                return base64.b64decode(uri.partition(",")[2], validate=False)
            except (binascii.Error, ValueError):
                return None
        path = find_beside(self.folder, uri) or self.folder / unquote(uri)
        try:
            if not path.resolve().is_relative_to(self.folder.resolve()):
                self.faults.warn(
                    "outside-file",
                    f"{what} lies outside the folder of the source: {uri}",
                    "put it beside the source",
                )
                return None
            self.used.setdefault(
                path, None
            )  # also where it is missing: its coming makes the cooked file stale
            data = read_file(path)
            self.used[path] = content_hash(data)
        except (OSError, ValueError) as error:
            reason = os_reason(error) if isinstance(error, OSError) else "bad name"
            self.faults.warn(
                "missing-file", f"{what} cannot be read: {uri} ({reason})", "put it beside the source"
            )
            return None
        return data

    def _embed_images(self) -> None:
        for index, image in enumerate(_list(self.document, "images")):
            if "bufferView" in image:
                item(self.document, "bufferViews", image["bufferView"])
                continue
            data = self._load(image.pop("uri", None), f"image {index}")
            if data is None:
                self.faults.warn("missing-texture", f"image {index} is missing; a checker is shown instead")
                data = checker_png()
            image["bufferView"] = add_view(self.document, self.binary, data)
            image["mimeType"] = "image/jpeg" if data[:2] == b"\xff\xd8" else "image/png"

    def _check_textures(self) -> None:
        """A texture without its image, and a material without its texture, get the checker."""
        images = len(_list(self.document, "images"))
        for index, texture in enumerate(_list(self.document, "textures")):
            source = texture.get("source")
            if not isinstance(source, int) or not 0 <= source < images:
                self.faults.warn(
                    "missing-texture",
                    f"texture {index} names image {source}, but the file has {images};"
                    " a checker is shown instead",
                    "export again with its images included",
                )
                texture["source"] = self._checker_image()
        textures = len(_list(self.document, "textures"))
        for material in _list(self.document, "materials"):
            slot = material.get("pbrMetallicRoughness", {}).get("baseColorTexture")
            if slot is not None and not 0 <= slot.get("index", -1) < textures:
                self.faults.warn(
                    "missing-texture",
                    f"material `{material.get('name', '?')}` names texture {slot.get('index')}, but the file"
                    f" has {textures}; a checker is shown instead",
                )
                self.document.setdefault("textures", []).append({"source": self._checker_image()})
                slot["index"] = len(self.document["textures"]) - 1

    def _checker_image(self) -> int:
        view = add_view(self.document, self.binary, checker_png())
        image = {"bufferView": view, "mimeType": "image/png"}
        self.document.setdefault("images", []).append(image)
        return len(self.document["images"]) - 1

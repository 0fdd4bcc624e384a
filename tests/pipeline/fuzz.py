"""Damaged sources by the thousand: each gives a diagnostic or something usable, and leaves nothing half done.

    python -m tests.pipeline.fuzz --format glb --count 2000 --seed 1

Formats: see FORMATS. A case is a good file of the format with one kind of damage: cut short, bits flipped, bytes
exchanged, a piece taken out, doubled or moved, numbers made absurd. For each, as for a source in an asset folder:

* cooking ends within the time limit, with a cooked file or with an error, and never with an exception of Python's;
* every diagnostic names the file, says something, and says which node, mesh or clip where it is one's fault;
* a cooked file is whole: it is read back, its numbers are numbers, its indices name what is there;
* a failed one leaves the cache folder as it was, and a file that was cooked before is used on.

Case N of a seed is the same everywhere: `--first N --count 1` runs it alone, and `--keep FOLDER` writes its files there
before anything reads them.
"""

from __future__ import annotations

import argparse
import faulthandler
import random
import re
import struct
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from engine.pipeline import container
from engine.pipeline.batch import Order, Result, cook_one
from engine.pipeline.library import AssetLibrary, find_sources
from engine.pipeline.packing import unpack
from tests.pipeline.formats import bvh, dae, directx, fbx, md5, obj
from tests.pipeline.formats.figure import Figure
from tests.pipeline.gltf_writer import Gltf, strip, turn
from tests.pipeline.threedo_writer import tank, write

LIMIT = 30.0
"""Seconds for a case, on a machine that does other things too."""

_FIGURE = Figure()


def _gltf() -> Gltf:
    gltf = strip(translation=[0, 0.5, 0])
    gltf.add("materials", name="cloth")
    gltf.document["meshes"][0]["primitives"][0]["material"] = 0
    gltf.clip("bend", (1, "rotation", [0, 0.5, 1], [turn("x", a) for a in (0, 40, 0)], "STEP"))
    gltf.clip(
        "move",
        (0, "translation", [0, 1], [[0, 0, 0], [0, 1, 0]]),
        (1, "scale", [0, 1], [[1, 1, 1], [2, 2, 2]]),
    )
    return gltf


def _gltf_files() -> dict[str, bytes]:
    gltf = _gltf()
    return {"thing.gltf": gltf.gltf("thing.bin"), "thing.bin": bytes(gltf.binary)}


FORMATS: dict[str, Callable[[], dict[str, bytes]]] = {
    "glb": lambda: {"thing.glb": _gltf().glb()},
    "gltf": _gltf_files,
    "3do": lambda: {"thing.3do": write(tank())},
    "fbx": lambda: {"thing.fbx": fbx.to_bytes(fbx.document(_FIGURE))},
    "fbx-text": lambda: {"thing.fbx": fbx.to_text(fbx.document(_FIGURE))},
    "dae": lambda: {"thing.dae": dae.document(_FIGURE)},
    "x": lambda: {"thing.x": directx.document(_FIGURE)},
    "md5": lambda: {"thing.md5mesh": md5.mesh(_FIGURE), "thing.md5anim": md5.animation(_FIGURE)},
    "bvh": lambda: {"thing.bvh": bvh.document(_FIGURE)},
    "obj": lambda: {"thing.obj": obj.document(_FIGURE), "thing.mtl": obj.material()},
}
"""The files of a good source; the damage goes into one of them."""

_ABSURD = [
    b"-1",
    b"0",
    b"1e39",
    b"-1e300",
    b"nan",
    b"inf",
    b"99999999",
    b"4294967295",
    b"2147483648",
    b"1e-320",
    b"",
]
_WORDS = [
    0,
    1,
    0xFF,
    0x7FFFFFFF,
    0x80000000,
    0xFFFFFFFF,
    0xFFFFFFFE,
    0x7F800000,
    0x7FC00000,
    0x00FFFFFF,
    0x3F800000,
]


def _cut(data: bytes, chance: random.Random) -> bytes:
    return data[: chance.randrange(len(data))]


def _flip_bits(data: bytes, chance: random.Random) -> bytes:
    out = bytearray(data)
    for _ in range(chance.choice((1, 1, 2, 5, 20))):
        out[chance.randrange(len(out))] ^= 1 << chance.randrange(8)
    return bytes(out)


def _exchange_bytes(data: bytes, chance: random.Random) -> bytes:
    out = bytearray(data)
    for _ in range(chance.choice((1, 2, 4, 16))):
        out[chance.randrange(len(out))] = chance.randrange(256)
    return bytes(out)


def _exchange_words(data: bytes, chance: random.Random) -> bytes:
    """Counts, offsets and floats of binary formats."""
    out = bytearray(data)
    for _ in range(chance.choice((1, 1, 2, 4))):
        at = chance.randrange(max(1, len(out) - 4)) & ~chance.choice((0, 3))
        out[at : at + 4] = chance.choice(_WORDS).to_bytes(4, "little")
    return bytes(out)


def _absurd_numbers(data: bytes, chance: random.Random) -> bytes:
    """Numbers in text."""
    places = list(re.finditer(rb"-?\d+(?:\.\d+)?(?:e-?\d+)?", data))
    if not places:
        return _exchange_words(data, chance)
    for place in sorted(
        chance.sample(places, min(len(places), chance.choice((1, 1, 2, 3)))), key=lambda m: -m.start()
    ):
        data = data[: place.start()] + chance.choice(_ABSURD) + data[place.end() :]
    return data


def _move_a_piece(data: bytes, chance: random.Random) -> bytes:
    """Take out, double, or put elsewhere."""
    start = chance.randrange(len(data))
    end = min(len(data), start + chance.choice((1, 4, 30, 200, 2000)))
    piece = data[start:end]
    kind = chance.randrange(3)
    if kind == 0:
        return data[:start] + data[end:]
    if kind == 1:
        return data[:end] + piece + data[end:]
    rest = data[:start] + data[end:]
    at = chance.randrange(len(rest) + 1)
    return rest[:at] + piece + rest[at:]


DAMAGE = (_cut, _flip_bits, _exchange_bytes, _exchange_words, _absurd_numbers, _move_a_piece)


def case(kind: str, seed: int, number: int) -> dict[str, bytes]:
    """The files of one case, the same in every run."""
    chance = random.Random(f"{kind} {seed} {number}")
    files = FORMATS[kind]()
    if kind == "glb" and chance.random() < 0.75:
        return {"thing.glb": _glb_inside(files["thing.glb"], chance)}
    name = chance.choice([*files, next(iter(files))])
    files[name] = chance.choice(DAMAGE)(files[name], chance)
    return files


def _glb_inside(data: bytes, chance: random.Random) -> bytes:
    """Damage in the text or in the numbers of a .glb whose lengths are right, so that more than its frame is read."""
    length = int.from_bytes(data[12:16], "little")
    parts = [data[20 : 20 + length], data[28 + length :]]
    which = chance.randrange(2)
    harm = chance.choice(DAMAGE)
    parts[which] = harm(parts[which], chance)
    text, binary = (part + fill * (-len(part) % 4) for part, fill in zip(parts, (b" ", b"\0"), strict=True))
    chunks = (
        struct.pack("<I4s", len(text), b"JSON") + text + struct.pack("<I4s", len(binary), b"BIN\0") + binary
    )
    return b"glTF" + struct.pack("<II", 2, 12 + len(chunks)) + chunks


@dataclass
class Tally:
    """What came of the cases: how many were cooked and refused, the codes, what befell libassimp in its own process,
    how many faults of a part named it, the seconds of the slowest, what should not have been."""

    cases: int = 0
    outcomes: Counter[str] = field(default_factory=Counter)
    codes: Counter[str] = field(default_factory=Counter)
    contained: Counter[str] = field(default_factory=Counter)
    named: int = 0
    slowest: tuple[float, int] = (0.0, 0)
    faults: list[str] = field(default_factory=list)


def run(kind: str, numbers: range, seed: int, folder: Path, keep: Path | None = None) -> Tally:
    """Cook the cases in `folder`, one after another, in one asset folder that holds what was good before. `keep` is
    where the files of each case are written before anything reads them."""
    tally = Tally()
    for number in numbers:
        files = case(kind, seed, number)
        for name, data in files.items() if keep is not None else ():
            assert keep is not None
            (keep / name).write_bytes(data)
        Case(number, files, folder, tally).check()
        tally.cases += 1
    return tally


class Case:
    def __init__(self, number: int, files: dict[str, bytes], folder: Path, tally: Tally) -> None:
        self.number, self.tally = number, tally
        self.home = folder / "assets" / "models" / "thing"
        self.cache = folder / "cache"
        self.roots = [folder / "assets"]
        self.home.mkdir(parents=True, exist_ok=True)
        for old in self.home.iterdir():
            old.unlink()
        for name, data in files.items():
            (self.home / name).write_bytes(data)

    def fault(self, what: str) -> None:
        self.tally.faults.append(f"case {self.number}: {what}")

    def check(self) -> None:
        before = self._files()
        (source,) = (s for s in find_sources(self.roots, self.cache).values())
        start = time.perf_counter()
        try:
            result = cook_one(Order(source, force=True))
        except Exception as error:
            self.fault(f"{type(error).__name__}: {error}")
            return
        seconds = time.perf_counter() - start
        self.tally.slowest = max(self.tally.slowest, (seconds, self.number))
        if seconds > LIMIT:
            self.fault(f"took {seconds:.1f} s")
        self.tally.outcomes[result.outcome] += 1
        self._check_diagnostics(result)
        if result.outcome == "failed":
            if self._files() != before:
                self.fault("a failed cook changed the cache")
        else:
            self._check_cooked()

    def _files(self) -> dict[str, bytes]:
        if not self.cache.is_dir():
            return {}
        return {str(path): path.read_bytes() for path in self.cache.rglob("*") if path.is_file()}

    def _check_diagnostics(self, result: Result) -> None:
        if result.outcome == "failed" and not any(d.severity == "error" for d in result.diagnostics):
            self.fault("failed without an error")
        for diagnostic in result.diagnostics:
            self.tally.codes[diagnostic.code] += 1
            for end in _ENDS:
                self.tally.contained[end] += end in diagnostic.message
            if diagnostic.span is None or not Path(diagnostic.span.path).name.startswith("thing."):
                self.fault(f"{diagnostic.code} does not name the file")
            if not diagnostic.message or "\n" in diagnostic.message or len(diagnostic.message) > 600:
                self.fault(f"{diagnostic.code} says {diagnostic.message[:80]!r}")
            if diagnostic.code in _OF_A_PART:
                self.tally.named += 1
                if not re.search(r"`.*`|node \d|mesh \d|skin \d|accessor \d|piece '", diagnostic.message):
                    self.fault(f"{diagnostic.code} names no part: {diagnostic.message}")

    def _check_cooked(self) -> None:
        wrong = [path for path in self._files() if not path.endswith(".ntk")]
        if wrong:
            self.fault(f"left {wrong}")
        library = AssetLibrary(self.roots, self.cache)
        (name,) = find_sources(self.roots, self.cache)
        for clip in (clip for clip in map(library.clip, library.clip_names()) if clip is not None):
            if not np.isfinite(clip.rows).all():
                self.fault(f"clip {clip.name} holds what is no number")
        model = library.model(name)
        for mesh in model.meshes:
            if not all(np.isfinite(a).all() for a in (mesh.positions, mesh.normals, mesh.uvs, mesh.weights)):
                self.fault(f"mesh {mesh.name} holds what is no number")
        for path in map(Path, self._files()):
            try:
                unpack(container.read(path))
            except container.DamagedFile as error:
                self.fault(f"{path.name} is damaged: {error}")


_ENDS = ("libassimp crashed", "did not come to an end", "more memory")

_OF_A_PART = {
    "bad-mesh", "bad-node", "bad-clip", "node-twice", "node-cycle", "duplicate-bone", "no-weights", "many-influences",
    "uneven-scale", "bad-material", "flat-node", "shape-keys", "missing-texture", "duplicate-clip",
}  # fmt: skip
"""Codes of faults that a node, a mesh, a clip or a material has."""


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--format", choices=sorted(FORMATS), required=True)
    parser.add_argument("--count", type=int, default=2000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--keep", type=Path)
    options = parser.parse_args()
    faulthandler.enable()
    numbers = range(options.first, options.first + options.count)
    if options.keep:
        options.keep.mkdir(parents=True, exist_ok=True)
    start, cpu = time.perf_counter(), time.process_time()
    with tempfile.TemporaryDirectory(prefix="notetrack-fuzz-") as folder:
        tally = run(options.format, numbers, options.seed, Path(folder), options.keep)
    for fault in tally.faults:
        print(fault)
    seconds, number = tally.slowest
    print(f"{options.format}: {tally.cases} cases, seed {options.seed}, {time.perf_counter() - start:.0f} s")
    print(f"  {time.process_time() - cpu:.0f} s of them here; the slowest {seconds:.2f} s (case {number})")
    print("  " + ", ".join(f"{count} {name}" for name, count in tally.outcomes.most_common()))
    print("  " + ", ".join(f"{name} {count}" for name, count in tally.codes.most_common()))
    print("  contained: " + ", ".join(f"{count} {end}" for end, count in tally.contained.items() if count))
    print(f"  {tally.named} faults of a part name it; {len(tally.faults)} cases that should not be")
    sys.exit(bool(tally.faults))


if __name__ == "__main__":
    main()

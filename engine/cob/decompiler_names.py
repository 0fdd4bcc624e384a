"""The names that a decompiled program uses: those that it carries, and good ones for those that it lost."""

from __future__ import annotations

import re

from engine.cob.bos_text import Constant, Value
from engine.cob.container import TAK, CobFile
from engine.cob.disassembler import Instruction, instructions, signed
from engine.cob.preprocessor import HEADERS

_PARAMS: dict[str, tuple[str, ...]] = {
    "AimPrimary": ("heading", "pitch"), "AimSecondary": ("heading", "pitch"), "AimTertiary": ("heading", "pitch"),
    "Killed": ("severity", "corpsetype"), "HitByWeapon": ("anglex", "anglez"), "RockUnit": ("anglex", "anglez"),
    "TransportPickup": ("unitid",), "TransportDrop": ("unitid", "position"), "SetDirection": ("heading",),
    "SetSpeed": ("speed",), "StartBuilding": ("heading", "pitch"), "TakeDamage": ("percent",),
    "TargetCleared": ("slot",), "SetMaxReloadTime": ("time",), "setSFXoccupy": ("level",),
    "QueryLandingPad": ("pad1", "pad2", "pad3", "pad4"), "SweetSpot": ("piecenum",),
}  # fmt: skip
_QUERY = re.compile(r"(?:Query|AimFrom)\w+|SweetSpot")
_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_RESERVED = frozenset(
    (
        "true",
        "false",
        "unknown_unit_value",
        "get",
        "rand",
        "not",
        "and",
        "or",
        "xor",
        "piece",
        "static",
        "now",
        "speed",
    )
)

_HEADER_NAMES = {"exptype.h": ("explode", "port"), "sfxtype.h": ("sfx",)}
_EXPLOSIONS = frozenset(1 << bit for bit in range(14)) | {16128}


def _header(name: str) -> dict[str, int]:
    text = (HEADERS / name).read_text(encoding="utf-8")
    return {
        word: int(value) for word, value in re.findall(r"#define\s+(\w+)\s+(\d+)\s*$", text, re.MULTILINE)
    }


class Names:
    """`problems` say which names of the program no source can have; `words` name constants by their use."""

    def __init__(self, cob: CobFile) -> None:
        self._cob = cob
        self.problems: list[str] = []
        self._check("piece", cob.pieces)
        self._check("script", [script.name for script in cob.scripts])
        taken = {name.lower() for name in cob.pieces}
        stem = "static"
        while any(name.startswith(stem) for name in taken):
            stem += "_"
        self.statics = [f"{stem}{index + 1}" for index in range(cob.statics)]
        self._local_stem = "var"
        while any(name.startswith(self._local_stem) for name in taken):
            self._local_stem += "_"
        self._taken = taken | set(self.statics)
        self._includes = self._usable_headers()
        self.words = self._words()
        self._argc = self._argument_counts()

    def _check(self, what: str, names: list[str]) -> None:
        seen: set[str] = set()
        for name in names:
            if not _NAME.fullmatch(name) or name.lower() in _RESERVED:
                self.problems.append(f"{what} '{name}' has no name that a source could give it")
            elif name.lower() in seen:
                self.problems.append(f"{what} '{name}' is there twice, which no source can say")
            seen.add(name.lower())

    def _usable_headers(self) -> list[str]:
        """The headers none of whose words is a name of this program: a macro would take its place."""
        ours = {*self._cob.pieces, *(script.name for script in self._cob.scripts)}
        return [name for name in _HEADER_NAMES if not ours & _header(name).keys()]

    def _words(self) -> dict[str, dict[int, str]]:
        usable = {i: name for i, name in enumerate(self._cob.pieces) if name.lower() not in _RESERVED}
        words = {"piece": usable}
        if "exptype.h" in self._includes:
            header = _header("exptype.h")
            first_port = list(header).index("ACTIVATION")
            names = list(header)
            words["explode"] = {header[n]: n for n in names[:first_port] if header[n] in _EXPLOSIONS}
            words["port"] = {header[n]: n for n in names[first_port:]}
        if "sfxtype.h" in self._includes:
            words["sfx"] = {value: name for name, value in _header("sfxtype.h").items()}
        return words

    def _argument_counts(self) -> dict[int, int]:
        """The most arguments with which each script is called."""
        counts: dict[int, int] = {}
        for instruction in instructions(self._cob):
            if instruction.op is not None and instruction.op.name in ("start-script", "call-script"):
                script, count = instruction.operands
                counts[script] = max(counts.get(script, 0), signed(count))
        return counts

    # ---- for functions --------------------------------------------------------------------------------

    def params(self, script: int, leading: int, listed: list[Instruction]) -> list[str]:
        """Names for the parameters among the `leading` words that a function reserves at its start."""
        name = self._cob.scripts[script].name
        known = _PARAMS.get(name, ("piecenum",) if _QUERY.fullmatch(name) else ())
        count = max(len(known), self._argc.get(script, 0))
        if not count and script not in self._argc:
            count = _read_first(leading, listed)
        count = min(leading, count)
        names = []
        for index in range(count):
            wanted = known[index] if index < len(known) else f"arg{index + 1}"
            while wanted in self._taken or wanted in names:
                wanted += "_"
            names.append(wanted)
        return names

    def local(self, params: list[str], index: int) -> str:
        return params[index] if index < len(params) else f"{self._local_stem}{index + 1 - len(params)}"

    def queried_piece(self, script: int, op: str, index: int, value: Value) -> str:
        """The piece that an answer to the engine's question names, or an empty text."""
        asked = op == "pop-local" and index == 0 and _QUERY.fullmatch(self._cob.scripts[script].name)
        return self.piece_value(value) if asked else ""

    def piece_value(self, value: Value) -> str:
        """The name of a constant that counts as a piece, or an empty text."""
        return self.words["piece"].get(value.value, "") if isinstance(value, Constant) else ""

    def declarations(self) -> list[str]:
        lines = ["#define TAK" if self._cob.version == TAK else "#define TA"]
        lines += [f'#include "{name}"' for name in self._includes]
        lines.append("")
        if self._cob.pieces:
            lines.append(f"piece {', '.join(self._cob.pieces)};")
        if self.statics:
            lines.append(f"static-var {', '.join(self.statics)};")
        return lines


def _read_first(leading: int, listed: list[Instruction]) -> int:
    """How many leading words are read before anything is stored there: those were arguments."""
    stored: set[int] = set()
    count = 0
    for instruction in listed:
        name = instruction.op.name if instruction.op is not None else ""
        if name == "pop-local":
            stored.add(instruction.operands[0])
        elif name == "push-local" and instruction.operands[0] not in stored:
            count = max(count, instruction.operands[0] + 1)
    return min(count, leading)

"""The class list as an .fgd file, which level editors such as TrenchBroom read."""

from __future__ import annotations

from engine.world.classes import CLASSES, ClassInfo, KeyInfo

_TYPES = {"string": "string", "int": "integer", "float": "float", "vector": "string", "color": "color1"}
_NAMES = {"targetname": "target_source", "target": "target_destination"}

_HEAD = "// Entity classes of Notetrack for level editors, made from the engine's own table: not to be edited.\n\n"


def _quoted(text: str) -> str:
    return '"' + text.replace('"', "'") + '"'


def _key(key: KeyInfo) -> str:
    kind = _NAMES.get(key.name, _TYPES[key.type])
    if key.name.startswith("target") and key.name[6:].isdigit():
        kind = "target_destination"
    default = _quoted(key.default) if kind in ("string", "color1", "float") else key.default
    if key.type == "int":
        default = key.default or "0"
    end = f" : {default}" if key.default or key.type == "int" else ""
    return f"\t{key.name}({kind}) : {_quoted(key.meaning)}{end}"


def _class(info: ClassInfo) -> str:
    if info.brushes:
        head = "@SolidClass"
    else:
        a, b, c, x, y, z = info.size
        head = f"@PointClass size({a} {b} {c}, {x} {y} {z}) color({' '.join(map(str, info.color))})"
    lines = [f"{head} = {info.name} : {_quoted(info.meaning)}", "["]
    if info.flags:
        flags = "\n".join(f"\t\t{bit} : {_quoted(text)} : 0" for bit, text in info.flags)
        lines.append(f"\tspawnflags(flags) =\n\t[\n{flags}\n\t]")
    lines += [_key(key) for key in info.keys if key.name != "origin"]
    return "\n".join([*lines, "]"])


def fgd_text() -> str:
    """The whole file; the same list of classes gives the same bytes."""
    return _HEAD + "\n\n".join(_class(info) for info in CLASSES.values()) + "\n"

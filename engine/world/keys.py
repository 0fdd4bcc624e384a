"""The text of a map's keys as script values, with a diagnostic where it is not what the key needs."""

from __future__ import annotations

import re

from engine.source import Diagnostic
from engine.vm.values import Value, f32
from engine.world.angles import Vector
from engine.world.classes import key_type
from engine.world.level import Key, MapEntity

_INT = re.compile(r"[-+]?\d{1,9}")
_FLOAT = re.compile(r"[-+]?(\d+\.?\d*|\.\d+)([eE][-+]?\d+)?")


def _floats(text: str) -> list[float] | None:
    words = text.split()
    if not words or not all(_FLOAT.fullmatch(word) for word in words):
        return None
    return [f32(float(word)) for word in words]


def _guess(text: str) -> Value:
    """The value of an unknown key: an int, a float or three numbers where it reads as one, else the text."""
    stripped = text.strip()
    if _INT.fullmatch(stripped):
        return int(stripped)
    numbers = _floats(stripped)
    if numbers is not None and len(numbers) == 1:
        return numbers[0]
    if numbers is not None and len(numbers) == 3:
        return numbers[0], numbers[1], numbers[2]
    return text


def typed(name: str, key: Key, report: list[Diagnostic]) -> Value:
    """The value of a key, or None (left out) with a diagnostic."""
    kind = key_type(name)
    if kind is None:
        return _guess(key.value)
    if kind == "string":
        return key.value
    numbers = _floats(key.value)
    if kind in ("vector", "color"):
        if numbers is not None and len(numbers) == 3:
            return numbers[0], numbers[1], numbers[2]
        wanted = "three numbers"
    elif numbers is not None and len(numbers) == 1:
        return int(numbers[0]) if kind == "int" else numbers[0]
    else:
        wanted = "a whole number" if kind == "int" else "a number"
    report.append(Diagnostic("map-key", f"the key {name} needs {wanted}, not '{key.value}'", key.span))
    return None


def typed_keys(entity: MapEntity, report: list[Diagnostic]) -> dict[str, Value]:
    """All keys of a block. `angle` (one number) becomes `angles`; -1 is up and -2 down."""
    values: dict[str, Value] = {}
    for name, key in entity.repeated:
        text = f"the key {name} stands twice in this block; the last one counts"
        fault = Diagnostic("map-repeated", text, key.name_span, "warning")
        report.append(fault.with_note("this one", entity.keys[name].name_span))
    for name, key in entity.keys.items():
        if name == "angle":
            continue
        value = typed(name, key, report)
        if value is not None:
            values[name] = value
    if "angle" in entity.keys and "angles" not in values:
        angle = typed("wait", entity.keys["angle"], report)
        if isinstance(angle, float):
            special = {-1.0: (-90.0, 0.0, 0.0), -2.0: (90.0, 0.0, 0.0)}
            values["angles"] = special.get(angle, (0.0, angle, 0.0))
    return values


def vector_key(values: dict[str, Value], name: str, default: Vector) -> Vector:
    value = values.get(name)
    return value if isinstance(value, tuple) else default


def float_key(values: dict[str, Value], name: str, default: float) -> float:
    value = values.get(name)
    return float(value) if isinstance(value, (int, float)) else default


def text_key(values: dict[str, Value], name: str, default: str = "") -> str:
    value = values.get(name)
    return value if isinstance(value, str) else default

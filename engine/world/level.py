"""The reader of `.map` files of the Quake family: Standard and Valve 220 faces, entities with keys.

It knows syntax and geometry only; what a classname or a key means is the world's business. Every fault is a
diagnostic with its place, reading goes on behind it, and one `DiagnosticError` carries them all.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

from engine.source import Diagnostic, DiagnosticError, SourceText, Span
from engine.world.angles import Vector

MAX_COORDINATE = 131072.0
"""Farther from the origin than this, single precision no longer holds the detail of a brush."""


@dataclass(frozen=True, slots=True)
class Face:
    """One side of a brush: three points clockwise seen from outside, a texture and how it lies.

    u_axis, v_axis, shift and scale give texels: `dot(point, axis) / scale + shift`. Standard faces get the
    axes that the map format implies from their normal.
    """

    points: tuple[Vector, Vector, Vector]
    texture: str
    u_axis: Vector | None
    v_axis: Vector | None
    shift: tuple[float, float]
    rotation: float
    scale: tuple[float, float]
    span: Span


@dataclass(frozen=True, slots=True)
class MapBrush:
    faces: tuple[Face, ...]
    span: Span


@dataclass(frozen=True, slots=True)
class Key:
    """A key's value with the places of both, for diagnostics."""

    value: str
    name_span: Span
    span: Span


@dataclass(frozen=True, slots=True)
class MapEntity:
    """One block: keys in file order, names lower-cased, and brushes. The last of two equal keys wins; `repeated` has
    the names and values that do not count because of it."""

    keys: dict[str, Key]
    brushes: tuple[MapBrush, ...]
    span: Span
    repeated: tuple[tuple[str, Key], ...] = ()

    @property
    def classname(self) -> str:
        key = self.keys.get("classname")
        return key.value.lower() if key else ""

    def value(self, name: str, default: str = "") -> str:
        key = self.keys.get(name)
        return key.value if key else default


class _Token(NamedTuple):
    kind: str
    text: str
    start: int
    end: int


_TOKEN = re.compile(
    r"""(?P<skip>[\s\x00]+|//[^\n]*)
      | (?P<string>"[^"\n]*")
      | (?P<open>"[^\n]*)
      | (?P<mark>[{}()\[\]](?=[\s{}()\[\]"]|$))
      | (?P<word>[^\s"\x00]+)""",
    re.VERBOSE,
)


class _Failed(Exception):
    """A fault was reported; the reader goes on at the next brush or block."""


def read_map(source: SourceText) -> list[MapEntity]:
    """The blocks of a map; the first is worldspawn.

    Raises DiagnosticError with every syntax fault found.
    """
    reader = _Reader(source)
    entities = reader.read()
    if reader.diagnostics:
        raise DiagnosticError(reader.diagnostics)
    return entities


class _Reader:
    def __init__(self, source: SourceText) -> None:
        self.source = source
        self.diagnostics: list[Diagnostic] = []
        self.tokens = list(self._scan())
        self.at = 0

    def _scan(self) -> Iterator[_Token]:
        text = self.source.text
        for match in _TOKEN.finditer(text):
            kind = match.lastgroup or ""
            if kind == "skip":
                continue
            start, end = match.span()
            if kind == "open":
                self._report("map-string", "a quote is opened here and not closed on its line", start, end)
                continue
            yield _Token(kind, match.group(), start, end)
        yield _Token("end", "", len(text), len(text))

    def _report(self, code: str, message: str, start: int, end: int, note: str = "") -> None:
        diagnostic = Diagnostic(code, message, self.source.span(start, end))
        self.diagnostics.append(diagnostic.with_note(note) if note else diagnostic)

    def _fail(self, code: str, message: str, token: _Token, note: str = "") -> _Failed:
        self._report(code, message, token.start, token.end, note)
        return _Failed()

    @property
    def token(self) -> _Token:
        return self.tokens[self.at]

    def _take(self) -> _Token:
        token = self.tokens[self.at]
        if token.kind != "end":
            self.at += 1
        return token

    def _expect(self, mark: str, where: str) -> _Token:
        token = self._take()
        if token.text != mark or token.kind != "mark":
            shown = token.text or "the end of the file"
            raise self._fail("map-syntax", f"expected '{mark}' {where}, found {shown}", token)
        return token

    def read(self) -> list[MapEntity]:
        entities = []
        while self.token.kind != "end":
            token = self._take()
            if token.text == "{" and token.kind == "mark":
                entities.append(self._entity(token))
            else:
                self._report(
                    "map-syntax", f"expected '{{' of an entity, found {token.text}", token.start, token.end
                )
                self._skip_to_open()
        if not entities and not self.diagnostics:
            self._report(
                "empty-map", "the map has no entities", 0, 0, "a level needs at least a worldspawn block"
            )
        elif entities and entities[0].classname != "worldspawn" and not self.diagnostics:
            self._report(
                "no-worldspawn",
                "the first block of a map must be worldspawn",
                entities[0].span.start,
                entities[0].span.start + 1,
            )
        return entities

    def _skip_to_open(self) -> None:
        while self.token.kind != "end" and not (self.token.text == "{" and self.token.kind == "mark"):
            self.at += 1

    def _entity(self, opening: _Token) -> MapEntity:
        keys: list[tuple[str, Key]] = []
        brushes: list[MapBrush] = []
        while True:
            token = self._take()
            if token.kind == "string":
                try:
                    self._key(token, keys)
                except _Failed:
                    continue
            elif token.kind == "mark" and token.text == "{":
                try:
                    brushes.append(self._brush(token))
                except _Failed:
                    self._skip_brush()
            elif token.kind == "mark" and token.text == "}":
                return self._block(keys, brushes, opening, token)
            elif token.kind == "end":
                self._report(
                    "map-syntax",
                    "the file ends inside this entity; a '}' is missing",
                    opening.start,
                    opening.end,
                )
                return self._block(keys, brushes, opening, token)
            else:
                self._report(
                    "map-syntax",
                    f"expected a quoted key, a brush or '}}', found {token.text}",
                    token.start,
                    token.end,
                )
                line = self.source.line_col(token.start)[0]
                while self.token.kind != "end" and self.source.line_col(self.token.start)[0] == line:
                    self.at += 1

    def _block(
        self, found: list[tuple[str, Key]], brushes: list[MapBrush], opening: _Token, end: _Token
    ) -> MapEntity:
        keys = dict(found)
        repeated = tuple((name, key) for name, key in found if keys[name] is not key)
        return MapEntity(keys, tuple(brushes), self.source.span(opening.start, end.end), repeated)

    def _key(self, name: _Token, keys: list[tuple[str, Key]]) -> None:
        value = self.token
        if value.kind != "string":
            raise self._fail("map-syntax", f"the key {name.text} has no quoted value", name)
        self.at += 1
        key = Key(
            value.text[1:-1],
            self.source.span(name.start, name.end),
            self.source.span(value.start + 1, value.end - 1),
        )
        keys.append((name.text[1:-1].lower(), key))

    def _skip_brush(self) -> None:
        """Go behind the end of the brush at hand, or stop before something that cannot belong to it."""
        depth = 1
        while self.token.kind not in ("end", "string"):
            token = self._take()
            if token.kind == "mark" and token.text == "{":
                depth += 1
            elif token.kind == "mark" and token.text == "}":
                depth -= 1
                if not depth:
                    return

    def _brush(self, opening: _Token) -> MapBrush:
        if self.token.kind == "word":
            raise self._fail(
                "map-patch",
                f"{self.token.text} is not supported: only flat brushes are",
                self.token,
                "replace the patch by brushes in the editor",
            )
        faces = []
        while not (self.token.kind == "mark" and self.token.text == "}"):
            if self.token.kind == "end":
                raise self._fail("map-syntax", "the file ends inside this brush; a '}' is missing", opening)
            faces.append(self._face())
        closing = self._take()
        span = self.source.span(opening.start, closing.end)
        if len(faces) < 4:
            self._report(
                "map-brush",
                f"a brush needs at least 4 faces, this one has {len(faces)}",
                opening.start,
                opening.end,
            )
        return MapBrush(tuple(faces), span)

    def _number(self, what: str) -> float:
        token = self._take()
        try:
            value = float(token.text) if token.kind == "word" else None
        except ValueError:
            value = None
        if value is None or not abs(value) <= 1e9:
            shown = token.text or "the end of the file"
            raise self._fail("map-syntax", f"expected a number for {what}, found {shown}", token)
        return value

    def _coordinate(self, what: str) -> float:
        token = self.token
        value = self._number(what)
        if abs(value) > MAX_COORDINATE:
            self._report("map-range", f"{what} lies beyond {MAX_COORDINATE:.0f}", token.start, token.end)
        return value

    def _point(self) -> Vector:
        self._expect("(", "before a point")
        point = self._coordinate("x"), self._coordinate("y"), self._coordinate("z")
        self._expect(")", "after a point")
        return point

    def _axis(self, name: str) -> tuple[Vector, float]:
        self._expect("[", f"before the {name} axis")
        axis = self._number("x"), self._number("y"), self._number("z")
        shift = self._number("the shift")
        self._expect("]", f"after the {name} axis")
        return axis, shift

    def _face(self) -> Face:
        start = self.token.start
        points = self._point(), self._point(), self._point()
        texture = self._take()
        if texture.kind not in ("word", "string"):
            raise self._fail("map-syntax", "expected the name of a texture", texture)
        u_axis = v_axis = None
        if self.token.text == "[" and self.token.kind == "mark":
            u_axis, u_shift = self._axis("u")
            v_axis, v_shift = self._axis("v")
        else:
            u_shift, v_shift = self._number("the shift"), self._number("the shift")
        rotation = self._number("the rotation")
        u_scale, v_scale = self._number("the scale"), self._number("the scale")
        end = self.tokens[self.at - 1].end
        for _ in range(3):  # contents, flags and value, which some editors add
            if self.token.kind == "word":
                self._number("a surface flag")
        return Face(
            points,
            texture.text.strip('"').lower().replace("\\", "/"),
            u_axis,
            v_axis,
            (u_shift, v_shift),
            rotation,
            (u_scale or 1.0, v_scale or 1.0),
            self.source.span(start, end),
        )

"""A level built from its map: geometry for the client, solids, and what the blocks of the file are to become."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from engine.source import Diagnostic, DiagnosticError, SourceText, Span
from engine.source.nearest import did_you_mean
from engine.vm.values import Value
from engine.world.angles import ZERO, Vector, add, forward, length, scale
from engine.world.brush import Brush, build_brush, merge_surfaces
from engine.world.classes import ABSENT, CLASSES, class_of
from engine.world.keys import float_key, text_key, typed_keys, vector_key
from engine.world.level import MapEntity, read_map
from engine.world.surfaces import Contents, SurfaceTable
from engine.world.view import Atmosphere, LevelGeometry, StaticLight, StaticModel, Viewpoint

_EVERYWHERE = 65536.0


@dataclass(frozen=True, slots=True)
class Block:
    """One block that becomes an entity, a node or a struct. position is what its brushes lie around."""

    classname: str
    role: str
    values: dict[str, Value]
    brushes: tuple[Brush, ...]
    brush_model: int | None
    position: Vector
    span: Span


@dataclass(frozen=True, eq=False)
class Level:
    """Everything of a map, worked out. `diagnostics` are warnings; errors stopped the loading."""

    name: str
    geometry: LevelGeometry
    solids: tuple[Brush, ...]
    blocks: tuple[Block, ...]
    settings: dict[str, Value]
    diagnostics: tuple[Diagnostic, ...] = field(default=())
    open_classes: bool = False
    """Whether blocks may be of any class, and entities have `code_classname`."""


def load_level(
    source: SourceText,
    name: str,
    surfaces: SurfaceTable,
    has_model: Callable[[str], bool] = lambda _: True,
    *,
    open_classes: bool = False,
) -> Level:
    """Read and build a map. With `open_classes` a block of a class that nobody knows is an entity, with brushes or
    without.

    Raises DiagnosticError with all syntax faults, or with all faults of brushes, keys and classes.
    """
    entities = read_map(source)
    report: list[Diagnostic] = []
    world: list[Brush] = []
    blocks: list[Block] = []
    models: list[tuple[Brush, ...]] = []
    props: list[StaticModel] = []
    lights: list[StaticLight] = []
    viewpoints: list[Viewpoint] = []
    settings: dict[str, Value] = {}
    for index, entity in enumerate(entities):
        classname = entity.classname
        values = typed_keys(entity, report)
        info = class_of(classname)
        if info is None and open_classes and classname:
            info = CLASSES["script_brushmodel" if entity.brushes else "script_origin"]
        if info is None:
            report.append(_unknown_class(entity, classname))
            continue
        brushes = [b for b in (build_brush(s, surfaces, report) for s in entity.brushes) if b is not None]
        if info.role == "world":
            world += brushes
            if index == 0:
                settings = values
            continue
        if info.brushes and not entity.brushes:
            report.append(_fault(entity, "map-class", f"a {classname} is made of brushes and has none"))
            continue
        if info.role == "prop":
            prop = _prop(entity, values, report, has_model)
            if prop is not None:
                props.append(prop)
            continue
        if info.role == "light":
            lights.append(_light(values))
        if info.role == "none":
            continue
        if classname == "script_struct" and text_key(values, "targetname").lower() == "viewpoint":
            viewpoints.append(
                Viewpoint(vector_key(values, "origin", ZERO), vector_key(values, "angles", ZERO))
            )
        origin = vector_key(values, "origin", ZERO)
        brush_model = None
        if brushes:
            visible = [b for b in brushes if b.contents != Contents.NONE]
            origin = _pivot(brushes, values)
            brushes = [_moved(b, scale(origin, -1.0)) for b in visible]
            if info.role in ("mover", "door"):
                brush_model = len(models)
                models.append(tuple(brushes))
        blocks.append(Block(classname, info.role, values, tuple(brushes), brush_model, origin, entity.span))
    errors = [d for d in report if d.severity == "error"]
    if errors:
        raise DiagnosticError(report)
    geometry = LevelGeometry(
        name=name,
        world=merge_surfaces(world),
        brush_models=tuple(merge_surfaces(brushes) for brushes in models),
        bounds=_bounds(world),
        atmosphere=atmosphere(settings),
        lights=tuple(lights),
        models=tuple(props),
        viewpoints=tuple(viewpoints),
    )
    return Level(name, geometry, tuple(world), tuple(blocks), settings, tuple(report), open_classes)


def _fault(entity: MapEntity, code: str, message: str) -> Diagnostic:
    key = entity.keys.get("classname")
    return Diagnostic(code, message, key.span if key is not None else entity.span)


def _unknown_class(entity: MapEntity, classname: str) -> Diagnostic:
    if not classname:
        start = entity.span.start
        return Diagnostic(
            "map-class", "this block has no classname", entity.span.source.span(start, start + 1)
        )
    if classname in ABSENT:
        text = f"the engine has no {classname}; this block is left out"
        return Diagnostic("map-class", text, entity.keys["classname"].span, "warning")
    fault = _fault(entity, "map-class", f"there is no class '{classname}'")
    hint = did_you_mean(classname, CLASSES)
    return fault.with_note(hint) if hint else fault


def _pivot(brushes: Sequence[Brush], values: dict[str, Value]) -> Vector:
    """What brushes turn about: the middle of an origin brush, the key `origin`, or else their own middle.

    Stock keeps the level's origin for brush models without an origin brush; turning about their middle is
    what everybody who draws one expects, so that is the rule here.
    """
    marked = [b for b in brushes if b.contents == Contents.NONE]
    if not marked and isinstance(values.get("origin"), tuple):
        return vector_key(values, "origin", ZERO)
    low, high = _bounds(marked or brushes)
    middle = scale(add(low, high), 0.5)
    return middle[0], middle[1], middle[2]


def _moved(brush: Brush, by: Vector) -> Brush:
    """The same brush somewhere else; texture coordinates stay with the surface."""
    planes = tuple((x, y, z, d + x * by[0] + y * by[1] + z * by[2]) for x, y, z, d in brush.planes)
    polygons = tuple(
        type(p)(p.texture, p.normal, tuple(add(q, by) for q in p.points), p.uvs, p.drawn)
        for p in brush.polygons
    )
    return Brush(planes, brush.materials, polygons, add(brush.mins, by), add(brush.maxs, by), brush.contents)


def _bounds(brushes: Sequence[Brush]) -> tuple[Vector, Vector]:
    if not brushes:
        return (-_EVERYWHERE, -_EVERYWHERE, -_EVERYWHERE), (_EVERYWHERE, _EVERYWHERE, _EVERYWHERE)
    return (
        (min(b.mins[0] for b in brushes), min(b.mins[1] for b in brushes), min(b.mins[2] for b in brushes)),
        (max(b.maxs[0] for b in brushes), max(b.maxs[1] for b in brushes), max(b.maxs[2] for b in brushes)),
    )


def _prop(
    entity: MapEntity, values: dict[str, Value], report: list[Diagnostic], has_model: Callable[[str], bool]
) -> StaticModel | None:
    model = text_key(values, "model").lower()
    if not model:
        report.append(_fault(entity, "map-key", "a misc_model needs the key model"))
        return None
    if not has_model(model):
        span = entity.keys["model"].span
        report.append(Diagnostic("missing-model", f"there is no model '{model}'", span, "warning"))
    return StaticModel(
        model, vector_key(values, "origin", ZERO), vector_key(values, "angles", ZERO),
        float_key(values, "modelscale", 1.0),
    )  # fmt: skip


def _light(values: dict[str, Value]) -> StaticLight:
    return StaticLight(
        vector_key(values, "origin", ZERO),
        vector_key(values, "_color", vector_key(values, "color", (1.0, 1.0, 1.0))),
        float_key(values, "light", 300.0),
    )


def atmosphere(settings: dict[str, Value]) -> Atmosphere:
    """Light and air from the keys of worldspawn; what is not given is a late afternoon."""
    base = Atmosphere()
    sun = base.sun_direction
    if "sundirection" in settings:
        sun = forward(vector_key(settings, "sundirection", ZERO))
    size = length(sun) or 1.0
    sky = base.sky_color
    if "skycolor" in settings:
        sky = scale(vector_key(settings, "skycolor", sky), float_key(settings, "skylight", 0.6))
    sunlight = base.sun_color
    if "suncolor" in settings:
        sunlight = scale(vector_key(settings, "suncolor", sunlight), float_key(settings, "sunlight", 2.6))
    return Atmosphere(
        sun_direction=scale(sun, 1.0 / size),
        sun_color=sunlight,
        sky_color=sky,
        ground_color=vector_key(settings, "groundcolor", base.ground_color),
        fog_color=vector_key(settings, "fogcolor", base.fog_color),
        fog_start=float_key(settings, "fogstart", base.fog_start),
        fog_end=float_key(settings, "fogend", base.fog_end),
        fog_density=float_key(settings, "fogdensity", base.fog_density),
        ambient_sound=text_key(settings, "ambientsound"),
    )


def empty_level(name: str = "empty") -> Level:
    """A level with nothing in it, for programs that bring their own world."""
    return Level(name, LevelGeometry(name, (), (), _bounds(())), (), (), {})

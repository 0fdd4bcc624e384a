"""Built-ins over numbers and vectors. Angles are in degrees."""

from __future__ import annotations

import math

from engine.vm.errors import ScriptError
from engine.vm.machine import VM
from engine.vm.registry import Registry
from engine.vm.values import Vector, f32, vector

registry = Registry()

# ---- random ----------------------------------------------------------------------------------------------


@registry.function(pure=True)
def randomint(vm: VM, maximum: int) -> int:
    """A uniform int from 0 to `maximum` - 1."""
    if maximum <= 0:
        raise ScriptError(f"randomint of {maximum}: the bound must be positive")
    return vm.random.below(maximum)


@registry.function(pure=True)
def randomfloat(vm: VM, maximum: float) -> float:
    """A uniform float from 0 to below `maximum`."""
    return vm.random.unit() * maximum


@registry.function(pure=True)
def randomintrange(vm: VM, minimum: int, maximum: int) -> int:
    """A uniform int from `minimum` to `maximum` - 1."""
    if maximum <= minimum:
        raise ScriptError(f"randomintrange of {minimum} and {maximum}: the second must exceed the first")
    return minimum + vm.random.below(maximum - minimum)


@registry.function(pure=True)
def randomfloatrange(vm: VM, minimum: float, maximum: float) -> float:
    """A uniform float from `minimum` to below `maximum`."""
    if maximum <= minimum:
        raise ScriptError(
            f"randomfloatrange of {minimum:g} and {maximum:g}: the second must exceed the first"
        )
    return minimum + vm.random.unit() * (maximum - minimum)


# ---- angles ----------------------------------------------------------------------------------------------


@registry.function(pure=True)
def sin(degrees: float) -> float:
    return math.sin(math.radians(_finite(degrees)))


@registry.function(pure=True)
def cos(degrees: float) -> float:
    return math.cos(math.radians(_finite(degrees)))


@registry.function(pure=True)
def tan(degrees: float) -> float:
    """The tangent; where the cosine is 0 in binary32 the division is an error."""
    cosine = f32(math.cos(math.radians(_finite(degrees))))
    if abs(cosine) < 1e-7:
        raise ScriptError("divide by 0", result=0)
    return math.tan(math.radians(degrees))


@registry.function(pure=True)
def asin(x: float) -> float:
    return math.degrees(math.asin(_in_unit(x, "asin")))


@registry.function(pure=True)
def acos(x: float) -> float:
    return math.degrees(math.acos(_in_unit(x, "acos")))


@registry.function(pure=True)
def atan(x: float) -> float:
    return math.degrees(math.atan(x))


def _finite(value: float) -> float:
    if not math.isfinite(value):
        raise ScriptError(f"{value:g} is no angle")
    return value


def _in_unit(x: float, name: str) -> float:
    if not -1 <= x <= 1:
        raise ScriptError(f"{name} of {x:g}: the argument must be from -1 to 1")
    return x


# ---- vectors ---------------------------------------------------------------------------------------------


def _length_squared(v: Vector) -> float:
    return v[0] * v[0] + v[1] * v[1] + v[2] * v[2]


def _between(a: Vector, b: Vector) -> Vector:
    return (b[0] - a[0], b[1] - a[1], b[2] - a[2])


@registry.function(pure=True)
def distance(a: Vector, b: Vector) -> float:
    return math.sqrt(_length_squared(_between(a, b)))


@registry.function(pure=True)
def distancesquared(a: Vector, b: Vector) -> float:
    return _length_squared(_between(a, b))


@registry.function(pure=True)
def length(v: Vector) -> float:
    return math.sqrt(_length_squared(v))


@registry.function(pure=True)
def lengthsquared(v: Vector) -> float:
    return _length_squared(v)


@registry.function(pure=True)
def closer(reference: Vector, a: Vector, b: Vector) -> bool:
    """Whether `a` is nearer to the reference than `b`."""
    return _length_squared(_between(reference, a)) < _length_squared(_between(reference, b))


@registry.function(pure=True)
def vectordot(a: Vector, b: Vector) -> float:
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]


@registry.function(pure=True)
def vectornormalize(v: Vector) -> Vector:
    """The unit vector; that of (0, 0, 0) is itself."""
    size = math.sqrt(_length_squared(v))
    return v if size == 0 else (v[0] / size, v[1] / size, v[2] / size)


@registry.function(pure=True)
def vectortoangles(v: Vector) -> Vector:
    """Pitch (positive downwards), yaw and roll 0 of a direction; both from 0 to below 360."""
    x, y, z = v
    if x == 0 and y == 0:
        return (270.0 if z > 0 else 90.0, 0.0, 0.0)
    yaw = math.degrees(math.atan2(y, x)) % 360
    pitch = -math.degrees(math.atan2(z, math.hypot(x, y))) % 360
    # A tiny negative angle is 360 after rounding.
    return (f32(pitch) % 360, f32(yaw) % 360, 0.0)


def axes(angles: Vector) -> tuple[Vector, Vector, Vector]:
    """The forward, right and up axes of pitch, yaw and roll."""
    pitch, yaw, roll = (math.radians(_finite(a)) for a in angles)
    sp, cp, sy, cy, sr, cr = (
        math.sin(pitch), math.cos(pitch), math.sin(yaw), math.cos(yaw), math.sin(roll), math.cos(roll),
    )  # fmt: skip
    forward = (cp * cy, cp * sy, -sp)
    right = (-sr * sp * cy + cr * sy, -sr * sp * sy - cr * cy, -sr * cp)
    up = (cr * sp * cy + sr * sy, cr * sp * sy - sr * cy, cr * cp)
    return vector(*forward), vector(*right), vector(*up)


@registry.function(pure=True, cost=160)
def anglestoforward(angles: Vector) -> Vector:
    return axes(angles)[0]


@registry.function(pure=True, cost=160)
def anglestoright(angles: Vector) -> Vector:
    return axes(angles)[1]


@registry.function(pure=True, cost=160)
def anglestoup(angles: Vector) -> Vector:
    return axes(angles)[2]

"""Vectors and angles in plain Python: for one entity at a time this is faster than NumPy.

Angles are (pitch, yaw, roll) in degrees, pitch positive downwards, yaw counter-clockwise from x. A rotation
matrix is three rows of three floats; its columns are the forward, left and up axes.
"""

from __future__ import annotations

from math import asin, atan2, cos, degrees, hypot, nan, radians, sin, sqrt

Vector = tuple[float, float, float]
Matrix = tuple[Vector, Vector, Vector]

ZERO: Vector = (0.0, 0.0, 0.0)
IDENTITY: Matrix = ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0))


def add(a: Vector, b: Vector) -> Vector:
    return a[0] + b[0], a[1] + b[1], a[2] + b[2]


def sub(a: Vector, b: Vector) -> Vector:
    return a[0] - b[0], a[1] - b[1], a[2] - b[2]


def scale(a: Vector, s: float) -> Vector:
    return a[0] * s, a[1] * s, a[2] * s


def madd(a: Vector, s: float, b: Vector) -> Vector:
    """a + s * b."""
    return a[0] + s * b[0], a[1] + s * b[1], a[2] + s * b[2]


def dot(a: Vector, b: Vector) -> float:
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]


def cross(a: Vector, b: Vector) -> Vector:
    return a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]


def length(a: Vector) -> float:
    return sqrt(a[0] * a[0] + a[1] * a[1] + a[2] * a[2])


def distance(a: Vector, b: Vector) -> float:
    return length(sub(a, b))


def distance2d(a: Vector, b: Vector) -> float:
    return hypot(a[0] - b[0], a[1] - b[1])


def normalize(a: Vector) -> Vector:
    """The unit vector along `a`; zero stays zero."""
    size = length(a)
    return (a[0] / size, a[1] / size, a[2] / size) if size > 0.0 else ZERO


def lerp(a: Vector, b: Vector, t: float) -> Vector:
    return a[0] + (b[0] - a[0]) * t, a[1] + (b[1] - a[1]) * t, a[2] + (b[2] - a[2]) * t


def wrap180(angle: float) -> float:
    """The same direction within -180 (inclusive) to 180 (exclusive)."""
    return (angle + 180.0) % 360.0 - 180.0


def wrap360(angle: float) -> float:
    """The same direction within 0 to 360; -1e-17 gives 0.0, not 360.0."""
    wrapped = angle % 360.0
    return 0.0 if wrapped >= 360.0 else wrapped


def turn_towards(current: float, goal: float, most: float) -> float:
    """`current` turned the short way towards `goal` by at most `most` degrees."""
    off = wrap180(goal - current)
    return wrap180(current + max(-most, min(most, off)))


def circle(angle: float) -> tuple[float, float]:
    """Cosine and sine of an angle in degrees; for one that a script made infinite they are no numbers, as in C."""
    turn = radians(angle)
    try:
        return cos(turn), sin(turn)
    except ValueError:
        return nan, nan


def matrix(angles: Vector) -> Matrix:
    """The rotation of `angles`: rolled about forward first, then pitched, then turned."""
    (cp, sp), (cy, sy), (cr, sr) = circle(angles[0]), circle(angles[1]), circle(angles[2])
    return (
        (cp * cy, sr * sp * cy - cr * sy, cr * sp * cy + sr * sy),
        (cp * sy, sr * sp * sy + cr * cy, cr * sp * sy - sr * cy),
        (-sp, sr * cp, cr * cp),
    )


def matrix_angles(m: Matrix) -> Vector:
    """The angles of a rotation matrix. Straight up or down has no yaw of its own: roll is 0 there.

    Adding 0.0 turns a negative zero, which scripts would print, into 0.
    """
    sp = max(-1.0, min(1.0, -m[2][0]))
    pitch = degrees(asin(sp)) + 0.0
    if abs(sp) > 0.9999995:
        return pitch, degrees(atan2(-m[0][1], m[1][1])), 0.0
    return pitch, degrees(atan2(m[1][0], m[0][0])), degrees(atan2(m[2][1], m[2][2])) + 0.0


def rotate(m: Matrix, v: Vector) -> Vector:
    a, b, c = m
    x, y, z = v
    return (
        a[0] * x + a[1] * y + a[2] * z,
        b[0] * x + b[1] * y + b[2] * z,
        c[0] * x + c[1] * y + c[2] * z,
    )


def unrotate(m: Matrix, v: Vector) -> Vector:
    """`rotate` backwards: the inverse of a rotation is its transpose."""
    a, b, c = m
    x, y, z = v
    return (
        a[0] * x + b[0] * y + c[0] * z,
        a[1] * x + b[1] * y + c[1] * z,
        a[2] * x + b[2] * y + c[2] * z,
    )


def multiply(m: Matrix, n: Matrix) -> Matrix:
    columns = [rotate(m, (n[0][i], n[1][i], n[2][i])) for i in range(3)]
    x, y, z = columns
    return (x[0], y[0], z[0]), (x[1], y[1], z[1]), (x[2], y[2], z[2])


def transpose(m: Matrix) -> Matrix:
    a, b, c = m
    return (a[0], b[0], c[0]), (a[1], b[1], c[1]), (a[2], b[2], c[2])


def axes(angles: Vector) -> tuple[Vector, Vector, Vector]:
    """Forward, right and up."""
    a, b, c = matrix(angles)
    return (a[0], b[0], c[0]), (-a[1], -b[1], -c[1]), (a[2], b[2], c[2])


def forward(angles: Vector) -> Vector:
    (cp, sp), (cy, sy) = circle(angles[0]), circle(angles[1])
    return cp * cy, cp * sy, -sp


def look_angles(direction: Vector) -> Vector:
    """Pitch and yaw that look along `direction`; roll is 0."""
    flat = hypot(direction[0], direction[1])
    if flat == 0.0:
        return (-90.0 if direction[2] > 0 else 90.0 if direction[2] < 0 else 0.0), 0.0, 0.0
    return degrees(atan2(-direction[2], flat)), degrees(atan2(direction[1], direction[0])), 0.0

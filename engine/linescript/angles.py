"""Sine, cosine and tangent of degrees, the same to the last bit on every machine.

The C library's differ in their last bit from one system to the next, which is enough for two games to go apart. These
use only operations that IEEE 754 defines exactly. Results are multiples of 2 ** -51, so that what everybody knows is
exact: sin(180) is 0, cos(60) is 0.5 and tan(45) is 1.
"""

from __future__ import annotations

import math

from engine.linescript.faults import Fault

_RADIAN = math.pi / 180.0

# The series about 0, up to what doubles can tell within an eighth of a turn.
_S3, _S5, _S7, _S9, _S11, _S13, _S15 = (
    (-1.0) ** k / math.factorial(2 * k + 1) for k in range(1, 8)
)  # fmt: skip
_C2, _C4, _C6, _C8, _C10, _C12, _C14, _C16 = (
    (-1.0) ** k / math.factorial(2 * k) for k in range(1, 9)
)  # fmt: skip


def _turned(degrees: float, quarters: int) -> float:
    """The sine of an angle that is so many quarters of a turn further. Raises Fault for what is no angle."""
    try:
        # Both steps are exact: the remainder always, the difference since the two are near each other.
        rest = math.fmod(degrees, 360.0)
        quarter = round(rest / 90.0)
    except ValueError:
        raise Fault(f"{degrees:g} is no angle") from None
    x = (rest - 90.0 * quarter) * _RADIAN
    quarters += quarter
    s = x * x
    if quarters & 1:
        value = 1.0 + s * (
            _C2 + s * (_C4 + s * (_C6 + s * (_C8 + s * (_C10 + s * (_C12 + s * (_C14 + s * _C16))))))
        )
    else:
        value = x + x * s * (_S3 + s * (_S5 + s * (_S7 + s * (_S9 + s * (_S11 + s * (_S13 + s * _S15))))))
    # Between 2 and 4 doubles lie 2 ** -51 apart: the sum is rounded to that, and the difference is exact.
    return 3.0 - (value + 3.0) if quarters & 2 else (value + 3.0) - 3.0


def sine(degrees: float) -> float:
    return _turned(degrees, 0)


def cosine(degrees: float) -> float:
    return _turned(degrees, 1)


def tangent(degrees: float) -> float:
    """Raises Fault where there is none, at 90 degrees."""
    below = _turned(degrees, 1)
    if below == 0.0:
        raise Fault(f"{degrees:g} degrees have no tangent")
    return _turned(degrees, 0) / below

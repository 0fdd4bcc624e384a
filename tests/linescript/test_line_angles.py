"""Sines of degrees: exact where everybody knows them, near the truth elsewhere, and the same everywhere."""

from __future__ import annotations

import hashlib
import math

import pytest

from engine.linescript.angles import cosine, sine, tangent
from engine.linescript.faults import Fault


@pytest.mark.parametrize("turns", [0, 360, -360, 360_000, 2**40 * 360])
def test_what_everybody_knows_is_exact(turns: float) -> None:
    known = {0: 0.0, 30: 0.5, 90: 1.0, 150: 0.5, 180: 0.0, 210: -0.5, 270: -1.0, 330: -0.5}
    for degrees, value in known.items():
        assert sine(degrees + turns) == value
        assert cosine(degrees - 90 + turns) == value
        assert sine(-degrees - turns) == -value
    assert tangent(45 + turns) == 1.0
    assert tangent(135 + turns) == -1.0


def test_everything_else_is_right_to_fifteen_digits() -> None:
    for step in range(-7200, 7200):
        degrees = step * 0.1037
        radians = math.radians(degrees)
        assert sine(degrees) == pytest.approx(math.sin(radians), abs=3e-15)
        assert cosine(degrees) == pytest.approx(math.cos(radians), abs=3e-15)


def test_the_bits_are_those_of_every_machine() -> None:
    """A digest of results that was made once; a machine that differs would let games go apart."""
    bits = b"".join(float.hex(sine(step * 0.7 - 500.0)).encode() for step in range(2000))
    assert hashlib.sha256(bits).hexdigest()[:16] == "054bf184dd274809"


@pytest.mark.parametrize("degrees", [math.inf, -math.inf, math.nan])
def test_what_is_no_angle_is_refused(degrees: float) -> None:
    for function in (sine, cosine, tangent):
        with pytest.raises(Fault, match="no angle"):
            function(degrees)


@pytest.mark.parametrize("degrees", [90.0, -90.0, 270.0, 3690.0])
def test_a_right_angle_has_no_tangent(degrees: float) -> None:
    with pytest.raises(Fault, match="no tangent"):
        tangent(degrees)

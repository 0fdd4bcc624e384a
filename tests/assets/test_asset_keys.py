"""Channels of hand-placed keys, and the two-bone reach."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from assets.tools.keys import Channel
from assets.tools.rotations import about, arc, mixed, quaternion_of, turn
from assets.tools.soldier.rig import two_bones

FRAMES = np.linspace(-2.0, 14.0, 161)


def test_keys_are_met_and_held_outside() -> None:
    channel = Channel({0: 1.0, 4: 3.0, 10: -2.0})
    assert [channel.at(frame) for frame in (-5, 0, 4, 10, 99)] == [1.0, 1.0, 3.0, -2.0, -2.0]


@given(st.lists(st.floats(-50, 50), min_size=2, max_size=6))
def test_nothing_goes_beyond_its_neighbouring_keys(values: list[float]) -> None:
    channel = Channel(dict(enumerate(values)))
    for number in range(len(values) - 1):
        low, high = sorted(values[number : number + 2])
        between = [channel.at(number + share) for share in np.linspace(0, 1, 9)]
        assert low - 1e-9 <= min(between)
        assert max(between) <= high + 1e-9


def test_a_loop_closes_without_a_corner() -> None:
    channel = Channel({0: 0.0, 3: 5.0, 8: -1.0}, period=12.0)
    assert channel.at(12.0) == channel.at(0.0) == 0.0
    before, after = channel.at(12.0 - 1e-4), channel.at(1e-4)
    assert (0.0 - before) / 1e-4 == pytest.approx((after - 0.0) / 1e-4, abs=0.01)


def test_a_key_at_the_end_of_a_loop_is_refused() -> None:
    with pytest.raises(ValueError, match="at or after its period"):
        Channel({0: 0.0, 12: 1.0}, period=12.0)


def test_vectors_keep_their_shape() -> None:
    channel = Channel({0: (1.0, 2.0, 3.0), 2: (3.0, 2.0, 1.0)})
    np.testing.assert_allclose(channel.at(1.0), [2.0, 2.0, 2.0])


@given(st.tuples(*[st.floats(-170, 170)] * 3))
def test_a_quaternion_turns_as_its_matrix(angles: tuple[float, float, float]) -> None:
    matrix = turn(angles)
    x, y, z, w = quaternion_of(matrix)
    point = np.array([0.3, -0.8, 0.5])
    flat = np.array([x, y, z])
    turned = point + 2.0 * np.cross(flat, np.cross(flat, point) + w * point)
    np.testing.assert_allclose(turned, matrix @ point, atol=1e-9)


def test_pitch_above_zero_points_down() -> None:
    assert (turn((0, 30, 0)) @ [1, 0, 0])[2] == pytest.approx(-0.5)
    assert (turn((90, 0, 0)) @ [1, 0, 0])[1] == pytest.approx(1.0)


def test_half_way_between_two_turns() -> None:
    axis = (1.0, 2.0, -1.0)
    np.testing.assert_allclose(
        mixed(about(axis, 20.0), about(axis, 80.0), 0.5), about(axis, 50.0), atol=1e-12
    )


def test_the_shortest_arc_to_the_opposite_side() -> None:
    np.testing.assert_allclose(arc((0, 0, 1), (0, 0, -1)) @ [0, 0, 1], [0, 0, -1], atol=1e-12)


def test_the_elbow_keeps_both_lengths_and_bends_towards_the_pole() -> None:
    start, end = np.zeros(3), np.array([15.0, 0.0, 0.0])
    elbow, miss = two_bones(start, end, 11.0, 10.0, np.array([0.2, 0.0, -1.0]))
    assert miss == 0.0
    assert np.linalg.norm(elbow) == pytest.approx(11.0)
    assert np.linalg.norm(end - elbow) == pytest.approx(10.0)
    assert elbow[2] < 0.0


def test_a_hand_out_of_reach_says_by_how_much() -> None:
    _, miss = two_bones(np.zeros(3), np.array([30.0, 0.0, 0.0]), 11.0, 10.0, np.array([0.0, 0.0, -1.0]))
    assert miss == pytest.approx(9.0, abs=0.05)

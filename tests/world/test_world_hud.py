"""HUD elements over time, and what the view makes of them."""

from __future__ import annotations

import pytest

from engine.world.hud import MAX_ELEMENTS, Hud, HudState, timer_text


def element(**values: object) -> HudState:
    state = HudState(0)
    state.set_text("x")
    for name, value in values.items():
        setattr(state, name, value)
    return state


@pytest.mark.parametrize(
    ("ms", "tenths", "up", "shown"),
    [
        (60000, False, False, "1:00"), (59001, False, False, "1:00"), (200, False, False, "0:01"),
        (0, False, False, "0:00"), (-5, False, False, "0:00"), (59999, False, True, "0:59"),
        (61234, True, False, "1:01.2"), (3599000, False, True, "59:59"),
    ],
)  # fmt: skip
def test_times(ms: int, tenths: bool, up: bool, shown: str) -> None:
    assert timer_text(ms, tenths=tenths, up=up) == shown


def test_nothing_to_show_is_not_drawn() -> None:
    assert HudState(0).resolve(0) is None
    assert element(alpha=0.0).resolve(0) is None


def test_a_fade_goes_from_what_was_to_what_is() -> None:
    state = element(alpha=0.0)
    state.fade_over(1000, 2.0)
    state.alpha = 1.0
    values = [state.resolve(t) for t in (1000, 2000, 3000, 9000)]
    assert [v.alpha if v else None for v in values] == [0.0, 0.5, 1.0, 1.0]


def test_a_fade_begun_within_a_fade_starts_from_what_is_seen() -> None:
    state = element(alpha=0.0)
    state.fade_over(0, 2.0)
    state.alpha = 1.0
    state.fade_over(1000, 1.0)
    state.alpha = 0.0
    shown = state.resolve(1500)
    assert shown is not None
    assert shown.alpha == pytest.approx(0.25)


def test_moving_and_scaling_over_time() -> None:
    state = element(x=100.0)
    state.move_over(0, 1.0)
    state.x = 200.0
    shown = state.resolve(250)
    assert shown is not None
    assert shown.x == pytest.approx(125.0)
    state.set_shader("white", 10, 10)
    state.scale_over(0, 1.0, 30, 50)
    shown = state.resolve(500)
    assert shown is not None
    assert (shown.width, shown.height) == pytest.approx((20.0, 30.0))


def test_timers_values_and_labels() -> None:
    state = element(label="LEFT ")
    state.set_timer(1000, 90.0, up=False, tenths=False)
    shown = state.resolve(1000)
    assert shown is not None
    assert shown.text == "LEFT 1:30"
    state.set_value(7.0)
    shown = state.resolve(0)
    assert shown is not None
    assert shown.text == "LEFT 7"
    state.set_clock(0, 5.0, 10.0, "clock", 32, 32, up=False)
    shown = state.resolve(2500)
    assert shown is not None
    assert (shown.kind, shown.turn) == ("clock", 0.25)


def test_reset_keeps_number_and_viewer() -> None:
    state = element(x=50.0, alpha=0.3)
    state.player = 4
    state.reset()
    assert (state.x, state.alpha, state.kind, state.player) == (0.0, 1.0, None, 4)


def test_elements_are_sorted_and_slots_run_out() -> None:
    hud = Hud()
    made = [hud.new() for _ in range(3)]
    for state, sort in zip(made, (5.0, 1.0, 1.0), strict=True):
        assert state is not None
        state.set_text("x")
        state.sort = sort
    assert [e.number for e in hud.resolve(0, {})] == [1, 2, 0]
    for _ in range(2045):
        assert hud.new() is not None
    assert hud.new() is None
    hud.remove(7)
    again = hud.new()
    assert again is not None
    assert again.number == 7


def test_an_element_of_a_team_is_for_each_of_its_players() -> None:
    hud = Hud()
    state = hud.new(team="axis")
    assert state is not None
    state.set_text("x")
    assert [e.player for e in hud.resolve(0, {0: "axis", 1: "allies", 5: "axis"})] == [0, 5]
    assert hud.resolve(0, {1: "allies"}) == ()


def test_a_new_element_has_the_lowest_number_that_is_free_also_after_a_load() -> None:
    hud = Hud()
    made = [element.number for element in (hud.new() for _ in range(5)) if element is not None]
    assert made == [0, 1, 2, 3, 4]
    hud.remove(3)
    hud.remove(1)
    fresh = [element.number for element in (hud.new() for _ in range(3)) if element is not None]
    assert fresh == [1, 3, 5]
    kept = dict(hud.elements)
    del kept[2]
    hud.put_back(kept)
    again = hud.new()
    assert again is not None
    assert again.number == 2
    while hud.new() is not None:
        pass
    assert len(hud.elements) == MAX_ELEMENTS
    hud.remove(2040)
    last = hud.new()
    assert last is not None
    assert last.number == 2040

"""Actions to commands: what is held, what was only tapped, where the view turns, and what events mean."""

from __future__ import annotations

import pygame
import pytest

from engine.client.actions import Action, Bindings, Source
from engine.client.input import PITCH_LIMIT, Controls, EventReader, Look
from engine.world.command import Button


def test_held_keys_walk_and_opposite_keys_cancel():
    controls = Controls()
    controls.press(Action.FORWARD)
    controls.press(Action.RIGHT)
    assert (controls.command(16).forward, controls.command(16).right) == (1.0, 1.0)
    controls.press(Action.BACK)
    assert controls.command(16).forward == 0.0
    controls.release(Action.FORWARD)
    assert controls.command(16).forward == -1.0


def test_a_press_shorter_than_a_picture_still_counts_once():
    controls = Controls()
    controls.press(Action.FIRE)
    controls.release(Action.FIRE)
    assert controls.command(16).buttons == Button.ATTACK
    assert controls.command(16).buttons == Button(0)


@pytest.mark.parametrize(
    ("action", "button"),
    [
        (Action.USE, Button.USE), (Action.JUMP, Button.JUMP), (Action.CROUCH, Button.CROUCH),
        (Action.SPRINT, Button.SPRINT), (Action.RELOAD, Button.RELOAD), (Action.AIM, Button.AIM),
        (Action.WALK, Button.WALK), (Action.MELEE, Button.MELEE), (Action.FIRE, Button.ATTACK),
    ],
)  # fmt: skip
def test_every_button_reaches_the_command(action: Action, button: Button):
    controls = Controls()
    controls.press(action)
    assert controls.command(16).buttons == button


def test_releasing_everything_stops_at_once():
    controls = Controls()
    controls.press(Action.FORWARD)
    controls.press(Action.FIRE)
    controls.stick((1.0, 0.0), (1.0, 0.0))
    controls.release_all()
    command = controls.command(16)
    assert (command.forward, command.right, command.buttons) == (0.0, 0.0, Button(0))


def test_the_mouse_turns_right_and_down_and_no_farther_than_straight_up():
    controls = Controls()
    controls.set_view(0.0, 90.0)
    controls.turn(100, 50)
    _, yaw, _ = controls.command(16).angles
    assert yaw == pytest.approx(84.0)
    assert controls.pitch == pytest.approx(3.0)
    controls.turn(0, -100000)
    assert controls.pitch == -PITCH_LIMIT


def test_sensitivity_and_inversion():
    controls = Controls(Look(sensitivity=2.0, invert=True))
    controls.turn(0, 10)
    assert controls.pitch == pytest.approx(-1.2)


def test_sticks_have_slack_and_full_deflection_is_full_speed():
    controls = Controls()
    controls.stick((0.1, -0.1), (0.1, 0.0))
    still = controls.command(16)
    assert (still.forward, still.right) == (0.0, 0.0)
    assert controls.yaw == 0.0
    controls.stick((1.0, -1.0), (0.0, 0.0))
    command = controls.command(16)
    assert (command.forward, command.right) == (1.0, 1.0)


def test_the_right_stick_turns_by_time_not_by_pictures():
    one, many = Controls(), Controls()
    one.stick((0, 0), (1.0, 0.0))
    many.stick((0, 0), (1.0, 0.0))
    one.command(100)
    for _ in range(10):
        many.command(10)
    assert one.yaw == pytest.approx(many.yaw)
    assert one.yaw == pytest.approx(360 - 21)


def test_events_become_sources():
    reader = EventReader(Bindings())
    event = pygame.event.Event
    assert reader.source(event(pygame.KEYDOWN, key=pygame.K_w, repeat=False)) == (
        Source("key", pygame.K_w),
        True,
    )
    assert reader.source(event(pygame.KEYUP, key=pygame.K_w)) == (Source("key", pygame.K_w), False)
    assert reader.source(event(pygame.MOUSEBUTTONDOWN, button=1)) == (Source("mouse", 1), True)
    assert reader.source(event(pygame.KEYDOWN, key=pygame.K_w, repeat=True)) is None
    assert reader.source(event(pygame.MOUSEMOTION, rel=(1, 1), pos=(0, 0), buttons=(0, 0, 0))) is None


def test_a_trigger_is_a_button_that_is_pressed_once():
    reader = EventReader(Bindings())
    axis = pygame.CONTROLLER_AXIS_TRIGGERRIGHT
    values = [3000, 20000, 32767, 1000]
    found = [
        reader.source(pygame.event.Event(pygame.CONTROLLERAXISMOTION, axis=axis, value=v)) for v in values
    ]
    assert found == [None, (Source("trigger", axis), True), None, (Source("trigger", axis), False)]


def test_stick_events_are_kept_for_the_next_command():
    reader = EventReader(Bindings())
    event = pygame.event.Event(pygame.CONTROLLERAXISMOTION, axis=pygame.CONTROLLER_AXIS_LEFTY, value=-32767)
    assert reader.source(event) is None
    assert reader.sticks()[0][1] == pytest.approx(-1.0)


def test_no_source_asks_for_two_actions_and_every_action_has_one():
    bindings = Bindings()
    sources = [source for sources in bindings.by_action.values() for source in sources]
    assert len(sources) == len(set(sources))
    assert set(bindings.by_action) == set(Action)
    assert bindings.action(Source("key", pygame.K_w)) is Action.FORWARD
    assert bindings.action(Source("key", pygame.K_F7)) is None

"""The frame update and its notes (animation facts, sections 5.4 and 5.5; known faults M4 to M7 and M10)."""

from __future__ import annotations

import pytest

from engine.anim.frame import MAX_STOPS
from engine.anim.notes import MAX_PASSES
from tests.anim.kit import Clips, Stage, make_clip

Sent = tuple[str, str]


def loop(length: float = 1.0, notes: dict[str, float] | None = None, name: str = "walk") -> Clips:
    return Clips(make_clip(name, length, True, notes))


def once(length: float = 1.0, notes: dict[str, float] | None = None, name: str = "walk") -> Clips:
    return Clips(make_clip(name, length, False, notes))


def playing(clips: Clips, text: str = "walk\n", **options: float) -> Stage:
    stage = Stage(text, clips)
    stage.set("walk", 1.0, 0.0, options.get("rate", 1.0), notify="x")
    return stage


# -- time --


def test_a_leaf_runs_at_its_frequency_times_its_rates() -> None:
    text = "body\n{\n\tlegs\n\t{\n\t\twalk\n\t}\n}\n"
    stage = Stage(text, loop(2.0))
    stage.set("body", 1.0, 0.0, 3.0)
    stage.set("legs", 1.0, 0.0, 2.0)
    stage.set("walk", 1.0, 0.0, 0.5)
    stage.step(0.1)
    assert stage.time("walk") == pytest.approx(0.1 / 2.0 * 0.5 * 2.0 * 3.0)


def test_a_loop_wraps_and_a_plain_clip_stays_at_its_end() -> None:
    stage = Stage("walk\nfall\n", Clips(make_clip("walk", 1.0, True), make_clip("fall", 1.0)))
    stage.set("walk", 1.0, 0.0)
    stage.set("fall", 1.0, 0.0)
    stage.step(0.7, 4)
    assert stage.time("walk") == pytest.approx(0.8)
    assert stage.time("fall") == 1.0


def test_a_long_frame_is_no_slow_motion() -> None:
    """M10."""
    fast, slow = Stage("walk\n", loop()), Stage("walk\n", loop())
    for stage in (fast, slow):
        stage.set("walk", 1.0, 0.2)
    fast.step(0.05, 3)
    slow.step(0.15)
    assert slow.time("walk") == pytest.approx(fast.time("walk"))
    assert slow.time("walk") == pytest.approx(0.15)


@pytest.mark.parametrize("dt", [0.0, -0.004])
def test_time_stands_still_or_goes_on_but_never_back(dt: float) -> None:
    stage = playing(loop())
    stage.step(0.3)
    stage.step(dt)
    assert stage.time("walk") == pytest.approx(0.3)


def test_what_has_no_weight_does_not_advance() -> None:
    stage = Stage("walk\n", loop())
    stage.set("walk", 1.0, 0.0)
    stage.set("walk", 0.0, 0.0)
    stage.step(0.3)
    assert stage.time("walk") == 0.0


def test_a_rate_beyond_all_measure_harms_nobody() -> None:
    stage = playing(loop(notes={"step": 0.5}), rate=1e30)
    assert len(stage.step(0.05)) <= 2 * (MAX_PASSES + 1)
    assert 0.0 <= stage.time("walk") <= 1.0


def test_rates_that_multiply_beyond_all_numbers_leave_a_number() -> None:
    groups = [f"g{i}" for i in range(12)]
    stage = playing(loop(), "\n{\n".join(groups) + "\n{\nwalk\n" + "}\n" * 12)
    for name in groups:
        stage.set(name, 1.0, 0.0, 3e38)
    stage.set("walk", 1.0, 0.0, 0.0)
    stage.step(0.05)
    assert stage.time("walk") == 0.0


# -- sync groups --

STRIDES = "strides : loopsync\n{\n\tlong\n\tshort\n\tmore\n\t{\n\t\tthird\n\t}\n}\n"


def strides() -> Stage:
    return Stage(
        STRIDES,
        Clips(make_clip("long", 1.0, True), make_clip("short", 0.8, True), make_clip("third", 0.5, True)),
    )


def test_members_of_a_group_keep_one_phase_at_the_weighted_frequency() -> None:
    """M4."""
    stage = strides()
    stage.set("long", 0.5, 0.0)
    stage.set("short", 0.5, 0.0)
    stage.step(0.05, 4)
    assert stage.time("long") == stage.time("short") == pytest.approx(0.2 * 1.125)
    stage.step(0.05, 20)
    assert stage.time("long") == stage.time("short") == pytest.approx(1.2 * 1.125 - 1.0)


def test_the_group_speed_follows_weights_and_rates() -> None:
    stage = strides()
    stage.set("long", 3.0, 0.0)
    stage.set("short", 1.0, 0.0, 2.0)
    stage.step(0.1)
    assert stage.time("strides") == pytest.approx(0.1 * (3.0 * 1.0 + 1.0 * 2.0 * 1.25) / 4.0)


def test_parents_within_a_group_count_with_the_speed_below_them() -> None:
    stage = strides()
    stage.set("long", 1.0, 0.0)
    stage.set("third", 5.0, 0.0, 0.5)
    stage.set("more", 3.0, 0.0, 2.0)
    stage.step(0.1)
    assert stage.time("third") == pytest.approx(0.1 * (1.0 + 3.0 * 2.0 * (0.5 * 2.0)) / 4.0)


def test_a_weighted_parent_without_anything_below_does_not_slow_the_group() -> None:
    stage = strides()
    stage.set("long", 1.0, 0.0)
    stage.set("more", 1.0, 0.0)
    stage.step(0.1)
    assert stage.time("long") == pytest.approx(0.1)


def test_the_rates_of_the_group_and_above_count_once() -> None:
    text = "body\n{\n" + STRIDES + "}\n"
    stage = Stage(
        text,
        Clips(make_clip("long", 1.0, True), make_clip("short", 0.8, True), make_clip("third", 0.5, True)),
    )
    stage.set("body", 1.0, 0.0, 2.0)
    stage.set("strides", 1.0, 0.0, 1.5)
    stage.set("long", 1.0, 0.0)
    stage.step(0.1)
    assert stage.time("long") == pytest.approx(0.1 * 2.0 * 1.5)


def test_a_group_of_plain_clips_ends_together() -> None:
    stage = Stage(
        "fall : nonloopsync\n{\n\ta\n\tb\n}\n",
        Clips(make_clip("a", 1.0), make_clip("b", 2.0, notes={"n": 0.9})),
    )
    stage.set("a", 1.0, 0.0, notify="a")
    stage.set("b", 1.0, 0.0, notify="b")
    # (1 + 1/2) / 2 = 0.75 passes a second
    assert stage.step(0.05, 24) == [("b", "n")]
    assert stage.time("fall") == pytest.approx(0.9)
    assert sorted(stage.step(0.05, 3)) == [("a", "end"), ("b", "end")]
    assert stage.time("fall") == 1.0


# -- notes of a leaf --


def test_notes_are_sent_in_the_order_of_their_time_with_end_last() -> None:
    stage = playing(once(notes={"late": 0.9, "early": 0.1, "mid": 0.5}))
    assert stage.step(0.05, 20) == [("x", "early"), ("x", "mid"), ("x", "late"), ("x", "end")]


@pytest.mark.parametrize("dt", [0.05, 0.03, 0.1, 0.25, 0.7, 1.0])
def test_every_note_is_sent_once_a_pass_whatever_the_frame(dt: float) -> None:
    """M5: also where a frame ends exactly at a note, and over many loops."""
    stage = playing(loop(notes={"start": 0.0, "step": 0.5}))
    frames = round(3.0 / dt)
    sent = stage.step(dt, frames)
    total = frames * dt + 1e-6
    expected: list[Sent] = []
    for cycle in range(4):
        for at, note in ((0.0, "start"), (0.5, "step"), (1.0, "end")):
            if cycle + at <= total:
                expected.append(("x", note))
    assert sent == expected


def test_a_step_from_04_to_07_passes_the_note_at_05_once() -> None:
    """M5."""
    stage = playing(loop(notes={"step": 0.5}))
    assert stage.step(0.4) == []
    assert stage.step(0.3) == [("x", "step")]
    assert stage.step(0.2) == []


def test_a_step_over_two_loops_sends_every_note_of_both() -> None:
    """M5."""
    stage = playing(loop(notes={"left": 0.25, "right": 0.75}))
    once_round = [("x", "left"), ("x", "right"), ("x", "end")]
    assert stage.step(2.1) == once_round * 2


def test_a_note_where_the_clip_stands_is_sent_once() -> None:
    """M6."""
    stage = playing(loop(notes={"step": 0.5}))
    stage.instances.set_time(0, stage.node("walk"), 0.5)
    assert [stage.step(0.0) for _ in range(3)] == [[("x", "step")], [], []]
    assert stage.step(0.05) == []


def test_a_note_reached_exactly_is_not_sent_again_while_time_stands() -> None:
    """M6."""
    stage = playing(loop(notes={"step": 0.5}))
    assert stage.step(0.5) == [("x", "step")]
    assert stage.step(0.0, 3) == []


def test_a_late_note_waits_for_its_time() -> None:
    """M7: a note at 1.95 of 2 s."""
    stage = playing(once(2.0, {"late": 1.95 / 2.0}))
    assert stage.step(0.11) == []
    assert stage.step(0.05, 36) == []
    assert stage.time("walk") == pytest.approx(1.91 / 2.0)
    assert stage.step(0.05) == [("x", "late")]


def test_end_is_sent_once_a_loop_and_with_every_frame_at_the_end_of_a_plain_clip() -> None:
    stage = playing(loop(0.1))
    assert stage.step(0.05, 6) == [("x", "end")] * 3
    stage = playing(once(0.1))
    assert stage.step(0.05) == []
    assert [stage.step(0.05) for _ in range(3)] == [[("x", "end")]] * 3
    assert stage.step(0.0) == []
    stage.clear("walk", 0.0)
    assert stage.step(0.05) == []


def test_a_clip_of_one_frame_sends_end() -> None:
    """A10 for the runtime: no length to divide by."""
    clip = make_clip("walk", 1.0, False, frames=2)
    still = type(clip)("walk", clip.bones, clip.rows[:1], 30.0, False, clip.notes)
    stage = playing(Clips(still))
    assert stage.step(0.05) == [("x", "end")]


def test_an_unflagged_command_silences_a_node_and_a_flagged_one_renames_it() -> None:
    stage = playing(loop(notes={"step": 0.5}))
    stage.set("walk", notify="y")
    assert stage.step(0.5) == [("y", "step")]
    stage.set("walk")
    assert stage.step(1.0) == []


def test_flagging_anew_at_a_note_does_not_send_it_again() -> None:
    stage = playing(loop(notes={"step": 0.5}))
    assert stage.step(0.5) == [("x", "step")]
    stage.set("walk", notify="y")
    assert stage.step(0.05) == []


def test_a_restart_sends_the_notes_again() -> None:
    stage = playing(loop(notes={"start": 0.0}))
    assert stage.step(0.05) == [("x", "start")]
    stage.set("walk", notify="x", restart=True)
    assert stage.step(0.05) == [("x", "start")]


def test_what_fades_out_is_silent() -> None:
    text = "legs\n{\n\twalk\n}\nwave\n"
    clips = Clips(make_clip("walk", 0.1, True), loops=["wave"])
    stage = playing(clips, text)
    assert len(stage.step(0.05, 2)) == 1
    stage.set("wave", 1.0, 1.0, knob=True)
    assert stage.step(0.05, 4) == []
    assert stage.weight("legs") > 0.5  # it is its ancestor that fades


def test_what_is_not_shown_is_silent() -> None:
    stage = Stage("legs\n{\n\twalk\n}\n", loop(0.1))
    stage.set("walk", 1.0, 0.0, notify="x", limited=True)
    assert stage.step(0.05, 8) == []


# -- notes of parents --


def sync_notes() -> Stage:
    text = "strides : loopsync\n{\n\tlong\n\tshort\n\tmore\n\t{\n\t\tthird\n\t}\n}\n"
    return Stage(
        text,
        Clips(
            make_clip("long", 1.0, True, {"long_step": 0.5}),
            make_clip("short", 1.0, True, {"short_step": 0.5}),
            make_clip("third", 1.0, True, {"third_step": 0.5}),
        ),
    )


def test_a_sync_parent_sends_the_notes_of_its_heaviest_leaf() -> None:
    stage = sync_notes()
    stage.set("long", 0.4, 0.0)
    stage.set("third", 0.6, 0.0)
    stage.set("strides", notify="s")
    assert stage.step(0.5) == [("s", "third_step")]


def test_the_target_weight_decides() -> None:
    stage = sync_notes()
    stage.set("long", 0.4, 0.0)
    stage.set("short", 0.9, 5.0)
    stage.set("strides", notify="s")
    assert stage.step(0.5) == [("s", "short_step")]


def test_the_first_in_tree_order_wins_a_tie() -> None:
    stage = sync_notes()
    for name in ("long", "short"):
        stage.set(name, 1.0, 0.0)
    stage.set("strides", notify="s")
    # Children are numbered newest first, so that is the later one of the file.
    assert stage.step(0.5) == [("s", "short_step")]


def test_a_sync_parent_keeps_the_leaf_that_it_had_when_the_command_was_given() -> None:
    stage = sync_notes()
    stage.set("long", 1.0, 0.0)
    stage.set("strides", notify="s")
    stage.set("short", 2.0, 0.0)
    assert stage.step(0.6) == [("s", "long_step")]
    stage.set("short", 2.0, 0.0, knob=True)
    assert stage.step(1.0) == [("s", "end"), ("s", "long_step")]


def test_a_parent_with_one_child_sends_its_notes() -> None:
    stage = Stage("legs\n{\n\tinner\n\t{\n\t\twalk\n\t}\n}\n", loop(notes={"step": 0.5}))
    stage.set("walk", 1.0, 0.0)
    stage.set("legs", notify="l")
    assert stage.step(0.5) == [("l", "step")]


def test_leaf_and_parent_may_both_be_flagged() -> None:
    stage = sync_notes()
    stage.set("long", 1.0, 0.0, notify="l")
    stage.set("strides", 1.0, 0.0, notify="s")
    assert sorted(stage.step(0.5)) == [("l", "long_step"), ("s", "long_step")]


# -- stopping at notes --


def test_the_update_stands_at_the_note_when_scripts_run() -> None:
    stage = playing(loop(notes={"a": 0.02, "b": 0.03}))
    seen: list[tuple[str, float]] = []
    stage.instances.step(0.05, lambda row, notify, note: seen.append((note, stage.time("walk"))))
    assert seen == [("a", pytest.approx(0.02)), ("b", pytest.approx(0.03))]
    assert stage.time("walk") == pytest.approx(0.05)


def test_a_note_less_than_a_millisecond_before_the_end_waits_for_the_end_of_the_frame() -> None:
    stage = playing(loop(notes={"a": 0.0485, "b": 0.0495}))
    seen: list[float] = []
    stage.instances.step(0.05, lambda row, notify, note: seen.append(stage.time("walk")))
    assert seen == [pytest.approx(0.0485), pytest.approx(0.05)]


def test_a_command_at_a_note_takes_the_rest_of_the_frame() -> None:
    clips = Clips(
        make_clip("walk", 1.0, True, {"shot": 0.02}), make_clip("fire", 1.0, False, {"flash": 0.01})
    )
    stage = playing(clips, "walk\nfire\n")

    def deliver(row: int, notify: str, note: str) -> None:
        stage.sent.append((notify, note))
        if note == "shot":
            stage.set("fire", 1.0, 0.0, notify="f")
            stage.set("walk", 1.0, 0.0, 2.0, notify="x")

    stage.instances.step(0.05, deliver)
    assert stage.sent == [("x", "shot"), ("f", "flash")]
    assert stage.time("fire") == pytest.approx(0.03)
    assert stage.time("walk") == pytest.approx(0.02 + 0.03 * 2.0)


def test_a_node_cleared_at_a_note_sends_nothing_more() -> None:
    stage = playing(loop(notes={"a": 0.01, "b": 0.02, "c": 0.03}))

    def deliver(row: int, notify: str, note: str) -> None:
        stage.sent.append((notify, note))
        if note == "a":
            stage.clear("walk", 0.2)

    stage.instances.step(0.05, deliver)
    assert stage.sent == [("x", "a")]


def test_all_notes_of_a_moment_are_sent_before_scripts_run() -> None:
    stage = Stage(
        "p\n{\n\twalk\n\trun\n}\n", Clips(*(make_clip(n, 1.0, True, {"a": 0.02}) for n in ("walk", "run")))
    )
    for name in ("walk", "run"):
        stage.set(name, 1.0, 0.0, notify=name)
    order: list[str] = []

    def settle() -> None:
        order.append("scripts")
        stage.clear("p", 0.0)

    stage.instances.step(0.05, lambda row, notify, note: order.append(notify), settle)
    assert sorted(order[:2]) == ["run", "walk"]
    assert order[2:] == ["scripts"]


def test_a_note_is_silent_when_another_of_the_same_moment_has_ended_its_node() -> None:
    stage = Stage(
        "p\n{\n\twalk\n\trun\n}\n", Clips(*(make_clip(n, 1.0, True, {"a": 0.02}) for n in ("walk", "run")))
    )
    for name in ("walk", "run"):
        stage.set(name, 1.0, 0.0, notify=name)
    sent: list[str] = []

    def deliver(row: int, notify: str, note: str) -> None:
        sent.append(notify)
        stage.clear("p", 0.2)

    stage.instances.step(0.05, deliver)
    assert sent == ["run"]


def test_a_restart_at_the_end_of_the_frame_belongs_to_the_next() -> None:
    stage = playing(loop(notes={"start": 0.0, "turn": 0.05}))

    def deliver(row: int, notify: str, note: str) -> None:
        stage.sent.append((notify, note))
        if note == "turn":
            stage.set("walk", notify="x", restart=True)

    stage.instances.step(0.05, deliver)
    assert [note for _, note in stage.sent] == ["start", "turn"]
    assert stage.time("walk") == 0.0
    assert stage.step(0.05) == [("x", "start"), ("x", "turn")]


def test_end_is_sent_once_a_frame_whatever_answers_it() -> None:
    stage = playing(Clips(make_clip("walk", 0.1), loops=["run"]), "walk\nrun\n")
    stage.step(0.1)
    stage.sent.clear()

    def deliver(row: int, notify: str, note: str) -> None:
        stage.sent.append((notify, note))
        stage.set("run", 1.0, 0.2)

    stage.instances.step(0.05, deliver)
    assert stage.sent == [("x", "end")]


def test_a_row_copied_at_a_note_begins_to_move_with_the_next_frame() -> None:
    stage = playing(loop(notes={"a": 0.02}))
    rows: list[int] = []
    stage.instances.step(0.05, lambda *_: rows.append(stage.instances.copy_from(stage.instances, 0)))
    assert stage.time("walk", rows[0]) == pytest.approx(0.02)
    stage.step(0.05)
    assert stage.time("walk", rows[0]) == pytest.approx(0.07)


def test_a_restart_at_a_note_sends_the_note_at_0_in_the_same_frame() -> None:
    stage = playing(loop(notes={"start": 0.0, "turn": 0.02}))

    def deliver(row: int, notify: str, note: str) -> None:
        stage.sent.append((notify, note))
        if note == "turn" and len(stage.sent) < 3:
            stage.set("walk", notify="x", restart=True)

    stage.instances.step(0.05, deliver)
    assert [note for _, note in stage.sent] == ["start", "turn", "start", "turn"]
    assert stage.time("walk") == pytest.approx(0.03)


def test_a_command_in_answer_to_a_note_at_0_does_not_send_it_again() -> None:
    stage = Stage("walk\nrun\n", Clips(make_clip("walk", 1.0, True, {"start": 0.0}), loops=["run"]))
    stage.set("walk", 1.0, 0.0, notify="x")

    def deliver(row: int, notify: str, note: str) -> None:
        stage.sent.append((notify, note))
        stage.set("run", 1.0, 0.2)
        stage.time("walk")

    stage.instances.step(0.05, deliver)
    assert stage.sent == [("x", "start")]


def test_a_note_at_0_of_a_restart_within_the_frame_is_sent_once_whatever_answers_it() -> None:
    clips = Clips(make_clip("walk", 1.0, True, {"start": 0.0, "turn": 0.02}), loops=["run"])
    stage = playing(clips, "walk\nrun\n")

    def deliver(row: int, notify: str, note: str) -> None:
        stage.sent.append((notify, note))
        if len(stage.sent) == 2:
            stage.set("walk", notify="x", restart=True)
        else:
            stage.set("run", 1.0, 0.2)

    stage.instances.step(0.03, deliver)
    assert [note for _, note in stage.sent] == ["start", "turn", "start"]


def test_a_script_that_restarts_its_own_first_note_does_not_hang_the_game() -> None:
    stage = playing(loop(notes={"start": 0.0}))

    def deliver(row: int, notify: str, note: str) -> None:
        stage.sent.append((notify, note))
        stage.set("walk", notify="x", restart=True)

    stage.instances.step(0.05, deliver)
    assert len(stage.sent) == MAX_STOPS + 1
    assert stage.instances.overrun == [0]
    assert stage.time("walk") == pytest.approx(0.05)
    stage.set("walk", rate=0.0)
    stage.step(0.05)
    assert stage.instances.overrun == []


def test_notes_of_several_entities_come_in_the_order_of_their_time() -> None:
    stage = Stage("walk\n", loop(notes={"a": 0.1, "b": 0.135}), entities=3)
    for row, ahead in ((0, 0.06), (1, 0.09), (2, 0.08)):
        stage.set("walk", 1.0, 0.0, row=row, notify="x")
        stage.instances.set_time(row, 1, ahead)
    order: list[tuple[int, str]] = []
    stage.instances.step(0.05, lambda row, notify, note: order.append((row, note)))
    assert order == [(1, "a"), (2, "a"), (0, "a"), (1, "b")]


def test_an_entity_commanded_by_the_script_of_another_is_at_the_same_moment() -> None:
    stage = Stage("walk\n", loop(notes={"a": 0.02, "b": 0.04}), entities=2)
    stage.set("walk", 1.0, 0.0, row=0, notify="x")
    stage.set("walk", 1.0, 0.0, row=1, notify="y")
    stage.instances.set_time(1, 1, 0.005)
    sent: list[Sent] = []

    def deliver(row: int, notify: str, note: str) -> None:
        sent.append((notify, note))
        if (notify, note) == ("x", "a"):
            assert stage.time("walk", 1) == pytest.approx(0.025)
            stage.set("walk", 1.0, 0.0, 2.0, row=1, notify="y")

    stage.instances.step(0.05, deliver)
    assert sent == [("y", "a"), ("x", "a"), ("y", "b"), ("x", "b")]
    assert stage.time("walk", 1) == pytest.approx(0.025 + 2 * 0.03)


def test_entities_in_lockstep_lose_no_note_when_one_commands_the_other() -> None:
    stage = Stage("walk\n", loop(notes={"a": 0.02}), entities=3)
    for row in range(3):
        stage.set("walk", 1.0, 0.0, row=row, notify="x")
    sent: list[int] = []

    def deliver(row: int, notify: str, note: str) -> None:
        sent.append(row)
        for other in range(3):
            stage.set("walk", 1.0, 0.0, 1.5, row=other, notify="x")

    stage.instances.step(0.05, deliver)
    assert sent == [0, 1, 2]


def test_entities_may_come_and_go_at_a_note() -> None:
    stage = Stage("walk\n", loop(notes={"a": 0.02, "b": 0.03}), entities=2)
    for row in range(2):
        stage.set("walk", 1.0, 0.0, row=row, notify="x")
    sent: list[tuple[int, str]] = []
    added: list[int] = []

    def deliver(row: int, notify: str, note: str) -> None:
        sent.append((row, note))
        if not added:
            stage.instances.remove(1)
            for _ in range(40):  # the first takes the row that was just left, the others make the store grow
                added.append(stage.instances.add())
                stage.set("walk", 1.0, 0.0, row=added[-1], notify="new")

    stage.instances.step(0.05, deliver)
    assert sent == [(0, "a"), (0, "b")]
    assert added == [1, *range(2, 41)]
    assert {stage.time("walk", row) for row in added} == {0.0}
    assert len(stage.instances.root_motion()) == 41
    sent.clear()
    stage.instances.step(0.025, lambda row, notify, note: sent.append((row, notify)))
    assert sorted(sent) == [(row, "new") for row in added]


def test_an_error_in_a_script_leaves_the_frame_finished() -> None:
    stage = playing(loop(notes={"a": 0.02}))

    def deliver(row: int, notify: str, note: str) -> None:
        raise ValueError("from the host")

    with pytest.raises(ValueError, match="from the host"):
        stage.instances.step(0.05, deliver)
    assert stage.time("walk") == pytest.approx(0.05)
    assert stage.step(0.05) == []


def test_a_step_within_a_step_is_refused() -> None:
    stage = playing(loop(notes={"a": 0.02}))
    with pytest.raises(RuntimeError, match="cannot start another"):
        stage.instances.step(0.05, lambda *_: stage.instances.step(0.05, lambda *_: None))
    with pytest.raises(RuntimeError, match="cannot change during a step"):
        stage.instances.step(1.0, lambda *_: stage.instances.rebind(stage.tree))

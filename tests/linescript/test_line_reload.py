"""A context goes on in a changed text: base programs and variants, and where the counter is afterwards."""

from __future__ import annotations

import pytest

from engine.linescript.context import Context
from engine.linescript.reload import Fate, carry_over, map_lines
from engine.linescript.runner import tick
from engine.linescript.state import describe
from engine.source import DiagnosticError
from tests.linescript.linescript_kit import Bench

LOOP = """n = 0
while n < 3
  n = n + 1
  wait 0.1
  print("old", n)
end
print("end")
"""


def edit(base: str, new: str, frames: int) -> tuple[Bench, Context, Fate]:
    """Run `base` for so many frames, then go on in `new` for two seconds."""
    bench = Bench()
    old, program = bench.program(base), bench.program(new)
    context = bench.context(old)
    tick(context)
    for _ in range(frames):
        bench.clock.advance(50)
        tick(context)
    fate = carry_over(context, program, map_lines(old, program))
    for _ in range(40):
        bench.clock.advance(50)
        tick(context)
    assert context.fault is None, context.fault
    return bench, context, fate


def test_lines_above_and_below_move_the_counter() -> None:
    bench, context, fate = edit(LOOP, "# one\n\n" + LOOP.replace('"old"', '"new"') + 'print("more")\n', 1)
    assert fate is Fate.UNTOUCHED
    assert bench.lines == ["new 1", "new 2", "new 3", "end", "more"]
    assert context.done


def test_a_changed_wait_keeps_its_time_and_counts_anew_next() -> None:
    bench, _, fate = edit(LOOP, LOOP.replace("wait 0.1", "wait 0.5"), 1)
    assert fate is Fate.MOVED
    assert bench.lines == ["old 1", "old 2", "old 3", "end"]


def test_a_removed_line_gives_its_place_to_the_next() -> None:
    bench, _, fate = edit(LOOP, LOOP.replace("  wait 0.1\n", ""), 1)
    assert fate is Fate.RESTARTED
    assert bench.lines == ["old 1", "old 2", "old 3", "end"]


def test_a_loop_that_is_gone_is_left() -> None:
    new = "n = 0\n  n = n + 1\n  wait 0.1\n  print('once', n)\nprint('end')\n"
    bench, _, _ = edit(LOOP, new, 1)
    assert bench.lines == ["once 1", "end"]


FOR = "for i in 1 .. 4\n  wait 0.1\n  print(i)\nend\n"


def test_a_for_keeps_its_count() -> None:
    bench, _, fate = edit(FOR, "# first\nfor i in 1 .. 4\n  wait 0.1\n  print('new', i)\nend\n", 3)
    assert fate is Fate.UNTOUCHED
    assert bench.lines == ["1", "new 2", "new 3", "new 4"]


def test_a_line_that_came_into_a_for_begins_it() -> None:
    bench, _, fate = edit("wait 0.2\nprint('x')\n", "for k in 1 .. 2\nwait 0.2\nprint('x', k)\nend\n", 1)
    assert fate is Fate.RESTARTED
    assert bench.lines == ["x 1", "x 2"]


CALL = """function slow(n)
  wait 0.2
  return n * 2
end
print("sum", slow(1) + slow(2))
"""


def test_a_call_in_the_middle_of_an_expression_goes_on() -> None:
    bench, _, fate = edit(CALL, CALL.replace("n * 2", "n * 20"), 6)
    assert fate is Fate.UNTOUCHED
    assert bench.lines == ["sum 42"]  # The first operand was there already.


@pytest.mark.parametrize(
    ("new", "expected"),
    [
        (CALL.replace('"sum"', '"all"'), "all 6"),
        (CALL.replace("slow", "late"), "sum 6"),
        (CALL.replace("slow(n)", "slow(n, m)").replace("(2)", "(2, 3)").replace("(1)", "(1, 3)"), "sum 6"),
    ],
)
def test_what_cannot_go_on_runs_its_line_again(new: str, expected: str) -> None:
    bench, _, fate = edit(CALL, new, 1)
    assert fate is Fate.RESTARTED
    assert bench.lines == [expected]


def test_the_same_line_that_means_another_thing_runs_again() -> None:
    base = "function g(a)\n  return a\nend\n" + CALL.replace("slow(2)", "g(2)")
    new = base.replace("function g(a)", "function g(ref a)").replace("g(2)", "g(2)")
    with pytest.raises(DiagnosticError, match="is a reference"):
        Bench().program(new)
    variable = base.replace("g(2)", "g(x)").replace('print("sum"', 'x = 2\nprint("sum"')
    bench, _, fate = edit(variable, variable.replace("function g(a)", "function g(ref a)"), 1)
    assert fate is Fate.RESTARTED
    assert bench.lines == ["sum 4"]


def test_every_edit_of_every_line_at_every_moment_leaves_a_context_that_runs() -> None:
    """Each line is removed, doubled or changed, whatever it is, wherever the context stands."""
    text = """function half(n, ref sum)
  for k in 1 .. 2
    wait 0.05
    sum = sum + n / 2
  end
  return n / 2
end
total = 0
for i in 1 .. 3
  try
    while total < i * 3
      total = total + 1 + half(i, total)
      yield
    end
  catch e
    print(e)
  end
end
wait 0.1
print("end")
"""
    lines = text.split("\n")[:-1]
    tried = 0
    for number, line in enumerate(lines):
        for variant in (
            [],
            [line, line],
            [line + " + 0"],
            ["wait 0.05", line],
            ["for z in 1 .. 2", line, "end"],
        ):
            changed = "\n".join([*lines[:number], *variant, *lines[number + 1 :]]) + "\n"
            try:
                Bench().program(changed)
            except DiagnosticError:  # many of these texts are no programs
                continue
            for frames in (0, 3):
                bench = Bench()
                old, new = bench.program(text), bench.program(changed)
                context = bench.context(old)
                bench.frames(context, frames)
                carry_over(context, new, map_lines(old, new))
                assert describe(context)
                bench.frames(context, 20)
                tried += 1
    assert tried > 60

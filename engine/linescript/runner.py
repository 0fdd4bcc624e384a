"""Running contexts: a step at a time until one waits, ends, or has used up its budget.

Suspending is leaving the counter where it is. Every step either goes on in the same tick or stops the loop; those
that stop it are `wait`, `waituntil`, `yield`, the end, a fault that nothing catches, and the budget.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, cast

from engine.linescript.context import MAX_FRAMES, Context, Frame
from engine.linescript.faults import Fault
from engine.linescript.program import Do, Function, Kind, ScriptCall, Step
from engine.linescript.values import Value, text, truth, type_name
from engine.source import Diagnostic, StackEntry

BUDGET = 1_000
"""Statements that a context may run in a tick, unless the host says otherwise."""

MAX_WAIT = 10**9
"""Seconds of the longest wait, some thirty years: beyond that milliseconds and doubles stop being exact."""

_PUSHED = object()
"""What an expression gives that has called a function of the program: another frame is on top now."""

_OVER_BUDGET = -1

# The loop compares these a million times a second; a look-up in the class each time would double its cost.
_EVAL, _WHILE, _IF, _JUMP, _NEXT, _FOR, _WAIT, _RETURN = (
    Kind.EVAL, Kind.WHILE, Kind.IF, Kind.JUMP, Kind.NEXT, Kind.FOR, Kind.WAIT, Kind.RETURN,
)  # fmt: skip
_LOCAL, _WAITUNTIL, _YIELD, _BREAK, _CONTINUE, _TRY, _CATCH, _END = (
    Kind.LOCAL, Kind.WAITUNTIL, Kind.YIELD, Kind.BREAK, Kind.CONTINUE, Kind.TRY, Kind.CATCH, Kind.END,
)  # fmt: skip


class _Faulted(Exception):
    """A fault has left the loop: how many statements had run, and what a wait would count from."""

    def __init__(self, fault: Fault, ran: int, base: int) -> None:
        self.fault = fault
        self.ran = ran
        self.base = base


Warn = Callable[[Context, Diagnostic], None]
"""Hears of a context that has used up its budget."""


def tick(context: Context, budget: int = BUDGET, warn: Warn | None = None) -> int:
    """Run a context for the present time of its clock; the number of statements that ran.

    At most `budget` statements run; a context that has more to do goes on in the next tick from the same place, and
    `warn` is told. A fault that nothing catches ends the context and is left in `context.fault`.
    """
    due, frames, now = context.due, context.frames, context.clock.now
    if not frames or now < due or (due < 0 and now < -due):
        return 0
    base = now
    if due:
        # The top step is what was waited for: a wait, a yield, or a condition that is asked again.
        context.due = 0
        top = frames[-1]
        kind = top.function.code[top.pc].kind
        if due > 0:
            base = due
        if kind is not Kind.WAITUNTIL:
            top.pc += 1
    count = 0
    while frames:
        try:
            ran = _run(context, budget - count, base)
        except _Faulted as stopped:
            # What ran before the fault counts too, or a loop around a `try` would have no budget.
            count += stopped.ran
            base = stopped.base
            if not _catch(context, stopped.fault):
                context.fault = _diagnostic(context, stopped.fault)
                context.end()
            continue
        if ran >= 0:
            return count + ran
        if warn is not None:
            warn(context, _over_budget(context, budget))
        return budget
    return count


def _run(context: Context, budget: int, base: int) -> int:
    """Run steps until the context stops; their number, or _OVER_BUDGET. Raises _Faulted, the counter at its step."""
    frames = context.frames
    now = context.clock.now
    frame = frames[-1]
    code, pc, blocks = frame.function.code, frame.pc, frame.blocks
    count = 0
    result: Any = None
    try:
        while True:
            step = code[pc]
            kind = step.kind
            if kind is _EVAL and (evaluate := step.value) is not None:
                if count >= budget:
                    frame.pc = pc
                    return _OVER_BUDGET
                count += 1
                evaluate(frame)
                pc += 1
                continue
            if kind is _JUMP:
                pc = step.target
                continue
            if kind is _CATCH:
                # The block before it is through without a fault.
                blocks.pop()
                pc = step.target
                continue
            # A statement whose expression goes on after a call was counted when it began.
            if not frame.at and kind is not _END:
                if count >= budget:
                    frame.pc = pc
                    return _OVER_BUDGET
                count += 1

            if step.value is not None:
                result = step.value(frame)
            elif step.micro is not None:
                frame.pc = pc
                result = _perform(context, frame, step.micro)
                if result is _PUSHED:
                    frame = frames[-1]
                    code, pc, blocks = frame.function.code, 0, frame.blocks
                    continue

            if kind is _EVAL:
                pc += 1
            elif kind is _WHILE:
                entered = bool(blocks) and blocks[-1][0] == pc
                if truth(result):
                    if not entered:
                        blocks.append([pc])
                    pc += 1
                else:
                    if entered:
                        blocks.pop()
                    pc = step.target
            elif kind is _IF:
                pc = pc + 1 if result is True or (result is not False and truth(result)) else step.target
            elif kind is _NEXT:
                block = blocks[-1]
                block[1] += 1
                if block[1] <= block[2]:
                    frame.locals[step.name] = block[1]
                    pc = step.target
                else:
                    blocks.pop()
                    pc += 1
            elif kind is _FOR:
                first, last = result
                if first <= last:
                    blocks.append([pc, first, last])
                    frame.locals[step.name] = first
                    pc += 1
                else:
                    pc = step.target
            elif kind is _WAIT:
                ms = _milliseconds(result)
                if ms <= 0:
                    frame.pc = pc
                    context.due = -(now + 1)
                    return count
                if base + ms > now:
                    frame.pc = pc
                    context.due = base + ms
                    return count
                base += ms  # It ended within this very frame: what follows counts from there.
                pc += 1
            elif kind is _LOCAL:
                frame.locals[step.name] = result
                pc += 1
            elif kind is _RETURN or kind is _END:
                if kind is _END or (step.value is None and step.micro is None):
                    result = None
                frame.pc = pc
                if len(frames) == 1:
                    context.end()
                    return count
                frames.pop()
                frame = frames[-1]
                code, pc, blocks = frame.function.code, frame.pc, frame.blocks
                _check_result(frame, result)
                frame.operands.append(result)
            elif kind is _WAITUNTIL:
                if not truth(result):
                    frame.pc = pc
                    context.due = -(now + 1)
                    return count
                pc += 1
            elif kind is _YIELD:
                frame.pc = pc
                context.due = -(now + 1)
                return count
            elif kind is _BREAK or kind is _CONTINUE:
                del blocks[step.keep :]
                pc = step.target
            else:  # TRY
                blocks.append([pc])
                pc += 1
    except Fault as fault:
        frame.pc = pc
        raise _Faulted(fault, count, base) from None


def _perform(context: Context, frame: Frame, micro: tuple[Any, ...]) -> Any:
    """Go on with an expression of micro-steps: its value, or _PUSHED when it called a function."""
    operands, at = frame.operands, frame.at
    while at < len(micro):
        step = micro[at]
        at += 1
        do = step[0]
        if do is Do.PUSH:
            operands.append(step[1](frame))
        elif do is Do.APPLY:
            count = step[2]
            if count:
                values = operands[-count:]
                del operands[-count:]
                operands.append(step[1](frame, *values))
            else:
                operands.append(step[1](frame))
        elif do is Do.CALL:
            frame.at = at
            context.frames.append(_call(context, frame, step[1]))
            return _PUSHED
        elif truth(operands.pop(), step[3]) is step[1]:
            operands.append(step[1])
            at += step[2] - 1
    frame.at = 0
    return operands.pop()


def _call(context: Context, frame: Frame, call: ScriptCall) -> Frame:
    """A frame for a function, its arguments taken from the caller's operands."""
    if len(context.frames) >= MAX_FRAMES:
        raise Fault(f"functions call one another more than {MAX_FRAMES} deep", call.place)
    function = context.program.functions[call.function]
    refs = {function.params[i]: frame.locate(name, call.place) for i, name in call.refs}
    count = call.count
    values = frame.operands[-count:] if count else []
    del frame.operands[len(frame.operands) - count :]
    names = [p for i, p in enumerate(function.params) if i not in function.refs]
    pushed = Frame(context, function, dict(zip(names, cast(list[Value], values), strict=True)))
    pushed.refs = refs or None
    return pushed


def _check_result(caller: Frame, result: Value | None) -> None:
    """Refuse a function without a value where one is needed."""
    micro = caller.function.code[caller.pc].micro
    assert micro is not None
    call: ScriptCall = micro[caller.at - 1][1]
    if result is None and call.used:
        raise Fault(f"{call.function} returned no value, and one is needed here", call.place)


def _milliseconds(value: object) -> int:
    if value.__class__ not in (int, float):
        raise Fault(f"'wait' takes seconds, not a {type_name(value)}")
    seconds = cast(float, value)
    if not 0 <= seconds <= MAX_WAIT:
        raise Fault(f"'wait' takes from 0 to {MAX_WAIT} seconds, not {text(seconds)}")
    return round(seconds * 1000)


# ---- faults -------------------------------------------------------------------------------------------


def _catch(context: Context, fault: Fault) -> bool:
    """Go on at the innermost `catch` around the fault; False where there is none."""
    frames = context.frames
    for index in range(len(frames) - 1, -1, -1):
        frame = frames[index]
        code = frame.function.code
        for depth in range(len(frame.blocks) - 1, -1, -1):
            opener: Step = code[int(frame.blocks[depth][0])]
            if opener.kind is Kind.TRY:
                del frames[index + 1 :]
                del frame.blocks[depth:]
                frame.operands.clear()
                frame.at = 0
                frame.locals[code[opener.target].name] = fault.message
                frame.pc = opener.target + 1
                return True
    return False


def _shown(function: Function) -> str:
    return function.name or "the script"


def _entry(context: Context, index: int) -> StackEntry:
    frame = context.frames[index]
    step = frame.function.code[frame.pc]
    top = index == len(context.frames) - 1
    span = context.program.source.span(*step.place)
    return StackEntry(_shown(frame.function), span, "in" if top else "called from")


def _diagnostic(context: Context, fault: Fault) -> Diagnostic:
    frame = context.frames[-1]
    place = fault.place or frame.function.code[frame.pc].place
    stack = tuple(_entry(context, i) for i in range(len(context.frames) - 1, -1, -1))
    span = context.program.source.span(*place)
    return Diagnostic("runtime", fault.message, span, "runtime error", stack=stack)


def _over_budget(context: Context, budget: int) -> Diagnostic:
    """The warning blames the innermost loop that is open, or the statement that would have come next."""
    frame = context.frames[-1]
    code = frame.function.code
    loops = [code[int(block[0])] for block in frame.blocks if code[int(block[0])].kind is not _TRY]
    step = loops[-1] if loops else code[frame.pc]
    message = f"{budget} statements ran in one frame: the script goes on in the next; a loop needs a wait"
    return Diagnostic("statement-budget", message, context.program.source.span(*step.place), "warning")

"""The state of a context as data: saved, compared, restored and printed.

A saved state is made of JSON's types only. It belongs to the text of its program; into a changed text a context is
carried over by `engine.linescript.reload`.
"""

from __future__ import annotations

from typing import Any, cast

from engine.linescript.context import Context, Frame
from engine.linescript.program import MAIN, Do, Kind, Micro, ScriptCall, openers
from engine.linescript.values import INT_MAX, INT_MIN, Colour, Value, is_value, text


class StateError(Exception):
    """A saved state that cannot be restored; the message says why."""


def save(context: Context) -> dict[str, Any]:
    """Everything that decides how the context goes on, besides its host's scopes and its clock."""
    return {
        "program": context.program.name,
        "fingerprint": context.program.fingerprint,
        "due": context.due,
        "scope": {name: _pack(value) for name, value in context.scope.values.items()},
        "frames": [_save_frame(frame, index) for index, frame in enumerate(context.frames)],
    }


def _save_frame(frame: Frame, index: int) -> dict[str, Any]:
    return {
        "function": frame.function.name,
        "pc": frame.pc,
        "at": frame.at,
        "blocks": [list(block) for block in frame.blocks],
        "operands": [None if value is None else _pack(value) for value in frame.operands],
        # The variables of the first frame are those of the scope.
        "locals": {} if index == 0 else {name: _pack(value) for name, value in frame.locals.items()},
        "refs": {name: list(where) for name, where in (frame.refs or {}).items()},
    }


def restore(context: Context, saved: dict[str, Any]) -> None:
    """Put a saved state into a context of the same program. Raises StateError; nothing has changed then."""
    if saved.get("fingerprint") != context.program.fingerprint:
        raise StateError(f"the state belongs to another text of '{saved.get('program')}'")
    try:
        scope = {str(name): _unpack(value) for name, value in saved["scope"].items()}
        frames = [
            _restore_frame(context, f, scope if i == 0 else None) for i, f in enumerate(saved["frames"])
        ]
        for index, frame in enumerate(frames):
            _check(frame, index, frames)
        due = _whole(saved["due"])
    except (KeyError, TypeError, ValueError, AttributeError, IndexError) as error:
        raise StateError(f"the state is damaged: {error}") from None
    context.scope.values = scope
    context.frames[:] = frames
    context.due = due
    context.fault = None


def _whole(value: Any) -> int:
    if value.__class__ is not int or not INT_MIN <= value <= INT_MAX:
        raise ValueError(f"{value!r} is no whole number")
    return value


def _restore_frame(context: Context, saved: dict[str, Any], scope: dict[str, Value] | None) -> Frame:
    function = context.program.functions[saved["function"]]
    variables = scope if scope is not None else {str(n): _unpack(v) for n, v in saved["locals"].items()}
    frame = Frame(context, function, variables)
    frame.pc, frame.at = _whole(saved["pc"]), _whole(saved["at"])
    frame.blocks = [list(block) for block in saved["blocks"]]
    frame.operands = [None if value is None else _unpack(value) for value in saved["operands"]]
    frame.refs = {str(n): (_whole(w[0]), str(w[1])) for n, w in saved["refs"].items()} or None
    return frame


def _check(frame: Frame, index: int, frames: list[Frame]) -> None:
    """Refuse a frame that no run of the program can have come to. Raises ValueError."""
    function = frame.function
    if (index == 0) != (function.name == MAIN):
        raise ValueError("its frames do not begin with the script itself")
    if not 0 <= frame.pc < len(function.code):
        raise ValueError("it stands at no statement of the program")
    step = function.code[frame.pc]
    heads = openers(function, step.block)
    found = [_whole(block[0]) for block in frame.blocks]
    if found != heads and not (step.kind is Kind.WHILE and found == [*heads, frame.pc]):
        raise ValueError("its open blocks are not those around its statement")
    for block in frame.blocks:
        size = 3 if function.code[int(block[0])].kind is Kind.FOR else 1
        if len(block) != size or any(part.__class__ not in (int, float) for part in block):
            raise ValueError("an open block of it is damaged")
    if index == len(frames) - 1:
        if frame.at or frame.operands:
            raise ValueError("it stands in the middle of an expression")
    else:
        micro = step.micro or ()
        if not 0 < frame.at <= len(micro) or micro[frame.at - 1][0] is not Do.CALL:
            raise ValueError("it has called nothing")
        call: ScriptCall = micro[frame.at - 1][1]
        if call.function != frames[index + 1].function.name or len(frame.operands) != _depth(micro, frame.at):
            raise ValueError("its call is not that of the function it has called")
    by_reference = {function.params[i] for i in function.refs}
    if set(frame.refs or {}) != by_reference:
        raise ValueError("its references are not those of the function")
    for place, name in (frame.refs or {}).values():
        if not -1 <= place < index or (place >= 0 and name not in frames[place].locals):
            raise ValueError("a reference of it leads nowhere")


def _depth(micro: tuple[Micro, ...], at: int) -> int:
    """How many operands wait while the call before `at` runs."""
    depth = 0
    for step in micro[: at - 1]:
        if step[0] is Do.PUSH:
            depth += 1
        elif step[0] is Do.APPLY:
            depth += 1 - step[2]
        elif step[0] is Do.CALL:
            depth += 1 - step[1].count
        else:
            depth -= 1
    last: ScriptCall = micro[at - 1][1]
    return depth - last.count


def _pack(value: Value) -> Any:
    if isinstance(value, tuple):
        return {"vector": list(value)}
    if isinstance(value, Colour):
        return {"colour": [value.r, value.g, value.b, value.a]}
    return value


def _unpack(saved: Any) -> Value:
    if isinstance(saved, dict):
        ((kind, parts),) = saved.items()
        numbers = [float(part) for part in parts]
        if kind == "colour":
            return Colour(*numbers)
        saved = tuple(numbers)
    if not is_value(saved):
        raise ValueError(f"{saved!r} is no value")
    return cast(Value, saved)


def same(a: Context, b: Context) -> bool:
    """Whether two contexts stand at the same place with the same values, and wait for the same time."""
    return save(a) == save(b)


# ---- for people ---------------------------------------------------------------------------------------


def describe(context: Context) -> str:
    """Where a context stands, in lines: what it waits for, its functions from the outermost in, its variables."""
    if context.done:
        return f"{context.program.name}: ended" + (f": {context.fault.message}" if context.fault else "")
    lines = [f"{context.program.name}: {_waiting(context)}"]
    for frame in context.frames:
        step = frame.function.code[frame.pc]
        blocks = ", ".join(_block(frame, block) for block in frame.blocks)
        lines.append(
            f"  {frame.function.name or 'the script'} at line {step.line}"
            + (f" in {blocks}" if blocks else "")
        )
        variables = ", ".join(f"{name} = {text(value)}" for name, value in frame.locals.items())
        if variables:
            lines.append(f"    {variables}")
    return "\n".join(lines)


def _waiting(context: Context) -> str:
    if context.due > 0:
        return f"waits until {context.due / 1000:g} s"
    top = context.frames[-1]
    if context.due < 0:
        until = top.function.code[top.pc].kind is Kind.WAITUNTIL
        return "waits for its condition" if until else "waits for the next frame"
    return "runs"


def _block(frame: Frame, block: list[float]) -> str:
    opener = frame.function.code[int(block[0])]
    if opener.kind is Kind.FOR:
        return f"for of line {opener.line}, {opener.name} = {block[1]:g} of {block[2]:g}"
    return f"{opener.kind.name.lower()} of line {opener.line}"

"""What is told where a call of a built-in went wrong in Python: which one, and what it was given or gave."""

from __future__ import annotations

import dis
from types import FrameType
from typing import TYPE_CHECKING, Any

from engine.gsc import mangle
from engine.vm.errors import ScriptError
from engine.vm.hosted import ACCEPTED
from engine.vm.native import Native
from engine.vm.values import wrap

if TYPE_CHECKING:
    from engine.vm.registry import Registry

_MISSING = object()
_GIVES = {
    "array": "an Array, or a list of script values",
    "int": "an int",
    "float": "a float",
    "vector": "a tuple of three numbers",
}


def misgiven(native: Native, error: Exception, result: Any = _MISSING) -> ScriptError:
    """What is told of a built-in that returned something which does not become a value of its kind. It ends the
    thread: the fault is none of the script's. Of what was called directly the result may be lost."""
    wanted = _GIVES.get(native.returns)
    given = "something else" if result is _MISSING else f"a Python {type(result).__name__}"
    text = f"built-in '{native.signature.name}' returned {given}"
    text += f", its annotation promises {wanted}" if wanted else f": {error}"
    notes = () if wanted else (f"it may return {ACCEPTED}, a bool, or a list of them",)
    return ScriptError(f"internal error: {text}", code="internal", fatal=True, notes=notes)


def misgiven_directly(
    registry: Registry, error: Exception, frame: FrameType, instruction: int
) -> ScriptError | None:
    """The same where emitted code called a built-in's Python function itself: the conversion of its result belongs to
    the same text of the script as the call. None if the error is another one."""
    last = error.__traceback__
    while last is not None and last.tb_next is not None:
        last = last.tb_next
    if last is None or (last.tb_frame is not frame and last.tb_frame.f_code is not wrap.__code__):
        return None
    places = list(frame.f_code.co_positions())
    native, result = None, _MISSING
    for step in dis.get_instructions(frame.f_code):
        if step.offset > instruction or places[step.offset // 2] != places[instruction // 2]:
            continue
        name = str(step.argval)
        if step.opname == "LOAD_GLOBAL" and name.startswith(mangle.DIRECT_PREFIX):
            native = registry.functions.get(name[len(mangle.DIRECT_PREFIX) :])
        elif step.opname == "LOAD_GLOBAL" and name.startswith(mangle.DIRECT_METHOD_PREFIX):
            native = registry.methods[name[len(mangle.DIRECT_METHOD_PREFIX) :]][0]
        elif step.opname == "STORE_FAST" and native is not None:
            result = frame.f_locals.get(name, _MISSING)
    if native is None or native.returns not in _GIVES:
        return None
    return misgiven(native, error, result)


def refusing(error: ScriptError) -> Native | None:
    """The built-in whose wrapper raised an error, if one did."""
    traceback = error.__traceback__
    while traceback is not None:
        native = traceback.tb_frame.f_globals.get("NATIVE")
        if native.__class__ is Native:
            return native
        traceback = traceback.tb_next
    return None

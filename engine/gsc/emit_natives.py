"""Calls of built-ins as Python text.

A built-in is called through a wrapper of the host's that checks its arguments and brings its result into the domain of
script values. Where the types of the arguments are known, or one look tells them, and errors end the thread, its
Python function is called directly and both are done inline.
"""

from __future__ import annotations

from dataclasses import replace

from engine.gsc import mangle, syntax
from engine.gsc.atoms import NONE, ONE_DIGIT, Atom, as_float, guards, int_atom, tuple_text
from engine.gsc.catalogue import BuiltIn
from engine.gsc.emit_base import Output
from engine.gsc.kinds import ANY, FLOAT, INT, OTHER, UNDEFINED
from engine.gsc.spans import TRUTH, WHOLE


class Natives(Output):
    """Emits calls of built-ins."""

    def place(self, node: syntax.Call) -> tuple[int, int]:
        return node.at, max(node.at, node.target.end)

    def native_call(
        self,
        node: syntax.Call,
        bound: syntax.NativeFunction,
        receiver: Atom,
        args: list[Atom],
        into: str | None,
    ) -> Atom:
        start, end = self.place(node)
        texts = [a.text for a in args]
        name = mangle.native(bound.name, bound.method)
        if bound.method:
            texts.insert(0, receiver.text)
        if node.threaded:
            return self.assigned(f"START_NATIVE({name}, {tuple_text(texts)})", ANY, start, end, into)
        if self.asks_defined(node):
            text = self.defined(args[0])
            if text == "1":
                return int_atom(1)
            return Atom(self.assigned(f"1 if {text} else 0", INT, start, end, into).text, INT, span=TRUTH)
        call = f"{name}({', '.join(texts)})"
        known = None if self.rules.strict else self.behaviour.built_in(bound)
        if known is None:
            return self.assigned(call, ANY, start, end, into)
        mask = known.gives | (UNDEFINED if self.recovers else 0)
        span = TRUTH if known.form == "bool" else WHOLE
        direct = None if self.recovers else self.direct(bound, known, receiver, args)
        if direct is None:
            return replace(self.assigned(call, mask, start, end, into), span=span)
        guard, inside = direct
        name = into or self.temp()
        lines = result_lines(known.form, name, inside)
        if guard:
            self.line(f"if {guard}:", start, end)
        for line in lines:
            self.line(line, start, end, 1 if guard else 0)
        if guard:
            self.line(f"else: {name} = {call}" if known.form != "none" else f"else: {call}", start, end)
        return NONE if known.form == "none" else Atom(name, mask, span=span)

    def direct(
        self, bound: syntax.NativeFunction, known: BuiltIn, receiver: Atom, args: list[Atom]
    ) -> tuple[str, str] | None:
        """When the function behind a built-in may be called itself ("" for always), and that call; None for never."""
        if not known.direct or not known.least <= len(args) <= len(known.takes):
            return None
        conditions: list[str] = []
        texts: list[str] = []
        if bound.method:
            conditions.append(f"{receiver.text}.__class__ is {mangle.receiver(bound.name)}")
            texts.append(receiver.text)
        for atom, wanted in zip(args, known.takes, strict=False):
            if wanted == FLOAT:
                atom = as_float(atom) or atom
            guard = "" if wanted == ANY or atom.mask == wanted else guards((atom, wanted))
            if guard is None:
                return None
            if guard:
                conditions.append(guard)
            texts.append(atom.text)
        texts += ["None"] * (len(known.takes) - len(args))
        return " and ".join(conditions), f"{mangle.direct(bound.name, bound.method)}({', '.join(texts)})"

    # ---- isdefined -------------------------------------------------------------------------------------

    def asks_defined(self, node: syntax.Call) -> bool:
        """Whether a call is that of `isdefined`, in a dialect whose built-ins cannot be others."""
        target = node.target
        bound = target.bound if isinstance(target, syntax.NamedTarget) else None
        return (
            isinstance(bound, syntax.NativeFunction)
            and (bound.name, bound.method) == ("isdefined", False)
            and not self.rules.strict
            and not node.threaded
            and len(node.args) == 1
        )

    def defined(self, atom: Atom) -> str:
        """A condition that a value is neither undefined nor an object that has ended."""
        if not atom.mask & (UNDEFINED | OTHER):
            return "1"
        alive = f"({atom.text}.__class__ in DEFINED or IS_DEFINED({atom.text}))"
        if not atom.mask & UNDEFINED:
            return alive
        return f"({atom.text} is not None and {alive})" if atom.mask & OTHER else f"({atom.text} is not None)"


def result_lines(form: str, name: str, call: str) -> list[str]:
    """A direct call with its result brought into the domain of script values, in `name`."""
    match form:
        case "float":
            return [f"M[0] = {call}", f"{name} = M[0]"]
        case "int":
            outside = f"{name} > {ONE_DIGIT} or {name} < -{ONE_DIGIT}"
            return [
                f"{name} = {call}",
                f"if {name}.__class__ is not INT or {outside}: {name} = WRAP({name})",
            ]
        case "bool":
            return [f"{name} = 1 if {call} else 0"]
        case "vector":
            # Packing rounds all three at once.
            return [f"{name} = UNPACK(PACK(*{call}))"]
        case "none":
            return [call]
        case _:
            return [f"{name} = {call}"]

"""Calls as Python text: of natives, of script functions, through function values, in threads of their own."""

from __future__ import annotations

from dataclasses import replace

from engine.gsc import mangle, syntax
from engine.gsc.atoms import Atom, tuple_text
from engine.gsc.cost import weight
from engine.gsc.emit_natives import Natives
from engine.gsc.kinds import ANY, ARRAY, OTHER


class Calls(Natives):
    """Emits calls. An array that a variable holds is marked as shared before another place can hold it too."""

    def mark_shared(self, atom: Atom, node: syntax.Expr) -> None:
        if atom.borrowed and atom.mask & ARRAY:
            if atom.mask == ARRAY:
                self.line(f"{atom.text}.shared = True", node.start, node.end)
            else:
                self.line(
                    f"if {atom.text}.__class__ is ARRAY: {atom.text}.shared = True", node.start, node.end
                )

    def arguments(self, nodes: list[syntax.Expr], *, keeps: bool = True) -> list[Atom]:
        """Arguments, evaluated right to left (vm facts, 5.1), in written order.

        An array that a variable holds is marked as shared if the callee `keeps` it; natives only read."""
        atoms: list[Atom] = []
        for node in reversed(nodes):
            with self.holding(*atoms):
                atom = self.value(node)
                if keeps:
                    self.mark_shared(atom, node)
                atoms.append(atom)
        return atoms[::-1]

    def call(self, node: syntax.Call, into: str | None = None) -> Atom:
        target = node.target
        native = isinstance(target, syntax.NamedTarget) and isinstance(target.bound, syntax.NativeFunction)
        args = self.arguments(node.args, keeps=not native)
        receiver = Atom("SELF", OTHER)
        with self.holding(*args):
            if node.object is not None:
                receiver = self.value(node.object)
            with self.holding(receiver):
                if isinstance(node.target, syntax.PointerTarget):
                    pointer = self.value(node.target.value)
                    if node.native:
                        return self.native_pointer_call(node, pointer, receiver, args, into)
                    return self.pointer_call(node, pointer, receiver, args, into)
        bound = node.target.bound
        if isinstance(bound, syntax.NativeFunction):
            return self.native_call(node, bound, receiver, args, into)
        assert bound is not None, "the binder leaves no call unbound"
        return self.script_call(node, bound, receiver, args, into)

    def variant(self, helper: str, node: syntax.Call) -> str:
        """An explicit self has to be a live object; an inherited one is taken as it is."""
        return helper if node.object is None else helper + "_ON"

    def count_call(self, start: int, end: int) -> None:
        """A function that calls counts what it costs, so that calls alone cannot run for ever. Once on each way through
        it is enough, as there is an end to the calls on it; loops count for themselves."""
        if not self.loops and not self.counted and not self.counts_entry:
            self.line(f"for _ in {mangle.ticks(weight(max(1, self.costs.entry)))}: break", start, end)
            self.counted = self.counts_calls = True

    def measure_depth(self, start: int, end: int) -> str:
        """The depth of a callee that leaves it to its caller to check it."""
        if not self.measured:
            self.line("BELOW = D + 1", start, end)
            if not self.recovers:
                self.line("if BELOW >= MAX_DEPTH: TOO_DEEP()", start, end)
            # A resumption may come to a place behind this one.
            self.measured = not self.resumable
        return "BELOW"

    def checked_receiver(self, node: syntax.Call, receiver: Atom) -> None:
        """Refuse a self that is no live object."""
        start, end = self.place(node)
        if node.object is None or receiver.text in ("LEVEL", "ANIM"):
            return
        unsure = f"if {receiver.text}.__class__ not in OBJECTS: " if receiver.mask & OTHER else ""
        self.line(f"{unsure}RECEIVER({receiver.text})", start, end)

    def script_call(
        self,
        node: syntax.Call,
        bound: syntax.ScriptFunction,
        receiver: Atom,
        args: list[Atom],
        into: str | None,
    ) -> Atom:
        start, end = self.place(node)
        key = (bound.script, bound.name)
        function = mangle.function(*key)
        texts = [a.text for a in args]
        if node.threaded:
            text = f"{self.variant(self.start_word(node), node)}({function}, {receiver.text}, D, {tuple_text(texts)})"
            result = self.assigned(text, ANY, start, end, into)
            self.check_self(start, end, key in self.behaviour.frees)
            return result
        self.count_call(start, end)
        if self.recovers and node.object is not None and receiver.text not in ("LEVEL", "ANIM"):
            # A bad receiver must skip the call and go on, so the helper does the whole call.
            text = f"CALL_ON({function}, {receiver.text}, D, {tuple_text(texts)})"
            return self.script_result(text, key, start, end, into)
        self.checked_receiver(node, receiver)
        surplus = len(texts) - self.behaviour.arity.get(key, len(texts))
        if surplus > 0:
            if not self.rules.surplus:
                self.line("TOO_MANY()", start, end)
            texts = texts[:-surplus]
        masks = self.inference.version(key, tuple(atom.mask for atom in args))
        if masks is not None:
            version = mangle.version(*key, masks)
            self.versions[version] = key
            texts += ["None"] * (len(masks) - len(texts))
            inner = ", ".join([receiver.text, self.measure_depth(start, end), *texts])
            result = self.script_result(f"{version}({inner})", key, start, end, into)
            return replace(result, mask=self.inference.result(key, masks))
        inner = ", ".join(["None", receiver.text, "D + 1", *texts])
        return self.script_result(f"{mangle.code(*key)}({inner})", key, start, end, into)

    def script_result(self, text: str, key: tuple[str, str], start: int, end: int, into: str | None) -> Atom:
        if key in self.behaviour.suspends:
            return self.suspending(text, start, end)
        if self.rules.scoped_endon:
            name = into or self.temp()
            for line in self.caught(name, text):
                self.line(line, start, end)
            return Atom(name, ANY)
        result = self.assigned(text, ANY, start, end, into)
        self.check_self(start, end, key in self.behaviour.frees)
        return result

    def caught(self, name: str, text: str) -> list[str]:
        """A call whose frame an `endon` may end: the caller goes on with undefined."""
        return [f"try: {name} = {text}", f"except UNWOUND as U: {name} = CAUGHT(U, D)"]

    def start_word(self, node: syntax.Call) -> str:
        return "SPAWN_CHILD" if node.child else "SPAWN"

    def native_pointer_call(
        self, node: syntax.Call, pointer: Atom, receiver: Atom, args: list[Atom], into: str | None
    ) -> Atom:
        """`call [[ f ]](...)`, on an object for a method."""
        start, end = self.place(node)
        texts = [a.text for a in args]
        if node.object is not None:
            text = f"CALL_METHOD({pointer.text}, {tuple_text([receiver.text, *texts])})"
        else:
            text = f"CALL_NATIVE({pointer.text}, {tuple_text(texts)})"
        return self.assigned(text, ANY, start, end, into)

    def pointer_call(
        self, node: syntax.Call, pointer: Atom, receiver: Atom, args: list[Atom], into: str | None
    ) -> Atom:
        start, end = self.place(node)
        texts = [a.text for a in args]
        if node.threaded:
            word = self.variant(self.start_word(node), node)
            text = f"{word}({pointer.text}, {receiver.text}, D, {tuple_text(texts)})"
            result = self.assigned(text, ANY, start, end, into)
            self.check_self(start, end, True)
            return result
        self.count_call(start, end)
        slow = f"{self.variant('CALL', node)}({pointer.text}, {receiver.text}, D, {tuple_text(texts)})"
        if node.object is not None or not pointer.mask & OTHER:
            return self.suspending(slow, start, end)
        inner = ", ".join(["None", receiver.text, "D + 1", *texts])
        test = f"{pointer.text}.__class__ is FUNCTION and {pointer.text}.arity >= {len(texts)}"
        return self.suspending(f"{pointer.text}.entry({inner}) if {test} else {slow}", start, end)

    def suspending(self, text: str, start: int, end: int) -> Atom:
        """A call that may have to wait, and its result."""
        name = self.temp()
        lines = self.caught(name, text) if self.rules.scoped_endon else [f"{name} = {text}"]
        issue = [(0, line) for line in lines]
        self.suspend(issue, f"{name} is SUSPENDED", [f"{name} = FR.value"], start, end)
        self.check_self(start, end, True)
        return Atom(name, ANY)

    def check_self(self, start: int, end: int, frees: bool) -> None:
        """A return to a frame whose self has died ends the thread (vm facts, 4.4)."""
        if self.rules.outlives_self:
            return
        if frees or (self.script, self.function.name) in self.behaviour.haunted:
            # Mostly the class alone tells; looking at one of its attributes takes long.
            self.line("if SELF.__class__ not in OBJECTS and SELF.dead: END_THREAD()", start, end)

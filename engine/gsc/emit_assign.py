"""Assignment as Python text: to locals, fields and elements, with copy on write along the path to them."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar, cast

from engine.gsc import mangle, syntax
from engine.gsc.atoms import Atom, Held, guards, int_atom, int_lines
from engine.gsc.emit_values import Values
from engine.gsc.kinds import ANY, ARRAY, INT, OTHER, STRING, UNDEFINED, increment_type
from engine.gsc.sequence import Line, Sequence
from engine.gsc.spans import result as result_span
from engine.gsc.suspension import has_call
from engine.gsc.walk import base

P = TypeVar("P", syntax.FieldAccess, syntax.Index, syntax.FieldAccess | syntax.Index)


class Assignments(Values):
    """Emits everything that writes to a variable, field or element."""

    def assign(self, node: syntax.Assign) -> None:
        target = node.target
        removes = isinstance(node.value, syntax.Undefined) and node.value.written
        if isinstance(target, syntax.LocalVar):
            name = ", ".join(self.python_locals(target.name))
            atom = self.value(node.value, into=name)
            self.mark_shared(atom, node.value)
            if atom.text != name:
                self.line(f"{name} = {atom.text}", target.start, node.end)
            return
        if removes:
            self.remove(self.settled(target)[0])
            return
        atom = self.value(node.value)
        self.mark_shared(atom, node.value)
        if atom.mask & ARRAY and isinstance(node.value, syntax.LocalVar):
            atom = self.assigned(atom.text, atom.mask, node.value.start, node.value.end)
        else:
            atom = self.apart(atom, node.value, target)
        with self.holding(atom):
            target, _ = self.settled(target)
            if isinstance(target, syntax.FieldAccess):
                owner = self.value(target.object)
                self.write_field(target, owner, atom)
            else:
                key = self.key(target)
                with self.holding(key):
                    container = self.writable(target.container)
                self.put(container, key, atom, target.at)

    def key(self, target: syntax.Index) -> Atom:
        """The key of an element that will be written, or written below."""
        return self.apart(self.value(target.key), target.key, target.container)

    def apart(self, atom: Atom, node: syntax.Expr, target: syntax.Expr) -> Atom:
        """The value of `node` in a name of its own where it is that of the local that is written below: this makes an
        array of what is undefined and another one of what is shared, and the value is what was there before. So it is
        with `a[1] = a` and with `a[a] = 1`."""
        written = base(target)
        if not isinstance(node, syntax.LocalVar) or not isinstance(written, syntax.LocalVar):
            return atom
        if node.name != written.name or not atom.mask & (ARRAY | UNDEFINED):
            return atom
        return self.assigned(atom.text, atom.mask, node.start, node.end)

    def write_field(self, target: syntax.FieldAccess, owner: Atom, atom: Atom) -> None:
        """`owner.name = atom` where `owner` was read from the path that `target` goes through."""
        start, end = target.at, target.at + len(target.name)
        attribute = f"{owner.text}.{mangle.field(target.name)}"
        if owner.text in ("LEVEL", "SELF") and not self.recovers:
            self.line(f"{attribute} = {atom.text}", start, end)
            return
        with self.nested() as refused:
            self.by_owner(
                owner,
                lambda: self.line(
                    f"PUT({self.writable(target.object).text}, {target.name!r}, {atom.text})", start, end
                ),
                lambda: self.line(f"SET_FIELD({owner.text}, {target.name!r}, {atom.text})", start, end),
                target,
            )
        if not owner.mask & OTHER:
            self.add_lines(refused, 0)
            return
        self.line(f"try: {attribute} = {atom.text}", start, end)
        self.line("except FIELD_ERRORS:", start, end)
        self.add_lines(refused, 1)

    def by_owner(
        self,
        owner: Atom,
        array: Callable[[], None],
        other: Callable[[], None],
        node: syntax.FieldAccess,
    ) -> None:
        """What to do with a field whose owner may be an array, in which the name is a key. An array is reached again
        from its holder: on the way everything that is shared is copied."""
        start, end = node.at, node.at + len(node.name)
        if owner.mask == ARRAY:
            array()
        elif not owner.mask & ARRAY:
            other()
        else:
            for test, emit in ((f"if {owner.text}.__class__ is ARRAY:", array), ("else:", other)):
                inside = self.inner(emit)
                self.line(test, start, end)
                self.add_lines(inside, 1)

    def inner(self, emit: Callable[[], None]) -> Sequence:
        """What `emit` emits, as a sequence of its own."""
        with self.nested() as sequence:
            emit()
        return sequence

    def add_lines(self, sequence: Sequence, depth: int) -> None:
        """Lines without a suspension, further in."""
        for line in sequence.forward():
            self.line(line.text, line.start, line.end, line.depth + depth)

    def writable(self, node: syntax.Expr) -> Atom:
        """The container that `node` means, ready to be written: an unshared array that its holder knows, or an object.

        Under recovery the text may be None at run time, which the writing helpers ignore."""
        match node:
            case syntax.LocalVar():
                name = mangle.local(node.name)
                mask = self.inference.read(node)
                return self.own(Atom(name, mask), name, node)
            case syntax.Predefined(name="game"):
                text = self.assigned("ROOT.game", ARRAY, node.start, node.end).text
                return self.own(Atom(text, ARRAY), "ROOT.game", node)
            case syntax.FieldAccess():
                return self.writable_field(node)
            case syntax.Index():
                key = self.key(node)
                with self.holding(key):
                    parent = self.writable(node.container)
                return self.assigned(f"ELEMENT({parent.text}, {key.text})", ANY, node.at, node.at + 1)
            case _:
                atom = self.value(node)
                return self.assigned(f"WRITABLE({atom.text})", ANY, node.start, node.end)

    def writable_field(self, node: syntax.FieldAccess) -> Atom:
        owner = self.value(node.object)
        name = self.temp()

        def element() -> None:
            parent = self.writable(node.object)
            self.line(f"{name} = ELEMENT({parent.text}, {node.name!r})", node.start, node.end)

        def field() -> None:
            thing = Atom(owner.text, owner.mask & ~ARRAY)
            old = self.read_field(thing, node)
            with self.nested() as store:
                self.write_field(node, thing, old)
            self.line(f"{name} = {self.own(old, store, node).text}", node.start, node.end)

        self.by_owner(owner, element, field, node)
        return Atom(name, ARRAY | OTHER | (UNDEFINED if self.recovers else 0))

    def own(self, atom: Atom, holder: str | Sequence, node: syntax.Expr) -> Atom:
        """Make the array in `atom` unshared and store it back to its holder: a Python target or emitted lines."""
        start, end = node.start, node.end
        mask = ARRAY | atom.mask & OTHER
        if atom.mask == ARRAY and isinstance(holder, str) and holder == atom.text:
            self.line(f"if {holder}.shared: {holder} = WRITABLE({holder})", start, end)
            return Atom(holder, ARRAY)
        name = atom.text if isinstance(holder, Sequence) else self.temp()
        test = f"{atom.text}.__class__ is not ARRAY or {atom.text}.shared"
        if isinstance(holder, str):
            self.line(f"{name} = {atom.text}", start, end)
            test = test.replace(atom.text, name)
        self.line(f"if {test}:", start, end)
        self.line(f"{name} = WRITABLE({name})", start, end, 1)
        store = [Line(0, f"{holder} = {name}", start, end)] if isinstance(holder, str) else holder.forward()
        if self.recovers:
            self.line(f"if {name} is not None:", start, end, 1)
            store = [Line(line.depth + 1, *line[1:]) for line in store]
        for line in store:
            self.line(line.text, line.start, line.end, line.depth + 1)
        return Atom(name, mask | (UNDEFINED if self.recovers else 0))

    def put(self, container: Atom, key: Atom, atom: Atom, at: int, exists: str | None = None) -> None:
        """Write an element; only an existing key is written inline, a new one is counted by the helper. `exists` tells
        at run time that there is one, where that is known."""
        key = self.named(key, at, at + 1)
        slow = f"PUT({container.text}, {key.text}, {atom.text})"
        guard = guards((container, ARRAY), (key, INT | STRING))
        if guard is None:
            self.line(slow, at, at + 1)
            return
        test = f"{guard} and " if guard else ""
        test += exists or f"{key.text} in {container.text}"
        self.line(f"if {test}: {container.text}[{key.text}] = {atom.text}", at, at + 1)
        self.line(f"else: {slow}", at, at + 1)

    def remove(self, target: syntax.FieldAccess | syntax.Index) -> None:
        """`target = undefined` removes the field or element (vm facts, 1.3)."""
        if isinstance(target, syntax.FieldAccess):
            owner = self.value(target.object)
            start, end = target.at, target.at + len(target.name)
            self.by_owner(
                owner,
                lambda: self.line(
                    f"REMOVE({self.writable(target.object).text}, {target.name!r})", start, end
                ),
                lambda: self.line(f"DEL_FIELD({owner.text}, {target.name!r})", start, end),
                target,
            )
            return
        key = self.key(target)
        with self.holding(key):
            container = self.writable(target.container)
        self.line(f"REMOVE({container.text}, {key.text})", target.at, target.at + 1)

    def settled(self, target: P) -> tuple[P, list[Atom]]:
        """`target` with every part that can be evaluated only once evaluated, keys before their containers, and those
        parts. What is left is a path of variables, fields and elements, which may be walked again."""
        held: list[Atom] = []

        def hold(node: syntax.Expr) -> syntax.Expr:
            with self.holding(*held):
                atom = self.value(node)
            held.append(atom)
            return cast(syntax.Expr, Held(node.start, node.end, atom))

        def settle(node: syntax.Expr) -> syntax.Expr:
            match node:
                case syntax.LocalVar() | syntax.Predefined():
                    return node
                case syntax.FieldAccess():
                    return syntax.FieldAccess(node.start, node.end, settle(node.object), node.name, node.at)
                case syntax.Index(
                    key=syntax.LocalVar() | syntax.IntLiteral() | syntax.StringLiteral() as key
                ):
                    return syntax.Index(node.start, node.end, settle(node.container), key, node.at)
                case syntax.Index():
                    once = hold(node.key)
                    return syntax.Index(node.start, node.end, settle(node.container), once, node.at)
                case _:
                    return hold(node)

        return cast(P, settle(target)), held

    def update(
        self, target: syntax.Reference, right: syntax.Expr | None, compute: Callable[[Atom, str | None], Atom]
    ) -> None:
        """Read a target, compute from it, write it back. Its keys are evaluated once; the path to it is walked again
        for writing where `right` may have changed it (vm facts, 5.2)."""
        if isinstance(target, syntax.LocalVar):
            name = ", ".join(self.python_locals(target.name))
            result = compute(self.value(target), name)
            if result.text != name:
                self.line(f"{name} = {result.text}", target.start, target.end)
            return
        target, held = self.settled(target)
        with self.holding(*held):
            if isinstance(target, syntax.FieldAccess):
                owner = self.value(target.object)
                with self.holding(owner):
                    result = compute(self.read_field(owner, target), None)
                if right is not None and has_call(right):
                    with self.holding(result):
                        owner = self.value(target.object)
                self.write_field(target, owner, result)
            else:
                key = self.named(self.key(target), target.at, target.at + 1)
                old = self.read_index(self.value(target.container), key, target)
                with self.holding(key):
                    result = compute(old, None)
                # What was read a moment ago is still there, in a copy too.
                exists = f"{old.text} is not None" if right is None or not has_call(right) else None
                self.put(self.writable(target.container), key, result, target.at, exists)

    def compound_assign(self, node: syntax.CompoundAssign) -> None:
        def compute(old: Atom, into: str | None) -> Atom:
            with self.holding(old):
                right = self.value(node.value)
            return self.operate(node.op, old, right, node.at, into)

        self.update(node.target, node.value, compute)

    def increment(self, node: syntax.Increment) -> None:
        def compute(old: Atom, into: str | None) -> Atom:
            name = into or self.temp()
            end = node.at + 2
            sign, one = "+" if node.delta > 0 else "-", int_atom(1)
            guard = guards((old, INT))
            slow = f"{name} = INCREMENT({old.text}, {node.delta})"
            lines = int_lines(sign, old, one, name) or []
            span = result_span(sign, old.span, one.span)
            if guard == "":
                for text in lines:
                    self.line(text, node.at, end)
                return Atom(name, INT, span=span)
            if guard is None:
                self.line(slow, node.at, end)
            else:
                self.line(f"if {guard}:", node.at, end)
                for text in lines:
                    self.line(text, node.at, end, 1)
                self.line(f"else: {slow}", node.at, end)
            return Atom(name, increment_type(old.mask, self.recovers, self.rules.strict), span=span)

        self.update(node.target, None, compute)

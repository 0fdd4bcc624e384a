"""Assignment as Python text: to locals, fields and elements, with copy on write along the path to them."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar, cast

from engine.gsc import mangle, syntax
from engine.gsc.atoms import Atom, Held, guards
from engine.gsc.emit_values import Values
from engine.gsc.inference import ANY, ARRAY, INT, OTHER, STRING, UNDEFINED
from engine.gsc.sequence import Line, Sequence
from engine.gsc.suspension import has_call

P = TypeVar("P", syntax.FieldAccess, syntax.Index, syntax.FieldAccess | syntax.Index)


class Assignments(Values):
    """Emits everything that writes to a variable, field or element."""

    def assign(self, node: syntax.Assign) -> None:
        target = node.target
        removes = isinstance(node.value, syntax.Undefined) and node.value.written
        if isinstance(target, syntax.LocalVar):
            name = mangle.local(target.name)
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
            # Writing below the same local may replace the array that it holds: `a[1] = a`.
            atom = self.assigned(atom.text, atom.mask, node.value.start, node.value.end)
        with self.holding(atom):
            target, _ = self.settled(target)
            if isinstance(target, syntax.FieldAccess):
                owner = self.value(target.object)
                self.write_field(target, owner, atom)
            else:
                key = self.value(target.key)
                with self.holding(key):
                    container = self.writable(target.container)
                self.put(container, key, atom, target.at)

    def write_field(self, target: syntax.FieldAccess, owner: Atom, atom: Atom) -> None:
        """`owner.name = atom`; where the owner is no object, the whole path may be an array's."""
        start, end = target.at, target.at + len(target.name)
        attribute = f"{owner.text}.{mangle.field(target.name)}"
        if owner.text == "LEVEL" and not self.recovers:
            self.line(f"{attribute} = {atom.text}", start, end)
            return
        slow = f"SET_FIELD({owner.text}, {target.name!r}, {atom.text})"
        if not owner.mask & (OTHER | ARRAY):
            self.line(slow, start, end)
            return
        if isinstance(target.object, syntax.Predefined) and target.object.name == "game":
            self.line(f"ROOT.game = SET_FIELD(ROOT.game, {target.name!r}, {atom.text})", start, end)
            return
        if isinstance(target.object, syntax.Predefined | Held):
            self.line(f"try: {attribute} = {atom.text}", start, end)
            self.line(f"except FIELD_ERRORS: {slow}", start, end)
            return
        name = self.temp()
        self.line(f"try: {attribute} = {atom.text}", start, end)
        self.line("except FIELD_ERRORS:", start, end)
        self.line(f"{name} = {slow}", start, end, 1)
        # An array took the value under its key: the changed array goes back to where it came from.
        with self.nested() as back:
            self.store_back(target.object, name)
        self.line(f"if {name} is not None:", start, end, 1)
        for line in back.render():
            self.line(line.text, line.start, line.end, line.depth + 2)

    def store_back(self, node: syntax.Expr, name: str) -> None:
        """Store a changed array into the variable, field or element that `node` means."""
        if isinstance(node, syntax.LocalVar):
            self.line(f"{mangle.local(node.name)} = {name}", node.start, node.end)
        elif isinstance(node, syntax.Predefined):
            self.line(f"ROOT.game = {name}", node.start, node.end)
        elif isinstance(node, syntax.FieldAccess):
            self.write_field(node, self.value(node.object), Atom(name, ARRAY))
        elif isinstance(node, syntax.Index):
            key = self.value(node.key)
            container = self.writable(node.container)
            self.line(f"PUT({container.text}, {key.text}, {name})", node.at, node.at + 1)

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
                owner = self.value(node.object)
                old = self.read_field(owner, node)
                with self.nested() as store:
                    self.write_field(node, owner, old)
                return self.own(old, store, node)
            case syntax.Index():
                key = self.value(node.key)
                with self.holding(key):
                    parent = self.writable(node.container)
                return self.assigned(f"ELEMENT({parent.text}, {key.text})", ANY, node.at, node.at + 1)
            case _:
                atom = self.value(node)
                return self.assigned(f"WRITABLE({atom.text})", ANY, node.start, node.end)

    def own(self, atom: Atom, holder: str | Sequence, node: syntax.Expr) -> Atom:
        """Make the array in `atom` unshared and store it back to its holder: a Python target or emitted lines."""
        start, end = node.start, node.end
        name = atom.text if isinstance(holder, Sequence) else self.temp()
        test = f"{atom.text}.__class__ is not ARRAY or {atom.text}.shared"
        if isinstance(holder, str):
            self.line(f"{name} = {atom.text}", start, end)
            test = test.replace(atom.text, name)
        self.line(f"if {test}:", start, end)
        self.line(f"{name} = WRITABLE({name})", start, end, 1)
        store = [Line(0, f"{holder} = {name}", start, end)] if isinstance(holder, str) else holder.render()
        if self.recovers:
            self.line(f"if {name} is not None:", start, end, 1)
            store = [Line(line.depth + 1, *line[1:]) for line in store]
        for line in store:
            self.line(line.text, line.start, line.end, line.depth + 1)
        return Atom(name, ARRAY | OTHER | (UNDEFINED if self.recovers else 0))

    def put(self, container: Atom, key: Atom, atom: Atom, at: int) -> None:
        """Write an element; only an existing key is written inline, a new one is counted by the helper."""
        slow = f"PUT({container.text}, {key.text}, {atom.text})"
        guard = guards((container, ARRAY), (key, INT | STRING))
        if guard is None:
            self.line(slow, at, at + 1)
            return
        test = f"{guard} and " if guard else ""
        self.line(
            f"if {test}{key.text} in {container.text}: {container.text}[{key.text}] = {atom.text}", at, at + 1
        )
        self.line(f"else: {slow}", at, at + 1)

    def remove(self, target: syntax.FieldAccess | syntax.Index) -> None:
        """`target = undefined` removes the field or element (vm facts, 1.3)."""
        if isinstance(target, syntax.FieldAccess):
            owner = self.value(target.object)
            start, end = target.at, target.at + len(target.name)
            result = self.assigned(f"DEL_FIELD({owner.text}, {target.name!r})", ANY, start, end)
            game = isinstance(target.object, syntax.Predefined) and target.object.name == "game"
            if game or not isinstance(target.object, syntax.Predefined | Held):
                with self.nested() as back:
                    self.store_back(target.object, result.text)
                self.line(f"if {result.text} is not None:", start, end)
                for line in back.render():
                    self.line(line.text, line.start, line.end, line.depth + 1)
            return
        key = self.value(target.key)
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
            name = mangle.local(target.name)
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
                key = self.value(target.key)
                old = self.read_index(self.value(target.container), key, target)
                result = compute(old, None)
                self.put(self.writable(target.container), key, result, target.at)

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
            sign, bound = ("+", "> 1073741823") if node.delta > 0 else ("-", "< -1073741823")
            guard = guards((old, INT))
            slow = f"{name} = INCREMENT({old.text}, {node.delta})"
            lines = [f"{name} = {old.text} {sign} 1", f"if {name} {bound}: {name} = WRAP({name})"]
            if guard == "":
                for text in lines:
                    self.line(text, node.at, end)
                return Atom(name, INT)
            if guard is None:
                self.line(slow, node.at, end)
            else:
                self.line(f"if {guard}:", node.at, end)
                for text in lines:
                    self.line(text, node.at, end, 1)
                self.line(f"else: {slow}", node.at, end)
            return Atom(name, INT | (UNDEFINED if self.recovers else 0))

        self.update(node.target, None, compute)

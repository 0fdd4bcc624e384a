"""Expressions as Python text.

Every value ends in something that can be named again at no cost and that nothing changes meanwhile: a literal,
a local, or a temporary `T1`. Each operation that can fail stands on a physical line of its own, whose position
is the operator's. The common types are handled inline behind a guard, everything else by a helper (in capitals)
of `engine.vm.support`.
"""

from __future__ import annotations

from engine.gsc import mangle, syntax
from engine.gsc.atoms import (
    NONE,
    Atom,
    Held,
    as_float,
    float_atom,
    guards,
    int_atom,
    vector_atom,
)
from engine.gsc.emit_operators import HELPERS, RELATIONS, Operators
from engine.gsc.kinds import ANY, ARRAY, FLOAT, INT, NUMBER, OTHER, STRING, UNDEFINED, VECTOR
from engine.gsc.sequence import Sequence
from engine.gsc.spans import HIGHEST, WHOLE
from engine.gsc.suspension import has_call

CAST_HELPERS = {"bool": "TO_BOOL", "int": "TO_INT", "float": "TO_FLOAT", "string": "TO_STRING"}


class Values(Operators):
    """Emits expressions."""

    # ---- values ----------------------------------------------------------------------------------------

    def value(self, node: syntax.Expr | Held, into: str | None = None) -> Atom:
        """Evaluate an expression; `into` names a local that may receive the result directly."""
        return self.known(self.evaluate(node, into), node)

    def known(self, atom: Atom, node: syntax.Expr | Held) -> Atom:
        """Note which expression a temporary holds, for threads that move into another version of the function."""
        if atom.text.startswith("T"):
            self.origins[atom.text] = (node.start, node.end)
        return atom

    def evaluate(self, node: syntax.Expr | Held, into: str | None) -> Atom:
        match node:
            case syntax.LocalVar():
                mask = self.inference.read(node)
                span = self.inference.span_at(node) if mask == INT else WHOLE
                if node.name in self.vectors:
                    return self.vectors[node.name]
                return Atom(mangle.local(node.name), mask, borrowed=True, span=span)
            case syntax.IntLiteral():
                return int_atom(node.value)
            case syntax.FloatLiteral():
                return float_atom(node.value)
            case syntax.StringLiteral():
                return Atom(repr(node.value), STRING, constant=node.value)
            case syntax.Undefined():
                return NONE
            case syntax.Predefined():
                return self.predefined(node)
            case syntax.Binary():
                return self.binary_chain(node, into)
            case syntax.Logical():
                return self.strict_logical(node) if self.rules.strict else self.logical_value(node)
            case syntax.Conditional():
                return self.conditional(node, into)
            case syntax.Keys():
                array = self.value(node.array)
                return self.assigned(f"KEYS({array.text})", ARRAY, node.start, node.end, into)
            case syntax.FieldAccess():
                return self.field_value(node, into)
            case syntax.Index():
                return self.index_value(node, into)
            case syntax.Call():
                return self.call(node, into)
            case syntax.Size():
                return self.size(node, into)
            case syntax.Unary():
                return self.unary(node, into)
            case syntax.Cast():
                return self.cast(node, into)
            case syntax.VectorLiteral():
                return self.vector(node, into)
            case syntax.LocalizedLiteral():
                return self.assigned(f"LOCALIZED({node.value!r})", OTHER, node.start, node.end, into)
            case syntax.EmptyArray():
                return self.assigned("ARRAY()", ARRAY, node.start, node.end, into)
            case syntax.FunctionRef():
                if isinstance(node.bound, syntax.NativeFunction):
                    return Atom(mangle.native_value(node.bound.name), OTHER)
                bound = node.bound or syntax.ScriptFunction(node.script or self.script, node.name)
                return Atom(mangle.function(bound.script, bound.name), OTHER)
            case syntax.AnimationRef():
                return Atom(mangle.animation(node.tree or "", node.name), OTHER)
            case syntax.AnimTreeRef():
                return Atom(mangle.tree(node.tree or ""), OTHER if self.rules.late_animations else INT)
            case Held():
                return node.atom

    def predefined(self, node: syntax.Predefined) -> Atom:
        match node.name:
            case "self":
                return Atom("SELF", OTHER)
            case "level":
                return Atom("LEVEL", OTHER)
            case "anim":
                return Atom("ANIM", OTHER)
            case "game":
                return Atom(
                    self.assigned("ROOT.game", ARRAY, node.start, node.end).text, ARRAY, borrowed=True
                )

    def field_value(self, node: syntax.FieldAccess, into: str | None = None) -> Atom:
        return self.read_field(self.value(node.object), node, into)

    def read_field(self, owner: Atom, node: syntax.FieldAccess, into: str | None = None) -> Atom:
        key = (owner.text, node.name)
        if self.seen is not None and key in self.seen:
            return Atom(self.seen[key], ANY, borrowed=True)
        name = into or self.temp()
        if node.name in self.float_fields:
            self.likely_floats.add(name)
        if self.seen is not None and into is None:
            self.seen[key] = name
        start, end = node.at, node.at + len(node.name)
        if owner.text == "LEVEL" or (owner.text == "SELF" and not self.recovers):
            # The VM tells what is wrong with a self that has ended.
            self.line(f"{name} = {owner.text}.{mangle.field(node.name)}", start, end)
        elif owner.mask & OTHER:
            # Nothing but a live object has such an attribute; the handler tells what was wrong.
            self.line(f"try: {name} = {owner.text}.{mangle.field(node.name)}", start, end)
            self.line(f"except FIELD_ERRORS: {name} = FIELD({owner.text}, {node.name!r})", start, end)
        else:
            self.line(f"{name} = FIELD({owner.text}, {node.name!r})", start, end)
        return Atom(name, ANY, borrowed=True)

    def index_value(self, node: syntax.Index, into: str | None = None) -> Atom:
        key = self.value(node.key)
        with self.holding(key):
            container = self.value(node.container)
        return self.read_index(container, key, node, into)

    def read_index(self, container: Atom, key: Atom, node: syntax.Index, into: str | None = None) -> Atom:
        start, end = node.at, node.at + 1
        key = self.named(key, start, end)
        mask = ANY
        if container.mask == VECTOR:
            if key.constant in (0, 1, 2) and isinstance(key.constant, int):
                if container.parts:
                    return Atom(container.parts[key.constant], FLOAT)
                return self.assigned(f"{container.text}[{key.text}]", FLOAT, start, end, into)
            mask = FLOAT | (UNDEFINED if self.recovers else 0)
        elif container.mask == STRING:
            mask = STRING | (UNDEFINED if self.recovers or self.rules.strict else 0)
        slow = f"INDEX({container.text}, {key.text})"
        guard = guards((container, ARRAY), (key, INT | STRING))
        name = into or self.temp()
        if guard is None:
            self.line(f"{name} = {slow}", start, end)
        else:
            # A miss is rare and ends in the helper too: it checks the domain of the key.
            if into in (container.text, key.text):
                name = self.temp()
            self.line(
                f"{name} = {container.text}[{key.text}]" + (f" if {guard} else None" if guard else ""),
                start,
                end,
            )
            if guard or key.mask != STRING:
                self.line(f"if {name} is None: {name} = {slow}", start, end)
        return Atom(name, mask, borrowed=True)

    def size(self, node: syntax.Size, into: str | None) -> Atom:
        operand = self.value(node.operand)
        mask = INT | (UNDEFINED if self.recovers else 0)
        guard = guards((operand, ARRAY))
        text = f"SIZE({operand.text})"
        if guard is not None:
            text = f"LEN({operand.text})" + (f" if {guard} else {text}" if guard else "")
        name = self.assigned(text, mask, node.at, node.at + 5, into).text
        return Atom(name, mask, span=(0, HIGHEST))

    def unary(self, node: syntax.Unary, into: str | None) -> Atom:
        if node.op == "-":
            operand = self.value(node.operand)
            mask = operand.mask if operand.mask in (INT, FLOAT) else INT | FLOAT | VECTOR | UNDEFINED
            text = f"-{operand.text}" if operand.mask == FLOAT else f"NEGATE({operand.text})"
            return self.assigned(text, mask, node.at, node.at + 1, into)
        if node.op == "!" and self.rules.strict:
            operand = self.value(node.operand)
            sure = not operand.mask & ~NUMBER
            text = f"0 if {operand.text} else 1" if sure else f"NOT({operand.text})"
            return self.assigned(text, INT if sure else INT | UNDEFINED, node.at, node.at + 1, into)
        if node.op == "!":
            return self.assigned(
                f"0 if {self.condition(node.operand)} else 1", INT, node.at, node.at + 1, into
            )
        operand = self.value(node.operand)
        if operand.mask == INT:
            return self.assigned(f"~{operand.text}", INT, node.at, node.at + 1, into)
        mask = INT | (UNDEFINED if self.recovers else 0)
        return self.assigned(f"COMPLEMENT({operand.text})", mask, node.at, node.at + 1, into)

    def cast(self, node: syntax.Cast, into: str | None) -> Atom:
        operand = self.value(node.operand)
        mask = {"bool": INT, "int": INT, "float": FLOAT, "string": STRING}[node.kind]
        if operand.mask == mask and node.kind != "bool":
            return operand
        if self.recovers and operand.mask not in (INT, FLOAT):
            mask |= UNDEFINED
        return self.assigned(
            f"{CAST_HELPERS[node.kind]}({operand.text})", mask, node.at, node.at + len(node.kind) + 2, into
        )

    def vector(self, node: syntax.VectorLiteral, into: str | None) -> Atom:
        z = self.value(node.z)
        with self.holding(z):
            y = self.value(node.y)
        with self.holding(z, y):
            x = self.value(node.x)
        parts = [as_float(part) for part in (x, y, z)]
        if all(part is not None for part in parts):
            if all(part.constant is not None for part in parts if part is not None):
                return vector_atom(tuple(p.text for p in parts if p))
            text = f"({', '.join(p.text for p in parts if p)})"
            return self.assigned(text, VECTOR, node.start, node.end, into)
        mask = VECTOR | (UNDEFINED if self.recovers else 0)
        return self.assigned(f"VECTOR({x.text}, {y.text}, {z.text})", mask, node.start, node.end, into)

    # ---- operators -------------------------------------------------------------------------------------

    def binary_chain(self, node: syntax.Binary, into: str | None = None) -> Atom:
        # Chains lean to the left and can be long: no recursion along them.
        chain: list[syntax.Binary] = []
        left: syntax.Expr = node
        while isinstance(left, syntax.Binary):
            chain.append(left)
            left = left.left
        result = self.value(left)
        for link in reversed(chain):
            self.keep_identity(link, result)
            with self.holding(result):
                right = self.value(link.right)
            result = self.operate(link.op, result, right, link.at, into if link is node else None)
            self.known(result, link)
        return result

    def keep_identity(self, node: syntax.Binary, left: Atom) -> None:
        """An array that waits to be compared is a second holder: a call on the right must not write to it in place."""
        if node.op in ("==", "!=") and not isinstance(node.left, syntax.LocalVar) and has_call(node.right):
            self.mark_shared(left, node.left)

    # ---- truth -----------------------------------------------------------------------------------------

    def condition(self, node: syntax.Expr) -> str:
        """Evaluate a condition; the result is Python text that is true or false, not a script value."""
        text, fails = self.test(node)
        return text if fails is None else self.assigned(text, INT, *fails).text

    def test(self, node: syntax.Expr) -> tuple[str, tuple[int, int] | None]:
        """The same for a line that only tests it: where the text can fail, it comes with the script text to blame, and
        nothing else that can may stand on that line."""
        if self.rules.strict:
            return self.strict_condition(node), None
        match node:
            case syntax.Unary(op="!"):
                text, fails = self.test(node.operand)
                return f"not ({text})" if fails else f"not {text}", fails
            case syntax.Logical():
                return self.logical_condition(node), None
            case syntax.Call() if self.asks_defined(node):
                return self.defined(self.value(node.args[0])), None
            case syntax.Binary(op=op) if op in RELATIONS:
                left = self.value(node.left)
                self.keep_identity(node, left)
                with self.holding(left):
                    right = self.value(node.right)
                return self.tested_relation(node, left, right)
            case _:
                return self.truth(self.value(node), node)

    def tested_relation(
        self, node: syntax.Binary, left: Atom, right: Atom
    ) -> tuple[str, tuple[int, int] | None]:
        op = node.op
        text, sure = self.relation(op, left, right)
        if text is not None and sure:
            return f"({text})", None
        slow = f"{HELPERS[op]}({left.text}, {right.text})"
        if text is not None:
            slow = f"({text}) if {self.relation_guard(op, left, right)} else {slow}"
        place = (node.at, node.at + len(op))
        if not self.recovers:
            return slow, place
        # Without a result the condition fails a second time, as a condition.
        name = self.assigned(slow, INT, *place).text
        self.line(f"if {name} is None: {name} = TRUTH(None)", node.start, node.end)
        return name, None

    def strict_condition(self, node: syntax.Expr) -> str:
        """The same where a failed condition falls into the body."""
        return self.strict_test(self.value(node), node, "TRUTH", 1)

    def strict_test(self, atom: Atom, node: syntax.Expr, helper: str, failed: int | None) -> str:
        """A value as a condition, by `helper`. What is no number is reported and counts as `failed`; an operation
        without a result, which has been reported, just does."""
        if not atom.mask & ~NUMBER:
            return atom.text
        text = f"{helper}({atom.text})"
        if atom.mask & INT:
            text = f"{atom.text} if {guards((atom, INT))} else {text}"
        if self.recovers and isinstance(node, syntax.Binary | syntax.Unary | syntax.Logical):
            if not atom.mask & ~(NUMBER | UNDEFINED):
                return f"({failed} if {atom.text} is None else {atom.text})"
            text = f"{failed} if {atom.text} is None else {text}"
        return self.assigned(text, INT, node.start, node.end).text

    def strict_logical(self, node: syntax.Logical) -> Atom:
        """`&&` and `||` with results 0 and 1. Where the left operand fails, the right one decides; where that fails
        there is no result."""
        first, chain = self.logical_chain(node)
        result = self.value(first)
        for link in chain:
            name = self.temp()
            word, goes_on = ("BOTH", 1) if link.op == "&&" else ("EITHER", 0)
            left = self.strict_test(result, link.left, word, goes_on)
            self.line(f"{name} = 1 if {left} else 0", link.left.start, link.left.end)
            with self.nested() as right:
                other = self.strict_test(self.value(link.right), link.right, "TO_BOOL", None)
                failed = f"None if {other} is None else " if self.recovers else ""
                self.line(f"{name} = {failed}1 if {other} else 0", link.right.start, link.right.end)
            self.branch(name if goes_on else f"not {name}", right, None, link.start, link.end)
            result = Atom(name, INT | UNDEFINED if self.recovers else INT)
        return result

    def conditional(self, node: syntax.Conditional, into: str | None) -> Atom:
        """`condition ? then : otherwise`. The result is a variable that neither side reads."""
        test = self.condition(node.condition)
        name = self.temp()
        masks: list[int] = []

        def side(part: syntax.Expr) -> Sequence:
            with self.nested() as sequence:
                atom = self.value(part)
                masks.append(atom.mask)
                self.line(f"{name} = {atom.text}", part.start, part.end)
            return sequence

        then = side(node.then)
        self.branch(test, then, side(node.otherwise), node.start, node.at)
        return Atom(name, masks[0] | masks[1], borrowed=True)

    def truth(self, atom: Atom, node: syntax.Expr) -> tuple[str, tuple[int, int] | None]:
        if not atom.mask & ~NUMBER:
            return atom.text, None
        guard = guards((atom, INT))
        slow = f"TRUTH({atom.text})"
        return f"{atom.text} if {guard} else {slow}" if guard else slow, (node.start, node.end)

    def logical_chain(self, node: syntax.Logical) -> tuple[syntax.Expr, list[syntax.Logical]]:
        chain: list[syntax.Logical] = []
        left: syntax.Expr = node
        while isinstance(left, syntax.Logical):
            chain.append(left)
            left = left.left
        return left, chain[::-1]

    def logical_condition(self, node: syntax.Logical) -> str:
        first, chain = self.logical_chain(node)
        text, fails = self.test(first)
        held = ""
        if fails is not None:
            held = text = self.assigned(text, INT, *fails).text
        for link in chain:
            word = "and" if link.op == "&&" else "or"
            with self.nested() as right:
                other, fails = self.test(link.right)
            if right.empty and fails is None:
                text, held = f"({text} {word} {other})", ""
                continue
            if not held:
                held = self.temp()
                self.line(f"{held} = {text}", link.start, link.end)
            with self.nested() as rest:
                rest.items = right.items
                self.line(f"{held} = {other}", *(fails or (link.right.start, link.right.end)))
            self.branch(held if word == "and" else f"not {held}", rest, None, link.start, link.end)
            text = held
        return text

    def logical_value(self, node: syntax.Logical) -> Atom:
        first, chain = self.logical_chain(node)
        result = self.value(first)
        for link in chain:
            name = self.temp()
            whole = result.text
            if result.mask != INT:
                whole = f"TRUTH({whole})"
                if result.mask & INT:
                    whole = f"{result.text} if {result.text}.__class__ is INT else {whole}"
            self.line(f"{name} = {whole}", first.start, first.end)
            with self.nested() as right:
                test = self.condition(link.right)
                self.line(f"{name} = 1 if {test} else 0", link.right.start, link.right.end)
            self.branch(name if link.op == "&&" else f"not {name}", right, None, link.start, link.end)
            result = Atom(name, INT)
        return result

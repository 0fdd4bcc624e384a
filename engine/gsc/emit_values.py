"""Expressions as Python text.

Every value ends in something that can be named again at no cost and that nothing changes meanwhile: a literal,
a local, or a temporary `T1`. Each operation that can fail stands on a physical line of its own, whose position
is the operator's. The common types are handled inline behind a guard, everything else by a helper (in capitals)
of `engine.vm.support`.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from engine.gsc import mangle, syntax
from engine.gsc.inference import (
    ANY,
    ARRAY,
    FLOAT,
    INT,
    NUMBER,
    OTHER,
    STRING,
    UNDEFINED,
    VECTOR,
    Inference,
    binary_type,
)
from engine.gsc.sequence import Compound, Line, Sequence, Site, block
from engine.gsc.suspension import Behaviour

ONE_DIGIT = 2**30 - 1
"""Ints up to here are one digit in CPython, and comparing with one digit is what its interpreter specialises;
larger results go to `WRAP`, which returns those within 32 bits unchanged."""

EPSILON = "9.999999974752427e-07"

HELPERS = {
    "+": "ADD", "-": "SUB", "*": "MUL", "/": "DIV", "%": "MOD", "|": "OR", "^": "XOR", "&": "AND", "<<": "SHL",
    ">>": "SHR", "==": "EQ", "!=": "NE", "<": "LT", ">": "GT", "<=": "LE", ">=": "GE",
}  # fmt: skip
CAST_HELPERS = {"bool": "TO_BOOL", "int": "TO_INT", "float": "TO_FLOAT", "string": "TO_STRING"}
RELATIONS = ("==", "!=", "<", ">", "<=", ">=")
CLASSES = {INT: "INT", FLOAT: "FLOAT", STRING: "STR", VECTOR: "TUPLE", ARRAY: "ARRAY"}


@dataclass(frozen=True, slots=True)
class Atom:
    """A value that was evaluated: its text, the types it can have, and whether another variable may hold it too.

    `borrowed` matters for arrays: a borrowed one must be marked as shared before it is stored."""

    text: str
    mask: int
    borrowed: bool = False
    constant: int | float | str | None = None


NONE = Atom("None", UNDEFINED)


@dataclass(slots=True, eq=False)
class Held(syntax.Node):
    """A part of an assignment's target that was evaluated already; it stands in the tree in place of its source."""

    atom: Atom


class Values:
    """Emits expressions into the current sequence. One instance emits one function."""

    def __init__(self, script: str, function: syntax.Function, behaviour: Behaviour, recovers: bool) -> None:
        self.script = script
        self.function = function
        self.behaviour = behaviour
        self.recovers = recovers
        """Whether a failing operation yields undefined, so that code after it runs."""
        self.inference = Inference(function, behaviour, recovers)
        self.resumable = (script, function.name) in behaviour.suspends
        self.sequence = Sequence()
        self.temps = 0
        self.pending: list[str] = []
        """Temporaries that are still wanted and have to survive a suspension."""
        self.sites: list[tuple[int, int]] = []
        """The script text of each suspension site, by number from 1."""
        self.calls_scripts = False

    # ---- lines -----------------------------------------------------------------------------------------

    def line(self, text: str, start: int, end: int, depth: int = 0) -> None:
        self.sequence.add([Line(depth, text, start, end)])

    def temp(self) -> str:
        self.temps += 1
        return f"T{self.temps}"

    @contextmanager
    def nested(self) -> Iterator[Sequence]:
        """Emit into a sequence of its own for the duration."""
        outer = self.sequence
        self.sequence = Sequence()
        try:
            yield self.sequence
        finally:
            self.sequence = outer

    @contextmanager
    def holding(self, *atoms: Atom) -> Iterator[None]:
        """Keep these operands over whatever is evaluated in between."""
        count = len(self.pending)
        self.pending += [a.text for a in atoms if a.text.startswith("T") and a.text not in self.pending]
        yield
        del self.pending[count:]

    def branch(
        self, condition: str, then: Sequence, otherwise: Sequence | None, start: int, end: int
    ) -> None:
        """`if condition: then else: otherwise`, either of which may hold sites."""
        low = then.low or (otherwise.low if otherwise else 0)
        high = (otherwise.high if otherwise else 0) or then.high
        if not high:
            test = condition
        elif otherwise is None or not otherwise.high:
            test = f"site or {condition}"
        elif not then.high:
            test = f"site == 0 and {condition}"
        else:
            test = f"{condition} if site == 0 else site <= {then.high}"
        lines = [Line(0, f"if {test}:", start, end), *block(then.render(), start, end)]
        if otherwise is not None and not otherwise.empty:
            rest = otherwise.render()
            if rest[0].text.startswith("if ") and all(
                line.depth or line.text.startswith(("elif ", "else:")) for line in rest[1:]
            ):
                lines += [Line(0, "el" + rest[0].text, rest[0].start, rest[0].end), *rest[1:]]
            else:
                lines += [Line(0, "else:", start, end), *block(rest, start, end)]
        if high:
            self.sequence.items.append(Compound(low, high, lines))
        else:
            self.sequence.add(lines)

    def suspend(self, issue: list[str], waits: str, restore: list[str], start: int, end: int) -> None:
        """A suspension site: run `issue`; if then `waits` holds, leave; `restore` runs on resumption."""
        self.sites.append((start, end))
        number = len(self.sites)
        kept = ", ".join(self.pending) + ("," if len(self.pending) == 1 else "")
        at = [Line(0, text, start, end) for text in issue]
        at.append(Line(0, f"if {waits}:", start, end))
        me = mangle.function(self.script, self.function.name)
        save = ["if FR is None:", f"FR = FRAME({me}, SELF)", "UNWIND(FR)", f"FR.site = {number}"]
        names = self.saved_locals()
        if names:
            save.append(f"FR.locals = ({names})")
        if kept:
            save.append(f"FR.temps = ({kept})")
        save.append("return SUSPENDED")
        # The second and third line are the body of the first.
        at += [Line(2 if row in (1, 2) else 1, text, start, end) for row, text in enumerate(save)]
        back = ["site = 0", *restore]
        if kept:
            back.append(f"({kept}) = FR.temps")
        self.sequence.items.append(Site(number, at, [Line(0, text, start, end) for text in back]))

    def saved_locals(self) -> str:
        names = [mangle.local(n) for n in self.inference.names]
        return ", ".join(names) + ("," if len(names) == 1 else "")

    # ---- values ----------------------------------------------------------------------------------------

    def value(self, node: syntax.Expr | Held, into: str | None = None) -> Atom:
        """Evaluate an expression; `into` names a local that may receive the result directly."""
        match node:
            case syntax.LocalVar():
                return Atom(mangle.local(node.name), self.inference.read(node), borrowed=True)
            case syntax.IntLiteral():
                return Atom(str(node.value), INT, constant=node.value)
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
                return self.logical_value(node)
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
                bound = node.bound or syntax.ScriptFunction(node.script or self.script, node.name)
                return Atom(mangle.function(bound.script, bound.name), OTHER)
            case syntax.AnimationRef():
                return Atom(mangle.animation(node.tree or "", node.name), OTHER)
            case syntax.AnimTreeRef():
                return Atom(mangle.tree(node.tree or ""), INT)
            case Held():
                return node.atom

    def assigned(self, text: str, mask: int, start: int, end: int, into: str | None = None) -> Atom:
        """`text` evaluated into a temporary, or into `into`."""
        name = into or self.temp()
        self.line(f"{name} = {text}", start, end)
        return Atom(name, mask)

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
        name = into or self.temp()
        start, end = node.at, node.at + len(node.name)
        if owner.text == "LEVEL":
            self.line(f"{name} = LEVEL.{mangle.field(node.name)}", start, end)
            return Atom(name, ANY, borrowed=True)
        if owner.mask & OTHER:
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
        mask = ANY
        if container.mask == VECTOR:
            if key.constant in (0, 1, 2) and isinstance(key.constant, int):
                return self.assigned(f"{container.text}[{key.text}]", FLOAT, start, end, into)
            mask = FLOAT | (UNDEFINED if self.recovers else 0)
        elif container.mask == STRING:
            mask = STRING | (UNDEFINED if self.recovers else 0)
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
            self.line(f"if {name} is None: {name} = {slow}", start, end)
        return Atom(name, mask, borrowed=True)

    def size(self, node: syntax.Size, into: str | None) -> Atom:
        operand = self.value(node.operand)
        mask = INT | (UNDEFINED if self.recovers else 0)
        guard = guards((operand, ARRAY))
        text = f"SIZE({operand.text})"
        if guard is not None:
            text = f"LEN({operand.text})" + (f" if {guard} else {text}" if guard else "")
        return self.assigned(text, mask, node.at, node.at + 5, into)

    def unary(self, node: syntax.Unary, into: str | None) -> Atom:
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
                return Atom(f"({', '.join(p.text for p in parts if p)})", VECTOR)
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
            with self.holding(result):
                right = self.value(link.right)
            result = self.operate(link.op, result, right, link.at, into if link is node else None)
        return result

    def operate(self, op: str, a: Atom, b: Atom, at: int, into: str | None = None) -> Atom:
        """The text of one binary operator on two evaluated operands."""
        end = at + len(op)
        if op in RELATIONS:
            text, sure = self.relation(op, a, b)
            mask = INT if sure or not self.recovers else INT | UNDEFINED
            slow = f"{HELPERS[op]}({a.text}, {b.text})"
            if text is None:
                return self.assigned(slow, mask, at, end, into)
            if sure:
                return self.assigned(f"1 if {text} else 0", mask, at, end, into)
            guard = self.relation_guard(op, a, b)
            return self.assigned(f"(1 if {text} else 0) if {guard} else {slow}", mask, at, end, into)
        mask = binary_type(op, a.mask, b.mask, self.recovers)
        name = into or self.temp()
        cases = list(self.inline_cases(op, a, b, name))
        slow = f"{name} = {HELPERS[op]}({a.text}, {b.text})"
        word = "if"
        for guard, lines in cases:
            if guard == "":
                if word == "if":
                    for text in lines:
                        self.line(text, at, end)
                    return Atom(name, mask)
                break
            self.line(f"{word} {guard}:", at, end)
            for text in lines:
                self.line(text, at, end, 1)
            word = "elif"
        if word == "if":
            self.line(slow, at, end)
        else:
            self.line("else:", at, end)
            self.line(slow, at, end, 1)
        return Atom(name, mask)

    def inline_cases(self, op: str, a: Atom, b: Atom, name: str) -> Iterator[tuple[str, list[str]]]:
        """The inline forms of an operator: a guard ("" when it always holds) and its lines."""
        int_guard = guards((a, INT), (b, INT))
        if int_guard is not None:
            lines = int_lines(op, a, b, name)
            if lines is not None:
                yield int_guard, lines
        if op in ("+", "-", "*", "/"):
            left, right = float_side(a), float_side(b)
            if left is not None and right is not None and (a.mask & FLOAT or b.mask & FLOAT):
                guard = guards((left, FLOAT), (right, FLOAT))
                if guard is not None:
                    if op == "/" and not (isinstance(right.constant, float) and right.constant):
                        if guard != "" or right.mask != FLOAT:
                            guard = f"{guard} and {right.text}" if guard else right.text
                            yield guard, [f"M[0] = {left.text} / {right.text}", f"{name} = M[0]"]
                        else:
                            yield right.text, [f"M[0] = {left.text} / {right.text}", f"{name} = M[0]"]
                    else:
                        yield guard, [f"M[0] = {left.text} {op} {right.text}", f"{name} = M[0]"]
        if op in ("+", "-") and a.mask & b.mask & VECTOR:
            helper = "ADD_VECTORS" if op == "+" else "SUB_VECTORS"
            parts = ", ".join(f"{a.text}[{n}] {op} {b.text}[{n}]" for n in range(3))
            # Packing rounds all three at once; it refuses what becomes infinite.
            yield (
                guards((a, VECTOR), (b, VECTOR)) or "",
                [
                    f"try: {name} = UNPACK(PACK({parts}))",
                    f"except OverflowError: {name} = {helper}({a.text}, {b.text})",
                ],
            )
        if op == "+" and (a.mask == STRING or b.mask == STRING):
            check = f"if LEN({name}) > MAX_STRING: {name} = TOO_LONG()"
            if a.mask & b.mask & STRING:
                yield guards((a, STRING), (b, STRING)) or "", [f"{name} = {a.text} + {b.text}", check]
            if a.mask & INT:
                yield guards((a, INT)) or "", [f"{name} = STR({a.text}) + {b.text}", check]
            if b.mask & INT:
                yield guards((b, INT)) or "", [f"{name} = {a.text} + STR({b.text})", check]

    def relation(self, op: str, a: Atom, b: Atom) -> tuple[str | None, bool]:
        """An inline comparison as a Python truth value, and whether it needs no guard."""
        if a.mask == b.mask == FLOAT and op in ("==", "!="):
            near = f"-{EPSILON} < {a.text} - {b.text} < {EPSILON}"
            return (near if op == "==" else f"not ({near})"), True
        if a.mask == b.mask and a.mask in (INT, FLOAT):
            return f"{a.text} {op} {b.text}", True
        if op in ("==", "!=") and a.mask == b.mask == STRING:
            return f"{a.text} {op} {b.text}", True
        guard = self.relation_guard(op, a, b)
        return (None, False) if guard is None else (f"{a.text} {op} {b.text}", guard == "")

    def relation_guard(self, op: str, a: Atom, b: Atom) -> str | None:
        """When the plain Python comparison is right: "" for always, None for never."""
        if op not in ("==", "!="):
            # Python compares an int and a float exactly, as binary32 does for an int that it holds exactly.
            for one, other in ((a, b), (b, a)):
                if isinstance(one.constant, int) and abs(one.constant) <= 2**24:
                    return guards((other, NUMBER))
        kinds = (INT, STRING) if op in ("==", "!=") else (INT, FLOAT)
        options = [g for kind in kinds if (g := guards((a, kind), (b, kind))) is not None]
        return " or ".join(options) if options and "" not in options else None

    # ---- truth -----------------------------------------------------------------------------------------

    def condition(self, node: syntax.Expr) -> str:
        """Evaluate a condition; the result is Python text that is true or false, not a script value."""
        match node:
            case syntax.Unary(op="!"):
                return f"not {self.condition(node.operand)}"
            case syntax.Logical():
                return self.logical_condition(node)
            case syntax.Binary(op=op) if op in RELATIONS:
                left = self.value(node.left)
                with self.holding(left):
                    right = self.value(node.right)
                text, sure = self.relation(op, left, right)
                if text is not None and sure:
                    return f"({text})"
                slow = f"{HELPERS[op]}({left.text}, {right.text})"
                if text is not None:
                    slow = f"({text}) if {self.relation_guard(op, left, right)} else {slow}"
                result = self.assigned(slow, INT, node.at, node.at + len(op))
                if self.recovers:
                    # Without a result the condition fails a second time, as a condition.
                    self.line(f"if {result.text} is None: {result.text} = TRUTH(None)", node.start, node.end)
                return result.text
            case _:
                return self.truth(self.value(node), node)

    def truth(self, atom: Atom, node: syntax.Expr) -> str:
        if not atom.mask & ~NUMBER:
            return atom.text
        guard = guards((atom, INT))
        slow = f"TRUTH({atom.text})"
        if guard:
            slow = f"{atom.text} if {guard} else {slow}"
        return self.assigned(slow, INT, node.start, node.end).text

    def logical_chain(self, node: syntax.Logical) -> tuple[syntax.Expr, list[syntax.Logical]]:
        chain: list[syntax.Logical] = []
        left: syntax.Expr = node
        while isinstance(left, syntax.Logical):
            chain.append(left)
            left = left.left
        return left, chain[::-1]

    def logical_condition(self, node: syntax.Logical) -> str:
        first, chain = self.logical_chain(node)
        text = self.condition(first)
        for link in chain:
            word = "and" if link.op == "&&" else "or"
            with self.nested() as right:
                other = self.condition(link.right)
            if right.empty:
                text = f"({text} {word} {other})"
                continue
            name = self.temp()
            self.line(f"{name} = {text}", link.start, link.end)
            with self.nested() as rest:
                rest.items = right.items
                self.line(f"{name} = {other}", link.right.start, link.right.end)
            self.branch(name if word == "and" else f"not {name}", rest, None, link.start, link.end)
            text = name
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

    # ---- calls -----------------------------------------------------------------------------------------

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
                    return self.pointer_call(node, pointer, receiver, args, into)
        bound = node.target.bound
        if isinstance(bound, syntax.NativeFunction):
            return self.native_call(node, bound, receiver, args, into)
        assert bound is not None, "the binder leaves no call unbound"
        return self.script_call(node, bound, receiver, args, into)

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
        if bound.name == "isdefined" and not bound.method and len(texts) == 1:
            if not args[0].mask & (UNDEFINED | OTHER):
                return Atom("1", INT, constant=1)
            return self.assigned(f"0 if {texts[0]} is None else {name}({texts[0]})", INT, start, end, into)
        return self.assigned(f"{name}({', '.join(texts)})", ANY, start, end, into)

    def variant(self, helper: str, node: syntax.Call) -> str:
        """An explicit self has to be a live object; an inherited one is taken as it is."""
        return helper if node.object is None else helper + "_ON"

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
        self.calls_scripts = True
        key = (bound.script, bound.name)
        function = mangle.function(*key)
        texts = [a.text for a in args]
        if node.threaded:
            text = f"{self.variant('SPAWN', node)}({function}, {receiver.text}, D, {tuple_text(texts)})"
            result = self.assigned(text, ANY, start, end, into)
            self.check_self(start, end, key in self.behaviour.frees)
            return result
        if self.recovers and node.object is not None and receiver.text not in ("LEVEL", "ANIM"):
            # A bad receiver must skip the call and go on, so the helper does the whole call.
            text = f"CALL_ON({function}, {receiver.text}, D, {tuple_text(texts)})"
            return self.script_result(text, key, start, end, into)
        self.checked_receiver(node, receiver)
        surplus = len(texts) - self.behaviour.arity.get(key, len(texts))
        if surplus > 0:
            self.line("TOO_MANY()", start, end)
            texts = texts[:-surplus]
        inner = ", ".join(["None", receiver.text, "D + 1", *texts])
        return self.script_result(f"{mangle.code(*key)}({inner})", key, start, end, into)

    def script_result(self, text: str, key: tuple[str, str], start: int, end: int, into: str | None) -> Atom:
        if key in self.behaviour.suspends:
            return self.suspending(text, start, end)
        result = self.assigned(text, ANY, start, end, into)
        self.check_self(start, end, key in self.behaviour.frees)
        return result

    def pointer_call(
        self, node: syntax.Call, pointer: Atom, receiver: Atom, args: list[Atom], into: str | None
    ) -> Atom:
        start, end = self.place(node)
        self.calls_scripts = True
        texts = [a.text for a in args]
        if node.threaded:
            text = f"{self.variant('SPAWN', node)}({pointer.text}, {receiver.text}, D, {tuple_text(texts)})"
            result = self.assigned(text, ANY, start, end, into)
            self.check_self(start, end, True)
            return result
        slow = f"{self.variant('CALL', node)}({pointer.text}, {receiver.text}, D, {tuple_text(texts)})"
        if node.object is not None or not pointer.mask & OTHER:
            return self.suspending(slow, start, end)
        inner = ", ".join(["None", receiver.text, "D + 1", *texts])
        test = f"{pointer.text}.__class__ is FUNCTION and {pointer.text}.arity >= {len(texts)}"
        return self.suspending(f"{pointer.text}.entry({inner}) if {test} else {slow}", start, end)

    def suspending(self, text: str, start: int, end: int) -> Atom:
        """A call that may have to wait, and its result."""
        name = self.temp()
        self.suspend([f"{name} = {text}"], f"{name} is SUSPENDED", [f"{name} = FR.value"], start, end)
        self.check_self(start, end, True)
        return Atom(name, ANY)

    def check_self(self, start: int, end: int, frees: bool) -> None:
        """A return to a frame whose self has died ends the thread (vm facts, 4.4)."""
        if frees or (self.script, self.function.name) in self.behaviour.haunted:
            self.line("if SELF.dead: END_THREAD()", start, end)


# ---- text ------------------------------------------------------------------------------------------------


def tuple_text(texts: list[str]) -> str:
    return f"({', '.join(texts)}{',' if len(texts) == 1 else ''})"


def float_atom(value: float) -> Atom:
    if math.isinf(value):
        return Atom("INFINITY" if value > 0 else "-INFINITY", FLOAT, constant=value)
    return Atom(repr(value), FLOAT, constant=value)


def as_float(atom: Atom) -> Atom | None:
    """`atom` as text that surely is a float, or None."""
    if atom.mask == FLOAT:
        return atom
    if isinstance(atom.constant, int):
        return float_atom(float_constant(atom.constant))
    return None


def float_side(atom: Atom) -> Atom | None:
    """`atom` where the other operand is a float: an int literal is converted here, an int variable is left to the
    helper."""
    if isinstance(atom.constant, int):
        return float_atom(float_constant(atom.constant))
    return atom if atom.mask & FLOAT else None


def float_constant(value: int) -> float:
    rounder = memoryview(bytearray(4)).cast("f")
    rounder[0] = value
    return rounder[0]


def guards(*wanted: tuple[Atom, int]) -> str | None:
    """A Python condition that every atom has one of the wanted types: "" if that is sure, None if it cannot be."""
    parts: list[str] = []
    for atom, mask in wanted:
        if not atom.mask & mask:
            return None
        if atom.mask & ~mask:
            tests = [
                f"{atom.text}.__class__ is {name}"
                for kind, name in CLASSES.items()
                if kind & mask & atom.mask
            ]
            parts.append(tests[0] if len(tests) == 1 else f"({' or '.join(tests)})")
    return " and ".join(parts)


def int_lines(op: str, a: Atom, b: Atom, name: str) -> list[str] | None:
    """An operator on two ints, or None where the helper does it."""
    if op in ("+", "-", "*"):
        upper, lower = f"{name} > {ONE_DIGIT}", f"{name} < -{ONE_DIGIT}"
        test = f"{upper} or {lower}"
        if op != "*" and isinstance(b.constant, int) and 0 <= b.constant <= ONE_DIGIT:
            test = upper if op == "+" else lower
        elif op == "+" and isinstance(a.constant, int) and 0 <= a.constant <= ONE_DIGIT:
            test = upper
        return [f"{name} = {a.text} {op} {b.text}", f"if {test}: {name} = WRAP({name})"]
    if op in ("&", "|", "^"):
        return [f"{name} = {a.text} {op} {b.text}"]
    if op == ">>" and isinstance(b.constant, int):
        return [f"{name} = {a.text} >> {b.constant & 31}"]
    if op in ("/", "%") and isinstance(b.constant, int) and b.constant > 0:
        word = "//" if op == "/" else "%"
        return [f"{name} = {a.text} {word} {b.text} if {a.text} >= 0 else -(-{a.text} {word} {b.text})"]
    return None

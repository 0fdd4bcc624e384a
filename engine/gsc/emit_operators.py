"""Operators on evaluated operands as Python text: the common types inline, everything else by a helper."""

from __future__ import annotations

from collections.abc import Iterator

from engine.gsc.atoms import Atom, float_side, guards, int_lines, int_text, overflow
from engine.gsc.emit_calls import Calls
from engine.gsc.kinds import FLOAT, INT, NUMBER, STRING, UNDEFINED, VECTOR, binary_type
from engine.gsc.spans import TRUTH, Span, result
from engine.gsc.vectors import vector_lines

EPSILON = "9.999999974752427e-07"

HELPERS = {
    "+": "ADD", "-": "SUB", "*": "MUL", "/": "DIV", "%": "MOD", "|": "OR", "^": "XOR", "&": "AND", "<<": "SHL",
    ">>": "SHR", "==": "EQ", "!=": "NE", "<": "LT", ">": "GT", "<=": "LE", ">=": "GE",
}  # fmt: skip
RELATIONS = ("==", "!=", "<", ">", "<=", ">=")
SHORT = 100
"""Characters of a literal that with a few more make no string that counts as long."""
MAX_INLINED = 60
"""Characters of an operation that becomes a part of another one."""


class Operators(Calls):
    """Emits operators."""

    def operate(self, op: str, a: Atom, b: Atom, at: int, into: str | None = None) -> Atom:
        """The text of one binary operator on two evaluated operands."""
        end = at + len(op)
        if op in RELATIONS:
            text, sure = self.relation(op, a, b)
            mask = INT if sure or not self.recovers else INT | UNDEFINED
            slow = f"{HELPERS[op]}({a.text}, {b.text})"
            if text is None:
                return self.assigned(slow, mask, at, end, into)
            whole = f"1 if {text} else 0"
            if not sure:
                whole = f"({whole}) if {self.relation_guard(op, a, b)} else {slow}"
            return Atom(self.assigned(whole, mask, at, end, into).text, mask, span=TRUTH)
        mask = binary_type(op, a.mask, b.mask, self.recovers, self.rules.strict)
        span = result(op, a.span, b.span)
        if a.mask == b.mask == INT and into is None:
            atom = self.inlined(op, a, b, span)
            if atom is not None:
                return atom
        if op in ("/", "%"):
            a = self.named(a, at, end)
        name = into or self.temp()
        if a.mask == b.mask == INT and op in ("+", "-", "*") and self.around_calls(op, a, b, name):
            test = overflow(op, a, b, name)
            if test:
                self.line(f"if {test}: {name} = WRAP({name})", at, end)
            return Atom(name, INT, span=span)
        cases = list(self.inline_cases(op, a, b, name))
        if self.likely_floats.intersection((a.text, b.text)):
            cases.sort(key=lambda case: "FLOAT" not in case[0])
        slow = f"{name} = {HELPERS[op]}({a.text}, {b.text})"
        word = "if"
        for guard, lines in cases:
            if guard == "":
                if word == "if":
                    for text in lines:
                        self.line(text, at, end)
                    return Atom(name, mask, span=span)
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
        return Atom(name, mask, span=span)

    def inlined(self, op: str, a: Atom, b: Atom, span: Span) -> Atom | None:
        """An operation on ints that cannot fail, as a part of the expression around it; for operands that nothing
        changes before that is evaluated."""
        if "T" in a.text or "T" in b.text or len(a.text) + len(b.text) > MAX_INLINED:
            return None
        text = int_text(op, a, b)
        if text is None or overflow(op, a, b, "") or (op == "/" and self.rules.strict):
            return None
        return Atom(f"({text})", INT, span=span)

    def around_calls(self, op: str, a: Atom, b: Atom, name: str) -> bool:
        """Emit an operation on ints around the calls that give its operands, if it directly follows them."""
        right = self.taken_back(b)
        left = self.taken_back(a)
        texts = [
            atom.text if line is None else line.text.partition(" = ")[2]
            for atom, line in ((a, left), (b, right))
        ]
        if left is not None and right is not None:
            # Each call on a line of its own, for its place.
            self.line(f"{name} = ({texts[0]}", left.start, left.end)
            self.line(f"{op} {texts[1]})", right.start, right.end)
        elif (line := left or right) is not None:
            self.line(f"{name} = {texts[0]} {op} {texts[1]}", line.start, line.end)
        else:
            return False
        return True

    def named(self, atom: Atom, start: int, end: int) -> Atom:
        """`atom` so that naming it again costs nothing."""
        if atom.text.startswith("(") and atom.constant is None and atom.mask == INT:
            return Atom(self.assigned(atom.text, INT, start, end).text, INT, span=atom.span)
        return atom

    def inline_cases(self, op: str, a: Atom, b: Atom, name: str) -> Iterator[tuple[str, list[str]]]:
        """The inline forms of an operator: a guard ("" when it always holds) and its lines."""
        int_guard = guards((a, INT), (b, INT))
        if int_guard is not None and not (op == "/" and self.rules.strict):
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
            yield guards((a, VECTOR), (b, VECTOR)) or "", vector_lines(op, a, b, name)
        if op == "+" and (a.mask == STRING or b.mask == STRING):
            check = [f"if LEN({name}) > LONG: {name} = LONG_TEXT({name})"]
            if any(isinstance(s.constant, str) and len(s.constant) <= SHORT for s in (a, b)):
                # With the digits of an int it stays short.
                number_check = []
            else:
                number_check = check
            if a.mask & b.mask & STRING:
                yield guards((a, STRING), (b, STRING)) or "", [f"{name} = {a.text} + {b.text}", *check]
            if a.mask & INT:
                yield guards((a, INT)) or "", [f"{name} = STR({a.text}) + {b.text}", *number_check]
            if b.mask & INT:
                yield guards((b, INT)) or "", [f"{name} = {a.text} + STR({b.text})", *number_check]

    def relation(self, op: str, a: Atom, b: Atom) -> tuple[str | None, bool]:
        """An inline comparison as a Python truth value, and whether it needs no guard."""
        if a.mask == b.mask == FLOAT and op in ("==", "!=") and not self.rules.strict:
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

"""Random programs: valid, deterministic by seed, and ended by themselves.

Every function has variables of each kind, mostly used as what they are, so that a program gets somewhere before
something fails; some of the expressions are of any kind, so that every type meets every operator. Functions call only
later ones, loops count in variables that nothing else writes, and what still grows too large is given up by the
reference.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from random import Random

KINDS = ("int", "float", "string", "vector", "array", "object", "function", "any")
INTS = ("0", "1", "2", "3", "-1", "7", "true", "false", "31", "-33", "255", "65536", "8388607", "8388608", "-8257536",
        "1073741823", "1073741824", "2147483647", "-2147483648", "16777217")  # fmt: skip
FLOATS = ("0.0", "0.5", "-0.5", "1.5", "2.0", "-3.25", "0.1", "0.0000005", "1000000.5", "16777216.0", "2147483648.0",
          "340000000000000000000000000000000000000.0", "0.000001", "-0.0", "123456.789",
          "level.nan")  # fmt: skip
STRINGS = ('""', '"a"', '"b"', '"word"', '"0"', '"12"', '" 7x"', '"-3.5"', '".05"', '"0.0"', '"x"', '"+1"',
           '"9999999999"', '"1e3"', '"(1.00, 2.00, 3.00)"', '"a\\"b\\n"', '"inf"')  # fmt: skip
CVAR = '"c"'
STRING = "string"
VECTORS = ("(1, 2, 3)", "(0.5, -1, 0)", "(0, 0, 0)", '(1, "2", 0.25)')
INT_OPERATORS = ("+", "-", "*", "/", "%", "&", "|", "^", "<<", ">>")
OPERATORS = {"int": INT_OPERATORS, "float": ("+", "-", "*", "/"), "string": ("+",), "vector": ("+", "-")}
EVENTS = ('"go"', '"stop"', '"hit"')
TIMES = ("0", "0.01", "0.02", "0.05", "0.05", "0.1", "0.15", "1")
PREFIX = {
    "int": "i",
    "float": "x",
    "string": "s",
    "vector": "v",
    "array": "a",
    "object": "o",
    "function": "f",
    "any": "n",
}


LADDERS = 1_400_000
"""From this seed on programs have chains of conditions and use what their loops count in. Those below are as they were
when tests and notes came to name them."""


class Function:
    def __init__(self, name: str, kind: str, params: list[str], script: str = "main") -> None:
        self.name = name
        self.kind = kind
        self.params = params
        self.script = script


class Writer:
    """Writes one program. `wild` is how often an expression is of any kind.

    What another dialect writes otherwise is a method or a table of its own."""

    cvar = "cvar"
    casts: Mapping[str, str] = {"int": "(int)", "bool": "(bool)", "float": "(float)", "string": "(string)"}
    compound: Mapping[str, tuple[str, ...]] = OPERATORS
    vector_operators: tuple[str, ...] = OPERATORS["vector"]

    def __init__(self, seed: int) -> None:
        self.random = Random(seed)
        self.wild = self.random.choice((0.0, 0.02, 0.05, 0.15))
        self.loops = 0
        self.marks = 0
        self.script = "main"
        self.callable: list[Function] = []
        self.all: list[Function] = []
        self.looped = 0
        self.region = False
        self.ladders = seed >= LADDERS
        self.counters: list[str] = []
        """What the loops of the function count in, so far."""

    def chance(self, p: float) -> bool:
        return self.random.random() < p

    def pick(self, choices: tuple[str, ...] | list[str]) -> str:
        return self.random.choice(choices)

    # ---- expressions -----------------------------------------------------------------------------------

    def expression(self, kind: str, depth: int = 3) -> str:
        if self.chance(self.wild) or kind == "any":
            kind = self.pick(KINDS[:-1] if self.chance(0.9) else ("localized", "undefined"))
        if depth <= 0 or self.chance(0.25):
            return self.leaf(kind)
        common = self.random.random()
        if common < 0.12:
            return self.call(kind, depth)
        if common < 0.2:
            return self.pick([f"({self.expression(kind, depth - 1)})", self.stored(kind, depth)])
        writer: Callable[[int], str] | None = getattr(self, f"{kind}_expression", None)
        return writer(depth - 1) if writer else self.leaf(kind)

    def leaf(self, kind: str) -> str:
        if kind == "int" and self.counters and self.chance(0.2):
            return self.pick(self.counters)
        if kind in PREFIX and self.chance(0.6):
            return self.variable(kind)
        match kind:
            case "int":
                return self.pick(INTS)
            case "float":
                return self.pick(FLOATS)
            case "string":
                return self.pick(STRINGS)
            case "vector":
                return self.pick(VECTORS)
            case "array":
                return self.pick(("[]", self.variable("array"), "level.a", 'game["a"]'))
            case "object":
                return self.pick(("level", "self", "level.o", "anim", "level.o"))
            case "function":
                return self.function_value()
            case "localized":
                return self.pick(('&"KEY"', '&"OTHER"'))
            case _:
                return "undefined"

    def constant(self, kind: str) -> str:
        """A value of this kind that depends on no variable."""
        constants = {
            "float": FLOATS,
            "string": STRINGS,
            "vector": VECTORS,
            "array": ("[]",),
            "object": ("level.o",),
        }
        return self.function_value() if kind == "function" else self.pick(constants.get(kind, INTS))

    def function_value(self) -> str:
        candidates = [f for f in self.callable if f.script == self.script] or [
            Function("quick", "int", ["n"])
        ]
        return f"::{self.random.choice(candidates).name}" if self.script == "main" else "::libquick"

    def variable(self, kind: str) -> str:
        letter = PREFIX[kind]
        return self.pick((f"{letter}0", f"{letter}1", f"{letter}0", f"{letter}1", f"level.{letter}"))

    def stored(self, kind: str, depth: int) -> str:
        """A field or element that probably holds such a value."""
        letter = PREFIX.get(kind, "n")
        return self.pick([
            f"level.{letter}", f"{self.object(depth)}.{letter}", f'{self.array()}["{letter}"]', f"game[\"{letter}\"]",
            f"anim.{letter}", f"{self.array()}[{self.key(depth)}]", f'level["{letter}"]',
            f"level.o[{self.key(depth)}]", f'self["{letter}"][{self.key(depth)}]',
            f"{self.array()}.{letter}",
            f"{self.array()}[{self.key(depth)}][{self.key(depth)}]", f"{self.array()}[{self.key(depth)}].{letter}",
            f"{self.array()}.a[{self.key(depth)}]", f"{self.array()}.a.{letter}", f"game.{letter}",
        ])  # fmt: skip

    def array(self) -> str:
        return self.pick(("a0", "a1", "level.a", "a0[1]", 'a1["a"]', "level.o.a", "game", 'game["a"]'))

    def object(self, depth: int) -> str:
        return self.pick(("level", "self", "o0", "o1", "level.o", "anim", "level.o.o"))

    def key(self, depth: int) -> str:
        if self.chance(0.6):
            return self.pick(("0", "1", "2", '"k"', '"a"', "i0", '"1"', *self.counters[-1:]))
        text = self.expression(self.pick(("int", "string")), min(depth - 1, 1))
        # Two brackets in a row would begin a call through a function value.
        return f"({text})" if text.startswith("[") else text

    def int_expression(self, depth: int) -> str:
        e = self.expression
        r = self.random.randrange(12)
        if r < 4:
            return f"({e('int', depth)} {self.pick(INT_OPERATORS)} {e('int', depth)})"
        if r < 6:
            kind = self.pick(("int", "float", "int"))
            other = self.pick(("int", kind))
            return f"({e(kind, depth)} {self.pick(('<', '>', '<=', '>=', '==', '!='))} {e(other, depth)})"
        if r == 6:
            kind = self.pick(KINDS)
            return f"({e(kind, depth)} {self.pick(('==', '!='))} {e(kind, depth)})"
        if r == 7:
            return f"({e('int', depth)} {self.pick(('&&', '||'))} {e(self.pick(('int', 'float', 'string')), depth)})"
        if r == 8:
            return self.pick(
                (
                    f"!{e('int', depth)}",
                    f"~{e('int', depth)}",
                    f"{self.casts['int']}{self.numeric(depth)}",
                    f"{self.casts['bool']}{self.numeric(depth)}",
                )
            )
        if r == 9:
            text = f"({e('string', depth)})"
            return self.pick((self.variable("string"), self.array(), self.variable("object"), text)) + ".size"
        if r == 10:
            return self.pick(
                (
                    f"isdefined({e('any', depth)})",
                    "gettime()",
                    f'get{self.cvar}int("c")',
                    f"isdefined({self.stored('any', depth)})",
                )
            )
        return f"({e('int', depth)}, {e('int', depth)}, 1)[{self.pick(('0', '1', '2', 'i0', '3'))}]"

    def numeric(self, depth: int) -> str:
        return f"({self.expression(self.pick(('int', 'float', 'string')), depth)})"

    def float_expression(self, depth: int) -> str:
        e = self.expression
        r = self.random.randrange(8)
        if r < 4:
            other = self.pick(("float", "float", "int"))
            pair = [e("float", depth), e(other, depth)]
            self.random.shuffle(pair)
            return f"({pair[0]} {self.pick(('+', '-', '*', '/'))} {pair[1]})"
        if r == 4:
            return f"{self.casts['float']}{self.numeric(depth)}"
        if r == 5:
            return f"{self.variable('vector')}[{self.pick(('0', '1', '2', 'i1'))}]"
        if r == 6:
            return self.pick(
                (f"vectordot({e('vector', depth)}, {e('vector', depth)})", f"length({e('vector', depth)})")
            )
        return f"get{self.cvar}float({self.pick((CVAR, CVAR, self.leaf(STRING)))})"

    def string_expression(self, depth: int) -> str:
        e = self.expression
        r = self.random.randrange(6)
        if r < 3:
            pair = [e("string", depth), e(self.pick(("string", "int", "float", "vector")), depth)]
            self.random.shuffle(pair)
            return f"({pair[0]} + {pair[1]})"
        if r == 3:
            inner = e(self.pick(("int", "float", "vector", "string")), depth)
            return f"({self.casts['string']}({inner}))"
        if r == 4:
            return f"{self.variable('string')}[{self.pick(('0', '1', 'i0'))}]"
        return f'get{self.cvar}("c")'

    def vector_expression(self, depth: int) -> str:
        e = self.expression
        if self.chance(0.5):
            return f"({e('vector', depth)} {self.pick(self.vector_operators)} {e('vector', depth)})"
        parts = [e(self.pick(("int", "float")), depth) for _ in range(3)]
        return f"({', '.join(parts)})"

    def object_expression(self, depth: int) -> str:
        return self.pick(("spawnstruct()", "level.o", "self"))

    def array_expression(self, depth: int) -> str:
        if self.script != "main":
            return self.array()
        return self.pick(
            (
                f"pair({self.expression('any', depth)}, {self.expression('any', depth)})",
                "level.a",
                "a0[1]",
                'a1["a"]',
            )
        )

    def call(self, kind: str, depth: int) -> str:
        """A call in any of its forms; of a function of this kind where there is one."""
        same = [f for f in self.callable if f.kind == kind]
        choices = same or self.callable
        if not choices:
            return self.leaf(kind)
        function = self.random.choice(choices)
        args = ", ".join(self.expression(self.param_kind(p), depth - 1) for p in function.params)
        if self.chance(0.05):
            args = ", ".join([a for a in (args, "1", "2") if a])
        elif self.chance(0.02) and args:
            args = f", {args}"
        elif self.chance(0.1):
            args = args.split(", ")[0] if "(" not in args else args
        name = function.name if function.script == self.script else f"{function.script}::{function.name}"
        r = self.random.random()
        if r < 0.7:
            return f"{name}({args})"
        if r < 0.8:
            return f"{self.object(depth)} {name}({args})"
        pointer = name if "::" in name else f"::{name}"
        if r < 0.85:
            return f"[[{pointer}]]({args})"
        if r < 0.9:
            return f"{self.object(depth)} [[{self.pick((pointer, 'f0', 'f1'))}]]({args})"
        if r < 0.94:
            return f"({self.starting()} {name}({args}))"
        if r < 0.96:
            return f"({self.starting()} [[{self.pick((pointer, pointer, 'f0'))}]]({args}))"
        return f"({self.object(depth)} {self.starting()} {name}({args}))"

    def starting(self) -> str:
        """The word that starts a thread."""
        return "thread"

    def param_kind(self, name: str) -> str:
        return next(kind for kind, letter in PREFIX.items() if letter == name[0])

    # ---- statements ------------------------------------------------------------------------------------

    def target(self, kind: str) -> str:
        if self.chance(0.6):
            return self.variable(kind)
        return self.stored(kind, 2)

    def mark(self) -> str:
        self.marks += 1
        if self.chance(0.15) and self.script == "main":
            return f"thread show({self.array()}, 1);"
        parts = [self.expression("any", 1) for _ in range(self.random.randrange(1, 4))]
        return f'trace("{self.marks} ", ' + ', " ", '.join(parts) + ");"

    def block(self, depth: int, loop: bool, count: int = 0) -> str:
        count = count or self.random.randrange(1, 4)
        return "{ " + "\n".join(self.statement(depth, loop) for _ in range(count)) + " }"

    def statement(self, depth: int, loop: bool) -> str:
        r = self.random.randrange(100)
        if r < 34 or (depth == 0 and r < 70):
            return self.assignment()
        if r < 46 or depth == 0:
            return self.mark()
        if r < 60:
            return self.control(depth, loop)
        if r < 74:
            return self.timed()
        if r < 80:
            return self.call_statement(depth)
        if r < 83:
            return self.pick(("a0 = undefined;", "a1[1] = undefined;", "level.o.x = undefined;", "level.i = undefined;",
                              'level.a["a"] = undefined;', "a0.k = undefined;", 'game["a"] = undefined;',
                              "game.k = undefined;", f"{self.stored('any', 1)} = undefined;"))  # fmt: skip
        if r < 85 and not self.region:
            self.region = True
            inner = self.mark() + self.assignment()
            self.region = False
            return f"/# {inner} #/"
        if r < 87:
            return self.pick(
                (
                    f'println("p ", {self.expression("any", 1)});',
                    f'set{self.cvar}("c", {self.expression("any", 1)});',
                    f"assert({self.expression('int', 1)});",
                )
            )
        if r < 88:
            return (
                f"free({self.pick(('o0', 'o1', 'level.o', 'self', 'o0'))});"
                if self.wild
                else "o0 = spawnstruct();"
            )
        if r < 92 and loop and not self.region:
            return f"if ({self.expression('int', 1)}) {self.pick(('break', 'continue'))};"
        if r == 92:
            return f"; {self.assignment()};"
        if r < 95:
            return f"if ({self.expression('int', 1)}) return {self.expression(self.returns, 2)};"
        return self.assignment()

    def assignment(self) -> str:
        kind = self.pick(KINDS)
        r = self.random.random()
        if r < 0.65:
            return f"{self.target(kind)} = {self.expression(kind)};"
        if r < 0.9:
            kind = self.pick(("int", "int", "float", "string", "vector"))
            return f"{self.target(kind)} {self.pick(self.compound[kind])}= {self.expression(kind, 2)};"
        return f"{self.target('int')}{self.pick(('++', '--'))};"

    def control(self, depth: int, loop: bool) -> str:
        r = self.random.randrange(12 if self.ladders else 10)
        if r >= 10:
            return self.ladder(depth, loop)
        if r < 3:
            text = f"if ({self.expression('int')}) {self.block(depth - 1, loop)}"
            for _ in range(self.random.choice((0, 0, 0, 1, 1, 2)) if self.chance(0.97) else 13):
                text += f" else if ({self.expression('int', 2)}) {self.block(max(depth - 1, 0), loop, 1)}"
            return text + (f" else {self.block(depth - 1, loop)}" if self.chance(0.5) else "")
        if r < 7 and self.looped < 3:
            return self.counted_loop(depth)
        return self.switch(depth, loop)

    def ladder(self, depth: int, loop: bool) -> str:
        """A chain of conditions on the same few places, as of a machine of states: what was read for one of them can
        be there for the next, and most branches wait."""
        known = ("level.i", "i0", "level.a[0]", "level.o.a[1]")
        places = [
            self.pick((f"{self.object(1)}.i", f"{self.object(1)}.x", *known))
            for _ in range(self.random.randrange(1, 3))
        ]

        def rung() -> str:
            place = self.pick(places)
            compared = (
                f"{place} {self.pick(('<', '>', '<=', '>=', '==', '!='))} {self.pick((*INTS[:6], *places))}"
            )
            r = self.random.randrange(10)
            if r < 3:
                return self.pick(
                    (place, f"!{place}", f"1 - {place} < 2", f"{place} + 1", f"{place} * {place}")
                )
            if r < 5:
                return f"{compared} {self.pick(('&&', '||'))} {self.pick((place, rung()))}"
            return compared

        def inside() -> str:
            first = self.pick((self.timed(), self.timed(), self.call_statement(1), self.mark()))
            return f"{{ {first} {self.statement(max(depth - 1, 0), loop)} }}"

        rungs = [f"if ({rung()}) {inside()}" for _ in range(self.random.randrange(2, 5))]
        return " else ".join(rungs) + (f" else {inside()}" if self.chance(0.5) else "")

    def counted_loop(self, depth: int) -> str:
        self.loops += 1
        self.looped += 1
        c = f"c{self.loops}"
        if self.ladders:
            self.counters.append(c)
        quick, late = ("quick", "late") if self.script == "main" else ("libquick", "libquick")
        body = self.block(depth - 1, True)
        extra = f" && {self.expression('int', 1)}" if self.chance(0.2) else ""
        text = self.pick([
            f"for ({c} = 0; {c} < 3{extra}; {c}++) {body}",
            f"{c} = 0; while ({c} < 3{extra}) {{ {c}++; {body} }}",
            self.late_test(c, body, f"{c} < 3{extra}"),
            f"for ({c} = 0; {c} < {quick}(3); {c} = {c} + {quick}(1)) {body}",
            f"for ({c} = 0; ; {c}++) {{ if ({c} == 2) break; {body} }}",
            f"for ({c} = 0; {c} < {late}(2); {c} += {late}(1)) {body}",
        ])  # fmt: skip
        self.looped -= 1
        return text

    def late_test(self, c: str, body: str, condition: str) -> str:
        """A loop that counts in `c` and tests behind its body."""
        return f"{c} = 0; do {{ {c}++; {body} }} while ({condition});"

    def switch(self, depth: int, loop: bool) -> str:
        labels = self.random.sample(['case 0:', 'case 1:', 'case -1:', 'case "a":', 'case "":', 'case "1":', "default:",
                                     "case 2: case 7:", "case 3:"], 4)  # fmt: skip
        parts = []
        again = "continue;" if loop and not self.region else ""
        for label in labels:
            inner = " ".join(self.statement(depth - 1, loop) for _ in range(self.random.randrange(0, 3)))
            if self.chance(0.15):
                inner = "{ " + inner + " }"
            if self.chance(0.15):
                inner = f"if ({self.expression('int', 1)}) break; " + inner
            parts.append(f"{label} {inner} {self.pick(('break;', 'break;', '', again))}")
        value = self.expression(self.pick(("int", "string", "int", "any")), 2)
        return f"switch ({value}) {{ {' '.join(parts)} }}"

    def timed(self) -> str:
        if self.region:
            return self.mark()
        r = self.random.randrange(14)
        where = self.pick(("level", "level.o", "self", "o0"))
        event = self.pick(EVENTS) if self.chance(0.9) else self.expression("string", 1)
        if r < 4:
            return f"wait {self.pick(TIMES) if self.chance(0.9) else self.expression('float', 1)};"
        if r < 7:
            args = "".join(f", {self.expression('any', 2)}" for _ in range(self.random.randrange(0, 4)))
            return f"{where} notify({event}{args});"
        if r < 9:
            names = "".join(
                f", {n}"
                for n in self.random.sample(["i0", "x1", "a0", "n0", "n1", "s0"], self.random.randrange(0, 4))
            )
            return f"{where} waittill({event}{names});"
        if r == 9:
            args = "".join(
                f", {self.expression(self.pick(('int', 'any')), 1)}"
                for _ in range(self.random.randrange(0, 3))
            )
            return f"{where} waittillmatch({event}{args});"
        if r == 10:
            return f"{where} endon({event});"
        return self.call_statement(2)

    def call_statement(self, depth: int) -> str:
        text = self.call("any", depth)
        if text.startswith(("(thread", "(childthread")) or (text.startswith("(") and "thread " in text):
            text = text[1:-1]
        return (
            f"{text};"
            if text.endswith(")") and "(" in text[1:] and not text.startswith(("(", '"'))
            else "n1 = 0;"
        )

    # ---- functions and programs ------------------------------------------------------------------------

    def begin(self, params: list[str]) -> str:
        """The variables of a function."""
        lines = []
        for kind, letter in PREFIX.items():
            for number in (0, 1):
                name = f"{letter}{number}"
                if name not in params and self.chance(0.95):
                    value = self.leaf(self.pick(KINDS[:4]) if kind == "any" else kind)
                    value = value if "level" in value or value[0] not in "isxvfno" else self.constant(kind)
                    if kind == "array":
                        pair = f"pair({self.leaf('int')}, {self.leaf('string')})"
                        value = self.pick(("[]", "[]", pair, pair, "level.a", 'game["a"]'))
                        value = value if self.script == "main" else "[]"
                    elif kind == "object":
                        value = self.pick(("spawnstruct()", "level.o"))
                    lines.append(f"{name} = {value};")
        return " ".join(lines)

    def function(self, function: Function, count: int) -> str:
        self.returns = function.kind
        self.counters.clear()
        body = "\n    ".join(self.statement(2, False) for _ in range(count))
        end = f"return {self.expression(function.kind, 2)};" if self.chance(0.8) else ""
        lines = [self.begin(function.params), body, self.mark(), end]
        return f"{function.name}({', '.join(function.params)})\n{{\n    " + "\n    ".join(lines) + "\n}"

    def started(self, function: Function) -> str:
        args = ", ".join(self.constant(self.param_kind(p)) for p in function.params)
        return f"{self.pick(('', 'level.o ', 'anim '))}thread {function.name}({args});"

    def program(self) -> dict[str, str]:
        """The scripts by name; `main::main` is the beginning."""
        quick = Function("quick", "int", ["n0"])
        late = Function("late", "int", ["n0"])
        library = [
            Function("libquick", "int", ["n0"], "lib"),
            Function("libfirst", "any", ["a0", "i1"], "lib"),
        ]
        self.script = "lib"
        self.callable = [library[0]]
        lib_text = self.function(library[1], 4) + "\nlibquick(n) { return n; }"
        self.script = "main"
        self.callable = [quick, late, *library]
        kinds = self.random.sample(KINDS, self.parts())
        texts = []
        for number, kind in enumerate(reversed(kinds)):
            params = self.random.sample(["i0", "x0", "s0", "a0", "n0", "o0"], self.random.randrange(0, 4))
            function = Function(f"part{number}", kind, params)
            texts.append(self.function(function, self.random.randrange(3, 7)))
            self.callable.append(function)
        main = self.function(Function("main", "any", []), 8)
        starts = " ".join(self.started(f) for f in self.callable[4:])
        texts.append(main.replace("{", "{\n    begin(); " + starts, 1))
        return {"main": self.prologue() + "\n".join(reversed(texts)) + "\n", "lib": lib_text + "\n"}

    def parts(self) -> int:
        """How many functions there are beside `main`."""
        return 4

    def prologue(self) -> str:
        """What a program begins with."""
        return PROLOGUE


PROLOGUE = """
begin()
{
    level.i = 1; level.x = 0.5; level.s = "s"; level.v = (1, 2, 3); level.f = ::quick; level.n = "n";
    level.a[0] = 4; level.a["a"][1] = "deep"; level.a["i"] = 8; level.a["s"] = "u"; level.a["n"] = 2;
    level.a["x"] = 0.75;
    o = spawnstruct(); level.o = o; o.o = level;
    o.a[1] = 2; o.i = 3; o.x = 2.5; o.s = "t"; o.v = (0, 1, 0); o.n = 1.25;
    anim.x = 1.5; anim.s = "w"; anim.i = 5;
    level.nan = 340000000000000000000000000000000000000.0 * 10; level.nan -= level.nan;
    game["s"] = "g"; game["x"] = 3.5; game["i"] = 6; game["a"][2] = 1;
    thread bell(); level.o thread bell(); thread ear("go"); level.o thread ear("hit");
    thread deep(20); level.o thread deep(0); thread chain(0); thread grow("12345678");
}
quick(n) { return n; }
late(n) { wait 0.05; return n; }
pair(p, q)
{
    r[0] = p; r[1] = q; r["a"] = []; r["i"] = 9; r["s"] = "y"; r["x"] = 4.5; r["v"] = (1, 0, 1);
    return r;
}
show(v, deep)
{
    trace("size ", v.size);
    trace(v[0], " ", v[1], " ", v["i"], " ", v["n"], " ", v["k"], " ", v["x"]);
    if (deep && isdefined(v["a"])) thread show(v["a"], 0);
    if (deep && isdefined(v[1])) thread show(v[1], 0);
}
bell()
{
    for (b = 0; b < 6; b++) { wait 0.15; self notify("go", b, level.a); self notify("hit", level.x); }
    self notify("stop");
}
ear(event) { self endon("stop"); for (;;) { self waittill(event, p, q); trace("heard ", event, p, q); } }
deep(n) { if (n == 20) return deeper(0); wait 0; trace(n); }
chain(n) { if (n < 12) thread chain(n + 1); else trace(n + undefined); }
grow(s) { for (n = 0; n < 10; n++) { s += s; s = s + s[n]; } trace(s.size); }
deeper(n) { if (n < 33) return deeper(n + 1); return n; }
"""
"""What every program begins with: globals of each kind, threads that raise events and hear them, and one that calls too
deep."""


def program(seed: int) -> dict[str, str]:
    """The scripts of one program by name."""
    return Writer(seed).program()

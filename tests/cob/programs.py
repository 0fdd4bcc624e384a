"""Random BOS programs: every statement and expression of the language, in shapes that end."""

from __future__ import annotations

import random

PIECES = ("base", "arm", "hand")
STATICS = ("s0", "s1", "s2")
AXES = ("x-axis", "y-axis", "z-axis")


class Writer:
    """Writes one program. The same seed gives the same text."""

    def __init__(self, seed: int, *, modern: bool = False, loops: bool = True) -> None:
        self._random = random.Random(seed)
        self._modern = modern
        self._loops = loops
        self._names: list[str] = []
        self._functions: list[tuple[str, int]] = []

    def program(self) -> str:
        pick = self._random
        self._functions = [(f"F{i}", pick.randint(0, 3)) for i in range(pick.randint(2, 6))]
        parts = [f"piece {', '.join(PIECES)};", f"static-var {', '.join(STATICS)};"]
        for index, (name, params) in enumerate(self._functions):
            given = [f"p{i}" for i in range(params)]
            self._names = [*given, *STATICS]
            body = [] if pick.random() < 0.05 else self._body(index, pick.randint(1, 8), 0)
            parts.append(f"{name}({', '.join(given)})\n{{\n" + "".join(f"  {line}\n" for line in body) + "}")
        return "\n".join(parts)

    def _body(self, index: int, count: int, depth: int) -> list[str]:
        lines: list[str] = []
        for _ in range(count):
            lines += self._statement(index, depth)
        return lines

    def _statement(self, index: int, depth: int) -> list[str]:
        pick = self._random
        piece, axis = pick.choice(PIECES), pick.choice(AXES)
        value = self._value
        kind = pick.randrange(30)
        if kind < 4:
            return [f"{pick.choice(self._names)} = {value(3)};"]
        if kind == 4 and depth == 0:
            name = f"v{len(self._names)}"
            self._names.append(name)
            return [f"var {name};"]
        if kind < 9 and depth < 3:
            condition = value(2)
            then = self._body(index, pick.randint(1, 3), depth + 1)
            other = self._body(index, pick.randint(1, 3), depth + 1)
            if kind == 5 and self._loops:
                name = pick.choice(self._names)
                turn = ["sleep 40;"] if pick.random() < 0.5 else []
                return [f"while ({condition}) {{", *then, *turn, f"++{name};", "}"]
            if kind == 6:
                return [f"if ({condition}) {{", *then, "} else {", *other, "}"]
            if kind == 7:
                again = value(2)
                return [f"if ({condition}) {{", *then, f"}} else if ({again}) {{", *other, "}"]
            return [f"if ({condition}) {{", *then, "}"]
        target = pick.randrange(len(self._functions))
        name, params = self._functions[target]
        args = ", ".join(value(1) for _ in range(params))
        simple = (
            f"move {piece} to {axis} {value(1)} speed {value(1)};",
            f"move {piece} to {axis} [{pick.randint(-3, 3)}] now;",
            f"turn {piece} to {axis} <{pick.randint(-180, 180)}> speed <{pick.randint(0, 300)}>;",
            f"turn {piece} to {axis} {value(2)} now;",
            f"spin {piece} around {axis} speed {value(1)} accelerate {value(1)};",
            f"spin {piece} around {axis} speed <{pick.randint(-90, 90)}>;",
            f"stop-spin {piece} around {axis} decelerate {value(1)};",
            f"wait-for-turn {piece} around {axis};",
            f"wait-for-move {piece} along {axis};",
            f"{pick.choice(('show', 'hide', 'cache', 'dont-cache', 'dont-shade'))} {piece};",
            f"emit-sfx {value(1)} from {piece};",
            f"explode {piece} type {value(2)};",
            f"sleep {pick.randint(0, 300)};",
            f"set {pick.randint(1, 20)} to {value(2)};",
            f"get {pick.randint(1, 20)}({value(1)});",
            f"signal {pick.choice((2, 4, 6))};",
            f"set-signal-mask {pick.choice((0, 1, 2, 4))};",
            f"start-script {name}({args});",
            f"call-script {name}({args});" if target > index else f"start-script {name}({args});",
            f"attach-unit {value(1)} to {piece};",
            f"drop-unit {value(1)};",
            f"--{pick.choice(self._names)};",
            f"return {value(2)};" if pick.random() < 0.3 else "sleep 100;",
            "return;" if pick.random() < 0.2 else f"hide {piece};",
        )
        return [pick.choice(simple)]

    def _value(self, depth: int) -> str:
        pick = self._random
        if depth == 0 or pick.random() < 0.3:
            return pick.choice(
                (
                    str(pick.choice((0, 1, 2, 3, 7, 30, 100, 16384, -5, 2147483647))),
                    f"[{pick.choice((0.5, 1, -2.25, 3))}]",
                    f"<{pick.choice((1, 45, 90, -90, 0.25))}>",
                    pick.choice(self._names),
                    pick.choice(PIECES),
                )
            )
        a, b = self._value(depth - 1), self._value(depth - 1)
        kind = pick.randrange(8)
        if kind == 0:
            return f"!({a})" if pick.random() < 0.5 else f"!{pick.choice(self._names)}"
        if kind == 1:
            return f"rand({a}, {b})"
        if kind == 2:
            return (
                f"get {pick.randint(1, 20)}"
                if pick.random() < 0.5
                else f"get {pick.randint(7, 16)}({a}, {b})"
            )
        operators = ["+", "-", "*", "/", "?", "|", "<", "<=", ">", ">=", "==", "!=", "AND", "OR", "XOR"]
        operators += ["%", "^"] if self._modern else []
        operator = pick.choice(operators)
        # A sign right before a number belongs to it, and `<` before one would begin an angle.
        left = f"({a})" if pick.random() < 0.5 or a.startswith("-") else a
        return f"{left} {operator} ({b})" if pick.random() < 0.6 or b[0] in "-<" else f"{left} {operator} {b}"

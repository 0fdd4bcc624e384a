"""Edits of programs: without meaning (layout, comments, names of locals, the order of functions), and any others."""

from __future__ import annotations

import re
from random import Random

from engine.gsc import syntax
from engine.gsc.program import Program
from engine.gsc.script import Script
from engine.gsc.suspension import walk
from tests.reference.generate import PROLOGUE

_PIECES = re.compile(r'"(?:\\.|[^"\\])*"|[^"]+')
_NUMBER = re.compile(r"(?<![\w.\"])\d+(?![\w.\"])")
_RELATION = re.compile(r"(?<= )(?:<=|>=|==|!=|<|>)(?= )")
_COUNTING = re.compile(r"(\bc\d+ (?:<|==|=|\+=|\+) (?:\w+\()?\d*)")
_BREAKS = re.compile(r"(?<=[;{}])")
COMMENTS = ("\n", "  ", "\n    // a remark\n", " /* so */ ", "\n\n", " // waittill(x)\n")


def edited(program: Program, random: Random) -> dict[str, str]:
    """The scripts of a program after some such edits."""
    texts: dict[str, str] = {}
    for script in program.scripts.values():
        functions = [_function(script, function, random) for function in script.functions.values()]
        if random.random() < 0.5:
            random.shuffle(functions)
        texts[script.name] = "\n".join(functions) + "\n"
    return texts


def _function(script: Script, function: syntax.Function, random: Random) -> str:
    text = script.source.text[function.start : function.end]
    names = {
        node.name for node in walk(function.body, lambda part: False) if isinstance(node, syntax.LocalVar)
    }
    for node in walk(function.body, lambda part: False):
        if isinstance(node, syntax.WaitTill):
            names.update(node.names)
    for name in sorted(names | set(function.params)):
        if random.random() < 0.4:
            text = _outside_strings(
                text, lambda part, name=name: re.sub(rf"(?<![\w.:%]){name}(?![\w(:])", f"{name}_new", part)
            )
    if random.random() < 0.6:
        text = _outside_strings(
            text,
            lambda part: _BREAKS.sub(
                lambda m: random.choice(COMMENTS) if random.random() < 0.3 else "", part
            ),
        )
    return random.choice(("", "// above\n", "\n\n")) + text


def _outside_strings(text: str, change) -> str:  # type: ignore[no-untyped-def]
    return "".join(part if part.startswith('"') else change(part) for part in _PIECES.findall(text))


def anything(texts: dict[str, str], random: Random) -> dict[str, str]:
    """Scripts with some statements gone, doubled, in another order or with other constants; it may not compile."""
    result: dict[str, str] = {}
    for name, text in texts.items():
        lines = text.split("\n")
        for _ in range(random.randrange(1, 6)):
            simple = [n for n, line in enumerate(lines) if line.startswith("    ") and line.endswith(";")]
            if len(simple) < 2:
                break
            one, other = random.sample(simple, 2)
            kind = random.randrange(4)
            if kind == 0:
                del lines[one]
            elif kind == 1:
                lines.insert(other, lines[one])
            elif kind == 2:
                lines[one], lines[other] = lines[other], lines[one]
            else:
                lines[one] = re.sub(r"\b\d+\b", random.choice(("2.5", '"t"', "7")), lines[one], count=1)
        result[name] = "\n".join(lines)
    return result


def promises(texts: dict[str, str], random: Random) -> dict[str, str]:
    """Scripts with other whole numbers and other comparisons, here and there: other code knows other bounds of what is
    in the same locals. What every program has in common and what its loops count with stays, so that it ends."""

    def change(part: str) -> str:
        part = _NUMBER.sub(lambda m: random.choice(NUMBERS) if random.random() < 0.05 else m[0], part)
        return _RELATION.sub(lambda m: random.choice(RELATIONS) if random.random() < 0.1 else m[0], part)

    def outside_counting(part: str) -> str:
        return "".join(piece if n % 2 else change(piece) for n, piece in enumerate(_COUNTING.split(part)))

    result = {}
    for name, text in texts.items():
        head, mark, body = text.rpartition(PROLOGUE)
        result[name] = head + mark + _outside_strings(body, outside_counting)
    return result


NUMBERS = ("0", "1", "3", "5", "100", "60000", "2147483647")
RELATIONS = ("<", ">", "<=", ">=", "==", "!=")

"""Edits of programs that change no meaning: layout, comments, names of locals, the order of functions."""

from __future__ import annotations

import re
from random import Random

from engine.gsc import syntax
from engine.gsc.program import Program
from engine.gsc.suspension import walk

_PIECES = re.compile(r'"(?:\\.|[^"\\])*"|[^"]+')
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


def _function(script: syntax.Script, function: syntax.Function, random: Random) -> str:
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

"""Whatever is written, a value or a diagnostic comes of it; and nothing of Python can be reached.

The numbers of programs are small here; `LINE_FUZZ` in the environment multiplies them.
"""

from __future__ import annotations

import os
import random

import pytest

from engine.linescript.parser import parse
from engine.linescript.program import Program
from engine.linescript.runner import tick
from engine.linescript.state import describe, restore, save
from engine.linescript.values import is_value
from engine.source import Diagnostic, DiagnosticError, SourceText
from tests.linescript.linescript_kit import Bench

TIMES = int(os.environ.get("LINE_FUZZ", "1"))

ATOMS = [
    "0", "1", "2", "3", "7", "0.5", "1e3", "1e308", "9223372036854775807", "0x1f", "5.", ".5", "true",
    "false", "'a'", '"b\\n"', "''", "x", "y", "z", "v", "c", "(1,2,3)", "(x,y,1)", "colour(1,0,0)",
    "nowhere", "f(x)", "g(1,y)", "f(f(2))", "sqrt(x)", "sin(y)", "time()", "min(x,y,1)", "len('abc')",
    "str(v)", "int('12')", "type(x)", "random()", "length(v)", "mix(v,v,0.5)", "fixed(x,2)", "error('e')",
    "v.x", "v.y", "c.r", "x.x",
]  # fmt: skip
OPERATORS = [
    "+", "-", "*", "/", "%", "**", "&", "|", "^", "<<", ">>", "==", "!=", "<", "<=", ">", ">=", "&&", "||",
    "=",
]  # fmt: skip
JUNK = [
    "(", ")", ",", ".", "..", ";", "[", "]", "{", "}", "?", ":", "!", "~", "=", "==", "#", "//", "/*", "*/",
    '"', "'", "\\", "$", "@", "end", "if", "while", "for", "in", "function", "ref", "local", "try", "catch",
    "wait", "waituntil", "yield", "return", "break", "continue", "else", "elseif", "\u00e4", "\x00",
    "99999999999999999999", "1e999", "0x", "++", "+=", "__class__",
]  # fmt: skip


def expression(r: random.Random, depth: int) -> str:
    pick = r.random()
    if depth <= 0 or pick < 0.3:
        return r.choice(ATOMS)
    if pick < 0.75:
        return f"{expression(r, depth - 1)} {r.choice(OPERATORS)} {expression(r, depth - 1)}"
    if pick < 0.85:
        return f"{r.choice('-+!~')}{expression(r, depth - 1)}"
    if pick < 0.97:
        return f"({expression(r, depth - 1)})"
    return f"{expression(r, depth - 1)} {r.choice(JUNK)} {r.choice(ATOMS)}"


FUNCTIONS = """function f(a)
  if a == 2
    yield
  end
  return a
end
function g(a, ref b)
  b = a
  return b
end
"""
START = "x = 3\ny = 2.5\nz = 'text'\nv = (1, 2, 3)\nc = colour(0, 1, 0)\n"


def statement(r: random.Random, depth: int) -> list[str]:
    pick = r.randrange(16)
    some = expression(r, 2)
    body = [line for _ in range(r.randrange(3)) for line in statement(r, depth - 1)] if depth > 0 else []
    if pick < 5:
        return [f"{r.choice('xyzvc')} = {some}"]
    if pick == 5:
        return [f"if {some}", *body, *(["else", *body] if r.random() < 0.3 else []), "end"]
    if pick == 6:
        return [f"while {some}", *body, "end"]
    if pick == 7:
        return [f"for {r.choice('xyi')} in {r.choice(ATOMS)} .. {r.choice(ATOMS)}", *body, "end"]
    if pick == 8:
        return ["try", *body, some, "catch e", *body, "end"]
    if pick == 9:
        return [f"wait {some}"]
    if pick == 10:
        return [f"waituntil {some}"]
    if pick == 11:
        return [r.choice(["yield", "break", "continue", "return", f"return {some}", f"local x = {some}"])]
    if pick == 12:
        return [" ".join(r.choice(JUNK + ATOMS) for _ in range(r.randrange(1, 5)))]
    return [some]


def attempt(bench: Bench, text: str) -> tuple[Program | None, tuple[Diagnostic, ...]]:
    """The program of a text, or what is wrong with it."""
    try:
        return bench.program(text), ()
    except DiagnosticError as error:
        return None, error.diagnostics


def try_program(text: str, frames: int) -> bool:
    """Parse and run; whether there was a program."""
    bench = Bench()
    program, found = attempt(bench, text)
    if program is None:
        assert found
        assert all(d.span is not None and d.message for d in found)
        return False
    context = bench.context(program)
    for _ in range(frames):
        assert tick(context, 100) <= 100
        bench.clock.advance(50)
        if context.done:
            break
        copy = bench.context(program)
        restore(copy, save(context))
        assert save(copy) == save(context)
        assert describe(context)
    if context.fault is not None:
        assert context.fault.span is not None
    for value in context.scope.values.values():
        assert is_value(value)
    return True


def test_expressions() -> None:
    r = random.Random(1)
    good = sum(try_program(f"{START}{FUNCTIONS}x = {expression(r, 4)}\n", 3) for _ in range(700 * TIMES))
    assert good > 150 * TIMES


def test_programs() -> None:
    r = random.Random(2)
    good = 0
    for _ in range(250 * TIMES):
        lines = [line for _ in range(r.randrange(1, 6)) for line in statement(r, 3)]
        good += try_program(START + FUNCTIONS + "\n".join(lines) + "\n", 4)
    assert good > 25 * TIMES


def test_noise() -> None:
    r = random.Random(3)
    pieces = [*JUNK, *ATOMS, *OPERATORS, "\n", "\n", "\r\n", "\t"]
    for _ in range(300 * TIMES):
        try_program(" ".join(r.choice(pieces) for _ in range(r.randrange(40))), 2)
    for _ in range(100 * TIMES):
        try_program("".join(chr(r.randrange(256)) for _ in range(r.randrange(60))), 2)


@pytest.mark.parametrize(
    "text",
    [
        "x = " + "(" * 5000 + "1" + ")" * 5000,
        "x = " + "-" * 5000 + "1",
        "x = " + "1 + " * 5000 + "1",
        "x = " + "2 ** " * 5000 + "1",
        "x = " + "x = " * 5000 + "1",
        "x = " + "abs(" * 5000 + "1" + ")" * 5000,
        "x = 1 " + ".x" * 5000,
        "if 1\n" * 5000 + "end\n" * 5000,
        "x = " + "9" * 100000,
        "x = '" + "a" * 100000 + "'",
        "function f(" + ", ".join(f"a{i}" for i in range(5000)) + ")\nend",
    ],
    ids=range(11),
)
def test_what_is_too_much_is_told(text: str) -> None:
    try_program(text + "\n", 2)


@pytest.mark.parametrize(
    "text",
    [
        "x = 9 ** 9 ** 9 ** 9",
        "x = 2 ** 1000000000000",
        "x = 1 << 1000000000000",
        "x = 1 % 0",
        "x = 5 % 0.5 % 0",
        "x = 1.5 % 0.0",
        "s = 'ab'\nwhile true\n  s = s + s\nend",
        "x = 1e308\nwhile true\n  x = x * x\n  y = int(x)\nend",
        "x = -9223372036854775808 / -1",
        "x = (1e308, 1, 1) * 1e308\ny = normalise(x)\nz = length(x)",
        "wait 1e300",
        "for i in 1 .. 1e308\nend",
        "function f()\n  return f()\nend\nf()",
        "function f(ref a)\n  f(a)\nend\nx = 1\nf(x)",
    ],
)
def test_nothing_hangs_or_takes_all_memory(text: str) -> None:
    assert try_program(text + "\n", 5) or True


ESCAPES = [
    # What gets out of evaluators that are Python's eval with something taken away.
    "__import__('os').system('true')",
    "().__class__.__bases__[0].__subclasses__()",
    "''.__class__.__mro__[1].__subclasses__()",
    "(1).__class__",
    "x.__class__.__base__",
    "v.__class__",
    "v.__len__()",
    "c.__init__",
    "c.__slots__",
    "print.__globals__",
    "print.__self__",
    "sqrt.__code__",
    "f.__code__.co_code",
    "(lambda: 0)()",
    "[c for c in ().__class__.__base__.__subclasses__()]",
    "{'a': 1}['a']",
    "open('/etc/passwd').read()",
    "exec('1')",
    "eval('1')",
    "compile('1', '', 'eval')",
    "globals()",
    "locals()",
    "vars()",
    "dir()",
    "getattr(x, 'real')",
    "setattr(x, 'real', 1)",
    "type(x)('a', (), {})",
    "breakpoint()",
    "input()",
    "help()",
    "exit()",
    "str.format('{0.__class__}', x)",
    "'{0.__class__}'.format(x)",
    "'%s' % x",
    "f'{x.__class__}'",
    "`id`",
    "x if x else y",
    "x := 1",
    "*x",
    "import os",
    "from os import system",
    "raise x",
    "del x",
    "global x",
    "async",
    "yield x",
    "x.real",
    "x.imag",
    "z.join",
    "v.count(1)",
    "v.index",
    "'a'.encode",
    "frame.context",
    "self.scope",
    "context.program",
    "__builtins__",
    "__name__",
    "_frame",
    "True.__class__",
    "\u00aax",
    "x\u2024y",
]


@pytest.mark.parametrize("text", ESCAPES)
def test_escapes_of_python_evaluators_fail(text: str) -> None:
    """Each is refused when it is read, or is the reading of an unknown variable, or an operator refused."""
    bench = Bench()
    program, _ = attempt(bench, f"{START}{FUNCTIONS}escaped = {text}\nprint('escaped', escaped)\n")
    if program is not None:
        context = bench.context(program)
        bench.frames(context, 3)
        assert context.fault is not None
        assert "escaped" not in context.scope.values
    assert bench.lines == []


def test_names_of_python_are_only_names() -> None:
    """A variable may be called what Python calls something else, and means nothing more by it."""
    names = [
        "__class__",
        "__dict__",
        "self",
        "frame",
        "context",
        "locals",
        "None",
        "lambda",
        "import_",
        "eval",
    ]
    text = (
        "".join(f"{name} = {number}\n" for number, name in enumerate(names)) + f"print({', '.join(names)})\n"
    )
    assert Bench().run(text) == [" ".join(str(number) for number in range(len(names)))]


def test_bytes_are_read_as_they_are() -> None:
    bench = Bench()
    data = b"\xef\xbb\xbfprint('\xc3\xa4')\r\nprint(2)\r\n"
    program = parse("bytes", SourceText("bytes.script", data), bench.scope.functions or {})
    tick(bench.context(program))
    assert bench.lines == ["\u00c3\u00a4", "2"]

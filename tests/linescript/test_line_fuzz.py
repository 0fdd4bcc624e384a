"""Whatever is written, a value or a diagnostic comes of it; and nothing of Python can be reached.

The numbers of random texts are small here; `python -m tests.linescript.fuzz` makes them large.
"""

from __future__ import annotations

import pytest

from engine.linescript.parser import parse
from engine.linescript.program import Program
from engine.linescript.runner import tick
from engine.source import Diagnostic, DiagnosticError, SourceText
from tests.linescript import fuzz
from tests.linescript.fuzz import FUNCTIONS, START
from tests.linescript.linescript_kit import Bench


def attempt(bench: Bench, text: str) -> tuple[Program | None, tuple[Diagnostic, ...]]:
    """The program of a text, or what is wrong with it."""
    try:
        return bench.program(text), ()
    except DiagnosticError as error:
        return None, error.diagnostics


@pytest.mark.parametrize(
    ("kind", "count", "least"), [("expressions", 2000, 700), ("programs", 1000, 80), ("noise", 1000, 10)]
)
def test_random_texts(kind: str, count: int, least: int) -> None:
    fates = fuzz.run(kind, count, seed=1)
    assert fates["refused"] > 100
    assert fates["ended"] > least


def test_cases_are_the_same_everywhere() -> None:
    assert fuzz.text_of("expressions", 1, 0) != fuzz.text_of("expressions", 1, 1)
    assert fuzz.text_of("programs", 7, 12345) == fuzz.text_of("programs", 7, 12345)


def test_the_watch_hears_what_is_forbidden() -> None:
    """The fuzzer's own alarm works: a file that is opened is heard, and only while it listens."""
    listening = fuzz.watch()
    before = len(listening.seen)
    with open(__file__, encoding="utf-8"):
        assert len(listening.seen) == before
    listening.armed = True
    try:
        with open(__file__, encoding="utf-8"):
            pass
    finally:
        listening.armed = False
    assert "open" in listening.seen
    listening.seen.clear()


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
    ],
    ids=range(10),
)
def test_what_is_too_much_is_told(text: str) -> None:
    assert fuzz.attempt(text + "\n", 2) == "refused"


@pytest.mark.parametrize(
    ("text", "fate"),
    [
        ("x = 9 ** 9 ** 9 ** 9", "fault"),
        ("x = 2 ** 1000000000000", "fault"),
        ("x = 1 << 1000000000000", "fault"),
        ("x = 1 % 0", "fault"),
        ("x = 5 % 0.5 % 0", "fault"),
        ("x = 1.5 % 0.0", "fault"),
        ("s = 'ab'\nwhile true\n  s = s + s\nend", "fault"),
        ("x = 1e308\nwhile true\n  x = x * x\n  y = int(x)\nend", "fault"),
        ("x = -9223372036854775807 / -1", "ended"),
        ("x = (1e308, 1, 1) * 1e308\ny = normalise(x)\nz = length(x)", "ended"),
        ("wait 1e300", "fault"),
        ("for i in 1 .. 1e308\nend", "runs"),
        ("function f()\n  return f()\nend\nf()", "fault"),
        ("function f(ref a)\n  f(a)\nend\nx = 1\nf(x)", "fault"),
        ("function f(" + ", ".join(f"a{i}" for i in range(5000)) + ")\nend", "ended"),
    ],
    ids=range(15),
)
def test_nothing_hangs_or_takes_all_memory(text: str, fate: str) -> None:
    assert fuzz.attempt(text + "\n", 5) == fate


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

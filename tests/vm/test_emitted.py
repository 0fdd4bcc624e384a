"""The emitted text: nothing in it but what may be, the same text every time, and positions that speak GSC."""

from __future__ import annotations

import ast
import builtins
import cProfile
import pstats
import traceback
from pathlib import Path

import pytest

from engine.gsc import mangle
from engine.gsc.callgraph import CallGraph
from engine.gsc.emitter import Emitted, emit
from engine.vm.errors import ScriptError
from tests.vm.vm_kit import make, play

PROGRAM = (Path(__file__).parent / "programs" / "everything.gsc").read_text("latin-1")

# Everything that emitted code may consist of. A new helper or attribute is added here by hand, after some thought.
NODES = {
    "Module", "FunctionDef", "arguments", "arg", "Return", "Assign", "For", "While", "If", "Expr", "Pass", "Break",
    "Continue", "Try", "ExceptHandler", "BoolOp", "BinOp", "UnaryOp", "IfExp", "Compare", "Call", "Constant",
    "Attribute", "Subscript", "Starred",
    "Name", "Tuple", "Load", "Store", "And", "Or", "Add", "Sub", "Mult", "Div", "FloorDiv",
    "Mod", "BitOr", "BitXor", "BitAnd", "RShift", "Invert", "Not", "USub", "Eq", "NotEq", "Lt", "Gt", "LtE", "GtE",
    "Is", "IsNot", "In", "NotIn",
}  # fmt: skip
HELPERS = {
    "INT", "FLOAT", "STR", "TUPLE", "ARRAY", "FUNCTION", "LOCALIZED", "INFINITY", "LEN", "WRAP",
    "PACK", "UNPACK", "M",
    "LONG",
    "MAX_DEPTH", "OBJECTS", "DEFINED", "IS_DEFINED",
    "SUSPENDED", "WAITING", "FRAME", "UNWIND", "RUNNER", "LEVEL", "ANIM", "ROOT", "END_THREAD",
    "EVENT_ERRORS", "FIELD_ERRORS", "ADD", "SUB", "MUL", "DIV", "MOD", "OR", "XOR", "AND", "SHL", "SHR", "EQ", "NE",
    "LT", "GT", "LE", "GE", "TRUTH", "TO_BOOL", "TO_INT", "TO_FLOAT", "TO_STRING", "COMPLEMENT", "INCREMENT", "VECTOR",
    "SIZE", "INDEX", "SWITCH", "LONG_TEXT", "FIELD", "SET_FIELD", "DEL_FIELD", "WRITABLE", "ELEMENT", "PUT", "REMOVE",
    "RECEIVER", "OVERFLOW", "TOO_DEEP", "TOO_MANY", "CALL", "CALL_ON", "SPAWN", "SPAWN_ON", "START_NATIVE", "WAIT",
    "DELAY", "WAITTILL",
    "NOTIFY", "ENDON",
}  # fmt: skip
LOCALS = {"FR", "SELF", "D", "TH", "BELOW", "site", "_"}
PREFIXES = (
    "v_", "x_", "y_", "z_", "C_", "V_", "P_", "W_", "N_", "M_", "G_", "H_", "J_", "A_", "R_", "S_", "TICKS_",
    "Q_", "LATER_",
)  # fmt: skip
ATTRIBUTES = {
    "__class__", "shared", "dead", "arity", "entry", "game", "get", "site", "level", "locals", "temps", "value",
    "function", "self", "resume", "waiters", "current", "waits_on", "event",
}  # fmt: skip

NASTY = """
#using_animtree("nasty_tree");
main()
{
    __import__ = 1; __builtins__ = 2; eval = 3; exec = 4; None = 5; lambda = 6; class = 7; M = 8; self_ = 9;
    level.__class__ = __import__; level.__dict__ = eval; level.f_x = 1; level.mro = 2;
    x = spawnstruct(); x.__init__ = 1; x.waiters = 2; x.dead = 0; x.type_name = "q"; x.endons = 1;
    y = "'); import os; ('" + "\\n\\\\"; y2 = &"')";
    z["__class__"]["); ("] = 1;
    __globals__(1);
    x __call__();
    switch (y) { case "');": break; default: break; }
    a = %nasty_anim; t = #animtree;
    b = (1, 2, 3) + (x.q, x.r, 1);
    if (!(x.a < x.b) && x.c >= 2 || x.d == "s") c = x.e % 3 << 2 >> 1 & 7 ^ 3 | 1;
    for (;;) { d = ~5; wait 1; }
}
__globals__(__name__) { return __name__; }
__call__() { self endon("x"); self waittill("__class__", __dict__); self notify("q", self); }
"""


def emitted(text: str, *, recovers: bool = False) -> list[Emitted]:
    run = make()
    program = run.program(main=text)
    graph = CallGraph(lambda native: run.vm.registry.is_pure(native.name, native.method))
    graph.update(program.scripts, developer=True, developer_natives=program.dialect.developer_natives)
    return [
        emit(script.name, function, graph.behaviour, recovers=recovers)
        for script in program.scripts.values()
        for function in script.functions.values()
    ]


@pytest.mark.parametrize("recovers", [False, True])
@pytest.mark.parametrize("text", [PROGRAM, NASTY], ids=["everything", "nasty"])
def test_whitelist(text: str, recovers: bool) -> None:
    for function in emitted(text, recovers=recovers):
        for node in ast.walk(ast.parse(function.text)):
            assert type(node).__name__ in NODES
            if isinstance(node, ast.Name):
                name = node.id
                temporary = name[0] in "TKE" and name[1:].isdigit()
                assert name in HELPERS | LOCALS or temporary or name.startswith(PREFIXES), name
                assert not hasattr(builtins, name)
            elif isinstance(node, ast.Attribute):
                assert node.attr in ATTRIBUTES or node.attr.startswith(mangle.FIELD_PREFIX), node.attr
            elif isinstance(node, ast.Constant):
                assert node.value in (None, True) or type(node.value) in (int, float, str)


def test_the_namespace_holds_no_more_than_the_whitelist() -> None:
    run = make()
    names = set(run.vm.linker.namespace)
    assert names - {"__builtins__", "AttributeError"} <= HELPERS
    assert run.vm.linker.namespace["__builtins__"] == {}


def test_nasty_names_run() -> None:
    run = make()
    run.vm.link(run.program(main=NASTY))
    run.vm.start("main::main")
    assert run.messages == []
    assert run.vm.level.get_field("__class__") == 1


@pytest.mark.parametrize("recovers", [False, True])
def test_text_is_deterministic(recovers: bool) -> None:
    assert [f.text for f in emitted(PROGRAM, recovers=recovers)] == [
        f.text for f in emitted(PROGRAM, recovers=recovers)
    ]


def test_text_does_not_depend_on_places() -> None:
    moved = "// a line more\n\n" + PROGRAM.replace(" = ", "  =  ")
    assert [f.text for f in emitted(PROGRAM)] == [f.text for f in emitted(moved)]


def test_known_types_need_no_guards() -> None:
    (function,) = emitted("main() { n = 0; for (i = 0; i < 10; i++) n = n + i; x = 1.5; x = x * 2.0; }")
    assert "__class__" not in function.text
    assert "v_n = v_n + v_i" in function.text


def test_mangling_is_injective() -> None:
    pairs = [
        ("a_b", "c"),
        ("a", "b_c"),
        ("a__b", "c"),
        ("a\\b", "c"),
        ("a_5cb", "c"),
        ("a:b", "c"),
        ("a", "b:c"),
    ]
    assert len({mangle.code(*pair) for pair in pairs}) == len(pairs)
    assert all(mangle.code(*pair).isidentifier() for pair in pairs)


# ---- places ----------------------------------------------------------------------------------------------


def test_every_instruction_is_at_a_line_of_its_function() -> None:
    run = make()
    program = run.program(main=PROGRAM)
    run.vm.link(program)
    script = program.scripts["main"]
    for function in script.functions.values():
        cell = run.vm.function(f"main::{function.name}")
        code = run.vm.linker.compile(cell).code
        first, last = script.span(function).line, script.source.line_col(function.end)[0]
        lines = {line for _, _, line in code.co_lines() if line is not None}
        assert lines
        assert first <= min(lines) <= max(lines) <= last
        assert (code.co_filename, code.co_name) == ("main.gsc", function.name)
        assert code.co_firstlineno == script.source.line_col(function.name_start)[0]


def test_python_tracebacks_speak_gsc() -> None:
    run = make()
    run.vm.link(
        run.program(main="main()\n{\n    f(\n        2);\n}\n\nf(n)\n{\n    return n +\n        level;\n}\n")
    )
    entry = run.vm.function("main::main").entry
    with pytest.raises(ScriptError) as caught:
        entry(None, run.vm.level, 0)
    frames = [f for f in traceback.extract_tb(caught.value.__traceback__) if f.filename == "main.gsc"]
    assert [(f.name, f.lineno) for f in frames] == [("main", 3), ("f", 9)]


def test_profilers_speak_gsc() -> None:
    profile = cProfile.Profile()
    profile.enable()
    play("main() { for (i = 0; i < 5; i++) leaf(i); }\n\nleaf(n) { return n; }")
    profile.disable()
    calls = {(k[0], k[1], k[2]): v[0] for k, v in pstats.Stats(profile).stats.items()}  # type: ignore[attr-defined]
    assert calls["main.gsc", 3, "leaf"] == 5

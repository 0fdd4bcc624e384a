"""Whole programs: loading, binding, what is unknown, what is only a warning."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import ClassVar

import pytest

from engine.gsc import syntax as s
from engine.gsc.catalogue import FolderSearch, Signature
from engine.gsc.parse_cache import ParseCache
from engine.gsc.program import Program, load_program
from engine.source import Diagnostic, DiagnosticError, SourceText


class Scripts:
    """Scripts in memory, by canonical name."""

    def __init__(self, scripts: dict[str, str]) -> None:
        self.scripts = scripts

    def find(self, name: str) -> SourceText | None:
        text = self.scripts.get(name)
        return None if text is None else SourceText(name.replace("\\", "/") + ".gsc", text)


class ListedScripts(Scripts):
    def script_names(self) -> Iterable[str]:
        return self.scripts


class Natives:
    """A few built-ins of every kind."""

    functions: ClassVar = {
        n.name: n
        for n in (
            Signature("print"),
            Signature("println"),
            Signature("assert", 1, 1),
            Signature("spawn", 2, 2),
            Signature("randomint", 1, 1),
            Signature("gettime", 0, 0),
            Signature("iprintln", 1),
            Signature("playfx", 2, 4, implemented=False),
            Signature("strtok", 2, 2, stock=False),
        )
    }
    methods: ClassVar = {
        n.name: n
        for n in (
            Signature("delete", 0, 0),
            Signature("setmodel", 1, 1),
            Signature("lookat", 1, 2, stock=False),
        )
    }

    def function(self, name: str) -> Signature | None:
        return self.functions.get(name)

    def method(self, name: str) -> Signature | None:
        return self.methods.get(name)

    def function_names(self) -> Iterable[str]:
        return self.functions

    def method_names(self) -> Iterable[str]:
        return self.methods


def load(developer: bool = True, /, **scripts: str) -> Program:
    return load_program(["a"], ListedScripts(scripts), Natives(), developer=developer)


def texts(diagnostics: Iterable[Diagnostic]) -> list[str]:
    """`PATH:LINE:COL: severity: message [code] | note | note`."""
    return [
        " | ".join(
            [f"{d.span}: {d.severity}: {d.message} [{d.code}]", *(n.message for n in d.notes)],
        )
        for d in diagnostics
    ]


def errors(developer: bool = True, /, **scripts: str) -> list[str]:
    with pytest.raises(DiagnosticError) as caught:
        load(developer, **scripts)
    return texts(caught.value.diagnostics)


def call(program: Program, script: str = "a", function: str = "main", at: int = 0) -> s.Binding | None:
    """What the call of a statement is bound to."""
    found = program.function(script, function)
    assert found is not None
    statement = found.body.body[at]
    assert isinstance(statement, s.CallStatement)
    target = statement.call.target
    assert isinstance(target, s.NamedTarget)
    return target.bound


# ---- loading -------------------------------------------------------------------------------------------


def test_scripts_load_depth_first_in_order_of_mention() -> None:
    program = load(
        a="main() { x = b::f; c::f(); b::f(); }",
        b="f() { d::f(); a::main(); }",
        c="f() { }",
        d="f() { }",
    )
    assert list(program.scripts) == ["a", "b", "d", "c"]
    assert program.entries == ("a",)


def test_names_of_scripts_do_not_depend_on_case_or_separators() -> None:
    search = Scripts({"maps\\mp\\x": "Main() { MAPS\\\\mp\\X::main(); }"})
    program = load_program(["Maps/MP//x"], search, Natives())
    assert list(program.scripts) == ["maps\\mp\\x"]
    assert call(program, "maps\\mp\\x") == s.ScriptFunction("maps\\mp\\x", "main")


def test_a_missing_entry_has_no_place() -> None:
    with pytest.raises(DiagnosticError) as caught:
        load_program(["nothing"], Scripts({}), Natives())
    assert [(d.code, d.message, d.span) for d in caught.value.diagnostics] == [
        ("unknown-script", "there is no script 'nothing'", None)
    ]


def test_a_missing_script_is_reported_once_where_it_is_first_named() -> None:
    assert errors(a="main() { utils::f(); x = utils::g; }", util="f() { }") == [
        "a.gsc:1:10: error: there is no script 'utils' [unknown-script] | did you mean util?"
    ]


def test_errors_of_all_files_are_found_in_one_run() -> None:
    assert errors(a="main() { x = ; b::f(); }", b="f() { y = ; c::f(); nosuch(); }") == [
        "a.gsc:1:14: error: expected a value but found ';' [syntax]",
        "b.gsc:1:11: error: expected a value but found ';' [syntax]",
        "b.gsc:1:13: error: there is no script 'c' [unknown-script]",
    ]


def test_nothing_is_said_about_functions_of_a_broken_script() -> None:
    assert errors(a="main() { b::lost(); x = b::lost; }", b="lost( { }") == [
        "b.gsc:1:7: error: expected the name of a parameter but found '{' [syntax]"
    ]


def test_folder_search_finds_scripts_in_order(tmp_path: Path) -> None:
    for root, text in (("mod", "main() { }"), ("base", "main() { nosuch(); }")):
        (tmp_path / root / "Maps").mkdir(parents=True)
        (tmp_path / root / "Maps" / "A.gsc").write_text(text)
    (tmp_path / "base" / "b.gsc").write_text("")
    search = FolderSearch(tmp_path / "mod", tmp_path / "base")
    assert list(load_program(["maps\\a"], search, Natives()).scripts) == ["maps\\a"]
    assert list(search.script_names()) == ["b", "maps\\a"]
    assert search.find("..\\a") is None
    assert search.find("c") is None


# ---- what names mean -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("statement", "bound"),
    [
        ("f();", s.ScriptFunction("a", "f")),
        ("F();", s.ScriptFunction("a", "f")),
        ("self f();", s.ScriptFunction("a", "f")),
        ("thread f();", s.ScriptFunction("a", "f")),
        ("b::g();", s.ScriptFunction("b", "g")),
        ("self thread b::g();", s.ScriptFunction("b", "g")),
        ("iprintln(1);", s.NativeFunction("iprintln", False)),
        ("gettime();", s.NativeFunction("gettime", False)),
        ("thread gettime();", s.ScriptFunction("a", "gettime")),
        ("self gettime();", s.ScriptFunction("a", "gettime")),
        ("strtok();", s.ScriptFunction("a", "strtok")),
        ("self delete();", s.NativeFunction("delete", True)),
        ("delete();", s.ScriptFunction("a", "delete")),
        ("self lookat();", s.ScriptFunction("a", "lookat")),
        ("self setmodel(1);", s.NativeFunction("setmodel", True)),
    ],
)
def test_lookup_order(statement: str, bound: s.Binding) -> None:
    own = "f() { } gettime() { } strtok() { } delete() { } lookat() { }"
    program = load(a=f"main() {{ {statement} }} {own}", b="g() { }")
    assert call(program) == bound


def test_function_values_are_bound_to_script_functions() -> None:
    program = load(a="main() { x = ::F; y = b::g; } f() { }", b="g() { }")
    main = program.function("a", "main")
    assert main is not None
    bound = [
        st.value.bound
        for st in main.body.body
        if isinstance(st, s.Assign) and isinstance(st.value, s.FunctionRef)
    ]
    assert bound == [s.ScriptFunction("a", "f"), s.ScriptFunction("b", "g")]


@pytest.mark.parametrize(
    ("statement", "expected"),
    [
        ("nosuch();", "1:10: error: there is no function 'nosuch' [unknown-function]"),
        ("NoSuch();", "1:10: error: there is no function 'nosuch' [unknown-function]"),
        ("spwan(1, 2);",
         "1:10: error: there is no function 'spwan' [unknown-function] | did you mean spawn?"),
        ("self helpme();",
         "1:15: error: there is no function 'helpme' [unknown-function] | did you mean helper?"),
        ("self setmodle(1);",
         "1:15: error: there is no function 'setmodle' [unknown-function] | did you mean setmodel?"),
        ("level waittil(1);",
         "1:16: error: there is no function 'waittil' [unknown-function] | did you mean waittill or waittillmatch?"),
        ("wiat(1);",
         "1:10: error: there is no function 'wiat' [unknown-function] | did you mean wait?"),
        ("b::nix();", "1:13: error: there is no function 'nix' in the script 'b' [unknown-function]"),
        ("b::gg();",
         "1:13: error: there is no function 'gg' in the script 'b' [unknown-function] | did you mean g?"),
        ("b::helper();",
         "1:13: error: there is no function 'helper' in the script 'b' [unknown-function]"
         " | there is a::helper()"),
        ("onlyinb();",
         "1:10: error: there is no function 'onlyinb' [unknown-function] | there is b::onlyinb()"),
        ("delete();",
         "1:10: error: there is no function 'delete' [unknown-function]"
         " | it is a method: write OBJECT delete(...)"),
        ("self spawn(1, 2);",
         "1:15: error: there is no function 'spawn' [unknown-function]"
         " | that built-in takes no object before it"),
        ("thread spawn(1, 2);",
         "1:17: error: there is no function 'spawn' [unknown-function]"
         " | a built-in cannot be started as a thread"),
        ("x = ::spawn;",
         "1:16: error: there is no function 'spawn' [unknown-function]"
         " | that is a built-in: only functions of scripts can be values"),
        ("x = b::nix;", "1:17: error: there is no function 'nix' in the script 'b' [unknown-function]"),
        ("While(1);",
         "1:10: error: there is no function 'while' [unknown-function]"
         " | reserved words are lower-case: while"),
        ("x = println(1);",
         "1:14: error: outside '/# ... #/' the developer built-in 'println' can only be a statement"
         " [developer-only]"),
        ("iprintln(print(1));",
         "1:19: error: outside '/# ... #/' the developer built-in 'print' can only be a statement"
         " [developer-only]"),
        ("x = %walk;",
         '1:14: error: no animation tree is selected here [no-tree]'
         ' | write #using_animtree("NAME"); above the function'),
        ("x = #animtree;",
         '1:14: error: no animation tree is selected here [no-tree]'
         ' | write #using_animtree("NAME"); above the function'),
        ("/# x = %walk; #/",
         "1:17: error: '%walk' cannot stand in '/# ... #/' among statements [developer-block]"
         " | put it in a developer function"),
        ("iprintln(" + "1, " * 255 + "1);",
         "1:10: error: a built-in takes at most 255 arguments, these are 256 [too-many-arguments]"),
    ],
    ids=lambda text: text[:20],
)  # fmt: skip
def test_errors_of_names(statement: str, expected: str) -> None:
    found = errors(
        a=f"main() {{ {statement} }} helper() {{ }} other() {{ b::g(); }}", b="g() { } onlyinb() { }"
    )
    if "b::" not in statement and "onlyinb" not in statement:
        assert found == [f"a.gsc:{expected}"]
        return
    found = errors(
        a=f"main() {{ {statement} }} helper() {{ }} other() {{ b::g(); }}", b="g() { } onlyinb() { }"
    )
    assert found == [f"a.gsc:{expected}"]


def test_all_unknown_names_of_a_file_are_listed_each_once() -> None:
    assert errors(a="main() { one(); two(); one(); x = ::three; two(); one(); }") == [
        "a.gsc:1:10: error: there is no function 'one' [unknown-function]"
        " | so it is at 2 other places of this file",
        "a.gsc:1:17: error: there is no function 'two' [unknown-function]"
        " | so it is at one other place of this file",
        "a.gsc:1:37: error: there is no function 'three' [unknown-function]",
    ]


@pytest.mark.parametrize(
    ("statement", "expected"),
    [
        ("spawn(1);", "1:10: warning: 'spawn' takes 2 arguments, not 1 [argument-count]"),
        ("randomint();", "1:10: warning: 'randomint' takes 1 argument, not 0 [argument-count]"),
        ("x = gettime(1);", "1:14: warning: 'gettime' takes no arguments, not 1 [argument-count]"),
        ("iprintln();", "1:10: warning: 'iprintln' takes at least 1 argument, not 0 [argument-count]"),
        ("self lookat();", "1:15: warning: 'lookat' takes 1 to 2 arguments, not 0 [argument-count]"),
        ("one(1, 2, 3);",
         "1:17: warning: 'one' has 1 parameter, the call gives 3: this fails when it runs"
         " [too-many-parameters]"),
        ("self thread none(1);",
         "1:27: warning: 'none' has no parameters, the call gives 1: this fails when it runs"
         " [too-many-parameters]"),
        ("playfx(1, 2);",
         "1:10: warning: 'playfx' is a known stock built-in that this engine does not have:"
         " calling it is a run-time error [missing-native]"),
        ("setter(); self setmodel(1);",
         "1:25: warning: the stock built-in 'setmodel' is called here, not the function of this file"
         " [shadowed-function]"),
    ],
)  # fmt: skip
def test_what_fails_only_when_it_runs_is_a_warning(statement: str, expected: str) -> None:
    program = load(a=f"main() {{ {statement} }} one(a) {{ }} none() {{ }} setmodel(a) {{ }} setter() {{ }}")
    assert texts(program.diagnostics) == [f"a.gsc:{expected}"]


@pytest.mark.parametrize(
    "statement",
    ["one();", "[[x]](1, 2, 3);", "b::two(1);", "println();", "println(1, 2);", "/# x = println(1); #/"],
)
def test_what_is_right_has_no_warning(statement: str) -> None:
    program = load(a=f"main() {{ x = ::one; {statement} b::two(); }} one(a) {{ }}", b="two(a, b) { }")
    assert program.diagnostics == ()


def test_operands_that_wait_below_a_call_count_thirty_two_times() -> None:
    def text(waiting: int) -> str:
        return "main() { f(" + "f(), " + ", ".join(["1"] * waiting) + "); } f() { }"

    # 32 * 62 operands below the call and 63 at the deepest point are 2047, the most that there may be.
    assert all("too-many-parameters" in t for t in texts(load(a=text(62)).diagnostics))
    assert [t for t in errors(a=text(63)) if "operand" in t] == [
        "a.gsc:1:1: error: too many values wait at once in 'main': split its longest expression"
        " [operand-depth]"
    ]


# ---- developer code and trees --------------------------------------------------------------------------

DEVELOPER = """
main() { f(); /# dbg(); x::g(); println(1); #/ println(2); }
f() { }
/# dbg() { y::g(); } #/
"""


def test_developer_code_is_bound_when_it_is_kept() -> None:
    program = load(a=DEVELOPER, x="g() { }", y="g() { }")
    assert list(program.scripts) == ["a", "x", "y"]
    assert list(program.scripts["a"].functions) == ["main", "f", "dbg"]


def test_developer_code_does_not_exist_when_it_is_not() -> None:
    program = load(False, a=DEVELOPER)
    assert list(program.scripts) == ["a"]
    assert list(program.scripts["a"].functions) == ["main", "f"]
    assert not program.developer


def test_a_call_of_a_developer_function_needs_developer_code() -> None:
    assert errors(False, a="main() { dbg(); } /# dbg() { } #/") == [
        "a.gsc:1:10: error: there is no function 'dbg' [unknown-function]"
        " | it is developer code, which is switched off"
    ]


def test_trees_are_numbered_by_first_use_and_list_their_animations() -> None:
    program = load(
        a='#using_animtree("One"); main() { x = %Walk; b::f(); y = %walk; }\n'
        '#using_animtree("two"); g() { x = %run; }\n/# dbg() { x = %fall; } #/',
        b='#using_animtree("three"); f() { } #using_animtree("one"); h() { x = %aim; }',
    )
    assert program.trees == ("one", "two", "three")
    assert {tree: {n: str(p) for n, p in names.items()} for tree, names in program.animations.items()} == {
        "one": {"walk": "a.gsc:1:38", "aim": "b.gsc:1:69"},
        "two": {"run": "a.gsc:2:35", "fall": "a.gsc:3:16"},
        "three": {},
    }


def test_there_may_be_more_trees_than_the_127_of_the_original() -> None:
    program = load(a="main() { }\n" + "".join(f'#using_animtree("t{n}"); f{n}() {{ }}\n' for n in range(200)))
    assert program.trees == tuple(f"t{n}" for n in range(200))


def test_animations_of_code_that_is_not_emitted_are_not_listed() -> None:
    program = load(False, a='#using_animtree("t"); main() { x = %walk; }\n/# dbg() { x = %fall; } #/')
    assert list(program.animations["t"]) == ["walk"]


# ---- using parses again --------------------------------------------------------------------------------


def test_unchanged_scripts_are_not_parsed_again() -> None:
    scripts = {"a": "main() { b::f(); }", "b": "f() { }"}
    cache = ParseCache()
    first = load_program(["a"], Scripts(scripts), Natives(), cache=cache)
    scripts["b"] = "f() { g(); } g() { }"
    second = load_program(["a"], Scripts(scripts), Natives(), cache=cache)
    assert second.scripts["a"] is first.scripts["a"]
    assert second.scripts["b"] is not first.scripts["b"]
    scripts["b"] = "f( { }"
    with pytest.raises(DiagnosticError):
        load_program(["a"], Scripts(scripts), Natives(), cache=cache)
    assert call(first) == s.ScriptFunction("b", "f")


def test_a_link_that_fails_leaves_the_bindings_of_the_one_before() -> None:
    scripts = {"a": "main() { b::f(); }", "b": "f() { }"}
    cache = ParseCache()
    program = load_program(["a"], Scripts(scripts), Natives(), cache=cache)
    scripts["b"] = "g() { }"
    with pytest.raises(DiagnosticError):
        load_program(["a"], Scripts(scripts), Natives(), cache=cache)
    assert call(program) == s.ScriptFunction("b", "f")


def test_the_same_scripts_give_the_same_diagnostics() -> None:
    scripts = {"a": "main() { q(); b::r(); } ", "b": "f() { s(); t(1); } u() { } t() { }"}
    assert errors(**scripts) == errors(**scripts)


def test_a_name_that_is_no_file_is_not_proposed_for_itself(tmp_path: Path) -> None:
    (tmp_path / "main.gsc").write_text("main() { folder::f(); gone::f(); }")
    (tmp_path / "folder.gsc").mkdir()
    (tmp_path / "gone.gsc").symlink_to(tmp_path / "nothing")
    with pytest.raises(DiagnosticError) as caught:
        load_program(["main"], FolderSearch(tmp_path), Natives())
    told = {d.message: [note.message for note in d.notes] for d in caught.value.diagnostics}
    assert list(told) == ["there is no script 'folder'", "there is no script 'gone'"]
    for notes in told.values():
        assert all("did you mean" not in note for note in notes)

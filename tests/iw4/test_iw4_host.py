"""Statements of the checklist that a script alone cannot show: what a host sees. Each test names its number."""

from __future__ import annotations

import gc
import sys
import weakref
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))

from iw4_kit import NoNatives, Scripts, make, play, program

from engine.gsc.catalogue import FolderSearch
from engine.gsc.dialect import DIALECTS, IW4, UO
from engine.gsc.fingerprint import fingerprint, installed, refused, seed_of
from engine.gsc.parser import parse
from engine.gsc.program import load_program
from engine.source import DiagnosticError, SourceText
from engine.vm.objects import ScriptStruct
from engine.vm.strict_natives import strict_registry
from engine.vm.tables import Tables


def test_01_a_program_loads_from_any_search_and_from_files(tmp_path: Path) -> None:
    (tmp_path / "main.gsc").write_text("main() { logprint(1); }")
    from_files = load_program(["main"], FolderSearch(tmp_path), NoNatives(), dialect=IW4)
    from_memory = load_program(
        ["main"], Scripts({"main": "main() { logprint(1); }"}), NoNatives(), dialect=IW4
    )
    assert list(from_files.scripts) == list(from_memory.scripts) == ["main"]


def test_02_files_of_the_folder_in_front_win(tmp_path: Path) -> None:
    for folder, text in (("map", "main() { logprint(1); }"), ("common", "main() { nobody(); }")):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "main.gsc").write_text(text)
    search = FolderSearch(tmp_path / "map", tmp_path / "common")
    assert load_program(["main"], search, NoNatives(), dialect=IW4).function("main", "main") is not None


def test_03_tables_merge_and_the_ones_in_front_win() -> None:
    tables = Tables(lambda name: [SourceText("new", "1,new\n"), SourceText("old", "1,old\n2,kept\n")])
    assert tables("mp/x.csv") == [["1", "new"], ["1", "old"], ["2", "kept"]]
    run = make()
    run.vm.tables = tables
    run.vm.link(
        program(
            run,
            {"main": 'main() { logprint(tablelookup("x.csv", 0, 1, 1) + tablelookup("x.csv", 0, 2, 1)); }'},
        )
    )
    run.vm.start("main::main")
    assert run.out == ["newkept"]


def test_04_a_failed_load_installs_nothing() -> None:
    run = make()
    run.vm.link(program(run, {"main": "main() { logprint(1); }"}))
    before = run.vm.program
    with pytest.raises(DiagnosticError):
        program(run, {"main": "main() { other\\script::f(); }"})
    assert run.vm.program is before
    run.vm.start("main::main")
    assert run.out == ["1"]


def test_17_one_line_tells_what_became_of_the_load() -> None:
    run = make()
    loaded = program(run, {"main": "main() { f(); logprint(1); println(2); } f() { }"})
    assert (
        installed(loaded)
        == f"gsc: installed fingerprint={fingerprint(loaded)} modules=1 functions=2 natives=1 entries=1"
    )
    with pytest.raises(DiagnosticError) as error:
        program(run, {"main": "main() { g(); }"})
    assert (
        refused("compile", error.value.diagnostics)
        == "gsc: refused stage=compile fault=\"there is no function 'g'\""
    )


def test_18_the_catalogue_is_not_what_the_host_happens_to_have() -> None:
    """A name of the game that is not registered is refused as one that is missing, not as unknown."""
    from engine.natives.refused import Refused
    from engine.vm.registry import RegistryCatalogue

    run = make()
    run.vm.natives.others["iw4"] = RegistryCatalogue(strict_registry(), Refused())
    with pytest.raises(DiagnosticError) as error:
        program(run, {"main": "main() { spawnhelicopter(); }"})
    assert [d.code for d in error.value.diagnostics] == ["refused-native"]


def test_27_the_fingerprint_is_that_of_sources_and_dialects(tmp_path: Path) -> None:
    run = make()
    text = "main() { x = 1; }"
    first = fingerprint(program(run, {"main": text}))
    assert first == fingerprint(program(run, {"main": text}))
    (tmp_path / "main.gsc").write_bytes(text.encode() + b"\0")
    ended = load_program(["main"], FolderSearch(tmp_path), run.vm.natives, dialect=IW4)
    assert first == fingerprint(ended)
    assert first != fingerprint(program(run, {"main": text.replace("1", "2")}))
    assert first != fingerprint(program(run, {"main": text}, uo=frozenset({"main"})))
    assert len(first) == 64


def test_38_arrays_in_events_are_copies() -> None:
    run = play(
        """
        main() { thread hears(); a = []; a[0] = 1; level notify("e", a); a[0] = 2; }
        hears() { level waittill("e", a); logprint(a[0]); }
        """
    )
    assert run.out == ["1"]


def test_63_the_others_run_in_the_same_frame() -> None:
    run = play(
        """
        main() { thread a(); thread b(); wait 0.05; }
        a() { wait 0.05; logprint("a "); }
        b() { wait 0.05; for (;;) { } }
        """,
        budget=100_000,
        loading_budget=0,
    )
    assert run.out == ["a "]
    assert run.messages == ["potential infinite loop in script"]


def test_64_a_built_in_that_raises_is_an_error_of_its_caller() -> None:
    registry = strict_registry()

    @registry.function()
    def breaks() -> None:
        raise ZeroDivisionError("inside")

    run = make(registry)
    run.vm.link(program(run, {"main": 'main() { x = breaks(); logprint("on " + isdefined(x)); }'}))
    run.vm.start("main::main")
    assert run.out == ["on 0"]
    assert run.messages == ["internal error of a built-in of the host: ZeroDivisionError: inside"]


def test_66_cycles_are_collected() -> None:
    run = play(
        """
        main() { for (i = 0; i < 3; i++) { a = spawnstruct(); a.b = spawnstruct(); a.b.a = a; level.last = a; }
                 level.last = undefined; a = undefined; }
        """
    )
    gc.collect()
    assert not [o for o in gc.get_objects() if isinstance(o, ScriptStruct) and o.get_field("b") is not None]
    assert run.messages == []


def test_67_a_native_keeps_an_object_alive_only_while_it_holds_it() -> None:
    registry = strict_registry()
    held: list[weakref.ref[ScriptStruct]] = []

    @registry.function()
    def sees(value: ScriptStruct) -> None:
        held.append(weakref.ref(value))

    run = make(registry)
    run.vm.link(program(run, {"main": "main() { s = spawnstruct(); sees(s); }"}))
    run.vm.start("main::main")
    gc.collect()
    assert held[0]() is None


def test_72_equal_programs_draw_equal_numbers() -> None:
    run = make()
    text = "main() { logprint(randomint(1000000)); }"
    assert seed_of(program(run, {"main": text})) == seed_of(program(run, {"main": text}))
    assert seed_of(program(run, {"main": text})) != seed_of(program(run, {"main": text + " "}))


def test_80_time_never_runs_back() -> None:
    run = play("main() { wait 0.05; logprint(gettime()); }", frames=2)
    run.vm.step(-1000)
    assert run.vm.time == 100
    assert run.out == ["50"]


# ---- waits in the life of a thread -----------------------------------------------------------------------


def test_a_killed_call_leaves_no_place_in_a_bucket() -> None:
    run = play(
        """
        main() { thread stops(); f(); wait 0.5; logprint("end " + gettime()); }
        f() { level endon("stop"); wait 1; }
        stops() { wait 0.25; level notify("stop"); }
        """,
        frames=40,
    )
    assert run.out == ["end 750"]
    assert run.vm.stats().threads == 0


def test_an_endon_of_a_returned_call_is_forgotten() -> None:
    run = play('main() { for (i = 0; i < 50; i++) f(); level waittill("go"); } f() { level endon("x"); }')
    assert run.vm.level.scopes == {}


def test_a_notify_costs_nothing_for_the_waiters_of_others() -> None:
    """What a notify looks at are the registrations for its event on its object, whatever else there is."""
    run = play(
        """
        main() { for (i = 0; i < 300; i++) thread w("e" + i); wait 0.05; level notify("e7"); wait 0.05; }
        w(e) { level endon("never"); level waittill(e); logprint(e); }
        """
    )
    assert run.out == ["e7"]
    assert run.vm.level.waiters is not None
    assert len(run.vm.level.waiters) == 299


# ---- the tables ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("form", "dialects"),
    [
        ("#include lib\\x;\nmain() { }", {"cod2", "cod4", "iw4"}),
        ("main() { waittillframeend; }", {"cod2", "cod4", "iw4"}),
        ("main() { x = 1; y = -x; }", {"cod4", "iw4"}),
        ("main() { foreach (x in level.a) { } }", {"iw4"}),
        ("main() { x = 1 ? 2 : 3; }", {"iw4"}),
        ("#define A 1\nmain() { x = A; }", {"iw4"}),
        ("A = 1;\nmain() { x = A; }", {"iw4"}),
        ("main() { self call [[ x ]](); }", {"iw4"}),
        ("main() { childthread f(); } f() { }", {"iw4"}),
        ("main() { do { } while (0); }", {"uo", "cod1", "cod2", "cod4"}),
        ("main() { x = (int)1.5; }", {"uo", "cod1", "cod2", "cod4"}),
        ("main() { x = 1; x <<= 1; }", {"uo", "cod1", "cod2", "cod4"}),
    ],
)
def test_each_form_belongs_to_its_dialects(form: str, dialects: set[str]) -> None:
    """Where a form is not known, the refusal names a game that has it."""
    for name, dialect in DIALECTS.items():
        result = parse("main", SourceText("main.gsc", form), dialect)
        assert result.errors == (name not in dialects), (name, result.diagnostics)
        if result.errors:
            assert [d.code for d in result.diagnostics] == ["later-dialect"], (name, result.diagnostics)
            assert "(it came with " in result.diagnostics[0].message


def test_united_offensive_is_the_default() -> None:
    assert DIALECTS["uo"] is UO
    assert parse("main", SourceText("main.gsc", "main() { }")).script.dialect is UO

"""Random programs and the programs of `tests/scripts`, through the engine and through the reference interpreter."""

from __future__ import annotations

from pathlib import Path

import pytest

from engine.gsc.dialect import IW4, UO, Dialect
from engine.source import DiagnosticError
from engine.vm.machine import VM
from tests.reference import operators, strict_operators
from tests.reference.compare import OPTIMISATIONS, compare
from tests.reference.fuzz import check, run, variant
from tests.reference.generate import LADDERS, program
from tests.reference.generate_strict import strict_program
from tests.reference.shrink import shrink, symptom
from tests.reference.strict_machine import StrictMachine
from tests.reference.values import Fault, GivenUp

PROGRAMS = 2000
STRICT_PROGRAMS = 240
BATCH = 80
SCRIPTS = Path(__file__).resolve().parents[1] / "scripts"
STRICT_SCRIPTS = Path(__file__).resolve().parents[1] / "iw4"
OTHER_OPTIONS = ("--entry", "--until", "--dialect", "--root")


@pytest.mark.parametrize("first", range(LADDERS, LADDERS + PROGRAMS, BATCH))
def test_random_programs(first: int, capsys: pytest.CaptureFixture[str]) -> None:
    different, given_up = run(first, BATCH)
    assert different == 0, capsys.readouterr().out
    assert given_up < BATCH / 10


@pytest.mark.parametrize("first", range(LADDERS, LADDERS + STRICT_PROGRAMS, BATCH))
def test_random_programs_of_modern_warfare(first: int, capsys: pytest.CaptureFixture[str]) -> None:
    different, given_up = run(first, BATCH, IW4)
    assert different == 0, capsys.readouterr().out
    assert given_up < BATCH / 10


@pytest.mark.parametrize(
    ("seed", "dialect"),
    [(664123, UO), (683909, UO), (1125025, UO), (1314364, UO), (1615252, UO), (150253, IW4)],
    ids=("uo-664123", "uo-683909", "uo-1125025", "uo-1314364", "uo-1615252", "iw4-150253"),
)
def test_programs_that_once_differed(seed: int, dialect: Dialect) -> None:
    """More messages of one place than are reported; a long text in a message; what `||` keeps, times itself; a
    field in two conditions of a chain, where the first has something in its block that waits."""
    assert check(seed, dialect) is None


def test_a_seed_always_gives_the_same_program() -> None:
    assert program(7) == program(7)
    assert program(7) != program(8)
    assert strict_program(7) == strict_program(7)
    assert strict_program(7) != strict_program(8)


# ---- written programs ----------------------------------------------------------------------------------


def texts_of(path: Path) -> dict[str, str]:
    """A script as `main`, with the library scripts that others refer to by their own names."""
    texts = {
        f"lib\\{p.stem}": p.read_text(encoding="latin-1") for p in sorted((SCRIPTS / "lib").rglob("*.gsc"))
    }
    return {**texts, "main": path.read_bytes().removeprefix(b"\xef\xbb\xbf").decode("latin-1")}


def compared(path: Path, dialect: Dialect = UO) -> bool:
    """Compare one written program; False for one that does not compile here or needs what only the command has."""
    texts = texts_of(path)
    head = texts["main"].split("\n")[0]
    options = head.removeprefix("// run:").split() if head.startswith("// run:") else []
    if any(option in OTHER_OPTIONS for option in options):
        return False
    usual = dialect.rules.on_error
    policy = options[options.index("--on-error") + 1] if "--on-error" in options else usual
    try:
        difference = compare(texts, policy, "--no-developer" not in options, dialect=dialect)
    except (DiagnosticError, GivenUp):
        return False
    assert difference is None, f"{path.name}: {difference}"
    return True


def test_written_programs() -> None:
    """What the scripts expect is tested with them; here the reference has to give the same."""
    scripts = sorted(SCRIPTS.glob("*.gsc"))
    assert sum(compared(path) for path in scripts) > len(scripts) / 2


def test_written_programs_of_modern_warfare() -> None:
    """Those that need nothing of the world."""
    scripts = sorted(STRICT_SCRIPTS.glob("*.gsc"))
    assert sum(compared(path, IW4) for path in scripts) > len(scripts) / 2


# ---- the comparison itself -----------------------------------------------------------------------------


def broken_remainder(op: str, a: int, b: int) -> int:
    """Integer operators whose remainder has the wrong sign."""
    if op == "%" and b:
        return a % b
    return WORKING(op, a, b)


WORKING = operators.of_ints
REMAINDER = {
    "main": "main()\n{\n    a = 3; b = -7; trace(a);\n    if (a > 1) { trace(b % 4); }\n    trace(b);\n}\n"
}


def test_a_wrong_operator_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    assert compare(REMAINDER) is None
    monkeypatch.setattr(operators, "of_ints", broken_remainder)
    difference = compare(REMAINDER)
    assert difference is not None
    assert (difference.what, difference.engine, difference.reference) == ("output", "-3", "1")


def test_a_wrong_operator_of_modern_warfare_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    texts = {"main": "main() { trace(7 / 2); }"}
    assert compare(texts, dialect=IW4) is None
    monkeypatch.setattr(strict_operators, "of_ints", broken_remainder)
    assert str(compare(texts, dialect=IW4)) == "output\n  engine:    3.5\n  reference: 3"


def test_a_wrong_order_of_waking_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    text = 'main() { thread w(1); thread w(2); level notify("e"); } w(n) { level waittill("e"); trace(n); }'
    texts = {"main": text}
    assert compare(texts, dialect=IW4) is None
    monkeypatch.setattr(StrictMachine, "register", lambda machine: 1000 - len(machine.waiting))
    assert compare(texts, dialect=IW4) is not None


def test_a_wrong_message_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    texts = {"main": "main() { trace([].size + []); }"}
    assert compare(texts) is None

    def refuse(left: object, right: object) -> tuple[object, object]:
        raise Fault("something else")

    monkeypatch.setattr(operators, "paired", refuse)
    difference = compare(texts)
    assert difference is not None
    assert difference.what == "error"


def test_programs_reach_what_they_are_for(monkeypatch: pytest.MonkeyPatch) -> None:
    """A fault in one operator shows within a few random programs."""
    monkeypatch.setattr(operators, "stepped", lambda value, delta: value)
    found = 0
    for seed in range(60):
        try:
            found += check(seed) is not None
        except GivenUp:
            continue
    assert found > 3


def test_shrinking_keeps_the_difference_and_little_else(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(operators, "of_ints", broken_remainder)
    small = shrink(REMAINDER, "stop")
    assert symptom(small, "stop") == "output"
    assert small["main"].split() == ["main()", "{", "b", "=", "-7;", "trace(b", "%", "4);", "}"]


def test_variants_cover_policies_developer_code_and_saving() -> None:
    found = {
        (policy, developer, bool(saves), without)
        for policy, developer, saves, without in map(variant, range(600))
    }
    kinds = (("stop", True), ("continue", True), ("continue", False))
    assert found == {
        (*kind, saves, without) for kind in kinds for saves in (False, True) for without in OPTIMISATIONS
    }


def test_a_state_that_is_not_restored_whole_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    texts = {"main": "main() { n = 5; wait 0.5; trace(n); }"}
    assert compare(texts, saves={2}) is None
    monkeypatch.setattr(VM, "restore", lambda vm, state: None)
    assert compare(texts, saves={2}) is not None


@pytest.mark.parametrize("dialect", [UO, IW4], ids=["uo", "iw4"])
def test_a_key_that_is_computed_outlives_a_wait_on_the_right(dialect: Dialect) -> None:
    texts = {
        "main": """
        main() { a = []; a[3] = 1; a[1 + 2] += late(5); a["x" + 1] = late(7); trace(a[3], a["x1"]); }
        late(n) { wait 0.1; return n; }
        """
    }
    assert compare(texts, dialect=dialect) is None
    assert compare(texts, saves={1}, dialect=dialect) is None


def test_operands_of_an_earlier_wait_are_not_part_of_a_later_state() -> None:
    texts = {
        "main": """
        main()
        {
            self.n = 1;
            for (n = 0; n < late(3); n += late(1)) { v = self.n + late(n); wait 0.1; trace(v); }
        }
        late(n) { wait 0.05; return n; }
        """
    }
    assert compare(texts, saves=range(30)) is None

"""`bos`, `check` and `run` on unit scripts, as a person uses them: what is written, said, and given back."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from engine.cli.main import cli

GOOD = "piece base;\nCreate() { hide base; }\n"


def run(*arguments: object) -> Result:
    return CliRunner().invoke(cli, [str(argument) for argument in arguments])


@pytest.fixture
def put(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "good.bos").write_text(GOOD)
    (tmp_path / "empty.bos").write_text("")
    (tmp_path / "bad.bos").write_text("piece base;\nF() { hide nothing; }\nG() { sleep -x; }\n")
    return tmp_path


def test_bos_says_what_it_has_written(put: Path) -> None:
    result = run("bos", "good.bos", "-o", "good.cob")
    assert result.exit_code == 0
    assert result.output == "good.cob: 1 script, 1 piece, 5 code words\n"


def test_bos_writes_into_a_folder_that_does_not_exist_yet(put: Path) -> None:
    result = run("bos", "good.bos", "-o", "made/")
    assert result.exit_code == 0
    assert (put / "made" / "good.cob").is_file()
    assert run("bos", "good.bos", "-o", "good.bos/").exit_code == 2


def test_a_source_without_functions_is_told(put: Path) -> None:
    result = run("bos", "empty.bos", "-o", "made/")
    assert result.exit_code == 0
    assert "empty.bos:1:1: warning: there are no functions here" in result.output
    assert "made/empty.cob: 0 scripts, 0 pieces, 0 code words" in result.output


def test_one_bad_file_does_not_stop_the_others(put: Path) -> None:
    result = run("bos", "bad.bos", "good.bos", "-o", "made")
    assert result.exit_code == 1
    assert "bad.bos:2:12" in result.output
    assert "bad.bos:3:13" in result.output
    assert (put / "made" / "good.cob").is_file()
    assert not (put / "made" / "bad.cob").exists()


def test_check_looks_at_sources_and_programs(put: Path) -> None:
    assert run("bos", "good.bos", "-o", "good.cob").exit_code == 0
    result = run("check", "good.bos", "good.cob")
    assert (result.exit_code, result.output) == (0, "2 files checked: 0 errors, 0 warnings\n")
    result = run("check", "bad.bos")
    assert result.exit_code == 1
    assert "2 errors" in result.output
    data = bytearray((put / "good.cob").read_bytes())
    data[0x2C:0x30] = b"\0\0\0\0"
    (put / "damaged.cob").write_bytes(data)
    result = run("check", "damaged.cob")
    assert result.exit_code == 1
    assert "cob-opcode" in result.output
    (put / "cut.cob").write_bytes(data[:30])
    assert "bad-cob" in run("check", "cut.cob").output


def test_check_reads_a_mods_units_as_the_game_does(put: Path) -> None:
    """`%` belongs to the engine's own profile, which the units of a mod are compiled with."""
    (put / "units").mkdir()
    text = "static-var s;\nF() { s = s % 5; }\n"
    (put / "units" / "gun.bos").write_text(text)
    (put / "gun.bos").write_text(text)
    assert run("check", "units").exit_code == 0
    result = run("check", "gun.bos")
    assert result.exit_code == 1
    assert "bos-operator" in result.output


def test_run_of_an_unknown_script_is_wrong_usage(put: Path) -> None:
    result = run("run", "good.bos", "--call", "Creat", "--ticks", "2")
    assert result.exit_code == 2
    assert "no script 'Creat'" in result.output
    assert "Create" in result.output


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("good.bos", "--seconds", "3"), "--until/--seconds is not for unit scripts such as good.bos"),
        (("good.bos", "--budget", "3"), "--budget is not for unit scripts"),
        (("game.gsc", "--ticks", "3"), "--ticks is not for scripts such as game.gsc"),
        (("lines.script", "--entry", "main"), "--entry is not for line scripts"),
        (("good.bos", "--call", "Create@5", "--ticks", "5"), "never reached: the run has 5 ticks; --ticks 6"),
        (("good.bos", "--call", "Create@"), "after @ comes the tick: Create@30"),
    ],
)
def test_run_refuses_what_would_do_nothing(put: Path, arguments: tuple[str, ...], said: str) -> None:
    (put / "game.gsc").write_text("main() { }\n")
    (put / "lines.script").write_text("")
    result = run("run", *arguments)
    assert result.exit_code == 2
    assert said in result.output


def test_a_fault_of_a_run_is_told_at_its_line(put: Path) -> None:
    (put / "wild.bos").write_text("static-var s;\nF()\n{\n    sleep 100;\n    s = 5\n        / s;\n}\n")
    words = ["run", "wild.bos", "--call", "F", "--ticks", "9"]
    result = CliRunner().invoke(cli, words, standalone_mode=False)
    assert result.return_value == 3
    assert result.output.splitlines() == [
        "wild.bos:6:9: runtime error: script 'F' ended with fault DIVIDE in tick 3 [cob-fault]",
        "            / s;",
        "            ^",
    ]
    assert run("bos", "wild.bos", "-o", "wild.cob").exit_code == 0
    result = run("run", "wild.cob", "--call", "F", "--ticks", "9")
    assert (
        "wild.cob:1:1: runtime error: script 'F' ended with fault DIVIDE in tick 3, at code word 7"
        in result.output
    )


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--call", "Create:99999999999"), "--call Create:99999999999: 99999999999 does not fit 32 bits"),
        (("--call", "Create:1,3000000000"), "3000000000 does not fit 32 bits"),
        (("--call", "Create:one"), "'one' is no whole number"),
        (("--call", "Create@soon"), "a tick is a whole number, not 'soon'"),
        (
            ("--port", "4=99999999999"),
            "--port takes ID=VALUE, not '4=99999999999': 99999999999 does not fit 32 bits",
        ),
        (("--port", "0x100000000=1"), "0x100000000 does not fit 32 bits"),
        (("--port", "4"), "--port takes ID=VALUE, not '4': '' is no whole number"),
    ],
)
def test_numbers_that_do_not_fit_are_refused(words: tuple[str, ...], said: str, put: Path) -> None:
    result = run("run", "good.bos", *words)
    assert (result.exit_code, said in result.output) == (2, True), result.output


def test_hexadecimal_numbers_are_bits(put: Path) -> None:
    (put / "sum.bos").write_text("static-var s;\nF(a)\n{\n    s = a + get 4;\n}\n")
    result = run(
        "run", "sum.bos", "--call", "F:0xFFFFFFFF", "--port", "4=0x80000000", "--trace", "--ticks", "1"
    )
    assert '"statics": [2147483647]' in result.output


@pytest.mark.parametrize(
    ("value", "becomes"),
    [
        ("[40000]", -1673527296),
        ("3000000000", -1294967296),
        ("2147483648", -2147483648),
        ("0xFFFFFFFF", None),
        ("BITS", None),
        ("[32767]", None),
    ],
)
def test_a_quantity_that_turns_negative_is_warned_of(value: str, becomes: int | None, put: Path) -> None:
    (put / "far.bos").write_text(f"#define BITS 0x80000000\nstatic-var s;\nF() {{ s = {value}; }}\n")
    output = run("bos", "far.bos", "-o", "far.cob", "--profile", "engine").output
    if becomes is None:
        assert "warning" not in output
    else:
        assert f"does not fit 32 bits with a sign: it will be {becomes} [bos-number-range]" in output

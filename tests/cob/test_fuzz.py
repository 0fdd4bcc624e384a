"""Damaged files and damaged code: nothing but coded refusals and faults, and no slot in two minds."""

from __future__ import annotations

import random
from collections.abc import Callable
from functools import partial

from hypothesis import given, settings
from hypothesis import strategies as st

from engine.cob.compiler import compile_bos
from engine.cob.container import read_cob, write_cob
from engine.source import Diagnostic, DiagnosticError, SourceText
from tests.cob import fuzz
from tests.cob.programs import Writer


def refusal(call: Callable[[], object]) -> list[Diagnostic]:
    """What a call says against its input; empty when it takes it. Any other exception is a failure."""
    try:
        call()
    except DiagnosticError as error:
        return list(error.diagnostics)
    return []


def test_damaged_files_are_read_back_exactly_or_refused() -> None:
    found = fuzz.run_files(3000, seed=1)
    assert found.fates["read"] > 200
    assert found.fates["refused"] > 1000


def test_damaged_code_ends_in_faults_only() -> None:
    found = fuzz.run_code(500, seed=1)
    assert found.fates["clean"] > 20
    assert found.fates["faulted"] > 100
    assert found.fates["BUDGET"] > 50


def test_cases_are_the_same_everywhere() -> None:
    assert fuzz.run_code(20, seed=5).fates == fuzz.run_code(20, seed=5).fates
    assert fuzz.run_code(1, seed=5, first=3).fates != fuzz.run_code(1, seed=5, first=4).fates


@settings(max_examples=150, deadline=None)
@given(st.binary(max_size=200), st.integers(4, 7))
def test_any_bytes_behind_a_version(body: bytes, version: int) -> None:
    fuzz.try_file(version.to_bytes(4, "little") + body)


@settings(max_examples=100, deadline=None)
@given(st.lists(st.integers(0, 2**32 - 1), max_size=12), st.binary(max_size=80))
def test_any_header_before_any_bytes(head: list[int], body: bytes) -> None:
    words = [4, *(word % 120 for word in head)]
    fuzz.try_file(b"".join(word.to_bytes(4, "little") for word in words) + body)


def test_many_names_at_one_endless_place_are_refused() -> None:
    """A file of four megabytes must not make anybody copy gigabytes of names."""
    data = bytearray(write_cob(fuzz.sample(1)))
    names = int.from_bytes(data[0x1C:0x20], "little")
    data += b"a" * 3_000_000 + b"\0"
    data[names : names + 4] = (len(data) - 3_000_001).to_bytes(4, "little")
    (said,) = refusal(lambda: read_cob(bytes(data)))
    assert "255" in said.message


def test_random_source_text_gives_diagnostics_only() -> None:
    pick = random.Random(13)
    words = "piece static-var F ( ) { } ; , if else while for move turn to x-axis speed now [ 1 ] < 2 > + - * ! = == "
    words += (
        'get rand set return var a b #define #if #endif #include "x" call-script AND OR 5 0x1F // /* */ \n'
    )
    pool = words.split(" ")
    texts = [Writer(seed).program() for seed in range(4)]
    for index in range(400):
        parts = [pick.choice(pool) for _ in range(pick.randint(1, 60))]
        text = " ".join(parts)
        if index % 2:
            whole = texts[index % 4]
            at = pick.randrange(len(whole))
            text = whole[:at] + " ".join(parts[:3]) + whole[at + pick.randrange(12) :]
        said = refusal(partial(compile_bos, SourceText("r.bos", text)))
        assert all(d.span is not None and d.code.startswith("bos-") for d in said)

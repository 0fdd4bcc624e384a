"""Damaged files and damaged code: nothing but coded refusals and faults, and no slot in two minds."""

from __future__ import annotations

import random
from collections.abc import Callable
from functools import partial

from hypothesis import given, settings
from hypothesis import strategies as st

from engine.cob.compiler import compile_bos
from engine.cob.container import CobFile, read_cob, write_cob
from engine.cob.disassembler import disassemble
from engine.cob.machine import Machine
from engine.cob.threads import SLOTS, WINDOW, Options, State
from engine.cob.verifier import verify
from engine.source import Diagnostic, DiagnosticError, SourceText
from tests.cob.programs import Writer

CODES = frozenset(
    (
        "PC",
        "OPCODE",
        "FOREIGN",
        "WINDOW",
        "PIECE",
        "AXIS",
        "LOCAL",
        "STATIC",
        "POP-N",
        "DIVIDE",
        "SOUND",
        "BUDGET",
    )
)


def sample(seed: int, target: str = "ta") -> CobFile:
    return compile_bos(SourceText("s.bos", Writer(seed).program()), target=target).cob


def damaged(pick: random.Random, data: bytes) -> bytes:
    """Flipped bytes, words replaced by large and small numbers, parts cut out and repeated."""
    out = bytearray(data)
    for _ in range(pick.randint(1, 5)):
        at = pick.randrange(len(out))
        kind = pick.randrange(5)
        if kind == 0:
            out[at] ^= 1 << pick.randrange(8)
        elif kind == 1:
            word = pick.choice((0, 1, 4, 0x7FFFFFFF, 0xFFFFFFFF, 0x80000000, len(out), len(out) - 4))
            at &= ~3
            out[at : at + 4] = word.to_bytes(4, "little")
        elif kind == 2:
            at = 4 * pick.randrange(min(13, len(out) // 4))
            out[at : at + 4] = pick.randrange(2 * len(out)).to_bytes(4, "little")
        elif kind == 3 and len(out) > 60:
            del out[at : at + pick.randrange(1, 9)]
        else:
            out[at:at] = out[at : at + 8]
    return bytes(out)


def refusal(call: Callable[[], object]) -> list[Diagnostic]:
    """What a call says against its input; empty when it takes it. Any other exception is a failure."""
    try:
        call()
    except DiagnosticError as error:
        return list(error.diagnostics)
    return []


def read_or_refuse(data: bytes) -> CobFile | None:
    """The program, written back to the same bytes; None when it was refused as it should be."""
    said = refusal(lambda: read_cob(data))
    if said:
        assert [d.code for d in said] == ["bad-cob"]
        return None
    cob = read_cob(data)
    assert write_cob(cob) == data
    return cob


def run(cob: CobFile, ticks: int = 6) -> None:
    machine = Machine(cob, options=Options(budget=400))
    for script in range(min(4, len(cob.scripts))):
        machine.start(script, [script, 5])
    for _ in range(ticks):
        machine.tick()
        for event in machine.events:
            assert event.get("fault", "PC") in CODES
        machine.events.clear()
        assert len(machine.slots) == SLOTS
        for slot in machine.slots:
            assert isinstance(slot.state, State)
            assert len(slot.window) == WINDOW
            assert -1 <= slot.top < WINDOW
            assert all(-(2**31) <= cell < 2**31 for cell in slot.window)


def test_damaged_files_are_read_back_exactly_or_refused() -> None:
    pick = random.Random(11)
    originals = [write_cob(sample(seed, target)) for seed in range(4) for target in ("ta", "tak")]
    accepted = 0
    for index in range(3000):
        cob = read_or_refuse(damaged(pick, originals[index % len(originals)]))
        if cob is not None:
            accepted += 1
            if index % 10 == 0:
                disassemble(cob)
                verify(cob)
                run(cob, 2)
    assert accepted > 100


@settings(max_examples=150, deadline=None)
@given(st.binary(max_size=200), st.integers(4, 7))
def test_any_bytes_behind_a_version(body: bytes, version: int) -> None:
    read_or_refuse(version.to_bytes(4, "little") + body)


@settings(max_examples=100, deadline=None)
@given(st.lists(st.integers(0, 2**32 - 1), max_size=12), st.binary(max_size=80))
def test_any_header_before_any_bytes(head: list[int], body: bytes) -> None:
    words = [4, *(word % 120 for word in head)]
    read_or_refuse(b"".join(word.to_bytes(4, "little") for word in words) + body)


def test_damaged_code_ends_in_faults_only() -> None:
    pick = random.Random(12)
    programs = [sample(seed) for seed in range(6)]
    for index in range(1200):
        whole = programs[index % len(programs)]
        code = list(whole.code)
        for _ in range(pick.randint(1, 8)):
            at = pick.randrange(len(code))
            code[at] = pick.choice((code[pick.randrange(len(code))], pick.getrandbits(32), code[at] ^ 0x1000))
        run(CobFile(whole.version, code, whole.scripts, whole.pieces, whole.statics))


def test_many_names_at_one_endless_place_are_refused() -> None:
    """A file of four megabytes must not make anybody copy gigabytes of names."""
    cob = sample(1)
    data = bytearray(write_cob(cob))
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

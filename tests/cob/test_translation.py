"""Translated code does what the interpreter does: the same events, statics, threads and pieces, tick by tick."""

from __future__ import annotations

import random
from typing import Any

import pytest

from engine.cob import translation
from engine.cob.assembler import assemble
from engine.cob.compiler import compile_bos
from engine.cob.container import CobFile, Script
from engine.cob.isa import OPS, WORD, Shape
from engine.cob.machine import Machine
from engine.cob.profiles import PROFILES
from engine.cob.random import RandomStream
from engine.cob.threads import NoHost, Options, State
from engine.source import SourceText
from tests.cob.programs import Writer


@pytest.fixture(autouse=True)
def _at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(translation, "TRANSLATE_AFTER", 1)
    monkeypatch.setattr(translation, "TRANSLATE_A_TICK", 1000)


def machine(program: CobFile, translate: bool, **options: Any) -> Machine:
    ports = {port: port * 7 % 5 for port in range(1, 21)}
    return Machine(
        program,
        host=NoHost(ports),
        options=Options(translate=translate, **options),
        random=RandomStream(5),
    )


def state(unit: Machine) -> tuple[Any, ...]:
    slots = [
        None
        if slot.state is State.IDLE
        else (slot.state, slot.script, slot.pc, slot.top, slot.mask, slot.wait_slot, slot.timer)
        for slot in unit.slots
    ]
    placements = [piece.placement() for piece in unit.pieces]
    return unit.events[:], unit.statics[:], slots, placements, unit.random.state


def compare(program: CobFile, ticks: int, calls: int, **options: Any) -> None:
    pair = machine(program, True, **options), machine(program, False, **options)
    answers: tuple[list[int], list[int]] = ([], [])
    for tick in range(ticks):
        seen = []
        for unit, got in zip(pair, answers, strict=True):
            unit.events.clear()
            if tick < calls:
                unit.start(tick % len(program.scripts), (tick, 100, -3)[: tick % 4], got.append)
            unit.tick()
            seen.append(state(unit))
        assert seen[0] == seen[1], f"tick {tick}"
    assert answers[0] == answers[1]


@pytest.mark.parametrize("order", ["natural", "spring", "reversed"])
@pytest.mark.parametrize("block", range(10))
def test_random_programs(order: Any, block: int) -> None:
    for seed in range(block * 12, block * 12 + 12):
        text = Writer(seed, modern=True).program()
        program = compile_bos(SourceText(f"{seed}.bos", text), profile=PROFILES["bos2cob"]).cob
        compare(program, 25, 10, arg_order=order, budget=500, tick=900, share=60)


def mutated(pick: random.Random, program: CobFile) -> CobFile:
    """The program with some code words replaced by instructions, small numbers, flipped bits and jumps."""
    code = list(program.code)
    words = [op.word for op in OPS]
    for _ in range(pick.randint(1, 6)):
        at = pick.randrange(len(code))
        code[at] = pick.choice(
            (
                pick.choice(words),
                pick.randrange(8),
                code[at] ^ 1 << pick.randrange(32),
                pick.randrange(len(code)),
            )
        )
    scripts = [
        Script(s.name, pick.randrange(len(code)) if pick.random() < 0.1 else s.entry) for s in program.scripts
    ]
    return CobFile(pick.choice((4, 4, 6)), code, scripts, program.pieces, program.statics)


@pytest.mark.parametrize("block", range(10))
def test_mutated_code(block: int) -> None:
    pick = random.Random(block)
    for seed in range(block * 10, block * 10 + 10):
        program = compile_bos(SourceText("m.bos", Writer(seed).program())).cob
        for _ in range(6):
            compare(mutated(pick, program), 12, 8, budget=300)


def test_random_words() -> None:
    """Code that no compiler would write: any instruction with any small operands."""
    pick = random.Random(3)
    for _ in range(250):
        code: list[int] = []
        while len(code) < 40:
            op = pick.choice(OPS)
            code.append(op.word)
            code += [
                pick.randrange(4) if op.shape is not Shape.TARGET else pick.randrange(40)
            ] * op.shape.words
        code += [WORD["return"]]
        program = CobFile(6, code, [Script("A", 0), Script("B", 7)], ["base", "arm"], 2, ["boom"])
        compare(program, 8, 6, budget=300)


@pytest.mark.parametrize(
    "listing",
    [
        # An operand's word is written while another operand that reads it is still to be used.
        "push-local 2; push-constant 5; push-constant 7; discard; discard; pop-static 0; push-local 2; pop-static 1",
        # Operands are left in the window at a stop, one in the word that another reads.
        "push-constant 9; push-local 0; push-constant 60; sleep; pop-static 0; pop-static 1",
        "push-local 1; push-local 0; push-constant 60; sleep; pop-static 0; pop-static 1",
    ],
)
def test_operands_and_locals_in_the_same_words(listing: str) -> None:
    text = ".version 4\n.statics 2\n.piece a\n.script F\nF:\n" + "\n".join(listing.split("; ")) + "\nreturn\n"
    compare(assemble(SourceText("w.asm", text)), 8, 6)


def test_long_straight_code_and_deep_conditions_translate() -> None:
    deep = "".join(f"if (a == {i}) {{ b = {i}; }} else " for i in range(60)) + "b = 99;"
    nested = "if (a) { " * 15 + "b = 5;" + " }" * 15
    sums = "a = " + " + ".join(["a"] * 400) + ";"
    program = compile_bos(
        SourceText("d.bos", f"static-var a, b; F() {{ ++a; {deep} }} G() {{ {nested} }} H() {{ {sums} }}")
    ).cob
    compare(program, 6, 6)
    unit = machine(program, True)
    assert all(
        unit._translation.compile(script.entry, 0) is not translation.interpreter.run
        for script in program.scripts
    )


def test_a_place_is_translated_only_when_it_is_visited_often(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(translation, "TRANSLATE_AFTER", 3)
    program = compile_bos(SourceText("o.bos", "static-var a; F() { ++a; }")).cob
    shared = translation.Translation(program)
    assert [shared.region(0, 0) is translation.interpreter.run for _ in range(4)] == [
        True,
        True,
        False,
        False,
    ]

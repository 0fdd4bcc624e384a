"""Proving before a run that a program cannot surprise the machine: boundaries, jumps, stack depth."""

from __future__ import annotations

from engine.cob.container import CobFile
from engine.cob.disassembler import Instruction, instructions, signed
from engine.cob.isa import FOREIGN, Op, Shape
from engine.source import Diagnostic, SourceText

WINDOW = 32
"""Words that locals and operands of one thread share."""


def _effect(op: Op, operands: tuple[int, ...]) -> tuple[int, int]:
    """Cells taken from and left on the window."""
    match op.name:
        case "alloc-local":
            return 0, 1
        case "start-script" | "call-script":
            return max(0, signed(operands[1])), 0
        case "pop-n":
            return max(0, signed(operands[1])), 0
        case "mission-command":
            return max(0, signed(operands[1])), 1
        case "return":
            # Without a receiver the top stays where it is, so a bare return takes nothing.
            return 0, 0
        case _:
            return op.pops, op.pushes


class _Verifier:
    def __init__(self, cob: CobFile, path: str) -> None:
        self._cob = cob
        self._source = SourceText(path, b"")
        self._by_at: dict[int, Instruction] = {i.at: i for i in instructions(cob)}
        self.problems: list[Diagnostic] = []

    def _say(self, code: str, at: int, message: str, warning: bool = False) -> None:
        severity = "warning" if warning else "error"
        text = f"{message} (word {at})"
        self.problems.append(Diagnostic(code, text, self._source.span(0), severity))  # type: ignore[arg-type]  # of two

    def run(self) -> list[Diagnostic]:
        for instruction in self._by_at.values():
            if instruction.op is not None:
                self._operands(instruction, instruction.op)
        reached: set[int] = set()
        for script in self._cob.scripts:
            if script.entry >= len(self._cob.code):
                if script.entry > len(self._cob.code):
                    self._say("cob-entry", script.entry, f"script '{script.name}' begins outside the code")
                continue
            if script.entry not in self._by_at:
                self._say("cob-entry", script.entry, f"script '{script.name}' begins inside an instruction")
                continue
            self._walk(script.name, script.entry, reached)
        return self.problems

    def _operands(self, instruction: Instruction, op: Op) -> None:
        cob, operands, at = self._cob, instruction.operands, instruction.at
        if op.shape in (Shape.PIECE, Shape.PIECE_AXIS) and operands[0] >= len(cob.pieces):
            self._say("cob-piece", at, f"{op.name} names piece {operands[0]} of {len(cob.pieces)}")
        if op.shape is Shape.PIECE_AXIS and operands[1] > 2:
            self._say("cob-axis", at, f"{op.name} names axis {operands[1]}; there are 0, 1 and 2")
        if op.shape is Shape.TARGET and operands[0] not in self._by_at:
            inside = operands[0] < len(cob.code)
            where = "the middle of an instruction" if inside else "a place outside the code"
            self._say("cob-jump", at, f"{op.name} leads to {where}, word {operands[0]}")
        if op.name in ("start-script", "call-script") and operands[0] >= len(cob.scripts):
            self._say("cob-script", at, f"{op.name} names script {operands[0]} of {len(cob.scripts)}")
        if op.name.endswith("-static") and operands[0] >= cob.statics:
            self._say("cob-static", at, f"{op.name} names static {operands[0]} of {cob.statics}")
        if op.name.endswith("-local") and operands and operands[0] >= WINDOW:
            self._say("cob-local", at, f"{op.name} names local {operands[0]} of {WINDOW}")

    def _walk(self, name: str, entry: int, reached: set[int]) -> None:
        """Follow every path of a script with the window's depth, which must agree where paths meet."""
        depths: dict[int, int] = {}
        work = [(entry, 0)]
        told: set[str] = set()

        def once(code: str, at: int, message: str, warning: bool = False) -> None:
            if code not in told:
                told.add(code)
                self._say(code, at, message, warning)

        while work:
            at, depth = work.pop()
            if at in depths:
                if depths[at] != depth:
                    text = (
                        f"script '{name}' arrives here with {depth} and with {depths[at]} words in its window"
                    )
                    once("cob-depth", at, text, True)
                continue
            depths[at] = depth
            reached.add(at)
            instruction = self._by_at.get(at)
            if instruction is None:
                once(
                    "cob-run-off",
                    at,
                    f"script '{name}' runs into the middle of an instruction or off the end",
                )
                continue
            op = instruction.op
            if op is None:
                foreign = FOREIGN.get(instruction.words[0])
                what = foreign or f"0x{instruction.words[0]:08X}, which is no instruction"
                once("cob-opcode", at, f"script '{name}' reaches {what}")
                continue
            pops, pushes = _effect(op, instruction.operands)
            if depth < pops:
                once(
                    "cob-underflow", at, f"script '{name}' takes {pops} words where its window holds {depth}"
                )
            depth = max(0, depth - pops) + pushes
            if depth > WINDOW:
                once("cob-overflow", at, f"script '{name}' needs {depth} of the {WINDOW} words of a window")
                continue
            if op.name == "return":
                continue
            after = at + len(instruction.words)
            if op.shape is Shape.TARGET:
                work.append((instruction.operands[0], depth))
                if op.name == "jump":
                    continue
            work.append((after, depth))


def verify(cob: CobFile, path: str = "<cob>") -> list[Diagnostic]:
    """Everything that is wrong with a program, without running it."""
    return _Verifier(cob, path).run()

"""Writing the Python source of one region: from a place where a thread goes on to all places where it stops."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NoReturn

from engine.cob.cells import BINARY, Cell, binary, constant, truth_of
from engine.cob.container import TA, CobFile
from engine.cob.isa import FOREIGN, Op, Shape, decode
from engine.cob.pieces import CACHED, DRAWN, SHADED
from engine.cob.threads import WINDOW, State, divide, int32

MAX_INSTRUCTIONS = 1_000
"""Of what can be reached from a region, beyond its stops too. More would take longer to translate than a frame has;
community functions have 41 on average."""

MAX_NESTING = 30
MAX_TEXT = 300
"""Longer expressions go through a variable: Python limits how deep parentheses nest."""

_NAMES: dict[str, Any] = {"DIVIDE": divide} | {f"ST_{s.name}": s for s in State}

_FLAGS = {
    "show": (DRAWN, True), "hide": (DRAWN, False), "cache": (CACHED, True), "dont-cache": (CACHED, False),
    "shade": (SHADED, True), "dont-shade": (SHADED, False),
}  # fmt: skip
_STOPS = frozenset({"return", "sleep", "wait-for-turn", "wait-for-move", "call-script"})


class Irregular(Exception):
    """The window cannot be followed without running the code; nothing is wrong with that but speed."""


@dataclass(frozen=True, slots=True)
class _Step:
    """A decoded instruction; op is None where the thread dies with `fault`."""

    at: int
    op: Op | None
    a: int = 0
    b: int = 0
    width: int = 0
    fault: str = ""

    @property
    def next(self) -> int:
        return self.at + self.width

    def after(self, depth: int) -> int:
        """The depth of the window behind this instruction, if what it starts does start."""
        op = self.op
        assert op is not None
        if op.name == "alloc-local":
            return depth + 1
        pops = op.pops
        if op.name in ("start-script", "call-script", "pop-n", "mission-command"):
            pops = max(0, int32(self.b))
        return max(0, depth - pops) + op.pushes


def write_region(program: CobFile, pc: int, depth: int) -> tuple[str, dict[str, Any]]:
    """Source and globals of a function `region(m, s, w, n)`. Raises Irregular."""
    return _Writer(program, pc, depth).write()


class _Writer:
    def __init__(self, program: CobFile, pc: int, depth: int) -> None:
        self._program = program
        self._first = pc
        self._steps: dict[int, _Step] = {}
        self._depths: dict[int, int] = {}
        self._observed: set[int] = set()
        """Words of the window that are read though nobody stored there: what operands leave is seen there."""
        self._labels: dict[int, int] = {}
        self._survey(pc, depth)
        self._lines: list[str] = []
        self._indent = 1
        self._temps = 0
        self._cells: list[Cell] = []
        self._floor = 0
        """Words of the window below the operands that exist as expressions only."""
        self._pending: list[int] = []
        """The places where blocks begin, in the order in which they are written."""
        self._block = 0
        self._at = pc
        """The instruction that is being written."""
        self._jumped_back = False

    # ---- looking ahead ------------------------------------------------------------------------------

    def _decode(self, at: int) -> _Step:
        step = self._steps.get(at)
        if step is None:
            step = self._steps[at] = self._fetch(at)
        return step

    def _fetch(self, at: int) -> _Step:
        code = self._program.code
        if not 0 <= at < len(code):
            return _Step(at, None, fault="PC")
        op = decode(code[at])
        if op is None or (op.tak and self._program.version == TA):
            return _Step(at, None, fault="FOREIGN" if code[at] in FOREIGN else "OPCODE")
        width = 1 + op.shape.words
        if at + width > len(code):
            return _Step(at, None, fault="PC")
        a = code[at + 1] if width > 1 else 0
        b = code[at + 2] if width > 2 else 0
        return _Step(at, op, a, b, width)

    def _survey(self, pc: int, depth: int) -> None:
        """Follow the thread past its stops to learn which words are observed, and within this region which
        places are reached from several."""
        reached: dict[int, int] = {pc: 1}
        local = {pc}
        work = [(pc, depth, True)]
        while work:
            at, depth, inside = work.pop()
            known = self._depths.get(at)
            if known is not None and known != depth:
                raise Irregular
            if known is not None and not (inside and at not in local):
                continue
            self._depths[at] = depth
            if inside:
                local.add(at)
            if len(self._depths) > MAX_INSTRUCTIONS:
                raise Irregular
            step = self._decode(at)
            op = step.op
            if op is None:
                continue
            if op.name == "alloc-local" or (op.name == "push-local" and step.a >= depth):
                self._observed.add(depth if op.name == "alloc-local" else step.a)
            if op.name == "return" or depth > WINDOW:
                continue
            after = step.after(depth)
            stays = inside and op.name not in _STOPS
            ways = [step.a] if op.name == "jump" else [step.next]
            if op.name == "jump-if-false":
                ways.append(step.a)
            for way in ways:
                if stays:
                    reached[way] = reached.get(way, 0) + 1
                    if reached[way] > 1 or (op.shape is Shape.TARGET and way <= at):
                        self._labels[way] = 0
                work.append((way, after, stays))

    # ---- the function ---------------------------------------------------------------------------------

    def write(self) -> tuple[str, dict[str, Any]]:
        start_depth = self._depths[self._first]
        self._pending = blocks = [self._first, *sorted(at for at in self._labels if at != self._first)]
        self._labels = {at: index for index, at in enumerate(blocks)}
        written: list[list[str]] = []
        done = 0
        # Places that turn out too deeply nested become labels while blocks are written.
        while done < len(blocks):
            at = blocks[done]
            self._block = done
            self._lines = []
            self._indent = 0
            self._floor = start_depth if at == self._first else self._depths[at]
            self._cells = []
            self._follow(at)
            written.append(self._lines)
            done += 1
        return self._assemble(written), dict(_NAMES)

    def _assemble(self, blocks: list[list[str]]) -> str:
        body = [line for block in blocks for line in block]
        head = ["def region(m, s, w, n):"]
        text = "\n".join(body)
        for name, owner in (("S", "m.statics"), ("A", "m.axes"), ("P", "m.pieces")):
            if f"{name}[" in text:
                head.append(f"    {name} = {owner}")
        if "> B:" in text:
            head.append("    B = m.allowance")
        if len(blocks) == 1 and not self._jumped_back:
            return "\n".join([*head, *(f"    {line}" for line in body)])
        head += ["    b = 0", "    while True:"]
        for index, block in enumerate(blocks):
            head.append(f"        if b == {index}:")
            head += [f"            {line}" for line in block]
        return "\n".join(head)

    def _line(self, text: str) -> None:
        self._lines.append("    " * self._indent + text)

    # ---- operands -------------------------------------------------------------------------------------

    def _temp(self, text: str) -> Cell:
        name = f"t{self._temps}"
        self._temps += 1
        self._line(f"{name} = {text}")
        return Cell(name, fixed=True)

    @property
    def _depth(self) -> int:
        return self._floor + len(self._cells)

    def _push(self, cell: Cell) -> None:
        if self._depth >= WINDOW:
            self._die("WINDOW")
        position = self._depth
        if cell.value is None and (len(cell.text) > MAX_TEXT or position in self._observed):
            cell = self._temp(cell.text)
        if position in self._observed:
            self._settle()
            self._line(f"w[{position}] = {cell.text}")
        self._cells.append(cell)

    def _pop(self) -> Cell:
        if self._cells:
            return self._cells.pop()
        if self._floor == 0:
            return constant(0)
        self._floor -= 1
        return self._temp(f"w[{self._floor}]")

    def _flush(self) -> None:
        """Write all operands into the window."""
        if len(self._cells) > 1:
            self._settle()  # one operand's word may be what another reads
        for cell in self._cells:
            self._line(f"w[{self._floor}] = {cell.text}")
            self._floor += 1
        self._cells = []

    def _settle(self) -> None:
        """Evaluate the operands that a store or a call into the game could change."""
        self._cells = [cell if cell.fixed else self._temp(cell.text) for cell in self._cells]

    def _die(self, code: str) -> NoReturn:
        self._line(f'return m.die(s, "{code}", {self._at})')
        raise _Ended

    # ---- following the code ---------------------------------------------------------------------------

    def _follow(self, at: int) -> None:
        """Write everything from `at` to where the block ends."""
        first = True
        try:
            while True:
                if not first and at in self._labels:
                    self._goto(at)
                    return
                first = False
                step = self._decode(at)
                self._at = at
                if step.op is None:
                    self._die(step.fault)
                if step.op.shape is Shape.TARGET:
                    if step.op.name == "jump-if-false":
                        self._branch(step)
                        return
                    self._charge(step)
                    at = step.a
                    continue
                self._instruction(step, step.op)
                at = step.next
        except _Ended:
            return

    def _goto(self, at: int) -> None:
        self._flush()
        index = self._labels[at]
        self._line(f"b = {index}")
        if index <= self._block:
            self._jumped_back = True
            self._line("continue")

    def _charge(self, step: _Step) -> None:
        """A jump back costs the code words that it goes back over."""
        if step.a <= step.at:
            self._line(f"n = m.spent = n + {step.next - step.a}")
            self._line(f'if n > B: return m.die(s, "BUDGET", {step.at})')

    def _branch(self, step: _Step) -> None:
        condition = self._pop()
        if condition.value is not None:
            if condition.value == 0:
                self._charge(step)
            self._branch_to(step.a if condition.value == 0 else step.next)
            return
        floor, cells = self._floor, self._cells
        self._line(f"if {condition.condition}:")
        self._side(step, step.next, False, floor, cells)
        self._line("else:")
        self._side(step, step.a, True, floor, cells)

    def _side(self, step: _Step, at: int, jumps: bool, floor: int, cells: list[Cell]) -> None:
        self._floor, self._cells = floor, list(cells)
        self._indent += 1
        if jumps:
            self._charge(step)
        self._branch_to(at)
        self._indent -= 1

    def _branch_to(self, at: int) -> None:
        if at not in self._labels and self._indent > MAX_NESTING:
            self._labels[at] = len(self._pending)
            self._pending.append(at)
        if at in self._labels:
            self._goto(at)
        else:
            self._follow(at)

    # ---- instructions ---------------------------------------------------------------------------------

    def _instruction(self, step: _Step, op: Op) -> None:
        name = op.name
        if op.shape in (Shape.PIECE, Shape.PIECE_AXIS):
            self._piece(step, name)
        elif op.shape is Shape.VALUE:
            self._value(step, name)
        elif name in BINARY:
            right, left = self._pop(), self._pop()
            self._push(binary(name, left, right))
        elif name in ("div", "mod"):
            self._divide(name)
        elif name == "not":
            cell = self._pop()
            truth = f"not {cell.condition}" if cell.value is None else ""
            self._push(truth_of(truth) if truth else constant(int(cell.value == 0)))
        elif name == "bit-not":
            cell = self._pop()
            self._push(
                Cell(f"(~{cell.text})", fixed=cell.fixed) if cell.value is None else constant(~cell.value)
            )
        elif name == "alloc-local":
            if self._depth >= WINDOW:
                self._die("WINDOW")
            self._flush()
            self._floor += 1
        elif name == "discard":
            self._pop()
        elif name == "pop-n":
            count = int32(step.b)
            if count > 4:
                self._die("POP-N")
            for _ in range(count):
                self._pop()
        elif name in ("math-09", "math-0b"):
            pass
        elif name in _STOPS:
            self._stop(step, name)
        else:
            self._effect(step, name)

    def _value(self, step: _Step, name: str) -> None:
        if name.endswith("-local") and step.a >= WINDOW:
            self._die("LOCAL")
        if name.endswith("-static") and step.a >= self._program.statics:
            self._die("STATIC")
        if name.endswith("-local") and self._floor <= step.a < self._depth - (name == "pop-local"):
            raise Irregular  # the word holds an operand that exists only as an expression
        match name:
            case "push-constant":
                self._push(constant(int32(step.a)))
            case "push-local":
                self._push(Cell(f"w[{step.a}]"))
            case "push-static":
                self._push(Cell(f"S[{step.a}]"))
            case "push-nothing":
                self._push(constant(0))
            case "pop-local" | "pop-static":
                cell = self._pop()
                self._settle()
                self._line(f"{'w' if name == 'pop-local' else 'S'}[{step.a}] = {cell.text}")

    def _divide(self, name: str) -> None:
        right, left = self._pop(), self._pop()
        if right.value not in (None, 0, -1) and left.value is not None and name == "div":
            assert right.value is not None
            self._push(constant(divide(left.value, right.value)))
            return
        function = "DIVIDE" if name == "div" else "m.modulo"
        self._push(self._temp(f"{function}({left.text}, {right.text}, {self._at})"))

    def _piece(self, step: _Step, name: str) -> None:
        values = [self._pop() for _ in range({"move": 2, "turn": 2, "spin": 2, "legacy-effect": 2}.get(
            name, 1 if name in ("stop-spin", "move-now", "turn-now", "emit-sfx", "explode") else 0))]  # fmt: skip
        if step.op is not None and step.op.shape is Shape.PIECE_AXIS and step.b > 2:
            self._die("AXIS")
        if step.a >= len(self._program.pieces):
            self._die("PIECE")
        axis = f"A[{3 * step.a + step.b}]"
        texts = ", ".join(value.text for value in values)
        match name:
            case "move" | "turn" | "spin":
                self._line(f"P[{step.a}].busy = m.dirty = True")
                self._line(f"{axis}.{name}({texts})")
            case "stop-spin" | "move-now":
                self._line(f"{axis}.{name.replace('-', '_')}({texts})")
            case "turn-now":
                self._line(f"x = {axis}")
                target = values[0]
                angle = f"{target.text} & 65535" if target.value is None else str(target.value & 0xFFFF)
                self._line(f"x.angle = x.turn_target = {angle}")
                self._line("x.speed = x.accel = 0")
            case "emit-sfx" | "explode":
                self._line(f"m.{name.replace('-', '_')}({step.a}, {texts})")
            case "wait-for-turn" | "wait-for-move":
                state = "ST_WAIT_TURN" if name == "wait-for-turn" else "ST_WAIT_MOVE"
                self._line(f"s.wait_piece = {step.a}; s.wait_axis = {step.b}")
                self._suspend(step, state)
            case _ if name in _FLAGS:
                bit, on = _FLAGS[name]
                self._line(f"P[{step.a}].flags {'|=' if on else '&='} {bit if on else ~bit}")

    def _suspend(self, step: _Step, state: str) -> NoReturn:
        self._flush()
        self._line(f"s.state = {state}; s.pc = {step.next}; s.top = {self._floor - 1}")
        self._line("return -1")
        raise _Ended

    def _stop(self, step: _Step, name: str) -> NoReturn:
        match name:
            case "sleep":
                self._line(f"s.timer = m.sleep_ticks({self._pop().text})")
                self._suspend(step, "ST_SLEEP")
            case "return":
                self._line("r = s.receiver")
                self._line("m.free(s)")
                self._line("if r is not None:")
                # Without a receiver nobody looks at the value.
                self._indent += 1
                self._line(f"r({self._pop().text})")
                self._indent -= 1
                self._line("return -1")
                raise _Ended
            case _:
                count, cells = self._arguments(step)
                self._line(f"c = m.begin_child(s, {int(step.a)}, {cells}, m.reverse_call)")
                self._flush()
                self._line(f"s.state = ST_WAIT_CALL; s.pc = {step.next}")
                self._line("if c is None:")
                self._line(f"    s.wait_slot = -1; s.top = {self._floor - 1}")
                self._line("else:")
                self._line(f"    s.wait_slot = c.number; s.top = {self._floor - count - 1}")
                self._line("return -1")
                raise _Ended

    def _arguments(self, step: _Step) -> tuple[int, str]:
        """The number of cells that a script gets, and a list of them; they stay on the stack."""
        count = min(max(0, int32(step.b)), self._depth)
        inside = self._cells[len(self._cells) - min(count, len(self._cells)) :]
        below = count - len(inside)
        parts = [f"w[{i}]" for i in range(self._floor - below, self._floor)] + [c.text for c in inside]
        return count, f"[{', '.join(parts)}]"

    def _start_script(self, step: _Step) -> None:
        count, cells = self._arguments(step)
        call = f"m.begin_child(s, {int(step.a)}, {cells}, m.reverse_start)"
        if count == 0:
            self._line(call)
            return
        self._line(f"if {call} is None:")
        # The arguments stay on the stack, deeper than this region was written for.
        floor, held = self._floor, self._cells
        self._indent += 1
        self._flush()
        self._line(f"s.pc = {step.next}; s.top = {self._floor - 1}")
        self._line("return n")
        self._indent -= 1
        self._floor, self._cells = floor, held
        for _ in range(count):
            if self._cells:
                self._cells.pop()
            else:
                self._floor -= 1

    def _effect(self, step: _Step, name: str) -> None:
        match name:
            case "start-script":
                self._start_script(step)
            case "signal":
                mask = self._pop()
                self._line(f"m.signal({mask.text})")
                self._line("if s.state is ST_IDLE: return -1")
            case "set-signal-mask":
                self._line(f"s.mask = {self._pop().text}")
            case "rand":
                high, low = self._pop(), self._pop()
                self._push(self._temp(f"m.draw_between({low.text}, {high.text})"))
            case "get-unit-value":
                port = self._pop()
                self._settle()
                self._push(self._temp(f"m.get_port({port.text}, (0, 0, 0, 0))"))
            case "get":
                args = [self._pop() for _ in range(4)][::-1]
                port = self._pop()
                self._settle()
                self._push(self._temp(f"m.get_port({port.text}, ({', '.join(a.text for a in args)}))"))
            case "set-unit-value":
                value, port = self._pop(), self._pop()
                self._settle()
                self._line(f"m.set_port({port.text}, {value.text})")
            case "attach-unit":
                extra, piece, unit = self._pop(), self._pop(), self._pop()
                self._line(f"m.attach_unit({unit.text}, {piece.text}, {extra.text})")
            case "drop-unit":
                self._line(f"m.drop_unit({self._pop().text})")
            case "cargo-membership" | "carrier-identity":
                if name == "cargo-membership":
                    self._pop()
                self._push(constant(0))
            case "play-sound":
                priority = self._pop()
                if step.a >= len(self._program.sounds):
                    self._die("SOUND")
                self._line(f"m.play_sound({step.a}, {priority.text})")
                self._push(constant(0))
            case "mission-command":
                for _ in range(min(WINDOW, max(0, int32(step.b)))):
                    self._pop()
                self._push(constant(0))
            case _:
                raise Irregular


class _Ended(Exception):
    """The path that is being written ends here."""

"""The stage of a unit: its machine tick by tick, what it was told, and what it did. Draws nothing."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from engine.anim.pose import model_matrices, palettes
from engine.anim.skeleton import Float32
from engine.client.preview.unit import UnitSubject
from engine.client.render.scene import ModelBatch, placed
from engine.cob.machine import Machine
from engine.cob.pieces import TICKS_PER_SECOND, Piece
from engine.cob.threads import ENGINE_CELLS, Event, Slot, State
from engine.cob.trace import RootCall
from engine.cob.unit import carry_over
from engine.source import Diagnostic, SourceText, Span
from engine.source.diagnostic import Severity
from engine.world.unit_host import ACTIVATION, HEALTH
from engine.world.units import SFX, pose_of
from engine.world.view import Vector

SPEEDS = (0.1, 0.25, 0.5, 1.0, 2.0, 4.0)
ARGUMENT_STEP = 2048
"""What a turn of the wheel adds to an argument: an eleventh of a quarter turn, 11.25 degrees."""

MARK_SECONDS = 0.8
_LOG = 60
_QUERIES = ("Query", "AimFrom", "SweetSpot")
"""How the names of the scripts begin that the engine asks, rather than starts."""

_AXES = "xyz"


class Ports:
    """The game that the unit believes in: port values that the preview's user sets."""

    def __init__(self) -> None:
        self.values: dict[int, int] = {HEALTH: 100}
        self.edges: list[str] = []

    def read_port(self, port: int, args: tuple[int, int, int, int]) -> int:
        return self.values.get(port, 0)

    def write_port(self, port: int, value: int) -> None:
        if port == ACTIVATION and bool(value) != bool(self.values.get(ACTIVATION, 0)):
            self.edges.append("Activate" if value else "Deactivate")
        self.values[port] = value


@dataclass(slots=True)
class Told:
    """Something that happened: in which tick, what, whether it is bad, and the piece it happened at."""

    tick: int
    text: str
    bad: bool = False
    piece: str = ""
    age: float = 0.0


@dataclass(frozen=True, slots=True)
class SlotView:
    """A slot as it is shown. `line` is None where there is no source, `script` is "" for an idle one."""

    number: int
    script: str
    doing: str
    line: int | None
    mask: int


class UnitStage:
    """One unit. It runs 30 ticks a second, or stands and is stepped. `calls` are started before their ticks, each time
    that it begins again too."""

    def __init__(self, subject: UnitSubject, calls: Sequence[RootCall] = ()) -> None:
        self.subject = subject
        self.calls = tuple(calls)
        self.playing = True
        self.speed = 1.0
        self.arguments = [0] * ENGINE_CELLS
        self.log: deque[Told] = deque(maxlen=_LOG)
        self.faults: list[Diagnostic] = []
        """What has gone wrong since it began, each once a place."""
        self.host = Ports()
        self._rest = 0.0
        self.tick = 0
        self.machine = self._new_machine()
        self.start("Create")

    def _new_machine(self) -> Machine:
        program = self.subject.program
        return Machine(program.cob, host=self.host, translation=program.translation)

    # What it is told ------------------------------------------------------------------------------------

    @property
    def scripts(self) -> list[str]:
        return [script.name for script in self.subject.program.cob.scripts]

    def start(self, name: str, arguments: Sequence[int] = ()) -> None:
        """Start a script as the engine does, or ask it where the engine asks. An unknown name does nothing."""
        index = self.machine.program.script_index(name)
        if index is None:
            return
        if name.startswith(_QUERIES):
            self._ask(index, name, arguments)
        elif not self.machine.start(index, arguments, self._receiver(name)):
            self._complain(f"{name} was not started: all eight slots are taken", "warning")

    def start_with_arguments(self, index: int) -> None:
        """Start a script with the arguments that were set; zeros at the end say nothing."""
        given = self.arguments[:]
        while given and given[-1] == 0:
            given.pop()
        self.start(self.scripts[index], given)

    def _ask(self, index: int, name: str, arguments: Sequence[int]) -> None:
        answer = self.machine.query(index, arguments)
        if answer is None:
            self._complain(f"{name} was not asked: all eight slots are taken", "warning")
            return
        pieces = self.machine.program.pieces
        value = answer[0]
        shown = f" ({pieces[value]})" if 0 <= value < len(pieces) else ""
        self._tell(f"{name} gives {value}{shown}", piece=pieces[value] if shown else "")

    def _receiver(self, name: str) -> Callable[[int], None]:
        return lambda value: self._tell(f"{name} returned {value}")

    def set_port(self, port: int, value: int) -> None:
        """Change a port from outside; a switched activation calls its script."""
        value = max(0, min(100, value)) if port == HEALTH else max(0, value)
        self.host.write_port(port, value)
        self._settle()

    def reset(self) -> None:
        """Begin again, with a new machine."""
        self.host = Ports()
        self.machine = self._new_machine()
        self.log.clear()
        self.faults.clear()
        self.tick = 0
        self.start("Create")

    def replace(self, subject: UnitSubject) -> None:
        """Go on with a program or model that was read again."""
        self.machine = carry_over(self.machine, self.subject.program, subject.program)
        self.subject = subject

    # Time -----------------------------------------------------------------------------------------------

    def step(self, seconds: float) -> None:
        """Let time pass: ticks where it runs, and the age of what was told."""
        for told in self.log:
            told.age += seconds
        if not self.playing:
            return
        self._rest += seconds * self.speed * TICKS_PER_SECOND
        while self._rest >= 1.0:
            self._rest -= 1.0
            self.one_tick()

    def one_tick(self) -> None:
        for call in self.calls:
            if call.tick == self.tick:
                self.start(call.script, call.args)
        self.machine.tick()
        self._settle()
        events, self.machine.events = self.machine.events, []
        self.machine.flights.clear()
        for event in events:
            self._hear(event)
        self.tick += 1

    def step_once(self) -> None:
        """Stand, and make one tick."""
        self.playing = False
        self.one_tick()

    def faster(self, step: int) -> None:
        at = SPEEDS.index(self.speed) + step
        self.speed = SPEEDS[max(0, min(len(SPEEDS) - 1, at))]

    def _settle(self) -> None:
        edges, self.host.edges = self.host.edges, []
        for script in edges:
            self.start(script)

    # What it did ----------------------------------------------------------------------------------------

    def _tell(self, text: str, *, bad: bool = False, piece: str = "") -> None:
        self.log.append(Told(self.tick, text, bad, piece.lower()))

    def _complain(self, text: str, severity: Severity, span: Span | None = None) -> None:
        self._tell(text + (f" at line {span.line}" if span is not None else ""), bad=True)
        place = span or SourceText(str(self.subject.file), b"").span(0)
        fault = Diagnostic("cob-fault", f"{text} in tick {self.tick}", place, severity)
        if fault not in self.faults:
            self.faults.append(fault)

    def _hear(self, event: Event) -> None:
        if "fault" in event:
            text = f"{event['script']} ended with fault {event['fault']}"
            self._complain(text, "runtime error", self.subject.spans.get(event["at"]))
        elif "sfx" in event:
            kind = event["sfx"]
            self._tell(
                f"effect {kind} {SFX.get(kind, 'shows nothing')} at {event['piece']}", piece=event["piece"]
            )
        elif "explode" in event:
            self._tell(f"{event['piece']} explodes, flags {event['explode']}", piece=event["piece"])
        elif "set" in event:
            port, value = event["set"]
            self._tell(f"port {port} is set to {value}")
        elif "attach" in event:
            unit, piece, _ = event["attach"]
            self._tell(f"unit {unit} is attached to piece {piece}")
        elif "drop" in event:
            self._tell(f"unit {event['drop']} is dropped")
        elif "play-sound" in event:
            self._tell(f"sound {event['play-sound'][0]}")

    def slots(self) -> list[SlotView]:
        return [self._view(slot) for slot in self.machine.slots]

    def _view(self, slot: Slot) -> SlotView:
        if slot.state is State.IDLE:
            return SlotView(slot.number, "", "", None, 0)
        name = self.scripts[slot.script] if 0 <= slot.script < len(self.scripts) else "?"
        return SlotView(slot.number, name, self._doing(slot), self._line(slot), slot.mask)

    def _line(self, slot: Slot) -> int | None:
        """Where it stands: for one that waits the line that made it wait, which lies before its counter."""
        word = slot.pc if slot.state is State.RUN else slot.pc - 1
        first = self.machine.program.scripts[slot.script].entry
        while word >= first:
            line = self.subject.line(word)
            if line is not None:
                return line
            word -= 1
        return None

    def _doing(self, slot: Slot) -> str:
        if slot.state is State.SLEEP:
            left = max(0, slot.timer)
            return f"sleeps, {left} tick{'' if left == 1 else 's'} left"
        if slot.state in (State.WAIT_TURN, State.WAIT_MOVE):
            pieces = self.machine.program.pieces
            piece = pieces[slot.wait_piece] if slot.wait_piece < len(pieces) else "?"
            what = "turn" if slot.state is State.WAIT_TURN else "move"
            return f"waits for {piece} to {what} ({_AXES[slot.wait_axis]})"
        if slot.state is State.WAIT_CALL:
            return f"waits for slot {slot.wait_slot}" if slot.wait_slot >= 0 else "waits for ever"
        return "runs"

    def statics(self) -> list[tuple[str, int]]:
        return list(zip(self.subject.program.statics, self.machine.statics, strict=True))

    # The figure -----------------------------------------------------------------------------------------

    def local(self) -> Float32:
        """(1, 8, B): the rest pose with what the script did to its pieces."""
        skeleton = self.subject.model.skeleton
        bones: list[tuple[Piece, int]] = []
        for piece in self.machine.pieces:
            bone = skeleton.index.get(piece.name.lower())
            if bone is not None:
                bones.append((piece, bone))
        return pose_of(skeleton, bones)[None]

    def batches(self) -> list[ModelBatch]:
        model = self.subject.model
        place = placed((0.0, 0.0, 0.0), (0.0, 0.0, 0.0))
        return [ModelBatch(model, place[None], palettes(self.local(), model.skeleton))]

    def bones(self) -> Float32:
        """(B, 3) places of the pieces."""
        matrices = model_matrices(self.local(), self.subject.model.skeleton)[0]
        return np.asarray(matrices[:, :, 3], np.float32)

    @property
    def standing(self) -> Vector:
        """A unit stays in the middle."""
        return 0.0, 0.0, 0.0

    def room(self) -> Float32:
        """(8, 3) corners of the model at rest."""
        low, high = self.subject.model.bounds
        corners = [(x, y, z) for x in (low[0], high[0]) for y in (low[1], high[1]) for z in (low[2], high[2])]
        return np.array(corners, np.float32)

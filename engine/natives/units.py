"""Methods for entities that unit scripts move."""

from __future__ import annotations

from engine.source.nearest import did_you_mean
from engine.vm.errors import ScriptError
from engine.vm.operators import to_text
from engine.vm.registry import Registry
from engine.vm.values import Value
from engine.world.entity import Entity
from engine.world.units import Unit, use_program
from engine.world.world import World

natives = Registry(services=(World,))

MOST_ARGUMENTS = 4


def _unit(entity: Entity) -> Unit:
    if entity.unit is None:
        raise ScriptError(f"{entity.class_name} has no unit script; call usecob first")
    return entity.unit


def _script(unit: Unit, name: str) -> int:
    index = unit.machine.program.script_index(name)
    if index is None:
        known = [script.name for script in unit.machine.program.scripts]
        hint = did_you_mean(name, known) or f"it has {', '.join(known) or 'none'}"
        raise ScriptError(f"unit '{unit.program.name}' has no script '{name}'; {hint}")
    return index


def _cells(args: tuple[Value, ...]) -> list[int]:
    """Arguments as a unit script takes them: whole numbers, and entities by their unit number."""
    if len(args) > MOST_ARGUMENTS:
        raise ScriptError(f"a unit script takes at most {MOST_ARGUMENTS} arguments, not {len(args)}")
    cells = []
    for position, value in enumerate(args):
        if isinstance(value, Entity):
            cells.append(value.number + 1)
        elif not isinstance(value, (int, float)):
            raise ScriptError(f"argument {position + 1} of a unit script must be a number or an entity")
        elif not -(2.0**31) <= value < 2.0**31:
            raise ScriptError(
                f"argument {position + 1} of a unit script does not fit 32 bits: {to_text(value)}"
            )
        else:
            cells.append(int(value))
    return cells


@natives.method()
def usecob(self: Entity, world: World, name: str) -> None:
    """Move the pieces of this entity's model by a unit script; its Create runs at once."""
    if not self.model_name:
        raise ScriptError(f"{self.class_name} has no model whose pieces could move; call setmodel first")
    program = world.units_source.unit(name.lower())
    if program is None:
        known = world.units_source.unit_names()
        if name.lower() in known:
            raise ScriptError(f"the unit script '{name}' has errors; they were told when it was loaded")
        hint = did_you_mean(name, known)
        raise ScriptError(f"there is no unit script '{name}'" + (f"; {hint}" if hint else ""))
    use_program(self, program)


@natives.method()
def stopusecob(self: Entity) -> None:
    """Leave the model at rest; all threads of its unit script end."""
    self.unit = None


@natives.method()
def cobcall(self: Entity, script: str, *args: Value) -> int:
    """Start a script with the next tick; 1 if a thread was free for it. The value that it returns is notified to
    the entity under the script's name."""
    unit = _unit(self)
    _script(unit, script)
    return int(unit.start(script, _cells(args)))


@natives.method()
def cobquery(self: Entity, script: str, value: int | None = None) -> int | None:
    """Ask a script such as QueryPrimary at once: what it made of its first parameter; undefined when all
    threads are taken."""
    unit = _unit(self)
    answer = unit.machine.query(_script(unit, script), [value if value is not None else 0])
    unit.show_events()
    return answer[0] if answer is not None else None


@natives.method()
def cobpiece(self: Entity, number: int) -> str | None:
    """The tag of a piece by its number, for gettagorigin and the like."""
    pieces = _unit(self).machine.program.pieces
    return pieces[number].lower() if 0 <= number < len(pieces) else None


@natives.method()
def cobsignal(self: Entity, mask: int) -> None:
    """End the threads whose mask shares a bit."""
    _unit(self).machine.signal(mask)


@natives.method()
def cobget(self: Entity, port: int, *args: Value) -> int:
    """Read a port as the script itself would."""
    cells = [*_cells(args), 0, 0, 0, 0]
    return _unit(self).machine.get_port(port, (cells[0], cells[1], cells[2], cells[3]))


@natives.method()
def cobset(self: Entity, port: int, value: int) -> None:
    """Write a port as the script itself would: port 1 switches it on and off."""
    unit = _unit(self)
    unit.host.write_port(port, value)
    unit.host.settle()

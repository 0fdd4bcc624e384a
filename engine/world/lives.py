"""Small lives: line scripts (docs/line-scripts.md) that run on entities, by the hundred.

A script on an entity sees the entity's fields as variables, hears what is notified on it, and ends with it. All of
them run once a server frame, on the world's clock, under one budget.
"""

from __future__ import annotations

import json
import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from engine.linescript.context import Clock, Context, Persistence
from engine.linescript.expression import Expression
from engine.linescript.faults import Fault
from engine.linescript.library import global_scope
from engine.linescript.program import Program
from engine.linescript.programs import Programs
from engine.linescript.reload import Fate
from engine.linescript.schedule import Schedule
from engine.linescript.scope import Scope
from engine.linescript.state import StateError, restore, save
from engine.linescript.values import Value, text, type_name
from engine.source import Diagnostic, DiagnosticError, SourceText
from engine.vm.objects import ScriptObject
from engine.world.hud import HudState
from engine.world.life_functions import register
from engine.world.life_scope import ObjectScope

if TYPE_CHECKING:
    from engine.world.world import World


@dataclass(slots=True, eq=False)
class Life:
    """One script on one object."""

    name: str
    target: ScriptObject
    scope: ObjectScope
    context: Context


def _all_hear(lives: list[Life], event: str) -> None:
    for life in lives:
        life.scope.hear(event)


@dataclass(slots=True)
class Binding:
    """Expressions that a HUD element's fields follow: `text`, or `width` and `height`."""

    element: HudState
    target: ScriptObject
    fields: dict[str, Expression]
    faulted: bool = False


class Lives:
    """All line scripts of a world, and the HUD fields that hold expressions."""

    def __init__(self, world: World) -> None:
        self._world = world
        self._find: Callable[[str], SourceText | None] = lambda name: None
        self._report: Callable[[Diagnostic], None] = lambda diagnostic: None
        self._out: Callable[[str], object] = lambda text: None
        self.clock = Clock()
        self.scope = global_scope(self._print, world.random.random)
        self._schedule = Schedule(self._tell)
        self._programs = Programs(self._source, self.scope.functions or {})
        self.lives: list[Life] = []
        self._by_context: dict[Context, Life] = {}
        self._by_target: dict[ScriptObject, list[Life]] = {}
        self.bindings: dict[tuple[int, str], Binding] = {}
        register(self, world)

    def connect(
        self,
        find: Callable[[str], SourceText | None],
        report: Callable[[Diagnostic], None],
        out: Callable[[str], object],
    ) -> None:
        """Say where scripts come from by name, who is told of faults, and who gets what they print."""
        self._find, self._report, self._out = find, report, out

    def _print(self, text: str) -> None:
        self._out(text)

    def _tell(self, diagnostic: Diagnostic) -> None:
        self._report(diagnostic)

    def _source(self, name: str) -> SourceText | None:
        return self._find(name)

    # ---- running ------------------------------------------------------------------------------------

    @property
    def programs(self) -> Programs:
        return self._programs

    @property
    def schedule(self) -> Schedule:
        return self._schedule

    def start(self, target: ScriptObject, name: str) -> bool:
        """Run a script on an object, from this frame on; False where there is no such script.

        Raises DiagnosticError for one with errors.
        """
        program = self._programs.load(name)
        if program is None:
            return False
        self._add(target, name, program)
        self._schedule.ended.pop(program.name, None)
        return True

    def _add(self, target: ScriptObject, name: str, program: Program) -> Life:
        scope = ObjectScope(self.scope, target)
        context = Context(program, Scope(scope), self.clock, Persistence.PERSISTENT)
        life = Life(name, target, scope, context)
        self.lives.append(life)
        self._by_context[context] = life
        of_target = self._by_target.setdefault(target, [])
        of_target.append(life)
        self._schedule.add(context)
        if len(of_target) == 1:
            self._world.host.listen(target, lambda event, args: _all_hear(of_target, event))
        return life

    def stop(self, target: ScriptObject, name: str | None = None) -> int:
        """End an object's scripts, or those of one name; how many ended."""
        ended = [life for life in self.lives if life.target is target and name in (None, life.name)]
        for life in ended:
            life.context.end()
        self._sweep()
        return len(ended)

    def tick(self) -> None:
        """Run everything for the world's present time."""
        if not self.lives and not self.bindings:
            return
        self.clock.now = self._world.time
        for life in self.lives:
            if life.target.dead:
                life.context.end()
        self._schedule.tick()
        self._sweep()
        self._follow()

    def _sweep(self) -> None:
        ended = [life for life in self.lives if life.context.done]
        if not ended:
            return
        self.lives = [life for life in self.lives if not life.context.done]
        for life in ended:
            del self._by_context[life.context]
            of_target = self._by_target[life.target]
            of_target.remove(life)
            if not of_target:
                del self._by_target[life.target]
                self._world.host.listen(life.target, None)

    # ---- HUD ----------------------------------------------------------------------------------------

    def bind(self, element: HudState, target: ScriptObject, fields: dict[str, str]) -> None:
        """Let fields of a HUD element follow expressions over the fields of an object.

        Raises DiagnosticError for what is no expression.
        """
        made = self._expressions(target, fields)
        self.bindings[element.number, "text" if "text" in fields else "size"] = Binding(element, target, made)

    def _expressions(self, target: ScriptObject, fields: dict[str, str]) -> dict[str, Expression]:
        scope = ObjectScope(self.scope, target)
        return {name: Expression(source, scope, self.clock, self.scope) for name, source in fields.items()}

    def unbind(self, element: HudState, kind: str) -> None:
        """Let a field hold what is set from now on."""
        self.bindings.pop((element.number, kind), None)

    def _follow(self) -> None:
        elements = self._world.hud.elements
        for key, binding in list(self.bindings.items()):
            if elements.get(key[0]) is not binding.element or binding.target.dead:
                del self.bindings[key]
                continue
            for name, expression in binding.fields.items():
                try:
                    _show(binding.element, name, expression.value())
                except Fault as fault:
                    # It is told once: the next frame would have the same to say.
                    if not binding.faulted:
                        binding.faulted = True
                        self._report(expression.diagnostic(fault))
                    break
            else:
                binding.faulted = False

    # ---- reloading ----------------------------------------------------------------------------------

    def changed(self) -> dict[str, Program]:
        """New programs for the scripts whose text is another now; nothing is swapped. Raises DiagnosticError."""
        return self._programs.changed()

    def swap(self, programs: dict[str, Program]) -> list[Fate]:
        """Let every script go on in its new text; what became of each."""
        fates: list[Fate] = []
        for name, program in programs.items():
            old = self._programs.loaded[name]
            self._programs.loaded[name] = program
            fates += self._schedule.replace(old, program)
        return fates

    # ---- saving -------------------------------------------------------------------------------------

    def packed(self) -> list[tuple[ScriptObject, str]]:
        """Every script and binding as its object and the rest as text."""
        found = [
            (
                life.target,
                json.dumps({"script": life.name, "heard": list(life.scope.heard), **save(life.context)}),
            )
            for life in self.lives
        ]
        for (number, _), binding in self.bindings.items():
            fields = {name: expression.text for name, expression in binding.fields.items()}
            found.append((binding.target, json.dumps({"element": number, "fields": fields})))
        return found

    def unpack(self, target: ScriptObject, packed: str) -> Callable[[], None]:
        """Read what `packed` gave; the function puts it in place, once all others are gone (`clear`).

        A script whose text is another now begins again. Raises ValueError for what is damaged.
        """
        try:
            data = json.loads(packed)
            if "element" in data:
                fields = {str(name): str(source) for name, source in data["fields"].items()}
                if set(fields) not in ({"text"}, {"width", "height"}):
                    raise ValueError("an expression of no field")
                made = self._expressions(target, fields)
                return lambda: self._put_binding(int(data["element"]), target, made)
            program = self._programs.load(data["script"])
            if program is None:
                raise ValueError(f"there is no line script '{data['script']}'")
            trial = Context(program, Scope(self.scope), self.clock)
            if data["fingerprint"] == program.fingerprint:
                restore(trial, data)
            heard = dict.fromkeys(str(event) for event in data["heard"])
        except (KeyError, TypeError, AttributeError, StateError, DiagnosticError) as error:
            raise ValueError(str(error)) from None
        return lambda: self._put_life(target, program, data, heard)

    def _put_binding(self, number: int, target: ScriptObject, made: dict[str, Expression]) -> None:
        element = self._world.hud.elements.get(number)
        if element is not None:
            self.bindings[number, "text" if "text" in made else "size"] = Binding(element, target, made)

    def _put_life(
        self, target: ScriptObject, program: Program, data: dict[str, Any], heard: dict[str, None]
    ) -> None:
        life = self._add(target, data["script"], program)
        life.scope.heard = heard
        if data["fingerprint"] == program.fingerprint:
            restore(life.context, data)

    def clear(self) -> None:
        """End everything, before what was saved takes its place."""
        for life in self.lives:
            life.context.end()
        self._sweep()
        self._schedule.contexts = []
        self._schedule.ended.clear()
        self.bindings.clear()
        self.clock.now = self._world.time

    def life_of(self, caller: object) -> Life:
        """The life whose context calls. Raises Fault for an expression of the HUD, which is nobody's."""
        life = self._by_context.get(caller) if isinstance(caller, Context) else None
        if life is None:
            raise Fault("this is for scripts on entities")
        return life


def _show(element: HudState, name: str, value: Value) -> None:
    if name == "text":
        element.set_text(text(value))
        return
    if not isinstance(value, (int, float)) or not math.isfinite(value):
        raise Fault(f"a size is a finite number, not a {type_name(value)}")
    setattr(element, name, float(value))

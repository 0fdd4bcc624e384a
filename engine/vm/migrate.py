"""Threads move into a program that was swapped in.

Each suspended call whose function changed is mapped by itself: to the same place in the new text, with its locals by
name (`engine.gsc.alignment`). A call that cannot be mapped follows the policy of its mod or function: `keep` leaves it
on the old code until it returns, `restart` begins the whole thread again from its root function, `end` ends the
thread. Everything is decided before anything is done to a thread.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from engine.gsc import syntax
from engine.gsc.alignment import Refusal
from engine.gsc.sites import Site
from engine.gsc.suspension import Key
from engine.source import Span
from engine.vm.epochs import Epoch, KeptFunction
from engine.vm.errors import ScriptError
from engine.vm.events import cancel_wait, wait_for
from engine.vm.fates import Fate, FrameFate, LinkReport, PolicyOf
from engine.vm.frames import Frame
from engine.vm.objects import ScriptObject
from engine.vm.threads import Thread
from engine.vm.values import Function
from engine.vm.versions import Change, Versions, changed_functions

if TYPE_CHECKING:
    from engine.vm.machine import VM


@dataclass(slots=True)
class _Move:
    """Where a frame goes: from site `old` to site `number` at `new`, with what it takes along."""

    change: Change
    old: Site
    new: Site
    number: int
    values: dict[str, Any]
    dropped: tuple[str, ...]
    temps: tuple[Any, ...] = ()
    target: tuple[ScriptObject, str, Any] | None = None
    """What the thread waits for instead: object, event and what it wants of it."""


@dataclass(slots=True)
class _Plan:
    """What is to happen to one frame: nothing where its function runs the same code as before."""

    frame: Frame
    key: Key
    old_span: Span
    move: _Move | None = None
    reason: str = ""
    refused: bool = False
    rejoins: bool = False
    """It was on kept code, and the running code is the same again."""

    def refuse(self, reason: str) -> None:
        self.refused, self.reason = True, reason


class Migration:
    """Brings the suspended threads of a VM from the program `before` into the one that is linked now."""

    def __init__(self, vm: VM, before: Epoch, policy: PolicyOf) -> None:
        self._vm = vm
        self._linker = vm.linker
        assert vm.linker.linked is not None
        self._new = vm.linker.linked
        self._before = before
        self._policy = policy
        self._versions = Versions(before.linked, self._new)
        self._changes: dict[Function, Change | str | None] = {}
        self._rows: list[FrameFate] = []
        self._threads: dict[Fate, list[Thread]] = {"moved": [], "restarted": [], "kept": [], "ended": []}

    def run(self) -> LinkReport:
        threads = list(self._vm.runner.suspended)
        plans = {thread: [self._plan(thread, frame) for frame in thread.frames] for thread in threads}
        self._settle_types()
        for frames in plans.values():
            for plan in frames:
                self._complete(plan)
        for thread, frames in plans.items():
            self._settle(thread, frames)
        for thread in threads:
            for frame in thread.frames:
                # Also where nothing was decided: a function may have the same code at another place.
                frame.stand()
        decided = self._threads
        return LinkReport(
            untouched=len(threads) - sum(map(len, decided.values())),
            moved=tuple(decided["moved"]),
            restarted=tuple(decided["restarted"]),
            kept=tuple(decided["kept"]),
            ended=tuple(decided["ended"]),
            changed=changed_functions(self._before.linked, self._new),
            rows=tuple(self._rows),
        )

    # ---- functions -------------------------------------------------------------------------------------

    def _epoch(self, function: Function) -> Epoch:
        return function.epoch if isinstance(function, KeptFunction) else self._before

    def _change(self, function: Function) -> Change | str | None:
        """None where the same code runs, a `Change`, or why there is no new code to move into."""
        if function not in self._changes:
            self._changes[function] = self._compare(function)
        return self._changes[function]

    def _compare(self, function: Function) -> Change | str | None:
        key = (function.script, function.name)
        epoch = self._epoch(function)
        unit = function.unit if epoch is not self._before else epoch.units[key]
        successor = self._versions.successor(key)
        if successor is None:
            return f"function '{function.name}' is gone"
        cell = self._linker.functions[successor]
        try:
            new_unit = self._linker.compile(cell)
            if new_unit.digest == unit.digest:
                return None
            if successor in self._linker.loose:
                # What earlier threads brought is not what these bring.
                new_unit = self._linker.recompile(cell, frozenset())
                if new_unit.digest == unit.digest:
                    return None
        except ScriptError as error:
            return error.message
        return Change(epoch.linked, key, unit, self._new, successor, new_unit, self._versions)

    # ---- planning --------------------------------------------------------------------------------------

    def _plan(self, thread: Thread, frame: Frame) -> _Plan:
        function = frame.function
        key = (function.script, function.name)
        epoch = self._epoch(function)
        unit = epoch.units[key] if epoch is self._before else function.unit
        source = epoch.linked.program.scripts[key[0]].source
        plan = _Plan(frame, key, source.span(*unit.sites[frame.site - 1]))
        change = self._change(function)
        if change is None:
            if isinstance(function, KeptFunction):
                plan.rejoins = True
                plan.reason = "the running code is the same again"
            return plan
        if isinstance(change, str):
            plan.refuse(change)
            return plan
        site, partner = change.site(frame.site)
        if isinstance(partner, Refusal):
            where = f" (line {change.line(partner.offset)})" if partner.offset is not None else ""
            plan.refuse(partner.reason + where)
            return plan
        numbers = partner.new.numbers
        number = numbers[min(site.numbers.index(frame.site), len(numbers) - 1)]
        move = plan.move = _Move(change, site, partner.new, number, *change.locals(frame))
        change.brought.append(move.values)
        plan.reason = "the same place"
        if partner.retarget and frame is thread.top and thread.waits_on is not None:
            move.target = self._target(frame, partner.new.node, move.values)
            if move.target is None:
                plan.refuse("it waits for something that cannot be told now")
            else:
                plan.reason = f'it waits for "{move.target[1]}" on {move.target[0].type_name} now'
        return plan

    def _target(
        self, frame: Frame, node: syntax.Node, values: dict[str, Any]
    ) -> tuple[ScriptObject, str, Any] | None:
        """The object, event and wanted values of a `waittill` whose parts are simple."""
        vm = self._vm

        def evaluate(part: syntax.Expr) -> Any:
            match part:
                case syntax.StringLiteral() | syntax.IntLiteral() | syntax.FloatLiteral():
                    return part.value
                case syntax.LocalVar():
                    return values.get(part.name)
                case syntax.Predefined():
                    return {"self": frame.self, "level": vm.level, "anim": vm.anim}.get(part.name)
                case _:
                    return None

        assert isinstance(node, syntax.WaitTill | syntax.WaitTillMatch)
        object, event = evaluate(node.object), evaluate(node.event)
        if not isinstance(object, ScriptObject) or object.dead or event.__class__ is not str:
            return None
        if isinstance(node, syntax.WaitTill):
            return object, event, len(node.names)
        return object, event, tuple(map(evaluate, node.matches))

    def _settle_types(self) -> None:
        """Compile again what would believe types that values brought by threads do not have."""
        recovers = self._linker.recover is not None
        for change in self._changes.values():
            if isinstance(change, Change):
                change.loosen(recovers)
        by_key: dict[Key, set[str]] = {}
        for change in self._changes.values():
            if isinstance(change, Change):
                by_key.setdefault(change.key, set()).update(change.loose)
        stable = {(f.script, f.name) for f, c in self._changes.items() if c is None}
        for key, loose in by_key.items():
            changes = [c for c in self._changes.values() if isinstance(c, Change) and c.key == key]
            if loose and key in stable:
                # Other threads wait inside this very code, which must not be compiled in another way.
                for change in changes:
                    change.stuck = bool(change.loose)
            elif loose:
                unit = self._linker.recompile(self._linker.functions[key], frozenset(loose))
                for change in changes:
                    change.unit = unit

    def _complete(self, plan: _Plan) -> None:
        """Find the operands, which depend on the code that was compiled in the end."""
        move = plan.move
        if move is None or plan.refused:
            return
        if move.change.stuck:
            plan.refuse("the code in use expects other types of its variables")
            return
        temps = move.change.temps(plan.frame, move.old, move.new, move.number)
        if temps is None:
            plan.refuse("a part of the expression around it is new and was not evaluated")
        else:
            move.temps = temps

    # ---- doing -----------------------------------------------------------------------------------------

    def _policy_of(self, key: Key) -> str:
        """The directive above the function, in the new text if it is there, or what holds for its mod."""
        for linked in (self._new, self._before.linked):
            function = linked.program.function(*key)
            if function is not None:
                wanted = function.comment_directives.get("reload")
                return wanted or self._policy(key)
        return self._policy(key)

    def _settle(self, thread: Thread, plans: list[_Plan]) -> None:
        refused = [plan for plan in plans if plan.refused]
        policies = [self._policy_of(plan.key) for plan in refused]
        for wanted in ("end", "restart"):
            if wanted in policies:
                self._stop(thread, refused[policies.index(wanted)], restart=wanted == "restart")
                return
        touched = False
        for plan in plans:
            if plan.refused:
                self._keep(thread, plan)
            elif plan.move is not None or plan.rejoins:
                touched = True
                self._move(thread, plan)
        thread.root_function = self._live(thread.root_function)
        if refused:
            self._threads["kept"].append(thread)
        elif touched:
            self._threads["moved"].append(thread)

    def _stop(self, thread: Thread, plan: _Plan, *, restart: bool) -> None:
        successor = self._versions.successor((thread.root_function.script, thread.root_function.name))
        reason = plan.reason
        if restart and successor is not None:
            thread.root_function = self._linker.functions[successor]
            self._threads["restarted"].append(self._vm.restart(thread))
            fate: Fate = "restarted"
        else:
            if restart:
                reason += f", and so is '{thread.root_function.name}', where it began"
            self._vm.runner.end(thread)
            self._threads["ended"].append(thread)
            fate = "ended"
        self._row(thread, plan, None, fate, reason)

    def _keep(self, thread: Thread, plan: _Plan) -> None:
        function = plan.frame.function
        if not isinstance(function, KeptFunction):
            plan.frame.function = self._before.keep(plan.key)
        self._row(thread, plan, None, "kept", plan.reason)

    def _move(self, thread: Thread, plan: _Plan) -> None:
        frame = plan.frame
        frame.function = self._linker.functions[self._successor(plan.key)]
        move = plan.move
        if move is not None:
            frame.site = move.number
            frame.locals = tuple(move.values[name] for name in move.change.unit.locals)
            frame.temps = move.temps
            if frame is thread.top:
                _retarget(thread, move)
        self._row(thread, plan, self._linker.codes.site(frame.function, frame.site), "moved", plan.reason)

    def _successor(self, key: Key) -> Key:
        successor = self._versions.successor(key)
        assert successor is not None, "a function without a successor has no frames that move"
        return successor

    def _live(self, function: Function) -> Function:
        """The function that took the place of one that is gone; a thread may begin again from it."""
        renamed = self._versions.renamed.get((function.script, function.name))
        return self._linker.functions[renamed] if renamed is not None else function

    def _row(self, thread: Thread, plan: _Plan, new: Span | None, fate: Fate, reason: str) -> None:
        function = f"{plan.key[0]}::{plan.key[1]}"
        dropped = plan.move.dropped if plan.move is not None and fate == "moved" else ()
        self._rows.append(FrameFate(thread.number, function, plan.old_span, new, fate, reason, dropped))


def _retarget(thread: Thread, move: _Move) -> None:
    """Let a thread wait for what the new text waits for, or receive as many values as it takes."""
    old, new = move.old.node, move.new.node
    if move.target is not None:
        cancel_wait(thread)
        wait_for(thread, *move.target)
    elif isinstance(old, syntax.WaitTill) and isinstance(new, syntax.WaitTill):
        count = len(new.names)
        if thread.waits_on is not None:
            waiters = thread.waits_on.waiters
            assert waiters is not None, "who waits on an object is among its waiters"
            waiters[thread.event][thread] = count
        elif count:
            assert thread.top is not None, "its frame has just moved"
            values = thread.top.value if old.names else ()
            thread.top.value = (values + (None,) * count)[:count]

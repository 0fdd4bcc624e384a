"""Statements as Python text: assignment, control flow, time and events."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from engine.gsc import mangle, syntax
from engine.gsc.atoms import as_float, guards, tuple_text
from engine.gsc.compounds import Cascade, Choice, Loop
from engine.gsc.cost import weight
from engine.gsc.emit_assign import Assignments
from engine.gsc.inference import Masks
from engine.gsc.kinds import INT, STRING
from engine.gsc.sequence import Line, Sequence
from engine.gsc.suspension import Behaviour, has_call, walk
from engine.gsc.switches import Group, closed, switch_groups, without_break

MAX_WAIT = 16777
"""A wait of so many seconds or more is an error (vm facts, 3.1)."""

MAX_ELSE_DEPTH = 12
"""An `else if` chain that is longer is laid out flat: Python has 100 levels of indentation."""


@dataclass(slots=True)
class Place:
    """What a break or continue means here."""

    repeat: Callable[[], None] | None = None
    """For a loop: emits what a `continue` has to do before the next round."""
    switch: str | None = None
    """For a switch laid out as a one-trip loop: its selector, which a `continue` sets to -1."""
    continued: bool = False


class Flow(Assignments):
    """Emits statements into the current sequence."""

    def __init__(
        self,
        script: str,
        function: syntax.Function,
        behaviour: Behaviour,
        recovers: bool,
        loose: frozenset[str] = frozenset(),
        masks: Masks | None = None,
    ) -> None:
        super().__init__(script, function, behaviour, recovers, loose, masks)
        self.places: list[Place] = []
        self.tables: list[tuple[str, dict[int | str, int]]] = []
        self.selectors = 0
        self.flags: list[str] = []
        self.has_scope = function.rules.scoped_endon and any(
            isinstance(part, syntax.EndOn) for part in walk(function.body, behaviour.strips)
        )

    # ---- statements ------------------------------------------------------------------------------------

    def body(self, nodes: list[syntax.Stmt]) -> None:
        for node in nodes:
            self.statement(node)

    def statement(self, node: syntax.Stmt) -> None:
        if self.behaviour.strips(node):
            return
        self.temps = 0
        self.seen = None
        match node:
            case syntax.Block() | syntax.DeveloperBlock():
                self.body(node.body)
            case syntax.Assign():
                self.assign(node)
            case syntax.CompoundAssign():
                self.compound_assign(node)
            case syntax.Increment():
                self.increment(node)
            case syntax.CallStatement():
                self.value(node.call)
            case syntax.Return():
                self.return_value(node)
            case syntax.If():
                self.if_chain(node)
            case syntax.While():
                self.loop(node, node.condition, node.body, None)
            case syntax.For():
                if node.init is not None:
                    self.statement(node.init)
                self.loop(node, node.condition, node.body, node.step)
            case syntax.DoWhile():
                self.do_while(node)
            case syntax.Switch():
                self.switch(node)
            case syntax.Break():
                self.line("break", node.start, node.end)
            case syntax.Continue():
                self.continue_loop(node)
            case syntax.Wait():
                self.wait(node)
            case syntax.WaitTillFrameEnd():
                self.suspend([], "WAIT_END()", [], node.start, node.end, None)
            case syntax.WaitTill():
                self.wait_till(node)
            case syntax.WaitTillMatch():
                self.wait_till_match(node)
            case syntax.Notify():
                self.notify(node)
            case syntax.EndOn():
                event = self.value(node.event)
                with self.holding(event):
                    object = self.value(node.object)
                level = ", D" if self.rules.scoped_endon else ""
                self.line(f"ENDON({object.text}, {event.text}{level})", node.at, node.at + 5)
            case _:
                pass

    def return_value(self, node: syntax.Return) -> None:
        if node.value is None:
            self.leave(node.start, node.end)
            self.line("return None", node.start, node.end)
            return
        atom = self.value(node.value)
        if not isinstance(node.value, syntax.LocalVar):
            self.mark_shared(atom, node.value)
        call = None if self.has_scope else self.taken_back(atom)
        if call is not None:
            self.line(f"return {call.text.partition(' = ')[2]}", call.start, call.end)
            return
        self.leave(node.start, node.end)
        self.line(f"return {atom.text}", node.start, node.end)

    def leave(self, start: int, end: int) -> None:
        """Forget the endons of this call, where they belong to it."""
        if self.has_scope:
            self.line("LEAVE(D)", start, end)

    # ---- branches and loops ----------------------------------------------------------------------------

    def if_chain(self, node: syntax.If) -> None:
        links: list[syntax.If] = [node]
        while isinstance(links[-1].otherwise, syntax.If):
            links.append(links[-1].otherwise)
        if len(links) > MAX_ELSE_DEPTH:
            self.flat_chain(links)
        else:
            self.nested_chain(links)
            self.seen = None

    def nested_chain(self, links: list[syntax.If]) -> None:
        node = links[0]
        if self.recovers or has_call(node.condition):
            self.seen = None
        elif self.seen is None:
            self.seen = {}
        test, fails = self.test(node.condition)
        temps = self.temps
        then = self.inner(lambda: self.statement(node.then))
        otherwise: Sequence | None = None
        if len(links) > 1:
            # What was read for this condition can be read for the next one too.
            self.temps = temps
            otherwise = self.inner(lambda: self.nested_chain(links[1:]))
        elif node.otherwise is not None:
            last = node.otherwise
            otherwise = self.inner(lambda: self.statement(last))
        if fails is not None and (then.high or (otherwise is not None and otherwise.high)):
            # On the way back to a site inside it is not evaluated again. Not into a temporary in which the next link
            # expects a field that was read for this one.
            self.temps = temps
            test, fails = self.assigned(test, INT, *fails).text, None
        self.branch(test, then, otherwise, *(fails or (node.condition.start, node.condition.end)))

    def flat_chain(self, links: list[syntax.If]) -> None:
        """`else if` without nesting: a flag says that no condition has held yet."""
        flag = f"E{len(self.flags) + 1}"
        self.flags.append(flag)
        self.line(f"{flag} = 1", links[0].start, links[0].start)
        for link in links:
            start, end = link.condition.start, link.condition.end

            def test(link: syntax.If = link, start: int = start, end: int = end) -> None:
                condition = self.condition(link.condition)
                if has_call(link.condition):
                    # A resumption within the condition comes here with the flag not set.
                    self.line(f"{flag} = 1", start, end)
                with self.nested() as then:
                    self.line(f"{flag} = 0", link.start, link.start)
                    self.statement(link.then)
                self.branch(condition, then, None, link.condition.start, link.condition.end)

            self.branch(flag, self.inner(test), None, start, end)
        last = links[-1].otherwise
        if last is not None:
            self.branch(flag, self.inner(lambda: self.statement(last)), None, last.start, last.end)

    @contextmanager
    def counting(self) -> Iterator[Sequence]:
        """Emit the inside of a loop: its rounds are counted, so calls in it need not be."""
        self.loops += 1
        with self.nested() as inside:
            yield inside
        self.loops -= 1

    def add_loop(self, inside: Sequence, node: syntax.Stmt) -> None:
        """An endless loop around `inside`.

        The iterator counts the rounds of all loops of one weight and raises in a thread that is over its budget; it
        never ends."""

        head = f"for _ in {mangle.ticks(weight(self.costs.round(node)))}:"
        self.add_compound(Loop(Line(0, head, node.start, node.start), inside))

    def loop(
        self, node: syntax.Stmt, condition: syntax.Expr | None, body: syntax.Stmt, step: syntax.Stmt | None
    ) -> None:
        def repeat() -> None:
            if step is not None:
                self.statement(step)

        with self.counting() as inside:
            if condition is not None:
                self.exit_unless(condition)
            self.places.append(Place(repeat=repeat))
            self.statement(body)
            self.places.pop()
            repeat()
        self.add_loop(inside, node)

    def do_while(self, node: syntax.DoWhile) -> None:
        with self.counting() as inside:
            self.places.append(Place(repeat=lambda: self.exit_unless(node.condition)))
            self.statement(node.body)
            self.places.pop()
            self.temps = 0
            self.exit_unless(node.condition)
        self.add_loop(inside, node)

    def exit_unless(self, condition: syntax.Expr) -> None:
        test, fails = self.test(condition)
        if test != "1":
            test = f"({test})" if fails else test
            self.line(f"if not {test}: break", *(fails or (condition.start, condition.end)))

    def continue_loop(self, node: syntax.Continue) -> None:
        place = self.places[-1]
        if place.switch is not None:
            place.continued = True
            self.line(f"{place.switch} = -1", node.start, node.end)
            self.line("break", node.start, node.end)
            return
        if place.repeat is not None:
            # Loops inside the repeated step would see this loop as their own.
            kept = self.places.pop()
            place.repeat()
            self.places.append(kept)
        self.line("continue", node.start, node.end)

    # ---- switch ----------------------------------------------------------------------------------------

    def switch(self, node: syntax.Switch) -> None:
        groups = switch_groups(node)
        value = self.named(self.value(node.value), node.value.start, node.value.end)
        if not groups:
            self.line(f"SWITCH({value.text}, 0)", node.value.start, node.value.end)
            return
        self.selectors += 1
        selector = f"K{self.selectors}"
        table = mangle.table(self.script, self.function.name, self.selectors)
        default = next((i for i, g in enumerate(groups) if g.default), len(groups))
        self.tables.append((table, {label: i for i, g in enumerate(groups) for label in g.labels}))
        start, end = node.value.start, node.value.end
        guard = guards((value, INT | STRING))
        look_up = f"{table}.get({value.text})" + (f" if {guard} else None" if guard else "")
        self.line(f"{selector} = {'None' if guard is None else look_up}", start, end)
        self.line(f"if {selector} is None: {selector} = SWITCH({value.text}, {default})", start, end)
        if all(closed(group, last=group is groups[-1]) for group in groups):
            self.choice(groups, selector, node)
        else:
            self.cascade(groups, selector, node)

    def choice(self, groups: list[Group], selector: str, node: syntax.Switch) -> None:
        """A switch none of whose groups falls through: one branch each, no loop."""
        # The type checker cannot tell the type of a default.
        bodies = [self.inner(lambda g=group: self.body(without_break(g.body))) for group in groups]  # type: ignore[misc]  # bound now
        self.add_compound(Choice(selector, bodies, node.start))

    def cascade(self, groups: list[Group], selector: str, node: syntax.Switch) -> None:
        """Any switch: a one-trip loop that a break leaves, in which a group runs if the selector is not past it."""
        place = Place(switch=selector)
        self.places.append(place)
        # The type checker cannot tell the type of a default.
        bodies = [self.inner(lambda g=group: self.body(g.body)) for group in groups]  # type: ignore[misc]  # bound now
        self.places.pop()
        self.add_compound(Cascade(selector, bodies, node.start))
        if place.continued:
            at = node.start
            outer = syntax.Continue(at, at)
            self.branch(f"{selector} < 0", self.inner(lambda: self.continue_loop(outer)), None, at, at)

    # ---- time and events -------------------------------------------------------------------------------

    def wait(self, node: syntax.Wait) -> None:
        seconds = self.value(node.seconds)
        constant = as_float(seconds)
        if (
            constant is not None
            and not self.rules.frames
            and isinstance(constant.constant, float)
            and 0 <= constant.constant < MAX_WAIT
        ):
            self.suspend([], "", [], node.start, node.end, round(constant.constant * 1000))
        else:
            self.suspend([], f"WAIT({seconds.text})", [], node.start, node.end)

    def wait_till(self, node: syntax.WaitTill) -> None:
        event = self.value(node.event)
        with self.holding(event):
            object = self.value(node.object)
        names = [mangle.local(n) for n in node.names]
        restore = [f"{tuple_text(names)} = FR.value"] if names else []
        call = f"WAITTILL({object.text}, {event.text}, {len(names)})"
        start, end = node.at, node.at + len("waittill")
        if self.recovers or self.rules.strict or not isinstance(event.constant, str):
            self.suspend([], call, restore, start, end, None)
            return
        # The way that threads take again and again, inline; the helper makes what is not there yet, and waits or fails.
        waiters = f"{object.text}.waiters"
        issue = []
        if object.text != "LEVEL":
            known = self.temp()
            issue.append((0, f"{known} = {waiters} if {object.text}.__class__ in OBJECTS else None"))
            waiters = known
        issue += [
            (0, f"try: {waiters}[{event.text}][TH] = {len(names)}"),
            (0, f"except EVENT_ERRORS: {call}"),
            (0, "else:"),
            (1, f"TH.waits_on = {object.text}"),
            (1, f"TH.event = {event.text}"),
        ]
        self.suspend(issue, "", restore, start, end, None, needs_thread=True)

    def wait_till_match(self, node: syntax.WaitTillMatch) -> None:
        matches = self.arguments(node.matches)
        with self.holding(*matches):
            event = self.value(node.event)
            with self.holding(event):
                object = self.value(node.object)
        test = f"WAITTILL({object.text}, {event.text}, {tuple_text([m.text for m in matches])})"
        self.suspend([], test, [], node.at, node.at + len("waittillmatch"), None)

    def notify(self, node: syntax.Notify) -> None:
        args = self.arguments(node.args)
        with self.holding(*args):
            event = self.value(node.event)
            with self.holding(event):
                object = self.value(node.object)
        text = f"NOTIFY({object.text}, {event.text}, {tuple_text([a.text for a in args])})"
        self.line(text, node.at, node.at + len("notify"))

"""Statements as Python text: assignment, control flow, time and events."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TypeVar, cast

from engine.gsc import mangle, syntax
from engine.gsc.emit_values import Atom, Held, Values, as_float, guards, tuple_text
from engine.gsc.inference import ANY, ARRAY, INT, OTHER, STRING, UNDEFINED
from engine.gsc.sequence import Compound, Line, Sequence, block
from engine.gsc.suspension import walk

P = TypeVar("P", syntax.FieldAccess, syntax.Index, syntax.FieldAccess | syntax.Index)

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


@dataclass(slots=True)
class Group:
    """The statements of a switch from one set of labels to the next."""

    labels: list[int | str] = field(default_factory=list)
    default: bool = False
    body: list[syntax.Stmt] = field(default_factory=list)


class Flow(Values):
    """Emits statements into the current sequence."""

    def setup(self) -> None:
        self.places: list[Place] = []
        self.tables: list[tuple[str, dict[int | str, int]]] = []
        self.selectors = 0
        self.flags: list[str] = []

    # ---- statements ------------------------------------------------------------------------------------

    def body(self, nodes: list[syntax.Stmt]) -> None:
        for node in nodes:
            self.statement(node)

    def inner(self, emit: Callable[[], None]) -> Sequence:
        """What `emit` emits, as a sequence of its own."""
        with self.nested() as sequence:
            emit()
        return sequence

    def statement(self, node: syntax.Stmt) -> None:
        if self.behaviour.strips(node):
            return
        self.temps = 0
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
                self.line(f"ENDON({object.text}, {event.text})", node.at, node.at + 5)
            case _:
                pass

    def return_value(self, node: syntax.Return) -> None:
        if node.value is None:
            self.line("return None", node.start, node.end)
            return
        atom = self.value(node.value)
        if not isinstance(node.value, syntax.LocalVar):
            self.mark_shared(atom, node.value)
        self.line(f"return {atom.text}", node.start, node.end)

    # ---- assignment ------------------------------------------------------------------------------------

    def assign(self, node: syntax.Assign) -> None:
        target = node.target
        removes = isinstance(node.value, syntax.Undefined) and node.value.written
        if isinstance(target, syntax.LocalVar):
            name = mangle.local(target.name)
            atom = self.value(node.value, into=name)
            self.mark_shared(atom, node.value)
            if atom.text != name:
                self.line(f"{name} = {atom.text}", target.start, node.end)
            return
        if removes:
            self.remove(self.settled(target)[0])
            return
        atom = self.value(node.value)
        self.mark_shared(atom, node.value)
        if atom.mask & ARRAY and isinstance(node.value, syntax.LocalVar):
            # Writing below the same local may replace the array that it holds: `a[1] = a`.
            atom = self.assigned(atom.text, atom.mask, node.value.start, node.value.end)
        with self.holding(atom):
            target, _ = self.settled(target)
            if isinstance(target, syntax.FieldAccess):
                owner = self.value(target.object)
                self.write_field(target, owner, atom)
            else:
                key = self.value(target.key)
                with self.holding(key):
                    container = self.writable(target.container)
                self.put(container, key, atom, target.at)

    def write_field(self, target: syntax.FieldAccess, owner: Atom, atom: Atom) -> None:
        """`owner.name = atom`; where the owner is no object, the whole path may be an array's."""
        start, end = target.at, target.at + len(target.name)
        attribute = f"{owner.text}.{mangle.field(target.name)}"
        if owner.text == "LEVEL" and not self.recovers:
            self.line(f"{attribute} = {atom.text}", start, end)
            return
        slow = f"SET_FIELD({owner.text}, {target.name!r}, {atom.text})"
        if not owner.mask & (OTHER | ARRAY):
            self.line(slow, start, end)
            return
        if isinstance(target.object, syntax.Predefined) and target.object.name == "game":
            self.line(f"ROOT.game = SET_FIELD(ROOT.game, {target.name!r}, {atom.text})", start, end)
            return
        if isinstance(target.object, syntax.Predefined | Held):
            self.line(f"try: {attribute} = {atom.text}", start, end)
            self.line(f"except FIELD_ERRORS: {slow}", start, end)
            return
        name = self.temp()
        self.line(f"try: {attribute} = {atom.text}", start, end)
        self.line("except FIELD_ERRORS:", start, end)
        self.line(f"{name} = {slow}", start, end, 1)
        # An array took the value under its key: the changed array goes back to where it came from.
        with self.nested() as back:
            self.store_back(target.object, name)
        self.line(f"if {name} is not None:", start, end, 1)
        for line in back.render():
            self.line(line.text, line.start, line.end, line.depth + 2)

    def store_back(self, node: syntax.Expr, name: str) -> None:
        """Store a changed array into the variable, field or element that `node` means."""
        if isinstance(node, syntax.LocalVar):
            self.line(f"{mangle.local(node.name)} = {name}", node.start, node.end)
        elif isinstance(node, syntax.Predefined):
            self.line(f"ROOT.game = {name}", node.start, node.end)
        elif isinstance(node, syntax.FieldAccess):
            self.write_field(node, self.value(node.object), Atom(name, ARRAY))
        elif isinstance(node, syntax.Index):
            key = self.value(node.key)
            container = self.writable(node.container)
            self.line(f"PUT({container.text}, {key.text}, {name})", node.at, node.at + 1)

    def writable(self, node: syntax.Expr) -> Atom:
        """The container that `node` means, ready to be written: an unshared array that its holder knows, or an object.

        Under recovery the text may be None at run time, which the writing helpers ignore."""
        match node:
            case syntax.LocalVar():
                name = mangle.local(node.name)
                mask = self.inference.read(node)
                return self.own(Atom(name, mask), name, node)
            case syntax.Predefined(name="game"):
                text = self.assigned("ROOT.game", ARRAY, node.start, node.end).text
                return self.own(Atom(text, ARRAY), "ROOT.game", node)
            case syntax.FieldAccess():
                owner = self.value(node.object)
                old = self.read_field(owner, node)
                with self.nested() as store:
                    self.write_field(node, owner, old)
                return self.own(old, store, node)
            case syntax.Index():
                key = self.value(node.key)
                with self.holding(key):
                    parent = self.writable(node.container)
                return self.assigned(f"ELEMENT({parent.text}, {key.text})", ANY, node.at, node.at + 1)
            case _:
                atom = self.value(node)
                return self.assigned(f"WRITABLE({atom.text})", ANY, node.start, node.end)

    def own(self, atom: Atom, holder: str | Sequence, node: syntax.Expr) -> Atom:
        """Make the array in `atom` unshared and store it back to its holder: a Python target or emitted lines."""
        start, end = node.start, node.end
        name = atom.text if isinstance(holder, Sequence) else self.temp()
        test = f"{atom.text}.__class__ is not ARRAY or {atom.text}.shared"
        if isinstance(holder, str):
            self.line(f"{name} = {atom.text}", start, end)
            test = test.replace(atom.text, name)
        self.line(f"if {test}:", start, end)
        self.line(f"{name} = WRITABLE({name})", start, end, 1)
        store = [Line(0, f"{holder} = {name}", start, end)] if isinstance(holder, str) else holder.render()
        if self.recovers:
            self.line(f"if {name} is not None:", start, end, 1)
            store = [Line(line.depth + 1, *line[1:]) for line in store]
        for line in store:
            self.line(line.text, line.start, line.end, line.depth + 1)
        return Atom(name, ARRAY | OTHER | (UNDEFINED if self.recovers else 0))

    def put(self, container: Atom, key: Atom, atom: Atom, at: int) -> None:
        """Write an element; only an existing key is written inline, a new one is counted by the helper."""
        slow = f"PUT({container.text}, {key.text}, {atom.text})"
        guard = guards((container, ARRAY), (key, INT | STRING))
        if guard is None:
            self.line(slow, at, at + 1)
            return
        test = f"{guard} and " if guard else ""
        self.line(
            f"if {test}{key.text} in {container.text}: {container.text}[{key.text}] = {atom.text}", at, at + 1
        )
        self.line(f"else: {slow}", at, at + 1)

    def remove(self, target: syntax.FieldAccess | syntax.Index) -> None:
        """`target = undefined` removes the field or element (vm facts, 1.3)."""
        if isinstance(target, syntax.FieldAccess):
            owner = self.value(target.object)
            start, end = target.at, target.at + len(target.name)
            result = self.assigned(f"DEL_FIELD({owner.text}, {target.name!r})", ANY, start, end)
            game = isinstance(target.object, syntax.Predefined) and target.object.name == "game"
            if game or not isinstance(target.object, syntax.Predefined | Held):
                with self.nested() as back:
                    self.store_back(target.object, result.text)
                self.line(f"if {result.text} is not None:", start, end)
                for line in back.render():
                    self.line(line.text, line.start, line.end, line.depth + 1)
            return
        key = self.value(target.key)
        with self.holding(key):
            container = self.writable(target.container)
        self.line(f"REMOVE({container.text}, {key.text})", target.at, target.at + 1)

    def settled(self, target: P) -> tuple[P, list[Atom]]:
        """`target` with every part that can be evaluated only once evaluated, keys before their containers, and those
        parts. What is left is a path of variables, fields and elements, which may be walked again."""
        held: list[Atom] = []

        def hold(node: syntax.Expr) -> syntax.Expr:
            with self.holding(*held):
                atom = self.value(node)
            held.append(atom)
            return cast(syntax.Expr, Held(node.start, node.end, atom))

        def settle(node: syntax.Expr) -> syntax.Expr:
            match node:
                case syntax.LocalVar() | syntax.Predefined():
                    return node
                case syntax.FieldAccess():
                    return syntax.FieldAccess(node.start, node.end, settle(node.object), node.name, node.at)
                case syntax.Index(
                    key=syntax.LocalVar() | syntax.IntLiteral() | syntax.StringLiteral() as key
                ):
                    return syntax.Index(node.start, node.end, settle(node.container), key, node.at)
                case syntax.Index():
                    once = hold(node.key)
                    return syntax.Index(node.start, node.end, settle(node.container), once, node.at)
                case _:
                    return hold(node)

        return cast(P, settle(target)), held

    def update(
        self, target: syntax.Reference, right: syntax.Expr | None, compute: Callable[[Atom, str | None], Atom]
    ) -> None:
        """Read a target, compute from it, write it back. Its keys are evaluated once; the path to it is walked again
        for writing where `right` may have changed it (vm facts, 5.2)."""
        if isinstance(target, syntax.LocalVar):
            name = mangle.local(target.name)
            result = compute(self.value(target), name)
            if result.text != name:
                self.line(f"{name} = {result.text}", target.start, target.end)
            return
        target, held = self.settled(target)
        with self.holding(*held):
            if isinstance(target, syntax.FieldAccess):
                owner = self.value(target.object)
                with self.holding(owner):
                    result = compute(self.read_field(owner, target), None)
                if right is not None and has_call(right):
                    with self.holding(result):
                        owner = self.value(target.object)
                self.write_field(target, owner, result)
            else:
                key = self.value(target.key)
                old = self.read_index(self.value(target.container), key, target)
                result = compute(old, None)
                self.put(self.writable(target.container), key, result, target.at)

    def compound_assign(self, node: syntax.CompoundAssign) -> None:
        def compute(old: Atom, into: str | None) -> Atom:
            with self.holding(old):
                right = self.value(node.value)
            return self.operate(node.op, old, right, node.at, into)

        self.update(node.target, node.value, compute)

    def increment(self, node: syntax.Increment) -> None:
        def compute(old: Atom, into: str | None) -> Atom:
            name = into or self.temp()
            end = node.at + 2
            sign, bound = ("+", "> 1073741823") if node.delta > 0 else ("-", "< -1073741823")
            guard = guards((old, INT))
            slow = f"{name} = INCREMENT({old.text}, {node.delta})"
            lines = [f"{name} = {old.text} {sign} 1", f"if {name} {bound}: {name} = WRAP({name})"]
            if guard == "":
                for text in lines:
                    self.line(text, node.at, end)
                return Atom(name, INT)
            if guard is None:
                self.line(slow, node.at, end)
            else:
                self.line(f"if {guard}:", node.at, end)
                for text in lines:
                    self.line(text, node.at, end, 1)
                self.line(f"else: {slow}", node.at, end)
            return Atom(name, INT | (UNDEFINED if self.recovers else 0))

        self.update(node.target, None, compute)

    # ---- branches and loops ----------------------------------------------------------------------------

    def if_chain(self, node: syntax.If) -> None:
        links: list[syntax.If] = [node]
        while isinstance(links[-1].otherwise, syntax.If):
            links.append(links[-1].otherwise)
        if len(links) > MAX_ELSE_DEPTH:
            self.flat_chain(links)
        else:
            self.nested_chain(links)

    def nested_chain(self, links: list[syntax.If]) -> None:
        node = links[0]
        test = self.condition(node.condition)
        then = self.inner(lambda: self.statement(node.then))
        otherwise: Sequence | None = None
        if len(links) > 1:
            otherwise = self.inner(lambda: self.nested_chain(links[1:]))
        elif node.otherwise is not None:
            last = node.otherwise
            otherwise = self.inner(lambda: self.statement(last))
        self.branch(test, then, otherwise, node.condition.start, node.condition.end)

    def flat_chain(self, links: list[syntax.If]) -> None:
        """`else if` without nesting: a flag says that no condition has held yet."""
        flag = f"E{len(self.flags) + 1}"
        self.flags.append(flag)
        self.line(f"{flag} = 1", links[0].start, links[0].start)
        for link in links:
            start, end = link.condition.start, link.condition.end

            def test(link: syntax.If = link) -> None:
                condition = self.condition(link.condition)
                with self.nested() as then:
                    self.line(f"{flag} = 0", link.start, link.start)
                    self.statement(link.then)
                self.branch(condition, then, None, link.condition.start, link.condition.end)

            self.branch(flag, self.inner(test), None, start, end)
        last = links[-1].otherwise
        if last is not None:
            self.branch(flag, self.inner(lambda: self.statement(last)), None, last.start, last.end)

    def add_loop(self, inside: Sequence, node: syntax.Stmt) -> None:
        """An endless loop around `inside`.

        The iterator counts the rounds of all loops and raises in a thread that is over its budget; it is spent for the
        loops further out in the same resumption, which then end their threads too."""

        def at(text: str) -> Line:
            return Line(0, text, node.start, node.start)

        lines = [
            at("for _ in TICKS:"),
            *block(inside.render(), node.start, node.start),
            at("else: OVER_BUDGET()"),
        ]
        if inside.high:
            self.sequence.items.append(Compound(inside.low, inside.high, lines))
        else:
            self.sequence.add(lines)

    def loop(
        self, node: syntax.Stmt, condition: syntax.Expr | None, body: syntax.Stmt, step: syntax.Stmt | None
    ) -> None:
        def repeat() -> None:
            if step is not None:
                self.statement(step)

        with self.nested() as inside:
            if condition is not None:
                self.exit_unless(condition)
            self.places.append(Place(repeat=repeat))
            self.statement(body)
            self.places.pop()
            repeat()
        self.add_loop(inside, node)

    def do_while(self, node: syntax.DoWhile) -> None:
        with self.nested() as inside:
            self.places.append(Place(repeat=lambda: self.exit_unless(node.condition)))
            self.statement(node.body)
            self.places.pop()
            self.temps = 0
            self.exit_unless(node.condition)
        self.add_loop(inside, node)

    def exit_unless(self, condition: syntax.Expr) -> None:
        test = self.condition(condition)
        if test != "1":
            self.line(f"if not {test}: break", condition.start, condition.end)

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
        value = self.value(node.value)
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
        bodies = [self.inner(lambda g=group: self.body(without_break(g.body))) for group in groups]  # type: ignore[misc]
        lines: list[Line] = []
        for number, body in enumerate(bodies):
            word = "elif" if lines else "if"
            lines.append(Line(0, f"{word} {selector} == {number}:", node.start, node.start))
            lines += block(body.render(), node.start, node.start)
        self.add_switch(bodies, [*resume_selector(bodies, selector, node), *lines])

    def cascade(self, groups: list[Group], selector: str, node: syntax.Switch) -> None:
        """Any switch: a one-trip loop that a break leaves, in which a group runs if the selector is not past it."""
        place = Place(switch=selector)
        self.places.append(place)
        bodies = [self.inner(lambda g=group: self.body(g.body)) for group in groups]  # type: ignore[misc]
        self.places.pop()
        at = node.start
        inside: list[Line] = []
        for number, body in enumerate(bodies):
            inside.append(Line(0, f"if {selector} <= {number}:", at, at))
            inside += block(body.render(), at, at)
        inside.append(Line(0, "break", at, at))
        lines = [
            *resume_selector(bodies, selector, node),
            Line(0, "while 1:", at, at),
            *block(inside, at, at),
        ]
        self.add_switch(bodies, lines)
        if place.continued:
            outer = syntax.Continue(node.start, node.start)
            self.branch(f"{selector} < 0", self.inner(lambda: self.continue_loop(outer)), None, at, at)

    def add_switch(self, bodies: list[Sequence], lines: list[Line]) -> None:
        low = next((b.low for b in bodies if b.high), 0)
        high = next((b.high for b in reversed(bodies) if b.high), 0)
        if high:
            self.sequence.items.append(Compound(low, high, lines))
        else:
            self.sequence.add(lines)

    # ---- time and events -------------------------------------------------------------------------------

    def wait(self, node: syntax.Wait) -> None:
        seconds = self.value(node.seconds)
        constant = as_float(seconds)
        test = f"WAIT({seconds.text})"
        if (
            constant is not None
            and isinstance(constant.constant, float)
            and 0 <= constant.constant < MAX_WAIT
        ):
            test = f"WAIT_MS({round(constant.constant * 1000)})"
        self.suspend([], test, [], node.start, node.end)

    def wait_till(self, node: syntax.WaitTill) -> None:
        event = self.value(node.event)
        with self.holding(event):
            object = self.value(node.object)
        names = [mangle.local(n) for n in node.names]
        restore = [f"{tuple_text(names)} = FR.value"] if names else []
        test = f"WAITTILL({object.text}, {event.text}, {len(names)})"
        self.suspend([], test, restore, node.at, node.at + len("waittill"))

    def wait_till_match(self, node: syntax.WaitTillMatch) -> None:
        matches = self.arguments(node.matches)
        with self.holding(*matches):
            event = self.value(node.event)
            with self.holding(event):
                object = self.value(node.object)
        test = f"WAITTILL({object.text}, {event.text}, {tuple_text([m.text for m in matches])})"
        self.suspend([], test, [], node.at, node.at + len("waittillmatch"))

    def notify(self, node: syntax.Notify) -> None:
        args = self.arguments(node.args)
        with self.holding(*args):
            event = self.value(node.event)
            with self.holding(event):
                object = self.value(node.object)
        text = f"NOTIFY({object.text}, {event.text}, {tuple_text([a.text for a in args])})"
        self.line(text, node.at, node.at + len("notify"))


def has_call(node: syntax.Expr) -> bool:
    """Whether evaluating `node` may run other script code."""
    return any(isinstance(part, syntax.Call) for part in walk(node, lambda part: False))


# ---- switches --------------------------------------------------------------------------------------------


def switch_groups(node: syntax.Switch) -> list[Group]:
    groups: list[Group] = []
    fresh = False
    for part in node.body:
        if isinstance(part, syntax.Case | syntax.Default):
            if not fresh:
                groups.append(Group())
            fresh = True
            if isinstance(part, syntax.Default):
                groups[-1].default = True
            else:
                groups[-1].labels.append(part.label)
        else:
            fresh = False
            if groups:
                groups[-1].body.append(part)
    return groups


def closed(group: Group, *, last: bool) -> bool:
    """Whether a group never falls into the next one and leaves the switch only at its end."""
    body = flattened(group.body)
    ends = bool(body) and isinstance(body[-1], syntax.Break | syntax.Return | syntax.Continue)
    return (ends or last) and not any(breaks(part) for part in body[: len(body) - ends])


def flattened(body: list[syntax.Stmt]) -> list[syntax.Stmt]:
    """The statements of a case that is written as one block are those of the block."""
    while len(body) == 1 and isinstance(body[0], syntax.Block):
        body = body[0].body
    return body


def without_break(body: list[syntax.Stmt]) -> list[syntax.Stmt]:
    body = flattened(body)
    return body[:-1] if body and isinstance(body[-1], syntax.Break) else body


def breaks(node: syntax.Stmt | None) -> bool:
    """Whether a statement holds a break of the switch around it; one inside a loop or switch of its own does not
    count."""
    match node:
        case syntax.Break():
            return True
        case syntax.Block() | syntax.DeveloperBlock():
            return any(breaks(part) for part in node.body)
        case syntax.If():
            return breaks(node.then) or breaks(node.otherwise)
        case _:
            return False


def resume_selector(bodies: list[Sequence], selector: str, node: syntax.Switch) -> list[Line]:
    """On resumption the selector is that of the group with the site."""
    ranges = [(body.high, number) for number, body in enumerate(bodies) if body.high]
    if not ranges:
        return []
    text = str(ranges[-1][1])
    for high, number in reversed(ranges[:-1]):
        text = f"{number} if site <= {high} else {text}"
    return [Line(0, f"if site: {selector} = {text}", node.start, node.start)]

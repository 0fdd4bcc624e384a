"""What types a local can have at each place where it is read.

A forward pass over one function with a bit set of types for each local, and bounds for ints, repeated around loops
until nothing changes. Most calls, fields and elements can be anything; locals, literals and operators are what this is
about. The result lets the emitter leave out checks that cannot fail.

A function that calls no other is also looked at with the types that one call gives its parameters: `result_of` tells
what it returns then, and the emitter makes a version of it for them.
"""

from __future__ import annotations

from engine.gsc import spans, syntax
from engine.gsc.environment import Environment, join
from engine.gsc.kinds import (
    ANY,
    ARRAY,
    FLOAT,
    INT,
    OTHER,
    STRING,
    UNDEFINED,
    VECTOR,
    binary_type,
    increment_type,
)
from engine.gsc.spans import WHOLE, Span
from engine.gsc.suspension import Behaviour, Key, walk
from engine.gsc.walk import base

Masks = tuple[int, ...]
"""The types of the arguments of a call, in written order."""


class Inference:
    """Runs over one function; afterwards `read` and `span_at` tell of a `LocalVar` node, and `returns` of the function.

    `masks` are the types of the parameters, None for any.
    """

    def __init__(
        self,
        function: syntax.Function,
        behaviour: Behaviour,
        recovers: bool,
        loose: frozenset[str] = frozenset(),
        key: Key | None = None,
        masks: Masks | None = None,
    ) -> None:
        """`loose` are locals of which nothing is believed."""
        self.behaviour = behaviour
        self.recovers = recovers
        self.rules = function.rules
        self.strict = function.rules.strict
        self.late_animations = function.rules.late_animations
        self.loose = loose
        self.key = key
        self.masks = masks
        self.resumable = key in behaviour.suspends
        self.types: dict[int, int] = {}
        self.spans: dict[int, Span] = {}
        self._sides: dict[int, tuple[int, int]] = {}
        """The types of the operands of each comparison, as they were last seen."""
        self.seen: dict[str, int] = {}
        """The types that all reads of a local together can see."""
        self.written: dict[str, int] = dict.fromkeys(function.params, ANY)
        """The types that are ever put into a local."""
        self.body = function.body
        self.breaks: list[Environment | None] = []
        self.continues: list[Environment | None] = []
        self.names = local_names(function, behaviour)
        self.returns = UNDEFINED if recovers else 0
        """The types of what the function returns. Where errors recover, a call beyond the depth limit gives
        undefined."""
        env = Environment(dict(zip(function.params, masks or (ANY,) * len(function.params), strict=True)))
        self.statement(function.body, env)
        if not env.dead:
            self.returns |= UNDEFINED

    def read(self, node: syntax.LocalVar) -> int:
        """The types that this read can see; any where code is unreachable."""
        return self.types.get(id(node), ANY)

    def span_at(self, node: syntax.LocalVar) -> Span:
        """The bounds of the int that this read sees, if it is one."""
        return self.spans.get(id(node), WHOLE)

    # ---- calls -----------------------------------------------------------------------------------------

    def call(self, node: syntax.Call, env: Environment) -> int:
        masks = [self.value(argument, env) for argument in reversed(node.args)]
        if node.object is not None:
            self.value(node.object, env)
        target = node.target
        if isinstance(target, syntax.PointerTarget):
            self.value(target.value, env)
        elif isinstance(target.bound, syntax.ScriptFunction) and not node.threaded:
            key = (target.bound.script, target.bound.name)
            version = self.version(key, tuple(reversed(masks)))
            if version is not None:
                return self.result(key, version)
        elif isinstance(target.bound, syntax.NativeFunction) and not (node.threaded or self.strict):
            if (target.bound.name, target.bound.method) == ("isdefined", False) and len(node.args) == 1:
                return INT
            known = self.behaviour.built_in(target.bound)
            if known is not None:
                return known.gives | (UNDEFINED if self.recovers else 0)
        return ANY

    def version(self, key: Key, masks: Masks) -> Masks | None:
        """The types of the parameters for which a call gets a version of the function of its own; None where it gets
        the one for any types."""
        function = self.behaviour.leaves.get(key)
        if (
            function is None
            or function.rules is not self.rules
            or not 0 < len(function.params) <= MAX_PARAMETERS
        ):
            return None
        count = len(function.params)
        masks = (*masks[:count], *(UNDEFINED,) * (count - len(masks)))
        exact = all(mask and not mask & (mask - 1) for mask in masks)
        return masks if exact and any(mask & ~(OTHER | UNDEFINED) for mask in masks) else None

    def result(self, key: Key, masks: Masks) -> int:
        """The types that a call of such a version returns."""
        if self.masks is not None and key == self.key and masks != self.masks:
            # Versions that call one another would have to be looked at together.
            return ANY
        return result_of(self.behaviour, self.recovers, key, masks)

    # ---- expressions -----------------------------------------------------------------------------------

    def value(self, node: syntax.Expr, env: Environment) -> int:
        match node:
            case syntax.LocalVar():
                known = id(node)
                if node.name in self.loose:
                    self.types[known] = self.seen[node.name] = ANY
                    return ANY
                mask = env.type(node.name)
                self.seen[node.name] = self.seen.get(node.name, 0) | mask
                span = env.span(node.name)
                if known in self.types:
                    span = spans.hull(span, self.span_at(node))
                self.spans[known] = span
                self.types[known] = self.types.get(known, 0) | mask
                return mask
            case syntax.IntLiteral():
                return INT
            case syntax.FloatLiteral():
                return FLOAT
            case syntax.StringLiteral():
                return STRING
            case syntax.Undefined():
                return UNDEFINED
            case syntax.EmptyArray():
                return ARRAY
            case syntax.AnimTreeRef():
                return OTHER if self.late_animations else INT
            case syntax.VectorLiteral():
                for part in (node.z, node.y, node.x):
                    self.value(part, env)
                return VECTOR | (UNDEFINED if self.recovers else 0)
            case syntax.FieldAccess():
                self.value(node.object, env)
                return ANY
            case syntax.Index():
                self.value(node.key, env)
                container = self.value(node.container, env)
                undefined = UNDEFINED if self.recovers else 0
                if container == VECTOR:
                    return FLOAT | undefined
                if container == STRING:
                    # Strict dialects give undefined beyond the end, whatever the policy.
                    return STRING | (UNDEFINED if self.strict else undefined)
                return ANY
            case syntax.Size():
                self.value(node.operand, env)
                return INT | (UNDEFINED if self.recovers else 0)
            case syntax.Unary():
                mask = self.value(node.operand, env)
                if node.op == "-":
                    return mask if mask in (INT, FLOAT) else INT | FLOAT | VECTOR | UNDEFINED
                return INT if mask == INT or not self.recovers else INT | UNDEFINED
            case syntax.Cast():
                mask = self.value(node.operand, env)
                result = {"bool": INT, "int": INT, "float": FLOAT, "string": STRING}[node.kind]
                return result if mask in (INT, FLOAT) or not self.recovers else result | UNDEFINED
            case syntax.Binary():
                return self.binary(node, env)
            case syntax.Logical():
                self.logical(node, env)
                return INT | UNDEFINED if self.strict else INT
            case syntax.Conditional():
                self.value(node.condition, env)
                return self.value(node.then, env) | self.value(node.otherwise, env)
            case syntax.Keys():
                self.value(node.array, env)
                return ARRAY
            case syntax.Call():
                return self.call(node, env)
            case _:
                return OTHER if not isinstance(node, syntax.Predefined) else ARRAY | OTHER

    def binary(self, node: syntax.Binary, env: Environment) -> int:
        # Chains lean to the left and can be long: no recursion along them.
        chain: list[syntax.Binary] = []
        left: syntax.Expr = node
        while isinstance(left, syntax.Binary):
            chain.append(left)
            left = left.left
        mask = self.value(left, env)
        for link in reversed(chain):
            other = self.value(link.right, env)
            self._sides[id(link)] = (mask, other)
            mask = binary_type(link.op, mask, other, self.recovers, self.strict)
        return mask

    def logical(self, node: syntax.Logical, env: Environment) -> None:
        rights: list[syntax.Expr] = []
        left: syntax.Expr = node
        while isinstance(left, syntax.Logical):
            rights.append(left.right)
            left = left.left
        self.value(left, env)
        for right in reversed(rights):
            self.value(right, env)

    def target(self, node: syntax.Reference, env: Environment, *, reads: bool) -> int:
        """Visit what an assignment writes to; the types that it held if it `reads` them first."""
        if isinstance(node, syntax.LocalVar):
            return self.value(node, env) if reads else ANY
        if isinstance(node, syntax.FieldAccess):
            self.value(node.object, env)
            self.touch(node.object, env)
            return ANY
        self.value(node.key, env)
        self.value(node.container, env)
        self.touch(node.container, env)
        return ANY

    def touch(self, node: syntax.Expr, env: Environment) -> None:
        """Writing below a local may turn it into an array."""
        local = base(node)
        if isinstance(local, syntax.LocalVar):
            old = env.type(local.name)
            self.written[local.name] = ANY
            env.set(local.name, (old & ~UNDEFINED) | ARRAY | (old & UNDEFINED if self.recovers else 0))

    # ---- bounds ----------------------------------------------------------------------------------------

    def span(self, node: syntax.Expr, env: Environment) -> Span:
        """The bounds of an expression that is an int, as far as they are of use."""
        match node:
            case syntax.IntLiteral():
                return node.value, node.value
            case syntax.LocalVar():
                return env.span(node.name) if node.name not in self.loose else WHOLE
            case syntax.Binary():
                chain: list[syntax.Binary] = []
                left: syntax.Expr = node
                while isinstance(left, syntax.Binary):
                    chain.append(left)
                    left = left.left
                span = self.span(left, env)
                for link in reversed(chain):
                    span = spans.result(link.op, span, self.span(link.right, env))
                return span
            case syntax.Size():
                return 0, spans.HIGHEST
            case syntax.Logical():
                # Where its first operand decides, that is the value, whatever int it is.
                first: syntax.Expr = node
                while isinstance(first, syntax.Logical):
                    first = first.left
                return spans.hull(spans.TRUTH, self.span(first, env))
            case syntax.Unary(op="!") | syntax.Cast(kind="bool"):
                return spans.TRUTH
            case _:
                return WHOLE

    def narrow(self, node: syntax.Expr, holds: bool, env: Environment) -> None:
        """Take from `env` what a condition rules out that was just evaluated in it."""
        match node:
            case syntax.Unary(op="!"):
                self.narrow(node.operand, not holds, env)
            case syntax.Logical() if (node.op == "&&") == holds:
                left: syntax.Expr = node
                while isinstance(left, syntax.Logical) and (left.op == "&&") == holds:
                    self.narrow(left.right, holds, env)
                    left = left.left
                self.narrow(left, holds, env)
            case syntax.Binary(op=op) if op in spans.NEGATED and self._sides.get(id(node)) == (INT, INT):
                relation = op if holds else spans.NEGATED[op]
                left_span, right_span = self.span(node.left, env), self.span(node.right, env)
                for side, word, other in (
                    (node.left, relation, right_span),
                    (node.right, spans.MIRRORED[relation], left_span),
                ):
                    if isinstance(side, syntax.LocalVar) and env.type(side.name) == INT:
                        env.set(side.name, INT, spans.narrowed(word, env.span(side.name), other))

    def settle(self, node: syntax.Node, env: Environment) -> None:
        """Where a thread may wait within `node`, forget the bounds: it may be moved here from another version of the
        function, with other values."""
        if env.spans and self.may_wait(node):
            env.spans.clear()

    def may_wait(self, node: syntax.Node) -> bool:
        """Whether a thread may wait within a statement or an expression."""
        return self.resumable and any(map(self._waits, walk(node, self.behaviour.strips)))

    def _waits(self, node: syntax.Node) -> bool:
        if isinstance(node, syntax.Call) and not node.threaded:
            target = node.target
            if isinstance(target, syntax.PointerTarget):
                return True
            bound = target.bound
            return isinstance(bound, syntax.ScriptFunction) and (
                (bound.script, bound.name) in self.behaviour.suspends
            )
        return isinstance(
            node, syntax.Wait | syntax.WaitTill | syntax.WaitTillMatch | syntax.WaitTillFrameEnd
        )

    def condition(self, node: syntax.Expr, env: Environment) -> Environment:
        """Evaluate a condition: `env` is what holds afterwards where it is true, the result where it is not.

        Of one in which a thread may wait nothing is learnt: the part before the wait may have been evaluated by another
        version of the function, which asked something else."""
        waits = self.may_wait(node)
        if waits:
            env.spans.clear()
        self.value(node, env)
        fails = env.copy()
        if not waits:
            self.narrow(node, False, fails)
            self.narrow(node, True, env)
        return fails

    # ---- statements ------------------------------------------------------------------------------------

    def write(self, name: str, mask: int, env: Environment, span: Span = WHOLE) -> None:
        """Put something of these types into a local."""
        self.written[name] = self.written.get(name, 0) | mask
        env.set(name, mask, span)

    def statement(self, node: syntax.Stmt, env: Environment) -> None:
        """Visit a statement and leave in `env` what holds after it."""
        if self.behaviour.strips(node):
            return
        match node:
            case syntax.Block() | syntax.DeveloperBlock():
                for part in node.body:
                    self.statement(part, env)
            case syntax.If():
                self.branches(node, env)
            case syntax.While():
                self.loop(env, node.condition, node.body, None, None)
            case syntax.DoWhile():
                self.loop(env, None, node.body, None, node.condition)
            case syntax.For():
                if node.init is not None:
                    self.statement(node.init, env)
                self.loop(env, node.condition, node.body, node.step, None)
            case syntax.Switch():
                self.switch(node, env)
            case syntax.Break():
                if not env.dead:
                    self.breaks[-1] = join(self.breaks[-1], env)
                env.dead = True
            case syntax.Continue():
                if not env.dead:
                    self.continues[-1] = join(self.continues[-1], env)
                env.dead = True
            case _:
                self.settle(node, env)
                self.simple(node, env)

    def simple(self, node: syntax.Stmt, env: Environment) -> None:
        """A statement without others inside."""
        match node:
            case syntax.Assign():
                mask = self.value(node.value, env)
                self.target(node.target, env, reads=False)
                if isinstance(node.target, syntax.LocalVar):
                    span = self.span(node.value, env) if mask == INT else WHOLE
                    self.write(node.target.name, mask, env, span)
            case syntax.CompoundAssign():
                old = self.target(node.target, env, reads=True)
                mask = binary_type(node.op, old, self.value(node.value, env), self.recovers, self.strict)
                if isinstance(node.target, syntax.LocalVar):
                    span = WHOLE
                    if mask == INT:
                        span = spans.result(node.op, self.span(node.target, env), self.span(node.value, env))
                    self.write(node.target.name, mask, env, span)
            case syntax.Increment():
                old = self.target(node.target, env, reads=True)
                if isinstance(node.target, syntax.LocalVar):
                    mask = increment_type(old, self.recovers, self.strict)
                    span = spans.result("+", self.span(node.target, env), (node.delta, node.delta))
                    self.write(node.target.name, mask, env, span if old == INT else WHOLE)
            case syntax.CallStatement():
                self.value(node.call, env)
            case syntax.Return():
                mask = UNDEFINED if node.value is None else self.value(node.value, env)
                if not env.dead:
                    self.returns |= mask
                env.dead = True
            case syntax.Wait():
                self.value(node.seconds, env)
            case syntax.WaitTill():
                self.value(node.event, env)
                self.value(node.object, env)
                for name in node.names:
                    self.write(name, ANY, env)
            case syntax.WaitTillMatch():
                for operand in (*reversed(node.matches), node.event, node.object):
                    self.value(operand, env)
            case syntax.Notify():
                for operand in (*reversed(node.args), node.event, node.object):
                    self.value(operand, env)
            case syntax.EndOn():
                self.value(node.event, env)
                self.value(node.object, env)
            case _:
                pass

    def branches(self, node: syntax.If, env: Environment) -> None:
        ends: list[Environment] = []
        at: syntax.Stmt | None = node
        while isinstance(at, syntax.If):
            fails = self.condition(at.condition, env)
            self.statement(at.then, env)
            ends.append(env.copy())
            env.take(fails)
            at = at.otherwise
        if at is not None:
            self.statement(at, env)
        for end in ends:
            env.merge(end)

    def loop(
        self,
        env: Environment,
        first: syntax.Expr | None,
        body: syntax.Stmt,
        step: syntax.Stmt | None,
        last: syntax.Expr | None,
    ) -> None:
        if len(self.breaks) >= _MAX_NESTING:
            env.forget(self.names)
        while True:
            entry = env.copy()
            self.breaks.append(None)
            self.continues.append(None)
            if first is None:
                # Only a break leads out.
                leaves = env.copy()
                leaves.dead = True
            else:
                leaves = self.condition(first, env)
            self.statement(body, env)
            again = self.continues.pop()
            if again is not None:
                env.merge(again)
            if step is not None:
                self.statement(step, env)
            if last is not None:
                leaves = self.condition(last, env)
            out = self.breaks.pop()
            if out is not None:
                leaves.merge(out)
            env.merge(entry)
            env.widen(entry)
            if env.same(entry):
                env.take(leaves)
                return

    def switch(self, node: syntax.Switch, env: Environment) -> None:
        self.settle(node.value, env)
        self.value(node.value, env)
        entry = env.copy()
        self.breaks.append(None)
        for part in node.body:
            if isinstance(part, syntax.Case | syntax.Default):
                env.merge(entry)
            else:
                self.statement(part, env)
        env.merge(entry)
        out = self.breaks.pop()
        if out is not None:
            env.merge(out)


_MAX_NESTING = 4
"""Deeper loops are taken to change everything: each level would multiply the passes over the ones inside."""

MAX_PARAMETERS = 6
"""Functions with more of them get no versions by their types."""


def result_of(behaviour: Behaviour, recovers: bool, key: Key, masks: Masks) -> int:
    """The types of what a function returns that calls none but itself, for arguments of these types."""
    known = behaviour.results
    at = (key, masks, recovers)
    if at not in known:
        function = behaviour.leaves.get(key)
        assert function is not None, "only a leaf has versions"
        known[at] = 0
        while True:
            # A call of itself gives what the round before has found.
            mask = Inference(function, behaviour, recovers, key=key, masks=masks).returns
            if mask == known[at]:
                break
            known[at] = mask
    return known[at]


def local_names(function: syntax.Function, behaviour: Behaviour) -> tuple[str, ...]:
    """Every local of a function: the parameters in order, then the others by name."""
    names: set[str] = set()
    for node in walk(function.body, behaviour.strips):
        if isinstance(node, syntax.LocalVar):
            names.add(node.name)
        elif isinstance(node, syntax.WaitTill):
            names.update(node.names)
    return (*function.params, *sorted(names - set(function.params)))

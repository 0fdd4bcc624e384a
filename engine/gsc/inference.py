"""What types a local can have at each place where it is read.

A forward pass over one function with a bit set of types for each local, repeated around loops until nothing
changes. Calls, fields and elements can be anything; locals, literals and operators are what this is about. The
result lets the emitter leave out checks that cannot fail.
"""

from __future__ import annotations

from engine.gsc import syntax
from engine.gsc.suspension import Behaviour, walk

INT, FLOAT, STRING, VECTOR, UNDEFINED, ARRAY, OTHER = (1 << n for n in range(7))
ANY = 127
NUMBER = INT | FLOAT

Env = dict[str, int]


def binary_type(op: str, a: int, b: int, recovers: bool, strict: bool = False) -> int:
    """The types that `a op b` can have. `recovers`: a failing operation yields undefined instead of ending the
    thread. `strict`: the dialect converts no pairs and divides into floats."""
    if op in ("==", "!=", "<", ">", "<=", ">="):
        sure = a in (INT, FLOAT) and b in (INT, FLOAT)
        return INT if sure or not recovers else INT | UNDEFINED
    if op in ("|", "^", "&", "<<", ">>", "%"):
        return INT if (a == b == INT) or not recovers else INT | UNDEFINED
    if strict:
        return _strict_type(op, a, b)
    result = 0
    if a & INT and b & INT:
        result |= INT
    if (a & FLOAT and b & NUMBER) or (a & INT and b & FLOAT):
        result |= FLOAT
    if op in ("+", "-") and a & VECTOR and b & VECTOR:
        result |= VECTOR
    if op == "+" and (a & STRING or b & STRING):
        result |= STRING
    if op == "/" and recovers:
        result |= INT
    certain = a in (INT, FLOAT) and b in (INT, FLOAT)
    if (recovers and not certain) or not result:
        result |= UNDEFINED
    return result


def _strict_type(op: str, a: int, b: int) -> int:
    """The same for arithmetic of a strict dialect, which also takes a vector with a number."""
    result = 0
    if a & INT and b & INT:
        result |= FLOAT if op == "/" else INT
    if (a & FLOAT and b & NUMBER) or (a & INT and b & FLOAT):
        result |= FLOAT
    if (a | b) & VECTOR:
        result |= VECTOR
    if op == "+" and (a | b) & STRING:
        result |= STRING
    certain = a in (INT, FLOAT) and b in (INT, FLOAT)
    return result if certain else result | UNDEFINED


class Inference:
    """Runs over one function; afterwards `read` tells the types of a `LocalVar` node."""

    def __init__(
        self,
        function: syntax.Function,
        behaviour: Behaviour,
        recovers: bool,
        loose: frozenset[str] = frozenset(),
    ) -> None:
        """`loose` are locals of which nothing is believed."""
        self.behaviour = behaviour
        self.recovers = recovers
        self.strict = function.rules.strict
        self.loose = loose
        self.types: dict[int, int] = {}
        self.breaks: list[Env | None] = []
        self.continues: list[Env | None] = []
        self.names = local_names(function, behaviour)
        env: Env = dict.fromkeys(function.params, ANY)
        self.statement(function.body, env)

    def read(self, node: syntax.LocalVar) -> int:
        """The types that this read can see; undefined where code is unreachable."""
        return self.types.get(id(node), ANY)

    # ---- expressions -----------------------------------------------------------------------------------

    def value(self, node: syntax.Expr, env: Env) -> int:
        match node:
            case syntax.LocalVar():
                mask = ANY if node.name in self.loose else env.get(node.name, UNDEFINED)
                self.types[id(node)] = self.types.get(id(node), 0) | mask
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
                return INT
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
                return STRING | undefined if container == STRING else ANY
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
                for argument in reversed(node.args):
                    self.value(argument, env)
                if node.object is not None:
                    self.value(node.object, env)
                if isinstance(node.target, syntax.PointerTarget):
                    self.value(node.target.value, env)
                return ANY
            case _:
                return OTHER if not isinstance(node, syntax.Predefined) else ARRAY | OTHER

    def binary(self, node: syntax.Binary, env: Env) -> int:
        # Chains lean to the left and can be long: no recursion along them.
        chain: list[syntax.Binary] = []
        left: syntax.Expr = node
        while isinstance(left, syntax.Binary):
            chain.append(left)
            left = left.left
        mask = self.value(left, env)
        for link in reversed(chain):
            mask = binary_type(link.op, mask, self.value(link.right, env), self.recovers, self.strict)
        return mask

    def logical(self, node: syntax.Logical, env: Env) -> None:
        rights: list[syntax.Expr] = []
        left: syntax.Expr = node
        while isinstance(left, syntax.Logical):
            rights.append(left.right)
            left = left.left
        self.value(left, env)
        for right in reversed(rights):
            self.value(right, env)

    def target(self, node: syntax.Reference, env: Env, *, reads: bool) -> int:
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

    def touch(self, node: syntax.Expr, env: Env) -> None:
        """Writing below a local may turn it into an array."""
        while isinstance(node, syntax.FieldAccess | syntax.Index):
            node = node.object if isinstance(node, syntax.FieldAccess) else node.container
        if isinstance(node, syntax.LocalVar):
            env[node.name] = (
                (env.get(node.name, UNDEFINED) & ~UNDEFINED)
                | ARRAY
                | (env.get(node.name, UNDEFINED) & UNDEFINED if self.recovers else 0)
            )

    # ---- statements ------------------------------------------------------------------------------------

    def statement(self, node: syntax.Stmt, env: Env) -> None:
        """Visit a statement and leave in `env` what holds after it."""
        if self.behaviour.strips(node):
            return
        match node:
            case syntax.Block() | syntax.DeveloperBlock():
                for part in node.body:
                    self.statement(part, env)
            case syntax.Assign():
                mask = self.value(node.value, env)
                self.target(node.target, env, reads=False)
                if isinstance(node.target, syntax.LocalVar):
                    env[node.target.name] = mask
            case syntax.CompoundAssign():
                old = self.target(node.target, env, reads=True)
                mask = binary_type(node.op, old, self.value(node.value, env), self.recovers, self.strict)
                if isinstance(node.target, syntax.LocalVar):
                    env[node.target.name] = mask
            case syntax.Increment():
                old = self.target(node.target, env, reads=True)
                if isinstance(node.target, syntax.LocalVar):
                    env[node.target.name] = increment_type(old, self.recovers, self.strict)
            case syntax.CallStatement():
                self.value(node.call, env)
            case syntax.Return():
                if node.value is not None:
                    self.value(node.value, env)
            case syntax.Wait():
                self.value(node.seconds, env)
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
                self.breaks[-1] = join(self.breaks[-1], env)
            case syntax.Continue():
                self.continues[-1] = join(self.continues[-1], env)
            case syntax.WaitTill():
                self.value(node.event, env)
                self.value(node.object, env)
                for name in node.names:
                    env[name] = ANY
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

    def branches(self, node: syntax.If, env: Env) -> None:
        ends: list[Env] = []
        at: syntax.Stmt | None = node
        while isinstance(at, syntax.If):
            self.value(at.condition, env)
            then = dict(env)
            self.statement(at.then, then)
            ends.append(then)
            at = at.otherwise
        if at is not None:
            self.statement(at, env)
        for end in ends:
            merge(env, end)

    def loop(
        self,
        env: Env,
        first: syntax.Expr | None,
        body: syntax.Stmt,
        step: syntax.Stmt | None,
        last: syntax.Expr | None,
    ) -> None:
        if len(self.breaks) >= _MAX_NESTING:
            env.update(dict.fromkeys(self.names, ANY))
        while True:
            entry = dict(env)
            self.breaks.append(None)
            self.continues.append(None)
            if first is not None:
                self.value(first, env)
            leaves = dict(env)
            self.statement(body, env)
            merge(env, self.continues.pop() or env)
            if step is not None:
                self.statement(step, env)
            if last is not None:
                self.value(last, env)
                leaves = dict(env)
            merge(leaves, self.breaks.pop() or leaves)
            merge(env, entry)
            if env == entry:
                env.clear()
                env.update(leaves)
                return

    def switch(self, node: syntax.Switch, env: Env) -> None:
        self.value(node.value, env)
        entry = dict(env)
        self.breaks.append(None)
        for part in node.body:
            if isinstance(part, syntax.Case | syntax.Default):
                merge(env, entry)
            else:
                self.statement(part, env)
        merge(env, entry)
        merge(env, self.breaks.pop() or env)


_MAX_NESTING = 4
"""Deeper loops are taken to change everything: each level would multiply the passes over the ones inside."""


def increment_type(old: int, recovers: bool, strict: bool) -> int:
    """The types that a variable of the types `old` can have after `++` or `--`."""
    if strict and old != INT:
        return INT | FLOAT | UNDEFINED
    return INT if old == INT or not recovers else INT | UNDEFINED


def merge(env: Env, other: Env) -> None:
    """Let `env` hold what either holds."""
    for name in env.keys() | other.keys():
        env[name] = env.get(name, UNDEFINED) | other.get(name, UNDEFINED)


def join(one: Env | None, other: Env) -> Env:
    result = dict(other)
    if one is not None:
        merge(result, one)
    return result


def local_names(function: syntax.Function, behaviour: Behaviour) -> tuple[str, ...]:
    """Every local of a function: the parameters in order, then the others by name."""
    names: set[str] = set()
    for node in walk(function.body, behaviour.strips):
        if isinstance(node, syntax.LocalVar):
            names.add(node.name)
        elif isinstance(node, syntax.WaitTill):
            names.update(node.names)
    return (*function.params, *sorted(names - set(function.params)))

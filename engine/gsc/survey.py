"""One walk over a parsed function that lists what binding needs: calls, function values, animations.

It depends on the function and on whether developer code is kept, and on nothing else: what it finds in a text can be
written down (`facts`), and given to the syntax of the same text at any later time. Trees are walked with a stack of our
own; their height is no matter.

Each expression is visited with the number of operands that wait on the stock machine's stack below it:
arguments are evaluated from the right, an element's key before its container (vm facts, section 5).
"""

from __future__ import annotations

from dataclasses import dataclass, field

from engine.gsc import syntax as s


@dataclass(frozen=True, slots=True)
class CallSite:
    """A call and where it stands: as a statement, in developer code, above how many waiting operands."""

    call: s.Call
    statement: bool
    developer: bool
    operands: int


@dataclass(slots=True)
class FunctionSurvey:
    """What one function refers to, in the order of the text. `operands` is the most that ever wait."""

    calls: list[CallSite] = field(default_factory=list)
    values: list[s.FunctionRef] = field(default_factory=list)
    animations: list[s.AnimationRef] = field(default_factory=list)
    trees: list[s.AnimTreeRef] = field(default_factory=list)
    region_animations: list[s.AnimationRef] = field(default_factory=list)
    """Those in a developer region of statements, where they are refused."""
    operands: int = 0
    waits: bool = False
    """Has a statement that waits."""


def survey(body: s.Block, developer_function: bool, developer: bool) -> FunctionSurvey:
    """Survey the body of a function, with `developer` off without its developer code."""
    return _Walk(body, developer_function, developer).run()


_LEAVES = (
    s.LocalVar, s.Predefined, s.IntLiteral, s.FloatLiteral, s.StringLiteral, s.LocalizedLiteral, s.Undefined,
    s.EmptyArray, s.Empty, s.Break, s.Continue, s.Case, s.Default,
)  # fmt: skip
_CHILDREN: dict[type[s.Node], tuple[str, ...]] = {
    **dict.fromkeys(_LEAVES, ()),
    s.Block: ("body",),
    s.Switch: ("body", "value"),
    s.Assign: ("value", "target"),
    s.CompoundAssign: ("value", "target"),
    s.Increment: ("target",),
    s.Return: ("value",),
    s.If: ("otherwise", "then", "condition"),
    s.While: ("body", "condition"),
    s.DoWhile: ("condition", "body"),
    s.For: ("body", "step", "condition", "init"),
    s.EndOn: ("event", "object"),
    s.FieldAccess: ("object",),
    s.Size: ("operand",),
    s.Unary: ("operand",),
    s.Cast: ("operand",),
    s.Logical: ("right", "left"),
    s.Conditional: ("otherwise", "then", "condition"),
    s.Keys: ("array",),
}
"""The nodes within a node, last first, where nothing is to be noted and no operand waits for another."""

_Item = tuple[s.Node | None, int]
"""A node and the operands that wait below it; None ends a developer region."""


class _Walk:
    def __init__(self, body: s.Block, developer_function: bool, developer: bool) -> None:
        self.found = FunctionSurvey()
        self.developer_function = developer_function
        self.keep_developer = developer
        self.in_region = False
        self.stack: list[_Item] = [(body, 0)]

    def run(self) -> FunctionSurvey:
        found, stack = self.found, self.stack
        while stack:
            node, below = stack.pop()
            if node is None:
                self.in_region = False
                continue
            if below >= found.operands:
                found.operands = below + 1
            names = _CHILDREN.get(type(node))
            if names is not None:
                for name in names:
                    child = getattr(node, name)
                    if child.__class__ is list:
                        stack += [(part, below) for part in reversed(child)]
                    elif child is not None:
                        stack.append((child, below))
            elif isinstance(node, s.Call):
                self.call(node, below, statement=False)
            elif isinstance(node, s.CallStatement):
                if not node.vanishes:
                    self.call(node.call, below, statement=True)
            elif isinstance(node, s.Binary):
                self.stack += [(node.right, below + 1), (node.left, below)]
            elif isinstance(node, s.Index):
                self.stack += [(node.key, below), (node.container, below + 1)]
            elif isinstance(node, s.VectorLiteral):
                self.stack += [(node.z, below), (node.y, below + 1), (node.x, below + 2)]
            elif isinstance(node, s.FunctionRef):
                found.values.append(node)
            elif isinstance(node, s.AnimationRef):
                (found.region_animations if self.in_region else found.animations).append(node)
            elif isinstance(node, s.AnimTreeRef):
                found.trees.append(node)
            elif isinstance(node, s.Wait):
                found.waits = True
                stack.append((node.seconds, below))
            elif isinstance(node, s.WaitTill):
                found.waits = True
                stack += [(node.event, below), (node.object, below)]
            elif isinstance(node, s.WaitTillMatch):
                found.waits = True
                self.arguments(node.matches, [node.event, node.object], below)
            elif isinstance(node, s.WaitTillFrameEnd):
                found.waits = True
            elif isinstance(node, s.Notify):
                self.arguments(node.args, [node.event, node.object], below)
            elif isinstance(node, s.DeveloperBlock) and self.keep_developer:
                self.in_region = True
                stack.append((None, 0))
                stack += [(part, 0) for part in reversed(node.body)]
        return found

    def arguments(self, args: list[s.Expr], then: list[s.Expr], below: int) -> None:
        """Visit in the order of the text what is evaluated from the last argument to the first and on to
        `then`, each one operand higher."""
        count = len(args)
        self.stack += [(arg, below + count - 1 - at) for at, arg in reversed(list(enumerate(args)))]
        self.stack += [(node, below + count + at) for at, node in enumerate(then)]

    def call(self, node: s.Call, below: int, statement: bool) -> None:
        developer = self.in_region or self.developer_function
        self.found.calls.append(CallSite(node, statement, developer, below))
        then: list[s.Expr] = []
        if node.object is not None:
            then.append(node.object)
        if isinstance(node.target, s.PointerTarget):
            then.append(node.target.value)
        self.arguments(node.args, then, below)

"""An expression alone, as a field of the interface holds one: a text or a size that follows its values."""

from __future__ import annotations

from engine.linescript.context import Clock, Context
from engine.linescript.faults import Fault
from engine.linescript.parser import parse
from engine.linescript.program import Kind
from engine.linescript.scope import Scope
from engine.linescript.values import Value
from engine.source import Diagnostic, DiagnosticError, SourceText


class Expression:
    """Compiled once, evaluated as often as wanted, in the scope that was named.

    Raises DiagnosticError for what is no single expression.
    """

    def __init__(self, text: str, scope: Scope, clock: Clock, natives: Scope) -> None:
        source = SourceText("expression", text)
        functions = {
            name: f for name in natives.function_names() if (f := natives.function(name)) is not None
        }
        program = parse(source.path, source, functions)
        steps = program.main.code
        if len(steps) != 2 or steps[0].kind is not Kind.EVAL:
            message = "one expression is wanted here, such as 'Men: ' + count"
            raise DiagnosticError([Diagnostic("syntax", message, source.span(0, len(text)))])
        self.text = text
        self._frame = Context(program, Scope(scope), clock).frames[0]
        self._step = steps[0]

    def value(self) -> Value:
        """What it is now. Raises Fault."""
        assert self._step.value is not None, "an expression has no functions of its own to call"
        result: Value | None = self._step.value(self._frame)
        if result is None:
            raise Fault("the expression gives no value", self._step.place)
        return result

    def diagnostic(self, fault: Fault) -> Diagnostic:
        """The fault as it is told."""
        place = fault.place or self._step.place
        span = self._frame.context.program.source.span(*place)
        return Diagnostic("runtime", fault.message, span, "runtime error")

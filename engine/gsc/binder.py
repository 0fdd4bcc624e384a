"""Names to functions: what every call and function value means, and what is wrong with it.

A bare name is a stock built-in, else a function of the same file, else another built-in of the host; `thread`
and `::name` mean script functions only (language page, "Call forms"). In dialects with includes it is a function
of the file, else a built-in, else a function of exactly one included script, and `::name` may be a built-in too
(IW4 page, "Sources and installation"). What the language makes a run-time error, such as a wrong number of
arguments, is a warning here.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Set

from engine.gsc import syntax as s
from engine.gsc.catalogue import DialectNatives, ListsNatives, NativeCatalogue, Signature
from engine.gsc.survey import CallSite, FunctionSurvey
from engine.source import Diagnostic, Note, Span
from engine.source.nearest import did_you_mean

Functions = Mapping[str, Mapping[str, s.Function] | None]
"""Functions by script and name. None for a script that could not be read: nothing is said about its names."""


class Binder:
    """Binds one script after another against the functions of all of them.

    `stripped` are script and name of the developer functions that are left out.
    """

    def __init__(
        self, functions: Functions, stripped: Set[tuple[str, str]], natives: NativeCatalogue
    ) -> None:
        self.functions = functions
        self.stripped = stripped
        self.natives = natives
        self.diagnostics: list[Diagnostic] = []

    def bind(self, script: s.Script, surveyed: Iterable[FunctionSurvey]) -> None:
        """Set `bound` on every call and function value that has a meaning; report those without."""
        _ScriptBinder(self, script).run(surveyed)


class _ScriptBinder:
    """One script. Each fault of a name is reported where it first occurs, with a count of the others."""

    def __init__(self, binder: Binder, script: s.Script) -> None:
        self.binder = binder
        self.script = script
        self.dialect = script.dialect
        self.natives = binder.natives
        if isinstance(self.natives, DialectNatives):
            self.natives = self.natives.of(self.dialect.name)
        own = binder.functions[script.name]
        assert own is not None
        self.own = own
        self.once: dict[tuple[str, str], tuple[Diagnostic, int]] = {}

    def run(self, surveyed: Iterable[FunctionSurvey]) -> None:
        self.check_includes()
        for part in surveyed:
            for ref in part.values:
                self.value(ref)
            depth = max((self.call(site) for site in part.calls), default=0)
            self.check_operands(part, depth)
            self.check_animations(part)
        for diagnostic, count in self.once.values():
            if count:
                places = "one other place" if count == 1 else f"{count} other places"
                diagnostic = diagnostic.with_note(f"so it is at {places} of this file")
            self.binder.diagnostics.append(diagnostic)

    # ---- reporting --------------------------------------------------------------------------------

    def report(self, code: str, message: str, span: Span, hint: str | None = None) -> None:
        notes = (Note(hint),) if hint else ()
        self.binder.diagnostics.append(Diagnostic(code, message, span, notes=notes))

    def warn(self, code: str, message: str, span: Span) -> None:
        self.binder.diagnostics.append(Diagnostic(code, message, span, "warning"))

    def report_once(self, diagnostic: Diagnostic) -> None:
        key = diagnostic.code, diagnostic.message
        known = self.once.get(key)
        self.once[key] = (diagnostic, 0) if known is None else (known[0], known[1] + 1)

    def span(self, start: int, length: int) -> Span:
        return self.script.source.span(start, start + length)

    # ---- includes ---------------------------------------------------------------------------------

    def check_includes(self) -> None:
        for include in self.script.includes:
            if include.script == self.script.name:
                self.report("bad-include", "a script cannot include itself", self.script.span(include))

    def included(self, name: str, place: Span) -> s.ScriptFunction | None:
        """The function of the one included script that has the name. Reports it when several have."""
        found = [
            include.script
            for include in self.script.includes
            if name in (self.binder.functions.get(include.script) or ())
        ]
        if len(found) > 1:
            self.report_once(
                Diagnostic(
                    "ambiguous-function",
                    f"'{name}' is a function of several included scripts: {', '.join(found)}",
                    place,
                    notes=(Note(f"say which: {found[0]}::{name}"),),
                )
            )
        return s.ScriptFunction(found[0], name) if found else None

    @property
    def unread(self) -> bool:
        """Whether an included script could not be read, so that any name may be meant to be one of it."""
        return any(self.binder.functions.get(i.script, ()) is None for i in self.script.includes)

    # ---- function values --------------------------------------------------------------------------

    def value(self, ref: s.FunctionRef) -> None:
        owner = ref.script if ref.script is not None else self.script.name
        functions = self.binder.functions.get(owner)
        if functions is None:
            return
        if ref.name in functions:
            ref.bound = s.ScriptFunction(owner, ref.name)
            return
        hint = None
        place = self.span(ref.end - len(ref.name), len(ref.name))
        if ref.script is None and ref.name in self.dialect.never:
            self.no_code(ref.name, place)
            return
        native = self.natives.function(ref.name) or self.natives.method(ref.name)
        if ref.script is None and native is not None:
            if "native-call" in self.dialect.features:
                self.native_value(ref, native, place)
                return
            hint = "that is a built-in: only functions of scripts can be values"
        if ref.script is None and self.script.includes:
            ref.bound = self.included(ref.name, place)
            if ref.bound is not None or self.unread:
                return
        self.unknown(owner, ref.name, place, hint)

    def native_value(self, ref: s.FunctionRef, native: Signature, place: Span) -> None:
        """`::name` of a built-in; whether it is called as a function or a method is seen at the call."""
        if not native.implemented:
            self.missing_native(native, place)
        ref.bound = s.NativeFunction(ref.name, self.natives.function(ref.name) is None)

    # ---- calls ------------------------------------------------------------------------------------

    def call(self, site: CallSite) -> int:
        """Bind one call. The result is the depth of operands below it, if it enters a script function."""
        call = site.call
        target = call.target
        if isinstance(target, s.PointerTarget):
            return site.operands
        bound = self.meaning(call, target)
        if bound is None:
            return site.operands
        target.bound = bound
        if isinstance(bound, s.NativeFunction):
            self.check_native(site, bound, target)
            return 0
        functions = self.binder.functions[bound.script]
        assert functions is not None
        wanted = len(functions[bound.name].params)
        if len(call.args) > wanted and not self.dialect.rules.surplus:
            self.warn(
                "too-many-parameters",
                f"'{bound.name}' has {wanted or 'no'} parameter{'' if wanted == 1 else 's'}, "
                f"the call gives {len(call.args)}: this fails when it runs",
                self.script.source.span(call.args[wanted].start, call.args[-1].end),
            )
        return site.operands

    def meaning(self, call: s.Call, target: s.NamedTarget) -> s.Binding | None:
        """What a named call means; reports it when it means nothing."""
        name = target.name
        place = self.span(target.end - len(name), len(name))
        if target.script is not None:
            functions = self.binder.functions.get(target.script)
            if functions is not None and name in functions:
                return s.ScriptFunction(target.script, name)
            if functions is not None:
                self.unknown(target.script, name, place)
            return None
        local = s.ScriptFunction(self.script.name, name) if name in self.own else None
        method = call.object is not None
        native = self.natives.method(name) if method else self.natives.function(name)
        if self.dialect.rules.own_first:
            return local or self.in_order(call, target, native, place)
        if call.threaded:
            if local is None and self.script.includes:
                local = self.included(name, place)
            if local is None and not self.unread:
                hint = "a built-in cannot be started as a thread" if native is not None else None
                self.unknown(self.script.name, name, place, hint)
            return local
        if native is not None and (native.stock or local is None):
            if local is not None:
                self.report_once(
                    Diagnostic(
                        "shadowed-function",
                        f"the stock built-in '{name}' is called here, not the function of this file",
                        place,
                        "warning",
                    )
                )
            return s.NativeFunction(name, method)
        if local is None and self.script.includes:
            local = self.included(name, place)
        if local is None and not self.unread:
            self.unknown_call(name, method, place)
        return local

    def in_order(
        self, call: s.Call, target: s.NamedTarget, native: Signature | None, place: Span
    ) -> s.Binding | None:
        """A bare name that is no function of the file: a built-in, which cannot be a thread, else of an include."""
        if native is not None and not call.threaded and target.name not in self.dialect.never:
            return s.NativeFunction(target.name, call.object is not None)
        if target.name in self.dialect.never and not call.threaded:
            self.no_code(target.name, place)
            return None
        found = self.included(target.name, place)
        if found is None and not self.unread:
            if native is not None:
                hint = "a built-in cannot be started as a thread"
                self.unknown(self.script.name, target.name, place, hint)
            else:
                self.unknown_call(target.name, call.object is not None, place)
        return found

    def no_code(self, name: str, place: Span) -> None:
        self.report(
            "developer-only",
            f"the developer built-in '{name}' is no code here: it can only be a statement",
            place,
        )

    def check_native(self, site: CallSite, bound: s.NativeFunction, target: s.NamedTarget) -> None:
        call = site.call
        place = self.span(target.start, target.end - target.start)
        signature = self.signature(bound)
        developer_only = not bound.method and bound.name in self.dialect.developer_natives
        if not self.dialect.developer and bound.name in (
            self.dialect.developer_natives | self.dialect.vanishing
        ):
            self.report(
                "developer-only",
                f"the developer built-in '{bound.name}' is no code here: it can only be a statement",
                place,
            )
        elif developer_only and not site.statement and not site.developer:
            self.report(
                "developer-only",
                f"outside '/# ... #/' the developer built-in '{bound.name}' can only be a statement",
                place,
            )
        limit = self.dialect.limits.native_args
        if len(call.args) > limit:
            self.report(
                "too-many-arguments",
                f"a built-in takes at most {limit} arguments, these are {len(call.args)}",
                self.script.source.span(call.start, call.end),
            )
        elif not signature.implemented:
            self.missing_native(signature, place)
        elif not signature.takes(len(call.args)):
            self.warn(
                "argument-count",
                f"'{bound.name}' takes {signature.wanted()}, not {len(call.args)}",
                place,
            )

    def missing_native(self, signature: Signature, place: Span) -> None:
        name = signature.name
        if self.dialect.rules.binds_all:
            message = f"'{name}' is a built-in of {self.dialect.title} that this engine does not have"
            reason = f": {signature.why}" if signature.why else ""
            self.report_once(Diagnostic("refused-native", message + reason, place))
            return
        self.report_once(
            Diagnostic(
                "missing-native",
                f"'{name}' is a known stock built-in that this engine does not have: "
                "calling it is a run-time error",
                place,
                "warning",
            )
        )

    def signature(self, bound: s.NativeFunction) -> Signature:
        found = self.natives.method(bound.name) if bound.method else self.natives.function(bound.name)
        assert found is not None
        return found

    # ---- names that mean nothing ------------------------------------------------------------------

    def unknown_call(self, name: str, method: bool, place: Span) -> None:
        """Report a bare name that is neither a function of the file nor a built-in of the right kind."""
        if name in self.dialect.keywords:
            self.unknown(self.script.name, name, place, f"reserved words are lower-case: {name}")
            return
        if method and self.natives.function(name) is not None:
            self.unknown(self.script.name, name, place, "that built-in takes no object before it")
            return
        if not method and self.natives.method(name) is not None:
            self.unknown(self.script.name, name, place, f"it is a method: write OBJECT {name}(...)")
            return
        known = set(self.own)
        if isinstance(self.natives, ListsNatives):
            known.update(self.natives.method_names() if method else self.natives.function_names())
        self.unknown(self.script.name, name, place, did_you_mean(name, known))

    def unknown(self, owner: str, name: str, place: Span, hint: str | None = None) -> None:
        elsewhere = owner != self.script.name
        where = f" in the script '{owner}'" if elsewhere else ""
        diagnostic = Diagnostic("unknown-function", f"there is no function '{name}'{where}", place)
        if (owner, name) in self.binder.stripped:
            hint = "it is developer code, which is switched off"
        hint = hint or did_you_mean(name, self.binder.functions[owner] or ())
        if hint:
            diagnostic = diagnostic.with_note(hint)
        others = [
            script
            for script, functions in self.binder.functions.items()
            if functions is not None and name in functions and script != owner
        ]
        if others and not hint:
            diagnostic = diagnostic.with_note(f"there is {others[0]}::{name}()")
        self.report_once(diagnostic)

    # ---- what belongs to no single name -----------------------------------------------------------

    def check_operands(self, part: FunctionSurvey, depth: int) -> None:
        limits = self.dialect.limits
        if limits.operands_per_call * depth + part.operands > limits.operand_budget:
            function = part.function
            self.report(
                "operand-depth",
                f"too many values wait at once in '{function.name}': split its longest expression",
                self.span(function.name_start, len(function.name)),
            )

    def check_animations(self, part: FunctionSurvey) -> None:
        for ref in part.region_animations:
            self.report(
                "developer-block",
                f"'%{ref.name}' cannot stand in '/# ... #/' among statements",
                self.script.span(ref),
                "put it in a developer function",
            )
        nodes: list[s.AnimationRef | s.AnimTreeRef] = [*part.animations, *part.trees]
        for node in nodes:
            if node.tree is None:
                self.report(
                    "no-tree",
                    "no animation tree is selected here",
                    self.script.span(node),
                    'write #using_animtree("NAME"); above the function',
                )

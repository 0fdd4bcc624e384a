"""Names to functions: what every call and function value means, and what is wrong with it.

A bare name is a stock built-in, else a function of the same file, else another built-in of the host; `thread`
and `::name` mean script functions only (language page, "Call forms"). In dialects with includes it is a function
of the file, else a built-in, else a function of exactly one included script, and `::name` may be a built-in too
(IW4 page, "Sources and installation"). What the language makes a run-time error, such as a wrong number of
arguments, is a warning here.
"""

from __future__ import annotations

from collections.abc import Mapping, Set

from engine.gsc import syntax as s
from engine.gsc.catalogue import DialectNatives, ListsNatives, NativeCatalogue, Signature
from engine.gsc.dialect import Dialect
from engine.gsc.facts import FunctionFacts, ScriptFacts, Site, Value
from engine.source import Diagnostic, Note, SourceText, Span
from engine.source.nearest import did_you_mean

Exports = Mapping[str, int]
"""The functions of a script, with the number of their parameters."""

Functions = Mapping[str, Exports | None]
"""Functions by script and name. None for a script that could not be read: nothing is said about its names."""

Bindings = tuple[tuple[s.Binding | None, ...], ...]
"""For each function of a script what its calls mean, and after them its function values; None for a call through a
value."""

_OBJECT_STATEMENTS = frozenset(("waittill", "waittillmatch", "notify", "endon"))
_STATEMENTS = frozenset(("wait", "waittillframeend", "return"))
"""Reserved words that stand before a bracket, as names of functions do: with an object, and without one."""


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
        self._of_dialects: dict[str, CalledNatives] = {}

    def bind(
        self, name: str, source: SourceText, dialect: Dialect, facts: ScriptFacts
    ) -> tuple[Bindings, list[Diagnostic]]:
        """The meaning of every call and function value, None for those without, which are reported."""
        natives = self._of_dialects.get(dialect.name)
        if natives is None:
            of = self.natives
            if isinstance(of, DialectNatives):
                of = of.of(dialect.name)
            natives = self._of_dialects[dialect.name] = CalledNatives(of)
        return _ScriptBinder(self, natives, name, source, dialect, facts).run()


class CalledNatives:
    """The built-ins of one dialect; each is looked up once."""

    def __init__(self, natives: NativeCatalogue) -> None:
        self.all = natives
        self._known: dict[tuple[str, bool], Signature | None] = {}

    def find(self, name: str, method: bool) -> Signature | None:
        try:
            return self._known[name, method]
        except KeyError:
            found = self.all.method(name) if method else self.all.function(name)
            self._known[name, method] = found
            return found

    def function(self, name: str) -> Signature | None:
        return self.find(name, False)

    def method(self, name: str) -> Signature | None:
        return self.find(name, True)


class _ScriptBinder:
    """One script. Each fault of a name is reported where it first occurs, with a count of the others."""

    def __init__(
        self,
        binder: Binder,
        natives: CalledNatives,
        name: str,
        source: SourceText,
        dialect: Dialect,
        facts: ScriptFacts,
    ) -> None:
        self.binder = binder
        self.natives = natives
        self.name = name
        self.source = source
        self.dialect = dialect
        self.facts = facts
        own = binder.functions[name]
        assert own is not None
        self.own = own
        self.diagnostics: list[Diagnostic] = []
        self.said = 0
        """How often something was reported."""
        self.once: dict[tuple[str, str], tuple[Diagnostic, int]] = {}
        self.quiet: dict[tuple[str | None, str, bool, bool], s.Binding] = {}
        """What calls mean about which nothing is to be said, by what they are."""

    def run(self) -> tuple[Bindings, list[Diagnostic]]:
        self.check_includes()
        bindings: list[tuple[s.Binding | None, ...]] = []
        for part in self.facts.functions:
            if not part.kept:
                bindings.append(())
                continue
            values = [self.value(ref) for ref in part.values]
            depth = 0
            bound: list[s.Binding | None] = []
            for site in part.sites:
                meaning, below = self.call(site)
                bound.append(meaning)
                if below > depth:
                    depth = below
            bindings.append((*bound, *values))
            self.check_operands(part, depth)
            self.check_animations(part)
        for diagnostic, count in self.once.values():
            if count:
                places = "one other place" if count == 1 else f"{count} other places"
                diagnostic = diagnostic.with_note(f"so it is at {places} of this file")
            self.diagnostics.append(diagnostic)
        return tuple(bindings), self.diagnostics

    # ---- reporting --------------------------------------------------------------------------------

    def report(self, code: str, message: str, span: Span, hint: str | None = None) -> None:
        self.said += 1
        notes = (Note(hint),) if hint else ()
        self.diagnostics.append(Diagnostic(code, message, span, notes=notes))

    def warn(self, code: str, message: str, span: Span) -> None:
        self.said += 1
        self.diagnostics.append(Diagnostic(code, message, span, "warning"))

    def report_once(self, diagnostic: Diagnostic) -> None:
        self.said += 1
        key = diagnostic.code, diagnostic.message
        known = self.once.get(key)
        self.once[key] = (diagnostic, 0) if known is None else (known[0], known[1] + 1)

    def span(self, start: int, length: int) -> Span:
        return self.source.span(start, start + length)

    # ---- includes ---------------------------------------------------------------------------------

    def check_includes(self) -> None:
        for script, start, end in self.facts.includes:
            if script == self.name:
                self.report("bad-include", "a script cannot include itself", self.source.span(start, end))

    def included(self, name: str, place: Span) -> s.ScriptFunction | None:
        """The function of the one included script that has the name. Reports it when several have."""
        found = [
            script
            for script, _, _ in self.facts.includes
            if name in (self.binder.functions.get(script) or ())
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
        return any(self.binder.functions.get(i[0], ()) is None for i in self.facts.includes)

    # ---- function values --------------------------------------------------------------------------

    def value(self, ref: Value) -> s.Binding | None:
        owner = ref.script if ref.script is not None else self.name
        functions = self.binder.functions.get(owner)
        if functions is None:
            return None
        if ref.name in functions:
            return s.ScriptFunction(owner, ref.name)
        hint = None
        place = self.span(ref.end - len(ref.name), len(ref.name))
        if ref.script is None and ref.name in self.dialect.never:
            self.no_code(ref.name, place)
            return None
        native = self.natives.function(ref.name) or self.natives.method(ref.name)
        if ref.script is None and native is not None:
            if "native-call" in self.dialect.features:
                return self.native_value(ref, native, place)
            hint = "that is a built-in: only functions of scripts can be values"
        if ref.script is None and self.facts.includes:
            included = self.included(ref.name, place)
            if included is not None or self.unread:
                return included
        self.unknown(owner, ref.name, place, hint)
        return None

    def native_value(self, ref: Value, native: Signature, place: Span) -> s.Binding:
        """`::name` of a built-in; whether it is called as a function or a method is seen at the call."""
        if not native.implemented:
            self.missing_native(native, place)
        return s.NativeFunction(ref.name, self.natives.function(ref.name) is None)

    # ---- calls ------------------------------------------------------------------------------------

    def call(self, site: Site) -> tuple[s.Binding | None, int]:
        """The meaning of one call, and the depth of operands below it if it enters a script function."""
        name = site.name
        if name is None:
            return None, site.operands
        key = (site.script, name, site.method, site.threaded)
        bound = self.quiet.get(key)
        if bound is None:
            bound = self.first_meaning(site, name, key)
            if bound is None:
                return None, site.operands
        if bound.__class__ is s.NativeFunction:
            self.check_native(site, bound.name)
            return bound, 0
        assert isinstance(bound, s.ScriptFunction)
        functions = self.binder.functions[bound.script]
        assert functions is not None
        wanted = functions[bound.name]
        if len(site.args) > wanted + 1 and not self.dialect.rules.surplus:
            self.warn(
                "too-many-parameters",
                f"'{bound.name}' has {wanted or 'no'} parameter{'' if wanted == 1 else 's'}, "
                f"the call gives {site.given}: this fails when it runs",
                self.source.span(site.args[wanted], site.args[-1]),
            )
        return bound, site.operands

    def first_meaning(
        self, site: Site, name: str, key: tuple[str | None, str, bool, bool]
    ) -> s.Binding | None:
        """What a call means. Kept for the next of its kind if there was nothing to report."""
        before = self.said
        bound = self.meaning(site, name)
        if bound is not None and self.said == before:
            self.quiet[key] = bound
        return bound

    def meaning(self, site: Site, name: str) -> s.Binding | None:
        """What a named call means; reports it when it means nothing."""
        place = self.span(site.target[1] - len(name), len(name))
        if site.script is not None:
            functions = self.binder.functions.get(site.script)
            if functions is not None and name in functions:
                return s.ScriptFunction(site.script, name)
            if functions is not None:
                self.unknown(site.script, name, place)
            return None
        local = s.ScriptFunction(self.name, name) if name in self.own else None
        method = site.method
        native = self.natives.find(name, method)
        if self.dialect.rules.own_first:
            return local or self.in_order(site, name, native, place)
        if site.threaded:
            if local is None and self.facts.includes:
                local = self.included(name, place)
            if local is None and not self.unread:
                hint = "a built-in cannot be started as a thread" if native is not None else None
                self.unknown(self.name, name, place, hint)
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
        if local is None and self.facts.includes:
            local = self.included(name, place)
        if local is None and not self.unread:
            self.unknown_call(name, method, place)
        return local

    def in_order(self, site: Site, name: str, native: Signature | None, place: Span) -> s.Binding | None:
        """A bare name that is no function of the file: a built-in, which cannot be a thread, else of an include."""
        if native is not None and not site.threaded and name not in self.dialect.never:
            return s.NativeFunction(name, site.method)
        if name in self.dialect.never and not site.threaded:
            self.no_code(name, place)
            return None
        found = self.included(name, place)
        if found is None and not self.unread:
            if native is not None:
                hint = "a built-in cannot be started as a thread"
                self.unknown(self.name, name, place, hint)
            else:
                self.unknown_call(name, site.method, place)
        return found

    def no_code(self, name: str, place: Span) -> None:
        self.report(
            "developer-only",
            f"the developer built-in '{name}' is no code here: it can only be a statement",
            place,
        )

    def check_native(self, site: Site, name: str) -> None:
        signature = self.natives.find(name, site.method)
        assert signature is not None
        dialect = self.dialect
        developer_only = not site.method and name in dialect.developer_natives
        if not dialect.developer and (name in dialect.developer_natives or name in dialect.vanishing):
            self.report(
                "developer-only",
                f"the developer built-in '{name}' is no code here: it can only be a statement",
                self.source.span(*site.target),
            )
        elif developer_only and not site.statement and not site.developer:
            self.report(
                "developer-only",
                f"outside '/# ... #/' the developer built-in '{name}' can only be a statement",
                self.source.span(*site.target),
            )
        limit = dialect.limits.native_args
        if site.given > limit:
            self.report(
                "too-many-arguments",
                f"a built-in takes at most {limit} arguments, these are {site.given}",
                self.source.span(site.start, site.end),
            )
        elif not signature.implemented:
            self.missing_native(signature, self.source.span(*site.target))
        elif not signature.takes(site.given):
            self.warn(
                "argument-count",
                f"'{name}' takes {signature.wanted()}, not {site.given}",
                self.source.span(*site.target),
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

    # ---- names that mean nothing ------------------------------------------------------------------

    def unknown_call(self, name: str, method: bool, place: Span) -> None:
        """Report a bare name that is neither a function of the file nor a built-in of the right kind."""
        if name in self.dialect.keywords:
            self.unknown(self.name, name, place, f"reserved words are lower-case: {name}")
            return
        if method and self.natives.function(name) is not None:
            self.unknown(self.name, name, place, "that built-in takes no object before it")
            return
        if not method and self.natives.method(name) is not None:
            self.unknown(self.name, name, place, f"it is a method: write OBJECT {name}(...)")
            return
        known = set(self.own)
        every = self.natives.all
        if isinstance(every, ListsNatives):
            known.update(every.method_names() if method else every.function_names())
        # What looks like a call to the parser and is a statement where it is spelt right.
        known.update(self.dialect.keywords & (_OBJECT_STATEMENTS if method else _STATEMENTS))
        self.unknown(self.name, name, place, did_you_mean(name, known))

    def unknown(self, owner: str, name: str, place: Span, hint: str | None = None) -> None:
        elsewhere = owner != self.name
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

    def check_operands(self, part: FunctionFacts, depth: int) -> None:
        limits = self.dialect.limits
        if limits.operands_per_call * depth + part.operands > limits.operand_budget:
            self.report(
                "operand-depth",
                f"too many values wait at once in '{part.name}': split its longest expression",
                self.span(part.name_start, len(part.name)),
            )

    def check_animations(self, part: FunctionFacts) -> None:
        for name, start, end in part.region_animations:
            self.report(
                "developer-block",
                f"'%{name}' cannot stand in '/# ... #/' among statements",
                self.source.span(start, end),
                "put it in a developer function",
            )
        for start, end in part.treeless:
            self.report(
                "no-tree",
                "no animation tree is selected here",
                self.source.span(start, end),
                'write #using_animtree("NAME"); above the function',
            )

"""Programs by name: each text is parsed once, however many contexts run it."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from engine.linescript.functions import HostFunction
from engine.linescript.parser import parse
from engine.linescript.program import Program
from engine.source import Diagnostic, DiagnosticError, SourceText


class Programs:
    """A cache. `find` gives the text of a name, or None; `natives` are what programs may call.

    `parses` counts how often a text was parsed.
    """

    def __init__(self, find: Callable[[str], SourceText | None], natives: Mapping[str, HostFunction]) -> None:
        self._find = find
        self._natives = natives
        self.loaded: dict[str, Program] = {}
        self.parses = 0

    def load(self, name: str) -> Program | None:
        """The program of a name, None where there is no such file. Raises DiagnosticError for one with errors."""
        known = self.loaded.get(name)
        if known is not None:
            return known
        source = self._find(name)
        if source is None:
            return None
        program = self.loaded[name] = self.read(name, source)
        return program

    def read(self, name: str, source: SourceText) -> Program:
        """A program of this text for whoever has these natives; it is not kept. Raises DiagnosticError."""
        self.parses += 1
        return parse(name, source, self._natives)

    def sources(self) -> dict[str, SourceText]:
        """The texts that run, whatever is in the files by now."""
        return {name: program.source for name, program in self.loaded.items()}

    def take(self, sources: Mapping[str, SourceText]) -> None:
        """Have these texts from the beginning, as they ran elsewhere."""
        for name, source in sources.items():
            self.loaded[name] = self.read(name, source)

    def changed(self) -> dict[str, Program]:
        """New programs for those whose text is another now. Nothing is swapped in yet.

        A text that cannot be found any more stays as it is. Raises DiagnosticError with all errors of all texts.
        """
        found: dict[str, Program] = {}
        faults: list[Diagnostic] = []
        for name, program in self.loaded.items():
            source = self._find(name)
            if source is None or source.text == program.source.text:
                continue
            try:
                found[name] = self.read(name, source)
            except DiagnosticError as error:
                faults += error.diagnostics
        if faults:
            raise DiagnosticError(faults)
        return found

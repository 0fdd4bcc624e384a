"""BOS source to a COB program: the whole way, with everything that is wrong on it."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from engine.cob.bos_codegen import CodeGenerator, CompiledUnit
from engine.cob.bos_parser import BosParser
from engine.cob.container import TA, TAK
from engine.cob.lints import lint
from engine.cob.preprocessor import Preprocessor
from engine.cob.profiles import PROFILES, Profile
from engine.source import Diagnostic, DiagnosticError, SourceText


def compile_bos(
    source: SourceText,
    *,
    folder: Path | None = None,
    include_path: Sequence[Path] = (),
    profile: Profile = PROFILES["scriptor"],
    target: str | None = None,
    safe_end: bool = False,
    model_pieces: Sequence[str] | None = None,
    warnings: list[Diagnostic] | None = None,
) -> CompiledUnit:
    """Compile one file. `folder` is where its includes are looked for first; `target` is `ta` or `tak`, by
    default what a `#define TA` or `#define TAK` in the source says, else `ta`; `model_pieces` are the names of
    the model's nodes, for a warning about each declared piece that is not among them.

    Raises DiagnosticError with every error; warnings go to `warnings`.
    """
    problems: list[Diagnostic] = []
    preprocessor = Preprocessor(include_path, problems)
    tokens = preprocessor.run(source, folder)
    if target is None:
        target = "tak" if "TAK" in preprocessor.macros else "ta"
    program = BosParser(tokens, profile, problems).parse()
    version = TAK if target == "tak" else TA
    unit = CodeGenerator(program, profile, version, safe_end, problems).run()
    problems += lint(program, model_pieces)
    if not program.functions and not problems:
        text = "there are no functions here: the program does nothing"
        problems.append(Diagnostic("bos-empty", text, source.span(0), "warning"))
    errors = [p for p in problems if p.severity == "error"]
    if errors:
        raise DiagnosticError(sorted(problems, key=_order))
    if warnings is not None:
        warnings.extend(sorted(problems, key=_order))
    return unit


def _order(diagnostic: Diagnostic) -> tuple[str, int]:
    span = diagnostic.span
    return (span.path, span.start) if span is not None else ("", 0)

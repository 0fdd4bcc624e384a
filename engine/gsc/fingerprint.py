"""What identifies a program, and the one line that tells a controller what became of loading it.

The fingerprint is a SHA-256 of the sources as they were read, without the terminators at their ends, with their names
and dialects and the compiler's own text (IW4 page, "Sources and installation").
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable

from engine.gsc.keeping import compiler_version
from engine.gsc.program import Program
from engine.gsc.syntax import NativeFunction
from engine.source import Diagnostic


def fingerprint(program: Program) -> str:
    """64 hexadecimal digits; equal for equal sources, whatever the order in which they loaded."""
    digest = hashlib.sha256(f"notetrack {compiler_version()}\n".encode())
    for name, script in sorted(program.scripts.items()):
        text = script.source.text.rstrip("\0").encode("latin-1", "replace")
        digest.update(f"{name}\n{script.dialect.name}\n{len(text)}\n".encode("latin-1", "replace"))
        digest.update(text)
    return digest.hexdigest()


def seed_of(program: Program) -> int:
    """The first state of the random numbers: equal programs draw equal numbers."""
    return int(fingerprint(program)[:16], 16)


def installed(program: Program) -> str:
    """The line for a program that was loaded whole."""
    functions = [bound for script in program.scripts.values() for _, bound in script.deeds.values()]
    natives = {bound for bindings in functions for bound in bindings if isinstance(bound, NativeFunction)}
    counts = f"modules={len(program.scripts)} functions={len(functions)} natives={len(natives)}"
    return f"gsc: installed fingerprint={fingerprint(program)} {counts} entries={len(program.entries)}"


def refused(stage: str, diagnostics: Iterable[Diagnostic]) -> str:
    """The line for one that was not. `stage` is compile, install or entry."""
    first = next((d.message for d in diagnostics if d.severity == "error"), "unknown")
    return f'gsc: refused stage={stage} fault="{first}"'

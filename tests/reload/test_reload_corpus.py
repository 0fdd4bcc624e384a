"""Every variant of the corpus in a real VM: fates, lines, variables, and what the threads do afterwards."""

from __future__ import annotations

from pathlib import Path

import pytest

from engine.vm.trace import show
from tests.reload.reload_corpus import Variant, read
from tests.vm.vm_kit import make

VARIANTS = [v for path in sorted(Path(__file__).parent.glob("*.txt")) for v in read(path)]


def test_there_are_enough() -> None:
    assert len(VARIANTS) >= 120
    assert len({(v.family, v.name) for v in VARIANTS}) == len(VARIANTS)


@pytest.mark.parametrize("variant", VARIANTS, ids=lambda v: f"{v.family}-{v.name}".replace(" ", "_"))
def test_variant(variant: Variant) -> None:
    run = make()
    run.vm.link(run.program(**variant.base))
    run.vm.start("main::main")
    run.frames(round(variant.after * 20))
    assert run.errors == []
    threads = run.vm.stats().threads
    edited = variant.edited()
    report = run.vm.link(run.program(**edited), policy=lambda key: variant.policy)  # type: ignore[arg-type, return-value]
    counts = report.counts()
    assert sum(counts.values()) == threads
    held = {
        (
            view.number,
            frame.function.rpartition("::")[2],
            frame.span.line if frame.span else None,
        ): frame.locals
        for view in run.vm.threads()
        for frame in view.frames
    }
    found = []
    for row in report.rows:
        function = row.function.rpartition("::")[2]
        old, new = (str(span.line) if span else "-" for span in (row.old, row.new))
        text = f"{function} {row.fate} {old} {new}"
        locals_ = [
            values
            for (number, _, line), values in held.items()
            if number == row.thread and line == (row.new or row.old).line  # type: ignore[union-attr]
        ]
        shown = (
            {name: show(value) for name, value in locals_[0].items()}
            if locals_ and row.fate != "restarted"
            else {}
        )
        found.append((text, shown))
    wanted = [(f"{r.function} {r.fate} {r.old} {r.new}", r.locals) for r in variant.rows]
    assert sorted(text for text, _ in found) == sorted(text for text, _ in wanted), report.rows
    for text, locals_ in wanted:
        assert any(text == other and locals_.items() <= shown.items() for other, shown in found), found
    for fate, count in variant.counts.items():
        assert counts[fate] == count, counts  # type: ignore[index]
    run.out.clear()
    run.frames(60)
    if variant.output is not None:
        printed = " ".join(run.lines)
        wanted_text = variant.output.removesuffix(" ...")
        assert (
            printed.startswith(wanted_text + " ")
            if variant.output.endswith(" ...")
            else printed == variant.output
        )
    assert run.messages == variant.errors

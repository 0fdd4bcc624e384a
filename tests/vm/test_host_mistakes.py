"""Mistakes of a host that once were taken in silence, or told as something else."""

from __future__ import annotations

import numpy as np
import pytest

from engine.vm.core import core_registry
from engine.vm.limits import Settings
from engine.vm.registry import Registry
from engine.vm.values import Value, wrap
from tests.vm.vm_kit import Run, make


def linked(text: str, registry: Registry | None = None) -> Run:
    run = make(registry=registry)
    run.vm.link(run.program(main=text))
    return run


@pytest.mark.parametrize("pure", [True, False])
@pytest.mark.parametrize("policy", ["stop", "continue"])
def test_a_number_of_numpy_from_a_native_becomes_an_int(policy: str, pure: bool) -> None:
    registry = core_registry()

    @registry.function(pure=pure)
    def n(kind: int) -> int:
        return (np.int64(5), np.int8(5), np.uint64(2**63 + 5), True)[kind]  # type: ignore[return-value]

    run = make(policy, registry)
    run.vm.link(run.program(main="main() { for (i = 0; i < 4; i++) level.x[i] = n(i); }"))
    run.vm.start("main::main")
    assert run.messages == []
    assert [(type(v), v) for v in run.vm.level.get_field("x").values()] == [(int, 5)] * 3 + [(int, 1)]
    run.vm.restore(run.vm.snapshot())


def test_what_is_no_whole_number_does_not_wrap() -> None:
    for value in (1.5, np.float64(1), "x", None):
        with pytest.raises(TypeError):
            wrap(value)  # type: ignore[arg-type]  # the mistake that is meant


def test_a_limit_of_strings_that_nothing_looks_at_is_refused() -> None:
    with pytest.raises(ValueError, match="max_string is 511; it must be 512 or more"):
        Settings(max_string=511)
    assert Settings(max_string=512).max_string == 512


def test_a_text_that_is_too_long_to_be_read_back_is_not_written() -> None:
    registry = core_registry()

    @registry.function()
    def long() -> Value:
        return "x" * 9000

    run = linked("main() { level.q = long(); }", registry)
    run.vm.start("main::main")
    for length in (9000, 8193):
        for look in (run.vm.snapshot, run.vm.state_hash):
            with pytest.raises(TypeError, match=f"of {length} characters cannot be saved: .* at most 8192"):
                look()
        run.vm.level.set_field("q", "x" * 8193)
    run.vm.level.set_field("q", "x" * 8192)
    run.vm.restore(run.vm.snapshot())

"""Every limit of a run in one object. Each ends only the thread that is over it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from engine.vm.census import LONG_STRING
from engine.vm.errors import Policy


@dataclass(frozen=True, slots=True)
class Settings:
    """How a VM runs. The defaults are the stock limits where the stock engine has one.

    Budgets count, they do not read a clock: the same program ends at the same place on every machine.
    """

    on_error: Policy | None = None
    """What a run-time error does. None: what the dialect of the script says, which for United Offensive is to stop."""
    policies: Mapping[str, Policy] = field(default_factory=dict)
    """The same for single dialects by their names; what is here comes first."""
    developer: bool = True
    """Whether developer blocks and developer-only built-ins are kept."""

    max_depth: int = 32
    """Nested calls, thread starts included (vm facts, 5.3)."""
    max_variables: int = 65_536
    """Locals of suspended threads, fields and array entries together. Checked by a count of what was made since the
    last exact census, so fields that are added to old objects are noticed at the next one."""
    budget: int = 5_000_000
    """Units of work in one resumption of a thread, rounded up to whole blocks. A unit is about what a round of an empty
    loop takes (`engine.gsc.cost`); what depends on values, such as a long string or a new thread, is counted when it
    happens."""
    budget_block: int = 4_000
    """How many of them pass between two checks; where a round of a loop or a call weighs much, so many rounds as of a
    weight of 32."""
    frame_budget: int = 6_000_000
    """The same for all threads of one owner from one advance of the clock to the next. When it is spent, a thread of
    that owner that goes on for more than a block, starts another or runs a second time is ended."""
    loading_budget: int = 100_000_000
    """The least of both before the clock is first advanced: a level is being prepared then, and no frame is late."""
    max_resumptions: int = 100_000
    """Resumptions in one drain of one millisecond's bucket."""
    frame_ms: int = 50
    """Milliseconds of a server frame, for the dialects that count in them."""
    max_string: int = 8_192
    """Characters in one string that an operator makes; `LONG_STRING` or more, since shorter ones are not measured."""
    max_array: int = 65_536
    """Entries of one array."""
    max_threads: int = 16_384
    """Suspended threads, and so those that wait for an event."""
    max_endons: int = 1_024
    """Events that one thread is to end with."""
    max_log_lines: int = 4_096
    """Lines that the threads of one owner print in a frame."""
    max_new_errors: int = 1_000
    """Errors that were not told before and are, for the threads of one owner in one frame; the others are counted."""
    seed: int = 0x9E3779B9
    """The first state of the random numbers."""

    def __post_init__(self) -> None:
        """Raises `TypeError` for a policy that is none: by its word it would count as unlike all of them; `ValueError`
        for a limit of strings that nothing would look at."""
        for policy in (self.on_error, *self.policies.values()):
            if policy is not None and not isinstance(policy, Policy):
                raise TypeError(f"{policy!r} is no policy: Policy.STOP, Policy.CONTINUE or Policy.HALT")
        if self.max_string < LONG_STRING:
            raise ValueError(
                f"max_string is {self.max_string}; it must be {LONG_STRING} or more: shorter strings are not measured"
            )

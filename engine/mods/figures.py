"""The counts of F3: what the scripts of a session are doing, gathered only while it is shown."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from engine.mods.journal import Inspection
from engine.mods.units import FOLDER as UNITS

if TYPE_CHECKING:
    from engine.mods.session import GameSession


def inspection(session: GameSession) -> Inspection:
    """Threads by function, waits by event and kind of object, and how much there is of everything."""
    vm, world, debugger = session.vm, session.world, session.debugger
    stats, schedule = vm.stats(), world.lives.schedule
    functions = Counter(str(thread.root_function) for thread in vm.runner.suspended)
    waits = Counter(
        f'waittill "{thread.event}" on {debugger.kind(thread.waits_on)}'
        for thread in vm.runner.suspended
        if thread.waits_on is not None
    )
    return Inspection(
        thread_count=stats.threads,
        waiter_count=stats.waiters,
        threads=(functions + _other_threads(session)).most_common(),
        waiters=waits.most_common(),
        variables={
            "variables": stats.variables,
            "entities": sum(1 for _ in world.entities.all()),
            "endons": stats.endons,
            "functions": stats.functions,
            "compiled": stats.compiled,
            "errors": stats.errors,
            "line scripts": len(world.lives.lives),
            "line statements": schedule.profile.statements,
            "over budget": schedule.profile.over,
        },
    )


def _other_threads(session: GameSession) -> Counter[str]:
    """Threads of unit scripts and line scripts, named as those of GSC are."""
    lives = Counter(f"scripts\\{life.name}" for life in session.world.lives.lives)
    return lives + Counter(
        f"{UNITS}\\{entity.unit.program.name}::{script}"
        for entity in session.world.entities.all()
        if entity.unit is not None
        for script in entity.unit.running()
    )

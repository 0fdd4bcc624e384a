"""The structs of a level for scripts of Modern Warfare 2 (IW4 page, "Sources and installation").

Every `script_struct` of the map becomes a plain object in `level.struct`; then the function `initstructs` of
`codescripts/struct` runs, where a mod has it. It must not wait.
"""

from __future__ import annotations

from collections.abc import Callable

from engine.mods.program import STRUCTS
from engine.source import Diagnostic
from engine.vm.arrays import Array
from engine.vm.machine import VM
from engine.vm.objects import ScriptStruct
from engine.world.levels import Level

INIT = f"{STRUCTS}::initstructs"


def level_structs(level: Level) -> Array:
    """The structs of a map in the order of its blocks, with their keys as fields."""
    structs = []
    for block in level.blocks:
        if block.role == "struct":
            struct = ScriptStruct()
            fields = {"origin": (0.0, 0.0, 0.0), "angles": (0.0, 0.0, 0.0), **block.values}
            for name, value in fields.items():
                struct.set_field(name.lower(), value)
            structs.append(struct)
    return Array.of(structs)


def start_structs(vm: VM, level: Level, tell: Callable[[Diagnostic], None]) -> None:
    """Fill `level.struct` and run the init function. One that waits is ended, and told."""
    vm.level.set_field("struct", level_structs(level))
    try:
        function = vm.function(INIT)
    except KeyError:
        return
    thread = vm.start(function)
    if not thread.ended:
        vm.end(thread)
        tell(Diagnostic("struct-init-waits", f"{INIT}() must not wait: it was ended at its first wait"))

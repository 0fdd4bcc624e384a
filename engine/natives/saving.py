"""What a saved game holds beside VM and world: the scripts' side of HUD elements."""

from __future__ import annotations

from engine.natives.hud import HudElem
from engine.vm.heap import HeapIn, HeapOut
from engine.vm.objects import ScriptObject
from engine.vm.packing import damaged
from engine.world.saving import WorldState
from engine.world.world import World


def game_state(world: World) -> WorldState:
    """The `state_host` of a VM that plays in a world."""
    return WorldState(world, [HudKind])


class HudKind:
    """HUD elements: which state of the world's HUD each is for."""

    def __init__(self, state: WorldState) -> None:
        self.name = "hudelem"
        self.type: type[ScriptObject] = HudElem
        self._state = state

    def write_shell(self, out: HeapOut, element: HudElem) -> None:
        """Nothing: its state may be read later."""

    def read_shell(self, inp: HeapIn) -> HudElem:
        return HudElem.__new__(HudElem)

    def write(self, out: HeapOut, element: HudElem) -> None:
        out.whole(element.state.number)

    def read(self, inp: HeapIn, element: HudElem) -> None:
        state = self._state.hud.get(inp.whole())
        if state is None:
            damaged("a HUD element is not among those of the world")
        element.state = state

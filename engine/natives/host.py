"""The VM as the world's script host."""

from __future__ import annotations

from collections.abc import Callable

from engine.vm.machine import VM
from engine.vm.objects import ScriptObject
from engine.vm.values import Function, Value

CALLBACKS = "maps\\mp\\gametypes\\_callbacksetup"
"""The script whose functions the engine calls by name."""


class VMHost:
    """`ScriptHost` over a VM, which is given after the world: a VM needs the world among its services.

    With `signals` every event of `level` is noted for whoever asks after the frame (IW4 page, "Engine boundary")."""

    def __init__(self, *, signals: bool = False) -> None:
        self._vm: VM | None = None
        self._clock = 0
        self._records = signals
        self._signals: list[str] = []
        self._on_level: Callable[[str, tuple[Value, ...]], None] | None = None

    @property
    def vm(self) -> VM:
        if self._vm is None:
            raise RuntimeError("the world runs before it has a VM")
        return self._vm

    def attach(self, vm: VM) -> None:
        if vm is not self._vm:
            self._on_level = None
        self._vm = vm
        self._clock = vm.time
        self._signals.clear()
        if self._records:
            vm.scheduler.listeners[vm.level] = self._hear_level

    def _hear_level(self, event: str, args: tuple[Value, ...]) -> None:
        self._signals.append(event)
        if self._on_level is not None:
            self._on_level(event, args)

    def take_signals(self) -> list[str]:
        """The events of `level` since the last call, in their order."""
        taken, self._signals = self._signals, []
        return taken

    def begin(self, time: int) -> None:
        """The level's time as scripts read it; the clock that wakes them follows in `advance`."""
        self.vm.time = time

    def notify(self, target: ScriptObject, event: str, *args: Value) -> None:
        self.vm.notify(target, event, *args)

    def drain(self) -> None:
        self.vm.drain()

    def advance(self, time: int) -> None:
        self.vm.advance(time - self._clock)
        self._clock = time

    def callback(self, name: str, target: ScriptObject, *args: Value) -> bool:
        function = self._find(name)
        if function is None:
            return False
        self.vm.start(function, target, args[: function.arity])
        return True

    def _find(self, name: str) -> Function | None:
        try:
            return self.vm.function(f"{CALLBACKS}::{name}")
        except KeyError:
            return None

    def listen(self, target: ScriptObject, hear: Callable[[str, tuple[Value, ...]], None] | None) -> None:
        listeners = self.vm.scheduler.listeners
        if self._records and target is self.vm.level:
            self._on_level = hear
        elif hear is None:
            listeners.pop(target, None)
        else:
            listeners[target] = hear

    def free(self, target: ScriptObject) -> None:
        self.vm.free(target)

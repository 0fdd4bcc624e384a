"""Line scripts from GSC: to run one on an entity, to end it, and to let fields of the HUD follow expressions."""

from __future__ import annotations

from engine.natives.hud import HudElem
from engine.source import DiagnosticError
from engine.vm.errors import ScriptError
from engine.vm.machine import VM
from engine.vm.objects import ScriptObject
from engine.vm.registry import Registry
from engine.world.world import World

natives = Registry(services=(World,))


def _refusal(what: str, error: DiagnosticError) -> ScriptError:
    first = error.diagnostics[0]
    place = f" in {first.span}" if first.span is not None else ""
    return ScriptError(f"{what} has an error{place}: {first.message}")


@natives.method()
def runscript(self: ScriptObject, world: World, name: str) -> None:
    """Run the line script `scripts/NAME.script` on an object: its fields are the script's variables."""
    try:
        found = world.lives.start(self, name.lower())
    except DiagnosticError as error:
        raise _refusal(f"line script '{name}'", error) from None
    if not found:
        raise ScriptError(f"there is no line script '{name}': it would be scripts/{name}.script of a mod")


@natives.method()
def stopscript(self: ScriptObject, world: World, name: str | None = None) -> int:
    """End the line scripts of an object, or those of one name; how many there were."""
    return world.lives.stop(self, name.lower() if name is not None else None)


@natives.method()
def bindtext(
    self: HudElem, world: World, vm: VM, expression: str, object: ScriptObject | None = None
) -> None:
    """Show the value of an expression, always as it is now. Its variables are the fields of `level`, or of an object.

    An empty expression ends it."""
    _bind(self, world, object or vm.level, "text", {"text": expression})


@natives.method()
def bindsize(
    self: HudElem, world: World, vm: VM, width: str, height: str, object: ScriptObject | None = None
) -> None:
    """Let width and height of a picture follow two expressions; empty ones end it."""
    _bind(self, world, object or vm.level, "size", {"width": width, "height": height})


def _bind(element: HudElem, world: World, target: ScriptObject, kind: str, fields: dict[str, str]) -> None:
    if not any(fields.values()):
        world.lives.unbind(element.state, kind)
        return
    try:
        world.lives.bind(element.state, target, fields)
    except DiagnosticError as error:
        raise _refusal("the expression", error) from None

"""Hostile mods that are made when they are played: one with links, and one that calls every built-in with nonsense."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path

from engine.natives.registry import game_registry
from engine.vm.native import Native

TUPLES = 20
SKIPPED = frozenset({"map_restart", "exitlevel"})
"""Built-ins that end the level, and with it the run."""

VALUES = (
    "undefined", "0", "-1", "7", "2147483647", "-2147483648", "0.0", "-0.5", "99999999999999999999.0", '""',
    '"axis"', "level.long", '"../../etc/passwd"', '"C:\\\\x"', '"%s%n"', "(0, 0, 0)", "(9999999, -9999999, 9999999)",
    "level.list", "[]", "level", "self", "level.gone", "level.thing", "spawnstruct()", "::main", '&"KEY"', "1.0 / 3",
)  # fmt: skip
RECEIVERS = ("level", "self", "level.thing", "level.gone", "level.nothing", "5")

HEAD = """
main()
{{
    wait 1;
    level.long = "x";
    while (level.long.size < 8000)
        level.long = level.long + level.long;
    level.list[0] = 1;
    level.list["a"] = "b";
    level.gone = spawn("script_origin", (0, 0, 0));
    level.gone delete();
    level.thing = spawn("script_model", (0, 0, 64));
    wait 0.15;
{calls}
    level.escaped = 1;
}}
"""


def mod(folder: Path, name: str, script: str, on_error: str = "stop") -> Path:
    """A mod of one script that starts with the level."""
    (folder / "hostile").mkdir(parents=True, exist_ok=True)
    (folder / "mod.toml").write_text(
        f'title = "Hostile: {name}"\nautostart = "hostile/{name}"\nrequires = ["sandbox"]\non_error = "{on_error}"\n'
    )
    (folder / "hostile" / f"{name}.gsc").write_text(script)
    return folder


def natives(folder: Path) -> Path:
    """Every built-in with `TUPLES` argument lists of any values, one a frame. Errors do not end it, and it comes to
    its end: a built-in may use up what a mod can do in a frame, but the next one has a frame of its own."""
    return _natives(folder, "natives", 1)


def natives_at_once(folder: Path) -> Path:
    """The same with so many a frame that it is ended for it."""
    return _natives(folder, "natives_at_once", 8)


def _natives(folder: Path, name: str, in_a_frame: int) -> Path:
    chance = random.Random(5)
    functions: list[str] = []
    calls: list[str] = []
    for number, (built_in, native, method) in enumerate(_all()):
        body = [f"    {_call(built_in, native, method, chance)};" for _ in range(TUPLES)]
        functions.append(f"f{number}()\n{{\n" + "\n".join(body) + "\n}\n")
        calls.append(f"    thread f{number}();")
        if number % in_a_frame == in_a_frame - 1:
            calls.append("    wait 0.05;")
    return mod(folder, name, HEAD.format(calls="\n".join(calls)) + "".join(functions), "continue")


def _all() -> Iterator[tuple[str, Native, bool]]:
    registry = game_registry()
    for name, native in sorted(registry.functions.items()):
        if name not in SKIPPED:
            yield name, native, False
    for name, classes in sorted(registry.methods.items()):
        yield name, classes[0], True


def _call(name: str, native: Native, method: bool, chance: random.Random) -> str:
    # More arguments than a built-in takes are refused when the script is compiled.
    most = native.signature.maximum
    args = [chance.choice(VALUES) for _ in range(chance.randrange((5 if most is None else most) + 1))]
    receiver = f"{chance.choice(RECEIVERS)} " if method else ""
    return f"{receiver}{name}({', '.join(args)})"


LINKS = """
main()
{
    wait 1;
    level.escaped = 1;
    thing = spawn("script_model", (0, 0, 64));
    thing setmodel("outside");
    thing playsound("outside");
    thing runscript("outside");
}
"""


def links(folder: Path) -> Path:
    """Links out of the mod, to what never ends, and in a circle. Where there are no links, a mod without them."""
    made = mod(folder, "links", LINKS)
    (folder.parent / "secret.gsc").write_text("main() { level.stolen = 1; }\n")
    for target, place in (
        ("../../secret.gsc", "hostile/outside.gsc"),
        ("/dev/zero", "hostile/endless.gsc"),
        ("/", "root"),
        (".", "circle"),
        ("/dev/zero", "assets/models/outside/outside.glb"),
        ("/dev/zero", "assets/sounds/outside.wav"),
        ("/dev/zero", "scripts/outside.script"),
    ):
        (folder / place).parent.mkdir(parents=True, exist_ok=True)
        with suppress(OSError, NotImplementedError):
            (folder / place).symlink_to(target)
    return made


MADE: dict[str, Callable[[Path], Path]] = {
    "natives": natives,
    "natives_at_once": natives_at_once,
    "links": links,
}

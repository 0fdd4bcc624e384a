"""A game from text: one script, a level of boxes, a tree of still clips; what it prints and reports is kept."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from engine.anim import atr
from engine.anim.clip import Clip, ClipNote
from engine.gsc.program import load_program
from engine.natives.catalogue import Catalogue
from engine.natives.host import CALLBACKS, VMHost
from engine.natives.registry import game_registry
from engine.source import Diagnostic, SourceText
from engine.vm.errors import Policy
from engine.vm.limits import Settings
from engine.vm.machine import VM
from engine.vm.registry import RegistryCatalogue
from engine.vm.values import Animation
from engine.world.player import Player
from engine.world.view import FrameView
from engine.world.world import World
from tests.world.world_kit import RIFLE, BoxModels, make_level

TREE = "stand\nwalk\nonce\ngroup\n{\n\tleft\n\tright\n}\n"
REGISTRY = game_registry()


class Clips:
    """`once` does not loop and lasts half a second; `walk` moves 90 inches in its one second."""

    def clip(self, name: str) -> Clip | None:
        frames = 16 if name == "once" else 31
        rows = np.zeros((frames, 8, 2), np.float32)
        rows[:, 3] = rows[:, 7] = 1.0
        rows[:, 6, 1] = 68.0
        delta = np.zeros((frames, 4), np.float32)
        if name in ("walk", "once"):
            delta[:, 0] = np.arange(frames) / 30.0 * 90.0
        notes = (ClipNote(0.5, "half"), ClipNote(1.0, "end"))
        return Clip(name, ("root", "tag_top"), rows, 30.0, name != "once", notes, delta)

    def clip_names(self) -> list[str]:
        return ["stand", "walk", "once", "left", "right"]


class Scripts(dict[str, str]):
    """Script text by canonical name."""

    def find(self, name: str) -> SourceText | None:
        text = self.get(name)
        return SourceText(name.replace("\\", "/") + ".gsc", text) if text is not None else None


@dataclass
class Game:
    world: World
    vm: VM
    out: list[str] = field(default_factory=list)
    faults: list[Diagnostic] = field(default_factory=list)

    def frames(self, count: int = 1) -> FrameView:
        view = self.world.picture()
        for _ in range(count):
            view = self.world.frame()
        return view

    @property
    def printed(self) -> list[str]:
        return "".join(self.out).splitlines()

    @property
    def messages(self) -> list[str]:
        return [fault.message for fault in self.faults]

    def player(self) -> Player:
        player = self.world.connect("joe")
        player.set_state("playing")
        player.spawn((0.0, 0.0, 0.5), (0.0, 0.0, 0.0))
        return player


def game(script: str, *blocks: str, policy: Policy = Policy.STOP, callbacks: str = "") -> Game:
    """A level with a script whose `main` has been started. A `%name` refers to the tree `man`."""
    host = VMHost()
    world = World(make_level(*blocks), host, BoxModels(), weapons={"rifle": RIFLE})
    made = Game(world, VM.__new__(VM))
    vm = VM(
        REGISTRY, settings=Settings(on_error=policy), services=(world,), report=made.faults.append,
        out=made.out.append, known=Catalogue(),
    )  # fmt: skip
    made.vm = vm
    host.attach(vm)
    scripts = Scripts({"game": '#using_animtree("man");\n' + script})
    entries = ["game"]
    if callbacks:
        scripts[CALLBACKS] = callbacks
        entries.insert(0, CALLBACKS)
    program = load_program(entries, scripts, RegistryCatalogue(REGISTRY, Catalogue()), developer=True)
    trees, animations = {}, {}
    for number, name in enumerate(program.trees, 1):
        mentioned = program.animations[name]
        source = SourceText(f"animtrees/{name}.atr", TREE)
        tree = trees[name] = atr.read(source).prune(mentioned, Clips())
        for animation in mentioned:
            animations[name, animation] = Animation(name, animation, number, tree.node(animation) or 0)
    vm.link(program, animations)
    world.set_trees(program.trees, trees)
    vm.start(vm.function("game::main"))
    return made


def printed(script: str, *blocks: str, frames: int = 0, policy: Policy = Policy.STOP) -> list[str]:
    """What a script prints; a run-time error fails the test."""
    made = game(script, *blocks, policy=policy)
    made.frames(frames)
    assert made.messages == []
    return made.printed


def error(body: str, *blocks: str) -> str:
    """The one run-time error of a script body."""
    made = game("main() {\n" + body + "\n}", *blocks)
    made.frames(2)
    assert len(made.faults) == 1, made.messages
    fault = made.faults[0]
    assert fault.span is not None
    return fault.message

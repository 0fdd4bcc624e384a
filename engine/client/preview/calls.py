"""Script calls that are typed in the preview, run on its figure by the natives that scripts use.

    setanimknoball(%soldier_run, %soldier, 1, 0.2)
    setanimknob run 1 .2

Brackets, commas, quotes and percent signs may be left out: what an argument is follows from what the call takes. The
call is compiled and run as a line of script, so that what is refused is refused as in a game, and the nodes that it set
know it as their cause: typed:3 is the third call.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from engine.anim.tree import Tree
from engine.client.preview.short_names import meant, unclear
from engine.client.preview.stage import Stage
from engine.gsc.program import load_program
from engine.natives import animation, poses
from engine.natives.host import VMHost
from engine.pipeline.library import AssetLibrary
from engine.source import Diagnostic, DiagnosticError, SourceText
from engine.source.nearest import did_you_mean
from engine.vm.core import core_registry
from engine.vm.machine import VM
from engine.vm.native import Native
from engine.vm.trace import show
from engine.vm.values import Animation
from engine.world.animator import Batch, Pose
from engine.world.entity import Entity
from engine.world.levels import empty_level
from engine.world.world import World

SCRIPT = "typed"
ROOT = "root"
_FIXED = ("useanimtree", "stopuseanimtree")
"""What the preview does itself."""

_HEAD = re.compile(r"\s*(?:self\s+)?([A-Za-z_]\w*)\s*(.*?)[\s;]*\Z", re.DOTALL)
_WORD = re.compile(r"%?[A-Za-z_]\w*\Z")


class CallError(Exception):
    """A call that cannot be read; the message says why, and what is near."""


@dataclass(frozen=True, slots=True)
class Answer:
    """What a call came to: the whole line of script and its value, or what is wrong. `commands`: it may have changed
    what plays, and is no question."""

    text: str
    good: bool
    commands: bool = False


class _OneScript:
    """A search that finds one text."""

    def __init__(self, source: SourceText) -> None:
        self._source = source

    def find(self, name: str) -> SourceText | None:
        return self._source if name == SCRIPT else None


class Caller:
    """The calls for one stage. Everything that they need is made with it: a world with one entity, and a VM."""

    def __init__(self, stage: Stage, library: AssetLibrary) -> None:
        self._stage = stage
        self._count = 0
        self._faults: list[Diagnostic] = []
        host = VMHost()
        self._world = World(empty_level(), host, library)
        registry = core_registry((World,))
        for natives in (animation.natives, poses.natives):
            registry.include(natives)
        self._vm = VM(
            registry, services=(self._world,), report=self._faults.append, out=lambda text: len(text)
        )
        host.attach(self._vm)
        self._entity = self._world.entities.add(Entity, "script_model")
        self._natives: dict[str, Native] = {}
        for natives in (animation.natives, poses.natives):
            self._natives |= natives.functions
            self._natives |= {name: found[0] for name, found in natives.methods.items()}
        for name in _FIXED:
            del self._natives[name]

    @property
    def names(self) -> list[str]:
        """What can be called."""
        return sorted(self._natives)

    def nodes(self) -> list[str]:
        """What can be named, without percent signs."""
        return sorted({ROOT, *self._stage.subject.tree.index})

    def call(self, line: str) -> Answer:
        """Run one line."""
        try:
            text = self._script(line)
        except CallError as error:
            return Answer(str(error), False)
        self._count += 1
        self._faults.clear()
        tree = self._stage.subject.tree
        # The lines before it are empty, so that its own number is that of the call.
        body = f'#using_animtree("{tree.name}"); call() {{ return {text}; }}'
        source = SourceText(SCRIPT, "\n" * (self._count - 1) + body)
        try:
            program = load_program([SCRIPT], _OneScript(source), self._vm.natives)
        except DiagnosticError as error:
            return Answer(_one_line(error.diagnostics[0]), False)
        self._vm.link(program)
        self._prepare(tree)
        thread = self._vm.start(f"{SCRIPT}::call", self._entity)
        if self._faults:
            return Answer(_one_line(self._faults[0]), False)
        if thread.result is None:
            return Answer(f"{text};", True, commands=True)
        return Answer(f"{text} is {show(thread.result)}", True)

    def _prepare(self, tree: Tree) -> None:
        """The entity is the stage's figure as it is now."""
        stage, model = self._stage, self._stage.subject.model
        self._vm.time = round(stage.time * 1000)
        self._world.animator.trees = {tree.name: tree}
        batch = Batch(tree, model.skeleton, stage.instances, model.name, {stage.row: self._entity})
        self._entity.model_name = model.name
        self._entity.pose = Pose(batch, stage.row, self._world.animator.boxes_of(model.name))

    # Reading --------------------------------------------------------------------------------------------

    def _script(self, line: str) -> str:
        """A line as an expression of a script. Raises CallError."""
        found = _HEAD.match(line)
        if found is None:
            raise CallError("a call begins with the name of a function, such as setanimknob")
        name, rest = found[1].lower(), found[2]
        native = self._natives.get(name)
        if native is None:
            hint = did_you_mean(name, self._natives) or "Tab finishes names"
            raise CallError(f"there is no call '{found[1]}' here; {hint}")
        plain = re.sub(r'"[^"]*"', "", rest)
        if plain.count("(") != plain.count(")"):
            missing = plain.count("(") > plain.count(")")
            raise CallError(
                "a bracket is " + ("opened and not closed" if missing else "closed and not opened")
            )
        bracketed = rest.startswith("(") and rest.endswith(")") and _closes_last(rest)
        given = _split(rest[1:-1], ",") if bracketed else _split(rest, ", \t")
        if len(given) > len(native.parameters):
            most = len(native.parameters)
            raise CallError(
                f"{name} takes {most} argument{'s' * (most != 1)}, not {len(given)}: {_takes(native)}"
            )
        least = sum(not parameter.optional for parameter in native.parameters)
        if len(given) < least:
            raise CallError(f"{name} needs {least} argument{'s' * (least != 1)}: {_takes(native)}")
        kinds = [parameter.kind for parameter in native.parameters]
        texts = [self._argument(text, kind) for text, kind in zip(given, kinds, strict=False)]
        return ("self " if native.receiver is not None else "") + f"{name}({', '.join(texts)})"

    def _argument(self, text: str, kind: type | None) -> str:
        if kind is Animation and _WORD.match(text):
            return "%" + self._node(text.removeprefix("%").lower())
        if kind is str and _WORD.match(text):
            return f'"{text}"'
        return text

    def _node(self, word: str) -> str:
        """A node by its name, or by the end of it where that is clear."""
        names, tree = self.nodes(), self._stage.subject.tree.name
        found = meant(word, names, tree)
        if len(found) == 1:
            return found[0]
        hint = unclear(word, names, tree)
        raise CallError(f"tree '{tree}' has no animation '{word}'" + (f"; {hint}" if hint else ""))


def _takes(native: Native) -> str:
    """The arguments of a call, for people: `anim, weight, [time]`."""
    return ", ".join(f"[{p.name}]" if p.optional else p.name for p in native.parameters)


def _closes_last(text: str) -> bool:
    """Whether the bracket that opens a text is closed by its last character."""
    depth = 0
    for at, character in enumerate(text):
        depth += (character == "(") - (character == ")")
        if depth == 0:
            return at == len(text) - 1
    return False


def _split(text: str, separators: str) -> list[str]:
    """Parts of a text between separators that lie in no brackets and no quotes."""
    parts, depth, quoted = [""], 0, False
    for character in text:
        if character == '"':
            quoted = not quoted
        elif not quoted:
            depth += (character in "([") - (character in ")]")
        if character in separators and depth == 0 and not quoted:
            parts.append("")
        else:
            parts[-1] += character
    stripped = [part.strip() for part in parts]
    return [part for part in stripped if part]


def _one_line(diagnostic: Diagnostic) -> str:
    return "; ".join([diagnostic.message, *(note.message for note in diagnostic.notes)])

"""The simulation: everything that is in a level and what happens to it, a server frame of 50 ms at a time.

The world reads no clock and no global randomness: the same commands in the same frames give the same game. Scripts
run behind `ScriptHost`, in the places that the stock order of a frame has for them (vm facts, 3.4).
"""

from __future__ import annotations

from collections.abc import Callable, Container, Mapping, Sequence
from dataclasses import replace
from random import Random

from engine.pipeline.model import Model
from engine.pipeline.names import asset_name
from engine.source import Diagnostic
from engine.source.nearest import did_you_mean
from engine.vm.errors import ScriptError
from engine.vm.objects import ScriptObject, ScriptStruct
from engine.world.angles import ZERO, Vector, matrix
from engine.world.animator import Animator
from engine.world.brush import Brush
from engine.world.collision import Collision
from engine.world.command import UserCommand
from engine.world.effects import LoopedEffect, run_looped
from engine.world.entities import EntityTable
from engine.world.entity import Entity
from engine.world.events import FrameEvents
from engine.world.host import ModelSource, ScriptHost, Trees
from engine.world.hud import Hud
from engine.world.keys import float_key
from engine.world.levels import Level
from engine.world.lives import Lives
from engine.world.movers import run_movers
from engine.world.objectives import Objective
from engine.world.paths import PathGraph
from engine.world.picture import take_picture
from engine.world.player import Player
from engine.world.scripted import run_scripted
from engine.world.solid import Solid
from engine.world.solids import model_brushes, prop_brush
from engine.world.spawning import Structs, spawn_blocks
from engine.world.surfaces import SurfaceTable
from engine.world.triggers import Trigger, run_triggers
from engine.world.units import NoUnits, UnitSource, run_units
from engine.world.view import Atmosphere, FrameView, NoteEvent
from engine.world.walker import Walker
from engine.world.weapons import Weapon

FRAME = 50
"""Milliseconds of a server frame."""

_PLANS = 2
"""Paths that may be searched in one frame; the others wait for the next."""


class World:
    """One running level.

    host      runs the scripts
    models    where models come from
    level     the map
    weapons   by name
    seed      of all randomness in the simulation
    populate  whether the blocks of the map become entities at once; else `populate` does that later
    """

    def __init__(
        self, level: Level, host: ScriptHost, models: ModelSource, *,
        weapons: Mapping[str, Weapon] | None = None, surfaces: SurfaceTable | None = None, seed: int = 1,
        populate: bool = True,
    ) -> None:  # fmt: skip
        self.level = level
        self.host = host
        self.models = models
        self.weapons: dict[str, Weapon] = dict(weapons or {})
        self.surfaces = surfaces if surfaces is not None else SurfaceTable()
        self.random = Random(seed)
        self.time = 0
        self.frame_number = 0
        self.gravity = float_key(level.settings, "gravity", 800.0)
        self.atmosphere: Atmosphere = level.geometry.atmosphere
        self.space = Collision(level.solids)
        self.trigger_space = Collision()
        self.animator = Animator(models, lambda diagnostic: self.complain(diagnostic))
        self.entities = EntityTable(self)
        self.events = FrameEvents()
        self.hud = Hud()
        self.lives = Lives(self)
        self.spare_players = False
        self.trigger_events: list[tuple[Trigger, Entity]] = []
        self.team_scores: dict[str, int] = {"axis": 0, "allies": 0}
        self.effects: list[str] = []
        """Names of effects that scripts have loaded; the number of the first is 1."""
        self.looped_effects: list[LoopedEffect] = []
        self.music = ""
        self.ambient = self.atmosphere.ambient_sound
        self.sound_seconds: Callable[[str], float] = lambda alias: 1.0
        """How long a sound lasts; the session gives the truth."""
        self.sound_asked: Callable[[str], object] = lambda alias: None
        """Hears the sounds that scripts name, while the script stands there; the session tells what nothing has."""
        self.complain: Callable[[Diagnostic], None] = lambda diagnostic: None
        """Hears what is wrong with what a mod brings; the session tells the user."""
        self.requests: list[str] = []
        """What scripts asked of the session: `map_restart`, `map_restart persist`, `exitlevel`."""
        self.units_source: UnitSource = NoUnits()
        """Programs of unit scripts by name; the session gives those of the mods."""
        self.loading = True
        """Until the first frame: precache functions are allowed."""
        self.winner = ""
        self.client_names = "auto_change"
        self.objectives: dict[int, Objective] = {}
        self.trees_in_order: tuple[str, ...] = ()
        self.timers: list[tuple[int, Entity, str]] = []
        self._plans_left = _PLANS
        self._overrun: set[tuple[int, int]] = set()
        self._solids: dict[tuple[str, str], tuple[Model, list[Brush]]] = {}
        self._prop_solids: dict[int, Solid] = {}
        self._place_props()
        self.structs: list[ScriptStruct] = []
        self.paths = PathGraph([], self.space)
        if populate:
            self.populate()

    def populate(self) -> None:
        """Make the entities, structs and path nodes of the map's blocks. Called once, before the first frame."""
        nodes, self.structs = spawn_blocks(self, self.level.blocks)
        self.paths = PathGraph(nodes, self.space)

    def _place_props(self, names: Container[str] | None = None) -> None:
        """Put the level's models in the way; with `names` only those, in the place of what they were."""
        for number, prop in enumerate(self.level.geometry.models):
            if names is not None and asset_name(prop.model) not in names:
                continue
            old = self._prop_solids.pop(number, None)
            if old is not None:
                self.space.remove_static(old)
            if self.models.has_model(prop.model):
                brush = prop_brush(self.models.model(prop.model), self.model_material(prop.model), prop.scale)
                if brush is not None:
                    place = prop.origin, matrix(prop.angles)
                    self._prop_solids[number] = self.space.add_static(brush, *place)

    def models_changed(self, names: Container[str]) -> None:
        """Models were read anew: what is drawn, hit and collided with is that of the new ones, and whatever plays goes
        on where it was. `names` are those that differ."""
        self.animator.models_changed()
        self._place_props(names)
        for entity in self.entities.all():
            if entity.model_name and asset_name(entity.model_name) in names:
                entity.shape_from_model()
                entity.relink()

    # --- who is there -------------------------------------------------------------------------------------

    def players(self) -> list[Player]:
        return [e for e in self.entities.all() if isinstance(e, Player)]

    def walkers(self) -> list[Walker]:
        """Players and actors, by number."""
        return [e for e in self.entities.all() if isinstance(e, Walker)]

    def connect(self, name: str = "player") -> Player:
        """A new player: CodeCallback_PlayerConnect runs, then `begin` is notified."""
        player = self._join(name)
        self.host.notify(player, "begin")
        return player

    def connect_test_client(self, name: str) -> Player:
        """A new player without anybody: CodeCallback_PlayerConnect runs, and `begin` is notified in a later frame.

        Test clients begin one a frame. What a gametype does for a player who begins it does at its own expense; for
        many in one frame, whoever asked for them would use up the frame of the gametype's mod, and its threads end.
        """
        player = self._join(name)
        last = max((when for when, _, event in self.timers if event == "begin"), default=self.time)
        self.timers.append((max(last, self.time) + FRAME, player, "begin"))
        return player

    def _join(self, name: str) -> Player:
        player = self.entities.add(Player, "player", player=True)
        player.player_name = name
        place, angles = self.spawn_view()
        player.leave_body("spectator")
        player.place(place, angles, teleport=True)
        self.host.callback("CodeCallback_PlayerConnect", player)
        return player

    def disconnect(self, player: Player) -> None:
        self.host.callback("CodeCallback_PlayerDisconnect", player)
        self.entities.remove(player)

    def spawn_view(self) -> tuple[Vector, Vector]:
        """Where to look from before there is a body: the intermission's place, else any spawn point's."""
        for classname in ("mp_global_intermission", "info_player_start", "mp_deathmatch_spawn"):
            for entity in self.entities.all():
                if entity.class_name == classname:
                    return entity.position, entity.rotation
        return ZERO, ZERO

    def run_command(self, number: int, command: UserCommand) -> None:
        """Run a player's input at once, between server frames."""
        player = self.entities.get(number)
        if isinstance(player, Player):
            player.run(command)

    # --- a frame ------------------------------------------------------------------------------------------

    def frame(self) -> FrameView:
        """Let 50 ms pass; the view is of their end."""
        self.time += FRAME
        self.frame_number += 1
        self._plans_left = _PLANS
        self.host.begin(self.time)
        self._deliver_triggers()
        self.animator.step(FRAME / 1000.0, self._note, self.host.drain, self._overran)
        self.host.advance(self.time)
        self._think()
        return self.picture()

    def _deliver_triggers(self) -> None:
        """What triggers noticed in the last frame, one after the other."""
        events, self.trigger_events = self.trigger_events, []
        for trigger, activator in events:
            if not trigger.freed:
                self.host.notify(trigger, "trigger", activator)
                self.host.drain()

    def _note(self, entity: Entity, notify: str, name: str) -> None:
        pose = entity.pose
        animation = pose.flagged.get(notify, notify) if pose is not None else notify
        if pose is None or not pose.ended_before(notify, name, self.frame_number):
            self.events.notes.append(NoteEvent(entity.number, animation, name))
        if pose is not None and pose.scripted == notify and name == "end":
            pose.ending = True
        self.host.notify(entity, notify, name)

    def _overran(self, entity: Entity) -> None:
        """Told once for each entity: what does it in one frame does it in the next."""
        if (entity.number, entity.serial) not in self._overrun:
            self._overrun.add((entity.number, entity.serial))
            text = (
                f"animations of {entity.class_name} {entity.number} ('{entity.model_name}') are commanded at so many "
                "notes of one frame that its further notes are not sent"
            )
            problem = Diagnostic("note-overrun", text, severity="warning")
            self.complain(problem.with_note("does a script start an animation again at its very first note?"))

    def notify_later(self, seconds: float, entity: Entity, event: str) -> None:
        """Notify an entity once some time has passed, unless it is gone by then."""
        self.timers.append((self.time + round(seconds * 1000), entity, event))

    def _run_timers(self) -> None:
        due = [timer for timer in self.timers if timer[0] <= self.time]
        if due:
            self.timers = [timer for timer in self.timers if timer[0] > self.time]
            for _, entity, event in due:
                if not entity.freed:
                    self.host.notify(entity, event)

    def set_trees(self, order: Sequence[str], trees: Trees) -> None:
        """The animation trees of the program that was linked; `order` is what `#animtree` counts, from 1."""
        self.trees_in_order = tuple(order)
        self.animator.rebind(trees)

    def _think(self) -> None:
        self.entities.free_due()
        self._run_timers()
        self.lives.tick()
        run_movers(self)
        run_scripted(self)
        for entity in self.entities.all():
            if not entity.freed:
                entity.think()
        run_units(self)
        run_triggers(self)
        run_looped(self.looped_effects, self.time, self.events)

    def picture(self) -> FrameView:
        """What a client may see now. What happened since the last picture is in this one only."""
        self.animator.sample()
        view = take_picture(self)
        self.events = FrameEvents()
        self.loading = False
        return view

    def set_fog(self, color: Vector, start: float, end: float, density: float) -> None:
        self.atmosphere = replace(
            self.atmosphere, fog_color=color, fog_start=start, fog_end=end, fog_density=density
        )

    @property
    def eventful(self) -> bool:
        """Whether anything is under way that may wake a script: a mover, a timer, an animation with notes, an
        entity about to be freed, a trigger that was touched."""
        if self.timers or self.trigger_events:
            return True
        return any(
            entity.freed
            or entity.unit is not None
            or entity.move_course is not None
            or entity.turn_course is not None
            or (entity.pose is not None and bool(entity.pose.flagged))
            for entity in self.entities.all()
        )

    # --- services -----------------------------------------------------------------------------------------

    def may_plan(self) -> bool:
        """Whether one more path may be searched in this frame."""
        self._plans_left -= 1
        return self._plans_left >= 0

    def weapon(self, name: str) -> Weapon:
        """A weapon by name. Raises ScriptError with the nearest names for one that does not exist."""
        found = self.weapons.get(name.lower())
        if found is None:
            hint = did_you_mean(name, self.weapons)
            raise ScriptError(f"there is no weapon '{name}'" + (f"; {hint}" if hint else ""))
        return found

    def model_solids(self, name: str) -> list[Brush]:
        """What a script_model of a model collides with."""
        model, material = self.models.model(name), self.model_material(name)
        # By the model's own name: names that nothing has can be made up without end, and share one.
        found = self._solids.get((model.name, material))
        if found is None or found[0] is not model:
            found = self._solids[model.name, material] = (model, model_brushes(model, material))
        return found[1]

    def model_material(self, model: str) -> str:
        """What a model is made of, by its name."""
        return self.surfaces[model].material

    def flesh_of(self, entity: Entity) -> str:
        return "flesh" if isinstance(entity, Walker) else self.model_material(entity.model_name)

    def by_key(self, key: str, value: object) -> list[ScriptObject]:
        """Entities, then structs, whose key has a value."""
        found: list[ScriptObject] = []
        if isinstance(value, (str, int, float)):
            found += self.entities.by_key(key, value)
            found += [s for s in self.structs if s.get_field(key) == value]
        return found


__all__ = ["FRAME", "Structs", "World"]

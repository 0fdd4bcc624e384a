"""The game as it is shown: commands sent at once, server frames twenty times a second, and a scene for any
moment between two of them."""

from __future__ import annotations

import math
from time import perf_counter

import numpy as np

from engine.client.audio import Audio, Ear
from engine.client.body import PlayerBody
from engine.client.camera import View
from engine.client.canvas import Canvas
from engine.client.effects import Effects
from engine.client.footing import Footing
from engine.client.framing import Shot, best_shot, close_shot
from engine.client.hud import Hud
from engine.client.input import Controls
from engine.client.interpolate import Drawn, draw_world
from engine.client.overlay import Timings
from engine.client.render.scene import STAR, Camera, Float32, Light, ModelBatch, Scene, placed
from engine.client.session import Session
from engine.client.viewmodel import FLASH_SECONDS, ViewModel
from engine.pipeline.model import Model
from engine.world.view import FrameView, LevelGeometry, PlayerState, SoundEvent, Vector

FRAME = 0.05
"""Seconds of a server frame."""

MOST_FRAMES = 4
"""Server frames for one picture; time beyond that is dropped, so that a slow machine slows the game instead
of piling up work."""

LONGEST_COMMAND = 200


class Stage:
    """Owns the last two frames and everything that is shown but not simulated."""

    def __init__(
        self, session: Session, controls: Controls, audio: Audio, timings: Timings, fov: float = 80.0
    ) -> None:
        self.session, self.controls, self.audio, self.timings = session, controls, audio, timings
        self.view = View(fov)
        self.effects = Effects()
        self.hud = Hud()
        self.hands = ViewModel()
        self.body = PlayerBody(session.library)
        self.footing = Footing(session.trace)
        self.time = 0.0
        self._left = 0.0
        self._msec = 0.0
        self._sent: tuple[float, float] | None = None
        self._geometry: LevelGeometry | None = None
        self._drawn: Drawn | None = None
        self.shot: Shot | None = None
        """Takes the picture from somewhere else than where the player looks; the game does not know."""
        self.now = session.frame()
        self.before = self.now
        self.player: PlayerState | None = None
        self._adopt()
        self._begin_ambience()
        self._see(self.now)

    @property
    def alpha(self) -> float:
        """How far the picture is from the last frame but one to the last, 0..1."""
        return min(self._left / FRAME, 1.0)

    @property
    def camera(self) -> Camera:
        if self.shot is not None:
            return self.shot.camera
        if self.player is None:
            return _overview(self.session.geometry)
        return self.view.camera(self.player, self.session.trace)

    @property
    def ear(self) -> Ear:
        camera = self.camera
        return Ear(camera.position, camera.angles[1])

    def advance(self, seconds: float) -> int:
        """Lets time pass: input first, then whatever server frames are due; returns how many there were."""
        seconds = max(0.0, min(seconds, MOST_FRAMES * FRAME))
        self._command(seconds)
        self._left += seconds
        frames = 0
        while self._left >= FRAME and frames < MOST_FRAMES:
            self._left -= FRAME
            self._frame()
            frames += 1
        self._left = min(self._left, FRAME)
        self.time += seconds
        self.effects.step(seconds)
        self.hud.step(self.player, seconds)
        if self.player is not None:
            self.view.step(self.player, seconds)
            self.hands.step(self.player, seconds)
            if self.view.third_person or not self.player.alive:
                self.body.step(self.player, seconds)
        self.audio.step(self.ear, self._place)
        return frames

    def _command(self, seconds: float) -> None:
        """The player's input runs before the frame that it belongs to; whole milliseconds, the rest is kept."""
        self._msec += seconds * 1000.0
        msec = min(int(self._msec), LONGEST_COMMAND)
        if msec < 1:
            return
        self._msec -= int(self._msec)
        command = self.controls.command(msec)
        state = self.session.command(command)
        if state is not None:
            self.player = state
            self._sent = command.angles[0], command.angles[1]

    def _frame(self) -> None:
        start = perf_counter()
        frame = self.session.frame()
        self.timings.server.append((perf_counter() - start) * 1000.0)
        self._show(frame, before=self.now)

    def stand(self) -> None:
        """No time passes; what is saved meanwhile may still change what there is to see."""
        self._show(self.session.stand(), before=self.before)

    def _show(self, frame: FrameView, before: FrameView) -> None:
        restarted = frame.time < self.now.time or self.session.geometry is not self._geometry
        self.before, self.now = (frame if restarted else before), frame
        if restarted:
            self.effects.clear()
            self.audio.stop_all()
            self.hud = Hud()
            self._begin_ambience()
        self._adopt()
        self._see(frame)

    def _begin_ambience(self) -> None:
        """The level's own quiet sound, everywhere and without an end."""
        self._geometry = self.session.geometry
        name = self._geometry.atmosphere.ambient_sound
        if name:
            self.audio.begin(SoundEvent(name.lower(), loop=True, fade=1.5), self.ear)

    def _adopt(self) -> None:
        """The player as the frame left it; where the game turned its head, the controls follow."""
        number = self.session.player
        state = self.now.players.get(number) if number is not None else None
        if state is None:
            self.player = None
            self._sent = None
            return
        turned = self._sent is None or _apart(self._sent, state.view) > 0.05
        if turned:
            self.controls.set_view(state.view[0], state.view[1])
            self._sent = state.view[0], state.view[1]
        self.player = state

    def _see(self, frame: FrameView) -> None:
        number = self.session.player
        self.hud.see(frame, number)
        own = self.player.entity if self.player is not None and not self.view.third_person else None
        self.effects.see(frame, self._drawn.tags if self._drawn is not None else None, own)
        self.audio.see(frame, self.ear, self._place, number)
        for shake in frame.shakes:
            self.view.shake(shake)

    def _place(self, entity: int) -> Vector | None:
        state = self.now.entities.get(entity)
        return state.origin if state is not None else None

    # Picture ---------------------------------------------------------------------------------------------

    def scene(self) -> Scene:
        """The picture of this moment, without what is drawn over it."""
        player, session = self.player, self.session
        camera = self.camera
        # The dead have no hands to show, and their own body would be all that they see.
        within = player is not None and not self._outside
        hidden = player.entity if player is not None and within else None
        models, own = session.library.model, self._own_place()
        drawn = self._drawn = draw_world(
            self.before, self.now, self.alpha, models, hidden, own, camera, self.footing
        )
        scene = Scene(
            camera,
            self.time,
            self.now.atmosphere or session.geometry.atmosphere,
            drawn.models,
            drawn.brushes,
            [*drawn.lights, *self.effects.lights()],
            self.effects.sprites(),
            self.effects.beams(),
            self.effects.decals(),
        )
        if player is not None and within and player.alive:
            hands = self.hands.batches(
                player, camera, self.view.bob, self.view.bob_size, session.library.model
            )
            scene.models.extend(hands)
            self._burn(scene)
        elif player is not None and not within and self._is_bare(player):
            scene.models.extend(self.body.batches(player))
        self.timings.entities = len(self.now.entities)
        self.timings.drawn = drawn.count
        self.timings.time = self.now.time
        return scene

    @property
    def _outside(self) -> bool:
        """Whether the picture is not taken from the player's own eye."""
        return self.view.third_person if self.shot is None else not self.shot.own

    def find_shot(self, close: bool = False) -> None:
        """From now on, takes pictures from the place that shows most at this moment; `close` from before a figure."""
        session, geometry = self.session, self.session.geometry
        sun = (self.now.atmosphere or geometry.atmosphere).sun_direction
        if close:
            posts = [prop.origin for prop in geometry.models]
            self.shot = close_shot(self.before, self.now, sun, session.trace, posts)
        else:
            points, fov = geometry.viewpoints, self.view.fov
            self.shot = best_shot(self.before, self.now, points, self.player, session.trace, sun, fov)

    def _is_bare(self, player: PlayerState) -> bool:
        """Whether the game gives the player's entity no model of its own."""
        state = self.now.entities.get(player.entity)
        return state is not None and not state.model

    def _burn(self, scene: Scene) -> None:
        """The flash of the viewer's own shot, at the muzzle that the viewer sees."""
        muzzle = self.hands.muzzle
        if muzzle is None or self.hands.flash <= 0:
            return
        size = 6.0 + 60.0 * (FLASH_SECONDS - self.hands.flash)
        star = np.array([(*muzzle, size, 4.5, 2.6, 0.9, 0.95, STAR)], np.float32)
        scene.sprites = np.concatenate((scene.sprites, star))
        x, y, z = muzzle.tolist()
        scene.lights.append(Light((x, y, z), (2.6, 1.7, 0.7), 220.0))

    def _own_place(self) -> dict[int, Float32]:
        """The local player's body stands where its input has brought it, not where the last frame saw it."""
        player = self.player
        if player is None or not player.alive:
            return {}
        return {player.entity: placed(player.origin, (0.0, player.view[1], 0.0))}

    def props(self) -> list[ModelBatch]:
        """The level's models that stand still, for the renderer to take over with the level."""
        places: dict[Model, list[Float32]] = {}
        for prop in self.session.geometry.models:
            transform = placed(prop.origin, prop.angles)
            transform[:, :3] *= prop.scale
            places.setdefault(self.session.library.model(prop.model), []).append(transform)
        return [ModelBatch(model, np.stack(transforms)) for model, transforms in places.items()]

    def draw_hud(self, canvas: Canvas) -> None:
        aiming = self.shot is None or self.shot.own
        self.hud.draw(canvas, self.now, self.player, self._outside, aiming)


def _apart(sent: tuple[float, float], view: Vector) -> float:
    yaw = abs((sent[1] - view[1] + 180.0) % 360.0 - 180.0)
    pitch = abs((sent[0] - view[0] + 180.0) % 360.0 - 180.0)
    return max(yaw, pitch)


def _overview(geometry: LevelGeometry) -> Camera:
    """A place above a level from which most of it is seen, for while there is no player."""
    low, high = geometry.bounds
    middle = tuple((low[i] + high[i]) / 2 for i in range(3))
    size = min(max(high[0] - low[0], high[1] - low[1], 400.0), 2600.0)
    back = size * 0.45
    yaw = 45.0
    position = (
        middle[0] - back * math.cos(math.radians(yaw)),
        middle[1] - back * math.sin(math.radians(yaw)),
        low[2] + size * 0.28,
    )
    return Camera(position, (22.0, yaw, 0.0))

"""The window, with every way out: no screen, no OpenGL, no vertical sync, lost focus, full screen and back."""

from __future__ import annotations

import os
import sys
from dataclasses import dataclass, replace

import pygame

from engine.client.render.gl import GLRenderer, GLUnusableError
from engine.client.render.quality import STILL
from engine.client.render.renderer import Renderer, Size
from engine.client.render.soft import SoftRenderer

SMALLEST = (480, 270)
_MESA_THREAD = "mesa_glthread"
_NO_SCREEN = "there is no screen here (no DISPLAY or WAYLAND_DISPLAY); --headless plays without one"


class NoScreenError(Exception):
    """There is no display to open a window on; the message says what to do."""


@dataclass(frozen=True, slots=True)
class WindowSettings:
    """gl: "auto" tries OpenGL and falls back to plain surfaces, "off" never tries it, "on" insists.

    Without a screen a picture is drawn as well as it can be; with `as_played` it is drawn as a window would be, so that
    its times mean something.
    """

    size: Size = (1280, 720)
    full_screen: bool = False
    vsync: bool = True
    gl: str = "auto"
    headless: bool = False
    as_played: bool = False


class Window:
    """A window and its renderer.

    `notes` are plain sentences about what could not be had, `remarks` about what hardly matters.
    """

    def __init__(self, settings: WindowSettings, title: str = "Notetrack") -> None:
        self.settings = settings
        self.notes: list[str] = []
        self.remarks: list[str] = []
        self.full_screen = False
        self.grabbed = False
        self._stale_motion = True
        self._windowed_size = settings.size
        self._flags = 0
        _open_display(settings.headless, settings.gl)
        pygame.display.set_caption(title)
        self.renderer = self._renderer()
        if settings.full_screen and not settings.headless:
            self.toggle_full_screen()

    @property
    def size(self) -> Size:
        return pygame.display.get_window_size()

    def _renderer(self) -> Renderer:
        settings = self.settings
        if settings.gl != "off" and pygame.display.get_driver() != "dummy":
            try:
                self._open(pygame.OPENGL | pygame.DOUBLEBUF | pygame.RESIZABLE)
                quality = STILL if settings.headless and not settings.as_played else None
                renderer = GLRenderer(settings.size, quality=quality, offscreen=settings.headless)
                if settings.headless:
                    # There is no display whose pace could be kept: every picture has all its pixels.
                    renderer.quality = replace(renderer.quality, adaptive=False)
                return renderer
            except (pygame.error, GLUnusableError) as error:
                if settings.gl == "on":
                    raise
                self.notes.append(
                    f"no OpenGL ({error}): drawing plain surfaces, without shadows and textures"
                )
                pygame.display.quit()
                _open_display(settings.headless, settings.gl)
        self._open(pygame.RESIZABLE)
        return SoftRenderer(settings.size)

    def _open(self, flags: int) -> None:
        if flags & pygame.OPENGL:
            for attribute, value in (
                (pygame.GL_CONTEXT_MAJOR_VERSION, 3),
                (pygame.GL_CONTEXT_MINOR_VERSION, 3),
                (pygame.GL_CONTEXT_PROFILE_MASK, pygame.GL_CONTEXT_PROFILE_CORE),
                (pygame.GL_DEPTH_SIZE, 24),
            ):
                pygame.display.gl_set_attribute(attribute, value)
        self._flags = flags
        size = self.settings.size
        vsync = 1 if self.settings.vsync and not self.settings.headless else 0
        try:
            pygame.display.set_mode(size, flags, vsync=vsync)
        except pygame.error:
            if not vsync:
                raise
            # Some drivers refuse vertical sync with OpenGL instead of ignoring it.
            pygame.display.set_mode(size, flags, vsync=0)
            self.remarks.append("no vertical sync: the display driver refuses it")

    def resized(self, size: Size) -> None:
        """The user changed the window's size."""
        size = max(size[0], SMALLEST[0]), max(size[1], SMALLEST[1])
        if not self.full_screen:
            self._windowed_size = size
        self.renderer.resize(size)

    def toggle_full_screen(self) -> None:
        """Between a window and the whole desktop. Where the system refuses, it stays as it was."""
        try:
            pygame.display.toggle_fullscreen()
        except pygame.error as error:
            self.notes.append(f"no full screen: {error}")
            return
        self.full_screen = not self.full_screen
        self.renderer.resize(self.size)

    def grab_mouse(self, grab: bool) -> None:
        """Hides the mouse and takes its movement, or lets it go. Not every driver can."""
        if self.settings.headless or grab == self.grabbed:
            return
        self.grabbed = grab
        try:
            pygame.mouse.set_visible(not grab)
            pygame.event.set_grab(grab)
            pygame.mouse.set_relative_mode(grab)
        except pygame.error:
            self.notes.append("the mouse cannot be held in the window here")
        if grab:
            self.forget_motion()

    def forget_motion(self) -> None:
        """How the mouse moved until now turns nothing: it was free, or there was no picture to look around in."""
        pygame.event.clear(pygame.MOUSEMOTION)
        self._stale_motion = True

    def turned(self, motion: tuple[int, int]) -> tuple[int, int]:
        """The part of a motion that turns the view. SDL reckons the first one from wherever the mouse was before."""
        stale, self._stale_motion = self._stale_motion, False
        return (0, 0) if stale else motion

    def show(self) -> None:
        """Puts the drawn picture on the screen."""
        pygame.display.flip()

    def close(self) -> None:
        self.renderer.close()
        pygame.display.quit()


def _open_display(headless: bool, gl: str) -> None:
    """Starts SDL's video. A headless run asks for a driver without a screen; any other insists on a screen."""
    if gl != "off":
        _ask_for_a_drawing_thread()
    if headless:
        os.environ["SDL_VIDEODRIVER"] = "dummy" if gl == "off" else "offscreen"
    try:
        _init_display()
    except pygame.error as error:
        if not headless and not (os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY")):
            raise NoScreenError(_NO_SCREEN) from error
        raise NoScreenError(f"no display can be opened ({error}); --headless plays without one") from error
    if (
        not headless
        and "SDL_VIDEODRIVER" not in os.environ
        and pygame.display.get_driver() in ("offscreen", "dummy")
    ):
        # SDL takes its invisible driver by itself where there is no screen: a game that nobody would see.
        pygame.display.quit()
        raise NoScreenError(_NO_SCREEN)


def _ask_for_a_drawing_thread() -> None:
    """Mesa can take commands in a thread of its own, which matters where its software driver draws: the game goes on
    meanwhile. Other drivers do not know the variable; Mesa would say on standard error that it was set."""
    if _MESA_THREAD not in os.environ:
        os.environ[_MESA_THREAD] = "true"
        os.environ.setdefault("MESA_DEBUG", "silent")


def _init_display() -> None:
    """Wayland's library complains on standard error where it has no folder for its sockets; it is not asked there."""
    asked = "SDL_VIDEODRIVER"
    if not sys.platform.startswith("linux") or asked in os.environ or os.environ.get("XDG_RUNTIME_DIR"):
        pygame.display.init()
        return
    os.environ[asked] = "x11,kmsdrm"
    try:
        pygame.display.init()
    finally:
        del os.environ[asked]

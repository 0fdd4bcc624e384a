"""glFlush, which moderngl does not offer: the driver begins with what it was told, and the game goes on.

Without it Mesa keeps the last calls of a picture until the display asks for it, and with them, in its software driver,
every pixel: nothing would be drawn beside the game.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable

from engine.client.render.renderer import at_once


def flusher() -> Callable[[], None]:
    """The function of the context that is current; one that does nothing where it cannot be found."""
    try:
        from _moderngl import DefaultLoader  # finds the functions for moderngl itself, on every system

        address = DefaultLoader().load_opengl_function("glFlush")
    except Exception:  # it raises bare exceptions, and may be another one day
        return at_once
    return ctypes.CFUNCTYPE(None)(address) if address else at_once

"""Instanced four-corner figures: sprites, beams, decals and the quads of the screen, each a table of floats."""

from __future__ import annotations

import moderngl

from engine.client.render.programs import build, refill
from engine.client.render.scene import Float32


class Rows:
    """Draws one table: every row becomes a strip of four vertices of the given program."""

    def __init__(
        self, context: moderngl.Context, shader: str, layout: str, *names: str, **defines: float
    ) -> None:
        self._context, self._layout, self._names = context, layout, names
        self.program = build(context, shader, shader, **defines)
        self._reserve(16384)

    def _reserve(self, size: int) -> None:
        self._buffer = self._context.buffer(reserve=size, dynamic=True)
        content = [(self._buffer, f"{self._layout}/i", *self._names)]
        self._array = self._context.vertex_array(self.program, content, skip_errors=True)

    def draw(self, rows: Float32) -> None:
        if not len(rows):
            return
        data = rows.tobytes()
        if len(data) > self._buffer.size:
            self._array.release()
            self._buffer.release()
            self._reserve(2 * len(data))
        refill(self._buffer, data)
        self._array.render(moderngl.TRIANGLE_STRIP, vertices=4, instances=len(rows))

"""Where pictures are drawn: the window, or something between it and the place, for smooth edges or fewer pixels."""

from __future__ import annotations

import moderngl

from engine.client.render.programs import Unit, build
from engine.client.render.renderer import Size


class Targets:
    """`place` is where the place is drawn, `shown` where the finished picture is; `finish` leads from one to the other.

    samples   samples a pixel at edges, 0 for none
    scale     0..1: sides of the place's picture as a part of the shown one's
    """

    def __init__(
        self,
        context: moderngl.Context,
        size: Size,
        samples: int,
        scale: float,
        *,
        offscreen: bool,
    ) -> None:
        self._context = context
        self.shown = context.simple_framebuffer(size, 4) if offscreen else context.screen
        self.shown.viewport = (0, 0, *size)
        self.place = self.shown
        self._stretched: moderngl.Texture | None = None
        if samples:
            colour = context.renderbuffer(size, 4, samples=samples)
            self.place = context.framebuffer([colour], context.depth_renderbuffer(size, samples=samples))
        elif scale < 1.0:
            small = max(round(size[0] * scale), 16), max(round(size[1] * scale), 16)
            self._stretched = context.texture(small, 4)
            self._stretched.filter = moderngl.LINEAR, moderngl.LINEAR
            self._stretched.repeat_x = self._stretched.repeat_y = False
            self.place = context.framebuffer([self._stretched], context.depth_renderbuffer(small))
            self._program = build(context, "stretch", "stretch")
            self._whole = context.vertex_array(self._program, [])

    def finish(self) -> None:
        """Brings the place to what is shown, and leaves that bound for the screen's quads."""
        if self._stretched is not None:
            self.shown.use()
            self._context.enable_only(moderngl.NOTHING)
            self._stretched.use(Unit.PICTURE)
            self._whole.render(moderngl.TRIANGLES, vertices=3)
        elif self.place is not self.shown:
            self._context.copy_framebuffer(self.shown, self.place)
            self.shown.use()

    def release(self) -> None:
        """Frees what is not the window's own."""
        for target in {self.place, self.shown}:
            if target is not self._context.screen:
                for attachment in (*target.color_attachments, target.depth_attachment):
                    if attachment is not None:
                        attachment.release()
                target.release()
        if self._stretched is not None:
            self._whole.release()
            self._program.release()

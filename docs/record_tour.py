"""Records the live edit of the five-minute tour as pictures: `python docs/record_tour.py [FOLDER]`.

A soldier patrols; his patrol is edited in a copy of the sandbox, as an editor would, while the game runs; the same
soldier goes on from where he stands. Each picture has its line in what is printed: the thread, where it waits, and how
fast he moves.
"""

from __future__ import annotations

import math
import shutil
import sys
import tempfile
import time
from pathlib import Path

from engine import paths
from engine.client.app import AppSettings, ClientApp
from engine.client.framing import Shot
from engine.client.render.scene import Camera
from engine.client.window import WindowSettings
from engine.mods.session import GameOptions, GameSession
from engine.vm.inspect import ThreadView
from engine.world.entity import Entity

FRAME = 0.05
OLD, NEW = 'move("walk")', 'move("run")'
FUNCTION = "walk_to"
BESIDE = 190.0


class Tour:
    """One recording: a game over a copy of the sandbox and the soldier who is followed."""

    def __init__(self, folder: Path, mods: Path) -> None:
        self.folder = folder
        shutil.copytree(paths.mods() / "sandbox", mods / "sandbox")
        self.script = mods / "sandbox" / "maps" / "mp" / "soldiers" / "_patrol.gsc"
        self.session = GameSession(GameOptions(mods=(mods / "sandbox",)))
        self.app = ClientApp(
            self.session, AppSettings(WindowSettings((1280, 720), headless=True), silent=True)
        )
        self.soldier: Entity | None = None

    def patrols(self) -> list[ThreadView]:
        """Threads that walk somewhere."""
        return [
            v
            for v in self.session.vm.threads()
            if v.frames and v.frames[-1].function.endswith(f"::{FUNCTION}")
        ]

    def run(self, seconds: float) -> None:
        """By the clock, since the file is watched by the clock."""
        for _ in range(round(seconds / FRAME)):
            began = time.monotonic()
            self.app.advance(FRAME)
            time.sleep(max(0.0, FRAME - (time.monotonic() - began)))

    def look(self) -> None:
        """A camera at the side of the soldier, where no wall is between."""
        assert self.soldier is not None
        x, y, z = self.soldier.origin
        yaw = self.soldier.angles[1]
        for turn in (75, -75, 40, -40, 110, -110, 150, -150, 0):
            angle = math.radians(yaw + turn)
            place = (x + BESIDE * math.cos(angle), y + BESIDE * math.sin(angle), z + 62.0)
            if self.session.trace((x, y, z + 50.0), place) > 0.99:
                break
        heading = math.degrees(math.atan2(y - place[1], x - place[0]))
        self.app.stage.shot = Shot(Camera(place, (6.0, heading, 0.0)), own=False)

    def picture(self, number: int, what: str) -> None:
        assert self.soldier is not None
        before = self.soldier.origin
        self.run(0.25)
        moved = math.dist(before[:2], self.soldier.origin[:2]) / 0.25
        self.look()
        self.app.draw()
        problem = self.app.save_picture(self.folder / f"tour_{number}.png")
        if problem:
            sys.exit(problem)
        thread = next((v for v in self.patrols() if v.self is self.soldier), None)
        place = (
            f"thread {thread.number} waits at line {thread.frames[-1].span.line}"
            if thread
            else "he has other things to do"
        )
        print(f"{number}: {what}; {place}; {moved:.0f} inches a second")

    def record(self) -> None:
        self.run(4.0)
        while not self.patrols():
            self.run(0.5)
        found = self.patrols()[0].self
        assert isinstance(found, Entity)
        self.soldier = found
        self.picture(1, "before the save")
        text = self.script.read_text()
        assert OLD in text, "the sandbox's patrol does not walk as this script knows it"
        self.script.write_text(text.replace(OLD, NEW))
        while self.session.reloader.last is None:
            self.run(FRAME)
        self.picture(2, "just after it")
        print(self.session.reloader.last.line())
        print(self.session.reloader.last.table())
        for number in range(3, 6):
            self.run(0.5)
            self.picture(number, "a little later")
        self.app.close()


if __name__ == "__main__":
    target = Path(sys.argv[1] if len(sys.argv) > 1 else "tour")
    with tempfile.TemporaryDirectory() as scratch:
        Tour(target, Path(scratch)).record()

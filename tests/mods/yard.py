"""The sandbox with models of its own, to save them while it runs."""

from __future__ import annotations

import json
import shutil
import time
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from engine import paths
from engine.mods.journal import Journal
from engine.mods.session import GameOptions, GameSession
from engine.mods.watch import Changes


class Yard:
    """The sandbox under a mod with a soldier of its own."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder / "mine"
        self.models = self.folder / "assets" / "models"
        for name in ("soldier", "soldier_olive"):
            shutil.copytree(paths.assets() / "models" / name, self.models / name)
        (self.folder / "mod.toml").write_text('name = "mine"\nrequires = ["sandbox"]\n')
        self.events_file = folder / "events.jsonl"
        options = GameOptions(mods=(self.folder,), watch=False)
        self.session = GameSession(options, Journal(self.events_file))
        self.run(40)

    def run(self, frames: int) -> None:
        for _ in range(frames):
            self.session.frame()

    def save(self, *files: Path, removed: Iterable[Path] = ()) -> dict[str, Any]:
        """Hand saved and removed files over and let the game go on until they are in it."""
        before = len(self.reloads())
        self.session.reloader.take(Changes(frozenset(files), frozenset(removed), time.monotonic()))
        end = time.monotonic() + 30
        while len(self.reloads()) == before and time.monotonic() < end:
            self.session.reloader.frame()
            time.sleep(0.005)
        return self.reloads()[-1]

    def reloads(self) -> list[dict[str, Any]]:
        found = [json.loads(line) for line in self.events_file.read_text().splitlines()]
        return [event for event in found if event["event"] == "reload"]

    def soldiers(self) -> list[Any]:
        return [e for e in self.session.world.entities.all() if e.pose and e.model_name.startswith("soldier")]

    def playing(self) -> dict[int, dict[str, tuple[float, float]]]:
        """By entity and node name: weight and time of what plays."""
        found = {}
        for entity in self.soldiers():
            batch, row = entity.pose.batch, entity.pose.row
            store = batch.instances.store
            found[entity.number] = {
                name: (float(store.weight[node, row]), float(store.time[node, row]))
                for node, name in enumerate(batch.tree.names)
                if store.weight[node, row] > 0.0
            }
        return found

    def says(self) -> list[str]:
        return [line.text for line in self.session.drain_log()]

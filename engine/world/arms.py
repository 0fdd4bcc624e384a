"""What a player carries and what the hands do: raise, fire, reload, lower. Runs with the player's commands."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from engine.world.command import Button
from engine.world.view import WeaponState
from engine.world.weapons import Held, Weapon

if TYPE_CHECKING:
    from engine.world.player import Player

_SPREAD_RECOVERY = 1.0
_AIM_SECONDS = 0.2
_MAX_HEAT = 4.0


@dataclass(slots=True)
class Arms:
    """Weapons by name in the order in which they were given, and the state of the one in hand.

    time counts milliseconds since the state began; queued is the weapon to change to, "" for none.
    heat is the spread that the last shots have added, in degrees. shots counts every shot ever fired.
    """

    held: dict[str, Held] = field(default_factory=dict)
    current: str = ""
    queued: str = ""
    state: WeaponState = "none"
    time: float = 0.0
    loaded: bool = False
    trigger_down: bool = False
    heat: float = 0.0
    aim: float = 0.0
    shots: int = 0
    enabled: bool = True
    said: set[str] = field(default_factory=set)

    @property
    def weapon(self) -> Weapon | None:
        held = self.held.get(self.current)
        return held.weapon if held is not None else None

    def give(self, weapon: Weapon) -> None:
        """Put a weapon into the inventory, full; the first one is taken in hand."""
        if weapon.name not in self.held:
            self.held[weapon.name] = Held(weapon, weapon.clip, weapon.stock_start)
        if not self.current:
            self.select(weapon.name)

    def take(self, name: str) -> None:
        self.held.pop(name, None)
        if self.current == name:
            self.current, self.state = "", "none"
            if self.held:
                self.select(next(iter(self.held)))

    def take_all(self) -> None:
        self.held.clear()
        self.current, self.queued, self.state = "", "", "none"

    def select(self, name: str) -> None:
        """Change to a weapon: the one in hand is lowered first."""
        if name not in self.held or name == self.current:
            return
        if not self.current:
            self.current = name
            self._enter("raising")
        else:
            self.queued = name
            self._enter("lowering")

    def hold(self, name: str) -> None:
        """Have a weapon in hand at once, ready."""
        if name in self.held:
            self.current, self.queued = name, ""
            self._enter("ready")

    def _start_reload(self, player: Player, weapon: Weapon) -> None:
        self._enter("reloading")
        player.world.events.sound(weapon.sound_reload, player.position, player.number)

    def _enter(self, state: WeaponState) -> None:
        self.state = state
        self.time = 0.0
        self.loaded = False
        self.said = set()

    def length(self) -> float:
        """Milliseconds that the present state lasts; 0 for one without an end."""
        weapon = self.weapon
        if weapon is None:
            return 0.0
        seconds = {
            "firing": weapon.fire_time,
            "reloading": weapon.reload_time,
            "raising": weapon.raise_time,
            "lowering": weapon.lower_time,
        }
        return seconds.get(self.state, 0.0) * 1000.0

    def run(self, player: Player, buttons: Button, msec: int) -> None:
        """Let a command's time pass: finish what is under way, then answer the keys."""
        weapon = self.weapon
        self.heat = max(0.0, self.heat - self._recovery(weapon) * msec / 1000.0)
        aiming = (
            bool(buttons & Button.AIM) and self.state in ("ready", "firing") and not player.body.sprinting
        )
        step = msec / (_AIM_SECONDS * 1000.0)
        self.aim = min(1.0, self.aim + step) if aiming else max(0.0, self.aim - step)
        if weapon is None or not self.enabled:
            return
        self.time += msec
        held = self.held[self.current]
        if self.state == "reloading":
            self._reload_progress(player, held)
        if self.state not in ("ready", "none") and self.time >= self.length():
            self._finish()
            weapon = self.weapon
            if weapon is None:
                return
            held = self.held[self.current]
        pulled = bool(buttons & Button.ATTACK)
        fresh = pulled and not self.trigger_down
        self.trigger_down = pulled
        if player.body.sprinting or self.state != "ready":
            return
        if buttons & Button.RELOAD and held.clip < weapon.clip and held.stock > 0:
            self._start_reload(player, weapon)
        elif pulled and (fresh or weapon.automatic):
            self._pull(player, held, fresh)

    def _recovery(self, weapon: Weapon | None) -> float:
        return (weapon.spread_shot if weapon is not None else 1.0) * 2.0 / _SPREAD_RECOVERY

    def _finish(self) -> None:
        if self.state == "lowering" and self.queued:
            self.current, self.queued = self.queued, ""
            self._enter("raising")
        else:
            self._enter("ready")

    def _reload_progress(self, player: Player, held: Held) -> None:
        for alias, at in held.weapon.reload_sounds.items():
            if self.time >= at * 1000.0 and alias not in self.said:
                self.said.add(alias)
                player.world.events.sound(alias, player.position, player.number)
        if not self.loaded and self.time >= held.weapon.reload_add * 1000.0:
            self.loaded = True
            moved = min(held.weapon.clip - held.clip, held.stock)
            held.clip += moved
            held.stock -= moved

    def _pull(self, player: Player, held: Held, fresh: bool) -> None:
        if held.clip > 0:
            held.clip -= 1
            self.shots += 1
            spread = self.spread(player)
            self._enter("firing")
            self.heat = min(_MAX_HEAT, self.heat + held.weapon.spread_shot)
            player.fire(held.weapon, spread)
        elif held.stock > 0:
            self._start_reload(player, held.weapon)
        elif fresh:
            player.world.events.sound(held.weapon.sound_empty, player.position, player.number)

    def spread(self, player: Player) -> float:
        """Half angle in degrees of where the next shot may go."""
        weapon = self.weapon
        if weapon is None:
            return 0.0
        still = weapon.spread_crouch if player.body.crouched else weapon.spread_stand
        speed = (player.body.velocity[0] ** 2 + player.body.velocity[1] ** 2) ** 0.5
        share = 1.0 if not player.body.on_ground else min(1.0, speed / 190.0)
        hip = still + (weapon.spread_move - still) * share
        return hip + (weapon.spread_aim - hip) * self.aim + self.heat * (1.0 - 0.7 * self.aim)

"""Players: life, hands, shots, damage and its callbacks, what the view shows of them."""

from __future__ import annotations

import pytest

from engine.source import SourceText
from engine.vm.errors import ScriptError
from engine.world.command import NO_BUTTONS, Button, UserCommand
from engine.world.damage import radius_damage
from engine.world.entity import Entity
from engine.world.hits import Hit
from engine.world.player import Player
from engine.world.surfaces import Contents
from engine.world.weapons import Weapon, documented_keys, load_weapons, read_weapon
from engine.world.world import World
from tests.world.world_kit import FLOOR, RecordingHost, block, brush, make_world


def armed(*blocks: str, solids: str = FLOOR) -> tuple[World, RecordingHost, Player]:
    world, host = make_world(*blocks, solids=solids)
    player = world.connect("me")
    player.spawn((0.0, 0.0, 0.5), (0.0, 0.0, 0.0))
    player.arms.give(world.weapons["rifle"])
    player.arms.hold("rifle")
    return world, host, player


def run(world: World, player: Player, ms: int, buttons: Button = NO_BUTTONS, forward: float = 0.0) -> None:
    for _ in range(ms // 10):
        world.run_command(player.number, UserCommand(10, forward, buttons=buttons))


def shoot(world: World, player: Player) -> None:
    run(world, player, 10, Button.ATTACK)
    run(world, player, 300)


def test_connecting_calls_back_then_notifies() -> None:
    world, host = make_world(block("mp_global_intermission", origin="5 6 7", angles="10 20 0"))
    player = world.connect("me")
    assert host.called == [("CodeCallback_PlayerConnect", player)]
    assert host.events(player) == ["begin"]
    state = world.picture().players[player.number]
    assert (state.state, state.alive, state.origin) == ("spectator", False, (5.0, 6.0, 7.0))
    world.disconnect(player)
    assert player.dead
    assert host.called[-1][0] == "CodeCallback_PlayerDisconnect"


def test_firing_reloading_and_an_empty_weapon() -> None:
    world, _, player = armed()
    held = player.arms.held["rifle"]
    for left in (4, 3, 2, 1, 0):
        shoot(world, player)
        assert held.clip == left
    assert player.arms.shots == 5
    run(world, player, 10, Button.ATTACK)
    assert player.arms.state == "reloading"
    run(world, player, 1500)
    assert (held.clip, held.stock) == (0, 20)
    run(world, player, 900)
    assert (held.clip, held.stock) == (5, 15)
    assert player.arms.state == "ready"
    held.clip, held.stock = 0, 0
    world.picture()
    run(world, player, 10, Button.ATTACK)
    assert [s.alias for s in world.picture().sounds] == ["dry_fire"]


def test_a_half_full_clip_takes_only_what_is_missing() -> None:
    world, _, player = armed()
    held = player.arms.held["rifle"]
    held.clip, held.stock = 3, 1
    run(world, player, 10, Button.RELOAD)
    run(world, player, 2500)
    assert (held.clip, held.stock) == (4, 0)
    held.clip, held.stock = 5, 9
    run(world, player, 10, Button.RELOAD)
    assert player.arms.state == "ready"


def test_holding_the_trigger_fires_once_unless_automatic() -> None:
    world, _, player = armed()
    run(world, player, 1500, Button.ATTACK)
    assert player.arms.shots == 1
    player.arms.give(Weapon("mg", automatic=True, fire_time=0.1, clip=50))
    player.arms.hold("mg")
    run(world, player, 1000, Button.ATTACK)
    assert 9 <= player.arms.shots - 1 <= 11


def test_rate_of_fire_does_not_depend_on_the_length_of_commands() -> None:
    counts = []
    for msec in (10, 50):
        world, _, player = armed()
        player.arms.give(Weapon("mg", automatic=True, fire_time=0.1, clip=50, spread_stand=0.0))
        player.arms.hold("mg")
        for _ in range(2000 // msec):
            world.run_command(player.number, UserCommand(msec, buttons=Button.ATTACK))
        counts.append(player.arms.shots)
    assert abs(counts[0] - counts[1]) <= 1


def test_changing_weapons_lowers_and_raises() -> None:
    world, _, player = armed()
    player.arms.give(Weapon("pistol", slot="pistol"))
    player.arms.select("pistol")
    assert player.arms.state == "lowering"
    run(world, player, 10, Button.ATTACK)
    assert player.arms.shots == 0
    run(world, player, 400)
    assert (player.arms.current, player.arms.state) == ("pistol", "raising")
    run(world, player, 700)
    assert player.arms.state == "ready"
    player.arms.take("pistol")
    assert player.arms.current == "rifle"


def test_spread_grows_with_motion_and_shots_and_shrinks_with_aim() -> None:
    world, _, player = armed()
    run(world, player, 100)
    still = player.arms.spread(player)
    run(world, player, 600, forward=1.0)
    moving = player.arms.spread(player)
    assert moving > still + 1.0
    run(world, player, 1000)
    shoot(world, player)
    assert player.arms.spread(player) > still
    run(world, player, 2000, Button.AIM)
    assert player.arms.aim == 1.0
    assert player.arms.spread(player) < 0.2


def test_a_shot_damages_what_it_meets_and_tells_the_view() -> None:
    crate = block("script_model", origin="200 0 40", model="crate", targetname="c", health="80")
    world, host, player = armed(crate)
    (target,) = world.entities.by_key("targetname", "c")
    target.takes_damage = True
    world.picture()
    shoot(world, player)
    assert target.hit_points == 30
    assert player.hits == 1
    assert player.kills == 0
    view = world.picture()
    assert {e.effect for e in view.effects} == {"muzzle", "tracer", "impact"}
    impact = next(e for e in view.effects if e.effect == "impact")
    assert impact.surface == "wood"
    assert impact.origin[0] == pytest.approx(188.0, abs=0.1)
    assert impact.forward == pytest.approx((-1.0, 0.0, 0.0))
    assert {s.alias for s in view.sounds} == {"rifle_shot", "hit_wood"}
    assert len(view.lights) == 1
    shoot(world, player)
    assert player.kills == 1
    assert host.events(target) == ["damage", "damage", "death"]
    shoot(world, player)
    assert (player.hits, player.kills) == (3, 1), "what has no life left is hit but not killed again"
    assert world.picture().effects != ()
    assert world.picture().effects == ()


def test_a_wall_stops_a_shot() -> None:
    wall = brush((100, -100, 0), (110, 100, 200), "plaster_warm")
    crate = block("script_model", origin="200 0 40", model="crate", targetname="c", health="80")
    world, _, player = armed(crate, solids=FLOOR + wall)
    (target,) = world.entities.by_key("targetname", "c")
    target.takes_damage = True
    shoot(world, player)
    assert target.hit_points == 80
    assert next(e for e in world.picture().effects if e.effect == "impact").surface == "plaster"


def test_damage_asks_the_script_first() -> None:
    world, host, player = armed()
    host.answers["CodeCallback_PlayerDamage"] = lambda *args: None
    player.damage(Hit(30, None, None, "MOD_RIFLE_BULLET", location="head"))
    assert player.hit_points == 100, "the script has not finished it"
    name, target, *args = host.called[-1]
    assert (name, target) == ("CodeCallback_PlayerDamage", player)
    assert args == [None, None, 30, 0, "MOD_RIFLE_BULLET", "none", None, None, "head"]
    del host.answers["CodeCallback_PlayerDamage"]
    player.damage(Hit(30, None, None))
    assert player.hit_points == 70
    assert world.picture().players[player.number].hurt == 1


def test_death_and_coming_back() -> None:
    world, host, player = armed()
    player.damage(Hit(500, player, player, direction=(0.0, 1.0, 0.0)))
    assert (player.state, player.alive(), player.hit_points) == ("dead", False, 0)
    assert host.called[-1][0] == "CodeCallback_PlayerKilled"
    assert host.events(player)[-2:] == ["damage", "death"]
    assert world.space.trace((-50, 0, 40), (50, 0, 40)).fraction == 1.0
    run(world, player, 200, forward=1.0)
    assert player.position[0] == 0.0
    player.spawn((10.0, 0.0, 0.5), (0.0, 90.0, 0.0))
    assert player.alive()
    assert world.space.trace((-50, 0, 40), (50, 0, 40)).entity == player.number


def test_hurt_tells_from_where() -> None:
    world, _, player = armed(block("script_origin", origin="0 -100 0", targetname="o"))
    (other,) = world.entities.by_key("targetname", "o")
    player.damage(Hit(5, other, other))
    assert world.picture().players[player.number].hurt_from == pytest.approx(-90.0)


def test_a_deep_fall_hurts() -> None:
    world, _, player = armed()
    player.place((0.0, 0.0, 400.0))
    run(world, player, 2000)
    assert 0 < player.hit_points < 100


def test_a_blast_falls_off_and_walls_shelter() -> None:
    wall = brush((-300, 100, 0), (300, 110, 200))
    crates = [
        block("script_model", origin=f"{x} {y} 10", model="crate", targetname=name, health="1000")
        for name, x, y in (("near", 50, 0), ("far", 180, 0), ("behind", 0, 150), ("out", 600, 0))
    ]
    world, _ = make_world(*crates, solids=FLOOR + wall)
    found: dict[str, Entity] = {}
    for entity in world.entities.all():
        entity.takes_damage = True
        found[entity.text("targetname")] = entity
    radius_damage(world, (0.0, 0.0, 30.0), 200.0, 100.0, 10.0)
    lost = {name: 1000 - entity.hit_points for name, entity in found.items()}
    assert lost["near"] > lost["far"] > 0
    assert lost["behind"] == 0
    assert lost["out"] == 0


def test_client_fields_refuse_what_makes_no_sense() -> None:
    _, _, player = armed()
    for field, value in (
        ("sessionstate", "asleep"),
        ("sessionteam", "red"),
        ("maxhealth", 0),
        ("maxspeed", -1),
    ):
        with pytest.raises(ScriptError):
            player.set_field(field, value)
    player.set_field("maxspeed", 95)
    world = player.world
    run(world, player, 1500, forward=1.0)
    assert (player.body.velocity[0] ** 2 + player.body.velocity[1] ** 2) ** 0.5 == pytest.approx(
        95.0, rel=0.02
    )
    player.set_field("sessionstate", "spectator")
    assert player.contents == Contents.NONE


def test_footsteps_sound_by_the_ground() -> None:
    world, _, player = armed(solids=brush((-1024, -1024, -16), (1024, 1024, 0), "planks"))
    world.picture()
    run(world, player, 2000, forward=1.0)
    steps = [s.alias for s in world.picture().sounds]
    assert 4 <= len(steps) <= 7
    assert set(steps) == {"step_wood"}


# --- weapon files ---------------------------------------------------------------------------------------------


def test_weapon_files_are_checked_key_by_key() -> None:
    text = 'damage = "much"\nclip = 0\nautomatic = 1\nclipp = 4\nslot = "hat"\nreload_time = 2\n'
    weapon, faults = read_weapon(SourceText("w.toml", text), "w")
    assert weapon is not None
    assert (weapon.damage, weapon.clip, weapon.automatic, weapon.reload_time) == (40, 8, False, 2.0)
    found = [(f.span.line if f.span else 0, f.severity, f.message) for f in faults]
    assert found == [
        (1, "error", "damage must be a whole number"),
        (2, "error", "clip must be between 1 and 1000"),
        (3, "error", "automatic must be true or false"),
        (4, "warning", "a weapon has no key 'clipp'"),
        (5, "error", "slot must be one of primary, primaryb, pistol, grenade, smokegrenade"),
    ]
    assert any("clip" in note.message for note in faults[3].notes)


def test_a_broken_weapon_file_is_one_diagnostic() -> None:
    weapon, faults = read_weapon(SourceText("w.toml", "damage = = 3\n"), "w")
    assert weapon is None
    assert [f.code for f in faults] == ["bad-toml"]


def test_later_folders_shadow_earlier_ones(tmp_path) -> None:  # type: ignore[no-untyped-def]
    for folder, damage in (("a", 10), ("b", 20)):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "rifle.weapon.toml").write_text(f"damage = {damage}\n")
    report: list[object] = []
    found = load_weapons([tmp_path / "a", tmp_path / "b", tmp_path / "none"], report)  # type: ignore[arg-type]
    assert found["rifle"].damage == 20
    assert report == []


def test_damage_over_distance_and_by_place() -> None:
    weapon = Weapon(
        "w", damage=100, far_damage=50, near=100, far=300, multipliers={"head": 3.0, "arm": 0.5, "leg": 0.4}
    )
    assert [weapon.damage_at(d) for d in (0, 100, 200, 300, 900)] == [100, 100, 75, 50, 50]
    places = ("head", "helmet", "torso_upper", "left_arm_lower", "right_hand", "left_foot", "none")
    assert [weapon.multiplier(p) for p in places] == [3.0, 3.0, 1.0, 0.5, 0.5, 0.4, 1.0]
    assert dict(documented_keys())["clip"] == 8


def test_equal_input_gives_equal_games() -> None:
    pictures = []
    for _ in range(2):
        world, _, player = armed(block("script_model", origin="200 0 40", model="crate", health="500"))
        for i in range(40):
            run(world, player, 50, Button.ATTACK if i % 4 == 0 else NO_BUTTONS, forward=1.0)
            view = world.frame()
        pictures.append((view.players, view.entities, world.random.random()))
    assert pictures[0] == pictures[1]

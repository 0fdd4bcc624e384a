"""Who and what is in the yard and is not a wall: spawn points, soldiers, dummies, props, lamps, triggers."""

from __future__ import annotations

from math import cos, radians, sin

from assets.tools.mapkit import NODRAW, Face, Level, Vec, box, hull
from assets.tools.yard import range_ground, route

PROPS = (
    ("crate_large", (560, 640, 4), 8), ("crate_large", (612, 650, 4), -4),
    ("crate_small", (570, 642, 52), 20), ("crate_large", (880, 660, 4), 0),
    ("crate_small", (832, 650, 4), 30), ("crate_large", (-120, -540, 0), 12),
    ("crate_large", (-68, -550, 0), -3), ("crate_small", (-100, -547, 48), 35),
    ("crate_small", (-150, -496, 0), -20), ("crate_large", (400, 330, 0), 5),
    ("crate_small", (402, 374, 0), 18), ("crate_large", (-520, 738, 3), 4),
    ("crate_large", (200, 60, 0), 30), ("crate_small", (240, 96, 0), 5), ("barrel", (-401, 560, 0), 0),
    ("barrel", (-401, 588, 0), 40), ("barrel", (-401, 616, 0), 80), ("barrel", (500, 660, 0), 10),
    ("barrel", (496, 624, 0), 70), ("barrel", (-900, -110, 0), 20), ("barrel", (930, 240, 0), 50),
    ("barrel", (960, 262, 0), 0), ("sandbags", (-430, -560, 0), 90), ("sandbags", (110, 185, 0), 40),
    ("sandbags", (760, 108, 0), 0), ("sandbags", (-250, 246, 0), 0), ("sandbags", (-304, -980, 0), 90),
    ("sandbags", (-250, -985, 0), 82), ("sandbags", (-360, -984, 0), 98),
    ("sandbags", (250, 536, 104), 0), ("table", (-722, 500, 8), 0), ("bench", (-694, 500, 8), 0),
    ("table", (-480, 330, 8), 0), ("bench", (-480, 296, 8), 0), ("table", (-500, 620, 168), 90),
    ("bench", (150, 470, 0), 20), ("bench", (-780, 226, 0), 90), ("bench", (296, -420, 3), 0),
    ("table", (880, 520, 4), 0), ("ammo_box", (364, -612, 38), 20), ("ammo_box", (370, -350, 38), -10),
    ("ammo_box", (880, 506, 34), 30), ("ammo_box", (-480, 340, 38), 70),
    ("ammo_box", (300, -250, 3), 5), ("ammo_box", (936, 400, 64), 88), ("ammo_box", (936, 450, 64), 94),
    ("jerrycan", (936, 520, 64), 4), ("jerrycan", (934, 540, 64), -8),
    ("jerrycan", (-872, -160, 0), 30), ("jerrycan", (506, 690, 4), 60),
    ("jerrycan", (936, 360, 108), 90), ("crate_small", (932, 590, 64), 3),
    ("fence", (-200, -690, 3), 0), ("fence", (-104, -690, 3), 0), ("fence", (-8, -690, 3), 0),
    ("fence", (88, -690, 3), 0), ("signboard", (-190, -610, 0), 205), ("signboard", (250, -90, 0), 200),
    ("target_frame", (560, -612, 0), 180),
    ("target_frame", (700, -484, 0), 180), ("target_frame", (620, -356, 0), 180),
    ("target_frame", (800, -228, 0), 180), ("tree_oak", (0, 440, 3), 30),
    ("tree_oak", (-960, -640, 3), 120), ("tree_oak", (190, 700, 3), 200),
)  # fmt: skip

OUTSIDE_TREES = (
    [("tree_poplar", (x, 960 + (i * 53) % 70), i * 47) for i, x in enumerate(range(-1900, -800, 150))]
    + [("tree_poplar", (1240 + (i * 37) % 60, y), i * 71) for i, y in enumerate(range(-900, 300, 160))]
    + [("tree_poplar", (x, -2100 - (i * 31) % 90), i * 33) for i, x in enumerate(range(-1500, 1700, 320))]
    + [
        ("tree_oak_far", (-120, 1000), 10), ("tree_oak_far", (620, 980), 90), ("tree_oak_far", (900, 1080), 140),
        ("tree_oak_far", (-1240, 520), 200), ("tree_oak_far", (-1260, -250), 300), ("tree_oak_far", (-1300, -840), 60),
        ("tree_oak_far", (-620, -1080), 45), ("tree_oak_far", (80, -1010), 260), ("tree_oak_far", (760, -1060), 170),
        ("tree_oak_far", (1260, 640), 15),
        ("tree_oak_far", (1150, 860), 260), ("tree_oak_far", (1700, 1300), 115), ("tree_oak_far", (-2100, 900), 80),
    ]
)  # fmt: skip

TUFTS = (
    (-990, -700), (-1000, -560), (-985, -470), (-960, 20), (-990, 120), (-150, -735), (-30, -740),
    (120, -730), (220, -738), (-260, 600), (-180, 720), (-40, 640), (110, 740), (300, 680), (380, 600),
    (10, 580), (-980, 730), (-780, 735), (-600, 730), (1000, 120), (1004, 300), (996, 480), (1006, 600),
    (-420, 742), (940, -420), (960, -250), (948, -620), (980, -150), (-280, -1100), (-420, -1150),
    (-160, -1060), (-430, -1300),
)  # fmt: skip

SPAWNS = (
    (-304, -600, 62), (-340, -700, 75), (-270, -690, 70), (-880, -60, 320), (230, -540, 100), (-700, -640, 50),
    (900, 60, 190), (60, -640, 90),
)  # fmt: skip

SENTRY = (-540, -676, 0)

LAMPS = (
    ("lamp", (-400, -330, 0), 0), ("lamp", (-400, 180, 0), 0), ("lamp", (200, 196, 0), 180),
    ("lamp", (540, 272, 0), 270), ("lamp", (240, -690, 0), 90), ("lamp", (-940, 230, 0), 0),
)  # fmt: skip

ROOM_LIGHTS = (
    ((-660, 380, 130), (1.0, 0.78, 0.5), 300), ((-660, 580, 130), (1.0, 0.78, 0.5), 260),
    ((-500, 420, 130), (1.0, 0.78, 0.5), 280), ((-810, 400, 140), (1.0, 0.78, 0.5), 240),
    ((-660, 460, 280), (1.0, 0.78, 0.5), 240), ((-820, 420, 290), (1.0, 0.78, 0.5), 220),
    ((640, 470, 150), (1.0, 0.76, 0.46), 380), ((860, 560, 150), (1.0, 0.76, 0.46), 340),
)  # fmt: skip

DUMMIES = ((560, 0), (700, 1), (620, 2), (800, 3), (760, 0), (840, 1), (780, 2), (650, 3))


def build(level: Level) -> None:
    _spawns(level)
    route.build(level)
    _sentry(level)
    _props(level)
    _awning(level)
    _range(level)
    _lights(level)
    _triggers(level)
    _structs(level)


def _spawns(level: Level) -> None:
    level.entity("info_player_start", origin=(-304, -600, 0), angles=(0, 62, 0))
    for at_x, at_y, yaw in SPAWNS:
        level.entity("mp_deathmatch_spawn", origin=(at_x, at_y, 0), angles=(0, yaw, 0))
    level.entity("mp_global_intermission", origin=(-470, -690, 250), angles=(14, 60, 0))
    olive = (
        ("ruin", "ruin"), ("way_south", "way"), ("south_wall", "range"), ("shed_south", "shed"),
        ("range_south", "range"),
    )  # fmt: skip
    grey = (
        ("back_west", "house"), ("upper_hall", "upper"), ("lookout_post", "post"), ("depot_back", "depot"),
        ("north_lawn", "lawn"), ("depot_corner", "east"), ("well_north", "well"), ("west_north", "west"),
    )  # fmt: skip
    for team, list_ in (("olive", olive), ("grey", grey)):
        for node, walk in list_:
            x, y, z = route.NODES[node]
            level.entity(
                f"actor_soldier_{team}",
                origin=(x + 24 if node == "way_south" else x, y, z),
                angles=(0, 90 if team == "olive" else 270, 0),
                targetname=f"{team}_spawner",
                target=f"node_{node}",
                script_noteworthy=walk,
                count=999,
            )


def _sentry(level: Level) -> None:
    level.entity(
        "actor_soldier_olive", origin=SENTRY, angles=(0, 90, 0), targetname="sentry_spawner", count=999
    )


def _props(level: Level) -> None:
    for model, place, yaw in PROPS:
        level.entity("misc_model", origin=place, angles=(0, yaw, 0), model=model)
        if model == "bench":  # too low to stop anybody by itself
            level.solid(_turned_box(place, yaw, (8, 26), 18))
    for model, (x, y), yaw in OUTSIDE_TREES:
        level.entity("misc_model", origin=(x, y, -4), angles=(0, yaw % 360, 0), model=model)
    for number, (x, y) in enumerate(TUFTS):
        level.entity("misc_model", origin=(x, y, 0), angles=(0, number * 67 % 360, 0), model="grass_tuft")


def _turned_box(place: Vec, yaw: float, half: tuple[float, float], height: float) -> list[Face]:
    """A box that is not drawn, turned with the prop that stands in it."""
    c, s = cos(radians(yaw)), sin(radians(yaw))
    corners = [
        (round(place[0] + a * c - b * s, 2), round(place[1] + a * s + b * c, 2), z)
        for a in (-half[0], half[0])
        for b in (-half[1], half[1])
        for z in (place[2], place[2] + height)
    ]
    return hull(corners, NODRAW)


def _awning(level: Level) -> None:
    """The cloth hangs on the house; its poles belong to the level, so that one bumps into them alone."""
    level.entity("misc_model", origin=(-500, 220, 0), angles=(0, 270, 0), model="awning")
    for x in (-558, -442):
        level.box((x - 2, 149, -4), (x + 2, 153, 88), "trim_wood")


def _range(level: Level) -> None:
    for x, lane in DUMMIES:
        y = range_ground.LANES[lane] + (26 if x > 720 else -26)
        level.entity("script_model", origin=(x, y, 0), angles=(0, 180, 0), model="dummy", targetname="dummy")


def _lights(level: Level) -> None:
    for model, (x, y, z), yaw in LAMPS:
        level.entity("script_model", origin=(x, y, z), angles=(0, yaw, 0), model=model, targetname="lamp")
        reach = (x + 17 * cos(radians(yaw)), y + 17 * sin(radians(yaw)), z + 108)
        level.entity("light", origin=reach, _color=(1, 0.74, 0.42), light=220)
    for place, color, radius in ROOM_LIGHTS:
        level.entity("light", origin=place, _color=color, light=radius)


def _triggers(level: Level) -> None:
    level.entity(
        "trigger_multiple", box((270, -676, 0), (400, -164, 100), "trigger"), targetname="range_zone", wait=1
    )
    level.entity("trigger_once", box((-740, 290, 8), (-580, 640, 120), "trigger"), targetname="house_entered")
    level.entity(
        "trigger_multiple",
        box((-752, 184, 168), (-568, 256, 260), "trigger"),
        targetname="balcony_zone",
        wait=2,
    )
    level.entity("trigger_use", box((-130, -30, 0), (10, 110, 100), "trigger"), targetname="well_use")
    level.entity(
        "trigger_hurt", box((-906, -560, 0), (-854, -508, 50), "trigger"), targetname="fire", dmg=5, wait=0.5
    )
    level.entity("misc_model", origin=(-880, -534, 0), angles=(0, 15, 0), model="fire_barrel")
    level.entity("light", origin=(-880, -534, 56), _color=(1, 0.5, 0.18), light=200)


def _structs(level: Level) -> None:
    """Places that scripts look up: where birds call, where the yard is seen at its best."""
    for place, angles in (
        ((-304, -600, 60), (0, 62, 0)),
        ((-412, 318, 88), (4, 308, 0)),
        ((-560, -260, 70), (2, 30, 0)),
    ):
        level.entity("script_struct", origin=place, angles=angles, targetname="viewpoint")
    for x, y, z in ((60, 420, 200), (-960, -640, 190), (990, 660, 190), (-700, 980, 240)):
        level.entity("script_origin", origin=(x, y, z), targetname="bird")
    level.entity("script_origin", origin=(-880, -534, 40), targetname="fire_sound")
    level.entity("script_origin", origin=(-60, 40, 40), targetname="well")

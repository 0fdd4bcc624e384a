"""Path nodes: where soldiers walk. A link goes both ways; actors find their path over them."""

from __future__ import annotations

from itertools import pairwise

from assets.tools.mapkit import Level

NODES: dict[str, tuple[float, float, float]] = {
    # the way from the gate to the well, and round the well
    "gate": (-304, -650, 0),
    "way_south": (-304, -440, 0),
    "way_middle": (-304, -200, 0),
    "way_north": (-304, 40, 0),
    "well_south": (-60, -90, 0),
    "well_west": (-190, 60, 0),
    "well_north": (-60, 170, 0),
    "well_east": (90, 20, 0),
    # the house: hall, rooms, stair, upper floor, balcony
    "house_front": (-660, 120, 0),
    "house_door": (-660, 240, 8),
    "hall_front": (-660, 332, 8),
    "hall_back": (-630, 532, 8),
    "room_west": (-790, 332, 8),
    "stair_foot": (-852, 308, 8),
    "stair_head": (-852, 590, 168),
    "upper_back": (-788, 600, 168),
    "upper_west": (-786, 332, 168),
    "upper_hall": (-660, 332, 168),
    "upper_east": (-620, 532, 168),
    "balcony": (-660, 222, 168),
    "room_east": (-500, 532, 8),
    "room_side": (-470, 436, 8),
    "house_side": (-370, 436, 0),
    # round the house
    "back_east": (-360, 692, 6),
    "back_west": (-964, 692, 6),
    "west_north": (-964, 480, 0),
    "west_south": (-964, 210, 0),
    "shed_north": (-830, -20, 3),
    "shed_front": (-820, -270, 0),
    "shed_south": (-830, -480, 0),
    "ruin": (-640, -640, 0),
    "wall_west": (-580, -90, 0),
    "wall_north": (-440, 130, 0),
    # the middle and the north
    "middle_south": (-180, -260, 0),
    "middle_east": (222, -250, 0),
    "south_east": (226, -430, 0),
    "south_wall": (20, -640, 0),
    "lookout_foot": (282, 240, 0),
    "lookout_head": (282, 450, 104),
    "lookout_edge": (310, 348, 64),
    "lookout_post": (300, 500, 104),
    "bench_leap": (184, 482, 0),
    "bench_land": (120, 459, 0),
    "north_lawn": (60, 600, 3),
    "north_east": (430, 620, 0),
    # the depot
    "depot_corner": (440, 240, 0),
    "depot_front": (664, 210, 0),
    "depot_gate": (664, 330, 4),
    "depot_middle": (740, 520, 4),
    "depot_inside": (570, 428, 4),
    "depot_side": (470, 428, 0),
    "depot_back": (700, 660, 4),
    "east_wall": (920, 150, 0),
    # the range, north of the lanes
    "range_north": (440, -90, 0),
    "range_end": (820, -60, 0),
    "range_line": (240, -130, 0),
    "range_south": (240, -640, 0),
}

WAYS = (
    "gate way_south way_middle way_north well_west well_south well_east well_north well_west",
    "way_middle well_south middle_south way_south",
    "way_north wall_north house_front house_door hall_front hall_back room_east room_side house_side "
    "back_east back_west west_north west_south shed_north shed_front shed_south ruin gate south_wall "
    "range_south south_east middle_east range_line well_east lookout_foot lookout_head lookout_post",
    "hall_front room_west stair_foot stair_head upper_back upper_west upper_hall balcony",
    "upper_hall upper_east",
    "west_south house_front shed_north",
    "shed_front wall_west way_north",
    "house_side well_north north_lawn back_east",
    "middle_south middle_east range_line range_north range_end east_wall depot_front depot_gate "
    "depot_inside depot_side depot_corner depot_front",
    "south_east south_wall",
    "south_east range_line",
    "depot_gate depot_middle depot_back",
    "depot_side north_east north_lawn",
    "depot_corner lookout_foot",
    "depot_corner range_north",
    "lookout_head lookout_edge",
    "north_lawn bench_leap",
    "bench_land well_north",
)
"""Nodes in the order in which one can walk them; neighbours are linked."""

OUTLOOKS = {
    "balcony": (0, 270, 0),
    "lookout_post": (0, 230, 0),
    "upper_east": (0, 0, 0),
    "depot_middle": (0, 250, 0),
    "well_south": (0, 300, 0),
    "gate": (0, 80, 0),
    "ruin": (0, 45, 0),
    "range_end": (0, 180, 0),
}
"""Nodes where a patrol stops and looks in the direction of the node's angles."""


LEAPS = {"bench_leap": ("leap", 200), "lookout_edge": ("drop", 0)}
"""Nodes where a patrol leaps along a yaw, over what stands there or off an edge: what scripts call it, and the yaw."""


def build(level: Level) -> None:
    links = [(a, b) for way in WAYS for a, b in pairwise(way.split())]
    for name, place in NODES.items():
        keys: dict[str, object] = {"origin": place, "targetname": f"node_{name}"}
        ends = dict.fromkeys(b for a, b in links if a == name)
        for number, end in enumerate(ends):
            keys["target" if number == 0 else f"target{number + 1}"] = f"node_{end}"
        if name in OUTLOOKS:
            keys["script_noteworthy"] = "outlook"
            keys["angles"] = OUTLOOKS[name]
        if name in LEAPS:
            keys["script_noteworthy"], yaw = LEAPS[name]
            keys["angles"] = (0, yaw, 0)
        level.entity("node_path", **keys)

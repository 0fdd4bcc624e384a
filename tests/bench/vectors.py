"""The same in plain Python, with doubles."""


def run() -> str:
    px, py, pz = 0.0, 0.0, 64.0
    vx, vy, vz = 1.0, 0.0, 0.0
    bounces = 0
    for _ in range(20_000):
        vx, vy, vz = vx + 0.0, vy + 0.0, vz - 0.5
        px, py, pz = px + vx, py + vy, pz + vz
        if pz < 0.0:
            pz = 0.0
            vx, vy, vz = 1.0, 0.0, 8.0
            bounces += 1
    return str(bounces)

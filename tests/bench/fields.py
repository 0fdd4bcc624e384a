"""The same in plain Python."""


class Unit:
    def __init__(self) -> None:
        self.health = 100
        self.x = 0.0
        self.speed = 0.5
        self.state = "idle"
        self.hits = 0

    def think(self) -> None:
        self.x = self.x + self.speed
        if self.x > 20.0:
            self.speed = -0.5
        elif self.x < 0.0:
            self.speed = 0.5
        self.health = self.health - 3
        if self.health <= 0:
            self.health = 100
            self.hits += 1
            self.state = "hurt"
        elif self.state == "hurt" and self.health < 90:
            self.state = "idle"


def run() -> str:
    units = [Unit() for _ in range(50)]
    for _ in range(100):
        for unit in units:
            unit.think()
    return f"{units[7].hits} {units[7].state}"

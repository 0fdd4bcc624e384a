"""The same in plain Python."""


def run() -> str:
    x = 0
    for i in range(200_000):
        x = (x + i) & 65535
    return str(x)

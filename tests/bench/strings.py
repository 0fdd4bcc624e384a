"""The same in plain Python."""


def run() -> str:
    count: dict[str, int] = {}
    for i in range(20_000):
        key = "k" + str(i % 500)
        if key not in count:
            count[key] = 0
        count[key] += 1
    return f"{len(count)} {count['k7']}"

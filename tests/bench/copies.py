"""The same with dicts that are copied."""


def total(values: dict[int, int]) -> int:
    return sum(values[i] for i in range(len(values)))


def run() -> str:
    values = {i: i for i in range(50)}
    for i in range(4000):
        other = dict(values)
        other[i % 50] = i
        if i % 10 == 0:
            values = other
    return str(total(values))

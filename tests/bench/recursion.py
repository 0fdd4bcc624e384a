"""The same in plain Python."""


def fib(n: int) -> int:
    return n if n < 2 else fib(n - 1) + fib(n - 2)


def run() -> str:
    return str(fib(21))

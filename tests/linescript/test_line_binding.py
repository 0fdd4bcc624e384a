"""Python functions as script functions. The numbers in the names are those of the language's checklist."""

from __future__ import annotations

from typing import Any, get_args, get_origin

import pytest

from engine.linescript import values
from engine.linescript.functions import Caller, Ref, describe
from engine.linescript.runner import tick
from engine.linescript.values import TYPES, Colour, Value, Vector, type_name
from tests.linescript.linescript_kit import Bench

SAMPLES: dict[type, Any] = {
    bool: True,
    int: 7,
    float: 0.5,
    str: "seven",
    tuple: (1.0, 2.0, 3.0),
    Colour: Colour(0.1, 0.2, 0.3, 0.4),
}
"""One value of every type that a script can hold, under the type's Python class."""

ANNOTATIONS: dict[type, Any] = {kind: Vector if kind is tuple else kind for kind in SAMPLES}


@pytest.fixture
def bench() -> Bench:
    return Bench()


def fault(bench: Bench, text: str) -> str:
    context = bench.context(text)
    tick(context)
    assert context.fault is not None
    return context.fault.message


def test_24_the_types_are_one_list() -> None:
    """Everything that a variable may hold is in the list, with one word for each, and nothing else is."""
    assert {get_origin(kind) or kind for kind in get_args(Value)} == set(TYPES) == set(SAMPLES)
    assert len(set(TYPES.values())) == len(TYPES)
    assert not any(
        values.is_value(other) for other in (None, [], {}, b"", object(), 1j, (1.0, 2.0), (1, 2, 3))
    )


@pytest.mark.parametrize("kind", SAMPLES, ids=lambda kind: TYPES[kind])
def test_24_a_type_of_the_list_is_argument_and_result_at_once(bench: Bench, kind: type) -> None:
    seen: list[Any] = []

    def keep(value: Any) -> Any:
        seen.append(value)
        return value

    keep.__annotations__ = {"value": ANNOTATIONS[kind], "return": ANNOTATIONS[kind]}
    bench.scope.register(keep)
    bench.scope.values["given"] = SAMPLES[kind]
    assert bench.run("print(type(keep(given)), keep(given) == given)") == [f"{TYPES[kind]} true"]
    assert seen == [SAMPLES[kind]] * 2
    assert seen[0].__class__ is kind
    assert type_name(seen[0]) == TYPES[kind]


@pytest.mark.parametrize("other", SAMPLES, ids=lambda kind: TYPES[kind])
@pytest.mark.parametrize("kind", SAMPLES, ids=lambda kind: TYPES[kind])
def test_24_26_no_type_passes_for_another(bench: Bench, kind: type, other: type) -> None:
    """But for an int where a float is wanted, which converts."""

    def take(value: Any) -> str:
        return type_name(value)

    take.__annotations__ = {"value": ANNOTATIONS[kind], "return": str}
    bench.scope.register(take)
    bench.scope.values["given"] = SAMPLES[other]
    if kind is other or (kind, other) == (float, int):
        assert bench.run("print(take(given))") == [TYPES[kind]]
    else:
        said = fault(bench, "take(given)")
        assert said == f"take(value: {TYPES[kind]}) does not take ({TYPES[other]})"


def untyped(value):  # type: ignore[no-untyped-def]
    return value


def listed(value: list[int]) -> None: ...


def objected(value: object) -> None: ...


def optional(value: int | None) -> None: ...


def bare_tuple(value: tuple[int, int]) -> None: ...


def by_keyword(*, value: int) -> None: ...


def by_keywords(**value: int) -> None: ...


def gives_a_list() -> list[int]:
    return []


def gives_a_reference() -> Ref:
    raise NotImplementedError


def references_without_end(*values: Ref) -> None: ...


def caller_in_the_middle(value: int, caller: Caller) -> None: ...


@pytest.mark.parametrize(
    "function",
    [
        untyped, listed, objected, optional, bare_tuple, by_keyword, by_keywords, gives_a_list, gives_a_reference,
        references_without_end, caller_in_the_middle,
    ],
    ids=lambda function: function.__name__,
)  # fmt: skip
def test_25_an_unsupported_type_fails_when_it_is_registered(bench: Bench, function: Any) -> None:
    known = dict(bench.scope.functions or {})
    with pytest.raises(TypeError, match=function.__name__):
        bench.scope.register(function)
    assert bench.scope.functions == known


def test_25_a_result_that_is_no_value_stops_the_script_and_not_the_game(bench: Bench) -> None:
    """Python does not hold a function to its annotations; a script never sees what is no value."""

    def lying() -> int:
        return [1]  # type: ignore[return-value]

    def large() -> int:
        return 2**63

    bench.scope.register(lying)
    bench.scope.register(large)
    assert fault(bench, "x = lying()") == "lying gave something that is no value of a script"
    assert fault(bench, "x = large()") == "large gave something that is no value of a script"


def test_26_the_wrong_number_of_arguments_is_told_before_it_runs(bench: Bench) -> None:
    def two(first: int, second: float = 1.0) -> None: ...

    described = describe(two)
    assert (described.required, described.signature) == (1, "two(first: int, second: float)")
    assert [described.accepts(count) for count in range(4)] == [False, True, True, False]


def test_27_a_reference_writes_back(bench: Bench) -> None:
    def twice(value: Ref) -> None:
        given = value.value
        assert isinstance(given, int)
        value.value = 2 * given

    bench.scope.register(twice)
    assert bench.run("x = 4\ntwice(x)\ntwice(x)\nprint(x)") == ["16"]


def test_the_samples_are_values() -> None:
    assert all(values.is_value(sample) for sample in SAMPLES.values())

"""The catalogue against the registry: counts, stock names, what is missing."""

from __future__ import annotations

from engine.natives.catalogue import Catalogue, built_ins, coverage
from engine.natives.registry import game_registry


def test_the_tables_are_whole() -> None:
    rows = built_ins()
    assert len(rows) == 449
    assert sum(row.kind == "function" for row in rows) == 153
    assert all(row.maximum is None or row.minimum <= row.maximum for row in rows)
    assert len({(row.kind, row.name, row.group) for row in rows}) == len(rows)
    println = next(row for row in rows if row.name == "println")
    assert println.developer_only
    assert println.stock


def test_signatures_of_what_is_only_known() -> None:
    known = Catalogue()
    signature = known.function("spawnvehicle")
    assert signature is not None
    assert (signature.minimum, signature.maximum, signature.implemented) == (5, 5, False)
    assert known.function("nothing") is None
    both = known.method("iprintln")
    assert both is not None
    assert both.maximum is None
    assert "moveto" in set(known.method_names())


def test_every_stock_name_takes_what_it_takes_in_the_original() -> None:
    """A native of ours accepts at least every count of arguments that the original does."""
    registry = game_registry()
    narrower = []
    for row in built_ins():
        signature = registry.signature(row.name, row.kind == "method")
        if signature is None or not row.stock:
            continue
        wide = signature.maximum is None or (row.maximum is not None and signature.maximum >= row.maximum)
        if signature.minimum > row.minimum or not wide:
            narrower.append((row.name, signature.minimum, signature.maximum, row.minimum, row.maximum))
    assert narrower == []


OURS = {
    ".setanimparameter", ".getanimparameter", ".turnbone", ".setskin",
    ".runscript", ".stopscript", ".bindtext", ".bindsize",
    ".usecob", ".stopusecob", ".cobcall", ".cobquery", ".cobpiece", ".cobsignal", ".cobget", ".cobset",
}  # fmt: skip
"""Names that the original has not: what GSC needs for extended animation trees and to reach the engine's other
languages."""


def test_everything_else_of_ours_is_a_name_of_the_original() -> None:
    found = coverage(game_registry())
    assert set(found.own) <= OURS
    assert len(found.implemented) >= 290
    for name in (
        "getent",
        ".moveto",
        ".setanimknoball",
        ".setgoalpos",
        "newhudelem",
        "bullettrace",
        ".giveweapon",
    ):
        assert name in found.implemented

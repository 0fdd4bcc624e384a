"""The historic compilers, as the differences between them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True, slots=True)
class Profile:
    """How one compiler turns source into words.

    linear, angular    scale of `[n]` and `<n>`
    rounding           `truncate` towards zero or `nearest`
    fold               constant operations are computed at compile time (and then rounded to nearest)
    logic              `right`: AND and OR have one level and group to the right; `levels`: AND, OR, XOR
    empty_return       an empty function is `push 0; return` instead of no words at all
    bare_return        what `return;` pushes: `alloc` (a fresh local) or `zero`
    modern_operators   `^` and `%` exist
    shadow_is_shade    `dont-shadow` compiles to the instruction of `dont-shade`, as one compiler had it
    """

    name: str
    linear: float = 163840.0
    angular: float = 182.0
    rounding: Literal["truncate", "nearest"] = "truncate"
    fold: bool = False
    logic: Literal["right", "levels"] = "right"
    empty_return: bool = False
    bare_return: Literal["alloc", "zero"] = "alloc"
    modern_operators: bool = False
    shadow_is_shade: bool = False


PROFILES: dict[str, Profile] = {
    profile.name: profile
    for profile in (
        Profile("scriptor"),
        Profile("cobbler", rounding="nearest"),
        Profile(
            "bos2cob",
            linear=65536.0,
            fold=True,
            logic="levels",
            empty_return=True,
            bare_return="zero",
            modern_operators=True,
            shadow_is_shade=True,
        ),
        Profile("cavedog", angular=65536 / 360),
        # The units of mods: [1] is an inch and <1> exactly a degree.
        Profile(
            "engine",
            linear=65536.0,
            angular=65536 / 360,
            rounding="nearest",
            logic="levels",
            bare_return="zero",
            modern_operators=True,
        ),
    )
}

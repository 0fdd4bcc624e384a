"""What a script language of the family looks like: the table that scanner and parser consult.

A dialect is data. The one here is that of Call of Duty: United Offensive ("uo"), as the language page gives
it; `later` names what scripts of later games contain, so that a refusal can say where it belongs.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType


@dataclass(frozen=True, slots=True)
class Later:
    """Something this dialect lacks: what it is, the game whose scripts have it, and what to write instead."""

    what: str
    game: str
    instead: str


@dataclass(frozen=True, slots=True)
class Limits:
    """What the compiler refuses, all counts inclusive.

    `key_min` to `key_max` is the domain of integer keys and case labels (language page, "References").
    `operand_budget` bounds `operands_per_call` (the nesting of calls) times the operands that wait below
    a call, plus the most that ever wait in the function, `native_args` the arguments of a built-in (the
    same page, "Definitions and parameters"), `match_args` those of waittillmatch ("Waittillmatch").
    `blocks`, `loops`, `nesting` and `height` are ours: nested statements, nested loops, nested expressions as
    written, and the height of an expression's tree. They keep every pass over a tree clear of Python's own
    recursion limit, and emitted code within what Python can compile: it nests no more than 20 loops.
    """

    key_min: int = -8257536
    key_max: int = 8388607
    operand_budget: int = 2047
    operands_per_call: int = 32
    native_args: int = 255
    match_args: int = 127
    blocks: int = 64
    loops: int = 20
    nesting: int = 80
    height: int = 200


@dataclass(frozen=True, eq=False)
class Dialect:
    """One language. `keywords` are exact lower-case spellings; `composites` are tokens whose inner spelling
    counts (no blanks inside); `operators` are all other punctuation; `later` is keyed by the offending
    spelling or, where there is none, by a word of the parser's."""

    name: str
    title: str
    keywords: frozenset[str]
    composites: tuple[str, ...]
    operators: tuple[str, ...]
    casts: Mapping[str, str]
    developer_natives: frozenset[str]
    later: Mapping[str, Later]
    limits: Limits = field(default_factory=Limits)


_LATER = {
    "foreach": Later("foreach", "Modern Warfare 2", "count with for over keys that you know"),
    "?": Later("the conditional operator ?:", "Modern Warfare 2", "use if and else"),
    "#include": Later("#include", "Call of Duty 2", "name the script at the call: path\\file::function()"),
    "#define": Later("#define", "Modern Warfare 2", "write the value, or keep it in a field of level"),
    "negation": Later("unary minus on a value", "Modern Warfare 2", "write 0 - value"),
    "waittillframeend": Later("waittillframeend", "Call of Duty 2", "use wait 0"),
    "childthread": Later("childthread", "Modern Warfare 2", "use thread, with endon for the ending"),
    "call": Later("call", "Modern Warfare 2", "call the function without the word"),
}

_KEYWORDS = """
    return wait thread undefined self level game anim if else while for do switch case default break continue
    waittill waittillmatch notify endon false true
"""
_OPERATORS = """
    <<= >>= /# #/ || && == != <= >= << >> ++ -- |= ^= &= += -= *= /= %=
    | ^ & < > + - * / % ! ~ = ( ) { } [ ] , ; : . ?
"""

UO = Dialect(
    name="uo",
    title="United Offensive",
    keywords=frozenset(_KEYWORDS.split()),
    composites=("(bool)", "(int)", "(float)", "(string)", ".size", "#using_animtree", "#animtree", "::"),
    operators=tuple(_OPERATORS.split()),
    casts=MappingProxyType({"(bool)": "bool", "(int)": "int", "(float)": "float", "(string)": "string"}),
    developer_natives=frozenset({"print", "println", "assert"}),
    later=MappingProxyType(_LATER),
)

DIALECTS: Mapping[str, Dialect] = MappingProxyType({UO.name: UO})
"""Every dialect by its name, as `--dialect` and a mod's manifest give it."""

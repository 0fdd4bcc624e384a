"""What a script language of the family looks like: the table that scanner and parser consult.

A dialect is data. "uo" is that of Call of Duty: United Offensive, as the language page gives it; `later` names
what scripts of later games contain, so that a refusal can say where it belongs. `LINES` is the table of the
line-oriented language (docs/line-scripts.md), whose expressions the same scanner and parser read.
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


@dataclass(frozen=True, slots=True)
class Lexis:
    """How names, literals and comments are written.

    lines           a line feed is a token, of kind "newline", and not only a blank
    fold_case       names are lower-cased, and may be paths with backslashes
    hash_comments   `#` begins a comment, as `//` does
    quotes          what may enclose a string
    wide_numbers    integers may be hexadecimal and floats have an exponent or end in a point; floats stay double
    kept_escapes    a backslash before a letter without a meaning stays in the string
    """

    lines: bool = False
    fold_case: bool = True
    hash_comments: bool = False
    quotes: str = '"'
    wide_numbers: bool = False
    kept_escapes: bool = False


def levels(*rows: str) -> Mapping[str, int]:
    """A table of binary operators from rows of them, loosest first; the first row is level 1."""
    return MappingProxyType({op: level for level, row in enumerate(rows, start=1) for op in row.split()})


@dataclass(frozen=True, eq=False)
class Dialect:
    """One language. `keywords` are exact lower-case spellings; `composites` are tokens whose inner spelling
    counts (no blanks inside); `operators` are all other punctuation; `later` is keyed by the offending
    spelling or, where there is none, by a word of the parser's.

    binary   binary operators with their level, the loosest at 1
    right    those of them that group to the right
    prefix   unary operators, which bind tighter than any binary one but `power`
    power    a binary operator, grouping to the right, that binds tighter than a prefix before it; "" for none
    """

    name: str
    title: str
    keywords: frozenset[str]
    composites: tuple[str, ...]
    operators: tuple[str, ...]
    casts: Mapping[str, str]
    developer_natives: frozenset[str]
    later: Mapping[str, Later]
    binary: Mapping[str, int]
    right: frozenset[str] = frozenset()
    prefix: frozenset[str] = frozenset({"!", "~"})
    power: str = ""
    lexis: Lexis = field(default_factory=Lexis)
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
    binary=levels("||", "&&", "|", "^", "&", "== !=", "< > <= >=", "<< >>", "+ -", "* / %"),
)

_LINE_KEYWORDS = """
    function ref end return if elseif else while for in break continue local try catch wait waituntil yield
    true false
"""
_LINE_OPERATORS = """
    ** ++ -- += -= *= /= %= .. || && == != <= >= << >>
    | ^ & < > + - * / % ! ~ = ( ) { } [ ] , ; : . ?
"""

LINES = Dialect(
    name="lines",
    title="the line-oriented language",
    keywords=frozenset(_LINE_KEYWORDS.split()),
    composites=(),
    operators=tuple(_LINE_OPERATORS.split()),
    casts=MappingProxyType({}),
    developer_natives=frozenset(),
    later=MappingProxyType({}),
    binary=levels("=", "||", "&&", "|", "^", "&", "== !=", "< > <= >=", "<< >>", "+ -", "* / %"),
    right=frozenset({"="}),
    prefix=frozenset({"!", "~", "-", "+"}),
    power="**",
    lexis=Lexis(
        lines=True, fold_case=False, hash_comments=True, quotes="\"'", wide_numbers=True, kept_escapes=True
    ),
    limits=Limits(blocks=32, nesting=60, height=120),
)

DIALECTS: Mapping[str, Dialect] = MappingProxyType({UO.name: UO})
"""Every dialect of GSC by its name, as `--dialect` and a mod's manifest give it."""

"""What a script language of the family looks like: the table that every phase consults.

A dialect is data: spellings for the scanner, grammar features for the parser, rules for binder, emitter and VM,
and in `later` what scripts of other games contain, so that a refusal can say where it belongs. "uo" is Call of
Duty: United Offensive, as the language page gives it; "iw4" is Modern Warfare 2, as the IW4 page does. The others
are those two with other spellings and built-ins.

`LINES` is the table of the line-oriented language (docs/line-scripts.md), whose expressions the same scanner and
parser read.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import Literal


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
    terminators     a file may end in NUL bytes, which are no part of it
    """

    lines: bool = False
    fold_case: bool = True
    hash_comments: bool = False
    quotes: str = '"'
    wide_numbers: bool = False
    kept_escapes: bool = False
    terminators: bool = False


def levels(*rows: str) -> Mapping[str, int]:
    """A table of binary operators from rows of them, loosest first; the first row is level 1."""
    return MappingProxyType({op: level for level, row in enumerate(rows, start=1) for op in row.split()})


Feature = Literal[
    "include", "constants", "foreach", "conditional", "negation", "frame-end", "childthread", "native-call", "do",
    "shift-assign",
]  # fmt: skip
"""A form of the grammar that not every dialect has."""


@dataclass(frozen=True, slots=True)
class Rules:
    """How compiled code behaves. The defaults are those of United Offensive.

    name             the dialect's name
    strict           operands are taken as they are: no conversion of pairs, `/` gives floats, zero for a division
                     by zero, truth of numbers alone; a failed condition falls into the body
    frames           time is counted in server frames; woken threads resume newest first
    scoped_endon     `endon` belongs to the call that registered it, and unwinds to its caller
    surplus          arguments beyond the parameters are ignored
    outlives_self    a thread goes on when its `self` has ended; ended objects can be read
    own_first        a function of the file, then a built-in, then one of an included script
    late_animations  a `%name` that its tree lacks fails where it is used, and `#animtree` is a value of its own
    open_classes     a block of a map may be of any class, and every entity tells its own as `code_classname`
    signals          the game hears what is notified on `level` as well: `exitlevel` ends the level
    binds_all        a script that calls a built-in which is not there does not load
    on_error         what a run-time error does where nobody says otherwise, as `--on-error` names it
    max_depth        nested calls, thread starts included; the call beyond is refused
    """

    name: str = "uo"
    strict: bool = False
    frames: bool = False
    scoped_endon: bool = False
    surplus: bool = False
    outlives_self: bool = False
    own_first: bool = False
    late_animations: bool = False
    open_classes: bool = False
    signals: bool = False
    binds_all: bool = False
    on_error: str = "stop"
    max_depth: int = 32


UO_RULES = Rules()


@dataclass(frozen=True, eq=False)
class Dialect:
    """One language. `keywords` are exact lower-case spellings; `composites` are tokens whose inner spelling
    counts (no blanks inside); `operators` are all other punctuation; `later` is keyed by the offending
    spelling or, where there is none, by a word of the parser's. Calls of `developer_natives` as statements are
    developer code, which `developer` says whether there can be at all; calls of `vanishing` ones are never
    anything.

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
    features: frozenset[Feature] = frozenset({"do", "shift-assign"})
    rules: Rules = UO_RULES
    developer: bool = True
    vanishing: frozenset[str] = frozenset()
    limits: Limits = field(default_factory=Limits)

    @property
    def never(self) -> frozenset[str]:
        """Built-ins whose calls are never code."""
        return self.vanishing if self.developer else self.vanishing | self.developer_natives


_BLACK_OPS = {
    "const": Later("const", "Black Ops 2", "write the value, or keep it in a field of level"),
    "#using": Later("#using", "Black Ops 3", "name the script at the call: path\\file::function()"),
    "#namespace": Later("#namespace", "Black Ops 3", "name the script at the call: path\\file::function()"),
    "#insert": Later("#insert", "Black Ops 3", "write what the file has"),
    "#precache": Later("#precache", "Black Ops 3", "call the precache function of the asset in main"),
    "function": Later("function", "Black Ops 3", "begin with the function's name"),
    "private": Later("private", "Black Ops 3", "begin with the function's name"),
    "autoexec": Later("autoexec", "Black Ops 3", "call the function from main"),
    "class": Later("class", "Black Ops 3", "use spawnstruct()"),
    "var": Later("var", "Black Ops 3", "assign without the word: a field is there once it has a value"),
    "waitrealtime": Later("waitrealtime", "Black Ops 3", "use wait"),
    "->": Later("->", "Black Ops 3", "keep the function in a field and call it: object [[ object.field ]]()"),
    "===": Later("===", "Black Ops 3", "use =="),
    "!==": Later("!==", "Black Ops 3", "use !="),
    "&": Later("& before a function", "Black Ops 3", "write ::function"),
    "...": Later("... among parameters", "Black Ops 3", "pass an array"),
    "default": Later("a parameter with a value", "Black Ops 3", "test it with isdefined(parameter)"),
    '#"': Later('#"text"', "Black Ops 3", 'use "text"'),
}
"""Forms that no dialect here has: those that came with later games of another studio."""

# ---- United Offensive ------------------------------------------------------------------------------------

_LATER = {
    **_BLACK_OPS,
    "foreach": Later("foreach", "Modern Warfare 2", "count with for over keys that you know"),
    "?": Later("the conditional operator ?:", "Modern Warfare 2", "use if and else"),
    "#include": Later("#include", "Call of Duty 2", "name the script at the call: path\\file::function()"),
    "#define": Later("#define", "Modern Warfare 2", "write the value, or keep it in a field of level"),
    "constant": Later("a constant between functions", "Modern Warfare 2", "keep it in a field of level"),
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
    limits=Limits(blocks=64, nesting=60, height=120),
)

# ---- Modern Warfare 2 ------------------------------------------------------------------------------------

_IW4_LATER = {
    **_BLACK_OPS,
    "do": Later("do ... while", "United Offensive", "use while, or for (;;) with a break"),
    "<<=": Later("<<=", "United Offensive", "write x = x << n"),
    ">>=": Later(">>=", "United Offensive", "write x = x >> n"),
    "(int)": Later("the cast (int)", "United Offensive", "call int(value)"),
    "(float)": Later("the cast (float)", "United Offensive", "call float(value)"),
    "(string)": Later("the cast (string)", "United Offensive", 'add to an empty text: "" + value'),
    "(bool)": Later("the cast (bool)", "United Offensive", "compare with 0"),
    "#using": Later("#using", "Black Ops 3", "use #include"),
    "#insert": Later("#insert", "Black Ops 3", "use #include"),
    "const": Later("const", "Black Ops 2", "use #define, or NAME = value; between functions"),
}

_IW4_DEVELOPER = """
    print println print3d line box sphere circle assert assertex assertmsg recordent
    setdebugorigin setdebugangles
"""

IW4 = Dialect(
    name="iw4",
    title="Modern Warfare 2",
    keywords=frozenset(_KEYWORDS.split()) - {"do"} | {"waittillframeend"},
    composites=(".size", "#using_animtree", "#animtree", "#include", "#define", "::"),
    operators=UO.operators,
    casts=MappingProxyType({}),
    developer_natives=frozenset(_IW4_DEVELOPER.split()),
    later=MappingProxyType(_IW4_LATER),
    binary=UO.binary,
    lexis=Lexis(terminators=True),
    features=frozenset(
        {
            "include",
            "constants",
            "foreach",
            "conditional",
            "negation",
            "frame-end",
            "childthread",
            "native-call",
        }
    ),
    rules=Rules(
        name="iw4",
        strict=True,
        frames=True,
        scoped_endon=True,
        surplus=True,
        outlives_self=True,
        own_first=True,
        late_animations=True,
        open_classes=True,
        signals=True,
        binds_all=True,
        on_error="continue",
        max_depth=31,
    ),
    developer=False,
    vanishing=frozenset({"prof_begin", "prof_end"}),
)

# ---- the games between -----------------------------------------------------------------------------------


def _between(name: str, title: str, *, keywords: frozenset[str], features: frozenset[Feature]) -> Dialect:
    """United Offensive with some forms of later games. Its rules stay those of United Offensive."""
    lifted = {"include": ("#include",), "frame-end": ("waittillframeend",), "negation": ("negation",)}
    gone = {key for feature in features for key in lifted.get(feature, ())}
    return replace(
        UO,
        name=name,
        title=title,
        keywords=UO.keywords | keywords,
        composites=(*UO.composites, *(("#include",) if "include" in features else ())),
        later=MappingProxyType({key: later for key, later in _LATER.items() if key not in gone}),
        features=UO.features | features,
        rules=replace(UO_RULES, name=name),
    )


COD1 = _between("cod1", "Call of Duty", keywords=frozenset(), features=frozenset())
COD2 = _between(
    "cod2",
    "Call of Duty 2",
    keywords=frozenset({"waittillframeend"}),
    features=frozenset({"include", "frame-end"}),
)
COD4 = _between(
    "cod4",
    "Call of Duty 4",
    keywords=frozenset({"waittillframeend"}),
    features=frozenset({"include", "frame-end", "negation"}),
)

DIALECTS: Mapping[str, Dialect] = MappingProxyType({d.name: d for d in (UO, COD1, COD2, COD4, IW4)})
"""Every dialect by its name, as `--dialect` and a mod's manifest give it."""

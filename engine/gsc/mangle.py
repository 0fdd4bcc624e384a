"""The only way a script name enters Python text.

Every name gets a prefix that no Python keyword, attribute or internal name has, so a script may call a field
`__class__` and a local `lambda` without reaching anything of Python.
"""

from __future__ import annotations

from functools import lru_cache

FIELD_PREFIX = "f_"
LOCAL_PREFIX = "v_"
CODE_PREFIX = "C_"
FUNCTION_PREFIX = "P_"
RUNNING_PREFIX = "W_"
VERSION_PREFIX = "V_"
RESUME_PREFIX = "Q_"
LATER_PREFIX = "LATER_"
NATIVE_PREFIX = "N_"
METHOD_PREFIX = "M_"
NATIVE_VALUE_PREFIX = "B_"
DIRECT_PREFIX = "G_"
DIRECT_METHOD_PREFIX = "H_"
RECEIVER_PREFIX = "J_"
TICKS_PREFIX = "TICKS_"
TREE_PREFIX = "R_"


def field(name: str) -> str:
    """The attribute that holds the field `name`."""
    return FIELD_PREFIX + name


def local(name: str) -> str:
    """The Python local that holds the script local `name`."""
    return LOCAL_PREFIX + name


COMPONENTS = ("x_", "y_", "z_")


def components(name: str) -> tuple[str, ...]:
    """The Python locals that hold the script local `name` where it is a vector in three parts."""
    return tuple(prefix + name for prefix in COMPONENTS)


def unlocal(name: str) -> str | None:
    """The script local that a Python local holds, or None for one of ours."""
    return name[len(LOCAL_PREFIX) :] if name.startswith(LOCAL_PREFIX) else None


@lru_cache(maxsize=1 << 15)
def _escape(text: str) -> str:
    """An injective spelling in letters, digits and underscores."""
    return "".join(c if c.isascii() and c.isalnum() else "__" if c == "_" else f"_{ord(c):02x}" for c in text)


def code(script: str, name: str) -> str:
    """The global that holds the Python function of `script::name`."""
    return f"{CODE_PREFIX}{_escape(script)}_q{_escape(name)}"


_TYPE_LETTERS = "ifsvuao"
"""One for each bit of a set of types, from the lowest."""


def version(script: str, name: str, masks: tuple[int, ...]) -> str:
    """The global that holds the Python function of `script::name` for arguments of these types, one bit each."""
    letters = "".join(_TYPE_LETTERS[mask.bit_length() - 1] for mask in masks)
    return f"{VERSION_PREFIX}{letters}_q{_escape(script)}_q{_escape(name)}"


def version_masks(name: str) -> tuple[int, ...]:
    """The types that a `version` is for."""
    letters = name[len(VERSION_PREFIX) :].partition("_")[0]
    return tuple(1 << _TYPE_LETTERS.index(letter) for letter in letters)


def function(script: str, name: str) -> str:
    """The global that holds the function value `script::name`."""
    return f"{FUNCTION_PREFIX}{_escape(script)}_q{_escape(name)}"


def running(script: str, name: str) -> str:
    """The global that holds what a frame of `script::name` runs: the function value, but for code that a reload kept
    alive for the threads inside it."""
    return f"{RUNNING_PREFIX}{_escape(script)}_q{_escape(name)}"


def resume(script: str, name: str, site: int) -> str:
    """The global that holds the code with which a frame of `script::name` goes on behind a site."""
    return f"{RESUME_PREFIX}{_escape(script)}_q{_escape(name)}_q{site}"


def later(ms: int) -> str:
    """The global that is the result of code whose thread waits so many milliseconds."""
    return f"{LATER_PREFIX}{ms}"


def native(name: str, method: bool) -> str:
    """The global that holds the built-in `name`."""
    return (METHOD_PREFIX if method else NATIVE_PREFIX) + name


def direct(name: str, method: bool) -> str:
    """The global that holds the Python function behind the built-in `name`, without its checks."""
    return (DIRECT_METHOD_PREFIX if method else DIRECT_PREFIX) + name


def receiver(name: str) -> str:
    """The global that holds the class of objects that the method `name` is called on."""
    return RECEIVER_PREFIX + name


def native_value(name: str) -> str:
    """The global that holds the built-in `name` as a value."""
    return NATIVE_VALUE_PREFIX + name


_DIALECT_NAMES = """
    ADD SUB MUL DIV MOD OR XOR AND SHL SHR EQ NE LT GT LE GE TRUTH TO_BOOL INCREMENT VECTOR SIZE INDEX SWITCH
    LONG_TEXT FIELD SET_FIELD DEL_FIELD WRITABLE ELEMENT PUT REMOVE RECEIVER OVERFLOW TOO_MANY CALL CALL_ON SPAWN
    SPAWN_ON WAIT WAIT_END NEGATE WAITTILL NOTIFY ENDON MAX_DEPTH FIELD_ERRORS
"""
DIALECT_NAMES = frozenset(_DIALECT_NAMES.split())
"""Names of emitted code that do not mean the same in every dialect."""


def of_dialect(name: str, dialect: str) -> str:
    """The global that a name of emitted code means in a dialect other than the first."""
    if name in DIALECT_NAMES or name.startswith(
        (NATIVE_PREFIX, METHOD_PREFIX, NATIVE_VALUE_PREFIX, TREE_PREFIX)
    ):
        return f"{dialect}_{name}"
    return name


def dialect_of(name: str) -> tuple[str | None, str]:
    """The dialect of such a global, None for the first, and the name within it."""
    dialect, separator, rest = name.partition("_")
    return (dialect, rest) if separator and dialect.islower() and dialect != FIELD_PREFIX[0] else (None, name)


def animation(tree: str, name: str) -> str:
    """The global that holds the animation `%name` of a tree."""
    return f"A_{_escape(tree)}_q{_escape(name)}"


def tree(name: str) -> str:
    """The global that holds what `#animtree` is: the number of a tree, or a value of its own."""
    return f"{TREE_PREFIX}{_escape(name)}"


def ticks(weight: int) -> str:
    """The global that gives the rounds which cost `weight` units of the budget."""
    return f"{TICKS_PREFIX}{weight}"


def table(script: str, name: str, number: int) -> str:
    """The global that holds a switch table of `script::name`."""
    return f"S_{_escape(script)}_q{_escape(name)}_q{number}"

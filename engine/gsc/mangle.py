"""The only way a script name enters Python text.

Every name gets a prefix that no Python keyword, attribute or internal name has, so a script may call a field
`__class__` and a local `lambda` without reaching anything of Python.
"""

from __future__ import annotations

FIELD_PREFIX = "f_"
LOCAL_PREFIX = "v_"
CODE_PREFIX = "C_"
FUNCTION_PREFIX = "P_"
RUNNING_PREFIX = "W_"
NATIVE_PREFIX = "N_"
METHOD_PREFIX = "M_"


def field(name: str) -> str:
    """The attribute that holds the field `name`."""
    return FIELD_PREFIX + name


def local(name: str) -> str:
    """The Python local that holds the script local `name`."""
    return LOCAL_PREFIX + name


def unlocal(name: str) -> str | None:
    """The script local that a Python local holds, or None for one of ours."""
    return name[len(LOCAL_PREFIX) :] if name.startswith(LOCAL_PREFIX) else None


def _escape(text: str) -> str:
    """An injective spelling in letters, digits and underscores."""
    return "".join(c if c.isascii() and c.isalnum() else "__" if c == "_" else f"_{ord(c):02x}" for c in text)


def code(script: str, name: str) -> str:
    """The global that holds the Python function of `script::name`."""
    return f"{CODE_PREFIX}{_escape(script)}_q{_escape(name)}"


def function(script: str, name: str) -> str:
    """The global that holds the function value `script::name`."""
    return f"{FUNCTION_PREFIX}{_escape(script)}_q{_escape(name)}"


def running(script: str, name: str) -> str:
    """The global that holds what a frame of `script::name` runs: the function value, but for code that a reload kept
    alive for the threads inside it."""
    return f"{RUNNING_PREFIX}{_escape(script)}_q{_escape(name)}"


def native(name: str, method: bool) -> str:
    """The global that holds the built-in `name`."""
    return (METHOD_PREFIX if method else NATIVE_PREFIX) + name


def animation(tree: str, name: str) -> str:
    """The global that holds the animation `%name` of a tree."""
    return f"A_{_escape(tree)}_q{_escape(name)}"


def tree(name: str) -> str:
    """The global that holds the number of a tree."""
    return f"R_{_escape(name)}"


def table(script: str, name: str, number: int) -> str:
    """The global that holds a switch table of `script::name`."""
    return f"S_{_escape(script)}_q{_escape(name)}_q{number}"

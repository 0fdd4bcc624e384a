"""Messages: how long they get, and what is said of parts that are none."""

from __future__ import annotations

import pytest

from engine.natives.text import MAX_MESSAGE, message
from engine.vm.errors import ScriptError


def test_a_message_is_cut_where_it_is_too_long_and_never_put_together_whole() -> None:
    """255 parts of 8,192 characters in a loop took eleven seconds and three gigabytes in one frame."""
    assert message(("a" * 1000, 7, "b" * 8192)) == "a" * 1000 + "7" + "b" * (MAX_MESSAGE - 1001)
    assert message(("x" * 8192,) * 255) == "x" * MAX_MESSAGE


def test_parts_beyond_the_end_are_looked_at_all_the_same() -> None:
    with pytest.raises(ScriptError, match="parameter 3 is"):
        message(("x" * 8192, "y", None))

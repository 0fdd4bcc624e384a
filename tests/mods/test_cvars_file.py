"""`cvars.toml` where it is no file."""

from __future__ import annotations

from pathlib import Path

import pytest

from engine.mods.cvars import read_cvars
from engine.source import DiagnosticError


def test_a_folder_in_the_place_of_the_variables_is_told(tmp_path: Path) -> None:
    assert read_cvars(tmp_path) == {}
    (tmp_path / "cvars.toml").mkdir()
    with pytest.raises(DiagnosticError) as caught:
        read_cvars(tmp_path)
    (fault,) = caught.value.diagnostics
    assert fault.code == "unreadable-file"
    assert str(fault.span) == f"{tmp_path / 'cvars.toml'}:1:1"

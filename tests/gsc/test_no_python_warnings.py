"""What a script says never brings up a warning of Python about the code that it becomes."""

from __future__ import annotations

import io
from pathlib import Path

import pytest

from engine.cli.run_gsc import run_file


@pytest.mark.parametrize(
    "value",
    [
        "(1)[0]",
        "(1, 2, 3)[0]",
        '"abc"["k"]',
        "undefined == 1",
        '!"x"',
        "[[5]]()",
        "(1).size",
        "1.5[2]",
        "(::f).x",
    ],
)
def test_running_with_warnings_as_errors(value: str, tmp_path: Path) -> None:
    script = tmp_path / "a.gsc"
    script.write_text(
        f"main() {{ x = {value}; if ({value}) println(1); thread f(); }} f() {{ println({value}); }}"
    )
    err = io.StringIO()
    run_file(script, out=lambda text: None, err=err)
    assert "too deeply" not in err.getvalue()
    assert "Warning" not in err.getvalue()

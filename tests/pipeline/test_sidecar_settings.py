"""The sidecar: every key read, every fault a diagnostic at its line."""

from __future__ import annotations

from pathlib import Path

import pytest

from engine.pipeline.settings import ModelSettings, NoteSetting, parse_settings, read_settings
from engine.source import DiagnosticError, SourceText
from engine.source.toml import TomlFile

FULL = """
unit = "cm"
scale = 2
up = "z"
fps = 24
sample_rate = 60
root = "Hips"
model = false
colors = "srgb"

[clips.Walk]
name = "Man_Walk"
loop = true
root_motion = true
bones = ["Spine"]
frames = [1, 25]
notes = [{ name = "step_left", frame = 3 }, { name = "Hit", time = 0.5 }, { name = "c", at = 1 }]

[materials.Cloth]
color = [0.5, 0.25, 0]
emissive = [2, 0, 0]
texture = "cloth.png"
roughness = 0.5
metallic = 1

[skins.Grey]
hide = ["Helmet"]
materials.cloth.color = [0.1, 0.2, 0.3, 0.5]
"""


def _parse(text: str) -> ModelSettings:
    return parse_settings(TomlFile(SourceText("man.toml", text)))


def _faults(text: str) -> list[tuple[str, int, str]]:
    with pytest.raises(DiagnosticError) as caught:
        _parse(text)
    return [
        (d.code, d.span.line if d.span else 0, d.message + " " + " ".join(n.message for n in d.notes))
        for d in caught.value.diagnostics
    ]


def test_every_key_is_read() -> None:
    settings = _parse(FULL)
    assert (settings.unit, settings.scale, settings.up, settings.colors) == ("cm", 2, "z", "srgb")
    assert (settings.fps, settings.sample_rate, settings.root, settings.model) == (24, 60, "hips", False)
    clip = settings.clips["walk"]
    assert (clip.name, clip.loop, clip.root_motion, clip.bones) == ("man_walk", True, "full", ("spine",))
    assert clip.frames == (1, 25)
    assert clip.notes == (
        NoteSetting("step_left", frame=3),
        NoteSetting("hit", time=0.5),
        NoteSetting("c", at=1),
    )
    cloth = settings.materials["cloth"]
    assert (cloth.color, cloth.emissive, cloth.texture) == ((0.5, 0.25, 0, 1), (2, 0, 0), "cloth.png")
    assert (cloth.roughness, cloth.metallic) == (0.5, 1)
    grey = settings.skins["grey"]
    assert grey.hide == ("helmet",)
    assert grey.materials["cloth"].color == (0.1, 0.2, 0.3, 0.5)


def test_no_file_means_defaults(tmp_path: Path) -> None:
    assert read_settings(tmp_path / "none.toml") == ModelSettings()


@pytest.mark.parametrize(
    ("text", "code", "line", "part"),
    [
        ("\nscal = 2", "unknown-setting", 2, "did you mean scale?"),
        ("\n\nzzz = 2", "unknown-setting", 3, "known here: unit"),
        ('unit = "yard"', "bad-setting", 1, '"m"'),
        ("scale = 0", "bad-setting", 1, "number from"),
        ("scale = true", "bad-setting", 1, "number from"),
        ('up = "x"', "bad-setting", 1, '"y"'),
        ("fps = 1000", "bad-setting", 1, "240"),
        ("model = 1", "bad-setting", 1, "true or false"),
        ("root = 3", "bad-setting", 1, "text"),
        ("clips = 3", "bad-setting", 1, "table"),
        ("[clips]\nwalk = 3", "bad-setting", 2, "table"),
        ("[clips.a]\n\nlop = true", "unknown-setting", 3, "did you mean loop?"),
        ("[clips.a]\nloop = 1", "bad-setting", 2, "true or false"),
        ('[clips.a]\nname = "a b"', "bad-setting", 2, "letters"),
        ('[clips.a]\nroot_motion = "some"', "bad-setting", 2, '"linear"'),
        ("[clips.a]\nframes = [5, 1]", "bad-setting", 2, "before the first"),
        ("[clips.a]\nframes = [5]", "bad-setting", 2, "list of 2"),
        ('[clips.a]\nbones = "spine"', "bad-setting", 2, "list of names"),
        ('[clips.a]\nnotes = "x"', "bad-setting", 2, "list of {"),
        ("[clips.a]\nnotes = [3]", "bad-setting", 2, "must be {"),
        ("[clips.a]\nnotes = [{ frame = 1 }]", "bad-setting", 2, "needs a `name`"),
        ('[clips.a]\nnotes = [{ name = "a" }]', "bad-setting", 2, "exactly one"),
        ('[clips.a]\nnotes = [{ name = "a", frame = 1, at = 0 }]', "bad-setting", 2, "exactly one"),
        ('[clips.a]\nnotes = [{ name = "end", at = 1 }]', "bad-setting", 2, "engine's own"),
        ('[clips.a]\nnotes = [{ name = "a", at = 1.5 }]', "bad-setting", 2, "from 0 to 1"),
        (
            '[clips.a]\nnotes = [\n{ name = "a", at = 1 },\n{ nam = "b", at = 1 }]',
            "unknown-setting",
            4,
            "name",
        ),
        ("[materials.m]\ncolor = [1, 2, 3]", "bad-setting", 2, "from 0 to 1"),
        ("[materials.m]\ncolor = [1, 0]", "bad-setting", 2, "3 or 4"),
        ("[skins.s]\nhide = [1]", "bad-setting", 2, "list of names"),
        ("[skins.s.materials.m]\n\nshine = 1", "unknown-setting", 3, "known here"),
        ('[clips.a]\nname = "b"\n[clips.c]\nname = "b"', "bad-setting", 4, "both get the name"),
        (
            "[clips.swing]\nloop = true\n[clips.SWING]\nloop = false",
            "bad-setting",
            3,
            "`SWING` is `swing` again",
        ),
        (
            "[materials.Paint]\n[materials.paint]\ncolor = [0, 1, 0]",
            "bad-setting",
            2,
            "`paint` is `Paint` again",
        ),
        ("[skins.a]\nhide = []\n\n[skins.A.materials.paint]", "bad-setting", 4, "`A` is `a` again"),
        ("[skins.a.materials.x]\n[skins.a.materials.X]", "bad-setting", 2, "capitals do not count"),
        ("[clips]\na.loop = true\nA.loop = true", "bad-setting", 3, "keep one"),
        ('[clips.A]\nname = "b"\n[clips.C]\nmirror = "b"', "bad-setting", 4, "both get the name"),
        ("a = 1\nb = = 2", "bad-toml", 2, ""),
    ],
)
def test_faults_have_code_line_and_remedy(text: str, code: str, line: int, part: str) -> None:
    faults = _faults(text)
    assert any(f[0] == code and f[1] == line and part in f[2] for f in faults), faults


def test_all_faults_of_a_file_are_told_at_once() -> None:
    assert [line for _, line, _ in _faults("scale = 0\nup = 3\nzzz = 1\n")] == [3, 1, 2]


def test_a_hash_or_bracket_in_a_text_does_not_confuse_the_lines() -> None:
    text = 'root = "a # [b"\n[clips.a]\nnotes = [ # [ {\n  { name = "]", at = 0 },\n]\nlop = 1\n'
    assert [(code, line) for code, line, _ in _faults(text)] == [("unknown-setting", 6)]


def test_windows_line_ends_and_byte_order_mark() -> None:
    source = SourceText("man.toml", b"\xef\xbb\xbfscale = 2\r\n[clips.a]\r\nloop = true\r\n")
    settings = parse_settings(TomlFile(source))
    assert settings.scale == 2
    assert settings.clips["a"].loop

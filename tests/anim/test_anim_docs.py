"""What docs/animation-trees.md and the trees' part of docs/diagnostics.md say is run here."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

from engine.anim import atr
from engine.anim.sampler import bind
from engine.anim.state import TreeInstances
from engine.gsc.parser import parse
from engine.source import Diagnostic, DiagnosticError, SourceText, Span
from tests.anim.kit import Clips, Stage, build, chain, make_clip, shape

ROOT = Path(__file__).resolve().parents[2]
PAGE = (ROOT / "docs" / "animation-trees.md").read_text(encoding="utf-8")
DIAGNOSTICS = (
    (ROOT / "docs" / "diagnostics.md")
    .read_text(encoding="utf-8")
    .partition("## Animation trees")[2]
    .partition("\n## ")[0]
)

GUARD = re.findall(r"^```atr\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)[0]
MAN = re.findall(r"^```atr\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)[1]
SCRIPT = re.findall(r"^```gsc\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)[0]
CLIPS = Clips(
    loops=("guard_breathe", "guard_look", "guard_walk", "guard_run"),
    plain=("guard_hit_left", "guard_hit_right"),
)


def rows(header: str) -> list[list[str]]:
    """The cells of the table that begins with a header line."""
    lines = PAGE.partition(f"| {header} |\n")[2].splitlines()[1:]
    found = []
    for line in lines:
        if not line.startswith("|"):
            break
        found.append([cell.strip() for cell in line.strip("|").split("|")])
    assert found
    return found


@pytest.mark.parametrize(("mentioned", "expected"), rows("scripts mention | the tree"))
def test_what_is_loaded(mentioned: str, expected: str) -> None:
    tree = build(GUARD, CLIPS, re.findall(r"%(\w+)", mentioned))
    assert shape(tree) == expected.strip("`")


def test_the_script_is_right_and_its_names_are_in_the_tree() -> None:
    assert parse("guard", SourceText("guard.gsc", SCRIPT)).diagnostics == ()
    names = re.findall(r"%(\w+)", SCRIPT)
    assert build(GUARD, CLIPS, names).node("guard_walk")


@pytest.mark.parametrize(("weights", "parts"), rows("sibling weights | parts of the blend"))
def test_parts_of_a_blend(weights: str, parts: str) -> None:
    given = [float(word) for word in re.findall(r"[\d.]+", weights)]
    expected = [float(word) / 100 for word in re.findall(r"\d+", parts)]
    for counted, part in enumerate(expected):
        names = [f"a{i}" for i in range(len(given))]
        clips = [make_clip(name) for name in names]
        clips[counted].rows[:, 4] = 1.0
        stage = Stage("\n".join(names) + "\n", Clips(*clips))
        stage.instances = TreeInstances(stage.tree, bind(stage.tree, chain("base")))
        stage.instances.add()
        for name, weight in zip(names, given, strict=True):
            stage.set(name, weight, 0.0)
        assert stage.instances.sample()[0, 4, 0] == pytest.approx(part)


def test_the_time_of_a_blended_stride() -> None:
    walk, run, both = (
        float(n) for n in re.findall(r"walk of ([\d.]+) s.*run of ([\d.]+) s.*take ([\d.]+) s", PAGE)[0]
    )
    stage = Stage(
        "strides : loopsync\n{\n\twalk\n\trun\n}\n",
        Clips(make_clip("walk", walk, True), make_clip("run", run, True)),
    )
    for name in ("walk", "run"):
        stage.set(name, 1.0, 0.0)
    stage.step(0.1)
    assert 0.1 / stage.time("strides") == pytest.approx(both, abs=0.0005)


@pytest.mark.parametrize(("line", "message"), rows("line | message"))
def test_messages(line: str, message: str) -> None:
    with pytest.raises(DiagnosticError) as caught:
        atr.read(SourceText("x.atr", line.strip("`") + "\n"))
    assert caught.value.diagnostics[0].message.partition(" after a name")[0] == message


def test_the_extended_tree_is_one() -> None:
    leaves = re.findall(r"man_\w+|flinch", MAN)
    tree = build(MAN, Clips(loops=leaves), ["strides", "man_wave", "man_breathe", "flinch"])
    assert shape(tree).count("man_") == 5
    assert tree.blends[tree.index["strides"]].places == (0.0, 60.0, 160.0)
    assert tree.masks[tree.index["flinch"]] == ("chest", "-arm_left")


# -- docs/diagnostics.md --

ENTRIES = re.findall(r"^### `([a-z-]+)`\n(.*?)(?=^### |\Z)", DIAGNOSTICS, re.MULTILINE | re.DOTALL)
EXAMPLES = [
    (code, "".join(re.findall(r"^```gsc\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)), example)
    for code, text in ENTRIES
    for example in re.findall(r"^```atr\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)
]


def codes_in_source() -> set[str]:
    found: set[str] = set()
    for module in ("atr", "prune", "mismatch"):
        tree = ast.parse((ROOT / "engine" / "anim" / f"{module}.py").read_text(encoding="utf-8"))
        for node in ast.walk(tree):
            if isinstance(node, ast.Call) and node.args and isinstance(node.args[0], ast.Constant):
                name = (
                    node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
                )
                if name in ("_error", "Diagnostic"):
                    found.add(str(node.args[0].value))
    return found


def test_the_page_lists_exactly_the_codes_of_trees() -> None:
    assert {code for code, _ in ENTRIES} == codes_in_source()


@pytest.mark.parametrize(("code", "script", "text"), EXAMPLES, ids=[code for code, _, _ in EXAMPLES])
def test_an_example_gives_its_code_alone(code: str, script: str, text: str) -> None:
    place = SourceText("main.gsc", script)
    names: dict[str, Span | None] = {
        m[1]: place.span(m.start(), m.end()) for m in re.finditer(r"%(\w+)", script)
    }
    clips = Clips(loops=("walk", "run"), plain=("fall",))
    found: tuple[Diagnostic, ...] = ()
    try:
        tree = atr.read(SourceText("x.atr", text))
        mentioned = names or dict.fromkeys(tree.names())
        tree.prune(mentioned, clips, all_names=True)
    except DiagnosticError as error:
        found = error.diagnostics
    assert [d.code for d in found] == [code]
    assert found[0].span is not None
    assert found[0].span.path == ("main.gsc" if script else "x.atr")

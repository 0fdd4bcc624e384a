"""The benchmark of cooking is of what it says. Nothing here looks at how long it takes."""

from __future__ import annotations

import json

import pytest
from click.testing import CliRunner

from engine.cli.bench import bench
from engine.pipeline import container, importer
from engine.pipeline.packing import unpack
from tests.bench.cooking import Work

pytestmark = pytest.mark.skipif(not importer.available(), reason="no libassimp here")


def test_the_model_is_as_large_as_it_says() -> None:
    content = unpack(container.from_buffer(Work().cook()))
    model = content.model
    assert model is not None
    assert sum(len(mesh.positions) for mesh in model.meshes) == 5000
    assert len(model.skeleton) == 20
    assert [clip.frames for clip in content.clips] == [31] * 8
    assert all(len(clip.bones) == 20 for clip in content.clips)


def test_the_command_reports_cooking() -> None:
    result = CliRunner().invoke(bench, ["cooking", "--rounds", "1", "--json"], standalone_mode=False)
    lines = [json.loads(line) for line in result.output.splitlines()]
    assert [line["name"] for line in lines] == [
        "5,000 vertices, import and cook",
        "5,000 vertices, load",
        "5,000 vertices, find and load",
    ]

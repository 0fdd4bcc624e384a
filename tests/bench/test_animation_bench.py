"""The benchmark of animation is of what it says. Nothing here looks at how long it takes."""

from __future__ import annotations

import json

import numpy as np
from click.testing import CliRunner

from engine.anim.plan import Planner
from engine.cli.bench import bench
from tests.bench.animation import Crowd


def test_the_crowd_blends_four_clips_of_twenty_bones() -> None:
    crowd = Crowd(5, flagged=True)
    binding = crowd.instances.binding
    plan = Planner(crowd.tree, binding.poses_bones).plan(crowd.instances.store.weight[:, :5])
    assert (len(plan.leaves), len(plan.results), plan.steps) == (20, 5, ())
    before = crowd.show().copy()
    for _ in range(30):
        crowd.step()
    assert crowd.heard > 5
    assert np.abs(crowd.show() - before).max() > 0.01
    assert np.abs(crowd.instances.root_motion()[:, 0]).min() > 1.0


def test_a_fading_crowd_fades() -> None:
    crowd = Crowd(3)
    before = crowd.instances.store.weight[crowd.nodes, :3].copy()
    crowd.fade()
    assert (crowd.instances.store.weight[crowd.nodes, :3] > before).all()


def test_the_command_reports_animation() -> None:
    result = CliRunner().invoke(bench, ["animation", "--rounds", "1", "--json"], standalone_mode=False)
    lines = [json.loads(line) for line in result.output.splitlines()]
    assert {line["count"] for line in lines} == {200, 1000}
    assert all(line["part"] == "animation" and line["best"] <= line["median"] for line in lines)
    text = CliRunner().invoke(bench, ["animation", "--rounds", "1"], standalone_mode=False).output
    assert "200 entities, poses and palettes" in text
    assert "python" not in text

"""Sounds and props: made again they are the same bytes, and they keep to their limits."""

from __future__ import annotations

import wave
from dataclasses import replace

import numpy as np
import pytest

from assets.tools import make_props, make_sounds, synth
from assets.tools.make_sounds import RECIPES, file_names
from assets.tools.props.prop import UNDERSIDE, sky_seen
from assets.tools.shapes import finish
from engine.pipeline.sounds import find_files, read_aliases
from engine.world.surfaces import MATERIALS

SOUNDS = make_sounds.TARGET
NAMES = [name for maker, count in RECIPES for name in file_names(maker, count)]


def load(name: str) -> np.ndarray:
    with wave.open(str(SOUNDS / f"{name}.wav")) as file:
        assert (file.getnchannels(), file.getsampwidth(), file.getframerate()) == (1, 2, synth.RATE)
        return np.frombuffer(file.readframes(file.getnframes()), "<i2") / 32768


def test_the_folder_holds_what_the_script_makes() -> None:
    assert sorted(find_files(SOUNDS)) == sorted(NAMES)


@pytest.mark.parametrize("name", NAMES)
def test_a_sound_peaks_at_three_decibels_below_full_and_has_no_offset(name) -> None:
    signal = load(name)
    assert np.abs(signal).max() == pytest.approx(synth.PEAK, abs=0.001)
    assert abs(signal.mean()) < 0.005


@pytest.mark.parametrize("name", [name for name in NAMES if not name.endswith(("_wind", "_loop"))])
def test_a_sound_begins_and_ends_without_a_click(name) -> None:
    signal = load(name)
    assert max(abs(signal[0]), abs(signal[-1])) < 0.06


@pytest.mark.parametrize("name", ["ambience_wind", "fire_loop"])
def test_a_loop_joins_without_a_jump(name) -> None:
    signal = load(name)
    steps = np.abs(np.diff(signal))
    assert abs(signal[0] - signal[-1]) <= np.quantile(steps, 0.999)


@pytest.mark.parametrize("maker", [make_sounds.step_gravel, make_sounds.hit_marker])
def test_a_sound_made_again_is_the_same(maker, tmp_path) -> None:
    name = next(n for m, count in RECIPES if m is maker for n in file_names(m, count))
    synth.write(tmp_path / "again.wav", maker(synth.source(name)))
    assert (tmp_path / "again.wav").read_bytes() == (SOUNDS / f"{name}.wav").read_bytes()


def test_the_table_is_sound_and_every_file_is_used() -> None:
    aliases, faults = read_aliases(SOUNDS / "sounds.toml", find_files(SOUNDS))
    assert faults == []
    assert {path.stem for alias in aliases.values() for path in alias.files} == set(NAMES)


@pytest.mark.parametrize("material", MATERIALS)
def test_every_material_has_a_step_and_a_hit(material) -> None:
    aliases, _ = read_aliases(SOUNDS / "sounds.toml", find_files(SOUNDS))
    assert {f"step_{material}", f"hit_{material}"} <= set(aliases)


@pytest.mark.parametrize("name", ["barrel", "grass_tuft"])
def test_a_prop_made_again_is_the_same(name, tmp_path, monkeypatch) -> None:
    shipped = make_props.TARGET
    monkeypatch.setattr(make_props, "TARGET", tmp_path)
    triangles = make_props.make_prop(name)
    assert 50 <= triangles <= 1200
    assert (tmp_path / name / f"{name}.glb").read_bytes() == (shipped / name / f"{name}.glb").read_bytes()


def test_the_bottom_of_a_crate_is_not_dark_from_the_ground_it_stood_on() -> None:
    crate = make_props.MAKERS["crate_small"](np.random.default_rng(1))
    done = finish(crate.shapes)
    below = done.normals[:, 2] < UNDERSIDE
    assert below.any()
    on_the_ground = sky_seen(crate, done)[below]
    in_the_air = sky_seen(replace(crate, ground=None), done)[below]
    assert np.array_equal(on_the_ground, in_the_air)


def test_every_prop_is_shipped() -> None:
    for name in make_props.MAKERS:
        assert (make_props.TARGET / name / f"{name}.glb").is_file(), name
        assert (make_props.TARGET / name / f"{name}.toml").is_file(), name

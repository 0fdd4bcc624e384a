"""Sound on a device that nobody hears: files are read, loops begin, follow and end, and silence is explained."""

from __future__ import annotations

import os
import wave
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

import numpy as np
import pygame
import pytest

from engine.client.audio import Audio, Ear
from engine.client.preferences import Preferences
from engine.pipeline.sounds import SoundAlias
from engine.world.view import FrameView, SoundEvent
from tests.client.fake_session import FakeLibrary

EAR = Ear((0.0, 0.0, 0.0), 0.0)


@pytest.fixture
def audio(tmp_path: Path) -> Iterator[Audio]:
    files = []
    for number in range(3):
        path = tmp_path / f"tone{number}.wav"
        with wave.open(str(path), "wb") as file:
            file.setnchannels(1)
            file.setsampwidth(2)
            file.setframerate(22050)
            tone = np.sin(np.arange(4410) * 0.05 * (number + 1)) * 12000
            file.writeframes(tone.astype("<i2").tobytes())
        files.append(path)
    broken = tmp_path / "broken.wav"
    broken.write_bytes(b"RIFFnothing")
    library = FakeLibrary()
    library.aliases = {
        "tone": SoundAlias("tone", tuple(files), jitter=0.1),
        "hum": SoundAlias("hum", (files[0],), loop=True),
        "broken": SoundAlias("broken", (broken,)),
    }
    made = Audio(library, Preferences())
    assert made.on, made.problem
    yield made
    made.close()


def frame(*sounds: SoundEvent) -> FrameView:
    return FrameView(1, 50, {}, sounds=sounds)


def busy() -> int:
    return sum(pygame.mixer.Channel(i).get_busy() for i in range(pygame.mixer.get_num_channels()))


def test_a_sound_plays_once_and_far_ones_take_no_channel(audio: Audio):
    audio.see(
        frame(SoundEvent("tone", (100.0, 0.0, 0.0)), SoundEvent("tone", (90000.0, 0.0, 0.0))),
        EAR,
        lambda _: None,
        0,
    )
    assert busy() == 1


def test_sounds_of_other_players_are_not_heard(audio: Audio):
    audio.see(frame(SoundEvent("tone", player=4), SoundEvent("unheard_of")), EAR, lambda _: None, 0)
    assert busy() == 0


def test_the_same_file_never_comes_twice_running(audio: Audio):
    alias = audio._library.sound_alias("tone")
    assert alias is not None
    picked = []
    for _ in range(30):
        audio._pick(alias, 0)
        picked.append(audio._last["tone"])
    assert all(a != b for a, b in pairwise(picked))
    assert set(picked) == {0, 1, 2}


def test_a_loop_follows_its_entity_and_ends_with_it(audio: Audio):
    places = {7: (50.0, 0.0, 0.0)}
    audio.see(frame(SoundEvent("hum", entity=7, loop=True)), EAR, places.get, 0)
    audio.see(frame(SoundEvent("hum", entity=7, loop=True)), EAR, places.get, 0)
    assert len(audio._loops) == 1
    audio.step(EAR, places.get)
    assert audio._loops[7, "hum"].dull == 0
    places[7] = (1500.0, 0.0, 0.0)
    audio.step(EAR, places.get)
    assert audio._loops[7, "hum"].dull == 2
    del places[7]
    audio.step(EAR, places.get)
    assert not audio._loops


def test_a_loop_can_be_stopped(audio: Audio):
    audio.begin(SoundEvent("hum", loop=True), EAR)
    assert len(audio._loops) == 1
    audio.see(frame(SoundEvent("hum", stop=True)), EAR, lambda _: None, 0)
    assert not audio._loops


def test_a_file_that_is_no_sound_is_one_sentence(audio: Audio):
    audio.see(frame(SoundEvent("broken"), SoundEvent("broken")), EAR, lambda _: None, 0)
    assert audio.problem.startswith("broken.wav cannot be played")


def test_without_a_device_there_is_silence_and_one_reason(
    monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
):
    def refuse(*_: object) -> None:
        os.write(2, b"ALSA lib: cannot find card\n")
        raise pygame.error("no such device")

    monkeypatch.setattr(pygame.mixer, "init", refuse)
    audio = Audio(FakeLibrary(), Preferences())
    os.write(2, b"after\n")
    assert (audio.on, audio.problem) == (False, "no sound: no such device")
    assert capfd.readouterr().err == "after\n"
    audio.see(frame(SoundEvent("tone")), EAR, lambda _: None, 0)
    audio.step(EAR, lambda _: None)
    audio.close()

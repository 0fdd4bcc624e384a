"""How long sound files last, by their heads alone."""

from __future__ import annotations

import struct
import wave
from pathlib import Path
from random import Random

import pytest

from engine.pipeline.sound_length import seconds_of


def test_wav(tmp_path: Path) -> None:
    path = tmp_path / "a.wav"
    with wave.open(str(path), "wb") as out:
        out.setnchannels(2)
        out.setsampwidth(2)
        out.setframerate(22050)
        out.writeframes(b"\0" * 4 * 11025)
    assert seconds_of(path) == pytest.approx(0.5)


def page(position: int, content: bytes) -> bytes:
    return b"OggS\0\0" + struct.pack("<q", position) + bytes(12) + bytes((1, len(content) % 255)) + content


def test_ogg_vorbis_and_opus(tmp_path: Path) -> None:
    path = tmp_path / "a.ogg"
    head = b"\x01vorbis" + bytes(4) + b"\x01" + struct.pack("<I", 44100) + bytes(14)
    path.write_bytes(page(0, head) + page(44100 * 3, bytes(200)))
    assert seconds_of(path) == pytest.approx(3.0)
    head = b"OpusHead\x01\x02" + struct.pack("<H", 312) + struct.pack("<I", 44100) + bytes(3)
    path.write_bytes(page(0, head) + page(48000 * 2 + 312, bytes(100)))
    assert seconds_of(path) == pytest.approx(2.0)


def test_flac(tmp_path: Path) -> None:
    path = tmp_path / "a.flac"
    packed = (48000 << 44) | (1 << 41) | (15 << 36) | (48000 * 7)
    path.write_bytes(b"fLaC" + bytes((0, 0, 0, 34)) + bytes(10) + packed.to_bytes(8, "big") + bytes(16))
    assert seconds_of(path) == pytest.approx(7.0)


def test_mp3_of_one_bit_rate(tmp_path: Path) -> None:
    path = tmp_path / "a.mp3"
    tag = b"ID3\x04\0\0" + bytes((0, 0, 0, 100)) + bytes(100)
    path.write_bytes(tag + bytes((0xFF, 0xFB, 0x90, 0)) + bytes(16000 - 4))
    assert seconds_of(path) == pytest.approx(1.0)


@pytest.mark.parametrize(
    "content", [b"", b"RIFF", b"RIFF\0\0\0\0WAVEfmt ", b"OggS", b"fLaC", b"x" * 5000, b"ID3"]
)
def test_what_does_not_say(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "a"
    path.write_bytes(content)
    assert seconds_of(path) is None
    assert seconds_of(tmp_path / "missing") is None


def test_rubbish_is_no_fault(tmp_path: Path) -> None:
    random = Random(1)
    path = tmp_path / "a"
    for start in (b"RIFF....WAVE", b"OggS", b"fLaC", b"ID3", b"\xff\xfb", b""):
        for _ in range(40):
            path.write_bytes(start + random.randbytes(random.randrange(600)))
            found = seconds_of(path)
            assert found is None or found >= 0

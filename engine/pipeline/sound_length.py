"""How long a sound file lasts, from its head alone; nothing is decoded.

WAV and FLAC say it exactly, Ogg by the position of its last page. An MP3 is taken to have one bit rate throughout.
"""

from __future__ import annotations

import struct
from pathlib import Path

from engine.pipeline.files import open_file

_TAIL = 1 << 16
"""Bytes at the end of an Ogg file in which its last page begins: pages are at most 65,307 long."""

_MP3_RATES = (0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320, 0)
"""Kilobits a second of MPEG 1 layer 3 by the index in a frame's head."""


def seconds_of(path: Path) -> float | None:
    """The length in seconds, None for a file that cannot be read or does not say."""
    try:
        with open_file(path) as file:
            head = file.read(1 << 12)
            size = file.seek(0, 2)
            file.seek(max(0, size - _TAIL))
            tail = file.read()
    except OSError:
        return None
    try:
        return _seconds(head, tail, size)
    except struct.error:
        return None


def _seconds(head: bytes, tail: bytes, size: int) -> float | None:
    if head[:4] == b"RIFF" and head[8:12] == b"WAVE":
        return _wav(head, size)
    if head[:4] == b"OggS":
        return _ogg(head, tail)
    if head[:4] == b"fLaC":
        packed = int.from_bytes(head[18:26], "big")
        rate, samples = packed >> 44, packed & 0xFFFFFFFFF
        return samples / rate if rate else None
    return _mp3(head, size)


def _wav(head: bytes, size: int) -> float | None:
    at, bytes_a_second = 12, 0
    while at + 8 <= len(head):
        kind, length = head[at : at + 4], struct.unpack_from("<I", head, at + 4)[0]
        if kind == b"fmt ":
            bytes_a_second = struct.unpack_from("<I", head, at + 16)[0]
        elif kind == b"data":
            # A recorder that was cut off leaves 0 or all ones for the length.
            return min(length or size, size - at - 8) / bytes_a_second if bytes_a_second else None
        at += 8 + length + length % 2
    return None


def _ogg(head: bytes, tail: bytes) -> float | None:
    vorbis, opus, page = head.find(b"\x01vorbis"), head.find(b"OpusHead"), tail.rfind(b"OggS")
    if page < 0:
        return None
    position: int = struct.unpack_from("<q", tail, page + 6)[0]
    if opus >= 0:
        skipped: int = struct.unpack_from("<H", head, opus + 10)[0]
        return max(0.0, (position - skipped) / 48000.0)
    rate: int = struct.unpack_from("<I", head, vorbis + 12)[0] if vorbis >= 0 else 0
    return position / rate if rate and position >= 0 else None


def _mp3(head: bytes, size: int) -> float | None:
    begin = 0
    if head[:3] == b"ID3" and len(head) >= 10:
        begin = 10 + sum(
            (byte & 0x7F) << shift for byte, shift in zip(head[6:10], (21, 14, 7, 0), strict=True)
        )
    at = begin if begin < len(head) - 4 else 0
    while at < len(head) - 4 and not (head[at] == 0xFF and head[at + 1] & 0xFE == 0xFA):
        at += 1
    if at >= len(head) - 4:
        return None
    rate = _MP3_RATES[head[at + 2] >> 4]
    return (size - begin) * 8 / (rate * 1000.0) if rate else None

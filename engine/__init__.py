"""Notetrack: a small game engine whose entities are programmed in GSC.

Rooms, lowest first: `source` (text and diagnostics), `gsc` (compiler front and back end), `vm` (what runs
the compiled code), `anim` and `pipeline` (trees, clips, import), `world` (the simulation), `natives` (what
scripts may call), `mods` (search order and live reload), `client` (the window) and `cli` (the commands).
`docs/architecture.md` draws the borders.
"""

__version__ = "0.1.0"

"""Makes the pictures of the pages with the game's own commands: `python docs/make_pictures.py [NAME ...]`.

Each is the same for the same sources. They are reduced to 256 colours, which nobody can tell at this size and which
halves the files; that needs Pillow, which the tests have too.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
from pathlib import Path

from PIL import Image

FOLDER = Path(__file__).parent / "pictures"
WIDTH = 1280

PLAY = ("play", "--headless", "--no-watch", "--size", "1280x720")
COMMANDS = {
    "yard": (*PLAY, "--seconds", "24.05", "--screenshot"),
    "soldiers": (*PLAY, "--seconds", "11.55", "--seed", "2", "--look", "close", "--screenshot"),
    "fight": (*PLAY, "--seconds", "7.55", "--seed", "2", "--screenshot"),
    "window": (
        "preview", "soldier", "--clip", "soldier_walk", "--type", "setanimknoball run soldier 1 1", "--seconds", "0.5",
        "--screenshot",
    ),
    "preview": (
        "preview", "soldier", "--clip", "run", "--clip", "throw", "--clip", "jump", "--clip", "death_gut", "--export",
    ),
    "unit": ("preview", "strider", "--call", "StartMoving", "--ticks", "42", "--poses", "8", "--export"),
}  # fmt: skip


def make(name: str) -> Path:
    """Runs one command and writes its picture, 1280 pixels wide; ends the program where the command fails."""
    target = FOLDER / f"{name}.png"
    with tempfile.TemporaryDirectory() as folder:
        raw = Path(folder) / "raw.png"
        subprocess.run([sys.executable, "-m", "engine", *COMMANDS[name], str(raw)], check=True)
        with Image.open(raw) as picture:
            small = picture.convert("RGB")
    if small.width != WIDTH:
        small = small.resize((WIDTH, round(small.height * WIDTH / small.width)), Image.Resampling.LANCZOS)
    FOLDER.mkdir(exist_ok=True)
    small.quantize(256, kmeans=3, dither=Image.Dither.FLOYDSTEINBERG).save(target, optimize=True)
    return target


if __name__ == "__main__":
    unknown = [name for name in sys.argv[1:] if name not in COMMANDS]
    if unknown:
        sys.exit(f"there is no picture {unknown[0]}; there are {', '.join(COMMANDS)}")
    for wanted in sys.argv[1:] or COMMANDS:
        made = make(wanted)
        print(f"{made}: {made.stat().st_size // 1000} kB")

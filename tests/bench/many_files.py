"""A generated program of many files, for measuring how long linking takes.

    python tests/bench/many_files.py FOLDER FILES

Every file has some 300 lines of ordinary script and refers to three others; `main.gsc` refers to all.
"""

from __future__ import annotations

import sys
from pathlib import Path

FUNCTIONS = 10


def function(file: int, number: int, files: int) -> str:
    other = (file * 7 + number * 13 + 1) % files
    return f"""
// Watches over post {number} of sector {file}.
guard_{number}(start, limit)
{{
    self endon("death");
    self.post = {number};
    self.heat = 0.5 * {number};
    place = (start, {number}, 64.0);
    list = [];
    for (i = 0; i < limit; i++)
    {{
        if (!isdefined(list[i]))
            list[i] = "post " + i;
        else if (list[i] == "post {file}" && i > 2)
            continue;
        self.heat = self.heat + 0.25 * i;
        switch (i % 3)
        {{
            case 0:
                place = place + (0, 0, i);
                break;
            case 1:
                self notify("shift", i, place);
            default:
                level.count_{number} = i;
        }}
    }}
    if (self.heat > 20.0 || limit == 7)
        wait 0.05;
    return list.size + sectors\\s{other}::guard_{(number + 1) % FUNCTIONS}(start, limit - 1);
}}
"""


def text(file: int, files: int) -> str:
    return f"// Sector {file}.\n" + "".join(function(file, n, files) for n in range(FUNCTIONS))


def write(folder: Path, files: int) -> int:
    """Write the program; the number of its lines."""
    sectors = folder / "sectors"
    sectors.mkdir(parents=True, exist_ok=True)
    lines = 0
    for file in range(files):
        source = text(file, files)
        lines += source.count("\n")
        (sectors / f"s{file}.gsc").write_text(source)
    calls = "".join(f"    sectors\\s{n}::guard_0(1, 2);\n" for n in range(files))
    (folder / "main.gsc").write_text("main()\n{\n" + calls + "}\n")
    return lines + files + 3


if __name__ == "__main__":
    print(write(Path(sys.argv[1]), int(sys.argv[2])), "lines")

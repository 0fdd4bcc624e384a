"""The command line: one module a command, each imported when it is used."""

from __future__ import annotations

import importlib
import os
import sys

import click

from engine.cli.output import give_up_output, guard_output, open_closed_output

COMMANDS = {
    "bench": "engine.cli.bench",
    "bos": "engine.cli.bos",
    "check": "engine.cli.check",
    "cob": "engine.cli.cob",
    "cook": "engine.cli.cook",
    "play": "engine.cli.play",
    "preview": "engine.cli.preview",
    "replay": "engine.cli.replay",
    "run": "engine.cli.run",
}
"""Command name to the module that has a click command of that name."""


class LazyGroup(click.Group):
    """Imports the module of a command when that command is asked for."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return sorted(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in COMMANDS:
            return None
        module = importlib.import_module(COMMANDS[cmd_name])
        command: click.Command = getattr(module, cmd_name)
        return command


@click.group(cls=LazyGroup, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="notetrack", prog_name="notetrack")
def cli() -> None:
    """Notetrack, a small game engine whose entities are programmed in GSC."""


def main() -> None:
    """Entry point of `notetrack` and of `python -m engine`."""
    # The output is ours: pygame greets on it otherwise, in the middle of JSON too.
    os.environ.setdefault("PYGAME_HIDE_SUPPORT_PROMPT", "1")
    open_closed_output()
    guard_output()
    try:
        try:
            sys.exit(cli.main(standalone_mode=False))
        finally:
            sys.stdout.flush()  # here, and not when Python ends, what cannot be written can be told
    except BrokenPipeError:
        give_up_output()
    except click.ClickException as error:
        error.show()
        sys.exit(2)
    except click.Abort:
        sys.exit(130)

"""Options that belong to one kind of file, refused with another: nothing that was asked for is left out silently."""

from __future__ import annotations

from collections.abc import Iterable

import click
from click.core import ParameterSource

from engine.cli.output import fail


def refuse_options(context: click.Context, names: Iterable[str], why: str) -> None:
    """End the command where one of these parameters was given; `why` completes the sentence `--x ...`."""
    refused = set(names)
    for parameter in context.command.get_params(context):
        name = parameter.name or ""
        if name in refused and context.get_parameter_source(name) is not ParameterSource.DEFAULT:
            fail(f"{'/'.join(parameter.opts)} {why}")

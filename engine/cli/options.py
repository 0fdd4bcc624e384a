"""Options that belong to one kind of file, refused with another: nothing that was asked for is left out silently."""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Any

import click
from click.core import ParameterSource

from engine.cli.output import fail


class Seconds(click.FloatRange):
    """A stretch of time in a range. `nan` is in none, whatever comparisons say."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        found = super().convert(value, param, ctx)
        if math.isnan(found):
            self.fail(f"{value} is no time.", param, ctx)
        return found


def given_options(context: click.Context, names: Iterable[str]) -> list[str]:
    """Those of these parameters that were given, as they are written."""
    wanted = set(names)
    return [
        "/".join(parameter.opts)
        for parameter in context.command.get_params(context)
        if (parameter.name or "") in wanted
        and context.get_parameter_source(parameter.name or "") is not ParameterSource.DEFAULT
    ]


def refuse_options(context: click.Context, names: Iterable[str], why: str) -> None:
    """End the command where one of these parameters was given; `why` completes the sentence `--x ...`."""
    for option in given_options(context, names):
        fail(f"{option} {why}")

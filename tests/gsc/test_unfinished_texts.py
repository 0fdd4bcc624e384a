"""A text may end anywhere: what is missing is a fault with a place, in every dialect and after every word."""

from __future__ import annotations

import pytest

from engine.gsc.dialect import DIALECTS, Dialect
from engine.gsc.parser import parse
from engine.source import SourceText

_WORDS = """
a b call childthread thread foreach in waittill waittillmatch notify endon wait waittillframeend for while if else
do switch case default break continue return const true false undefined self level anim game include animtree
isdefined size prof_begin breakpoint
"""
_MARKS = r"""
. , ; : :: ( ) [ [[ ] ]] { } + ++ += - -- -= * *= / /= % = == ! != < << <= > >> >= & && | || ^ ~ # #/ /# /* //
% & &" " ' \ ? -> 1 1. .5 1e 0x @ $ `
"""
TOKENS = [*_WORDS.split(), *_MARKS.split()]
BEGINNINGS = (
    "",
    "main() { ",
    "main() { x = ",
    "main() { a.b[",
    "main() { f(",
    "main() { self ",
    "main() { [[ f ]]",
    "#include ",
)


@pytest.mark.parametrize("dialect", DIALECTS.values(), ids=lambda dialect: dialect.name)
def test_a_text_that_ends_after_two_tokens(dialect: Dialect) -> None:
    for beginning in BEGINNINGS:
        for first in ("", *TOKENS):
            for last in TOKENS:
                text = f"{beginning}{first} {last}"
                for fault in parse("main", SourceText("main.gsc", text), dialect).diagnostics:
                    assert fault.span is not None, text
                    assert 0 <= fault.span.start <= fault.span.end <= len(text), text

"""What a refused animation command raises; natives turn it into a script's run-time error."""

from __future__ import annotations


class AnimationError(Exception):
    """A command that the rules refuse. The text is one line, made for the author of the script."""

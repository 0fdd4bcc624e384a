"""`notetrack preview`: a model and its animation tree to look at, without a game around them."""

import os

os.environ.setdefault("PYGAME_HIDE_SUPPORT_PROMPT", "1")  # standard output is the user's

"""The parts of the level `yard`, one module a place; `assets.tools.make_yard` puts them together."""

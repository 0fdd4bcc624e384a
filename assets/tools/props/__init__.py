"""The props of the level, one module a craft; `assets.tools.make_props` writes them."""

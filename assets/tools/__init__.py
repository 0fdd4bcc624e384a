"""Scripts that make the shipped assets.

Each can be run again as `python -m assets.tools.NAME` and writes the same bytes.
"""

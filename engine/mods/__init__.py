"""Mod folders, their search order, file watching and the reload transaction."""

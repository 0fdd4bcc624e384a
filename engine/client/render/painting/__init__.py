"""Painters of surfaces, by the stuff they paint."""

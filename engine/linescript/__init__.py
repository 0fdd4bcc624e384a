"""The line-oriented language: behaviours in ten lines, a statement a line (docs/line-scripts.md)."""

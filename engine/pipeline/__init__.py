"""From source models to cooked, memory-mapped assets."""

"""The pygame window: input, rendering, sound, HUD, console, preview."""

"""The simulation: entities, levels, collision, movers, players; 20 frames a second."""

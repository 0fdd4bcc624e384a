"""BOS and COB: the unit script compiler, its files, and the machine that moves the pieces of a model."""

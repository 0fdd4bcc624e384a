"""`notetrack preview`: a model and its animation tree to look at, without a game around them."""

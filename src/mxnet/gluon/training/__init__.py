"""How a trainer and a whole training step work."""

"""Layers that the original's oneDNN backends fuse: a layer and what follows it, as one node."""

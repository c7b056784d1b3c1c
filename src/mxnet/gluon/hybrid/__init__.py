"""Hybrid blocks: how a block becomes a graph, and how the graph is run in its place."""

"""Nodes and graphs: what networks are written down as."""

"""Passes over lowered graphs, by the table in `table.py`."""

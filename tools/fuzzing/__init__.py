"""Hostile files by the grammar of their format, and what a victim does with them."""

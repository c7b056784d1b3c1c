"""Parameters: single ones, dictionaries of them, and those of a tree of blocks."""

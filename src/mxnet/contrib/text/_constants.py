"""Numbers of tokens, under the original's name of the module."""

UNKNOWN_IDX = 0
"""Number of the token that stands for all unknown ones."""

"""What texts are marked with, under the original's name of the module."""

EOS_TOKEN = "<eos>"
"""Marks the end of a line."""

"""Errors that appear when a result is read."""

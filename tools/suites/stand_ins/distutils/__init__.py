"""Stands for what tests use of `distutils`, which Python 3.12 no longer has."""

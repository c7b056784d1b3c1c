"""Operators that draw random numbers, and densities of distributions."""

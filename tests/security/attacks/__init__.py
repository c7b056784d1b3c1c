"""Hostile inputs, a module for each family; see `tests.security.attack`."""

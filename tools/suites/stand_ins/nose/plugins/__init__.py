"""Plugins that tests import from."""

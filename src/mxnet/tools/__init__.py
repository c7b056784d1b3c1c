"""Commands for preparing data."""

"""Runs test suites of other projects against this package, and reports what they say."""

"""Operators of detectors of objects."""

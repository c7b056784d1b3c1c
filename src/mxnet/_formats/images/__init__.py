"""Walks through the structure of image files, format by format, before a decoder sees them."""

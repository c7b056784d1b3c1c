"""Operators on images: crops and flips, colours, resizing."""

"""Operators on arrays of any shape: elements, products, reductions, order, movement."""

"""Parameter files of every generation, to and from NumPy arrays."""

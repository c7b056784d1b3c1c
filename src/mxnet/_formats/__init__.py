"""File formats, on NumPy arrays and bytes: they know neither arrays nor graphs."""

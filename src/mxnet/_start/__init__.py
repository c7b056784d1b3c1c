"""What runs before the rest of the package is imported, and how the package is imported."""

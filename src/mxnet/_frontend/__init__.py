"""The two dialects side by side, and programs on arrays as graphs."""

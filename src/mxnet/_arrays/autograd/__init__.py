"""Recording and differentiation."""

"""Operators that update parameters, and the rules that they share with the optimizers."""

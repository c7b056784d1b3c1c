"""Graphs as calls of kernels on tensors, and the code of these."""

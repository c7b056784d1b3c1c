"""Apache MXNet's interface on today's Python, NumPy and GPUs, with PyTorch as the engine."""

"""What an operator is: its declaration and registry, its attributes, and how kernels are called."""

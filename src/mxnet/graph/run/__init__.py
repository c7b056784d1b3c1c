"""Programs: graphs that run on tensors, one plan for each setting."""

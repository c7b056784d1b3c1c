"""Arrays of both dialects: storage, calls of operators, recording and gradients."""

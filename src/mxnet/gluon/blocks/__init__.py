"""`Block`: names, files, summaries, and where in a network an error came up."""

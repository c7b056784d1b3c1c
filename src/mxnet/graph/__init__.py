"""Graphs of operators: nodes, files, inference and lowering. Knows neither arrays nor symbols."""

"""Names and rules that only MXNet 2 has: cases that run under its 2.0.0b1 and here."""

FAMILIES = ("functions", "metrics", "precision", "rules")

"""Rules that declarations of operators choose among, by the reader of the facts."""

"""Gluon on arrays of `mx.np`: cases that run under the original and here."""

FAMILIES = ("layers", "recurrent", "losses", "measuring", "training", "loading", "files")

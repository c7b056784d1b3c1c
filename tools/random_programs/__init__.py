"""Makes random programs, runs them under two packages and finds where the results differ.

A program is plain data: inputs (shape, dtype and how their elements are drawn) and steps (an
operator, the names of the arrays that it gets, its attributes). `generate` makes programs from a
seed, `modes` runs one in several ways, `farm` runs many in processes that may crash, `compare` and
`search` say what differs and in which step, `known` lists what is meant to differ.
"""

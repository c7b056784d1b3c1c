"""The sample table: for every operator the calls on which it is tested.

This package is plain data on NumPy alone, because two programs read it: the tests, and
`tests/golden/make_ops.py`, which runs the same calls under the original to write golden files.
"""

"""Operators of the NumPy dialect: `_np_*`, `_npi_*` and `_npx_*`."""

"""Names of functions of the NumPy dialect that the original leaves to NumPy."""

NUMPY_SINGLES = """
    np.nanmax np.nanmin np.nanmedian np.ptp np.count_nonzero np.flatnonzero np.signbit np.positive
    np.argwhere np.nanargmax np.nanprod np.cov np.unwrap np.i0 np.msort np.trapz
"""
"""Those of one array."""
NUMPY_PAIRS = """
    np.heaviside np.float_power np.isclose np.allclose np.array_equal np.in1d np.isin np.union1d
    np.setdiff1d np.intersect1d
"""
"""Those of two arrays."""

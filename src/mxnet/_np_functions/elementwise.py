"""Functions that act on each element: tables of one and of two operands."""

from __future__ import annotations

from mxnet._np_functions.table import add_binary, add_unary
from mxnet.ops.core.spellings import NUMPY

_UNARY: tuple[tuple[str, str, tuple[str, ...]], ...] = (
    ("_npi_absolute", "Returns the absolute value of each element.", ("absolute", "abs", "fabs")),
    ("_npi_arccos", "Returns the inverse cosine of each element.", ("arccos",)),
    ("_npi_arccosh", "Returns the inverse hyperbolic cosine of each element.", ("arccosh",)),
    ("_npi_arcsin", "Returns the inverse sine of each element.", ("arcsin",)),
    ("_npi_arcsinh", "Returns the inverse hyperbolic sine of each element.", ("arcsinh",)),
    ("_npi_arctan", "Returns the inverse tangent of each element.", ("arctan",)),
    ("_npi_arctanh", "Returns the inverse hyperbolic tangent of each element.", ("arctanh",)),
    ("_npi_bitwise_not", "Inverts the bits of each integer.", ("bitwise_not", "invert")),
    ("_npi_cbrt", "Returns the cube root of each element.", ("cbrt",)),
    ("_npi_ceil", "Rounds each element up to an integer.", ("ceil",)),
    ("_npi_cos", "Returns the cosine of each element.", ("cos",)),
    ("_npi_cosh", "Returns the hyperbolic cosine of each element.", ("cosh",)),
    ("_npi_degrees", "Converts angles from radians to degrees.", ("degrees", "rad2deg")),
    ("_npi_exp", "Returns `e**x` of each element.", ("exp",)),
    ("_npi_expm1", "Returns `e**x - 1` of each element.", ("expm1",)),
    ("_npi_fix", "Rounds each element to an integer towards zero.", ("fix",)),
    ("_npi_floor", "Rounds each element down to an integer.", ("floor",)),
    ("_npi_isfinite", "Tests whether an element is neither infinite nor nan.", ("isfinite",)),
    ("_npi_isinf", "Tests whether an element is infinite.", ("isinf",)),
    ("_npi_isnan", "Tests whether an element is nan.", ("isnan",)),
    ("_npi_isneginf", "Tests whether an element is negative infinity.", ("isneginf",)),
    ("_npi_isposinf", "Tests whether an element is positive infinity.", ("isposinf",)),
    ("_npi_log", "Returns the natural logarithm of each element.", ("log",)),
    ("_npi_log10", "Returns the logarithm to base 10 of each element.", ("log10",)),
    ("_npi_log1p", "Returns `log(1 + x)` of each element.", ("log1p",)),
    ("_npi_log2", "Returns the logarithm to base 2 of each element.", ("log2",)),
    ("_npi_logical_not", "Tests whether an element is zero.", ("logical_not",)),
    ("_npi_negative", "Returns the negative of each element.", ("negative",)),
    ("_npi_radians", "Converts angles from degrees to radians.", ("radians", "deg2rad")),
    ("_npi_reciprocal", "Returns `1 / x` of each element.", ("reciprocal",)),
    ("_npi_rint", "Rounds each element to the nearest integer.", ("rint",)),
    ("_npi_sign", "Returns the sign of each element: -1, 0 or 1.", ("sign",)),
    ("_npi_sin", "Returns the sine of each element.", ("sin",)),
    ("_npi_sinh", "Returns the hyperbolic sine of each element.", ("sinh",)),
    ("_npi_sqrt", "Returns the square root of each element.", ("sqrt",)),
    ("_npi_square", "Returns the square of each element.", ("square",)),
    ("_npi_tan", "Returns the tangent of each element.", ("tan",)),
    ("_npi_tanh", "Returns the hyperbolic tangent of each element.", ("tanh",)),
    ("_npi_trunc", "Drops the fraction of each element.", ("trunc",)),
)

for _operator, _summary, _names in _UNARY:
    add_unary(_operator, _summary, _names)
for _binary in NUMPY.binary:
    add_binary(_binary)

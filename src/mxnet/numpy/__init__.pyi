"""Written by `make stubs`; do not edit."""

from builtins import bool as bool
from collections.abc import Sequence
from mxnet.numpy import fallback as fallback
from mxnet.numpy import fallback_linalg as fallback_linalg
from mxnet.numpy import function_base as function_base
from mxnet.numpy import io as io
from mxnet.numpy import linalg as linalg
from mxnet.numpy import multiarray as multiarray
from mxnet.numpy import random as random
from mxnet.numpy import set_functions as set_functions
from mxnet.numpy import stride_tricks as stride_tricks
from mxnet.numpy import type_functions as type_functions
from mxnet.numpy._ndarray import array as array
from mxnet.numpy._ndarray import ndarray as ndarray
from mxnet.numpy._ndarray import set_printoptions as set_printoptions
from mxnet.numpy.fallback import genfromtxt as genfromtxt
from numpy import bool_ as bool_
from numpy import finfo as finfo
from numpy import float16 as float16
from numpy import float32 as float32
from numpy import float64 as float64
from numpy import int32 as int32
from numpy import int64 as int64
from numpy import int8 as int8
from numpy import uint8 as uint8
from typing import Any, Literal, overload
import numpy
import os

NAN: float

NINF: float

NZERO: float

NaN: float

PINF: float

PZERO: float

def abs(x: Any, out: Any = None, **kwargs: Any) -> ndarray:
    """Returns the absolute value of each element."""

def absolute(x: Any, out: Any = None, **kwargs: Any) -> ndarray:
    """Returns the absolute value of each element."""

def add(x1: Any, x2: Any, out: Any = None, **kwargs: Any) -> ndarray:
    """Returns the sum `x1 + x2`."""

def all(a: Any, axis: Any = None, keepdims: bool = False, out: Any = None) -> ndarray:
    """Tests whether all elements over axes are other than zero."""

def allclose(
    a: Any,
    b: Any,
    rtol: float = 1e-05,
    atol: float = 1e-08,
    equal_nan: bool = False,
) -> bool:
    """Returns whether all elements of two arrays are close to each other, as `isclose` tests."""

def alltrue(a: Any, axis: Any = None, out: Any = None, keepdims: bool = False) -> ndarray:
    """Tests whether all elements are not zero, along axes; another name of `all`."""

def amax(a: Any, axis: Any = None, keepdims: bool = False, out: Any = None) -> ndarray:
    """Returns the largest element over axes; nan is larger than all numbers."""

def amin(a: Any, axis: Any = None, keepdims: bool = False, out: Any = None) -> ndarray:
    """Returns the smallest element over axes; nan is smaller than all numbers."""

def any(a: Any, axis: Any = None, keepdims: bool = False, out: Any = None) -> ndarray:
    """Tests whether an element over axes is other than zero."""

def append(arr: Any, values: Any, axis: int | None = None) -> ndarray:
    """Joins two arrays."""

def apply_along_axis(func1d: Any, axis: int, arr: Any, *args: Any, **kwargs: Any) -> ndarray:
    """Calls a function with each vector along an axis and joins the results."""

def apply_over_axes(func: Any, a: Any, axes: Any) -> ndarray:
    """Applies a function `func(a, axis)` for one axis after the other."""

def arange(
    start: Any,
    stop: Any = None,
    step: Any = 1,
    dtype: Any = None,
    ctx: Any = None,
) -> ndarray:
    """Makes evenly spaced values in `[start, stop)`."""

def arccos(x: Any, out: Any = None, **kwargs: Any) -> ndarray:
    """Returns the inverse cosine of each element."""

def arccosh(x: Any, out: Any = None, **kwargs: Any) -> ndarray:
    """Returns the inverse hyperbolic cosine of each element."""

def arcsin(x: Any, out: Any = None, **kwargs: Any) -> ndarray:
    """Returns the inverse sine of each element."""

def arcsinh(x: Any, out: Any = None, **kwargs: Any) -> ndarray:
    """Returns the inverse hyperbolic sine of each element."""

def arctan(x: Any, out: Any = None, **kwargs: Any) -> ndarray:
    """Returns the inverse tangent of each element."""

def arctan2(x1: Any, x2: Any, out: Any = None, **kwargs: Any) -> ndarray:
    """Returns the angle of the point `(x2, x1)` to the first axis."""

def arctanh(x: Any, out: Any = None, **kwargs: Any) -> ndarray:
    """Returns the inverse hyperbolic tangent of each element."""

def argmax(a: Any, axis: Any = None, out: Any = None, keepdims: bool = False) -> ndarray:
    """Returns the positions of the largest elements along an axis, as int64."""

def argmin(a: Any, axis: Any = None, out: Any = None, keepdims: bool = False) -> ndarray:
    """Returns the positions of the smallest elements along an axis, as int64."""

def argpartition(
    a: Any,
    kth: Any,
    axis: int | None = -1,
    kind: str = 'introselect',
    order: Any = None,
) -> ndarray:
    """Returns the indices that partition an array around its `kth` element, as `partition` does."""

def argsort(
    a: Any,
    axis: int | None = -1,
    kind: Any = None,
    order: Any = None,
    descending: bool = False,
    stable: bool = True,
) -> ndarray:
    """Returns the indices that sort along an axis, as int64."""

def argwhere(a: Any) -> ndarray:
    """Returns the coordinates of the elements that are not zero, one element in a row."""

def around(x: Any, decimals: int = 0, out: Any = None, **kwargs: Any) -> ndarray:
    """Rounds each element to a number of decimals, halves to the even neighbour."""

def array_equal(a1: Any, a2: Any, equal_nan: bool = False) -> bool:
    """Returns whether two arrays have the same shape and equal elements."""

def array_equiv(a1: Any, a2: Any) -> bool:
    """Returns whether two arrays broadcast to the same shape and are equal then."""

def array_split(ary: Any, indices_or_sections: Any, axis: int = 0) -> list[ndarray]:
    """Splits an array along an axis into parts that may differ in size by one."""

@overload
def atleast_1d(a: Any, /) -> ndarray:
    """Returns arrays of one or more axes; a scalar becomes a vector of one element."""

@overload
def atleast_1d(*arys: Any) -> list[ndarray]:
    """Returns arrays of one or more axes; a scalar becomes a vector of one element."""

@overload
def atleast_2d(a: Any, /) -> ndarray:
    """Returns arrays of two or more axes, with axes of size one in front."""

@overload
def atleast_2d(*arys: Any) -> list[ndarray]:
    """Returns arrays of two or more axes, with axes of size one in front."""

@overload
def atleast_3d(a: Any, /) -> ndarray:
    """Returns arrays of three or more axes; a vector `(n,)` becomes `(1, n, 1)`."""

@overload
def atleast_3d(*arys: Any) -> list[ndarray]:
    """Returns arrays of three or more axes; a vector `(n,)` becomes `(1, n, 1)`."""

@overload
def average(
    a: Any,
    axis: Any = None,
    weights: Any = None,
    returned: Literal[False] = False,
    out: Any = None,
) -> ndarray:
    """Returns the mean of elements over axes, each with its weight."""

@overload
def average(
    a: Any,
    axis: Any = None,
    weights: Any = None,
    returned: bool = False,
    out: Any = None,
) -> Any:
    """Returns the mean of elements over axes, each with its weight."""

def bincount(x: Any, weights: Any = None, minlength: int = 0) -> ndarray:
    """Counts how often each number occurs."""

def bitwise_and(x1: Any, x2: Any, out: Any = None, **kwargs: Any) -> ndarray:
    """Returns the bits that both integers have."""

def bitwise_not(x: Any, out: Any = None, **kwargs: Any) -> ndarray:
    """Inverts the bits of each integer."""

def bitwise_or(x1: Any, x2: Any, out: Any = None, **kwargs: Any) -> ndarray:
    """Returns the bits that one of the integers has."""

def bitwise_xor(x1: Any, x2: Any, out: Any = None, **kwargs: Any) -> ndarray:
    """Returns the bits that just one of the integers has."""

def blackman(M: int, dtype: Any = ..., ctx: Any = None) -> ndarray:
    """Makes a Blackman window."""

def broadcast_arrays(*args: Any) -> list[ndarray]:
    """Returns arrays as they are when they broadcast with each other."""

def broadcast_to(array: Any, shape: Any) -> ndarray:
    """Repeats an array along new axes in front and along its axes of size one."""

def cbrt(x: Any, out: Any = None, **kwargs: Any) -> ndarray:
    """Returns the cube root of each element."""

def ceil(x: Any, out: Any = None, **kwargs: Any) -> ndarray:
    """Rounds each element up to an integer."""

def choose(a: Any, choices: Any, out: Any = None, mode: str = 'raise') -> ndarray:
    """Takes each element from one of several arrays, whose number stands in `a`."""

def clip(a: Any, a_min: Any, a_max: Any, out: Any = None) -> ndarray:
    """Limits each element to an interval."""

def column_stack(tup: Sequence[Any]) -> ndarray:
    """Joins arrays along the second axis, vectors as columns."""

def compress(condition: Any, a: Any, axis: int | None = None, out: Any = None) -> ndarray:
    """Keeps the slices along an axis for which a condition holds."""

def concatenate(seq: Sequence[Any], axis: int | None = 0, out: Any = None) -> ndarray:
    """Joins arrays along an axis that they have."""

def copy(a: Any, out: Any = None) -> ndarray:
    """Returns a copy."""

def copysign(x1: Any, x2: Any, out: Any = None, **kwargs: Any) -> ndarray:
    """Returns `x1` with the sign of `x2`."""

def corrcoef(x: Any, y: Any = None, rowvar: bool = True) -> ndarray:
    """Returns how strongly variables depend on each other linearly, from -1 to 1."""

def correlate(a: Any, v: Any, mode: str = 'valid') -> ndarray:
    """Returns the sums of products of two vectors, of which one is shifted along the other."""

def cos(x: Any, out: Any = None, **kwargs: Any) -> ndarray:
    """Returns the cosine of each element."""

def cosh(x: Any, out: Any = None, **kwargs: Any) -> ndarray:
    """Returns the hyperbolic cosine of each element."""

def count_nonzero(a: Any, axis: Any = None, *, keepdims: bool = False) -> ndarray:
    """Counts the elements that are not zero, along axes."""

def cov(
    m: Any,
    y: Any = None,
    rowvar: bool = True,
    bias: bool = False,
    ddof: int | None = None,
    fweights: Any = None,
    aweights: Any = None,
) -> ndarray:
    """Estimates the covariance matrix of variables from observations of them."""

def cumsum(a: Any, axis: Any = None, dtype: Any = None, out: Any = None) -> ndarray:
    """Returns the sums of the elements so far along an axis."""

def deg2rad(x: Any, out: Any = None, **kwargs: Any) -> ndarray:
    """Converts angles from degrees to radians."""

def degrees(x: Any, out: Any = None, **kwargs: Any) -> ndarray:
    """Converts angles from radians to degrees."""

def delete(arr: Any, obj: Any, axis: int | None = None) -> ndarray:
    """Leaves elements or slices along an axis out."""

def diag(array: Any, k: int = 0) -> ndarray:
    """Takes a diagonal of a matrix, or builds the matrix that has a vector on its diagonal."""

def diag_indices_from(arr: Any) -> tuple[ndarray, ...]:
    """Returns the coordinates of the main diagonal, one array for each axis."""

def diagflat(array: Any, k: int = 0) -> ndarray:
    """Builds the matrix that has all elements of an array on its diagonal."""

def diagonal(a: Any, offset: int = 0, axis1: int = 0, axis2: int = 1) -> ndarray:
    """Takes a diagonal of matrices, as the last axis of the result."""

def diff(a: Any, n: int = 1, axis: int = -1, prepend: Any = None, append: Any = None) -> ndarray:
    """Subtracts from each element the one before it along an axis."""

def digitize(x: Any, bins: Any, right: bool = False) -> ndarray:
    """Returns for each element which bin it falls into."""

def divide(x1: Any, x2: Any, out: Any = None, **kwargs: Any) -> ndarray:
    """Returns the quotient `x1 / x2`, which is a floating-point number."""

def divmod(x1: Any, x2: Any) -> tuple[ndarray, ndarray]:
    """Returns the quotients rounded down and the remainders, which have the sign of `x2`."""

def dot(a: Any, b: Any, out: Any = None) -> ndarray:
    """Multiplies two arrays over the last axis of `a` and the last but one of `b`."""

def dsplit(ary: Any, indices_or_sections: Any) -> list[ndarray]:
    """Splits an array along its third axis."""

def dstack(arrays: Sequence[Any]) -> ndarray:
    """Joins arrays along the third axis; a vector `(n,)` counts as `(1, n, 1)`."""

e: float

def ediff1d(ary: Any, to_end: Any = None, to_begin: Any = None) -> ndarray:
    """Subtracts from each element of the flattened array the one before it."""

def einsum(*operands: Any, **kwargs: Any) -> ndarray:
    """Multiplies arrays and sums over axes by Einstein's convention."""

def empty(shape: Any, dtype: Any = ..., order: str = 'C', ctx: Any = None) -> ndarray:
    """Makes an array whose elements are to be written; they are zeros until then."""

def empty_like(
    prototype: Any,
    dtype: Any = None,
    order: str = 'C',
    subok: bool = False,
    shape: Any = None,
    ctx: Any = None,
) -> ndarray:
    """Makes an array of the shape of another, whose elements are to be written."""

def equal(x1: Any, x2: Any, out: Any = None, **kwargs: Any) -> ndarray:
    """Tests whether `x1 == x2`."""

def exp(x: Any, out: Any = None, **kwargs: Any) -> ndarray:
    """Returns `e**x` of each element."""

def expand_dims(a: Any, axis: int) -> ndarray:
    """Inserts an axis of size one."""

def expm1(x: Any, out: Any = None, **kwargs: Any) -> ndarray:
    """Returns `e**x - 1` of each element."""

def extract(condition: Any, arr: Any) -> ndarray:
    """Returns the elements for which a condition holds, as a vector."""

def eye(
    N: int,
    M: int | None = None,
    k: int = 0,
    dtype: Any = ...,
    ctx: Any = None,
    **kwargs: Any,
) -> ndarray:
    """Makes a matrix with ones on a diagonal."""

def fabs(x: Any, out: Any = None, **kwargs: Any) -> ndarray:
    """Returns the absolute value of each element."""

def fix(x: Any, out: Any = None, **kwargs: Any) -> ndarray:
    """Rounds each element to an integer towards zero."""

def flatnonzero(a: Any) -> ndarray:
    """Returns where in the flattened array elements are not zero."""

def flip(m: Any, axis: Any = None, out: Any = None) -> ndarray:
    """Reverses the order of the elements along axes."""

def fliplr(m: Any) -> ndarray:
    """Reverses the order of the elements along the second axis."""

def flipud(m: Any) -> ndarray:
    """Reverses the order of the elements along the first axis."""

def float_power(x1: Any, x2: Any) -> ndarray:
    """Returns the power `x1 ** x2` in float64, also of integers."""

def floor(x: Any, out: Any = None, **kwargs: Any) -> ndarray:
    """Rounds each element down to an integer."""

def frexp(x: Any) -> tuple[ndarray, ndarray]:
    """Splits each element into a fraction of at least 0.5 and below 1, and a power of two."""

def full(
    shape: Any,
    fill_value: Any,
    dtype: Any = None,
    order: str = 'C',
    ctx: Any = None,
    out: Any = None,
) -> ndarray:
    """Makes an array filled with one value."""

def full_like(
    a: Any,
    fill_value: Any,
    dtype: Any = None,
    order: str = 'C',
    ctx: Any = None,
    out: Any = None,
) -> ndarray:
    """Makes an array of the shape of another, filled with one number."""

def greater(x1: Any, x2: Any, out: Any = None, **kwargs: Any) -> ndarray:
    """Tests whether `x1 > x2`."""

def greater_equal(x1: Any, x2: Any, out: Any = None, **kwargs: Any) -> ndarray:
    """Tests whether `x1 >= x2`."""

def hamming(M: int, dtype: Any = ..., ctx: Any = None) -> ndarray:
    """Makes a Hamming window."""

def hanning(M: int, dtype: Any = ..., ctx: Any = None) -> ndarray:
    """Makes a Hann window."""

def heaviside(x1: Any, x2: Any) -> ndarray:
    """Returns 0 for negative elements, 1 for positive ones and `x2` for zeros."""

def histogram(
    a: Any,
    bins: Any = 10,
    range: Any = None,
    normed: Any = None,
    weights: Any = None,
    density: Any = None,
) -> tuple[ndarray, ndarray]:
    """Counts the elements that fall between consecutive edges."""

def histogram2d(
    x: Any,
    y: Any,
    bins: Any = 10,
    range: Any = None,
    density: Any = None,
    weights: Any = None,
) -> tuple[ndarray, ndarray, ndarray]:
    """Counts points of the plane in the cells of a grid."""

def histogram_bin_edges(a: Any, bins: Any = 10, range: Any = None, weights: Any = None) -> ndarray:
    """Returns the edges of the bins that `histogram` would count in."""

def histogramdd(
    sample: Any,
    bins: Any = 10,
    range: Any = None,
    density: Any = None,
    weights: Any = None,
) -> tuple[ndarray, list[ndarray]]:
    """Counts points of a space of any dimension in the cells of a grid."""

def hsplit(ary: Any, indices_or_sections: Any) -> list[ndarray]:
    """Splits an array along its second axis, a vector along its only one."""

def hstack(arrays: Sequence[Any]) -> ndarray:
    """Joins arrays along the second axis, vectors along their only one."""

def hypot(x1: Any, x2: Any, out: Any = None, **kwargs: Any) -> ndarray:
    """Returns the hypotenuse `sqrt(x1**2 + x2**2)`."""

def i0(x: Any) -> ndarray:
    """Computes the modified Bessel function of the first kind and order 0."""

def identity(n: int, dtype: Any = None, ctx: Any = None) -> ndarray:
    """Makes a square matrix with ones on its diagonal."""

def in1d(ar1: Any, ar2: Any, assume_unique: bool = False, invert: bool = False) -> ndarray:
    """Tests for each element of the flattened array whether it is among others."""

def indices(dimensions: Any, dtype: Any = ..., ctx: Any = None) -> ndarray:
    """Makes the coordinates of every element of a grid, one array for each axis."""

inf: float

def inner(a: Any, b: Any) -> ndarray:
    """Multiplies two arrays and sums over the last axis of both."""

def insert(arr: Any, obj: Any, values: Any, axis: int | None = None) -> ndarray:
    """Inserts values before positions along an axis."""

def interp(
    x: Any,
    xp: Any,
    fp: Any,
    left: Any = None,
    right: Any = None,
    period: Any = None,
) -> ndarray:
    """Computes a function at points from its values at others, linearly in between."""

def intersect1d(
    ar1: Any,
    ar2: Any,
    assume_unique: bool = False,
    return_indices: bool = False,
) -> ndarray:
    """Returns the elements that both arrays have, in ascending order."""

def invert(x: Any, out: Any = None, **kwargs: Any) -> ndarray:
    """Inverts the bits of each integer."""

def isclose(
    a: Any,
    b: Any,
    rtol: float = 1e-05,
    atol: float = 1e-08,
    equal_nan: bool = False,
) -> ndarray:
    """Tests whether elements differ by at most `atol + rtol * abs(b)`."""

def isfinite(x: Any, out: Any = None, **kwargs: Any) -> ndarray:
    """Tests whether an element is neither infinite nor nan."""

def isin(
    element: Any,
    test_elements: Any,
    assume_unique: bool = False,
    invert: bool = False,
) -> ndarray:
    """Tests for each element whether it is among others."""

def isinf(x: Any, out: Any = None, **kwargs: Any) -> ndarray:
    """Tests whether an element is infinite."""

def isnan(x: Any, out: Any = None, **kwargs: Any) -> ndarray:
    """Tests whether an element is nan."""

def isneginf(x: Any, out: Any = None, **kwargs: Any) -> ndarray:
    """Tests whether an element is negative infinity."""

def isposinf(x: Any, out: Any = None, **kwargs: Any) -> ndarray:
    """Tests whether an element is positive infinity."""

def ix_(*args: Any) -> tuple[ndarray, ...]:
    """Makes indices that pick the product of several lists of positions."""

def lcm(x1: Any, x2: Any, out: Any = None, **kwargs: Any) -> ndarray:
    """Returns the least common multiple of each two integers."""

def ldexp(x1: Any, x2: Any, out: Any = None, **kwargs: Any) -> ndarray:
    """Returns `x1 * 2**x2`."""

def less(x1: Any, x2: Any, out: Any = None, **kwargs: Any) -> ndarray:
    """Tests whether `x1 < x2`."""

def less_equal(x1: Any, x2: Any, out: Any = None, **kwargs: Any) -> ndarray:
    """Tests whether `x1 <= x2`."""

def lexsort(keys: Any, axis: int = -1) -> ndarray:
    """Returns the indices that sort by several keys, of which the last one counts first."""

@overload
def linspace(
    start: Any,
    stop: Any,
    num: int = 50,
    endpoint: bool = True,
    retstep: Literal[False] = False,
    dtype: Any = None,
    axis: int = 0,
    ctx: Any = None,
) -> ndarray:
    """Makes a given number of evenly spaced values."""

@overload
def linspace(
    start: Any,
    stop: Any,
    num: int = 50,
    endpoint: bool = True,
    retstep: bool = False,
    dtype: Any = None,
    axis: int = 0,
    ctx: Any = None,
) -> Any:
    """Makes a given number of evenly spaced values."""

def log(x: Any, out: Any = None, **kwargs: Any) -> ndarray:
    """Returns the natural logarithm of each element."""

def log10(x: Any, out: Any = None, **kwargs: Any) -> ndarray:
    """Returns the logarithm to base 10 of each element."""

def log1p(x: Any, out: Any = None, **kwargs: Any) -> ndarray:
    """Returns `log(1 + x)` of each element."""

def log2(x: Any, out: Any = None, **kwargs: Any) -> ndarray:
    """Returns the logarithm to base 2 of each element."""

def logical_not(x: Any, out: Any = None, **kwargs: Any) -> ndarray:
    """Tests whether an element is zero."""

def logspace(
    start: Any,
    stop: Any,
    num: int = 50,
    endpoint: bool = True,
    base: float = 10.0,
    dtype: Any = None,
    axis: int = 0,
    ctx: Any = None,
) -> ndarray:
    """Makes powers of a number whose exponents are evenly spaced."""

def matmul(a: Any, b: Any, out: Any = None, **kwargs: Any) -> ndarray:
    """Multiplies matrices, or stacks of them that broadcast against each other."""

def max(a: Any, axis: Any = None, keepdims: bool = False, out: Any = None) -> ndarray:
    """Returns the largest element over axes; nan is larger than all numbers."""

def maximum(x1: Any, x2: Any, out: Any = None, **kwargs: Any) -> ndarray:
    """Returns the larger one of each two elements."""

def may_share_memory(a: Any, b: Any, max_work: Any = None) -> bool:
    """Returns whether two arrays have memory in common."""

def mean(
    a: Any,
    axis: Any = None,
    dtype: Any = None,
    out: Any = None,
    keepdims: bool = False,
) -> ndarray:
    """Returns the mean of elements over axes."""

def meshgrid(*xi: Any, **kwargs: Any) -> list[ndarray]:
    """Returns the coordinates of a grid whose axes have given positions."""

def min(a: Any, axis: Any = None, keepdims: bool = False, out: Any = None) -> ndarray:
    """Returns the smallest element over axes; nan is smaller than all numbers."""

def min_scalar_type(a: Any) -> numpy.dtype[Any]:
    """Returns the smallest dtype that holds a number; of an array it is that of the array."""

def minimum(x1: Any, x2: Any, out: Any = None, **kwargs: Any) -> ndarray:
    """Returns the smaller one of each two elements."""

def mirr(values: Any, finance_rate: Any, reinvest_rate: Any) -> ndarray:
    """Raises an error: NumPy has removed the rate of return, and `numpy_financial` has it."""

def mod(x1: Any, x2: Any, out: Any = None, **kwargs: Any) -> ndarray:
    """Returns the remainder `x1 % x2`, which has the sign of `x2`."""

def modf(x: Any) -> tuple[ndarray, ndarray]:
    """Returns the fractions and the whole parts, both with the sign of the element."""

def moveaxis(a: Any, source: Any, destination: Any) -> ndarray:
    """Moves axes to other positions; the others stay in their order."""

def msort(a: Any) -> ndarray:
    """Returns the elements in ascending order along the first axis."""

def multiply(x1: Any, x2: Any, out: Any = None, **kwargs: Any) -> ndarray:
    """Returns the product `x1 * x2`."""

nan: float

def nan_to_num(
    x: Any,
    copy: bool = True,
    nan: float = 0.0,
    posinf: float | None = None,
    neginf: float | None = None,
    **kwargs: Any,
) -> ndarray:
    """Replaces nan and infinities by numbers."""

def nanargmax(a: Any, axis: int | None = None) -> ndarray:
    """Returns where the largest element along an axis is, leaving nan out."""

def nanargmin(a: Any, axis: int | None = None) -> ndarray:
    """Returns where the smallest element along an axis is, leaving nan out."""

def nancumprod(a: Any, axis: int | None = None, dtype: Any = None, out: Any = None) -> ndarray:
    """Returns the products of elements up to each one along an axis, with nan as 1."""

def nancumsum(a: Any, axis: int | None = None, dtype: Any = None, out: Any = None) -> ndarray:
    """Returns the sums of elements up to each one along an axis, with nan as 0."""

def nanmax(a: Any, axis: Any = None, out: Any = None, keepdims: bool = False) -> ndarray:
    """Returns the largest element along axes, leaving nan out."""

def nanmedian(
    a: Any,
    axis: Any = None,
    out: Any = None,
    overwrite_input: bool = False,
    keepdims: bool = False,
) -> ndarray:
    """Returns the middle element along axes, leaving nan out."""

def nanmin(a: Any, axis: Any = None, out: Any = None, keepdims: bool = False) -> ndarray:
    """Returns the smallest element along axes, leaving nan out."""

def nanpercentile(
    a: Any,
    q: Any,
    axis: Any = None,
    out: Any = None,
    overwrite_input: bool = False,
    method: str = 'linear',
    keepdims: bool = False,
) -> ndarray:
    """Returns the number below which so many percent of the elements lie, leaving nan out."""

def nanprod(
    a: Any,
    axis: Any = None,
    dtype: Any = None,
    out: Any = None,
    keepdims: bool = False,
) -> ndarray:
    """Returns the product of elements along axes, with nan as 1."""

def nanquantile(
    a: Any,
    q: Any,
    axis: Any = None,
    out: Any = None,
    overwrite_input: bool = False,
    method: str = 'linear',
    keepdims: bool = False,
) -> ndarray:
    """Returns the number below which a share of the elements lies, leaving nan out."""

def ndim(a: Any) -> int:
    """Returns the number of axes."""

def negative(x: Any, out: Any = None, **kwargs: Any) -> ndarray:
    """Returns the negative of each element."""

newaxis: None

def nonzero(a: Any) -> tuple[ndarray, ...]:
    """Returns the coordinates of the elements that are not zero, one array for each axis."""

def not_equal(x1: Any, x2: Any, out: Any = None, **kwargs: Any) -> ndarray:
    """Tests whether `x1 != x2`."""

def npv(rate: Any, values: Any) -> ndarray:
    """Raises an error: NumPy has removed the net present value, and `numpy_financial` has it."""

def ones(shape: Any, dtype: Any = ..., order: str = 'C', ctx: Any = None) -> ndarray:
    """Makes an array of ones."""

def ones_like(
    a: Any,
    dtype: Any = None,
    order: str = 'C',
    ctx: Any = None,
    out: Any = None,
) -> ndarray:
    """Makes an array of ones of the shape of another."""

def outer(a: Any, b: Any) -> ndarray:
    """Multiplies each element of one array with each of another."""

def packbits(a: Any, axis: int | None = None, bitorder: str = 'big') -> ndarray:
    """Joins eight truth values into a byte each; zeros fill the last one."""

def pad(x: Any, pad_width: Any = None, mode: str = 'constant', **kwargs: Any) -> ndarray:
    """Puts a border around an array."""

def partition(
    a: Any,
    kth: Any,
    axis: int | None = -1,
    kind: str = 'introselect',
    order: Any = None,
) -> ndarray:
    """Puts the `kth` element where sorting would, smaller ones before it and larger ones after."""

def percentile(
    a: Any,
    q: Any,
    axis: Any = None,
    out: Any = None,
    overwrite_input: Any = None,
    interpolation: str = 'linear',
    keepdims: bool = False,
) -> ndarray:
    """Returns the elements below which percentages of all elements over axes lie."""

pi: float

def piecewise(x: Any, condlist: Any, funclist: Any, *args: Any, **kw: Any) -> ndarray:
    """Computes different functions of different elements."""

def poly(seq_of_zeros: Any) -> ndarray:
    """Returns the coefficients of the polynomial that has given zeros."""

def polyadd(a1: Any, a2: Any) -> ndarray:
    """Returns the coefficients of the sum of two polynomials."""

def polydiv(u: Any, v: Any) -> tuple[ndarray, ndarray]:
    """Divides polynomials and returns the coefficients of the quotient and of the remainder."""

def polyfit(
    x: Any,
    y: Any,
    deg: int,
    rcond: Any = None,
    full: bool = False,
    w: Any = None,
    cov: Any = False,
) -> ndarray:
    """Finds the polynomial that comes closest to points, by the least sum of squares."""

def polyint(p: Any, m: int = 1, k: Any = None) -> ndarray:
    """Returns the coefficients of the integral of a polynomial."""

def polymul(a1: Any, a2: Any) -> ndarray:
    """Returns the coefficients of the product of two polynomials."""

def polysub(a1: Any, a2: Any) -> ndarray:
    """Returns the coefficients of the difference of two polynomials."""

def polyval(p: Any, x: Any) -> ndarray:
    """Computes a polynomial at each element of an array."""

def positive(x: Any, out: Any = None) -> ndarray:
    """Returns a copy of the array, as `+x` does."""

def power(x1: Any, x2: Any, out: Any = None, **kwargs: Any) -> ndarray:
    """Returns the power `x1 ** x2`."""

def ppmt(rate: Any, per: Any, nper: Any, pv: Any, fv: Any = 0, when: Any = 'end') -> ndarray:
    """Raises an error: NumPy has removed the payment of principal, and `numpy_financial` has it."""

def prod(
    a: Any,
    axis: Any = None,
    dtype: Any = None,
    out: Any = None,
    keepdims: bool = False,
    initial: Any = None,
) -> ndarray:
    """Returns the product of elements over axes."""

def product(
    a: Any,
    axis: Any = None,
    dtype: Any = None,
    out: Any = None,
    keepdims: bool = False,
    initial: Any = None,
) -> ndarray:
    """Returns the product of elements over axes."""

def promote_types(type1: Any, type2: Any) -> numpy.dtype[Any]:
    """Returns the smallest dtype that holds the values of both."""

def ptp(a: Any, axis: Any = None, out: Any = None, keepdims: bool = False) -> ndarray:
    """Returns the difference of the largest and the smallest element along axes."""

def pv(rate: Any, nper: Any, pmt: Any, fv: Any = 0, when: Any = 'end') -> ndarray:
    """Raises an error: NumPy has removed the present value, and `numpy_financial` has it."""

def quantile(
    a: Any,
    q: Any,
    axis: Any = None,
    out: Any = None,
    overwrite_input: Any = None,
    interpolation: str = 'linear',
    keepdims: bool = False,
) -> ndarray:
    """Returns the elements below which shares of all elements over axes lie."""

def rad2deg(x: Any, out: Any = None, **kwargs: Any) -> ndarray:
    """Converts angles from radians to degrees."""

def radians(x: Any, out: Any = None, **kwargs: Any) -> ndarray:
    """Converts angles from degrees to radians."""

def rate(
    nper: Any,
    pmt: Any,
    pv: Any,
    fv: Any,
    when: Any = 'end',
    guess: Any = None,
    tol: Any = None,
) -> ndarray:
    """Raises an error: NumPy has removed the rate of interest, and `numpy_financial` has it."""

def ravel(x: Any, order: str = 'C') -> ndarray:
    """Returns all elements as a vector."""

def real(val: Any) -> ndarray:
    """Returns the real part of numbers; arrays of `mx.np` hold real numbers alone."""

def reciprocal(x: Any, out: Any = None, **kwargs: Any) -> ndarray:
    """Returns `1 / x` of each element."""

def remainder(x1: Any, x2: Any, out: Any = None, **kwargs: Any) -> ndarray:
    """Returns the remainder `x1 % x2`, which has the sign of `x2`."""

def repeat(a: Any, repeats: Any, axis: int | None = None) -> ndarray:
    """Repeats each element."""

def reshape(a: Any, newshape: Any, order: str = 'C', out: Any = None) -> ndarray:
    """Returns the same elements in another shape."""

def resize(a: Any, new_shape: Any) -> ndarray:
    """Returns an array of a shape that has the elements of another one, again and again."""

def result_type(*arrays_and_dtypes: Any) -> numpy.dtype[Any]:
    """Returns the dtype that NumPy gives to a result of arrays, dtypes and numbers."""

def rint(x: Any, out: Any = None, **kwargs: Any) -> ndarray:
    """Rounds each element to the nearest integer."""

def roll(a: Any, shift: Any, axis: Any = None) -> ndarray:
    """Moves elements along axes; those that leave at the end come in at the start."""

def rollaxis(a: Any, axis: int, start: int = 0) -> ndarray:
    """Moves an axis before another one."""

def roots(p: Any) -> ndarray:
    """Returns the zeros of a polynomial; arrays hold them if all of them are real."""

def rot90(m: Any, k: int = 1, axes: Any = ...) -> ndarray:
    """Rotates a plane of the array by right angles."""

def round(x: Any, decimals: int = 0, out: Any = None, **kwargs: Any) -> ndarray:
    """Rounds each element to a number of decimals, halves to the even neighbour."""

def round_(x: Any, decimals: int = 0, out: Any = None, **kwargs: Any) -> ndarray:
    """Rounds each element to a number of decimals, halves to the even neighbour."""

def row_stack(arrays: Sequence[Any]) -> ndarray:
    """Joins arrays along the first axis, vectors as rows."""

def searchsorted(a: Any, v: Any, side: str = 'left', sorter: Any = None) -> ndarray:
    """Returns where numbers have to be inserted for an array to stay in order."""

def select(condlist: Any, choicelist: Any, default: Any = 0) -> ndarray:
    """Takes each element from the array that belongs to the first condition that holds."""

def setdiff1d(ar1: Any, ar2: Any, assume_unique: bool = False) -> ndarray:
    """Returns the elements of the first array that the second one does not have."""

def setxor1d(ar1: Any, ar2: Any, assume_unique: bool = False) -> ndarray:
    """Returns the elements that just one of the arrays has, in ascending order."""

def shape(a: Any) -> tuple[int, ...]:
    """Returns the shape of an array."""

def shares_memory(a: Any, b: Any, max_work: Any = None) -> bool:
    """Returns whether two arrays have memory in common."""

def sign(x: Any, out: Any = None, **kwargs: Any) -> ndarray:
    """Returns the sign of each element: -1, 0 or 1."""

def signbit(x: Any) -> ndarray:
    """Tests whether the sign of an element is negative, which tells -0.0 from 0.0."""

def sin(x: Any, out: Any = None, **kwargs: Any) -> ndarray:
    """Returns the sine of each element."""

def sinh(x: Any, out: Any = None, **kwargs: Any) -> ndarray:
    """Returns the hyperbolic sine of each element."""

def size(a: Any, axis: int | None = None) -> int:
    """Returns the number of elements, or the length of an axis."""

def sometrue(a: Any, axis: Any = None, keepdims: bool = False, out: Any = None) -> ndarray:
    """Tests whether an element over axes is other than zero."""

def sort(
    a: Any,
    axis: int | None = -1,
    kind: Any = None,
    order: Any = None,
    descending: bool = False,
    stable: bool = True,
) -> ndarray:
    """Sorts along an axis."""

def spacing(x: Any) -> ndarray:
    """Returns the distance from each number to the next one of its dtype, away from zero."""

def split(ary: Any, indices_or_sections: Any, axis: int = 0) -> list[ndarray]:
    """Splits an array along an axis."""

def sqrt(x: Any, out: Any = None, **kwargs: Any) -> ndarray:
    """Returns the square root of each element."""

def square(x: Any, out: Any = None, **kwargs: Any) -> ndarray:
    """Returns the square of each element."""

def squeeze(a: Any, axis: Any = None, out: Any = None) -> ndarray:
    """Removes axes of size one."""

def stack(arrays: Sequence[Any], axis: int = 0, out: Any = None) -> ndarray:
    """Joins arrays of one shape along a new axis."""

def std(
    a: Any,
    axis: Any = None,
    dtype: Any = None,
    out: Any = None,
    ddof: int = 0,
    keepdims: bool = False,
) -> ndarray:
    """Returns the standard deviation of elements over axes."""

def subtract(x1: Any, x2: Any, out: Any = None, **kwargs: Any) -> ndarray:
    """Returns the difference `x1 - x2`."""

def sum(
    a: Any,
    axis: Any = None,
    dtype: Any = None,
    keepdims: bool = False,
    initial: Any = None,
    out: Any = None,
) -> ndarray:
    """Returns the sum of elements over axes."""

def swapaxes(a: Any, axis1: int, axis2: int) -> ndarray:
    """Exchanges two axes."""

def take(
    a: Any,
    indices: Any,
    axis: int | None = None,
    mode: str = 'raise',
    out: Any = None,
) -> ndarray:
    """Picks elements or slices along an axis."""

def take_along_axis(arr: Any, indices: Any, axis: int | None) -> ndarray:
    """Picks elements along an axis by positions that are given for each place."""

def tan(x: Any, out: Any = None, **kwargs: Any) -> ndarray:
    """Returns the tangent of each element."""

def tanh(x: Any, out: Any = None, **kwargs: Any) -> ndarray:
    """Returns the hyperbolic tangent of each element."""

def tensordot(a: Any, b: Any, axes: Any = 2) -> ndarray:
    """Multiplies two arrays and sums over axes."""

def tile(A: Any, reps: Any) -> ndarray:
    """Repeats the whole array along its axes."""

def trace(a: Any, offset: int = 0, axis1: int = 0, axis2: int = 1, out: Any = None) -> ndarray:
    """Adds a diagonal of matrices up."""

def transpose(a: Any, axes: Any = None) -> ndarray:
    """Permutes the axes."""

def trapz(y: Any, x: Any = None, dx: float = 1.0, axis: int = -1) -> ndarray:
    """Integrates along an axis, by straight lines between the values."""

def tril(m: Any, k: int = 0) -> ndarray:
    """Returns matrices with zeros above a diagonal; a vector counts as all rows of a matrix."""

def tril_indices_from(arr: Any, k: int = 0) -> tuple[ndarray, ...]:
    """Returns the rows and columns of the elements on and below a diagonal of a matrix."""

def trim_zeros(filt: Any, trim: str = 'fb') -> ndarray:
    """Removes zeros from the ends of a vector, such as one of coefficients."""

def triu_indices_from(arr: Any, k: int = 0) -> tuple[ndarray, ...]:
    """Returns the rows and columns of the elements on and above a diagonal of a matrix."""

def true_divide(x1: Any, x2: Any, out: Any = None, **kwargs: Any) -> ndarray:
    """Returns the quotient `x1 / x2`, which is a floating-point number."""

def trunc(x: Any, out: Any = None, **kwargs: Any) -> ndarray:
    """Drops the fraction of each element."""

def union1d(ar1: Any, ar2: Any) -> ndarray:
    """Returns the elements that one of the arrays has, each once, in ascending order."""

@overload
def unique(
    ar: Any,
    return_index: Literal[False] = False,
    return_inverse: Literal[False] = False,
    return_counts: Literal[False] = False,
    axis: int | None = None,
) -> ndarray:
    """Returns the different elements in ascending order, or the different slices along an axis."""

@overload
def unique(
    ar: Any,
    return_index: bool = False,
    return_inverse: bool = False,
    return_counts: bool = False,
    axis: int | None = None,
) -> Any:
    """Returns the different elements in ascending order, or the different slices along an axis."""

def unpackbits(
    a: Any,
    axis: int | None = None,
    count: int | None = None,
    bitorder: str = 'big',
) -> ndarray:
    """Splits each byte into its eight bits."""

def unravel_index(indices: Any, shape: Any, order: str = 'C') -> tuple[ndarray, ...]:
    """Converts positions in the flattened array into coordinates, one array for each axis."""

def unwrap(p: Any, discont: Any = None, axis: int = -1) -> ndarray:
    """Adds whole turns to angles so that neighbours differ by at most half a turn."""

def vander(x: Any, N: int | None = None, increasing: bool = False) -> ndarray:
    """Returns a matrix with the powers of a number in each row."""

def var(
    a: Any,
    axis: Any = None,
    dtype: Any = None,
    out: Any = None,
    ddof: int = 0,
    keepdims: bool = False,
) -> ndarray:
    """Returns the variance of elements over axes."""

def vdot(a: Any, b: Any) -> ndarray:
    """Multiplies the elements of two arrays in order, and sums all up."""

def vsplit(ary: Any, indices_or_sections: Any) -> list[ndarray]:
    """Splits an array along its first axis."""

def vstack(arrays: Sequence[Any], out: Any = None) -> ndarray:
    """Joins arrays along the first axis, vectors as rows."""

@overload
def where(condition: Any) -> tuple[ndarray, ...]:
    """Picks from `x` where a condition is not zero and from `y` elsewhere."""

@overload
def where(condition: Any, x: Any, y: Any) -> ndarray:
    """Picks from `x` where a condition is not zero and from `y` elsewhere."""

def zeros(shape: Any, dtype: Any = None, order: str = 'C', ctx: Any = None) -> ndarray:
    """Makes an array of zeros."""

def zeros_like(
    a: Any,
    dtype: Any = None,
    order: str = 'C',
    ctx: Any = None,
    out: Any = None,
) -> ndarray:
    """Makes an array of zeros of the shape of another."""

"""Written by `make stubs`; do not edit."""

from collections.abc import Mapping, Sequence
from mxnet.symbol.numpy import linalg as linalg
from mxnet.symbol.numpy import random as random
from mxnet.symbol.numpy._symbol import _Symbol as _Symbol
from typing import Any, Literal, overload
import os

def abs(x: Any, out: Any = None, **kwargs: Any) -> _Symbol:
    """Returns the absolute value of each element."""

def absolute(x: Any, out: Any = None, **kwargs: Any) -> _Symbol:
    """Returns the absolute value of each element."""

def add(x1: Any, x2: Any, out: Any = None, **kwargs: Any) -> _Symbol:
    """Returns the sum `x1 + x2`."""

def all(
    data: _Symbol | None = None,
    axis: int | Sequence[int | None] | None = None,
    keepdims: bool = False,
    *,
    name: str | None = None,
    attr: Mapping[str, str] | None = None,
) -> _Symbol:
    """Tests whether all elements along axes are other than zero."""

def amax(
    a: _Symbol | None = None,
    axis: int | Sequence[int | None] | None = None,
    keepdims: bool = False,
    initial: float | None = None,
    *,
    name: str | None = None,
    attr: Mapping[str, str] | None = None,
) -> _Symbol:
    """Returns the largest element along axes."""

def amin(
    a: _Symbol | None = None,
    axis: int | Sequence[int | None] | None = None,
    keepdims: bool = False,
    initial: float | None = None,
    *,
    name: str | None = None,
    attr: Mapping[str, str] | None = None,
) -> _Symbol:
    """Returns the smallest element along axes."""

def any(
    data: _Symbol | None = None,
    axis: int | Sequence[int | None] | None = None,
    keepdims: bool = False,
    *,
    name: str | None = None,
    attr: Mapping[str, str] | None = None,
) -> _Symbol:
    """Tests whether an element along axes is other than zero."""

def append(arr: Any, values: Any, axis: int | None = None) -> _Symbol:
    """Joins two arrays."""

def arange(
    start: Any,
    stop: Any = None,
    step: Any = 1,
    dtype: Any = None,
    ctx: Any = None,
) -> _Symbol:
    """Makes evenly spaced values in `[start, stop)`."""

def arccos(x: Any, out: Any = None, **kwargs: Any) -> _Symbol:
    """Returns the inverse cosine of each element."""

def arccosh(x: Any, out: Any = None, **kwargs: Any) -> _Symbol:
    """Returns the inverse hyperbolic cosine of each element."""

def arcsin(x: Any, out: Any = None, **kwargs: Any) -> _Symbol:
    """Returns the inverse sine of each element."""

def arcsinh(x: Any, out: Any = None, **kwargs: Any) -> _Symbol:
    """Returns the inverse hyperbolic sine of each element."""

def arctan(x: Any, out: Any = None, **kwargs: Any) -> _Symbol:
    """Returns the inverse tangent of each element."""

def arctan2(x1: Any, x2: Any, out: Any = None, **kwargs: Any) -> _Symbol:
    """Returns the angle of the point `(x2, x1)` to the first axis."""

def arctanh(x: Any, out: Any = None, **kwargs: Any) -> _Symbol:
    """Returns the inverse hyperbolic tangent of each element."""

def argmax(a: Any, axis: Any = None, out: Any = None, keepdims: bool = False) -> _Symbol:
    """Returns the positions of the largest elements along an axis, as int64."""

def argmin(a: Any, axis: Any = None, out: Any = None, keepdims: bool = False) -> _Symbol:
    """Returns the positions of the smallest elements along an axis, as int64."""

def argsort(
    a: Any,
    axis: int | None = -1,
    kind: Any = None,
    order: Any = None,
    descending: bool = False,
    stable: bool = True,
) -> _Symbol:
    """Returns the indices that sort along an axis, as int64."""

def around(x: Any, decimals: int = 0, out: Any = None, **kwargs: Any) -> _Symbol:
    """Rounds each element to a number of decimals, halves to the even neighbour."""

def array_split(ary: Any, indices_or_sections: Any, axis: int = 0) -> list[_Symbol]:
    """Splits an array along an axis into parts that may differ in size by one."""

def atleast_1d(*arys: Any) -> _Symbol:
    """Returns arrays of one or more axes; a scalar becomes a vector of one element."""

def atleast_2d(*arys: Any) -> _Symbol:
    """Returns arrays of two or more axes, with axes of size one in front."""

def atleast_3d(*arys: Any) -> _Symbol:
    """Returns arrays of three or more axes; a vector `(n,)` becomes `(1, n, 1)`."""

@overload
def average(
    a: Any,
    axis: Any = None,
    weights: Any = None,
    returned: Literal[False] = False,
    out: Any = None,
) -> _Symbol:
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

def bincount(x: Any, weights: Any = None, minlength: int = 0) -> _Symbol:
    """Counts how often each number occurs."""

def bitwise_and(x1: Any, x2: Any, out: Any = None, **kwargs: Any) -> _Symbol:
    """Returns the bits that both integers have."""

def bitwise_not(x: Any, out: Any = None, **kwargs: Any) -> _Symbol:
    """Inverts the bits of each integer."""

def bitwise_or(x1: Any, x2: Any, out: Any = None, **kwargs: Any) -> _Symbol:
    """Returns the bits that one of the integers has."""

def bitwise_xor(x1: Any, x2: Any, out: Any = None, **kwargs: Any) -> _Symbol:
    """Returns the bits that just one of the integers has."""

def blackman(M: int, dtype: Any = ..., ctx: Any = None) -> _Symbol:
    """Makes a Blackman window."""

def broadcast_to(array: Any, shape: Any) -> _Symbol:
    """Repeats an array along new axes in front and along its axes of size one."""

def cbrt(x: Any, out: Any = None, **kwargs: Any) -> _Symbol:
    """Returns the cube root of each element."""

def ceil(x: Any, out: Any = None, **kwargs: Any) -> _Symbol:
    """Rounds each element up to an integer."""

def clip(a: Any, a_min: Any, a_max: Any, out: Any = None) -> _Symbol:
    """Limits each element to an interval."""

def column_stack(tup: Sequence[Any]) -> _Symbol:
    """Joins arrays along the second axis, vectors as columns."""

def concatenate(seq: Sequence[Any], axis: int | None = 0, out: Any = None) -> _Symbol:
    """Joins arrays along an axis that they have."""

def copy(
    a: _Symbol | None = None,
    *,
    name: str | None = None,
    attr: Mapping[str, str] | None = None,
) -> _Symbol:
    """Returns a copy."""

def copysign(x1: Any, x2: Any, out: Any = None, **kwargs: Any) -> _Symbol:
    """Returns `x1` with the sign of `x2`."""

def cos(x: Any, out: Any = None, **kwargs: Any) -> _Symbol:
    """Returns the cosine of each element."""

def cosh(x: Any, out: Any = None, **kwargs: Any) -> _Symbol:
    """Returns the hyperbolic cosine of each element."""

def cumsum(
    a: _Symbol | None = None,
    axis: int | None = None,
    dtype: Any = None,
    *,
    name: str | None = None,
    attr: Mapping[str, str] | None = None,
) -> _Symbol:
    """Sums elements cumulatively along an axis."""

def deg2rad(x: Any, out: Any = None, **kwargs: Any) -> _Symbol:
    """Converts angles from degrees to radians."""

def degrees(x: Any, out: Any = None, **kwargs: Any) -> _Symbol:
    """Converts angles from radians to degrees."""

def delete(arr: Any, obj: Any, axis: int | None = None) -> _Symbol:
    """Leaves elements or slices along an axis out."""

def diag(
    data: _Symbol | None = None,
    k: int = 0,
    *,
    name: str | None = None,
    attr: Mapping[str, str] | None = None,
) -> _Symbol:
    """Takes a diagonal of a matrix, or builds the matrix that has a vector on its diagonal."""

def diag_indices_from(arr: Any) -> tuple[_Symbol, ...]:
    """Returns the coordinates of the main diagonal, one array for each axis."""

def diagflat(
    data: _Symbol | None = None,
    k: int = 0,
    *,
    name: str | None = None,
    attr: Mapping[str, str] | None = None,
) -> _Symbol:
    """Builds the matrix that has all elements of an array on its diagonal."""

def diagonal(
    data: _Symbol | None = None,
    offset: int = 0,
    axis1: int = 0,
    axis2: int = 1,
    *,
    name: str | None = None,
    attr: Mapping[str, str] | None = None,
) -> _Symbol:
    """Takes a diagonal of matrices, as the last axis of the result."""

def diff(a: Any, n: int = 1, axis: int = -1, prepend: Any = None, append: Any = None) -> _Symbol:
    """Subtracts from each element the one before it along an axis."""

def divide(x1: Any, x2: Any, out: Any = None, **kwargs: Any) -> _Symbol:
    """Returns the quotient `x1 / x2`, which is a floating-point number."""

def dot(
    a: _Symbol | None = None,
    b: _Symbol | None = None,
    *,
    name: str | None = None,
    attr: Mapping[str, str] | None = None,
) -> _Symbol:
    """Multiplies two arrays over the last axis of the first and the last but one of the second."""

def dsplit(ary: Any, indices_or_sections: Any) -> list[_Symbol]:
    """Splits an array along its third axis."""

def dstack(arrays: Sequence[Any]) -> _Symbol:
    """Joins arrays along the third axis; a vector `(n,)` counts as `(1, n, 1)`."""

def ediff1d(ary: Any, to_end: Any = None, to_begin: Any = None) -> _Symbol:
    """Subtracts from each element of the flattened array the one before it."""

def einsum(*operands: Any, **kwargs: Any) -> _Symbol:
    """Multiplies arrays and sums over axes by Einstein's convention."""

def empty_like(
    prototype: Any,
    dtype: Any = None,
    order: str = 'C',
    subok: bool = False,
    shape: Any = None,
    ctx: Any = None,
) -> _Symbol:
    """Makes an array of the shape of another, whose elements are to be written."""

def equal(x1: Any, x2: Any, out: Any = None, **kwargs: Any) -> _Symbol:
    """Tests whether `x1 == x2`."""

def exp(x: Any, out: Any = None, **kwargs: Any) -> _Symbol:
    """Returns `e**x` of each element."""

def expand_dims(a: Any, axis: int) -> _Symbol:
    """Inserts an axis of size one."""

def expm1(x: Any, out: Any = None, **kwargs: Any) -> _Symbol:
    """Returns `e**x - 1` of each element."""

def eye(
    N: int,
    M: int | None = None,
    k: int = 0,
    dtype: Any = ...,
    ctx: Any = None,
    **kwargs: Any,
) -> _Symbol:
    """Makes a matrix with ones on a diagonal."""

def fabs(x: Any, out: Any = None, **kwargs: Any) -> _Symbol:
    """Returns the absolute value of each element."""

def fix(x: Any, out: Any = None, **kwargs: Any) -> _Symbol:
    """Rounds each element to an integer towards zero."""

def flip(m: Any, axis: Any = None, out: Any = None) -> _Symbol:
    """Reverses the order of the elements along axes."""

def fliplr(m: Any) -> _Symbol:
    """Reverses the order of the elements along the second axis."""

def flipud(m: Any) -> _Symbol:
    """Reverses the order of the elements along the first axis."""

def floor(x: Any, out: Any = None, **kwargs: Any) -> _Symbol:
    """Rounds each element down to an integer."""

def full(
    shape: Any,
    fill_value: Any,
    dtype: Any = None,
    order: str = 'C',
    ctx: Any = None,
    out: Any = None,
) -> _Symbol:
    """Makes an array filled with one value."""

def full_like(
    a: Any,
    fill_value: Any,
    dtype: Any = None,
    order: str = 'C',
    ctx: Any = None,
    out: Any = None,
) -> _Symbol:
    """Makes an array of the shape of another, filled with one number."""

def greater(x1: Any, x2: Any, out: Any = None, **kwargs: Any) -> _Symbol:
    """Tests whether `x1 > x2`."""

def greater_equal(x1: Any, x2: Any, out: Any = None, **kwargs: Any) -> _Symbol:
    """Tests whether `x1 >= x2`."""

def hamming(M: int, dtype: Any = ..., ctx: Any = None) -> _Symbol:
    """Makes a Hamming window."""

def hanning(M: int, dtype: Any = ..., ctx: Any = None) -> _Symbol:
    """Makes a Hann window."""

def histogram(
    a: Any,
    bins: Any = 10,
    range: Any = None,
    normed: Any = None,
    weights: Any = None,
    density: Any = None,
) -> tuple[_Symbol, _Symbol]:
    """Counts the elements that fall between consecutive edges."""

def hsplit(ary: Any, indices_or_sections: Any) -> list[_Symbol]:
    """Splits an array along its second axis, a vector along its only one."""

def hstack(arrays: Sequence[Any]) -> _Symbol:
    """Joins arrays along the second axis, vectors along their only one."""

def hypot(x1: Any, x2: Any, out: Any = None, **kwargs: Any) -> _Symbol:
    """Returns the hypotenuse `sqrt(x1**2 + x2**2)`."""

def identity(n: int, dtype: Any = None, ctx: Any = None) -> _Symbol:
    """Makes a square matrix with ones on its diagonal."""

def indices(dimensions: Any, dtype: Any = ..., ctx: Any = None) -> _Symbol:
    """Makes the coordinates of every element of a grid, one array for each axis."""

def inner(a: Any, b: Any) -> _Symbol:
    """Multiplies two arrays and sums over the last axis of both."""

def insert(arr: Any, obj: Any, values: Any, axis: int | None = None) -> _Symbol:
    """Inserts values before positions along an axis."""

def invert(x: Any, out: Any = None, **kwargs: Any) -> _Symbol:
    """Inverts the bits of each integer."""

def isfinite(x: Any, out: Any = None, **kwargs: Any) -> _Symbol:
    """Tests whether an element is neither infinite nor nan."""

def isinf(x: Any, out: Any = None, **kwargs: Any) -> _Symbol:
    """Tests whether an element is infinite."""

def isnan(x: Any, out: Any = None, **kwargs: Any) -> _Symbol:
    """Tests whether an element is nan."""

def isneginf(x: Any, out: Any = None, **kwargs: Any) -> _Symbol:
    """Tests whether an element is negative infinity."""

def isposinf(x: Any, out: Any = None, **kwargs: Any) -> _Symbol:
    """Tests whether an element is positive infinity."""

def lcm(x1: Any, x2: Any, out: Any = None, **kwargs: Any) -> _Symbol:
    """Returns the least common multiple of each two integers."""

def ldexp(x1: Any, x2: Any, out: Any = None, **kwargs: Any) -> _Symbol:
    """Returns `x1 * 2**x2`."""

def less(x1: Any, x2: Any, out: Any = None, **kwargs: Any) -> _Symbol:
    """Tests whether `x1 < x2`."""

def less_equal(x1: Any, x2: Any, out: Any = None, **kwargs: Any) -> _Symbol:
    """Tests whether `x1 <= x2`."""

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
) -> _Symbol:
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

def log(x: Any, out: Any = None, **kwargs: Any) -> _Symbol:
    """Returns the natural logarithm of each element."""

def log10(x: Any, out: Any = None, **kwargs: Any) -> _Symbol:
    """Returns the logarithm to base 10 of each element."""

def log1p(x: Any, out: Any = None, **kwargs: Any) -> _Symbol:
    """Returns `log(1 + x)` of each element."""

def log2(x: Any, out: Any = None, **kwargs: Any) -> _Symbol:
    """Returns the logarithm to base 2 of each element."""

def logical_not(x: Any, out: Any = None, **kwargs: Any) -> _Symbol:
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
) -> _Symbol:
    """Makes powers of a number whose exponents are evenly spaced."""

def matmul(a: Any, b: Any, out: Any = None, **kwargs: Any) -> _Symbol:
    """Multiplies matrices, or stacks of them that broadcast against each other."""

def max(
    a: _Symbol | None = None,
    axis: int | Sequence[int | None] | None = None,
    keepdims: bool = False,
    initial: float | None = None,
    *,
    name: str | None = None,
    attr: Mapping[str, str] | None = None,
) -> _Symbol:
    """Returns the largest element along axes."""

def maximum(x1: Any, x2: Any, out: Any = None, **kwargs: Any) -> _Symbol:
    """Returns the larger one of each two elements."""

def may_share_memory(a: Any, b: Any, max_work: Any = None) -> bool:
    """Returns whether two arrays have memory in common."""

def mean(
    a: Any,
    axis: Any = None,
    dtype: Any = None,
    out: Any = None,
    keepdims: bool = False,
) -> _Symbol:
    """Returns the mean of elements over axes."""

def min(
    a: _Symbol | None = None,
    axis: int | Sequence[int | None] | None = None,
    keepdims: bool = False,
    initial: float | None = None,
    *,
    name: str | None = None,
    attr: Mapping[str, str] | None = None,
) -> _Symbol:
    """Returns the smallest element along axes."""

def minimum(x1: Any, x2: Any, out: Any = None, **kwargs: Any) -> _Symbol:
    """Returns the smaller one of each two elements."""

def mod(x1: Any, x2: Any, out: Any = None, **kwargs: Any) -> _Symbol:
    """Returns the remainder `x1 % x2`, which has the sign of `x2`."""

def moveaxis(
    a: _Symbol | None = None,
    source: int | Sequence[int] = ...,
    destination: int | Sequence[int] = ...,
    *,
    name: str | None = None,
    attr: Mapping[str, str] | None = None,
) -> _Symbol:
    """Moves axes to other positions; the others stay in their order."""

def multiply(x1: Any, x2: Any, out: Any = None, **kwargs: Any) -> _Symbol:
    """Returns the product `x1 * x2`."""

def nan_to_num(
    x: Any,
    copy: bool = True,
    nan: float = 0.0,
    posinf: float | None = None,
    neginf: float | None = None,
    **kwargs: Any,
) -> _Symbol:
    """Replaces nan and infinities by numbers."""

def negative(x: Any, out: Any = None, **kwargs: Any) -> _Symbol:
    """Returns the negative of each element."""

def not_equal(x1: Any, x2: Any, out: Any = None, **kwargs: Any) -> _Symbol:
    """Tests whether `x1 != x2`."""

def ones(shape: Any, dtype: Any = ..., order: str = 'C', ctx: Any = None) -> _Symbol:
    """Makes an array of ones."""

def ones_like(
    a: Any,
    dtype: Any = None,
    order: str = 'C',
    ctx: Any = None,
    out: Any = None,
) -> _Symbol:
    """Makes an array of ones of the shape of another."""

def outer(a: Any, b: Any) -> _Symbol:
    """Multiplies each element of one array with each of another."""

def pad(x: Any, pad_width: Any = None, mode: str = 'constant', **kwargs: Any) -> _Symbol:
    """Puts a border around an array."""

def percentile(
    a: Any,
    q: Any,
    axis: Any = None,
    out: Any = None,
    overwrite_input: Any = None,
    interpolation: str = 'linear',
    keepdims: bool = False,
) -> _Symbol:
    """Returns the elements below which percentages of all elements over axes lie."""

def polyval(p: Any, x: Any) -> _Symbol:
    """Computes a polynomial at each element of an array."""

def power(x1: Any, x2: Any, out: Any = None, **kwargs: Any) -> _Symbol:
    """Returns the power `x1 ** x2`."""

def prod(
    a: _Symbol | None = None,
    axis: int | Sequence[int | None] | None = None,
    dtype: Any = None,
    keepdims: bool = False,
    initial: float | None = None,
    *,
    name: str | None = None,
    attr: Mapping[str, str] | None = None,
) -> _Symbol:
    """Multiplies elements along axes."""

def product(
    a: _Symbol | None = None,
    axis: int | Sequence[int | None] | None = None,
    dtype: Any = None,
    keepdims: bool = False,
    initial: float | None = None,
    *,
    name: str | None = None,
    attr: Mapping[str, str] | None = None,
) -> _Symbol:
    """Multiplies elements along axes."""

def quantile(
    a: Any,
    q: Any,
    axis: Any = None,
    out: Any = None,
    overwrite_input: Any = None,
    interpolation: str = 'linear',
    keepdims: bool = False,
) -> _Symbol:
    """Returns the elements below which shares of all elements over axes lie."""

def rad2deg(x: Any, out: Any = None, **kwargs: Any) -> _Symbol:
    """Converts angles from radians to degrees."""

def radians(x: Any, out: Any = None, **kwargs: Any) -> _Symbol:
    """Converts angles from degrees to radians."""

def ravel(x: Any, order: str = 'C') -> _Symbol:
    """Returns all elements as a vector."""

def reciprocal(x: Any, out: Any = None, **kwargs: Any) -> _Symbol:
    """Returns `1 / x` of each element."""

def remainder(x1: Any, x2: Any, out: Any = None, **kwargs: Any) -> _Symbol:
    """Returns the remainder `x1 % x2`, which has the sign of `x2`."""

def repeat(
    data: _Symbol | None = None,
    repeats: int = ...,
    axis: int | None = None,
    *,
    name: str | None = None,
    attr: Mapping[str, str] | None = None,
) -> _Symbol:
    """Repeats each element."""

def reshape(
    a: _Symbol | None = None,
    newshape: int | Sequence[int] = ...,
    order: str = 'C',
    *,
    name: str | None = None,
    attr: Mapping[str, str] | None = None,
) -> _Symbol:
    """Returns the same elements in another shape."""

def resize(a: Any, new_shape: Any) -> _Symbol:
    """Returns an array of a shape that has the elements of another one, again and again."""

def rint(x: Any, out: Any = None, **kwargs: Any) -> _Symbol:
    """Rounds each element to the nearest integer."""

def roll(
    data: _Symbol | None = None,
    shift: int | Sequence[int | None] | None = None,
    axis: int | Sequence[int | None] | None = None,
    *,
    name: str | None = None,
    attr: Mapping[str, str] | None = None,
) -> _Symbol:
    """Moves elements along axes; those that leave at the end come in at the start."""

def rot90(m: Any, k: int = 1, axes: Any = ...) -> _Symbol:
    """Rotates a plane of the array by right angles."""

def round(x: Any, decimals: int = 0, out: Any = None, **kwargs: Any) -> _Symbol:
    """Rounds each element to a number of decimals, halves to the even neighbour."""

def round_(x: Any, decimals: int = 0, out: Any = None, **kwargs: Any) -> _Symbol:
    """Rounds each element to a number of decimals, halves to the even neighbour."""

def row_stack(arrays: Sequence[Any]) -> _Symbol:
    """Joins arrays along the first axis, vectors as rows."""

def shares_memory(a: Any, b: Any, max_work: Any = None) -> bool:
    """Returns whether two arrays have memory in common."""

def sign(x: Any, out: Any = None, **kwargs: Any) -> _Symbol:
    """Returns the sign of each element: -1, 0 or 1."""

def sin(x: Any, out: Any = None, **kwargs: Any) -> _Symbol:
    """Returns the sine of each element."""

def sinh(x: Any, out: Any = None, **kwargs: Any) -> _Symbol:
    """Returns the hyperbolic sine of each element."""

def sometrue(
    data: _Symbol | None = None,
    axis: int | Sequence[int | None] | None = None,
    keepdims: bool = False,
    *,
    name: str | None = None,
    attr: Mapping[str, str] | None = None,
) -> _Symbol:
    """Tests whether an element along axes is other than zero."""

def sort(
    a: Any,
    axis: int | None = -1,
    kind: Any = None,
    order: Any = None,
    descending: bool = False,
    stable: bool = True,
) -> _Symbol:
    """Sorts along an axis."""

def split(ary: Any, indices_or_sections: Any, axis: int = 0) -> list[_Symbol]:
    """Splits an array along an axis."""

def sqrt(x: Any, out: Any = None, **kwargs: Any) -> _Symbol:
    """Returns the square root of each element."""

def square(x: Any, out: Any = None, **kwargs: Any) -> _Symbol:
    """Returns the square of each element."""

def squeeze(
    a: _Symbol | None = None,
    axis: int | Sequence[int | None] | None = None,
    *,
    name: str | None = None,
    attr: Mapping[str, str] | None = None,
) -> _Symbol:
    """Removes axes of size one."""

def stack(arrays: Sequence[Any], axis: int = 0, out: Any = None) -> _Symbol:
    """Joins arrays of one shape along a new axis."""

def std(
    a: Any,
    axis: Any = None,
    dtype: Any = None,
    out: Any = None,
    ddof: int = 0,
    keepdims: bool = False,
) -> _Symbol:
    """Returns the standard deviation of elements over axes."""

def subtract(x1: Any, x2: Any, out: Any = None, **kwargs: Any) -> _Symbol:
    """Returns the difference `x1 - x2`."""

def sum(
    a: _Symbol | None = None,
    axis: int | Sequence[int | None] | None = None,
    dtype: Any = None,
    keepdims: bool = False,
    initial: float | None = None,
    *,
    name: str | None = None,
    attr: Mapping[str, str] | None = None,
) -> _Symbol:
    """Sums elements along axes."""

def swapaxes(a: Any, axis1: int, axis2: int) -> _Symbol:
    """Exchanges two axes."""

def take(
    a: Any,
    indices: Any,
    axis: int | None = None,
    mode: str = 'raise',
    out: Any = None,
) -> _Symbol:
    """Picks elements or slices along an axis."""

def tan(x: Any, out: Any = None, **kwargs: Any) -> _Symbol:
    """Returns the tangent of each element."""

def tanh(x: Any, out: Any = None, **kwargs: Any) -> _Symbol:
    """Returns the hyperbolic tangent of each element."""

def tensordot(a: Any, b: Any, axes: Any = 2) -> _Symbol:
    """Multiplies two arrays and sums over axes."""

def tile(A: Any, reps: Any) -> _Symbol:
    """Repeats the whole array along its axes."""

def trace(
    data: _Symbol | None = None,
    offset: int = 0,
    axis1: int = 0,
    axis2: int = 1,
    *,
    name: str | None = None,
    attr: Mapping[str, str] | None = None,
) -> _Symbol:
    """Adds a diagonal of matrices up, in the type of the elements."""

def transpose(
    a: _Symbol | None = None,
    axes: int | Sequence[int | None] | None = None,
    *,
    name: str | None = None,
    attr: Mapping[str, str] | None = None,
) -> _Symbol:
    """Permutes the axes."""

def tril(m: Any, k: int = 0) -> _Symbol:
    """Returns matrices with zeros above a diagonal; a vector counts as all rows of a matrix."""

def true_divide(x1: Any, x2: Any, out: Any = None, **kwargs: Any) -> _Symbol:
    """Returns the quotient `x1 / x2`, which is a floating-point number."""

def trunc(x: Any, out: Any = None, **kwargs: Any) -> _Symbol:
    """Drops the fraction of each element."""

@overload
def unique(
    ar: Any,
    return_index: Literal[False] = False,
    return_inverse: Literal[False] = False,
    return_counts: Literal[False] = False,
    axis: int | None = None,
) -> _Symbol:
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

def unravel_index(indices: Any, shape: Any, order: str = 'C') -> tuple[_Symbol, ...]:
    """Converts positions in the flattened array into coordinates, one array for each axis."""

def var(
    a: Any,
    axis: Any = None,
    dtype: Any = None,
    out: Any = None,
    ddof: int = 0,
    keepdims: bool = False,
) -> _Symbol:
    """Returns the variance of elements over axes."""

def vdot(a: Any, b: Any) -> _Symbol:
    """Multiplies the elements of two arrays in order, and sums all up."""

def vsplit(ary: Any, indices_or_sections: Any) -> list[_Symbol]:
    """Splits an array along its first axis."""

def vstack(arrays: Sequence[Any], out: Any = None) -> _Symbol:
    """Joins arrays along the first axis, vectors as rows."""

def where(condition: Any, x: Any = None, y: Any = None) -> _Symbol:
    """Picks from `x` where a condition is not zero and from `y` elsewhere."""

def zeros(shape: Any, dtype: Any = None, order: str = 'C', ctx: Any = None) -> _Symbol:
    """Makes an array of zeros."""

def zeros_like(
    a: Any,
    dtype: Any = None,
    order: str = 'C',
    ctx: Any = None,
    out: Any = None,
) -> _Symbol:
    """Makes an array of zeros of the shape of another."""

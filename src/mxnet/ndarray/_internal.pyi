"""Written by `make stubs`; do not edit."""

from collections.abc import Sequence
from typing import Any

from mxnet.ndarray._ndarray import NDArray


def _Div(
    lhs: NDArray,
    rhs: NDArray,
    *,
    out: NDArray | None = None,
    name: str | None = None,
) -> NDArray:
    """Divides the first array by the second, of the same shape; integers round towards zero."""

def _DivScalar(
    data: NDArray,
    scalar: float = 1.0,
    is_int: bool = True,
    *,
    out: NDArray | None = None,
    name: str | None = None,
) -> NDArray:
    """Divides an array by a number; integers round towards zero."""

def _Equal(
    lhs: NDArray,
    rhs: NDArray,
    *,
    out: NDArray | None = None,
    name: str | None = None,
) -> NDArray:
    """Tests whether an element equals its counterpart in the other array."""

def _EqualScalar(
    data: NDArray,
    scalar: float = 1.0,
    is_int: bool = True,
    *,
    out: NDArray | None = None,
    name: str | None = None,
) -> NDArray:
    """Tests whether an element equals a number."""

def _Greater(
    lhs: NDArray,
    rhs: NDArray,
    *,
    out: NDArray | None = None,
    name: str | None = None,
) -> NDArray:
    """Tests whether an element is greater than its counterpart in the other array."""

def _GreaterEqualScalar(
    data: NDArray,
    scalar: float = 1.0,
    is_int: bool = True,
    *,
    out: NDArray | None = None,
    name: str | None = None,
) -> NDArray:
    """Tests whether an element is at least a number."""

def _GreaterScalar(
    data: NDArray,
    scalar: float = 1.0,
    is_int: bool = True,
    *,
    out: NDArray | None = None,
    name: str | None = None,
) -> NDArray:
    """Tests whether an element is greater than a number."""

def _Greater_Equal(
    lhs: NDArray,
    rhs: NDArray,
    *,
    out: NDArray | None = None,
    name: str | None = None,
) -> NDArray:
    """Tests whether an element is at least its counterpart in the other array."""

def _Hypot(
    lhs: NDArray,
    rhs: NDArray,
    *,
    out: NDArray | None = None,
    name: str | None = None,
) -> NDArray:
    """Returns the hypotenuse of a right triangle from its legs."""

def _HypotScalar(
    data: NDArray,
    scalar: float = 1.0,
    is_int: bool = True,
    *,
    out: NDArray | None = None,
    name: str | None = None,
) -> NDArray:
    """Returns the hypotenuse of a right triangle from an array and a number, its legs."""

def _Lesser(
    lhs: NDArray,
    rhs: NDArray,
    *,
    out: NDArray | None = None,
    name: str | None = None,
) -> NDArray:
    """Tests whether an element is less than its counterpart in the other array."""

def _LesserEqualScalar(
    data: NDArray,
    scalar: float = 1.0,
    is_int: bool = True,
    *,
    out: NDArray | None = None,
    name: str | None = None,
) -> NDArray:
    """Tests whether an element is at most a number."""

def _LesserScalar(
    data: NDArray,
    scalar: float = 1.0,
    is_int: bool = True,
    *,
    out: NDArray | None = None,
    name: str | None = None,
) -> NDArray:
    """Tests whether an element is less than a number."""

def _Lesser_Equal(
    lhs: NDArray,
    rhs: NDArray,
    *,
    out: NDArray | None = None,
    name: str | None = None,
) -> NDArray:
    """Tests whether an element is at most its counterpart in the other array."""

def _LogicalAndScalar(
    data: NDArray,
    scalar: float = 1.0,
    is_int: bool = True,
    *,
    out: NDArray | None = None,
    name: str | None = None,
) -> NDArray:
    """Tests whether both an element and a number are other than zero."""

def _LogicalOrScalar(
    data: NDArray,
    scalar: float = 1.0,
    is_int: bool = True,
    *,
    out: NDArray | None = None,
    name: str | None = None,
) -> NDArray:
    """Tests whether an element or a number is other than zero."""

def _LogicalXorScalar(
    data: NDArray,
    scalar: float = 1.0,
    is_int: bool = True,
    *,
    out: NDArray | None = None,
    name: str | None = None,
) -> NDArray:
    """Tests whether just one of an element and a number is other than zero."""

def _Logical_And(
    lhs: NDArray,
    rhs: NDArray,
    *,
    out: NDArray | None = None,
    name: str | None = None,
) -> NDArray:
    """Tests whether both an element and its counterpart in the other array are other than zero."""

def _Logical_Or(
    lhs: NDArray,
    rhs: NDArray,
    *,
    out: NDArray | None = None,
    name: str | None = None,
) -> NDArray:
    """Tests whether an element or its counterpart in the other array is other than zero."""

def _Logical_Xor(
    lhs: NDArray,
    rhs: NDArray,
    *,
    out: NDArray | None = None,
    name: str | None = None,
) -> NDArray:
    """Tests whether just one of an element and its counterpart in the other array is other than zero."""

def _Maximum(
    lhs: NDArray,
    rhs: NDArray,
    *,
    out: NDArray | None = None,
    name: str | None = None,
) -> NDArray:
    """Returns the larger of two elements."""

def _MaximumScalar(
    data: NDArray,
    scalar: float = 1.0,
    is_int: bool = True,
    *,
    out: NDArray | None = None,
    name: str | None = None,
) -> NDArray:
    """Returns the larger of an element and a number."""

def _Minimum(
    lhs: NDArray,
    rhs: NDArray,
    *,
    out: NDArray | None = None,
    name: str | None = None,
) -> NDArray:
    """Returns the smaller of two elements."""

def _MinimumScalar(
    data: NDArray,
    scalar: float = 1.0,
    is_int: bool = True,
    *,
    out: NDArray | None = None,
    name: str | None = None,
) -> NDArray:
    """Returns the smaller of an element and a number."""

def _Minus(
    lhs: NDArray,
    rhs: NDArray,
    *,
    out: NDArray | None = None,
    name: str | None = None,
) -> NDArray:
    """Subtracts the second array from the first, of the same shape."""

def _MinusScalar(
    data: NDArray,
    scalar: float = 1.0,
    is_int: bool = True,
    *,
    out: NDArray | None = None,
    name: str | None = None,
) -> NDArray:
    """Subtracts a number from an array."""

def _Mod(
    lhs: NDArray,
    rhs: NDArray,
    *,
    out: NDArray | None = None,
    name: str | None = None,
) -> NDArray:
    """Returns the remainder of a division, with the sign of the divisor."""

def _ModScalar(
    data: NDArray,
    scalar: float = 1.0,
    is_int: bool = True,
    *,
    out: NDArray | None = None,
    name: str | None = None,
) -> NDArray:
    """Returns the remainder of a division by a number, with the sign of the number."""

def _Mul(
    lhs: NDArray,
    rhs: NDArray,
    *,
    out: NDArray | None = None,
    name: str | None = None,
) -> NDArray:
    """Multiplies two arrays of one shape."""

def _MulScalar(
    data: NDArray,
    scalar: float = 1.0,
    is_int: bool = True,
    *,
    out: NDArray | None = None,
    name: str | None = None,
) -> NDArray:
    """Multiplies an array by a number."""

def _NotEqualScalar(
    data: NDArray,
    scalar: float = 1.0,
    is_int: bool = True,
    *,
    out: NDArray | None = None,
    name: str | None = None,
) -> NDArray:
    """Tests whether an element differs from a number."""

def _Not_Equal(
    lhs: NDArray,
    rhs: NDArray,
    *,
    out: NDArray | None = None,
    name: str | None = None,
) -> NDArray:
    """Tests whether an element differs from its counterpart in the other array."""

def _Plus(
    lhs: NDArray,
    rhs: NDArray,
    *,
    out: NDArray | None = None,
    name: str | None = None,
) -> NDArray:
    """Adds two arrays of one shape."""

def _PlusScalar(
    data: NDArray,
    scalar: float = 1.0,
    is_int: bool = True,
    *,
    out: NDArray | None = None,
    name: str | None = None,
) -> NDArray:
    """Adds a number to an array."""

def _Power(
    lhs: NDArray,
    rhs: NDArray,
    *,
    out: NDArray | None = None,
    name: str | None = None,
) -> NDArray:
    """Raises the first array to the powers in the second."""

def _PowerScalar(
    data: NDArray,
    scalar: float = 1.0,
    is_int: bool = True,
    *,
    out: NDArray | None = None,
    name: str | None = None,
) -> NDArray:
    """Raises an array to a power."""

def _RDivScalar(
    data: NDArray,
    scalar: float = 1.0,
    is_int: bool = True,
    *,
    out: NDArray | None = None,
    name: str | None = None,
) -> NDArray:
    """Divides a number by an array; integers round towards zero."""

def _RMinusScalar(
    data: NDArray,
    scalar: float = 1.0,
    is_int: bool = True,
    *,
    out: NDArray | None = None,
    name: str | None = None,
) -> NDArray:
    """Subtracts an array from a number."""

def _RModScalar(
    data: NDArray,
    scalar: float = 1.0,
    is_int: bool = True,
    *,
    out: NDArray | None = None,
    name: str | None = None,
) -> NDArray:
    """Returns the remainder of a number divided by an array, with the sign of the array."""

def _RPowerScalar(
    data: NDArray,
    scalar: float = 1.0,
    is_int: bool = True,
    *,
    out: NDArray | None = None,
    name: str | None = None,
) -> NDArray:
    """Raises a number to the powers in an array."""

def _adamw_update(
    weight: NDArray,
    grad: NDArray,
    mean: NDArray,
    var: NDArray,
    rescale_grad: NDArray,
    lr: float,
    beta1: float = 0.9,
    beta2: float = 0.999,
    epsilon: float = 1e-08,
    wd: float = 0.0,
    eta: float = ...,
    clip_gradient: float = -1.0,
    *,
    out: NDArray | None = None,
    name: str | None = None,
) -> NDArray:
    """Returns the weight after a step of Adam with the weight decay beside the gradient."""

_add = _Plus

def _arange(
    start: float,
    stop: float | None = None,
    step: float = 1.0,
    repeat: int = 1,
    infer_range: bool = False,
    ctx: str = '',
    dtype: Any = 'float32',
    *,
    out: NDArray | None = None,
    name: str | None = None,
) -> NDArray:
    """Creates evenly spaced values in `[start, stop)`."""

def _copy(data: NDArray, *, out: NDArray | None = None, name: str | None = None) -> NDArray:
    """Copies an array."""

def _crop_assign(
    lhs: NDArray,
    rhs: NDArray,
    begin: int | Sequence[int | None] | None,
    end: int | Sequence[int | None] | None,
    step: int | Sequence[int | None] | None = (),
    *,
    out: NDArray | None = None,
    name: str | None = None,
) -> NDArray:
    """Copies an array with a region of it replaced by another array."""

def _crop_assign_scalar(
    data: NDArray,
    scalar: float = 0.0,
    begin: int | Sequence[int | None] | None = ...,
    end: int | Sequence[int | None] | None = ...,
    step: int | Sequence[int | None] | None = (),
    *,
    out: NDArray | None = None,
    name: str | None = None,
) -> NDArray:
    """Copies an array with a region of it filled by a number."""

def _cvcopyMakeBorder(
    src: NDArray,
    top: int,
    bot: int,
    left: int,
    right: int,
    type: int = 0,
    value: float = 0.0,
    values: float | Sequence[float] = (),
    *,
    out: NDArray | None = None,
    name: str | None = None,
) -> NDArray:
    """Puts a border around an image."""

def _cvimresize(
    src: NDArray,
    w: int,
    h: int,
    interp: int = 1,
    *,
    out: NDArray | None = None,
    name: str | None = None,
) -> NDArray:
    """Scales one image to a width and a height."""

_div = _Div

_div_scalar = _DivScalar

_equal = _Equal

_equal_scalar = _EqualScalar

def _eye(
    N: int,
    M: int = 0,
    k: int = 0,
    ctx: str = '',
    dtype: Any = 'float32',
    *,
    out: NDArray | None = None,
    name: str | None = None,
) -> NDArray:
    """Creates a matrix with ones on a diagonal."""

def _full(
    shape: int | Sequence[int | None] | None = None,
    ctx: str = '',
    dtype: Any = 'float32',
    value: float = ...,
    *,
    out: NDArray | None = None,
    name: str | None = None,
) -> NDArray:
    """Creates an array filled with one value."""

def _grad_add(
    lhs: NDArray,
    rhs: NDArray,
    *,
    out: NDArray | None = None,
    name: str | None = None,
) -> NDArray:
    """Adds two gradients."""

_greater = _Greater

_greater_equal = _Greater_Equal

_greater_equal_scalar = _GreaterEqualScalar

_greater_scalar = _GreaterScalar

def _histogram(
    data: NDArray,
    bins: NDArray | None = None,
    bin_cnt: int | None = None,
    range: float | Sequence[float] | None = None,
    *,
    out: NDArray | Sequence[NDArray] | None = None,
    name: str | None = None,
) -> list[NDArray]:
    """Counts the elements that fall between consecutive edges; the last edge counts in."""

_hypot = _Hypot

_hypot_scalar = _HypotScalar

def _identity_with_attr_like_rhs(
    lhs: NDArray,
    rhs: NDArray,
    *,
    out: NDArray | None = None,
    name: str | None = None,
) -> NDArray:
    """Copies the first array, whose shape is that of the second."""

_lesser = _Lesser

_lesser_equal = _Lesser_Equal

_lesser_equal_scalar = _LesserEqualScalar

_lesser_scalar = _LesserScalar

def _linspace(
    start: float,
    stop: float,
    num: int,
    endpoint: bool = True,
    ctx: str = '',
    dtype: Any = 'float32',
    *,
    out: NDArray | None = None,
    name: str | None = None,
) -> NDArray:
    """Creates a given number of evenly spaced values."""

_logical_and = _Logical_And

_logical_and_scalar = _LogicalAndScalar

_logical_or = _Logical_Or

_logical_or_scalar = _LogicalOrScalar

_logical_xor = _Logical_Xor

_logical_xor_scalar = _LogicalXorScalar

_maximum = _Maximum

_maximum_scalar = _MaximumScalar

_minimum = _Minimum

_minimum_scalar = _MinimumScalar

_minus = _Minus

_minus_scalar = _MinusScalar

_mod = _Mod

_mod_scalar = _ModScalar

def _mp_adamw_update(
    weight: NDArray,
    grad: NDArray,
    mean: NDArray,
    var: NDArray,
    weight32: NDArray,
    rescale_grad: NDArray,
    lr: float,
    beta1: float = 0.9,
    beta2: float = 0.999,
    epsilon: float = 1e-08,
    wd: float = 0.0,
    eta: float = ...,
    clip_gradient: float = -1.0,
    *,
    out: NDArray | None = None,
    name: str | None = None,
) -> NDArray:
    """Does `_adamw_update` for a half precision weight by way of its master copy."""

_mul = _Mul

_mul_scalar = _MulScalar

def _multi_adamw_update(
    *data: NDArray,
    num_args: int = ...,
    lrs: float | Sequence[float] = ...,
    beta1: float = 0.9,
    beta2: float = 0.999,
    epsilon: float = 1e-08,
    wds: float | Sequence[float] = ...,
    etas: float | Sequence[float] = ...,
    clip_gradient: float = -1.0,
    num_weights: int = 1,
    out: NDArray | Sequence[NDArray] | None = None,
    name: str | None = None,
) -> Any:
    """Does `_adamw_update` for several weights."""

def _multi_lamb_update(
    *data: NDArray,
    num_args: int = ...,
    learning_rates: float | Sequence[float] = ...,
    beta1: float = 0.9,
    beta2: float = 0.999,
    epsilon: float = 1e-06,
    wds: float | Sequence[float] = ...,
    rescale_grad: float = 1.0,
    lower_bound: float = -1.0,
    upper_bound: float = -1.0,
    clip_gradient: float = -1.0,
    bias_correction: bool = True,
    step_count: int | Sequence[int] = ...,
    num_tensors: int = 1,
    out: NDArray | Sequence[NDArray] | None = None,
    name: str | None = None,
) -> Any:
    """Returns several weights after a step of LAMB, see `lamb_update_phase1`."""

def _multi_mp_adamw_update(
    *data: NDArray,
    num_args: int = ...,
    lrs: float | Sequence[float] = ...,
    beta1: float = 0.9,
    beta2: float = 0.999,
    epsilon: float = 1e-08,
    wds: float | Sequence[float] = ...,
    etas: float | Sequence[float] = ...,
    clip_gradient: float = -1.0,
    num_weights: int = 1,
    out: NDArray | Sequence[NDArray] | None = None,
    name: str | None = None,
) -> Any:
    """Does `_mp_adamw_update` for several weights."""

def _multi_mp_lamb_update(
    *data: NDArray,
    num_args: int = ...,
    learning_rates: float | Sequence[float] = ...,
    beta1: float = 0.9,
    beta2: float = 0.999,
    epsilon: float = 1e-06,
    wds: float | Sequence[float] = ...,
    rescale_grad: float = 1.0,
    lower_bound: float = -1.0,
    upper_bound: float = -1.0,
    clip_gradient: float = -1.0,
    bias_correction: bool = True,
    step_count: int | Sequence[int] = ...,
    num_tensors: int = 1,
    out: NDArray | Sequence[NDArray] | None = None,
    name: str | None = None,
) -> Any:
    """Does `_multi_lamb_update` for half precision weights by way of their master copies."""

_not_equal = _Not_Equal

_not_equal_scalar = _NotEqualScalar

def _np_all(
    data: NDArray,
    axis: int | Sequence[int | None] | None = None,
    keepdims: bool = False,
    *,
    out: NDArray | None = None,
    name: str | None = None,
) -> NDArray:
    """Tests whether all elements along axes are other than zero."""

def _np_amax(
    a: NDArray,
    axis: int | Sequence[int | None] | None = None,
    keepdims: bool = False,
    initial: float | None = None,
    *,
    out: NDArray | None = None,
    name: str | None = None,
) -> NDArray:
    """Returns the largest element along axes."""

def _np_amin(
    a: NDArray,
    axis: int | Sequence[int | None] | None = None,
    keepdims: bool = False,
    initial: float | None = None,
    *,
    out: NDArray | None = None,
    name: str | None = None,
) -> NDArray:
    """Returns the smallest element along axes."""

def _np_any(
    data: NDArray,
    axis: int | Sequence[int | None] | None = None,
    keepdims: bool = False,
    *,
    out: NDArray | None = None,
    name: str | None = None,
) -> NDArray:
    """Tests whether an element along axes is other than zero."""

def _np_atleast_1d(
    *arys: NDArray,
    num_args: int = ...,
    out: NDArray | Sequence[NDArray] | None = None,
    name: str | None = None,
) -> Any:
    """Returns arrays of 1 or more axes; a scalar becomes a vector of one element."""

def _np_atleast_2d(
    *arys: NDArray,
    num_args: int = ...,
    out: NDArray | Sequence[NDArray] | None = None,
    name: str | None = None,
) -> Any:
    """Returns arrays of 2 or more axes; axes of size one are added in front."""

def _np_atleast_3d(
    *arys: NDArray,
    num_args: int = ...,
    out: NDArray | Sequence[NDArray] | None = None,
    name: str | None = None,
) -> Any:
    """Returns arrays of 3 or more axes; a vector `(n,)` becomes `(1, n, 1)` and a matrix `(m, n)` `(m, n, 1)`."""

def _np_copy(a: NDArray, *, out: NDArray | None = None, name: str | None = None) -> NDArray:
    """Returns a copy."""

def _np_cumsum(
    a: NDArray,
    axis: int | None = None,
    dtype: Any = None,
    *,
    out: NDArray | None = None,
    name: str | None = None,
) -> NDArray:
    """Sums elements cumulatively along an axis."""

def _np_diag(
    data: NDArray,
    k: int = 0,
    *,
    out: NDArray | None = None,
    name: str | None = None,
) -> NDArray:
    """Takes a diagonal of a matrix, or builds the matrix that has a vector on its diagonal."""

def _np_diagflat(
    data: NDArray,
    k: int = 0,
    *,
    out: NDArray | None = None,
    name: str | None = None,
) -> NDArray:
    """Builds the matrix that has all elements of an array on its diagonal."""

def _np_diagonal(
    data: NDArray,
    offset: int = 0,
    axis1: int = 0,
    axis2: int = 1,
    *,
    out: NDArray | None = None,
    name: str | None = None,
) -> NDArray:
    """Takes a diagonal of matrices, as the last axis of the result."""

def _np_dot(
    a: NDArray,
    b: NDArray,
    *,
    out: NDArray | None = None,
    name: str | None = None,
) -> NDArray:
    """Multiplies two arrays over the last axis of the first and the last but one of the second."""

_np_max = _np_amax

_np_min = _np_amin

def _np_moveaxis(
    a: NDArray,
    source: int | Sequence[int],
    destination: int | Sequence[int],
    *,
    out: NDArray | None = None,
    name: str | None = None,
) -> NDArray:
    """Moves axes to other positions; the others stay in their order."""

def _np_prod(
    a: NDArray,
    axis: int | Sequence[int | None] | None = None,
    dtype: Any = None,
    keepdims: bool = False,
    initial: float | None = None,
    *,
    out: NDArray | None = None,
    name: str | None = None,
) -> NDArray:
    """Multiplies elements along axes."""

_np_product = _np_prod

def _np_repeat(
    data: NDArray,
    repeats: int,
    axis: int | None = None,
    *,
    out: NDArray | None = None,
    name: str | None = None,
) -> NDArray:
    """Repeats each element."""

def _np_reshape(
    a: NDArray,
    newshape: int | Sequence[int],
    order: str = 'C',
    *,
    out: NDArray | None = None,
    name: str | None = None,
) -> NDArray:
    """Returns the same elements in another shape."""

def _np_roll(
    data: NDArray,
    shift: int | Sequence[int | None] | None = None,
    axis: int | Sequence[int | None] | None = None,
    *,
    out: NDArray | None = None,
    name: str | None = None,
) -> NDArray:
    """Moves elements along axes; those that leave at the end come in at the start."""

_np_sometrue = _np_any

def _np_squeeze(
    a: NDArray,
    axis: int | Sequence[int | None] | None = None,
    *,
    out: NDArray | None = None,
    name: str | None = None,
) -> NDArray:
    """Removes axes of size one."""

def _np_sum(
    a: NDArray,
    axis: int | Sequence[int | None] | None = None,
    dtype: Any = None,
    keepdims: bool = False,
    initial: float | None = None,
    *,
    out: NDArray | None = None,
    name: str | None = None,
) -> NDArray:
    """Sums elements along axes."""

def _np_trace(
    data: NDArray,
    offset: int = 0,
    axis1: int = 0,
    axis2: int = 1,
    *,
    out: NDArray | None = None,
    name: str | None = None,
) -> NDArray:
    """Adds a diagonal of matrices up, in the type of the elements."""

def _np_transpose(
    a: NDArray,
    axes: int | Sequence[int | None] | None = None,
    *,
    out: NDArray | None = None,
    name: str | None = None,
) -> NDArray:
    """Permutes the axes."""

def _npi_Custom(
    *data: NDArray,
    num_args: int = ...,
    op_type: str = ...,
    out: NDArray | Sequence[NDArray] | None = None,
    name: str | None = None,
    **kwargs: Any,
) -> Any:
    """Runs an operator written in Python and registered by `mx.operator.register`."""

def _npi_abs(x: NDArray, *, out: NDArray | None = None, name: str | None = None) -> NDArray:
    """Absolute value of each element."""

_npi_absolute = _npi_abs

def _npi_add(
    lhs: NDArray,
    rhs: NDArray,
    *,
    out: NDArray | None = None,
    name: str | None = None,
) -> NDArray:
    """Adds two arrays, broadcasting them."""

def _npi_add_scalar(
    data: NDArray,
    scalar: float = 1.0,
    is_int: bool = True,
    *,
    out: NDArray | None = None,
    name: str | None = None,
) -> NDArray:
    """Adds a number to an array."""

def _npi_arange(
    start: float,
    stop: float | None = None,
    step: float = 1.0,
    repeat: int = 1,
    infer_range: bool = False,
    ctx: str = '',
    dtype: Any = 'float32',
    *,
    out: NDArray | None = None,
    name: str | None = None,
) -> NDArray:
    """Creates evenly spaced values in `[start, stop)`, none if the step leads away from the stop."""

def _npi_arccos(x: NDArray, *, out: NDArray | None = None, name: str | None = None) -> NDArray:
    """Inverse cosine, between 0 and pi."""

def _npi_arccosh(x: NDArray, *, out: NDArray | None = None, name: str | None = None) -> NDArray:
    """Inverse hyperbolic cosine."""

def _npi_arcsin(x: NDArray, *, out: NDArray | None = None, name: str | None = None) -> NDArray:
    """Inverse sine, between -pi/2 and pi/2."""

def _npi_arcsinh(x: NDArray, *, out: NDArray | None = None, name: str | None = None) -> NDArray:
    """Inverse hyperbolic sine."""

def _npi_arctan(x: NDArray, *, out: NDArray | None = None, name: str | None = None) -> NDArray:
    """Inverse tangent, between -pi/2 and pi/2."""

def _npi_arctan2(
    x1: NDArray,
    x2: NDArray,
    *,
    out: NDArray | None = None,
    name: str | None = None,
) -> NDArray:
    """Returns the angle of the point whose height and width two arrays give, broadcast."""

def _npi_arctan2_scalar(
    data: NDArray,
    scalar: float = 1.0,
    is_int: bool = True,
    *,
    out: NDArray | None = None,
    name: str | None = None,
) -> NDArray:
    """Returns the angle of a point whose height is in an array and whose width is a number."""

def _npi_arctanh(x: NDArray, *, out: NDArray | None = None, name: str | None = None) -> NDArray:
    """Inverse hyperbolic tangent."""

def _npi_argmax(
    data: NDArray,
    axis: int | None = None,
    keepdims: bool = False,
    *,
    out: NDArray | None = None,
    name: str | None = None,
) -> NDArray:
    """Returns the index of the largest element along an axis, as int64."""

def _npi_argmin(
    data: NDArray,
    axis: int | None = None,
    keepdims: bool = False,
    *,
    out: NDArray | None = None,
    name: str | None = None,
) -> NDArray:
    """Returns the index of the smallest element along an axis, as int64."""

def _npi_argsort(
    data: NDArray,
    axis: int | None = -1,
    is_ascend: bool = True,
    dtype: Any = 'float32',
    *,
    out: NDArray | None = None,
    name: str | None = None,
) -> NDArray:
    """Returns the indices that sort along an axis; equal elements keep their order."""

def _npi_around(
    x: NDArray,
    decimals: int = 0,
    *,
    out: NDArray | None = None,
    name: str | None = None,
) -> NDArray:
    """Rounds each element to a number of decimals, halves to the even neighbour."""

def _npi_average(
    a: NDArray,
    weights: NDArray | None = None,
    axis: int | Sequence[int | None] | None = None,
    returned: bool = False,
    weighted: bool = True,
    *,
    out: NDArray | Sequence[NDArray] | None = None,
    name: str | None = None,
) -> Any:
    """Averages elements along axes, each with its weight."""

def _npi_bernoulli(
    input1: NDArray | None = None,
    prob: float | None = ...,
    logit: float | None = ...,
    size: int | Sequence[int | None] | None = None,
    ctx: str = '',
    dtype: Any = 'float32',
    is_logit: bool = ...,
    *,
    out: NDArray | None = None,
    name: str | None = None,
) -> NDArray:
    """Draws ones, and zeros otherwise."""

def _npi_bincount(
    data: NDArray,
    weights: NDArray | None = None,
    minlength: int = 0,
    has_weights: bool = False,
    *,
    out: NDArray | None = None,
    name: str | None = None,
) -> NDArray:
    """Counts how often each number occurs."""

def _npi_bitwise_and(
    lhs: NDArray,
    rhs: NDArray,
    *,
    out: NDArray | None = None,
    name: str | None = None,
) -> NDArray:
    """Joins the bits of an element and its counterpart in the other array, broadcasting them by `and`."""

def _npi_bitwise_and_scalar(
    data: NDArray,
    scalar: float = 1.0,
    is_int: bool = True,
    *,
    out: NDArray | None = None,
    name: str | None = None,
) -> NDArray:
    """Joins the bits of an element and a number by `and`."""

def _npi_bitwise_not(x: NDArray, *, out: NDArray | None = None, name: str | None = None) -> NDArray:
    """Inverts the bits of each element; of bool it is the logical negation."""

def _npi_bitwise_or(
    lhs: NDArray,
    rhs: NDArray,
    *,
    out: NDArray | None = None,
    name: str | None = None,
) -> NDArray:
    """Joins the bits of an element and its counterpart in the other array, broadcasting them by `or`."""

def _npi_bitwise_or_scalar(
    data: NDArray,
    scalar: float = 1.0,
    is_int: bool = True,
    *,
    out: NDArray | None = None,
    name: str | None = None,
) -> NDArray:
    """Joins the bits of an element and a number by `or`."""

def _npi_bitwise_xor(
    lhs: NDArray,
    rhs: NDArray,
    *,
    out: NDArray | None = None,
    name: str | None = None,
) -> NDArray:
    """Joins the bits of an element and its counterpart in the other array, broadcasting them by an exclusive `or`."""

def _npi_bitwise_xor_scalar(
    data: NDArray,
    scalar: float = 1.0,
    is_int: bool = True,
    *,
    out: NDArray | None = None,
    name: str | None = None,
) -> NDArray:
    """Joins the bits of an element and a number by an exclusive `or`."""

def _npi_blackman(
    M: int | None = None,
    ctx: str = '',
    dtype: Any = 'float32',
    *,
    out: NDArray | None = None,
    name: str | None = None,
) -> NDArray:
    """Creates a Blackman window."""

def _npi_boolean_mask(
    data: NDArray,
    index: NDArray,
    axis: int = 0,
    *,
    out: NDArray | None = None,
    name: str | None = None,
) -> NDArray:
    """Keeps the rows whose entry in a mask is not zero."""

def _npi_boolean_mask_assign_scalar(
    data: NDArray,
    mask: NDArray,
    value: float = 0.0,
    start_axis: int = 0,
    *,
    out: NDArray | None = None,
    name: str | None = None,
) -> NDArray:
    """Copies an array with a number in place of what a mask names."""

def _npi_boolean_mask_assign_tensor(
    data: NDArray,
    mask: NDArray,
    value: NDArray,
    start_axis: int = 0,
    *,
    out: NDArray | None = None,
    name: str | None = None,
) -> NDArray:
    """Copies an array with the elements of another in place of what a mask names."""

def _npi_broadcast_to(
    array: NDArray,
    shape: int | Sequence[int] = (),
    *,
    out: NDArray | None = None,
    name: str | None = None,
) -> NDArray:
    """Repeats an array along new axes in front and along its axes of size one."""

def _npi_cast(
    data: NDArray,
    dtype: Any,
    *,
    out: NDArray | None = None,
    name: str | None = None,
) -> NDArray:
    """Converts an array to another element type."""

def _npi_cbrt(x: NDArray, *, out: NDArray | None = None, name: str | None = None) -> NDArray:
    """Cube root of each element."""

def _npi_ceil(x: NDArray, *, out: NDArray | None = None, name: str | None = None) -> NDArray:
    """Rounds each element up."""

def _npi_choice(
    input1: NDArray | None = None,
    input2: NDArray | None = None,
    a: int | None = ...,
    size: int | Sequence[int | None] | None = ...,
    ctx: str = '',
    replace: bool = True,
    weighted: bool = False,
    *,
    out: NDArray | None = None,
    name: str | None = None,
) -> NDArray:
    """Draws positions of elements."""

def _npi_cholesky(A: NDArray, *, out: NDArray | None = None, name: str | None = None) -> NDArray:
    """Computes the Cholesky factor of each matrix: a lower triangle `L` with ``A = L @ L.T``."""

def _npi_clip(
    data: NDArray,
    a_min: float,
    a_max: float,
    *,
    out: NDArray | None = None,
    name: str | None = None,
) -> NDArray:
    """Limits each element to the interval from `a_min` to `a_max`."""

def _npi_column_stack(
    *data: NDArray,
    num_args: int = ...,
    out: NDArray | None = None,
    name: str | None = None,
) -> NDArray:
    """Joins arrays along the second axis, vectors as columns."""

def _npi_concatenate(
    *data: NDArray,
    num_args: int = ...,
    axis: int | None = 0,
    out: NDArray | None = None,
    name: str | None = None,
) -> NDArray:
    """Joins arrays along an axis; their other axes have equal sizes."""

def _npi_copysign(
    lhs: NDArray,
    rhs: NDArray,
    *,
    out: NDArray | None = None,
    name: str | None = None,
) -> NDArray:
    """Returns the first array with the signs of the second, broadcasting them."""

def _npi_copysign_scalar(
    data: NDArray,
    scalar: float = 1.0,
    is_int: bool = True,
    *,
    out: NDArray | None = None,
    name: str | None = None,
) -> NDArray:
    """Returns an array with the sign of a number."""

def _npi_cos(x: NDArray, *, out: NDArray | None = None, name: str | None = None) -> NDArray:
    """Cosine of each element, in radians."""

def _npi_cosh(x: NDArray, *, out: NDArray | None = None, name: str | None = None) -> NDArray:
    """Hyperbolic cosine of each element."""

_npi_cvimresize = _cvimresize

def _npi_degrees(x: NDArray, *, out: NDArray | None = None, name: str | None = None) -> NDArray:
    """Converts radians to degrees."""

def _npi_delete(
    arr: NDArray,
    obj: NDArray | None = None,
    start: int | None = None,
    stop: int | None = None,
    step: int | None = None,
    int_ind: int | None = None,
    axis: int | None = None,
    *,
    out: NDArray | None = None,
    name: str | None = None,
) -> NDArray:
    """Leaves elements or slices along an axis out."""

def _npi_det(A: NDArray, *, out: NDArray | None = None, name: str | None = None) -> NDArray:
    """Computes the determinant of each matrix."""

def _npi_diag_indices_from(
    data: NDArray,
    *,
    out: NDArray | None = None,
    name: str | None = None,
) -> NDArray:
    """Returns the coordinates of the main diagonal, one row for each axis."""

def _npi_diff(
    a: NDArray,
    n: int = 1,
    axis: int = -1,
    *,
    out: NDArray | None = None,
    name: str | None = None,
) -> NDArray:
    """Subtracts from each element the one before it along an axis."""

def _npi_dsplit(
    data: NDArray,
    indices: int | Sequence[int],
    axis: int = 1,
    squeeze_axis: bool = False,
    sections: int = 0,
    *,
    out: NDArray | Sequence[NDArray] | None = None,
    name: str | None = None,
) -> Any:
    """Splits an array along its third axis."""

def _npi_dstack(
    *data: NDArray,
    num_args: int = ...,
    dim: int = 1,
    out: NDArray | None = None,
    name: str | None = None,
) -> NDArray:
    """Joins arrays along the third axis; a vector `(n,)` counts as `(1, n, 1)`."""

def _npi_ediff1d(
    input1: NDArray,
    input2: NDArray | None = None,
    input3: NDArray | None = None,
    to_begin_arr_given: bool = False,
    to_end_arr_given: bool = False,
    to_begin_scalar: float | None = None,
    to_end_scalar: float | None = None,
    *,
    out: NDArray | None = None,
    name: str | None = None,
) -> NDArray:
    """Subtracts from each element of the flattened array the one before it."""

def _npi_eig(
    A: NDArray,
    *,
    out: NDArray | Sequence[NDArray] | None = None,
    name: str | None = None,
) -> list[NDArray]:
    """Computes eigenvalues and eigenvectors of each matrix, which must be real."""

def _npi_eigh(
    A: NDArray,
    UPLO: str = 'L',
    *,
    out: NDArray | Sequence[NDArray] | None = None,
    name: str | None = None,
) -> list[NDArray]:
    """Computes eigenvalues, ascending, and eigenvectors of each symmetric matrix."""

def _npi_eigvals(A: NDArray, *, out: NDArray | None = None, name: str | None = None) -> NDArray:
    """Computes the eigenvalues of each matrix, which must be real."""

def _npi_eigvalsh(
    A: NDArray,
    UPLO: str = 'L',
    *,
    out: NDArray | None = None,
    name: str | None = None,
) -> NDArray:
    """Computes the eigenvalues of each symmetric matrix, ascending."""

def _npi_einsum(
    *data: NDArray,
    num_args: int = ...,
    subscripts: str = '',
    optimize: int = 0,
    out: NDArray | None = None,
    name: str | None = None,
) -> NDArray:
    """Multiplies arrays and sums over the axes whose label is not one of the result's."""

def _npi_equal(
    lhs: NDArray,
    rhs: NDArray,
    *,
    out: NDArray | None = None,
    name: str | None = None,
) -> NDArray:
    """Tests whether an element equals its counterpart in the other array."""

def _npi_equal_scalar(
    data: NDArray,
    scalar: float = 1.0,
    is_int: bool = True,
    *,
    out: NDArray | None = None,
    name: str | None = None,
) -> NDArray:
    """Tests whether an element equals a number."""

def _npi_exp(x: NDArray, *, out: NDArray | None = None, name: str | None = None) -> NDArray:
    """Exponential of each element."""

def _npi_expand_dims(
    data: NDArray,
    axis: int,
    *,
    out: NDArray | None = None,
    name: str | None = None,
) -> NDArray:
    """Inserts an axis of size one."""

def _npi_expm1(x: NDArray, *, out: NDArray | None = None, name: str | None = None) -> NDArray:
    """Exponential minus one, precise for small elements."""

def _npi_exponential(
    input1: NDArray | None = None,
    scale: float | None = 1.0,
    size: int | Sequence[int | None] | None = None,
    ctx: str = '',
    *,
    out: NDArray | None = None,
    name: str | None = None,
) -> NDArray:
    """Draws from an exponential distribution, whose mean is `scale`."""

def _npi_eye(
    N: int,
    M: int | None = None,
    k: int = 0,
    ctx: str = '',
    dtype: Any = 'float32',
    *,
    out: NDArray | None = None,
    name: str | None = None,
) -> NDArray:
    """Creates a matrix with ones on a diagonal."""

def _npi_fix(x: NDArray, *, out: NDArray | None = None, name: str | None = None) -> NDArray:
    """Rounds each element towards zero, as `trunc` does."""

def _npi_flip(
    data: NDArray,
    axis: int | Sequence[int | None] | None,
    *,
    out: NDArray | None = None,
    name: str | None = None,
) -> NDArray:
    """Reverses the order of the elements along axes."""

def _npi_floor(x: NDArray, *, out: NDArray | None = None, name: str | None = None) -> NDArray:
    """Rounds each element down."""

_npi_full = _full

def _npi_full_like(
    a: NDArray,
    fill_value: float,
    ctx: str = '',
    dtype: Any = None,
    *,
    out: NDArray | None = None,
    name: str | None = None,
) -> NDArray:
    """Creates an array of the shape of another, filled with one value."""

def _npi_gamma(
    input1: NDArray | None = None,
    input2: NDArray | None = None,
    shape: float | None = ...,
    scale: float | None = ...,
    size: int | Sequence[int | None] | None = None,
    ctx: str = '',
    dtype: Any = 'float32',
    *,
    out: NDArray | None = None,
    name: str | None = None,
) -> NDArray:
    """Draws from a gamma distribution, whose mean is `shape * scale`."""

def _npi_gather_nd(
    data: NDArray,
    indices: NDArray,
    *,
    out: NDArray | None = None,
    name: str | None = None,
) -> NDArray:
    """Picks elements or slices by their coordinates."""

def _npi_greater(
    lhs: NDArray,
    rhs: NDArray,
    *,
    out: NDArray | None = None,
    name: str | None = None,
) -> NDArray:
    """Tests whether an element is greater than its counterpart in the other array."""

def _npi_greater_equal(
    lhs: NDArray,
    rhs: NDArray,
    *,
    out: NDArray | None = None,
    name: str | None = None,
) -> NDArray:
    """Tests whether an element is at least its counterpart in the other array."""

def _npi_greater_equal_scalar(
    data: NDArray,
    scalar: float = 1.0,
    is_int: bool = True,
    *,
    out: NDArray | None = None,
    name: str | None = None,
) -> NDArray:
    """Tests whether an element is at least a number."""

def _npi_greater_scalar(
    data: NDArray,
    scalar: float = 1.0,
    is_int: bool = True,
    *,
    out: NDArray | None = None,
    name: str | None = None,
) -> NDArray:
    """Tests whether an element is greater than a number."""

def _npi_gumbel(
    input1: NDArray | None = None,
    input2: NDArray | None = None,
    loc: float | None = ...,
    scale: float | None = ...,
    size: int | Sequence[int | None] | None = None,
    ctx: str = '',
    *,
    out: NDArray | None = None,
    name: str | None = None,
) -> NDArray:
    """Draws from a Gumbel distribution."""

def _npi_hamming(
    M: int | None = None,
    ctx: str = '',
    dtype: Any = 'float32',
    *,
    out: NDArray | None = None,
    name: str | None = None,
) -> NDArray:
    """Creates a Hamming window."""

def _npi_hanning(
    M: int | None = None,
    ctx: str = '',
    dtype: Any = 'float32',
    *,
    out: NDArray | None = None,
    name: str | None = None,
) -> NDArray:
    """Creates a Hann window."""

_npi_histogram = _histogram

def _npi_hsplit(
    data: NDArray,
    indices: int | Sequence[int],
    axis: int = 1,
    squeeze_axis: bool = False,
    sections: int = 0,
    *,
    out: NDArray | Sequence[NDArray] | None = None,
    name: str | None = None,
) -> Any:
    """Splits an array along its second axis, a vector along its only one."""

def _npi_hstack(
    *data: NDArray,
    num_args: int = ...,
    dim: int = 1,
    out: NDArray | None = None,
    name: str | None = None,
) -> NDArray:
    """Joins arrays along the second axis, vectors along their only one."""

def _npi_hypot(
    x1: NDArray,
    x2: NDArray,
    *,
    out: NDArray | None = None,
    name: str | None = None,
) -> NDArray:
    """Returns the hypotenuse of a right triangle from its legs, broadcasting the arrays."""

_npi_hypot_scalar = _HypotScalar

def _npi_identity(
    shape: int | Sequence[int] = (),
    ctx: str = '',
    dtype: Any = 'float32',
    *,
    out: NDArray | None = None,
    name: str | None = None,
) -> NDArray:
    """Creates a square matrix with ones on its diagonal."""

def _npi_indices(
    dimensions: int | Sequence[int],
    dtype: Any = 'int32',
    ctx: str = '',
    *,
    out: NDArray | None = None,
    name: str | None = None,
) -> NDArray:
    """Creates the coordinates of every element of a grid, one array for each axis."""

def _npi_insert_scalar(
    arr: NDArray,
    values: NDArray | None = None,
    val: float | None = None,
    start: int | None = None,
    stop: int | None = None,
    step: int | None = None,
    int_ind: int | None = None,
    axis: int | None = None,
    *,
    out: NDArray | None = None,
    name: str | None = None,
) -> NDArray:
    """Inserts values before one position."""

def _npi_insert_slice(
    arr: NDArray,
    values: NDArray | None = None,
    val: float | None = None,
    start: int | None = None,
    stop: int | None = None,
    step: int | None = None,
    int_ind: int | None = None,
    axis: int | None = None,
    *,
    out: NDArray | None = None,
    name: str | None = None,
) -> NDArray:
    """Inserts values before the positions of a range."""

def _npi_insert_tensor(
    arr: NDArray,
    values: NDArray | None = None,
    obj: NDArray | None = None,
    val: float | None = None,
    start: int | None = None,
    stop: int | None = None,
    step: int | None = None,
    int_ind: int | None = None,
    axis: int | None = None,
    *,
    out: NDArray | None = None,
    name: str | None = None,
) -> NDArray:
    """Inserts values before positions that an array names."""

def _npi_inv(A: NDArray, *, out: NDArray | None = None, name: str | None = None) -> NDArray:
    """Inverts each matrix."""

def _npi_isfinite(x: NDArray, *, out: NDArray | None = None, name: str | None = None) -> NDArray:
    """Tests whether an element is neither infinite nor nan."""

def _npi_isinf(x: NDArray, *, out: NDArray | None = None, name: str | None = None) -> NDArray:
    """Tests whether an element is infinite."""

def _npi_isnan(x: NDArray, *, out: NDArray | None = None, name: str | None = None) -> NDArray:
    """Tests whether an element is nan."""

def _npi_isneginf(x: NDArray, *, out: NDArray | None = None, name: str | None = None) -> NDArray:
    """Tests whether an element is negative infinity."""

def _npi_isposinf(x: NDArray, *, out: NDArray | None = None, name: str | None = None) -> NDArray:
    """Tests whether an element is positive infinity."""

def _npi_lcm(
    lhs: NDArray,
    rhs: NDArray,
    *,
    out: NDArray | None = None,
    name: str | None = None,
) -> NDArray:
    """Returns the least common multiple of an element and its counterpart in the other array, broadcasting them."""

def _npi_lcm_scalar(
    data: NDArray,
    scalar: float = 1.0,
    is_int: bool = True,
    *,
    out: NDArray | None = None,
    name: str | None = None,
) -> NDArray:
    """Returns the least common multiple of an element and a number."""

def _npi_ldexp(
    lhs: NDArray,
    rhs: NDArray,
    *,
    out: NDArray | None = None,
    name: str | None = None,
) -> NDArray:
    """Multiplies the first array by the powers of two in the second, broadcasting them."""

def _npi_ldexp_scalar(
    data: NDArray,
    scalar: float = 1.0,
    is_int: bool = True,
    *,
    out: NDArray | None = None,
    name: str | None = None,
) -> NDArray:
    """Multiplies an array by a power of two."""

def _npi_less(
    lhs: NDArray,
    rhs: NDArray,
    *,
    out: NDArray | None = None,
    name: str | None = None,
) -> NDArray:
    """Tests whether an element is less than its counterpart in the other array."""

def _npi_less_equal(
    lhs: NDArray,
    rhs: NDArray,
    *,
    out: NDArray | None = None,
    name: str | None = None,
) -> NDArray:
    """Tests whether an element is at most its counterpart in the other array."""

def _npi_less_equal_scalar(
    data: NDArray,
    scalar: float = 1.0,
    is_int: bool = True,
    *,
    out: NDArray | None = None,
    name: str | None = None,
) -> NDArray:
    """Tests whether an element is at most a number."""

def _npi_less_scalar(
    data: NDArray,
    scalar: float = 1.0,
    is_int: bool = True,
    *,
    out: NDArray | None = None,
    name: str | None = None,
) -> NDArray:
    """Tests whether an element is less than a number."""

_npi_linspace = _linspace

def _npi_log(x: NDArray, *, out: NDArray | None = None, name: str | None = None) -> NDArray:
    """Natural logarithm of each element."""

def _npi_log10(x: NDArray, *, out: NDArray | None = None, name: str | None = None) -> NDArray:
    """Logarithm to base 10."""

def _npi_log1p(x: NDArray, *, out: NDArray | None = None, name: str | None = None) -> NDArray:
    """Logarithm of one plus each element, precise for small elements."""

def _npi_log2(x: NDArray, *, out: NDArray | None = None, name: str | None = None) -> NDArray:
    """Logarithm to base 2."""

def _npi_logical_not(x: NDArray, *, out: NDArray | None = None, name: str | None = None) -> NDArray:
    """Tests whether an element is zero."""

def _npi_logistic(
    input1: NDArray | None = None,
    input2: NDArray | None = None,
    loc: float | None = ...,
    scale: float | None = ...,
    size: int | Sequence[int | None] | None = None,
    ctx: str = '',
    *,
    out: NDArray | None = None,
    name: str | None = None,
) -> NDArray:
    """Draws from a logistic distribution."""

def _npi_logspace(
    start: float,
    stop: float,
    num: int,
    endpoint: bool = True,
    base: float = 10.0,
    ctx: str = '',
    dtype: Any = 'float32',
    *,
    out: NDArray | None = None,
    name: str | None = None,
) -> NDArray:
    """Creates powers of a number whose exponents are evenly spaced."""

def _npi_matmul(
    a: NDArray,
    b: NDArray,
    *,
    out: NDArray | None = None,
    name: str | None = None,
) -> NDArray:
    """Multiplies matrices or stacks of them, which broadcast against each other."""

def _npi_maximum(
    lhs: NDArray,
    rhs: NDArray,
    *,
    out: NDArray | None = None,
    name: str | None = None,
) -> NDArray:
    """Returns the larger of two elements, broadcasting arrays."""

_npi_maximum_scalar = _MaximumScalar

def _npi_mean(
    a: NDArray,
    axis: int | Sequence[int | None] | None = None,
    dtype: Any = None,
    keepdims: bool = False,
    initial: float | None = None,
    *,
    out: NDArray | None = None,
    name: str | None = None,
) -> NDArray:
    """Averages elements along axes."""

def _npi_minimum(
    lhs: NDArray,
    rhs: NDArray,
    *,
    out: NDArray | None = None,
    name: str | None = None,
) -> NDArray:
    """Returns the smaller of two elements, broadcasting arrays."""

_npi_minimum_scalar = _MinimumScalar

def _npi_mod(
    lhs: NDArray,
    rhs: NDArray,
    *,
    out: NDArray | None = None,
    name: str | None = None,
) -> NDArray:
    """Returns the remainder of a division, with the divisor's sign, broadcasting the arrays."""

def _npi_mod_scalar(
    data: NDArray,
    scalar: float = 1.0,
    is_int: bool = True,
    *,
    out: NDArray | None = None,
    name: str | None = None,
) -> NDArray:
    """Returns the remainder of a division by a number."""

def _npi_multinomial(
    a: NDArray | None = None,
    n: int = ...,
    pvals: float | Sequence[float] | None = None,
    size: int | Sequence[int | None] | None = None,
    *,
    out: NDArray | None = None,
    name: str | None = None,
) -> NDArray:
    """Counts how often each category is drawn in a number of trials."""

def _npi_multiply(
    lhs: NDArray,
    rhs: NDArray,
    *,
    out: NDArray | None = None,
    name: str | None = None,
) -> NDArray:
    """Multiplies two arrays, broadcasting them."""

def _npi_multiply_scalar(
    data: NDArray,
    scalar: float = 1.0,
    is_int: bool = True,
    *,
    out: NDArray | None = None,
    name: str | None = None,
) -> NDArray:
    """Multiplies an array by a number."""

def _npi_nan_to_num(
    data: NDArray,
    copy: bool = True,
    nan: float = 0.0,
    posinf: float | None = None,
    neginf: float | None = None,
    *,
    out: NDArray | None = None,
    name: str | None = None,
) -> NDArray:
    """Replaces nan and infinities by numbers."""

def _npi_negative(x: NDArray, *, out: NDArray | None = None, name: str | None = None) -> NDArray:
    """Negative of each element."""

def _npi_nonzero(x: NDArray, *, out: NDArray | None = None, name: str | None = None) -> NDArray:
    """Returns the coordinates of the elements that are not zero, one row for each."""

def _npi_norm(
    data: NDArray,
    ord: float = 2.0,
    axis: int | Sequence[int | None] | None = None,
    keepdims: bool = False,
    flag: int = -1,
    *,
    out: NDArray | None = None,
    name: str | None = None,
) -> NDArray:
    """Computes a norm of vectors or matrices."""

def _npi_normal(
    input1: NDArray | None = None,
    input2: NDArray | None = None,
    loc: float | None = ...,
    scale: float | None = ...,
    size: int | Sequence[int | None] | None = None,
    ctx: str = '',
    dtype: Any = 'float32',
    *,
    out: NDArray | None = None,
    name: str | None = None,
) -> NDArray:
    """Draws from a normal distribution."""

def _npi_normal_n(
    input1: NDArray | None = None,
    input2: NDArray | None = None,
    loc: float | None = ...,
    scale: float | None = ...,
    size: int | Sequence[int | None] | None = None,
    ctx: str = '',
    dtype: Any = 'float32',
    *,
    out: NDArray | None = None,
    name: str | None = None,
) -> NDArray:
    """Draws from a normal distribution, `size` times for each set of parameters."""

def _npi_not_equal(
    lhs: NDArray,
    rhs: NDArray,
    *,
    out: NDArray | None = None,
    name: str | None = None,
) -> NDArray:
    """Tests whether an element differs from its counterpart in the other array."""

def _npi_not_equal_scalar(
    data: NDArray,
    scalar: float = 1.0,
    is_int: bool = True,
    *,
    out: NDArray | None = None,
    name: str | None = None,
) -> NDArray:
    """Tests whether an element differs from a number."""

def _npi_ones(
    shape: int | Sequence[int] = (),
    ctx: str = '',
    dtype: Any = 'float32',
    *,
    out: NDArray | None = None,
    name: str | None = None,
) -> NDArray:
    """Creates an array of ones."""

def _npi_pad(
    data: NDArray,
    pad_width: str,
    mode: str = 'constant',
    constant_value: float = 0.0,
    reflect_type: str = 'even',
    *,
    out: NDArray | None = None,
    name: str | None = None,
) -> NDArray:
    """Puts a border around an array."""

def _npi_pareto(
    input1: NDArray | None = None,
    a: float | None = None,
    size: int | Sequence[int | None] | None = None,
    ctx: str = '',
    *,
    out: NDArray | None = None,
    name: str | None = None,
) -> NDArray:
    """Draws from a Lomax distribution (Pareto II) of scale 1."""

def _npi_percentile(
    a: NDArray,
    q: NDArray | None = None,
    axis: int | Sequence[int | None] | None = None,
    interpolation: str = 'linear',
    keepdims: bool = False,
    q_scalar: float | None = None,
    *,
    out: NDArray | None = None,
    name: str | None = None,
) -> NDArray:
    """Returns the elements below which shares of all elements along axes lie."""

def _npi_pinv(
    A: NDArray,
    rcond: NDArray,
    hermitian: bool = False,
    *,
    out: NDArray | None = None,
    name: str | None = None,
) -> NDArray:
    """Computes the pseudo-inverse of each matrix."""

def _npi_pinv_scalar_rcond(
    A: NDArray,
    rcond: float = 1e-15,
    hermitian: bool = False,
    *,
    out: NDArray | None = None,
    name: str | None = None,
) -> NDArray:
    """Computes the pseudo-inverse of each matrix."""

def _npi_polyval(
    p: NDArray,
    x: NDArray,
    *,
    out: NDArray | None = None,
    name: str | None = None,
) -> NDArray:
    """Computes a polynomial at each element."""

def _npi_power(
    lhs: NDArray,
    rhs: NDArray,
    *,
    out: NDArray | None = None,
    name: str | None = None,
) -> NDArray:
    """Raises the first array to the powers in the second, broadcasting them."""

def _npi_power_scalar(
    data: NDArray,
    scalar: float = 1.0,
    is_int: bool = True,
    *,
    out: NDArray | None = None,
    name: str | None = None,
) -> NDArray:
    """Raises an array to a power."""

def _npi_powerd(
    input1: NDArray | None = None,
    a: float | None = None,
    size: int | Sequence[int | None] | None = None,
    *,
    out: NDArray | None = None,
    name: str | None = None,
) -> NDArray:
    """Draws from a power distribution: a power `1 / a` of numbers that are uniform on `[0, 1)`."""

def _npi_radians(x: NDArray, *, out: NDArray | None = None, name: str | None = None) -> NDArray:
    """Converts degrees to radians."""

def _npi_random_randint(
    low: int,
    high: int,
    shape: int | Sequence[int],
    ctx: str = '',
    dtype: Any = None,
    *,
    out: NDArray | None = None,
    name: str | None = None,
) -> NDArray:
    """Draws whole numbers in `[low, high)`, all equally likely."""

def _npi_rarctan2_scalar(
    data: NDArray,
    scalar: float = 1.0,
    is_int: bool = True,
    *,
    out: NDArray | None = None,
    name: str | None = None,
) -> NDArray:
    """Returns the angle of a point whose height is a number and whose width is in an array."""

def _npi_rayleigh(
    input1: NDArray | None = None,
    scale: float | None = 1.0,
    size: int | Sequence[int | None] | None = None,
    ctx: str = '',
    *,
    out: NDArray | None = None,
    name: str | None = None,
) -> NDArray:
    """Draws from a Rayleigh distribution."""

def _npi_rcopysign_scalar(
    data: NDArray,
    scalar: float = 1.0,
    is_int: bool = True,
    *,
    out: NDArray | None = None,
    name: str | None = None,
) -> NDArray:
    """Returns a number with the signs of an array."""

def _npi_reciprocal(x: NDArray, *, out: NDArray | None = None, name: str | None = None) -> NDArray:
    """Reciprocal of each element."""

def _npi_reshape(
    a: NDArray,
    newshape: int | Sequence[int],
    reverse: bool = False,
    order: str = 'C',
    *,
    out: NDArray | None = None,
    name: str | None = None,
) -> NDArray:
    """Returns the same elements in another shape, which may copy sizes of the old one."""

def _npi_rint(x: NDArray, *, out: NDArray | None = None, name: str | None = None) -> NDArray:
    """Rounds each element to the nearest integer, halves down."""

def _npi_rldexp_scalar(
    data: NDArray,
    scalar: float = 1.0,
    is_int: bool = True,
    *,
    out: NDArray | None = None,
    name: str | None = None,
) -> NDArray:
    """Multiplies a number by the powers of two."""

def _npi_rmod_scalar(
    data: NDArray,
    scalar: float = 1.0,
    is_int: bool = True,
    *,
    out: NDArray | None = None,
    name: str | None = None,
) -> NDArray:
    """Returns the remainder of a number divided by an array."""

def _npi_rnn_param_concat(
    *data: NDArray,
    num_args: int = ...,
    dim: int = 1,
    out: NDArray | None = None,
    name: str | None = None,
) -> NDArray:
    """Joins the parameters of a recurrent layer, which files name apart from other arrays."""

def _npi_rot90(
    data: NDArray,
    k: int = 1,
    axes: int | Sequence[int | None] | None = None,
    *,
    out: NDArray | None = None,
    name: str | None = None,
) -> NDArray:
    """Rotates a plane of the array by right angles."""

def _npi_rpower_scalar(
    data: NDArray,
    scalar: float = 1.0,
    is_int: bool = True,
    *,
    out: NDArray | None = None,
    name: str | None = None,
) -> NDArray:
    """Raises a number to the powers in an array."""

def _npi_rsubtract_scalar(
    data: NDArray,
    scalar: float = 1.0,
    is_int: bool = True,
    *,
    out: NDArray | None = None,
    name: str | None = None,
) -> NDArray:
    """Subtracts an array from a number."""

def _npi_rtrue_divide_scalar(
    data: NDArray,
    scalar: float = 1.0,
    is_int: bool = True,
    *,
    out: NDArray | None = None,
    name: str | None = None,
) -> NDArray:
    """Divides a number by an array."""

def _npi_scatter_set_nd(
    lhs: NDArray,
    rhs: NDArray,
    indices: NDArray,
    shape: int | Sequence[int],
    *,
    out: NDArray | None = None,
    name: str | None = None,
) -> NDArray:
    """Returns an array with elements or slices replaced by their coordinates."""

def _npi_share_memory(
    a: NDArray,
    b: NDArray,
    *,
    out: NDArray | None = None,
    name: str | None = None,
) -> NDArray:
    """Returns whether two arrays have memory in common."""

def _npi_shuffle(data: NDArray, *, out: NDArray | None = None, name: str | None = None) -> NDArray:
    """Puts the rows of an array into random order."""

def _npi_sign(x: NDArray, *, out: NDArray | None = None, name: str | None = None) -> NDArray:
    """Sign of each element: -1, 0 or 1."""

def _npi_sin(x: NDArray, *, out: NDArray | None = None, name: str | None = None) -> NDArray:
    """Sine of each element, in radians."""

def _npi_sinh(x: NDArray, *, out: NDArray | None = None, name: str | None = None) -> NDArray:
    """Hyperbolic sine of each element."""

def _npi_slice(
    data: NDArray,
    begin: int | Sequence[int | None] | None,
    end: int | Sequence[int | None] | None,
    step: int | Sequence[int | None] | None = (),
    *,
    out: NDArray | None = None,
    name: str | None = None,
) -> NDArray:
    """Takes a region of an array, as `data[begin:end:step, ...]` does."""

_npi_slice_assign = _crop_assign

_npi_slice_assign_scalar = _crop_assign_scalar

def _npi_slogdet(
    A: NDArray,
    *,
    out: NDArray | Sequence[NDArray] | None = None,
    name: str | None = None,
) -> list[NDArray]:
    """Computes sign and logarithm of the magnitude of each matrix's determinant."""

def _npi_solve(
    A: NDArray,
    B: NDArray,
    *,
    out: NDArray | None = None,
    name: str | None = None,
) -> NDArray:
    """Solves ``A @ X = B`` for each pair of matrices."""

def _npi_sort(
    data: NDArray,
    axis: int | None = -1,
    is_ascend: bool = True,
    *,
    out: NDArray | None = None,
    name: str | None = None,
) -> NDArray:
    """Sorts along an axis."""

def _npi_split(
    data: NDArray,
    indices: int | Sequence[int],
    axis: int = 1,
    squeeze_axis: bool = False,
    sections: int = 0,
    *,
    out: NDArray | Sequence[NDArray] | None = None,
    name: str | None = None,
) -> Any:
    """Splits an array along an axis, at given indices or into sections."""

def _npi_sqrt(x: NDArray, *, out: NDArray | None = None, name: str | None = None) -> NDArray:
    """Square root of each element."""

def _npi_square(x: NDArray, *, out: NDArray | None = None, name: str | None = None) -> NDArray:
    """Square of each element."""

def _npi_stack(
    *data: NDArray,
    num_args: int = ...,
    axis: int = 0,
    out: NDArray | None = None,
    name: str | None = None,
) -> NDArray:
    """Joins arrays of one shape along a new axis."""

def _npi_std(
    a: NDArray,
    axis: int | Sequence[int | None] | None = None,
    dtype: Any = None,
    ddof: int = 0,
    keepdims: bool = False,
    *,
    out: NDArray | None = None,
    name: str | None = None,
) -> NDArray:
    """Computes the standard deviation along axes."""

def _npi_subtract(
    lhs: NDArray,
    rhs: NDArray,
    *,
    out: NDArray | None = None,
    name: str | None = None,
) -> NDArray:
    """Subtracts the second array from the first, broadcasting them."""

def _npi_subtract_scalar(
    data: NDArray,
    scalar: float = 1.0,
    is_int: bool = True,
    *,
    out: NDArray | None = None,
    name: str | None = None,
) -> NDArray:
    """Subtracts a number from an array."""

def _npi_svd(
    A: NDArray,
    *,
    out: NDArray | Sequence[NDArray] | None = None,
    name: str | None = None,
) -> list[NDArray]:
    """Factorizes each matrix into ``U @ diag(L) @ V`` and returns `U`, `L` and `V`."""

def _npi_swapaxes(
    data: NDArray,
    dim1: int = 0,
    dim2: int = 0,
    *,
    out: NDArray | None = None,
    name: str | None = None,
) -> NDArray:
    """Exchanges two axes."""

def _npi_take(
    a: NDArray,
    indices: NDArray,
    axis: int = 0,
    mode: str = 'clip',
    *,
    out: NDArray | None = None,
    name: str | None = None,
) -> NDArray:
    """Picks slices along an axis."""

def _npi_tan(x: NDArray, *, out: NDArray | None = None, name: str | None = None) -> NDArray:
    """Tangent of each element, in radians."""

def _npi_tanh(x: NDArray, *, out: NDArray | None = None, name: str | None = None) -> NDArray:
    """Hyperbolic tangent of each element."""

def _npi_tensordot(
    a: NDArray,
    b: NDArray,
    a_axes_summed: int | Sequence[int],
    b_axes_summed: int | Sequence[int],
    *,
    out: NDArray | None = None,
    name: str | None = None,
) -> NDArray:
    """Multiplies two arrays and sums over pairs of axes."""

def _npi_tensordot_int_axes(
    a: NDArray,
    b: NDArray,
    axes: int,
    *,
    out: NDArray | None = None,
    name: str | None = None,
) -> NDArray:
    """Multiplies two arrays and sums over the last axes of the first, the first of the second."""

def _npi_tensorinv(
    a: NDArray,
    ind: int = 2,
    *,
    out: NDArray | None = None,
    name: str | None = None,
) -> NDArray:
    """Computes the inverse of an array with respect to a sum over its first axes."""

def _npi_tensorsolve(
    a: NDArray,
    b: NDArray,
    a_axes: int | Sequence[int] = (),
    *,
    out: NDArray | None = None,
    name: str | None = None,
) -> NDArray:
    """Solves ``tensordot(a, x, x.ndim) = b`` for `x`."""

def _npi_tile(
    data: NDArray,
    reps: int | Sequence[int],
    *,
    out: NDArray | None = None,
    name: str | None = None,
) -> NDArray:
    """Repeats the whole array along its axes."""

def _npi_tril(
    data: NDArray,
    k: int = 0,
    *,
    out: NDArray | None = None,
    name: str | None = None,
) -> NDArray:
    """Returns matrices with zeros above a diagonal; a vector counts as all rows of a matrix."""

def _npi_true_divide(
    lhs: NDArray,
    rhs: NDArray,
    *,
    out: NDArray | None = None,
    name: str | None = None,
) -> NDArray:
    """Divides the first array by the second, broadcasting them; of integers it is a float32."""

def _npi_true_divide_scalar(
    data: NDArray,
    scalar: float = 1.0,
    is_int: bool = True,
    *,
    out: NDArray | None = None,
    name: str | None = None,
) -> NDArray:
    """Divides an array by a number."""

def _npi_trunc(x: NDArray, *, out: NDArray | None = None, name: str | None = None) -> NDArray:
    """Rounds each element towards zero."""

def _npi_uniform(
    input1: NDArray | None = None,
    input2: NDArray | None = None,
    low: float | None = ...,
    high: float | None = ...,
    size: int | Sequence[int | None] | None = None,
    ctx: str = '',
    dtype: Any = 'float32',
    *,
    out: NDArray | None = None,
    name: str | None = None,
) -> NDArray:
    """Draws from the uniform distribution on `[low, high)`."""

def _npi_uniform_n(
    input1: NDArray | None = None,
    input2: NDArray | None = None,
    low: float | None = ...,
    high: float | None = ...,
    size: int | Sequence[int | None] | None = None,
    ctx: str = '',
    dtype: Any = 'float32',
    *,
    out: NDArray | None = None,
    name: str | None = None,
) -> NDArray:
    """Draws from the uniform distribution on `[low, high)`, `size` times for each set of parameters."""

def _npi_unique(
    data: NDArray,
    return_index: bool = False,
    return_inverse: bool = False,
    return_counts: bool = False,
    axis: int | None = None,
    *,
    out: NDArray | Sequence[NDArray] | None = None,
    name: str | None = None,
) -> Any:
    """Returns the different elements in ascending order, or the different slices along an axis."""

def _npi_var(
    a: NDArray,
    axis: int | Sequence[int | None] | None = None,
    dtype: Any = None,
    ddof: int = 0,
    keepdims: bool = False,
    *,
    out: NDArray | None = None,
    name: str | None = None,
) -> NDArray:
    """Computes the variance along axes."""

def _npi_vstack(
    *data: NDArray,
    num_args: int = ...,
    out: NDArray | None = None,
    name: str | None = None,
) -> NDArray:
    """Joins arrays along the first axis, vectors as rows."""

def _npi_weibull(
    input1: NDArray | None = None,
    a: float | None = None,
    size: int | Sequence[int | None] | None = None,
    ctx: str = '',
    *,
    out: NDArray | None = None,
    name: str | None = None,
) -> NDArray:
    """Draws from a Weibull distribution of scale 1."""

def _npi_where(
    condition: NDArray,
    x: NDArray,
    y: NDArray,
    *,
    out: NDArray | None = None,
    name: str | None = None,
) -> NDArray:
    """Picks from `x` where the condition is not zero and from `y` elsewhere."""

def _npi_where_lscalar(
    condition: NDArray,
    x: NDArray,
    scalar: float = 0.0,
    *,
    out: NDArray | None = None,
    name: str | None = None,
) -> NDArray:
    """Picks a number where the condition is not zero and from an array elsewhere."""

def _npi_where_rscalar(
    condition: NDArray,
    y: NDArray,
    scalar: float = 0.0,
    *,
    out: NDArray | None = None,
    name: str | None = None,
) -> NDArray:
    """Picks from an array where the condition is not zero and a number elsewhere."""

def _npi_where_scalar2(
    condition: NDArray,
    x: float = 0.0,
    y: float = 0.0,
    *,
    out: NDArray | None = None,
    name: str | None = None,
) -> NDArray:
    """Picks one number where the condition is not zero and another elsewhere, as float32."""

def _npi_zeros(
    shape: int | Sequence[int] = (),
    ctx: str = '',
    dtype: Any = 'float32',
    *,
    out: NDArray | None = None,
    name: str | None = None,
) -> NDArray:
    """Creates an array of zeros."""

def _npx__image_adjust_lighting(
    data: NDArray,
    alpha: float | Sequence[float],
    *,
    out: NDArray | None = None,
    name: str | None = None,
) -> NDArray:
    """Moves the colours of an image along the principal axes of the colours of ImageNet."""

def _npx__image_crop(
    data: NDArray,
    x: int,
    y: int,
    width: int,
    height: int,
    *,
    out: NDArray | None = None,
    name: str | None = None,
) -> NDArray:
    """Cuts a rectangle out of an image."""

def _npx__image_flip_left_right(
    data: NDArray,
    *,
    out: NDArray | None = None,
    name: str | None = None,
) -> NDArray:
    """Mirrors an image so that left and right change places."""

def _npx__image_flip_top_bottom(
    data: NDArray,
    *,
    out: NDArray | None = None,
    name: str | None = None,
) -> NDArray:
    """Mirrors an image so that top and bottom change places."""

def _npx__image_normalize(
    data: NDArray,
    mean: float | Sequence[float] = (0.0, 0.0, 0.0, 0.0),
    std: float | Sequence[float] = (1.0, 1.0, 1.0, 1.0),
    *,
    out: NDArray | None = None,
    name: str | None = None,
) -> NDArray:
    """Subtracts a mean and divides by a deviation, by channel."""

def _npx__image_random_brightness(
    data: NDArray,
    min_factor: float,
    max_factor: float,
    *,
    out: NDArray | None = None,
    name: str | None = None,
) -> NDArray:
    """Multiplies an image by a random factor."""

def _npx__image_random_color_jitter(
    data: NDArray,
    brightness: float,
    contrast: float,
    saturation: float,
    hue: float,
    *,
    out: NDArray | None = None,
    name: str | None = None,
) -> NDArray:
    """Changes brightness, contrast, saturation and hue at random, in random order."""

def _npx__image_random_contrast(
    data: NDArray,
    min_factor: float,
    max_factor: float,
    *,
    out: NDArray | None = None,
    name: str | None = None,
) -> NDArray:
    """Multiplies the distance of an image to its mean grey by a random factor."""

def _npx__image_random_flip_left_right(
    data: NDArray,
    *,
    out: NDArray | None = None,
    name: str | None = None,
) -> NDArray:
    """Mirrors an image sideways with probability one half; each of a batch on its own."""

def _npx__image_random_flip_top_bottom(
    data: NDArray,
    *,
    out: NDArray | None = None,
    name: str | None = None,
) -> NDArray:
    """Mirrors an image upside down with probability one half; each of a batch on its own."""

def _npx__image_random_hue(
    data: NDArray,
    min_factor: float,
    max_factor: float,
    *,
    out: NDArray | None = None,
    name: str | None = None,
) -> NDArray:
    """Turns the colours of an image by a random part of the circle of hues."""

def _npx__image_random_lighting(
    data: NDArray,
    alpha_std: float = 0.05,
    *,
    out: NDArray | None = None,
    name: str | None = None,
) -> NDArray:
    """Moves the colours of an image at random along the principal axes of colours of ImageNet."""

def _npx__image_random_saturation(
    data: NDArray,
    min_factor: float,
    max_factor: float,
    *,
    out: NDArray | None = None,
    name: str | None = None,
) -> NDArray:
    """Makes the colours of an image stronger or weaker by a random factor."""

def _npx__image_resize(
    data: NDArray,
    size: int | Sequence[int] = (),
    keep_ratio: bool = False,
    interp: int = 1,
    *,
    out: NDArray | None = None,
    name: str | None = None,
) -> NDArray:
    """Scales an image, as OpenCV does."""

def _npx__image_to_tensor(
    data: NDArray,
    *,
    out: NDArray | None = None,
    name: str | None = None,
) -> NDArray:
    """Turns an image into a float tensor, channels first, with values divided by 255."""

def _npx_activation(
    data: NDArray,
    act_type: str,
    *,
    out: NDArray | None = None,
    name: str | None = None,
) -> NDArray:
    """Applies an activation function to each element."""

def _npx_arange_like(
    data: NDArray,
    start: float = 0.0,
    step: float = 1.0,
    repeat: int = 1,
    ctx: str = '',
    axis: int | None = None,
    *,
    out: NDArray | None = None,
    name: str | None = None,
) -> NDArray:
    """Creates evenly spaced values in the type and shape of another array."""

def _npx_batch_dot(
    lhs: NDArray,
    rhs: NDArray,
    transpose_a: bool = False,
    transpose_b: bool = False,
    forward_stype: str | None = None,
    *,
    out: NDArray | None = None,
    name: str | None = None,
) -> NDArray:
    """Multiplies batches of matrices."""

def _npx_batch_flatten(
    data: NDArray,
    *,
    out: NDArray | None = None,
    name: str | None = None,
) -> NDArray:
    """Joins all axes but the first."""

def _npx_batch_norm(
    data: NDArray,
    gamma: NDArray,
    beta: NDArray,
    moving_mean: NDArray,
    moving_var: NDArray,
    eps: float = 0.001,
    momentum: float = 0.9,
    fix_gamma: bool = True,
    use_global_stats: bool = False,
    output_mean_var: bool = False,
    axis: int = 1,
    cudnn_off: bool = False,
    min_calib_range: float | None = None,
    max_calib_range: float | None = None,
    *,
    out: NDArray | Sequence[NDArray] | None = None,
    name: str | None = None,
) -> Any:
    """Normalizes each channel to mean 0 and variance 1, then scales by gamma and shifts by beta."""

_npx_cast = _npi_cast

def _npx_constraint_check(
    input: NDArray,
    msg: str = 'Constraint violated.',
    *,
    out: NDArray | None = None,
    name: str | None = None,
) -> NDArray:
    """Returns true if all elements are true, and raises an error otherwise."""

def _npx_convolution(
    data: NDArray,
    weight: NDArray,
    bias: NDArray | None = None,
    kernel: int | Sequence[int] = ...,
    stride: int | Sequence[int] = (),
    dilate: int | Sequence[int] = (),
    pad: int | Sequence[int] = (),
    num_filter: int = ...,
    num_group: int = 1,
    workspace: int = 1024,
    no_bias: bool = False,
    cudnn_tune: str | None = None,
    cudnn_off: bool = False,
    layout: str | None = None,
    *,
    out: NDArray | None = None,
    name: str | None = None,
) -> NDArray:
    """Slides filters over the spatial axes and gives their products with the data, plus the bias."""

def _npx_deconvolution(
    data: NDArray,
    weight: NDArray,
    bias: NDArray | None = None,
    kernel: int | Sequence[int] = ...,
    stride: int | Sequence[int] = (),
    dilate: int | Sequence[int] = (),
    pad: int | Sequence[int] = (),
    adj: int | Sequence[int] = (),
    target_shape: int | Sequence[int] = (),
    num_filter: int = ...,
    num_group: int = 1,
    workspace: int = 512,
    no_bias: bool = True,
    cudnn_tune: str | None = None,
    cudnn_off: bool = False,
    layout: str | None = None,
    *,
    out: NDArray | None = None,
    name: str | None = None,
) -> NDArray:
    """Applies the transpose of a convolution: each input point adds a scaled filter to the output."""

def _npx_dropout(
    data: NDArray,
    p: float = 0.5,
    mode: str = 'training',
    axes: int | Sequence[int] = (),
    cudnn_off: bool | None = False,
    *,
    out: NDArray | None = None,
    name: str | None = None,
) -> NDArray:
    """Zeroes a random share of the elements in training and scales the others to keep the mean."""

def _npx_embedding(
    data: NDArray,
    weight: NDArray,
    input_dim: int,
    output_dim: int,
    dtype: Any = 'float32',
    sparse_grad: bool = False,
    *,
    out: NDArray | None = None,
    name: str | None = None,
) -> NDArray:
    """Looks up a vector for each index."""

def _npx_erf(data: NDArray, *, out: NDArray | None = None, name: str | None = None) -> NDArray:
    """Error function of each element."""

def _npx_erfinv(data: NDArray, *, out: NDArray | None = None, name: str | None = None) -> NDArray:
    """Inverse of the error function."""

def _npx_fully_connected(
    data: NDArray,
    weight: NDArray,
    bias: NDArray | None = None,
    num_hidden: int = ...,
    no_bias: bool = False,
    flatten: bool = True,
    *,
    out: NDArray | None = None,
    name: str | None = None,
) -> NDArray:
    """Computes the affine map ``data @ weight.T + bias``."""

def _npx_gamma(data: NDArray, *, out: NDArray | None = None, name: str | None = None) -> NDArray:
    """Gamma function of each element."""

def _npx_gammaln(data: NDArray, *, out: NDArray | None = None, name: str | None = None) -> NDArray:
    """Logarithm of the absolute value of the gamma function."""

_npx_gather_nd = _npi_gather_nd

def _npx_layer_norm(
    data: NDArray,
    gamma: NDArray,
    beta: NDArray,
    axis: int = -1,
    eps: float = 1e-05,
    output_mean_var: bool = False,
    *,
    out: NDArray | Sequence[NDArray] | None = None,
    name: str | None = None,
) -> Any:
    """Normalizes along one axis to mean 0 and variance 1, then scales by gamma and shifts by beta."""

def _npx_leaky_relu(
    data: NDArray,
    gamma: NDArray | None = None,
    act_type: str = 'leaky',
    slope: float = 0.25,
    lower_bound: float = 0.125,
    upper_bound: float = 0.334,
    *,
    out: NDArray | Sequence[NDArray] | None = None,
    name: str | None = None,
) -> Any:
    """Applies a rectifier that lets some of the negative side through."""

def _npx_log_softmax(
    data: NDArray,
    axis: int = -1,
    temperature: float | None = None,
    dtype: Any = None,
    use_length: bool | None = False,
    *,
    out: NDArray | None = None,
    name: str | None = None,
) -> NDArray:
    """Computes the logarithm of softmax, without the loss of precision of doing it in two steps."""

def _npx_multibox_detection(
    cls_prob: NDArray,
    loc_pred: NDArray,
    anchor: NDArray,
    clip: bool = True,
    threshold: float = 0.01,
    background_id: int = 0,
    nms_threshold: float = 0.5,
    force_suppress: bool = False,
    variances: float | Sequence[float] = (0.1, 0.1, 0.2, 0.2),
    nms_topk: int = -1,
    *,
    out: NDArray | None = None,
    name: str | None = None,
) -> NDArray:
    """Turns predictions for default boxes into detected objects."""

def _npx_multibox_prior(
    data: NDArray,
    sizes: float | Sequence[float] = (1.0,),
    ratios: float | Sequence[float] = (1.0,),
    clip: bool = False,
    steps: float | Sequence[float] = (-1.0, -1.0),
    offsets: float | Sequence[float] = (0.5, 0.5),
    *,
    out: NDArray | None = None,
    name: str | None = None,
) -> NDArray:
    """Lists default boxes around every point of a feature map."""

def _npx_multibox_target(
    anchor: NDArray,
    label: NDArray,
    cls_pred: NDArray,
    overlap_threshold: float = 0.5,
    ignore_label: float = -1.0,
    negative_mining_ratio: float = -1.0,
    negative_mining_thresh: float = 0.5,
    minimum_negative_samples: int = 0,
    variances: float | Sequence[float] = (0.1, 0.1, 0.2, 0.2),
    *,
    out: NDArray | Sequence[NDArray] | None = None,
    name: str | None = None,
) -> list[NDArray]:
    """Computes what default boxes should predict, for training."""

_npx_nonzero = _npi_nonzero

def _npx_one_hot(
    indices: NDArray,
    depth: int,
    on_value: float = 1.0,
    off_value: float = 0.0,
    dtype: Any = 'float32',
    *,
    out: NDArray | None = None,
    name: str | None = None,
) -> NDArray:
    """Writes each index as a vector with one element switched on."""

def _npx_pick(
    data: NDArray,
    index: NDArray,
    axis: int | None = -1,
    keepdims: bool = False,
    mode: str = 'clip',
    *,
    out: NDArray | None = None,
    name: str | None = None,
) -> NDArray:
    """Picks one element along an axis for each position of the other axes."""

def _npx_pooling(
    data: NDArray,
    kernel: int | Sequence[int] = (),
    pool_type: str = 'max',
    global_pool: bool = False,
    cudnn_off: bool = False,
    pooling_convention: str = 'valid',
    stride: int | Sequence[int] = (),
    pad: int | Sequence[int] = (),
    p_value: int | None = None,
    count_include_pad: bool | None = None,
    layout: str | None = None,
    *,
    out: NDArray | None = None,
    name: str | None = None,
) -> NDArray:
    """Reduces each window over one to three spatial axes to a number."""

def _npx_relu(data: NDArray, *, out: NDArray | None = None, name: str | None = None) -> NDArray:
    """Rectifier: each element, or zero if it is negative."""

_npx_reshape = _npi_reshape

def _npx_reshape_like(
    lhs: NDArray,
    rhs: NDArray,
    lhs_begin: int | None = None,
    lhs_end: int | None = None,
    rhs_begin: int | None = None,
    rhs_end: int | None = None,
    *,
    out: NDArray | None = None,
    name: str | None = None,
) -> NDArray:
    """Reshapes an array like another one, or a range of its axes like a range of the other's."""

def _npx_rnn(
    data: NDArray,
    parameters: NDArray,
    state: NDArray,
    state_cell: NDArray | None = None,
    sequence_length: NDArray | None = None,
    state_size: int = ...,
    num_layers: int = ...,
    bidirectional: bool = False,
    mode: str = ...,
    p: float = 0.0,
    state_outputs: bool = False,
    projection_size: int | None = None,
    lstm_state_clip_min: float | None = None,
    lstm_state_clip_max: float | None = None,
    lstm_state_clip_nan: bool = False,
    use_sequence_length: bool = False,
    *,
    out: NDArray | Sequence[NDArray] | None = None,
    name: str | None = None,
) -> Any:
    """Runs a recurrent network of one or more layers over a batch of sequences."""

def _npx_roi_pooling(
    data: NDArray,
    rois: NDArray,
    pooled_size: int | Sequence[int],
    spatial_scale: float,
    *,
    out: NDArray | None = None,
    name: str | None = None,
) -> NDArray:
    """Takes the maximum in each cell of a grid over regions of a feature map."""

def _npx_sequence_mask(
    data: NDArray,
    sequence_length: NDArray | None = None,
    use_sequence_length: bool = False,
    value: float = 0.0,
    axis: int = 0,
    *,
    out: NDArray | None = None,
    name: str | None = None,
) -> NDArray:
    """Overwrites what lies beyond the end of each sequence."""

def _npx_shape_array(
    data: NDArray,
    *,
    out: NDArray | None = None,
    name: str | None = None,
) -> NDArray:
    """Returns the shape of an array as an array of int64."""

def _npx_sigmoid(data: NDArray, *, out: NDArray | None = None, name: str | None = None) -> NDArray:
    """Logistic function `1 / (1 + exp(-x))` of each element."""

_npx_slice = _npi_slice

def _npx_smooth_l1(
    data: NDArray,
    scalar: float = 1.0,
    *,
    out: NDArray | None = None,
    name: str | None = None,
) -> NDArray:
    """Computes the smooth L1 loss of each element: a parabola near zero, straight elsewhere."""

def _npx_softmax(
    data: NDArray,
    length: NDArray | None = None,
    axis: int = -1,
    temperature: float | None = None,
    dtype: Any = None,
    use_length: bool | None = False,
    *,
    out: NDArray | None = None,
    name: str | None = None,
) -> NDArray:
    """Scales the exponentials along an axis to sum to one."""

def _npx_topk(
    data: NDArray,
    axis: int | None = -1,
    k: int = 1,
    ret_typ: str = 'indices',
    is_ascend: bool = False,
    dtype: Any = 'float32',
    *,
    out: NDArray | Sequence[NDArray] | None = None,
    name: str | None = None,
) -> Any:
    """Finds the largest or smallest elements along an axis."""

def _onehot_encode(
    lhs: NDArray,
    rhs: NDArray,
    *,
    out: NDArray | None = None,
    name: str | None = None,
) -> NDArray:
    """Writes each index as a vector with a one, in the shape of another array."""

def _ones(
    shape: int | Sequence[int] = (),
    ctx: str = '',
    dtype: Any = 'float32',
    *,
    out: NDArray | None = None,
    name: str | None = None,
) -> NDArray:
    """Creates an array of ones."""

_plus = _Plus

_plus_scalar = _PlusScalar

_power = _Power

_power_scalar = _PowerScalar

def _random_exponential(
    lam: float = 1.0,
    shape: int | Sequence[int | None] | None = None,
    ctx: str = '',
    dtype: Any = None,
    *,
    out: NDArray | None = None,
    name: str | None = None,
) -> NDArray:
    """Draws from an exponential distribution, whose mean is `1 / lam`."""

def _random_gamma(
    alpha: float = 1.0,
    beta: float = 1.0,
    shape: int | Sequence[int | None] | None = None,
    ctx: str = '',
    dtype: Any = None,
    *,
    out: NDArray | None = None,
    name: str | None = None,
) -> NDArray:
    """Draws from a gamma distribution, whose mean is `alpha * beta`."""

def _random_generalized_negative_binomial(
    mu: float = 1.0,
    alpha: float = 1.0,
    shape: int | Sequence[int | None] | None = None,
    ctx: str = '',
    dtype: Any = None,
    *,
    out: NDArray | None = None,
    name: str | None = None,
) -> NDArray:
    """Draws from a negative binomial distribution given by its mean and dispersion."""

def _random_negative_binomial(
    k: int = 1,
    p: float = 1.0,
    shape: int | Sequence[int | None] | None = None,
    ctx: str = '',
    dtype: Any = None,
    *,
    out: NDArray | None = None,
    name: str | None = None,
) -> NDArray:
    """Draws from a negative binomial distribution, the failures before `k` successes."""

def _random_normal(
    loc: float = 0.0,
    scale: float = 1.0,
    shape: int | Sequence[int | None] | None = None,
    ctx: str = '',
    dtype: Any = None,
    *,
    out: NDArray | None = None,
    name: str | None = None,
) -> NDArray:
    """Draws from a normal distribution."""

def _random_pdf_dirichlet(
    sample: NDArray,
    alpha: NDArray,
    is_log: bool = False,
    *,
    out: NDArray | None = None,
    name: str | None = None,
) -> NDArray:
    """Returns the density of the Dirichlet distribution at samples."""

def _random_pdf_exponential(
    sample: NDArray,
    lam: NDArray,
    is_log: bool = False,
    *,
    out: NDArray | None = None,
    name: str | None = None,
) -> NDArray:
    """Returns the density of the exponential distribution at samples."""

def _random_pdf_gamma(
    sample: NDArray,
    alpha: NDArray,
    beta: NDArray,
    is_log: bool = False,
    *,
    out: NDArray | None = None,
    name: str | None = None,
) -> NDArray:
    """Returns the density of the gamma distribution at samples."""

def _random_pdf_generalized_negative_binomial(
    sample: NDArray,
    mu: NDArray,
    alpha: NDArray,
    is_log: bool = False,
    *,
    out: NDArray | None = None,
    name: str | None = None,
) -> NDArray:
    """Returns the density of the generalized negative binomial distribution at samples."""

def _random_pdf_negative_binomial(
    sample: NDArray,
    k: NDArray,
    p: NDArray,
    is_log: bool = False,
    *,
    out: NDArray | None = None,
    name: str | None = None,
) -> NDArray:
    """Returns the density of the negative binomial distribution at samples."""

def _random_pdf_normal(
    sample: NDArray,
    mu: NDArray,
    sigma: NDArray,
    is_log: bool = False,
    *,
    out: NDArray | None = None,
    name: str | None = None,
) -> NDArray:
    """Returns the density of the normal distribution at samples."""

def _random_pdf_poisson(
    sample: NDArray,
    lam: NDArray,
    is_log: bool = False,
    *,
    out: NDArray | None = None,
    name: str | None = None,
) -> NDArray:
    """Returns the density of the Poisson distribution at samples."""

def _random_pdf_uniform(
    sample: NDArray,
    low: NDArray,
    high: NDArray,
    is_log: bool = False,
    *,
    out: NDArray | None = None,
    name: str | None = None,
) -> NDArray:
    """Returns the density of the uniform distribution at samples."""

def _random_poisson(
    lam: float = 1.0,
    shape: int | Sequence[int | None] | None = None,
    ctx: str = '',
    dtype: Any = None,
    *,
    out: NDArray | None = None,
    name: str | None = None,
) -> NDArray:
    """Draws from a Poisson distribution."""

def _random_randint(
    low: int,
    high: int,
    shape: int | Sequence[int | None] | None = None,
    ctx: str = '',
    dtype: Any = None,
    *,
    out: NDArray | None = None,
    name: str | None = None,
) -> NDArray:
    """Draws whole numbers in `[low, high)`, all equally likely."""

def _random_uniform(
    low: float = 0.0,
    high: float = 1.0,
    shape: int | Sequence[int | None] | None = None,
    ctx: str = '',
    dtype: Any = None,
    *,
    out: NDArray | None = None,
    name: str | None = None,
) -> NDArray:
    """Draws from the uniform distribution on `[low, high)`."""

def _ravel_multi_index(
    data: NDArray,
    shape: int | Sequence[int | None] | None = None,
    *,
    out: NDArray | None = None,
    name: str | None = None,
) -> NDArray:
    """Converts coordinates into indices of the flattened array."""

_rdiv_scalar = _RDivScalar

_rminus_scalar = _RMinusScalar

_rmod_scalar = _RModScalar

_rnn_param_concat = _npi_rnn_param_concat

_rpower_scalar = _RPowerScalar

def _sample_exponential(
    lam: NDArray,
    shape: int | Sequence[int] = (),
    dtype: Any = None,
    *,
    out: NDArray | None = None,
    name: str | None = None,
) -> NDArray:
    """Draws from an exponential distribution, whose mean is `1 / lam`, for each element of arrays of parameters."""

def _sample_gamma(
    alpha: NDArray,
    beta: NDArray,
    shape: int | Sequence[int] = (),
    dtype: Any = None,
    *,
    out: NDArray | None = None,
    name: str | None = None,
) -> NDArray:
    """Draws from a gamma distribution, whose mean is `alpha * beta`, for each element of arrays of parameters."""

def _sample_generalized_negative_binomial(
    mu: NDArray,
    alpha: NDArray,
    shape: int | Sequence[int] = (),
    dtype: Any = None,
    *,
    out: NDArray | None = None,
    name: str | None = None,
) -> NDArray:
    """Draws from a negative binomial distribution given by its mean and dispersion, for each element of arrays of parameters."""

def _sample_multinomial(
    data: NDArray,
    shape: int | Sequence[int] = (),
    get_prob: bool = False,
    dtype: Any = 'int32',
    *,
    out: NDArray | Sequence[NDArray] | None = None,
    name: str | None = None,
) -> Any:
    """Draws categories by their probabilities."""

def _sample_negative_binomial(
    k: NDArray,
    p: NDArray,
    shape: int | Sequence[int] = (),
    dtype: Any = None,
    *,
    out: NDArray | None = None,
    name: str | None = None,
) -> NDArray:
    """Draws from a negative binomial distribution, the failures before `k` successes, for each element of arrays of parameters."""

def _sample_normal(
    mu: NDArray,
    sigma: NDArray,
    shape: int | Sequence[int] = (),
    dtype: Any = None,
    *,
    out: NDArray | None = None,
    name: str | None = None,
) -> NDArray:
    """Draws from a normal distribution, for each element of arrays of parameters."""

def _sample_poisson(
    lam: NDArray,
    shape: int | Sequence[int] = (),
    dtype: Any = None,
    *,
    out: NDArray | None = None,
    name: str | None = None,
) -> NDArray:
    """Draws from a Poisson distribution, for each element of arrays of parameters."""

def _sample_uniform(
    low: NDArray,
    high: NDArray,
    shape: int | Sequence[int] = (),
    dtype: Any = None,
    *,
    out: NDArray | None = None,
    name: str | None = None,
) -> NDArray:
    """Draws from the uniform distribution on `[low, high)`, for each element of arrays of parameters."""

def _sample_unique_zipfian(
    range_max: int,
    shape: int | Sequence[int | None] | None = None,
    *,
    out: NDArray | Sequence[NDArray] | None = None,
    name: str | None = None,
) -> list[NDArray]:
    """Draws different classes from an approximately Zipfian distribution."""

def _scatter_elemwise_div(
    lhs: NDArray,
    rhs: NDArray,
    *,
    out: NDArray | None = None,
    name: str | None = None,
) -> NDArray:
    """Divides stored elements by those of the second array."""

def _scatter_minus_scalar(
    data: NDArray,
    scalar: float = 1.0,
    is_int: bool = True,
    *,
    out: NDArray | None = None,
    name: str | None = None,
) -> NDArray:
    """Subtracts a number from the stored elements of an array."""

def _scatter_plus_scalar(
    data: NDArray,
    scalar: float = 1.0,
    is_int: bool = True,
    *,
    out: NDArray | None = None,
    name: str | None = None,
) -> NDArray:
    """Adds a number to the stored elements of an array."""

_scatter_set_nd = _npi_scatter_set_nd

_shuffle = _npi_shuffle

_slice_assign = _crop_assign

_slice_assign_scalar = _crop_assign_scalar

def _sparse_adagrad_update(
    weight: NDArray,
    grad: NDArray,
    history: NDArray,
    lr: float,
    epsilon: float = 1e-07,
    wd: float = 0.0,
    rescale_grad: float = 1.0,
    clip_gradient: float = -1.0,
    *,
    out: NDArray | None = None,
    name: str | None = None,
) -> NDArray:
    """Returns the weight after a step of AdaGrad; rows without a gradient stay as they are."""

def _sparse_retain(
    data: NDArray,
    indices: NDArray,
    *,
    out: NDArray | None = None,
    name: str | None = None,
) -> NDArray:
    """Keeps some rows of an array and sets the others to zero."""

_split_v2 = _npi_split

def _square_sum(
    data: NDArray,
    axis: int | Sequence[int | None] | None = None,
    keepdims: bool = False,
    exclude: bool = False,
    *,
    out: NDArray | None = None,
    name: str | None = None,
) -> NDArray:
    """Sums the squares of elements along axes."""

_sub = _Minus

def _unravel_index(
    data: NDArray,
    shape: int | Sequence[int | None] | None = None,
    *,
    out: NDArray | None = None,
    name: str | None = None,
) -> NDArray:
    """Converts indices of the flattened array into coordinates, along a new first axis."""

def _zeros(
    shape: int | Sequence[int] = (),
    ctx: str = '',
    dtype: Any = 'float32',
    *,
    out: NDArray | None = None,
    name: str | None = None,
) -> NDArray:
    """Creates an array of zeros."""

def _zeros_without_dtype(
    shape: int | Sequence[int | None] | None = None,
    ctx: str = '',
    dtype: int = -1,
    *,
    out: NDArray | None = None,
    name: str | None = None,
) -> NDArray:
    """Creates an array of zeros whose type may be left open."""

"""Written by `make stubs`; do not edit."""

from collections.abc import Mapping, Sequence
from typing import Any

from mxnet.symbol.symbol import Symbol


def _Div(
    lhs: Symbol | None = None,
    rhs: Symbol | None = None,
    *,
    name: str | None = None,
    attr: Mapping[str, str] | None = None,
) -> Symbol:
    """Divides the first array by the second, of the same shape; integers round towards zero."""

def _DivScalar(
    data: Symbol | None = None,
    scalar: float = 1.0,
    is_int: bool = True,
    *,
    name: str | None = None,
    attr: Mapping[str, str] | None = None,
) -> Symbol:
    """Divides an array by a number; integers round towards zero."""

def _Equal(
    lhs: Symbol | None = None,
    rhs: Symbol | None = None,
    *,
    name: str | None = None,
    attr: Mapping[str, str] | None = None,
) -> Symbol:
    """Tests whether an element equals its counterpart in the other array."""

def _EqualScalar(
    data: Symbol | None = None,
    scalar: float = 1.0,
    is_int: bool = True,
    *,
    name: str | None = None,
    attr: Mapping[str, str] | None = None,
) -> Symbol:
    """Tests whether an element equals a number."""

def _Greater(
    lhs: Symbol | None = None,
    rhs: Symbol | None = None,
    *,
    name: str | None = None,
    attr: Mapping[str, str] | None = None,
) -> Symbol:
    """Tests whether an element is greater than its counterpart in the other array."""

def _GreaterEqualScalar(
    data: Symbol | None = None,
    scalar: float = 1.0,
    is_int: bool = True,
    *,
    name: str | None = None,
    attr: Mapping[str, str] | None = None,
) -> Symbol:
    """Tests whether an element is at least a number."""

def _GreaterScalar(
    data: Symbol | None = None,
    scalar: float = 1.0,
    is_int: bool = True,
    *,
    name: str | None = None,
    attr: Mapping[str, str] | None = None,
) -> Symbol:
    """Tests whether an element is greater than a number."""

def _Greater_Equal(
    lhs: Symbol | None = None,
    rhs: Symbol | None = None,
    *,
    name: str | None = None,
    attr: Mapping[str, str] | None = None,
) -> Symbol:
    """Tests whether an element is at least its counterpart in the other array."""

def _Hypot(
    lhs: Symbol | None = None,
    rhs: Symbol | None = None,
    *,
    name: str | None = None,
    attr: Mapping[str, str] | None = None,
) -> Symbol:
    """Returns the hypotenuse of a right triangle from its legs."""

def _HypotScalar(
    data: Symbol | None = None,
    scalar: float = 1.0,
    is_int: bool = True,
    *,
    name: str | None = None,
    attr: Mapping[str, str] | None = None,
) -> Symbol:
    """Returns the hypotenuse of a right triangle from an array and a number, its legs."""

def _Lesser(
    lhs: Symbol | None = None,
    rhs: Symbol | None = None,
    *,
    name: str | None = None,
    attr: Mapping[str, str] | None = None,
) -> Symbol:
    """Tests whether an element is less than its counterpart in the other array."""

def _LesserEqualScalar(
    data: Symbol | None = None,
    scalar: float = 1.0,
    is_int: bool = True,
    *,
    name: str | None = None,
    attr: Mapping[str, str] | None = None,
) -> Symbol:
    """Tests whether an element is at most a number."""

def _LesserScalar(
    data: Symbol | None = None,
    scalar: float = 1.0,
    is_int: bool = True,
    *,
    name: str | None = None,
    attr: Mapping[str, str] | None = None,
) -> Symbol:
    """Tests whether an element is less than a number."""

def _Lesser_Equal(
    lhs: Symbol | None = None,
    rhs: Symbol | None = None,
    *,
    name: str | None = None,
    attr: Mapping[str, str] | None = None,
) -> Symbol:
    """Tests whether an element is at most its counterpart in the other array."""

def _LogicalAndScalar(
    data: Symbol | None = None,
    scalar: float = 1.0,
    is_int: bool = True,
    *,
    name: str | None = None,
    attr: Mapping[str, str] | None = None,
) -> Symbol:
    """Tests whether both an element and a number are other than zero."""

def _LogicalOrScalar(
    data: Symbol | None = None,
    scalar: float = 1.0,
    is_int: bool = True,
    *,
    name: str | None = None,
    attr: Mapping[str, str] | None = None,
) -> Symbol:
    """Tests whether an element or a number is other than zero."""

def _LogicalXorScalar(
    data: Symbol | None = None,
    scalar: float = 1.0,
    is_int: bool = True,
    *,
    name: str | None = None,
    attr: Mapping[str, str] | None = None,
) -> Symbol:
    """Tests whether just one of an element and a number is other than zero."""

def _Logical_And(
    lhs: Symbol | None = None,
    rhs: Symbol | None = None,
    *,
    name: str | None = None,
    attr: Mapping[str, str] | None = None,
) -> Symbol:
    """Tests whether both an element and its counterpart in the other array are other than zero."""

def _Logical_Or(
    lhs: Symbol | None = None,
    rhs: Symbol | None = None,
    *,
    name: str | None = None,
    attr: Mapping[str, str] | None = None,
) -> Symbol:
    """Tests whether an element or its counterpart in the other array is other than zero."""

def _Logical_Xor(
    lhs: Symbol | None = None,
    rhs: Symbol | None = None,
    *,
    name: str | None = None,
    attr: Mapping[str, str] | None = None,
) -> Symbol:
    """Tests whether just one of an element and its counterpart in the other array is other than zero."""

def _Maximum(
    lhs: Symbol | None = None,
    rhs: Symbol | None = None,
    *,
    name: str | None = None,
    attr: Mapping[str, str] | None = None,
) -> Symbol:
    """Returns the larger of two elements."""

def _MaximumScalar(
    data: Symbol | None = None,
    scalar: float = 1.0,
    is_int: bool = True,
    *,
    name: str | None = None,
    attr: Mapping[str, str] | None = None,
) -> Symbol:
    """Returns the larger of an element and a number."""

def _Minimum(
    lhs: Symbol | None = None,
    rhs: Symbol | None = None,
    *,
    name: str | None = None,
    attr: Mapping[str, str] | None = None,
) -> Symbol:
    """Returns the smaller of two elements."""

def _MinimumScalar(
    data: Symbol | None = None,
    scalar: float = 1.0,
    is_int: bool = True,
    *,
    name: str | None = None,
    attr: Mapping[str, str] | None = None,
) -> Symbol:
    """Returns the smaller of an element and a number."""

def _Minus(
    lhs: Symbol | None = None,
    rhs: Symbol | None = None,
    *,
    name: str | None = None,
    attr: Mapping[str, str] | None = None,
) -> Symbol:
    """Subtracts the second array from the first, of the same shape."""

def _MinusScalar(
    data: Symbol | None = None,
    scalar: float = 1.0,
    is_int: bool = True,
    *,
    name: str | None = None,
    attr: Mapping[str, str] | None = None,
) -> Symbol:
    """Subtracts a number from an array."""

def _Mod(
    lhs: Symbol | None = None,
    rhs: Symbol | None = None,
    *,
    name: str | None = None,
    attr: Mapping[str, str] | None = None,
) -> Symbol:
    """Returns the remainder of a division, with the sign of the divisor."""

def _ModScalar(
    data: Symbol | None = None,
    scalar: float = 1.0,
    is_int: bool = True,
    *,
    name: str | None = None,
    attr: Mapping[str, str] | None = None,
) -> Symbol:
    """Returns the remainder of a division by a number, with the sign of the number."""

def _Mul(
    lhs: Symbol | None = None,
    rhs: Symbol | None = None,
    *,
    name: str | None = None,
    attr: Mapping[str, str] | None = None,
) -> Symbol:
    """Multiplies two arrays of one shape."""

def _MulScalar(
    data: Symbol | None = None,
    scalar: float = 1.0,
    is_int: bool = True,
    *,
    name: str | None = None,
    attr: Mapping[str, str] | None = None,
) -> Symbol:
    """Multiplies an array by a number."""

def _NotEqualScalar(
    data: Symbol | None = None,
    scalar: float = 1.0,
    is_int: bool = True,
    *,
    name: str | None = None,
    attr: Mapping[str, str] | None = None,
) -> Symbol:
    """Tests whether an element differs from a number."""

def _Not_Equal(
    lhs: Symbol | None = None,
    rhs: Symbol | None = None,
    *,
    name: str | None = None,
    attr: Mapping[str, str] | None = None,
) -> Symbol:
    """Tests whether an element differs from its counterpart in the other array."""

def _Plus(
    lhs: Symbol | None = None,
    rhs: Symbol | None = None,
    *,
    name: str | None = None,
    attr: Mapping[str, str] | None = None,
) -> Symbol:
    """Adds two arrays of one shape."""

def _PlusScalar(
    data: Symbol | None = None,
    scalar: float = 1.0,
    is_int: bool = True,
    *,
    name: str | None = None,
    attr: Mapping[str, str] | None = None,
) -> Symbol:
    """Adds a number to an array."""

def _Power(
    lhs: Symbol | None = None,
    rhs: Symbol | None = None,
    *,
    name: str | None = None,
    attr: Mapping[str, str] | None = None,
) -> Symbol:
    """Raises the first array to the powers in the second."""

def _PowerScalar(
    data: Symbol | None = None,
    scalar: float = 1.0,
    is_int: bool = True,
    *,
    name: str | None = None,
    attr: Mapping[str, str] | None = None,
) -> Symbol:
    """Raises an array to a power."""

def _RDivScalar(
    data: Symbol | None = None,
    scalar: float = 1.0,
    is_int: bool = True,
    *,
    name: str | None = None,
    attr: Mapping[str, str] | None = None,
) -> Symbol:
    """Divides a number by an array; integers round towards zero."""

def _RMinusScalar(
    data: Symbol | None = None,
    scalar: float = 1.0,
    is_int: bool = True,
    *,
    name: str | None = None,
    attr: Mapping[str, str] | None = None,
) -> Symbol:
    """Subtracts an array from a number."""

def _RModScalar(
    data: Symbol | None = None,
    scalar: float = 1.0,
    is_int: bool = True,
    *,
    name: str | None = None,
    attr: Mapping[str, str] | None = None,
) -> Symbol:
    """Returns the remainder of a number divided by an array, with the sign of the array."""

def _RPowerScalar(
    data: Symbol | None = None,
    scalar: float = 1.0,
    is_int: bool = True,
    *,
    name: str | None = None,
    attr: Mapping[str, str] | None = None,
) -> Symbol:
    """Raises a number to the powers in an array."""

def _adabelief_update(
    weight: Symbol | None = None,
    grad: Symbol | None = None,
    mean: Symbol | None = None,
    var: Symbol | None = None,
    rescale_grad: Symbol | None = None,
    lr: float = ...,
    beta1: float = 0.9,
    beta2: float = 0.999,
    epsilon: float = 1e-08,
    wd: float = 0.0,
    eta: float = ...,
    clip_gradient: float = -1.0,
    *,
    name: str | None = None,
    attr: Mapping[str, str] | None = None,
) -> Symbol:
    """Returns the weight after a step of AdaBelief with the weight decay beside the gradient."""

def _adamw_update(
    weight: Symbol | None = None,
    grad: Symbol | None = None,
    mean: Symbol | None = None,
    var: Symbol | None = None,
    rescale_grad: Symbol | None = None,
    lr: float = ...,
    beta1: float = 0.9,
    beta2: float = 0.999,
    epsilon: float = 1e-08,
    wd: float = 0.0,
    eta: float = ...,
    clip_gradient: float = -1.0,
    *,
    name: str | None = None,
    attr: Mapping[str, str] | None = None,
) -> Symbol:
    """Returns the weight after a step of Adam with the weight decay beside the gradient."""

_add = _Plus

def _arange(
    start: float,
    stop: float | None = None,
    step: float = 1.0,
    repeat: int = 1,
    infer_range: bool = False,
    ctx: Any = '',
    dtype: Any = 'float32',
    *,
    name: str | None = None,
    attr: Mapping[str, str] | None = None,
) -> Symbol:
    """Creates evenly spaced values in `[start, stop)`."""

def _backward_gather_nd(
    data: Symbol | None = None,
    indices: Symbol | None = None,
    shape: int | Sequence[int] = ...,
    *,
    name: str | None = None,
    attr: Mapping[str, str] | None = None,
) -> Symbol:
    """Adds elements or slices up by their coordinates in an array of zeros."""

def _copy(
    data: Symbol | None = None,
    *,
    name: str | None = None,
    attr: Mapping[str, str] | None = None,
) -> Symbol:
    """Copies an array."""

def _crop_assign(
    lhs: Symbol | None = None,
    rhs: Symbol | None = None,
    begin: int | Sequence[int | None] | None = ...,
    end: int | Sequence[int | None] | None = ...,
    step: int | Sequence[int | None] | None = (),
    *,
    name: str | None = None,
    attr: Mapping[str, str] | None = None,
) -> Symbol:
    """Copies an array with a region of it replaced by another array."""

def _crop_assign_scalar(
    data: Symbol | None = None,
    scalar: float = 0.0,
    begin: int | Sequence[int | None] | None = ...,
    end: int | Sequence[int | None] | None = ...,
    step: int | Sequence[int | None] | None = (),
    *,
    name: str | None = None,
    attr: Mapping[str, str] | None = None,
) -> Symbol:
    """Copies an array with a region of it filled by a number."""

def _cvcopyMakeBorder(
    src: Symbol | None = None,
    top: int = ...,
    bot: int = ...,
    left: int = ...,
    right: int = ...,
    type: int = 0,
    value: float = 0.0,
    values: float | Sequence[float] = (),
    *,
    name: str | None = None,
    attr: Mapping[str, str] | None = None,
) -> Symbol:
    """Puts a border around an image."""

def _cvimresize(
    src: Symbol | None = None,
    w: int = ...,
    h: int = ...,
    interp: int = 1,
    *,
    name: str | None = None,
    attr: Mapping[str, str] | None = None,
) -> Symbol:
    """Scales one image to a width and a height."""

_div = _Div

_div_scalar = _DivScalar

_equal = _Equal

_equal_scalar = _EqualScalar

def _eye(
    N: int,
    M: int = 0,
    k: int = 0,
    ctx: Any = '',
    dtype: Any = 'float32',
    *,
    name: str | None = None,
    attr: Mapping[str, str] | None = None,
) -> Symbol:
    """Creates a matrix with ones on a diagonal."""

def _full(
    shape: int | Sequence[int | None] | None = None,
    ctx: Any = '',
    dtype: Any = 'float32',
    value: float = ...,
    *,
    name: str | None = None,
    attr: Mapping[str, str] | None = None,
) -> Symbol:
    """Creates an array filled with one value."""

def _grad_add(
    lhs: Symbol | None = None,
    rhs: Symbol | None = None,
    *,
    name: str | None = None,
    attr: Mapping[str, str] | None = None,
) -> Symbol:
    """Adds two gradients."""

_greater = _Greater

_greater_equal = _Greater_Equal

_greater_equal_scalar = _GreaterEqualScalar

_greater_scalar = _GreaterScalar

def _group_norm_of_channels(
    data: Symbol | None = None,
    gamma: Symbol | None = None,
    beta: Symbol | None = None,
    num_groups: int = 1,
    eps: float = 0.001,
    output_mean_var: bool = False,
    *,
    name: str | None = None,
    attr: Mapping[str, str] | None = None,
) -> Symbol:
    """Normalizes groups of channels of each sample, then scales and shifts each channel."""

def _histogram(
    data: Symbol | None = None,
    bins: Symbol | None = None,
    bin_cnt: int | None = None,
    range: float | Sequence[float] | None = None,
    *,
    name: str | None = None,
    attr: Mapping[str, str] | None = None,
) -> Symbol:
    """Counts the elements that fall between consecutive edges; the last edge counts in."""

_hypot = _Hypot

_hypot_scalar = _HypotScalar

def _identity_with_attr_like_rhs(
    lhs: Symbol | None = None,
    rhs: Symbol | None = None,
    *,
    name: str | None = None,
    attr: Mapping[str, str] | None = None,
) -> Symbol:
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
    ctx: Any = '',
    dtype: Any = 'float32',
    *,
    name: str | None = None,
    attr: Mapping[str, str] | None = None,
) -> Symbol:
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

def _mp_adabelief_update(
    weight: Symbol | None = None,
    grad: Symbol | None = None,
    mean: Symbol | None = None,
    var: Symbol | None = None,
    weight32: Symbol | None = None,
    rescale_grad: Symbol | None = None,
    lr: float = ...,
    beta1: float = 0.9,
    beta2: float = 0.999,
    epsilon: float = 1e-08,
    wd: float = 0.0,
    eta: float = ...,
    clip_gradient: float = -1.0,
    *,
    name: str | None = None,
    attr: Mapping[str, str] | None = None,
) -> Symbol:
    """Does `_adabelief_update` for a half precision weight by way of its master copy."""

def _mp_adamw_update(
    weight: Symbol | None = None,
    grad: Symbol | None = None,
    mean: Symbol | None = None,
    var: Symbol | None = None,
    weight32: Symbol | None = None,
    rescale_grad: Symbol | None = None,
    lr: float = ...,
    beta1: float = 0.9,
    beta2: float = 0.999,
    epsilon: float = 1e-08,
    wd: float = 0.0,
    eta: float = ...,
    clip_gradient: float = -1.0,
    *,
    name: str | None = None,
    attr: Mapping[str, str] | None = None,
) -> Symbol:
    """Does `_adamw_update` for a half precision weight by way of its master copy."""

_mul = _Mul

_mul_scalar = _MulScalar

def _multi_adabelief_update(
    *data: Symbol,
    num_args: int = ...,
    lrs: float | Sequence[float] = ...,
    beta1: float = 0.9,
    beta2: float = 0.999,
    epsilon: float = 1e-08,
    wds: float | Sequence[float] = ...,
    etas: float | Sequence[float] = ...,
    clip_gradient: float = -1.0,
    num_weights: int = 1,
    name: str | None = None,
    attr: Mapping[str, str] | None = None,
    **kwargs: Symbol,
) -> Symbol:
    """Does `_adabelief_update` for several weights."""

def _multi_adamw_update(
    *data: Symbol,
    num_args: int = ...,
    lrs: float | Sequence[float] = ...,
    beta1: float = 0.9,
    beta2: float = 0.999,
    epsilon: float = 1e-08,
    wds: float | Sequence[float] = ...,
    etas: float | Sequence[float] = ...,
    clip_gradient: float = -1.0,
    num_weights: int = 1,
    name: str | None = None,
    attr: Mapping[str, str] | None = None,
    **kwargs: Symbol,
) -> Symbol:
    """Does `_adamw_update` for several weights."""

def _multi_lamb_update(
    *data: Symbol,
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
    name: str | None = None,
    attr: Mapping[str, str] | None = None,
    **kwargs: Symbol,
) -> Symbol:
    """Returns several weights after a step of LAMB, see `lamb_update_phase1`."""

def _multi_lans_update(
    *data: Symbol,
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
    step_count: int | Sequence[int] = ...,
    num_tensors: int = 1,
    name: str | None = None,
    attr: Mapping[str, str] | None = None,
    **kwargs: Symbol,
) -> Symbol:
    """Returns several weights after a step of LANS, LAMB with a step along gradients."""

def _multi_mp_adabelief_update(
    *data: Symbol,
    num_args: int = ...,
    lrs: float | Sequence[float] = ...,
    beta1: float = 0.9,
    beta2: float = 0.999,
    epsilon: float = 1e-08,
    wds: float | Sequence[float] = ...,
    etas: float | Sequence[float] = ...,
    clip_gradient: float = -1.0,
    num_weights: int = 1,
    name: str | None = None,
    attr: Mapping[str, str] | None = None,
    **kwargs: Symbol,
) -> Symbol:
    """Does `_mp_adabelief_update` for several weights."""

def _multi_mp_adamw_update(
    *data: Symbol,
    num_args: int = ...,
    lrs: float | Sequence[float] = ...,
    beta1: float = 0.9,
    beta2: float = 0.999,
    epsilon: float = 1e-08,
    wds: float | Sequence[float] = ...,
    etas: float | Sequence[float] = ...,
    clip_gradient: float = -1.0,
    num_weights: int = 1,
    name: str | None = None,
    attr: Mapping[str, str] | None = None,
    **kwargs: Symbol,
) -> Symbol:
    """Does `_mp_adamw_update` for several weights."""

def _multi_mp_lamb_update(
    *data: Symbol,
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
    name: str | None = None,
    attr: Mapping[str, str] | None = None,
    **kwargs: Symbol,
) -> Symbol:
    """Does `_multi_lamb_update` for half precision weights by way of their master copies."""

def _multi_mp_lans_update(
    *data: Symbol,
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
    step_count: int | Sequence[int] = ...,
    num_tensors: int = 1,
    name: str | None = None,
    attr: Mapping[str, str] | None = None,
    **kwargs: Symbol,
) -> Symbol:
    """Does `_multi_lans_update` for half precision weights by way of their master copies."""

_not_equal = _Not_Equal

_not_equal_scalar = _NotEqualScalar

def _onehot_encode(
    lhs: Symbol | None = None,
    rhs: Symbol | None = None,
    *,
    name: str | None = None,
    attr: Mapping[str, str] | None = None,
) -> Symbol:
    """Writes each index as a vector with a one, in the shape of another array."""

def _ones(
    shape: int | Sequence[int | None] | None = None,
    ctx: Any = '',
    dtype: Any = 'float32',
    *,
    name: str | None = None,
    attr: Mapping[str, str] | None = None,
) -> Symbol:
    """Creates an array of ones."""

_plus = _Plus

_plus_scalar = _PlusScalar

_power = _Power

_power_scalar = _PowerScalar

def _random_binomial(
    n: int = 1,
    p: float = 1.0,
    shape: int | Sequence[int | None] | None = None,
    ctx: Any = '',
    dtype: Any = None,
    *,
    name: str | None = None,
    attr: Mapping[str, str] | None = None,
) -> Symbol:
    """Draws from a binomial distribution, the successes in `n` trials."""

def _random_exponential(
    lam: float = 1.0,
    shape: int | Sequence[int | None] | None = None,
    ctx: Any = '',
    dtype: Any = None,
    *,
    name: str | None = None,
    attr: Mapping[str, str] | None = None,
) -> Symbol:
    """Draws from an exponential distribution, whose mean is `1 / lam`."""

def _random_gamma(
    alpha: float = 1.0,
    beta: float = 1.0,
    shape: int | Sequence[int | None] | None = None,
    ctx: Any = '',
    dtype: Any = None,
    *,
    name: str | None = None,
    attr: Mapping[str, str] | None = None,
) -> Symbol:
    """Draws from a gamma distribution, whose mean is `alpha * beta`."""

def _random_generalized_negative_binomial(
    mu: float = 1.0,
    alpha: float = 1.0,
    shape: int | Sequence[int | None] | None = None,
    ctx: Any = '',
    dtype: Any = None,
    *,
    name: str | None = None,
    attr: Mapping[str, str] | None = None,
) -> Symbol:
    """Draws from a negative binomial distribution given by its mean and dispersion."""

def _random_negative_binomial(
    k: int = 1,
    p: float = 1.0,
    shape: int | Sequence[int | None] | None = None,
    ctx: Any = '',
    dtype: Any = None,
    *,
    name: str | None = None,
    attr: Mapping[str, str] | None = None,
) -> Symbol:
    """Draws from a negative binomial distribution, the failures before `k` successes."""

def _random_normal(
    loc: float = 0.0,
    scale: float = 1.0,
    shape: int | Sequence[int | None] | None = None,
    ctx: Any = '',
    dtype: Any = None,
    *,
    name: str | None = None,
    attr: Mapping[str, str] | None = None,
) -> Symbol:
    """Draws from a normal distribution."""

def _random_pdf_dirichlet(
    sample: Symbol | None = None,
    alpha: Symbol | None = None,
    is_log: bool = False,
    *,
    name: str | None = None,
    attr: Mapping[str, str] | None = None,
) -> Symbol:
    """Returns the density of the Dirichlet distribution at samples."""

def _random_pdf_exponential(
    sample: Symbol | None = None,
    lam: Symbol | None = None,
    is_log: bool = False,
    *,
    name: str | None = None,
    attr: Mapping[str, str] | None = None,
) -> Symbol:
    """Returns the density of the exponential distribution at samples."""

def _random_pdf_gamma(
    sample: Symbol | None = None,
    alpha: Symbol | None = None,
    beta: Symbol | None = None,
    is_log: bool = False,
    *,
    name: str | None = None,
    attr: Mapping[str, str] | None = None,
) -> Symbol:
    """Returns the density of the gamma distribution at samples."""

def _random_pdf_generalized_negative_binomial(
    sample: Symbol | None = None,
    mu: Symbol | None = None,
    alpha: Symbol | None = None,
    is_log: bool = False,
    *,
    name: str | None = None,
    attr: Mapping[str, str] | None = None,
) -> Symbol:
    """Returns the density of the generalized negative binomial distribution at samples."""

def _random_pdf_negative_binomial(
    sample: Symbol | None = None,
    k: Symbol | None = None,
    p: Symbol | None = None,
    is_log: bool = False,
    *,
    name: str | None = None,
    attr: Mapping[str, str] | None = None,
) -> Symbol:
    """Returns the density of the negative binomial distribution at samples."""

def _random_pdf_normal(
    sample: Symbol | None = None,
    mu: Symbol | None = None,
    sigma: Symbol | None = None,
    is_log: bool = False,
    *,
    name: str | None = None,
    attr: Mapping[str, str] | None = None,
) -> Symbol:
    """Returns the density of the normal distribution at samples."""

def _random_pdf_poisson(
    sample: Symbol | None = None,
    lam: Symbol | None = None,
    is_log: bool = False,
    *,
    name: str | None = None,
    attr: Mapping[str, str] | None = None,
) -> Symbol:
    """Returns the density of the Poisson distribution at samples."""

def _random_pdf_uniform(
    sample: Symbol | None = None,
    low: Symbol | None = None,
    high: Symbol | None = None,
    is_log: bool = False,
    *,
    name: str | None = None,
    attr: Mapping[str, str] | None = None,
) -> Symbol:
    """Returns the density of the uniform distribution at samples."""

def _random_poisson(
    lam: float = 1.0,
    shape: int | Sequence[int | None] | None = None,
    ctx: Any = '',
    dtype: Any = None,
    *,
    name: str | None = None,
    attr: Mapping[str, str] | None = None,
) -> Symbol:
    """Draws from a Poisson distribution."""

def _random_randint(
    low: int,
    high: int,
    shape: int | Sequence[int | None] | None = None,
    ctx: Any = '',
    dtype: Any = None,
    *,
    name: str | None = None,
    attr: Mapping[str, str] | None = None,
) -> Symbol:
    """Draws whole numbers in `[low, high)`, all equally likely."""

def _random_uniform(
    low: float = 0.0,
    high: float = 1.0,
    shape: int | Sequence[int | None] | None = None,
    ctx: Any = '',
    dtype: Any = None,
    *,
    name: str | None = None,
    attr: Mapping[str, str] | None = None,
) -> Symbol:
    """Draws from the uniform distribution on `[low, high)`."""

def _ravel_multi_index(
    data: Symbol | None = None,
    shape: int | Sequence[int | None] | None = None,
    *,
    name: str | None = None,
    attr: Mapping[str, str] | None = None,
) -> Symbol:
    """Converts coordinates into indices of the flattened array."""

_rdiv_scalar = _RDivScalar

_rminus_scalar = _RMinusScalar

_rmod_scalar = _RModScalar

def _rnn_param_concat(
    *data: Symbol,
    num_args: int = ...,
    dim: int = 1,
    name: str | None = None,
    attr: Mapping[str, str] | None = None,
    **kwargs: Symbol,
) -> Symbol:
    """Joins the parameters of a recurrent layer, which files name apart from other arrays."""

_rpower_scalar = _RPowerScalar

def _sample_binomial(
    n: Symbol | None = None,
    p: Symbol | None = None,
    shape: int | Sequence[int] = (),
    dtype: Any = None,
    *,
    name: str | None = None,
    attr: Mapping[str, str] | None = None,
) -> Symbol:
    """Draws from a binomial distribution, the successes in `n` trials, for each element of arrays of parameters."""

def _sample_categorical(
    data: Symbol | None = None,
    shape: int | Sequence[int] = (),
    get_prob: bool = False,
    dtype: Any = 'int32',
    *,
    name: str | None = None,
    attr: Mapping[str, str] | None = None,
) -> Symbol:
    """Draws categories by their probabilities."""

def _sample_exponential(
    lam: Symbol | None = None,
    shape: int | Sequence[int] = (),
    dtype: Any = None,
    *,
    name: str | None = None,
    attr: Mapping[str, str] | None = None,
) -> Symbol:
    """Draws from an exponential distribution, whose mean is `1 / lam`, for each element of arrays of parameters."""

def _sample_gamma(
    alpha: Symbol | None = None,
    beta: Symbol | None = None,
    shape: int | Sequence[int] = (),
    dtype: Any = None,
    *,
    name: str | None = None,
    attr: Mapping[str, str] | None = None,
) -> Symbol:
    """Draws from a gamma distribution, whose mean is `alpha * beta`, for each element of arrays of parameters."""

def _sample_generalized_negative_binomial(
    mu: Symbol | None = None,
    alpha: Symbol | None = None,
    shape: int | Sequence[int] = (),
    dtype: Any = None,
    *,
    name: str | None = None,
    attr: Mapping[str, str] | None = None,
) -> Symbol:
    """Draws from a negative binomial distribution given by its mean and dispersion, for each element of arrays of parameters."""

_sample_multinomial = _sample_categorical

def _sample_negative_binomial(
    k: Symbol | None = None,
    p: Symbol | None = None,
    shape: int | Sequence[int] = (),
    dtype: Any = None,
    *,
    name: str | None = None,
    attr: Mapping[str, str] | None = None,
) -> Symbol:
    """Draws from a negative binomial distribution, the failures before `k` successes, for each element of arrays of parameters."""

def _sample_normal(
    mu: Symbol | None = None,
    sigma: Symbol | None = None,
    shape: int | Sequence[int] = (),
    dtype: Any = None,
    *,
    name: str | None = None,
    attr: Mapping[str, str] | None = None,
) -> Symbol:
    """Draws from a normal distribution, for each element of arrays of parameters."""

def _sample_poisson(
    lam: Symbol | None = None,
    shape: int | Sequence[int] = (),
    dtype: Any = None,
    *,
    name: str | None = None,
    attr: Mapping[str, str] | None = None,
) -> Symbol:
    """Draws from a Poisson distribution, for each element of arrays of parameters."""

def _sample_uniform(
    low: Symbol | None = None,
    high: Symbol | None = None,
    shape: int | Sequence[int] = (),
    dtype: Any = None,
    *,
    name: str | None = None,
    attr: Mapping[str, str] | None = None,
) -> Symbol:
    """Draws from the uniform distribution on `[low, high)`, for each element of arrays of parameters."""

def _sample_unique_zipfian(
    range_max: int,
    shape: int | Sequence[int | None] | None = None,
    *,
    name: str | None = None,
    attr: Mapping[str, str] | None = None,
) -> Symbol:
    """Draws different classes from an approximately Zipfian distribution."""

def _scatter_elemwise_div(
    lhs: Symbol | None = None,
    rhs: Symbol | None = None,
    *,
    name: str | None = None,
    attr: Mapping[str, str] | None = None,
) -> Symbol:
    """Divides stored elements by those of the second array."""

def _scatter_minus_scalar(
    data: Symbol | None = None,
    scalar: float = 1.0,
    is_int: bool = True,
    *,
    name: str | None = None,
    attr: Mapping[str, str] | None = None,
) -> Symbol:
    """Subtracts a number from the stored elements of an array."""

def _scatter_plus_scalar(
    data: Symbol | None = None,
    scalar: float = 1.0,
    is_int: bool = True,
    *,
    name: str | None = None,
    attr: Mapping[str, str] | None = None,
) -> Symbol:
    """Adds a number to the stored elements of an array."""

def _scatter_set_nd(
    lhs: Symbol | None = None,
    rhs: Symbol | None = None,
    indices: Symbol | None = None,
    shape: int | Sequence[int] = ...,
    *,
    name: str | None = None,
    attr: Mapping[str, str] | None = None,
) -> Symbol:
    """Returns an array with elements or slices replaced by their coordinates."""

def _shuffle(
    data: Symbol | None = None,
    *,
    name: str | None = None,
    attr: Mapping[str, str] | None = None,
) -> Symbol:
    """Puts the rows of an array into random order."""

_slice_assign = _crop_assign

_slice_assign_scalar = _crop_assign_scalar

def _sparse_adagrad_update(
    weight: Symbol | None = None,
    grad: Symbol | None = None,
    history: Symbol | None = None,
    lr: float = ...,
    epsilon: float = 1e-07,
    wd: float = 0.0,
    rescale_grad: float = 1.0,
    clip_gradient: float = -1.0,
    *,
    name: str | None = None,
    attr: Mapping[str, str] | None = None,
) -> Symbol:
    """Returns the weight after a step of AdaGrad; rows without a gradient stay as they are."""

def _sparse_retain(
    data: Symbol | None = None,
    indices: Symbol | None = None,
    *,
    name: str | None = None,
    attr: Mapping[str, str] | None = None,
) -> Symbol:
    """Keeps some rows of an array and sets the others to zero."""

def _split_v2(
    data: Symbol | None = None,
    indices: int | Sequence[int] = ...,
    axis: int = 1,
    squeeze_axis: bool = False,
    sections: int = 0,
    *,
    name: str | None = None,
    attr: Mapping[str, str] | None = None,
) -> Symbol:
    """Splits an array along an axis, at given indices or into sections."""

def _square_sum(
    data: Symbol | None = None,
    axis: int | Sequence[int | None] | None = None,
    keepdims: bool = False,
    exclude: bool = False,
    *,
    name: str | None = None,
    attr: Mapping[str, str] | None = None,
) -> Symbol:
    """Sums the squares of elements along axes."""

_sub = _Minus

def _unravel_index(
    data: Symbol | None = None,
    shape: int | Sequence[int | None] | None = None,
    *,
    name: str | None = None,
    attr: Mapping[str, str] | None = None,
) -> Symbol:
    """Converts indices of the flattened array into coordinates, along a new first axis."""

def _zeros(
    shape: int | Sequence[int | None] | None = None,
    ctx: Any = '',
    dtype: Any = 'float32',
    *,
    name: str | None = None,
    attr: Mapping[str, str] | None = None,
) -> Symbol:
    """Creates an array of zeros."""

def _zeros_without_dtype(
    shape: int | Sequence[int | None] | None = None,
    ctx: Any = '',
    dtype: int = -1,
    *,
    name: str | None = None,
    attr: Mapping[str, str] | None = None,
) -> Symbol:
    """Creates an array of zeros whose type may be left open."""

"""Softmax, its relatives, and the cross entropy on it.

`cross_entropy` computes that of class numbers in one kernel; losses have four operators for it.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from math import inf, log
from typing import Any, Literal

import torch
import torch.nn.functional as F
from torch import Tensor

from mxnet._formats import element_types
from mxnet.errors import AttributeValueError, MXNetError
from mxnet.ops.core.attrs import DType, Shape
from mxnet.ops.core.registry import op
from mxnet.ops.core.traits import NAMED, NAMED_INPUTS, NAMED_OUTPUTS, SAME_SHAPE, Traits
from mxnet.ops.math.reduction import pick
from mxnet.ops.nn.layouts import require_floating, require_input, require_shape

_MAX_LOSS = -log(1e-8)
"""Cross entropy of one sample is capped there, as if no probability were below 1e-8."""


def _normalize(
    name: str,
    function: Callable[..., Tensor],
    data: Tensor,
    axis: int,
    temperature: float | None,
    dtype: torch.dtype | None,
) -> Tensor:
    require_floating(name, data)
    if temperature is not None:
        data = data / temperature
    if dtype is None or dtype == data.dtype:
        return function(data, axis)
    if not dtype.is_floating_point:
        raise AttributeValueError(
            f"{name}: attribute `dtype` takes a float type, got {element_types.name_of(dtype)!r}"
        )
    wide = torch.promote_types(data.dtype, dtype)
    return function(data, axis, dtype=wide).to(dtype)


def _refuse_length(name: str, use_length: bool | None) -> None:
    if use_length:
        raise AttributeValueError(
            f"{name}: attribute `use_length` takes False, as no lengths can be given"
        )


def _without_axis(shape: Shape, axis: int) -> Shape:
    axis %= len(shape)
    return (*shape[:axis], *shape[axis + 1 :])


def _fill_length(
    data: Shape, *, axis: int, use_length: bool | None, **_: object
) -> dict[str, Shape]:
    return {"length": _without_axis(data, axis)} if use_length else {}


def _softmax_inputs(*, use_length: bool | None, **_: object) -> tuple[str, ...]:
    return ("data", "length") if use_length else ("data",)


@op(
    "softmax",
    aliases=("_npx_softmax",),
    fresh=True,
    any_dtype=("length",),
    fill_shapes=_fill_length,
    active_inputs=_softmax_inputs,
    traits=Traits(labels=NAMED, role="softmax"),
)
def softmax(
    data: Tensor,
    length: Tensor | None = None,
    *,
    axis: int = -1,
    temperature: float | None = None,
    dtype: DType | None = None,
    use_length: bool | None = False,
) -> Tensor:
    """Scales the exponentials along an axis to sum to one.

    Args:
        data: Input of a float type.
        length: With `use_length`, how many leading elements of each row count; the others become
            zero. Integers, in the shape of the data without `axis`.
        axis: Axis along which to normalize.
        temperature: Divides the data first; a high one gives a flat distribution.
        dtype: Float type of the output; that of the data by default.
        use_length: Whether `length` is given.

    Example:
        >>> import mxnet as mx
        >>> print(mx.nd.softmax(mx.nd.array([[1, 1]])).asnumpy())
        [[0.5 0.5]]
    """
    if not use_length and temperature is None and dtype is None and data.is_floating_point():
        return torch.softmax(data, axis)
    if not use_length:
        return _normalize("softmax", torch.softmax, data, axis, temperature, dtype)
    beyond = _beyond_length(data, require_input("softmax", "length", length, "use_length"), axis)
    # a finite bottom keeps rows of length zero free of NaN, forward and backward
    data = data.masked_fill(beyond, torch.finfo(data.dtype).min)
    result = _normalize("softmax", torch.softmax, data, axis, temperature, dtype)
    return result.masked_fill(beyond, 0)


def _beyond_length(data: Tensor, length: Tensor, axis: int) -> Tensor:
    require_floating("softmax", data)
    if length.is_floating_point() and not length.is_meta:  # shapes are asked before types
        got = element_types.name_of(length.dtype)
        raise MXNetError(f"softmax: expected `length` of an integer type, got {got}")
    require_shape("softmax", "length", length, _without_axis(tuple(data.shape), axis))
    positions = torch.arange(data.shape[axis], device=data.device)
    shape = [1] * data.ndim
    shape[axis] = -1
    return positions.view(shape) >= length.unsqueeze(axis)


def _masked(
    name: str,
    function: Callable[..., Tensor],
    data: Tensor,
    mask: Tensor,
    axis: int,
    temperature: float | None,
) -> tuple[Tensor, Tensor]:
    """Normalizes over elements that a mask shows; returns the result and what it does not show."""
    require_floating(name, data)
    if mask.dtype is not torch.bool:
        got = element_types.name_of(mask.dtype)
        raise MXNetError(f"{name}: expected `mask` of bool, got {got}")
    try:
        hidden = torch.logical_not(mask).expand(data.shape)
    except RuntimeError:
        raise MXNetError(
            f"{name}: expected a mask that broadcasts to shape {tuple(data.shape)}, "
            f"got {tuple(mask.shape)}"
        ) from None
    # a finite bottom keeps rows of which nothing shows free of NaN, forward and backward
    data = data.masked_fill(hidden, torch.finfo(data.dtype).min)
    return _normalize(name, function, data, axis, temperature, None), hidden


@op("masked_softmax", aliases=("_npx_masked_softmax",), fresh=True, any_dtype=("mask",))
def masked_softmax(
    data: Tensor,
    mask: Tensor,
    *,
    axis: int = -1,
    temperature: float | None = 1.0,
    normalize: bool | None = True,
) -> Tensor:
    """Scales the exponentials of the elements that a mask shows to sum to one.

    Args:
        data: Input of a float type.
        mask: Truth values that broadcast to the data; where one is false the result is 0.
        axis: Axis along which to normalize.
        temperature: Divides the data first.
        normalize: Has no effect: results never depend on a constant that is added to a row.

    Example:
        >>> import mxnet as mx
        >>> x, mask = mx.nd.array([[1, 1, 9]]), mx.nd.array([[1, 1, 0]], dtype="bool")
        >>> print(mx.nd.masked_softmax(x, mask).asnumpy())
        [[0.5 0.5 0. ]]
    """
    del normalize
    result, hidden = _masked("masked_softmax", torch.softmax, data, mask, axis, temperature)
    return result.masked_fill(hidden, 0)


@op("masked_log_softmax", aliases=("_npx_masked_log_softmax",), fresh=True, any_dtype=("mask",))
def masked_log_softmax(
    data: Tensor,
    mask: Tensor,
    *,
    axis: int = -1,
    temperature: float | None = 1.0,
    normalize: bool | None = True,
) -> Tensor:
    """Returns the logarithm of `masked_softmax`, which is -inf where the mask is false.

    Args:
        data: Input of a float type.
        mask: Truth values that broadcast to the data.
        axis: Axis along which to normalize.
        temperature: Divides the data first.
        normalize: Has no effect: results never depend on a constant that is added to a row.

    Example:
        >>> import mxnet as mx
        >>> x, mask = mx.nd.array([[1, 1, 9]]), mx.nd.array([[1, 1, 0]], dtype="bool")
        >>> print(mx.nd.masked_log_softmax(x, mask).asnumpy().round(3))
        [[-0.693 -0.693   -inf]]
    """
    del normalize
    name = "masked_log_softmax"
    result, hidden = _masked(name, torch.log_softmax, data, mask, axis, temperature)
    return result.masked_fill(hidden, -inf)


@op(
    "log_softmax",
    aliases=("_npx_log_softmax",),
    fresh=True,
    traits=Traits(shapes=SAME_SHAPE, labels=NAMED_INPUTS),
)
def log_softmax(
    data: Tensor,
    *,
    axis: int = -1,
    temperature: float | None = None,
    dtype: DType | None = None,
    use_length: bool | None = False,
) -> Tensor:
    """Computes the logarithm of softmax, without the loss of precision of doing it in two steps.

    Args:
        data: Input of a float type.
        axis: Axis along which to normalize.
        temperature: Divides the data first.
        dtype: Float type of the output; that of the data by default.
        use_length: Accepted as False only; lengths are for `softmax`.

    Example:
        >>> import mxnet as mx
        >>> print(mx.nd.log_softmax(mx.nd.array([[0, 0]])).asnumpy().round(2))
        [[-0.69 -0.69]]
    """
    if not use_length and temperature is None and dtype is None and data.is_floating_point():
        return torch.log_softmax(data, axis)
    _refuse_length("log_softmax", use_length)
    return _normalize("log_softmax", torch.log_softmax, data, axis, temperature, dtype)


@op("softmin", traits=Traits(shapes=SAME_SHAPE, labels=NAMED_OUTPUTS))
def softmin(
    data: Tensor,
    *,
    axis: int = -1,
    temperature: float | None = None,
    dtype: DType | None = None,
    use_length: bool | None = False,
) -> Tensor:
    """Computes softmax of the negated data: the least element gets the most weight.

    Args:
        data: Input of a float type.
        axis: Axis along which to normalize.
        temperature: Divides the data first.
        dtype: Float type of the output; that of the data by default.
        use_length: Accepted as False only; lengths are for `softmax`.

    Example:
        >>> import mxnet as mx
        >>> print(mx.nd.softmin(mx.nd.array([1, 1, 3])).asnumpy().round(2))
        [0.47 0.47 0.06]
    """
    _refuse_length("softmin", use_length)
    return _normalize("softmin", torch.softmax, -data, axis, temperature, dtype)


@op("SoftmaxActivation", traits=Traits(shapes=SAME_SHAPE, labels=NAMED_OUTPUTS))
def softmax_activation(
    data: Tensor, *, mode: Literal["channel", "instance"] = "instance"
) -> Tensor:
    """Applies softmax within each sample; `softmax` and `SoftmaxOutput` have replaced it.

    Args:
        data: Input of shape `(batch, channel, ...)`, of a float type.
        mode: `instance` normalizes over all elements of a sample, `channel` over axis 1 at each
            position.

    Example:
        >>> import mxnet as mx
        >>> print(mx.nd.SoftmaxActivation(mx.nd.zeros((1, 2))).asnumpy())
        [[0.5 0.5]]
    """
    require_floating("SoftmaxActivation", data)
    if mode == "channel":
        if data.ndim < 3:
            raise MXNetError(
                f"SoftmaxActivation: expected data of 3 or more axes with mode='channel', "
                f"got shape {tuple(data.shape)}"
            )
        return torch.softmax(data, 1)
    if data.ndim <= 2:
        return torch.softmax(data, -1)
    return torch.softmax(data.flatten(start_dim=1), 1).view(data.shape)


class _SoftmaxCrossEntropy(torch.autograd.Function):
    """Cross entropy whose slope ignores the cap on the loss of a sample."""

    @staticmethod
    def forward(ctx: Any, data: Tensor, label: Tensor) -> Tensor:
        log_probability = torch.log_softmax(data, 1)
        hit = label.long().unsqueeze(1) == torch.arange(data.shape[1], device=data.device)
        ctx.save_for_backward(log_probability, hit)
        loss = torch.where(hit, -log_probability, 0).sum(1)
        loss = torch.where(hit.any(1), loss, _MAX_LOSS).clamp(max=_MAX_LOSS)
        return loss.sum().reshape(1)

    @staticmethod
    def backward(ctx: Any, head: Tensor) -> tuple[Tensor, None]:
        log_probability, hit = ctx.saved_tensors
        return head * (log_probability.exp() - hit.to(head.dtype)), None


def _fill_label(data: Shape, **_: object) -> dict[str, Shape]:
    return {"label": tuple(data[:1])}


@op("softmax_cross_entropy", fill_shapes=_fill_label)
def softmax_cross_entropy(data: Tensor, label: Tensor) -> Tensor:
    """Computes the cross entropy of softmax against class labels, summed over the batch.

    Args:
        data: Scores of shape `(batch, classes)`.
        label: Class of each sample, of shape `(batch,)` and of the type of the data.

    Example:
        >>> import mxnet as mx
        >>> scores = mx.nd.zeros((2, 4))
        >>> print(mx.nd.softmax_cross_entropy(scores, mx.nd.array([0, 3])).asnumpy().round(3))
        [2.773]
    """
    if data.ndim != 2:
        raise MXNetError(
            f"softmax_cross_entropy: expected data of 2 axes, got shape {tuple(data.shape)}"
        )
    require_floating("softmax_cross_entropy", data)
    require_shape("softmax_cross_entropy", "label", label, (data.shape[0],))
    loss: Tensor = _SoftmaxCrossEntropy.apply(data, label)  # type: ignore[no-untyped-call]  # torch gives no types
    return loss


_NO_LABEL = -(2**62)
"""Value of `ignore_index`: torch always has one, and no class has this number."""


def has_kernel(data: Tensor, label: Tensor) -> bool:
    """Returns whether torch has a kernel for scores and labels of these shapes and types."""
    return data.ndim == 2 and label.shape == data.shape[:1] and data.is_floating_point()


def cross_entropy(data: Tensor, label: Tensor) -> Tensor:
    """Returns minus the logarithm of the probability of each label.

    Args:
        data: Scores of shape `(batch, ..., classes)`.
        label: Numbers of classes; one outside counts as the nearest one.
    """
    if not has_kernel(data, label):
        loss: Tensor = -pick(log_softmax(data), label, keepdims=True)
        return loss.flatten(1).mean(1) if loss.ndim > 1 else loss
    return _find_losses(data, label.long()) + 0.0  # no loss is -0, as the mean of one is not


def _find_losses(data: Tensor, index: Tensor) -> Tensor:
    if data.is_cpu:
        try:
            return F.cross_entropy(data, index, reduction="none", ignore_index=_NO_LABEL)
        except IndexError:  # a label outside
            pass
    return F.cross_entropy(data, index.clamp(0, data.shape[1] - 1), reduction="none")


_LABEL_TYPES = (torch.float32, torch.float64, torch.int32, torch.int64)
"""Dtypes that contain the numbers of all classes that a network may have."""


def cross_entropy_at_once(data: Tensor, label: Tensor) -> Tensor:
    """Returns what `cross_entropy` does, on a GPU with fewer launches; not for graphs.

    There a loss of zero may be -0: to make it 0 would take as long as the logarithms.

    Args:
        data: Scores of shape `(batch, classes)` for which `has_kernel` is true.
        label: Numbers of classes; one outside counts as the nearest one.
    """
    index = _find_classes(data, label)
    if index is None:
        return cross_entropy(data, label)
    return F.nll_loss(torch.log_softmax(data, 1), index, reduction="none")


def cross_entropy_in_single(data: Tensor, label: Tensor) -> Tensor:
    """Returns the losses in single precision of scores in half precision, which stay as they are.

    Args:
        data: Scores, as of `cross_entropy_at_once`.
        label: Numbers of classes; one outside counts as the nearest one.
    """
    index = _find_classes(data, label)
    if index is None:
        return cross_entropy(data.float(), label)
    # a GPU converts scores, and gradients on their way back, as it reads and writes them
    logarithms = torch.log_softmax(data, 1, dtype=torch.float32)
    return F.nll_loss(logarithms, index, reduction="none")


def _find_classes(data: Tensor, label: Tensor) -> Tensor | None:
    """Returns labels as numbers of classes if one launch is enough for that, else None."""
    if not data.is_cuda or label.dtype not in _LABEL_TYPES:
        return None
    if torch.cuda.is_current_stream_capturing():  # the numbers would have to stay as long as that
        return None
    later = _later_classes(data.shape[1], label.dtype, label.device)
    return torch.bucketize(label, later, right=True)


@lru_cache(maxsize=8)
def _later_classes(count: int, dtype: torch.dtype, device: torch.device) -> Tensor:
    """Returns the numbers of all classes but the first."""
    return torch.arange(1, count, dtype=dtype, device=device)

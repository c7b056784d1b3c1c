"""Output layers: identities or links that bring the slope of a loss of their own.

What arrives from above in the backward pass is ignored, unless told otherwise: such a layer is the
end of a network. The slope is computed in the backward pass from the output and the label as they
are by then, because programs write to both in between, and the original reads what is there.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from math import prod
from typing import Any, Literal

import torch
from torch import Tensor

from mxnet.errors import MXNetError
from mxnet.ops.core.attrs import Shape, Share
from mxnet.ops.core.registry import elementary, op
from mxnet.ops.core.traits import (
    ELEMENTWISE,
    NAMED_OUTPUTS,
    PASSES_THROUGH,
    Labels,
    Traits,
    Variables,
)
from mxnet.ops.nn.layouts import require_floating, require_shape
from mxnet.ops.rules import storage_types


class _OwnGradient(torch.autograd.Function):
    """Returns `output`, and in the backward pass a gradient to `data` that a function computes.

    What that function reads is not saved with the node, so that torch does not look for writes.
    """

    @staticmethod
    def forward(ctx: Any, *arguments: Any) -> Tensor:
        _data, output, ctx.gradient, ctx.scaled = arguments
        result: Tensor = output.view_as(output)
        return result

    @staticmethod
    def backward(ctx: Any, head: Tensor) -> tuple[Tensor, None, None, None]:
        with torch.no_grad():  # a label may be a variable, too, and gets no gradient all the same
            gradient = ctx.gradient()
        return (gradient * head if ctx.scaled else gradient), None, None, None


def _with_gradient(
    data: Tensor, output: Tensor, gradient: Callable[[], Tensor], *, scaled: bool = False
) -> Tensor:
    """Attaches a gradient to an output computed from detached data."""
    if not (torch.is_grad_enabled() and data.requires_grad):
        return output
    attached: Tensor = _OwnGradient.apply(data, output, gradient, scaled)  # type: ignore[no-untyped-call]  # torch gives no types
    return attached


def _share(scale: float, valid: Tensor) -> Tensor:
    """Divides a scale by the number of true elements, at least one."""
    return scale / valid.sum().clamp(min=1)


def _fill_class_label(data: Shape, *, multi_output: bool = False, **_: object) -> dict[str, Shape]:
    if multi_output:
        return {"label": (data[0], prod(data[2:]))}
    return {"label": tuple(data[:-1]) or tuple(data)}


def _is_class(label: Tensor, classes: int) -> Tensor:
    """Table of shape `(rows, classes, positions)` that is true where a label names the class."""
    return label.long().unsqueeze(1) == torch.arange(classes, device=label.device).view(1, -1, 1)


_LOSS = Traits(ignores_head=True)


def _starts_backward(*, out_grad: bool, **_: object) -> bool:
    return not out_grad


@op(
    "SoftmaxOutput",
    aliases=("Softmax",),
    fill_shapes=_fill_class_label,
    traits=Traits(ignores_head=_starts_backward, labels=NAMED_OUTPUTS),
)
def softmax_output(
    data: Tensor,
    label: Tensor,
    *,
    grad_scale: float = 1.0,
    ignore_label: float = -1.0,
    multi_output: bool = False,
    use_ignore: bool = False,
    preserve_shape: bool = False,
    normalization: Literal["batch", "null", "valid"] = "null",
    out_grad: bool = False,
    smooth_alpha: Share = 0.0,
) -> Tensor:
    """Computes softmax, with the slope of the cross entropy against the labels.

    Args:
        data: Scores: of shape `(batch, classes)`; with `multi_output` `(batch, classes, ...)`;
            with `preserve_shape` `(..., classes)`. Otherwise axes after the first count as one.
        label: Classes, in the shape of the data without its axis of classes; or, in the shape of
            the data, the wanted probabilities, for which only `grad_scale` and `out_grad` count.
        grad_scale: Factor of the gradient.
        ignore_label: Label of samples to be left out, with `use_ignore`.
        multi_output: Whether to take axis 1 as that of classes, each position a sample; the
            gradient is then divided by the number of positions.
        use_ignore: Whether samples with `ignore_label` get no gradient.
        preserve_shape: Whether to take the last axis as that of classes.
        normalization: Divides the gradient: by one, by the number of samples (`batch`), or by the
            number of samples whose label is not `ignore_label` (`valid`).
        out_grad: Whether the gradient is multiplied by the one that arrives.
        smooth_alpha: How much of the wanted probability goes to the other classes; without effect
            with `multi_output`.

    Example:
        >>> import mxnet as mx
        >>> scores, label = mx.nd.array([[0, 0]]), mx.nd.array([1])
        >>> scores.attach_grad()
        >>> with mx.autograd.record():
        ...     probabilities = mx.nd.SoftmaxOutput(scores, label)
        >>> probabilities.backward()
        >>> print(probabilities.asnumpy(), scores.grad.asnumpy())
        [[0.5 0.5]] [[ 0.5 -0.5]]
    """
    require_floating("SoftmaxOutput", data)
    plain = normalization != "valid" and not (use_ignore or smooth_alpha)
    if plain and data.ndim == 2 and label.shape == data.shape[:1]:
        share = grad_scale / max(label.numel(), 1) if normalization == "batch" else grad_scale
        return _softmax_of_rows(data, label, share, out_grad)
    _check_class_label("SoftmaxOutput", data, label, multi_output)
    table, names = _as_table(data.detach(), label, multi_output, preserve_shape)
    probabilities = torch.softmax(table, 1)
    output = probabilities.view(data.shape)

    def gradient() -> Tensor:
        if label.shape == data.shape:
            return (output - label) * grad_scale
        expected = _expected(names, table, 0.0 if multi_output else smooth_alpha)
        slope = probabilities - expected
        if use_ignore:
            ignored = names.long() == int(ignore_label)
            slope = slope.masked_fill(ignored.unsqueeze(1), 0)
        if normalization == "valid":
            scale: float | Tensor = _share(grad_scale, label.long() != int(ignore_label))
        else:
            scale = grad_scale / (label.numel() if normalization == "batch" else table.shape[2])
        return (slope * scale).view(data.shape)

    return _with_gradient(data, output, gradient, scaled=out_grad)


class _SoftmaxOfRows(torch.autograd.Function):
    """Softmax of each row, with the slope of the cross entropy: the usual case in few steps."""

    @staticmethod
    def forward(ctx: Any, *arguments: Any) -> Tensor:
        data, label, ctx.scale, ctx.scaled = arguments
        output = torch.softmax(data, 1)
        # Aliases: torch does not look for writes to them, and no cycle keeps the output alive.
        ctx.output, ctx.label = output.data, label.data
        return output

    @staticmethod
    def backward(ctx: Any, head: Tensor) -> tuple[Tensor, None, None, None]:
        output, label = ctx.output, ctx.label
        with torch.no_grad():
            classes = torch.arange(output.shape[1], device=label.device)
            hit = label.long().unsqueeze(1) == classes
            slope = torch.add(output, hit, alpha=-1)  # torch refuses to subtract truth values
            if ctx.scale != 1:
                slope.mul_(ctx.scale)
        return (slope * head if ctx.scaled else slope), None, None, None


def _softmax_of_rows(data: Tensor, label: Tensor, scale: float, scaled: bool) -> Tensor:
    """Computes softmax of rows of scores, each with one class."""
    if not (torch.is_grad_enabled() and data.requires_grad):
        return torch.softmax(data.detach(), 1)
    output: Tensor = _SoftmaxOfRows.apply(data, label, scale, scaled)  # type: ignore[no-untyped-call]  # as above
    return output


def _as_table(
    data: Tensor, label: Tensor, multi_output: bool, preserve_shape: bool
) -> tuple[Tensor, Tensor]:
    """Views data as `(rows, classes, positions)` and classes as `(rows, positions)`."""
    if multi_output and data.ndim > 1:
        table = data.reshape(data.shape[0], data.shape[1], -1)
    else:
        rows = prod(data.shape[:-1]) if preserve_shape else data.shape[0]
        table = data.reshape(rows, -1, 1)
    if label.shape == data.shape:
        return table, label
    # of labels at several positions in a sample that counts as one, the original reads the first
    # as many as there are samples
    return table, label.reshape(-1, table.shape[2])[: table.shape[0]]


def _expected(label: Tensor, table: Tensor, smooth_alpha: float) -> Tensor:
    """Wanted probabilities of shape `(rows, classes, positions)`."""
    classes = table.shape[1]
    hit = _is_class(label, classes).to(table.dtype)
    if not smooth_alpha:
        return hit
    others = smooth_alpha / max(classes - 1, 1)
    return hit * (1 - smooth_alpha - others) + others


def _check_class_label(name: str, data: Tensor, label: Tensor, multi_output: bool) -> None:
    shape = tuple(data.shape)
    allowed = [shape, shape[:-1]]
    if multi_output and data.ndim > 1:
        batch, points = shape[0], shape[2:]
        allowed = [shape, (batch, *points), (batch, 1, *points), (batch, prod(points))]
    if tuple(label.shape) not in allowed:
        raise MXNetError(
            f"{name}: expected labels for data of shape {tuple(data.shape)}, "
            f"got shape {tuple(label.shape)}"
        )


def _fill_regression(data: Shape, **_: object) -> dict[str, Shape]:
    return {"label": (data[0],) if len(data) == 2 and data[1] == 1 else tuple(data)}


def _regression(
    name: str,
    link: Callable[[Tensor], Tensor],
    slope: Callable[[Tensor, Tensor], Tensor],
    doc: str,
    gradients: str,
) -> None:
    """Declares an output layer for a regression: its link and the slope of its loss."""

    def kernel(data: Tensor, label: Tensor, *, grad_scale: float = 1.0) -> Tensor:
        require_floating(name, data)
        if label.shape[0] != data.shape[0] or label.numel() != data.numel():
            raise MXNetError(
                f"{name}: expected labels for data of shape {tuple(data.shape)}, "
                f"got shape {tuple(label.shape)}"
            )
        output = link(data.detach())
        scale = grad_scale * data.shape[0] / max(data.numel(), 1)

        def gradient() -> Tensor:
            wanted = label if label.shape == data.shape else label.reshape(data.shape)
            gradient = slope(output, wanted)
            return gradient if scale == 1 else gradient * scale

        return _with_gradient(data, output, gradient)

    kernel.__doc__ = f"""{doc}

    The gradient is divided by the number of elements of a sample.

    Args:
        data: Predictions of shape `(batch, ...)`.
        label: Targets, as many for each sample.
        grad_scale: Factor of the gradient.

    Example:
        >>> import mxnet as mx
        >>> predictions = mx.nd.array([3, 0])
        >>> predictions.attach_grad()
        >>> with mx.autograd.record():
        ...     outputs = mx.nd.{name}(predictions, mx.nd.array([1, 2]))
        >>> outputs.backward()
        >>> print(predictions.grad.asnumpy().round(3))
        {gradients}
    """
    op(name, fill_shapes=_fill_regression, traits=_LOSS)(kernel)


def _side(output: Tensor, label: Tensor) -> Tensor:
    return torch.where(output > label, 1.0, -1.0).to(output.dtype)


_REGRESSIONS: tuple[tuple[str, Any, Any, str, str], ...] = (
    (
        "LinearRegressionOutput",
        torch.Tensor.clone,
        torch.sub,
        "Passes predictions on, with the slope of half the squared error.",
        "[ 2. -2.]",
    ),
    (
        "MAERegressionOutput",
        torch.Tensor.clone,
        _side,
        "Passes predictions on, with the slope of the absolute error.",
        "[ 1. -1.]",
    ),
    (
        "LogisticRegressionOutput",
        torch.sigmoid,
        torch.sub,
        "Applies the logistic function, with the slope of the cross entropy.",
        "[-0.047 -1.5  ]",
    ),
)

for _row in _REGRESSIONS:
    _regression(*_row)


@op("SVMOutput", fill_shapes=_fill_class_label, traits=_LOSS)
def svm_output(
    data: Tensor,
    label: Tensor,
    *,
    margin: float = 1.0,
    regularization_coefficient: float = 1.0,
    use_linear: bool = False,
) -> Tensor:
    """Passes scores on, with the slope of the hinge loss of a support vector machine.

    Args:
        data: Scores of shape `(..., classes)`.
        label: Classes, in the shape of the data without the last axis.
        margin: How far the right class must be ahead.
        regularization_coefficient: Factor of the gradient.
        use_linear: Whether the hinge is linear; quadratic by default.

    Example:
        >>> import mxnet as mx
        >>> scores, label = mx.nd.array([[1, 0.5, -2]]), mx.nd.array([0])
        >>> scores.attach_grad()
        >>> with mx.autograd.record():
        ...     out = mx.nd.SVMOutput(scores, label, use_linear=True)
        ...
        >>> out.backward()
        >>> print(scores.grad.asnumpy() + 0)
        [[0. 1. 0.]]
    """
    require_floating("SVMOutput", data)
    require_shape("SVMOutput", "label", label, tuple(data.shape[:-1]))
    output = data.detach().clone()

    def gradient() -> Tensor:
        table = output.view(-1, data.shape[-1], 1)
        sign = 1 - 2 * _is_class(label.reshape(-1, 1), data.shape[-1]).to(data.dtype)
        lead = margin + sign * table
        slope = (lead > 0).to(data.dtype) if use_linear else 2 * lead.clamp(min=0)
        return (regularization_coefficient * sign * slope).view(data.shape)

    return _with_gradient(data, output, gradient)


@op(
    "MakeLoss",
    traits=replace(
        _LOSS,
        labels=Labels(names_inputs=True, names_outputs=True, gradient="data"),
        fusion=PASSES_THROUGH,
    ),
)
def make_loss_output(
    data: Tensor,
    *,
    grad_scale: float = 1.0,
    valid_thresh: float = 0.0,
    normalization: Literal["batch", "null", "valid"] = "null",
) -> Tensor:
    """Makes any expression a loss: the backward pass starts here, with a constant slope.

    Args:
        data: Loss of shape `(batch, ...)`.
        grad_scale: Slope.
        valid_thresh: What an element must exceed to count, with `normalization="valid"`.
        normalization: Divides the slope: by one, by the number of rows (`batch`), or by the number
            of elements that count (`valid`).

    Example:
        >>> import mxnet as mx
        >>> x = mx.nd.array([1, 2])
        >>> x.attach_grad()
        >>> with mx.autograd.record():
        ...     loss = mx.nd.MakeLoss(x**2)
        >>> loss.backward()
        >>> print(x.grad.asnumpy())
        [2. 4.]
    """
    require_floating("MakeLoss", data)
    output = data.detach().clone()

    def gradient() -> Tensor:
        if normalization == "valid":
            return _share(grad_scale, output > valid_thresh).to(data.dtype).expand(data.shape)
        rows = prod(data.shape[:-1]) if normalization == "batch" else 1
        return torch.full_like(output, grad_scale / max(rows, 1))

    return _with_gradient(data, output, gradient)


def _make_loss(data: Tensor) -> Tensor:
    output = data.detach().clone()
    return _with_gradient(data, output, lambda: torch.ones_like(output))


elementary(
    "make_loss",
    _make_loss,
    """Makes any expression a loss: the backward pass starts here, with slope one.

    Args:
        data: Loss of any shape.

    Example:
        >>> import mxnet as mx
        >>> x = mx.nd.array([1, 2])
        >>> x.attach_grad()
        >>> with mx.autograd.record():
        ...     loss = mx.nd.make_loss(x**2)
        >>> loss.backward()
        >>> print(x.grad.asnumpy())
        [2. 4.]
    """,
    traits=replace(
        ELEMENTWISE,
        labels=NAMED_OUTPUTS.of("loss"),
        ignores_head=True,
        storage=storage_types.WITH_DENSE_GRADIENT,
        fusion=PASSES_THROUGH,
    ),
)


def _copy_detached(data: Tensor) -> Tensor:
    return data.detach().clone()


elementary(
    "BlockGrad",
    _copy_detached,
    """Passes the data on and stops the gradient.

    Args:
        data: Input of any shape.

    Example:
        >>> import mxnet as mx
        >>> x = mx.nd.array([1, 2])
        >>> x.attach_grad()
        >>> with mx.autograd.record():
        ...     y = x * mx.nd.BlockGrad(x)
        >>> y.backward()
        >>> print(x.grad.asnumpy())
        [1. 2.]
    """,
    aliases=("stop_gradient",),
    differentiable=False,
    traits=replace(ELEMENTWISE, storage=storage_types.WITHOUT_GRADIENT, fusion=PASSES_THROUGH),
)


class _KLSparseGradient(torch.autograd.Function):
    """Identity that adds a penalty to the gradient."""

    @staticmethod
    def forward(ctx: Any, data: Tensor, penalty: Tensor) -> Tensor:
        ctx.save_for_backward(penalty)
        return data.clone()

    @staticmethod
    def backward(ctx: Any, head: Tensor) -> tuple[Tensor, None]:
        (penalty,) = ctx.saved_tensors
        return head + penalty, None


def _fill_moving_avg(data: Shape, **_: object) -> dict[str, Shape]:
    return {"moving_avg": (data[1],)}


@op(
    "IdentityAttachKLSparseReg",
    aux=("moving_avg",),
    fill_shapes=_fill_moving_avg,
    traits=Traits(variables=Variables(initializers={"moving_avg": '["zero", {}]'})),
)
def identity_attach_kl_sparse_reg(
    data: Tensor,
    moving_avg: Tensor,
    *,
    sparseness_target: float = 0.1,
    penalty: float = 0.001,
    momentum: float = 0.9,
    training: bool,
) -> Tensor:
    """Passes activations on and adds to the gradient a penalty that keeps them sparse.

    The penalty is the slope of the divergence of the mean activation of each unit from the target.

    Args:
        data: Activations between 0 and 1, of shape `(batch, units, ...)`.
        moving_avg: Moving average of the mean activations, of shape `(units,)`; it is
            updated in training.
        sparseness_target: Wanted mean activation.
        penalty: Factor of the penalty.
        momentum: Weight of the past in the moving average.
        training: Whether the call is for training; supplied by the frontend.

    Example:
        >>> import mxnet as mx
        >>> x = mx.nd.array([[0.2, 0.8]])
        >>> print(mx.nd.IdentityAttachKLSparseReg(x, mx.nd.zeros(2)).asnumpy())
        [[0.2 0.8]]
    """
    if not training:
        return data
    axes = [axis for axis in range(data.ndim) if axis != 1]
    with torch.no_grad():
        moving_avg.mul_(momentum).add_(data.detach().mean(axes), alpha=1 - momentum)
        slope = (1 - sparseness_target) / (1 - moving_avg) - sparseness_target / moving_avg
    shape = [1, -1] + [1] * (data.ndim - 2)
    result: Tensor = _KLSparseGradient.apply(data, penalty * slope.view(shape))  # type: ignore[no-untyped-call]  # as above
    return result

"""The formulas by which optimizers change weights, each on a whole list of weights at once.

A rule writes into its weights and states and leaves the gradients alone. Operators run it on a list
of one, optimizers on all weights that have their learning rate and weight decay in common, so that
a training step is a handful of `torch._foreach_*` calls. A clip below 0 does not clip.

A learning rate may be a tensor without dimensions, of the dtype of the weights: a captured step
reads it there, and the host changes it between replays.
"""

from __future__ import annotations

import struct
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import wraps
from itertools import chain
from operator import attrgetter
from typing import Any, TypeAlias

import torch
from torch import Tensor
from torch.autograd.graph import increment_version

Tensors: TypeAlias = list[Tensor] | tuple[Tensor, ...]
Number: TypeAlias = float | Tensor
Formula: TypeAlias = Callable[..., None]


class _Norms(threading.local):
    """How norms of tensors become those of the weights that they are parts of."""

    complete: Callable[[Sequence[Tensor]], Tensors] | None = None


_norms = _Norms()


@contextmanager
def norms_completed(complete: Callable[[Sequence[Tensor]], Tensors]) -> Iterator[None]:
    """Has `norms_of` pass its results through a function, for weights that are split."""
    before, _norms.complete = _norms.complete, complete
    try:
        yield
    finally:
        _norms.complete = before


def norms_of(tensors: Tensors) -> Tensors:
    """Returns the 2-norm of each weight, or of its gradient."""
    norms = torch._foreach_norm(tensors)
    return norms if _norms.complete is None else _norms.complete(norms)


_BLOCK = 1 << 16
"""Elements whose intermediate results fit into the cache of a core."""
_LARGE = 1 << 20
"""Elements of a weight from which on a processor goes through it in blocks."""


def in_blocks(rule: Formula) -> Formula:
    """Returns a rule that goes through large weights in blocks, where a processor computes it.

    Each element must be changed without regard to others. Intermediate results of a table of
    millions of elements would be memory that the system has to supply anew in every step.
    """

    @wraps(rule)
    def run(weights: Tensors, *others: Tensors, **options: Any) -> None:
        if not weights[0].is_cpu or max(map(Tensor.numel, weights)) < _LARGE:
            rule(weights, *others, **options)
            return
        rows = list(zip(weights, *others, strict=True))
        large = [row for row in rows if _is_in_blocks(row)]
        rest = [row for row in rows if not _is_in_blocks(row)]
        if rest:
            rule(*map(list, zip(*rest, strict=True)), **options)
        for row in large:
            columns = [item.view(-1).split(_BLOCK) for item in row]
            for block in zip(*columns, strict=True):
                rule(*[[part] for part in block], **options)

    return run


def _is_in_blocks(row: Sequence[Tensor]) -> bool:
    """Returns whether a weight is large, and lies in memory as its gradient and states do."""
    size = row[0].numel()
    return size >= _LARGE and all(item.is_contiguous() and item.numel() == size for item in row)


def single(value: float) -> float:
    """Rounds to single precision, in which the original's operators keep their attributes.

    What is left of 1 after subtracting 0.999 differs by 1e-5 for it.
    """
    rounded: float = struct.unpack("f", struct.pack("f", value))[0]
    return rounded


def clip(tensors: Tensors, limit: float) -> None:
    """Limits the size of elements, in place."""
    if limit >= 0:
        torch._foreach_clamp_max_(tensors, limit)
        torch._foreach_clamp_min_(tensors, -limit)


def rescaled(
    grads: Tensors, rescale_grad: float, clip_gradient: float, weights: Tensors = (), wd: float = 0
) -> list[Tensor]:
    """Returns gradients that were scaled, then clipped, then increased by the decay of weights."""
    result = list(torch._foreach_mul(grads, rescale_grad))
    clip(result, clip_gradient)
    if wd:
        torch._foreach_add_(result, weights, alpha=wd)
    return result


def decayed(
    grads: Tensors, rescale_grad: float, clip_gradient: float, weights: Tensors, wd: float
) -> list[Tensor]:
    """Returns gradients that were scaled, then increased by the decay of weights, then clipped."""
    result = rescaled(grads, rescale_grad, -1, weights, wd)
    clip(result, clip_gradient)
    return result


def add_scaled(targets: Tensors, values: Tensors, factor: Number) -> None:
    """Adds a factor times the values, in place."""
    if isinstance(factor, Tensor):
        torch._foreach_add_(targets, torch._foreach_mul(values, factor))
    else:
        torch._foreach_add_(targets, values, alpha=factor)


def add_quotients(targets: Tensors, numerators: Tensors, divisors: Tensors, factor: Number) -> None:
    """Adds a factor times the quotients, in place."""
    if isinstance(factor, Tensor):
        quotients = torch._foreach_div(numerators, divisors)
        torch._foreach_mul_(quotients, factor)
        torch._foreach_add_(targets, quotients)
    else:
        torch._foreach_addcdiv_(targets, numerators, divisors, value=factor)


def correction(decay: float, count: Number, tensors: Tensors) -> Number:
    """Returns the sum of the shares that an average of `count` values has, as a divisor of it.

    Args:
        decay: Share that is kept in each step.
        count: Number of the step; a tensor is in double precision, which small differences need.
        tensors: The averages.
    """
    share = 1 - decay**count
    return share.to(tensors[0].dtype) if isinstance(share, Tensor) else share


def average(averages: Tensors, values: Tensors, decay: float, share: Number) -> None:
    """Multiplies averages by `decay` and adds `share` times the values, in place."""
    torch._foreach_mul_(averages, decay)
    add_scaled(averages, values, share)


def average_squares(averages: Tensors, values: Tensors, decay: float, share: float) -> None:
    """Multiplies averages by `decay` and adds `share` times the squares of values, in place."""
    torch._foreach_mul_(averages, decay)
    torch._foreach_addcmul_(averages, values, values, value=share)


_dtype_of = attrgetter("dtype")


def has_fused_kernel(weights: Tensors, grads: Tensors, *states: Tensors) -> bool:
    """Returns whether torch's kernels for gradient descent and Adam can change weights in one pass.

    They want weights, gradients and states of one layout, and compute in another precision than the
    original where the weights are in half precision.
    """
    dtype = weights[0].dtype
    if dtype not in (torch.float32, torch.float64) or weights[0].is_meta:
        return False
    if {*map(_dtype_of, weights), *map(_dtype_of, grads)} != {dtype}:
        return False
    columns = (weights, grads, *states)
    if all(map(Tensor.is_contiguous, chain.from_iterable(columns))):
        return True
    # Filters may have their channels last in memory, and what belongs to them is in that order too.
    orders = [list(map(Tensor.stride, column)) for column in columns]
    return all(order == orders[0] for order in orders)


def scaled(grads: Tensors, factor: float, owned: bool) -> tuple[Tensors, Tensor | None]:
    """Returns gradients for torch's kernels, and what these are to divide them by.

    Args:
        grads: The gradients.
        factor: What to multiply them with, not zero.
        owned: Whether the kernel may write the products to them; that saves a pass over all.
    """
    if factor == 1:
        return grads, None
    if owned and grads[0].is_cuda:
        return grads, torch.full((), 1 / factor, device=grads[0].device)
    return torch._foreach_mul(grads, factor), None


def _run_fused(
    weights: Tensors,
    grads: Tensors,
    momenta: Tensors,
    *,
    lr: float,
    weight_decay: float,
    momentum: float = 0.0,
    share: float = 1.0,
    divisor: Tensor | None = None,
) -> None:
    """Runs torch's kernel.

    A momentum becomes `momentum` times itself plus `share` times the gradient, to which
    `weight_decay` times the weight has been added; from the weight `lr` times that is subtracted.
    Where there is a `divisor`, gradients are replaced by their quotients first.
    """
    torch._fused_sgd_(
        weights,
        grads,
        momenta,
        weight_decay=weight_decay,
        momentum=momentum,
        lr=lr,
        dampening=1 - share,
        nesterov=False,
        maximize=False,
        is_first_step=False,
        grad_scale=divisor,
    )
    increment_version((*weights, *momenta))  # plans keep what they made of the old weights


def sgd(
    weights: Tensors,
    grads: Tensors,
    *,
    lr: Number,
    wd: float,
    rescale_grad: float,
    clip_gradient: float,
) -> None:
    """Gradient descent."""
    if clip_gradient >= 0:
        grads, rescale_grad = rescaled(grads, rescale_grad, clip_gradient), 1.0
    if not isinstance(lr, Tensor) and rescale_grad and has_fused_kernel(weights, grads):
        decay = wd / rescale_grad
        _run_fused(weights, grads, (), lr=lr * rescale_grad, weight_decay=decay)
        return
    if wd:
        torch._foreach_mul_(weights, 1 - lr * wd)
    add_scaled(weights, grads, -lr * rescale_grad)


def sgd_momentum(
    weights: Tensors,
    grads: Tensors,
    momenta: Tensors,
    *,
    lr: Number,
    wd: float,
    momentum: float,
    rescale_grad: float,
    clip_gradient: float,
    owns_grads: bool = False,
) -> None:
    """Gradient descent with momentum; gradients that are owned by it may be overwritten."""
    if clip_gradient >= 0:
        grads, rescale_grad = rescaled(grads, rescale_grad, clip_gradient), 1.0
    share = -lr * rescale_grad
    is_fused = momentum and has_fused_kernel(weights, grads, momenta)
    if not isinstance(share, Tensor) and share and is_fused:
        # torch's momenta do not contain the learning rate: it is the share of a gradient here.
        decay, divisor = wd / rescale_grad, None
        if weights[0].is_cuda or weights[0].dtype is torch.float64:
            # 1 minus a small share would be rounded, on a GPU to single precision
            decay = wd * share / rescale_grad
            grads, divisor = scaled(grads, share, owns_grads)
            share = 1.0
        _run_fused(
            weights,
            grads,
            momenta,
            lr=-1.0,
            weight_decay=decay,
            momentum=momentum,
            share=share,
            divisor=divisor,
        )
        return
    average(momenta, grads, momentum, share)
    if wd:
        add_scaled(momenta, weights, -lr * wd)
    torch._foreach_add_(weights, momenta)


@in_blocks
def nag(
    weights: Tensors,
    grads: Tensors,
    momenta: Tensors,
    *,
    lr: Number,
    wd: float,
    momentum: float,
    rescale_grad: float,
    clip_gradient: float,
) -> None:
    """Gradient descent with Nesterov's momentum.

    The momenta take in the decay of the new weights, because the original writes the weights first.
    """
    grads = rescaled(grads, rescale_grad, clip_gradient, weights, wd)
    average(momenta, grads, momentum, -lr)
    steps = torch._foreach_mul(momenta, momentum)
    add_scaled(steps, grads, -lr)
    torch._foreach_add_(weights, steps)
    if wd:
        add_scaled(momenta, steps, -lr * wd)


def signsgd(weights: Tensors, grads: Tensors, *, lr: Number, wd: float) -> None:
    """Steps of one length in the direction of the gradient's sign."""
    torch._foreach_mul_(weights, 1 - lr * wd)
    add_scaled(weights, torch._foreach_sign(grads), -lr)


@in_blocks
def signum(
    weights: Tensors,
    grads: Tensors,
    momenta: Tensors,
    *,
    lr: Number,
    wd: float,
    momentum: float,
    wd_lh: float,
    rescale_grad: float,
    clip_gradient: float,
) -> None:
    """Steps of one length in the direction of the momentum's sign."""
    grads = rescaled(grads, rescale_grad, clip_gradient, weights, wd)
    average(momenta, grads, momentum, single(momentum) - 1)
    torch._foreach_mul_(weights, 1 - lr * wd_lh)
    add_scaled(weights, torch._foreach_sign(momenta), lr)


def dcasgd(
    weights: Tensors,
    grads: Tensors,
    previous: Tensors,
    momenta: Tensors,
    *,
    lr: Number,
    wd: float,
    momentum: float,
    lamda: float,
    rescale_grad: float,
    clip_gradient: float,
) -> None:
    """Gradient descent that makes up for weights that moved since the gradient was computed.

    Without momentum the list of momenta is empty.
    """
    grads = rescaled(grads, rescale_grad, clip_gradient)
    moves = torch._foreach_sub(weights, previous)
    torch._foreach_mul_(moves, torch._foreach_mul(grads, grads))
    torch._foreach_add_(grads, moves, alpha=lamda)
    torch._foreach_add_(grads, weights, alpha=wd)
    torch._foreach_copy_(previous, weights)
    if momenta:
        average(momenta, grads, momentum, -lr)
        torch._foreach_add_(weights, momenta)
    else:
        add_scaled(weights, grads, -lr)

"""The call that stands for attention in a lowered graph: one fused kernel, or the single steps."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple, TypeAlias

import torch
from torch import Tensor

from mxnet.ops.core.attrs import Shape
from mxnet.ops.nn.attention import attend, has_kernel, is_far, is_truth, is_worthwhile

Step: TypeAlias = Callable[[Tensor, Sequence[Tensor]], Tensor]
"""Computes the next array from the one before and from the sides."""
Call: TypeAlias = Callable[[Sequence[Tensor], Sequence[Tensor | None], Sequence[Tensor]], Tensor]


class Recipe(NamedTuple):
    """What a call computes from the inputs of two products and from sides, such as masks."""

    score: Callable[..., Tensor]
    """The product of queries and keys."""
    steps: tuple[Step, ...]
    """What follows it, up to the weights."""
    weigh: Callable[..., Tensor]
    """The product of weights and values."""
    weights: int
    """Position of the weights among its two inputs."""
    split_scores: Callable[..., tuple[Tensor, Tensor, float]]
    split_values: Callable[..., Tensor]
    join: Callable[..., Tensor]
    scale: float
    """Factor of the scores."""
    biases: tuple[tuple[int, float], ...]
    """Positions of the sides that are added to the scores, with their factors."""
    mask: int | None
    """Position of the side that is not zero where keys count."""
    length: int | None
    """Position of the side that says how many keys count."""
    zeroes: bool
    """Whether weights of keys that do not count are zero, also where no key counts."""
    is_truth: bool
    """Whether the mask need not be looked at: it has ones and zeros, or does not scale weights."""
    dropout: float


def make_function(recipe: Recipe) -> Call:
    """Returns the function that computes attention.

    It takes the inputs of the first product, those of the second with None for the weights, and
    the sides.
    """

    def attention(
        scored: Sequence[Tensor], weighed: Sequence[Tensor | None], sides: Sequence[Tensor]
    ) -> Tensor:
        values = weighed[1 - recipe.weights]
        result = None if values is None else _fuse(recipe, scored, values, sides)
        return _run_steps(recipe, scored, weighed, sides) if result is None else result

    return attention


def _run_steps(
    recipe: Recipe,
    scored: Sequence[Tensor],
    weighed: Sequence[Tensor | None],
    sides: Sequence[Tensor],
) -> Tensor:
    weights = recipe.score(*scored)
    for step in recipe.steps:
        weights = step(weights, sides)
    inputs = list(weighed)
    inputs[recipe.weights] = weights
    return recipe.weigh(*inputs)


def _fuse(
    recipe: Recipe, scored: Sequence[Tensor], value_input: Tensor, sides: Sequence[Tensor]
) -> Tensor | None:
    """Returns the result of a fused kernel, None if the steps are faster or fail."""
    if not has_kernel(value_input, recipe.dropout):
        return None
    queries, keys, factor = recipe.split_scores(*scored)
    values = recipe.split_values(value_input)
    if not is_worthwhile(queries, keys, values, bool(sides)):
        return None
    shape = (*queries.shape[:-1], keys.shape[-2])
    if values.shape[:-1] != keys.shape[:-1] or queries.shape[:-2] != keys.shape[:-2]:
        return None
    if not all(_fits(sides[place].shape, shape) for place, _ in recipe.biases):
        return None
    # What a mask hands back is zero, and a bias that learns has no fused kernel on a CPU.
    if any(item.requires_grad for item in sides) and (queries.is_cpu or not recipe.biases):
        return None
    bias, allowed, served = _add_biases(recipe, sides), None, None
    learns = any(item.requires_grad for item in (queries, keys))
    if bias is not None and queries.is_cpu and learns and is_far(bias):
        return None  # the kernel has no exact gradients of these
    if recipe.mask is not None or recipe.length is not None:
        found = _find_allowed(recipe, sides, shape)
        if found is None:
            return None
        allowed, served = found
    sums = attend(
        queries,
        keys,
        values,
        scale=factor * recipe.scale,
        bias=bias,
        allowed=allowed,
        served=served,
        zeroes=recipe.zeroes,
        dropout=recipe.dropout,
    )
    return recipe.join(sums)


def _fits(shape: Sequence[int], target: Shape) -> bool:
    """Returns whether an array of two axes or more can be broadcast to a shape."""
    if not 2 <= len(shape) <= len(target):
        return False
    pairs = zip(reversed(shape), reversed(target), strict=False)
    return all(size in (1, wanted) for size, wanted in pairs)


def _find_allowed(
    recipe: Recipe, sides: Sequence[Tensor], shape: Shape
) -> tuple[Tensor, Tensor | None] | None:
    """Returns which keys count, and which queries have keys as far as that is known.

    Returns None if the steps are to deal with the mask.
    """
    if recipe.length is not None:
        length = sides[recipe.length]
        if length.is_floating_point() or length.shape != shape[:-1]:
            return None
        served = (length > 0).unsqueeze(-1)
        counted = torch.where(served, length.unsqueeze(-1), shape[-1])
        return torch.arange(shape[-1], device=length.device) < counted, served
    mask = sides[recipe.mask or 0]
    if mask.shape != shape or not (recipe.is_truth or is_truth(mask)):
        return None
    return mask != 0, None


def _add_biases(recipe: Recipe, sides: Sequence[Tensor]) -> Tensor | None:
    total: Tensor | None = None
    for place, factor in recipe.biases:
        bias = sides[place] if factor == 1 else sides[place] * factor
        total = bias if total is None else total + bias
    return total

"""The call that stands for the steps of attention: a fused kernel, or the steps themselves.

The scores are not computed to find out whether the kernel fits. Each step notes what it would do to
them (`Scores`): a factor, a bias, a mask, another arrangement of the leading axes.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any, NamedTuple, TypeAlias

import torch
from torch import Tensor

from mxnet.graph.passes.shape_masks import Causal, CausalFinder, ShapeMasks, are_few, is_causal
from mxnet.ops.core.attrs import Shape
from mxnet.ops.math.indexing import spread_condition
from mxnet.ops.nn.attention import attend, has_kernel, is_far, is_truth, is_worthwhile

Kernel: TypeAlias = Callable[..., Any]
Sides: TypeAlias = Sequence[Tensor]
Run: TypeAlias = Callable[[Tensor, Sides], Tensor]
"""Computes the next array from the one before and from the sides."""
Note: TypeAlias = Callable[["Scores", Sides], bool]
"""Notes what a step does to the scores; returns False if no fused kernel does that."""
AttentionFunction: TypeAlias = Callable[[Sequence[Tensor], Sequence[Tensor | None], Sides], Tensor]


class _Placed(NamedTuple):
    """An array that broadcasts to the scores as they are arranged at a step."""

    tensor: Tensor
    shape: Shape
    """The shape of the scores there."""
    factor: float = 1.0


@dataclass(slots=True)
class Scores:
    """What becomes of the products of queries and keys, which are not computed.

    Attributes:
        shape: Shape at the present step.
        dtype: Element type at the present step.
        shapes: All shapes so far; they differ in how the leading axes are divided.
        scale: Number that the products are multiplied by.
        factors: Arrays that they are multiplied by.
        biases: Arrays that are added to them.
        masks: Booleans that say where they count.
        fills: What they are replaced by elsewhere.
        length: How many keys count for each query.
        zeroes: Whether weights of keys that do not count are zero, also where no key counts.
        dropout: Share of the weights that is dropped.
        is_exact: Whether queries without keys need no look: all masks put the same number there,
            and nothing is added to it.
    """

    shape: Shape
    dtype: torch.dtype
    shapes: list[Shape] = field(default_factory=list)
    scale: float = 1.0
    factors: list[_Placed] = field(default_factory=list)
    biases: list[_Placed] = field(default_factory=list)
    masks: list[_Placed] = field(default_factory=list)
    fills: set[float] = field(default_factory=set)
    length: _Placed | None = None
    zeroes: bool = False
    dropout: float = 0.0
    is_exact: bool = True

    def multiply(self, number: float) -> bool:
        """Notes that a number multiplies them."""
        self.scale *= number
        self.biases = [item._replace(factor=item.factor * number) for item in self.biases]
        return not self.masks or number > 0

    def multiply_by(self, side: Tensor, *, divides: bool) -> bool:
        """Notes that an array multiplies them, which has one number for all keys of a query."""
        if not _fits(side.shape, self.shape) or (side.ndim and side.shape[-1] != 1) or self.masks:
            return False
        side = side.reciprocal() if divides else side
        if any(item.shape != self.shape for item in self.biases):
            return False
        self.biases = [item._replace(tensor=item.tensor * side) for item in self.biases]
        self.factors.append(_Placed(side, self.shape))
        return True

    def add(self, side: Tensor, sign: float) -> bool:
        """Notes that an array is added to them."""
        if not _fits(side.shape, self.shape):
            return False
        self.is_exact &= not self.masks
        self.biases.append(_Placed(side, self.shape, sign))
        return True

    def fill(self, allowed: Tensor, value: float) -> bool:
        """Notes that a number replaces them where a condition is False."""
        if not _fits(allowed.shape, self.shape):
            return False
        self.masks.append(_Placed(allowed, self.shape))
        self.fills.add(-math.inf if value < torch.finfo(self.dtype).min else value)
        self.is_exact &= len(self.fills) == 1 and -math.inf not in self.fills
        return True

    def shorten(self, length: Tensor, value: float) -> bool:
        """Notes that a number replaces those of keys beyond a length, row by row."""
        if len(self.shape) != 2 or length.shape != self.shape[:1]:
            return False
        positions = torch.arange(self.shape[-1], device=length.device)
        return self.fill(positions < length.unsqueeze(-1), value)

    def rearrange(self, kernel: Kernel) -> bool:
        """Notes that the leading axes are divided in another way."""
        before = torch.empty(self.shape, device="meta")
        after = kernel(before)
        # What has been moved in memory is another array, or has its axes in another order.
        is_view = isinstance(after, Tensor) and (after is before or after._base is before)
        if not is_view or not after.is_contiguous() or after.shape[-1:] != before.shape[-1:]:
            return False
        self.shape = tuple(after.shape)
        self.shapes.append(self.shape)
        return True

    def normalize(self, axis: int, temperature: float, length: Tensor | None) -> bool:
        """Notes that softmax makes weights of them."""
        if axis not in (-1, len(self.shape) - 1):
            return False
        if length is not None:
            if length.is_floating_point() or length.shape != self.shape[:-1] or self.masks:
                return False
            self.length, self.zeroes = _Placed(length.unsqueeze(-1), self.shape), True
        return self.multiply(1 / temperature)

    def zero(self, shape: Sequence[int], *, replaces: bool) -> bool:
        """Notes that weights of keys that do not count become zero.

        Args:
            shape: Shape of the mask, which is that of the scores.
            replaces: Whether zero replaces them, also if they are nan, or multiplies them.
        """
        self.zeroes = True
        self.is_exact |= replaces or -math.inf not in self.fills
        return len(self.masks) == 1 and self.masks[0].tensor.shape == shape

    def convert(self, dtype: torch.dtype) -> bool:
        """Notes that they get another element type."""
        self.dtype = dtype
        return True

    def drop(self, share: float) -> bool:
        """Notes that weights are dropped."""
        self.dropout = share
        return True


def _fits(shape: Sequence[int], target: Shape) -> bool:
    """Returns whether an array can be broadcast to a shape."""
    if len(shape) > len(target):
        return False
    for size, wanted in zip(reversed(shape), reversed(target), strict=False):
        if size not in (1, wanted):  # `all` takes three times as long
            return False
    return True


class Step(NamedTuple):
    """A step between the two products."""

    run: Run
    note: Note


class Recipe(NamedTuple):
    """What a call computes from the inputs of two products and from sides, such as masks."""

    score: Kernel
    """The product of queries and keys."""
    steps: tuple[Step, ...]
    """What follows it, up to the weights."""
    weigh: Kernel
    """The product of weights and values."""
    weights: int
    """Position of the weights among its two inputs."""
    split_scores: Callable[..., tuple[Tensor, Tensor, float]]
    split_values: Callable[..., Tensor]
    join: Callable[..., Tensor]
    dropout: float
    masks: frozenset[int]
    """Positions of the sides that only choose; what they hand back is zero, not nothing."""
    truths: tuple[int, ...]
    """Positions of the sides that must have zeros and ones alone, of which the graph knows not."""
    shape_masks: ShapeMasks | None = None
    """Computes the sides if they depend on shapes alone."""


def make_function(recipe: Recipe) -> AttentionFunction:
    """Returns the function that computes attention.

    It takes the inputs of the first product, those of the second with None for the weights, and
    the sides, unless it computes them itself.
    """
    masks = recipe.shape_masks
    finder = None if masks is None else CausalFinder(partial(_look, recipe, masks))

    def attention(
        scored: Sequence[Tensor], weighed: Sequence[Tensor | None], sides: Sequence[Tensor]
    ) -> Tensor:
        values = weighed[1 - recipe.weights]
        if masks is not None and finder is not None:
            result = None if values is None else _fuse_causal(recipe, finder, scored, values)
            if result is not None:
                return result
            sides = masks.compute(scored)
        result = None if values is None else _fuse(recipe, scored, values, sides)
        return _run_steps(recipe, scored, weighed, sides) if result is None else result

    return attention


def _run_steps(
    recipe: Recipe, scored: Sequence[Tensor], weighed: Sequence[Tensor | None], sides: Sides
) -> Tensor:
    weights = recipe.score(*scored)
    for step in recipe.steps:
        weights = step.run(weights, sides)
    inputs = list(weighed)
    inputs[recipe.weights] = weights
    result: Tensor = recipe.weigh(*inputs)
    return result


def _fuse(
    recipe: Recipe, scored: Sequence[Tensor], value_input: Tensor, sides: Sides
) -> Tensor | None:
    """Returns the result of a fused kernel, None if the steps are faster or fail."""
    if not has_kernel(value_input, recipe.dropout) or min(item.ndim for item in scored) < 2:
        return None
    if any(sides[place].requires_grad for place in recipe.masks):
        return None
    queries, keys, factor = recipe.split_scores(*scored)
    values = recipe.split_values(value_input)
    if not is_worthwhile(queries, keys, values, bool(sides)):
        return None
    shape = shape_of_scores(queries, keys)
    if shape is None:
        return None
    scores = Scores(shape, queries.dtype, [shape], factor)
    if not all(step.note(scores, sides) for step in recipe.steps):
        return None
    if not all(is_truth(sides[place]) for place in recipe.truths):
        return None
    return _attend(recipe, scores, queries, keys, values)


def _fuse_causal(
    recipe: Recipe, finder: CausalFinder, scored: Sequence[Tensor], value_input: Tensor
) -> Tensor | None:
    """Returns the result of a fused kernel that masks by itself, None if it is not causal."""
    if not has_kernel(value_input, recipe.dropout) or min(item.ndim for item in scored) < 2:
        return None
    queries, keys, _ = recipe.split_scores(*scored)
    values = recipe.split_values(value_input)
    if not is_worthwhile(queries, keys, values, False):
        return None
    causal = finder.find(*[(tuple(item.shape), item.dtype) for item in scored])
    if causal is None:
        return None
    scores = Scores(causal.first, queries.dtype, [causal.first], causal.scale)
    scores.shape = causal.last
    return _attend(recipe, scores, queries, keys, values, causal=True)


def _look(recipe: Recipe, masks: ShapeMasks, scored: Sequence[Tensor]) -> Causal | None:
    """Returns how scores of some shapes are scaled if their mask is causal, otherwise None."""
    queries, keys, factor = recipe.split_scores(*scored)
    first = shape_of_scores(queries, keys)
    if first is None or not are_few(first):
        return None
    sides = masks.compute_on_cpu(scored)
    scores = Scores(first, queries.dtype, [first], factor)
    if not all(step.note(scores, sides) for step in recipe.steps):
        return None
    if scores.factors or scores.length is not None:
        return None
    target = _choose_arrangement(first, [item.shape for item in (*scores.biases, *scores.masks)])
    bias, (allowed, _) = _add_biases(scores.biases, target), _find_allowed(scores, target)
    found = is_causal(target[-1], bias, allowed)
    return Causal(scores.scale, first, scores.shape) if found else None


def shape_of_scores(queries: Tensor, keys: Tensor) -> Shape | None:
    """Returns the shape of the products of queries and keys, None if there are none."""
    if queries.shape[-1] != keys.shape[-1]:
        return None
    leading = _broadcast(queries.shape[:-2], keys.shape[:-2])
    return None if leading is None else (*leading, queries.shape[-2], keys.shape[-2])


def broadcast_all(shape: Shape, others: Sequence[Shape]) -> Shape:
    """Returns the shape that several broadcast to, mostly the first one."""
    for other in others:
        if not _fits(other, shape):  # torch's function takes as long as a small kernel
            shape = torch.broadcast_shapes(shape, other)  # type: ignore[no-untyped-call]
    return shape


def _broadcast(first: Shape, second: Shape) -> Shape | None:
    if first == second:
        return tuple(first)
    try:
        return tuple(torch.broadcast_shapes(first, second))  # type: ignore[no-untyped-call]
    except RuntimeError:
        return None


def _attend(
    recipe: Recipe,
    scores: Scores,
    queries: Tensor,
    keys: Tensor,
    values: Tensor,
    *,
    causal: bool = False,
) -> Tensor | None:
    """Calls the kernel for scores whose steps have been noted."""
    first, last = scores.shapes[0], scores.shape
    inner = first[-2:]
    if last[-2:] != inner or values.shape[-2] != inner[1]:
        return None
    if _broadcast(values.shape[:-2], last[:-2]) != last[:-2]:
        return None
    placed = [*scores.factors, *scores.biases, *scores.masks]
    if scores.length is not None:
        placed.append(scores.length)
    if not placed and len(scores.shapes) == 1 and 3 <= len(first) <= 4:
        leading = {item.shape[:-2] for item in (queries, keys, values)}
        if len(leading) == 1:  # nothing is to be arranged
            sums = attend(
                queries, keys, values, scale=scores.scale, dropout=recipe.dropout, causal=causal
            )
            return recipe.join(sums)
    target = _choose_arrangement(first, [item.shape for item in placed])
    if queries.is_cpu and any(item.tensor.requires_grad for item in scores.biases):
        return None  # for which the kernel has no gradients
    bias = _add_biases(scores.biases, target)
    learns = queries.requires_grad or keys.requires_grad
    if bias is not None and queries.is_cpu and is_far(bias, learns=learns):
        return None  # the kernel computes these more exactly, but without exact gradients
    allowed, served = _find_allowed(scores, target)
    if served is not None and queries.is_cpu and not scores.is_exact and not bool(served.all()):
        return None
    queries = queries.expand(*first[:-2], *queries.shape[-2:]).reshape(
        *target[:-2], *queries.shape[-2:]
    )
    for item in scores.factors:
        queries = queries * _arrange(item, target)
    keys = keys.expand(*first[:-2], *keys.shape[-2:]).reshape(*target[:-2], *keys.shape[-2:])
    values = values.expand(*last[:-2], *values.shape[-2:]).reshape(*target[:-2], *values.shape[-2:])
    sums = attend(
        queries,
        keys,
        values,
        scale=scores.scale,
        bias=bias,
        allowed=allowed,
        served=served,
        unserved=_result_without_keys(scores),
        dropout=recipe.dropout,
        causal=causal,
    )
    return recipe.join(sums.reshape(*last[:-1], sums.shape[-1]))


def _result_without_keys(scores: Scores) -> float | None:
    """Returns the sums of a query without keys, None for the mean of all values."""
    if scores.fills == {-math.inf} and not scores.is_exact:
        return math.nan
    return 0.0 if scores.zeroes else None


def _choose_arrangement(first: Shape, shapes: Sequence[Shape]) -> Shape:
    """Returns the arrangement of axes in which masks and biases take least memory."""
    fitting = [shape for shape in shapes if shape[-2:] == first[-2:] and len(shape) <= 4]
    chosen = max(fitting, key=len, default=first)
    if len(chosen) > 4:
        return (math.prod(chosen[:-2]), *chosen[-2:])
    return chosen if len(chosen) > 2 else (1, *chosen)


def _arrange(item: _Placed, target: Shape) -> Tensor:
    """Returns an array as it broadcasts to the scores in another arrangement."""
    tensor, shape = item.tensor, item.shape
    if shape != target:
        own = (1,) * (len(shape) - tensor.ndim) + tuple(tensor.shape)
        kept = 2 if shape[-2:] == target[-2:] else 1
        if all(size == 1 for size in own[:-kept]):
            tensor = tensor.reshape(*(1,) * (len(target) - kept), *own[-kept:])
        else:
            tensor = tensor.expand(*shape[:-kept], *own[-kept:])
            tensor = tensor.reshape(*target[:-kept], *own[-kept:])
    missing = len(target) - tensor.ndim
    return tensor.reshape(*(1,) * missing, *tensor.shape) if missing else tensor


def _add_biases(biases: Sequence[_Placed], target: Shape) -> Tensor | None:
    total: Tensor | None = None
    for item in biases:
        bias = _arrange(item, target)
        bias = bias if item.factor == 1 else bias * item.factor
        total = bias if total is None else total + bias
    return total


def _find_allowed(scores: Scores, target: Shape) -> tuple[Tensor | None, Tensor | None]:
    """Returns which keys count, all for queries without any, and which queries have keys.

    Returns None for both if all keys count.
    """
    if scores.length is not None:
        length = _arrange(scores.length, target)
        served = length > 0
        counted = torch.where(served, length, target[-1])
        return torch.arange(target[-1], device=length.device) < counted, served
    allowed: Tensor | None = None
    for item in scores.masks:
        mask = _arrange(item, target)
        allowed = mask if allowed is None else allowed & mask
    if allowed is None:
        return None, None
    served = allowed.any(-1, keepdim=True)
    return allowed | ~served, served  # kernels differ in what they make of a query without keys


def read_condition(condition: Tensor, shape: Shape, *, spreads: bool) -> Tensor:
    """Returns where a condition holds, among scores of a shape.

    Args:
        condition: Numbers or booleans.
        shape: The shape.
        spreads: Whether each element is for as many scores, in order; otherwise it broadcasts.
    """
    if spreads and condition.shape != shape:
        condition = spread_condition(condition, shape)
    return condition if condition.dtype is torch.bool else condition != 0

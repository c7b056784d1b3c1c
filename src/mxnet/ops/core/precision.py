"""Mixed precision: what operators compute in while `mx.contrib.amp` is initialized.

A policy has a rule for some operators: compute in the low precision, in float32, or in the widest
precision among the inputs. Callers of an operator ask it which inputs to convert: the frontend of
arrays converts arrays (`_arrays/invoke.py`), that of symbols adds nodes (`symbol/_functions.py`).
So a graph has its conversions like any other operators, which are declared here, as are tests for
overflow, and plans for graphs need not know of policies.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor

from mxnet._formats.element_types import name_of
from mxnet.errors import MXNetError
from mxnet.ops.core.attrs import DType
from mxnet.ops.core.interposing import add_detour, remove_detour
from mxnet.ops.core.registry import Op, get_op, op
from mxnet.ops.core.traits import SAME_SHAPE, Attrs, Traits, Types

CONVERTIBLE = (torch.float16, torch.bfloat16, torch.float32)
"""Dtypes that mixed precision converts; arrays of any other stay as they are."""


@dataclass(frozen=True, slots=True)
class Rule:
    """What an operator computes in.

    Attributes:
        dtype: What its inputs are converted to; None stands for the widest dtype among them.
        attribute: Name of an attribute on whose value the rule depends, "" if it always applies.
        values: The values with which it applies.
    """

    dtype: torch.dtype | None
    attribute: str = ""
    values: frozenset[str] = frozenset()

    def applies(self, op: Op, attrs: Mapping[str, Any]) -> bool:
        """Returns whether the rule is for a call with these attributes."""
        if not self.attribute:
            return True
        default = op.attrs[self.attribute].default if self.attribute in op.attrs else None
        return str(attrs.get(self.attribute, default)) in self.values


_WIDEST = Rule(None)


@dataclass(frozen=True, slots=True, eq=False)
class Policy:
    """Rules of mixed precision.

    Attributes:
        low: The low precision.
        rules: Rules by operator; operators without one compute in what they are given.
        losses: Operators that start the backward pass and scale it by `grad_scale`.
        loss_scale: Returns what the gradients of these are to be multiplied by.
        warn: Is called with the name of one of these where a graph cannot follow a changing scale.
    """

    low: torch.dtype
    rules: Mapping[Op, Rule]
    losses: frozenset[Op]
    loss_scale: Callable[[], float]
    warn: Callable[[str], None]

    def rule_for(self, op: Op, attrs: Mapping[str, Any]) -> Rule | None:
        """Returns the rule for a call, None if its inputs stay as they are."""
        rule = self.rules.get(op)
        return rule if rule is not None and rule.applies(op, attrs) else None

    def rule_for_mixed(self, op: Op, dtypes: Sequence[torch.dtype | None]) -> Rule | None:
        """Returns the rule for a call of an operator without one, if it would get mixed dtypes.

        So a layer whose parameters are float32 may follow one that computes in low precision.
        """
        if op.strict_dtypes or op.mutates:
            return None
        names = [item.name for item in op.inputs]
        shared = {
            dtype
            for place, dtype in enumerate(dtypes)
            if dtype is not None and names[0 if op.variadic else place] not in op.any_dtype
        }
        return _WIDEST if len(shared) > 1 and shared.issubset(CONVERTIBLE) else None

    def target(
        self, rule: Rule, op: Op, dtypes: Sequence[torch.dtype | None]
    ) -> Callable[[int], torch.dtype | None]:
        """Returns a function that says what the input at a position is converted to, if at all.

        Args:
            rule: The rule for the call.
            op: The operator.
            dtypes: Dtypes of its inputs, None for a missing one.
        """
        dtype = rule.dtype
        if dtype is None:
            dtype = torch.float32 if torch.float32 in dtypes else self.low

        def of_input(position: int) -> torch.dtype | None:
            now = dtypes[position]
            name = op.inputs[0 if op.variadic else position].name
            if now is dtype or now not in CONVERTIBLE or is_kept(op, rule, name):
                return None
            return dtype

        return of_input


def is_kept(op: Op, rule: Rule, name: str) -> bool:
    """Returns whether an input is never converted: a state, or a parameter kept in float32."""
    if name in op.aux:
        return True
    return rule.dtype is not torch.float32 and name in op.traits.types.statistics


in_force: list[Policy] = []
"""The policy of the process, if there is one."""


def put_in_force(policy: Policy) -> None:
    """Makes all calls of operators follow a policy, in every thread, from now on."""
    retire()
    # Small operators of two arrays look at their dtypes themselves, and need a rule for the widest
    # only where these differ.
    add_detour(
        policy,
        [
            op
            for op, rule in policy.rules.items()
            if rule.dtype is not None or op.strict_dtypes or len(op.inputs) == 1
        ],
    )
    in_force.append(policy)


def retire() -> None:
    """Ends mixed precision."""
    while in_force:
        remove_detour(in_force.pop())


def converted_dtypes(
    dtypes: Sequence[torch.dtype],
    *,
    dtype: torch.dtype | None = None,
    cast_narrow: bool = False,
    **_: object,
) -> list[torch.dtype]:
    """Returns the dtypes of the outputs of a conversion from those of its inputs.

    Args:
        dtypes: Dtypes of the inputs.
        dtype: What to convert to, None for one of the dtypes of the inputs.
        cast_narrow: Whether that is the narrowest.
    """
    order = CONVERTIBLE if cast_narrow else reversed(CONVERTIBLE)
    target = next((item for item in order if item in dtypes), None) if dtype is None else dtype
    return [item if target is None or item not in CONVERTIBLE else target for item in dtypes]


@op("amp_cast", traits=Traits(shapes=SAME_SHAPE, types=Types(casts_precision=True)))
def amp_cast(data: Tensor, *, dtype: DType) -> Tensor:
    """Converts an array of float32 or of a narrower float; leaves every other type as it is.

    Args:
        data: Input of any type.
        dtype: Type of the result; a number type.

    Example:
        >>> import mxnet as mx
        >>> print(mx.nd.amp_cast(mx.nd.array([1, 2]), dtype="float16").dtype)
        <class 'numpy.float16'>
        >>> print(mx.nd.amp_cast(mx.nd.array([1, 2], dtype="int32"), dtype="float16").dtype)
        <class 'numpy.int32'>
    """
    if dtype is torch.bool:
        raise MXNetError("amp_cast: attribute `dtype` takes a number type, got bool")
    return data.to(dtype) if data.dtype in CONVERTIBLE else data


def _count_casts(*, num_outputs: int, **_: object) -> int:
    return num_outputs


@op(
    "amp_multicast",
    any_dtype=("data",),
    num_outputs=_count_casts,
    traits=Traits(types=Types(casts_precision=True)),
)
def amp_multicast(*data: Tensor, num_outputs: int, cast_narrow: bool = False) -> tuple[Tensor, ...]:
    """Converts arrays of float32 and narrower floats to one type; leaves other types as they are.

    Args:
        data: Arrays of any shapes and types.
        num_outputs: Number of arrays.
        cast_narrow: Whether to convert to the narrowest type found instead of the widest.

    Example:
        >>> import mxnet as mx
        >>> half, single = mx.nd.ones(2, dtype="float16"), mx.nd.ones(2)
        >>> print([x.dtype.__name__ for x in mx.nd.amp_multicast(half, single, num_outputs=2)])
        ['float32', 'float32']
    """
    if len(data) != num_outputs:
        raise MXNetError(f"amp_multicast: expected {num_outputs} arrays, got {len(data)}")
    dtypes = converted_dtypes([array.dtype for array in data], cast_narrow=cast_narrow)
    return tuple(array.to(dtype) for array, dtype in zip(data, dtypes, strict=True))


AMP_CAST = get_op("amp_cast")
AMP_MULTICAST = get_op("amp_multicast")


def are_finite(tensors: Sequence[Tensor]) -> Tensor:
    """Tests whether all elements of tensors are finite, without waiting for their device.

    Args:
        tensors: Floating-point tensors of one device, of any shapes and dtypes.

    Returns:
        A tensor of one truth value, of no dimension.
    """
    filled = [tensor for tensor in tensors if tensor.numel()]
    if not filled:
        return torch.ones((), dtype=torch.bool)
    # The largest magnitude fits into the dtype, and nan is larger than all.
    largest = torch._foreach_norm(filled, math.inf)
    double = any(tensor.dtype is torch.float64 for tensor in filled)
    dtype = torch.float64 if double else torch.float32
    return torch.stack([item.to(dtype) for item in largest]).isfinite().all()


def _all_finite(name: str, arrays: tuple[Tensor, ...]) -> Tensor:
    for array in arrays:
        if not array.dtype.is_floating_point:
            raise MXNetError(f"{name}: expected floating-point input, got {name_of(array.dtype)}")
    return are_finite(arrays).float().reshape(1)


def _keep_zero(result: Tensor, held: Tensor, attrs: Attrs) -> Tensor:
    return result if attrs.get("init_output", True) else torch.minimum(result, held)


_TEST = Traits(combine_out=_keep_zero)


@op("all_finite", differentiable=False, traits=_TEST)
def all_finite(data: Tensor, *, init_output: bool = True) -> Tensor:
    """Tests whether all elements are finite; the result, of shape `(1,)`, is one if so.

    Args:
        data: Floating-point input.
        init_output: Whether to forget what `out` holds; otherwise a zero in it stays.

    Example:
        >>> import mxnet as mx
        >>> print(mx.nd.all_finite(mx.nd.array([1, float("inf")])).asnumpy())
        [0.]
    """
    return _all_finite("all_finite", (data,))


@op("multi_all_finite", differentiable=False, traits=_TEST)
def multi_all_finite(*data: Tensor, num_arrays: int = 1, init_output: bool = True) -> Tensor:
    """Tests whether all elements of several arrays are finite; the result is one if so.

    Args:
        data: Floating-point arrays of any shapes.
        num_arrays: Number of arrays.
        init_output: Whether to forget what `out` holds; otherwise a zero in it stays.

    Example:
        >>> import mxnet as mx
        >>> print(mx.nd.multi_all_finite(mx.nd.ones(2), mx.nd.zeros(3), num_arrays=2).asnumpy())
        [1.]
    """
    if len(data) != num_arrays:
        raise MXNetError(f"multi_all_finite: expected {num_arrays} arrays, got {len(data)}")
    return _all_finite("multi_all_finite", data)

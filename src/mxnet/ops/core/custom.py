"""The operator `Custom`, whose computation a program supplies in Python.

What runs it works on arrays, which operators do not know: `mxnet.operator` installs a runner for
every registered type.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any, Protocol

import torch
from torch import Tensor

from mxnet._start import did_you_mean
from mxnet.errors import MXNetError
from mxnet.ops.core.attrs import Shape
from mxnet.ops.core.registry import Op, op
from mxnet.ops.core.traits import Traits
from mxnet.ops.rules import drawing

Three = tuple[Sequence[Any], Sequence[Any], Sequence[Any]]
"""What is known of arguments, outputs and states."""


class Use(Protocol):
    """One use of an operator written in Python, in a graph or in a call."""

    arguments: tuple[str, ...]
    states: tuple[str, ...]
    outputs: tuple[str, ...]
    needs_head: bool
    """Whether its backward looks at the gradients of the outputs; a loss does not."""

    def infer_shapes(self, shapes: Sequence[Shape | None]) -> Three:
        """Returns shapes of arguments, outputs and states from what is known of the arguments."""

    def infer_types(self, dtypes: Sequence[torch.dtype | None]) -> Three:
        """Returns types of arguments, outputs and states from what is known of the arguments."""

    def store(self, stypes: Sequence[str]) -> Sequence[str]:
        """Takes note of how arguments and states are stored; tells how outputs are."""

    def run(
        self, data: tuple[Tensor, ...], training: bool, device: torch.device, kept: dict[Any, Any]
    ) -> tuple[Tensor, ...]:
        """Computes the outputs on a device, with a history if inputs have one.

        What was made for inputs of the same shapes is looked for and left in `kept`.
        """


_FACTORIES: dict[str, Callable[[Mapping[str, str]], Use]] = {}
_LOADERS: list[Callable[[], object]] = []
"""Import modules that install types of their own; called before a type is refused."""


def install(op_type: str, factory: Callable[[Mapping[str, str]], Use]) -> None:
    """Makes `Custom(..., op_type=...)` known; a later one replaces an earlier.

    Args:
        op_type: Name of the operator.
        factory: Makes what stands behind one use from its options.
    """
    _FACTORIES[op_type] = factory


def install_late(loader: Callable[[], object]) -> None:
    """Has a function called that installs types, when one is asked for that is not known yet."""
    _LOADERS.append(loader)


def use(attrs: Mapping[str, Any]) -> Use:
    """Returns what stands behind the use of `Custom` with parsed attributes."""
    options = dict(attrs)
    op_type = options.pop("op_type")
    while op_type not in _FACTORIES and _LOADERS:
        _LOADERS.pop()()
    if op_type not in _FACTORIES:
        known = ", ".join(sorted(_FACTORIES)) or "none"
        raise MXNetError(
            f"Custom: op_type {op_type!r} is not registered{did_you_mean(op_type, _FACTORIES)}; "
            f"registered: {known}"
        )
    return _FACTORIES[op_type](options)


def _count(**attrs: str) -> int:
    return len(use(attrs).outputs)


@op(
    "Custom",
    aliases=("_npi_Custom",),
    num_outputs=_count,
    any_dtype=("data",),
    traits=Traits(runs_program=True, drawing=drawing.PROGRAM),
)
def custom(
    *data: Tensor, op_type: str, training: bool, device: torch.device, **options: str
) -> tuple[Tensor, ...]:
    """Runs an operator written in Python and registered by `mx.operator.register`.

    Args:
        *data: Arguments of the operator, then its auxiliary states.
        op_type: Name under which it is registered.
        training: Whether it runs for training.
        device: Where its results are; supplied by the frontend.
        **options: Arguments of its `CustomOpProp`, as strings.

    Example:
        >>> import mxnet as mx
        >>> class Double(mx.operator.CustomOp):
        ...     def forward(self, is_train, req, in_data, out_data, aux):
        ...         self.assign(out_data[0], req[0], 2 * in_data[0])
        >>> @mx.operator.register("example_double")
        ... class DoubleProp(mx.operator.CustomOpProp):
        ...     def create_operator(self, ctx, in_shapes, in_dtypes):
        ...         return Double()
        >>> print(mx.nd.Custom(mx.nd.array([1, 2]), op_type="example_double").asnumpy())
        [2. 4.]
    """
    return use({"op_type": op_type, **options}).run(data, training, device, {})


def bound(declared: Op, one_use: Use) -> Op:
    """Returns the operator for a node of a bound graph; it keeps its instances between runs.

    A program's operator may have a state of its own.
    """
    # By shapes, dtypes and mode, as many as `Use.run` keeps; dropped with the bound graph.
    kept: dict[Any, Any] = {}

    def run(*data: Tensor, training: bool, device: torch.device, **_: str) -> tuple[Tensor, ...]:
        return one_use.run(data, training, device, kept)

    return replace(declared, kernel=run)

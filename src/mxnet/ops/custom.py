"""The operator `Custom`, whose computation a program supplies in Python.

What runs it works on arrays, which operators do not know: `mxnet.operator` installs a runner for
every registered type.
"""

from __future__ import annotations

from typing import Protocol

from torch import Tensor

from mxnet.errors import MXNetError
from mxnet.ops.registry import op


class Runner(Protocol):
    """What stands behind one type of custom operator."""

    def run(
        self, data: tuple[Tensor, ...], options: dict[str, str], training: bool
    ) -> tuple[Tensor, ...]:
        """Computes the outputs, with a history if inputs have one."""

    def count_outputs(self, options: dict[str, str]) -> int:
        """Gives the number of outputs."""


_RUNNERS: dict[str, Runner] = {}


def install(op_type: str, runner: Runner) -> None:
    """Makes `Custom(..., op_type=...)` use a runner; a later one replaces an earlier."""
    _RUNNERS[op_type] = runner


def _find(op_type: str) -> Runner:
    if op_type not in _RUNNERS:
        known = ", ".join(sorted(_RUNNERS)) or "none"
        raise MXNetError(f"Custom: op_type {op_type!r} is not registered; registered: {known}")
    return _RUNNERS[op_type]


def _count(*, op_type: str, **options: str) -> int:
    return _find(op_type).count_outputs(options)


@op("Custom", num_outputs=_count, any_dtype=("data",))
def custom(*data: Tensor, op_type: str, training: bool, **options: str) -> tuple[Tensor, ...]:
    """Runs an operator written in Python and registered by `mx.operator.register`.

    Args:
        *data: Arguments of the operator, then its auxiliary states.
        op_type: Name under which it is registered.
        training: Whether it runs for training.
        **options: Arguments of its `CustomOpProp`, as strings.
    """
    return _find(op_type).run(data, options, training)

"""Element types of quantized operators, whose inputs and outputs have types of their own."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import torch

from mxnet import _dtypes
from mxnet.errors import MXNetError
from mxnet.ops.traits import Dtypes, Settings, TypeRule, Types

OutputDtypes = Callable[[Sequence[torch.dtype | None], Settings], Dtypes]


def expect_types(
    name: str,
    inputs: Mapping[str, tuple[torch.dtype, ...]],
    outputs: OutputDtypes | Dtypes,
) -> Types:
    """Returns the facts on types of an operator for which `rule` makes the rule."""
    return Types(rule=rule(name, inputs, outputs))


def rule(
    name: str,
    inputs: Mapping[str, tuple[torch.dtype, ...]],
    outputs: OutputDtypes | Dtypes,
) -> TypeRule:
    """Returns a rule that checks the types of inputs and finds those of outputs.

    Args:
        name: Name of the operator, for errors.
        inputs: Types that an input takes, by its name; one alone is what it has. Inputs that are
            not named take any type.
        outputs: Types of the outputs, or a function of the types of the inputs in use and of the
            attributes.
    """

    def find(
        names: Sequence[str], known: Sequence[torch.dtype | None], settings: Settings
    ) -> tuple[Dtypes, Dtypes]:
        told = [
            _fit(name, role, dtype, inputs.get(role, ()))
            for role, dtype in zip(names, known, strict=True)
        ]
        return told, outputs(told, settings) if callable(outputs) else outputs

    return find


def _fit(
    name: str, role: str, dtype: torch.dtype | None, allowed: tuple[torch.dtype, ...]
) -> torch.dtype | None:
    """Returns the type of an input, which may not be known yet."""
    if dtype is None:
        return allowed[0] if len(allowed) == 1 else None
    if allowed and dtype not in allowed:
        names = " or ".join(map(_dtypes.name_of, allowed))
        raise MXNetError(f"{name}: expected `{role}` of {names}, got {_dtypes.name_of(dtype)}")
    return dtype


FLOATS = (torch.float32,)
"""Of ends of ranges."""

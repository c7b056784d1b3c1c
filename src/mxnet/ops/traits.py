"""What graphs and frontends know of an operator beside its signature.

A declaration says it once, `@op("name", traits=Traits(...))`; operators of a family share a record,
and `dataclasses.replace` makes one that differs in a field. Nobody else may ask for an operator by
its name: a fact that is missing here is to become a field. `tools/list_operator_names.py` looks
for names elsewhere.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from mxnet.ops.attrs import Shape

Settings: TypeAlias = Mapping[str, Any]
"""All attributes of a node by name, converted and completed by the defaults."""
Known: TypeAlias = Sequence[Shape | None]
"""Shapes as far as they are known."""
QuickShape: TypeAlias = Callable[[Sequence[Shape], Settings], Shape | None]
InputShapes: TypeAlias = Callable[[Known, Known, Settings], list[Shape | None]]
Upgrade: TypeAlias = Callable[[int, dict[str, str]], None]

PARAMETERS = frozenset({"weight", "bias", "gamma", "beta", "moving_mean", "moving_var"})
"""What operators call inputs that keep their values for many calls."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Traits:
    """Facts about an operator that its kernel does not tell.

    Functions among them take the attributes of a node by name, completed by the defaults.

    Attributes:
        same_shape: Names of the inputs that have the shape of the output, True for all inputs.
        same_dtype: Whether floating-point inputs of one dtype give an output of that dtype.
        quick_shape: Shape of the output from those of the inputs, None if the kernel is to be
            asked; see `quick_shapes.py`.
        input_shapes: Shapes of the inputs as far as those of inputs and outputs tell them.
        keeps_batch: Whether the output has the first length of the first input.
        exact_shapes: Whether inputs have the shapes that `fill_shapes` tells, and no others;
            otherwise the kernel decides, which may broadcast them.
        statistics: Inputs whose dtype says nothing of that of the data. If the operator has
            auxiliary states, they are float32 beside data of half precision.
        assumed_dtype: Inputs of any dtype that get the dtype of the data if nothing says another.
        dtype_input: Input that has the dtype of the attribute `dtype` and of the output.
        output_names: Names of the outputs that files count, hidden ones included; outputs
            without a name have numbers.
        parameters: Names of inputs that are parameters, not data.
        fixed_inputs: Inputs whose values are 1 if an attribute says so, with its name.
        initializers: How variables that are made for inputs are initialized, as files have it.
        upgrade: Brings the attributes of a node of an older file to today's form, from the
            version of the file and the attributes.
        ignores_head: Whether the gradient of the inputs is that of a loss, which does not depend
            on the gradient of the output.
        runs_program: Whether a program of the user computes the outputs and knows their number,
            names, shapes and dtypes (`custom.py`).
        casts_precision: Whether all it does is to change the precision, each output being the
            input at the same place; graphs are saved without it.
    """

    same_shape: bool | tuple[str, ...] = False
    same_dtype: bool = False
    quick_shape: QuickShape | None = None
    input_shapes: InputShapes | None = None
    keeps_batch: bool = False
    exact_shapes: bool = False
    statistics: tuple[str, ...] = ()
    assumed_dtype: tuple[str, ...] = ()
    dtype_input: str | None = None
    output_names: tuple[str, ...] | Callable[..., tuple[str, ...]] = ()
    parameters: frozenset[str] = PARAMETERS
    fixed_inputs: Mapping[str, str] = field(default_factory=dict)
    initializers: Mapping[str, str] = field(default_factory=dict)
    upgrade: Upgrade | None = None
    ignores_head: bool | Callable[..., bool] = False
    runs_program: bool = False
    casts_precision: bool = False


NO_TRAITS = Traits()
ELEMENTWISE = Traits(same_shape=True, same_dtype=True)
"""Inputs and output of one shape and one floating-point dtype."""

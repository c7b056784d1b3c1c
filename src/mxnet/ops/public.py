"""Where operators appear in public: the modules of their functions, and those that are methods."""

from __future__ import annotations

import inspect
from collections.abc import Sequence

from mxnet.ops.attrs import REQUIRED
from mxnet.ops.registry import Op

_PREFIXES = {"_contrib_": "contrib", "_linalg_": "linalg", "_image_": "image"}


def place(name: str) -> tuple[str, str]:
    """Returns the module of an operator's function and its name there."""
    for prefix, module in _PREFIXES.items():
        if name.startswith(prefix):
            return module, name.removeprefix(prefix)
    if name.startswith("_random_") and name.endswith("_like"):
        return "random", name.removeprefix("_random_")
    return ("_internal" if name.startswith("_") else "op"), name


def signature_of(op: Op, cls: type, options: Sequence[str]) -> inspect.Signature:
    """Returns the signature that `help()` shows.

    Args:
        op: The operator.
        cls: What stands in the place of tensors.
        options: Arguments that every function takes.
    """
    by_name = inspect.Parameter.KEYWORD_ONLY
    kind = by_name if op.variadic else inspect.Parameter.POSITIONAL_OR_KEYWORD
    if op.variadic:
        parameters = [
            inspect.Parameter(op.inputs[0].name, inspect.Parameter.VAR_POSITIONAL, annotation=cls)
        ]
    else:
        parameters = [
            inspect.Parameter(item.name, kind, default=None, annotation=cls) for item in op.inputs
        ]
    for attr in op.attrs.values():
        default = inspect.Parameter.empty if attr.default is REQUIRED else attr.default
        place = kind if default is not inspect.Parameter.empty else by_name
        if parameters and parameters[-1].kind is by_name:
            place = by_name
        parameters.append(inspect.Parameter(attr.name, place, default=default))
    for name in options:
        parameters.append(inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=None))
    return inspect.Signature(parameters, return_annotation=cls)


METHODS = (
    "abs",
    "arccos",
    "arccosh",
    "arcsin",
    "arcsinh",
    "arctan",
    "arctanh",
    "argmax",
    "argmax_channel",
    "argmin",
    "argsort",
    "broadcast_axes",
    "cbrt",
    "ceil",
    "clip",
    "cos",
    "cosh",
    "degrees",
    "depth_to_space",
    "diag",
    "exp",
    "expm1",
    "fix",
    "flip",
    "floor",
    "log",
    "log10",
    "log1p",
    "log2",
    "log_softmax",
    "max",
    "mean",
    "min",
    "nanprod",
    "nansum",
    "norm",
    "one_hot",
    "ones_like",
    "pad",
    "pick",
    "prod",
    "radians",
    "rcbrt",
    "reciprocal",
    "relu",
    "repeat",
    "reshape_like",
    "rint",
    "round",
    "rsqrt",
    "shape_array",
    "sigmoid",
    "sign",
    "sin",
    "sinh",
    "size_array",
    "slice",
    "slice_axis",
    "slice_like",
    "softmax",
    "softmin",
    "sort",
    "space_to_depth",
    "split",
    "split_v2",
    "sqrt",
    "square",
    "sum",
    "swapaxes",
    "take",
    "tan",
    "tanh",
    "tile",
    "topk",
    "transpose",
    "trunc",
    "zeros_like",
)
"""Functions that are methods of arrays and symbols too."""

"""Where operators appear in public: the modules of their functions, and those that are methods."""

from __future__ import annotations

_PREFIXES = {"_contrib_": "contrib", "_linalg_": "linalg", "_image_": "image"}


def place(name: str) -> tuple[str, str]:
    """Gives the module of an operator's function and its name there."""
    for prefix, module in _PREFIXES.items():
        if name.startswith(prefix):
            return module, name.removeprefix(prefix)
    if name.startswith("_random_") and name.endswith("_like"):
        return "random", name.removeprefix("_random_")
    return ("_internal" if name.startswith("_") else "op"), name


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

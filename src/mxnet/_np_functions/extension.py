"""Functions of `mx.npx` and `mx.npx.image`, most of which are operators as they are."""

from __future__ import annotations

from typing import Any

from mxnet._np_functions.table import NPX, NPX_IMAGE, Operators, add_operator, np_function

_OPERATORS = (
    *("activation", "arange_like", "batch_dot", "batch_flatten", "batch_norm", "cast"),
    *("convolution", "deconvolution", "dropout", "embedding", "erf", "erfinv", "fully_connected"),
    *("gamma", "gammaln", "gather_nd", "layer_norm", "leaky_relu", "log_softmax"),
    *("multibox_detection", "multibox_prior", "multibox_target", "one_hot", "pick", "pooling"),
    *("relu", "reshape_like", "rnn", "roi_pooling", "sequence_mask", "shape_array", "sigmoid"),
    *("slice", "smooth_l1", "softmax", "topk"),
)
_IMAGE_OPERATORS = (
    *("adjust_lighting", "crop", "flip_left_right", "flip_top_bottom", "normalize"),
    *("random_brightness", "random_color_jitter", "random_contrast", "random_flip_left_right"),
    *("random_flip_top_bottom", "random_hue", "random_lighting", "random_saturation", "resize"),
    "to_tensor",
)

for _name in _OPERATORS:
    add_operator(NPX, _name, f"_npx_{_name}")
for _name in _IMAGE_OPERATORS:
    add_operator(NPX_IMAGE, _name, f"_npx__image_{_name}")
add_operator(NPX_IMAGE, "copyMakeBorder", "_cvcopyMakeBorder")


@np_function(NPX)
def reshape(F: Operators, a: Any, newshape: Any, reverse: bool = False, order: str = "C") -> Any:
    """Returns an array with another shape, which may copy, split and join axes.

    Args:
        F: Operators of the frontend.
        a: The array.
        newshape: Length of each axis, or a code: -1 for what is left, -2 for the axis at this
            place, -3 to leave out an axis of length 1, -4 for all axes that are left, -5 for the
            product of two axes, -6 followed by two lengths to split an axis.
        reverse: Whether to match axes from the last one.
        order: Only `"C"`.
    """
    return F._npx_reshape(a, newshape=newshape, reverse=reverse, order=order)


@np_function(NPX)
def nonzero(F: Operators, a: Any) -> Any:
    """Returns the indices of elements that are not zero, one row for each.

    Args:
        F: Operators of the frontend.
        a: The array.
    """
    return F._npx_nonzero(a)


@np_function(NPX)
def constraint_check(F: Operators, x: Any, msg: str) -> Any:
    """Returns true if all elements are true, and raises a `ValueError` otherwise.

    Args:
        F: Operators of the frontend.
        x: Truth values.
        msg: What the error says.
    """
    return F._npx_constraint_check(x, msg=msg)

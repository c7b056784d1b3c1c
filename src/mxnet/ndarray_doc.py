"""Examples that extend the documentation of operators on arrays: `mx.ndarray_doc`.

A subclass of `NDArrayDoc` that is named after an operator has examples of it in its docstring.
"""

# ruff: noqa: N801 - a class has the name of its operator
from __future__ import annotations

import inspect
from collections.abc import Sequence


class NDArrayDoc:
    """Base of the classes that have examples of an operator on arrays."""


class ReshapeDoc(NDArrayDoc):
    """Shows how the special lengths of a shape are filled.

    Example:
        >>> import mxnet as mx
        >>> x = mx.nd.zeros((2, 3, 4))
        >>> mx.nd.reshape(x, shape=(-1, 6)).shape
        (4, 6)
        >>> mx.nd.reshape(x, shape=(0, -3)).shape
        (2, 12)
    """


class elemwise_addDoc(NDArrayDoc):
    """Shows a sum of two arrays of one shape.

    Example:
        >>> import mxnet as mx
        >>> x, y = mx.nd.array([1, 2]), mx.nd.array([10, 20])
        >>> print(mx.nd.elemwise_add(x, y).asnumpy())
        [11. 22.]
    """


class BroadcastToDoc(NDArrayDoc):
    """Shows a row that is repeated.

    Example:
        >>> import mxnet as mx
        >>> mx.nd.broadcast_to(mx.nd.array([[1, 2, 3]]), shape=(2, 3)).shape
        (2, 3)
    """


class StackDoc(NDArrayDoc):
    """Shows arrays that are joined along a new axis.

    Example:
        >>> import mxnet as mx
        >>> x, y = mx.nd.array([1, 2]), mx.nd.array([3, 4])
        >>> print(mx.nd.stack(x, y, axis=1).asnumpy())
        [[1. 3.]
         [2. 4.]]
    """


class CustomDoc(NDArrayDoc):
    """Shows how an operator that is written in Python is called.

    It is defined by a `mx.operator.CustomOp` and registered, with its `mx.operator.CustomOpProp`,
    by `mx.operator.register("name")`; then it is called as `mx.nd.Custom(x, op_type="name")`.
    """


def _build_doc(
    func_name: str,
    desc: str,
    arg_names: Sequence[str],
    arg_types: Sequence[str],
    arg_desc: Sequence[str],
    key_var_num_args: str | None = None,
    ret_type: str | None = None,
) -> str:
    """Returns the documentation of an operator on arrays.

    Args:
        func_name: Name of the operator, which selects the class with its examples.
        desc: What the operator does.
        arg_names: Names of its arguments.
        arg_types: Types of the arguments.
        arg_desc: Descriptions of the arguments.
        key_var_num_args: Attribute with the number of arrays; not shown, as in the original.
        ret_type: Type of the result; not shown, as in the original.
    """
    del key_var_num_args, ret_type
    return build_doc(
        desc,
        (arg_names, arg_types, arg_desc),
        "out : NDArray, optional\n    Array that the result is written to.",
        "out : NDArray or list of NDArrays\n    What the operator computes.",
        find_examples(NDArrayDoc, func_name),
    )


_COUNT = "num_args"
"""Argument that the number of the others fills, so that callers never pass it."""


def build_doc(
    description: str,
    arguments: tuple[Sequence[str], Sequence[str], Sequence[str]],
    last_argument: str,
    returns: str,
    more: type,
) -> str:
    """Returns the documentation of an operator.

    Args:
        description: What the operator does.
        arguments: Names, types and descriptions of its arguments.
        last_argument: An argument that all operators of the frontend have, described.
        returns: What they return, described.
        more: Class whose subclass of the operator's name has examples to add, or that class.
    """
    rows = [
        f"{name} : {kind}" + (f"\n    {text}" if text else "")
        for name, kind, text in zip(*arguments, strict=True)
        if name != _COUNT
    ]
    parts = [
        f"{description}\n",
        "Parameters\n----------\n" + "\n".join(rows) + "\n",
        f"{last_argument}\n",
        f"Returns\n-------\n{returns}\n",
    ]
    return "\n".join(parts) + (inspect.cleandoc(more.__doc__) if more.__doc__ else "")


def find_examples(base: type, operator: str) -> type:
    """Returns the subclass that is named after an operator; one without a docstring if none is.

    Args:
        base: Class of which all classes of examples are subclasses.
        operator: Name of the operator.
    """
    classes: list[type] = base.__subclasses__()
    by_name = {cls.__name__: cls for cls in classes}
    return by_name.get(f"{operator}Doc", _Nothing)


class _Nothing:
    __doc__ = None

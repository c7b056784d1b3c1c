"""The arrays of a parameter, one for each context, which programs may replace by others.

Programs reach them as `parameter._data` and `parameter._grad`. Code that keeps arrays of parameters
learns by `replacements` that it must read them again. Of parameters of storage type row_sparse
programs read single rows.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import chain, count
from operator import attrgetter, is_
from typing import Any

import torch
from torch import Tensor

from mxnet import autograd
from mxnet._arrays.array import place
from mxnet._frontend.dialect import functions_for
from mxnet._start import plain, public_call
from mxnet.context import CPU0, Context, current_context, intern
from mxnet.errors import MXNetError
from mxnet.ndarray.ndarray import NDArray
from mxnet.ndarray.sparse import RowSparseNDArray

_copy = plain(NDArray.copyto)


class Replacements:
    """Numbers the times at which a parameter got other arrays, or lost those it had.

    Code that keeps arrays of parameters reads `count` before it reads them; while that is the same,
    they are up to date. To ask hundreds of parameters in each call would take a tenth of a small
    step.
    """

    def __init__(self) -> None:
        self.count = 0
        """Number of the last replacement."""
        self.numbers = count(1)
        """Numbers to come, of which no two threads get the same."""

    def note(self) -> None:
        """Notes that a parameter has other arrays now."""
        self.count = next(self.numbers)


replacements = Replacements()


class Replicas(list[NDArray]):
    """A list of arrays that notes each change of it.

    To programs it is the list that parameters of the original have: it prints as one, and copies
    and pickles of it are plain lists.
    """

    def __reduce__(self) -> tuple[type[list[Any]], tuple[list[NDArray]]]:
        return list, ([*self],)

    def __reduce_ex__(self, protocol: Any) -> tuple[type[list[Any]], tuple[list[NDArray]]]:
        del protocol
        return self.__reduce__()


def _noting(method: Callable[..., Any]) -> Callable[..., Any]:
    def change(self: Replicas, *args: Any, **options: Any) -> Any:
        result = method(self, *args, **options)
        replacements.note()  # last: readers of the number find the change
        return result

    return change


for _name in (
    *("__setitem__", "__delitem__", "__iadd__", "__imul__", "append", "extend", "insert"),
    *("pop", "remove", "clear", "sort", "reverse"),
):
    setattr(Replicas, _name, _noting(getattr(list, _name)))
Replicas.__name__, Replicas.__qualname__, Replicas.__module__ = "list", "list", "builtins"


def replicas_in(attribute: str) -> Any:
    """Makes the property by which programs read and replace the arrays of a parameter.

    Args:
        attribute: Attribute that holds them, for code that is called often.
    """

    def replace(parameter: Any, arrays: list[NDArray] | None) -> None:
        is_kept = arrays is None or type(arrays) is Replicas  # parameters may share a list
        setattr(parameter, attribute, arrays if is_kept else Replicas(arrays or ()))
        replacements.note()

    return property(attrgetter(attribute), replace)


class ArraysOf:
    """The arrays that parameters have now, to find out later whether they still have them.

    Args:
        parameters: The parameters.
    """

    def __init__(self, parameters: Sequence[Any]) -> None:
        self._parameters = parameters
        self.count = replacements.count
        """Number of the last replacement after which they were seen."""
        self._arrays = self._list()

    def _list(self) -> list[NDArray | None]:
        """Lists values and gradients, None in place of those that a parameter does not have."""
        lists = [(item._arrays, item._gradient_arrays) for item in self._parameters]
        return [*chain.from_iterable(arrays or (None,) for arrays in chain.from_iterable(lists))]

    def are_current(self) -> bool:
        """Returns whether no parameter has other arrays, or a gradient where it had none."""
        count = replacements.count
        if count == self.count:
            return True
        arrays = self._list()
        if len(arrays) != len(self._arrays) or not all(map(is_, arrays, self._arrays)):
            return False
        self.count = count
        return True


class ContextTypeError(MXNetError, ValueError, TypeError, AttributeError):
    """A value that should be a context is not one."""


def list_contexts(name: str, ctx: Context | Sequence[Context] | None) -> list[Context]:
    """Lists the contexts that a program gives a parameter; without any, the current one."""
    if ctx is None:
        return [intern(current_context())]
    listed = [ctx] if isinstance(ctx, Context) else list(ctx)
    if not listed or not all(isinstance(item, Context) for item in listed):
        raise ContextTypeError(
            f"Parameter {name!r}: ctx takes a context such as mx.cpu(), or a list of them, "
            f"got {ctx!r}"
        )
    return [intern(item) for item in listed]


class DeviceNames:
    """Methods of a parameter as MXNet 2 calls them."""

    reset_ctx: Callable[..., None]
    list_ctx: Callable[[], list[Context]]

    @public_call
    def reset_device(self, device: Context | Sequence[Context]) -> None:
        """Moves the parameter to other devices, as `reset_ctx` does."""
        self.reset_ctx(device)

    @public_call
    def list_device(self) -> list[Context]:
        """Returns the devices, as `list_ctx` does."""
        return self.list_ctx()


class RowSparseAccess(DeviceNames):
    """Methods of a parameter of storage type row_sparse, whose value has all rows."""

    name: str
    _stype: str
    _trainer: Any
    _arrays: list[NDArray] | None

    def _uninitialized(self) -> Exception:
        raise NotImplementedError

    def _check_and_get(self, arrays: list[NDArray] | None, ctx: Any) -> Any:
        raise NotImplementedError

    def _values(self) -> list[NDArray]:
        """Returns the values on all contexts, of any storage type."""
        if self._arrays is None:
            raise self._uninitialized()
        return list(self._arrays)

    def _reduce(self) -> NDArray:
        """Returns the value on the CPU: the mean over contexts, whose values may differ."""
        values = self._values()
        if len(values) == 1 or self._stype != "default":
            return values[0].as_in_context(CPU0)
        parts = [value.as_in_context(CPU0) for value in values]
        total: Any = functions_for(parts[0]).add_n(*parts)
        mean: NDArray = total / len(parts)
        return mean

    def _place(self, data: NDArray, ctx: Context) -> NDArray:
        """Copies a value to a context, with the storage type of the parameter."""
        if self._stype != "row_sparse":
            dense = data if data.stype == "default" else data.tostype("default")
            return _copy(dense, ctx)  # type: ignore[return-value]
        return _with_all_rows(place(data._plain.clone(), ctx), ctx)

    def _refuse_dense_access(self, method: str) -> None:
        if self._stype != "default":
            raise MXNetError(
                f"{method}: Parameter {self.name!r} has storage type {self._stype}; "
                f"read the rows in use by {method.replace('data', 'row_sparse_data')}(row_id)"
            )

    @public_call
    def row_sparse_data(self, row_id: NDArray) -> NDArray:
        """Returns some rows of the value, on the context of `row_id`.

        Args:
            row_id: Numbers of the rows; every other row of the result is zero.

        Example:
            >>> import mxnet as mx
            >>> table = mx.gluon.Parameter("table", shape=(4, 2), stype="row_sparse", init="ones")
            >>> table.initialize()
            >>> trainer = mx.gluon.Trainer([table], "sgd")
            >>> rows = table.row_sparse_data(mx.nd.array([0, 3]))
            >>> rows.stype, rows.indices.asnumpy().tolist()
            ('row_sparse', [0, 3])
        """
        return self._pull("row_sparse_data", row_id, [row_id.context])[0]

    @public_call
    def list_row_sparse_data(self, row_id: NDArray) -> list[NDArray]:
        """Returns some rows of the value, once for each context.

        Example:
            >>> import mxnet as mx
            >>> table = mx.gluon.Parameter("table", shape=(4, 2), stype="row_sparse", init="ones")
            >>> table.initialize(ctx=[mx.cpu(0), mx.cpu(1)])
            >>> trainer = mx.gluon.Trainer([table], "sgd")
            >>> [rows.context for rows in table.list_row_sparse_data(mx.nd.array([0, 3]))]
            [cpu(0), cpu(1)]
        """
        contexts = [array.context for array in self._arrays or ()]
        return self._pull("list_row_sparse_data", row_id, contexts)

    def _pull(self, method: str, row_id: NDArray, contexts: Sequence[Context]) -> list[NDArray]:
        if self._stype != "row_sparse":
            raise MXNetError(
                f"{method}: Parameter {self.name!r} has storage type {self._stype}; "
                f"use {method.replace('row_sparse_data', 'data')}()"
            )
        if self._arrays is None:
            raise self._uninitialized()
        if self._trainer is None:
            raise MXNetError(
                f"{method}: Parameter {self.name!r} belongs to no Trainer yet; make one first"
            )
        with autograd.pause():  # what a store copies to the others is no part of the graph
            self._trainer._prepare()
        rows = torch.unique(row_id._plain.long())
        return [_retain(self._check_and_get(self._arrays, ctx), rows) for ctx in contexts]


def _with_all_rows(tensor: Tensor, ctx: Context) -> RowSparseNDArray:
    rows = torch.arange(len(tensor), device=tensor.device)
    return RowSparseNDArray._of_parts((tensor, rows), tensor.shape, ctx)


def _retain(value: NDArray, rows: Tensor) -> NDArray:
    """Returns rows of a value; gradients flow through them to the value."""
    detached: Any = value.detach()
    part: NDArray = detached.retain(NDArray._wrap(rows.to(value._plain.device), value._ctx))
    if value._node is not None:
        part._node, part._role = value._node, value._role
    return part

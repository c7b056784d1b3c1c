"""Binding: from symbols to executors."""

from __future__ import annotations

import operator
from collections.abc import Iterable, Mapping, Sequence
from math import prod
from typing import Any

import torch

from mxnet._arrays.autograd.gradients import GRAD_REQS
from mxnet._formats import element_types
from mxnet._start import did_you_mean
from mxnet.context import Context, intern, resolve, torch_device
from mxnet.errors import ArgumentValueError, MXNetError, ShapeMismatchError, UnsupportedTypeError
from mxnet.executor._analysis import first_part, make_lazy_zeros
from mxnet.executor._executor import Executor
from mxnet.graph.infer import Types, infer_gradient_storage, infer_shapes, infer_types
from mxnet.graph.ir import Entry, Node, NodeList
from mxnet.ndarray import NDArray
from mxnet.ndarray._ndarray import storage_class
from mxnet.ndarray.sparse import RowSparseNDArray
from mxnet.ops.core.attrs import Shape, shape_is_known
from mxnet.symbol import Symbol
from mxnet.symbol._binding import register_binder

_STORAGE_NAMES = {"0": "default", "1": "row_sparse", "2": "csr"}


class BindContextError(MXNetError, TypeError, AttributeError):
    """What is given as a context is none."""


class SharedExecutorError(MXNetError, TypeError, AttributeError):
    """What is given as an executor to share with is none."""


class GradRequestError(ArgumentValueError, KeyError):
    """A request for a gradient is not known."""

    def __str__(self) -> str:
        return Exception.__str__(self)  # a KeyError shows the quotes of its key


class Binder:
    """Binds symbols; `Symbol` reaches it without knowing arrays."""

    @staticmethod
    def bind(
        symbol: Symbol,
        ctx: Context,
        args: Any,
        args_grad: Any,
        grad_req: Any,
        aux_states: Any,
        group2ctx: Mapping[str, Context] | None,
        shared_exec: Any,
    ) -> Executor:
        """Makes an executor on arrays that the caller has."""
        ctx = _check_context("bind", ctx, group2ctx)
        _check_shared("bind", shared_exec)
        variables = symbol._graph.variables
        names = [node.name for node in variables[0]]
        state_names = [node.name for node in variables[1]]
        arguments = _in_order("args", args, names)
        gradients = None
        if args_grad is not None:
            gradients = _in_order("args_grad", args_grad, names, may_miss=True)
        states: list[Any] = []
        if aux_states or state_names:
            states = _in_order("aux_states", aux_states or [], state_names)
        requests = _requests("bind", grad_req, names)
        _check_places(variables, ctx, (*arguments, *states), group2ctx or {})
        for name, array, gradient in zip(names, arguments, gradients or (), strict=False):
            if gradient is not None and gradient.shape != array.shape:
                raise ShapeMismatchError(
                    f"bind: {name!r} has shape {array.shape}, its gradient {gradient.shape}"
                )
        executor = Executor.__new__(Executor)  # the constructor copies arrays
        executor._set_up(symbol, ctx, (arguments, gradients, states), requests, group2ctx)
        return executor

    @staticmethod
    def simple_bind(
        symbol: Symbol,
        ctx: Context,
        grad_req: Any,
        types: tuple[Mapping[str, Any] | None, Mapping[str, str] | None],
        group2ctx: Mapping[str, Context] | None,
        shared: tuple[Sequence[str] | None, Executor | None, dict[str, NDArray] | None],
        shapes: Mapping[str, Any],
    ) -> Executor:
        """Makes an executor on arrays of its own, shaped by inference."""
        ctx = _check_context("simple_bind", ctx, group2ctx)
        variables = symbol._graph.variables
        names = [node.name for node in variables[0]]
        if isinstance(grad_req, Mapping) and not grad_req:
            raise MXNetError("simple_bind: grad_req must not be an empty dict; leave it out")
        requests = _requests("simple_bind", "null" if grad_req is None else grad_req, names)
        _check_shared("simple_bind", shared[1])
        if shared[0] is not None and not isinstance(shared[0], list):
            raise ArgumentValueError("simple_bind: shared_arg_names takes a list of names or None")
        if shared[2] is not None and not isinstance(shared[2], dict):
            raise ArgumentValueError("simple_bind: shared_buffer takes a dict of arrays or None")
        allocation = _Allocation(symbol, ctx, types, group2ctx or {}, shared, shapes)
        arguments: list[NDArray] = []
        gradients: list[NDArray | None] = []
        for node, request in zip(variables[0], requests, strict=True):
            array, gradient = allocation.argument(node, wants_gradient=request != "null")
            arguments.append(array)
            gradients.append(gradient)
        states = [allocation.state(node) for node in variables[1]]
        executor = Executor.__new__(Executor)  # the constructor copies arrays
        executor._set_up(symbol, ctx, (arguments, gradients, states), requests, group2ctx)
        return executor

    @staticmethod
    def evaluate(symbol: Symbol, ctx: Context | None, given: Mapping[str, Any]) -> list[NDArray]:
        """Computes the outputs once."""
        where = resolve(ctx)
        states = {name: given[name] for name in symbol.list_auxiliary_states() if name in given}
        executor = Binder.bind(symbol, where, dict(given), None, "null", states, None, None)
        return executor.forward()


class _Allocation:
    """Makes the arrays of an executor, or takes those that it shares with another one."""

    def __init__(
        self,
        symbol: Symbol,
        ctx: Context,
        types: tuple[Mapping[str, Any] | None, Mapping[str, str] | None],
        groups: Mapping[str, Context],
        shared: tuple[Sequence[str] | None, Executor | None, dict[str, NDArray] | None],
        shapes: Mapping[str, Any],
    ) -> None:
        dtypes, storages = types
        self._ctx, self._groups, self._storages = ctx, groups, storages or {}
        shared_names, self._shared, self._buffer = shared
        self._shared_names = frozenset(shared_names or ())
        nodes = symbol._graph.nodes
        self._types = _choose_types(symbol, nodes, dtypes or {})
        given = {name: _as_shape(name, shape) for name, shape in shapes.items() if _is_shape(shape)}
        self._shapes = infer_shapes(nodes, given, self._types, symbol._shape_rules)
        unknown = {
            node.name: symbol._shape_rules.write(self._shapes.get(Entry(node)))
            for node in nodes
            if node.op is None and not shape_is_known(self._shapes.get(Entry(node)))
        }
        if unknown:
            raise MXNetError(_describe_unknown(unknown, shapes))
        declared = {node.name: self._storage(node) for node in nodes if node.op is None}
        self._gradients = infer_gradient_storage(nodes, symbol._graph.heads, declared)

    def argument(self, node: Node, *, wants_gradient: bool) -> tuple[NDArray, NDArray | None]:
        """Returns an argument and its gradient."""
        if self._shared is not None and node.name in self._shared_names:
            array = self._take(node, self._shared.arg_dict)
            gradient = self._shared.grad_dict.get(node.name) if wants_gradient else None
            if wants_gradient and gradient is None:
                gradient = self._gradient(node)
            return array, gradient
        pooled = node.name not in self._shared_names
        array = self._from_buffer(node, node.name) if pooled else self._zeros(node)
        if not wants_gradient:
            return array, None
        if pooled and array.stype == self._gradients.get(node.name, array.stype):
            return array, self._from_buffer(node, f"grad of {node.name}")
        return array, self._gradient(node)

    def _gradient(self, node: Node) -> NDArray:
        return self._zeros(node, self._gradients.get(node.name))

    def state(self, node: Node) -> NDArray:
        """Returns an auxiliary state."""
        if self._shared is not None and node.name in self._shared.aux_dict:
            return self._take(node, self._shared.aux_dict)
        return self._zeros(node)

    def _take(self, node: Node, known: Mapping[str, NDArray]) -> NDArray:
        if node.name not in known:
            raise MXNetError(f"simple_bind: shared_exec has no {node.name!r}")
        array, shape = known[node.name], self._shapes[Entry(node)]
        if array.shape != shape:
            raise MXNetError(
                f"simple_bind: {node.name!r} has shape {array.shape} in shared_exec, needed {shape}"
            )
        return array

    def _from_buffer(self, node: Node, key: str) -> NDArray:
        """Returns an array on the memory of the pool, if there is one and it is large enough."""
        if self._buffer is None:
            return self._zeros(node)
        shape, dtype = self._shapes[Entry(node)], self._types[Entry(node)]
        pooled = self._buffer.get(key)
        if pooled is None or pooled._plain.dtype is not dtype or prod(pooled.shape) < prod(shape):
            pooled = self._buffer[key] = self._zeros(node)
        if pooled.shape == shape:
            return pooled
        return first_part(pooled, shape)

    def _storage(self, node: Node) -> str:
        declared = _STORAGE_NAMES.get(node.attrs.get("__storage_type__", "0"), "default")
        return self._storages.get(node.name, declared)

    def _zeros(self, node: Node, stype: str | None = None) -> NDArray:
        shape, dtype = self._shapes[Entry(node)], self._types[Entry(node)]
        ctx = intern(self._groups.get(node.attrs.get("__ctx_group__", ""), self._ctx))
        cls = storage_class(stype or self._storage(node), "simple_bind")
        if issubclass(cls, RowSparseNDArray):
            return cls._zeros(shape, dtype, ctx)
        where = f"simple_bind: {node.name!r} of shape {shape}"
        return cls._wrap(make_lazy_zeros(where, shape, dtype, torch_device(ctx)), ctx)


def _choose_types(symbol: Symbol, nodes: NodeList, given: Mapping[str, Any]) -> Types:
    """Infers the element types; what stays open is float32."""
    known = set(symbol.list_inputs())
    for name in given:
        if name not in known:
            raise MXNetError(f"simple_bind: type_dict names {name!r}, which is no argument")
    dtypes = {
        name: element_types.to_torch(dtype) for name, dtype in given.items() if dtype is not None
    }
    types = infer_types(nodes, dtypes)
    unknown = [node.name for node in nodes if node.op is None and Entry(node) not in types]
    if not unknown:
        return types
    return infer_types(nodes, dtypes | dict.fromkeys(unknown, torch.float32))


def _is_shape(value: Any) -> bool:
    """Returns whether a keyword gives a shape; others, such as `force_rebind`, have no effect."""
    return isinstance(value, (tuple, list))


def _describe_unknown(unknown: Mapping[str, Shape | None], given: Mapping[str, Any]) -> str:
    """Says which shapes are missing, and where something else was given for one."""
    parts = [
        f"{name!r} was given {given[name]!r}, which is no tuple"
        if name in given and not _is_shape(given[name])
        else f"{name!r} {shape or ''}"
        for name, shape in unknown.items()
    ]
    others = [name for name in given if name not in unknown and _is_shape(given[name])]
    misnamed = [f"; no {name!r}{hint}" for name in others if (hint := did_you_mean(name, unknown))]
    return f"simple_bind: shapes are not known: {', '.join(parts)}{''.join(misnamed)}"


def _as_shape(name: str, shape: Sequence[Any]) -> Shape:
    try:
        return tuple(map(operator.index, shape))
    except TypeError as error:
        raise UnsupportedTypeError(
            f"simple_bind: the shape of {name!r} takes ints, got {shape!r}"
        ) from error


def _check_context(where: str, ctx: Any, groups: Mapping[str, Any] | None) -> Context:
    if not isinstance(ctx, Context):
        raise BindContextError(f"{where}: ctx takes a Context such as mx.cpu(), got {ctx!r}")
    for name, group_ctx in (groups or {}).items():
        if not isinstance(group_ctx, Context):
            raise BindContextError(
                f"{where}: group2ctx takes a Context for {name!r}, got {group_ctx!r}"
            )
    return intern(ctx)


def _check_shared(where: str, executor: Any) -> None:
    if executor is not None and not isinstance(executor, Executor):
        raise SharedExecutorError(f"{where}: shared_exec takes an executor, got {executor!r}")


def _in_order(key: str, given: Any, names: Sequence[str], *, may_miss: bool = False) -> list[Any]:
    """Lists arrays in the order of names."""
    if isinstance(given, Mapping):
        arrays = [given.get(name) for name in names]
        if not (may_miss or given.keys() >= {*names}):
            missing = [name for name in names if name not in given]
            _check_arrays(key, given.items(), may_miss=False)
            unknown = [name for name in given if name not in names]
            others = f"; no variable is called {', '.join(map(repr, unknown))}" if unknown else ""
            raise ArgumentValueError(f"bind: {key} has no array for {missing[0]!r}{others}")
    elif isinstance(given, (list, tuple)):
        if len(given) != len(names):
            raise ArgumentValueError(
                f"bind: {key} takes {len(names)} arrays ({', '.join(names)}), got {len(given)}"
            )
        arrays = list(given)
    else:
        raise UnsupportedTypeError(f"bind: {key} takes a list or a dict, got {type(given)}")
    _check_arrays(key, zip(names, arrays, strict=True), may_miss=may_miss)
    return arrays


def _check_arrays(key: str, arrays: Iterable[tuple[str, Any]], *, may_miss: bool) -> None:
    for name, array in arrays:
        if not isinstance(array, NDArray) and not (array is None and may_miss):
            raise UnsupportedTypeError(f"bind: {key} takes arrays, got {array!r} for {name!r}")


def _requests(where: str, grad_req: Any, names: Sequence[str]) -> list[str]:
    """Lists what to do with the gradient of each argument."""
    if isinstance(grad_req, str):
        requests = [grad_req] * len(names)
    elif isinstance(grad_req, Mapping):
        requests = [grad_req.get(name, "null") for name in names]
    elif isinstance(grad_req, (list, tuple)):
        if len(grad_req) != len(names):
            raise ArgumentValueError(
                f"{where}: grad_req takes {len(names)} requests, got {len(grad_req)}"
            )
        requests = list(grad_req)
    else:
        raise UnsupportedTypeError(f"{where}: grad_req takes a string, list or dict")
    for request in requests:
        if request not in GRAD_REQS:
            raise GradRequestError(
                f"{where}: grad_req takes one of {', '.join(GRAD_REQS)}, got {request!r}"
            )
    return requests


def _check_places(
    variables: tuple[Sequence[Node], Sequence[Node]],
    ctx: Context,
    arrays: Sequence[NDArray],
    groups: Mapping[str, Context],
) -> None:
    """Checks that the arrays are where they will be used."""
    arguments, states = variables
    for node, array in zip((*arguments, *states), arrays, strict=True):
        expected = groups.get(node.attrs.get("__ctx_group__", ""), ctx)
        if array._ctx is not expected and array.context != expected and not groups:
            raise MXNetError(
                f"bind: {node.name!r} must be on {expected}, got an array on {array.context}"
            )


register_binder(Binder())

"""Modules of torch as operators of this package, so that they can be part of graphs and files."""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import torch
from torch import fx, nn

from mxnet._state import modes
from mxnet.gluon.contrib.torch._function_table import FUNCTIONS, METHODS
from mxnet.gluon.contrib.torch._layer_table import LAYERS
from mxnet.gluon.contrib.torch._state import ModuleState, is_lazy
from mxnet.gluon.contrib.torch._values import ConversionError, Length, Operators, Shape


def convert(
    state: ModuleState,
    F: Any,
    args: Sequence[Any],
    params: Mapping[str, Any],
    has_scalars: bool = False,
) -> Any:
    """Computes a module by operators.

    Args:
        state: The module.
        F: The operators, on symbols or on arrays that are traced.
        args: Arguments of the call.
        params: What stands for parameters and buffers, by path.
        has_scalars: Whether an array may have no axes.

    Returns:
        What the module returns, with tuples as lists.

    Raises:
        ConversionError: if the module cannot be traced, or an operator is missing; it says which.
    """
    if any(is_lazy(tensor) for _, tensor in state.parameters()):
        raise ConversionError("parameters of lazy modules have no shape before the first call")
    module = state.module
    modes.asked = True  # a program may look at `self.training`
    if module.training is not modes.training:
        module.train(modes.training)
    conversion, tracer = _Conversion(module, Operators(F, has_scalars), params), fx.Tracer()
    if tracer.is_leaf_module(module, ""):
        return _as_lists(conversion.call_layer("", args, {}))
    try:
        graph = tracer.trace(module)
    except Exception as error:
        raise ConversionError(
            f"torch.fx cannot trace the module ({type(error).__name__}: {error})"
        ) from error
    return conversion.run(graph, args)


class _Conversion:
    """Walks over a graph of `torch.fx` and calls operators for its nodes."""

    def __init__(self, module: nn.Module, operators: Operators, params: Mapping[str, Any]) -> None:
        self._module = module
        by_identity = {
            id(tensor): params[name] for name, tensor in _tensors(module) if name in params
        }
        self._params = {
            name: by_identity[id(tensor)]
            for name, tensor in _tensors(module)
            if id(tensor) in by_identity
        }
        self._operators = operators

    def run(self, graph: fx.Graph, args: Sequence[Any]) -> Any:
        """Returns what the graph computes from arguments."""
        values: dict[fx.Node, Any] = {}
        given = iter(args)
        for node in graph.nodes:
            if node.op == "placeholder":
                values[node] = next(given, node.args[0] if node.args else None)
                continue
            arguments = fx.map_arg(node.args, values.__getitem__)
            named = fx.map_arg(node.kwargs, values.__getitem__)
            if node.op == "output":
                return _as_lists(arguments[0])
            values[node] = self._call(node, arguments, named)
        raise ConversionError("the module returns nothing")

    def _call(self, node: fx.Node, args: Sequence[Any], kwargs: Mapping[str, Any]) -> Any:
        target: Any = node.target
        if node.op == "get_attr":
            return self._parameter(target)
        if node.op == "call_module":
            return self.call_layer(target, args, kwargs)
        if target is operator.getitem and isinstance(args[0], (Shape, list, tuple)):
            return args[0][args[1]]
        if target is getattr:
            if args[1] == "shape":
                return Shape()
            raise ConversionError(f"attribute {args[1]!r} of a tensor is not known in a graph")
        if node.op == "call_method" and target == "size":
            return Shape()[args[1]] if len(args) > 1 else Shape()
        rule = (METHODS if node.op == "call_method" else FUNCTIONS).get(target)
        name = target if isinstance(target, str) else getattr(target, "__name__", str(target))
        if rule is None or any(isinstance(item, Length) for item in args[:1]):
            raise ConversionError(f"{name} has no counterpart among the operators")
        return self._explained(name, rule, self._operators, *args, **kwargs)

    def call_layer(self, path: str, args: Sequence[Any], kwargs: Mapping[str, Any]) -> Any:
        """Returns what a layer of torch computes."""
        layer = self._module.get_submodule(path)
        rule, name = LAYERS.get(type(layer)), f"torch.nn.{type(layer).__name__}"
        if rule is None:
            place = f" ({path})" if path else ""
            raise ConversionError(f"{name}{place} has no counterpart among the operators")

        def read(key: str) -> Any:
            has = getattr(layer, key, None) is not None
            return self._parameter(f"{path}.{key}".lstrip(".")) if has else None

        return self._explained(name, rule, self._operators, layer, read, *args, **kwargs)

    def _explained(self, name: str, rule: Callable[..., Any], *args: Any, **kwargs: Any) -> Any:
        try:
            return rule(*args, **kwargs)
        except TypeError as error:
            raise ConversionError(f"{name}: arguments have no counterpart ({error})") from error

    def _parameter(self, path: str) -> Any:
        if path not in self._params:
            raise ConversionError(f"{path!r} is neither a parameter nor a buffer that is saved")
        return self._params[path]


def _tensors(module: nn.Module) -> list[tuple[str, torch.Tensor]]:
    return [
        *module.named_parameters(remove_duplicate=False),
        *module.named_buffers(remove_duplicate=False),
    ]


def _as_lists(value: Any) -> Any:
    if isinstance(value, (list, tuple)):
        return [_as_lists(item) for item in value]
    if isinstance(value, (Mapping, Length, Shape)):
        raise ConversionError(f"the module returns a {type(value).__name__}, graphs return arrays")
    return value

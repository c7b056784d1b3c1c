"""A module of torch as a block, and as operators that can be part of graphs and files."""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

import torch
from torch import Tensor, fx, nn
from torch.utils._pytree import tree_leaves, tree_map

from mxnet._arrays.array import finish, tie
from mxnet._formats import element_types
from mxnet._frontend.array_trace import UntraceableError
from mxnet._frontend.dialect import CLASSIC, dialect_of_call, functions_for
from mxnet._state import modes
from mxnet.errors import MXNetError, UnsupportedTypeError
from mxnet.gluon.blocks.location import describe
from mxnet.gluon.contrib.torch._state import ModuleState, ModuleValue, is_lazy
from mxnet.gluon.contrib.torch._tables import (
    FUNCTIONS,
    LAYERS,
    METHODS,
    ConversionError,
    Length,
    Operators,
    Shape,
    is_array,
)
from mxnet.gluon.hybrid.block import HybridBlock
from mxnet.gluon.hybrid.deferred import ShapeProbe
from mxnet.gluon.parameter import Parameter, ParameterDict
from mxnet.ndarray import NDArray
from mxnet.symbol import Symbol


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


class TorchBlock(HybridBlock):
    """A module of torch as a block, with its parameters as parameters of Gluon.

    They are initialized, trained by a `Trainer`, saved, loaded, cast and moved as those of layers
    are; buffers, such as running means, are parameters without a gradient. Whether the module runs
    for training follows `autograd`. Parameters of lazy modules get their shapes in the first call.

    The module itself is what computes; it keeps the values that it had. `to_module()` returns it
    with those of the block. Random numbers in it are torch's, seeded by `torch.manual_seed`.

    When it is hybridized or exported, the module is traced by `torch.fx` and becomes operators of
    this package, if there are some for all of its layers. Otherwise it runs imperatively, about
    which there is a warning that says why. The running variance of a normalization is then that of
    Gluon, which is not multiplied by `n / (n - 1)`.

    Args:
        module: The module. It belongs to the block from now on.
        keep_values: Whether `initialize()` sets parameters to the values of the module. Otherwise
            those with two axes or more are filled by the initializer of the network.
        prefix: Prefix of the names of parameters, by default the class name and a number.
        params: Parameters to share with another block.

    Raises:
        MXNetError: if it is no module, or an array cannot hold one of its parameters.

    Example:
        >>> import mxnet as mx, torch
        >>> net = mx.gluon.nn.HybridSequential()
        >>> net.add(mx.gluon.contrib.torch.TorchBlock(torch.nn.Linear(3, 4)), mx.gluon.nn.Dense(2))
        >>> net.initialize()
        >>> net(mx.nd.ones((5, 3))).shape
        (5, 2)
        >>> [parameter.shape for parameter in net[0].collect_params().values()]
        [(4, 3), (4,)]
    """

    def __init__(
        self,
        module: nn.Module,
        keep_values: bool = True,
        prefix: str | None = None,
        params: ParameterDict | None = None,
    ) -> None:
        super().__init__(prefix=prefix, params=params)
        if not isinstance(module, nn.Module):
            raise UnsupportedTypeError(
                f"TorchBlock: takes a torch.nn.Module, got {type(module).__name__}"
            )
        self._state = ModuleState(module)
        for name, tensor in self._state.parameters():
            self._reg_params[name] = self._add(name, tensor, True, keep_values)
        for name, tensor in self._state.states():
            self._reg_params[name] = self._add(name, tensor, False, True)

    def _add(self, name: str, tensor: Tensor, is_trained: bool, keep_values: bool) -> Parameter:
        """Makes the parameter of a tensor of the module."""
        if tensor.dtype not in element_types.BY_TORCH:
            raise MXNetError(
                f"TorchBlock: {name!r} has dtype {tensor.dtype}, which arrays do not have; "
                "convert the module before"
            )
        lazy = is_lazy(tensor)
        init = ModuleValue(self._state.module, name)
        keeps = keep_values or (not lazy and tensor.dim() < 2)
        return self.params.get(
            self._state.flat_names[name],
            grad_req="write" if tensor.requires_grad else "null",
            shape=None if lazy else tuple(tensor.shape) or (1,),
            dtype=element_types.name_of(tensor.dtype),
            init=init if keeps else None,
            allow_deferred_init=lazy,
            differentiable=is_trained and tensor.is_floating_point(),
        )

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self._state.module!r})"

    def to_module(self) -> nn.Module:
        """Copies the values of the parameters into the module, and returns it.

        Raises:
            MXNetError: if they are not initialized.
        """
        self._state.set_values({name: item.data() for name, item in self._reg_params.items()})
        return self._state.module

    def _mx_make_torch_module(self, share: Callable[[Parameter], Tensor]) -> nn.Module:
        return self._state.copy_with({n: share(item) for n, item in self._reg_params.items()})

    def cast(self, dtype: Any) -> None:
        """Converts the parameters of a float type to another one, as `Module.to` does."""
        self._clear_cached_op()
        for parameter in self._reg_params.values():
            if element_types.to_torch(parameter.dtype).is_floating_point:
                parameter.cast(dtype)

    def infer_shape(self, *args: Any) -> None:
        """Finds out the shapes of parameters that a lazy module leaves open, by calling it."""
        tensors = tree_map(lambda item: item._plain if isinstance(item, NDArray) else item, args)
        with self._explained():
            self._state.materialize(tensors)
        for name, parameter in self._reg_params.items():
            parameter.shape = tuple(self._state.find(name).shape) or (1,)

    def hybrid_forward(  # a parameter may be called x
        self, F: Any, x: Any, /, *args: Any, **params: Any
    ) -> Any:
        """Calls the module on arrays; on symbols it gives the graph of its operators."""
        if modes.tracer is not None or isinstance(x, Symbol):
            return self._trace(F, (x, *args), params)
        if isinstance(F, ShapeProbe):
            given = (x, *args, *params.values())
            if not all(isinstance(item, NDArray) for item in given):
                raise MXNetError("TorchBlock: shapes are known after a call on data")
        arrays = list(_arrays_in((x, *args)))
        for item in arrays:
            if item._ctx != x._ctx:
                raise MXNetError(f"expects arrays of one context, got {x._ctx} and {item._ctx}")
        values = {name: item._read() for name, item in params.items()}
        arguments = tree_map(lambda item: item._read() if isinstance(item, NDArray) else item, args)
        inputs = [x._read(), *(item._read() for item in arrays[1:]), *values.values()]
        with self._explained():
            result = self._state.call(values, (inputs[0], *arguments), modes.training)
        return self._wrap(result, inputs, x)

    def _wrap(self, result: Any, inputs: Sequence[Tensor], like: NDArray) -> Any:
        """Makes arrays of the tensors that the module has returned."""
        cls, ctx = like._dialect_class, like._ctx.results

        def wrap(item: Any) -> Any:
            if not isinstance(item, Tensor):
                return item
            if item.dtype not in element_types.BY_TORCH:
                raise MXNetError(f"the module returned a tensor of {item.dtype}; convert it there")
            return finish(item, inputs, cls, ctx)

        wrapped = tree_map(wrap, result)
        if modes.recording:
            results = [item for item in tree_leaves(wrapped) if isinstance(item, NDArray)]
            if len(results) > 1:
                tie(results)
        return wrapped

    def _trace(self, F: Any, args: tuple[Any, ...], params: dict[str, Any]) -> Any:
        """Returns the results of the module as operators compute them.

        These are of the classic dialect, which has them all; others hand over what it computes.
        """
        dialect = dialect_of_call(args)
        if dialect is not CLASSIC:
            args, params = tree_map(_as_classic, (args, params))
        operators = F if dialect is CLASSIC else functions_for(args[0])
        try:
            result = convert(self._state, operators, args, params, dialect is not CLASSIC)
            if dialect is CLASSIC:
                return result
            return tree_map(lambda item: getattr(item, dialect.array._to_dialect)(), result)
        except ConversionError as error:
            raise UntraceableError(
                f"{describe(self)}: {error}; call it without hybridize(), or write this part with "
                "layers of Gluon"
            ) from error

    def _explained(self) -> _Explained:
        return _Explained()


class _Explained:
    """Words what a module of torch raises as an error of this package."""

    def __enter__(self) -> None:
        pass

    def __exit__(self, error_type: Any, error: BaseException | None, trace: Any) -> None:
        if isinstance(error, Exception) and not isinstance(error, MXNetError):
            raise MXNetError(f"{type(error).__name__}: {error}") from error


def _as_classic(value: Any) -> Any:
    return value.as_nd_ndarray() if is_array(value) else value


def _arrays_in(values: Any) -> Iterator[NDArray]:
    for item in tree_leaves(values):
        if isinstance(item, NDArray):
            yield item

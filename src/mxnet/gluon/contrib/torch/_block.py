"""A module of torch as a block."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from torch import Tensor, nn
from torch.utils._pytree import tree_leaves, tree_map

from mxnet._arrays.array import finish, tie
from mxnet._formats import element_types
from mxnet._frontend.array_trace import UntraceableError
from mxnet._frontend.dialect import CLASSIC, dialect_of_call, functions_for
from mxnet._state import modes
from mxnet.errors import MXNetError, UnsupportedTypeError
from mxnet.gluon.blocks.location import describe
from mxnet.gluon.contrib.torch._state import ModuleState, ModuleValue, is_lazy
from mxnet.gluon.contrib.torch._to_operators import convert
from mxnet.gluon.contrib.torch._values import ConversionError, is_array
from mxnet.gluon.hybrid.block import HybridBlock
from mxnet.gluon.hybrid.probing import ShapeProbe
from mxnet.gluon.parameter import Parameter, ParameterDict
from mxnet.ndarray import NDArray
from mxnet.symbol import Symbol


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

    def hybrid_forward(  # type: ignore[override]  # a parameter may be called x
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

"""Methods of symbols that bind them to arrays, which this layer does not know.

A layer above, `mxnet.executor`, registers what does the work.
"""

from __future__ import annotations

import importlib
import logging
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Protocol

from mxnet._start import public_call, public_methods
from mxnet.errors import MXNetError
from mxnet.graph import fused, openvino
from mxnet.graph.ir import Graph
from mxnet.graph.run import Options

if TYPE_CHECKING:
    from typing_extensions import Self

_BACKENDS = frozenset({"default", "inductor", *fused.BACKENDS, openvino.BACKEND})
"""Names under which the graph can be asked for."""


class Binder(Protocol):
    """Binds symbols to arrays."""

    def bind(
        self,
        symbol: Any,
        ctx: Any,
        args: Any,
        args_grad: Any,
        grad_req: Any,
        aux_states: Any,
        group2ctx: Mapping[str, Any] | None,
        shared_exec: Any,
    ) -> Any:
        """Makes an executor on arrays that the caller has."""

    def simple_bind(
        self,
        symbol: Any,
        ctx: Any,
        grad_req: Any,
        types: tuple[Mapping[str, Any] | None, Mapping[str, str] | None],
        group2ctx: Mapping[str, Any] | None,
        shared: tuple[Sequence[str] | None, Any, dict[str, Any] | None],
        shapes: Mapping[str, Any],
    ) -> Any:
        """Makes an executor on arrays of its own, shaped by inference."""

    def evaluate(self, symbol: Any, ctx: Any, given: Mapping[str, Any]) -> list[Any]:
        """Computes the outputs once."""


_binders: list[Binder] = []
"""The registered one, once there is one."""


def register_binder(binder: Binder) -> None:
    """Makes a binder the one that all symbols use."""
    _binders[:] = [binder]


def _binder() -> Binder:
    if not _binders:  # executors load late, and register theirs
        importlib.import_module("mxnet.executor")
    return _binders[0]


@public_methods("optimize_for", "gradient", "get_backend_symbol")
class Bindable:
    """What symbols can do once there are arrays."""

    __slots__ = ()

    if TYPE_CHECKING:
        _graph: Graph
        list_arguments: Any
        list_auxiliary_states: Any
        infer_shape_partial: Any

        @classmethod
        def _of_graph(cls, graph: Graph, options: Options = ...) -> Self: ...

    @public_call
    def bind(
        self,
        ctx: Any,
        args: Any,
        args_grad: Any = None,
        grad_req: Any = "write",
        aux_states: Any = None,
        group2ctx: Mapping[str, Any] | None = None,
        shared_exec: Any = None,
    ) -> Any:
        """Makes an executor that computes the symbol on given arrays.

        Args:
            ctx: Context to compute on.
            args: Arrays of the arguments, a list in the order of `list_arguments` or a dict.
            args_grad: Arrays that take the gradients, a list or a dict; some may be missing.
            grad_req: `write`, `add` or `null`: for all, as a list, or as a dict by name.
            aux_states: Arrays of the auxiliary states, a list or a dict.
            group2ctx: Contexts by name of a `ctx_group`.
            shared_exec: Executor to share memory with; that of intermediate values comes from a
                pool anyway.

        Returns:
            The executor.

        Example:
            >>> import mxnet as mx
            >>> x = mx.sym.var("x")
            >>> value, gradient = mx.nd.array([2, 3]), mx.nd.zeros(2)
            >>> executor = (x * x).bind(mx.cpu(), {"x": value}, args_grad={"x": gradient})
            >>> print(executor.forward(is_train=True)[0].asnumpy())
            [4. 9.]
            >>> executor.backward(mx.nd.ones(2))
            >>> print(gradient.asnumpy())
            [4. 6.]
        """
        return _binder().bind(
            self, ctx, args, args_grad, grad_req, aux_states, group2ctx, shared_exec
        )

    @public_call
    def simple_bind(
        self,
        /,
        ctx: Any,
        grad_req: Any = "write",
        type_dict: Mapping[str, Any] | None = None,
        stype_dict: Mapping[str, str] | None = None,
        group2ctx: Mapping[str, Any] | None = None,
        shared_arg_names: Sequence[str] | None = None,
        shared_exec: Any = None,
        shared_buffer: dict[str, Any] | None = None,
        **kwargs: Any,
    ) -> Any:
        """Makes an executor with new arrays for all arguments, whose shapes are inferred.

        Args:
            ctx: Context to compute on.
            grad_req: `write`, `add` or `null`: for all, as a list, or as a dict by name.
            type_dict: Element types by name of the argument; the others are inferred.
            stype_dict: Storage types by name of the argument.
            group2ctx: Contexts by name of a `ctx_group`.
            shared_arg_names: Arguments that are those of `shared_exec`.
            shared_exec: Executor whose arrays are shared.
            shared_buffer: Arrays by name whose memory is used where it is enough; new ones are
                entered.
            **kwargs: Shapes by name of the argument.

        Returns:
            The executor.

        Example:
            >>> import mxnet as mx
            >>> net = mx.sym.FullyConnected(mx.sym.var("data"), num_hidden=2, name="fc")
            >>> executor = net.simple_bind(mx.cpu(), data=(4, 3))
            >>> {name: array.shape for name, array in executor.arg_dict.items()}
            {'data': (4, 3), 'fc_weight': (2, 3), 'fc_bias': (2,)}
        """
        types = (type_dict, stype_dict)
        shared = (shared_arg_names, shared_exec, shared_buffer)
        return _binder().simple_bind(self, ctx, grad_req, types, group2ctx, shared, kwargs)

    def _bind(
        self,
        ctx: Any,
        args: Any,
        args_grad: Any = None,
        grad_req: Any = "write",
        aux_states: Any = None,
        static_alloc: bool = False,
    ) -> Any:
        """Makes an executor on given arrays, as `bind` does; MXNet 2 has it under this name."""
        del static_alloc  # memory comes from a pool
        return self.bind(ctx, args, args_grad, grad_req, aux_states)

    def _simple_bind(
        self,
        /,
        ctx: Any,
        grad_req: Any = "write",
        type_dict: Mapping[str, Any] | None = None,
        stype_dict: Mapping[str, str] | None = None,
        **kwargs: Any,
    ) -> Any:
        """Makes an executor with new arrays, as `simple_bind` does, under the name of MXNet 2."""
        return self.simple_bind(ctx, grad_req, type_dict, stype_dict, **kwargs)

    @public_call
    def eval(self, /, ctx: Any = None, **kwargs: Any) -> Any:
        """Computes the symbol on arrays that are given by name.

        Args:
            ctx: Context to compute on, the current one if not given.
            **kwargs: Arrays of all arguments.

        Returns:
            A list of the outputs.

        Example:
            >>> import mxnet as mx
            >>> x, y = mx.sym.var("x"), mx.sym.var("y")
            >>> (result,) = (x + y).eval(x=mx.nd.array([1, 2]), y=mx.nd.array([10, 20]))
            >>> print(result.asnumpy())
            [11. 22.]
        """
        return _binder().evaluate(self, ctx, kwargs)

    def gradient(self, wrt: Sequence[str]) -> Any:
        """Raises: a graph of gradients cannot be made, here as in the original.

        Args:
            wrt: Names of arguments.

        Raises:
            MXNetError: always; an executor computes gradients.
        """
        raise MXNetError(
            f"gradient: there is no graph of the gradients of {wrt}; "
            "bind the symbol and call backward"
        )

    def get_backend_symbol(self, backend: str) -> Self:
        """Returns the graph for a backend.

        `"MKLDNN"` fuses convolutions and dense layers with what follows them, for prediction;
        `"MKLDNN_QUANTIZE"` does so for graphs that are to be quantized, and puts conversions into
        the layers of graphs that are.

        Args:
            backend: Name of the backend.

        Raises:
            MXNetError: if there is none of that name.

        Example:
            >>> import json
            >>> import mxnet as mx
            >>> features = mx.sym.Convolution(mx.sym.var("x"), kernel=(3, 3), num_filter=2)
            >>> net = mx.sym.Activation(features, act_type="relu")
            >>> fused = net.get_backend_symbol("MKLDNN")
            >>> [node["op"] for node in json.loads(fused.tojson())["nodes"]]
            ['null', 'null', 'null', '_sg_mkldnn_conv']
        """
        if backend not in _BACKENDS:
            known = ", ".join(sorted(_BACKENDS))
            raise MXNetError(f"get_backend_symbol: unknown backend {backend!r}; known are {known}")
        return type(self)._of_graph(_partition(self._graph, backend), _choose_options(backend, {}))

    def optimize_for(
        self,
        backend: str,
        args: Any = None,
        aux: Any = None,
        ctx: Any = None,
        shape_dict: Mapping[str, Any] | None = None,
        type_dict: Mapping[str, Any] | None = None,
        stype_dict: Mapping[str, str] | None = None,
        skip_infer: bool = False,
        **kwargs: Any,
    ) -> Self:
        """Returns the graph for a backend, after checking that the given arrays fit.

        For `"MKLDNN"` and `"MKLDNN_QUANTIZE"` see `get_backend_symbol`. For `"openvino"`, executors
        of the result let OpenVINO compute what is not for training. Others leave the graph as it
        is: it is optimized when it runs.

        Args:
            backend: Name of the backend; an unknown one is reported to the log.
            args: Arrays of arguments, a list or a dict.
            aux: Arrays of auxiliary states, a list or a dict.
            ctx: Context for which to optimize.
            shape_dict: Shapes by name of the argument, where there are no arrays.
            type_dict: Element types by name of the argument.
            stype_dict: Storage types by name of the argument.
            skip_infer: Whether to leave out the check.
            **kwargs: Options of the backend; see `HybridBlock.hybridize`.

        Raises:
            MissingLibraryError: if OpenVINO is asked for and not installed.

        Example:
            >>> import json
            >>> import mxnet as mx
            >>> features = mx.sym.Convolution(mx.sym.var("x"), kernel=(3, 3), num_filter=2)
            >>> net = mx.sym.Activation(features, act_type="relu")
            >>> fused = net.optimize_for("MKLDNN")
            >>> [node["op"] for node in json.loads(fused.tojson())["nodes"]]
            ['null', 'null', 'null', '_sg_mkldnn_conv']
        """
        del ctx, type_dict, stype_dict
        if backend not in _BACKENDS:
            logging.error("optimize_for: backend %r is not known", backend)
        shapes = dict(shape_dict or {})
        for names, given in ((self.list_arguments(), args), (self.list_auxiliary_states(), aux)):
            if given is not None and not isinstance(given, Mapping):
                given = dict(zip(names, given, strict=True))
            shapes.update((name, array.shape) for name, array in (given or {}).items())
        if shapes and not skip_infer:
            self.infer_shape_partial(**shapes)
        graph = _partition(self._graph, backend)
        return type(self)._of_graph(graph, _choose_options(backend, kwargs))


def _partition(graph: Graph, backend: str) -> Graph:
    """Returns the graph in which layers are fused if the backend asks for it."""
    for_quantization = fused.BACKENDS.get(backend)
    if for_quantization is None:
        return graph
    return fused.fuse_layers(graph, for_quantization=for_quantization)


def _choose_options(backend: str, options: Mapping[str, Any]) -> Options:
    """Returns how executors run a graph for a backend."""
    if backend != openvino.BACKEND:
        return Options()
    openvino.read_config(options)
    return Options(backend=backend, backend_options=tuple(options.items()))

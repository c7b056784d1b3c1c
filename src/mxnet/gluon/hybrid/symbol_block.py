"""Blocks whose computation is a graph, from a file or built with symbols."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import Any

import numpy as np
import torch

from mxnet import symbol
from mxnet._formats import element_types, files
from mxnet._start import plain, public_methods
from mxnet._state import rules
from mxnet.context import Context
from mxnet.errors import InvalidArgumentError, MXNetError
from mxnet.gluon.blocks.location import describe
from mxnet.gluon.hybrid.block import HybridBlock
from mxnet.gluon.hybrid.calls import context_of_call, name_block_in
from mxnet.gluon.hybrid.compiled import CompiledGraph
from mxnet.gluon.hybrid.deferred import note_waiting, refuse_shapes
from mxnet.gluon.hybrid.internals import format_of, structure_of_format
from mxnet.gluon.hybrid.tracing import holds_symbol, leaves_of, replace_leaves, structure_of
from mxnet.gluon.parameters import (
    DeferredInitializationError,
    Parameter,
    ParameterDict,
    ParameterError,
)
from mxnet.graph.infer import declared_type, infer_gradient_storage, infer_types
from mxnet.graph.ir import Entry, Graph
from mxnet.graph.run import Options
from mxnet.ndarray import NDArray
from mxnet.symbol import Symbol
from mxnet.symbol._functions import Group, var

_get, _load_parameters = plain(ParameterDict.get), plain(ParameterDict.load)
_load = plain(symbol.load)
_ROW_SPARSE = "1"
"""How files write that storage type."""


@public_methods("imports", "hybridize")
class SymbolBlock(HybridBlock):
    """A block made of a graph; the variables that are not its inputs are its parameters.

    Args:
        outputs: Symbol or (nested) list of symbols to compute.
        inputs: Variable or (nested) list of variables that calls give.
        params: Parameters to share with another block.

    Example:
        >>> import mxnet as mx
        >>> data = mx.sym.var("data")
        >>> net = mx.gluon.SymbolBlock(mx.sym.FullyConnected(data, num_hidden=2, name="fc"), data)
        >>> net.initialize()
        >>> net(mx.nd.ones((4, 3))).shape
        (4, 2)
    """

    _out_structure: Any
    _in_structure: Any
    _symbol: Symbol
    _input_names: list[str]
    _state_names: set[str]
    _compiled: CompiledGraph | None

    def __init__(self, outputs: Any, inputs: Any, params: ParameterDict | None = None) -> None:
        super().__init__(prefix=None, params=None)
        if isinstance(outputs, (list, tuple)) and len(outputs) == 1:
            outputs = outputs[0]
        if isinstance(outputs, Symbol) and len(outputs) > 1:
            outputs = list(outputs)
        given = list(inputs) if isinstance(inputs, (list, tuple)) else [inputs]
        leaves, structure = leaves_of(given), structure_of(given)
        self.__dict__.update(
            _prefix="",
            _params=ParameterDict("", params),
            _out_structure=structure_of(outputs),
            _symbol=Group(leaves_of(outputs)),
            _in_structure=structure,
            _input_names=[_variable_name(item) for item in leaves],
            _compiled=None,
            _mx_call_structure=structure,
        )
        self._declare(leaves)

    def _declare(self, inputs: Sequence[Symbol]) -> None:
        """Makes parameters of the variables, of the types that the graph tells."""
        given: dict[str, torch.dtype] = {}
        for item in inputs:
            node = item._graph.heads[0].node
            dtype = declared_type(node)
            if dtype is not None:
                given[node.name] = dtype
        graph = self._symbol._graph
        nodes = graph.nodes
        types = infer_types(nodes, given)
        arguments, states = graph.variables
        self.__dict__["_state_names"] = {node.name for node in states}
        of_rows: set[str] = set()
        for node in nodes:
            if node.op is not None and node.op.traits.storage.algorithm == "lookup":
                of_rows = _find_row_gradients(graph)
                break
        for node in (*arguments, *states):
            if node.attrs.get("__storage_type__") == _ROW_SPARSE:
                raise ParameterError(
                    f"SymbolBlock: expected variables of stype default or csr, got {node.name!r} "
                    "of stype row_sparse, of which graphs cannot read single rows"
                )
            if node.name in self._input_names:
                continue
            dtype = types.get(Entry(node))
            # A shared parameter keeps its own request, which may be null.
            options = {"grad_req": "null"} if node.name in self._state_names else {}
            if node.name in of_rows and self._params._get_impl(node.name) is None:
                options["grad_stype"] = "row_sparse"
            _get(
                self._params,
                node.name,
                allow_deferred_init=True,
                dtype=np.float32 if dtype is None else element_types.BY_TORCH[dtype].numpy.type,
                **options,
            )
        # The original cuts off whatever letters all names begin with; its files have the rest.
        params = self._params._params
        cut = len(os.path.commonprefix([*params]))  # noqa: RUF071 - letters, not parts of paths
        self.__dict__["_reg_params"] = {name[cut:]: item for name, item in params.items()}

    @staticmethod
    def imports(
        symbol_file: str | os.PathLike[str],
        input_names: str | Sequence[str],
        param_file: str | os.PathLike[str] | None = None,
        ctx: Context | Sequence[Context] | None = None,
        allow_missing: bool = False,
        ignore_extra: bool = False,
    ) -> SymbolBlock:
        """Makes a block from the files that `HybridBlock.export` or a checkpoint left.

        Args:
            symbol_file: The graph.
            input_names: Names of the variables that calls give.
            param_file: The parameters.
            ctx: Contexts of the parameters, the current one if not given.
            allow_missing: Whether parameters may be missing in the file.
            ignore_extra: Whether the file may have others.
        """
        names = [input_names] if isinstance(input_names, str) else list(input_names)
        dtype = None if param_file is None else np.float32
        inputs = [var(name, dtype=dtype) for name in names]

        def load() -> SymbolBlock:
            block = SymbolBlock(_load(symbol_file), inputs)
            if param_file is None:
                return block
            try:
                _load_parameters(
                    block._params,
                    os.fspath(param_file),
                    ctx=ctx,
                    allow_missing=allow_missing,
                    ignore_extra=ignore_extra,
                    cast_dtype=True,
                    dtype_source="saved",
                )
            except ParameterError as error:
                _name_unknown_inputs(error, block)
                raise
            return block

        if param_file is None:
            return load()
        return files.load_together([symbol_file, param_file], load)

    def _collect_params_with_prefix(self, prefix: str = "") -> dict[str, Parameter]:
        if rules.version == 1:
            return super()._collect_params_with_prefix(prefix)
        start = f"{prefix}." if prefix else ""
        return {start + name: item for name, item in self._params.items()}

    def __repr__(self) -> str:
        name, counts = type(self).__name__, f"{len(self._input_names)} -> {len(self._symbol)}"
        return f"{name}(\n{self._symbol!r} : {counts}\n)"

    def __getstate__(self) -> dict[str, Any]:
        return self.__dict__ | {"_compiled": None}

    def _mx_has_hybrid_forward(self) -> bool:
        return True  # it is a graph already

    def _mx_run_hybrid_forward(self, *args: Any) -> Any:
        return self.forward(*args)

    def hybridize(  # type: ignore[override]  # the same arguments, handed on
        self, active: bool = True, **kwargs: Any
    ) -> None:
        """Chooses how the graph is run; see `HybridBlock.hybridize`."""
        super().hybridize(active, **kwargs)
        self._compiled = None
        self._mx_call_structure = self._in_structure  # the graph is there before any call

    def _clear_cached_op(self) -> None:
        super()._clear_cached_op()
        self._mx_call_structure = self._in_structure

    def _mx_graph_to_export(self, structure: Sequence[Any]) -> Symbol:
        del structure
        return self._symbol

    def infer_shape(self, *args: Any) -> None:
        """Finds out the shapes of parameters from arrays (their data is not looked at)."""
        given = {
            name: item.shape for name, item in zip(self._input_names, leaves_of(args), strict=True)
        }
        for name, parameter in self.params.items():
            if parameter.shape is not None:
                given[name] = parameter.shape
        arguments, _, states = self._symbol.infer_shape_partial(**_in_use(self._symbol, given))
        names = (*self._symbol.list_arguments(), *self._symbol.list_auxiliary_states())
        for name, shape in zip(names, (*arguments, *states), strict=True):
            if name in self.params and shape:
                self.params[name].shape = shape

    def cast(self, dtype: Any) -> None:
        """Converts all parameters to another element type."""
        super().cast(dtype)
        if np.dtype(dtype).name != "float16":
            return
        for (
            node
        ) in self._symbol._graph.nodes:  # normalizations keep the precision of their statistics
            names = [entry.node.name for entry in node.inputs[1:]]
            if not self._state_names.isdisjoint(names):
                for name in set(names) & set(self.params.keys()):
                    self.params[name].cast("float32")

    def forward(self, x: Any, *args: Any) -> Any:
        """Computes the graph on arrays, or puts it into the graph of symbols."""
        given = [x, *args]
        if structure_of(given) != self._in_structure:
            raise InvalidArgumentError(
                f"{describe(self)}: takes {len(self._input_names)} inputs nested as "
                f"{self._in_structure}, got {structure_of(given)}"
            )
        leaves = list(leaves_of(given))
        if holds_symbol(given):
            named = dict(zip(self._input_names, leaves, strict=True))
            outputs = list(self._symbol._compose(_in_use(self._symbol, named)))
        else:
            outputs = self._run(context_of_call(self, given), leaves)
        following = iter(outputs)
        return replace_leaves(self._out_structure, lambda _: next(following))

    @property
    def _in_format(self) -> Any:
        """How arguments are nested; libraries keep it beside the files of a block."""
        return format_of(self._in_structure)

    @_in_format.setter
    def _in_format(self, noted: Any) -> None:
        self._in_structure = structure_of_format(noted)

    @property
    def _out_format(self) -> Any:
        """How results are nested."""
        return format_of(self._out_structure)

    @_out_format.setter
    def _out_format(self, noted: Any) -> None:
        self._out_structure = structure_of_format(noted)

    def _run(self, ctx: Context, arrays: Sequence[NDArray]) -> list[Any]:
        compiled = self._compiled or self._compile()
        try:
            return compiled(ctx, arrays, self._mx_op_hook)
        except DeferredInitializationError:
            self._initialize_deferred(arrays)
        except MXNetError as error:
            name_block_in(error, self)
            raise
        return self._run(ctx, arrays)

    def _compile(self) -> CompiledGraph:
        with self._mx_lock:
            if self._compiled is None:
                options = Options() if self._mx_hybrid is None else self._mx_hybrid.options
                named = dict(self._params.items())
                self._compiled = CompiledGraph(self._symbol, self._input_names, named, options)
            return self._compiled

    def _initialize_deferred(self, args: Sequence[Any]) -> None:
        with self._mx_lock:
            waiting = note_waiting(self.params.values())
            try:
                self.infer_shape(*args)
            except MXNetError as error:
                raise refuse_shapes(self, error, args, waiting) from error
            for parameter in self.params.values():
                parameter._finish_deferred_init()


def _find_row_gradients(graph: Graph) -> set[str]:
    """Returns the variables that the operators of a graph give row_sparse gradients."""
    stypes = infer_gradient_storage(graph.nodes, graph.heads, {})
    return {name for name, stype in stypes.items() if stype == "row_sparse"}


def _name_unknown_inputs(error: ParameterError, block: SymbolBlock) -> None:
    """Adds to an exception about parameters which inputs are no variables of the graph."""
    variables = [*block._symbol.list_arguments(), *block._symbol.list_auxiliary_states()]
    for name in block._input_names:
        if name not in variables:
            error.args = (f"{error}\n  The graph has no variable of the input's name {name!r}.",)


def _variable_name(item: Any) -> str:
    heads = item._graph.heads if isinstance(item, Symbol) else ()
    if len(heads) != 1 or heads[0].node.op is not None:
        raise InvalidArgumentError(f"SymbolBlock: inputs must be variables, got {item!r}")
    return heads[0].node.name


def _in_use(graph: Symbol, named: dict[str, Any]) -> dict[str, Any]:
    """Leaves out what the graph does not read."""
    known = set(graph.list_inputs())
    return {name: value for name, value in named.items() if name in known}

"""Parameters of networks: arrays that are initialized, trained and shared by name."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, nullcontext
from itertools import repeat
from typing import Any, ClassVar

import numpy as np

from mxnet import autograd, initializer, symbol
from mxnet._arrays.autograd.gradients import attach_gradient
from mxnet._formats import element_types
from mxnet._frontend.dialect import current_dialect, functions_for, in_scope
from mxnet._start import accept_device, expand, level_of_program, plain, public_call, public_methods
from mxnet._state import Lock, modes
from mxnet.context import CPU0, Context, current_context
from mxnet.errors import MXNetError, ShapeMismatchError
from mxnet.gluon.parameters.arrays import (
    Replicas,
    RowSparseAccess,
    list_contexts,
    replacements,
    replicas_in,
)
from mxnet.initializer._base import create as _create_initializer
from mxnet.ndarray import NDArray
from mxnet.ndarray._ndarray import storage_class
from mxnet.ops.core.allocation import naming_shortage
from mxnet.ops.core.attrs import (
    NUMPY_SHAPES,
    PARAMETER_SHAPES,
    list_lengths,
    merge_shapes,
    shape_is_known,
    shapes_agree,
)
from mxnet.ops.nn.layouts import arrange_filters

_copy = plain(NDArray.copyto)


class ParameterError(MXNetError, ValueError, AssertionError):
    """A parameter is used in a way that does not fit it."""


class NotInitializedError(MXNetError):
    """A parameter has no value, or none on the context that is asked for."""


class DeferredInitializationError(MXNetError):
    """A parameter is read before its shape is known."""


def _without_recording() -> AbstractContextManager[None]:
    """Returns the scope in which values are set, one of Python where no mode is to be changed."""
    is_plain = not (modes.recording or modes.training) and modes.tracer is None
    return nullcontext() if is_plain else autograd.pause()


@public_methods("reset_ctx", "list_grad", "list_data", "list_ctx", "data")
class Parameter(RowSparseAccess):
    """An array of a network, with its gradient, on one or several contexts.

    Args:
        name: Name under which it is saved. As an attribute of a block with a `forward` it is named
            after block and attribute, unless `self.params` has made it.
        grad_req: `"write"`, `"add"` or `"null"`.
        shape: Shape; lengths of 0 are inferred when the network is first called.
        dtype: Element type.
        lr_mult: Factor on the learning rate.
        wd_mult: Factor on the weight decay.
        init: Initializer of this parameter; None uses that of the network.
        allow_deferred_init: Whether it may be initialized before its shape is known.
        differentiable: Whether it can have a gradient.
        stype: Storage type; the rows of a `"row_sparse"` one are read by `row_sparse_data`.
        grad_stype: Storage type of the gradient: `"default"`, `"row_sparse"` or `"csr"`.

    Example:
        >>> import mxnet as mx
        >>> weight = mx.gluon.Parameter("weight", shape=(2,), init="ones")
        >>> weight.initialize()
        >>> with mx.autograd.record():
        ...     loss = (3 * weight.data()).sum()
        >>> loss.backward()
        >>> print(weight.data().asnumpy(), weight.grad().asnumpy())
        [1. 1.] [3. 3.]
    """

    _is_sharded: ClassVar[bool] = False
    """Whether processes hold a part of the value each."""
    _owner_named: bool = False  # by the block whose attribute it is
    _purpose: str = ""  # name that initializers get, where that is not its own
    _holds_filters: bool = False
    """Whether it holds filters for images, whose elements are in the order of its device."""
    _data = replicas_in("_arrays")
    """Values on all contexts, which programs may replace."""
    _grad = replicas_in("_gradient_arrays")
    """Gradients on all contexts, likewise."""

    @expand
    @public_call
    def __init__(
        self,
        name: str = "weight",
        grad_req: str = "write",
        shape: int | Sequence[int] | None = None,
        dtype: Any = np.float32,
        lr_mult: float = 1.0,
        wd_mult: float = 1.0,
        init: Any = None,
        allow_deferred_init: bool = False,
        differentiable: bool = True,
        stype: str = "default",
        grad_stype: str = "default",
    ) -> None:
        for label, value in (("stype", stype), ("grad_stype", grad_stype)):
            if value not in ("default", "row_sparse", "csr"):
                raise ParameterError(
                    f"Parameter {name!r}: {label} takes default, row_sparse or csr, got {value!r}"
                )
        self.name = name
        self.lr_mult, self.wd_mult = lr_mult, wd_mult
        self.init = init
        self._differentiable = differentiable
        self._allow_deferred_init = allow_deferred_init
        self._stype, self._grad_stype = stype, grad_stype
        if shape is not None:  # a list in place, because each parameter comes here
            lengths: Any = list_lengths(shape)
            shape = [int(item) if isinstance(item, np.integer) else item for item in lengths]
        self._shape = None if shape is None else PARAMETER_SHAPES.read(shape)
        """Shape with lengths that may be `UNKNOWN`."""
        self._dtype = dtype
        self._arrays: Replicas | None = None
        self._gradient_arrays: Replicas | None = None
        self._deferred_init: tuple[Any, ...] = ()
        self._trainer: Any = None
        self._var: symbol.Symbol | None = None
        self._lock = Lock()
        """Held while the parameter gets its first value or its variable."""
        self._grad_req = "null"
        self.grad_req = grad_req

    def __repr__(self) -> str:
        return f"{type(self).__name__} {self.name} (shape={self.shape}, dtype={self.dtype})"

    @property
    def grad_req(self) -> str:
        """What happens to gradients: `"write"`, `"add"` or `"null"`."""
        return self._grad_req

    @grad_req.setter
    def grad_req(self, req: str) -> None:
        if req not in ("write", "add", "null"):
            raise ParameterError(
                f"Parameter {self.name!r}: grad_req takes write, add or null, got {req!r}"
            )
        if not self._differentiable:
            req = "null"
        if req == self._grad_req:
            return
        self._grad_req = req
        if req == "null":
            if self._arrays is not None:
                self._replace([array.detach() for array in self._arrays], None)
        elif self._arrays is not None:
            self._set_values(self._arrays)

    @property
    def dtype(self) -> Any:
        """Element type as it was given."""
        return self._dtype

    @dtype.setter
    def dtype(self, dtype: Any) -> None:
        self.cast(dtype)

    @property
    def shape(self) -> tuple[int, ...] | None:
        """Shape; unknown lengths are 0, or -1 under `np_shape`."""
        return (NUMPY_SHAPES if modes.np_shape else PARAMETER_SHAPES).write(self._shape)

    @shape.setter
    @expand
    @public_call
    def shape(self, new_shape: Sequence[int] | None) -> None:
        try:
            given_shape = PARAMETER_SHAPES.read(new_shape)
            if self._shape is not None:
                given_shape = merge_shapes(self._shape, given_shape)
            self._shape = given_shape
        except ShapeMismatchError as error:
            given = tuple(new_shape or ())
            raise ParameterError(
                f"Parameter {self.name!r}: expected shape {self.shape}, which is incompatible "
                f"with the given {given}; only unknown lengths (0) can be filled in"
            ) from error

    @property
    def stype(self) -> str:
        """Storage type."""
        return self._stype

    @property
    def grad_stype(self) -> str:
        """Storage type of the gradient."""
        return self._grad_stype

    @accept_device
    def initialize(
        self,
        init: Any = None,
        ctx: Context | Sequence[Context] | None = None,
        default_init: Any = None,
        force_reinit: bool = False,
    ) -> None:
        """Allocates and fills the parameter, now or once its shape is known.

        Args:
            init: Initializer; the parameter's own one if not given.
            ctx: Context or contexts, the current one if not given.
            default_init: Initializer if there is no other, uniform in [-0.07, 0.07].
            force_reinit: Whether to initialize a parameter again that has a value.
        """
        if self._arrays is not None and not force_reinit:
            warnings.warn(
                f"Parameter {self.name!r} is already initialized; "
                "it is left as it is unless force_reinit=True",
                stacklevel=level_of_program(),
            )
            return
        default = initializer.Uniform() if default_init is None else default_init
        if init is None:
            init = default if self.init is None else self.init
        contexts = list_contexts(self.name, ctx)
        self._replace(None, None)
        if not shape_is_known(self._shape):
            if not self._allow_deferred_init:
                raise ParameterError(
                    f"Cannot initialize Parameter {self.name!r} because it has invalid shape: "
                    f"{self.shape}; every length must be given"
                )
            self._deferred_init = (init, contexts, default, None)
            return
        self._deferred_init = (init, contexts, default, None)
        self._finish_deferred_init()

    def _wait_for_shape(self, shape: tuple[int, ...] | None, deferred: tuple[Any, ...]) -> None:
        """Restores the deferred state, after the first data turned out not to fit."""
        self._shape, self._deferred_init = shape, deferred
        self._replace(None, None)

    def _finish_deferred_init(self) -> None:
        with self._lock:
            if not self._deferred_init:  # or another thread has done it
                return
            init, contexts, default, data = self._deferred_init
            if self._shape is None or not shape_is_known(self._shape):
                raise ParameterError(
                    f"Cannot initialize Parameter {self.name!r} because it has invalid shape: "
                    f"{self.shape}; pass data through the network or give in_units, "
                    "in_channels, ..."
                )
            named = naming_shortage(f"Parameter {self.name!r} of shape {self._shape}")
            try:
                with _without_recording(), named:
                    if data is None:
                        dtype = element_types.to_torch(self._dtype)
                        data = current_dialect().array._zeros(self._shape, dtype, CPU0)
                        self._fill(data, init, default)
                    self._init_impl(data, contexts)
            finally:  # last: a thread that sees neither would call it uninitialized
                self._deferred_init = ()

    def _fill(self, data: NDArray, init: Any, default: Any) -> None:
        try:
            description = initializer.InitDesc(self._purpose or self.name, {"__init__": init})
            is_made = isinstance(default, initializer.Initializer)
            (default if is_made else _create_initializer(default))(description, data)
        except MXNetError as error:
            raise ParameterError(f"Parameter {self.name!r}: {error}") from error

    def _init_impl(self, data: NDArray, contexts: Sequence[Context]) -> None:
        if data._is_np is not modes.np_array:
            data = in_scope(data)
        is_dense = self._stype == "default" and data._storage == "default"
        place: Callable[..., Any] = _copy if is_dense else self._place
        self._set_values([*map(place, repeat(data), contexts)])

    def _set_values(self, arrays: list[NDArray]) -> None:
        """Sets the value; other threads see arrays and gradients change together."""
        gradients = None
        if self._holds_filters:
            for array in arrays:
                if not array._aliased:  # else other arrays use this memory
                    array._data = arrange_filters(array._plain)
        if self._grad_req != "null":
            gradients = [*map(self._make_gradient, arrays)]
        self._replace(arrays, gradients)

    def _make_gradient(self, array: NDArray) -> NDArray:
        """Makes an array of the value a variable, and returns where its gradient goes."""
        is_dense = self._grad_stype == "default"
        kind = type(array) if is_dense else storage_class(self._grad_stype, "grad_stype")
        tensor = array._plain
        gradient: NDArray = kind._zeros(tuple(tensor.shape), tensor.dtype, array._ctx)
        keeps_order = self._holds_filters and not array._aliased
        if keeps_order and is_dense:
            gradient._data = arrange_filters(gradient._plain)
        attach_gradient(array, gradient, self._grad_req, keeps_order=keeps_order)
        return gradient

    def _replace(self, arrays: list[NDArray] | None, gradients: list[NDArray] | None) -> None:
        self._gradient_arrays = None if gradients is None else Replicas(gradients)
        self._arrays = None if arrays is None else Replicas(arrays)
        # What `note` does, without the call. Last: readers of the number find these arrays.
        replacements.count = next(replacements.numbers)

    def _load_init(
        self,
        data: NDArray,
        ctx: Context | Sequence[Context] | None,
        cast_dtype: bool = False,
        dtype_source: str = "current",
    ) -> None:
        """Takes the value from a file, checked against what is known of the parameter."""
        problem = self._find_mismatch(data, cast_dtype, dtype_source)
        if problem is not None:
            raise ParameterError(
                f"Failed loading Parameter {self.name!r} from saved params: {problem}"
            )
        self.shape = data.shape
        if cast_dtype and self._dtype is not None:
            if dtype_source == "current":
                data = data.astype(self._dtype, copy=False)
            else:
                self.cast(data.dtype)
        if self._arrays is None:
            if self._deferred_init:
                self._refuse_other_contexts(ctx)
                contexts = self._deferred_init[1]
            else:
                contexts = [CPU0] if ctx is None else list_contexts(self.name, ctx)
            self._deferred_init = ()
            with _without_recording():
                self._init_impl(data, contexts)
            return
        self._refuse_other_contexts(ctx)
        self.set_data(data)

    def _refuse_other_contexts(self, ctx: Context | Sequence[Context] | None) -> None:
        if ctx is not None and {*list_contexts(self.name, ctx)} != {*self.list_ctx()}:
            raise ParameterError(
                f"Failed loading Parameter {self.name!r}: it is on {self.list_ctx()} and cannot be "
                f"loaded to {ctx}; use reset_ctx first"
            )

    def _find_mismatch(self, data: NDArray, cast_dtype: bool, dtype_source: str) -> str | None:
        """Returns why an array cannot be the value of this parameter, None if it can."""
        if dtype_source not in ("current", "saved"):
            return f"dtype_source takes 'current' or 'saved', got {dtype_source!r}"
        if self._shape is not None and not shapes_agree(
            self._shape, PARAMETER_SHAPES.read(data.shape) or ()
        ):
            return f"shape incompatible: expected {self.shape}, saved {data.shape}"
        if not cast_dtype and self._dtype is not None:
            expected = element_types.element_type(self._dtype).name
            saved = element_types.name_of(data._plain.dtype)
            if expected != saved:
                return (
                    f"dtype incompatible: expected {expected}, saved {saved}; "
                    "set cast_dtype=True to convert"
                )
        return None

    def _uninitialized(self) -> Exception:
        # A value that exists now was set by another thread after the caller checked.
        if self._deferred_init or self._arrays is not None:
            return DeferredInitializationError(
                f"Parameter {self.name!r}: initialization was deferred until its shape is known, "
                "which is in the first forward pass. Call the network once before, or give "
                "in_units, in_channels etc. to the layers; a block with a forward gives its own "
                "parameters their shapes in infer_shape(self, x)."
            )
        return NotInitializedError(
            f"Parameter {self.name!r} has not been initialized. Call initialize() first, on the "
            "network or on Block.collect_params(), which also holds the parameters of children "
            "(Block.params does not)."
        )

    @property
    def _ctx_list(self) -> list[Context] | None:
        """Contexts of the data. Libraries that wrap a parameter copy this along with the data."""
        return None if self._arrays is None else [array.context for array in self._arrays]

    @_ctx_list.setter
    def _ctx_list(self, contexts: list[Context] | None) -> None:
        del contexts  # the data itself says where it is

    @property
    def _ctx_map(self) -> list[list[int | None]] | None:
        """Positions of the arrays by number of the device, for GPUs and for CPUs."""
        if self._arrays is None:
            return None
        table: list[list[int | None]] = [[], []]
        for position, array in enumerate(self._arrays):
            row, number = table[array.context.device_typeid & 1], array.context.device_id
            row.extend([None] * (number + 1 - len(row)))
            row[number] = position
        return table

    @_ctx_map.setter
    def _ctx_map(self, table: list[list[int | None]] | None) -> None:
        del table

    def _check_and_get(self, arrays: list[NDArray] | None, ctx: Any) -> Any:
        """Returns the array on a context, the current one if None, or all of them for `list`."""
        if arrays is None:
            raise self._uninitialized()
        if ctx is list:
            return arrays
        if ctx is None:
            if len(arrays) == 1:
                return arrays[0]
            ctx = current_context()
        for array in arrays:
            if array._ctx is ctx or array._ctx == ctx:
                return array
        if ctx.device_type in ("cpu_pinned", "cpu_shared"):  # batches from workers of a loader
            return self._check_and_get(arrays, Context("cpu", ctx.device_id))
        raise NotInitializedError(
            f"Parameter {self.name!r} was not initialized on context {ctx}, "
            f"only on {[array.context for array in arrays]}.\n"
            f"  If the input is on the wrong one, move the data: x.as_in_context"
            f"(mx.{arrays[0].context}). Else move the parameters: "
            f"net.collect_params().reset_ctx(mx.{ctx})."
        )

    def data(self, ctx: Context | None = None) -> NDArray:
        """Returns the value on a context.

        Raises:
            DeferredInitializationError: if the shape is unknown before the first forward pass.
            MXNetError: if it is not initialized, or not on this context.

        Example:
            >>> import mxnet as mx
            >>> weight = mx.gluon.Parameter("weight", shape=(2,), init="ones")
            >>> weight.initialize(ctx=[mx.cpu(0), mx.cpu(1)])
            >>> weight.data(mx.cpu(1)).context
            cpu(1)
        """
        arrays = self._arrays
        if self._stype != "default":
            self._refuse_dense_access("data")
        if modes.tracer is not None:
            traced: NDArray = modes.tracer.stand_in(self._check_and_get(arrays, ctx), self)
            return traced
        if arrays and (arrays[0]._ctx is ctx or (ctx is None and len(arrays) == 1)):
            return arrays[0]
        value: NDArray = self._check_and_get(arrays, ctx)
        return value

    def _data_on(self, ctx: Context | None = None) -> NDArray:
        """Returns the value as `data` does, in the dialect of the thread, for layers."""
        arrays = self._arrays
        if modes.tracer is not None or self._stype != "default":
            return self.data(ctx)
        # What is taken here at once is the usual case, in every layer.
        if arrays and (arrays[0]._ctx is ctx or (ctx is None and len(arrays) == 1)):
            value = arrays[0]
        else:
            value = self._check_and_get(arrays, ctx)
        return value if value._is_np is modes.np_array else in_scope(value)

    def __init_subclass__(cls, **options: Any) -> None:
        super().__init_subclass__(**options)
        if "data" in vars(cls):  # what layers get is what a program's own class returns
            cls._data_on = vars(cls)["data"]  # type: ignore[method-assign]  # of one signature

    def list_data(self) -> list[NDArray]:
        """Returns the values on all contexts."""
        self._refuse_dense_access("list_data")
        if modes.tracer is not None:
            return [modes.tracer.stand_in(item, self) for item in self._values()]
        return list(self._values())

    @public_call
    def grad(self, ctx: Context | None = None) -> NDArray:
        """Returns the gradient on a context."""
        gradient: NDArray = self._check_and_get(self._gradients(), ctx)
        return gradient

    def list_grad(self) -> list[NDArray]:
        """Returns the gradients on all contexts.

        Example:
            >>> import mxnet as mx
            >>> weight = mx.gluon.Parameter("weight", shape=(2,))
            >>> weight.initialize(ctx=[mx.cpu(0), mx.cpu(1)])
            >>> [gradient.context for gradient in weight.list_grad()]
            [cpu(0), cpu(1)]
        """
        return list(self._gradients())

    def _gradients(self) -> list[NDArray]:
        if self._arrays is not None and self._gradient_arrays is None:
            raise MXNetError(
                f"Cannot get gradient array for Parameter {self.name!r} because grad_req='null'; "
                "set grad_req to 'write' or 'add' to have one"
            )
        if self._gradient_arrays is None:
            raise self._uninitialized()
        return self._gradient_arrays

    def list_ctx(self) -> list[Context]:
        """Returns the contexts, also while initialization is deferred."""
        if self._arrays is not None:
            return [array.context for array in self._arrays]
        if self._deferred_init:
            return list(self._deferred_init[1])
        raise NotInitializedError(
            f"Parameter {self.name!r} has not been initialized; call initialize() first"
        )

    @public_call
    def set_data(self, data: NDArray) -> None:
        """Sets the value on all contexts.

        Example:
            >>> import mxnet as mx
            >>> weight = mx.gluon.Parameter("weight", shape=(2,))
            >>> weight.initialize()
            >>> weight.set_data(mx.nd.array([1, 2]))
            >>> print(weight.data().asnumpy())
            [1. 2.]
        """
        self.shape = data.shape
        if self._arrays is None:
            if not self._deferred_init:
                raise ParameterError(
                    f"Parameter {self.name!r} has not been initialized; call initialize() before "
                    "its value is set"
                )
            self._deferred_init = (*self._deferred_init[:3], data)
            return
        for array in self._arrays:
            if self._stype == "default":
                array[:] = data  # inside record() it is recorded or refused like any assignment
            else:
                array._writable().copy_(data._plain)
        if self._trainer is not None:
            self._trainer._note_new_value(self)

    def zero_grad(self) -> None:
        """Sets the gradients to zero."""
        for gradient in self._gradient_arrays or []:
            functions_for(gradient).zeros_like(gradient, out=gradient)

    def reset_ctx(self, ctx: Context | Sequence[Context]) -> None:
        """Moves the parameter to other contexts.

        Example:
            >>> import mxnet as mx
            >>> weight = mx.gluon.Parameter("weight", shape=(2,))
            >>> weight.initialize()
            >>> weight.reset_ctx([mx.cpu(0), mx.cpu(1)])
            >>> weight.list_ctx()
            [cpu(0), cpu(1)]
        """
        contexts = list_contexts(self.name, ctx)
        if self._arrays is not None:
            with autograd.pause():
                self._init_impl(self._reduce(), contexts)
        elif self._deferred_init:
            init, _, default, data = self._deferred_init
            self._deferred_init = (init, contexts, default, data)
        else:
            raise ParameterError(
                f"Cannot reset context for Parameter {self.name!r}: it has not been initialized; "
                "call initialize(ctx=...) instead"
            )

    def cast(self, dtype: Any) -> None:
        """Converts value and gradient to another element type.

        Example:
            >>> import mxnet as mx
            >>> weight = mx.gluon.Parameter("weight", shape=(2,))
            >>> weight.initialize()
            >>> weight.cast("float16")
            >>> weight.data().dtype.__name__
            'float16'
        """
        self._dtype = dtype
        if self._arrays is None:
            return
        with autograd.pause():
            self._set_values([array.astype(dtype) for array in self._arrays])

    def var(self) -> symbol.Symbol:
        """Returns the variable that stands for the parameter in graphs, always the same one."""
        with self._lock:
            dialect = current_dialect()
            if self._var is None or type(self._var) is not dialect.symbol:
                self._var = dialect.variable(
                    self.name,
                    shape=self.shape,
                    dtype=self.dtype,
                    lr_mult=self.lr_mult,
                    wd_mult=self.wd_mult,
                    init=self.init,
                    stype=self._stype,
                )
            variable: symbol.Symbol = self._var
            return variable

    def _check_trainer(self, trainer: Any) -> None:
        """Raises if a row_sparse parameter, which is in a store, has another trainer."""
        has_another = self._trainer is not None and self._trainer is not trainer
        if self._stype != "default" and has_another and trainer is not None:
            raise ParameterError(f"Trainer: row_sparse Parameter {self.name!r} has another Trainer")

    def _set_trainer(self, trainer: Any) -> None:
        """Sets the trainer of the parameter, None for none."""
        self._check_trainer(trainer)
        self._trainer = trainer

    def __getstate__(self) -> dict[str, Any]:
        state = self.__dict__.copy()
        del state["_gradient_arrays"]
        state["_data"] = state.pop("_arrays")  # the name of the original, and of older pickles
        state["_grad"] = state["_trainer"] = state["_var"] = None
        return state

    def __setstate__(self, state: dict[str, Any]) -> None:
        arrays, gradients = state["_data"], state["_grad"]
        self.__dict__.update(state)
        del self.__dict__["_data"], self.__dict__["_grad"]
        self._replace(arrays, gradients)
        if arrays is not None and self._grad_req != "null":
            self._set_values(arrays)

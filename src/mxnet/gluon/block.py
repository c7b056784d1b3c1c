"""Networks: `Block`, which runs on arrays, and `HybridBlock`, which can also become a graph."""

from __future__ import annotations

import os
import re
import warnings
from collections import OrderedDict
from collections.abc import Callable, Mapping, Sequence
from typing import Any, ClassVar, TypeVar

from mxnet import ndarray as nd
from mxnet.context import Context, current_context
from mxnet.errors import MXNetError
from mxnet.gluon._calls import context_of_call, describe, list_shapes, name_block_in
from mxnet.gluon._namespaces import (
    OperatorWatch,
    ShapeProbe,
    probing,
    strip_data,
    without_data,
)
from mxnet.gluon._naming import NameScope, name_block
from mxnet.gluon._parameter import DeferredInitializationError, Parameter, ParameterError
from mxnet.gluon._parameter_dict import ParameterDict, load_values, value_to_save
from mxnet.gluon._summary import print_summary
from mxnet.gluon.utils import HookHandle
from mxnet.ndarray import NDArray

B = TypeVar("B", bound="Block")
Hook = Callable[..., Any]


class ForwardNotDefinedError(MXNetError, NotImplementedError):
    """A subclass does not say what it computes."""


class AttributeTypeError(MXNetError, TypeError):
    """An attribute that holds a block or a parameter is set to something else."""


class ChildTypeError(MXNetError, ValueError):
    """A child is not of the kind that its parent takes."""


class Block:
    """A network or a part of one: parameters, children and a `forward`.

    Blocks and parameters that are set as attributes belong to the block from then on.

    Args:
        prefix: What names of parameters begin with, by default the class name and a number.
        params: Parameters to share with another block.

    Example:
        >>> import mxnet as mx
        >>> from mxnet.gluon import nn
        >>> class Net(nn.Block):
        ...     def __init__(self, **kwargs):
        ...         super().__init__(**kwargs)
        ...         self.dense = nn.Dense(2)
        ...
        ...     def forward(self, x):
        ...         return mx.nd.relu(self.dense(x))
        >>> net = Net()
        >>> net.initialize()
        >>> net(mx.nd.ones((4, 3))).shape
        (4, 2)
    """

    _in_summary: ClassVar[bool] = True
    """Whether the block has a row of its own in the summary of a network."""

    def __init__(self, prefix: str | None = None, params: ParameterDict | None = None) -> None:
        self._empty_prefix = prefix == ""
        self._prefix, self._params = name_block(prefix, params, self._alias())
        self._name = self._prefix.removesuffix("_")
        self._scope = NameScope(self, empty=self._empty_prefix)
        self._children: OrderedDict[str, Block] = OrderedDict()
        self._reg_params: dict[str, Parameter] = {}
        self._forward_hooks: OrderedDict[int, Hook] = OrderedDict()
        self._forward_pre_hooks: OrderedDict[int, Hook] = OrderedDict()

    def __repr__(self) -> str:
        children = "\n".join(
            f"  ({key}): {_indent(str(block))}"
            for key, block in self.__dict__.items()
            if isinstance(block, Block)
        )
        return f"{type(self).__name__}(\n{children}\n)"

    def __setattr__(self, name: str, value: Any) -> None:
        existing = self.__dict__.get(name)
        if isinstance(existing, (Parameter, Block)) and not isinstance(value, type(existing)):
            raise AttributeTypeError(
                f"{type(self).__name__}: attribute {name} holds a {type(existing).__name__} and "
                f"cannot become a {type(value).__name__}; use another name for it"
            )
        if isinstance(value, Block):
            self.register_child(value, name)
        elif isinstance(value, Parameter):
            if self._reg_params.get(name, value) is not value:
                raise ParameterError(
                    f"{type(self).__name__}: parameter attribute {name} cannot be replaced; to "
                    "share parameters use the argument params, or get the other through self.params"
                )
            self._reg_params[name] = value
        super().__setattr__(name, value)

    def _alias(self) -> str:
        return type(self).__name__.lower()

    @property
    def prefix(self) -> str:
        """What names of parameters begin with."""
        return self._prefix

    @property
    def name(self) -> str:
        """The prefix without its underscore."""
        return self._name

    @property
    def params(self) -> ParameterDict:
        """Parameters of this block without those of its children; see `collect_params`."""
        return self._params

    def name_scope(self) -> NameScope:
        """Gives a `with` block in which new blocks are named after this one."""
        return self._scope

    def _check_containers(self) -> None:
        """Warns of blocks in lists and dictionaries, which are not found as children."""
        children = {id(child) for child in self._children.values()}
        for name, value in self.__dict__.items():
            if name.startswith("_") or not isinstance(value, (list, tuple, dict)):
                continue
            items = value.values() if isinstance(value, dict) else value
            if any(isinstance(item, Block) and id(item) not in children for item in items):
                warnings.warn(
                    f"{type(self).__name__}.{name} holds blocks in a {type(value).__name__}, where "
                    "they are not found: use nn.Sequential or register_child",
                    stacklevel=4,
                )

    def collect_params(self, select: str | None = None) -> ParameterDict:
        """Gives the parameters of this block and all its children.

        Args:
            select: Regular expression that the beginning of a name must match.
        """
        self._check_containers()
        found = ParameterDict(self._params.prefix)
        pattern = re.compile(select) if select else None
        found.update(
            {
                name: parameter
                for name, parameter in self.params.items()
                if pattern is None or pattern.match(name)
            }
        )
        for child in self._children.values():
            found.update(child.collect_params(select))
        return found

    def _collect_params_with_prefix(self, prefix: str = "") -> dict[str, Parameter]:
        """Gives all parameters by the path of attributes that leads to them."""
        if prefix:
            prefix += "."
        found = {prefix + name: parameter for name, parameter in self._reg_params.items()}
        for name, child in self._children.items():
            found.update(child._collect_params_with_prefix(prefix + name))
        return found

    def save_parameters(self, filename: str | os.PathLike[str], deduplicate: bool = False) -> None:
        """Saves the values of all parameters by their path.

        Args:
            filename: Path of the file.
            deduplicate: Whether a shared parameter is stored once, not once for each path.
        """
        parameters = self._collect_params_with_prefix()
        if deduplicate:
            last = {id(item): name for name, item in parameters.items()}
            parameters = {n: item for n, item in parameters.items() if last[id(item)] == n}
        nd.save(filename, {name: value_to_save(item) for name, item in parameters.items()})

    def save_params(self, filename: str | os.PathLike[str]) -> None:
        """Saves parameters by name, as versions before 1.2.1 did; use `save_parameters`."""
        warnings.warn(
            "save_params is deprecated, use save_parameters", DeprecationWarning, stacklevel=2
        )
        self.collect_params().save(filename, strip_prefix=self.prefix)

    def load_parameters(
        self,
        filename: str | os.PathLike[str],
        ctx: Context | Sequence[Context] | None = None,
        allow_missing: bool = False,
        ignore_extra: bool = False,
        cast_dtype: bool = False,
        dtype_source: str = "current",
    ) -> None:
        """Loads parameters that this or any version of the original saved.

        Args:
            filename: Path of the file.
            ctx: Contexts to put parameters on that are not initialized, by default the CPU.
            allow_missing: Whether parameters may be missing in the file.
            ignore_extra: Whether the file may hold others.
            cast_dtype: Whether to convert element types.
            dtype_source: Which type is kept then, `"current"` or `"saved"`.

        Raises:
            MXNetError: that lists all missing, extra and misshaped names; nothing has changed then.
        """
        loaded = nd.load(filename)
        if not isinstance(loaded, dict):
            if loaded:
                raise ParameterError(f"load: {os.fspath(filename)!r} holds arrays without names")
            loaded = {}
        self._load(
            loaded, os.fspath(filename), ctx, allow_missing, ignore_extra, cast_dtype, dtype_source
        )

    def load_dict(
        self,
        param_dict: Mapping[str, NDArray],
        ctx: Context | Sequence[Context] | None = None,
        allow_missing: bool = False,
        ignore_extra: bool = False,
        cast_dtype: bool = False,
        dtype_source: str = "current",
    ) -> None:
        """Loads parameters from arrays by name; see `load_parameters`."""
        self._load(
            param_dict, "param_dict", ctx, allow_missing, ignore_extra, cast_dtype, dtype_source
        )

    def _load(
        self,
        loaded: Mapping[str, NDArray],
        origin: str,
        ctx: Context | Sequence[Context] | None,
        allow_missing: bool,
        ignore_extra: bool,
        cast_dtype: bool,
        dtype_source: str,
    ) -> None:
        plain = {key.removeprefix("arg:").removeprefix("aux:"): a for key, a in loaded.items()}
        parameters: Mapping[str, Parameter] = self._collect_params_with_prefix()
        if plain and not any("." in name for name in plain):
            # Saved by name, with the prefix of the block (exports) or without (save_params).
            parameters = dict(self.collect_params().items())
            stripped = {self.prefix + name: array for name, array in plain.items()}
            if len(stripped.keys() & parameters.keys()) > len(plain.keys() & parameters.keys()):
                plain = stripped
        load_values(
            parameters,
            plain,
            origin=origin,
            ctx=ctx,
            allow_missing=allow_missing,
            ignore_extra=ignore_extra,
            cast_dtype=cast_dtype,
            dtype_source=dtype_source,
        )

    def load_params(
        self,
        filename: str | os.PathLike[str],
        ctx: Context | Sequence[Context] | None = None,
        allow_missing: bool = False,
        ignore_extra: bool = False,
    ) -> None:
        """Loads parameters; use `load_parameters`."""
        warnings.warn(
            "load_params is deprecated, use load_parameters", DeprecationWarning, stacklevel=2
        )
        self.load_parameters(filename, ctx, allow_missing, ignore_extra)

    def register_child(self, block: Block, name: str | None = None) -> None:
        """Makes a block a child of this one, so that its parameters are found."""
        if not isinstance(block, Block):
            raise ChildTypeError(
                f"{type(self).__name__}: a child must be a Block, got {type(block).__name__}"
            )
        self._children[str(len(self._children)) if name is None else name] = block

    def register_forward_pre_hook(self, hook: Hook) -> HookHandle:
        """Calls `hook(block, inputs)` before each forward; the handle's `detach()` ends that."""
        handle = HookHandle()
        handle.attach(self._forward_pre_hooks, hook)
        return handle

    def register_forward_hook(self, hook: Hook) -> HookHandle:
        """Calls `hook(block, inputs, outputs)` after each forward; see the handle's `detach()`."""
        handle = HookHandle()
        handle.attach(self._forward_hooks, hook)
        return handle

    def register_op_hook(self, callback: Hook, monitor_all: bool = False) -> None:
        """Calls `callback(result name, operator name, array)` for operators inside of the block.

        Args:
            callback: The function.
            monitor_all: Whether to show inputs of operators as well as results.
        """
        for child in self._children.values():
            child.register_op_hook(callback, monitor_all)

    def apply(self: B, fn: Callable[[Block], Any]) -> B:
        """Calls a function with every child and with the block itself."""
        for child in self._children.values():
            child.apply(fn)
        fn(self)
        return self

    def initialize(
        self,
        init: Any = None,
        ctx: Context | Sequence[Context] | None = None,
        verbose: bool = False,
        force_reinit: bool = False,
    ) -> None:
        """Initializes all parameters; those of unknown shape in the first call of the network.

        Args:
            init: Initializer of parameters that have none, uniform in [-0.07, 0.07] by default.
            ctx: Context or contexts, the current one by default.
            verbose: Whether to report what is initialized how.
            force_reinit: Whether to initialize again what is initialized.
        """
        self.collect_params().initialize(init, ctx, verbose, force_reinit)

    def hybridize(self, active: bool = True, **kwargs: Any) -> None:
        """Lets the hybrid blocks inside compile themselves; see `HybridBlock.hybridize`."""
        for child in self._children.values():
            child.hybridize(active, **kwargs)

    def cast(self, dtype: Any) -> None:
        """Converts all parameters to another element type."""
        for child in self._children.values():
            child.cast(dtype)
        for parameter in self.params.values():
            parameter.cast(dtype)

    def summary(self, *inputs: Any) -> None:
        """Prints a table of all blocks with the shapes of outputs and the counts of parameters.

        Args:
            *inputs: Arrays to run the network on.
        """
        print_summary(self, inputs)

    def __call__(self, *args: Any) -> Any:
        """Computes the output by `forward`, between the hooks."""
        if self._forward_pre_hooks and not probing.active:
            for hook in self._forward_pre_hooks.values():
                hook(self, args)
        output = self.forward(*args)
        if self._forward_hooks and not probing.active:
            for hook in self._forward_hooks.values():
                hook(self, args, output)
        return output

    def forward(self, *args: Any) -> Any:  # noqa: ARG002 - subclasses have use for them
        """Computes the output; subclasses define it."""
        raise ForwardNotDefinedError(f"{type(self).__name__} does not define forward")


def _indent(text: str) -> str:
    return text.replace("\n", "\n  ")


class HybridBlock(Block):
    """A block whose computation is written for arrays and graphs alike.

    Subclasses define `hybrid_forward(F, x, ...)`, where `F` has the operators, and parameters that
    are attributes arrive as arguments of the same name.

    Example:
        >>> import mxnet as mx
        >>> from mxnet.gluon import nn
        >>> class Scale(nn.HybridBlock):
        ...     def __init__(self, **kwargs):
        ...         super().__init__(**kwargs)
        ...         self.factor = self.params.get("factor", shape=(1,), init="ones")
        ...
        ...     def hybrid_forward(self, F, x, factor):
        ...         return F.broadcast_mul(x, factor)
        >>> net = Scale()
        >>> net.initialize()
        >>> print(net(mx.nd.array([1, 2])).asnumpy())
        [1. 2.]
    """

    def __init__(self, prefix: str | None = None, params: ParameterDict | None = None) -> None:
        super().__init__(prefix=prefix, params=params)
        self._active = False
        self._flags: dict[str, Any] = {}
        self._op_hook: tuple[Hook, bool] | None = None

    def register_child(self, block: Block, name: str | None = None) -> None:
        """Makes a hybrid block a child of this one."""
        if not isinstance(block, HybridBlock):
            raise ChildTypeError(
                f"Children of HybridBlock must also be HybridBlock, but {block!s} has type "
                f"{type(block).__name__}; with Sequential, use HybridSequential instead"
            )
        super().register_child(block, name)

    def register_op_hook(self, callback: Hook, monitor_all: bool = False) -> None:
        """Calls `callback(result name, operator name, array)` for operators inside of the block."""
        self._op_hook = (callback, monitor_all)
        super().register_op_hook(callback, monitor_all)

    def hybridize(
        self,
        active: bool = True,
        backend: str | None = None,
        clear: bool = True,
        static_alloc: bool = False,
        static_shape: bool = False,
        inline_limit: int = 2,
        forward_bulk_size: int | None = None,
        backward_bulk_size: int | None = None,
        **kwargs: Any,
    ) -> None:
        """Asks for the compiled form of the block; results are those of the imperative one.

        Args:
            active: Whether to use it.
            backend: Compiler of the graph.
            clear: Whether earlier graphs are dropped.
            static_alloc: Whether memory is allocated once.
            static_shape: Whether shapes stay the same.
            inline_limit: Accepted for compatibility.
            forward_bulk_size: Accepted for compatibility.
            backward_bulk_size: Accepted for compatibility.
            **kwargs: Options of the backend.
        """
        flags = {"backend": backend, "static_alloc": static_alloc, "static_shape": static_shape}
        self._active, self._flags = active, {**flags, **kwargs}
        super().hybridize(
            active,
            backend=backend,
            clear=clear,
            static_alloc=static_alloc,
            static_shape=static_shape,
            inline_limit=inline_limit,
            forward_bulk_size=forward_bulk_size,
            backward_bulk_size=backward_bulk_size,
            **kwargs,
        )

    def infer_shape(self, *args: Any) -> None:
        """Finds out the shapes of parameters from arrays (their data is not looked at)."""
        before, probing.active = probing.active, True
        try:
            self.forward(*(strip_data(item) for item in args))
        finally:
            probing.active = before

    def _initialize_deferred(self, args: Sequence[Any]) -> None:
        """Finds out shapes from the first data and initializes what waited for them."""
        try:
            self.infer_shape(*args)
        except (MXNetError, TypeError) as error:
            raise ParameterError(
                f"{describe(self)}: deferred initialization failed because shapes cannot be "
                f"inferred from inputs of shape {list_shapes(args)}: {error}"
            ) from error
        for parameter in self._reg_params.values():
            parameter._finish_deferred_init()

    def forward(self, x: Any, *args: Any) -> Any:
        """Runs `hybrid_forward` on arrays, with the parameters on the context of `x`."""
        plain = not args and type(x) is NDArray
        ctx = x._ctx if plain else context_of_call(self, (x, *args))
        if probing.active:
            params = {name: without_data(p, ctx) for name, p in self._reg_params.items()}
            return self.hybrid_forward(ShapeProbe(nd), x, *args, **params)
        try:
            params = {name: item.data(ctx) for name, item in self._reg_params.items()}
        except DeferredInitializationError:
            self._initialize_deferred((x, *args))
            params = {name: item.data(ctx) for name, item in self._reg_params.items()}
        functions: Any = nd
        if self._op_hook is not None:
            functions = OperatorWatch(nd, self.name, *self._op_hook)
        try:
            if current_context() is ctx:
                return self.hybrid_forward(functions, x, *args, **params)
            with ctx:
                return self.hybrid_forward(functions, x, *args, **params)
        except MXNetError as error:
            shapes = [f"{item.name} {item.shape}" for item in self._reg_params.values()]
            name_block_in(error, self, ", ".join(shapes))
            raise

    def hybrid_forward(
        self,
        F: Any,  # noqa: ARG002 - subclasses have use for them
        x: Any,  # noqa: ARG002
        *args: Any,  # noqa: ARG002
        **kwargs: Any,  # noqa: ARG002
    ) -> Any:
        """Computes the output with the operators in `F`; subclasses define it."""
        raise ForwardNotDefinedError(f"{type(self).__name__} does not define hybrid_forward")

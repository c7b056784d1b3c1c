"""`Block`: a network or a part of one, which runs on arrays; and how blocks get their names."""

from __future__ import annotations

import inspect
from collections import OrderedDict
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, ClassVar, Protocol, TypeVar, overload

from torch import Tensor, nn

from mxnet._start import expand, overridable, passes_arguments, public_call, public_methods
from mxnet._state import Current, modes, rules
from mxnet.context import Context
from mxnet.errors import ArgumentValueError, MXNetError, UndefinedMethodError, UnsupportedTypeError
from mxnet.gluon import torch_modules
from mxnet.gluon.blocks.files import ModelTree
from mxnet.gluon.blocks.location import extend_location
from mxnet.gluon.hybrid.calls import UnfinishedBlockError, check_np_results, name_block_in
from mxnet.gluon.parameters import Parameter, ParameterDict
from mxnet.gluon.parts import compute_with_others, note_parent
from mxnet.gluon.utils import HookHandle, _indent
from mxnet.name import NameManager, Prefix, count_up

if TYPE_CHECKING:
    from mxnet.gluon.blocks.report import PlanReport
    from mxnet.gluon.blocks.results import A, ArrayBlock, Forward, R

# A block is called after its class and a number: `dense0_`. Inside of another block's
# `name_scope()` it also gets that block's prefix, and numbers count within the scope:
# `net0_dense0_`.


class Named(Protocol):
    """The part of a block that a scope uses."""

    @property
    def prefix(self) -> str:
        """Prefix of the names inside of the scope."""

    @property
    def params(self) -> ParameterDict:
        """Parameters of the block."""


class NameScope:
    """The context of `name_scope()`; blocks made inside are named after its block."""

    def __init__(self, block: Named, *, empty: bool) -> None:
        self._block = block
        self._empty = empty
        self._counts: dict[str, int] = {}

    def next_prefix(self, hint: str) -> str:
        """Returns the prefix of the next block of a class, such as `dense0_`."""
        return f"{hint}{count_up(self._counts, hint)}_"

    def __enter__(self) -> NameScope:
        if not self._empty:
            NameManager._current.enter(Prefix(self._block.prefix))
            _current.enter(self)
        return self

    def __exit__(self, *_: object) -> None:
        if not self._empty:
            NameManager._current.leave()
            _current.leave()


def _no_scope() -> NameScope | None:
    return None


_current = Current(_no_scope)


class _BlockScope(NameScope):
    """The scope of a block, as libraries make it that name blocks themselves.

    Args:
        block: The block.
    """

    _current = _current

    def __init__(self, block: Any) -> None:
        super().__init__(block, empty=block._empty_prefix)

    @staticmethod
    def create(
        prefix: str | None, params: ParameterDict | None, hint: str
    ) -> tuple[str, ParameterDict]:
        """Returns the prefix of a new block and the dictionary of its parameters."""
        return name_block(prefix, params, hint)


def name_block(
    prefix: str | None, params: ParameterDict | None, hint: str
) -> tuple[str, ParameterDict]:
    """Returns the prefix of a new block and the dictionary of its parameters.

    Args:
        prefix: Prefix that the user wants, None for an automatic one.
        params: Parameters to share.
        hint: Name of the class of the block, in lower case.
    """
    scope = _current.value
    if scope is None:
        if prefix is None:
            prefix = NameManager._current.value.get(None, hint) + "_"
        own = ParameterDict(prefix) if params is None else ParameterDict(params.prefix, params)
        return prefix, own
    if prefix is None:
        prefix = scope.next_prefix(hint)
    parent = scope._block
    if params is None:
        own = ParameterDict(parent.params.prefix + prefix, parent.params._shared)
    else:
        own = ParameterDict(params.prefix, params)
    return parent.prefix + prefix, own


_SET_BY_INIT = frozenset(
    {"_children", "_forward_hooks", "_forward_pre_hooks", "_name", "_params", "_prefix"}
    | {"_reg_params", "_scope", "name", "params", "prefix"}
)
"""Attributes that are there when the constructor of `Block` has run."""

B = TypeVar("B", bound="Block")
Hook = Callable[..., Any]


@public_methods("to_torch", "apply")
class Block(ModelTree):
    """A network or a part of one: parameters, children and a `forward`.

    Blocks and parameters that are set as attributes become children and parameters of the block.

    Args:
        prefix: Prefix of the names of parameters, by default the class name and a number.
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

    _mx_in_summary: ClassVar[bool] = True
    """Whether the block has a row of its own in the summary of a network."""

    _mx_is_traced: bool = False
    """Whether calls of `forward` are traced to a graph, which later calls run."""

    _mx_may_need_parts: bool = False
    """Whether the block has been, or was put around, one that needs all parts of a batch."""

    _children: OrderedDict[str, Block]
    _empty_prefix: bool
    _forward_hooks: OrderedDict[int, Hook]
    _forward_pre_hooks: OrderedDict[int, Hook]
    _name: str
    _scope: NameScope

    def __init__(self, prefix: str | None = None, params: ParameterDict | None = None) -> None:
        own_prefix, own_params = name_block(prefix, params, self._alias())
        self.__dict__.update(  # `__setattr__` would look for blocks and parameters among them
            _empty_prefix=prefix == "",
            _prefix=own_prefix,
            _params=own_params,
            _name=own_prefix.removesuffix("_"),
            _scope=NameScope(self, empty=prefix == ""),
            _children=OrderedDict(),
            _reg_params={},
            _forward_hooks=OrderedDict(),
            _forward_pre_hooks=OrderedDict(),
        )

    def __repr__(self) -> str:
        children = "\n".join(
            f"  ({key}): {_indent(str(block))}"
            for key, block in self.__dict__.items()
            if isinstance(block, Block)
        )
        return f"{type(self).__name__}(\n{children}\n)"

    def _repr_html_(self) -> str:
        """Returns what notebooks show: a tree of the children, which can be unfolded."""
        from mxnet.gluon.blocks.display import tree_to_html  # noqa: PLC0415 - notebooks only

        return tree_to_html(self)

    if not TYPE_CHECKING:

        def __getattr__(self, name: str) -> Any:
            if name in _SET_BY_INIT:
                raise UnfinishedBlockError(
                    f"{type(self).__name__} has no attribute {name!r} yet: call super().__init__() "
                    "at the beginning of its __init__, before children and parameters are set"
                )
            try:
                raise AttributeError(  # noqa: TRY301 - Python finds by `obj` what was meant
                    f"{type(self).__name__!r} object has no attribute {name!r}", name=name, obj=self
                )
            except AttributeError as error:
                error.__traceback__ = None  # a bare `raise` adds no frame: it ends in the program
                raise

    @public_call
    def __setattr__(self, name: str, value: Any) -> None:
        existing = self.__dict__.get(name)
        if isinstance(existing, (Parameter, Block)) and not isinstance(value, type(existing)):
            raise UnsupportedTypeError(
                f"{type(self).__name__}: attribute {name} holds a {type(existing).__name__} and "
                f"cannot become a {type(value).__name__}; use another name for it"
            )
        if isinstance(value, Block):
            self.register_child(value, name)
        elif isinstance(value, Parameter):
            self._mx_adopt_parameter(name, value)
            self._reg_params[name] = value
        super().__setattr__(name, value)

    def _alias(self) -> str:
        return type(self).__name__.lower()

    @property
    def name(self) -> str:
        """The prefix without its underscore."""
        return self._name

    def name_scope(self) -> NameScope:
        """Returns a `with` block in which new blocks are named after this one.

        Example:
            >>> import mxnet as mx
            >>> class Pair(mx.gluon.Block):
            ...     def __init__(self, **kwargs):
            ...         super().__init__(**kwargs)
            ...         with self.name_scope():  # in which names begin with that of this block
            ...             self.first = mx.gluon.nn.Dense(2)
            >>> Pair(prefix="pair_").first.name
            'pair_dense0'
        """
        return self._scope

    def register_child(self, block: Block, name: str | None = None) -> None:
        """Adds a child, so that `collect_params` and others include its parameters.

        Example:
            >>> import mxnet as mx
            >>> net = mx.gluon.Block(prefix="net_")
            >>> net.register_child(mx.gluon.nn.Dense(2, prefix="net_out_"), "out")
            >>> sorted(net.collect_params())
            ['net_out_bias', 'net_out_weight']
        """
        if not isinstance(block, Block):
            raise ArgumentValueError(
                f"{type(self).__name__}: a child must be a Block, got {type(block).__name__}"
            )
        self._children[str(len(self._children)) if name is None else name] = block
        note_parent(block, self)

    def register_forward_pre_hook(self, hook: Hook) -> HookHandle:
        """Calls `hook(block, inputs)` before each forward; `detach()` of the handle removes it.

        Example:
            >>> import mxnet as mx
            >>> net = mx.gluon.nn.Dense(2, in_units=3)
            >>> net.initialize()
            >>> handle = net.register_forward_pre_hook(lambda block, inputs: print(inputs[0].shape))
            >>> _ = net(mx.nd.ones((4, 3)))
            (4, 3)
            >>> handle.detach()
        """
        handle = HookHandle()
        handle.attach(self._forward_pre_hooks, hook)
        return handle

    def register_forward_hook(self, hook: Hook) -> HookHandle:
        """Calls `hook(block, inputs, outputs)` after each forward; `detach()` removes it.

        Example:
            >>> import mxnet as mx
            >>> net = mx.gluon.nn.Dense(2, in_units=3)
            >>> net.initialize()
            >>> handle = net.register_forward_hook(lambda *values: print(values[2].shape))
            >>> _ = net(mx.nd.ones((4, 3)))
            (4, 2)
            >>> handle.detach()
        """
        handle = HookHandle()
        handle.attach(self._forward_hooks, hook)
        return handle

    def register_op_hook(self, callback: Hook, monitor_all: bool = False) -> None:
        """Makes hybridized blocks inside pass the results of their operators to a callback.

        Args:
            callback: The function.
            monitor_all: Whether to show inputs of operators as well as results.
        """
        for child in self._children.values():
            child.register_op_hook(callback, monitor_all)

    def apply(self: B, fn: Callable[[Block], Any]) -> B:
        """Calls a function with every child and with the block itself.

        Example:
            >>> import mxnet as mx
            >>> net = mx.gluon.nn.HybridSequential()
            >>> net.add(mx.gluon.nn.Dense(4), mx.gluon.nn.Dropout(0.5))
            >>> _ = net.apply(lambda block: print(type(block).__name__))
            Dense
            Dropout
            HybridSequential
        """
        for child in self._children.values():
            child.apply(fn)
        fn(self)
        return self

    @public_call
    def initialize(
        self,
        init: Any = None,
        ctx: Context | Sequence[Context] | None = None,
        verbose: bool = False,
        force_reinit: bool = False,
    ) -> None:
        """Initializes all parameters; those of unknown shape when the network is first called.

        Args:
            init: Initializer of parameters that have none, uniform in [-0.07, 0.07] by default.
            ctx: Context or contexts, the current one by default.
            verbose: Whether to report how each parameter is initialized.
            force_reinit: Whether to initialize parameters again that have values.

        Example:
            >>> import mxnet as mx
            >>> net = mx.gluon.nn.Dense(2, in_units=3)
            >>> net.initialize(mx.init.Constant(0.5))
            >>> print(net(mx.nd.ones((1, 3))).asnumpy())
            [[1.5 1.5]]
        """
        self.collect_params().initialize(init, ctx, verbose, force_reinit)

    def hybridize(self, active: bool = True, **kwargs: Any) -> None:
        """Hybridizes all hybrid blocks inside, so that they run as graphs."""
        for child in self._children.values():
            child.hybridize(active, **kwargs)

    @public_call
    def cast(self, dtype: Any) -> None:
        """Converts all parameters to another element type."""
        for child in self._children.values():
            child.cast(dtype)
        for parameter in self.params.values():
            parameter.cast(dtype)

    @public_call
    def summary(self, *inputs: Any, costs: bool = False) -> None:
        """Prints a table of all blocks with the shapes of outputs and the counts of parameters.

        Args:
            *inputs: Arrays to run the network on.
            costs: Whether to print also the floating-point operations of each block, a
                multiply-add counting as two, and the memory of parameters and outputs. Without it
                the table is that of MXNet 1.9.1.

        Example:
            >>> import mxnet as mx
            >>> net = mx.gluon.nn.Dense(10)
            >>> net.initialize()
            >>> net.summary(mx.nd.ones((1, 784)), costs=True)  # doctest: +ELLIPSIS
            ------...
                    Layer (type)     ...  Output Shape         Param #          FLOPs         Memory
            ======...
                           Input     ...      (1, 784)               0              0              0
                         Dense-1     ...       (1, 10)            7850          15690          31440
            ======...
            Floating-point operations of this call: 15690
            Bytes of parameters: 31400
            Bytes of outputs of blocks: 40
            ------...
        """
        from mxnet.gluon.blocks.display import print_summary  # noqa: PLC0415 - few programs ask

        print_summary(self, inputs, costs)

    def plan_report(self) -> PlanReport:
        """Returns what became of `hybridize` here and in the blocks inside, after some calls.

        Printed it is a table: for each plan how it runs, how many operators became how many calls
        of kernels, how many values are kept for fixed parameters, the order of images in memory,
        and what one call computes; for what was given up, why. Its `rows` have the same as data.

        Example:
            >>> import mxnet as mx
            >>> from mxnet.gluon import nn
            >>> net = nn.HybridSequential()
            >>> net.add(nn.Dense(4, in_units=3), nn.Dropout(0.5), nn.Dense(2, in_units=4))
            >>> net.initialize()
            >>> net.hybridize()
            >>> _ = net(mx.nd.ones((1, 3)))
            >>> print(net.plan_report())
            block                   for         runs as  calls   kept  images
            ----------------------  ----------  -------  ------  ----  ------
            net (HybridSequential)  prediction  graph    3 -> 2
        """
        from mxnet.gluon.blocks.report import make_report  # noqa: PLC0415 - few programs ask

        return make_report(self)

    def to_torch(self, *args: Any) -> nn.Module:
        """Returns the block as a module of torch.

        Its parameters and buffers are named as in files of `save_parameters`, and lie on the memory
        of those of the block (on its first context) until the module is moved or cast. Blocks
        inside are modules inside, with hooks of their own; dense layers, convolutions and
        embeddings without activation are `nn.Linear`, `nn.Conv1d`, `nn.Conv2d` and `nn.Embedding`
        to tools of torch. `train()` and `eval()` decide about dropout and normalization, random
        numbers are torch's, and gradients go to the module's parameters.

        Hybrid blocks can be compiled and exported by torch. Others run on arrays.

        Args:
            *args: Arrays to call the block with, if shapes of its parameters are not known yet, or
                if it takes others than its first arguments.

        Raises:
            MXNetError: if parameters are not initialized.

        Example:
            >>> import mxnet as mx, torch
            >>> net = mx.gluon.nn.Dense(2, in_units=3)
            >>> net.initialize(mx.init.One())
            >>> module = net.to_torch()
            >>> module(torch.ones(1, 3))
            tensor([[3., 3.]], grad_fn=<AddmmBackward0>)
            >>> sorted(module.state_dict())
            ['bias', 'weight']
        """
        return torch_modules.as_torch_module(self, *args)

    def _mx_torch_layer(self) -> tuple[type[nn.Module], dict[str, Any]] | None:
        """Returns a class of torch that the block is like, and its attributes; None if none is."""
        return None

    def _mx_make_torch_module(self, share: Callable[[Parameter], Tensor]) -> nn.Module | None:
        """Returns a module of the block's own, with parameters from `share`; None for the usual."""
        del share
        return None

    @overload
    def __call__(self: ArrayBlock, x: A, /, *args: Any, **kwargs: Any) -> A: ...
    @overload
    def __call__(self: Forward[R], *args: Any, **kwargs: Any) -> R: ...
    @passes_arguments
    @expand
    @public_call
    def __call__(self, *args: Any) -> Any:
        """Computes the output: runs pre-hooks, `forward` and hooks."""
        if self._mx_may_need_parts and (computed := compute_with_others(self, args)) is not None:
            return computed[0]
        try:
            if self._forward_pre_hooks and not modes.probing:
                for hook in self._forward_pre_hooks.values():
                    hook(self, args)
            output = self._mx_call_traced(args) if self._mx_is_traced else self.forward(*args)
            if modes.np_array:
                check_np_results(self, output)
            if self._forward_hooks and not modes.probing:
                for hook in self._forward_hooks.values():
                    hook(self, args, output)
        except MXNetError as error:
            name_block_in(error, self)
            extend_location(error, self)
            raise
        except TypeError:
            if args or rules.version == 1 or not self._mx_needs_inputs():
                raise
            return self
        return output

    def _mx_needs_inputs(self) -> bool:
        """Returns whether `forward` takes an input that has no default.

        In MXNet 2 `_children` has weak references, which programs call without inputs to get the
        block; here it has the blocks, and such a call of one that needs inputs returns the block.
        """
        parameters = inspect.signature(self.forward).parameters.values()
        inputs = [item for item in parameters if item.kind is item.POSITIONAL_OR_KEYWORD]
        return bool(inputs) and inputs[0].default is inputs[0].empty

    def __setstate__(self, state: Any) -> None:
        attributes, slots = state if isinstance(state, tuple) else (state, None)
        self.__dict__.update(attributes or {})
        for name, value in (slots or {}).items():
            setattr(self, name, value)
        if self._mx_needs_all_parts():  # older files do not say so
            self.__dict__["_mx_may_need_parts"] = True
        for child in self.__dict__.get("_children", {}).values():
            note_parent(child, self)

    def _mx_needs_all_parts(self) -> bool:
        """Returns whether the block needs all parts of a batch on several contexts at once."""
        return False

    def _mx_call_traced(self, args: tuple[Any, ...]) -> Any:
        return self.forward(*args)

    @overridable
    def forward(self, *args: Any) -> Any:
        """Computes the output; subclasses define it."""
        if not args and rules.version > 1:
            return self  # see `_mx_needs_inputs`
        raise UndefinedMethodError(f"{type(self).__name__} does not define forward")

"""The executor: a graph with the arrays of its variables."""

from __future__ import annotations

import operator
import os
from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from itertools import repeat
from typing import Any

import numpy as np
import torch
from torch import Tensor

from mxnet._arrays.array import shares_base
from mxnet._arrays.autograd.gradients import fit_gradient
from mxnet._arrays.autograd.tape import run_backward
from mxnet._arrays.errors.delayed import delay_gradients
from mxnet._arrays.errors.failed import find_failed
from mxnet._start import did_you_mean, public_call
from mxnet._state import Lock, Scope, rng
from mxnet.context import Context, torch_device
from mxnet.errors import (
    ArgumentValueError,
    MXNetError,
    ShapeMismatchError,
    UnknownNameError,
    UnsupportedTypeError,
)
from mxnet.executor._analysis import Analysis, first_part, merge_repeated, with_instances
from mxnet.executor._monitoring import Callback, Watch
from mxnet.graph.lower import NodeError
from mxnet.ndarray import NDArray
from mxnet.ndarray._program import BoundProgram
from mxnet.ndarray.sparse import BaseSparseNDArray
from mxnet.ops.core.carriers import differentiable, make_leaf, take_gradient
from mxnet.symbol import Symbol


def random_state(ctx: Context) -> Tensor:
    """Returns the state of the random generator of a context."""
    generator = rng.generator_for(ctx.device_type, ctx.device_id)
    if generator is not None:
        return generator.get_state()
    device = torch_device(ctx)
    if device.type == "cpu":
        return torch.get_rng_state()
    state: Tensor = torch.get_device_module(device).get_rng_state(device)
    return state


def set_random_state(ctx: Context, state: Tensor) -> None:
    """Sets the state of the random generator of a context."""
    generator = rng.generator_for(ctx.device_type, ctx.device_id)
    device = torch_device(ctx)
    if generator is not None:
        generator.set_state(state)
    elif device.type == "cpu":
        torch.set_rng_state(state)
    else:
        torch.get_device_module(device).set_rng_state(state, device)


def _copied(arrays: Any, ctx: Context) -> Any:
    """Copies arrays, by name or in a list, to a context."""
    if isinstance(arrays, Mapping):
        return {name: None if item is None else item.copyto(ctx) for name, item in arrays.items()}
    return arrays and [None if item is None else item.copyto(ctx) for item in arrays]


class Executor:
    """A graph bound to arrays; made by `Symbol.bind` and `Symbol.simple_bind`.

    The arrays are those of the caller: what is written into them counts in the next `forward`, and
    `backward` writes into the gradient arrays. The arrays in `outputs` stay the same objects; every
    `forward` gives them new values.

    Args:
        sym: The graph.
        device: Where to compute.
        args: Values of arguments, by name or in the order of `sym.list_arguments()`. Unlike `bind`,
            the constructor, which programs of MXNet 2 call, copies them.
        args_grad: Gradients in the same form, None where none are asked for.
        grad_req: What to do with gradients: `write`, `add` or `null`; one word, or some by name.
        aux_states: Auxiliary states, by name or in order.
        static_alloc: Has no effect.

    Attributes:
        arg_arrays: Values of the arguments.
        grad_arrays: Gradients of the arguments, None where none is asked for.
        aux_arrays: Auxiliary states.
        outputs: What the last `forward` computed.

    Example:
        >>> import mxnet as mx
        >>> net = (mx.sym.var("a") * 2).simple_bind(mx.cpu(), a=(2,))
        >>> print(net.forward(is_train=True, a=mx.nd.array([1, 3]))[0].asnumpy())
        [2. 6.]
        >>> net.backward(mx.nd.ones(2))
        >>> print(net.grad_dict["a"].asnumpy())
        [2. 2.]
    """

    def __init__(
        self,
        sym: Symbol,
        device: Context,
        args: Any,
        args_grad: Any,
        grad_req: Any,
        aux_states: Any,
        static_alloc: bool = False,
    ) -> None:
        del static_alloc
        copies = (_copied(each, device) for each in (args, args_grad or None, aux_states))
        arguments, gradients, states = copies
        bound = sym.bind(device, arguments, gradients, grad_req, states)
        arrays = bound.arg_arrays, bound.grad_arrays, bound.aux_arrays
        self._set_up(sym, device, arrays, bound._grad_req)

    @classmethod
    def _of(cls, *parts: Any) -> Executor:
        """Makes an executor on arrays as they are; see `_set_up`."""
        made = cls.__new__(cls)
        made._set_up(*parts)
        return made

    def _set_up(
        self,
        symbol: Symbol,
        ctx: Context,
        arrays: tuple[list[NDArray], list[NDArray | None] | None, list[NDArray]],
        grad_req: Sequence[str],
        group2ctx: Mapping[str, Context] | None = None,
    ) -> None:
        """Takes over a graph and its arrays.

        Args:
            symbol: The graph.
            ctx: Where to compute.
            arrays: Values of arguments, their gradients (None for those not asked for) and
                auxiliary states, each in the order in which the symbol lists the names.
            grad_req: What to do with each gradient.
            group2ctx: Contexts by name of a `ctx_group`.
        """
        self.arg_arrays, gradients, self.aux_arrays = arrays
        self.grad_arrays: Any = gradients
        self._symbol, self._ctx, self._group2ctx = symbol, ctx, group2ctx
        self._grad_req = list(grad_req)
        self._analysis = Analysis(symbol, self.arg_arrays, self.aux_arrays)
        self._arg_names = self._analysis.argument_names
        self._aux_names = self._analysis.state_names
        self._output_names = symbol.list_outputs()
        names = (*self._arg_names, *self._aux_names)
        graph = with_instances(self._analysis.on_stored(symbol._graph))
        self._bound = BoundProgram(graph, names, self._analysis.parameters, symbol._options)
        self.outputs = self._analysis.make_outputs(ctx, group2ctx or {})
        self._prepare_gradients(gradients or [None] * len(self.arg_arrays))
        self._given: Sequence[Tensor] = ()
        self._pending: list[Tensor] | None = None
        self._trained = False
        self._random_state: Tensor | None = None
        self._lock = Lock()
        """Threads that share an executor take turns; whose results are in its arrays is theirs."""
        self._always_record = False
        self._merges = os.environ.get("MXNET_ELIMINATE_COMMON_EXPR", "1") not in ("0", "")
        self._monitor: Watch | None = None

    def _prepare_gradients(self, gradients: Sequence[NDArray | None]) -> None:
        """Notes for which arguments to take gradients, and how each is stored."""
        values = [*self.arg_arrays, *self.aux_arrays]
        self._values = values
        self._sources: list[Tensor | None] = [None] * len(values)
        self._tensors: list[Tensor | None] = [None] * len(values)
        self._hooks: dict[int, Callable[[Tensor], None]] = {}
        for position, (gradient, request) in enumerate(zip(gradients, self._grad_req, strict=True)):
            if gradient is None or request == "null":
                continue
            gradient._fresh = False
            # The gradient has the dtype and the place of the argument, unless the user's differ.
            if gradient.dtype != values[position].dtype or gradient._ctx != values[position]._ctx:
                gradient._aliased = True
            self._hooks[position] = gradient._hook(request)
        for array in self.aux_arrays:
            array._own()
        wanted = {self._arg_names[position] for position in self._hooks}
        self._needs_head = self._analysis.find_needed_heads(wanted)

    @cached_property
    def arg_dict(self) -> dict[str, NDArray]:
        """Arguments by name."""
        return dict(zip(self._arg_names, self.arg_arrays, strict=True))

    @cached_property
    def grad_dict(self) -> dict[str, NDArray | None]:
        """Gradients by name of the argument."""
        if self.grad_arrays is None:
            raise UnsupportedTypeError("grad_dict: the executor was bound without gradients")
        return dict(zip(self._arg_names, self.grad_arrays, strict=True))

    @cached_property
    def aux_dict(self) -> dict[str, NDArray]:
        """Auxiliary states by name."""
        return dict(zip(self._aux_names, self.aux_arrays, strict=True))

    @cached_property
    def output_dict(self) -> dict[str, NDArray]:
        """Outputs by name.

        Raises:
            ArgumentValueError: if two outputs have the same name.
        """
        outputs = dict(zip(self._output_names, self.outputs, strict=True))
        if len(outputs) < len(self.outputs):
            names = ", ".join(self._output_names)
            raise ArgumentValueError(f"output_dict: two outputs have the same name: {names}")
        return outputs

    @public_call
    def forward(self, /, is_train: bool = False, **kwargs: Any) -> list[NDArray]:
        """Computes the outputs.

        Args:
            is_train: Whether operators behave as in training, and `backward` may follow.
            **kwargs: New values of arguments by name, copied into their arrays.

        Returns:
            The list `outputs`.

        Example:
            >>> import mxnet as mx
            >>> x, w = mx.sym.var("x"), mx.sym.var("w")
            >>> values = {"x": mx.nd.array([2, 3]), "w": mx.nd.array([5, 7])}
            >>> executor = (x * w).bind(mx.cpu(), values, args_grad={"w": mx.nd.zeros(2)})
            >>> print(executor.forward()[0].asnumpy())
            [10. 21.]
            >>> print(executor.forward(x=mx.nd.array([1, 1]))[0].asnumpy())  # another value
            [5. 7.]
        """
        with self._lock:
            if kwargs:
                self._load(kwargs)
            self._run_forward(is_train)
            return self.outputs

    def _run_forward(self, is_train: bool) -> None:
        self._pending = None
        record = bool(self._hooks) and (bool(is_train) or self._always_record)
        self._trained = bool(is_train)
        if self._hooks and self._analysis.is_random:  # a backward may repeat it in any mode
            self._random_state = random_state(self._ctx)
        self._analysis.fix_scales()
        try:
            results = self._compute(record, self._values, watched=True)
        except NodeError as error:
            failed = self._bound.delay(error, self._given, NDArray, self._ctx)
            for array, other in zip(self.outputs, failed, strict=True):
                array._data, array._node = other._plain, None
            return
        if record:
            self._pending = results
        self._publish(results)

    def _load(self, given: Mapping[str, Any]) -> None:
        known = self.arg_dict
        for name, value in given.items():
            if not isinstance(value, (NDArray, np.ndarray)):
                raise ArgumentValueError(
                    f"forward: {name} takes an NDArray or a NumPy array, got {type(value)}"
                )
            if name not in known:
                raise UnsupportedTypeError(
                    f"forward: there is no argument {name!r}"
                    f"{did_you_mean(name, known)}; known are {', '.join(known)}"
                )
            if value.shape != known[name].shape:
                raise ShapeMismatchError(
                    f"forward: {name} has shape {known[name].shape}, got {value.shape}"
                )
            known[name][:] = value

    def _compute(self, record: bool, arrays: Sequence[NDArray], *, watched: bool) -> list[Tensor]:
        plain = [array._plain for array in arrays]
        setting = self._bound.setting(self._ctx, training=self._trained, recording=record)
        run = self._bound.program.run
        if watched and self._monitor is not None:
            run = self._monitor.run
        self._given = self._together(self._leaves(plain) if record else plain)
        if not record:
            return run(self._given, setting)
        with torch.enable_grad():
            return run(self._given, setting)

    def _leaves(self, plain: Sequence[Tensor]) -> Sequence[Tensor]:
        """Returns the tensors to record with.

        Those of arguments are aliases: a program may write to them before `backward`, which then
        reads what is there, as in the original. torch would refuse if it knew.
        """
        if not all(map(operator.is_, plain, self._sources)):
            for position, tensor in enumerate(plain):
                if tensor is self._sources[position]:
                    continue
                self._sources[position] = self._tensors[position] = tensor
                if position < len(self.arg_arrays):
                    alias = self._tensors[position] = tensor.data
                    if position in self._hooks and tensor.is_floating_point():
                        alias.requires_grad_()
                    elif position in self._hooks:
                        self._tensors[position] = make_leaf(alias, None)
        return self._tensors  # type: ignore[return-value]  # all are set by now

    def _together(self, tensors: Sequence[Tensor]) -> Sequence[Tensor]:
        """Brings what lies on the devices of other groups to where the graph runs."""
        if self._group2ctx is None:
            return tensors
        device = torch_device(self._ctx)
        return [tensor.to(device) for tensor in tensors]

    def _publish(self, results: Sequence[Tensor]) -> None:
        """Puts results into the output arrays, each on memory of its own."""
        published: list[Tensor] = []
        for array, result, shared in zip(
            self.outputs, results, self._analysis.variable_heads, strict=True
        ):
            if shared is not None:
                array._data, array._node = self._values[shared]._plain, None
                continue
            # A program may write to outputs before `backward`, which then reads what is there, as
            # in the original. torch would refuse if it knew.
            plain = result.data if result.requires_grad else result
            if array._aliased or array._node is not None:
                array._plain.copy_(plain)
                continue
            plain = plain.to(torch_device(array._ctx)) if self._group2ctx else plain
            others = (*self._given, *published)
            if result._is_view():
                is_shared = shares_base(result, others)
            else:
                is_shared = any(map(operator.is_, others, repeat(result)))
            if is_shared or not plain.is_contiguous():
                plain = plain.clone(memory_format=torch.contiguous_format)
            published.append(result)
            array._data = plain

    @public_call
    def backward(self, out_grads: Any = None, is_train: bool = True) -> None:
        """Computes the gradients of the arguments into the gradient arrays.

        Args:
            out_grads: Gradients of the outputs: an array, a list, or a dict by name of the output.
                They can be left out where all outputs are losses.
            is_train: Kept for programs that give it; the mode is that of the last `forward`.

        Raises:
            MXNetError: if the gradient of an output is needed and not given.

        Example:
            >>> import mxnet as mx
            >>> x, w = mx.sym.var("x"), mx.sym.var("w")
            >>> values = {"x": mx.nd.array([2, 3]), "w": mx.nd.array([5, 7])}
            >>> executor = (x * w).bind(mx.cpu(), values, args_grad={"w": mx.nd.zeros(2)})
            >>> _ = executor.forward(is_train=True)
            >>> executor.backward(mx.nd.ones(2))
            >>> print(executor.grad_dict["w"].asnumpy())
            [2. 3.]
        """
        del is_train
        given = self._list_heads(out_grads)
        if self._hooks:
            with self._lock:
                self._run_backward(given)

    def _run_backward(self, given: Sequence[NDArray]) -> None:
        failed = find_failed([array._data for array in self.outputs])
        if failed is not None and delay_gradients(
            failed.failure.make_error(), self._written_gradients()
        ):
            return
        heads, gradients = self._find_heads(given)
        self._pending = None
        try:
            with Scope(False, self._trained):
                run_backward(heads, gradients, retain_graph=False)
            self._store_gradients()
        except MXNetError as error:
            if not delay_gradients(error, self._written_gradients()):
                raise
        finally:
            for position in self._hooks:
                self._tensors[position].grad = None  # type: ignore[union-attr]  # set by forward
        if self._monitor is not None:
            needed = [h for h, needs in zip(given, self._needs_head, strict=False) if needs]
            self._monitor.show_gradients([array._plain for array in needed])

    def _find_heads(self, given: Sequence[NDArray]) -> tuple[list[Tensor], list[Tensor | None]]:
        """Returns the results to differentiate, and the gradient of each."""
        if self._pending is None:
            self._pending = self._repeat()
        heads: list[Tensor] = []
        gradients: list[Tensor | None] = []
        for position, result in enumerate(self._pending):
            gradient = given[position]._plain if position < len(given) else None
            if gradient is None and self._needs_head[position]:
                raise MXNetError(
                    f"backward: the output {self._output_names[position]!r} is no loss, so that "
                    "its gradient must be given in out_grads; MakeLoss makes a loss of it"
                )
            result = differentiable(result)
            if result.requires_grad:
                heads.append(result)
                if not self._needs_head[position]:
                    gradient = None
                if gradient is not None:  # it may be on the device of a group
                    gradient = fit_gradient(gradient, result).to(result.device)
                gradients.append(gradient)
        return heads, gradients

    def _written_gradients(self) -> list[NDArray]:
        """Returns the arrays that `backward` writes to."""
        return [self.grad_arrays[position] for position in self._hooks]

    def _store_gradients(self) -> None:
        """Moves or adds what torch found into the gradient arrays."""
        for position, hook in self._hooks.items():
            leaf: Any = self._tensors[position]
            if leaf.grad is not None:
                hook(leaf)
            elif (gradient := take_gradient(leaf)) is not None:
                hook.take(gradient)  # type: ignore[attr-defined]  # arrays of integers are dense
            elif self._grad_req[position] != "write":
                continue
            elif isinstance(gradient := self.grad_arrays[position], BaseSparseNDArray):
                hook(leaf)  # which leaves no rows, as nothing reached it
            else:
                gradient._plain.zero_()

    def _list_heads(self, out_grads: Any) -> list[NDArray]:
        if out_grads is None:
            return []
        if isinstance(out_grads, NDArray):
            return [out_grads]
        if isinstance(out_grads, Mapping):
            missing = [name for name in self._output_names if name not in out_grads]
            if missing:
                raise UnknownNameError(f"backward: out_grads has no {missing[0]!r}")
            out_grads = [out_grads[name] for name in self._output_names]
        if not isinstance(out_grads, (list, tuple)):
            raise UnsupportedTypeError(f"backward: out_grads takes arrays, got {out_grads!r}")
        for item in out_grads:
            if not isinstance(item, NDArray):
                raise UnsupportedTypeError(f"backward: out_grads takes arrays, got {item!r}")
        return list(out_grads)

    def _repeat(self) -> list[Tensor]:
        """Computes once more what the last `forward` did, now to differentiate it.

        That is needed for a second `backward`, and for one after a `forward` that was not for
        training. A program that does the latter gets its gradients recorded from then on.
        """
        self._always_record = self._always_record or not self._trained
        count = len(self.arg_arrays)
        states = [array.copy() for array in self.aux_arrays]
        arrays = [*self._values[:count], *states]
        if self._random_state is None or not self._analysis.is_random:
            return self._compute(True, arrays, watched=False)
        current = random_state(self._ctx)
        set_random_state(self._ctx, self._random_state)
        try:
            return self._compute(True, arrays, watched=False)
        finally:
            set_random_state(self._ctx, current)

    @public_call
    def copy_params_from(
        self,
        arg_params: Mapping[str, NDArray],
        aux_params: Mapping[str, NDArray] | None = None,
        allow_extra_params: bool = False,
    ) -> None:
        """Copies values into arguments and auxiliary states.

        Args:
            arg_params: Values by name of the argument.
            aux_params: Values by name of the auxiliary state.
            allow_extra_params: Whether names that are not in the graph are passed over.

        Example:
            >>> import mxnet as mx
            >>> x, w = mx.sym.var("x"), mx.sym.var("w")
            >>> values = {"x": mx.nd.array([2, 3]), "w": mx.nd.array([5, 7])}
            >>> executor = (x * w).bind(mx.cpu(), values, args_grad={"w": mx.nd.zeros(2)})
            >>> executor.copy_params_from({"w": mx.nd.array([0, 1])})
            >>> print(executor.forward()[0].asnumpy())
            [0. 3.]
        """
        groups = (
            ("argument", arg_params, self.arg_dict),
            ("auxiliary state", aux_params or {}, self.aux_dict),
        )
        for role, given, known in groups:
            for name, value in given.items():
                if name in known:
                    value.astype(known[name].dtype).copyto(known[name])
                elif not allow_extra_params:
                    raise ArgumentValueError(
                        f"copy_params_from: {name!r} is no {role} of the graph"
                    )

    def set_monitor_callback(self, callback: Callback, monitor_all: bool = False) -> None:
        """Has a function called with every value that a `forward` computes.

        Args:
            callback: Takes the name of a value, as bytes, and the array.
            monitor_all: Whether it is also called with what operators read.

        Example:
            >>> import mxnet as mx
            >>> x, w = mx.sym.var("x"), mx.sym.var("w")
            >>> values = {"x": mx.nd.array([2, 3]), "w": mx.nd.array([5, 7])}
            >>> executor = mx.sym.elemwise_mul(x, w, name="product").bind(mx.cpu(), values)
            >>> executor.set_monitor_callback(lambda name, array: print(name, array.asnumpy()))
            >>> _ = executor.forward()
            b'product_output' [10. 21.]
        """
        self._monitor = Watch(self._bound.program, callback, monitor_all, self._ctx)

    def _keep_monitor(self, other: Executor) -> None:
        """Has the function called that another executor calls with what it computes, if any."""
        watch = other._monitor
        if watch is not None and watch is not self._monitor:
            self.set_monitor_callback(watch.callback, watch.show_inputs)

    @public_call
    def reshape(
        self, /, partial_shaping: bool = False, allow_up_sizing: bool = False, **kwargs: Any
    ) -> Executor:
        """Returns an executor for other shapes, on the same memory as far as that is enough.

        Args:
            partial_shaping: Whether shapes of arguments that are not given may change.
            allow_up_sizing: Whether arrays may grow, for which memory is allocated.
            **kwargs: New shapes by name of the argument.

        Example:
            >>> import mxnet as mx
            >>> net = mx.sym.FullyConnected(mx.sym.var("data"), num_hidden=2, name="fc")
            >>> executor = net.simple_bind(mx.cpu(), data=(8, 3))
            >>> smaller = executor.reshape(data=(2, 3))
            >>> smaller.outputs[0].shape
            (2, 2)
            >>> smaller.arg_dict["fc_weight"] is executor.arg_dict["fc_weight"]
            True
        """
        arrays = self._analysis.resize(self, partial_shaping, allow_up_sizing, kwargs)
        other = Executor._of(self._symbol, self._ctx, arrays, self._grad_req, self._group2ctx)
        for place, (mine, new) in enumerate(zip(self.outputs, other.outputs, strict=True)):
            if other._analysis.variable_heads[place] is None and mine.size >= new.size:
                other.outputs[place] = first_part(mine, new.shape)
        other._keep_monitor(self)
        return other

    def get_optimized_symbol(self) -> Symbol:
        """Returns the graph that is run: without what it would compute twice.

        The environment variable `MXNET_ELIMINATE_COMMON_EXPR`, as it was when the executor was
        made, keeps these operators if it is 0.

        Example:
            >>> import json
            >>> import mxnet as mx
            >>> x = mx.sym.var("x")
            >>> executor = (mx.sym.exp(x) + mx.sym.exp(x)).simple_bind(mx.cpu(), x=(2,))
            >>> optimized = executor.get_optimized_symbol()
            >>> sum(node["op"] == "exp" for node in json.loads(optimized.tojson())["nodes"])
            1
        """
        if not self._merges:
            return self._symbol
        graph = merge_repeated(self._symbol._graph)
        return type(self._symbol)._of_graph(graph, self._symbol._options)

    @property
    def _megabytes(self) -> int:
        """About how much memory the values of the graph take at a time."""
        return self._analysis.estimate_memory(any(self._needs_head)) >> 20

    def debug_str(self) -> str:
        """Describes the graph, and about how much memory its values take at a time.

        Example:
            >>> import mxnet as mx
            >>> executor = mx.sym.exp(mx.sym.var("x"), name="exp").simple_bind(mx.cpu(), x=(2,))
            >>> print(executor.debug_str().splitlines()[-2])
            Total 0 MB allocated
        """
        # Programs that plan memory read the size from the third line from the end.
        memory = f"Total {self._megabytes} MB allocated\nTotal 0 TempSpace resource requested\n"
        return self._symbol.debug_str() + memory

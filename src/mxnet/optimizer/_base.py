"""What every optimizer has: rates, multipliers, counts of updates and the registry of names."""

from __future__ import annotations

import logging
import warnings
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from operator import attrgetter, mul
from typing import Any, ClassVar, TypeVar

import torch

from mxnet._arrays.array import Array
from mxnet._frontend.dialect import make_array_like
from mxnet._start import PublicInit, did_you_mean, level_of_program, overridable, public_call
from mxnet._state.versions import rules
from mxnet.errors import (
    ArgumentTypeError,
    AttributeValueError,
    MXNetError,
    RemovedFunctionError,
    shown,
)
from mxnet.ndarray.ndarray import NDArray
from mxnet.ndarray.sparse import CSRNDArray

HALF = frozenset({torch.float16, torch.bfloat16})
_MULTIPLIERS = {name: attrgetter(name) for name in ("lr_mult", "wd_mult")}
"""What parameters have to say of their rates."""

C = TypeVar("C", bound=type)


class SchedulerInUseError(MXNetError, UserWarning):
    """The learning rate is set by hand where a schedule determines it."""


def zeros_like(weight: Array) -> NDArray:
    """Makes a state of zeros for a weight."""
    return make_array_like(weight, torch.zeros_like(weight._plain))


class Optimizer(PublicInit):
    """Base of the optimizers.

    A subclass defines `update`, and `create_state` if it has a state, and is registered by
    `@mx.optimizer.register` to be found by its name.

    Args:
        rescale_grad: Factor of every gradient, usually one over the batch size.
        param_idx2name: Name of the parameter of each index, by which multipliers are found.
        wd: Weight decay.
        clip_gradient: Largest size of an element of a gradient; None is no limit.
        learning_rate: Learning rate; 0.01 if neither it nor a schedule is given.
        lr_scheduler: Learning rate as a function of the number of updates.
        sym: Symbol whose attributes `__lr_mult__` and `__wd_mult__` are multipliers.
        begin_num_update: Number of updates made before.
        multi_precision: Whether to keep a single precision copy of half precision weights.
        param_dict: Parameters by index, whose `lr_mult` and `wd_mult` are multipliers.
        aggregate_num: Number of weights that MXNet 2 updates by one kernel; here they all are.
        use_fused_step: Which of the formulas of MXNet 2 to use, that of its kernels or that of
            `step`, where they differ; None is the formula of MXNet 1.9.1.

    Example:
        >>> import mxnet as mx
        >>> optimizer = mx.optimizer.create("sgd", learning_rate=0.5)
        >>> weight = mx.nd.array([1, 2])
        >>> optimizer.update(0, weight, mx.nd.ones(2), optimizer.create_state(0, weight))
        >>> print(weight.asnumpy())
        [0.5 1.5]
    """

    opt_registry: ClassVar[dict[str, type]] = {}

    _is_random = False
    """Whether updates draw random numbers, which differ between processes."""

    use_fused_step: bool | None = None  # of optimizers from files, too, that have none

    _takes_parts: ClassVar[bool] = True
    """Whether rows of a weight can be updated without the others, but for norms."""

    def __init__(
        self,
        rescale_grad: float = 1.0,
        param_idx2name: Mapping[Any, str] | None = None,
        wd: float = 0.0,
        clip_gradient: float | None = None,
        learning_rate: float | None = None,
        lr_scheduler: Callable[[int], float] | None = None,
        sym: Any = None,
        begin_num_update: int = 0,
        multi_precision: bool = False,
        param_dict: Mapping[Any, Any] | None = None,
        aggregate_num: int | None = None,
        use_fused_step: bool | None = None,
    ) -> None:
        self.rescale_grad = rescale_grad
        self.lr_scheduler = lr_scheduler
        if lr_scheduler is None and learning_rate is None:
            learning_rate = 0.01
        self.lr = learning_rate
        if lr_scheduler is not None and learning_rate is not None:
            _set_base_rate(lr_scheduler, learning_rate)
        self.wd = wd
        self.lr_mult: dict[Any, float] = {}
        self.wd_mult: dict[Any, float] = {}
        self.begin_num_update = begin_num_update
        self.num_update = begin_num_update
        self._all_index_update_counts: dict[int, dict[Any, int]] = {0: {}}
        self._index_update_count = self._all_index_update_counts[0]
        self.clip_gradient = clip_gradient
        self.multi_precision = multi_precision
        new_rules = rules.version > 1
        self.aggregate_num = int(new_rules) if aggregate_num is None else aggregate_num
        self.use_fused_step = False if new_rules and use_fused_step is None else use_fused_step
        if param_idx2name is None:
            param_idx2name = {}
        if not isinstance(param_idx2name, dict):
            raise ArgumentTypeError(
                "Optimizer: `param_idx2name` takes a dict of names by index, "
                f"got {type(param_idx2name).__name__}"
            )
        self.idx2name: dict[Any, str] = param_idx2name.copy()
        self.sym_info = () if sym is None else (sym.attr_dict(), sym.list_arguments())
        self.param_dict = param_dict or {}
        self.allow_np_array = False  # the original reads it from what we pickle
        self.set_lr_mult({})
        self.set_wd_mult({})

    @staticmethod
    @public_call
    def register(klass: C) -> C:
        """Registers a class under its name in lower case; can be used as a decorator.

        Args:
            klass: Subclass of `Optimizer`.

        Returns:
            The class itself.

        Example:
            >>> import mxnet as mx
            >>> @mx.optimizer.register
            ... class SignDescent(mx.optimizer.Optimizer):
            ...     def update(self, index, weight, grad, state):
            ...         weight -= self._get_lr(index) * mx.nd.sign(grad)
            >>> weight = mx.nd.array([1, 1])
            >>> optimizer = mx.optimizer.create("signdescent", learning_rate=0.5)
            >>> optimizer.update(0, weight, mx.nd.array([3, -4]), None)
            >>> print(weight.asnumpy())
            [0.5 1.5]
            >>> del mx.optimizer.Optimizer.opt_registry["signdescent"]
        """
        name = klass.__name__.lower()
        before = Optimizer.opt_registry.get(name)
        if before is not None:
            warnings.warn(
                f"optimizer {klass.__module__}.{klass.__name__} takes the name of "
                f"{before.__module__}.{before.__name__}",
                stacklevel=level_of_program(),
            )
        Optimizer.opt_registry[name] = klass
        return klass

    @staticmethod
    @public_call
    def create_optimizer(name: str, **kwargs: Any) -> Any:
        """Makes an optimizer by name, in any case of letters.

        Args:
            name: Name of a registered class.
            **kwargs: Arguments of the class.

        Raises:
            ValueError: if no optimizer has that name.

        Example:
            >>> import mxnet as mx
            >>> mx.optimizer.create("adam", learning_rate=0.01).learning_rate
            0.01
            >>> type(mx.optimizer.create("SGD", momentum=0.9)).__name__
            'SGD'
        """
        if not isinstance(name, str):
            raise ArgumentTypeError(
                f"optimizer.create: takes the name of an optimizer, got {type(name).__name__}"
            )
        cls = Optimizer.opt_registry.get(name.lower())
        if cls is None:
            known = [item for item in sorted(Optimizer.opt_registry) if item[0] != "_"]
            raise AttributeValueError(
                f"optimizer.create: no optimizer {name!r}{did_you_mean(name, known)}; "
                f"there are {', '.join(known)}"
            )
        return cls(**kwargs)

    @property
    def learning_rate(self) -> Any:
        """The current learning rate, before multipliers."""
        if self.lr_scheduler is not None:
            return self.lr_scheduler(self.num_update)
        return self.lr

    def set_learning_rate(self, lr: float) -> None:
        """Sets the learning rate.

        Raises:
            UserWarning: if a schedule determines it.
        """
        if self.lr_scheduler is not None:
            raise SchedulerInUseError(
                f"set_learning_rate: the rate of this {type(self).__name__} comes from its "
                f"lr_scheduler {type(self.lr_scheduler).__name__}; change the schedule instead"
            )
        self.lr = lr

    def set_lr_scale(self, args_lrscale: Mapping[Any, float]) -> None:
        """Raises, because `set_lr_mult` took its place."""
        raise RemovedFunctionError(f"set_lr_scale: use set_lr_mult({args_lrscale!r})")

    def set_lr_mult(self, args_lr_mult: Mapping[Any, float]) -> None:
        """Sets multipliers of the learning rate, by name or index of the parameter."""
        self.lr_mult = {**self._symbol_multipliers("__lr_mult__"), **args_lr_mult}

    def set_wd_mult(self, args_wd_mult: Mapping[Any, float]) -> None:
        """Sets multipliers of the weight decay, by name or index of the parameter.

        Parameters of known name that is not that of a weight or a gamma do not decay by default;
        under the rules of MXNet 2 they do.
        """
        exempt = [name for name in self.idx2name.values() if not name.endswith(self._decaying)]
        multipliers = dict.fromkeys(exempt if rules.version == 1 else [], 0.0)
        self.wd_mult = {**multipliers, **self._symbol_multipliers("__wd_mult__"), **args_wd_mult}

    _decaying: ClassVar[tuple[str, ...]] = ("_weight", "_gamma")
    """Ends of the names of parameters that decay."""

    def _symbol_multipliers(self, key: str) -> dict[Any, float]:
        if not self.sym_info:
            return {}
        attributes, names = self.sym_info
        return {
            name: _read_multiplier(name, key, attributes[name][key])
            for name in names
            if key in attributes.get(name, {})
        }

    @overridable
    def create_state(self, index: Any, weight: NDArray) -> Any:  # noqa: ARG002 - for subclasses
        """Makes the state of a weight: None, an array, or a tuple of such."""
        return None

    def _keeps_master(self, weight: Array) -> bool:
        """Returns whether a weight is updated by way of a single precision copy."""
        return self.multi_precision and weight._plain.dtype in HALF

    def create_state_multi_precision(self, index: Any, weight: NDArray) -> Any:
        """Makes the state of a weight and, where there is to be one, its master copy."""
        if self._keeps_master(weight):
            master = weight.astype("float32")
            if isinstance(master, CSRNDArray):
                master = master.tostype("default")
            return self._join_master(master, self.create_state(index, master))
        if weight._plain.dtype in HALF:
            warnings.warn(
                f"{type(self).__name__}: half precision states lose small updates; "
                "multi_precision=True keeps a single precision copy of the weights",
                stacklevel=level_of_program(),
            )
        return self.create_state(index, weight)

    def _join_master(self, master: NDArray, state: Any) -> Any:
        return master, state

    def _split_master(self, state: Any) -> tuple[NDArray, Any]:
        """Returns the master copy and the state of which `_join_master` made one."""
        return state[0], state[1]

    @overridable
    def step(self, indices: Any, weights: Any, grads: Any, states: Any) -> None:
        """Changes weights and their states by gradients, all in lists."""
        raise NotImplementedError(
            f"{type(self).__name__} defines neither update(index, weight, grad, state) nor "
            "step(indices, weights, grads, states)"
        )

    @overridable
    def fused_step(self, indices: Any, weights: Any, grads: Any, states: Any) -> None:
        """Does what `step` does, in other kernels; called if `use_fused_step` is true."""
        self.step(indices, weights, grads, states)

    @overridable
    def update(self, index: Any, weight: Any, grad: Any, state: Any) -> None:
        """Changes a weight and its state by the gradient; or lists of them, as in MXNet 2."""
        lists = as_lists(index, weight, grad, state)
        if self.use_fused_step:
            self.fused_step(*lists)
        else:
            self.step(*lists)

    def update_multi_precision(self, index: Any, weight: Any, grad: Any, state: Any) -> None:
        """Updates a weight, or lists, by way of the master copy where there is one."""
        many = isinstance(index, (list, tuple))
        rows = []
        for item, own, change, kept in zip(*as_lists(index, weight, grad, state), strict=True):
            row = (item, own, change, kept)
            if self._keeps_master(own):
                master, inner = self._split_master(kept)
                row = (item, master, change.astype("float32"), inner)
            rows.append(row)
        columns = map(list, zip(*rows, strict=True)) if many else rows[0]
        self.update(*columns)
        for own, row in zip(weight if many else [weight], rows, strict=True):
            if row[1] is not own:
                own._writable().copy_(row[1]._plain)

    def update_many(
        self,
        indices: Sequence[Any],
        weights: Sequence[NDArray],
        grads: Sequence[NDArray],
        states: Sequence[Any],
    ) -> None:
        """Updates several weights, each as by `update_multi_precision`.

        Optimizers that are written for MXNet 2 get lists of `aggregate_num`.
        """
        if rules.version == 1 and not self._defines_step():
            for index, weight, grad, state in zip(indices, weights, grads, states, strict=True):
                self.update_multi_precision(index, weight, grad, state)
            return
        size = max(self.aggregate_num, 1)
        for start in range(0, len(indices), size):
            part = slice(start, start + size)
            self.update_multi_precision(indices[part], weights[part], grads[part], states[part])

    def _defines_step(self) -> bool:
        """Returns whether a class of the program has one of the methods of MXNet 2."""
        cls = type(self)
        return cls.step is not Optimizer.step or cls.fused_step is not Optimizer.fused_step

    def _set_current_context(self, device_id: int) -> None:
        """Counts updates for one device from now on; replicas of a weight are updated on each."""
        self._index_update_count = self._all_index_update_counts.setdefault(device_id, {})

    def _update_count(self, index: Any) -> None:
        """Counts an update of one parameter, or of each in a list."""
        counts, begin, most = self._index_update_count, self.begin_num_update, self.num_update
        for item in index if isinstance(index, (list, tuple)) else (index,):
            count = counts[item] = counts.get(item, begin) + 1
            if count > most:
                most = count
        self.num_update = most

    def _get_lrs(self, indices: Sequence[Any]) -> list[float]:
        """Returns the learning rate of each parameter."""
        return self._multiplied(self.learning_rate, "lr_mult", indices)

    def _get_lr(self, index: Any) -> float:
        return self._get_lrs([index])[0]

    def _get_wds(self, indices: Sequence[Any]) -> list[float]:
        """Returns the weight decay of each parameter."""
        return self._multiplied(self.wd, "wd_mult", indices)

    def _get_wd(self, index: Any) -> float:
        return self._get_wds([index])[0]

    def _multiplied(self, rate: Any, name: str, indices: Sequence[Any]) -> list[Any]:
        """Returns a rate times the multiplier of each parameter.

        Args:
            rate: The rate.
            name: `"lr_mult"` or `"wd_mult"`, an attribute of parameters and a table of others.
            indices: The parameters; tables have them by index or by name.
        """
        parameters, names = self.param_dict, self.idx2name
        try:  # all have one, with a trainer; then this takes a third of the time
            listed = map(parameters.__getitem__, indices)
            return [*map(partial(mul, rate), map(_MULTIPLIERS[name], listed))]
        except KeyError:
            pass
        table: dict[Any, float] = getattr(self, name)
        rates = []
        for index in indices:
            parameter = parameters.get(index)
            if parameter is not None:
                rates.append(rate * getattr(parameter, name))
            elif index in table:
                rates.append(rate * table[index])
            else:
                rates.append(rate * (table.get(names[index], 1.0) if index in names else 1.0))
        return rates

    def __getstate__(self) -> dict[str, Any]:
        state = self.__dict__.copy()
        state.pop("param_dict", None)  # parameters belong to the network, not to its optimizer
        return state

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        self.param_dict = {}


def as_lists(*items: Any) -> list[list[Any]]:
    """Returns lists of what was given for one weight or for several: the first says which."""
    many = isinstance(items[0], (list, tuple))
    return [list(item) if many else [item] for item in items]


def _set_base_rate(schedule: Any, learning_rate: float) -> None:
    if getattr(schedule, "base_lr", learning_rate) != learning_rate:
        logging.warning(
            "optimizer: learning_rate %s takes the place of base_lr %s of its lr_scheduler",
            learning_rate,
            schedule.base_lr,
        )
    schedule.base_lr = learning_rate


def _read_multiplier(name: str, key: str, text: str) -> float:
    try:
        return float(text)
    except ValueError as error:
        raise AttributeValueError(
            f"Optimizer: {key} of {shown(name)} takes a number, got {shown(text)}"
        ) from error


register = Optimizer.register
create = Optimizer.create_optimizer


def choose_formula(options: dict[str, Any], *given: Any) -> dict[str, Any]:
    """Returns options that ask for the formula of MXNet 2 if an argument is given that it has."""
    if all(value is None for value in given):
        return options
    return {"use_fused_step": True, **options}

"""Turns mixed precision on, and scales the losses of trainers: `mx.contrib.amp.amp`."""

from __future__ import annotations

import logging
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from threading import Lock
from typing import Any, NamedTuple

import torch

from mxnet import optimizer as opt
from mxnet._formats.element_types import BFLOAT16_NUMPY
from mxnet._start import tracebacks
from mxnet.contrib.amp._conversion import convert_bucketing_module as convert_bucketing_module
from mxnet.contrib.amp._conversion import convert_hybrid_block as convert_hybrid_block
from mxnet.contrib.amp._conversion import convert_model as convert_model
from mxnet.contrib.amp._conversion import convert_symbol as convert_symbol
from mxnet.contrib.amp._function_lists import CLASSIC, FunctionLists, low_precision
from mxnet.contrib.amp._function_lists import list_conditional_fp32_ops as list_conditional_fp32_ops
from mxnet.contrib.amp._function_lists import list_fp32_ops as list_fp32_ops
from mxnet.contrib.amp._function_lists import (
    list_loss_output_functions as list_loss_output_functions,
)
from mxnet.contrib.amp._function_lists import list_lp16_fp32_ops as list_lp16_fp32_ops
from mxnet.contrib.amp._function_lists import list_lp16_ops as list_lp16_ops
from mxnet.contrib.amp._function_lists import list_lp16_use_fp32_params as list_lp16_use_fp32_params
from mxnet.contrib.amp._function_lists import list_widest_type_cast as list_widest_type_cast
from mxnet.contrib.amp.loss_scaler import LossScaler as LossScaler
from mxnet.errors import CheckFailedError, MXNetError, UnsupportedTypeError
from mxnet.gluon import Trainer
from mxnet.ops.core.precision import Policy, Rule, put_in_force, retire
from mxnet.ops.core.registry import Op, all_names

bfloat16 = BFLOAT16_NUMPY


class UnknownFunctionError(MXNetError, AttributeError):
    """A list names a function that does not exist."""


class _Initialized:
    """Whether mixed precision is on, and the scaler that belongs to the first trainer.

    Attributes:
        scaler: The scaler, None before `init`.
        given_away: Whether a trainer has it.
    """

    def __init__(self) -> None:
        self.scaler: LossScaler | None = None
        self.given_away = False
        self.lock = Lock()

    def scaler_for_trainer(self) -> LossScaler | None:
        """Returns a scaler that no other trainer has, None before `init`."""
        with self.lock:
            if self.scaler is None or not self.given_away:
                self.given_away = self.scaler is not None
                return self.scaler
            return LossScaler()

    def reset(self) -> None:
        """Turns mixed precision off, which tests do; programs have no way to."""
        with self.lock:
            retire()
            self.scaler, self.given_away = None, False


initialized = _Initialized()


def init(
    target_dtype: Any = "float16",
    target_precision_ops: Sequence[str] | None = None,
    conditional_fp32_ops: Sequence[tuple[str, str, Sequence[str]]] | None = None,
    fp32_ops: Sequence[str] | None = None,
) -> None:
    """Turns mixed precision on, for the rest of the process and all of its threads.

    From then on functions on arrays convert what they are given, and functions on symbols put
    conversions into the graph. Parameters stay in float32, and so do their gradients. Call it
    before networks are made; a second call does nothing.

    Args:
        target_dtype: The low precision, `"float16"` or `"bfloat16"`.
        target_precision_ops: Functions that compute in it, in place of `list_lp16_ops`.
        conditional_fp32_ops: Functions that compute in float32 if an attribute has one of some
            values: name, attribute, values; in place of `list_conditional_fp32_ops`.
        fp32_ops: Functions that compute in float32, in place of `list_fp32_ops`.

    Raises:
        UnknownFunctionError: if there is no function of a name that was given.
    """
    turn_on(CLASSIC, target_dtype, target_precision_ops, conditional_fp32_ops, fp32_ops)


def turn_on(
    functions: FunctionLists,
    target_dtype: Any,
    low_names: Sequence[str] | None,
    conditional: Sequence[tuple[str, str, Sequence[str]]] | None,
    full_names: Sequence[str] | None,
) -> None:
    """Does what `init` does, with the lists of a version of MXNet."""
    low = low_precision(target_dtype, "init")
    with initialized.lock:
        if initialized.scaler is not None:
            return
        scaler = LossScaler()
        policy = Policy(
            low,
            _make_rules(functions, low, low_names, conditional, full_names),
            frozenset(op for _, op in _find(functions.find("list_loss_output_functions", low))),
            lambda: scaler.loss_scale,
            _warn_of_graph,
        )
        logging.info("Using AMP")
        put_in_force(policy)
        initialized.scaler = scaler


def _warn_of_graph(name: str) -> None:
    logging.warning(
        "%s does not support dynamic loss scaling in symbolic and hybridized execution.", name
    )


def _make_rules(
    functions: FunctionLists,
    low: torch.dtype,
    low_names: Sequence[str] | None,
    conditional: Sequence[tuple[str, str, Sequence[str]]] | None,
    full_names: Sequence[str] | None,
) -> dict[Op, Rule]:
    """Returns the rules by operator, from lists of names and the defaults for those not given."""
    conditional_names = [row[0] for row in conditional or ()]
    _check_names([*(low_names or ()), *(full_names or ()), *conditional_names])
    full = Rule(torch.float32)
    rows = [_Row(name, Rule(None)) for name in functions.find("list_widest_type_cast", low)]
    default = functions.find("list_conditional_fp32_ops", low)
    for name, attribute, values in _or(conditional, default):
        rule = Rule(torch.float32, attribute, frozenset(values))
        rows.append(_Row(name, rule, conditional is not None))
    given = full_names is not None
    default = functions.find("list_fp32_ops", low)
    rows += [_Row(name, full, given) for name in _or(full_names, default)]
    given = low_names is not None
    rows += [_Row(name, Rule(low), given) for name in _or(low_names, functions.low_names(low))]
    rules: dict[Op, Rule] = {}
    for row in sorted(rows, key=_Row.counts):
        op = all_names().get(row.name)
        if op is not None and not op.mutates:  # an optimizer's, which writes to what it is given
            rules[op] = row.rule
    return rules


class _Row(NamedTuple):
    """A rule for a name; where an operator has several, the last in the order of the lists."""

    name: str
    rule: Rule
    given: bool = False

    def counts(self) -> bool:
        """Returns whether it has precedence: the defaults sort some aliases unlike the operator."""
        op = all_names().get(self.name)
        return self.given or (op is not None and op.name == self.name)


def _or(given: Sequence[Any] | None, default: Sequence[Any]) -> Sequence[Any]:
    return default if given is None else given


def _check_names(names: Iterable[str]) -> None:
    unknown = [name for name in names if name not in all_names()]
    if unknown:
        raise UnknownFunctionError(f"amp.init: there is no function {', '.join(unknown)}")


def _find(names: Iterable[str]) -> list[tuple[str, Op]]:
    operators = all_names()
    return [(name, operators[name]) for name in names if name in operators]


def init_trainer(optimizer_or_trainer: Trainer) -> None:
    """Makes a trainer follow a loss scale: it skips steps whose gradients are not finite.

    Args:
        optimizer_or_trainer: The trainer; optimizers are refused, as in the original.

    Raises:
        CheckFailedError: if `init` was not called.
        UnsupportedTypeError: if it is not a trainer.
    """
    scaler = initialized.scaler_for_trainer()
    if scaler is None:
        raise CheckFailedError("init_trainer: mixed precision is not on; call amp.init() before")
    trainer = _require_trainer(optimizer_or_trainer, "init_trainer")
    trainer._amp_loss_scaler = scaler
    trainer._amp_original_scale = trainer._scale


@contextmanager
def scale_loss(loss: Any, optimizer_or_trainer: Trainer) -> Iterator[Any]:
    """Multiplies a loss, or each of a list, by the scale of a trainer.

    The trainer divides by it in its next step.

    Args:
        loss: An array, or a list of arrays.
        optimizer_or_trainer: A trainer for which `init_trainer` was called.

    Raises:
        CheckFailedError: if it was not.

    Example:
        >>> import mxnet as mx
        >>> from mxnet.contrib import amp
        >>> def step(net, trainer, data, labels, loss):
        ...     with mx.autograd.record():
        ...         error = loss(net(data), labels)
        ...         with amp.scale_loss(error, trainer) as scaled:
        ...             mx.autograd.backward(scaled)
        ...     trainer.step(len(data))
    """
    scaler = getattr(optimizer_or_trainer, "_amp_loss_scaler", None)
    if scaler is None:
        raise CheckFailedError(
            "scale_loss: the trainer has no scale; call amp.init_trainer() before"
        )
    scale = scaler.loss_scale
    optimizer_or_trainer._scale = optimizer_or_trainer._amp_original_scale / scale
    if isinstance(loss, (list, tuple)):
        yield [item * scale for item in loss]
    else:
        yield scale * loss


def unscale(optimizer_or_trainer: Trainer) -> None:
    """Divides the gradients of a trainer by the scale of the loss, for code that looks at them.

    Args:
        optimizer_or_trainer: The trainer, after a backward pass of `scale_loss`.

    Raises:
        UnsupportedTypeError: if it is not a trainer.
    """
    trainer = _require_trainer(optimizer_or_trainer, "unscale")
    for parameter in trainer._params:
        for gradient in parameter._grad or ():
            gradient[:] *= trainer._scale
    trainer._scale = 1.0


def _require_trainer(value: Any, where: str) -> Trainer:
    if isinstance(value, Trainer):
        return value
    if isinstance(value, opt.Optimizer):
        raise UnsupportedTypeError(f"{where}: takes a gluon Trainer, optimizers are not supported")
    raise UnsupportedTypeError(f"{where}: takes a gluon Trainer, got {type(value)}")


def __getattr__(name: str) -> bool:
    """Returns `_amp_initialized`: whether mixed precision is on now, which programs look up."""
    if name == "_amp_initialized":
        return initialized.scaler is not None
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


tracebacks.public_functions(globals())

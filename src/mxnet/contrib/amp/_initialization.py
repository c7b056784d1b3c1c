"""Turns mixed precision on: makes a policy of the lists of functions and puts it in force."""

from __future__ import annotations

import logging
from collections.abc import Iterable, Sequence
from threading import Lock
from typing import Any, NamedTuple

import torch

from mxnet.contrib.amp._function_lists import (
    default_low_names,
    list_conditional_fp32_ops,
    list_fp32_ops,
    list_loss_output_functions,
    list_widest_type_cast,
    low_precision,
)
from mxnet.contrib.amp.loss_scaler import LossScaler
from mxnet.errors import MXNetError
from mxnet.ops.core.precision import Policy, Rule, put_in_force, retire
from mxnet.ops.core.registry import Op, all_names


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
    low = low_precision(target_dtype, "init")
    with initialized.lock:
        if initialized.scaler is not None:
            return
        scaler = LossScaler()
        policy = Policy(
            low,
            _make_rules(low, target_precision_ops, conditional_fp32_ops, fp32_ops),
            frozenset(op for _, op in _find(list_loss_output_functions(low))),
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
    low: torch.dtype,
    low_names: Sequence[str] | None,
    conditional: Sequence[tuple[str, str, Sequence[str]]] | None,
    full_names: Sequence[str] | None,
) -> dict[Op, Rule]:
    """Returns the rules by operator, from lists of names and the defaults for those not given."""
    conditional_names = [row[0] for row in conditional or ()]
    _check_names([*(low_names or ()), *(full_names or ()), *conditional_names])
    full = Rule(torch.float32)
    rows = [_Row(name, Rule(None)) for name in list_widest_type_cast(low)]
    for name, attribute, values in _or(conditional, list_conditional_fp32_ops(low)):
        rule = Rule(torch.float32, attribute, frozenset(values))
        rows.append(_Row(name, rule, conditional is not None))
    given = full_names is not None
    rows += [_Row(name, full, given) for name in _or(full_names, list_fp32_ops(low))]
    given = low_names is not None
    rows += [_Row(name, Rule(low), given) for name in _or(low_names, default_low_names(low))]
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

"""Mixed precision: what operators compute in while `mx.contrib.amp` is initialized.

A policy has a rule for some operators: compute in the low precision, in float32, or in the widest
precision among the inputs. Callers of operators ask it which inputs to convert: the frontend of
arrays converts arrays (`_invoke.py`), that of symbols adds nodes (`symbol/_compose.py`). So a
graph has its conversions like any other operators, and plans for graphs need not know of policies.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import torch

from mxnet.ops.interposing import add_detour, remove_detour
from mxnet.ops.registry import Op

CONVERTIBLE = (torch.float16, torch.bfloat16, torch.float32)
"""Dtypes that mixed precision converts; arrays of any other stay as they are."""


@dataclass(frozen=True, slots=True)
class Rule:
    """What an operator computes in.

    Attributes:
        dtype: What its inputs are converted to; None stands for the widest dtype among them.
        attribute: Name of an attribute on whose value the rule depends, "" if it always applies.
        values: The values with which it applies.
    """

    dtype: torch.dtype | None
    attribute: str = ""
    values: frozenset[str] = frozenset()

    def applies(self, op: Op, attrs: Mapping[str, Any]) -> bool:
        """Returns whether the rule is for a call with these attributes."""
        if not self.attribute:
            return True
        default = op.attrs[self.attribute].default if self.attribute in op.attrs else None
        return str(attrs.get(self.attribute, default)) in self.values


_WIDEST = Rule(None)


@dataclass(frozen=True, slots=True, eq=False)
class Policy:
    """Rules of mixed precision.

    Attributes:
        low: The low precision.
        rules: Rules by operator; operators without one compute in what they are given.
        losses: Operators that start the backward pass and scale it by `grad_scale`.
        loss_scale: Returns what the gradients of these are to be multiplied by.
        warn: Is called with the name of one of these where a graph cannot follow a changing scale.
    """

    low: torch.dtype
    rules: Mapping[Op, Rule]
    losses: frozenset[Op]
    loss_scale: Callable[[], float]
    warn: Callable[[str], None]

    def rule_for(self, op: Op, attrs: Mapping[str, Any]) -> Rule | None:
        """Returns the rule for a call, None if its inputs stay as they are."""
        rule = self.rules.get(op)
        return rule if rule is not None and rule.applies(op, attrs) else None

    def rule_for_mixed(self, op: Op, dtypes: Sequence[torch.dtype | None]) -> Rule | None:
        """Returns the rule for a call of an operator without one, if it would get mixed dtypes.

        So a layer whose parameters are float32 may follow one that computes in low precision.
        """
        if op.strict_dtypes or op.mutates:
            return None
        names = [item.name for item in op.inputs]
        shared = {
            dtype
            for place, dtype in enumerate(dtypes)
            if dtype is not None and names[0 if op.variadic else place] not in op.any_dtype
        }
        return _WIDEST if len(shared) > 1 and shared.issubset(CONVERTIBLE) else None

    def target(
        self, rule: Rule, op: Op, dtypes: Sequence[torch.dtype | None]
    ) -> Callable[[int], torch.dtype | None]:
        """Returns a function that says what the input at a position is converted to, if at all.

        Args:
            rule: The rule for the call.
            op: The operator.
            dtypes: Dtypes of its inputs, None for a missing one.
        """
        dtype = rule.dtype
        if dtype is None:
            dtype = torch.float32 if torch.float32 in dtypes else self.low

        def of_input(position: int) -> torch.dtype | None:
            now = dtypes[position]
            name = op.inputs[0 if op.variadic else position].name
            if now is dtype or now not in CONVERTIBLE or is_kept(op, rule, name):
                return None
            return dtype

        return of_input


def is_kept(op: Op, rule: Rule, name: str) -> bool:
    """Returns whether an input is never converted: a state, or a parameter kept in float32."""
    if name in op.aux:
        return True
    return rule.dtype is not torch.float32 and name in op.traits.types.statistics


in_force: list[Policy] = []
"""The policy of the process, if there is one."""


def put_in_force(policy: Policy) -> None:
    """Makes all calls of operators follow a policy, in every thread, from now on."""
    retire()
    # Small operators of two arrays look at their dtypes themselves, and need a rule for the widest
    # only where these differ.
    add_detour(
        policy,
        [
            op
            for op, rule in policy.rules.items()
            if rule.dtype is not None or op.strict_dtypes or len(op.inputs) == 1
        ],
    )
    in_force.append(policy)


def retire() -> None:
    """Ends mixed precision."""
    while in_force:
        remove_detour(in_force.pop())

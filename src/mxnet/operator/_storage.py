"""How the arrays of an operator written in Python are stored."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

DENSE = "default"


@dataclass(frozen=True)
class Storage:
    """Storage types of the arrays of one use; what is not named is dense."""

    inputs: Sequence[str] = ()
    outputs: Sequence[str] = ()
    states: Sequence[str] = ()
    out_grads: Sequence[str] = ()
    in_grads: Sequence[str] = ()

    @classmethod
    def found(cls, prop: Any, stypes: Sequence[str]) -> Storage:
        """Asks what is known of an operator how it stores arrays, given its inputs."""
        inputs, outputs, *rest = prop.infer_storage_type(list(stypes))
        states = rest[0] if rest else []
        heads = [DENSE] * len(outputs)
        gradients = ["undefined"] * len(inputs)
        groups = prop.infer_storage_type_backward(
            heads, list(inputs), list(outputs), gradients, list(states)
        )
        return cls(inputs, outputs, states, groups[0], groups[3])

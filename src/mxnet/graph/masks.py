"""A pass for training: masks that are drawn to choose between two arrays, as zoneout does.

`where(Dropout(ones_like(x)), new, old)` draws a mask of numbers, scales it and compares it with
zero again. The mask alone is drawn here, from the same stream of random numbers.
"""

from __future__ import annotations

import torch
from torch import Tensor

from mxnet.graph.calls import Call, CallGraph
from mxnet.graph.lower import Setting
from mxnet.graph.passes import attribute, role_of
from mxnet.ops.nn.layouts import require_floating


def draw_masks(graph: CallGraph, setting: Setting) -> None:
    """Lets dropout of ones draw whether each element is kept, where nobody asks for more."""
    if setting.device.type != "cpu":  # other devices draw other numbers for another dtype
        return
    for node in graph.calls_of(lambda op: op.traits.role == "dropout"):
        ones = node.args[0]
        if role_of(ones) == "ones" and _is_drawn(node, setting) and _is_condition(node):
            node.target, node.args = _draw_mask, ones.args


def _is_drawn(node: Call, setting: Setting) -> bool:
    """Returns whether dropout drops each element by itself, but not all of them."""
    is_on = setting.training or attribute(node, "mode") == "always"
    return is_on and 0 < attribute(node, "p") < 1 and not attribute(node, "axes")


def _is_condition(node: Call) -> bool:
    """Returns whether a result is read by nothing but selections, which ask if it is zero."""
    return all(role_of(user) == "selection" and node not in user.args[1:] for user in node.users)


def _draw_mask(
    data: Tensor, *, p: float = 0.5, generator: torch.Generator | None = None, **_: object
) -> Tensor:
    """Returns whether each element is kept."""
    require_floating("Dropout", data)
    mask = torch.empty(data.shape, dtype=torch.bool, device=data.device)
    return mask.bernoulli_(1 - p, generator=generator)

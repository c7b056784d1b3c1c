"""The state of the random generator of a context, to draw the same numbers once more."""

from __future__ import annotations

import torch
from torch import Tensor

from mxnet import _rng
from mxnet.context import Context, torch_device


def random_state(ctx: Context) -> Tensor:
    """Returns the state of the random generator of a context."""
    generator = _rng.generator_for(ctx.device_type, ctx.device_id)
    if generator is not None:
        return generator.get_state()
    device = torch_device(ctx)
    if device.type == "cpu":
        return torch.get_rng_state()
    state: Tensor = torch.get_device_module(device).get_rng_state(device)
    return state


def set_random_state(ctx: Context, state: Tensor) -> None:
    """Sets the state of the random generator of a context."""
    generator = _rng.generator_for(ctx.device_type, ctx.device_id)
    device = torch_device(ctx)
    if generator is not None:
        generator.set_state(state)
    elif device.type == "cpu":
        torch.set_rng_state(state)
    else:
        torch.get_device_module(device).set_rng_state(state, device)

"""Recurrent layers in training on the CPU: one node of autograd for all steps of a layer.

torch records each step of a GRU or a plain network by itself, and adds the gradients of the weights
up step by step. Here they are one product each, and a step is a handful of calls into memory that
is allocated once.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import torch
from torch import Tensor


def run_layer(
    data: Tensor, cells: Sequence[Sequence[Tensor]], states: Tensor, mode: str
) -> tuple[Tensor, Tensor]:
    """Runs a layer, in one or both directions, and returns its outputs and last states.

    Args:
        data: Of shape `(time, batch, input)`.
        cells: For each direction the weights for data and state, and the biases.
        states: First states, of shape `(directions, batch, size)`.
        mode: `gru`, `rnn_tanh` or `rnn_relu`.
    """
    outputs, last = [], []
    for direction, cell in enumerate(cells):
        given = data.flip(0) if direction else data
        layer: Any = _GatedLayer if mode == "gru" else _PlainLayer
        result = layer.apply(given, states[direction], *cell, mode)
        last.append(result[-1])
        outputs.append(result.flip(0) if direction else result)
    joined = outputs[0] if len(outputs) == 1 else torch.cat(outputs, 2)
    return joined, torch.stack(last)


def is_recorded_on_host(data: Tensor, parameters: Tensor, states: Sequence[Tensor]) -> bool:
    """Returns whether a layer of these arrays is trained on the CPU."""
    return (
        data.is_cpu
        and data.dtype == parameters.dtype
        and data.dtype in (torch.float32, torch.float64)
        and data.numel() > 0
        and torch.is_grad_enabled()
        and any(item.requires_grad for item in (parameters, data, *states))
        and not torch.compiler.is_compiling()
    )


_BY_STEPS: dict[str, Callable[..., tuple[Tensor, ...]]] = {
    "gru": torch.gru,
    "rnn_relu": torch.rnn_relu,
    "rnn_tanh": torch.rnn_tanh,
}


def _differentiate_twice(ctx: Any, head: Tensor, mode: str) -> tuple[Tensor | None, ...]:
    """Returns gradients that can be differentiated themselves: those of torch's own steps."""
    data, hidden, *cell = ctx.saved_tensors[:6]
    options = (True, 1, 0.0, True, False, False)
    states = _BY_STEPS[mode](data, hidden.unsqueeze(0), cell, *options)[0]
    inputs = (data, hidden, *cell)
    wanted = [item for item in inputs if item.requires_grad]
    gradients = torch.autograd.grad(states, wanted, head, create_graph=True)
    by_input = dict(zip(map(id, wanted), gradients, strict=True))
    return (*(by_input.get(id(item)) for item in inputs), None)


class _GatedLayer(torch.autograd.Function):
    """One direction of a layer of gated recurrent units."""

    @staticmethod
    def forward(
        ctx: Any,
        data: Tensor,
        hidden: Tensor,
        weight: Tensor,
        hidden_weight: Tensor,
        bias: Tensor,
        hidden_bias: Tensor,
        mode: str,
    ) -> Tensor:
        """Returns the hidden states after all steps.

        Args:
            ctx: What `backward` will know.
            data: Of shape `(time, batch, input)`.
            hidden: First hidden state, of shape `(batch, size)`.
            weight: Of shape `(3 * size, input)`, for the gates reset, update and new.
            hidden_weight: Of shape `(3 * size, size)`.
            bias: Of shape `(3 * size,)`.
            hidden_bias: Of shape `(3 * size,)`.
            mode: Which layer it is.
        """
        ctx.mode = mode
        steps, batch, _ = data.shape
        size = hidden.shape[1]
        # Both biases of the gates are added at once; of a new state the reset gate divides them.
        joint = torch.cat((bias[: 2 * size] + hidden_bias[: 2 * size], bias[2 * size :]))
        given = torch.addmm(joint, data.reshape(steps * batch, -1), weight.t())
        fresh_bias = hidden_bias[2 * size :].expand(steps * batch, size)
        by_state = torch.cat((given[:, : 2 * size], fresh_bias), 1).view(steps, batch, 3 * size)
        new = given.view(steps, batch, 3 * size)[..., 2 * size :]
        rows = zip(
            by_state.unbind(),
            by_state[..., : 2 * size].unbind(),
            *(part.unbind() for part in by_state.view(steps, batch, 3, size).unbind(2)),
            new.unbind(),
            strict=True,
        )
        state, transposed, results = hidden, hidden_weight.t(), []
        for whole, gates, reset, update, recalled, fresh in rows:
            whole.addmm_(state, transposed)
            gates.sigmoid_()
            fresh.addcmul_(reset, recalled).tanh_()
            state = torch.lerp(fresh, state, update)
            results.append(state)
        states = torch.stack(results)
        inputs = (data, hidden, weight, hidden_weight, bias, hidden_bias)
        ctx.save_for_backward(*inputs, by_state, new, states)
        return states

    @staticmethod
    def backward(ctx: Any, head: Tensor) -> tuple[Tensor | None, ...]:
        """Returns the gradients of the inputs."""
        if torch.is_grad_enabled():
            return _differentiate_twice(ctx, head, ctx.mode)
        data, hidden, weight, hidden_weight, _, _, by_state, new, states = ctx.saved_tensors
        steps, batch, size = states.shape
        before = torch.cat((hidden.unsqueeze(0), states[:-1]))
        reset, update, recalled = by_state.view(steps, batch, 3, size).unbind(2)
        of_new = (1 - update).addcmul_(new * new, 1 - update, value=-1)
        slopes = _find_slopes(of_new, before, new, (reset, update, recalled))
        flows = head.clone(memory_format=torch.contiguous_format)
        flow = torch.zeros_like(hidden)
        changes = slopes.view(steps, batch, 4 * size)[..., : 3 * size]
        rows = zip(
            flows.unbind(),
            flows.unsqueeze(2).unbind(),
            slopes.unbind(),
            changes.unbind(),
            slopes[:, :, 3].unbind(),
            strict=True,
        )
        for total, wide, all_slopes, change, kept in reversed(list(rows)):
            total.add_(flow)
            all_slopes.mul_(wide)
            flow = torch.addmm(kept, change, hidden_weight)
        by_hidden = changes.reshape(steps * batch, 3 * size)
        by_data = torch.cat((by_hidden[:, : 2 * size], (flows * of_new).view(-1, size)), 1)
        inputs = data.reshape(steps * batch, -1)
        bias = by_data.sum(0)
        return (
            (by_data @ weight).view(data.shape) if ctx.needs_input_grad[0] else None,
            flow,
            by_data.t() @ inputs,
            by_hidden.t() @ before.view(steps * batch, size),
            bias,
            torch.cat((bias[: 2 * size], by_hidden[:, 2 * size :].sum(0))),
            None,
        )


def _find_slopes(of_new: Tensor, before: Tensor, new: Tensor, by_state: Sequence[Tensor]) -> Tensor:
    """Returns the slopes of all gates before their activations, by the state after each step.

    Args:
        of_new: Slope of the new state.
        before: States before all steps.
        new: New states, which are mixed with those before.
        by_state: Reset gates, update gates and what is recalled of the states before.

    Returns:
        Of shape `(time, batch, 4, size)`; the last is that of the state before.
    """
    reset, update, recalled = by_state
    slopes = new.new_empty(*new.shape[:2], 4, new.shape[2])
    torch.mul(of_new * recalled, reset * (1 - reset), out=slopes[:, :, 0])
    torch.mul(before - new, update * (1 - update), out=slopes[:, :, 1])
    torch.mul(of_new, reset, out=slopes[:, :, 2])
    slopes[:, :, 3] = update
    return slopes


class _PlainLayer(torch.autograd.Function):
    """One direction of a layer of plain recurrent units, with tanh or the rectifier."""

    @staticmethod
    def forward(
        ctx: Any,
        data: Tensor,
        hidden: Tensor,
        weight: Tensor,
        hidden_weight: Tensor,
        bias: Tensor,
        hidden_bias: Tensor,
        mode: str,
    ) -> Tensor:
        """Returns the hidden states after all steps; the arguments are those of a gated layer."""
        steps, batch, _ = data.shape
        flat = torch.addmm(bias + hidden_bias, data.reshape(steps * batch, -1), weight.t())
        states = flat.view(steps, batch, -1)
        state, transposed = hidden, hidden_weight.t()
        for row in states.unbind():
            row.addmm_(state, transposed)
            state = row.relu_() if mode == "rnn_relu" else row.tanh_()
        ctx.save_for_backward(data, hidden, weight, hidden_weight, bias, hidden_bias, states)
        ctx.mode = mode
        return states

    @staticmethod
    def backward(ctx: Any, head: Tensor) -> tuple[Tensor | None, ...]:
        """Returns the gradients of the inputs."""
        if torch.is_grad_enabled():
            return _differentiate_twice(ctx, head, ctx.mode)
        data, hidden, weight, hidden_weight, _, _, states = ctx.saved_tensors
        steps, batch, size = states.shape
        before = torch.cat((hidden.unsqueeze(0), states[:-1]))
        slopes = (states > 0).to(states.dtype) if ctx.mode == "rnn_relu" else 1 - states * states
        changes = torch.empty_like(states)
        flow = torch.zeros_like(hidden)
        rows = zip(head.unbind(), slopes.unbind(), changes.unbind(), strict=True)
        for given, slope, change in reversed(list(rows)):
            torch.mul(flow.add_(given), slope, out=change)
            flow = change @ hidden_weight
        by_data = changes.view(steps * batch, size)
        bias = by_data.sum(0)
        return (
            (by_data @ weight).view(data.shape) if ctx.needs_input_grad[0] else None,
            flow,
            by_data.t() @ data.reshape(steps * batch, -1),
            by_data.t() @ before.view(steps * batch, size),
            bias,
            bias,
            None,
        )

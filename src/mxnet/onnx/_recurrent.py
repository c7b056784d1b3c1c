"""Recurrent networks: the operator `RNN` of several layers, and those of ONNX of one layer each.

A node of ONNX becomes an operator `RNN` where that computes the same, else it is written step by
step.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as onp

from mxnet.errors import shown
from mxnet.onnx._export import builder
from mxnet.onnx._export.builder import Builder
from mxnet.onnx._import.nodes import Array, Node, Value, np, npx, sym
from mxnet.onnx._table import Attrs, NotExportableError, Out, converts, imports
from mxnet.ops.nn.rnn import Plan, parameter_shapes


class _Cell(NamedTuple):
    """How ONNX has a kind of cell.

    Attributes:
        op_type: Its operator.
        gates: Where each of ONNX's gates stands among ours.
        activations: Functions of the gates.
        options: Attributes of the operator.
    """

    op_type: str
    gates: tuple[int, ...]
    activations: list[str]
    options: dict[str, int]


_CELLS = {
    "lstm": _Cell("LSTM", (0, 3, 1, 2), ["Sigmoid", "Tanh", "Tanh"], {}),
    "gru": _Cell("GRU", (1, 0, 2), ["Sigmoid", "Tanh"], {"linear_before_reset": 1}),
    "rnn_tanh": _Cell("RNN", (0,), ["Tanh"], {}),
    "rnn_relu": _Cell("RNN", (0,), ["Relu"], {}),
}
_USUAL = {cell.op_type: cell for cell in (_CELLS["lstm"], _CELLS["gru"], _CELLS["rnn_tanh"])}
"""Cells of ONNX's operators where nothing else is said."""


@converts("RNN")
def _rnn(
    b: Builder,
    data: builder.Value,
    parameters: builder.Value,
    *others: builder.Value | None,
    attrs: Attrs,
    out: Out,
) -> list[builder.Value]:
    state, state_cell, sequence_length = others
    if attrs.projection_size:
        raise NotExportableError("ONNX has no LSTM with projection; leave projection_size out")
    if attrs.lstm_state_clip_min is not None or attrs.lstm_state_clip_max is not None:
        raise NotExportableError("ONNX's LSTM does not clip its cell state; leave the limits out")
    plan = Plan(attrs.mode, attrs.state_size, attrs.num_layers, 1 + attrs.bidirectional, None)
    cells = _unpack(b, parameters, plan, data.length(2))
    lengths = None
    if attrs.use_sequence_length and sequence_length is not None:
        lengths = b.cast(sequence_length, "int32")
    batch = b.lengths(data, [1])
    states = [
        _split_state(b, item, plan, batch) for item in (state, state_cell) if item is not None
    ]
    finals: list[list[builder.Value]] = []
    for layer in range(attrs.num_layers):
        part = slice(layer * plan.directions, (layer + 1) * plan.directions)
        data, *final = _layer(b, data, cells[part], [item[layer] for item in states], lengths, plan)
        finals.append(final)
    joined = [b.concat(list(items), 0) for items in zip(*finals, strict=True)]
    return [data, *joined][: len(out.shapes)]


def _unpack(
    b: Builder, parameters: builder.Value, plan: Plan, input_size: int
) -> list[list[builder.Value]]:
    """Cuts the vector into weights and biases of each layer and direction."""
    weights, biases = parameter_shapes(plan, input_size)
    order, place = _CELLS[plan.mode].gates, 0
    pieces = []
    for shape in (*weights, *biases):
        size = int(onp.prod(shape))
        pieces.append(_piece(b, parameters, place, shape, order))
        place += size
    matrices, vectors = pieces[: len(weights)], pieces[len(weights) :]
    return [
        [*matrices[2 * cell : 2 * cell + 2], *vectors[2 * cell : 2 * cell + 2]]
        for cell in range(plan.num_layers * plan.directions)
    ]


def _piece(
    b: Builder, parameters: builder.Value, place: int, shape: Sequence[int], order: Sequence[int]
) -> builder.Value:
    """Returns a weight or bias with its gates in ONNX's order."""
    size, rows = int(onp.prod(shape)), shape[0] // len(order)
    indices = onp.concatenate([onp.arange(gate * rows, (gate + 1) * rows) for gate in order])
    if parameters.array is not None:
        flat = parameters.array.reshape(-1)[place : place + size]
        return b.parameter(b.new_name("weight"), flat.reshape(shape)[indices])
    flat_part = b.slice(parameters, [place], [place + size], [0])
    return b.gather(b.reshape(flat_part, list(shape)), b.ints(indices.tolist()), 0)


def _split_state(
    b: Builder, state: builder.Value, plan: Plan, batch: builder.Value
) -> list[builder.Value]:
    """Cuts a first state into those of the layers; one without a batch is repeated."""
    sizes = b.concat([b.ints([plan.num_layers * plan.directions]), batch, b.ints([1])], 0)
    whole = b.op("Expand", state, sizes)
    return b.split(whole, [plan.directions] * plan.num_layers, 0)


def _layer(
    b: Builder,
    data: builder.Value,
    cells: Sequence[Sequence[builder.Value]],
    states: Sequence[builder.Value],
    lengths: builder.Value | None,
    plan: Plan,
) -> list[builder.Value]:
    """Writes one layer.

    Returns:
        Its output of shape `(time, batch, directions * size)`, and the last states.
    """
    cell = _CELLS[plan.mode]
    weights, recurrences = (
        b.concat([b.unsqueeze(item[index], [0]) for item in cells], 0) for index in (0, 1)
    )
    biases = b.concat([b.unsqueeze(b.concat([item[2], item[3]], 0), [0]) for item in cells], 0)
    options: dict[str, Any] = {**cell.options, "hidden_size": plan.state_size}
    options["direction"] = "bidirectional" if plan.directions == 2 else "forward"
    if cell.op_type == "RNN":
        options["activations"] = cell.activations * plan.directions
    inputs = (data, weights, recurrences, biases, lengths, *states)
    output, *finals = b.ops(cell.op_type, *inputs, dtypes=[None] * (1 + len(states)), **options)
    if plan.directions == 1:
        return [b.squeeze(output, [1]), *finals]
    swapped = b.transpose(output, [0, 2, 1, 3])
    return [b.reshape(swapped, (0, 0, 2 * plan.state_size)), *finals]


_DIRECTIONS = {"forward": 1, "reverse": 1, "bidirectional": 2}
"""How many sets of weights a layer has for the ways that it goes through time."""


class _Layer:
    """What a node says, with its weights as arrays of NumPy."""

    def __init__(self, node: Node) -> None:
        self.node, self.kind = node, node.op_type
        self.x = node.need(0)
        weights = [node.constant(place, what) for place, what in ((1, "W"), (2, "R"), (3, "B"))]
        if weights[0] is None or weights[1] is None:
            raise node.error("weights are missing")
        self.w, self.r = weights[0], weights[1]
        self.num_directions, rows, self.size = self.r.shape
        self.direction = node.get("direction", "forward")
        if self.num_directions != _DIRECTIONS.get(self.direction):
            raise node.error(
                f"R of {self.r.shape} does not fit the direction {shown(self.direction)}"
            )
        gates = len(_USUAL[self.kind].gates)
        if rows != gates * self.size or self.w.shape[:2] != (self.num_directions, rows):
            raise node.error(f"W of {self.w.shape} and R of {self.r.shape} do not fit together")
        empty = onp.zeros((self.num_directions, 2 * rows), self.w.dtype)
        self.b = weights[2] if weights[2] is not None else empty
        if self.b.shape != (self.num_directions, 2 * rows):
            raise node.error(f"B of {self.b.shape} does not fit {rows} rows of weights")
        self.is_batch_first = bool(node.get("layout", 0))
        self.lengths = self._read_lengths()
        self.activations = self._read_activations()

    def _read_lengths(self) -> Value | None:
        """Returns the lengths of sequences, None if all are as long as the input."""
        value = self.node.input(4)
        time = self.x.lengths[1 if self.is_batch_first else 0]
        if value is None or value.constant is None or not isinstance(time, int):
            return value
        return None if (value.constant == time).all() else value

    def _read_activations(self) -> list[str]:
        given = self.node.attrs.get("activations") or []
        defaults = _USUAL[self.kind].activations * self.num_directions
        if given and len(given) != len(defaults):
            raise self.node.error(f"expected {len(defaults)} activations, got {len(given)}")
        return [name.capitalize() for name in given] or defaults

    @property
    def data(self) -> Any:
        """The input, time first."""
        return np.swapaxes(self.x.np, 0, 1) if self.is_batch_first else self.x.np

    def state(self, place: int) -> Any:
        """An initial state of shape `(directions, batch, size)`."""
        value = self.node.input(place)
        if value is not None:
            return np.swapaxes(value.np, 0, 1) if self.is_batch_first else value.np
        corner = sym.slice(self.data.as_nd_ndarray(), begin=(0, None, 0), end=(1, None, 1))
        zeros = sym.zeros_like(corner).as_np_ndarray()
        return np.tile(zeros, (self.num_directions, 1, self.size))

    def mode(self) -> str | None:
        """The mode of the operator `RNN` that computes the same, None if none does."""
        node, kind = self.node, self.kind
        if "clip" in node.attrs or node.get("input_forget", 0) or node.input(7) is not None:
            return None
        for mode, cell in _CELLS.items():
            same = cell.activations * self.num_directions == self.activations
            same &= all(node.get(name, 0) for name in cell.options)
            if cell.op_type == kind and same:
                return mode
        return None

    def parameters(self) -> Array:
        """The weights as the vector that the operator `RNN` takes."""
        order = onp.argsort(_USUAL[self.kind].gates)

        def reorder(array: Array) -> Array:
            parts = onp.split(array, len(order))
            return onp.concatenate([parts[place] for place in order]).ravel()

        weights = [
            reorder(part[d]) for d in range(self.num_directions) for part in (self.w, self.r)
        ]
        biases = [
            reorder(part) for d in range(self.num_directions) for part in onp.split(self.b[d], 2)
        ]
        return onp.concatenate(weights + biases)


@imports("RNN", "LSTM", "GRU")
def _recurrent(node: Node, *_: Value | None) -> Any:
    layer = _Layer(node)
    mode = layer.mode()
    states = _run_fused(layer, mode) if mode is not None else _run_steps(layer)
    return _arrange(layer, states)


def _arrange(layer: _Layer, results: list[Any]) -> list[Any]:
    """Puts the axes of `(time, directions, batch, size)` and of states as the node wants them."""
    output, *states = results
    if layer.is_batch_first:
        output = np.transpose(output, axes=(2, 0, 1, 3))
        states = [np.swapaxes(state, 0, 1) for state in states]
    return [output, *states]


def _reversed(data: Any, lengths: Value | None) -> Any:
    if lengths is None:
        return np.flip(data, 0)
    counts = sym.Cast(lengths.sym, dtype="float32")
    return sym.SequenceReverse(
        data.as_nd_ndarray(), counts, use_sequence_length=True
    ).as_np_ndarray()


def _run_fused(layer: _Layer, mode: str) -> list[Any]:
    node, backward = layer.node, layer.direction == "reverse"
    data = _reversed(layer.data, layer.lengths) if backward else layer.data
    vector = node.importer.constant(layer.parameters(), f"{node.name}_parameters")
    inputs = [data.as_nd_ndarray(), vector.sym, layer.state(5).as_nd_ndarray()]
    if mode == "lstm":
        inputs.append(layer.state(6).as_nd_ndarray())
    options: dict[str, Any] = {}
    if layer.lengths is not None:
        options = {
            "use_sequence_length": True,
            "sequence_length": sym.Cast(layer.lengths.sym, dtype="int32"),
        }
    results = sym.RNN(
        *inputs,
        state_size=layer.size,
        num_layers=1,
        mode=mode,
        bidirectional=layer.num_directions == 2,
        state_outputs=True,
        **options,
    )
    output = results[0].as_np_ndarray()
    shape = (-2, -2, -6, layer.num_directions, layer.size)
    output = np.transpose(npx.reshape(output, newshape=shape), axes=(0, 2, 1, 3))
    output = _reversed_output(output, layer.lengths) if backward else output
    return [output, *[results[place].as_np_ndarray() for place in range(1, len(list(results)))]]


def _reversed_output(output: Any, lengths: Value | None) -> Any:
    """Reverses the time of `(time, 1, batch, size)`."""
    if lengths is None:
        return np.flip(output, 0)
    return np.expand_dims(_reversed(np.squeeze(output, axis=1), lengths), 1)


_OPERATORS_OF_STEP = 20
"""About as many operators compute one step of a cell."""

_FUNCTIONS: dict[str, Callable[[Any], Any]] = {
    "Tanh": np.tanh,
    "Sigmoid": npx.sigmoid,
    "Relu": npx.relu,
}


def _run_steps(layer: _Layer) -> list[Any]:
    """Writes every step of time as nodes, which needs a number of steps that is known."""
    node = layer.node
    if layer.lengths is not None:
        raise node.error("sequence_lens of a layer that is written step by step")
    time = layer.x.sizes[1 if layer.is_batch_first else 0]
    node.repeat(time * layer.num_directions, weight=_OPERATORS_OF_STEP)
    unknown = set(layer.activations) - _FUNCTIONS.keys()
    if unknown:
        raise node.error(f"activations {', '.join(sorted(unknown))} cannot be imported")
    results = [_run_direction(layer, direction, time) for direction in range(layer.num_directions)]
    output = np.stack([outputs for outputs, _ in results], axis=1)
    states = [
        np.stack([final[place] for _, final in results], axis=0)
        for place in range(len(results[0][1]))
    ]
    return [output, *states]


def _run_direction(layer: _Layer, direction: int, time: int) -> tuple[Any, list[Any]]:
    step = _STEPS[layer.kind](layer, direction)
    backward = layer.direction == "reverse" or direction == 1
    states = [layer.state(5)[direction]]
    if layer.kind == "LSTM":
        states.append(layer.state(6)[direction])
    outputs: list[Any] = []
    for moment in reversed(range(time)) if backward else range(time):
        states = step(layer.data[moment], *states)
        outputs.append(states[0])
    return np.stack(outputs[::-1] if backward else outputs, axis=0), states


class _Step:
    """One step of one direction: weights as symbols and the activations."""

    def __init__(self, layer: _Layer, direction: int) -> None:
        node, gates = layer.node, len(_USUAL[layer.kind].gates)
        self.layer = layer

        def parameter(array: Array, what: str) -> Any:
            return node.importer.constant(array, f"{node.name}_{what}{direction}").np

        self.w = [parameter(a.T.copy(), "w") for a in onp.split(layer.w[direction], gates)]
        self.r = [parameter(a.T.copy(), "r") for a in onp.split(layer.r[direction], gates)]
        biases = onp.split(layer.b[direction], 2 * gates)
        self.wb = [parameter(a, "wb") for a in biases[:gates]]
        self.rb = [parameter(a, "rb") for a in biases[gates:]]
        count = len(layer.activations) // layer.num_directions
        names = layer.activations[direction * count : (direction + 1) * count]
        self.functions = [_FUNCTIONS[name] for name in names]
        peepholes = node.constant(7, "P") if layer.kind == "LSTM" else None
        self.p = None
        if peepholes is not None:
            self.p = [parameter(a, "p") for a in onp.split(peepholes[direction], 3)]

    def sum(self, gate: int, x: Any, h: Any) -> Any:
        """The input of the activation of a gate."""
        x_part = np.matmul(x, self.w[gate]) + self.wb[gate]
        return self.clip(x_part + np.matmul(h, self.r[gate]) + self.rb[gate])

    def clip(self, x: Any) -> Any:
        """Limits a number as the node says."""
        limit = self.layer.node.get("clip")
        return x if limit is None else np.clip(x, -limit, limit)


class _PlainStep(_Step):
    def __call__(self, x: Any, h: Any) -> list[Any]:
        return [self.functions[0](self.sum(0, x, h))]


class _LongStep(_Step):
    def __call__(self, x: Any, h: Any, c: Any) -> list[Any]:
        f, g, out = self.functions
        i_sum, o_sum, f_sum, c_sum = (self.sum(gate, x, h) for gate in range(4))
        if self.p is not None:
            i_sum, f_sum = i_sum + self.p[0] * c, f_sum + self.p[2] * c
        i = f(i_sum)
        forget = 1 - i if self.layer.node.get("input_forget", 0) else f(f_sum)
        c = forget * c + i * g(c_sum)
        if self.p is not None:
            o_sum = o_sum + self.p[1] * c
        return [f(o_sum) * out(c), c]


class _GatedStep(_Step):
    def __call__(self, x: Any, h: Any) -> list[Any]:
        f, g = self.functions
        z, r = f(self.sum(0, x, h)), f(self.sum(1, x, h))
        x_part = np.matmul(x, self.w[2]) + self.wb[2]
        if self.layer.node.get("linear_before_reset", 0):
            new = x_part + r * (np.matmul(h, self.r[2]) + self.rb[2])
        else:
            new = x_part + np.matmul(r * h, self.r[2]) + self.rb[2]
        return [(1 - z) * g(self.clip(new)) + z * h]


_STEPS: dict[str, type[Any]] = {"RNN": _PlainStep, "LSTM": _LongStep, "GRU": _GatedStep}

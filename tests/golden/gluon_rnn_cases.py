"""Recurrent layers and cells that run alike under the original and under this package."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

TIME, BATCH, INPUT = 4, 3, 5
LENGTHS = [2, 4, 1]


def layers() -> dict[str, tuple[Callable[[Any], Any], dict[str, Any]]]:
    """Returns constructors of layers, with how each is called."""
    table: dict[str, tuple[Callable[[Any], Any], dict[str, Any]]] = {}

    def add(kind: str, options: dict[str, Any], **call: Any) -> None:
        name = ",".join(f"{key}={value}" for key, value in options.items())
        how = "".join(f"-{key}" for key in call)
        table[f"{kind}({name}){how}"] = (
            lambda gluon: getattr(gluon.rnn, kind)(3, prefix="net_", **options),
            {"layout": options.get("layout", "TNC"), **call},
        )

    for kind, extra in (
        ("RNN", {}), ("RNN", {"activation": "tanh"}), ("LSTM", {}), ("GRU", {}),
    ):  # fmt: skip
        add(kind, extra)
        add(kind, extra, states=True)
        add(kind, {**extra, "layout": "NTC", "input_size": INPUT}, states=True)
        add(kind, {**extra, "num_layers": 2, "bidirectional": True, "layout": "NTC"})
        add(kind, {**extra, "num_layers": 2, "bidirectional": True}, states=True)
        add(kind, {**extra, "num_layers": 3, "dropout": 0.4}, states=True, predict=True)
        add(kind, {**extra, "dtype": "float64"}, states=True, dtype="float64")
    # The original does not train these on a CPU.
    projected = {"projection_size": 2}
    add("LSTM", projected, states=True, forward=True)
    add("LSTM", {**projected, "num_layers": 2, "bidirectional": True}, states=True, forward=True)
    return table


def cells() -> dict[str, Callable[[Any], Any]]:
    """Returns constructors of cells; inputs are of size 5, or 3 where they are added."""
    lstm: Callable[..., Any] = lambda gluon, name="c_": gluon.rnn.LSTMCell(3, prefix=name)  # noqa: E731
    table: dict[str, Callable[[Any], Any]] = {
        "RNNCell": lambda g: g.rnn.RNNCell(3, prefix="c_"),
        "RNNCell(relu)": lambda g: g.rnn.RNNCell(3, "relu", input_size=INPUT, prefix="c_"),
        "RNNCell(softsign)": lambda g: g.rnn.RNNCell(3, activation="softsign", prefix="c_"),
        "RNNCell(softrelu)": lambda g: g.rnn.RNNCell(3, activation="softrelu", prefix="c_"),
        "LSTMCell": lstm,
        "LSTMCell(sized)": lambda g: g.rnn.LSTMCell(3, input_size=INPUT, prefix="c_"),
        "LSTMCell(activations)": lambda g: g.rnn.LSTMCell(
            3, prefix="c_", activation="relu", recurrent_activation="softsign"
        ),
        "GRUCell": lambda g: g.rnn.GRUCell(3, prefix="c_"),
        "GRUCell(sized)": lambda g: g.rnn.GRUCell(3, input_size=INPUT, prefix="c_"),
        "DropoutCell": lambda g: g.rnn.DropoutCell(0.5, prefix="c_"),
        "DropoutCell(axes)": lambda g: g.rnn.DropoutCell(0.5, axes=(1,), prefix="c_"),
        "ZoneoutCell": lambda g: g.rnn.ZoneoutCell(lstm(g), 0.3, 0.2),
        "ResidualCell": lambda g: g.rnn.ResidualCell(g.rnn.GRUCell(5, prefix="c_")),
        "ResidualCell(ZoneoutCell)": lambda g: g.rnn.ResidualCell(
            g.rnn.ZoneoutCell(g.rnn.GRUCell(5, prefix="c_"), 0.3, 0.2)
        ),
        "BidirectionalCell": lambda g: g.rnn.BidirectionalCell(
            lstm(g, "l_"), g.rnn.GRUCell(2, prefix="r_")
        ),
        "LSTMPCell": lambda g: g.contrib.rnn.LSTMPCell(4, 3, prefix="c_"),
        "LSTMPCell(sized)": lambda g: g.contrib.rnn.LSTMPCell(4, 3, input_size=5, prefix="c_"),
        "VariationalDropoutCell": lambda g: g.contrib.rnn.VariationalDropoutCell(
            lstm(g), 0.3, 0.2, 0.1
        ),
        "VariationalDropoutCell(inputs)": lambda g: g.contrib.rnn.VariationalDropoutCell(
            lstm(g), drop_inputs=0.3
        ),
    }
    for kind in ("SequentialRNNCell", "HybridSequentialRNNCell"):
        table[kind] = lambda g, kind=kind: _stack(g, kind, bidirectional=False)
        table[f"{kind}(both ways)"] = lambda g, kind=kind: _stack(g, kind, bidirectional=True)
    return table


def _stack(gluon: Any, kind: str, *, bidirectional: bool) -> Any:
    rnn = gluon.rnn
    stack = getattr(rnn, kind)(prefix="stack_")
    with stack.name_scope():
        stack.add(rnn.LSTMCell(4))
        stack.add(rnn.DropoutCell(0.3))
        if bidirectional:
            stack.add(rnn.BidirectionalCell(rnn.GRUCell(2), rnn.RNNCell(2)))
        stack.add(rnn.ResidualCell(rnn.GRUCell(4)))
        stack.add(rnn.ZoneoutCell(rnn.RNNCell(3), zoneout_states=0.3))
    return stack


def convolutional_cells() -> dict[str, tuple[Callable[[Any], Any], tuple[int, ...]]]:
    """Returns constructors of convolutional cells, with the shape of an input."""
    table: dict[str, tuple[Callable[[Any], Any], tuple[int, ...]]] = {}
    for dims, shape in ((1, (2, 7)), (2, (2, 5, 6)), (3, (1, 4, 3, 4))):
        for kind in ("RNN", "LSTM", "GRU"):
            for options in ({}, {"i2h_pad": 1, "h2h_dilate": 2, "activation": "relu"}):
                if options and dims == 3:
                    continue
                name = f"Conv{dims}D{kind}Cell"
                table[f"{name}({','.join(options)})"] = (
                    lambda g, name=name, shape=shape, options=options: getattr(g.contrib.rnn, name)(
                        shape, 2, 3, 3, prefix="c_", **options
                    ),
                    shape,
                )
    return table


def fill(block: Any, mx: Any) -> None:
    """Returns every parameter values that depend on its place alone."""
    for number, parameter in enumerate(block.collect_params().values()):
        values = np.random.RandomState(number).uniform(-0.5, 0.5, parameter.shape)
        parameter.set_data(mx.nd.array(values, dtype=parameter.dtype))


def array(mx: Any, seed: int, *shape: int, dtype: str = "float32") -> Any:
    """A random array with a gradient."""
    made = mx.nd.array(np.random.RandomState(seed).uniform(-1, 1, shape), dtype=dtype)
    made.attach_grad()
    return made


def describe(block: Any) -> dict[str, Any]:
    """Returns what a block shows of itself."""
    return {
        "repr": repr(block),
        "prefix": block.prefix,
        "parameters": {name: list(p.shape) for name, p in block.collect_params().items()},
        "paths": list(block._collect_params_with_prefix()),
        "states": [[list(info["shape"]), info["__layout__"]] for info in block.state_info(2)],
    }


def _flat(value: Any) -> list[Any]:
    if isinstance(value, (list, tuple)):
        return [item for part in value for item in _flat(part)]
    return [value]


def differentiate(
    mx: Any, block: Any, inputs: list[Any], call: Callable[[], Any], *, train: bool
) -> dict[str, Any]:
    """Runs a call and gives outputs and gradients, those of the parameters in one vector."""
    with mx.autograd.record(train_mode=train):
        outputs = _flat(call())
        total = sum((item * (number + 1)).sum() for number, item in enumerate(outputs))
    total.backward(train_mode=train)
    results = {f"output{i}": item.asnumpy() for i, item in enumerate(outputs)}
    for number, item in enumerate(inputs):
        results[f"grad{number}"] = item.grad.asnumpy()
    gradients = [p.grad().asnumpy().ravel() for p in block.collect_params().values()]
    if gradients:
        results["parameters"] = np.concatenate(gradients)
    return results


def run_layer(mx: Any, gluon: Any, name: str) -> tuple[dict[str, Any], dict[str, Any]]:
    """Runs one layer: what it shows before and after the first call, outputs and gradients."""
    make, how = layers()[name]
    layer, dtype = make(gluon), how.get("dtype", "float32")
    shape = (TIME, BATCH, INPUT) if how["layout"] == "TNC" else (BATCH, TIME, INPUT)
    data = array(mx, 50, *shape, dtype=dtype)
    facts = {"before": describe(layer)}
    layer.initialize()
    layer(data)
    facts["after"] = describe(layer)
    fill(layer, mx)
    states = []
    if how.get("states"):
        states = [
            array(mx, 60 + number, *info["shape"], dtype=dtype)
            for number, info in enumerate(layer.state_info(BATCH))
        ]
    given = [states] if states else []
    if how.get("forward"):
        outputs = _flat(layer(data, *given))
        return facts, {f"output{i}": item.asnumpy() for i, item in enumerate(outputs)}
    train = not how.get("predict")
    return facts, differentiate(
        mx, layer, [data, *states], lambda: layer(data, *given), train=train
    )


def run_cell(mx: Any, gluon: Any, name: str) -> tuple[dict[str, Any], dict[str, Any]]:
    """Unrolls one cell in several ways, without what is random."""
    cell = cells()[name](gluon)
    facts = {"before": describe(cell)}
    cell.initialize()
    data = array(mx, 50, BATCH, TIME, INPUT)
    states = [
        array(mx, 60 + number, *info["shape"]) for number, info in enumerate(cell.state_info(BATCH))
    ]
    cell.unroll(TIME, data, states)
    facts["after"] = describe(cell)
    fill(cell, mx)
    lengths = mx.nd.array(LENGTHS)
    turned = array(mx, 50, TIME, BATCH, INPUT)
    ways = {
        "plain": lambda: cell.unroll(TIME, data, states),
        "merged": lambda: cell.unroll(TIME, data, states, merge_outputs=True),
        "zeros": lambda: cell.unroll(
            TIME, data, cell.begin_state(func=mx.nd.zeros, batch_size=BATCH)
        ),
        "valid": lambda: cell.unroll(TIME, data, states, valid_length=lengths),
        "valid_split": lambda: cell.unroll(
            TIME, data, states, merge_outputs=False, valid_length=lengths
        ),
        "listed": lambda: cell.unroll(
            TIME, [data[:, step] for step in range(TIME)], states, merge_outputs=True
        ),
        "time first": lambda: cell.unroll(TIME, turned, layout="TNC", merge_outputs=True),
        "one_step": lambda: cell.unroll(1, data[:, :1], states, valid_length=lengths[:3] * 0 + 1),
    }
    results: dict[str, Any] = {}
    facts["fails"] = []
    for way, call in ways.items():
        inputs = [turned] if way == "time first" else [data, *states]
        try:
            found = differentiate(mx, cell, inputs, call, train=False)
        except Exception:  # noqa: BLE001 - what the original cannot do is noted
            facts["fails"].append(way)
        else:
            results.update({f"{way}/{key}": value for key, value in found.items()})
    return facts, results


def run_convolutional(mx: Any, gluon: Any, name: str) -> tuple[dict[str, Any], dict[str, Any]]:
    """Runs two steps of one convolutional cell."""
    make, shape = convolutional_cells()[name]
    cell = make(gluon)
    facts = {"before": describe(cell)}
    cell.initialize()
    fill(cell, mx)
    steps = [array(mx, 50 + number, 2, *shape) for number in range(2)]
    states = [
        array(mx, 60 + number, *info["shape"]) for number, info in enumerate(cell.state_info(2))
    ]
    return facts, differentiate(
        mx, cell, [*steps, *states], lambda: cell.unroll(2, steps, states), train=True
    )


def kinds() -> dict[str, tuple[list[str], Callable[..., Any]]]:
    """Returns names of the cases of each kind, and how to run one."""
    return {
        "layer": (list(layers()), run_layer),
        "cell": (list(cells()), run_cell),
        "convolutional": (list(convolutional_cells()), run_convolutional),
    }

"""Every recurrent layer and cell gives the same after `hybridize`."""

from __future__ import annotations

import pytest

import mxnet as mx
from mxnet import gluon
from mxnet.gluon.contrib import rnn as _contrib  # noqa: F401 - the cases use gluon.contrib.rnn
from tests.golden import gluon_rnn_cases as cases

from .observe import MODES, compare, compiled_blocks

LAYERS = cases.layers()
CELLS = cases.cells()
CONVOLUTIONAL = cases.convolutional_cells()
STEPWISE = [name for name in CELLS if "Bidirectional" not in name and "both ways" not in name]
WITHOUT_CHANCE = ("predict", "record predict", "predict again")
REORDERED = (
    "VariationalDropoutCell",
    "HybridSequentialRNNCell",
    "HybridSequentialRNNCell(both ways)",
)
"""Cells whose graphs draw their random numbers in another order than their programs."""


def states_of(block, batch=cases.BATCH, dtype="float32"):
    return [
        cases.array(mx, 60 + number, *info["shape"], dtype=dtype)
        for number, info in enumerate(block.state_info(batch))
    ]


@pytest.mark.parametrize("name", LAYERS)
def test_a_layer(name):
    make, how = LAYERS[name]
    layer, dtype = make(gluon), how.get("dtype", "float32")
    shape = [cases.TIME, cases.BATCH, cases.INPUT]
    if how["layout"] == "NTC":
        shape = [cases.BATCH, cases.TIME, cases.INPUT]
    data = cases.array(mx, 50, *shape, dtype=dtype)
    layer.initialize()
    layer(data)
    cases.fill(layer, mx)
    states = states_of(layer, dtype=dtype) if how.get("states") else []
    given = [states] if states else []
    compare(layer, lambda: layer(data, *given), [data, *states])


class Unrolled(gluon.HybridBlock):
    """Runs a cell over a sequence."""

    def __init__(self, cell, length, **kwargs):
        super().__init__(**kwargs)
        self.cell = cell
        self.length = length

    def hybrid_forward(self, F, inputs, *states):  # noqa: ARG002 - the cell has its own
        self.cell.reset()
        return self.cell.unroll(self.length, inputs, list(states), merge_outputs=True)


@pytest.mark.parametrize("name", CELLS)
def test_a_cell_unrolled_by_itself(name):
    cell = CELLS[name](gluon)
    cell.initialize()
    data = cases.array(mx, 50, cases.BATCH, cases.TIME, cases.INPUT)
    states = states_of(cell)
    cell.unroll(cases.TIME, data, states)
    cases.fill(cell, mx)

    def call():
        cell.reset()
        return cell.unroll(cases.TIME, data, states)

    compare(cell, call, [data, *states], expects_graph=not name.startswith("DropoutCell"))


@pytest.mark.parametrize("name", [name for name in CELLS if not name.startswith("Sequential")])
def test_a_cell_unrolled_in_a_graph(name):
    net = Unrolled(CELLS[name](gluon), cases.TIME)
    net.initialize()
    data = cases.array(mx, 50, cases.BATCH, cases.TIME, cases.INPUT)
    states = states_of(net.cell)
    net(data, *states)
    cases.fill(net, mx)
    modes = WITHOUT_CHANCE if name in REORDERED else tuple(MODES)
    compare(net, lambda: net(data, *states), [data, *states], modes)
    net.hybridize()
    net(data, *states)
    assert net.name in compiled_blocks(net)


@pytest.mark.parametrize("name", STEPWISE)
def test_steps_of_a_cell(name):
    cell = CELLS[name](gluon)
    cell.initialize()
    steps = [cases.array(mx, 50 + i, cases.BATCH, cases.INPUT) for i in range(3)]
    states = states_of(cell)
    cell(steps[0], states)
    cases.fill(cell, mx)

    def call():
        cell.reset()
        outputs, last = [], states
        for step in steps:
            output, last = cell(step, last)
            outputs.append(output)
        return outputs, last

    compare(cell, call, [*steps, *states])


@pytest.mark.parametrize("name", CONVOLUTIONAL)
def test_a_convolutional_cell(name):
    make, shape = CONVOLUTIONAL[name]
    cell = make(gluon)
    cell.initialize()
    cases.fill(cell, mx)
    steps = [cases.array(mx, 50 + number, 2, *shape) for number in range(2)]
    states = states_of(cell, 2)
    compare(cell, lambda: cell.unroll(2, steps, states), [*steps, *states])

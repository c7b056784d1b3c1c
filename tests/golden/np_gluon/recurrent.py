"""Layers and cells of `gluon.rnn`."""

from .core import fill, flatten, layer, values

_LAYERS = [
    f"rnn.{kind}(3, {options})"
    for kind in ("RNN", "LSTM", "GRU")
    for options in ("input_size=2", "2, bidirectional=True", "layout='NTC'")
]
_CELLS = [
    "rnn.RNNCell(3)",
    "rnn.LSTMCell(3)",
    "rnn.GRUCell(3)",
    "rnn.ResidualCell(rnn.GRUCell(2))",
    "rnn.ZoneoutCell(rnn.RNNCell(3))",
    "rnn.DropoutCell(0)",
    "mx.gluon.contrib.rnn.VariationalDropoutCell(rnn.RNNCell(3))",
    "mx.gluon.contrib.rnn.LSTMPCell(3, 2)",
]


def with_states(text):
    """Makes a case of a layer that gets and returns states."""

    def case(mx):
        results = []
        for hybridized in (False, True):
            net = eval(text, {"rnn": mx.gluon.rnn})  # noqa: S307
            net.initialize()
            data = mx.np.array(values(4, 2, 2))
            states = net.begin_state(batch_size=2)
            net(data, states)
            fill(net, mx)
            if hybridized:
                net.hybridize()
            output, states = net(data, states)
            output, states = net(output[:, :, :2], states)
            results.append([output, *flatten(states)])
        return results

    return case


def cell(text, unrolled=True):
    """Makes a case of a cell: one step, and unrolled."""

    def case(mx):
        results = []
        net = eval(text, {"rnn": mx.gluon.rnn, "mx": mx})  # noqa: S307
        net.initialize()
        data = mx.np.array(values(2, 3, 2))
        net(data[:, 0], net.begin_state(batch_size=2))
        fill(net, mx)
        for hybridized in (False, True):
            if hybridized:
                net.hybridize()
            output, states = net(data[:, 0], net.begin_state(batch_size=2))
            results.append([output, *flatten(states)])
            for merge in (True, False) if unrolled else ():
                net.reset()
                output, states = net.unroll(3, data, layout="NTC", merge_outputs=merge)
                results.append([*flatten(output), *flatten(states)])
        if unrolled:
            length = mx.np.array([1, 3])
            output, states = net.unroll(3, data, merge_outputs=True, valid_length=length)
            results.append([output, *flatten(states)])
        return results

    return case


def stacked(mx):
    """Stacks of cells, and cells in both directions."""
    rnn, results = mx.gluon.rnn, []
    for make in (rnn.SequentialRNNCell, rnn.HybridSequentialRNNCell):
        net = make()
        net.add(rnn.LSTMCell(3))
        net.add(rnn.GRUCell(2))
        net.initialize(mx.init.Constant(0.3))
        output, states = net.unroll(2, mx.np.array(values(2, 2, 2)), merge_outputs=True)
        results.append([output, *flatten(states)])
    net = rnn.BidirectionalCell(rnn.RNNCell(2), rnn.LSTMCell(2))
    net.initialize(mx.init.Constant(0.3))
    output, states = net.unroll(2, mx.np.array(values(2, 2, 2)), merge_outputs=True)
    return [*results, output, flatten(states)]


CASES = {text: layer(text, (4, 2, 2)) for text in _LAYERS}
CASES |= {f"{text} with states": with_states(text) for text in _LAYERS if "NTC" not in text}
CASES |= {f"{text} cell": cell(text) for text in _CELLS}
CASES["stacked"] = stacked

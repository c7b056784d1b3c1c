"""Calls of blocks that were made in one dialect, with arrays of one and the switch set to one.

Each case is `block made array mode switch`, such as `dense nd np hybrid np`; `mode` is eager,
hybrid or later: hybridized and called before, in the dialect in which it was made.
"""

from __future__ import annotations

import itertools


def _make_blocks(mx) -> dict:
    gluon, nn = mx.gluon, mx.gluon.nn

    class Classic(gluon.HybridBlock):
        def hybrid_forward(self, F, x):
            return F.relu(x) + 1

    class Numpy(gluon.HybridBlock):
        def hybrid_forward(self, F, x):
            return F.npx.relu(x) + 1

    class Operators(gluon.HybridBlock):
        def hybrid_forward(self, F, x):  # noqa: ARG002 - the signature is Gluon's
            return x * 2 + 1

    class Imperative(gluon.Block):
        def __init__(self):
            super().__init__()
            self.dense = nn.Dense(2, in_units=3)

        def forward(self, x):
            return [self.dense(x), None]

    def stack():
        net = nn.HybridSequential()
        net.add(nn.Dense(4, in_units=3, activation="relu"), nn.Dropout(0.5), nn.Dense(2))
        return net

    return {
        "dense": lambda: nn.Dense(2, in_units=3),
        "deferred": lambda: nn.Dense(2),
        "batch_norm": lambda: nn.BatchNorm(in_channels=3),
        "activation": lambda: nn.Activation("relu"),
        "flatten": nn.Flatten,
        "embedding": lambda: nn.Embedding(4, 2),
        "lstm": lambda: gluon.rnn.LSTM(2, input_size=3),
        "stack": stack,
        "classic": Classic,
        "numpy": Numpy,
        "operators": Operators,
        "imperative": Imperative,
    }


_LAYERS = ("dense", "deferred", "batch_norm", "activation", "flatten", "embedding", "lstm", "stack")
_PROGRAMS = ("classic", "numpy", "operators", "imperative")
CASES = [
    " ".join(parts)
    for parts in itertools.product(
        _LAYERS + _PROGRAMS, ("nd", "np"), ("nd", "np"), ("eager", "hybrid", "later"), ("nd", "np")
    )
]


def _switch(mx, dialect: str) -> None:
    (mx.npx.set_np if dialect == "np" else mx.npx.reset_np)()


def _make_array(mx, dialect: str, block: str):
    shape = (2, 2, 3) if block == "lstm" else (2, 3)
    return mx.np.ones(shape) if dialect == "np" else mx.nd.ones(shape)


def _call(mx, case: str):
    name, made, array, mode, switch = case.split()
    _switch(mx, made)
    block = _make_blocks(mx)[name]()
    block.initialize("ones")
    if mode != "eager":
        block.hybridize()
    if mode == "later":
        block(_make_array(mx, made, name))
    data = _make_array(mx, array, name)
    _switch(mx, switch)
    return block(data)


def run(mx, case: str) -> str:
    """Returns the dialect of the result, or the class of the error with its message."""
    try:
        result = _call(mx, case)
    except (TypeError, ValueError) as error:
        return f"{'TypeError' if isinstance(error, TypeError) else 'ValueError'}: {error}"
    finally:
        mx.npx.reset_np()
    first = result[0] if isinstance(result, list) else result
    first.asnumpy()
    return "np" if isinstance(first, mx.np.ndarray) else "nd"

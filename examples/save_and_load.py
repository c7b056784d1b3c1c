"""The ways to keep a network: arrays, parameters, and the whole object.

python examples/save_and_load.py
"""

from __future__ import annotations

import pickle
import tempfile
from pathlib import Path

from mxnet import nd
from mxnet.gluon import nn


def build() -> nn.HybridSequential:
    """Makes the network."""
    net = nn.HybridSequential(prefix="model_")
    with net.name_scope():
        net.add(nn.Dense(16, activation="relu"), nn.Dense(3))
    return net


def same(first: nd.NDArray, second: nd.NDArray) -> bool:
    """Returns whether two arrays are equal."""
    return bool((first == second).min().asscalar())


def main() -> None:
    """Saves and loads in each way."""
    folder = Path(tempfile.mkdtemp())
    x = nd.random.uniform(shape=(2, 5))
    net = build()
    net.initialize()
    expected = net(x)

    nd.save(str(folder / "arrays"), {"x": x, "y": expected})
    print("arrays:", sorted(nd.load(str(folder / "arrays"))))

    net.save_parameters(str(folder / "net.params"))
    loaded = build()
    loaded.load_parameters(str(folder / "net.params"))
    names = sorted(nd.load(str(folder / "net.params")))
    print("save_parameters:", same(loaded(x), expected), names)

    net.collect_params().save(str(folder / "by-name.params"))
    named = build()
    named.collect_params().load(str(folder / "by-name.params"))
    names = nd.load(str(folder / "by-name.params"))
    print("collect_params().save:", same(named(x), expected), *names)

    (folder / "net.pickle").write_bytes(pickle.dumps(net))
    whole = pickle.loads((folder / "net.pickle").read_bytes())
    print("pickle of the whole network:", same(whole(x), expected))


if __name__ == "__main__":
    main()

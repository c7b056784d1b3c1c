"""What the layers inside of a network give: one by one, and by hooks.

python examples/intermediate_outputs.py
"""

from __future__ import annotations

from typing import Any

import digits

from mxnet import nd
from mxnet.gluon import nn


def main() -> None:
    """Follows a digit through a convolutional network."""
    net = nn.HybridSequential()
    net.add(
        nn.Conv2D(8, kernel_size=5, activation="relu"),
        nn.MaxPool2D(),
        nn.Conv2D(16, kernel_size=3, activation="relu"),
        nn.GlobalAvgPool2D(),
        nn.Dense(10),
    )
    net.initialize()
    images, _ = digits.load("t10k")
    x = images[:1]

    for layer in net:
        x = layer(x)
        print(f"{layer.name}: {x.shape}")

    maps: dict[str, nd.NDArray] = {}

    def keep(block: nn.Block, _: Any, output: nd.NDArray) -> None:
        maps[block.name] = output

    handle = net[2].register_forward_hook(keep)
    result = net(images[:1])
    handle.detach()
    print(f"kept {maps[net[2].name].shape} of {net[2].name}")
    print("the same result:", bool((result == x).min().asscalar()))


if __name__ == "__main__":
    main()

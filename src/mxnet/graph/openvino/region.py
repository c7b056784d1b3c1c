"""Parts of graphs that OpenVINO computes."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from operator import itemgetter
from typing import Any

from torch import Tensor

from mxnet._state import Lock, remember
from mxnet.graph.openvino.config import Config
from mxnet.graph.openvino.conversion import Conversion, convert
from mxnet.graph.openvino.network import Network
from mxnet.graph.run import Kept

_MOST_NETWORKS = 16
"""Shapes for which a region keeps networks, each of which has weights in an order of its own."""

_MANY_CONSTANTS = 64
"""Parameters that take longer to be looked at than another thread takes to wake up."""


class Region:
    """A function on tensors that OpenVINO computes, by a network for each set of shapes.

    Args:
        function: Computes the outputs with kernels; networks are made of it.
        num_inputs: Number of its arguments.
        constants: Positions of those that are parameters.
        config: How networks are compiled.
    """

    def __init__(
        self,
        function: Callable[..., list[Tensor]],
        num_inputs: int,
        constants: Collection[int],
        config: Config,
    ) -> None:
        self._function, self._config = function, config
        self._constants = frozenset(constants)
        self._pick_used = _picker(sorted(constants))
        self._pick_given = _picker([i for i in range(num_inputs) if i not in self._constants])
        self._lock = Lock()
        # By shapes and dtypes, `_MOST_NETWORKS` at most. Models do not depend on elements; the
        # networks are dropped when a parameter has been written to.
        self._conversions: dict[Any, Conversion] = {}
        self._networks: Kept[dict[Any, Network]] = Kept({})

    def __call__(self, *tensors: Tensor) -> list[Tensor]:
        """Computes the outputs."""
        return self.run(tensors)

    def run(self, tensors: Sequence[Tensor]) -> list[Tensor]:
        """Computes the outputs of inputs that are in a list, as plans get them."""
        key = tuple([(tensor.shape, tensor.dtype) for tensor in self._pick_given(tensors)])
        # To look at hundreds of parameters takes a share of a small network's time. It is done
        # while OpenVINO computes, which is in vain if one of them has been written to.
        latest = self._networks.last.get(key) if len(self._constants) >= _MANY_CONSTANTS else None
        wait = None if latest is None else latest.start(tensors)
        try:
            networks = self._networks.get(self._pick_used(tensors), _forget)
        finally:
            results = None if wait is None else wait()
        network = networks.get(key)
        if results is not None and network is latest:
            return results
        if network is None:
            if not all(tensor.numel() for tensor in tensors):  # OpenVINO takes no empty inputs
                return self._function(*tensors)
            network = self._add(networks, key, tensors)
        return network(tensors)

    def _add(self, networks: dict[Any, Network], key: Any, tensors: Sequence[Tensor]) -> Network:
        """Lets one thread make a network, for which others wait."""
        with self._lock:
            network = networks.get(key)
            if network is None:
                conversion = self._conversions.get(key)
                if conversion is None:
                    conversion = convert(self._function, tensors)
                    remember(self._conversions, key, conversion, _MOST_NETWORKS)
                network = Network(conversion, tensors, self._constants, self._config)
                remember(networks, key, network, _MOST_NETWORKS)
            return network


def _picker(positions: Sequence[int]) -> Callable[[Sequence[Tensor]], tuple[Tensor, ...]]:
    """Returns the function that picks the items at some positions."""
    if len(positions) > 1:
        return itemgetter(*positions)
    return lambda items: tuple(items[position] for position in positions)


def _forget(networks: dict[Any, Network]) -> dict[Any, Network]:
    """Returns the networks that hold for new values of parameters: none."""
    del networks
    return {}

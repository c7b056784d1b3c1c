"""A hybridized network and its loss as one graph."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from mxnet._frontend.dialect import ARRAY_DIALECTS
from mxnet.gluon.block import HybridBlock
from mxnet.gluon.blocks.block import Block
from mxnet.gluon.hybrid.forward import HybridForward, by_symbols
from mxnet.graph.run import Options


class NetWithLoss(HybridBlock):
    """Computes the loss of a network, and its output if that is asked for.

    Args:
        net: The network.
        loss: The loss.
        num_inputs: Number of arguments that go to the network; the others are labels.
        options: How the graph is run.
        returns_outputs: Whether the output is a result.
    """

    def __init__(
        self,
        net: HybridBlock,
        loss: HybridBlock,
        num_inputs: int,
        options: Options,
        returns_outputs: bool,
    ) -> None:
        super().__init__(prefix="")
        self.net, self.loss = net, loss
        self._num_inputs, self._returns_outputs = num_inputs, returns_outputs
        # `hybridize` would make the graphs of the network and the loss anew as well.
        self._active, self._mx_hybrid = True, HybridForward(self, options, (by_symbols,))

    def hybrid_forward(self, F: Any, x: Any, *args: Any) -> Any:  # noqa: ARG002 - the interface
        """Computes the loss, or loss and output."""
        values = (x, *args)
        output = self.net(*values[: self._num_inputs])
        loss = self.loss(output, *values[self._num_inputs :])
        return (loss, output) if self._returns_outputs else loss


class Joined:
    """The graph of a network with its loss, as long as it does what calling both would do.

    It is used from the second step on: the first one initializes parameters and shows whether the
    network can become a graph.

    Args:
        net: The network.
        loss: The loss.
        options: How the graph is run; None is as the network was hybridized, if it was.
        returns_outputs: Whether the output is a result.
    """

    def __init__(self, net: Any, loss: Any, options: Options | None, returns_outputs: bool) -> None:
        self._returns_outputs = returns_outputs
        self._net, self._loss, self._options = net, loss, options
        self._may_join = _is_plain(net) and _is_plain(loss)
        self._seen: list[Any] = []
        """What the graph was made of; compares by identity."""
        self._block: NetWithLoss | None = None
        self._is_first = True

    def find(self, inputs: Sequence[Any], labels: Sequence[Any]) -> NetWithLoss | None:
        """Returns the block to call with inputs and labels, None to call both one by one."""
        if not self._may_join:
            return None
        if self._is_first or not all(type(item) in ARRAY_DIALECTS for item in (*inputs, *labels)):
            self._is_first = False
            return None
        forward = self._net._mx_hybrid
        options = self._options
        if options is None:
            # Without a graph it was not called yet since it changed, and None cannot become one.
            if forward is None or not forward._graphs or None in forward._graphs.values():
                self._block = None
                return None
            options = forward.options
        if _has_hooks(self._net) or _has_hooks(self._loss) or self._net._mx_remembers():
            return None
        seen = [forward, *self._net._children.values()]
        if self._block is None or self._seen != seen:
            self._seen = seen
            self._block = NetWithLoss(
                self._net, self._loss, len(inputs), options, self._returns_outputs
            )
        return self._block if self._block._num_inputs == len(inputs) else None


def _is_plain(block: Any) -> bool:
    """Returns whether calling a block is nothing but its `hybrid_forward`."""
    if not isinstance(block, HybridBlock):
        return False
    cls = type(block)
    is_replaced = "forward" in vars(block)  # as in sharded networks
    return cls.forward is HybridBlock.forward and cls.__call__ is Block.__call__ and not is_replaced


def _has_hooks(block: HybridBlock) -> bool:
    return bool(block._forward_hooks or block._forward_pre_hooks or block._mx_op_hook)

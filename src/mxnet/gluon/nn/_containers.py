"""Blocks that run their children one after the other."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from typing import Any, TypeVar, overload

from mxnet._start.tracebacks import public_methods
from mxnet.gluon.block import Block, HybridBlock

B = TypeVar("B", bound="_Stack")


@public_methods("add", "__getitem__")
class _Stack(Block):
    """What stacks of blocks share: adding and looking up children."""

    _mx_in_summary = False

    def add(self, *blocks: Block) -> None:
        """Puts blocks on top of the stack."""
        for block in blocks:
            self.register_child(block)

    def __repr__(self) -> str:
        lines = "\n".join(
            f"  ({key}): " + str(block).replace("\n", "\n  ")
            for key, block in self._children.items()
        )
        return f"{type(self).__name__}(\n{lines}\n)"

    @overload
    def __getitem__(self, key: int) -> Block: ...
    @overload
    def __getitem__(self: B, key: slice) -> B: ...
    def __getitem__(self: B, key: int | slice) -> Block | B:
        chosen = list(self._children.values())[key]
        if isinstance(chosen, Block):
            return chosen
        part = type(self)(prefix=self._prefix)
        with part.name_scope():
            part.add(*chosen)
        return part

    def __len__(self) -> int:
        return len(self._children)

    def __iter__(self) -> Iterator[Block]:
        return iter(self._children.values())


class Sequential(_Stack):
    """Runs blocks one after the other.

    Args:
        prefix: Prefix of the name.
        params: Parameters to share.

    Example:
        >>> from mxnet.gluon import nn
        >>> net = nn.Sequential()
        >>> net.add(nn.Dense(10, activation="relu"), nn.Dense(2))
        >>> print(net)
        Sequential(
          (0): Dense(None -> 10, Activation(relu))
          (1): Dense(None -> 2, linear)
        )
    """

    def forward(self, x: Any) -> Any:
        """Runs the blocks."""
        for block in self._children.values():
            x = block(x)
        return x

    def hybridize(self, active: bool = True, **kwargs: Any) -> None:
        """Lets the hybrid blocks inside compile themselves; see `HybridBlock.hybridize`."""
        children = self._children.values()
        if children and all(isinstance(child, HybridBlock) for child in children):
            warnings.warn(
                f"{type(self).__name__} {self.prefix!r} has hybrid children only, each of which is "
                "compiled by itself: HybridSequential would compile them as one",
                stacklevel=2,
            )
        super().hybridize(active, **kwargs)


class HybridSequential(_Stack, HybridBlock):
    """Runs hybrid blocks one after the other, as one graph if it is hybridized.

    Args:
        prefix: Prefix of the name.
        params: Parameters to share.

    Example:
        >>> import mxnet as mx
        >>> from mxnet.gluon import nn
        >>> net = nn.HybridSequential()
        >>> net.add(nn.Dense(10, activation="relu"), nn.Dense(2))
        >>> net.initialize()
        >>> net.hybridize()
        >>> net(mx.nd.ones((4, 3))).shape
        (4, 2)
    """

    def hybrid_forward(self, F: Any, x: Any) -> Any:  # noqa: ARG002 - children have their own
        """Runs the blocks."""
        for block in self._children.values():
            x = block(x)
        return x

"""Blocks that collect losses while they compute: `StochasticBlock`, `StochasticSequential`."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any

from mxnet.errors import ArgumentValueError
from mxnet.gluon.block import Block, HybridBlock
from mxnet.gluon.utils import _indent


class StochasticBlock(HybridBlock):
    """A block whose `forward` adds losses, such as KL divergences, to those of its results.

    `forward` is decorated by `StochasticBlock.collectLoss` and calls `add_loss`. After a call of
    the block `losses` lists what has been added.

    Example:
        >>> import mxnet as mx
        >>> from mxnet.gluon import probability as mgp
        >>> class Noisy(mgp.StochasticBlock):
        ...     @mgp.StochasticBlock.collectLoss
        ...     def forward(self, loc, scale):
        ...         normal = mgp.Normal(loc, scale)
        ...         self.add_loss(mgp.kl_divergence(normal, mgp.Normal(0.0, 1.0)))
        ...         return normal.sample()
        >>> noisy = Noisy()
        >>> noisy.hybridize()
        >>> noisy(mx.np.zeros(2), mx.np.ones(2)).shape
        (2,)
        >>> print(noisy.losses)
        [array([0., 0.])]
    """

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        # Lists that stay the same: a block that sets attributes while it is traced has no graph.
        self._losses: list[Any] = []
        self._collected: list[Any] = []

    def add_loss(self, loss: Any) -> None:
        """Adds a loss to those of this call.

        Args:
            loss: An array.
        """
        self._collected.append(loss)

    @staticmethod
    def collectLoss(  # noqa: N802 - the original's name
        func: Callable[..., Any],
    ) -> Callable[..., Any]:
        """Decorates a `forward` that calls `add_loss`.

        Args:
            func: The method.
        """

        @wraps(func)
        def forward(self: StochasticBlock, *args: Any, **kwargs: Any) -> Any:
            self._collected.clear()  # a call that failed may have left some
            result = func(self, *args, **kwargs)
            return result, [*self._collected]

        forward._collects = True  # type: ignore[attr-defined]
        return forward

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        if not hasattr(self.forward, "_collects"):
            raise ArgumentValueError(
                f"{type(self).__name__}.forward: expected a method that is decorated by "
                "StochasticBlock.collectLoss"
            )
        result, self._losses[:] = super().__call__(*args, **kwargs)
        return result

    @property
    def losses(self) -> list[Any]:
        """The losses of the last call."""
        return [*self._losses]


class StochasticSequential(StochasticBlock):
    """Blocks one after the other, whose losses are collected.

    `losses` has a list for each block that collects some.

    Example:
        >>> import mxnet as mx
        >>> from mxnet.gluon import nn
        >>> from mxnet.gluon import probability as mgp
        >>> class Penalty(mgp.StochasticBlock):
        ...     @mgp.StochasticBlock.collectLoss
        ...     def forward(self, x):
        ...         self.add_loss((x**2).sum())
        ...         return x
        >>> net = mgp.StochasticSequential()
        >>> net.add(nn.Activation("relu"), Penalty())
        >>> with mx.np_array(True):
        ...     print(net(mx.np.array([-1.0, 2.0])), net.losses)
        [0. 2.] [[array(4.)]]
    """

    def add(self, *blocks: Block) -> None:
        """Adds blocks at the end.

        Args:
            blocks: The blocks.
        """
        for block in blocks:
            self.register_child(block)

    @StochasticBlock.collectLoss
    def forward(self, x: Any, *args: Any) -> Any:
        """Calls the blocks one after the other; what one returns is what the next one gets."""
        for block in self._children.values():
            results = block(x, *args)
            x, *args = results if isinstance(results, (tuple, list)) else (results,)  # type: ignore[assignment]
            if isinstance(block, StochasticBlock):
                self.add_loss(block.losses)
        return (x, *args) if args else x

    def __repr__(self) -> str:
        lines = [f"  ({key}): {_indent(repr(block), 2)}" for key, block in self._children.items()]
        return "\n".join([f"{type(self).__name__}(", *lines, ")"])

    def __getitem__(self, key: Any) -> Any:
        blocks = list(self._children.values())[key]
        if not isinstance(blocks, list):
            return blocks
        part = type(self)()
        part.add(*blocks)
        return part

    def __len__(self) -> int:
        return len(self._children)

"""What the networks for images share: their form, their table, and how parameters are restored."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from typing import Any, TypeVar

from mxnet._start import accept_device
from mxnet.context import Context, cpu
from mxnet.errors import MXNetError
from mxnet.gluon import nn
from mxnet.gluon.block import HybridBlock
from mxnet.gluon.model_zoo.model_store import get_model_file

Contexts = Context | Sequence[Context] | None
Root = str | os.PathLike[str] | None
N = TypeVar("N", bound=HybridBlock)
C = TypeVar("C", bound="Callable[..., ImageNetwork]")
M = TypeVar("M", bound="ImageNetwork")

NETWORKS: dict[str, Callable[..., ImageNetwork]] = {}
"""What makes a network, by the name under which its parameters were published."""


class UnknownNetworkError(MXNetError, ValueError, KeyError, AssertionError):
    """There is no such network, or none of that size; the original's error differs by place."""

    __str__ = Exception.__str__  # KeyError would show the message in quotes


class ImageNetwork(HybridBlock):
    """A network whose `features` describe an image and whose `output` tells its class."""

    features: nn.HybridSequential
    output: Any

    def hybrid_forward(self, F: Any, x: Any) -> Any:  # noqa: ARG002 - the parts have their own
        """Returns a score for each class."""
        return self.output(self.features(x))


def stack(*blocks: HybridBlock, prefix: str = "") -> nn.HybridSequential:
    """Returns blocks one after the other; without a prefix they keep the names they have."""
    sequence = nn.HybridSequential(prefix=prefix)
    sequence.add(*blocks)
    return sequence


def published(name: str) -> Callable[[C], C]:
    """Puts a function that makes a network into the table, under the name of its parameters."""

    def put(make: C) -> C:
        NETWORKS[name] = make
        return make

    return put


def variant(
    function: str, make: Callable[..., M], *sizes: Any, name: str = "", **fixed: Any
) -> Callable[..., M]:
    """Returns the function for one size of a family of networks and puts it into the table.

    Args:
        function: Name of the function.
        make: What makes networks of the family.
        *sizes: Arguments that say which one.
        name: Name of the parameters, that of the function if empty.
        **fixed: Options that make the variant.
    """
    takes = accept_device(make)

    def construct(**kwargs: Any) -> M:
        return takes(*sizes, **fixed, **kwargs)

    construct.__name__ = construct.__qualname__ = function
    construct.__module__ = make.__module__
    construct.__doc__ = (
        f"Gives the network `{name or function}`.\n\n"
        f"    Args:\n        **kwargs: Options of `{make.__name__}`, such as `pretrained` or "
        "`classes`.\n    "
    )
    return published(name or function)(construct)


def restore(net: N, name: str, pretrained: bool, ctx: Contexts = None, root: Root = None) -> N:
    """Returns a network, with its published parameters if they are wanted.

    Args:
        net: The network.
        name: Name of the parameters.
        pretrained: Whether to load them.
        ctx: Context or contexts of the parameters, the CPU by default.
        root: Folder of the files.
    """
    if pretrained:
        net.load_parameters(get_model_file(name, root), ctx=cpu() if ctx is None else ctx)
    return net


def pick(family: str, table: dict[Any, Any], size: Any) -> Any:
    """Looks a size up in the table of a family."""
    if size not in table:
        known = ", ".join(str(key) for key in table)
        raise UnknownNetworkError(f"{family}: takes one of {known}, got {size!r}")
    return table[size]

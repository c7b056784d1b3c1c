"""What checkers of types know of the results of blocks.

A call returns arrays of the kind that it got, unless what the block computes says otherwise: where
`forward` or `hybrid_forward` has an annotation, or a checker finds out by itself, that counts.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol, TypeAlias, TypeVar

R = TypeVar("R")
R_co = TypeVar("R_co", covariant=True)
H_co = TypeVar("H_co", covariant=True)


class Forward(Protocol[R_co]):
    """A block by what its `forward` returns."""

    def forward(self, *args: Any, **kwargs: Any) -> R_co:
        """Computes the output."""


class HybridForward(Protocol[R_co, H_co]):
    """A hybrid block by what its `forward` and its `hybrid_forward` return."""

    def forward(self, *args: Any, **kwargs: Any) -> R_co:
        """Computes the output."""

    def hybrid_forward(self, F: Any, /, *args: Any, **kwargs: Any) -> H_co:
        """Computes the output with the operators in `F`."""


if TYPE_CHECKING:
    from mxnet.gluon.hybrid.block import HybridBlock
    from mxnet.ndarray import NDArray
    from mxnet.numpy import ndarray
    from mxnet.symbol import Symbol
    from mxnet.symbol.numpy import _Symbol

    A = TypeVar("A", ndarray, NDArray, _Symbol, Symbol)
    ArrayBlock: TypeAlias = Forward[NDArray | Symbol]
    HybridArrayBlock: TypeAlias = HybridForward[NDArray | Symbol, NDArray | Symbol]
    HybridResult: TypeAlias = HybridForward[NDArray | Symbol, R]

    class Layer(HybridBlock):
        """A block of a class that is not known, with any parameters and children."""

        def __getattr__(self, name: str) -> Any: ...

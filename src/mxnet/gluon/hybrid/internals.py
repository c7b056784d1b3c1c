"""What libraries use of the original's `HybridBlock` although it is not public."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from mxnet._frontend.dialect import dialect_of_call
from mxnet._state import Scope
from mxnet.errors import ArgumentValueError
from mxnet.gluon.hybrid.tracing import Leaf, Trace, structure_of, trace
from mxnet.ndarray import CachedOp
from mxnet.symbol import Symbol


def format_of(structure: Any) -> Any:
    """Returns a structure as the original notes it: 0 for an array, -1 for None, nested lists."""
    if isinstance(structure, list):
        return [format_of(item) for item in structure]
    return -1 if structure is None else 0


def structure_of_format(noted: Any) -> Any:
    """Returns the structure that the original notes as numbers and lists; see `format_of`."""
    if isinstance(noted, (list, tuple)):
        return [structure_of_format(item) for item in noted]
    if noted < 0:
        return None
    return [Leaf.ARRAY] * noted if noted else Leaf.ARRAY  # 2: an operator with two results


class Internals:
    """Graphs of a block, how its arguments are nested, and the steps of its first call."""

    _cached_graph: Any

    def _mx_current_graph(self) -> tuple[Any, Trace] | None:
        raise NotImplementedError

    @property
    def _cached_op(self) -> CachedOp | None:
        """Graph of a hybridized block that was called, as a function of arrays; None before."""
        return CachedOp(self._cached_graph[1]) if self._cached_graph else None

    @property
    def _in_format(self) -> Any:
        """How arguments of a hybridized block are nested; None before its first call."""
        current = self._mx_current_graph()
        return None if current is None else format_of(current[0])

    @property
    def _out_format(self) -> Any:
        """How results of a hybridized block are nested; None before its first call."""
        current = self._mx_current_graph()
        return None if current is None else format_of(current[1].structure)

    def _get_graph(self, *args: Any) -> tuple[list[Symbol], Symbol]:
        """Returns the variables of arguments, and the graph of a call with them."""
        dialect = dialect_of_call(args)
        traced = trace(self, structure_of(args), dialect)  # type: ignore[arg-type]
        names: Sequence[str] = traced.input_names
        return [dialect.variable(name) for name in names], traced.graph

    def _infer_attrs(self, infer_fn: str, attr: str, *args: Any) -> None:
        """Finds out shapes or dtypes of parameters from arrays.

        Args:
            infer_fn: Name of the method, `infer_shape` or `infer_type`.
            attr: What it finds, `shape` or `dtype`.
            *args: Arguments of a call.
        """
        if infer_fn not in ("infer_shape", "infer_type"):
            raise ArgumentValueError(
                f"_infer_attrs: takes infer_shape or infer_type, got {infer_fn!r} for {attr!r}"
            )
        getattr(self, infer_fn)(*args)

    def _deferred_infer_shape(self, *args: Any) -> None:
        """Finds out shapes of parameters from arrays."""
        self._infer_attrs("infer_shape", "shape", *args)

    def _build_cache(self, *args: Any) -> None:
        """Makes the graph of a call, by making one."""
        with Scope(False, False):
            self._call_cached_op(*args)

    def _call_cached_op(self, *args: Any) -> Any:
        """Calls the block without its hooks; by its graph if it is hybridized."""
        return self._mx_call_traced(args)  # type: ignore[attr-defined]  # of the block

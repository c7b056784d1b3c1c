"""Products of matrices."""

from __future__ import annotations

from typing import Any

from mxnet.onnx._import.functions import np, sym
from mxnet.onnx._import.nodes import Node, imports
from mxnet.onnx._import.values import Value


@imports("MatMul", "FusedMatMul")
def _matmul(node: Node, a: Value, b: Value) -> Any:
    left, right = a.np, b.np
    if node.op_type == "FusedMatMul":
        left = np.swapaxes(left, -1, -2) if node.get("transA", 0) else left
        right = np.swapaxes(right, -1, -2) if node.get("transB", 0) else right
        return np.matmul(left, right) * node.get("alpha", 1.0)
    return np.matmul(left, right)


@imports("Gemm")
def _gemm(node: Node, a: Value, b: Value, c: Value | None = None) -> Any:
    alpha, beta = node.get("alpha", 1.0), node.get("beta", 1.0)
    if _is_dense(node, b, c):
        units, _ = b.sizes
        if c is None:
            return sym.FullyConnected(a.sym, b.sym, num_hidden=units, no_bias=True, flatten=False)
        return sym.FullyConnected(a.sym, b.sym, c.sym, num_hidden=units, flatten=False)
    left = a.np.T if node.get("transA", 0) else a.np
    right = b.np.T if node.get("transB", 0) else b.np
    product = np.matmul(left, right)
    product = product if alpha == 1 else product * alpha
    if c is None:
        return product
    return product + (c.np if beta == 1 else c.np * beta)


def _is_dense(node: Node, b: Value, c: Value | None) -> bool:
    """Returns whether a node is what a dense layer computes, with parameters that are known."""
    is_plain = node.get("alpha", 1.0) == 1 and node.get("beta", 1.0) == 1
    is_plain &= not node.get("transA", 0) and bool(node.get("transB", 0)) and b.is_float
    if not is_plain or b.constant is None or b.ndim != 2:
        return False
    return c is None or (c.constant is not None and c.lengths == (b.sizes[0],))


@imports("Det")
def _determinant(_: Node, x: Value) -> Any:
    return np.linalg.det(x.np)

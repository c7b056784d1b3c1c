"""Random numbers, which are others with each call."""

from __future__ import annotations

from typing import Any

from mxnet.onnx._import.functions import cast, sym
from mxnet.onnx._import.nodes import Node, imports
from mxnet.onnx._import.values import Value


def _dtype(node: Node, default: str = "float32") -> str:
    number = node.get("dtype")
    return default if number is None else str(node.importer.numpy_dtype(number, node).name)


@imports("RandomNormal")
def _normal(node: Node) -> Any:
    shape = tuple(node.ints("shape") or ())
    mean, scale = node.get("mean", 0.0), node.get("scale", 1.0)
    return sym.random.normal(mean, scale, shape=shape, dtype=_dtype(node))


@imports("RandomUniform")
def _uniform(node: Node) -> Any:
    shape = tuple(node.ints("shape") or ())
    return sym.random.uniform(
        node.get("low", 0.0), node.get("high", 1.0), shape=shape, dtype=_dtype(node)
    )


@imports("RandomNormalLike")
def _normal_like(node: Node, x: Value) -> Any:
    options = {"loc": node.get("mean", 0.0), "scale": node.get("scale", 1.0)}
    drawn = sym.random.normal_like(x.sym, **options)
    return sym.Cast(drawn, dtype=_dtype(node, x.dtype or "float32"))


@imports("RandomUniformLike")
def _uniform_like(node: Node, x: Value) -> Any:
    options = {"low": node.get("low", 0.0), "high": node.get("high", 1.0)}
    drawn = sym.random.uniform_like(x.sym, **options)
    return sym.Cast(drawn, dtype=_dtype(node, x.dtype or "float32"))


@imports("Multinomial")
def _multinomial(node: Node, x: Value) -> Any:
    count = node.get("sample_size", 1)
    drawn = sym.sample_multinomial(sym.softmax(x.sym), shape=(count,))
    return sym.Cast(drawn, dtype=_dtype(node, "int32"))


@imports("Bernoulli")
def _bernoulli(node: Node, x: Value) -> Any:
    drawn = sym.random.uniform_like(x.sym).as_np_ndarray() < x.np
    return cast(drawn, _dtype(node, x.dtype or "float32"))

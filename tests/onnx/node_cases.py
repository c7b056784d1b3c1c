"""Runs ONNX's own tests of operators (`onnx.backend.test.case.node`) through the importer."""

from __future__ import annotations

import warnings
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
import onnx

import mxnet as mx


def collect() -> list[Any]:
    """Returns all cases; takes several seconds."""
    from onnx.backend.test.case.node import collect_testcases

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return collect_testcases(None)


def with_constants(model: Any, values: dict[str, np.ndarray]) -> Any:
    """Returns a model some inputs of which are constants, as in models that were exported."""
    copy = onnx.ModelProto()
    copy.CopyFrom(model)
    kept = [item for item in copy.graph.input if item.name not in values]
    del copy.graph.input[:]
    copy.graph.input.extend(kept)
    for name, array in values.items():
        copy.graph.initializer.append(onnx.numpy_helper.from_array(array, name))
    return copy


def _choices(inputs: dict[str, np.ndarray]) -> Iterator[dict[str, np.ndarray]]:
    """Yields which inputs to make constants, from none to all but the first."""
    yield {}
    small = {
        k: v for k, v in inputs.items() if v.ndim <= 1 and (v.dtype.kind in "iub" or v.size < 2)
    }
    if small and len(small) < len(inputs):
        yield small
    first = next(iter(inputs), None)
    yield {k: v for k, v in inputs.items() if k != first}
    yield inputs


def run(model: Any, inputs: dict[str, np.ndarray]) -> list[np.ndarray]:
    """Imports a model and computes its outputs."""
    error: NotImplementedError | None = None
    for constants in _choices(inputs):
        try:
            net = mx.onnx.import_to_gluon(with_constants(model, constants))
            break
        except NotImplementedError as caught:
            error = error or caught
    else:
        raise error
    given = [item.name for item in model.graph.input if item.name not in constants]
    arrays = [mx.nd.array(inputs[name], dtype=inputs[name].dtype) for name in given]
    if not arrays:
        outputs = net._symbol.bind(
            mx.cpu(), {k: p.data() for k, p in net.collect_params().items()}
        ).forward()
    else:
        outputs = net(*arrays)
    outputs = outputs if isinstance(outputs, (list, tuple)) else [outputs]
    return [output.asnumpy() for output in outputs]


def check(case: Any) -> None:
    """Raises unless a case passes.

    Shapes must be equal but for scalars, which may have one axis; so must dtypes be.
    """
    for inputs, expected in case.data_sets:
        names = [item.name for item in case.model.graph.input]
        outputs = run(case.model, dict(zip(names, map(np.asarray, inputs), strict=False)))
        compare(outputs, expected, case.rtol, case.atol)


def compare(
    outputs: Sequence[np.ndarray], expected: Sequence[Any], rtol: float, atol: float
) -> None:
    assert len(outputs) >= len(expected), f"{len(outputs)} outputs, expected {len(expected)}"
    for output, wanted in zip(outputs, expected, strict=False):
        wanted = np.asarray(wanted)
        assert output.shape == wanted.shape or (wanted.shape == () and output.shape == (1,)), (
            f"shape {output.shape}, expected {wanted.shape}"
        )
        assert output.dtype == wanted.dtype, f"dtype {output.dtype}, expected {wanted.dtype}"
        np.testing.assert_allclose(
            output.reshape(wanted.shape), wanted, rtol=rtol, atol=max(atol, 1e-6)
        )


def operator_of(case: Any) -> str:
    """Returns the operator that a case is about."""
    nodes = case.model.graph.node
    if len(nodes) == 1:
        return str(nodes[0].op_type)
    return "expanded" if "expanded" in case.name else "several"

"""Runs samples on kernels and reads the golden files."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

import mxnet as mx
from mxnet._arrays import functions as array_functions
from mxnet.ops.core.registry import Op, as_tuple, get_op
from mxnet.ops.core.spellings import CLASSIC, public_name
from mxnet.symbol import _functions as symbol_functions

from .samples import custom
from .samples.core import Sample
from .samples.table import families

GOLDEN = Path(__file__).resolve().parents[1] / "golden" / "ops"

custom.prepare(mx)

ALL = [
    pytest.param(family, sample, id=f"{family}:{sample.id}")
    for family, samples in families().items()
    for sample in samples
]
VALID = [p for p in ALL if not p.values[1].raises]
INVALID = [p for p in ALL if p.values[1].raises]
"""Every sample with its family, and those that are computed and that are refused."""

DATA_DEPENDENT = {
    "_contrib_boolean_mask",
    "_contrib_dynamic_reshape",
    "_npi_bincount",
    "_npi_unique",
    "_npx_nonzero",
}
"""Operators whose output shape depends on values, so that it cannot be inferred."""


def function_of(operator: str, functions: Any) -> Any:
    """Returns the function of an operator in `mx.nd` or `mx.sym`.

    Those of the NumPy dialect have none there; here they get one, so that all samples can be run in
    the same way.
    """
    place = CLASSIC.place(operator)
    if place is not None:
        module, name = place
        return getattr(getattr(functions, module), name)
    op, name = get_op(operator), public_name(operator)
    if functions is mx.nd:
        return array_functions.as_function(op, name, mx.nd.NDArray, "")
    return symbol_functions.as_function(op, name, "")


def depends_on_data(sample: Sample) -> bool:
    """Returns whether the output shape depends on values; deleting does so by an array."""
    names_positions = sample.op == "_npi_delete" and len(sample.inputs) > 1
    return names_positions or get_op(sample.op).name in DATA_DEPENDENT


def samples_with_golden_results() -> list:
    """Returns the samples that the original computes correctly, so that it is the judge."""
    return [p for p in VALID if p.values[1].oracle]


def samples_without_golden_results() -> list:
    """Returns the samples on which the original is wrong or crashes."""
    return [p for p in VALID if not p.values[1].oracle]


def samples_with_inferred_shapes() -> list:
    """Returns the samples whose output shapes follow from the shapes of the inputs."""
    return [p for p in VALID if not depends_on_data(p.values[1])]


def samples_with_weights() -> list:
    """Returns the samples that have inputs whose shapes follow from that of the data."""
    return [p for p in VALID if fill_shapes(p.values[1])]


def samples_with_slopes() -> list:
    """Returns the samples whose gradients are checked by finite differences."""
    return [p for p in VALID if _has_slope(p.values[1])]


def _has_slope(sample: Sample) -> bool:
    op = get_op(sample.op)
    if not (sample.numeric and sample.gradient and op.differentiable) or sample.random:
        return False
    if any(array is not None and array.dtype == "float16" for array in sample.inputs):
        return False
    return not _is_discrete(sample) and any(
        array is not None and array.dtype.startswith("float") and array.size and varies(op, index)
        for index, array in enumerate(sample.inputs)
    )


def _is_discrete(sample: Sample) -> bool:
    """Returns whether all outputs are indices, masks or whole numbers."""
    if get_op(sample.op).name == "topk":
        return sample.attrs.get("ret_typ", "indices") in ("indices", "mask")
    return str(sample.attrs.get("dtype")).startswith("int")


def varies(op: Op, index: int) -> bool:
    """Returns whether the outputs have a gradient with respect to an input."""
    return input_name(op, index) not in held_constant(op) | op.any_dtype


def fill_shapes(sample: Sample) -> dict[int, tuple[int, ...]]:
    """Returns the shapes that the operator fills in from its first input, by position."""
    op, attrs = parse_call(sample)
    if op.fill_shapes is None or op.variadic:
        return {}
    filled = op.fill_shapes(sample.inputs[0].full_shape, **op.with_defaults(attrs))
    return {
        index: tuple(filled[op.inputs[index].name])
        for index, array in enumerate(sample.inputs)
        if array is not None and op.inputs[index].name in filled
    }


@cache
def golden(family: str) -> dict[str, tuple[str, dict[str, np.ndarray]]]:
    """Returns the golden rows of a family by sample: its digest, and results by name."""
    rows: dict[str, tuple[str, dict[str, np.ndarray]]] = {}
    with np.load(GOLDEN / f"{family}.npz") as archive:
        for line in archive["samples"].tolist():
            digest, _, sample_id = line.partition(" ")
            rows[sample_id] = digest, {}
        for key in archive.files:
            sample_id, _, name = key.rpartition("/")
            if sample_id:
                rows[sample_id][1][name] = archive[key]
    return rows


def expected_results(family: str, sample: Sample) -> dict[str, np.ndarray]:
    """Returns what the original gives for a sample, by name."""
    digest, results = golden(family)[sample.id]
    assert digest == sample.digest, f"{sample.id} has changed: run tests/golden/make_ops.py"
    return results


def make_array(sample: Sample, values: np.ndarray, dtype: Any = None) -> mx.nd.NDArray:
    """Makes an array of the dialect of a sample; that of NumPy has scalars."""
    if sample.is_numpy:
        return mx.nd.from_torch(torch.tensor(values if dtype is None else values.astype(dtype)))
    return mx.nd.array(values, dtype=values.dtype if dtype is None else dtype)


def parse_call(sample: Sample) -> tuple[Op, dict[str, Any]]:
    """Finds the operator and parses the attributes; `num_args` of a variadic call is implied."""
    op = get_op(sample.op)
    implied = op.variadic and "num_args" not in op.attrs
    attrs = {k: v for k, v in sample.attrs.items() if not (implied and k == "num_args")}
    return op, op.parse_attrs(attrs)


def supplied(op: Op, training: bool, device: str = "cpu") -> dict[str, Any]:
    """Returns the arguments that the frontend supplies to a kernel."""
    available = {"training": training, "generator": None, "device": torch.device(device)}
    return {name: available[name] for name in op.supplied}


def held_constant(op: Op) -> set[str]:
    """Names of the inputs that never get a gradient."""
    return {*op.aux, *op.mutates}


def input_name(op: Op, index: int) -> str:
    """Name of the input at a position."""
    return op.inputs[0].name if op.variadic else op.inputs[index].name


def run_kernel(sample: Sample) -> dict[str, np.ndarray]:
    """Runs the kernel forward and backward on plain tensors, as the golden script does."""
    op, attrs = parse_call(sample)
    tensors = [None if a is None else torch.tensor(a) for a in sample.make_inputs()]
    for index, tensor in enumerate(tensors):
        if (
            tensor is not None
            and tensor.is_floating_point()
            and sample.gradient
            and op.differentiable
            and input_name(op, index) not in held_constant(op)
        ):
            tensor.requires_grad_()
    outputs = as_tuple(op.kernel(*tensors, **attrs, **supplied(op, sample.train)))
    outputs = outputs[: op.count_outputs(attrs)]
    result = {f"out{i}": output.detach().numpy() for i, output in enumerate(outputs)}
    if sample.gradient:
        heads = sample.make_head_gradients([output.detach().numpy() for output in outputs])
        pairs = [
            (output, torch.tensor(head))
            for output, head in zip(outputs, heads, strict=True)
            if output.requires_grad
        ]
        if pairs:
            torch.autograd.backward([p[0] for p in pairs], [p[1] for p in pairs])
        for index, tensor in enumerate(tensors):
            if tensor is not None and tensor.is_floating_point():
                gradient = torch.zeros_like(tensor) if tensor.grad is None else tensor.grad
                result[f"grad{index}"] = gradient.numpy()
    for index, (tensor, before) in enumerate(zip(tensors, sample.make_inputs(), strict=True)):
        if tensor is not None and not np.array_equal(
            tensor.detach().numpy(), before, equal_nan=before.dtype.kind == "f"
        ):
            result[f"state{index}"] = tensor.detach().numpy()
    return result


def assert_agrees(sample: Sample, name: str, found: np.ndarray, expected: np.ndarray) -> None:
    """Compares an array with the original's; of a random one, type and shape alone."""
    assert found.dtype == expected.dtype, name
    assert found.shape == expected.shape, name
    if not sample.random:
        np.testing.assert_allclose(
            found, expected, rtol=sample.rtol, atol=sample.atol, err_msg=name
        )

"""Runs every operator sample under the original MXNet and stores what it gives.

Run by the interpreter of the environment that has the original (see CONTRIBUTING.md):

    python tests/golden/make_ops.py [family ...]

The original is MXNet 1.9.1, but 2.0.0b1 for the families `later_*`, which are of operators that
MXNet 2 added.

Writes `tests/golden/ops/<family>.npz`: for each sample its outputs, gradients and states
under its id, and in `samples` the digest and the id of each.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path

import numpy as np

np.bool = bool  # the original predates NumPy 1.24

import mxnet as mx  # noqa: E402

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))

from ops.samples import custom  # noqa: E402
from ops.samples.core import Sample  # noqa: E402
from ops.samples.table import families  # noqa: E402

NUMPY_MODULES = (
    ("_npx__image_", mx.nd.numpy_extension.image),
    ("_npx__random_", mx.nd.numpy_extension.random),
    ("_npx_", mx.nd.numpy_extension._op),
    ("_npi_", mx.nd.numpy._internal),
    ("_np_", mx.nd.numpy._op),
)


def find(name: str):
    """Finds the function of an operator in the original."""
    for prefix, module in NUMPY_MODULES:
        if name.startswith(prefix) and hasattr(module, name[len(prefix) :]):
            return getattr(module, name[len(prefix) :])
    for module in (mx.nd, mx.nd.op, mx.nd._internal):
        if hasattr(module, name):
            return getattr(module, name)
    for prefix, module in (
        ("_contrib_", mx.nd.contrib),
        ("_linalg_", mx.nd.linalg),
        ("_image_", mx.nd.image),
        ("_random_", mx.nd.random),
    ):
        if name.startswith(prefix) and hasattr(module, name[len(prefix) :]):
            return getattr(module, name[len(prefix) :])
    raise AttributeError(f"the original has no operator {name}")


def run(sample: Sample) -> dict[str, np.ndarray]:
    """Runs one sample, forward and backward, in the scopes of its dialect."""
    with ExitStack() as scopes:
        if sample.is_numpy:
            scopes.enter_context(mx.util.np_shape(True))
            scopes.enter_context(mx.util.np_array(True))
        return run_in_scope(sample, mx.np.array if sample.is_numpy else mx.nd.array)


def run_in_scope(sample: Sample, make_array: Callable[..., mx.nd.NDArray]) -> dict[str, np.ndarray]:
    """Runs one sample on arrays that a function makes."""
    arrays = [
        None if item is None else make_array(item, dtype=item.dtype)
        for item in sample.make_inputs()
    ]
    differentiable = [
        a for a in arrays if a is not None and np.dtype(a.dtype).kind == "f" and sample.gradient
    ]
    for array in differentiable:
        array.attach_grad()
    function = find(sample.op)
    given = arrays
    while given and given[-1] is None:
        given = given[:-1]
    with mx.autograd.record(train_mode=sample.train):
        outputs = function(*given, **sample.attrs)
        outputs = outputs if isinstance(outputs, (list, tuple)) else [outputs]
    result = {f"out{index}": output.asnumpy() for index, output in enumerate(outputs)}
    if differentiable:
        heads = sample.make_head_gradients([output.asnumpy() for output in outputs])
        mx.autograd.backward(
            outputs, [make_array(head, dtype=head.dtype) for head in heads], train_mode=sample.train
        )
        for index, array in enumerate(arrays):
            if array is not None and array.grad is not None:
                result[f"grad{index}"] = array.grad.asnumpy()
    for index, (array, before) in enumerate(zip(arrays, sample.make_inputs(), strict=True)):
        if array is not None and not np.array_equal(array.asnumpy(), before, equal_nan=True):
            result[f"state{index}"] = array.asnumpy()
    mx.nd.waitall()
    return result


def main(wanted: list[str]) -> int:
    """Writes the golden files of the wanted families, or of all."""
    problems = 0
    custom.prepare(mx)
    for family, samples in families().items():
        if family.startswith("later_") != mx.__version__.startswith("2"):
            continue
        if wanted and family not in wanted:
            continue
        store, rows = {}, []
        for sample in samples:
            if not sample.oracle:
                continue
            try:
                result = run(sample)
            except Exception as error:  # noqa: BLE001 - whatever the original raises is the answer
                if not sample.raises:
                    problems += 1
                    message = str(error).strip().splitlines()
                    print(f"{family}: {sample.id} {sample.inputs} {sample.attrs}")
                    print("   ", message[-1] if message else repr(error))
                continue
            if sample.raises:
                problems += 1
                print(f"{family}: {sample.id} {sample.attrs} should raise, gave {result}")
            if not sample.raises:
                rows.append(f"{sample.digest} {sample.id}")
                store.update({f"{sample.id}/{key}": value for key, value in result.items()})
        path = HERE / "ops" / f"{family}.npz"
        path.parent.mkdir(exist_ok=True)
        np.savez_compressed(path, samples=np.array(rows, dtype=str), **store)
        print(f"{family}: {len(samples)} samples, {path.stat().st_size} bytes")
    return 1 if problems else 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))

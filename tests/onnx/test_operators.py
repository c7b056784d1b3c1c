"""Every operator that can be exported computes the same in ONNX Runtime."""

from pathlib import Path

import pytest

import mxnet as mx
from mxnet.onnx._export.table import CONVERTERS, NEWEST_OPSET, OLDEST_OPSET
from mxnet.ops.core.registry import all_ops, get_op

from ..ops.samples import custom
from ..ops.samples.table import families
from .agreement import try_sample

custom.prepare(mx)

GOLDEN = Path(__file__).resolve().parents[1] / "golden"

CONTROL_FLOW = {"_foreach", "_while_loop", "_cond"}


def first_samples():
    """Returns a sample of float32 for each operator with a converter, or any if there is none."""
    chosen = {}
    for samples in families().values():
        for sample in samples:
            name = get_op(sample.op).name
            if sample.raises or name not in CONVERTERS:
                continue
            is_usual = all(array is None or array.dtype == "float32" for array in sample.inputs)
            if name not in chosen or (is_usual and not chosen[name][0]):
                chosen[name] = (is_usual, sample)
    return [sample for _, sample in chosen.values()]


@pytest.mark.parametrize("sample", first_samples(), ids=str)
def test_runtime_computes_the_same(sample):
    assert try_sample(sample).word == "equal"


@pytest.mark.slow
@pytest.mark.parametrize("opset", [OLDEST_OPSET, 16, 17, 18, 20])
@pytest.mark.parametrize("sample", first_samples(), ids=str)
def test_runtime_computes_the_same_in_other_versions(sample, opset):
    outcome = try_sample(sample, opset)
    if outcome.word == "refused" and "needs opset_version" in outcome.reason:
        assert opset < NEWEST_OPSET
        return
    assert outcome.word == "equal"


def test_rows_of_the_table_are_operators():
    names = {op.name for op in all_ops()} | CONTROL_FLOW
    assert names >= set(CONVERTERS)


def test_all_operators_of_the_original_exporter():
    names = (GOLDEN / "onnx_exporter.txt").read_text().split()
    assert set(names) <= set(mx.onnx.get_operator_support())

"""Every operator on every sample on a GPU that is not there: nothing is waited for, or captured.

Operators that have to read values are listed with the reason. Each list is checked against what
happens, so that a row that is no longer needed fails.
"""

from __future__ import annotations

import sys

import pytest
import torch
from torch._subclasses.fake_tensor import DynamicOutputShapeException

import mxnet.ops.catalog  # noqa: F401 - declares the operators
from mxnet.errors import MXNetError
from mxnet.ops.core.registry import get_op
from tests.bundles import each

from .fake_gpu import GPU, StopsCaptureError, capturing, fake_gpu, run_twice, watching
from .harness import VALID, depends_on_data
from .samples.core import Sample

pytestmark = [
    pytest.mark.skipif(sys.platform != "linux", reason="torch is patched by its symbols"),
    pytest.mark.filterwarnings("ignore:Accessing the data pointer of FakeTensor"),
]

VALUES_MAKE_SHAPES = {
    "_contrib_boolean_mask": "The result has as many rows as the mask names.",
    "_contrib_dynamic_reshape": "The shape is an array.",
    "_npi_bincount": "The result is as long as the largest number.",
    "_npi_delete": "An array of positions may name some twice, or none.",
    "_npi_unique": "The result has as many elements as differ.",
    "_npx_nonzero": "The result has as many rows as elements that are not zero.",
}
"""Operators whose result has a shape that depends on values."""

READS_VALUES = {
    "RNN": "cuDNN takes lengths of sequences from the host.",
    "_contrib_RROIAlign": "As many samples as a cell has points; MXNet has it on CPUs alone.",
    "_contrib_calibrate_entropy": "The host searches a histogram; MXNet has it on CPUs alone.",
    "_image_random_color_jitter": "The order of the steps is drawn on the host.",
    "_image_random_resized_crop": "The host computes how to scale what is cut out, by its size.",
    "_linalg_syevd": "torch looks whether the factorization converged.",
    "_npi_eig": "torch computes it on the host; MXNet has it on CPUs alone.",
    "_npi_eigh": "torch looks whether the factorization converged.",
    "_npi_eigvals": "torch computes it on the host; MXNet has it on CPUs alone.",
    "_npi_eigvalsh": "torch looks whether the factorization converged.",
    "_npi_lstsq": "The deviations are empty unless the rank is full; and see `_npi_svd`.",
    "_npi_matrix_rank": "It counts singular values, see `_npi_svd`.",
    "_npi_matrix_rank_none_tol": "It counts singular values, see `_npi_svd`.",
    "_npi_norm": "Some norms of matrices are sums of singular values, see `_npi_svd`.",
    "_npi_svd": "torch looks whether the factorization converged.",
    "take": "`mode='raise'` asks whether all positions exist.",
}
"""Operators some samples of which have to know values, in captures too."""

WAITS_UNLESS_CAPTURED = {
    "CTCLoss": "torch's kernel, in place of which captures go step by step, reads lengths.",
    "_linalg_inverse": "Singular matrices are refused.",
    "_linalg_potrf": "Matrices that are not positive definite are refused.",
    "_npi_boolean_mask_assign_tensor": "More or fewer values than the mask names are refused.",
    "_npi_choice": "torch refuses what are no probabilities.",
    "_npi_cholesky": "Matrices that are not positive definite are refused.",
    "_npi_insert_tensor": "Positions beyond the axis are refused.",
    "_npi_percentile": "Percentages beyond 0 to 100 are refused.",
    "_npi_solve": "Singular matrices are refused.",
    "_npi_tensorinv": "Singular matrices are refused.",
    "_npi_tensorsolve": "Singular matrices are refused.",
    "_npx_constraint_check": "It raises if a constraint does not hold.",
    "_sample_multinomial": "torch refuses what are no probabilities.",
}
"""Operators that check values where they may wait, and go without where they may not."""

NOT_FAKED = {
    *("_npx__random_multinomial", "_random_binomial", "_random_binomial_like", "_sample_binomial"),
    *("_npi_multinomial", "mp_sgd_mom_update", "mp_sgd_update", "multi_mp_sgd_mom_update"),
    *("multi_mp_sgd_update", "multi_sgd_update", "sgd_mom_update", "sgd_update"),
}
"""Operators that use functions of torch of which fake tensors know no shapes."""

MOST_SAMPLES = 8
"""Samples of an operator that are run: others differ in types and sizes."""


def names_of(samples: list) -> set[str]:
    return {get_op(p.values[1].op).name for p in samples}


def is_left_out(sample: Sample) -> bool:
    name = get_op(sample.op).name
    return depends_on_data(sample) or name in READS_VALUES or name in NOT_FAKED


def chosen_samples() -> list:
    """Returns some samples of each operator, from its first to its last."""
    by_name: dict[str, list] = {}
    for p in VALID:
        if not is_left_out(p.values[1]):
            by_name.setdefault(get_op(p.values[1].op).name, []).append(p)
    chosen = []
    for samples in by_name.values():
        step = -(-len(samples) // MOST_SAMPLES)
        chosen += samples if is_of_regions(samples[0].values[0]) else samples[::step]
    return chosen


def is_of_regions(family: str) -> bool:
    """Returns whether samples are of operators whose work depends on values, of which all run."""
    return family in ("detection", "multibox", "proposal", "nn_roi", "nn_ctc", "ordering")


@each(chosen_samples())
def test_no_kernel_waits_or_stops_a_capture(_family: str, sample: Sample):
    run_twice(sample, may_wait=get_op(sample.op).name in WAITS_UNLESS_CAPTURED)


def fails(sample: Sample, *, may_wait: bool) -> bool:
    """Returns whether a sample does what it should not."""
    errors = (AssertionError, DynamicOutputShapeException, MXNetError, RuntimeError)
    try:
        run_twice(sample, may_wait=may_wait)
    except errors:
        return True
    return False


@pytest.mark.parametrize("name", [*VALUES_MAKE_SHAPES, *READS_VALUES, *sorted(NOT_FAKED)])
def test_what_is_left_out_would_fail(name):
    own = [p.values[1] for p in VALID if get_op(p.values[1].op).name == name]
    assert any(fails(sample, may_wait=True) for sample in own)


@pytest.mark.parametrize("name", WAITS_UNLESS_CAPTURED)
def test_what_waits_does_wait(name):
    own = [p.values[1] for p in VALID if get_op(p.values[1].op).name == name]
    assert any(fails(sample, may_wait=False) for sample in own)


def test_all_operators_whose_shapes_depend_on_values_are_listed():
    assert names_of([p for p in VALID if depends_on_data(p.values[1])]) == set(VALUES_MAKE_SHAPES)


@pytest.mark.parametrize(
    ("offence", "message"),
    [
        (lambda x: x.sum().item(), "reads values"),
        (lambda x: bool((x > 0).any()), "reads values"),
        (lambda x: x[x > 0], "by a mask"),
        (lambda x: x.nonzero(), "reads values"),
        (lambda x: x + x.new_tensor([1, 2, 3]), "from the host"),
        (lambda x: x[:, [0, 1]], "from the host"),
        (lambda x: x[torch.tensor([0, 1])], "from the host"),
        (lambda x: x[0].__setitem__(0, 1.5), "between host and GPU"),
        (lambda x: x.cpu(), "to the host"),
        (lambda x: x.tolist(), "host|values"),
    ],
    ids=[
        "item",
        "bool",
        "mask",
        "nonzero",
        "constant",
        "list",
        "index",
        "element",
        "cpu",
        "list of",
    ],
)
def test_offences_are_seen(offence, message):
    with fake_gpu(), capturing(True):
        x = torch.empty(3, 3, device=GPU)
        with watching(), pytest.raises(StopsCaptureError, match=message):
            offence(x)


def test_a_number_in_an_expression_is_no_offence():
    with fake_gpu(), capturing(True):
        x = torch.empty(3, 3, device=GPU)
        with watching():
            x[1:] = 2.5
            x[x > 0] = 1
            assert torch.where(x > 0, x * 2 + torch.tensor(1.5), 0).is_cuda

"""Distributions, divergences and transformations give what MXNet 2.0.0b1 gives, hybridized too."""

from __future__ import annotations

import functools
import json
from fnmatch import fnmatchcase
from pathlib import Path

import numpy as onp
import pytest

from tests.golden import mxnet2_probability_programs as programs
from tests.golden.mxnet2_probability_cases import cases

GOLDEN = Path(__file__).resolve().parents[2] / "golden" / "mxnet2_probability.npz"
CASES = cases()

OTHERWISE = {
    "Poisson/sample_n (4, 2)": "there the axes of the size have another order",
    "HalfCauchy/*/mean*": "it has no finite mean; there it is that of HalfNormal",
    "HalfCauchy/*/variance*": "it has no finite variance; there it is that of HalfNormal",
    "MultivariateNormal * | *": "there the formula has a wrong sign and lacks a factor",
    "*Categorical logit/*/log_prob/logit": "there the slope leaves out what normalizes",
    "*Categorical logit/*/pdf/logit": "there the slope leaves out what normalizes",
    "Multinomial logit/*/log_prob/logit": "there the slope leaves out what normalizes",
    "Multinomial logit/*/pdf/logit": "there the slope leaves out what normalizes",
    "*Categorical logit | */kl/*logit": "there the slope leaves out what normalizes",
}
"""Results that are not those of MXNet 2, with the reason; `test_torch.py` judges these."""


@functools.cache
def golden() -> dict[str, onp.ndarray]:
    with onp.load(GOLDEN) as file:
        index, values = json.loads(str(file["index"])), file["values"]
    found, start = {}, 0
    for path, (dtype, *shape) in index.items():
        size = int(onp.prod(shape))
        found[path] = values[start : start + size].reshape(shape).astype(dtype)
        start += size
    return found


def is_otherwise(path: str) -> bool:
    return any(fnmatchcase(path, pattern) for pattern in OTHERWISE)


GROUPS = sorted(
    {path.partition("/")[0] for path in CASES if path in golden() and not is_otherwise(path)}
)
REFUSED = sorted({path.partition("/")[0] for path in CASES if path not in golden()})


@pytest.mark.parametrize("hybridize", [False, True], ids=["eager", "hybridized"])
@pytest.mark.parametrize("group", GROUPS)
def test_results_and_gradients_are_those_of_mxnet_2(group, hybridize):
    expected = golden()
    compared = 0
    for path, run in CASES.items():
        if path.partition("/")[0] != group or path not in expected:
            continue
        for name, found in run(hybridize):
            key = f"{path}{name}"
            if key not in expected or is_otherwise(key):
                continue
            right = expected[key]
            # Of numbers some are doubles there, and some are not.
            if right.shape and not (right.dtype == onp.float64 and "/float32/" in key):
                assert found.dtype == right.dtype, key
            onp.testing.assert_allclose(found, right, rtol=1e-4, atol=1e-5, err_msg=key)
            compared += 1
    assert compared


@pytest.mark.parametrize("pattern", OTHERWISE)
def test_what_differs_is_there_and_differs(pattern):
    expected = golden()
    keys = [key for key in expected if fnmatchcase(key, pattern)]
    paths = {key if key in CASES else key.rpartition("/")[0] for key in keys}
    found = {f"{path}{name}": value for path in paths for name, value in CASES[path](False)}
    assert any(
        found[key].shape != expected[key].shape
        or not onp.allclose(found[key], expected[key], rtol=1e-3, atol=1e-3)
        for key in keys
    )


@pytest.mark.parametrize("group", REFUSED)
def test_what_mxnet_2_refuses_is_the_same_hybridized(group):
    """Computes what fails there, or what neither defines."""
    for path, run in CASES.items():
        if path.partition("/")[0] != group or path in golden():
            continue
        try:
            eager = dict(run(False))
        except NotImplementedError:
            with pytest.raises(NotImplementedError):
                dict(run(True))
            continue
        hybridized = dict(run(True))
        for name, right in eager.items():
            onp.testing.assert_allclose(hybridized[name], right, rtol=1e-5, atol=1e-6)


@pytest.mark.parametrize("hybridize", [False, True], ids=["eager", "hybridized"])
@pytest.mark.parametrize("name", programs.PROGRAMS)
def test_programs_train_as_under_mxnet_2(name, hybridize):
    expected = golden()
    for key, found in programs.run(name, hybridize):
        right = expected[f"{name}{key}"]
        onp.testing.assert_allclose(found, right, rtol=1e-4, atol=1e-5, err_msg=key)
    losses = expected[f"{name}/losses"]
    assert losses[-1] < losses[0]

"""Random programs: a sample against the original, and the tools that find differences."""

from __future__ import annotations

import json
import warnings
from pathlib import Path

import numpy as np
import pytest

from tools.random_programs.catalogue.table import MAKERS, NUMPY_MAKERS, SPARSE_MAKERS
from tools.random_programs.compare import Difference, differences, kind_of
from tools.random_programs.generate import program
from tools.random_programs.known import reason
from tools.random_programs.modes import MODES, has_odd_slopes
from tools.random_programs.sample import read_sample
from tools.random_programs.search import Finding, alone_program
from tools.random_programs.selection import with_heads

GOLDEN = Path(__file__).resolve().parents[1] / "golden"
SAMPLE = GOLDEN / "random_programs.npz"
OTHER_SAMPLES = {
    "bound": GOLDEN / "random_bindings.npz",
    "inferred": GOLDEN / "random_bindings.npz",
    "headed": GOLDEN / "random_parameters.npz",
    "replaced": GOLDEN / "random_parameters.npz",
}
SPARSE_SAMPLE = GOLDEN / "random_sparse.npz"
SPARSE_MODES = {
    "imperative": 50, "recorded": 40, "accumulated": 4, "symbolic": 40, "bound": 40,
    "hybridized": 35,
}  # fmt: skip
"""Programs with sparse arrays that their sample must have; few gradients can be added to there."""
KINDS = ("operator", "inplace", "method")
"""Words before the name of what a row does."""
FEWEST = {"bound": 21, "inferred": 21, "headed": 15, "replaced": 15}
"""Programs that a sample must have, by mode."""


@pytest.fixture(scope="module")
def sample():
    return read_sample(str(SAMPLE))


@pytest.mark.parametrize("mode", OTHER_SAMPLES)
def test_programs_of_other_samples_agree_with_the_original(mode):
    compared, wrong = _compare(mode, read_sample(str(OTHER_SAMPLES[mode])))
    assert compared >= FEWEST[mode]
    assert wrong == []


def _compare(mode, cases):
    """Runs cases of a mode, and returns their number and what differs."""
    chosen = [case for case in cases if case[0] == mode]
    wrong = []
    for _, made, theirs in chosen:
        with warnings.catch_warnings(), np.errstate(all="ignore"):
            warnings.simplefilter("ignore")
            ours = MODES[mode](made)
        wrong += [(made["name"], found) for found in differences(made, ours, theirs)]
    return len(chosen), wrong


@pytest.mark.parametrize("mode", SPARSE_MODES)
def test_programs_with_sparse_arrays_agree_with_the_original(mode):
    compared, wrong = _compare(mode, read_sample(str(SPARSE_SAMPLE)))
    assert compared >= SPARSE_MODES[mode]
    assert wrong == []


def test_the_sample_with_sparse_arrays_has_every_operator():
    used = {
        (step.get("name") or step["do"]).removeprefix("sparse.")
        for mode, made, _ in read_sample(str(SPARSE_SAMPLE))
        if mode == "imperative"
        for step in made["steps"]
    }
    rows = {name.split()[-1 if name.split()[0] in KINDS else 0] for name in SPARSE_MAKERS}
    assert {name.removeprefix("sparse.") for name in rows} - used == set()


@pytest.mark.parametrize(
    ("ours", "theirs", "kind"),
    [
        ([[2, None]], [[2, None]], ""),
        ([[2, 3]], [[2, None]], ""),
        ([[2, 3]], [None], ""),
        ([[2, None]], [[2, 3]], "unknown here"),
        ([None], [[2, 3]], "unknown here"),
        ([[2, 4]], [[2, 3]], "shape"),
        ([[2]], [[2, 3]], "shape"),
    ],
)
def test_more_may_be_known_of_shapes(ours, theirs, kind):
    assert kind_of(("shapes", ours), ("shapes", theirs), 0) == kind
    assert kind_of(("shapes", ours), ("raised", ["MXNetError"], ""), 0) == ""
    assert kind_of(("raised", ["MXNetError"], ""), ("shapes", theirs), 0) == "raises here"


@pytest.mark.parametrize("mode", sorted(MODES.keys() - OTHER_SAMPLES.keys() - {"forwarded"}))
def test_programs_of_the_sample_agree_with_the_original(sample, mode):
    compared, wrong = _compare(mode, sample)
    assert compared > 50
    assert wrong == []


@pytest.mark.parametrize(("dialect", "makers"), [("nd", MAKERS), ("np", NUMPY_MAKERS)])
def test_the_sample_has_every_operator(sample, dialect, makers):
    used = {
        (step.get("name") or step["do"]).removeprefix("np.")
        for mode, made, _ in sample
        if mode == "imperative" and made.get("dialect", "nd") == dialect
        for step in made["steps"]
    }
    rows = {name.removeprefix("operator ").removeprefix("np.").split()[0] for name in makers}
    # `out` is an argument of other rows; the original has no FFT on the CPU.
    assert rows - used <= {"out", "contrib.fft"}


def test_a_seed_makes_one_program():
    first, again = program(7), program(7)
    assert first == again
    assert first["steps"] != program(8)["steps"]
    assert 5 <= len(first["steps"]) <= 24
    assert json.loads(json.dumps(first)) == first


def _kept(*numbers, dtype="float32"):
    array = np.array(numbers, dtype)
    return (str(array.dtype), array.shape, array.tobytes())


@pytest.mark.parametrize(
    ("ours", "theirs", "kind"),
    [
        (("ok", [_kept(1, 2)]), ("ok", [_kept(1, 2.00001)]), ""),
        (("ok", [_kept(1, 2)]), ("ok", [_kept(1, 2.1)]), "values"),
        (("ok", [_kept(1, 2)]), ("ok", [_kept(1, 2, dtype="int32")]), "dtype int32"),
        (("ok", [_kept(1, 2)]), ("ok", [_kept(1, 2, 3)]), "shape"),
        (("ok", [_kept(1, 2)]), ("ok", [_kept(1, 2)] * 2), "number of results"),
        (("ok", [_kept(1, np.nan)]), ("ok", [_kept(1, 2)]), "nan here"),
        (("ok", [_kept(1, 2)]), ("ok", [_kept(np.nan, 2)]), "nan there"),
        (("ok", [_kept(1, 2)]), ("ok", [_kept(1, np.inf)]), "infinities"),
        (("ok", [_kept(1, 2)]), ("raised", ["MXNetError"], ""), "raised there"),
        (("raised", ["MXNetError"], ""), ("ok", [_kept(1)]), "raises here"),
        (("raised", ["ShapeError", "MXNetError"], ""), ("raised", ["MXNetError"], ""), ""),
        (("raised", ["TypeError"], ""), ("raised", ["MXNetError"], ""), "error class MXNetError"),
    ],
)
def test_kinds_of_differences(ours, theirs, kind):
    assert kind_of(ours, theirs, 2e-4) == kind


def _two_steps():
    return {
        "name": "two",
        "inputs": {"x0": {"shape": [2], "dtype": "float32", "draw": "any", "seed": 1}},
        "steps": [
            {"do": "operator", "name": "mul", "in": ["x0"], "number": 2},
            {"do": "call", "name": "exp", "in": ["0.0"], "attrs": {}},
        ],
        "floats": ["0.0", "1.0"],
    }


def test_a_difference_is_reported_where_it_begins():
    made = _two_steps()
    theirs = {"step 0": ("ok", [_kept(1, 2)]), "step 1": ("ok", [_kept(3, 4)])}
    ours = {"step 0": ("ok", [_kept(1, 9)]), "step 1": ("ok", [_kept(3, 9)])}
    found = differences(made, ours, theirs)
    assert [(difference.where, difference.kind) for difference in found] == [("step 0", "values")]


def test_a_step_alone_gets_the_arrays_of_the_original():
    made = with_heads(_two_steps())
    assert made["heads"] == ["1.0"]
    alone = with_heads(alone_program(made, 1, {"step 0": ("ok", [_kept(1, 2)])}))
    assert alone["steps"] == [{"do": "call", "name": "exp", "in": ["x0"], "attrs": {}}]
    result = MODES["recorded"](alone)
    dtype, shape, content = result["step 0"][1][0]
    np.testing.assert_allclose(np.frombuffer(content, dtype), np.exp([1, 2]), rtol=1e-6)
    assert (dtype, shape) == ("float32", (2,))
    assert result["gradient x0"][0] == "ok"


def _of_matrices(**more):
    recipe = {"shape": [2, 3], "dtype": "float32", "draw": "any", "seed": 1}
    return _two_steps() | {"inputs": {"x0": recipe}, "heads": ["1.0"]} | more


def test_a_program_makes_the_same_choices_under_another_name():
    for mode in ("headed", "replaced"):
        assert MODES[mode](_of_matrices(salt="p1")) == MODES[mode](
            _of_matrices(salt="p1", name="other")
        )


def test_head_gradients_of_another_shape_are_a_reason():
    raised = Difference("backward grad", "raised there", ("ok", []), ("raised", ["MXNetError"], ""))
    reasons = set()
    for number in range(40):
        made = _of_matrices(salt=f"p{number}")
        found = reason(Finding("headed", made, raised))
        assert bool(found) == has_odd_slopes(made, "grad")
        reasons.add(found)
    assert reasons == {"", "head gradients of another shape"}


def test_what_sparse_arrays_store_is_a_reason():
    step = {"do": "call", "name": "abs", "in": ["x0"], "attrs": {}, "out": "x1"}
    stored = {"dtype": "float32", "shape": [1], "stype": "row_sparse"}
    made = {
        "name": "s",
        "dialect": "sparse",
        "inputs": {"x0": stored | {"content": "00000000"}, "x1": stored | {"content": "0000803f"}},
        "steps": [step],
    }
    differs = Difference("step 0", "values", ("ok", [_kept(0)]), ("ok", [_kept(1)]))
    assert "store nothing" in reason(Finding("imperative", made, differs))
    made["inputs"]["x0"] = made["inputs"]["x1"]
    assert reason(Finding("imperative", made, differs)) == ""


def test_blocks_with_a_forward_give_what_those_with_a_frontend_give(sample):
    ran = 0
    chosen = [made for mode, made, _ in sample if mode == "hybridized" and "dialect" in made]
    for made in chosen[:12]:
        found, expected = MODES["forwarded"](made), MODES["hybridized"](made)
        assert not differences(made, found, expected)
        ran += "forward again" in found
    assert ran >= 3

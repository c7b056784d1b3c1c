"""Initializers fill what the original fills in (tests/golden/make_initializers.py)."""

from __future__ import annotations

import copy
import json
import logging
import pickle
import warnings
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

import mxnet as mx
from mxnet import initializer as init
from mxnet.errors import MXNetError
from tests.golden.initializer_cases import cases, describe, dumps, fill, random_cases

GOLDEN = json.loads(
    (Path(__file__).parent / "golden" / "initializers.json").read_text(encoding="utf-8")
)
MX = SimpleNamespace(nd=mx.nd, init=init)


def filled(initializer, name="fc_weight", shape=(2, 3), **kwargs):
    array = mx.nd.full(shape, 7, **kwargs)
    initializer(name if isinstance(name, init.InitDesc) else init.InitDesc(name), array)
    return array.asnumpy()


def test_every_case_has_a_result():
    assert [case.id for case in (*cases(), *random_cases())] == list(GOLDEN)


@pytest.mark.filterwarnings("ignore:initializers take:DeprecationWarning")
@pytest.mark.parametrize("case", cases(), ids=str)
def test_elements_are_those_of_the_original(case):
    found, expected = fill(MX, case), GOLDEN[case.id]
    if expected[0] == "error":
        assert found[0] == "error"
        assert expected[1] in found
    else:
        np.testing.assert_array_equal(np.float32(found), np.float32(expected))


@pytest.mark.parametrize("case", random_cases(), ids=str)
def test_distribution_is_that_of_the_original(case):
    mx.random.seed(3)
    written, (low, high, _, deviation) = GOLDEN[case.id]
    assert dumps(MX, case) == written
    found = describe(MX, case)
    np.testing.assert_allclose(found[3], deviation, rtol=0.03)
    assert abs(found[2]) < 0.03 * deviation
    bounded = '"uniform"' in written and "orthogonal" not in written
    np.testing.assert_allclose(found[:2], [low, high], rtol=0.01 if bounded else 0.4)


@pytest.mark.parametrize("shape", [(6, 4), (4, 6), (3, 2, 4)], ids=str)
@pytest.mark.parametrize("rand_type", ["uniform", "normal"])
def test_orthogonal_is_orthogonal(shape, rand_type):
    matrix = filled(init.Orthogonal(2.0, rand_type), shape=shape).reshape(shape[0], -1)
    gram = matrix @ matrix.T if matrix.shape[0] < matrix.shape[1] else matrix.T @ matrix
    np.testing.assert_allclose(gram, 4 * np.eye(len(gram)), atol=1e-5)


@pytest.mark.parametrize("case", random_cases()[::2], ids=str)
def test_seed_repeats_the_values(case):
    runs = []
    for _ in range(2):
        mx.random.seed(11)
        runs.append(filled(case.make(init), shape=(4, 5)))
    np.testing.assert_array_equal(*runs)
    assert not np.array_equal(runs[0], filled(case.make(init), shape=(4, 5)))


@pytest.mark.parametrize("dtype", ["float16", "float32", "float64"])
@pytest.mark.parametrize("name", ["xavier", "normal", "uniform", "orthogonal", "ones"])
def test_array_keeps_its_dtype(name, dtype):
    values = filled(init.create(name), dtype=dtype)
    assert values.dtype == dtype
    assert not (values == 7).any()


def test_integers_are_not_drawn_from_a_continuous_distribution():
    with pytest.raises(MXNetError, match="floating point"):
        filled(init.Uniform(), dtype="int32")


def test_views_are_filled_in_place():
    whole = mx.nd.zeros((4, 2))
    init.One()(init.InitDesc("x_weight"), whole[1:3])
    np.testing.assert_array_equal(whole.asnumpy()[:, 0], [0, 1, 1, 0])


def test_quantized_weight_is_one_number_of_eight_bits():
    values = filled(init.One(), "x_weight_quantize")
    assert (values == values[0, 0]).all()
    assert -127 <= values[0, 0] <= 127


def test_unknown_name_is_an_error_that_names_it():
    with pytest.raises(ValueError, match="'stray'"):
        filled(init.Xavier(), "stray")


def test_plain_string_is_deprecated_and_anything_else_refused():
    with pytest.warns(DeprecationWarning, match="InitDesc"):
        init.One()("x_weight", mx.nd.zeros(2))
    with pytest.raises(TypeError, match="a name is a string"):
        init.One()(3, mx.nd.zeros(2))


def test_description_is_a_string_with_attributes():
    desc = init.InitDesc("fc", {"lr_mult": "2"})
    assert desc == "fc"
    assert (desc.attrs, desc.global_init) == ({"lr_mult": "2"}, None)
    assert init.InitDesc("fc").attrs == {}
    assert copy.deepcopy(desc).attrs == desc.attrs
    assert pickle.loads(pickle.dumps(desc)).attrs == desc.attrs


def test_initializer_becomes_the_global_one_of_the_description():
    desc, zero = init.InitDesc("x_weight"), init.Zero()
    filled(zero, desc)
    assert desc.global_init is zero


def test_created_from_names_json_and_dictionaries():
    for description in (
        '["normal", {"sigma": 3}]',
        '{"initializer": "Normal", "sigma": 3}',
        {"initializer": "normal", "sigma": 3},
    ):
        assert init.create(description) == init.Normal(3)
    assert init.create("Zeros") == init.Zero()
    assert init.create(initializer="ones") == init.One()
    assert init.create("normal", 3) == init.create("normal", sigma=3) == init.Normal(3)
    given = init.Xavier()
    assert init.create(given) is given


@pytest.mark.parametrize("wrong", ["nope", None, 3, init.Zero])
def test_creating_from_something_else_fails(wrong):
    with pytest.raises(AssertionError, match=r"initializer\.create"):
        init.create(wrong)
    with pytest.raises(AssertionError, match="takes no arguments"):
        init.create(init.Zero(), 3)


def test_json_gives_an_equal_initializer():
    for made in (init.Xavier("gaussian"), init.MSRAPrelu(), init.Constant(2.5), init.LSTMBias(2)):
        assert init.create(made.dumps()) == made
    array = init.Constant(mx.nd.array([1, 2]))
    assert array.dumps() == '["constant", {"value": [1.0, 2.0]}]'
    assert init.create(array.dumps()) == array
    assert init.Uniform(1) != init.Uniform(2)
    assert init.Zero() != init.One()
    with pytest.raises(TypeError):
        hash(init.Zero())


def test_own_class_fills_weights_and_can_be_registered():
    @init.register
    class Row(init.Initializer):
        def __init__(self, first=0):
            super().__init__(first=first)
            self.first = first

        def _init_weight(self, _, arr):
            arr[:] = mx.nd.arange(self.first, self.first + arr.shape[1])

        def _init_bias(self, _, arr):
            arr[:] = 5

    made = init.create("row", first=2)
    assert made.dumps() == '["row", {"first": 2}]'
    np.testing.assert_array_equal(filled(made), [[2, 3, 4]] * 2)
    np.testing.assert_array_equal(filled(made, "x_bias"), [[5] * 3] * 2)
    np.testing.assert_array_equal(filled(made, "x_gamma"), np.ones((2, 3)))
    own = init.InitDesc("stray", {"__init__": made.dumps()})
    np.testing.assert_array_equal(filled(init.Zero(), own), [[2, 3, 4]] * 2)
    assert init.alias("rows")(Row) is Row
    assert init.create("rows") == Row()
    with pytest.warns(UserWarning, match="'row'"):
        init.register(Row)
    with pytest.raises(AssertionError, match="subclass of Initializer"):
        init.register(int)


def test_messages_tell_what_was_filled(caplog):
    caplog.set_level(logging.INFO)
    loud = init.One().set_verbosity(True)
    filled(loud)
    filled(loud, init.InitDesc("x", {"__init__": "zeros"}))
    filled(loud.set_verbosity(True, lambda array: f"{array.size} elements"), "x_bias")
    filled(loud.set_verbosity(False))
    assert caplog.messages == [
        "Initialized fc_weight as weight: 1.0",
        "Initialized x as zeros: 0.0",
        "Initialized x_bias as bias: 6 elements",
    ]


def test_loading_by_name(tmp_path, caplog):
    caplog.set_level(logging.INFO)
    arrays = {"arg:a": mx.nd.ones((2, 3)), "aux:b": 2 * mx.nd.ones((2, 3))}
    path = str(tmp_path / "x.params")
    mx.nd.save(path, arrays)
    for source in (arrays, path):
        load = init.Load(source, default_init=init.Constant(8), verbose=True)
        assert [filled(load, name)[0, 0] for name in ("a", "b", "c_weight")] == [1, 2, 8]
    assert caplog.messages[:3] == [
        "Initialized a by loading",
        "Initialized b by loading",
        "Initialized c_weight by default",
    ]
    with pytest.raises(AssertionError, match=r"shape \(3, 2\)"):
        filled(load, "a", shape=(3, 2))
    with pytest.raises(AssertionError, match="no array 'z'"):
        filled(init.Load(arrays), "z")
    with pytest.raises(AssertionError, match="with names"):
        init.Load([mx.nd.ones(1)])


def test_fused_parameters_fall_back_to_the_global_initializer():
    fused = init.FusedRNN(None, 2, 1, "gru")
    desc = init.InitDesc("x_parameters", {"__init__": fused.dumps()}, init.Constant(5))
    np.testing.assert_array_equal(filled(init.Zero(), desc, (42,)), np.repeat([5, 0], [30, 12]))
    packed = init.FusedRNN(init.Constant(3), 2, 1, "rnn_tanh")
    assert init.create(packed.dumps()) == packed
    with pytest.raises(KeyError, match="mode takes"):
        init.FusedRNN(None, 2, 1, "wave")


def test_initializers_can_be_pickled_under_their_public_name():
    made = init.Xavier("gaussian")
    data = pickle.dumps(made)
    assert b"mxnet.initializer\n" in data or b"mxnet.initializer\x94" in data
    assert pickle.loads(data) == made


def test_no_warning_for_described_names():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        filled(init.Xavier())

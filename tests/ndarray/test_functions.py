"""The functions made from operator declarations: what they show and how they are called."""

from __future__ import annotations

import copy
import inspect
import pydoc
import re

import numpy as np
import pytest

import mxnet as mx
from mxnet import nd
from mxnet._legacy.imported_names import DECLARED


@pytest.fixture
def x():
    return nd.array([[1, 2], [3, 4]])


def test_help_shows_signature_and_text():
    text = pydoc.plain(pydoc.render_doc(nd.FullyConnected))
    assert re.search(r"FullyConnected\(\s*data", text)
    assert "num_hidden" in text
    assert inspect.getdoc(nd.FullyConnected) in inspect.cleandoc(text).replace("\n    ", "\n")


def test_signature_has_arrays_then_attributes_then_out():
    parameters = inspect.signature(nd.FullyConnected).parameters
    names = list(parameters)
    assert names[:6] == ["data", "weight", "bias", "num_hidden", "no_bias", "flatten"]
    assert names[-2:] == ["out", "name"]
    assert parameters["num_hidden"].default is inspect.Parameter.empty
    assert parameters["flatten"].default is True


def test_signature_of_a_function_of_many_arrays():
    parameters = inspect.signature(nd.concat).parameters
    assert parameters["data"].kind is inspect.Parameter.VAR_POSITIONAL
    assert parameters["dim"].default == 1


def test_signatures_can_be_compared_copied_and_changed():
    signature = inspect.signature(nd.flip)
    assert copy.copy(signature) == signature == inspect.signature(nd.reverse)
    assert signature.replace(return_annotation=int).return_annotation is int
    assert list(signature.bind(1, axis=2).arguments.values()) == [1, 2]
    assert not hasattr(copy.copy(signature), "nothing")


def test_every_function_has_a_name_a_text_and_a_module():
    for name in DECLARED["mxnet.ndarray"]:
        function = getattr(nd, name)
        assert inspect.getdoc(function), name
        assert function.__module__.startswith("mxnet."), name
        assert str(inspect.signature(function)).startswith("("), name


def test_methods_show_the_text_of_their_function():
    assert nd.NDArray.sum.__doc__ == nd.sum.__doc__
    assert nd.NDArray.sum.__qualname__ == "NDArray.sum"


def test_pairs_show_their_operands():
    assert list(inspect.signature(nd.add).parameters) == ["lhs", "rhs"]
    assert list(inspect.signature(nd.power).parameters) == ["base", "exp"]
    assert nd.add.__name__ == "add"


@pytest.mark.parametrize(
    "call",
    [
        lambda x, **extra: nd.relu(x, **extra),
        lambda x, **extra: nd.broadcast_add(x, x, **extra),
        lambda x, **extra: nd.sum(x, axis=1, **extra),
        lambda x, **extra: nd.concat(x, x, **extra),
        lambda x, **extra: nd.FullyConnected(x, x, num_hidden=2, no_bias=True, **extra),
        lambda x, **extra: nd.zeros(x.shape, **extra),
    ],
)
def test_name_and_attr_are_accepted(x, call):
    expected = call(x).asnumpy()
    given = call(x, name="layer", attr={"lr_mult": "2"})
    np.testing.assert_array_equal(given.asnumpy(), expected)


def test_out_is_filled_and_returned(x):
    for call, shape in (
        (lambda out: nd.relu(x, out=out), (2, 2)),
        (lambda out: nd.broadcast_add(x, x, out=out), (2, 2)),
        (lambda out: nd.sum(x, axis=1, out=out), (2,)),
        (lambda out: nd.concat(x, x, dim=0, out=out), (4, 2)),
    ):
        out = nd.zeros(shape)
        assert call(out) is out
        assert out.asnumpy().any()


def test_out_takes_a_list_for_several_outputs(x):
    first, second = nd.zeros((2, 1)), nd.zeros((2, 1))
    out = [first, second]
    assert nd.split(x, num_outputs=2, out=out) is out
    assert out[0] is first
    assert second.asnumpy().tolist() == [[2], [4]]


def test_a_tuple_of_one_array_is_returned_as_it_is(x):
    out = (nd.zeros((2, 2)),)
    assert nd.exp(x, out=out) is out
    assert mx.np.exp(x.as_np_ndarray(), out=(target := (mx.np.zeros((2, 2)),))) is target
    assert target[0].tolist() == out[0].asnumpy().tolist()


@pytest.mark.parametrize(
    ("out", "message"),
    [
        (lambda: nd.zeros((3,)), r"relu: output 0: expected shape \(2, 2\), got \(3,\)"),
        (lambda: nd.zeros((2, 2), dtype="int32"), "relu: output 0: expected float32, got int32"),
        (lambda: 5, "relu: out takes arrays, got int"),
    ],
)
def test_out_that_does_not_fit(x, out, message):
    with pytest.raises(mx.MXNetError, match=message):
        nd.relu(x, out=out())


def test_out_may_be_the_input(x):
    view = x[0]
    nd.square(x, out=x)
    assert view.asnumpy().tolist() == [1, 4]


@pytest.mark.parametrize(
    ("given", "meant"),
    [
        ({"axis": "1", "keepdims": "True"}, {"axis": 1, "keepdims": True}),
        ({"axis": "(0, 1)"}, {"axis": (0, 1)}),
        ({"axis": "[0,1]"}, {"axis": (0, 1)}),
        ({"axis": [0]}, {"axis": (0,)}),
        ({"axis": "None"}, {}),
        ({"axis": np.int64(1)}, {"axis": 1}),
        ({"keepdims": 1}, {"keepdims": True}),
        ({"keepdims": "0"}, {"keepdims": False}),
    ],
)
def test_attributes_as_strings(x, given, meant):
    found, expected = nd.sum(x, **given), nd.sum(x, **meant)
    assert found.shape == expected.shape
    np.testing.assert_array_equal(found.asnumpy(), expected.asnumpy())


def test_operators_without_attributes_ignore_all(x):
    with pytest.warns(UserWarning, match="relu: takes no attributes, ignores slope"):
        result = nd.relu(x, slope=1)
    np.testing.assert_array_equal(result.asnumpy(), nd.relu(x).asnumpy())
    with pytest.warns(UserWarning, match="zeros_like: takes no attributes, ignores dtype"):
        assert nd.zeros_like(x, dtype="int32").dtype == x.dtype
    with pytest.warns(UserWarning, match="relu: takes no attributes"):
        symbol = mx.sym.relu(mx.sym.var("x"), slope=3, name="a")
    assert symbol.attr_dict() == {"a": {"slope": "3"}}


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (
            lambda x: nd.sum(x, axs=1),
            r"sum: unknown attribute `axs` \(did you mean 'axis'\?\); takes axis, keepdims",
        ),
        (lambda x: nd.concat(x, x, foo=1), "Concat: unknown attribute `foo`; takes dim"),
        (
            lambda x: nd.FullyConnected(x, x, num_hidden="ten"),
            "FullyConnected: attribute `num_hidden` takes int, got 'ten'",
        ),
        (
            lambda x: nd.FullyConnected(x, x),
            "FullyConnected: required attribute `num_hidden` is not given",
        ),
        (
            lambda x: nd.Activation(x, act_type="foo"),
            "Activation: attribute `act_type` takes one of",
        ),
        (
            lambda x: nd.sum(x, keepdims="maybe"),
            "sum: attribute `keepdims` takes bool, got 'maybe'",
        ),
    ],
)
def test_wrong_attributes(x, call, message):
    with pytest.raises(ValueError, match=message) as caught:
        call(x)
    assert isinstance(caught.value, mx.MXNetError)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda x: nd.sum([x]), "sum: argument data must be NDArray, got list"),
        (lambda x: nd.dot(x, [1]), "dot: argument rhs must be NDArray, got list"),
        (
            lambda x: nd.dot(lhs=x, rhs=np.ones(2)),
            "dot: argument rhs must be NDArray, got numpy.ndarray",
        ),
        (lambda x: nd.concat(x, 5), "Concat: argument data must be NDArray, got int"),
        (lambda x: nd.stack([x]), "stack: argument data must be NDArray, got list"),
    ],
)
def test_wrong_arrays(x, call, message):
    with pytest.raises(AssertionError, match=message) as caught:
        call(x)
    assert isinstance(caught.value, (mx.MXNetError, TypeError))


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda x: nd.sum(x, 1, axis=1), "sum: got axis twice"),
        (lambda x: nd.sum(x, 1, True, False, 0), "sum: out takes arrays, got int"),
        (lambda x: nd.sum(x, 1, True, False, None, "a", 0), "sum: takes at most 6 .*, got 7"),
        (lambda x: nd.relu(x, x, out=x), "relu: got out twice"),
        (lambda x: nd.relu(x, data=x), "data"),
    ],
)
def test_too_many_arguments(x, call, message):
    with pytest.raises(TypeError, match=message):
        call(x)


def test_missing_arrays(x):
    with pytest.raises(mx.MXNetError, match="dot: expects 2 inputs, got 1; `rhs` is missing"):
        nd.dot(x)
    with pytest.raises(mx.MXNetError, match="Concat: expects at least one input, got none"):
        nd.concat()


def test_arrays_by_name(x):
    expected = nd.dot(x, x).asnumpy()
    for found in (nd.dot(lhs=x, rhs=x), nd.dot(x, rhs=x), nd.dot(rhs=x, lhs=x)):
        np.testing.assert_array_equal(found.asnumpy(), expected)
    bias = nd.array([1, 2])
    found = nd.FullyConnected(bias=bias, weight=x, data=x, num_hidden=2)
    np.testing.assert_array_equal(found.asnumpy(), (nd.dot(x, x.T) + bias).asnumpy())


def test_optional_arrays_may_be_none(x):
    found = nd.FullyConnected(x, x, None, num_hidden=2, no_bias=True)
    assert found.asnumpy().tolist() == [[5, 11], [11, 25]]
    assert nd.clip(x, 2, 3).asnumpy().tolist() == [[2, 2], [3, 3]]


def test_the_same_call_again_and_otherwise(x):
    """Calls are remembered by their arguments; a remembered one serves no other."""
    for _ in range(2):
        assert nd.sum(x, axis=0).asnumpy().tolist() == [4, 6]
        assert nd.sum(x, axis=1).asnumpy().tolist() == [3, 7]
        assert nd.sum(x, axis=True).asnumpy().tolist() == [3, 7]
        assert nd.sum(x, axis=1, keepdims=True).shape == (2, 1)
        assert nd.sum(x, axis=1, keepdims=False).shape == (2,)
        assert nd.sum(x, axis=[1]).shape == (2,)
        with pytest.raises(mx.MXNetError):
            nd.sum(x, axis=2)


def test_operator_errors_name_operator_and_inputs(x):
    with pytest.raises(mx.MXNetError, match=r"dot: .*\n.*lhs \(2, 2\), rhs \(3, 2\), all float32"):
        nd.dot(x, nd.ones((3, 2)))
    with pytest.raises(mx.MXNetError, match=r"is float32, .* is float64"):
        nd.dot(x, x.astype("float64"))


def test_none_by_position_is_a_value(x):
    assert nd.slice_axis(x, 1, 1, None).asnumpy().tolist() == [[2], [4]]
    assert nd.sum(x, None, True).shape == (1, 1)


def test_arrays_of_a_kernel_that_takes_any_number_stay_arrays():
    sample, rate = nd.array([[1.0, 2.0]]), nd.array([2.0])
    expected = 2 * np.exp(-2 * np.array([[1.0, 2.0]]))
    found = nd.random_pdf_exponential(sample, rate).asnumpy()
    np.testing.assert_allclose(found, expected, rtol=1e-5)


def test_an_array_among_the_attributes_is_read_in_each_call():
    depth = nd.array([3], dtype="int32")
    assert nd.one_hot(nd.array([1]), depth=depth).shape == (1, 3)
    depth[:] = 5
    assert nd.one_hot(nd.array([1]), depth=depth).shape == (1, 5)


def test_an_unknown_dtype_is_every_error_that_the_original_raises():
    for call in (nd.zeros, nd.random.uniform, nd.ones):
        for kind in (mx.MXNetError, TypeError, KeyError, ValueError):
            with pytest.raises(kind, match="unknown dtype 'foo'; known are bfloat16"):
                call(shape=(2,), dtype="foo")


def test_eye_refuses_unknown_arguments():
    with pytest.raises(mx.MXNetError, match="eye: unknown argument foo"):
        nd.eye(2, foo=3)

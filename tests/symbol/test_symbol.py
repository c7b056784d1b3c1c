"""What the programs of `tests/programs` cannot show: files, copies, and where we do more."""

import copy
import pickle

import pytest

import mxnet as mx
from mxnet._legacy.imported_names import DECLARED


@pytest.fixture
def net():
    hidden = mx.sym.FullyConnected(mx.sym.var("data"), num_hidden=3, name="fc")
    return mx.sym.Activation(hidden, act_type="relu", name="act")


def test_a_saved_symbol_is_loaded(net, tmp_path):
    net.save(tmp_path / "net.json")
    again = mx.sym.load(str(tmp_path / "net.json"))
    assert again.tojson() == net.tojson()
    assert [path.name for path in tmp_path.iterdir()] == ["net.json"]


def test_a_missing_file_is_an_error_of_the_system_too(tmp_path):
    with pytest.raises(mx.MXNetError, match=r"nothing\.json"):
        mx.sym.load(tmp_path / "nothing.json")
    with pytest.raises(OSError, match="save"):
        mx.sym.var("x").save(tmp_path / "no folder" / "x.json")


def test_copies_are_their_own(net):
    for other in (copy.copy(net), copy.deepcopy(net), pickle.loads(pickle.dumps(net))):
        assert other.tojson() == net.tojson()
        other.get_internals()["data"]._set_attr(lr_mult="2")
        assert net.get_internals()["data"].attr("lr_mult") is None


def test_composition_leaves_the_parts_as_they_are(net):
    joined = net(data=mx.sym.var("x") + 1, name="new")
    assert net.list_arguments() == ["data", "fc_weight", "fc_bias"]
    assert net.list_outputs() == ["act_output"]
    assert joined.list_arguments() == ["x", "fc_weight", "fc_bias"]
    assert joined.list_outputs() == ["new_output"]


def test_arguments_by_position(net):
    assert net(mx.sym.var("x")).list_arguments()[0] == "x"
    assert net.infer_shape((4, 5)) == net.infer_shape(data=(4, 5))
    assert net.infer_shape((4, 5))[1] == [(4, 3)]
    with pytest.raises(ValueError, match="by position or by name"):
        net.infer_shape((4, 5), data=(4, 5))


def test_partly_known_shapes_pass_through_a_network(net):
    flat = mx.sym.Flatten(mx.sym.Pooling(mx.sym.var("x"), kernel=(2, 2), stride=(2, 2)))
    joined = net(data=flat)
    arguments, outputs, _ = joined.infer_shape_partial(x=(0, 3, 4, 4))
    assert arguments == [(0, 3, 4, 4), (3, 12), (3,)]
    assert outputs == [(0, 3)]


def test_an_error_of_inference_names_the_node(net):
    with pytest.raises(mx.MXNetError, match="Error in operator fc"):
        net.infer_shape(data=(4, 5), fc_weight=(3, 6))


def test_casts_of_mixed_precision_are_left_out_of_files(net):
    half = mx.sym.amp_cast(net, dtype="float16", name="half")
    joined = mx.sym.Activation(half, act_type="tanh", name="out")
    assert "amp_cast" not in joined.tojson()
    assert "amp_cast" in joined.tojson(remove_amp_cast=False)
    assert mx.sym.load_json(joined.tojson()).list_arguments() == joined.list_arguments()


def test_what_needs_data_says_so(net):
    for call in (net.asnumpy, net.asscalar, net.backward, net.wait_to_read):
        with pytest.raises(mx.MXNetError, match="NDArray"):
            call()
    with pytest.raises(TypeError):
        net += 1


def test_every_operator_has_a_function():
    for home, names in (
        (mx.sym, ("FullyConnected", "relu", "broadcast_add")),
        (mx.sym.linalg, ("gemm2", "potrf")),
        (mx.sym.contrib, ("box_nms",) if hasattr(mx.nd.contrib, "box_nms") else ("arange_like",)),
        (mx.sym._internal, ("_plus_scalar",)),
        (mx.sym.random, ("uniform", "normal", "uniform_like")),
        (mx.sym.image, tuple(mx.nd.image.__all__)),
    ):
        for name in names:
            assert callable(getattr(home, name)), name
    missing = [name for name in DECLARED["mxnet.ndarray.op"] if not hasattr(mx.sym.op, name)]
    assert missing == []
    assert mx.sym.relu.__doc__ == mx.nd.relu.__doc__
    assert mx.symbol is mx.sym


def test_the_function_of_an_operator_refuses_what_it_does_not_take():
    x = mx.sym.var("x")
    with pytest.raises(TypeError, match="at most 4 arguments, got 5"):
        mx.sym.relu(x, "a", None, None, None)
    with pytest.raises(TypeError, match="relu: name takes a str, got 1"):
        mx.sym.relu(x, 1)
    with pytest.raises(TypeError, match="got name twice"):
        mx.sym.relu(x, "a", name="b")
    with pytest.raises(TypeError, match="twice"):
        mx.sym.relu(x, data=x)
    with pytest.raises(mx.MXNetError, match="not in use"):
        mx.sym.FullyConnected(x, x, x, num_hidden=2, no_bias=True)
    with pytest.raises(mx.MXNetError, match="at least one"):
        mx.sym.concat()


def test_what_is_not_known_is_warned_of(net):
    with pytest.warns(UserWarning, match=r"infer_shape: .* unknown arguments: data \(4, 0\), fc_w"):
        assert net.infer_shape(data=(4, 0)) == (None, None, None)
    with pytest.warns(UserWarning, match="infer_type: .* unknown arguments: data None, fc_weight"):
        assert net.infer_type() == (None, None, None)


def test_a_copy_is_renamed_by_itself():
    for first in (mx.sym.var("a"), mx.sym.var("a").as_np_ndarray()):
        second = copy.copy(first)
        second._set_attr(name="b")
        assert (first.name, second.name) == ("a", "b")
        assert second.list_arguments() == ["b"]

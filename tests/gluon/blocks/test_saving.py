"""Files of parameters: names of every version, and loading that is done wholly or not at all."""

from pathlib import Path

import numpy as np
import pytest

import mxnet as mx
from mxnet import nd
from mxnet._formats.files.temporary import Temporary
from mxnet.gluon import nn
from tests.gluon.networks import DATA, Branches, make_tied, set_values

GOLDEN = Path(__file__).parents[2] / "golden" / "gluon"
OUTPUTS = np.load(GOLDEN / "outputs.npz")
FILES = ["paths.params", "stripped.params", "full.params", "exported-0000.params"]


@pytest.fixture
def net():
    found = Branches(prefix="net_")
    found.initialize()
    found(DATA)
    set_values(found)
    return found


def test_the_network_computes_what_the_original_computes(net):
    np.testing.assert_allclose(net(DATA).asnumpy(), OUTPUTS["net"], rtol=1e-5)


@pytest.mark.parametrize("file", FILES)
def test_files_of_every_naming_load(file):
    net = Branches(prefix="net_")
    net.load_parameters(GOLDEN / file)
    np.testing.assert_allclose(net(DATA).asnumpy(), OUTPUTS["net"], rtol=1e-5)


@pytest.mark.parametrize("file", ["paths.params", "stripped.params"])
def test_files_without_the_prefix_load_under_another_one(file):
    net = Branches(prefix="other_")
    net.load_parameters(str(GOLDEN / file), ctx=mx.cpu(1))
    output = net(DATA.as_in_context(mx.cpu(1)))
    np.testing.assert_allclose(output.asnumpy(), OUTPUTS["net"], rtol=1e-5)


@pytest.mark.parametrize("file", FILES[2:])
def test_dictionary_loads_full_names(file):
    net = Branches(prefix="net_")
    net.collect_params().load(GOLDEN / file)
    np.testing.assert_allclose(net(DATA).asnumpy(), OUTPUTS["net"], rtol=1e-5)


@pytest.mark.parametrize("file", ["tied.params", "once.params"])
def test_shared_parameters_load(file):
    net = make_tied()
    net.load_parameters(GOLDEN / file)
    np.testing.assert_allclose(net(DATA).asnumpy(), OUTPUTS["tied"], rtol=1e-5)


def test_saved_names_are_the_original_ones(net, tmp_path):
    net.save_parameters(tmp_path / "paths.params")
    net.collect_params().save(tmp_path / "full.params")
    with pytest.warns(DeprecationWarning, match="save_parameters"):
        net.save_params(tmp_path / "stripped.params")
    for file in FILES[:3]:
        saved, original = nd.load(tmp_path / file), nd.load(GOLDEN / file)
        assert list(saved) == list(original)
        for name in saved:
            np.testing.assert_allclose(saved[name].asnumpy(), original[name].asnumpy(), rtol=1e-6)


def test_shared_parameters_are_saved_once_if_asked_to(tmp_path):
    net = make_tied()
    net.initialize()
    net.save_parameters(tmp_path / "all.params")
    net.save_parameters(tmp_path / "once.params", deduplicate=True)
    assert list(nd.load(tmp_path / "all.params")) == list(nd.load(GOLDEN / "tied.params"))
    assert list(nd.load(tmp_path / "once.params")) == list(nd.load(GOLDEN / "once.params"))


def test_load_params_is_deprecated():
    net = Branches(prefix="net_")
    with pytest.warns(DeprecationWarning, match="load_parameters"):
        net.load_params(GOLDEN / "paths.params")


def test_dictionary_strips_and_restores_a_prefix(tmp_path):
    first, second = nn.Dense(2, in_units=3, prefix="a_"), nn.Dense(2, in_units=3, prefix="b_")
    first.initialize()
    first.collect_params().save(tmp_path / "x.params", strip_prefix="a_")
    second.collect_params().load(tmp_path / "x.params", restore_prefix="b_")
    assert (second.weight.data().asnumpy() == first.weight.data().asnumpy()).all()


def test_loading_reports_everything_and_changes_nothing(net, tmp_path):
    values = nd.load(GOLDEN / "paths.params")
    del values["first.weight"], values["scale"]
    values["extra.weight"] = nd.ones(1)
    values["other"] = nd.ones(1)
    values["first.bias"] = nd.ones(7)
    values["body.1.gamma"] = nd.ones(4, dtype="float64")
    nd.save(tmp_path / "wrong.params", values)
    before = {name: p.data().asnumpy() for name, p in net.collect_params().items()}
    with pytest.raises(ValueError, match="Failed loading parameters") as caught:
        net.load_parameters(tmp_path / "wrong.params")
    for part in (
        "'first.weight', 'scale' (allow_missing=True to ignore)",
        "'extra.weight', 'other' (ignore_extra=True to ignore)",
        "'first.bias': shape incompatible: expected (3,), saved (7,)",
        "'body.1.gamma': dtype incompatible: expected float32, saved float64",
        "cast_dtype=True",
    ):
        assert part in str(caught.value)
    for name, parameter in net.collect_params().items():
        assert (parameter.data().asnumpy() == before[name]).all()


def test_missing_and_extra_names_are_ignored_if_asked_to(net):
    model = nn.Sequential()
    model.load_parameters(GOLDEN / "paths.params", ignore_extra=True)
    kept = net.first.weight.data().asnumpy()
    net.load_dict({"first.bias": nd.ones(3)}, allow_missing=True)
    assert net.first.bias.data().asnumpy().tolist() == [1, 1, 1]
    assert (net.first.weight.data().asnumpy() == kept).all()


def test_loading_fills_unknown_shapes_without_initialize():
    net = Branches(prefix="net_")
    net.load_parameters(GOLDEN / "paths.params")
    assert net.first.weight.shape == (3, 4)
    assert net.first.weight.list_ctx() == [mx.cpu(0)]


def test_loading_keeps_the_contexts_of_the_network():
    net = Branches(prefix="net_")
    net.initialize(ctx=[mx.cpu(0), mx.cpu(1)])
    net.load_parameters(GOLDEN / "paths.params")
    assert net.first.weight.list_ctx() == [mx.cpu(0), mx.cpu(1)]
    with pytest.raises(mx.MXNetError, match=r"'net_scale'.*use reset_ctx first"):
        net.load_parameters(GOLDEN / "paths.params", ctx=mx.cpu(2))


@pytest.mark.parametrize(("source", "expected"), [("current", "float32"), ("saved", "float16")])
def test_types_are_converted_if_asked_to(source, expected, tmp_path):
    half = nn.Dense(2, in_units=3)
    half.initialize()
    half.cast("float16")
    half.save_parameters(tmp_path / "half.params")
    layer = nn.Dense(2, in_units=3)
    layer.load_parameters(tmp_path / "half.params", cast_dtype=True, dtype_source=source)
    assert layer.weight.data().dtype == np.dtype(expected)


def test_loaded_network_can_be_trained():
    other = Branches(prefix="net_")
    other.load_parameters(GOLDEN / "paths.params")
    with mx.autograd.record():
        loss = other(DATA).sum()
    loss.backward()
    assert other.first.weight.grad().asnumpy().any()


@pytest.fixture
def refusing(monkeypatch):
    """Refuses to write files with an ending, as if the disk were full from there on."""
    fill = Temporary.fill

    def refuse(ending):
        def fill_or_fail(temporary, chunks):
            if temporary.target.name.endswith(ending):
                raise OSError(28, "No space left on device", str(temporary.target))
            fill(temporary, chunks)

        monkeypatch.setattr(Temporary, "fill", fill_or_fail)

    return refuse


def dense(units, prefix):
    made = nn.Dense(units, in_units=3, prefix=prefix)
    made.initialize(mx.init.One())
    made.hybridize()
    made(nd.ones((1, 3)))
    return made


@pytest.mark.parametrize("ending", [".params", ".json"])
def test_a_failed_export_leaves_the_network_of_before(tmp_path, refusing, ending):
    dense(2, "old_").export(str(tmp_path / "net"))
    refusing(ending)
    with pytest.raises(mx.MXNetError, match=rf"No space left on device: '.*{ending}'"):
        dense(4, "new_").export(str(tmp_path / "net"))
    paths = tmp_path / "net-symbol.json", tmp_path / "net-0000.params"
    loaded = mx.gluon.SymbolBlock.imports(paths[0], ["data"], paths[1])
    assert loaded(nd.ones((1, 3))).shape == (1, 2)
    assert {*tmp_path.iterdir()} == {*paths}


@pytest.mark.parametrize("ending", [".params", ".json"])
def test_a_failed_save_leaves_the_model_of_before(tmp_path, refusing, ending):
    dense(2, "old_").save(tmp_path / "net")
    refusing(ending)
    with pytest.raises(OSError, match="No space left on device"):
        dense(4, "new_").save(tmp_path / "net")
    loaded = nn.Dense(2, in_units=3)
    loaded.load(tmp_path / "net")
    assert loaded(nd.ones((1, 3))).asnumpy().tolist() == [[3, 3]]


def test_errors_of_states_name_the_file(tmp_path):
    trainer = mx.gluon.Trainer(dense(2, "net_").collect_params(), "adam")
    with pytest.raises(FileNotFoundError, match=r"missing/a\.states"):
        trainer.save_states(tmp_path / "missing" / "a.states")
    with pytest.raises(OSError, match="/dev/full"):
        trainer.save_states("/dev/full")

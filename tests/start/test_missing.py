"""Names and modules that are not here: the type of the exception is Python's, the text helps."""

from __future__ import annotations

import importlib
import importlib.util
import operator
import traceback

import pytest

import mxnet as mx
from mxnet._start import did_you_mean
from mxnet._start.importing import _ADVICE, _OTHER_WORDS, _PLACES
from mxnet.gluon import rnn  # noqa: F401 - names are found in modules that are imported


@pytest.mark.parametrize(
    ("module", "name", "help_given"),
    [
        (mx.nd, "sofmax", "(did you mean 'softmax'?)"),
        (mx.sym, "sofmax", "(did you mean 'softmax'?)"),
        (mx.gluon.nn, "conv2d", "(did you mean 'Conv2D'?)"),
        (mx.gluon.loss, "CrossEntropyLoss", "(did you mean 'SoftmaxCrossEntropyLoss'?)"),
        (mx.metric, "Acuracy", "(did you mean 'Accuracy'?)"),
        (mx.init, "Xaveir", "(did you mean 'Xavier'?)"),
        (mx.optimizer, "Adm", "(did you mean 'Adam'?)"),
        (mx.gluon, "Dense", "; there is mxnet.gluon.nn.Dense"),
        (mx.gluon.nn, "LSTM", "; there is mxnet.gluon.rnn.LSTM"),
        (mx.gluon, "TrainStp", "(did you mean 'TrainStep'?)"),
        (mx.nd, "unsqueeze", "(did you mean 'expand_dims'?)"),
        (mx.nd, "tril", "; there is mxnet.numpy.tril"),
        (mx.np, "relu", "; there is mxnet.numpy_extension.relu"),
        (mx, "load", "; there is mxnet.ndarray.load"),
        (mx.gluon.nn, "MSELoss", "; there is mxnet.gluon.loss.L2Loss"),
        (mx.th, "abs", "to_torch"),
        (mx.contrib, "tensorrt", "inductor"),
    ],
)
def test_attribute_that_is_missing(module, name, help_given):
    with pytest.raises(AttributeError) as info:
        getattr(module, name)
    assert type(info.value) is AttributeError
    start = f"module {module.__name__!r} has no attribute {name!r}"
    assert str(info.value).startswith(start)
    assert help_given in str(info.value)
    assert len(traceback.extract_tb(info.value.__traceback__)) == 1


def test_words_of_other_libraries_stand_for_names_that_are_there():
    modules = [importlib.import_module(f"mxnet.{place}") for place in _PLACES]
    modules += [mx.gluon.data.vision.transforms, mx.nd.linalg, mx.np.linalg]
    for meant in _OTHER_WORDS.values():
        place, _, name = meant.rpartition(".")
        if place:
            assert operator.attrgetter(meant)(mx) is not None
        else:
            assert any(hasattr(module, name) for module in modules), meant


def test_names_that_are_like_nothing_get_no_advice():
    with pytest.raises(AttributeError, match=r"^module 'mxnet' has no attribute 'qqqqqqqq'$"):
        mx.qqqqqqqq  # noqa: B018 - it raises
    assert not hasattr(mx.nd, "__sofmax__")
    assert did_you_mean("qqqqqqqq", ["relu"]) == ""


@pytest.mark.parametrize(
    ("name", "help_given"),
    [
        ("mxnet.tvmop", "machinery"),
        ("mxnet.contrib.tensorrt", "glueball docs differences"),
        ("mxnet.gluonn", "(did you mean 'gluon'?)"),
        ("mxnet.gluon.losses", "(did you mean 'loss'?)"),
    ],
)
def test_module_that_is_missing(name, help_given):
    with pytest.raises(ModuleNotFoundError) as info:
        importlib.import_module(name)
    assert type(info.value) is ModuleNotFoundError
    assert str(info.value).startswith(f"No module named {name!r}")
    assert help_given in str(info.value)
    assert info.value.name == name


def test_there_is_no_advice_on_a_module_that_exists():
    empty = {"torch"}  # a module without functions, as in the original
    assert {name for name in _ADVICE if importlib.util.find_spec(f"mxnet.{name}")} == empty


def test_from_import_says_what_to_use_instead():
    with pytest.raises(ImportError, match="inductor"):
        from mxnet.contrib import tensorrt  # noqa: F401
    with pytest.raises(ImportError, match="cannot import name 'nothing_like_it'"):
        from mxnet import nothing_like_it  # noqa: F401


def test_the_traceback_of_an_import_ends_at_the_import():
    with pytest.raises(ModuleNotFoundError) as info:
        import mxnet.th  # noqa: F401
    names = [frame.name for frame in traceback.extract_tb(info.value.__traceback__)]
    assert names == ["test_the_traceback_of_an_import_ends_at_the_import"]


def test_whether_there_is_a_module_can_be_asked():
    assert importlib.util.find_spec("mxnet.th") is None
    assert importlib.util.find_spec("mxnet.gluon") is not None


def test_parts_of_backward_passes_take_no_arrays():
    for owner in (mx.nd.contrib, mx.sym.contrib, mx.contrib.nd, mx.contrib.sym):
        for name in ("backward_hawkesll", "backward_index_copy", "backward_quadratic"):
            with pytest.raises(mx.MXNetError, match="got 0"):
                getattr(owner, name)(name="part")

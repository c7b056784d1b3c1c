import pytest

import mxnet as mx
from mxnet.errors import ArgumentValueError, MissingLibraryError
from mxnet.gluon import nn
from mxnet.graph.openvino import config
from mxnet.graph.openvino.config import Config, read_config


@pytest.fixture
def installed(monkeypatch):
    monkeypatch.setattr(config, "find_spec", lambda name: name)


@pytest.mark.usefixtures("installed")
def test_options_become_names_of_openvino():
    properties = {"CACHE_DIR": "networks"}
    options = {"precision": "bfloat16", "num_threads": 3, "properties": properties}
    assert read_config(options) == Config("bf16", 3, (("CACHE_DIR", "networks"),))
    assert read_config({}) == Config()


@pytest.mark.usefixtures("installed")
@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"presision": "float32"}, "unknown option 'presision'; takes precision, num_threads"),
        ({"precision": "int4"}, "precision takes one of float32, bfloat16, float16, got 'int4'"),
        ({"num_threads": 0}, "num_threads takes a positive int, got 0"),
        ({"properties": 3}, "properties takes a dict, got 3"),
    ],
)
def test_wrong_options_raise(options, message):
    with pytest.raises(ArgumentValueError, match=message):
        nn.Dense(2).hybridize(backend="openvino", **options)


def test_missing_openvino_is_an_error_that_says_what_to_install(monkeypatch):
    monkeypatch.setattr(config, "find_spec", {}.get)
    with pytest.raises(MissingLibraryError, match=r"install glueball\[openvino\]"):
        nn.Dense(2).optimize_for(mx.nd.ones((1, 2)), backend="openvino")
    with pytest.raises(MissingLibraryError, match=r"install glueball\[openvino\]"):
        mx.sym.var("data").optimize_for("openvino")

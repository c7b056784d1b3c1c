"""Files of a network that the original has quantized: they load, run and are saved again."""

from pathlib import Path

import numpy as np
import pytest

import mxnet as mx

FOLDER = Path(__file__).parents[1] / "golden" / "quantized"
PREFIX = str(FOLDER / "net")


@pytest.fixture
def golden():
    with np.load(FOLDER / "net.npz") as arrays:
        return dict(arrays)


def run_block(data):
    files = (f"{PREFIX}-symbol.json", f"{PREFIX}-0000.params")
    return mx.gluon.SymbolBlock.imports(files[0], ["data"], files[1])(data)


def run_hybridized(data):
    files = (f"{PREFIX}-symbol.json", f"{PREFIX}-0000.params")
    block = mx.gluon.SymbolBlock.imports(files[0], ["data"], files[1])
    block.hybridize(static_alloc=True, static_shape=True, strict=True)
    block(data)
    return block(data)


def run_module(data):
    symbol, args, states = mx.model.load_checkpoint(PREFIX, 0)
    module = mx.mod.Module(symbol, label_names=None)
    module.bind([("data", data.shape)], for_training=False)
    module.set_params(args, states)
    module.forward(mx.io.DataBatch([data]), is_train=False)
    return module.get_outputs()[0]


def run_executor(data):
    symbol, args, states = mx.model.load_checkpoint(PREFIX, 0)
    executor = symbol.simple_bind(mx.cpu(), data=data.shape, grad_req="null")
    executor.copy_params_from(args, states)
    return executor.forward(data=data)[0]


@pytest.mark.parametrize("run", [run_block, run_hybridized, run_module, run_executor])
def test_a_quantized_network_computes_what_the_original_does(run, golden):
    result = run(mx.nd.array(golden["data"])).asnumpy()
    expected = golden["output"]
    assert (result.argmax(1) == expected.argmax(1)).all()
    lengths = np.linalg.norm(result, axis=1) * np.linalg.norm(expected, axis=1)
    assert ((result * expected).sum(1) / lengths).min() > 0.9999


def test_parameters_have_the_dtypes_of_the_file():
    symbol, args, _ = mx.model.load_checkpoint(PREFIX, 0)
    types = dict(zip(symbol.list_arguments(), symbol.infer_type(data="float32")[0], strict=True))
    assert {name: types[name] for name in args} == {name: item.dtype for name, item in args.items()}


def test_the_file_is_written_as_it_was():
    text = Path(f"{PREFIX}-symbol.json").read_text()
    assert mx.sym.load_json(text).tojson() == text

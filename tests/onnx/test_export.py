"""Exports networks and compares what ONNX Runtime computes with what we do."""

import numpy as np
import onnxruntime

import mxnet as mx


def run(path, *inputs):
    session = onnxruntime.InferenceSession(str(path), providers=["CPUExecutionProvider"])
    names = [item.name for item in session.get_inputs()]
    return session.run(None, dict(zip(names, inputs, strict=True)))


def test_dense_layers_from_files(tmp_path):
    net = mx.gluon.nn.HybridSequential()
    net.add(mx.gluon.nn.Dense(4, activation="relu"), mx.gluon.nn.Dense(3))
    net.initialize()
    net.hybridize()
    x = mx.nd.random.uniform(shape=(2, 5))
    expected = net(x).asnumpy()
    net.export(str(tmp_path / "net"))
    path = mx.onnx.export_model(
        str(tmp_path / "net-symbol.json"),
        str(tmp_path / "net-0000.params"),
        [(2, 5)],
        onnx_file_path=tmp_path / "net.onnx",
    )
    np.testing.assert_allclose(run(path, x.asnumpy())[0], expected, rtol=1e-4, atol=1e-5)

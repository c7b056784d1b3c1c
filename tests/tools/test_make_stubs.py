"""The type stubs of `mx.nd` and `mx.sym`, as a user's type checker sees them."""

import os
import subprocess
import sys
import zlib
from pathlib import Path

import pytest

SOURCE = Path(__file__).resolve().parents[2] / "src"
SETTINGS = """\
[mypy]
strict = true
[mypy-torch.*]
follow_imports = skip
"""
PROGRAM = """\
import mxnet as mx

x = mx.nd.array([1])
y = mx.nd.relu(x).sum(axis=1)
z = mx.nd.concat(x, y, dim=0) + 1
larger: mx.nd.NDArray = mx.nd.maximum(1 - z, 0.5)
x.attach_grad()
with mx.autograd.record():
    loss = mx.nd.FullyConnected(x, y, num_hidden=3, no_bias=True).softmax(axis=-1).mean()
loss.backward()
if x.grad is not None:
    x[:] = x - 0.1 * x.grad.clip(-1, 1)
noise = mx.nd.random.uniform_like(z, low=-1) * mx.nd.random.normal(0, 1, shape=(2, 3))
norm = mx.nd.linalg.gemm2(z, noise, transpose_b=True).norm()
shape: tuple[int, ...] = mx.nd.op.Reshape(norm, shape=(-1,)).shape
"""
GRAPH_PROGRAM = """\
import mxnet as mx

data, label = mx.sym.var("data", shape=(0, 4)), mx.sym.Variable("label")
net = mx.sym.FullyConnected(data, num_hidden=8, name="fc", attr={"lr_mult": "2"})
net = mx.sym.Activation(net.reshape(shape=(-1, 8)), act_type="relu") * 2 - 1 / (net + 1)
both = mx.sym.concat(net, -net, dim=1).sum(axis=1, keepdims=True)
named = mx.sym.add_n(arg0=both, arg1=both)
larger: mx.sym.Symbol = mx.sym.maximum(named, 0.5) ** 2
parts = mx.sym.SliceChannel(larger[0], num_outputs=2)
noise = mx.sym.random.normal(0, 1, shape=(2, 3)) + mx.sym.random.uniform_like(net, low=-1)
area = mx.sym.linalg.gemm2(noise, noise, transpose_b=True) + mx.sym.sparse.dot(noise, noise)
boxes = mx.sym.contrib.box_nms(mx.sym.image.resize(area, size=3), overlap_thresh=0.5)
out = mx.sym.Group([mx.sym.SoftmaxOutput(boxes, label), parts[0], mx.sym.op.relu(data)])
names: list[str] = out.list_arguments() + [item.name or "" for item in out]
shapes = out.infer_shape(data=(2, 4))[1]
text: str = out.tojson()
"""


def check_types(folder, program):
    """Returns what mypy says about a program and about the stubs that it uses."""
    (folder / "mypy.ini").write_text(SETTINGS)
    # By its cache mypy takes a file of the same length, written in the same second, for the last.
    name = f"program_{zlib.crc32(program.encode())}.py"
    (folder / name).write_text(program)
    command = [sys.executable, "-m", "mypy", "--cache-dir", "cache", name]
    environment = os.environ | {"MYPYPATH": str(SOURCE)}
    result = subprocess.run(
        command, cwd=folder, env=environment, capture_output=True, text=True, check=False
    )
    lines = result.stdout.splitlines()
    assert lines[-1].endswith("(checked 1 source file)") or "no issues" in lines[-1], result.stderr
    errors = [line for line in lines if ": error: " in line]
    return [line for line in errors if line.startswith("program_") or ".pyi:" in line]


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("program")


@pytest.mark.parametrize("program", [PROGRAM, GRAPH_PROGRAM], ids=["arrays", "symbols"])
def test_a_program_passes(folder, program):
    assert check_types(folder, program) == []


@pytest.mark.parametrize(
    ("call", "mistake"),
    [
        ("mx.nd.relu(x).sum(axs=1)", 'Unexpected keyword argument "axs"'),
        ("mx.nd.Convolution(x, x, kernel=(3, 3), num_filter='8')", 'has incompatible type "str"'),
        ("mx.nd.no_such_function(x)", 'has no attribute "no_such_function"'),
        ("mx.sym.relu(s).sum(axs=1)", 'Unexpected keyword argument "axs"'),
        ("mx.sym.concat(s, s, dmi=1)", 'has incompatible type "int"'),
        ("mx.sym.contrib.no_such_function(s)", 'has no attribute "no_such_function"'),
        ("s.asnumpy()", 'has no attribute "asnumpy"'),
    ],
)
def test_a_mistake_is_found(folder, call, mistake):
    found = check_types(
        folder, f'import mxnet as mx\n\nx, s = mx.nd.array([1]), mx.sym.var("s")\n{call}\n'
    )
    assert len(found) == 1
    assert mistake in found[0]

"""The Gluon programs of the notes, run as they are written there.

`gluon_programs/NNN_name.py.txt` is a program of note NNN, `.out.txt` what the note prints. Mended
is only what Python cannot read: a tab among spaces (000_custom_layer) and a remark that is no
comment (003_block). Note 001 has the programs of note 000 once more, letter by letter. What note
003 writes inside of its text stands in the tests.

Datasets and `DataLoader` (notes 000, 002, 003) are in `test_data_seeds.py`, the pretrained resnet18
of the model zoo (000, 8) is in `test_zoo_seeds.py`, the vision datasets (000, 11) are in
`test_vision_seeds.py`; `export`, `load_checkpoint` and `SymbolBlock` (000, 9) in
`test_export_seeds.py`.
"""

from __future__ import annotations

import io
import pickle
import random
import re
import sys
from pathlib import Path

import numpy as np
import pytest

import mxnet as mx
from mxnet import autograd, gluon, init, nd
from mxnet.gluon import block, nn

from ..golden.seed_networks import ResNetV1
from .test_seeds import normalize
from .test_seeds import read as read_array_program
from .test_seeds import run as run_array_program

PROGRAMS = Path(__file__).parent / "gluon_programs"
GOLDEN = Path(__file__).parents[1] / "golden" / "training"
ON_CPU_AND_GPU = pytest.mark.parametrize(
    "ctx", [mx.cpu(0), pytest.param(mx.gpu(0), marks=pytest.mark.gpu)], ids=str
)


def read(name: str) -> str:
    return (PROGRAMS / f"{name}.txt").read_text(encoding="utf-8")


def execute(source: str, **given: object) -> dict[str, object]:
    """Runs a program after the imports at the top of the notes and gives its variables."""
    scope = {
        "mx": mx,
        "mxnet": mx,
        "nd": nd,
        "nn": nn,
        "gluon": gluon,
        "autograd": autograd,
        "init": init,
        "block": block,
        "exit": sys.exit,  # that of an interactive session would close the input
        **given,
    }
    exec(compile(source, "note", "exec"), scope)  # noqa: S102 - the sources are ours
    return scope


def run(name: str, **given: object) -> dict[str, object]:
    return execute(read(f"{name}.py"), **given)


def make_net(*units: int, ctx: mx.Context | None = None, **kwargs: object) -> nn.Sequential:
    net = nn.Sequential()
    net.add(*(nn.Dense(size, **kwargs) for size in units))
    net.initialize(ctx=ctx)
    return net


ACCUMULATING_LOOP = """
for _ in range(1):
    for i, (x, y) in enumerate(batches):
        with autograd.record():
            loss = criterion(net(x), y)
        loss.backward()
"""


@ON_CPU_AND_GPU
def test_gradients_of_several_batches_are_added(ctx):
    """The step after batches 0 to 2 takes all three gradients, then those of 3 and 4."""
    request, step = read("000_accumulate.py").split("# ... \n")
    samples = np.random.RandomState(0).normal(size=(5, 4, 3)).astype("float32")
    batches = [(nd.array(x, ctx=ctx), nd.array(x[:, :1], ctx=ctx)) for x in samples]
    net = nn.Dense(1, in_units=3)
    net.initialize(init.One(), ctx=ctx)
    trainer = gluon.Trainer(net.collect_params(), "sgd", {"learning_rate": 0.1})
    execute(
        request + ACCUMULATING_LOOP + step,
        net=net,
        trainer=trainer,
        batches=batches,
        criterion=gluon.loss.L2Loss(),
        batch_size=4,
    )
    weight, bias = np.ones((1, 3)), np.zeros(1)
    for part in (samples[:3], samples[3:]):
        x = part.reshape(-1, 3)
        error = x @ weight.T + bias - x[:, :1]
        weight = weight - 0.1 / 8 * error.T @ x
        bias = bias - 0.1 / 8 * error.sum(0)
    np.testing.assert_allclose(net.weight.data(ctx).asnumpy(), weight, rtol=1e-5)
    np.testing.assert_allclose(net.bias.data(ctx).asnumpy(), bias, rtol=1e-4, atol=1e-6)
    assert net.weight.grad_req == "add"
    assert not net.weight.grad(ctx).asnumpy().any()


@ON_CPU_AND_GPU
def test_values_and_gradients_of_a_layer(ctx, capsys):
    layer = nn.Dense(1, in_units=2)
    layer.initialize(init.One(), ctx=ctx)
    with autograd.record():
        output = layer(nd.array([[3, 4]], ctx=ctx))
    output.backward()
    run("000_access", namedLayer=layer, ctx=ctx)
    shown = "(1, 2)" + "".join(f"[{value}]<NDArray 1 @{ctx}>" for value in ("1.", "4.", "1."))
    assert normalize(capsys.readouterr().out) == shown


def test_a_layer_with_a_function_that_has_its_own_backward(capsys):
    scope = run("000_my_layer", sigmoid=run_array_program("000_sigmoid")["sigmoid"])
    layer = scope["MyLayer"]()
    x = nd.array([-1, 0, 2])
    x.attach_grad()
    with autograd.record():
        y = layer(x)
    y.backward()
    assert capsys.readouterr().out == "forward is called\n"
    expected = 1 / (1 + np.exp(-x.asnumpy()))
    np.testing.assert_allclose(y.asnumpy(), expected, rtol=1e-5)
    np.testing.assert_allclose(x.grad.asnumpy(), expected * (1 - expected), rtol=1e-5)


def test_a_siamese_network_trains_by_the_loss_of_the_note():
    scope: dict[str, object] = {"nd": nd}
    exec(read_array_program("000_siamese_loss"), scope)  # noqa: S102
    mx.random.seed(0)
    net = make_net(2, in_units=3)
    trainer = gluon.Trainer(net.collect_params(), "sgd", {"learning_rate": 0.5})
    values = np.random.RandomState(0)
    left = nd.array(values.normal(size=(16, 3)))
    same = nd.array(values.randint(0, 2, 16))
    noise = nd.array(values.normal(size=(16, 3)))
    right = left + noise * (1 - same).reshape((-1, 1)) + 0.01
    losses = []
    for _ in range(20):
        with autograd.record():
            loss = scope["my_softmax_loss"](net(left), net(right), same)
        loss.backward()
        trainer.step(16)
        losses.append(loss.mean().asscalar())
    assert losses[-1] < losses[0] / 2


def test_learning_rate_multiplier():
    layer = nn.Dense(1, in_units=1)
    layer.initialize(init.One())
    run("000_lr_mult", namedLayer=layer)
    trainer = gluon.Trainer(layer.collect_params(), "sgd", {"learning_rate": 0.1})
    with autograd.record():
        output = layer(nd.ones((1, 1)))
    output.backward()
    trainer.step(1)
    np.testing.assert_allclose(layer.weight.data().asnumpy(), [[0.8]])
    np.testing.assert_allclose(layer.bias.data().asnumpy(), [-0.1])


def test_trainer_with_weight_decay_and_a_new_learning_rate():
    layer = nn.Dense(1, in_units=1)
    layer.initialize(init.One())
    trainer = run("000_trainer", net=layer, lr=0.5)["trainer"]
    assert (trainer.learning_rate, trainer.optimizer.wd) == (0.5, 0.0001)
    with autograd.record():
        output = layer(nd.ones((1, 1)))
    output.backward()
    trainer.step(1)
    np.testing.assert_allclose(layer.weight.data().asnumpy(), [[1 - 0.5 * 1.0001]], rtol=1e-6)


def test_a_custom_layer_shows_its_parameters_and_children(capsys):
    with mx.name.NameManager():
        mlp = run("000_custom_layer")["mlp"]
    own, children, names, *documentation = capsys.readouterr().out.splitlines()
    assert own == (
        "[('mlp0_weight', Parameter mlp0_weight (shape=(10, 15), dtype=<class 'numpy.float32'>)), "
        "('mlp0_cons_time', Constant mlp0_cons_time (shape=(20, 20), "
        "dtype=<class 'numpy.float32'>))]"
    )
    assert children == "[('fc0', Dense(None -> 256, linear))]"
    for name in ("Constant", "DeferredInitializationError", "Parameter", "ParameterDict"):
        assert f"'{name}'" in names
    assert "class ParameterDict" in "\n".join(documentation)
    assert mlp.c.grad_req == "null"


def save_softmax_params(folder: Path) -> None:
    """Saves parameters where the program looks for them, `e:/softmax.params`."""
    net = nn.Sequential(prefix="mlp0_")
    with net.name_scope():
        net.add(nn.Dense(64, in_units=784), nn.Dense(64, in_units=64), nn.Dense(10, in_units=64))
    net.initialize()
    (folder / "e:").mkdir()
    keys = [f"dense{i}.{kind}" for i in range(3) for kind in ("weight", "bias")]
    values = [parameter.data() for parameter in net.collect_params().values()]
    nd.save(str(folder / "e:" / "softmax.params"), dict(zip(keys, values, strict=True)))


@ON_CPU_AND_GPU
def test_predict_mode_and_train_mode(ctx, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    save_softmax_params(tmp_path)
    scope = execute(read("000_predict_mode.py").replace("mx.gpu(0)", f"mx.{ctx}"))
    assert capsys.readouterr().out == "False\n"
    assert scope["net"].dense2.weight.list_ctx() == [ctx]
    with pytest.raises(SystemExit):
        run("000_train_mode", **scope)
    first, second, *_ = re.findall(r"\[\[(.*?)\]\]", capsys.readouterr().out, re.S)
    assert first != second  # dropout has drawn twice
    scope["net"].initialize(ctx=ctx, force_reinit=True)
    data = nd.ones((2, 784), ctx=ctx)
    np.testing.assert_array_equal(scope["net"](data).asnumpy(), scope["net"](data).asnumpy())


def as_fields(line: str) -> tuple[str, set[str]]:
    """Splits a printed layer into what it is and the set of its options."""
    head, _, options = line.rstrip(")").partition("(") if "=" in line else (line, "", "")
    if line.lstrip().startswith("("):  # "(0): Conv2D(...)"
        number, _, rest = line.partition("): ")
        head, _, options = rest.partition("(")
        head = f"{number}): {head}"
    return head, set(re.split(r", (?![^(]*\))", options.removesuffix(")")))


def test_printed_network():
    """The note prints an older version's: 1.9.1 orders BatchNorm's fields and adds to pooling's."""
    printed = repr(ResNetV1())
    assert printed == (GOLDEN / "residual.txt").read_text().rstrip()
    note = [line for line in read("000_residual.out").splitlines() if "#" not in line]
    ours = printed.replace("(5): Global", "(8): Global").splitlines()
    assert len(note) == len(ours)
    for expected, line in zip(note, ours, strict=True):
        if "BatchNorm" in expected or "Pool2D" in expected:
            head, fields = as_fields(expected)
            assert as_fields(line)[0] == head
            assert fields <= as_fields(line)[1]
        else:
            assert line == expected


def test_layers_are_found_by_number_and_by_name():
    net = ResNetV1()
    found = eval(read("000_residual_index.py"), {"resnet18": net})  # noqa: S307
    assert repr(found) == "Activation(relu)"
    net.initialize()
    x = nd.ones((1, 3, 32, 32))
    shapes = []
    for i in range(len(net.features)):
        x = net.features[i](x)
        shapes.append(x.shape)
    assert shapes[0] == (1, 64, 16, 16)
    assert shapes[-1] == (1, 64, 1, 1)


def test_ways_to_store_a_network(tmp_path):
    """Ways 1, 3 and 4 of note 000: a pickle, the parameters, the printed form."""
    net = make_net(4, 2, in_units=4)
    x = nd.ones((1, 4))
    copy = pickle.loads(pickle.dumps(net))
    np.testing.assert_array_equal(copy(x).asnumpy(), net(x).asnumpy())
    net.save_parameters(str(tmp_path / "net.params"))
    other = make_net(4, 2, in_units=4)
    other.load_parameters(str(tmp_path / "net.params"))
    np.testing.assert_array_equal(other(x).asnumpy(), net(x).asnumpy())
    text = io.StringIO()
    print(net, file=text)
    assert text.getvalue() == (
        "Sequential(\n  (0): Dense(4 -> 4, linear)\n  (1): Dense(4 -> 2, linear)\n)\n"
    )


@ON_CPU_AND_GPU
def test_linear_regression_with_gluon(ctx):
    """The loop that note 002 lists, with the batches of its program."""
    scope = {"mx": mx, "nd": nd, "random": random.Random(0)}
    exec(read_array_program("002_minibatch").replace("mx.gpu()", f"mx.{ctx}"), scope)  # noqa: S102
    mx.random.seed(0)
    features = nd.random.normal(shape=(200, 2), ctx=ctx)
    labels = 2 * features[:, 0] - 3.4 * features[:, 1] + 4.2
    net = nn.Sequential()
    net.add(nn.Dense(1))
    net.initialize(init.Normal(sigma=0.01), ctx=ctx)
    loss = gluon.loss.L2Loss()
    trainer = gluon.Trainer(net.collect_params(), "sgd", {"learning_rate": 0.1})
    for _ in range(20):
        for x, y in scope["next_minibatch"](10, features, labels):
            with autograd.record():
                value = loss(net(x), y)
            value.backward()
            trainer.step(10)
    np.testing.assert_allclose(net[0].weight.data().asnumpy(), [[2, -3.4]], atol=1e-3)
    np.testing.assert_allclose(net[0].bias.data().asnumpy(), [4.2], atol=1e-3)


def test_deferred_initialization():
    """Note 003: values exist after the first batch, or at once where `in_units` is given."""
    net = make_net(3)
    with pytest.raises(gluon.parameter.DeferredInitializationError) as raised:
        net[0].weight.data()
    for words in ("initialization was deferred", "first forward pass", "in_units"):
        assert words in str(raised.value)
    net(nd.ones((2, 5)))
    assert net[0].weight.data().shape == (3, 5)
    assert make_net(3, in_units=5)[0].weight.data().shape == (3, 5)


def test_a_block_without_forward():
    with pytest.raises(NotImplementedError):
        run("003_block")
    source = read("003_block.py").replace("\tpass", "\tdef forward(self, x):\n\t\treturn x * 2")
    scope = execute(source)
    np.testing.assert_array_equal(scope["net"](scope["x"]).asnumpy(), 2 * scope["x"].asnumpy())


def test_access_to_parameters():
    """Note 003 names the type of each."""
    net = make_net(3, 2)
    net(nd.ones((1, 4)))
    assert isinstance(net[0].params, gluon.ParameterDict)
    assert isinstance(net[0].weight, gluon.Parameter)
    assert isinstance(net[0].weight.data(), nd.NDArray)
    assert isinstance(net[0].weight.grad(), nd.NDArray)
    assert list(net.collect_params()) == [*net[0].params, *net[1].params]


class MyInit(init.Initializer):
    def _init_weight(self, name, data):
        self.verbose_name = name
        data[:] = nd.arange(data.size).reshape(data.shape)


def test_initialization_again():
    mx.random.seed(0)
    net = make_net(64, 2, in_units=64)
    net.initialize(init=init.Normal(sigma=0.01), force_reinit=True)
    assert 0.009 < net[0].weight.data().asnumpy().std() < 0.011
    net[0].weight.initialize(init=init.Xavier(), force_reinit=True)
    limit = np.sqrt(3 / 64)
    assert 0.9 * limit < np.abs(net[0].weight.data().asnumpy()).max() <= limit
    before = net[0].weight.data().asnumpy()
    net[0].weight.set_data(net[0].weight.data()+1)  # fmt: skip
    np.testing.assert_array_equal(net[0].weight.data().asnumpy(), before + 1)
    net.initialize(MyInit(), force_reinit=True)
    np.testing.assert_array_equal(net[1].weight.data().asnumpy().ravel(), np.arange(128))
    assert not net[1].bias.data().asnumpy().any()


def test_shared_parameters():
    shared = nn.Dense(8, activation="relu")
    net = nn.Sequential()
    net.add(nn.Dense(8), shared, nn.Dense(8, activation="relu", params=shared.params), nn.Dense(1))
    net.initialize()
    with autograd.record():
        output = net(nd.ones((2, 8)))
    output.backward()
    assert net[1].weight is net[2].weight
    assert len(net.collect_params()) == 6
    assert net[1].weight.grad() is net[2].weight.grad()


class CenteredLayer(nn.Block):
    def forward(self, x):
        return x - x.mean()


class MyDense(nn.Block):
    def __init__(self, units, in_units, **kwargs):
        super().__init__(**kwargs)
        self.weight = self.params.get("weight", shape=(in_units, units))
        self.bias = self.params.get("bias", shape=(units,))

    def forward(self, x):
        return nd.relu(nd.dot(x, self.weight.data()) + self.bias.data())


def test_custom_layers_with_and_without_parameters():
    np.testing.assert_array_equal(CenteredLayer()(nd.array([1, 2, 3])).asnumpy(), [-1, 0, 1])
    net = nn.Sequential()
    net.add(MyDense(8, in_units=4), MyDense(2, in_units=8), CenteredLayer())
    net.initialize(init.Uniform(1))
    trainer = gluon.Trainer(net.collect_params(), "sgd", {"learning_rate": 0.1})
    with autograd.record():
        loss = (net(nd.ones((3, 4))) ** 2).sum()
    loss.backward()
    trainer.step(3)
    assert abs(net(nd.ones((3, 4))).sum().asscalar()) < 1e-4


def test_save_params_and_load_params(tmp_path):
    net = nn.Sequential(prefix="net_")
    with net.name_scope():
        net.add(nn.Dense(3, in_units=2))
    net.initialize()
    file = str(tmp_path / "net.params")
    with pytest.warns(DeprecationWarning, match="save_parameters"):
        net.save_params(file)
    assert set(nd.load(file)) == {"dense0_weight", "dense0_bias"}
    other = nn.Sequential(prefix="other_")
    with other.name_scope():
        other.add(nn.Dense(3, in_units=2))
    with pytest.warns(DeprecationWarning, match="load_parameters"):
        other.load_params(file)
    x = nd.ones((1, 2))
    np.testing.assert_array_equal(other(x).asnumpy(), net(x).asnumpy())


def test_trainers_for_parts_of_a_network():
    """Note 003: different parameters, different ways to update them."""
    net = make_net(1, in_units=2)
    net.initialize(init.One(), force_reinit=True)
    decaying = gluon.Trainer(
        net.collect_params(".*weight"), "sgd", {"learning_rate": 0.1, "wd": 1.0}
    )
    plain = gluon.Trainer(net.collect_params(".*bias"), "adam", {"learning_rate": 0.5})
    with autograd.record():
        output = net(nd.ones((1, 2)))
    output.backward()
    decaying.step(1)
    np.testing.assert_array_equal(net[0].bias.data().asnumpy(), [0])
    plain.step(1)
    np.testing.assert_allclose(net[0].weight.data().asnumpy(), [[0.8, 0.8]], rtol=1e-6)
    np.testing.assert_allclose(net[0].bias.data().asnumpy(), [-0.5], rtol=1e-5)


@pytest.mark.gpu
def test_network_on_the_gpu():
    net = nn.Sequential()
    net.add(nn.Dense(1))
    net.initialize(ctx=mx.gpu())
    output = net(nd.ones((2, 3), ctx=mx.gpu()))
    assert output.context == net[0].weight.data().context == mx.gpu(0)
    with pytest.raises(mx.MXNetError):
        net(nd.ones((2, 3)))


def test_first_network_of_note_004(capsys):
    """Prints as the note; the numbers are random, their relation is not."""
    note = [np.array(part, float) for part in read_numbers(read("004_net.out"))]
    scope = run("004_net")
    printed = capsys.readouterr().out
    shape = re.compile(r"<NDArray (\S+) @cpu\(0\)>")
    assert shape.findall(printed) == shape.findall(read("004_net.out")) == ["10x1", "10x1", "10"]
    for before, after, loss in (note, [np.array(part, float) for part in read_numbers(printed)]):
        np.testing.assert_allclose(loss, (before - 1) ** 2 / 2, rtol=1e-4)
        assert (np.abs(after - 1) < np.abs(before - 1)).all()
    assert scope["net"].dense0.weight.shape == (256, 100)
    run("004_initialize", net=scope["Net"]())


def read_numbers(text: str) -> list[list[str]]:
    """Returns the numbers of each printed array."""
    return [re.findall(r"-?\d+\.\d*(?:e-?\d+)?", part) for part in text.split("<NDArray")[:-1]]

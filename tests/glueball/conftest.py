"""Models that the subcommands are tried on."""

from __future__ import annotations

from pathlib import Path

import pytest

import mxnet as mx
from mxnet.gluon import nn


def export(net, shape: tuple[int, ...], prefix: Path) -> str:
    net.initialize(mx.init.Xavier())
    net.hybridize()
    net(mx.nd.ones(shape))
    net.export(str(prefix))
    return str(prefix)


@pytest.fixture(scope="session")
def zoo_model(tmp_path_factory) -> str:
    """Prefix of a network of the zoo."""
    mx.random.seed(1)
    net = mx.gluon.model_zoo.vision.mobilenet0_25(classes=10, prefix="mobile_")
    return export(net, (1, 3, 32, 32), tmp_path_factory.mktemp("zoo") / "mobile")


class LanguageModel(mx.gluon.HybridBlock):
    def __init__(self, **kwargs):
        super().__init__(**kwargs)
        with self.name_scope():
            self.embedding = nn.Embedding(20, 8)
            self.encoder = mx.gluon.rnn.LSTM(6, 2)
            self.decoder = nn.Dense(20, flatten=False)

    def hybrid_forward(self, F, x):  # noqa: ARG002 - the interface gives it
        return self.decoder(self.encoder(self.embedding(x)))


@pytest.fixture(scope="session")
def recurrent_model(tmp_path_factory) -> str:
    """Prefix of a recurrent network."""
    net = LanguageModel(prefix="lm_")
    return export(net, (5, 2), tmp_path_factory.mktemp("recurrent") / "lm")


@pytest.fixture(scope="session")
def small_model(tmp_path_factory) -> str:
    """Prefix of a network of two dense layers."""
    net = nn.HybridSequential(prefix="mlp_")
    with net.name_scope():
        net.add(nn.Dense(8, activation="relu"), nn.Dense(3))
    return export(net, (1, 5), tmp_path_factory.mktemp("small") / "mlp")


SCRIPT = "<script>document.body.dataset.hacked = 1</script>"
HOSTILE_NAMES = (
    SCRIPT,
    '"><img src=x onerror="document.body.dataset.hacked = 2">',
    f"</script>{SCRIPT}",
    "a" * 400,
    "\u202eback\u2028wards ${title} $title",
    "__proto__",
    "constructor",
)


@pytest.fixture(scope="session")
def hostile_model(tmp_path_factory) -> str:
    """Prefix of a network whose names want to be HTML, a script or commands."""
    prefix = tmp_path_factory.mktemp("hostile") / "<b>model"
    net = mx.sym.var("data")
    for name in HOSTILE_NAMES:
        net = mx.sym.FullyConnected(net, num_hidden=2, no_bias=True, name=name)
    net.save(f"{prefix}-symbol.json")
    weights = {f"arg:{name}_weight": mx.nd.ones((2, 2)) for name in HOSTILE_NAMES}
    mx.nd.save(f"{prefix}-0000.params", weights)
    return str(prefix)

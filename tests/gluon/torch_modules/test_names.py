"""Names of members of a module of torch, which torch writes into source."""

import keyword
import re

import pytest
import torch
from torch import nn

import mxnet as mx
from mxnet.gluon.torch_modules._program import member_name

EVIL = 'training"); open("ran", "w"); getattr(self, "training'


@pytest.mark.parametrize("name", ["weight", "0", "features_3", "_layer", "W2"])
def test_words_stay(name):
    assert member_name(name) == name


@pytest.mark.parametrize(
    "name", [EVIL, "training", "forward", "_block", "class", "a b", "a\nb", "\udc80", "é", "x" * 99]
)
def test_others_become_words_that_are_free(name):
    found = member_name(name)
    assert re.fullmatch(r"\w+", found, flags=re.ASCII)
    assert not hasattr(nn.Module(), found)
    assert not keyword.iskeyword(found)
    assert member_name(name) == found != member_name(name + "!")


def test_no_name_of_a_file_runs(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    data, evil, other = (mx.sym.var(name, shape=(2, 3)) for name in ("data", EVIL, "zzz"))
    (data + evil + other).save("m-symbol.json")
    net = mx.gluon.SymbolBlock.imports("m-symbol.json", ["data"])
    net.initialize()
    x = mx.nd.ones((2, 3))
    module = net.to_torch(x)
    exported = torch.export.export(module, (x.to_torch(),)).module()
    torch.testing.assert_close(exported(x.to_torch()), net(x).to_torch())
    assert not (tmp_path / "ran").exists()

"""The base of arrays: every slot is set, whatever makes an array."""

from __future__ import annotations

import copy
import pickle

import numpy as np
import pytest
import torch

import mxnet as mx
from mxnet import autograd, gluon, nd
from mxnet._arrays.array import Array, Constant, Recorded, Related, UsedUp, Variable, node_of


def dense():
    return nd.array([[1, 0], [0, 4]])


def variable(values=(1, 2)):
    x = nd.array(values)
    x.attach_grad()
    return x


def recorded(function):
    x = variable(((1, 2), (3, 4)))
    with autograd.record():
        return function(x)


def loaded(tmp_path, stype):
    path = str(tmp_path / "arrays")
    nd.save(path, [dense().tostype(stype)])
    return nd.load(path)[0]


MAKERS = {
    "constructor": lambda _: nd.NDArray(),
    "array": lambda _: dense(),
    "zeros": lambda _: nd.zeros(2),
    "numpy": lambda _: nd.from_numpy(np.ones(2)),
    "torch": lambda _: nd.from_torch(torch.ones(2)),
    "unary": lambda _: nd.relu(dense()),
    "binary": lambda _: nd.dot(dense(), dense()),
    "operator": lambda _: dense() + 1,
    "attributes": lambda _: nd.sum(dense(), axis=0),
    "several": lambda _: nd.split(dense(), 2)[1],
    "slice": lambda _: dense()[0:1],
    "item": lambda _: dense()[0],
    "picked": lambda _: dense()[nd.array([0, 1])],
    "reshape": lambda _: dense().reshape(-1),
    "detach": lambda _: dense().detach(),
    "copy": lambda _: copy.deepcopy(dense()),
    "pickle": lambda _: pickle.loads(pickle.dumps(dense())),
    "loaded": lambda path: loaded(path, "default"),
    "row_sparse": lambda _: dense().tostype("row_sparse"),
    "csr": lambda _: dense().tostype("csr"),
    "loaded csr": lambda path: loaded(path, "csr"),
    "pickled row_sparse": lambda _: pickle.loads(pickle.dumps(dense().tostype("row_sparse"))),
    "gradient": lambda _: variable().grad,
    "parameter": lambda _: made_parameter().data(),
    "parameter's gradient": lambda _: made_parameter().grad(),
    "output": lambda _: mx.sym.var("x").bind(mx.cpu(), {"x": dense()}).forward()[0],
    "recorded": lambda _: recorded(lambda x: x * 2),
    "recorded view": lambda _: recorded(lambda x: x.T),
    "recorded numbers": lambda _: recorded(lambda x: x.argmax(axis=0).astype("int32")),
}


def made_parameter():
    parameter = gluon.Parameter("weight", shape=(2,))
    parameter.initialize()
    return parameter


@pytest.mark.parametrize("name", MAKERS)
def test_every_slot_is_set(name, tmp_path):
    array = MAKERS[name](tmp_path)
    for slot in {*Array.__slots__} - {"_whole", "_entry"}:  # of parts of a batch, and of graphs
        getattr(array, slot)
    assert array._node is None or array._role is not None


def test_roles():
    plain, x = nd.ones(2), variable()
    assert plain._role is None
    assert type(x._role) is Variable
    assert x._role.gradient is x.grad
    with autograd.record():
        y = x * plain
        parts = nd.split(nd.concat(y, y, dim=0), 2, axis=0)
        view = nd.transpose(y.reshape((1, 2)))
    assert type(plain._role) is Constant
    assert type(y._role) is Recorded
    assert type(view._role) is Related
    assert view._role.borrowed
    assert parts[0]._role.siblings == parts[1]._role.siblings != ()
    y.backward()
    assert type(y._role) is UsedUp


def test_without_a_request_an_array_is_plain_again():
    x = variable()
    x.attach_grad("null")
    assert x._role is None
    assert x.grad is None


def test_integers_are_leaves_by_a_carrier_without_memory():
    x = nd.array([1, 2], dtype="int32")
    x.attach_grad()
    assert type(x._role) is Variable
    assert x._node.data_ptr() == x._plain.data_ptr()
    assert node_of(x).untyped_storage().nbytes() == 8
    assert x.grad.asnumpy().tolist() == [0, 0]


def test_integers_that_are_used_up_are_constants():
    x = variable()
    with autograd.record():
        y = (x * 2).astype("int32")
        z = y.astype("float32").sum()
    z.backward()
    with autograd.record():
        w = y.astype("float32") * x
    w.backward()
    assert x.grad.asnumpy().tolist() == y.asnumpy().tolist()


def test_the_origin_of_a_result_keeps_no_array_alive():
    x = variable()
    with autograd.record():
        y = x + 1  # of which the sum needs no element
        z = y + 1
    memory = y._node.untyped_storage()
    uses = torch._C._storage_Use_Count(memory._cdata)
    del y
    assert torch._C._storage_Use_Count(memory._cdata) < uses
    assert autograd.get_symbol(z).list_arguments() == ["var0"]

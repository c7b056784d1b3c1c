"""States of another optimizer, network or dtype are refused when they are loaded."""

from __future__ import annotations

import logging
import pickle
from pathlib import Path

import numpy as np
import pytest

import mxnet as mx
from mxnet import gluon, optimizer
from mxnet.errors import FileFormatError, MXNetError


def updater_after_a_step(made, shape=(2, 3), dtype="float32"):
    updater = optimizer.get_updater(made)
    updater(0, mx.nd.ones(shape, dtype=dtype), mx.nd.ones(shape, dtype=dtype))
    return updater


def go_on(states: bytes, made, shape=(2, 3), dtype="float32"):
    """Loads states into an updater and takes a step."""
    updater = optimizer.get_updater(made)
    updater.set_states(states)
    updater(0, mx.nd.ones(shape, dtype=dtype), mx.nd.ones(shape, dtype=dtype))
    return updater


WRONG = [
    (optimizer.Adam(), optimizer.SGD(momentum=0.9), r"SGD expects an array, got \(an array, an"),
    (optimizer.Adam(), optimizer.SGD(), "SGD expects None, got"),
    (optimizer.SGD(momentum=0.9), optimizer.Adam(), r"Adam expects \(an array, an array\), got"),
    (optimizer.SGD(), optimizer.SGD(momentum=0.9), "SGD expects an array, got None"),
    (optimizer.SGD(), optimizer.Adam(), "Adam expects .*, got None"),
    (optimizer.FTML(), optimizer.Adam(), "Adam expects"),
    (optimizer.Adam(), optimizer.FTML(), "FTML expects"),
    (optimizer.RMSProp(), optimizer.RMSProp(centered=True), "RMSProp expects"),
    (optimizer.RMSProp(centered=True), optimizer.RMSProp(), "RMSProp expects"),
    (optimizer.DCASGD(momentum=0.9), optimizer.DCASGD(), "DCASGD expects"),
]


@pytest.mark.parametrize(("saved", "loading", "message"), WRONG)
def test_states_of_another_optimizer_are_refused(saved, loading, message: str):
    states = updater_after_a_step(saved).get_states()
    updater = updater_after_a_step(loading)
    before = updater.states, updater.optimizer
    with pytest.raises(FileFormatError, match=f"parameter '0': {message}"):
        updater.set_states(states)
    assert (updater.states, updater.optimizer) == before


@pytest.mark.parametrize("name", ["sgd", "nag", "signum", "lars", "lbsgd"])
def test_momentum_may_be_given_up(name: str, caplog):
    caplog.set_level(logging.ERROR)
    states = updater_after_a_step(optimizer.create(name, momentum=0.9)).get_states()
    go_on(states, optimizer.create(name, momentum=0.0))


def test_states_of_the_same_form_are_taken():
    go_on(updater_after_a_step(optimizer.Adam()).get_states(), optimizer.Adamax())


def test_lists_stand_for_tuples_and_other_indices_are_kept():
    updater = updater_after_a_step(optimizer.Adam())
    updater.states = {0: list(updater.states[0]), "name": updater.states[0], 99: updater.states[0]}
    assert set(go_on(updater.get_states(), optimizer.Adam()).states) == {0, "name", 99}


@pytest.mark.parametrize(
    ("first", "second", "message"),
    [
        (((2, 3), "float32"), ((4, 5), "float32"), r"array \(4, 5\) of float32.*\(2, 3\)"),
        (((2, 3), "float32"), ((3, 2), "float32"), r"array \(3, 2\)"),
        (((2, 3), "float64"), ((2, 3), "float32"), "of float32.*of float64"),
        (((2, 3), "float32"), ((2, 3), "float16"), "of float16.*of float32"),
    ],
)
def test_the_first_step_refuses_states_of_another_weight(first, second, message: str):
    states = updater_after_a_step(optimizer.SGD(momentum=0.9, multi_precision=False), *first)
    with pytest.raises(FileFormatError, match=message):
        go_on(states.get_states(), optimizer.SGD(momentum=0.9), *second)


@pytest.mark.parametrize(("before", "after"), [(True, False), (False, True)])
@pytest.mark.filterwarnings("ignore:SGD. half precision")
def test_master_copies_are_there_or_not(before: bool, after: bool):
    made = optimizer.SGD(momentum=0.9, multi_precision=before)
    states = updater_after_a_step(made, dtype="float16").get_states()
    with pytest.raises(FileFormatError, match="SGD expects"):
        go_on(states, optimizer.SGD(momentum=0.9, multi_precision=after), dtype="float16")


def test_sparse_states_of_the_original_go_on():
    made = optimizer.get_updater(optimizer.SGD(momentum=0.9))
    made.states = {0: mx.nd.sparse.zeros("row_sparse", (2, 3))}
    updater = optimizer.get_updater(optimizer.SGD(momentum=0.9))
    updater.set_states(made.get_states())
    expected = optimizer.get_updater(optimizer.SGD(momentum=0.9))
    results = []
    for item in (updater, expected):
        weight = mx.nd.ones((2, 3))
        for _ in range(3):
            item(0, mx.nd.ones((2, 3)), weight)
        results.append(weight.asnumpy())
    np.testing.assert_array_equal(*results)


def test_optimizers_of_programs_keep_what_they_like():
    class Free(optimizer.Optimizer):
        def create_state(self, *_):
            return {"seen": 0}

        def update(self, *arguments):
            arguments[-1]["seen"] += 1

    states = updater_after_a_step(Free()).get_states()
    assert go_on(states, Free()).states == {0: {"seen": 2}}


def make_trainer(name="adam", in_units=3, **options):
    net = gluon.nn.Dense(2, in_units=in_units, prefix="net_")
    net.initialize(ctx=options.pop("ctx", None))
    return gluon.Trainer(net.collect_params(), name, options, update_on_kvstore=False)


def train(trainer) -> None:
    for parameter in trainer._params:
        with mx.autograd.record():
            losses = [value.sum() for value in parameter.list_data()]
        mx.autograd.backward(losses)
    trainer.step(1)


@pytest.mark.parametrize("contexts", [[mx.cpu()], [mx.cpu(0), mx.cpu(1)]], ids=len)
def test_a_trainer_refuses_states_of_another_network(tmp_path: Path, contexts):
    path = tmp_path / "net.states"
    saving = make_trainer(in_units=4, ctx=contexts)
    train(saving)
    saving.save_states(path)
    trainer = make_trainer(ctx=contexts)
    train(trainer)
    before = [(updater.states, updater.optimizer) for updater in trainer._updaters]
    message = r"net\.states: state of parameter 'net_weight': Adam expects .*\(2, 3\).*\(2, 4\)"
    with pytest.raises(FileFormatError, match=message):
        trainer.load_states(path)
    assert [(updater.states, updater.optimizer) for updater in trainer._updaters] == before
    train(trainer)
    make_trainer(in_units=4, ctx=contexts).load_states(path)


def test_a_trainer_takes_the_optimizer_of_the_file(tmp_path: Path):
    saving = make_trainer("adam")
    train(saving)
    saving.save_states(tmp_path / "x")
    trainer = make_trainer("sgd", momentum=0.9)
    trainer.load_states(tmp_path / "x")
    train(trainer)
    assert type(trainer.optimizer) is optimizer.Adam


def test_a_trainer_of_unknown_shapes_waits_for_them(tmp_path: Path):
    saving = make_trainer()
    train(saving)
    saving.save_states(tmp_path / "x")
    trainer = make_trainer(in_units=0)
    trainer.load_states(tmp_path / "x")
    assert set(trainer._updaters[0].states) == {0, 1}


def test_a_store_refuses_states_of_other_values(tmp_path: Path):
    for shape in ((2,), (3,)):
        store = mx.kvstore.create("local")
        store.init("w", mx.nd.ones(shape))
        store.set_optimizer(optimizer.SGD(momentum=0.9))
        if shape == (2,):
            store.push("w", mx.nd.ones(shape))
            store.save_optimizer_states(tmp_path / "x.states")
    with pytest.raises(FileFormatError, match=r"x\.states: state of parameter 'w'.*\(3,\).*\(2,\)"):
        store.load_optimizer_states(tmp_path / "x.states")


def make_module(num_hidden: int) -> mx.mod.Module:
    net = mx.sym.FullyConnected(mx.sym.var("data"), num_hidden=num_hidden, name="fc")
    module = mx.mod.Module(mx.sym.SoftmaxOutput(net, name="softmax"))
    module.bind([("data", (1, 3))], [("softmax_label", (1,))])
    module.init_params()
    module.init_optimizer(optimizer_params={"momentum": 0.9, "learning_rate": 0.1})
    module.forward_backward(mx.io.DataBatch([mx.nd.ones((1, 3))], [mx.nd.zeros((1,))]))
    module.update()
    return module


def test_a_module_refuses_states_of_another_network(tmp_path: Path):
    make_module(2).save_optimizer_states(tmp_path / "x.states")
    with pytest.raises(FileFormatError, match=r"x\.states: state of parameter 'fc_weight'"):
        make_module(4).load_optimizer_states(tmp_path / "x.states")
    make_module(2).load_optimizer_states(tmp_path / "x.states")


ATTRIBUTES = [
    {"lr": "fast"},
    {"lr": None},
    {"lr": 1e300},
    {"momentum": None},
    {"wd": [0.1]},
    {"num_update": -1},
    {"num_update": 2.5},
    {"idx2name": {0: None}},
    {"lr_scheduler": "x"},
    {"_all_index_update_counts": {0: [1]}},
    {"sym_info": (1, 2, 3)},
]


@pytest.mark.parametrize("attributes", ATTRIBUTES, ids=str)
def test_attributes_of_the_wrong_kind_are_refused(attributes):
    made = optimizer.SGD()
    vars(made).update(attributes)
    with pytest.raises(MXNetError, match=f"{next(iter(attributes))}.*of a SGD"):
        optimizer.get_updater(optimizer.SGD()).set_states(pickle.dumps(({}, made)))


def test_attributes_that_older_versions_lack_are_filled_in():
    made = optimizer.SGD(momentum=0.9)
    made._index_update_count[0] = 7
    for name in ("allow_np_array", "_all_index_update_counts", "aggregate_num", "lazy_update"):
        del vars(made)[name]
    updater = optimizer.get_updater(optimizer.Adam())
    updater.set_states(pickle.dumps(({}, made)))
    updater(0, mx.nd.ones(2), mx.nd.ones(2))
    assert updater.optimizer._index_update_count == {0: 8}
    assert vars(updater.optimizer).keys() == vars(optimizer.SGD()).keys()

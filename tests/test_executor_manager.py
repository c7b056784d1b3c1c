"""Executors that share a batch; numbers of shapes and errors are the original's."""

import numpy as np
import pytest

import mxnet as mx
from mxnet import executor_manager as manager

BATCH = 6


def _network():
    dense = mx.sym.FullyConnected(mx.sym.var("data"), num_hidden=3, name="fc")
    return mx.sym.LinearRegressionOutput(dense, mx.sym.var("label"), name="out")


def _iterator():
    data = np.arange(24, dtype="float32").reshape(BATCH, 4) / 10
    return mx.io.NDArrayIter(data, np.ones((BATCH, 3)), batch_size=BATCH, label_name="label")


def _manager(contexts, **options):
    network = _network()
    names = ["fc_weight", "fc_bias"]
    arguments = network.list_arguments()
    return manager.DataParallelExecutorManager(
        network, contexts, _iterator(), arguments, names, [], **options
    )


def _gradients(contexts):
    trained = _manager(contexts)
    weight = np.arange(12, dtype="float32").reshape(3, 4)
    trained.set_params({"fc_weight": mx.nd.array(weight), "fc_bias": mx.nd.zeros(3)}, {})
    trained.load_data_batch(next(_iterator()))
    trained.forward(is_train=True)
    trained.backward()
    return trained, [sum(a.asnumpy() for a in arrays) for arrays in trained.grad_arrays]


def test_two_contexts_add_up_to_one():
    trained, divided = _gradients([mx.cpu(0), mx.cpu(1)])
    _, whole = _gradients([mx.cpu(0)])
    assert [arrays[0].shape for arrays in trained.param_arrays] == [(3, 4), (3,)]
    assert trained.execgrp.param_idx == [1, 2]
    for part, all_of_it in zip(divided, whole, strict=True):
        np.testing.assert_allclose(part, all_of_it, rtol=1e-5)


def test_copies_the_mean_over_contexts():
    trained, _ = _gradients([mx.cpu(0), mx.cpu(1)])
    trained.param_arrays[1][0][:] = 1
    trained.param_arrays[1][1][:] = 2
    params = {"fc_weight": mx.nd.zeros((3, 4)), "fc_bias": mx.nd.zeros(3, dtype="float64")}
    trained.copy_to(params, {})
    np.testing.assert_array_equal(params["fc_bias"].asnumpy(), [1.5] * 3)
    assert params["fc_bias"].dtype == np.float64


def test_metric_of_all_parts():
    trained, _ = _gradients([mx.cpu(0), mx.cpu(1)])
    labels, whole, sliced = next(_iterator()).label, mx.metric.MSE(), mx.metric.MSE()
    trained.update_metric(whole, labels)
    halves = [[label[:3] for label in labels], [label[3:] for label in labels]]
    trained.update_metric(sliced, halves, pre_sliced=True)
    assert whole.get() == sliced.get()
    assert whole.num_inst == 2


def test_shares_of_contexts():
    assert _manager([mx.cpu(0), mx.cpu(1)], work_load_list=[1, 2]).slices == [
        slice(0, 2),
        slice(2, 6),
    ]
    with pytest.raises(AssertionError, match="2 numbers"):
        _manager([mx.cpu(0), mx.cpu(1)], work_load_list=[1])


def test_buckets_share_parameters():
    trained = _manager([mx.cpu(0)])
    shared = manager._bind_exec(
        _network(), mx.cpu(), {"data": (2, 4)}, ["fc_weight"], True, trained.execgrp.train_execs[0]
    )
    trained.param_arrays[0][0][:] = 7
    assert (shared.arg_dict["fc_weight"].asnumpy() == 7).all()
    assert shared.grad_dict["fc_bias"] is None


def test_names_must_differ():
    with pytest.raises(ValueError, match="must differ"):
        manager._check_arguments(mx.sym.var("a") + mx.sym.var("a"))


@pytest.mark.filterwarnings("ignore")
def test_refuses_what_it_cannot_bind():
    with pytest.raises(AssertionError, match="need_grad"):
        manager._bind_exec(_network(), mx.cpu(), {"data": (2, 4)}, [], need_grad=["a"])
    with pytest.raises(AssertionError, match="shapes"):
        manager._bind_exec(_network(), mx.cpu(), {}, [])


@pytest.mark.filterwarnings("ignore:mx.model.FeedForward:DeprecationWarning")
def test_training_changes_the_arrays_that_are_given():
    network, iterator = _network(), _iterator()
    params = {"fc_weight": mx.nd.zeros((3, 4)), "fc_bias": mx.nd.zeros(3)}
    mx.model._train_multi_device(
        *(network, [mx.cpu(0), mx.cpu(1)], network.list_arguments(), list(params), []),
        *(params, {}, 0, 2, None, mx.optimizer.SGD(learning_rate=0.1), None, False, iterator),
        eval_metric="mse",
    )
    assert abs(params["fc_weight"].asnumpy()).min() > 0

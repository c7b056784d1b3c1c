"""What metrics share: creation, names, dictionaries, totals, and results that wait on a device."""

from __future__ import annotations

import copy
import pickle

import numpy as np
import pytest
import torch

import mxnet as mx
from mxnet import metric
from mxnet.metric import _base

LABEL = mx.nd.array([0, 1, 1])
PRED = mx.nd.array([[0.3, 0.7], [0.0, 1.0], [0.4, 0.6]])


class Count(metric.EvalMetric):
    def update(self, *_):
        self.sum_metric += 4
        self.num_inst += 2


def test_created_from_names_instances_functions_and_lists():
    given = metric.Accuracy()
    assert metric.create(given) is given
    for description in (
        '["acc", {"axis": 2}]',
        '{"metric": "acc", "axis": 2}',
        {"metric": "Accuracy", "axis": 2},
        metric.Accuracy(axis=2).get_config(),
    ):
        assert metric.create(description).axis == 2
    assert type(metric.create(max)) is metric.CustomMetric
    both = metric.create(["acc", given])
    assert isinstance(both, metric.CompositeEvalMetric)
    assert both.metrics[1] is given
    assert metric.create(["acc", "f1"], name="x").get()[0] == ["x", "x"]


@pytest.mark.parametrize("wrong", ["nope", None, 3])
def test_creating_from_something_else_fails(wrong):
    with pytest.raises(AssertionError, match=r"metric\.create"):
        metric.create(wrong)


def test_composite_has_a_configuration_of_its_metrics():
    both = metric.create(["acc", metric.TopKAccuracy(3)])
    assert both.get_config() == {
        "metric": "CompositeEvalMetric",
        "name": "composite",
        "output_names": None,
        "label_names": None,
        "metrics": [item.get_config() for item in both.metrics],
    }
    assert both.metrics[0].get_config() == {
        "axis": 1,
        "metric": "Accuracy",
        "name": "accuracy",
        "output_names": None,
        "label_names": None,
    }


def test_own_metric_has_no_global_totals_of_its_own():
    own = Count("own")
    own.update(None, None)
    assert own.get() == own.get_global() == ("own", 2.0)
    assert str(own) == "EvalMetric: {'own': 2.0}"
    own.reset_local()
    assert str(own.get_global()) == "('own', nan)"


def test_own_metric_with_global_totals():
    class Both(Count):
        def update(self, labels, preds):
            super().update(labels, preds)
            self.global_sum_metric += 4
            self.global_num_inst += 2

    own = Both("own", has_global_stats=True)
    own.update(None, None)
    own.reset_local()
    assert own.get_global() == ("own", 2.0)
    assert own.get_global_name_value() == [("own", 2.0)]


def test_own_metric_may_give_several_values():
    class Pair(metric.EvalMetric):
        def get(self):
            return ["a", "b"], [1, 2]

    composite = metric.CompositeEvalMetric([Pair("pair"), "acc"])
    assert composite.get()[0] == ["a", "b", "accuracy"]
    assert Pair("pair").get_name_value() == [("a", 1), ("b", 2)]


def test_base_class_asks_for_update():
    with pytest.raises(NotImplementedError, match="update"):
        metric.EvalMetric("x").update(None, None)


def test_own_class_can_be_registered():
    class Registered(Count):
        def __init__(self):
            super().__init__("registered")

    assert metric.register(Registered) is Registered
    metric.alias("reg1", "reg2")(Registered)
    assert type(metric.create("reg2")) is type(metric.create("Registered")) is Registered


def test_dictionaries_are_chosen_from_by_name():
    labels, preds = {"l": LABEL, "other": LABEL}, {"o": PRED, "other": PRED}
    accuracy = metric.Accuracy(output_names=["o"], label_names=["l"])
    accuracy.update_dict(labels, preds)
    assert accuracy.num_inst == 3
    composite = metric.CompositeEvalMetric(["acc"], output_names=["o"], label_names=["l"])
    composite.update_dict(labels, preds)
    assert composite.get_metric(0).num_inst == 3
    everything = metric.Accuracy()
    everything.update_dict(labels, preds)
    assert everything.num_inst == 6
    with pytest.raises(KeyError):
        accuracy.update_dict({}, preds)


def test_metric_that_is_not_there():
    with pytest.raises(ValueError, match="2 metrics, none at 9"):
        metric.create(["acc", "f1"]).get_metric(9)


def test_values_are_doubles_that_print_as_numbers():
    for name in ("acc", "f1", "mcc", "pcc", "ce", "mse", "loss"):
        made = metric.create(name)
        made.update(LABEL, PRED)
        value = made.get()[1]
        assert repr(value) == repr(float(value))
    custom = metric.np(lambda label, _: label.mean())
    custom.update(LABEL, PRED)
    assert type(custom.get()[1]) is float


def test_values_can_be_divided_by_zero():
    made = metric.create("acc")
    made.update([mx.nd.array([1])], [mx.nd.array([[0.9, 0.1]])])
    with np.errstate(invalid="ignore"):
        assert np.isnan(made.get()[1] / made.get()[1])


def test_moments_of_correlations_join():
    made = metric.PearsonCorrelation()
    assert made.update_variance(np.array([1.0, 2, 5]), 2, 3.0, 4.0) == pytest.approx((5, 2.8, 12.8))
    made.update_cov(np.array([1.0, 2, 4]), np.array([2, 3, 5.5]))
    assert made._local.spread[0, 1] == 30


def test_top_k_asks_for_more_than_one():
    with pytest.raises(AssertionError, match="use Accuracy"):
        metric.TopKAccuracy()


def test_functions():
    def share(label, pred):
        assert isinstance(label, np.ndarray)
        return float(pred[:, 1].sum()), 3

    made = metric.np(share, allow_extra_outputs=True)
    made.update([LABEL], [PRED, PRED])
    assert made.get() == ("share", pytest.approx(2.3 / 3))
    assert metric.np(share, name="other").name == "other"
    with pytest.raises(NotImplementedError, match="no configuration"):
        made.get_config()


def test_shapes_are_checked():
    assert metric.check_label_shapes([1], [2]) == ([1], [2])
    assert metric.check_label_shapes(LABEL, PRED, wrap=True) == ([LABEL], [PRED])
    with pytest.raises(ValueError, match="length: 2 and 1"):
        metric.check_label_shapes([1, 2], [3])
    with pytest.raises(ValueError, match="shape"):
        metric.check_label_shapes(LABEL, PRED, shape=True)


def test_column_of_labels_counts_as_a_vector():
    for name in ("f1", "mcc", "acc", "ce"):
        flat, column = metric.create(name), metric.create(name)
        flat.update([LABEL], [PRED])
        column.update([LABEL.reshape((3, 1))], [PRED])
        assert flat.get() == column.get()


def test_perplexity_of_sequences():
    made = metric.Perplexity(ignore_label=0)
    pred = mx.nd.array([[[0.5, 0.5], [0.75, 0.25]]])
    made.update([mx.nd.array([[1, 0]])], [pred])
    assert made.get() == ("perplexity", pytest.approx(2.0))
    assert made.num_inst == 1


def test_micro_correlation_has_local_and_global_totals():
    made = metric.PearsonCorrelation(average="micro")
    made.update([mx.nd.array([1, 2, 3])], [mx.nd.array([1, 3, 2])])
    made.reset_local()
    made.update([mx.nd.array([1, 2])], [mx.nd.array([2, 1])])
    assert made.get()[1] == pytest.approx(-1)
    expected = np.corrcoef([1, 2, 3, 1, 2], [1, 3, 2, 2, 1])[0, 1]
    assert made.get_global()[1] == pytest.approx(expected)


def test_half_precision_does_not_overflow():
    made = metric.Loss()
    made.update(None, mx.nd.full((1000,), 1000, dtype="float16"))
    assert made.get() == ("loss", 1000.0)
    squares = metric.MSE()
    squares.update(mx.nd.zeros(2, dtype="float16"), mx.nd.full(2, 1000, dtype="float16"))
    assert squares.get() == ("mse", 1e6)


def test_numpy_arrays_and_tensors_in_lists_will_do():
    made = metric.Accuracy()
    made.update([LABEL.asnumpy()], [PRED.asnumpy()])
    made.update([torch.tensor([0, 1, 1])], [PRED.to_torch()])
    assert made.num_inst == 6


def test_results_wait_on_the_device_until_asked_for(monkeypatch):
    fetched = []
    monkeypatch.setattr(
        _base, "fetch", lambda scalars: fetched.append(len(scalars)) or [float(x) for x in scalars]
    )
    made = metric.Accuracy()
    made._mx_waiting = [(torch.tensor(2), 3), (torch.tensor(1), torch.tensor(4))]
    assert made.num_inst == 7
    assert fetched == [2, 1]
    assert (made.sum_metric, made.global_sum_metric, made.global_num_inst) == (3, 3, 7)
    made._mx_waiting = [(torch.tensor(2), 3)]
    made.reset_local()
    assert (made.num_inst, made.global_num_inst) == (0, 10)
    made._mx_waiting = [(torch.tensor(2), 3)]
    made.reset()
    assert (made.num_inst, made.global_num_inst) == (0, 0)


def test_scalars_are_fetched_whatever_their_dtype():
    assert _base.fetch([]) == []
    assert _base.fetch([torch.tensor(1), torch.tensor(2)]) == [1, 2]
    assert _base.fetch([torch.tensor(1), torch.tensor(2.5)]) == [1, 2.5]


def test_updates_inside_of_record_leave_the_graph_alone():
    weight = mx.nd.ones(2)
    weight.attach_grad()
    made = metric.Loss()
    with mx.autograd.record():
        loss = weight * 3
        made.update(None, loss)
    loss.backward()
    assert made.get() == ("loss", 3.0)
    np.testing.assert_array_equal(weight.grad.asnumpy(), [3, 3])


def test_metrics_can_be_copied_and_pickled():
    made = metric.create(["acc", "f1", "mcc"])
    made.update([LABEL], [PRED])
    for copied in (copy.deepcopy(made), pickle.loads(pickle.dumps(made))):
        assert copied.get() == made.get()


@pytest.mark.gpu
def test_results_wait_on_a_gpu():
    gpu = mx.gpu()
    for name in ("acc", "f1", "mcc", "ce", "mse", "loss"):
        here, there = metric.create(name), metric.create(name)
        for _ in range(3):
            here.update([LABEL], [PRED])
            there.update([LABEL], [PRED.as_in_context(gpu)])
        assert there.get()[1] == pytest.approx(here.get()[1], rel=1e-5)


def test_outcomes_of_two_classes_are_there_to_be_read():
    made = metric.F1(average="micro")
    made.update([mx.nd.array([1, 0, 1, 1])], [mx.nd.array([[1, 9], [2, 8], [7, 3], [4, 6]])])
    outcomes = made.metrics
    assert (outcomes.true_positives, outcomes.false_positives, outcomes.total_examples) == (2, 1, 4)
    assert (outcomes.precision, outcomes.global_recall) == pytest.approx((2 / 3, 2 / 3))
    assert outcomes.matthewscc() == pytest.approx(-1 / 3)
    made.reset_local()
    assert (outcomes.precision, outcomes.global_precision) == pytest.approx((0, 2 / 3))
    with pytest.raises(AttributeError, match="accuracy"):
        _ = outcomes.accuracy


def test_outcomes_can_be_counted_alone():
    outcomes = metric._BinaryClassificationMetrics()
    outcomes.update_binary_stats(mx.nd.array([0, 1]), mx.nd.array([[0.9, 0.1], [0.4, 0.6]]))
    assert (outcomes.fscore, outcomes.matthewscc(use_global=True)) == (1, 1)
    with pytest.raises(ValueError, match="two classes"):
        outcomes.update_binary_stats(mx.nd.array([0, 1, 2]), mx.nd.ones((3, 2)))

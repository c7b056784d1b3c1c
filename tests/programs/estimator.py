"""Programs that train by `gluon.contrib.estimator`: what is logged, saved and called in which order."""

from __future__ import annotations

import logging
import os
import re
import warnings

import mxnet as mx
import numpy as np
from mxnet import gluon, nd
from mxnet.gluon.contrib import estimator as es

from .core import functions


def _loader(batch_size=6):
    data = np.sin(np.arange(60.0)).reshape(20, 3)
    labels = (data.sum(axis=1) > 0).astype("float32")
    dataset = gluon.data.ArrayDataset(nd.array(data), nd.array(labels))
    return gluon.data.DataLoader(dataset, batch_size=batch_size)


class _Log(logging.Handler):
    """Keeps what is logged, without times and folders."""

    def __init__(self, folder="-"):
        super().__init__()
        self.lines, self.folder = [], folder

    def emit(self, record):
        text = re.sub(r"\d+(\.\d+)?s\b", "Ts", record.getMessage())
        self.lines.append(text.replace(self.folder, "FOLDER"))


def _estimator(log=None, hybridize=False, context=None, optimizer="sgd", **options):
    net = gluon.nn.HybridSequential(prefix="net_")
    with net.name_scope():
        net.add(gluon.nn.Dense(4, in_units=3, activation="tanh"), gluon.nn.Dense(2, in_units=4))
    net.initialize(mx.init.Xavier(), ctx=context or mx.cpu())
    for index, parameter in enumerate(net.collect_params().values()):
        size = int(np.prod(parameter.shape))
        values = np.cos(np.arange(size) + index).reshape(parameter.shape) / 2
        parameter.set_data(nd.array(values))
    if hybridize:
        net.hybridize()
    trainer = gluon.Trainer(net.collect_params(), optimizer, {"learning_rate": 0.25})
    loss = options.pop("loss", None) or gluon.loss.SoftmaxCrossEntropyLoss()
    made = es.Estimator(net, loss, trainer=trainer, context=context, **options)
    made.logger.handlers[:] = [log or _Log()]
    return made


def _values(metrics):
    return [(name, round(float(value), 3)) for name, value in (item.get() for item in metrics)]


def _results(made):
    weights = [item.data(made.context[0]) for item in made.net.collect_params().values()]
    return weights, _values([*made.train_metrics, *made.val_metrics])


class _Spy(es.TrainBegin, es.TrainEnd, es.EpochBegin, es.EpochEnd, es.BatchBegin, es.BatchEnd):
    def __init__(self, calls, name, priority=None, stop=()):
        self.calls, self.name, self.stop = calls, name, stop
        if priority is not None:
            self.priority = priority

    def _note(self, event, kwargs):
        kinds = {key: type(value).__name__ for key, value in kwargs.items()}
        self.calls.append((self.name, event, sorted(kinds.items())))
        return (event, sum(call[:2] == (self.name, event) for call in self.calls)) in self.stop

    def train_begin(self, estimator, *args, **kwargs):
        self._note("train_begin", kwargs)

    def train_end(self, estimator, *args, **kwargs):
        self._note("train_end", kwargs)

    def epoch_begin(self, estimator, *args, **kwargs):
        self._note("epoch_begin", kwargs)

    def epoch_end(self, estimator, *args, **kwargs):
        return self._note("epoch_end", kwargs)

    def batch_begin(self, estimator, *args, **kwargs):
        self._note("batch_begin", kwargs)

    def batch_end(self, estimator, *args, **kwargs):
        return self._note("batch_end", kwargs)


def training_with_all_defaults():
    log = _Log()
    made = _estimator(log)
    made.fit(_loader(), val_data=_loader(7), epochs=3)
    return log.lines, _results(made)


def training_by_batches_on_two_contexts():
    log = _Log()
    made = _estimator(log, context=[mx.cpu(0), mx.cpu(1)])
    made.fit(_loader(4), batches=7)
    return log.lines, _results(made)


def regression_has_the_loss_alone_as_metric():
    log = _Log()
    made = _estimator(log, loss=gluon.loss.L1Loss())
    made.fit(_loader(), epochs=1)
    return log.lines, _results(made)


def metrics_that_are_given():
    metrics = [mx.metric.Accuracy(), mx.metric.CrossEntropy(), mx.metric.Loss("mine")]
    made = _estimator(train_metrics=metrics, val_metrics=mx.metric.TopKAccuracy(2))
    before = [item.name for item in (*made.train_metrics, *made.val_metrics)]
    made.evaluate(_loader())
    return before, made.train_metrics[0] is metrics[0], _values(made.val_metrics)


def metrics_of_a_composite_are_taken_one_by_one():
    composite = mx.metric.CompositeEvalMetric([mx.metric.Accuracy(), mx.metric.F1()])
    made = _estimator(train_metrics=composite)
    return [item.name for item in (*made.train_metrics, *made.val_metrics)]


def the_order_of_handlers():
    calls = []
    handlers = [_Spy(calls, "last", 10), _Spy(calls, "plain"), _Spy(calls, "first", -3000)]
    _estimator().fit(_loader(10), epochs=2, event_handlers=handlers)
    return calls


def handlers_of_an_evaluation():
    calls = []
    _estimator().evaluate(_loader(10), event_handlers=_Spy(calls, "only"))
    return calls


def a_handler_that_ends_an_epoch_and_one_that_ends_the_training():
    calls = []
    handlers = [
        _Spy(calls, "batches", stop=[("batch_end", 2)]),
        _Spy(calls, "epochs", stop=[("epoch_end", 2)]),
    ]
    _estimator().fit(_loader(), epochs=5, event_handlers=handlers)
    return [call[:2] for call in calls]


def logging_every_second_batch():
    log = _Log()
    made = _estimator(log)
    handler = es.LoggingHandler(log_interval=2, metrics=made.train_metrics)
    made.fit(_loader(), epochs=2, event_handlers=[handler])
    return log.lines


def logging_of_no_metrics():
    log = _Log()
    made = _estimator(log)
    made.fit(_loader(), epochs=1, event_handlers=[es.LoggingHandler(log_interval=1)])
    return log.lines


def validation_every_second_epoch_and_every_third_batch():
    found = []
    for periods in ({"epoch_period": 2}, {"epoch_period": None, "batch_period": 3}):
        log = _Log()
        made = _estimator(log)
        handler = es.ValidationHandler(_loader(), made.evaluate, **periods)
        made.fit(_loader(), epochs=4, event_handlers=[handler])
        found.append(log.lines)
    return found


def checkpoints_of_epochs(folder):
    log = _Log(folder)
    made = _estimator(log, hybridize=True)
    handler = es.CheckpointHandler(folder, "net", max_checkpoints=2)
    made.fit(_loader(), epochs=4, event_handlers=[handler])
    return log.lines, sorted(os.listdir(folder)), handler.saved_checkpoints


def checkpoints_of_batches(folder):
    made = _estimator(hybridize=True)
    handler = es.CheckpointHandler(folder, epoch_period=None, batch_period=3)
    made.fit(_loader(), batches=10, event_handlers=[handler])
    return sorted(os.listdir(folder)), handler.saved_checkpoints


def the_best_checkpoint(folder):
    made = _estimator(hybridize=True)
    handler = es.CheckpointHandler(
        folder, monitor=made.val_metrics[1], save_best=True, mode="min", epoch_period=2
    )
    made.fit(_loader(), val_data=_loader(), epochs=4, event_handlers=[handler])
    return sorted(os.listdir(folder)), round(float(handler.best), 3)


def training_that_is_taken_up_again(folder):
    log = _Log(folder)
    first = _estimator(optimizer="adam")
    first.fit(_loader(), epochs=2, event_handlers=[es.CheckpointHandler(folder, "n")])
    again = _estimator(log, optimizer="adam")
    handler = es.CheckpointHandler(folder, "n", resume_from_checkpoint=True)
    again.fit(_loader(), epochs=5, event_handlers=[handler])
    lines = [line for line in log.lines if "symbol" not in line]
    return lines, sorted(os.listdir(folder))


def a_training_that_is_over_is_not_taken_up(folder):
    _estimator().fit(_loader(), epochs=2, event_handlers=[es.CheckpointHandler(folder)])
    handler = es.CheckpointHandler(folder, resume_from_checkpoint=True)
    _estimator().fit(_loader(), epochs=2, event_handlers=[handler])


def taking_up_batches_without_a_period_of_batches(folder):
    handler = es.CheckpointHandler(folder, resume_from_checkpoint=True)
    _estimator().fit(_loader(), batches=5, event_handlers=[handler])


def taking_up_epochs_without_a_period_of_epochs(folder):
    handler = es.CheckpointHandler(
        folder, resume_from_checkpoint=True, epoch_period=None, batch_period=1
    )
    _estimator().fit(_loader(), epochs=5, event_handlers=[handler])


def taking_up_nothing(folder):
    log = _Log(folder)
    handler = es.CheckpointHandler(
        folder, resume_from_checkpoint=True, epoch_period=None, batch_period=2
    )
    _estimator(log, hybridize=True).fit(_loader(), batches=5, event_handlers=[handler])
    return log.lines, sorted(os.listdir(folder))


def stopping_early():
    found = []
    for mode, patience, delta in (("max", 0, 0), ("max", 2, 0), ("min", 1, 0.2), ("min", 1, 0)):
        made = _estimator()
        monitor = made.train_metrics[mode == "min"]
        handler = es.EarlyStoppingHandler(monitor, patience=patience, mode=mode, min_delta=delta)
        made.fit(_loader(), epochs=8, event_handlers=[handler])
        best = round(float(handler.best), 3)
        found.append((handler.stopped_epoch, handler.wait, best, handler.stop_training))
    return found


def stopping_early_by_a_baseline():
    made = _estimator()
    handler = es.EarlyStoppingHandler(made.train_metrics[0], mode="max", baseline=2.0, patience=3)
    made.fit(_loader(), epochs=8, event_handlers=[handler])
    return handler.stopped_epoch, float(handler.best)


def a_processor_of_ones_own():
    seen = []

    class Processor(es.BatchProcessor):
        def fit_batch(self, estimator, train_batch, batch_axis=0):
            seen.append(("fit", batch_axis, train_batch[0].shape))
            return super().fit_batch(estimator, train_batch, batch_axis)

        def evaluate_batch(self, estimator, val_batch, batch_axis=0):
            seen.append(("evaluate", batch_axis, val_batch[0].shape))
            return super().evaluate_batch(estimator, val_batch, batch_axis)

    made = _estimator(batch_processor=Processor())
    made.fit(_loader(), val_data=_loader(10), batches=2)
    return seen


def updates_of_ones_own():
    class Every(es.GradientUpdateHandler):
        count = 0

        def batch_end(self, estimator, *args, **kwargs):
            self.count += 1
            if self.count % 2 == 0:
                super().batch_end(estimator, *args, **kwargs)

    made = _estimator()
    made.fit(_loader(), epochs=1, event_handlers=[Every()])
    return _results(made)


def another_network_for_the_evaluation():
    made = _estimator(val_loss=gluon.loss.SoftmaxCrossEntropyLoss(weight=0.5))
    made.val_net = lambda data: made.net(data) * 2
    made.evaluate(_loader())
    return _values(made.val_metrics)


def _mistake(**arguments):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        net = gluon.nn.Dense(2)
        net.initialize()
        es.Estimator(net, **{"loss": gluon.loss.L2Loss(), **arguments})


def a_loss_that_is_none():
    _mistake(loss="l2")


def a_metric_that_is_none():
    _mistake(train_metrics="acc")


def a_trainer_that_is_none():
    _mistake(trainer="sgd")


def a_context_that_is_none():
    _mistake(context="cpu")


def data_that_are_no_loader():
    _estimator().fit([(nd.ones((2, 3)), nd.ones(2))], epochs=1)


def neither_epochs_nor_batches():
    _estimator().fit(_loader())


def both_epochs_and_batches():
    _estimator().fit(_loader(), epochs=1, batches=1)


def handlers_that_are_none():
    _estimator().fit(_loader(), epochs=1, event_handlers=[3])


def metrics_of_strangers():
    _estimator().fit(_loader(), epochs=1, event_handlers=[es.MetricHandler([mx.metric.F1()])])


def the_best_by_no_metric(folder):
    es.CheckpointHandler(folder, save_best=True)


def stopping_by_no_metric():
    es.EarlyStoppingHandler("accuracy")


def an_interval_that_is_none():
    es.LoggingHandler(log_interval="batch")


def contexts_that_are_not_there():
    r = []
    for context in ([mx.gpu(300)], [mx.cpu(0), mx.gpu(300)], mx.gpu(300), [mx.cpu(0), "cpu"]):
        try:
            _mistake(context=context)
        except (AssertionError, ValueError) as error:
            r.append((isinstance(error, AssertionError), isinstance(error, ValueError)))
    return r


def contexts_by_default():
    with mx.Context(mx.cpu(1)):
        inside = _estimator().context
    return _estimator().context, inside, _estimator(context=mx.cpu(2)).context


def warnings_of_estimators():
    net = gluon.nn.Dense(2, in_units=3)
    net.initialize()
    with warnings.catch_warnings(record=True) as found:
        warnings.simplefilter("always")
        made = es.Estimator(net, gluon.loss.L2Loss(), initializer=mx.init.One())
    texts = [str(item.message) for item in found]
    words = "Network already fully initialized", "No trainer specified"
    return len(texts), [any(word in text for text in texts) for word in words], made.logger.level


def loggers():
    made, other = _estimator(), _estimator()
    return (
        es.Estimator.logger,
        made.logger.name,
        made.logger.level,
        type(made.logger).__name__,
        made.logger is other.logger,
    )


def handlers_by_event():
    made = _estimator()
    made.max_epoch, made.max_batch = 1, None
    given = [
        _Spy([], "spy"),
        es.StoppingHandler(2),
        es.EarlyStoppingHandler(made.val_metrics[0], mode="max"),
    ]
    events = made._categorize_handlers(given)
    names = [[type(item).__name__ for item in handlers] for handlers in events]
    default = made._prepare_default_handlers(val_data=None, event_handlers=None)
    validated = made._prepare_default_handlers(_loader(), given[2])
    evaluated = made._prepare_default_validation_handlers(None)
    found = [[type(item).__name__ for item in part] for part in (default, validated, evaluated)]
    return names, found


def estimators_with_methods_replaced():
    calls = []

    class Mine(es.Estimator):
        def _prepare_default_handlers(self, val_data, event_handlers):
            calls.append("prepare")
            return super()._prepare_default_handlers(val_data, event_handlers)

        def _categorize_handlers(self, event_handlers):
            calls.append("categorize")
            return super()._categorize_handlers(event_handlers)

        def _check_context(self, context):
            calls.append("context")
            return super()._check_context(context)

        def _check_trainer(self, trainer):
            calls.append("trainer")
            return super()._check_trainer(trainer)

        def _check_loss(self, loss):
            calls.append("loss")
            return super()._check_loss(loss)

    net = gluon.nn.Dense(2, in_units=3)
    net.initialize()
    trainer = gluon.Trainer(net.collect_params(), "sgd")
    loss = gluon.loss.SoftmaxCrossEntropyLoss()
    made = Mine(net, loss, trainer=trainer, val_loss=loss)
    made.logger.handlers[:] = [_Log()]
    made.fit(_loader(), epochs=1)
    made.evaluate(_loader())
    return calls


def names_of_one_metric_for_both():
    one = mx.metric.Accuracy()
    made = _estimator(train_metrics=one, val_metrics=one)
    return one.name, [item.name for item in made.train_metrics], made.val_metrics[0].name


def handlers_with_metrics_of_strangers():
    class Mine(es.BatchEnd):
        def __init__(self, value):
            self.my_metric = value

    r = []
    for handlers in (
        [Mine(mx.metric.F1())],
        [Mine([mx.metric.F1()])],
        [Mine(None)],
        [es.MetricHandler([mx.metric.F1()]), es.LoggingHandler(metrics=[mx.metric.F1()])],
    ):
        for function in (
            lambda given: _estimator().fit(_loader(), epochs=1, event_handlers=given),
            lambda given: _estimator().evaluate(_loader(), event_handlers=given),
        ):
            try:
                function(list(handlers))
            except ValueError:
                r.append("refused")
            else:
                r.append("taken")
    return r


PROGRAMS = functions(globals())

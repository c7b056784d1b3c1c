"""Whole programs in the style of MXNet 2, which give the same under its 2.0.0b1 and here.

Data of different lengths are padded by `batchify` and read by loaders, estimators train with
metrics and handlers, and `gluon.probability` is fitted by a flow and by a variational autoencoder.
"""
# ruff: noqa: ARG002 - methods take what the original calls them with

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as onp
from numpy.random import RandomState

import mxnet as mx
from mxnet import autograd, gluon, np, npx
from mxnet.gluon import data, metric, nn, rnn
from mxnet.gluon import probability as mgp
from mxnet.gluon.contrib import estimator
from mxnet.gluon.data import batchify

Results = Iterator[tuple[str, Any]]


def numbers(seed: int, *shape: int) -> onp.ndarray:
    """Returns small numbers, the same ones each time."""
    return (RandomState(seed).standard_normal(shape) * 0.3).astype("float32")


def fill(net: Any) -> None:
    """Gives parameters fixed values, by their place."""
    for seed, parameter in enumerate(net.collect_params().values()):
        parameter.set_data(np.array(numbers(seed, *parameter.shape)))


def sentences() -> data.Dataset:
    """Returns sentences of different lengths with their classes."""
    state = RandomState(5)
    rows = [state.randint(1, 12, size=3 + number % 5).astype("float32") for number in range(22)]
    labels = [float(row.sum() % 3) for row in rows]
    return data.ArrayDataset(data.SimpleDataset(rows), data.SimpleDataset(labels))


def loader(dataset: data.Dataset, **options: Any) -> data.DataLoader:
    """Returns a loader that pads sentences, with their lengths and classes."""
    merge = batchify.Group(batchify.Pad(val=0, dtype="float32"), batchify.Stack(), batchify.Stack())
    with_lengths = dataset.transform(lambda words, label: (words, float(len(words)), label))
    return data.DataLoader(with_lengths, batchify_fn=merge, try_nopython=False, **options)


class Reader(nn.HybridBlock):
    """Classifies padded sentences by the mean of what a recurrent layer makes of their words."""

    def __init__(self, words: int, units: int, classes: int) -> None:
        super().__init__()
        self.embedding = nn.Embedding(words, units)
        self.encoder = rnn.GRU(units, layout="NTC", input_size=units)
        self.output = nn.Dense(classes, in_units=units)

    def forward(self, words: Any) -> Any:
        lengths = (words > 0).sum(axis=1)
        steps = self.encoder(self.embedding(words))
        steps = npx.sequence_mask(steps, lengths, use_sequence_length=True, axis=1)
        return self.output(steps.sum(axis=1) / np.expand_dims(lengths, 1))


def batches(_: bool) -> Results:
    """Reads parts of a dataset in several orders."""
    dataset = sentences()
    parts = {
        "all": (dataset, {"batch_size": 5}),
        "whole batches": (dataset, {"batch_size": 5, "last_batch": "discard"}),
        "longest": (dataset.filter(lambda row: len(row[0]) > 5), {"batch_size": 3}),
        "a shard": (dataset.shard(3, 1), {"batch_size": 4}),
        "the first": (dataset.take(7), {"batch_size": 4, "last_batch": "keep"}),
        "each third": (dataset.sample(data.IntervalSampler(22, 3)), {"batch_size": 6}),
    }
    for name, (part, options) in parts.items():
        for number, batch in enumerate(loader(part, **options)):
            for place, array in enumerate(batch):
                yield f"{name} {number} {place}", array.asnumpy().astype("float32")
    sampled = data.BatchSampler(data.SequentialSampler(22, 2), 8, "rollover")
    for number, batch in enumerate(loader(dataset, batch_sampler=sampled)):
        if number < 2:
            yield f"rolled over {number}", batch[0].asnumpy().astype("float32")
    kept = batchify.AsList()([[1, 2], [3]])
    yield "lists", onp.array([len(kept), *map(len, kept)], "float32")


def metrics(_: bool) -> Results:
    """Feeds batches of predictions to metrics of classes, of two classes and of numbers."""
    state = RandomState(11)
    of_classes = {
        "accuracy": metric.Accuracy(),
        "top": metric.TopKAccuracy(top_k=2),
        "cross entropy": metric.CrossEntropy(),
        "perplexity": metric.Perplexity(ignore_label=0),
        "pcc": metric.PCC(),
        "f1": metric.F1(class_type="multiclass", average="macro"),
        "fbeta": metric.Fbeta(class_type="multiclass", beta=0.5, average="micro"),
        "together": metric.CompositeEvalMetric([metric.Accuracy(), metric.CrossEntropy()]),
    }
    of_two = {
        "binary": metric.BinaryAccuracy(threshold=0.4),
        "f1": metric.F1(average="macro"),
        "mcc": metric.MCC(),
    }
    of_numbers = {
        "mae": metric.MAE(),
        "mse": metric.MSE(),
        "rmse": metric.RMSE(),
        "correlation": metric.PearsonCorrelation(),
        "distance": metric.MeanPairwiseDistance(),
        "cosine": metric.MeanCosineSimilarity(),
        "loss": metric.Loss(),
    }
    for _ in range(3):
        scores = npx.softmax(np.array(state.standard_normal((8, 4)).astype("float32")))
        labels = np.array(state.randint(0, 4, size=(8,)).astype("float32"))
        for item in of_classes.values():
            item.update([labels], [scores])
        chances = np.array(state.uniform(size=(8,)).astype("float32"))
        twos = np.array(state.randint(0, 2, size=(8,)).astype("float32"))
        of_two["binary"].update([twos], [chances])
        both = np.stack([1 - chances, chances], axis=1)
        for name in ("f1", "mcc"):
            of_two[name].update([twos], [both])
        first, second = (np.array(state.uniform(size=(8, 3)).astype("float32")) for _ in range(2))
        for name, item in of_numbers.items():
            if name == "loss":
                item.update(None, [first])
            else:
                item.update([first], [second])
    for kind, items in (("classes", of_classes), ("two", of_two), ("numbers", of_numbers)):
        for name, item in items.items():
            yield f"{kind} {name}", onp.array(item.get()[1], "float32")
            item.reset()


class Notes(estimator.TrainBegin, estimator.BatchEnd, estimator.EpochBegin, estimator.EpochEnd):
    """Notes what an estimator says after each batch and epoch."""

    def __init__(self, watched: Callable[[Any], list[Any]]) -> None:
        self._watched, self.batches = watched, 0
        self.rows: list[list[float]] = []

    def train_begin(self, estimator: Any, *args: Any, **kwargs: Any) -> None:
        self.rows.append([float(estimator.max_epoch or 0)])

    def batch_end(self, estimator: Any, *args: Any, **kwargs: Any) -> None:
        self.batches += 1
        self.rows.append([float(kwargs["loss"][0].mean().item())])

    def epoch_begin(self, estimator: Any, *args: Any, **kwargs: Any) -> None:
        self.rows.append([-1.0])

    def epoch_end(self, estimator: Any, *args: Any, **kwargs: Any) -> None:
        self.rows += [[float(item.get()[1])] for item in self._watched(estimator)]


class FirstAndLast(estimator.BatchProcessor):
    """Trains on the words and the classes of batches that have lengths between them."""

    def fit_batch(self, estimator: Any, train_batch: Any, batch_axis: int = 0) -> Any:
        words, _, labels = train_batch
        with autograd.record():
            scores = estimator.net(words)
            loss = estimator.loss(scores, labels)
        loss.backward()
        return [words], [labels], [scores], [loss]

    def evaluate_batch(self, estimator: Any, val_batch: Any, batch_axis: int = 0) -> Any:
        words, _, labels = val_batch
        scores = estimator.val_net(words)
        return [words], [labels], [scores], [estimator.val_loss(scores, labels)]


def training(hybridize: bool) -> Results:
    """Trains a reader of sentences by an estimator, and validates it after each epoch."""
    net = Reader(12, 6, 3)
    net.initialize(device=mx.cpu())
    net(np.ones((2, 3)))
    fill(net)
    if hybridize:
        net.hybridize()
    trained = estimator.Estimator(
        net,
        gluon.loss.SoftmaxCrossEntropyLoss(),
        train_metrics=[metric.Accuracy(), metric.CrossEntropy()],
        val_metrics=metric.Accuracy(),
        trainer=gluon.Trainer(net.collect_params(), "adam", {"learning_rate": 0.05}),
        device=mx.cpu(),
        batch_processor=FirstAndLast(),
    )
    dataset = sentences()
    notes = Notes(lambda item: [*item.train_metrics, *item.val_metrics])
    trained.fit(
        train_data=loader(dataset.take(16), batch_size=4),
        val_data=loader(dataset.shard(2, 1), batch_size=6),
        epochs=3,
        event_handlers=[notes],
    )
    yield "notes", onp.array([value for row in notes.rows for value in row], "float32")
    yield "batches", onp.array([notes.batches], "float32")
    for path, parameter in net.collect_params().items():
        yield path, parameter.data().asnumpy()
    yield "scores", net(np.array([[1, 2, 3, 0], [4, 5, 6, 7]])).asnumpy()


class Coupling(mgp.Transformation):
    """A layer of a flow: each number is scaled and shifted, with slopes to be learned."""

    bijective = True
    event_dim = 0
    sign = 1

    def __init__(self, scale: Any, shift: Any) -> None:
        super().__init__()
        self._scale, self._shift = scale, shift

    def _forward_compute(self, x: Any) -> Any:
        return x * np.exp(self._scale) + self._shift

    def _inverse_compute(self, y: Any) -> Any:
        return (y - self._shift) * np.exp(-self._scale)

    def log_det_jacobian(self, x: Any, y: Any) -> Any:
        return np.broadcast_to(self._scale, x.shape)


def flow(_: bool) -> Results:
    """Fits a flow of three layers to numbers of a skewed distribution."""
    target = np.array(onp.exp(RandomState(2).standard_normal((32, 2)) * 0.5).astype("float32"))
    parameters = [np.array(numbers(seed, 2)) for seed in range(4)]
    for parameter in parameters:
        parameter.attach_grad()
    losses = []
    for _ in range(5):
        with autograd.record():
            layers = [
                Coupling(parameters[0], parameters[1]),
                Coupling(parameters[2], parameters[3]),
                mgp.ExpTransform(),
            ]
            fitted = mgp.TransformedDistribution(mgp.Normal(np.zeros((2,)), np.ones((2,))), layers)
            loss = -fitted.log_prob(target).mean()
        loss.backward()
        for parameter in parameters:
            parameter[:] = parameter - 0.1 * parameter.grad
        losses.append(float(loss.item()))
    yield "losses", onp.array(losses, "float32")
    for number, parameter in enumerate(parameters):
        yield f"parameter {number}", parameter.asnumpy()


class Autoencoder(mgp.StochasticBlock):
    """A variational autoencoder, of which the noise is given."""

    def __init__(self, latent: int, outputs: int) -> None:
        super().__init__()
        self.encoder = nn.Dense(2 * latent, in_units=outputs)
        self.decoder = nn.Dense(outputs, in_units=latent)

    @mgp.StochasticBlock.collectLoss
    def forward(self, x: Any, noise: Any) -> Any:
        loc, log_scale = np.split(self.encoder(x), 2, axis=1)
        scale = np.exp(log_scale)
        posterior = mgp.Normal(loc, scale)
        prior = mgp.Normal(np.zeros_like(loc), np.ones_like(scale))
        self.add_loss(mgp.kl_divergence(posterior, prior).sum(1))
        logit = self.decoder(loc + scale * noise)
        self.add_loss(-mgp.Bernoulli(logit=logit).log_prob(x).sum(1))
        return logit


def autoencoder(hybridize: bool) -> Results:
    """Trains an autoencoder on its own losses."""
    net = Autoencoder(2, 5)
    net.initialize(device=mx.cpu())
    fill(net)
    if hybridize:
        net.hybridize()
    x = np.array((RandomState(3).uniform(size=(12, 5)) > 0.6).astype("float32"))
    noise = np.array(numbers(9, 12, 2))
    trainer = gluon.Trainer(net.collect_params(), "adam", {"learning_rate": 0.05})
    losses = []
    for _ in range(4):
        with autograd.record():
            net(x, noise)
            divergence, unlikeliness = net.losses
            loss = (divergence + unlikeliness).mean()
        loss.backward()
        trainer.step(1)
        losses.append(float(loss.item()))
    yield "losses", onp.array(losses, "float32")
    for path, parameter in net.collect_params().items():
        yield path, parameter.data().asnumpy()


PIPELINES: dict[str, Callable[[bool], Results]] = {
    function.__name__: function for function in (batches, metrics, training, flow, autoencoder)
}

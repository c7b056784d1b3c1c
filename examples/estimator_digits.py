"""Trains by an Estimator: progress, checkpoints, an early end, and a training taken up again.

    python examples/estimator_digits.py [FOLDER]

The folder gets the checkpoints, in a temporary place if it is not given.
"""

from __future__ import annotations

import sys
import tempfile

import digits

import mxnet as mx
from mxnet import gluon
from mxnet.gluon import nn
from mxnet.gluon.contrib.estimator import (
    CheckpointHandler,
    EarlyStoppingHandler,
    EpochEnd,
    Estimator,
    LoggingHandler,
)


class LowerRate(EpochEnd):
    """Halves the learning rate after each epoch: a handler of one's own."""

    def epoch_end(self, estimator: Estimator, *_: object, **__: object) -> None:
        """Is called by the estimator."""
        estimator.trainer.set_learning_rate(estimator.trainer.learning_rate / 2)


def make_estimator() -> Estimator:
    """Returns an estimator of a network for digits."""
    net = nn.HybridSequential(prefix="lenet_")
    with net.name_scope():
        net.add(
            nn.Conv2D(8, kernel_size=5, activation="relu"),
            nn.MaxPool2D(2, 2),
            nn.Conv2D(16, kernel_size=5, activation="relu"),
            nn.MaxPool2D(2, 2),
            nn.Dense(64, activation="relu"),
            nn.Dense(10),
        )
    net.initialize(mx.init.Xavier())
    net.hybridize()
    trainer = gluon.Trainer(net.collect_params(), "adam", {"learning_rate": 0.004})
    return Estimator(
        net,
        gluon.loss.SoftmaxCrossEntropyLoss(),
        train_metrics=[mx.metric.Accuracy(), mx.metric.Loss("loss")],
        trainer=trainer,
        context=mx.cpu(),
    )


def train(folder: str, epochs: int, resume: bool) -> Estimator:
    """Trains for some epochs, or until the accuracy on other digits gets no better."""
    train_data, test_data = (
        gluon.data.DataLoader(gluon.data.ArrayDataset(*digits.load(part)), 100, shuffle=shuffle)
        for part, shuffle in (("train", True), ("t10k", False))
    )
    estimator = make_estimator()
    accuracy = estimator.val_metrics[0]
    estimator.fit(
        train_data,
        val_data=test_data,
        epochs=epochs,
        event_handlers=[
            LoggingHandler(log_interval=20, metrics=estimator.train_metrics),
            CheckpointHandler(
                folder,
                "lenet",
                monitor=accuracy,
                mode="max",
                save_best=True,
                max_checkpoints=2,
                resume_from_checkpoint=resume,
            ),
            EarlyStoppingHandler(accuracy, patience=2, mode="max"),
            LowerRate(),
        ],
    )
    return estimator


def main(folder: str) -> None:
    """Trains for one epoch, and takes the training up again for two more."""
    mx.random.seed(1)
    train(folder, epochs=1, resume=False)
    estimator = train(folder, epochs=3, resume=True)
    name, value = estimator.val_metrics[0].get()
    print(f"{name} after all: {100 * value:.1f}%")


if __name__ == "__main__":
    if len(sys.argv) > 1:
        main(sys.argv[1])
    else:
        with tempfile.TemporaryDirectory() as temporary:
            main(temporary)

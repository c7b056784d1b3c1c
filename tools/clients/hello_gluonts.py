"""GluonTS: forecasts a day of an hourly series with a feed-forward network and with DeepAR."""

import gluonts
import numpy as np
import pandas as pd
from gluonts.dataset.common import ListDataset

try:  # where the networks of MXNet are since 0.9
    from gluonts.mx import DeepAREstimator, SimpleFeedForwardEstimator, Trainer
except ImportError:
    from gluonts.model.deepar import DeepAREstimator
    from gluonts.model.simple_feedforward import SimpleFeedForwardEstimator
    from gluonts.mx.trainer import Trainer

import mxnet as mx

mx.random.seed(1)
np.random.seed(1)
hours = np.arange(24 * 20)
series = 10 + 5 * np.sin(hours * np.pi / 12) + np.random.normal(0, 0.3, hours.shape)
dataset = ListDataset([{"start": pd.Timestamp("2021-01-01"), "target": series[:-24]}], freq="H")

old = {"freq": "H"} if gluonts.__version__.startswith("0.8.") else {}
sizes = {"prediction_length": 24, "context_length": 48}
estimators = [
    SimpleFeedForwardEstimator(
        **old, **sizes, trainer=Trainer(epochs=10, num_batches_per_epoch=20)
    ),
    DeepAREstimator(
        freq="H", **sizes, num_cells=16, trainer=Trainer(epochs=4, num_batches_per_epoch=10)
    ),
]
for estimator in estimators:
    (forecast,) = estimator.train(dataset).predict(dataset)
    error = np.abs(forecast.mean - series[-24:]).mean()
    assert error < 2.5, error
    print(f"{type(estimator).__name__}: off by {error:.2f} on a wave from 5 to 15")

"""AutoGluon: fits a table of two kinds of points with its network of MXNet."""

import tempfile

import numpy as np
import pandas as pd
from autogluon.tabular import TabularPredictor

import mxnet as mx

mx.random.seed(1)
np.random.seed(1)
points = np.random.normal(size=(600, 2)).astype("float32")
kinds = np.where((points**2).sum(axis=1) < 1.4, "inside", "outside")
table = pd.DataFrame({"x": points[:, 0], "y": points[:, 1], "kind": kinds})
with tempfile.TemporaryDirectory() as folder:
    predictor = TabularPredictor(label="kind", path=folder, verbosity=0)
    settings = {"num_epochs": 30, "batch_size": 64, "learning_rate": 1e-2}
    predictor.fit(table[:500], hyperparameters={"NN_MXNET": settings})
    share = (predictor.predict(table[500:]) == table["kind"][500:]).mean()
    models = predictor.get_model_names()
assert "NeuralNetMXNet" in models, models
assert share > 0.85, share
print(f"{models[0]}: {share:.0%} of new rows are told rightly")

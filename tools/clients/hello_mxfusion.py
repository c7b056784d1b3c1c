"""MXFusion: finds mean and variance of normal samples by maximum likelihood."""

import mxfusion as mf
import numpy as np
from mxfusion.common import config
from mxfusion.components.distributions import Normal
from mxfusion.components.variables import PositiveTransformation
from mxfusion.inference import MAP, GradBasedInference

import mxnet as mx

np.random.seed(1)
config.DEFAULT_DTYPE = "float64"
samples = np.random.normal(3, 2, size=(100,))
model = mf.Model()
model.mean = mf.Variable()
model.variance = mf.Variable(transformation=PositiveTransformation())
model.samples = Normal.define_variable(mean=model.mean, variance=model.variance, shape=(100,))
inference = GradBasedInference(MAP(model=model, observed=[model.samples]))
inference.run(max_iter=400, learning_rate=0.05, samples=mx.nd.array(samples, dtype="float64"))
mean, variance = (inference.params[item].asscalar() for item in (model.mean, model.variance))
assert abs(mean - samples.mean()) < 0.1, mean
assert abs(variance - samples.var()) < 0.5, variance
print(f"mean {mean:.2f} and variance {variance:.2f} of normal samples")

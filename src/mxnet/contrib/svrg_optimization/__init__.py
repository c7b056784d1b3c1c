"""Stochastic gradients of reduced variance: `mx.contrib.svrg_optimization`."""

from mxnet.contrib.svrg_optimization import svrg_module as svrg_module
from mxnet.contrib.svrg_optimization import svrg_optimizer as svrg_optimizer

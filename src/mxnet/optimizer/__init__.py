"""Optimizers: how weights are changed by gradients."""

from mxnet._start import tracebacks
from mxnet.optimizer import contrib as contrib
from mxnet.optimizer import optimizer as optimizer
from mxnet.optimizer.optimizer import DCASGD as DCASGD
from mxnet.optimizer.optimizer import FTML as FTML
from mxnet.optimizer.optimizer import LAMB as LAMB
from mxnet.optimizer.optimizer import LARS as LARS
from mxnet.optimizer.optimizer import LBSGD as LBSGD
from mxnet.optimizer.optimizer import NAG as NAG
from mxnet.optimizer.optimizer import SGD as SGD
from mxnet.optimizer.optimizer import SGLD as SGLD
from mxnet.optimizer.optimizer import AdaDelta as AdaDelta
from mxnet.optimizer.optimizer import AdaGrad as AdaGrad
from mxnet.optimizer.optimizer import Adam as Adam
from mxnet.optimizer.optimizer import Adamax as Adamax
from mxnet.optimizer.optimizer import Ftrl as Ftrl
from mxnet.optimizer.optimizer import Nadam as Nadam
from mxnet.optimizer.optimizer import Optimizer as Optimizer
from mxnet.optimizer.optimizer import RMSProp as RMSProp
from mxnet.optimizer.optimizer import Signum as Signum
from mxnet.optimizer.optimizer import Test as Test
from mxnet.optimizer.optimizer import Updater as Updater
from mxnet.optimizer.optimizer import ccSGD as ccSGD
from mxnet.optimizer.optimizer import create as create
from mxnet.optimizer.optimizer import get_updater as get_updater
from mxnet.optimizer.optimizer import register as register

tracebacks.public_functions(globals())

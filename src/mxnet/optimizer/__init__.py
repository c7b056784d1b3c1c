"""Optimizers: how weights are changed by gradients."""

from mxnet._start import make_modules_late as _make_modules_late
from mxnet._start import tracebacks
from mxnet.optimizer import contrib as contrib
from mxnet.optimizer import optimizer as optimizer
from mxnet.optimizer.optimizer import DCASGD as DCASGD
from mxnet.optimizer.optimizer import FTML as FTML
from mxnet.optimizer.optimizer import LAMB as LAMB
from mxnet.optimizer.optimizer import LANS as LANS
from mxnet.optimizer.optimizer import LARS as LARS
from mxnet.optimizer.optimizer import LBSGD as LBSGD
from mxnet.optimizer.optimizer import NAG as NAG
from mxnet.optimizer.optimizer import SGD as SGD
from mxnet.optimizer.optimizer import SGLD as SGLD
from mxnet.optimizer.optimizer import AdaBelief as AdaBelief
from mxnet.optimizer.optimizer import AdaDelta as AdaDelta
from mxnet.optimizer.optimizer import AdaGrad as AdaGrad
from mxnet.optimizer.optimizer import Adam as Adam
from mxnet.optimizer.optimizer import Adamax as Adamax
from mxnet.optimizer.optimizer import AdamW as AdamW
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

_CLASSES = (
    "AdaBelief AdaDelta AdaGrad Adam Adamax DCASGD FTML Ftrl LAMB LANS LARS Nadam NAG RMSProp SGD "
    "SGLD Signum"
)
_MODULES = {name.lower(): name for name in _CLASSES.split()} | {
    "adamW": "AdamW",
    "updater": "Updater get_updater",
}
"""Modules of MXNet 2 and what they have, which 1.9.1 has in `optimizer`."""
_make_modules_late(globals(), _MODULES)

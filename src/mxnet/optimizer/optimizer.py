"""The optimizers under the module name that pickled optimizers have in the original."""

from mxnet._start import publish_classes, tracebacks
from mxnet.optimizer._adaptive import FTML as FTML
from mxnet.optimizer._adaptive import AdaBelief as AdaBelief
from mxnet.optimizer._adaptive import AdaDelta as AdaDelta
from mxnet.optimizer._adaptive import AdaGrad as AdaGrad
from mxnet.optimizer._adaptive import Adam as Adam
from mxnet.optimizer._adaptive import Adamax as Adamax
from mxnet.optimizer._adaptive import AdamW as AdamW
from mxnet.optimizer._adaptive import Ftrl as Ftrl
from mxnet.optimizer._adaptive import Nadam as Nadam
from mxnet.optimizer._adaptive import RMSProp as RMSProp
from mxnet.optimizer._base import Optimizer as Optimizer
from mxnet.optimizer._base import create as create
from mxnet.optimizer._base import register as register
from mxnet.optimizer._descent import DCASGD as DCASGD
from mxnet.optimizer._descent import NAG as NAG
from mxnet.optimizer._descent import SGD as SGD
from mxnet.optimizer._descent import SGLD as SGLD
from mxnet.optimizer._descent import Signum as Signum
from mxnet.optimizer._descent import Test as Test
from mxnet.optimizer._descent import ccSGD as ccSGD
from mxnet.optimizer._layerwise import LAMB as LAMB
from mxnet.optimizer._layerwise import LANS as LANS
from mxnet.optimizer._layerwise import LARS as LARS
from mxnet.optimizer._layerwise import LBSGD as LBSGD
from mxnet.optimizer._updater import Updater as Updater
from mxnet.optimizer._updater import get_updater as get_updater

publish_classes(globals())
tracebacks.public_functions(globals())

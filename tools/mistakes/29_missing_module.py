"""A module of the original that there is not here."""

import mxnet.contrib.tensorrt

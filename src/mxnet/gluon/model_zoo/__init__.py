"""Networks that are ready to use, with the parameters that were published for them."""

from mxnet.gluon.model_zoo import model_store as model_store
from mxnet.gluon.model_zoo import vision as vision

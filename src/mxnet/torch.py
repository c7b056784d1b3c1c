"""What the original has as `mx.th`: the place of functions of Lua Torch.

It is built without them, so that there are none here either. Arrays and tensors
are exchanged by `x.to_torch()` and `mx.nd.from_torch(tensor)`.
"""

from mxnet import _importing
from mxnet.ndarray import NDArray as NDArray

__getattr__ = _importing.make_getattr(__name__, globals())

"""What the original has as `mx.th`: the place of functions of Lua Torch.

It is built without them, so that there are none here either. Arrays and tensors
are exchanged by `x.to_torch()` and `mx.nd.from_torch(tensor)`.
"""

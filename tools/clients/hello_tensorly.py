"""TensorLy: takes tensors apart on the backend `mxnet` and puts them together again."""

import tensorly as tl
from tensorly.decomposition import parafac, tucker

import mxnet as mx

mx.random.seed(1)
tl.set_backend("mxnet")
factors = [mx.np.random.uniform(size=(size, 2)) for size in (4, 5, 6)]
tensor = tl.cp_to_tensor((None, factors))
found = parafac(tensor, rank=2, n_iter_max=300, init="random", random_state=1)
error = float(tl.norm(tl.cp_to_tensor(found) - tensor) / tl.norm(tensor))
assert error < 0.05, error
core, _ = tucker(tensor, rank=[2, 2, 2])
assert core.shape == (2, 2, 2)
print(f"CP of rank 2: relative error {error:.4f}; Tucker: a core of {core.shape}")

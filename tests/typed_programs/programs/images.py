"""Images, and arrays of `mx.nd` in other forms: sparse, linear algebra, operators on images."""

import numpy as np
from typing_extensions import assert_type

import mxnet as mx
from mxnet import image, nd

picture = nd.array(np.random.randint(0, 255, size=(40, 30, 3)), dtype="uint8")
resized = image.imresize(picture, 20, 24)
assert_type(resized, nd.NDArray)
cropped, box = image.center_crop(picture, (16, 16))
assert_type(cropped, nd.NDArray)
augmenters = image.CreateAugmenter(data_shape=(3, 16, 16), rand_mirror=True, mean=True)
sample = picture.astype("float32")
for augmenter in augmenters:
    sample = augmenter(sample)
print(sample.shape)
assert_type(image.color_normalize(picture.astype("float32"), nd.array([1, 2, 3])), nd.NDArray)
assert_type(nd.image.to_tensor(picture), nd.NDArray)
sparse = nd.sparse.csr_matrix(([1, 2, 3], [0, 2, 1], [0, 1, 2, 3]), shape=(3, 4))
assert_type(nd.sparse.dot(sparse, nd.ones((4, 2))), nd.NDArray)
print(sparse.stype, sparse.data, sparse.indices, sparse.tostype("default").shape)
rows = nd.sparse.row_sparse_array(([[1, 2], [3, 4]], [0, 2]), shape=(4, 2))
print(rows.indices, rows.asnumpy())
assert_type(nd.linalg.gemm2(nd.ones((2, 3)), nd.ones((3, 2))), nd.NDArray)
assert_type(nd.topk(nd.array([3, 1, 2]), k=2), nd.NDArray)
assert_type(nd.split(nd.ones((4, 2)), num_outputs=2), list[nd.NDArray])
assert_type(nd.concat(nd.ones((1, 2)), nd.zeros((1, 2)), dim=0), nd.NDArray)
assert_type(nd.stack(*[nd.ones((2,))] * 3, axis=1), nd.NDArray)
assert_type(
    nd.BatchNorm(nd.ones((2, 3)), nd.ones(3), nd.ones(3), nd.ones(3), nd.ones(3)), nd.NDArray
)
assert_type(nd.maximum(nd.ones((2,)), 0.5), nd.NDArray)
assert_type(nd.where(nd.ones((2,)), nd.ones((2,)), nd.zeros((2,))), nd.NDArray)
assert_type(nd.contrib.box_iou(nd.ones((1, 4)), nd.ones((1, 4))), nd.NDArray)
assert_type(nd.random.multinomial(nd.array([0.5, 0.5])), nd.NDArray)
assert_type(mx.random.uniform(shape=(2,)), nd.NDArray)
assert_type(nd.array([1, 2]).as_np_ndarray(), mx.np.ndarray)
assert_type(mx.np.array([1, 2]).as_nd_ndarray(), nd.NDArray)
assert_type(nd.one_hot(nd.array([0, 1]), depth=3), nd.NDArray)
assert_type(nd.full((2,), 7), nd.NDArray)
assert_type(nd.ones((2, 3)).reshape(-1), nd.NDArray)
print(nd.ones((2, 3)).sum(axis=1).asnumpy().shape)
mx.random.seed(3)
iterator = mx.io.NDArrayIter(nd.ones((6, 2)), nd.zeros(6), batch_size=3)
for batch in iterator:
    assert_type(batch.data[0], nd.NDArray)
    print(batch.label[0].shape, batch.pad)

"""Programs that ask for shapes which follow from a part of the others.

Each row has an operator, the shapes of its inputs, and questions: which of them are given. `out` is
the shape of the output, which another operand has; `dim0` is one length that is not known, `rank`
that no length is; `only` that no other input is known, `drop` that this one is not. A question with
`!` is `infer_shape`, the others are `infer_shape_partial`.
"""

from __future__ import annotations

from .core import named

ROWS = """
    a, b: a + b | [(2, 3), (2, 3)] | out, out!, drop+out x0, drop+out! x0, onlyrank+out x0, onlyrank+out! x0
    a: a * 2 | [(2, 3)] | out, out!, drop+out x0, drop+out! x0, onlyrank+out x0, onlyrank+out! x0
    a, b: S.broadcast_add(a, b) | [(2, 3), (1, 3)] | dim0+out x0, ranks+out, out dim0+ranks, drop+out x0, onlyrank+out x0, dim0 x0
    a, b: S.broadcast_mul(a, b) | [(2, 3), (2, 1)] | dim0+out x0, ranks+out, out dim0+ranks, drop+out x0, onlyrank+out x0, onlydim0+out x0
    a, b: S.broadcast_maximum(a, b) | [(2, 3), (2, 3)] | dim0+out x0, ranks+out, out dim0+ranks, drop+out x0, onlyrank+out x0, onlydim0+out x0
    a, b: S.broadcast_equal(a, b) | [(2, 3), (1, 1)] | dim0+out x0, ranks+out, out dim0+ranks, drop+out x0, onlyrank+out x0, dim0 x0
    c, a, b: S.where(c, a, b) | [(2, 3), (2, 3), (2, 3)] | dim0+out x0, drop+out x1, drop+out! x1, drop x1, drop! x1, dim0 x1
    a: S.transpose(a) | [(2, 3)] | onlyrank+out x0, onlyrank+out! x0, dim0+out x0, onlydim0+out x0, ranks+out, out dim0+ranks
    a: S.transpose(a, axes=(1, 2, 0)) | [(2, 3, 4)] | out, out!, drop+out x0, drop+out! x0, onlyrank+out x0, onlyrank+out! x0
    a: S.transpose(a) | [(2, 3, 4)] | onlyrank+out x0, onlyrank+out! x0, dim0+out x0, onlydim0+out x0, ranks+out, out dim0+ranks
    a: S.slice(a, begin=(0, 1), end=(2, 3)) | [(2, 4)] | onlyrank+out x0, dim0+out x0, onlydim0+out x0, ranks+out, out, drop+out x0
    a: S.slice(a, begin=(None, 1), end=(None, 3)) | [(2, 4)] | onlyrank+out x0, dim0+out x0, onlydim0+out x0, ranks+out, out dim0+ranks, out
    a: S.slice(a, begin=(0,), end=(1,)) | [(2, 4)] | onlyrank+out x0, dim0+out x0, onlydim0+out x0, ranks+out, out dim1+ranks, out
    a: S.slice(a, begin=(0, 3), end=(2, 0), step=(1, -1)) | [(2, 4)] | dim1+out x0, onlydim1+out x0, out, drop+out x0, only! x0, out dim0
    a: S.slice(a, begin=(-1,), end=(None,)) | [(3, 4)] | onlyrank+out x0, dim0+out x0, onlydim0+out x0, ranks+out, out dim1+ranks, out
    a: S.slice_axis(a, axis=1, begin=1, end=3) | [(2, 4)] | onlyrank+out x0, dim0+out x0, onlydim0+out x0, ranks+out, out dim0+ranks, out
    a: S.slice_axis(a, axis=1, begin=1, end=None) | [(2, 4)] | onlyrank+out x0, dim0+out x0, onlydim0+out x0, ranks+out, out dim0+ranks, out
    a: S.slice_axis(a, axis=-1, begin=-2, end=None) | [(2, 4)] | onlyrank+out x0, dim0+out x0, onlydim0+out x0, ranks+out, out dim0+ranks, out
    a, b: S.slice_like(a, b) | [(3, 4), (2, 3)] | dim0+out x1, ranks+out, out dim0+ranks, drop+out x0, onlyrank+out x0, onlydim0+out x0
    a, b: S.slice_like(a, b, axes=(1,)) | [(3, 4), (2, 3)] | dim0+out x0, ranks+out, out dim0+ranks, drop+out x0, onlyrank+out x0, dim0 x0
    a: S.reshape(a, shape=(3, 2)) | [(2, 3)] | onlyrank+out x0, dim0+out x0, onlydim0+out x0, ranks+out, out dim0+ranks, out
    a: S.reshape(a, shape=(-1, 2)) | [(2, 3, 2)] | onlyrank+out x0, dim0+out x0, onlydim0+out x0, ranks+out, out dim0+ranks, out
    a: S.reshape(a, shape=(0, -1)) | [(2, 3, 4)] | onlyrank+out x0, dim0+out x0, onlydim0+out x0, ranks+out, out dim0+ranks, out
    a: S.reshape(a, shape=(-2,)) | [(2, 3, 4)] | onlyrank+out x0, dim0+out x0, onlydim0+out x0, ranks+out, out dim0+ranks, out
    a: S.reshape(a, shape=(-3, 0)) | [(2, 3, 4)] | onlyrank+out x0, dim0+out x0, onlydim0+out x0, ranks+out, out dim0+ranks, out
    a: S.reshape(a, shape=(-4, 2, -1, 0)) | [(4, 3)] | onlyrank+out x0, dim0+out x0, onlydim0+out x0, ranks+out, out dim0+ranks, out
    a: S.reshape(a, shape=(-4, -1, 2, -2)) | [(4, 3, 5)] | onlyrank+out x0, dim0+out x0, onlydim0+out x0, ranks+out, out dim0+ranks, out
    a: S.reshape(a, shape=(0, 0, -1)) | [(2, 3, 4, 5)] | onlyrank+out x0, dim0+out x0, onlydim0+out x0, ranks+out, out dim0+ranks, out
    a: S.reshape(a, shape=(0, -3, -2)) | [(2, 3, 4, 5)] | onlyrank+out x0, dim0+out x0, onlydim0+out x0, ranks+out, out dim0+ranks, out
    a: S.reshape(a, shape=(-1, 0), reverse=True) | [(2, 3, 4)] | onlyrank+out x0, dim0+out x0, onlydim0+out x0, ranks+out, out dim0+ranks, out
    a: S.Flatten(a) | [(2, 3, 4)] | onlyrank+out x0, dim0+out x0, onlydim0+out x0, ranks+out, out dim0+ranks, out
    a: S.expand_dims(a, axis=1) | [(2, 3)] | out, out!, drop+out x0, drop+out! x0, onlyrank+out x0, onlyrank+out! x0
    a: S.expand_dims(a, axis=-1) | [(2, 3)] | out, out!, drop+out x0, drop+out! x0, onlyrank+out x0, onlyrank+out! x0
    a: S.squeeze(a) | [(2, 1, 3)] | onlyrank+out x0, dim0+out x0, onlydim0+out x0, ranks+out, out dim0+ranks, out
    a: S.squeeze(a, axis=1) | [(2, 1, 3)] | onlyrank+out x0, dim0+out x0, onlydim0+out x0, ranks+out, out dim0+ranks, out
    a: S.SwapAxis(a, dim1=0, dim2=2) | [(2, 3, 4)] | onlyrank+out x0, dim0+out x0, onlydim0+out x0, ranks+out, out dim0+ranks, out
    a, b: S.concat(a, b, dim=1) | [(2, 3), (2, 4)] | onlyrank+out x0, dim0+out x0, onlydim1+out x0, ranks+out, out dim0+ranks, dim0 x0
    a, b: S.concat(a, b, dim=0) | [(2, 3), (2, 3)] | onlyrank+out x0, dim0+out x0, onlydim0+out x0, ranks+out, out dim0+ranks, dim0 x0
    a, b, c: S.concat(a, b, c, dim=-1) | [(2, 3), (2, 4), (2, 5)] | onlyrank+out x0, dim0+out x0, onlydim1+out x0, ranks+out, out dim0+ranks, dim0 x0
    a, b: S.stack(a, b) | [(2, 3), (2, 3)] | dim0+out x0, ranks+out, out dim1+ranks, drop+out x0, onlyrank+out x0, dim0 x0
    a, b: S.stack(a, b, axis=1) | [(2, 3), (2, 3)] | dim0+out x0, ranks+out, out dim0+ranks, drop+out x0, onlyrank+out x0, dim0 x0
    a: S.split(a, num_outputs=2, axis=1) | [(2, 4)] | only! x0, dim0 x0, dim0+out x0, onlydim0 x0, onlydim0+out x0, drop x0
    a: S.split(a, num_outputs=3) | [(2, 3)] | only! x0, dim0 x0, onlydim0 x0, dim0+out x0, onlydim0+out x0, drop x0
    a: S.split(a, num_outputs=2, axis=0, squeeze_axis=True) | [(2, 3)] | only! x0, dim1 x0, dim1+out x0, onlydim1 x0, onlydim1+out x0, drop x0
    a: S.split_v2(a, 2, axis=1) | [(2, 4)] | only! x0, dim0 x0, dim0+out x0, onlydim0 x0, onlydim0+out x0, out
    a: S.split_v2(a, (1,), axis=1) | [(2, 4)] | only! x0, dim0 x0, dim0+out x0, onlydim0 x0, onlydim0+out x0, out
    a, b, c: S.FullyConnected(a, b, c, num_hidden=4) | [(2, 3), (4, 3), (4,)] | dim0+out x0, onlydim0+out x0, drop+out x1, drop+out! x1, only! x0, dim0 x0
    a, b: S.FullyConnected(a, b, num_hidden=4, no_bias=True) | [(2, 3, 5), (4, 15)] | dim0+out x0, onlydim0+out x0, drop+out x1, drop+out! x1, only! x0, dim0 x0
    a, b, c: S.FullyConnected(a, b, c, num_hidden=4, flatten=False) | [(2, 5, 3), (4, 3), (4,)] | onlyrank+out x0, dim0+out x0, onlydim0+out x0, drop+out x1, drop+out! x1, ranks+out
    a, b, c: S.Convolution(a, b, c, kernel=(3, 3), num_filter=4) | [(2, 3, 6, 6), (4, 3, 3, 3), (4,)] | onlyrank+out x0, dim0+out x0, onlydim0+out x0, drop+out x1, drop+out! x1, ranks+out
    a, b: S.Convolution(a, b, kernel=(3, 3), num_filter=4, stride=(2, 2), pad=(1, 1), no_bias=True) | [(2, 3, 6, 6), (4, 3, 3, 3)] | onlyrank+out x0, dim0+out x0, onlydim0+out x0, drop+out x1, drop+out! x1, ranks+out
    a, b: S.Convolution(a, b, kernel=(3,), num_filter=4, no_bias=True, num_group=2) | [(2, 4, 6), (4, 2, 3)] | onlyrank+out x0, dim0+out x0, onlydim0+out x0, drop+out x1, drop+out! x1, ranks+out
    a, b: S.Convolution(a, b, kernel=(1, 1, 1), num_filter=4, no_bias=True) | [(2, 3, 4, 4, 4), (4, 3, 1, 1, 1)] | onlyrank+out x0, dim0+out x0, onlydim0+out x0, drop+out x1, drop+out! x1, ranks+out
    a, b: S.Deconvolution(a, b, kernel=(3, 3), num_filter=4) | [(2, 3, 4, 4), (3, 4, 3, 3)] | dim1+out x0, onlydim1+out x0, drop+out x1, drop+out! x1, out dim0+ranks, only! x0
    a, b: S.Deconvolution(a, b, kernel=(4, 4), stride=(2, 2), pad=(1, 1), num_filter=4) | [(2, 3, 4, 4), (3, 4, 4, 4)] | dim1+out x0, onlydim1+out x0, drop+out x1, drop+out! x1, out dim0+ranks, only! x0
    a, b: S.Deconvolution(a, b, kernel=(3, 3), stride=(2, 2), num_filter=4, target_shape=(8, 8)) | [(2, 3, 4, 4), (3, 4, 3, 3)] | dim1+out x0, onlydim1+out x0, drop+out x1, drop+out! x1, only! x0, dim0 x0
    a: S.Pooling(a, kernel=(2, 2), pool_type='max') | [(2, 3, 4, 4)] | dim0+out x0, onlydim0+out x0, out, drop+out x0, only! x0, dim0 x0
    a: S.Pooling(a, kernel=(2, 2), stride=(2, 2), pool_type='avg') | [(2, 3, 4, 4)] | dim0+out x0, onlydim0+out x0, out, drop+out x0, only! x0, dim0 x0
    a: S.Pooling(a, kernel=(2, 2), pool_type='max', global_pool=True) | [(2, 3, 4, 4)] | onlyrank+out x0, dim0+out x0, onlydim0+out x0, ranks+out, out dim0+ranks, out
    a, b, c: S.BatchNorm(a, b, c) | [(2, 3, 4), (3,), (3,)] | onlyrank+out x0, dim0+out x0, onlydim0+out x0, drop+out x1, drop+out! x1, ranks+out
    a, b, c: S.LayerNorm(a, b, c) | [(2, 3), (3,), (3,)] | onlyrank+out x0, dim0+out x0, onlydim0+out x0, drop+out x1, drop+out! x1, ranks+out
    a, b, c: S.InstanceNorm(a, b, c) | [(2, 3, 4), (3,), (3,)] | onlyrank+out x0, dim0+out x0, onlydim0+out x0, drop+out x1, drop+out! x1, ranks+out
    a: S.L2Normalization(a) | [(2, 3)] | onlyrank+out x0, dim0+out x0, onlydim0+out x0, ranks+out, out dim0+ranks, only! x0
    a: S.LRN(a, nsize=3) | [(2, 3, 4, 4)] | onlyrank+out x0, dim0+out x0, onlydim0+out x0, ranks+out, out dim0+ranks, out
    a: S.Activation(a, act_type='relu') | [(2, 3)] | out, out!, drop+out x0, drop+out! x0, onlyrank+out x0, onlyrank+out! x0
    a: S.LeakyReLU(a, act_type='leaky') | [(2, 3)] | onlyrank+out x0, dim0+out x0, onlydim0+out x0, ranks+out, out dim0+ranks, out
    a, b: S.LeakyReLU(a, b, act_type='prelu') | [(2, 3), (3,)] | onlyrank+out x0, dim0+out x0, onlydim0+out x0, drop+out x1, drop+out! x1, ranks+out
    a: S.Dropout(a) | [(2, 3)] | only! x0, dim0 x0, onlydim0 x0, drop x0, drop! x0, dim0! x0
    a: S.softmax(a) | [(2, 3)] | onlyrank+out x0, dim0+out x0, onlydim0+out x0, ranks+out, out dim0+ranks, out
    a: S.log_softmax(a) | [(2, 3)] | out, out!, drop+out x0, drop+out! x0, onlyrank+out x0, onlyrank+out! x0
    a, b: S.SoftmaxOutput(a, b) | [(2, 3), (2,)] | onlyrank+out x0, dim0+out x0, onlydim0+out x0, drop+out x1, drop+out! x1, ranks+out
    a, b: S.SoftmaxOutput(a, b, multi_output=True) | [(2, 3, 4), (2, 4)] | drop+out x1, drop+out! x1, only! x0, drop x1, drop! x1, onlyrank+out x1
    a, b: S.LinearRegressionOutput(a, b) | [(2, 3), (2, 3)] | dim0+out x0, drop+out x1, drop+out! x1, ranks+out, out dim0+ranks, only! x0
    a, b: S.LinearRegressionOutput(a, b) | [(2, 1), (2,)] | dim0+out x0, drop+out x1, drop+out! x1, ranks+out, out dim0+ranks, only! x0
    a, b: S.LogisticRegressionOutput(a, b) | [(2, 3), (2, 3)] | dim0+out x0, drop+out x1, drop+out! x1, ranks+out, out dim0+ranks, only! x0
    a, b: S.SVMOutput(a, b) | [(2, 3), (2,)] | onlyrank+out x0, dim0+out x0, onlydim0+out x0, drop+out x1, drop+out! x1, ranks+out
    a: S.MakeLoss(a) | [(2, 3)] | onlyrank+out x0, dim0+out x0, onlydim0+out x0, ranks+out, out dim0+ranks, out
    a, b: S.softmax_cross_entropy(a, b) | [(2, 3), (2,)] | dim1+out x0, ranks+out, out dim0+ranks, dim1 x0, dim1! x0
    a, b: S.Embedding(a, b, input_dim=5, output_dim=3) | [(2, 4), (5, 3)] | onlyrank+out x0, dim0+out x0, onlydim0+out x0, drop+out x1, drop+out! x1, ranks+out
    a, b: S.take(a, b) | [(5, 3), (2, 4)] | dim0+out x0, ranks+out, out dim0+ranks, onlyrank+out x0, dim0 x0, onlydim0+out x0
    a, b: S.take(a, b, axis=1) | [(5, 3), (2,)] | dim0+out x0, ranks+out, out dim0+ranks, onlyrank+out x0, dim0 x0, onlydim0+out x0
    a, b: S.pick(a, b) | [(2, 3), (2,)] | onlyrank+out x0, dim0+out x0, onlydim0+out x0, drop+out x1, drop+out! x1, ranks+out
    a, b: S.pick(a, b, axis=0, keepdims=True) | [(2, 3), (1, 3)] | onlyrank+out x0, dim0+out x0, onlydim0+out x0, drop+out x1, drop+out! x1, ranks+out
    a: S.one_hot(a, depth=4) | [(2, 3)] | onlyrank+out x0, dim0+out x0, onlydim0+out x0, ranks+out, out dim0+ranks, out
    a, b: S.gather_nd(a, b) | [(3, 4, 5), (2, 6)] | dim0+out x0, ranks+out, out dim0+ranks, drop+out x0, onlyrank+out x0, onlydim0+out x0
    a, b: S.scatter_nd(a, b, shape=(4, 4)) | [(3,), (2, 3)] | dim0+out x0, ranks+out, out dim0+ranks, drop+out x0, onlyrank+out x0, dim0 x0
    a, b: S.dot(a, b) | [(2, 3), (3, 4)] | dim0+out x0, drop+out x0, onlyrank+out x0, dim0 x0, onlydim0+out x0, out
    a, b: S.dot(a, b, transpose_a=True) | [(3, 2), (3, 4)] | dim1+out x0, drop+out x0, onlyrank+out x0, onlydim0+out x0, dim1 x0, out
    a, b: S.dot(a, b, transpose_b=True) | [(2, 3), (4, 3)] | dim0+out x0, drop+out x0, onlyrank+out x0, dim0 x0, onlydim0+out x0, out
    a, b: S.dot(a, b) | [(2, 5, 3), (3, 4)] | dim0+out x0, drop+out x0, onlyrank+out x0, dim0 x0, onlydim0+out x0, out
    a, b: S.dot(a, b) | [(3,), (3,)] | ranks+out, out dim0+ranks, drop+out x0, onlyrank+out x0, onlydim0+out x0, out
    a, b: S.batch_dot(a, b) | [(5, 2, 3), (5, 3, 4)] | dim1+out x0, ranks+out, out dim0+ranks, drop+out x0, onlyrank+out x0, onlydim0+out x0
    a, b: S.batch_dot(a, b, transpose_b=True) | [(5, 2, 3), (5, 4, 3)] | dim1+out x0, ranks+out, out dim0+ranks, drop+out x0, onlyrank+out x0, onlydim0+out x0
    a, b: S.batch_dot(a, b, transpose_a=True) | [(5, 3, 2), (5, 3, 4)] | dim2+out x0, ranks+out, out dim0+ranks, drop+out x0, onlyrank+out x0, onlydim0+out x0
    a, b: S.linalg.gemm2(a, b) | [(2, 3), (3, 4)] | dim0+out x0, ranks+out, out dim0+ranks, drop+out x0, onlyrank+out x0, dim0 x0
    a, b, c: S.linalg.gemm(a, b, c) | [(2, 3), (3, 4), (2, 4)] | dim0+out x0, drop+out x2, drop+out! x2, ranks+out, out dim0+ranks, drop x2
    a: S.linalg.potrf(a) | [(3, 3)] | out, out!, drop+out x0, drop+out! x0, onlyrank+out x0, onlyrank+out! x0
    a, b: S.linalg.trsm(a, b) | [(3, 3), (3, 4)] | out, out!, drop+out x0, drop+out! x0, onlyrank+out x0, onlyrank+out! x0
    a: S.linalg.syrk(a) | [(3, 4)] | onlyrank+out x0, dim0+out x0, onlydim0+out x0, ranks+out, out dim0+ranks, out
    a: S.linalg.sumlogdiag(a) | [(3, 3)] | onlyrank+out x0, dim0+out x0, onlydim0+out x0, ranks+out, out dim0+ranks, out
    a: S.pad(a, mode='constant', pad_width=(0, 0, 0, 0, 1, 1, 2, 2)) | [(2, 3, 4, 4)] | dim0+out x0, onlydim0+out x0, only! x0, dim0 x0, onlydim0 x0, dim0! x0
    a: S.tile(a, reps=(2, 3)) | [(2, 3)] | onlyrank+out x0, dim0+out x0, onlydim0+out x0, ranks+out, out dim0+ranks, out
    a: S.tile(a, reps=(2,)) | [(2, 3)] | onlyrank+out x0, dim0+out x0, onlydim0+out x0, ranks+out, out dim0+ranks, out
    a: S.repeat(a, repeats=2) | [(2, 3)] | out, drop+out x0, only! x0, out dim0, out!, drop x0
    a: S.repeat(a, repeats=2, axis=1) | [(2, 3)] | dim0+out x0, onlydim0+out x0, out, drop+out x0, only! x0, dim0 x0
    a: S.flip(a, axis=1) | [(2, 3)] | out, out!, drop+out x0, drop+out! x0, onlyrank+out x0, onlyrank+out! x0
    a: S.sum(a) | [(2, 3)] | onlyrank+out x0, dim0+out x0, onlydim0+out x0, ranks+out, out dim0+ranks, out
    a: S.sum(a, axis=1) | [(2, 3)] | onlyrank+out x0, dim0+out x0, onlydim0+out x0, ranks+out, out dim0+ranks, out
    a: S.sum(a, axis=1, keepdims=True) | [(2, 3)] | onlyrank+out x0, dim0+out x0, onlydim0+out x0, ranks+out, out dim0+ranks, out
    a: S.sum(a, axis=1, exclude=True) | [(2, 3, 4)] | onlyrank+out x0, dim0+out x0, onlydim0+out x0, ranks+out, out dim0+ranks, out
    a: S.mean(a, axis=(0, 2)) | [(2, 3, 4)] | onlyrank+out x0, dim0+out x0, onlydim0+out x0, ranks+out, out dim0+ranks, out
    a: S.max(a, axis=0) | [(2, 3)] | onlyrank+out x0, dim0+out x0, onlydim0+out x0, ranks+out, out dim0+ranks, out
    a: S.norm(a) | [(2, 3)] | onlyrank+out x0, dim0+out x0, onlydim0+out x0, ranks+out, out, drop+out x0
    a: S.norm(a, axis=1) | [(2, 3)] | onlyrank+out x0, dim0+out x0, onlydim0+out x0, ranks+out, out dim0+ranks, out
    a: S.argmax(a, axis=1) | [(2, 3)] | onlyrank+out x0, dim0+out x0, onlydim0+out x0, ranks+out, out dim0+ranks, out
    a: S.argmax_channel(a) | [(2, 3)] | onlyrank+out x0, dim0+out x0, onlydim0+out x0, ranks+out, out dim0+ranks, out
    a: S.argsort(a) | [(2, 3)] | only! x0
    a: S.sort(a) | [(2, 3)] | only! x0
    a: S.topk(a, k=2) | [(2, 3)] | only! x0
    a: S.topk(a, k=2, ret_typ='both') | [(2, 3)] | only! x0
    a: S.topk(a, k=2, ret_typ='mask') | [(2, 3)] | only! x0
    a: S.cumsum(a, axis=1) | [(2, 3)] | out, out!, drop+out x0, drop+out! x0, onlyrank+out x0, onlyrank+out! x0
    a: S.broadcast_to(a, shape=(2, 3)) | [(1, 3)] | out, drop+out x0, only! x0, out dim0, out!, drop x0
    a: S.broadcast_to(a, shape=(2, 0)) | [(1, 3)] | dim1+out x0, onlydim1+out x0, out, drop+out x0, only! x0, dim1 x0
    a: S.broadcast_axis(a, axis=0, size=2) | [(1, 3)] | onlyrank+out x0, dim0+out x0, onlydim0+out x0, ranks+out, out dim0+ranks, out
    a, b: S.broadcast_like(a, b) | [(1, 3), (2, 3)] | dim1+out x1, ranks+out, out dim0+ranks, drop+out x0, onlyrank+out x0, onlydim0+out x0
    a: S.zeros_like(a) | [(2, 3)] | out, out!, drop+out x0, drop+out! x0, onlyrank+out x0, onlyrank+out! x0
    a: S.ones_like(a) | [(2, 3)] | out, out!, drop+out x0, drop+out! x0, onlyrank+out x0, onlyrank+out! x0
    a: S.shape_array(a) | [(2, 3)] | onlyrank+out x0, dim0+out x0, onlydim0+out x0, ranks+out, out dim0+ranks, out
    a: S.size_array(a) | [(2, 3)] | onlyrank+out x0, dim0+out x0, onlydim0+out x0, ranks+out, out dim0+ranks, out
    a: S.identity(a) | [(2, 3)] | out, out!, drop+out x0, drop+out! x0, onlyrank+out x0, onlyrank+out! x0
    a: S.BlockGrad(a) | [(2, 3)] | out, out!, drop+out x0, drop+out! x0, onlyrank+out x0, onlyrank+out! x0
    a: S.cast(a, dtype='int32') | [(2, 3)] | out, out!, drop+out x0, drop+out! x0, onlyrank+out x0, onlyrank+out! x0
    a: S.clip(a, 0, 1) | [(2, 3)] | out, out!, drop+out x0, drop+out! x0, onlyrank+out x0, onlyrank+out! x0
    a: S.exp(a) | [(2, 3)] | out, out!, drop+out x0, drop+out! x0, onlyrank+out x0, onlyrank+out! x0
    a, b, c: S.add_n(a, b, c) | [(2, 3), (2, 3), (2, 3)] | out, out!, drop+out x0, drop+out! x0, onlyrank+out x0, onlyrank+out! x0
    a: S.smooth_l1(a, scalar=1) | [(2, 3)] | out, out!, drop+out x0, drop+out! x0, onlyrank+out x0, onlyrank+out! x0
    a: S.diag(a) | [(3,)] | out, drop+out x0, only! x0, out dim0, out!, drop x0
    a: S.diag(a) | [(3, 3)] | out, drop+out x0, only! x0, out dim0, out!, drop x0
    a: S.depth_to_space(a, 2) | [(1, 4, 2, 3)] | dim0+out x0, onlydim0+out x0, only! x0, dim0 x0, onlydim0 x0, dim0! x0
    a: S.space_to_depth(a, 2) | [(1, 4, 2, 4)] | dim0+out x0, onlydim0+out x0, only! x0, dim0 x0, onlydim0 x0, dim0! x0
    a: S.UpSampling(a, scale=2, sample_type='nearest') | [(1, 2, 3, 3)] | dim0+out x0, onlydim0+out x0, only! x0, dim0 x0, onlydim0 x0, dim0! x0
    a, b: S.UpSampling(a, b, scale=2, sample_type='bilinear', num_filter=2) | [(1, 2, 3, 3), (2, 1, 4, 4)] | dim0+out x0, drop+out x1, drop+out! x1, only! x0, drop x1, drop! x1
    a, b: S.BilinearSampler(a, b) | [(1, 2, 3, 3), (1, 2, 4, 4)] | dim0+out x0, ranks+out, out dim0+ranks, drop+out x0, onlyrank+out x0, onlydim0+out x0
    a: S.GridGenerator(a, transform_type='affine', target_shape=(3, 3)) | [(2, 6)] | dim0+out x0, onlydim0+out x0, only! x0, dim0 x0, onlydim0 x0, dim0! x0
    a, b: S.ROIPooling(a, b, pooled_size=(2, 2), spatial_scale=1) | [(1, 2, 4, 4), (3, 5)] | dim0+out x0, dim0 x0, dim0! x0
    a, b: S.Crop(a, b) | [(1, 2, 6, 6), (1, 2, 3, 3)] | dim0+out x0, ranks+out, out dim0+ranks, dim0 x0, dim0! x0
    a: S.Crop(a, h_w=(3, 3)) | [(1, 2, 6, 6)] | dim0+out x0, onlydim0+out x0, only! x0, dim0 x0, onlydim0 x0, dim0! x0
    a, b: S.SequenceMask(a, b, use_sequence_length=True) | [(3, 2, 4), (2,)] | onlyrank+out x0, dim0+out x0, onlydim0+out x0, drop+out x1, drop+out! x1, ranks+out
    a, b: S.SequenceLast(a, b, use_sequence_length=True) | [(3, 2, 4), (2,)] | onlyrank+out x0, dim0+out x0, onlydim0+out x0, drop+out x1, drop+out! x1, ranks+out
    a, b: S.SequenceReverse(a, b, use_sequence_length=True) | [(3, 2, 4), (2,)] | onlyrank+out x0, dim0+out x0, onlydim0+out x0, drop+out x1, drop+out! x1, ranks+out
    a: S.SequenceMask(a) | [(3, 2, 4)] | onlyrank+out x0, dim0+out x0, onlydim0+out x0, ranks+out, out dim0+ranks, only! x0
    a, b, c, d: S.RNN(a, b, c, d, mode='lstm', state_size=3, num_layers=1) | [(5, 2, 4), (108,), (1, 2, 3), (1, 2, 3)] | dim0+out x0, onlydim0+out x0, drop+out x1, drop+out! x1, only! x0, dim0 x0
    a, b, c: S.RNN(a, b, c, mode='gru', state_size=3, num_layers=1, state_outputs=True) | [(5, 2, 4), (81,), (1, 2, 3)] | only! x0, dim0 x0, dim0+out x0, onlydim0 x0, onlydim0+out x0, drop x1
    a, b: S.CTCLoss(a, b) | [(5, 2, 4), (2, 3)] | dim2+out x0, ranks+out, out dim0+ranks, dim2 x0, dim2! x0
    a: S.contrib.arange_like(a, axis=1) | [(2, 3)] | onlyrank+out x0, dim0+out x0, onlydim0+out x0, ranks+out, out dim0+ranks, only! x0
    a, b: S.contrib.box_iou(a, b) | [(2, 4), (3, 4)] | dim0+out x0, dim0 x0, dim0! x0
    a: S.contrib.MultiBoxPrior(a, sizes=(1,)) | [(1, 2, 3, 3)] | dim0+out x0, onlydim0+out x0, only! x0, dim0 x0, onlydim0 x0, dim0! x0
    a: S.contrib.div_sqrt_dim(a) | [(2, 3)] | out, out!, drop+out x0, drop+out! x0, onlyrank+out x0, onlyrank+out! x0
    a: S.contrib.interleaved_matmul_selfatt_qk(a, heads=2) | [(4, 2, 12)] | dim0+out x0, onlydim0+out x0, only! x0, dim0 x0, onlydim0 x0, dim0! x0
    a: S.contrib.AdaptiveAvgPooling2D(a, output_size=2) | [(1, 2, 4, 4)] | onlyrank+out x0, dim0+out x0, onlydim0+out x0, ranks+out, out dim0+ranks, out
    a: S.contrib.BilinearResize2D(a, height=4, width=4) | [(1, 2, 3, 3)] | onlyrank+out x0, dim0+out x0, onlydim0+out x0, ranks+out, out dim0+ranks, out
    a, b: S.contrib.ROIAlign(a, b, pooled_size=(2, 2), spatial_scale=1) | [(1, 2, 4, 4), (3, 5)] | dim0+out x0, dim0 x0, dim0! x0
    a: S.moments(a, axes=(0,)) | [(2, 3)] | only! x0, onlyrank+out x0, dim0 x0, dim0+out x0, onlydim0 x0, onlydim0+out x0
    a, b: S.batch_dot(S.expand_dims(a, axis=0), S.expand_dims(b, axis=0)) | [(2, 3), (3, 4)] | dim0+out x0, ranks+out, out dim1+ranks, drop+out x0, onlyrank+out x0, dim0 x0
    a, b, c: S.concat(S.FullyConnected(a, b, num_hidden=4, no_bias=True), c, dim=1) | [(2, 3), (4, 3), (2, 5)] | dim0+out x0, drop+out x1, drop+out! x1, dim0 x0, dim0! x0, drop x1
    a: S.zeros((0, 3)) + a | [(2, 3)] | out, out!, drop+out x0, drop+out! x0, onlyrank+out x0, onlyrank+out! x0
    a: S.ones((0, 0)) * a | [(2, 3)] | out, out!, drop+out x0, drop+out! x0, onlyrank+out x0, onlyrank+out! x0
    a: S.zeros((2, 0)) + a | [(2, 3)] | out, out!, drop+out x0, drop+out! x0, onlyrank+out x0, onlyrank+out! x0
    a: S.zeros(0) + a | [(2,)] | out, out!, drop+out x0, drop+out! x0, onlyrank+out x0, onlyrank+out! x0
    a: S.concat(S.zeros((0, 3)), a, dim=1) | [(2, 3)] | onlyrank+out x0, dim0+out x0, onlydim0+out x0, ranks+out, out dim0+ranks, only! x0
    a: S.full((0, 3), 2) + a | [(2, 3)] | out, out!, drop+out x0, drop+out! x0, onlyrank+out x0, onlyrank+out! x0
    a: S.random.uniform(shape=(0, 3)) + a | [(2, 3)] | out, out!, drop+out x0, drop+out! x0, onlyrank+out x0, onlyrank+out! x0
    a, b: S.random.normal(a, b) | [(2, 3), (2, 3)] | out, out!, drop+out x0, drop+out! x0, onlyrank+out x0, onlyrank+out! x0
    a, b: S.random.normal(a, b, shape=(4,)) | [(2,), (2,)] | out, out!, drop+out x0, drop+out! x0, onlyrank+out x0, onlyrank+out! x0
    a: S.sample_multinomial(a, shape=(3,)) | [(2, 4)] | onlyrank+out x0, dim0+out x0, onlydim0+out x0, ranks+out, out dim0+ranks, out
    a: S.linalg.extractdiag(a) | [(3, 3)] | only! x0
    a: S.linalg.makediag(a) | [(3,)] | onlyrank+out x0, dim0+out x0, onlydim0+out x0, ranks+out, out dim0+ranks, only! x0
    a: S.unravel_index(a, shape=(2, 3)) | [(4,)] | out, out!, drop+out x0, drop+out! x0, out dim1, out dim1+ranks
    a: S.ravel_multi_index(a, shape=(2, 3)) | [(2, 4)] | out, out!, drop+out x0, drop+out! x0, out dim0, only! x0
    a: S.SoftmaxActivation(a) | [(2, 3)] | out, out!, drop+out x0, drop+out! x0, onlyrank+out x0, onlyrank+out! x0
    a, b: S.elemwise_mul(S.transpose(a), b) | [(2, 3), (3, 2)] | onlyrank+out x0, onlyrank+out! x0, dim0+out x0, onlydim0+out x0, drop+out x1, drop+out! x1
    a, b: S.broadcast_like(a, b, lhs_axes=(0,), rhs_axes=(1,)) | [(1, 3), (4, 2)] | dim1+out x0, drop+out x0, onlyrank+out x0, onlydim0+out x0, dim1 x0, out
    a, b: S.softmax(a, b, use_length=True) | [(2, 3), (2,)] | onlyrank+out x0, dim0+out x0, onlydim0+out x0, drop+out x1, drop+out! x1, ranks+out
    a, b: S.mean(S.Convolution(a, b, kernel=(3, 3), num_filter=4, no_bias=True), axis=(2, 3)) | [(2, 3, 6, 6), (4, 3, 3, 3)] | onlyrank+out x0, dim0+out x0, onlydim0+out x0, drop+out x1, drop+out! x1, ranks+out
    a: S.squeeze(S.slice_axis(a, axis=1, begin=0, end=1), axis=1) | [(2, 4, 3)] | onlyrank+out x0, dim0+out x0, onlydim0+out x0, ranks+out, out dim0+ranks, out
"""


def _programs():
    for row in ROWS.strip().splitlines():
        function, shapes, questions = row.strip().split(" | ")
        for scope in ("", "np "):
            if not scope or "zeros(" not in function:
                call = f"answers(lambda {function}, {shapes}, {questions!r}, {scope!r})"
                yield f"{scope}{function} {shapes}", call


PROGRAMS = named("inference_depth_helpers", dict(_programs()))

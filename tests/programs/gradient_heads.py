"""Programs that differentiate with gradients of the results other than ones."""

from __future__ import annotations

from .core import lines

CASTS = """
every(lambda F, a: F.cast(a, dtype='int32'), u)
every(lambda F, a: F.cast(F.cast(a, dtype='int32'), dtype='float32'), u)
every(lambda F, a: F.cast(F.cast(F.cast(a * 3, 'int32'), 'uint8'), 'float64'), u)
every(lambda F, a: F.cast(F.cast(a, 'int8'), 'float16'), u)
every(lambda F, a: F.cast(F.cast(a, 'bool'), 'float32'), u)
every(lambda F, a: F.cast(F.cast(a * 2, dtype='int32') + 1, dtype='float32') * a, u)
every(lambda F, a: F.cast(a, 'float32'), whole)
every(lambda F, a: F.cast(a, 'float32') * 2.5, whole.astype('int64'))
every(lambda F, a: F.cast(a, 'int64'), whole)
every(lambda F, a, b: F.cast(a, 'float32') * b, whole, whole.astype('float32'))
every(lambda F, a: F.cast(a, 'float32') * 2, whole.astype('uint8'))
every(lambda F, a: a * 2, whole)
every(lambda F, a, b: a * b, whole, whole)
every(lambda F, a: F.square(a), whole)
every(lambda F, a: F.sum(a, axis=0), whole)
every(lambda F, a: F.relu(a - 1), whole)
every(lambda F, a: F.where(a > 1, a, a * 2), whole)
every(lambda F, a: F.cast(F.cast(a, 'int32') * F.cast(a, 'int32'), 'float32'), u)
every(lambda F, a: F.cast(F.sum(F.cast(a, 'int32'), axis=0), 'float32'), u)
every(lambda F, a: F.cast(F.transpose(F.cast(a, 'int32')), 'float32'), u)
every(lambda F, a: F.cast(F.concat(F.cast(a, 'int32'), F.cast(a * 2, 'int32'), dim=0), 'float32'), u)
every(lambda F, a: F.cast(F.slice_axis(F.cast(a * 3, 'int32'), axis=1, begin=0, end=2), 'float32'), u)
every(lambda F, a: F.take(a, F.argsort(a, dtype='int32')), V([3, 1, 2]))
eager(lambda given: given[0][1:] * 2, whole)
eager(lambda given: given[0].reshape((2, 6))[1], whole)
eager(lambda given: given[0].astype('int32').reshape((-1,)).astype('float32') * 3, u)
eager(lambda given: nd.cast(nd.split(given[0].astype('int32'), 5, axis=1)[1], 'float32') * 3, u)
eager(lambda given: given[0].astype('int32').detach().astype('float32') + given[0], u)
eager(lambda given: nd.cast(given[0], 'float32') * 2, whole, req='add')
bound(lambda F, a: F.cast(a, 'float32') * 2, whole, req='add')
"""

PATTERNS = """
eager(lambda given: nd.pick(given[0], given[0].argmax(axis=1).astype('int32')), u)
eager(lambda given: nd.take(given[0], given[0].argmax(axis=1).astype('int32')), u)
eager(lambda given: (given[0] > 1).astype('int32').astype('float32') * given[0], u)
eager(lambda given: nd.max(given[0].astype('int32'), axis=1).astype('float32'), u)
eager(lambda given: nd.mean(given[0].astype('int32'), axis=1).astype('float32'), u)
eager(lambda given: (given[0].astype('int32') ** 2).astype('float32') * given[0], u)
eager(lambda given: (given[0].astype('int32') / 2).astype('float32') * given[0], u)
eager(lambda given: nd.gather_nd(given[0].astype('int32'), V([[0, 1], [1, 2]])).astype('float32'), u)
eager(lambda given: nd.cumsum(given[0].astype('int32'), axis=1).astype('float32'), u)
eager(lambda given: written(given[0].astype('int32'), 'y += 1').astype('float32'), u)
eager(lambda given: written(given[0].astype('int32'), 'y[:] = 3').astype('float32'), u)
in_three_steps()
used_after_recording()
asked_for_integers()
"""

NANS = """
every(lambda F, a, b: F.maximum(a, b), V([1, nan, 3, nan]), V([nan, 2, 1, nan]))
every(lambda F, a, b: F.broadcast_minimum(a, b), V([[1, nan], [nan, -2]]), V([[nan, 1]]))
every(lambda F, a: F.maximum(a, 1), V([1, nan, 3, -nan]))
every(lambda F, a: F.minimum(a, 1), V([1, nan, 3, -nan]))
every(lambda F, a: F.clip(a, -1, 1), V([1, nan, 3, -nan]))
every(lambda F, a: F.max(a, axis=1), V([[1, nan, 3], [nan, 2, 1]]))
every(lambda F, a: F.where(a > 0, a * 2, a * 3), V([1, nan, -3]))
every(lambda F, a: F.broadcast_not_equal(a, a), V([1, nan, -3]))
every(lambda F, a: F.nansum(a, axis=1), V([[1, nan, 3], [nan, 2, 1]]))
every(lambda F, a: F.smooth_l1(a), V([1, nan, -0.25]))
"""

LOSSES = """
every(lambda F, a, b: F.CTCLoss(a, b), scores, V([[1, 2, 0], [3, 0, 0], [2, 2, 3]]))
every(lambda F, a, b: F.CTCLoss(a * 2, b, blank_label='last') * 3, scores, V([[1, 2, -1], [0, -1, -1], [2, 2, 0]]))
every(lambda F, a, b, c, d: F.CTCLoss(a, b, c, d, use_data_lengths=True, use_label_lengths=True), scores, V([[1, 2, 3], [3, 1, 2], [2, 1, 3]]), V([5, 3, 4]), V([2, 1, 3]))
every(lambda F, a, l: F.softmax(a, l, use_length=True), u, V([2, 0, 5], 'int32'))
every(lambda F, a, l: F.softmax(a, l, use_length=True, axis=1, temperature=2.5), A(2, 4, 3), V([[2, 3, 1], [4, 4, 2]], 'int32'))
every(lambda F, a: F.softmax(a, temperature=0.5), u)
every(lambda F, a: F.log_softmax(a, temperature=2, axis=0), u)
every(lambda F, a: F.softmin(a, axis=0), u)
every(lambda F, a, b: F.SoftmaxOutput(a, b, smooth_alpha=0.2, use_ignore=True, ignore_label=0), u, V([1, 0, 4]))
every(lambda F, a, b: F.SoftmaxOutput(a, b, normalization='valid', use_ignore=True, ignore_label=0, grad_scale=3), u, V([1, 0, 4]))
every(lambda F, a, b: F.SoftmaxOutput(a, b, preserve_shape=True, normalization='batch'), A(2, 2, 3), V([[0, 1], [2, 1]]))
every(lambda F, a, b: F.SoftmaxOutput(a, b, multi_output=True, use_ignore=True, ignore_label=2, normalization='valid'), A(2, 4, 3), V([[0, 2, 3], [1, 1, 2]]))
every(lambda F, a, b: F.SoftmaxOutput(a, b) * 3 + a, u, V([1, -1, 9]))
every(lambda F, a, b: F.SVMOutput(a, b, margin=0.5, regularization_coefficient=2), u, V([1, 0, 4]))
every(lambda F, a, b: F.SVMOutput(a, b, use_linear=True), u, V([1, 0, 4]))
every(lambda F, a, b: F.LogisticRegressionOutput(a, b, grad_scale=3), u, A(3, 5))
every(lambda F, a: F.MakeLoss(a * a, grad_scale=3, normalization='valid', valid_thresh=1), u)
every(lambda F, a: F.MakeLoss(a, grad_scale=3, normalization='batch'), u)
"""

ORDER = """
every(lambda F, a: F.topk(a, k=2, ret_typ='both', axis=0, is_ascend=True), u)
every(lambda F, a: F.topk(a, k=3, ret_typ='value', axis=None), u)
every(lambda F, a: F.topk(a, k=2, ret_typ='mask'), u)
every(lambda F, a: F.topk(a, k=2, ret_typ='both', dtype='int32')[1], u)
every(lambda F, a: F.sort(a, axis=0, is_ascend=False), u)
every(lambda F, a: F.sort(a, axis=None), u)
every(lambda F, a: F.argsort(a, axis=0), u)
every(lambda F, a: F.argmax(a, axis=1) + a.sum(axis=1), u)
every(lambda F, a: F.one_hot(F.argmax(a, axis=1), 5) * a, u)
"""

IMAGES = """
every(lambda F, a, b: F.Correlation(a, b, kernel_size=3, max_displacement=2, pad_size=3, stride1=2, stride2=2), images, others)
every(lambda F, a, b: F.Correlation(a, b, max_displacement=2, pad_size=1, is_multiply=False), images, others)
every(lambda F, a: F.Correlation(a, a, is_multiply=False, max_displacement=1), images)
every(lambda F, a: F.Pad(a, mode='reflect', pad_width=(0, 0, 0, 0, 1, 2, 3, 1)), images)
every(lambda F, a, b: F.UpSampling(a, b, scale=2, sample_type='nearest', num_args=2, multi_input_mode='sum'), A(1, 2, 4, 4), A(1, 2, 2, 2))
every(lambda F, a, b, c: F.UpSampling(a, b, c, scale=2, sample_type='nearest', num_args=3), A(1, 2, 2, 2), A(1, 1, 4, 4), A(1, 1, 2, 2))
every(lambda F, a, b: F.BilinearSampler(a, b), images, A(2, 2, 2, 3, low=-1.4, high=1.4))
every(lambda F, a, b: F.SpatialTransformer(a, b, transform_type='affine', sampler_type='bilinear', target_shape=(2, 3)), images, A(2, 6))
every(lambda F, a, b: F.ROIPooling(a, b, pooled_size=(2, 2), spatial_scale=0.5), images, V([[0, 0, 0, 5, 5], [1, 3, 3, 2, 2], [0, -2, -1, 9, 4]]))
every(lambda F, a, b: F.contrib.ROIAlign(a, b, pooled_size=(2, 2), spatial_scale=1.0, sample_ratio=2), images, V([[0, 0, 0, 4, 4], [1, 3, 3, 2, 2]]))
every(lambda F, a, b, w: F.contrib.DeformableConvolution(a, b, w, kernel=(3, 3), num_filter=2, no_bias=True, stride=(2, 2)), images, A(2, 18, 2, 2), A(2, 3, 3, 3))
every(lambda F, a: F.depth_to_space(a, block_size=2), A(1, 8, 2, 2))
every(lambda F, a: F.depth_to_space(a, block_size=3), A(1, 8, 2, 2))
every(lambda F, a: F.depth_to_space(a, block_size=0), A(1, 8, 2, 2))
every(lambda F, a: F.depth_to_space(a, block_size=2), u)
every(lambda F, a: F.space_to_depth(a, block_size=-1), A(1, 2, 4, 4))
every(lambda F, a: F.space_to_depth(a, block_size=2), A(1, 2, 5, 4))
every(lambda F, a: F.space_to_depth(a, block_size=2), A(1, 2, 3, 4, 4))
every(lambda F, a: F.depth_to_space(a), A(1, 8, 2, 2))
every(lambda F, a: F.L2Normalization(a, mode='spatial', eps=0.1), A(1, 2, 2, 3))
every(lambda F, a: F.LRN(a, nsize=3, alpha=0.1, knorm=1), A(1, 4, 2, 2))
every(lambda F, a: F.Dropout(a, p=0), u)
every(lambda F, a: F.Dropout(a, p=1.1), u)
every(lambda F, a: F.Dropout(a, p=0.5, axes=(2,)), u)
every(lambda F, a: F.Dropout(a, p=0.5), u, train=False)
"""

PROPOSALS = """
every(lambda F, *x: F.contrib.Proposal(*x, **REGIONS), *anchors(1))
every(lambda F, *x: F.contrib.Proposal(*x, output_score=True, **REGIONS), *anchors(1))
every(lambda F, *x: F.contrib.MultiProposal(*x, **REGIONS), *anchors(2))
every(lambda F, *x: F.contrib.MultiProposal(*x, output_score=True, **REGIONS), *anchors(2))
every(lambda F, a, *x: F.broadcast_mul(F.contrib.MultiProposal(a, *x, **REGIONS), F.mean(a)), *anchors(2))
"""

PLACES = """
every(lambda F, a, b: F.pick(a, b, mode='wrap', keepdims=True), u, V([1, -1, 7]))
every(lambda F, a, b: F.take(a, b, mode='wrap'), u, V([1, -1, 7, -4]))
every(lambda F, a, b: F.take(a, b, mode='raise'), u, V([1, 0, 7]))
every(lambda F, a, b: F.gather_nd(a, b), u, V([[0, 1, 0], [1, 1, 1]]))
every(lambda F, a, b: F.scatter_nd(a, b, shape=(3, 4)), V([1, 2, 3]), V([[0, 1, 2], [1, 1, 1]]))
every(lambda F, a, b: F._internal._backward_gather_nd(a, b, shape=(3, 4)), V([1, 2, 3]), V([[0, 1, 0], [1, 1, 1]]))
nd._internal._backward_gather_nd(V([1, 2, 3], 'int32'), V([[0, 1, 0], [1, 1, 1]], 'int64'), shape=(2, 2))
nd._internal._backward_gather_nd(A(2, 3), V([[0, 0]]), shape=(2, 3))
every(lambda F, a: F.linalg.potri(a, lower=False), nd.linalg.potrf(V([[3, 1], [1, 2]]), lower=False))
every(lambda F, a, b: F.linalg.trsm(a, b, rightside=True, transpose=True), nd.linalg.potrf(V([[3, 1], [1, 2]])), A(3, 2))
"""

PROGRAMS = lines(
    "gradient_head_helpers",
    "\n".join((CASTS, PATTERNS, NANS, LOSSES, ORDER, IMAGES, PROPOSALS, PLACES)),
)

"""Values that make kernels trap, read foreign memory or give what nobody defined.

Where a call is accepted its result is checked: a value that depends on the processor, on the
length of an array or on memory must fail here.
"""

from __future__ import annotations

from collections.abc import Callable
from math import inf, nan
from pathlib import Path
from typing import Any

import numpy as np

import mxnet as mx
from tests.security.attack import Attacks

TABLE = Attacks()

nd, internal, contrib = mx.nd, mx.nd._internal, mx.nd.contrib
LEAST, LEAST_64 = -(2**31), -(2**63)


def array(values: Any, dtype: str = "float32") -> mx.nd.NDArray:
    return nd.array(np.array(values, dtype=dtype), dtype=dtype)


def empty(*shape: int, dtype: str = "float32") -> mx.nd.NDArray:
    return nd.from_numpy(np.zeros(shape, dtype))


def rows() -> mx.nd.NDArray:
    """Three rows of four numbers, 0 to 11."""
    return array(np.arange(12).reshape(3, 4))


def image(*shape: int) -> mx.nd.NDArray:
    return array(np.ones(shape or (1, 1, 4, 4)))


def gradient(function: Callable[..., mx.nd.NDArray]) -> mx.nd.NDArray:
    data = rows()
    data.attach_grad()
    with mx.autograd.record():
        result = function(data)
    result.backward()
    return data.grad


def in_place(function: Callable[[mx.nd.NDArray], Any], data: mx.nd.NDArray) -> mx.nd.NDArray:
    function(data)
    return data


def divide_in_place(data: mx.nd.NDArray) -> None:
    data /= -1


def assign(key: Any, value: Any) -> Callable[[mx.nd.NDArray], None]:
    return lambda data: data.__setitem__(key, value)


def least(dtype: str, *more: int) -> mx.nd.NDArray:
    return array([np.iinfo(dtype).min, *more], dtype)


DEFINED = [
    ("divide_least_32", lambda: least("int32") / -1, [LEAST]),
    ("divide_least_64", lambda: least("int64") / -1, [LEAST_64]),
    ("divide_least_8", lambda: least("int8") / -1, [-128]),
    (
        "divide_least_by_array",
        lambda: least("int32", 7, 9) / array([-1, -1, 2], "int32"),
        [LEAST, -7, 4],
    ),
    (
        "divide_many",
        lambda: (least("int64", *[6] * 99) / array([-1] * 100, "int64")).sum(),
        [LEAST_64 - 594 + 2**64],
    ),
    (
        "divide_broadcast",
        lambda: nd.broadcast_div(least("int32").reshape((1, 1)), array([[-1], [1]], "int32")),
        [[LEAST], [LEAST]],
    ),
    ("divide_reflected", lambda: LEAST / array([-1], "int32"), [LEAST]),
    ("divide_in_place", lambda: in_place(divide_in_place, least("int32")), [LEAST]),
    (
        "divide_scattered",
        lambda: internal._scatter_elemwise_div(least("int64"), array([-1], "int64")),
        [LEAST_64],
    ),
    ("modulo_least_32", lambda: least("int32", 7) % -1, [0, 0]),
    ("modulo_least_64", lambda: least("int64", 7) % array([-1, 5], "int64"), [0, 2]),
    ("modulo_reflected", lambda: LEAST % array([-1, 0], "int32"), [0, 0]),
    ("modulo_by_zero", lambda: array([5, -5], "int32") % 0, [0, 0]),
    ("modulo_bytes", lambda: array([1, 255], "uint8") % array([255, 255], "uint8"), [1, 0]),
    ("modulo_of_tiny", lambda: (array([1.5] * 40) % 2.0**-128).sum(), [0]),
    ("power_negative", lambda: array([2, 1, -1, 0], "int32") ** -1, [0, 1, -1, LEAST]),
    ("take_of_nothing", lambda: nd.take(empty(0, 2), array([0]), mode="wrap"), [[0, 0]]),
    ("multinomial_negative", lambda: nd.random.multinomial(array([-3, -2])), [2]),
    ("multinomial_zero", lambda: nd.random.multinomial(array([0, 0])), [2]),
    ("power_overflow", lambda: array([3] * 40, "int64") ** 41, [3**41 - 2**65] * 40),
    ("plus_wide_int", lambda: array([5], "int32") + 2**40, [LEAST + 5]),
    ("plus_nan_on_ints", lambda: array([5], "int64") + nan, [LEAST_64 + 5]),
    ("plus_inf_on_bytes", lambda: array([5], "uint8") + inf, [5]),
    ("plus_300_on_bytes", lambda: array([5], "uint8") + 300, [49]),
    ("plus_beyond_doubles", lambda: array([0], "int64") + (2**53 + 1), [2**53 + 1]),
    ("equal_beyond_doubles", lambda: array([2**53], "int64") == 2**53 + 1, [0]),
    ("full_of_nan", lambda: nd.full((2,), nan, dtype="int32"), [LEAST, LEAST]),
    ("assign_wide_int", lambda: in_place(assign(0, 2**70), array([0, 1], "int64")), [LEAST_64, 1]),
    (
        "cast_nan_to_int32",
        lambda: array([nan, inf, -inf, 3e9, -1.5] * 9).astype("int32"),
        [LEAST, LEAST, LEAST, LEAST, -1] * 9,
    ),
    (
        "cast_nan_to_bytes",
        lambda: array([nan, inf, 300, -1, 3e9] * 9).astype("uint8"),
        [0, 0, 44, 255, 0] * 9,
    ),
    (
        "cast_wide_to_int64",
        lambda: array([nan, -inf, 1e30, 2.0**40] * 9, "float64").astype("int64"),
        [LEAST_64, LEAST_64, LEAST_64, 2**40] * 9,
    ),
    ("clip_by_nan", lambda: array([5, -5], "int32").clip(nan, 1), [1, -5]),
    ("sign_of_nan", lambda: nd.sign(array([nan, -inf, -0.0])), [0, -1, 0]),
    (
        "take_wild_floats",
        lambda: nd.take(rows(), array([nan, inf, -inf, 1e30, 2.0**31]))[:, 0],
        [0, 8, 0, 8, 8],
    ),
    (
        "take_wild_ints",
        lambda: nd.take(rows(), array([LEAST_64, 2**63 - 1], "int64"))[:, 0],
        [0, 8],
    ),
    (
        "take_wraps_least",
        lambda: nd.take(rows(), array([LEAST_64, -1], "int64"), mode="wrap")[:, 0],
        [4, 8],
    ),
    (
        "take_gradient",
        lambda: gradient(lambda x: nd.take(x, array([nan, 1e30, -9])))[:, 0],
        [2, 0, 1],
    ),
    ("pick_wild", lambda: nd.pick(rows(), array([nan, inf, -1e30])), [0, 7, 8]),
    (
        "pick_gradient",
        lambda: gradient(lambda x: nd.pick(x, array([nan, inf, 9]))).sum(axis=0),
        [1, 0, 0, 2],
    ),
    (
        "embedding_wild",
        lambda: nd.Embedding(array([nan, -1, inf, 9]), rows(), input_dim=3, output_dim=4)[:, 0],
        [0, 0, 8, 8],
    ),
    (
        "embedding_gradient",
        lambda: gradient(
            lambda w: nd.Embedding(array([nan, 1e30, 2.9]), w, input_dim=3, output_dim=4)
        )[:, 0],
        [1, 0, 2],
    ),
    ("batch_take_wild", lambda: nd.batch_take(rows(), array([nan, -7, inf])), [0, 4, 11]),
    (
        "one_hot_wild",
        lambda: nd.one_hot(array([nan, inf, -1, 2.0**31, 1] * 800), depth=3).sum(axis=0),
        [0, 800, 0],
    ),
    (
        "sequence_mask_wild",
        lambda: nd.SequenceMask(
            array(np.ones((3, 2, 1))), array([nan, inf]), use_sequence_length=True
        ).sum(axis=0),
        [[0], [3]],
    ),
    (
        "sequence_last_wild",
        lambda: nd.SequenceLast(
            array(np.arange(6).reshape(3, 2, 1)), array([nan, 1e30]), use_sequence_length=True
        ),
        [[0], [5]],
    ),
    (
        "sequence_reverse_wild",
        lambda: nd.SequenceReverse(
            array(np.arange(6).reshape(3, 2, 1)), array([-5, inf]), use_sequence_length=True
        ).reshape((3, 2)),
        [[0, 5], [2, 3], [4, 1]],
    ),
    ("slice_by_least_step", lambda: rows()[::LEAST_64][:, 0], [8]),
    ("slice_past_everything", lambda: rows()[-(2**70) : 2**70][:, 0], [0, 4, 8]),
    ("mask_of_nan", lambda: contrib.boolean_mask(rows(), array([nan, 0, inf]))[:, 0], [0, 8]),
    ("poisson_of_infinity", lambda: nd.random.poisson(inf), [inf]),
    ("poisson_beyond_int64", lambda: nd.random.poisson(2.0**100), [2.0**100]),
    (
        "roi_of_nan",
        lambda: nd.ROIPooling(
            image(), array([[nan, nan, inf, -inf, 1e30]]), pooled_size=(1, 1), spatial_scale=1
        ),
        [[[[0]]]],
    ),
    ("sort_of_nan", lambda: nd.sort(array([nan, 1, -inf, inf, 0])), [-inf, 0, 1, inf, nan]),
    ("mean_of_nothing", lambda: nd.mean(empty(2, 0), axis=1), [nan, nan]),
    ("product_of_nothing", lambda: nd.prod(empty(2, 0), axis=1), [1, 1]),
    ("norm_of_nothing", lambda: nd.norm(empty(2, 0), axis=1), [0, 0]),
    ("dense_of_nothing", lambda: dense(empty(2, 0), empty(3, 0)), [[0] * 3] * 2),
    (
        "sampler_of_infinity",
        lambda: nd.BilinearSampler(image(1, 1, 2, 2), array(np.full((1, 2, 1, 1), 1e30))),
        [[[[0]]]],
    ),
    (
        "label_padding_is_not_read",
        lambda: (
            nd.CTCLoss(image(3, 1, 4), array([[1, 99]]), array([1]), use_label_lengths=True)
            - nd.CTCLoss(image(3, 1, 4), array([[1, 0]]), array([1]), use_label_lengths=True)
        ),
        [0],
    ),
]
"""Calls with a result that is the same on every processor and for every length."""


def dense(data: mx.nd.NDArray, weight: mx.nd.NDArray) -> mx.nd.NDArray:
    return nd.FullyConnected(data, weight, no_bias=True, num_hidden=len(weight))


def convolve(**options: Any) -> mx.nd.NDArray:
    return nd.Convolution(
        image(), image(1, 1, 2, 2), no_bias=True, kernel=(2, 2), num_filter=1, **options
    )


def labelled(labels: Any, **options: Any) -> mx.nd.NDArray:
    return nd.CTCLoss(image(3, 1, 4), array(labels), **options)


REFUSED = [
    ("divide_by_zero", "broadcast_div", lambda: array([5], "int32") / array([0], "int32")),
    ("divide_by_number_zero", "_div_scalar", lambda: array([5], "int8") / 0),
    ("labels_beyond_classes", "CTCLoss", lambda: labelled([[9, 9]])),
    ("labels_far_beyond", "CTCLoss", lambda: labelled([[3e9, inf]])),
    (
        "labels_longer_than_given",
        "CTCLoss",
        lambda: nd.CTCLoss(
            image(3, 1, 4), array([[1, 2]]), array([2.0**40]), use_label_lengths=True
        ),
    ),
    (
        "scores_longer_than_given",
        "CTCLoss",
        lambda: nd.CTCLoss(image(3, 1, 4), array([[1, 2]]), array([inf]), use_data_lengths=True),
    ),
    ("take_raises", "take", lambda: nd.take(rows(), array([nan]), mode="raise")),
    ("pick_of_nothing", "pick", lambda: nd.pick(empty(2, 0), array([0, 0]))),
    ("gather_outside", "gather_nd", lambda: nd.gather_nd(rows(), array([[3e9], [0]]))),
    ("gather_nan", "gather_nd", lambda: nd.gather_nd(rows(), array([[nan], [nan]]))),
    (
        "scatter_outside",
        "scatter_nd",
        lambda: nd.scatter_nd(array([1]), array([[inf], [0]]), shape=(3, 4)),
    ),
    (
        "scatter_set_outside",
        "_scatter_set_nd",
        lambda: internal._scatter_set_nd(rows(), array([1]), array([[-9], [0]]), shape=(3, 4)),
    ),
    (
        "copy_outside",
        "_contrib_index_copy",
        lambda: contrib.index_copy(rows(), array([2.0**40]), array(np.ones((1, 4)))),
    ),
    (
        "fill_outside",
        "fill_element_0index",
        lambda: nd.fill_element_0index(rows(), array([1, 1, 1]), array([0, 9, nan])),
    ),
    ("index_nan", "index", lambda: rows()[array([nan])]),
    ("index_least", "index", lambda: rows()[array([LEAST_64], "int64")]),
    ("assign_outside", "index", lambda: in_place(assign(array([inf]), 1), rows())),
    ("assign_pair_outside", "index", lambda: in_place(assign(([0, 9], [0, 0]), 1), rows())),
    ("step_of_zero", "step", lambda: rows()[::0]),
    (
        "retain_outside",
        "retain",
        lambda: nd.sparse.retain(rows().tostype("row_sparse"), array([nan, 9])),
    ),
    (
        "region_of_no_image",
        "ROIPooling",
        lambda: nd.ROIPooling(
            image(), array([[7, 0, 0, 1, 1]]), pooled_size=(1, 1), spatial_scale=1
        ),
    ),
    (
        "aligned_region_of_no_image",
        "_contrib_ROIAlign",
        lambda: contrib.ROIAlign(
            image(), array([[inf, 0, 0, 1, 1]]), pooled_size=(1, 1), spatial_scale=1
        ),
    ),
    ("largest_of_nothing", "max", lambda: nd.max(empty(2, 0), axis=1)),
    ("position_in_nothing", "argmax", lambda: nd.argmax(empty(2, 0), axis=1)),
    ("topk_beyond", "topk", lambda: nd.topk(rows(), k=2**40)),
    ("histogram_of_nan", "_histogram", lambda: nd.histogram(rows(), bins=3, range=(nan, 3))),
    ("histogram_of_infinity", "_histogram", lambda: nd.histogram(rows(), bins=3, range=(0, inf))),
    ("multinomial_nan", "multinomial", lambda: nd.random.multinomial(array([nan, 1]))),
    ("poisson_negative", "poisson", lambda: nd.random.poisson(array([1, -1]))),
    ("randint_of_nothing", "randint", lambda: nd.random.randint(5, 5)),
    ("arange_of_no_step", "_arange", lambda: nd.arange(0, 5, 0)),
    ("arange_to_infinity", "_arange", lambda: nd.arange(inf)),
    ("stride_of_zero", "Convolution", lambda: convolve(stride=(0, 1))),
    ("dilation_beyond", "Convolution", lambda: convolve(dilate=(2**40, 1))),
    ("negative_pad", "Convolution", lambda: convolve(pad=(-1, -1))),
    (
        "kernel_beyond_image",
        "Pooling",
        lambda: nd.Pooling(image(1, 1, 2, 2), kernel=(9, 9), pool_type="max"),
    ),
    ("crop_outside", "Crop", lambda: nd.Crop(image(), offset=(2**62, 2**62), h_w=(2**62, 2**62))),
    ("singular", "_linalg_inverse", lambda: nd.linalg.inverse(array([[0.0, 0], [0, 0]]))),
    ("not_definite", "_linalg_potrf", lambda: nd.linalg.potrf(array([[nan, 0], [0, 1]]))),
    ("attribute_beyond_int64", "one_hot", lambda: nd.one_hot(array([0]), depth=2**64)),
    ("number_beyond_doubles", "doubles", lambda: rows() + 2**2000),
    ("list_of_nan_for_ints", "array", lambda: nd.array([1, nan], dtype="int32")),
    ("list_beyond_int64", "array", lambda: nd.array([2**100], dtype="int64")),
    ("list_in_itself", "array", lambda: nd.array(endless_list())),
    ("complex_list", "assignment", lambda: in_place(assign(slice(None), [1j]), rows())),
    ("none_for_ints", "array", lambda: nd.array([None], dtype="int32")),
    ("structured_array", "array", lambda: nd.array(np.zeros(2, "i4,f4"))),
    ("dates_as_dtype", "dtype", lambda: nd.array([1], dtype="datetime64[s]")),
]
"""Calls without a sensible result: label, a word of the message, call."""


def endless_list() -> list[Any]:
    items: list[Any] = [1.0]
    items.append(items)
    return items


def check(_: Path, case: tuple[Callable[[], mx.nd.NDArray], Any]) -> None:
    call, expected = case
    try:
        result = call().asnumpy()
    except mx.MXNetError as error:
        raise AssertionError(f"expected {expected}, got an error") from error
    np.testing.assert_array_equal(result, np.array(expected, result.dtype))


def run(_: Path, call: Callable[[], mx.nd.NDArray]) -> None:
    call().asnumpy()


TABLE.add_each("defined", [(name, case) for name, *case in DEFINED], check, harmless=True)
for label, word, attack in REFUSED:
    TABLE.add_each("refused", [(label, attack)], run, names=word)

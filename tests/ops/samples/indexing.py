"""Reading and writing by index."""

from .core import ints, rand, sample, values

MODES = ("clip", "wrap")
FLOATS = ("float64", "float16")
INTEGERS = ("int32", "int64", "uint8", "int8")

WRITES_OUTSIDE = "the original writes outside its memory"

TAKE = [
    sample("take", rand(5, 3), ints(4, dtype="int32")),
    sample("take", rand(5), ints(4, dtype="int64")),
    sample("take", rand(5, 3), values([0, 2, 4, 2]), numeric=False),
    sample("take", rand(5, 3), values([[0, 4], [4, 4], [1, 0]], "int32"), axis="0", mode="clip"),
    sample("take", rand(3, 4), values([0.9, 1.5, 2.99])),
    sample("take", rand(5, 2), values([2], "int64")),
    *[
        sample("take", rand(3, 4), values([0, 5, -1, 2, -4, 7], dtype), mode=mode, axis=axis)
        for mode in MODES
        for axis in (0, 1, -1)
        for dtype in ("float32", "int32")
    ],
    *[
        sample("take", rand(2, 3, 4), values([[2, 0], [1, 9]], "int64"), axis=axis, mode=mode)
        for axis in (0, 1, 2, -1, -2, -3)
        for mode in MODES
    ],
    sample("take", rand(3, 4), values([-0.5, -1.5, 0.2, 3.5]), mode="wrap"),
    sample("take", rand(3, 4), values([0, 2, 1], "int32"), mode="raise"),
    sample("take", rand(3, 4), values([[3, 3]], "int32"), mode="raise", axis=1),
    *[sample("take", rand(3, 2, dtype=t), values([2, 0, 2], t)) for t in FLOATS],
    *[sample("take", ints(3, 2, dtype=t), values([2, 0, 2], t)) for t in INTEGERS],
    *[sample("take", rand(3, 2), values([2, 0, 2], t)) for t in (*FLOATS, *INTEGERS)],
    sample("take", ints(3, 2, dtype="int32"), values([2, 0]), mode="wrap", gradient=False),
    sample("take", rand(3, 4), values([0, 5], "int32"), mode="raise", raises=True),
    sample("take", rand(3, 4), values([0, -1], "int32"), mode="raise", raises=True),
    sample("take", rand(3, 4), values([0], "int32"), axis=2, raises=True),
    sample("take", rand(3, 4), values([0], "int32"), axis=-3, raises=True),
    sample("take", rand(3, 4), values([0], "int32"), mode="nearest", raises=True),
    sample("take", rand(3, 4), values([0], "int32"), axis="None", raises=True),
]

BATCH_TAKE = [
    sample("batch_take", rand(3, 4), values([0, 3, 1], "int32"), gradient=False),
    sample("batch_take", rand(3, 4), values([0, 5, -1], "int32"), gradient=False),
    sample("batch_take", rand(3, 4), values([[0], [3], [1]], "int32"), gradient=False),
    sample("batch_take", rand(2, 4, dtype="float64"), values([1, 2], "int32"), gradient=False),
    sample("batch_take", rand(2, 4, dtype="float16"), values([1, 2], "int32"), gradient=False),
    sample("batch_take", ints(2, 4, dtype="int64"), values([1, 2], "int32"), gradient=False),
    sample(
        "batch_take",
        rand(2, 3, 4),
        values([[0, 3, 1], [1, 2, 3]], "int32"),
        oracle=False,
        why="the original takes the second axis for the length of a row and reads elsewhere",
    ),
    sample(
        "batch_take",
        rand(3, 5),
        values([1, 4, 1], "int32"),
        oracle=False,
        why="the original has no gradient",
    ),
    sample("batch_take", rand(3, 4), values([0, 3], "int32"), raises=True),
]

GATHER = [
    sample("gather_nd", rand(3, 4), values([[0, 2], [1, 3]])),
    sample("gather_nd", rand(3, 4), values([[0, 2, 0], [1, 3, 1]], "int64")),
    sample("gather_nd", rand(3, 4), values([[0, 2, 1]], "int32")),
    sample("gather_nd", rand(3, 4), values([[[0, 2], [1, 0]], [[1, 3], [2, 2]]], "int32")),
    sample("gather_nd", rand(2, 3, 4), values([[0, 1], [1, 2]], "int32")),
    sample("gather_nd", rand(2, 3, 4), values([[0, 1], [1, 2], [3, 0]], "int32")),
    sample("gather_nd", rand(5), values([[4, 4, 0]], "int32")),
    sample("gather_nd", rand(3, 4), values([[1.7], [2.2]])),
    sample("gather_nd", rand(3, 4), values([[-1], [-2]], "int32"), gradient=False),
    sample(
        "gather_nd",
        rand(3, 4),
        values([[-1, 0], [-2, 0]], "int64"),
        oracle=False,
        why="the gradient for negative indices: " + WRITES_OUTSIDE,
    ),
    *[sample("gather_nd", rand(3, 2, dtype=t), values([[2, 0]], t)) for t in FLOATS],
    *[sample("gather_nd", ints(3, 2, dtype=t), values([[2, 0]], t)) for t in INTEGERS],
    sample("gather_nd", rand(3, 4), values([[5], [0]], "int32"), raises=True),
    sample("gather_nd", rand(3, 4), values([[-5], [0]], "int32"), raises=True),
    sample("gather_nd", rand(3, 4), values([[0], [0], [0]], "int32"), raises=True),
    sample("gather_nd", rand(3, 4), values([1, 2], "int32"), raises=True),
]

SCATTER = [
    sample("_backward_gather_nd", rand(3), values([[0, 1, 0], [3, 1, 3]]), shape=(3, 4)),
    sample("_backward_gather_nd", rand(2, 2), values([[2, 2]], "int32"), shape=(3, 2)),
    sample("_backward_gather_nd", ints(2), values([[0, 0]], "int64"), shape=(3,)),
    sample("scatter_nd", rand(3), values([[0, 1, 2], [3, 1, 0]]), shape=(3, 4)),
    sample(
        "scatter_nd",
        rand(3),
        values([[0, 0, 2], [3, 3, 0]], "int32"),
        shape="(3, 4)",
        numeric=False,
    ),
    sample("scatter_nd", rand(2, 2), values([[2, 0]], "int32"), shape=(3, 2)),
    sample(
        "scatter_nd",
        rand(2, 2),
        values([[[2, 0], [1, 0]], [[0, 1], [1, 0]]], "int32"),
        shape=(3, 2),
    ),
    sample("scatter_nd", rand(2, 2, 3), values([[1, 0], [0, 2]], "int64"), shape=(2, 3, 2, 3)),
    sample("scatter_nd", rand(2), values([[2, 0]], "int64"), shape=(3,)),
    sample("scatter_nd", rand(2), values([[2, 0]], "int64"), shape=3),
    *[sample("scatter_nd", rand(2, dtype=t), values([[2, 0]], t), shape=(3,)) for t in FLOATS],
    *[sample("scatter_nd", ints(2, dtype=t), values([[2, 0]], t), shape=(3,)) for t in INTEGERS],
    sample(
        "scatter_nd",
        rand(2),
        values([[-1, 0], [-1, 1]], "int32"),
        shape=(3, 4),
        oracle=False,
        why="for negative indices, which count from the end here, " + WRITES_OUTSIDE,
    ),
    sample("scatter_nd", rand(2), values([[0, 7]], "int32"), shape=(3,), raises=True, oracle=False),
    sample("scatter_nd", rand(2, 3), values([[2, 0]], "int32"), shape=(3, 2), raises=True),
    sample("scatter_nd", rand(1), values([[2, 0]], "int32"), shape=(3,), raises=True),
    sample("scatter_nd", rand(2), values([[2, 0]], "int32"), raises=True),
    sample("scatter_nd", rand(2), values([[2, 0], [1, 0]], "int32"), shape=(3,), raises=True),
]

NEEDS_OUT = "the original takes this call only with out=lhs"

SCATTER_SET = [
    sample(
        "_scatter_set_nd",
        rand(3, 4),
        rand(2),
        values([[0, 2], [1, 3]]),
        shape=(3, 4),
        oracle=False,
        why=NEEDS_OUT,
    ),
    sample(
        "_scatter_set_nd",
        rand(3, 2),
        rand(2, 2),
        values([[0, 2]], "int32"),
        shape=(3, 2),
        oracle=False,
        why=NEEDS_OUT,
    ),
    sample(
        "_scatter_set_nd",
        ints(3),
        ints(2),
        values([[0, -1]], "int32"),
        shape=(3,),
        oracle=False,
        why=NEEDS_OUT,
    ),
    sample(
        "_scatter_set_nd", rand(3, 4), rand(2), values([[0, 2], [1, 3]]), shape=(3, 5), raises=True
    ),
    sample(
        "_scatter_set_nd", rand(3, 4), rand(3), values([[0, 2], [1, 3]]), shape=(3, 4), raises=True
    ),
]

ONE_HOT = [
    sample("one_hot", values([0, 2, 5, -1, -0.5, 1.7]), depth=3),
    sample("one_hot", values([0, 2, 1], "int32"), depth="4"),
    sample(
        "one_hot",
        values([[0, 2], [1, 1]], "int32"),
        depth=3,
        on_value=8,
        off_value=-1,
        dtype="int32",
    ),
    sample("one_hot", values([[0, 2], [1, 1]], "int64"), depth=3, on_value=0.25, off_value=-1.5),
    sample("one_hot", values([[[0], [2]]], "int64"), depth=3, on_value="5", off_value="0.5"),
    sample("one_hot", values([1, 0]), depth=1),
    sample("one_hot", values([1, 0]), depth=0),
    *[
        sample("one_hot", values([1, 0, 7], t), depth=3, dtype=t, on_value=on, off_value=off)
        for t in ("float32", *FLOATS, *INTEGERS)
        for on, off in ((1, 0), (2.7, 0.5))
    ],
    sample("one_hot", values([1, 0], "int8"), depth=2, dtype="int8", off_value=-3.6),
    sample("one_hot", values([1, 0], "int64"), depth=2, dtype="int64", off_value=2**40),
    sample("one_hot", values([1, 0]), depth=2, dtype="float64", on_value=0.1),
    sample("one_hot", values([1, 0]), depth=2, on_value=1e9, off_value=-1e9, dtype="float16"),
    sample("one_hot", values([1, 0]), depth=-1, raises=True),
    sample("one_hot", values([1, 0]), raises=True),
    sample("one_hot", values([1, 0]), depth=2, dtype="complex64", raises=True),
    sample("_onehot_encode", values([1, 2, 0]), rand(3, 4), gradient=False),
    sample("_onehot_encode", rand(2, 2), rand(3, 4), gradient=False, raises=True),
    sample("_onehot_encode", values([1, 2]), rand(3, 4), gradient=False, raises=True),
]

WHERE = [
    sample("where", values([[0, 1], [0.5, -1]]), rand(2, 2), rand(2, 2)),
    sample("where", values([0, 1]), rand(2, 2), rand(2, 2)),
    sample("where", values([0, 1, 0]), rand(3), rand(3)),
    sample("where", values([0, 1], "int32"), rand(2, 2, 3), rand(2, 2, 3)),
    sample("where", ints(2, 2, 3, high=2), rand(2, 2, 3), rand(2, 2, 3)),
    sample("where", values([[1], [0]]), rand(2, 1), rand(2, 1)),
    sample("where", values([float("nan"), 1]), rand(2, 2), rand(2, 2)),
    *[sample("where", values([0, 1], t), rand(2, 2), rand(2, 2)) for t in (*FLOATS, *INTEGERS)],
    *[sample("where", values([0, 1], t), rand(2, 2, dtype=t), rand(2, 2, dtype=t)) for t in FLOATS],
    *[
        sample("where", values([0, 1], t), ints(2, 2, dtype=t), ints(2, 2, dtype=t))
        for t in INTEGERS
    ],
    sample("where", rand(2, 2), rand(2, 2, 2), rand(2, 2, 2), raises=True),
    sample("where", rand(3), rand(2, 2), rand(2, 2), raises=True),
    sample("where", rand(2), rand(2, 2), rand(2, 1), raises=True),
    sample("where", rand(2, 1), rand(2, 2), rand(2, 2), raises=True),
    sample("where", rand(1), rand(2, 2), rand(2, 2), raises=True),
]

MASK = [
    sample("_contrib_boolean_mask", rand(3, 4), values([0, 1, 1])),
    sample("_contrib_boolean_mask", rand(3, 4), values([0, 2, -1], "int32"), axis=0),
    sample("_contrib_boolean_mask", rand(3, 2, 2), values([1, 0, 1], "int64")),
    sample("_contrib_boolean_mask", rand(3), values([1, 0, 1], "uint8")),
    sample("_contrib_boolean_mask", rand(3, 4), values([0.3, 0, 1])),
    sample("_contrib_boolean_mask", rand(3, 4), values([0, 1, 1], "bool")),
    sample("_contrib_boolean_mask", rand(3, 4), values([0, 0, 0]), gradient=False),
    *[sample("_contrib_boolean_mask", rand(3, 2, dtype=t), values([1, 0, 1], t)) for t in FLOATS],
    *[sample("_contrib_boolean_mask", ints(3, 2, dtype=t), values([1, 0, 1], t)) for t in INTEGERS],
    sample("_contrib_boolean_mask", rand(3, 4), values([0, 1, 1, 0]), axis=1, raises=True),
    sample("_contrib_boolean_mask", rand(3, 4), values([0, 1]), raises=True),
    sample("_contrib_boolean_mask", rand(3, 4), rand(3, 4), raises=True),
]

TABLE = {"input_dim": 5, "output_dim": 2}

EMBEDDING = [
    sample("Embedding", values([0, 4, 1, 4], "int32"), rand(5, 2), **TABLE),
    sample("Embedding", values([0, 4, 5, -1, 4], "int32"), rand(5, 2), **TABLE),
    sample("Embedding", values([[0, 4, 1], [2, 2, 9]], "int64"), rand(5, 2), **TABLE),
    sample("Embedding", values([[[0], [4]]], "uint8"), rand(5, 2), input_dim="5", output_dim="2"),
    sample("Embedding", values([0, 4, 5, -1, 1.9]), rand(5, 2), **TABLE, gradient=False),
    sample("Embedding", values([[0, 4], [3, 1]]), rand(5, 2), **TABLE, gradient=False),
    sample("Embedding", values([3]), rand(5, 2), **TABLE, sparse_grad=True, gradient=False),
    sample("Embedding", values([3], "int32"), rand(5, 2), **TABLE, sparse_grad=False),
    *[
        sample("Embedding", values([3, 1], "int32"), rand(5, 2, dtype=t), **TABLE, dtype=t)
        for t in FLOATS
    ],
    sample("Embedding", values([3, 1], "int32"), rand(5, 2, dtype="float64"), **TABLE),
    sample("Embedding", values([3, 1], "int32"), rand(5, 2), **TABLE, dtype="float64"),
    sample(
        "Embedding", values([3, 1], "float16"), rand(5, 2, dtype="float16"), **TABLE, gradient=False
    ),
    *[
        sample("Embedding", values([3, 1], t), ints(5, 2, dtype=t), **TABLE, dtype=t)
        for t in INTEGERS
    ],
    sample("Embedding", values([3]), rand(5, 2), input_dim=4, output_dim=2, raises=True),
    sample("Embedding", values([3]), rand(5, 2), input_dim=5, output_dim=3, raises=True),
    sample("Embedding", values([3]), rand(5, 2), input_dim=5, raises=True),
    sample(
        "_contrib_SparseEmbedding", values([3, 1], "int32"), rand(5, 2), **TABLE, gradient=False
    ),
    sample("_contrib_SparseEmbedding", values([3, 9]), rand(5, 2), **TABLE, gradient=False),
]

INDEX_COPY = [
    sample("_contrib_index_copy", rand(3, 2), values([0, 2], "int64"), rand(2, 2)),
    sample("_contrib_index_copy", rand(3, 2), values([2, 0], "int32"), rand(2, 2)),
    sample("_contrib_index_copy", rand(3, 2), values([0, 2]), rand(2, 2), gradient=False),
    sample("_contrib_index_copy", rand(3, 2), values([2, 2], "int32"), rand(2, 2), numeric=False),
    sample("_contrib_index_copy", rand(3), values([1], "int32"), rand(1)),
    sample("_contrib_index_copy", rand(3, 1, 2), values([1], "int32"), rand(1, 1, 2)),
    *[
        sample(
            "_contrib_index_copy", rand(3, 2, dtype=t), values([1], "int32"), rand(1, 2, dtype=t)
        )
        for t in FLOATS
    ],
    *[
        sample(
            "_contrib_index_copy", ints(3, 2, dtype=t), values([1], "int32"), ints(1, 2, dtype=t)
        )
        for t in INTEGERS
    ],
    sample(
        "_contrib_index_copy",
        rand(3, 2),
        values([7], "int32"),
        rand(1, 2),
        raises=True,
        oracle=False,
        why=WRITES_OUTSIDE,
    ),
    sample(
        "_contrib_index_copy",
        rand(3, 2),
        values([-1], "int32"),
        rand(1, 2),
        raises=True,
        oracle=False,
        why=WRITES_OUTSIDE,
    ),
    sample("_contrib_index_copy", rand(3, 2), values([1], "int32"), rand(2, 2), raises=True),
    sample("_contrib_index_copy", rand(3, 2), values([1], "int32"), rand(1, 3), raises=True),
    sample("_contrib_index_copy", rand(3, 2), values([[1]], "int32"), rand(1, 2), raises=True),
]

INDEX_ARRAY = [
    sample("_contrib_index_array", rand(2, 3)),
    sample("_contrib_index_array", rand(3)),
    sample("_contrib_index_array", rand(2, 3, 2)),
    *[
        sample("_contrib_index_array", rand(2, 3), axes=a)
        for a in ((1, 0), (0,), (-1,), (1, 1), 1, "(1, 0)", None)
    ],
    sample("_contrib_index_array", rand(2, 3, 2), axes=(2, -2)),
    sample("_contrib_index_array", ints(2, 2, dtype="int32")),
    sample("_contrib_index_array", rand(2, 2, dtype="float64"), axes=(-2, 0)),
    sample(
        "_contrib_index_array",
        rand(2, 3),
        axes=(2,),
        raises=True,
        oracle=False,
        why="the original gives the coordinates of another axis",
    ),
]

FILL = [
    sample("fill_element_0index", rand(3, 4), rand(3), values([0, 3, 1]), gradient=False),
    sample("fill_element_0index", rand(1, 2), rand(1), values([1]), gradient=False),
    sample(
        "fill_element_0index",
        rand(3, 4),
        rand(3),
        values([0, 3, 2]),
        numeric=False,
        oracle=False,
        why="the original has no gradient",
    ),
    sample(
        "fill_element_0index",
        rand(2, 4),
        rand(2),
        values([0, 7]),
        raises=True,
        oracle=False,
        why=WRITES_OUTSIDE,
    ),
    sample("fill_element_0index", rand(3, 4, 2), rand(3), values([0, 3, 1]), raises=True),
    sample("fill_element_0index", rand(3, 4), rand(2), values([0, 3]), raises=True),
]

SAMPLES = [
    *TAKE,
    *BATCH_TAKE,
    *GATHER,
    *SCATTER,
    *SCATTER_SET,
    *ONE_HOT,
    *WHERE,
    *MASK,
    *EMBEDDING,
    *INDEX_COPY,
    *INDEX_ARRAY,
    *FILL,
]

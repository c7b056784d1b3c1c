"""Programs that give shapes and sizes as numbers and arrays of NumPy, strings and collections."""

from __future__ import annotations

from .core import lines

SHAPES = (
    "3",
    "np.int64(3)",
    "np.int32(3)",
    "np.uint8(3)",
    "np.array(3)",
    "np.array([3])",
    "[2, 3]",
    "[np.int64(2), 3]",
    "(np.int64(2), np.int32(3))",
    "'(2,3)'",
    "'3'",
    "range(2, 4)",
    "np.zeros((2, 3)).shape",
    "(2, 0)",
    "(2, -1)",
    "nd.array([2, 3])",
    "('2', 'x')",
    "(2, (3,))",
)
ONE_NUMBER = ("np.int64(3)", "np.int32(3)", "np.uint8(3)", "np.array(3)")
CALLS = {
    "nd.zeros({})": ("range(2, 4)", "(2, -1)"),
    "nd.ones({}, dtype='int32')": ("range(2, 4)",),
    "nd.full({}, 2)": (*ONE_NUMBER, "'3'", "'(2,3)'", "(2, -1)"),
    "nd.empty({}).shape": (*ONE_NUMBER, "'3'", "'(2,3)'", "(2, -1)"),
    "nd.random.uniform(shape={}).shape": ("range(2, 4)", "(2, 0)", "(2, (3,))"),
    "nd.random.normal(0, 1, {}).shape": ("range(2, 4)", "(2, 0)", "(2, (3,))"),
    "nd.random.randint(0, 5, shape={}).shape": ("range(2, 4)", "(2, 0)", "(2, (3,))"),
    "S.zeros({}).infer_shape()": ("range(2, 4)", "(2, (3,))"),
    "nd.tile(nd.ones((1, 2)), reps={}).shape": ("range(2, 4)", "(2, (3,))", "(2, 0)"),
    "nd.ones((1, 3)).broadcast_to({}).shape": ("3", "nd.array([2, 3])"),
    "v('x').infer_shape(x={})": ("[2, 3]", "[np.int64(2), 3]"),
}
"""Functions, with the shapes that the original refuses without need or takes by mistake."""

PROGRAMS = lines(
    "shape_argument_helpers",
    "\n".join(
        call.format(shape)
        for call, without in CALLS.items()
        for shape in SHAPES
        if shape not in without
    ),
) | lines(
    "shape_argument_helpers",
    """
    nd.arange(np.array(3))
    nd.arange(np.int64(3))
    nd.linspace(0, 1, np.int64(3))
    nd.eye(np.int32(3)).shape
    nd.one_hot(nd.array([0, 1]), np.int64(3)).shape
    nd.repeat(nd.ones((2, 2)), repeats=np.int64(2), axis=np.int32(1)).shape
    nd.squeeze(nd.ones((1, 1, 2, 1)), axis=np.array(3)).shape
    nd.flip(nd.arange(6).reshape((2, 3)), axis=np.array(1))
    nd.slice(nd.arange(6).reshape((2, 3)), begin=(None, 1), end=(1, None), step=None)
    nd.slice(nd.arange(6).reshape((2, 3)), begin=(None, 1), end=(1, None), step=())
    nd.slice(nd.arange(6).reshape((2, 3)), begin=(None, 1), end=(1, None), step=(None,))
    nd.arange(6).reshape((2, 3)).slice(begin=(None, 1), end=(1, None), step=None)
    nd.crop(nd.arange(6).reshape((2, 3)), begin=(None, 1), end=(1, None), step=None)
    S.slice(v('x'), begin=(None, 1), end=(1, None), step=None).infer_shape(x=(2, 3))
    S.slice(v('x'), begin=(None, 1), end=(1, None), step=None).attr_dict()
    nd._internal._slice_assign_scalar(nd.zeros((2, 3)), scalar=2, begin=(1,), end=(2,), step=None)
    nd.arange(6).reshape(np.int64(2), np.int32(3))
    nd.arange(6).reshape((np.int64(2), -1))
    nd.arange(6).reshape(np.array([2, 3]).tolist())
    nd.random.multinomial(nd.array([0.5, 0.5]), shape=(2, 0)).shape
    nd.random.multinomial(nd.array([0.5, 0.5]), shape=np.int64(2)).shape
    nd.sparse.zeros('csr', np.array([2, 3]).tolist()).shape
    nd.full({2, 3}, 1)
    nd.empty(()).shape
    nd.empty((0, 3)).size
    nd.full((0, 3), 1)
    used(lambda: nn.Dense(np.int64(3)))
    used(lambda: nn.Dense(np.int32(3), in_units=np.int64(3)))
    used(lambda: nn.Dense(0))
    used(lambda: nn.Dense(3, in_units=5))
    used(lambda: nn.Dense(3, dtype='nosuch'))
    used(lambda: nn.Dense(3, activation='nosuch'))
    used(lambda: nn.Embedding(np.int64(5), np.int32(3)))
    used(lambda: nn.Embedding(0, 3))
    used(lambda: nn.Conv2D(np.int64(2), np.int64(3)), 1, 3, 6, 6)
    used(lambda: nn.Conv2D(2, [3, 3], padding=np.int32(1)), 1, 3, 6, 6)
    used(lambda: nn.Conv2D(2, 3, strides=np.int64(2), dilation=np.int64(1)), 1, 3, 6, 6)
    used(lambda: nn.Conv2DTranspose(2, np.int64(3), output_padding=np.int64(0)), 1, 3, 6, 6)
    used(lambda: nn.Conv2D(2, 7), 1, 3, 6, 6)
    used(lambda: nn.Conv2D(2, (3,)), 1, 3, 6, 6)
    used(lambda: nn.MaxPool2D(np.int64(2)), 1, 3, 6, 6)
    used(lambda: nn.AvgPool2D(np.int64(2), strides=np.int32(1), padding=np.int32(1)), 1, 3, 6, 6)
    used(lambda: nn.ReflectionPad2D(np.int64(1)), 1, 3, 6, 6)
    used(lambda: nn.BatchNorm(axis=7), 1, 3, 6, 6)
    used(lambda: nn.Dropout(2))
    used(lambda: nn.LeakyReLU(-1))
    used(lambda: nn.Lambda('nosuch'))
    used(lambda: gluon.rnn.LSTM(np.int64(2), np.int32(1)), 4, 2, 3)
    used(lambda: gluon.rnn.LSTM(2, input_size=9), 4, 2, 3)
    used(lambda: gluon.rnn.LSTM(2, layout='nosuch'), 4, 2, 3)
    used(lambda: gluon.rnn.RNN(2, activation='nosuch'), 4, 2, 3)
    parameter([2, np.int32(3)])
    parameter((2, 0))
    """,
)

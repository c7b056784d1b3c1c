"""`mx.numpy_op_fallback`: operators of the NumPy dialect that are written in Python."""

import pytest

import mxnet as mx
from mxnet import numpy_op_fallback as fallback


class Recorder(mx.operator.CustomOp):
    """Notes the classes of the arrays that it gets, and doubles them."""

    def __init__(self, seen):
        super().__init__()
        self._seen = seen

    def forward(self, is_train, req, in_data, out_data, aux):  # noqa: ARG002 - by position
        self._seen.extend(type(item) for item in (*in_data, *out_data))
        self.assign(out_data[0], req[0], in_data[0] * 2)


def make_prop(seen):
    class Prop(mx.operator.CustomOpProp):
        def create_operator(self, ctx, in_shapes, in_dtypes):  # noqa: ARG002
            return Recorder(seen)

    return Prop


def test_registered_operators_get_arrays_of_np_whoever_calls_them():
    seen = []
    prop = make_prop(seen)
    assert fallback.register("test_doubled")(prop) is prop
    x = mx.np.array([1, 4])
    result = mx.np._internal.test_doubled(x)
    assert isinstance(result, mx.np.ndarray)
    assert result.tolist() == [2, 8]
    classic = mx.nd.Custom(mx.nd.array([1]), op_type="test_doubled")
    assert type(classic) is mx.nd.NDArray
    assert set(seen) == {mx.np.ndarray}
    graph = mx.sym.np._internal.test_doubled(mx.sym.var("x").as_np_ndarray())
    assert graph.eval(x=x)[0].tolist() == [2, 8]


def test_class_of_arrays_is_that_of_the_dialect_of_registration():
    classic, numpy = [], []
    mx.operator.register("test_classic")(make_prop(classic))
    with mx.util.np_array(True):
        mx.operator.register("test_numpy")(make_prop(numpy))
        mx.nd.Custom(mx.nd.ones(2), op_type="test_classic")
    mx.nd.Custom(mx.nd.ones(2), op_type="test_numpy")
    assert set(classic) == {mx.nd.NDArray}
    assert set(numpy) == {mx.np.ndarray}


def test_names_are_taken_once_and_only_where_asked_for():
    fallback.register("test_symbols_only", imperative=False)(make_prop([]))
    assert not hasattr(mx.np._internal, "test_symbols_only")
    with pytest.raises(ValueError, match="already"):
        fallback.register("test_symbols_only")(make_prop([]))


@pytest.mark.parametrize(
    ("prop", "shapes", "expected"),
    [
        (fallback.ResizeProp("(3, 3)"), [[2, 3]], (3, 3)),
        (fallback.ResizeProp("3"), [[2, 3]], (3,)),
        (fallback.Unravel_indexProp("(2, 3)"), [[5]], (2, 5)),
        (fallback.EmptyLikeProp("float16", "C", "True", "None"), [[3, 4]], (3, 4)),
        (fallback.MultivariateNormalProp("(2, 3)"), [[2], [2, 2]], (2, 3, 2)),
        (fallback.MultivariateNormalProp("4"), [[2], [2, 2]], (4, 2)),
    ],
)
def test_shapes_of_the_original(prop, shapes, expected):
    assert tuple(prop.infer_shape(shapes)[1][0]) == expected


def test_functions_of_the_original():
    a = mx.np.array([[1, 2, 3], [4, 5, 6]])
    functions = mx.np._internal
    assert functions.resize_fallback(a, new_shape=(1, 4)).tolist() == [[1, 2, 3, 4]]
    places = functions.unravel_index_fallback(mx.np.array([3, 4], dtype="int32"), shape=(2, 3))
    assert places.tolist() == [[1, 1], [0, 1]]
    assert places.dtype == "int32"
    drawn = functions.mvn_fallback(mx.np.zeros(2), mx.np.array([[1, 0], [0, 1]]), size=None)
    assert drawn.shape == (2,)
    with pytest.raises(ValueError, match="length"):
        fallback.MultivariateNormalProp().infer_shape([[3], [2, 2]])

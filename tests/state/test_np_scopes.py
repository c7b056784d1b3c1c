"""Scopes of the NumPy dialect: `mx.util` and `mx.npx`."""

import threading

import pytest

import mxnet as mx
from mxnet import util


def _state():
    return util.is_np_shape(), util.is_np_array()


@pytest.fixture(autouse=True)
def _classic_afterwards():
    yield
    util.reset_np()


def _state_of_a_new_thread():
    states = []
    thread = threading.Thread(target=lambda: states.append(_state()))
    thread.start()
    thread.join()
    return states[0]


def test_set_np_switches_the_thread_alone():
    assert _state() == (False, False)
    util.set_np()
    assert (_state(), _state_of_a_new_thread()) == ((True, True), (False, False))
    util.reset_np()
    assert _state() == (False, False)


def test_arrays_need_shapes():
    with pytest.raises(ValueError, match="shape=False"):
        util.set_np(shape=False)
    util.set_np(array=False)
    assert _state() == (True, False)


def test_blocks_restore_what_was_before():
    with util.np_shape():
        assert _state() == (True, False)
        with util.np_array():
            assert _state() == (True, True)
        with util.np_shape(False):
            assert _state() == (False, False)
        assert _state() == (True, False)
    assert _state() == (False, False)


def test_set_np_shape_returns_the_state_before():
    assert [util.set_np_shape(active) for active in (True, False, 1)] == [False, True, False]


def test_decorated_functions_and_classes_run_in_the_dialect():
    @util.use_np
    class Decorated:
        def __init__(self):
            self.at_start = _state()

        def method(self):
            return _state()

        @property
        def value(self):
            return _state()

        @staticmethod
        def static():
            return _state()

    both = (True, True)
    decorated = Decorated()
    seen = {decorated.at_start, decorated.method(), decorated.value, decorated.static()}
    assert (seen, _state()) == ({both}, (False, False))
    assert util.use_np(_state)() == both
    assert util.use_np_shape(_state)() == (True, False)
    assert util.use_np_array(_state)() == (False, True)
    assert util.use_np(_state).__name__ == "_state"


def test_only_what_can_be_called_is_decorated():
    with pytest.raises(TypeError, match="takes a class"):
        util.use_np(3)


def test_default_dtypes():
    with util.np_default_dtype():
        assert util.is_np_default_dtype()
        assert mx.np.array([1, 2]).dtype == mx.np.array([1.5]).dtype == "float64"
        assert mx.np.arange(3).dtype == "int64"
    assert mx.np.array([1, 2]).dtype == "float32"


def test_classic_arrays_may_be_scalars_and_empty_inside_of_np_shape(tmp_path):
    path = str(tmp_path / "arrays")
    with util.np_shape():
        arrays = [mx.nd.zeros((0, 2)), mx.nd.full((), 3), mx.nd.ones((2, 2))[0, 0]]
        mx.nd.save(path, arrays)
        loaded = mx.nd.load(path)
        assert mx.sym.var("x").infer_shape(x=(0, 2))[1] == [(0, 2)]
    assert [item.shape for item in arrays] == [item.shape for item in loaded] == [(0, 2), (), ()]
    with pytest.raises(mx.MXNetError, match="length below 1"):
        mx.nd.zeros((0, 2))


def test_options_of_decorated_functions_are_checked():
    negate = util.wrap_np_unary_func(lambda x, **_: -x)
    add = util.wrap_np_binary_func(lambda x, y, **_: x + y)
    assert (negate(3, where=True), add(1, 2, subok=True)) == (-3, 3)
    with pytest.raises(NotImplementedError, match="where"):
        add(1, 2, where=False)
    assert util.np_ufunc_legal_option("order", "F")
    assert not util.np_ufunc_legal_option("dtype", None)


def test_a_decorated_class_runs_what_it_inherits_in_the_scope():
    class Base:
        def inherited(self):
            return mx.util.is_np_array()

        @property
        def value(self):
            return mx.util.is_np_array()

        def __call__(self):
            return mx.util.is_np_array()

    @mx.util.use_np
    class Derived(Base):
        pass

    assert (Derived().inherited(), Derived().value, Derived()()) == (True, True, True)
    assert (Base().inherited(), Base().value, Base()()) == (False, False, False)

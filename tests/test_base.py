"""Helpers that programs import from `mxnet.base`, held against results of the original."""

import array
import ctypes

import numpy as np
import pytest

import mxnet as mx
from mxnet import base


def test_conversions_to_c():
    assert base.c_str("ä").value == "ä".encode()
    assert list(base.c_str_array(["a", "b"])) == [b"a", b"b"]
    assert list(base.c_array(base.mx_uint, [1, 2])) == [1, 2]
    numbers = array.array("i", [1, 2])
    base.c_array_buf(ctypes.c_int, numbers)[0] = 7
    assert numbers[0] == 7


def test_handles_are_tokens():
    x, y = mx.nd.ones(2), mx.sym.var("a")
    assert list(base.c_handle_array([x, y])) == [x.handle, y.handle]
    assert mx.nd.CachedOp(y * 2).handle
    assert mx.nd.ones(2).handle != x.handle


def test_buffers_of_c():
    letters = (ctypes.c_char * 4)(*b"abcd")
    pointer = ctypes.cast(letters, ctypes.POINTER(ctypes.c_char))
    assert base.ctypes2buffer(pointer, 3) == bytearray(b"abc")
    with pytest.raises(TypeError, match="c_char"):
        base.ctypes2buffer(letters, 3)
    floats = (ctypes.c_float * 6)(*range(6))
    shared = base.ctypes2numpy_shared(ctypes.cast(floats, base.mx_float_p), (2, 3))
    floats[5] = 9
    np.testing.assert_array_equal(shared, [[0, 1, 2], [3, 4, 9]])
    with pytest.raises(RuntimeError, match="mx_float_p"):
        base.ctypes2numpy_shared(floats, (2, 3))


def test_library_is_not_there():
    assert base.check_call(0) is None
    with pytest.raises(mx.MXNetError, match="no C library"):
        base.check_call(-1)
    with pytest.raises(mx.MXNetError, match=r"MXNDArrayFree: there is no C library"):
        base._LIB.MXNDArrayFree(None)
    assert not hasattr(base._LIB, "MXNDArrayFree")


def test_class_properties():
    class Counter(base.with_metaclass(base._MXClassPropertyMetaClass, object)):
        _value = 3

        @base.classproperty
        def value(cls):  # noqa: N805 - it is the class
            return cls._value

        @value.setter
        def value(cls, value):  # noqa: N805 - it is the class
            cls._value = value

    assert (Counter.value, Counter().value) == (3, 3)
    Counter.value = 5
    assert (Counter.value, Counter._value) == (5, 5)
    Counter().value = 7
    assert Counter.value == 7


def test_parameters_of_docstrings():
    names, types = ["a", "b", "a", "num_args"], ["int", "float", "x", "y"]
    text = base.build_param_doc(names, types, ["first", "", "again", "n"])
    assert text == "Parameters\n----------\na : int\n    first\nb : float\n"
    twice = base.build_param_doc(["a", "a"], ["int", "x"], ["first", "again"], False)
    assert twice == "Parameters\n----------\na : int\n    first\na : x\n    again\n"


def test_errors_by_name():
    class OddError(mx.MXNetError):
        pass

    assert base.register_error(OddError) is OddError
    assert base.register_error("Odd2")(OddError) is OddError
    assert base.error_types.pop("OddError") is base.error_types.pop("Odd2") is OddError
    assert base.c2pyerror("ValueError: no") == ("ValueError: no", "ValueError")
    shown = 'Traceback (most recent call last):\n  File "a.py", line 3\nno'
    assert base.c2pyerror('no\nStack trace:\n  File "a.py", line 3') == (shown, None)


def test_errors_of_operands():
    def add():
        pass

    error = base.NotImplementedForSymbol(add, "+", 3)
    assert isinstance(error, mx.MXNetError)
    assert (error.function, error.alias) == ("add", "+")
    assert "add (the operator '+') with arguments of <class 'int'>" in str(error)
    assert "sparse" in str(base.NotSupportedForSparseNDArray(add, None))


def test_names_of_operators():
    assert base._get_op_name_prefix("_contrib_box_nms") == "_contrib_"
    assert base._get_op_name_prefix("relu") == ""
    assert base._is_np_op("_npx_relu") and not base._is_np_op("relu")

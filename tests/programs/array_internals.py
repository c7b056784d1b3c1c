"""Arrays where programs look below the surface: scopes, parts of integers, files, C functions."""

from __future__ import annotations

import ctypes
import os
import tempfile
import threading

import mxnet as mx
import numpy as np
from mxnet import autograd, gluon, nd

from .core import GIVEN, functions


def _in_thread(function):
    results = []
    thread = threading.Thread(target=lambda: results.append(function()))
    thread.start()
    thread.join()
    return results[0]


def _raised(function):
    try:
        function()
    except mx.MXNetError:
        return True
    return False


def the_default_context_is_set_for_a_thread():
    def change():
        mx.Context.default_ctx = mx.cpu(4)
        return nd.zeros(1).context, mx.Context.default_ctx

    return _in_thread(change), mx.current_context()


def shapes_of_numpy_in_all_threads():
    before = mx.util.is_np_shape()
    seen = [mx.util.set_np_shape(2), _in_thread(mx.util.is_np_shape)]
    seen += [mx.util.set_np_shape(1), _in_thread(mx.util.is_np_shape)]
    seen += [mx.util.set_np_shape(0), _in_thread(mx.util.is_np_shape)]
    return before, seen


def a_scope_of_numpy_arrays():
    scope = mx.util._NumpyArrayScope(True)
    with scope:
        inside = mx.util.is_np_array(), mx.util._NumpyArrayScope._current.value._is_np_array
    return inside, mx.util.is_np_array(), isinstance(mx.util.np_array(), mx.util._NumpyArrayScope)


def _gradient(key, dtype="int32"):
    x = nd.array(np.arange(60).reshape(3, 4, 5), dtype=dtype)
    x.attach_grad()
    with autograd.record():
        y = x[key]
    y.backward()
    return y.shape, x.grad


def gradients_of_parts_of_integers():
    keys = [slice(0, 3, 2), (slice(None), 1), (1, Ellipsis, 2), [0, 2], (slice(None), [3, 0])]
    keys += [slice(None, None, -1), (None, slice(2), 1), nd.array([1, 1]), ([1, 2], [0, 3])]
    return [_gradient(key) for key in keys]


def a_part_of_integers_is_scaled():
    x = nd.array([[1, 2, 3], [4, 5, 6]], dtype="int64")
    x.attach_grad()
    with autograd.record():
        y = x[:, 1:] * 3
    y.backward(nd.array([[1, 2], [3, 4]], dtype="int64"))
    return y, x.grad


def from_numpy_twice():
    a = np.arange(4, dtype="float32")
    first, second = nd.from_numpy(a), nd.from_numpy(a)
    second[1] = 7
    second.wait_to_read()
    return a, first, a.flags.writeable


def contiguous_parts():
    keys = [(slice(1, 3), slice(None)), (slice(1, 2), slice(1, 3)), (slice(0, 2), slice(1, 3))]
    keys += [(slice(3, 1), slice(None)), (slice(None), slice(None, None, -1))]
    cls = nd.NDArray
    return [
        (
            cls._basic_indexing_slice_is_contiguous(key, (4, 5)),
            cls._basic_indexing_sliced_shape(key, (4, 5)),
        )
        for key in keys
    ], [cls._basic_indexing_contiguous_flat_begin_end(key, (4, 5)) for key in keys[:2]]


def keys_of_slices():
    cls, key = nd.NDArray, (2, None, slice(1, 3), -1)
    steps = [
        cls._basic_indexing_key_to_begin_end_step(key, (3, 4, 5), keep_none=none)
        for none in (True, False)
    ]
    return cls._basic_indexing_key_int_to_slice(key), steps


def _saved_and_loaded(saved, loaded, shape):
    path = os.path.join(GIVEN["folder"], "arrays")
    with mx.util.np_shape(saved):
        nd.save(path, [nd.array(np.ones(shape))])
    with mx.util.np_shape(loaded):
        try:
            return nd.load(path)[0].shape
        except mx.MXNetError:
            return "raises"


def files_of_empty_arrays_in_scopes():
    scopes = [(False, False), (False, True), (True, False), (True, True)]
    return [_saved_and_loaded(*scope, shape) for scope in scopes for shape in [(2, 0), (0,)]]


def files_of_scalars_in_scopes():
    return [_saved_and_loaded(True, loaded, ()) for loaded in (True, False)]


def parts_of_a_number():
    one = nd.array(3)
    return one[:].shape, one[()].shape, one[:].asscalar()


def losses_of_a_number():
    one = nd.array(1)
    names = ["L2Loss", "L1Loss", "HuberLoss", "HingeLoss", "LogisticLoss", "SigmoidBCELoss"]
    losses = [getattr(gluon.loss, name)()(nd.array([0.5]), one) for name in names]
    pair = nd.array([1.0, 2.0]), nd.array([2.0, 1.0])
    return losses, gluon.loss.CosineEmbeddingLoss()(*pair, one)


def _unfactored():
    return nd.linalg.potrf(nd.array([[1.0, 3.0], [3.0, 1.0]]))


def each_failed_array_raises():
    first, second = _unfactored(), _unfactored()
    copy = first.copy()
    return [_raised(item.asnumpy) for item in (first, copy, second, second)]


def waiting_for_all_drops_other_errors():
    first, second = _unfactored(), _unfactored()
    return _raised(nd.waitall), _raised(first.asnumpy), _raised(second.asnumpy)


def failed_draws_share_an_error():
    first, second = nd.random.normal(0, -1, shape=2), nd.random.normal(0, -2, shape=2)
    return _raised(first.asnumpy), _raised(second.asnumpy)


def an_executor_works_after_the_error():
    executor = (mx.sym.var("x") * 2).bind(mx.cpu(), {"x": _unfactored()})
    return [_raised(lambda: executor.forward()[0].asnumpy()) for _ in range(2)]


def draws_of_no_distribution():
    rows = [[-3.0, -0.5], [0.0, 0.0], [-1.0, 0.5]]
    return nd.random.multinomial(nd.array(rows), shape=4)


def draws_of_no_distribution_have_logarithms():
    return nd.sample_multinomial(nd.array([-4.0, -4.0, 9.0]), shape=2, get_prob=True)


def _address(values):
    return values.ctypes.data_as(ctypes.c_void_p)


def c_functions_copy_elements():
    lib, results = mx.base._LIB, []
    for dtype in ("float32", "float64", "int32", "uint8"):
        x, values = nd.array([[1, 2], [3, 4]], dtype=dtype), np.zeros((2, 2), dtype)
        size = ctypes.c_size_t(x.size)
        mx.base.check_call(lib.MXNDArraySyncCopyToCPU(x.handle, _address(values), size))
        values += 5
        mx.base.check_call(lib.MXNDArraySyncCopyFromCPU(x.handle, _address(values), size))
        results += [values, x]
    return results


def c_functions_give_memory():
    x, pointer = nd.zeros((2, 3)), ctypes.c_void_p()
    mx.base.check_call(mx.base._LIB.MXNDArrayWaitToWrite(x.handle))
    mx.base.check_call(mx.base._LIB.MXNDArrayGetData(x.handle, ctypes.byref(pointer)))
    (ctypes.c_float * 6).from_address(pointer.value)[4] = 2.5
    mx.base.check_call(mx.base._LIB.MXNDArrayWaitToRead(x.handle))
    return x


def c_functions_of_the_library():
    lib, version, before = mx.base._LIB, ctypes.c_int(), ctypes.c_int()
    mx.base.check_call(lib.MXGetVersion(ctypes.byref(version)))
    mx.base.check_call(lib.MXAutogradSetIsRecording(ctypes.c_int(1), ctypes.byref(before)))
    recording = autograd.is_recording()
    mx.base.check_call(lib.MXAutogradSetIsRecording(ctypes.c_int(0), ctypes.byref(before)))
    count, names = ctypes.c_uint(), ctypes.POINTER(ctypes.c_char_p)()
    mx.base.check_call(lib.MXListAllOpNames(ctypes.byref(count), ctypes.byref(names)))
    listed = {names[place].decode() for place in range(count.value)}
    known = {"dot", "Convolution", "_plus"} <= listed
    return version.value, recording, before.value, known, type(lib.MXGetLastError()).__name__


def c_functions_refuse_sizes():
    x, values = nd.ones(4), np.zeros(4, "float32")
    call = mx.base._LIB.MXNDArraySyncCopyToCPU
    return _raised(lambda: mx.base.check_call(call(x.handle, _address(values), ctypes.c_size_t(3))))


def an_empty_handle_takes_a_result():
    x = nd.NDArray(nd._new_empty_handle())
    nd.elemwise_mul(nd.array([2, 3]), nd.array([4, 5]), out=x)
    return x


def saved_into_an_open_file():
    net = gluon.nn.Dense(2, in_units=3)
    net.initialize()
    sizes = []
    for save in (
        net.save_parameters,
        lambda path: nd.save(path, [nd.ones(3)]),
        mx.sym.var("a").save,
    ):
        with tempfile.NamedTemporaryFile("w+b", dir=GIVEN["folder"]) as file:
            save(file.name)
            sizes.append(len(file.read()) > 20)
    return sizes


def saved_into_a_file_with_other_names():
    folder = GIVEN["folder"]
    real, hard, link = (os.path.join(folder, name) for name in ("real", "hard", "link"))
    open(real, "w").close()
    os.link(real, hard)
    os.symlink("real", link)
    nd.save(link, [nd.ones(2)])
    return os.path.islink(link), os.path.getsize(real), os.path.getsize(hard)


def lengths_of_numpy():
    net = gluon.nn.Conv2D(np.int64(3), 2, in_channels=np.int32(2))
    return net.weight.shape, {type(length).__name__ for length in net.weight.shape}


def a_trainer_drops_its_store_for_new_values():
    contexts = [mx.cpu(0), mx.cpu(1)]
    params = gluon.ParameterDict()
    weight = params.get("w", shape=(2,))
    params.initialize(ctx=contexts, init="ones")
    trainer = gluon.Trainer(params, "sgd", {"learning_rate": 0.5}, kvstore="device")

    def step():
        with autograd.record():
            losses = [value * 2 for value in weight.list_data()]
        autograd.backward(losses)
        trainer.step(1)

    step()
    kinds = [trainer._kvstore is None, trainer._kv_initialized]
    weight.set_data(nd.array([5, 6]))
    kinds += [trainer._kvstore is None, trainer._kv_initialized]
    step()
    return kinds, weight.list_data()


def capabilities_of_the_class_of_a_store():
    return type(mx.kv.create("teststore")).is_capable("optimizer")


PROGRAMS = functions(globals())

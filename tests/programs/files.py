"""Arrays outside of the process's arrays: files, pickles, NumPy and DLPack."""

from __future__ import annotations

import copy
import gc
import pickle
import tempfile
from functools import partial

import mxnet as mx
import numpy as np
from mxnet import nd

from .core import functions, lines
from .file_helpers import f, x


def _saved(dtype):
    nd.save(f, nd.array([[0, 1, 2]], dtype=dtype))
    return nd.load(f)


def _pickled(dtype):
    return pickle.loads(pickle.dumps(nd.array([0, 1], dtype=dtype)))


def pickled_view_owns_its_memory():
    y = pickle.loads(pickle.dumps(x))
    y[:] = 0
    return x, y


def a_file_that_the_program_holds_open():
    found = []
    net = mx.gluon.nn.Dense(2, in_units=3)
    net.initialize(mx.init.Constant(0.5))
    for save in (net.save_parameters, lambda name: nd.save(name, {"a": x}), mx.sym.var("d").save):
        with tempfile.NamedTemporaryFile("w+b") as file:
            save(file.name)
            file.seek(0)
            content = file.read()
            found += [len(content), content[:8].hex()]
    return found


def deepcopy_owns_its_memory():
    y = copy.deepcopy(x)
    y[:] = 0
    return x, y


def copy_and_memory():
    y = copy.copy(x)
    y[:] = 0
    return x, y


def deepcopy_and_gradient():
    x.attach_grad()
    return copy.deepcopy(x).grad


def loaded_array_is_writable():
    nd.save(f, x)
    y = nd.load(f)[0]
    y[0] = 9
    return y


def loaded_in_a_scope():
    nd.save(f, x)
    with mx.cpu(1):
        r = nd.load(f)
    return r


def cpu_shared():
    nd.save(f, x.copyto(mx.Context("cpu_shared", 0)))
    return nd.load(f)


def from_numpy():
    a = np.arange(3, dtype="float32")
    return nd.from_numpy(a)


def from_numpy_shares():
    a = np.arange(3, dtype="float32")
    x = nd.from_numpy(a)
    x[0] = 9
    x.wait_to_read()
    return (a, x)


def from_numpy_makes_read_only():
    a = np.arange(3, dtype="float32")
    x = nd.from_numpy(a)
    return a.flags.writeable


def from_numpy_without_sharing():
    a = np.arange(3, dtype="float32")
    x = nd.from_numpy(a, zero_copy=False)
    a[0] = 9
    return (a.flags.writeable, x)


def from_numpy_int64():
    return nd.from_numpy(np.arange(3))


def from_numpy_float64():
    return nd.from_numpy(np.arange(3.0))


def from_numpy_int64_copied():
    return nd.from_numpy(np.arange(3), zero_copy=False)


def from_numpy_bool():
    return nd.from_numpy(np.array([True, False]))


def from_numpy_2d():
    return nd.from_numpy(np.arange(4, dtype="int32").reshape(2, 2))


def from_numpy_transposed():
    return nd.from_numpy(np.arange(4.0).reshape(2, 2).T)


def from_numpy_strided():
    return nd.from_numpy(np.arange(4.0)[::2])


def from_numpy_list():
    return nd.from_numpy([1, 2])


def from_numpy_in_a_scope():
    with mx.cpu(1):
        r = nd.from_numpy(np.arange(2.0)).context
    return r


def from_numpy_read_only_source():
    a = np.arange(3.0)
    a.flags.writeable = False
    return nd.from_numpy(a)


def from_numpy_outlives():
    x = nd.from_numpy(np.arange(3, dtype="float32") + 1)
    gc.collect()
    return x * 1


def asnumpy_is_a_copy():
    x = nd.zeros(2)
    a = x.asnumpy()
    a[0] = 9
    return (x, a)


def asnumpy_is_writable():
    return nd.zeros(2).asnumpy().flags.writeable


def asnumpy_is_contiguous():
    return nd.zeros((2, 3)).T.asnumpy().flags.c_contiguous


def dlpack_read():
    x = nd.array([1, 2])
    return nd.from_dlpack(nd.to_dlpack_for_read(x))


def dlpack_write():
    x = nd.array([1, 2])
    y = nd.from_dlpack(nd.to_dlpack_for_write(x))
    y[0] = 9
    return x, y


def dlpack_int32():
    return nd.from_dlpack(nd.array([1, 2], dtype="int32").to_dlpack_for_read())


def dlpack_float64():
    return nd.from_dlpack(nd.array([1], dtype="float64").to_dlpack_for_read())


def dlpack_view():
    x = nd.ones((2, 3))
    return nd.from_dlpack(x[1].to_dlpack_for_read())


def dlpack_capsule():
    return type(nd.array([1]).to_dlpack_for_read()).__name__


def dlpack_twice():
    c = nd.array([1, 2]).to_dlpack_for_read()
    nd.from_dlpack(c)
    return nd.from_dlpack(c)


PROGRAMS = {
    **lines(
        "file_helpers",
        """
        nd.save(f, x)
        (nd.save(f, x), nd.load(f))[1]
        (nd.save(f, [x, x + 1]), nd.load(f))[1]
        (nd.save(f, (x, x + 1)), nd.load(f))[1]
        (nd.save(f, {'a': x, 'b': x + 1}), nd.load(f))[1]
        (nd.save(f, {'arg:a': x}), nd.load(f))[1]
        (nd.save(f, []), nd.load(f))[1]
        (nd.save(f, {}), nd.load(f))[1]
        (nd.save(f, {'é': x}), nd.load(f))[1]
        (nd.save(f, {'': x}), nd.load(f))[1]
        (nd.save(f, x[0]), nd.load(f))[1]
        (nd.save(f, x.T), nd.load(f))[1]
        (nd.save(f, x.copyto(mx.cpu(1))), nd.load(f))[1]
        (nd.save(f, [x, x.astype('int32')]), nd.load(f))[1]
        (nd.save(f, x), nd.save(f, x + 1), nd.load(f))[2]
        (nd.save(f, x), nd.load_frombuffer(read(f)))[1]
        (nd.save(f, {'a': x}), nd.load_frombuffer(read(f)))[1]
        nd.save(f, 5)
        nd.save(f, None)
        nd.save(f, 'abc')
        nd.save(f, [1, 2])
        nd.save(f, [x, 1])
        nd.save(f, {'a': 1})
        nd.save(f, {1: x})
        nd.save(f, np.ones(2))
        nd.save(f, [np.ones(2)])
        nd.save(5, x)
        nd.save(None, x)
        nd.save(os.path.join(folder, 'no', 'a.params'), x)
        nd.load(os.path.join(folder, 'missing.params'))
        nd.load(5)
        nd.load(None)
        nd.load(folder)
        nd.load_frombuffer('abc')
        nd.load_frombuffer(5)
        nd.load_frombuffer(b'')
        nd.load_frombuffer(b'abcdefgh' * 10)
        (write(f, b''), nd.load(f))[1]
        (nd.save(f, x), write(f, read(f)[:60]), nd.load(f))[2]
        (nd.save(f, x), len(read(f)))[1]
        (nd.save(f, x), read(f).hex())[1]
        (nd.save(f, {'w': x.astype('int8')}), read(f).hex())[1]
        mx.nd.save is mx.ndarray.save
        mx.nd.utils.load is mx.nd.load
        pickle.loads(pickle.dumps(x))
        pickle.loads(pickle.dumps(x, 2))
        pickle.loads(pickle.dumps(x[0]))
        pickle.loads(pickle.dumps(x.T))
        pickle.loads(pickle.dumps([x, x]))
        pickle.loads(pickle.dumps({'a': x}))
        pickle.loads(pickle.dumps(x.astype('int64')))
        pickle.loads(pickle.dumps(x.astype('bool')))
        pickle.loads(pickle.dumps(x.copyto(mx.cpu(1))))
        pickle.loads(pickle.dumps(x)).grad
        pickle.loads(read(os.path.join(golden, 'pickled.bin')))
        pickle.dumps(x, 2).hex()
        copy.copy(x)
        copy.copy(x) is x
        copy.deepcopy(x)
        copy.deepcopy(x) is x
        copy.deepcopy([x])[0]
        copy.deepcopy({'a': x[0]})
        copy.deepcopy(x.copyto(mx.cpu(1)))
        x.__getstate__().keys() == {'handle'}
        x.__reduce__()[0].__name__
        """,
    ),
    **{
        f"save and load {dtype}": partial(_saved, dtype)
        for dtype in ("float16", "float32", "float64", "uint8", "int8", "int32", "int64", "bool")
    },
    **{
        f"pickle {dtype}": partial(_pickled, dtype)
        for dtype in ("float16", "float32", "float64", "uint8", "int8", "int32", "int64", "bool")
    },
    **functions(globals()),
}

"""Arrays outside of the process's arrays: files, pickles, NumPy and DLPack."""

from .core import of

SETUP = "import copy, os, pathlib, pickle\nread = lambda p: pathlib.Path(p).read_bytes()\n"
SETUP += "write = lambda p, content: pathlib.Path(p).write_bytes(content)\n"
SETUP += "f = os.path.join(folder, 'a.params')\nx = nd.array([[1, 2], [3, 4]])\n"

PROGRAMS = {
    **of(
        SETUP,
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
        f"save and load {dtype}": (
            f"{SETUP}nd.save(f, nd.array([[0, 1, 2]], dtype='{dtype}'))\nr = nd.load(f)"
        )
        for dtype in ("float16", "float32", "float64", "uint8", "int8", "int32", "int64", "bool")
    },
    **{
        f"pickle {dtype}": (
            f"{SETUP}r = pickle.loads(pickle.dumps(nd.array([0, 1], dtype='{dtype}')))"
        )
        for dtype in ("float16", "float32", "float64", "uint8", "int8", "int32", "int64", "bool")
    },
    "pickled view owns its memory": (
        f"{SETUP}y = pickle.loads(pickle.dumps(x))\ny[:] = 0\nr = (x, y)"
    ),
    "deepcopy owns its memory": f"{SETUP}y = copy.deepcopy(x)\ny[:] = 0\nr = (x, y)",
    "copy.copy and memory": f"{SETUP}y = copy.copy(x)\ny[:] = 0\nr = (x, y)",
    "deepcopy and gradient": f"{SETUP}x.attach_grad()\nr = copy.deepcopy(x).grad",
    "loaded array is writable": f"{SETUP}nd.save(f, x)\ny = nd.load(f)[0]\ny[0] = 9\nr = y",
    "loaded in a scope": f"{SETUP}nd.save(f, x)\nwith mx.cpu(1):\n    r = nd.load(f)",
    "cpu_shared": f"{SETUP}nd.save(f, x.copyto(mx.Context('cpu_shared', 0)))\nr = nd.load(f)",
    "from_numpy": "a = np.arange(3, dtype='float32')\nr = nd.from_numpy(a)",
    "from_numpy shares": (
        "a = np.arange(3, dtype='float32')\nx = nd.from_numpy(a)\n"
        "x[0] = 9\nx.wait_to_read()\nr = (a, x)"
    ),
    "from_numpy makes read-only": (
        "a = np.arange(3, dtype='float32')\nx = nd.from_numpy(a)\nr = a.flags.writeable"
    ),
    "from_numpy without sharing": (
        "a = np.arange(3, dtype='float32')\nx = nd.from_numpy(a, zero_copy=False)\na[0] = 9\n"
        "r = (a.flags.writeable, x)"
    ),
    "from_numpy int64": "r = nd.from_numpy(np.arange(3))",
    "from_numpy float64": "r = nd.from_numpy(np.arange(3.0))",
    "from_numpy int64 copied": "r = nd.from_numpy(np.arange(3), zero_copy=False)",
    "from_numpy bool": "r = nd.from_numpy(np.array([True, False]))",
    "from_numpy 2d": "r = nd.from_numpy(np.arange(4, dtype='int32').reshape(2, 2))",
    "from_numpy transposed": "r = nd.from_numpy(np.arange(4.0).reshape(2, 2).T)",
    "from_numpy strided": "r = nd.from_numpy(np.arange(4.0)[::2])",
    "from_numpy list": "r = nd.from_numpy([1, 2])",
    "from_numpy in a scope": "with mx.cpu(1):\n    r = nd.from_numpy(np.arange(2.0)).context",
    "from_numpy read-only source": (
        "a = np.arange(3.0)\na.flags.writeable = False\nr = nd.from_numpy(a)"
    ),
    "from_numpy outlives": (
        "import gc\nx = nd.from_numpy(np.arange(3, dtype='float32') + 1)\ngc.collect()\nr = x * 1"
    ),
    "asnumpy is a copy": "x = nd.zeros(2)\na = x.asnumpy()\na[0] = 9\nr = (x, a)",
    "asnumpy is writable": "r = nd.zeros(2).asnumpy().flags.writeable",
    "asnumpy is contiguous": "r = nd.zeros((2, 3)).T.asnumpy().flags.c_contiguous",
    "dlpack read": "x = nd.array([1, 2])\nr = nd.from_dlpack(nd.to_dlpack_for_read(x))",
    "dlpack write": (
        "x = nd.array([1, 2])\ny = nd.from_dlpack(nd.to_dlpack_for_write(x))\ny[0] = 9\nr = (x, y)"
    ),
    "dlpack int32": "r = nd.from_dlpack(nd.array([1, 2], dtype='int32').to_dlpack_for_read())",
    "dlpack float64": "r = nd.from_dlpack(nd.array([1], dtype='float64').to_dlpack_for_read())",
    "dlpack view": "x = nd.ones((2, 3))\nr = nd.from_dlpack(x[1].to_dlpack_for_read())",
    "dlpack capsule": "r = type(nd.array([1]).to_dlpack_for_read()).__name__",
    "dlpack twice": (
        "c = nd.array([1, 2]).to_dlpack_for_read()\nnd.from_dlpack(c)\nr = nd.from_dlpack(c)"
    ),
}

"""What tests of users import from `mx.test_utils`."""

from __future__ import annotations

from .core import lines

PROGRAMS = lines(
    "checking_use_helpers",
    """
fails(lambda: assert_almost_equal(nd.ones((2, 2)), np.ones((2, 2)))), fails(lambda: assert_almost_equal(nd.ones((2, 2)), np.ones((2, 2)) * 1.1))
fails(lambda: assert_almost_equal(a, a + 1e-3, rtol=1e-2, atol=1e-2)), fails(lambda: assert_almost_equal(a, a + 1e-3, rtol=1e-5, atol=1e-5, names=('one', 'two')))
fails(lambda: assert_almost_equal(1.0, 1.0)), fails(lambda: assert_almost_equal(np.float32(1), nd.array([1])))
fails(lambda: assert_almost_equal(nd.array([1, 2], dtype='int32'), nd.array([1, 3], dtype='int32')))
fails(lambda: assert_almost_equal(nd.ones((2,), dtype='float16'), nd.ones((2,), dtype='float16') * 1.005))
fails(lambda: assert_almost_equal_with_err(a, a + 1, etol=0.5)), fails(lambda: assert_almost_equal_with_err(a, a, etol=0.5))
fails(lambda: assert_exception(lambda: 1 / 0, ZeroDivisionError)), fails(lambda: assert_exception(lambda: 1, ZeroDivisionError))
fails(lambda: assert_exception(nd.zeros, mx.MXNetError, (2, -3)))
rand_ndarray((2, 3)).shape, rand_ndarray((2, 3), dtype='float64').dtype, rand_ndarray((4, 3), 'csr', 0.5).stype, rand_ndarray((4, 3), stype='row_sparse', density=0.5).stype
random_arrays((2, 3)), random_arrays((2,), (1,))
type(random_arrays((2, 3))).__name__, type(random_arrays((2, 3), (1,))).__name__
random_sample([1, 2, 3, 4], 2)
random_uniform_arrays((2, 2), low=1.0, high=2.0, dtype='float32')[0].dtype
create_2d_tensor(2, 3)
create_vector(3)
list_gpus(), default_context(), default_dtype()
(set_default_context(mx.cpu(1)), default_context(), nd.ones(1).context, set_default_context(mx.cpu(0)))[1:3]
almost_equal(a, a + 1e-7), almost_equal(a, a + 1), almost_equal_ignore_nan(np.array([1, np.nan]), np.array([1, 2.0]))
find_max_violation(a, a + 0.1, 1e-3, 1e-3)
np_reduce(a, 1, True, np.sum), np_reduce(a, (0, 1), False, np.max)
simple_forward(mx.sym.exp(x), x=a)
simple_forward(mx.sym.exp(x), is_train=True, x=nd.array(a))
check_symbolic_forward(mx.sym.exp(x), [a], [np.exp(a)])
check_symbolic_forward(mx.sym.exp(x), {'x': a}, [np.exp(a)], rtol=1e-3)
fails(lambda: check_symbolic_forward(mx.sym.exp(x), [a], [a]))
check_symbolic_backward(mx.sym.exp(x), [a], [np.ones_like(a)], [np.exp(a)])
check_symbolic_backward(mx.sym.exp(x), [a], [np.ones_like(a)], {'x': np.exp(a)})
fails(lambda: check_symbolic_backward(mx.sym.exp(x), [a], [np.ones_like(a)], [a]))
check_symbolic_backward(mx.sym.exp(x), [a], [np.ones_like(a)], [a * 0], grad_req='null')
check_numeric_gradient(mx.sym.FullyConnected(x, num_hidden=2, name='f'), [a, np.ones((2, 3)), np.ones(2)], rtol=1e-2, atol=1e-2)
fails(lambda: check_numeric_gradient(mx.sym.tanh(x), [a], numeric_eps=1e-3, rtol=1e-1, atol=1e-2))
fails(lambda: check_numeric_gradient(mx.sym.floor(x) * x, [a + 0.5], rtol=1e-2, atol=1e-2))
len(check_consistency(mx.sym.FullyConnected(x, num_hidden=3), [{'ctx': mx.cpu(0), 'x': (2, 3), 'type_dict': {'x': np.float32}}] * 2))
len(check_consistency(mx.sym.Convolution(x, num_filter=2, kernel=(3, 3)), [{'ctx': mx.cpu(0), 'x': (1, 2, 5, 5)}, {'ctx': mx.cpu(1), 'x': (1, 2, 5, 5)}]))
same_array(nd.ones(2), nd.ones(2))
(lambda v: same_array(v, v))(nd.ones(2))
collapse_sum_like(nd.ones((2, 3)), (1, 3))
assign_each(np.arange(3.0), lambda v: v * 2), assign_each2(np.arange(3.0), np.ones(3), lambda u, v: u + v)
compare_ndarray_tuple((nd.ones(1), (nd.ones(2),)), (nd.ones(1), (nd.ones(2),)))
fails(lambda: compare_ndarray_tuple((nd.ones(1),), (nd.zeros(1),)))
compare_optimizer(mx.optimizer.SGD(momentum=0.9), mx.optimizer.SGD(momentum=0.9), [(3, 4)], 'float32', ntensors=1)
is_cd_run(), has_tvm_ops(), is_op_runnable()
(lambda it: [it.next().data[0].shape for _ in range(3)])(DummyIter(mx.io.NDArrayIter(np.ones((4, 2)), np.ones(4), 2)))
gen_buckets_probs_with_ppf(lambda v: v, 4)
list(EnvManager('A_NAME', '1').__class__.__mro__)[0].__name__
(lambda n: [n.initialize(), check_gluon_hybridize_consistency(lambda: n, [nd.ones((2, 3))])])(gluon.nn.Dense(2)) and 1
effective_dtype(nd.ones(1)), effective_dtype(np.ones(1, 'float16'))
new_matrix_with_real_eigvals_2d(3).shape, new_sym_matrix_with_real_eigvals_2d(3).shape, new_orthonormal_matrix_2d(3).shape
tuple(map(int, rand_shape_2d(4, 5) + rand_shape_3d() + rand_shape_nd(4, 3) + rand_coord_2d(0, 5, 0, 5)))
collapse_sum_like(a, (3, 3))
collapse_sum_like(a, (3,)), collapse_sum_like(a, (2, 1)), collapse_sum_like(a, ())
bool(mean_check(lambda n: np.random.normal(0, 1, n), 0, 1, nsamples=2000)), bool(var_check(lambda n: np.random.normal(0, 1, n), 1, nsamples=2000))
""",  # noqa: E501
)

"""Helpers for tests: comparisons, random arrays, checks of gradients, data."""

import numpy as np

import mxnet as mx
from mxnet._start import tracebacks
from mxnet._state import use_np_default_dtype as use_np_default_dtype
from mxnet.device import current_device as current_device
from mxnet.test_utils._compare import almost_equal as almost_equal
from mxnet.test_utils._compare import assert_allclose as assert_allclose
from mxnet.test_utils._compare import assert_almost_equal as assert_almost_equal
from mxnet.test_utils._compare import (
    assert_almost_equal_ignore_nan as assert_almost_equal_ignore_nan,
)
from mxnet.test_utils._compare import assert_almost_equal_with_err as assert_almost_equal_with_err
from mxnet.test_utils._compare import assert_exception as assert_exception
from mxnet.test_utils._compare import checkShapes as checkShapes
from mxnet.test_utils._compare import compare_ndarray_tuple as compare_ndarray_tuple
from mxnet.test_utils._compare import default_atols as default_atols
from mxnet.test_utils._compare import default_numeric_eps as default_numeric_eps
from mxnet.test_utils._compare import default_rtols as default_rtols
from mxnet.test_utils._compare import effective_dtype as effective_dtype
from mxnet.test_utils._compare import get_atol as get_atol
from mxnet.test_utils._compare import get_etol as get_etol
from mxnet.test_utils._compare import get_rtol as get_rtol
from mxnet.test_utils._compare import get_tolerance as get_tolerance
from mxnet.test_utils._compare import get_tols as get_tols
from mxnet.test_utils._compare import locationError as locationError
from mxnet.test_utils._compare import same as same
from mxnet.test_utils._compare import same_array as same_array
from mxnet.test_utils._consistency import DummyIter as DummyIter
from mxnet.test_utils._consistency import check_consistency as check_consistency
from mxnet.test_utils._consistency import (
    check_gluon_hybridize_consistency as check_gluon_hybridize_consistency,
)
from mxnet.test_utils._consistency import compare_optimizer as compare_optimizer
from mxnet.test_utils._consistency import (
    compare_optimizer_noise_seeded as compare_optimizer_noise_seeded,
)
from mxnet.test_utils._data import assign_each as assign_each
from mxnet.test_utils._data import assign_each2 as assign_each2
from mxnet.test_utils._data import collapse_sum_like as collapse_sum_like
from mxnet.test_utils._data import create_2d_np_tensor as create_2d_np_tensor
from mxnet.test_utils._data import create_2d_tensor as create_2d_tensor
from mxnet.test_utils._data import create_sparse_array as create_sparse_array
from mxnet.test_utils._data import create_sparse_array_zd as create_sparse_array_zd
from mxnet.test_utils._data import create_vector as create_vector
from mxnet.test_utils._data import get_identity_mat as get_identity_mat
from mxnet.test_utils._data import get_identity_mat_batch as get_identity_mat_batch
from mxnet.test_utils._data import (
    new_matrix_with_real_eigvals_2d as new_matrix_with_real_eigvals_2d,
)
from mxnet.test_utils._data import (
    new_matrix_with_real_eigvals_nd as new_matrix_with_real_eigvals_nd,
)
from mxnet.test_utils._data import new_orthonormal_matrix_2d as new_orthonormal_matrix_2d
from mxnet.test_utils._data import (
    new_sym_matrix_with_real_eigvals_2d as new_sym_matrix_with_real_eigvals_2d,
)
from mxnet.test_utils._data import (
    new_sym_matrix_with_real_eigvals_nd as new_sym_matrix_with_real_eigvals_nd,
)
from mxnet.test_utils._data import np_reduce as np_reduce
from mxnet.test_utils._data import rand_coord_2d as rand_coord_2d
from mxnet.test_utils._data import rand_ndarray as rand_ndarray
from mxnet.test_utils._data import rand_shape_2d as rand_shape_2d
from mxnet.test_utils._data import rand_shape_3d as rand_shape_3d
from mxnet.test_utils._data import rand_shape_nd as rand_shape_nd
from mxnet.test_utils._data import rand_sparse_ndarray as rand_sparse_ndarray
from mxnet.test_utils._data import random_arrays as random_arrays
from mxnet.test_utils._data import random_sample as random_sample
from mxnet.test_utils._data import random_uniform_arrays as random_uniform_arrays
from mxnet.test_utils._data import shuffle_csr_column_indices as shuffle_csr_column_indices
from mxnet.test_utils._datasets import download as download
from mxnet.test_utils._datasets import download_model as download_model
from mxnet.test_utils._datasets import get_bz2_data as get_bz2_data
from mxnet.test_utils._datasets import get_cifar10 as get_cifar10
from mxnet.test_utils._datasets import get_im2rec_path as get_im2rec_path
from mxnet.test_utils._datasets import get_mnist as get_mnist
from mxnet.test_utils._datasets import get_mnist_iterator as get_mnist_iterator
from mxnet.test_utils._datasets import get_mnist_pkl as get_mnist_pkl
from mxnet.test_utils._datasets import get_mnist_ubyte as get_mnist_ubyte
from mxnet.test_utils._datasets import get_zip_data as get_zip_data
from mxnet.test_utils._gradients import check_numeric_gradient as check_numeric_gradient
from mxnet.test_utils._gradients import check_symbolic_backward as check_symbolic_backward
from mxnet.test_utils._gradients import check_symbolic_forward as check_symbolic_forward
from mxnet.test_utils._gradients import numeric_grad as numeric_grad
from mxnet.test_utils._running import check_speed as check_speed
from mxnet.test_utils._running import chi_square_check as chi_square_check
from mxnet.test_utils._running import default_context as default_context
from mxnet.test_utils._running import default_device as default_device
from mxnet.test_utils._running import default_dtype as default_dtype
from mxnet.test_utils._running import discard_stderr as discard_stderr
from mxnet.test_utils._running import environment as environment
from mxnet.test_utils._running import gen_buckets_probs_with_ppf as gen_buckets_probs_with_ppf
from mxnet.test_utils._running import has_tvm_ops as has_tvm_ops
from mxnet.test_utils._running import is_aarch64_run as is_aarch64_run
from mxnet.test_utils._running import is_cd_run as is_cd_run
from mxnet.test_utils._running import is_op_runnable as is_op_runnable
from mxnet.test_utils._running import list_gpus as list_gpus
from mxnet.test_utils._running import mean_check as mean_check
from mxnet.test_utils._running import retry as retry
from mxnet.test_utils._running import same_symbol_structure as same_symbol_structure
from mxnet.test_utils._running import set_default_context as set_default_context
from mxnet.test_utils._running import set_default_device as set_default_device
from mxnet.test_utils._running import set_env_var as set_env_var
from mxnet.test_utils._running import simple_forward as simple_forward
from mxnet.test_utils._running import var_check as var_check
from mxnet.test_utils._running import verify_generator as verify_generator

# Tests that take everything from here (`import *`) find these names and modules, too.
rnd, npt = np.random, np.testing
np_symbol = mx.sym.np._Symbol

tracebacks.public_functions(globals())

"""How MXNet 2 sorts its functions for mixed precision, by what it changed in 1.9.1's lists."""

from __future__ import annotations

from collections.abc import Mapping
from types import ModuleType, SimpleNamespace

from mxnet.contrib.amp.lists import symbol_bf16 as classic_bf16
from mxnet.contrib.amp.lists import symbol_fp16 as classic_fp16

_CHANGED_FLOAT16 = {
    "FP16_FP32_FUNCS": (
        """
        _CachedOpThreadSafe _FusedOp _FusedOpHelper _FusedOpOutHelper _adabelief_update
        _contrib_BatchNormWithReLU _contrib_allclose _contrib_arange_like
        _contrib_dynamic_reshape _contrib_intgemm_fully_connected
        _contrib_intgemm_maxabsolute _contrib_intgemm_prepare_data
        _contrib_intgemm_prepare_weight _contrib_intgemm_take_weight
        _contrib_mrcnn_mask_target _contrib_quantized_batch_norm
        _contrib_quantized_elemwise_mul _contrib_quantized_embedding
        _contrib_quantized_reshape _contrib_quantized_transpose _contrib_round_ste
        _contrib_sign_ste _hypot_scalar _image_random_crop _image_random_resized_crop
        _mp_adabelief_update _multi_adabelief_update _multi_adamw_update _multi_lamb_update
        _multi_lans_update _multi_mp_adabelief_update _multi_mp_adamw_update
        _multi_mp_lamb_update _multi_mp_lans_update _np_reshape _npi_absolute _npi_add
        _npi_add_scalar _npi_advanced_indexing _npi_advanced_indexing_multiple _npi_all
        _npi_any _npi_arange _npi_arccosh _npi_arcsinh _npi_arctan _npi_arctan2
        _npi_arctan2_scalar _npi_argmax _npi_argmin _npi_around _npi_atleast_1d
        _npi_atleast_2d _npi_atleast_3d _npi_bernoulli _npi_bincount _npi_bitwise_and
        _npi_bitwise_and_scalar _npi_bitwise_left_shift _npi_bitwise_left_shift_scalar
        _npi_bitwise_not _npi_bitwise_or _npi_bitwise_or_scalar _npi_bitwise_right_shift
        _npi_bitwise_right_shift_scalar _npi_bitwise_xor _npi_bitwise_xor_scalar
        _npi_blackman _npi_boolean_mask_assign_scalar _npi_boolean_mask_assign_tensor
        _npi_broadcast_to _npi_cbrt _npi_ceil _npi_choice _npi_copy _npi_copysign_scalar
        _npi_cos _npi_degrees _npi_delete _npi_diag _npi_diag_indices_from _npi_diagflat
        _npi_diagonal _npi_diff _npi_dsplit _npi_equal_scalar _npi_exponential _npi_eye
        _npi_fill_diagonal _npi_fix _npi_flip _npi_floor _npi_floor_divide
        _npi_floor_divide_scalar _npi_fmax_scalar _npi_fmin_scalar _npi_fmod_scalar
        _npi_full _npi_full_like _npi_gamma _npi_gcd _npi_gcd_scalar
        _npi_greater_equal_scalar _npi_greater_scalar _npi_gumbel _npi_hamming _npi_hanning
        _npi_hsplit _npi_identity _npi_indices _npi_insert_scalar _npi_insert_slice
        _npi_insert_tensor _npi_interp _npi_isfinite _npi_isinf _npi_isnan _npi_isneginf
        _npi_isposinf _npi_laplace _npi_lcm _npi_lcm_scalar _npi_less_equal_scalar
        _npi_less_scalar _npi_linspace _npi_logical_and_scalar _npi_logical_not
        _npi_logical_or_scalar _npi_logical_xor_scalar _npi_logistic _npi_logspace _npi_max
        _npi_min _npi_mod _npi_mod_scalar _npi_moveaxis _npi_multinomial _npi_multiply
        _npi_multiply_scalar _npi_nan_to_num _npi_negative _npi_normal _npi_normal_n
        _npi_not_equal_scalar _npi_ones _npi_pad _npi_pareto _npi_percentile _npi_powerd
        _npi_radians _npi_rarctan2_scalar _npi_rayleigh _npi_rbitwise_left_shift_scalar
        _npi_rbitwise_right_shift_scalar _npi_rcopysign_scalar _npi_repeats
        _npi_rfloor_divide_scalar _npi_rfmod_scalar _npi_rint _npi_rmod_scalar _npi_roll
        _npi_rollaxis _npi_rot90 _npi_rsubtract_scalar _npi_rtrue_divide_scalar
        _npi_share_memory _npi_sign _npi_sin _npi_sqrt _npi_squeeze _npi_subtract
        _npi_subtract_scalar _npi_tanh _npi_transpose _npi_tri _npi_tril _npi_tril_indices
        _npi_triu _npi_true_divide _npi_true_divide_scalar _npi_trunc _npi_uniform
        _npi_uniform_n _npi_unique _npi_weibull _npi_where_lscalar _npi_where_rscalar
        _npi_where_scalar2 _npi_zeros _npx_cond _npx_constraint_check _npx_foreach
        _npx_nonzero _npx_quantized_reshape _npx_quantized_transpose _npx_relu _npx_reshape
        _npx_sigmoid _npx_while_loop _random_binomial _random_binomial_like _sample_binomial
        _sample_categorical col2im im2col lamb_update_phase1 lamb_update_phase2 log_sigmoid
        mish mp_lamb_update_phase1 mp_lamb_update_phase2 mp_nag_mom_update multi_lars
        multi_sum_sq nag_mom_update preloaded_multi_mp_sgd_mom_update
        preloaded_multi_mp_sgd_update preloaded_multi_sgd_mom_update
        preloaded_multi_sgd_update reset_arrays
        """,
        """
        BatchNorm_v1 CuDNNBatchNorm Pooling_v1 _DivScalar _EqualScalar _GreaterEqualScalar
        _GreaterScalar _LesserEqualScalar _LesserScalar _LogicalAndScalar _LogicalOrScalar
        _LogicalXorScalar _MaximumScalar _MinimumScalar _MinusScalar _ModScalar _MulScalar
        _NotEqualScalar _PlusScalar _RMinusScalar _RModScalar _TensorRT _add
        _broadcast_backward _contrib_SparseEmbedding _contrib_ifft _crop_assign
        _crop_assign_scalar _scatter_minus_scalar _scatter_plus_scalar _sg_mkldnn_conv
        _sg_mkldnn_fully_connected _sparse_Embedding _sparse_FullyConnected _sparse_abs
        _sparse_adam_update _sparse_arccosh _sparse_arcsinh _sparse_arctan
        _sparse_cast_storage _sparse_cbrt _sparse_ceil _sparse_clip _sparse_concat
        _sparse_cos _sparse_degrees _sparse_fix _sparse_floor _sparse_ftrl_update
        _sparse_negative _sparse_radians _sparse_relu _sparse_rint _sparse_round
        _sparse_sgd_mom_update _sparse_sgd_update _sparse_sigmoid _sparse_sign _sparse_sin
        _sparse_sinh _sparse_slice _sparse_sqrt _sparse_stop_gradient _sparse_tanh
        _sparse_trunc _sparse_zeros_like _split_v2_backward broadcast_axes cast
        choose_element_0index crop flatten flip identity max_axis min_axis normal pad
        random_exponential random_gamma random_generalized_negative_binomial
        random_negative_binomial random_normal random_poisson random_randint random_uniform
        ravel_multi_index reshape sample_exponential sample_gamma
        sample_generalized_negative_binomial sample_multinomial sample_negative_binomial
        sample_normal sample_poisson sample_uniform shuffle split stop_gradient swapaxes
        uniform unravel_index
        """,
    ),
    "FP16_FUNCS": (
        """
        _linalg_gemm _linalg_gemm2 _npi_einsum _npi_matmul
        """,
        "",
    ),
    "FP32_FUNCS": (
        """
        _contrib_calibrate_entropy _contrib_sldwin_atten_context
        _contrib_sldwin_atten_mask_like _contrib_sldwin_atten_score _npi_arccos _npi_arcsin
        _npi_arctanh _npi_average _npi_cholesky _npi_cosh _npi_cumsum _npi_eig _npi_eigh
        _npi_eigvals _npi_eigvalsh _npi_exp _npi_expm1 _npi_ldexp _npi_ldexp_scalar _npi_log
        _npi_log10 _npi_log1p _npi_log2 _npi_logaddexp _npi_logaddexp_scalar _npi_lstsq
        _npi_matrix_rank _npi_matrix_rank_none_tol _npi_mean _npi_norm _npi_pinv
        _npi_pinv_scalar_rcond _npi_polyval _npi_power _npi_power_scalar _npi_prod _npi_qr
        _npi_reciprocal _npi_rldexp_scalar _npi_rpower_scalar _npi_sinh _npi_solve
        _npi_square _npi_std _npi_sum _npi_svd _npi_tan _npi_tensorinv _npi_tensorsolve
        _npi_trace _npi_var _npx_deformable_convolution
        _npx_modulated_deformable_convolution _sg_onednn_batch_dot _sg_onednn_conv
        _sg_onednn_fully_connected _sg_onednn_selfatt_qk _sg_onednn_selfatt_valatt digamma
        masked_log_softmax masked_softmax
        """,
        """
        Convolution_v1 Softmax _Hypot _HypotScalar _Power _PowerScalar _RDivScalar
        _RPowerScalar _contrib_CTCLoss _contrib_DeformableConvolution _contrib_ctc_loss
        _hypot _hypot_scalar _linalg_gemm _linalg_gemm2 _sparse_LinearRegressionOutput
        _sparse_LogisticRegressionOutput _sparse_MAERegressionOutput _sparse_arccos
        _sparse_arcsin _sparse_arctanh _sparse_cosh _sparse_exp _sparse_expm1 _sparse_gamma
        _sparse_gammaln _sparse_log _sparse_log10 _sparse_log1p _sparse_log2
        _sparse_make_loss _sparse_mean _sparse_norm _sparse_rsqrt _sparse_square _sparse_tan
        broadcast_hypot ctc_loss linalg_det linalg_extractdiag linalg_extracttrian
        linalg_gelqf linalg_gemm linalg_gemm2 linalg_inverse linalg_makediag
        linalg_maketrian linalg_potrf linalg_potri linalg_slogdet linalg_sumlogdiag
        linalg_syrk linalg_trmm linalg_trsm sum_axis
        """,
    ),
    "WIDEST_TYPE_CASTS": (
        """
        _contrib_RROIAlign _contrib_box_decode _contrib_box_encode _hypot _npi_column_stack
        _npi_copysign _npi_cross _npi_dot _npi_dstack _npi_ediff1d _npi_equal _npi_fmax
        _npi_fmin _npi_fmod _npi_greater _npi_greater_equal _npi_hstack _npi_hypot _npi_kron
        _npi_less _npi_less_equal _npi_logical_and _npi_logical_or _npi_logical_xor
        _npi_not_equal _npi_tensordot _npi_tensordot_int_axes _npi_vstack _npi_where
        _npx_index_add _npx_index_update broadcast_hypot
        """,
        """
        ElementWiseSum _Div _Equal _Greater _Greater_Equal _Lesser _Lesser_Equal
        _Logical_And _Logical_Or _Logical_Xor _Maximum _Minimum _Minus _Mod _Mul _Not_Equal
        _Plus _contrib_box_non_maximum_suppression _div _minus _mul _plus
        _scatter_elemwise_div _sparse_ElementWiseSum _sparse_add_n _sparse_broadcast_add
        _sparse_broadcast_div _sparse_broadcast_minus _sparse_broadcast_mul
        _sparse_broadcast_plus _sparse_broadcast_sub _sparse_dot _sparse_elemwise_add
        _sparse_elemwise_div _sparse_elemwise_mul _sparse_elemwise_sub _sparse_sum
        _sparse_where _sub broadcast_minus broadcast_plus concat random_pdf_dirichlet
        random_pdf_exponential random_pdf_gamma random_pdf_generalized_negative_binomial
        random_pdf_negative_binomial random_pdf_normal random_pdf_poisson random_pdf_uniform
        """,
    ),
}
"""Names that were added and that are gone, by list."""

_CHANGED_BFLOAT16 = {
    "FP32_FUNCS": (
        """
        _npx_deformable_convolution _sg_onednn_batch_dot _sg_onednn_conv
        _sg_onednn_fully_connected log_sigmoidmax_axis masked_log_softmax masked_softmax
        mish
        """,
        """
        BatchNorm_v1 LinearRegressionOutput LogisticRegressionOutput MAERegressionOutput
        SVMOutput SoftmaxOutput _contrib_DeformableConvolution _contrib_SparseEmbedding
        _contrib_ifft _sg_mkldnn_conv _sg_mkldnn_fully_connected
        _sparse_LinearRegressionOutput _sparse_LogisticRegressionOutput
        _sparse_MAERegressionOutput max_axis
        """,
    ),
    "LOSS_OUTPUT_FUNCTIONS": (
        "",
        """
        LinearRegressionOutput LogisticRegressionOutput MAERegressionOutput SoftmaxOutput
        """,
    ),
}
"""Names that were added and that are gone, by list."""


def _change(module: ModuleType, changes: Mapping[str, tuple[str, str]]) -> SimpleNamespace:
    """Returns lists under the names that they have in a module."""
    lists = {name: value for name, value in vars(module).items() if name.isupper()}
    for name, (added, gone) in changes.items():
        kept = set(lists[name]) - set(gone.split())
        lists[name] = sorted(kept | set(added.split()))
    return SimpleNamespace(**lists)


symbol_fp16 = _change(classic_fp16, _CHANGED_FLOAT16)
symbol_bf16 = _change(classic_bf16, _CHANGED_BFLOAT16)

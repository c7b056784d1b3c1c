"""Names and attributes that MXNet 2 gives to operators of MXNet 1.9.1.

The names, in its functions and symbol files, are aliases of the operators, so that files of both
versions are read and functions of `mx.npx` that only MXNet 2 has are found by the names of their
operators.
"""

from __future__ import annotations

_CONTRIB = (
    *("bipartite_matching", "box_decode", "box_encode", "box_iou", "box_nms"),
    *("interleaved_matmul_encdec_qk", "interleaved_matmul_encdec_valatt"),
    *("interleaved_matmul_selfatt_qk", "interleaved_matmul_selfatt_valatt"),
    *("quantized_act", "quantized_conv", "quantized_elemwise_add", "quantized_elemwise_mul"),
    *("quantized_embedding", "quantized_flatten", "quantized_fully_connected"),
    *("quantized_pooling", "requantize", "round_ste", "sign_ste"),
)
_CLASSIC = ("add_n", "broadcast_greater", "broadcast_like", "norm", "slice_like", "softsign")
_NUMPY = (
    *("all", "any", "atleast_1d", "atleast_2d", "atleast_3d", "copy", "cumsum", "diag"),
    *("diagflat", "diagonal", "dot", "moveaxis", "prod", "roll", "squeeze", "sum", "trace"),
    "transpose",
)

LATER_NAMES: dict[str, tuple[str, ...]] = {
    **{f"_contrib_{name}": (f"_npx_{name}",) for name in _CONTRIB},
    **{name: (f"_npx_{name}",) for name in _CLASSIC},
    "_contrib_quantized_transpose": ("_npx_quantized_transpose", "quantized_transpose"),
    **{f"_np_{name}": (f"_npi_{name}",) for name in _NUMPY},
    "BlockGrad": ("_npx_stop_gradient",),
    "CTCLoss": ("_npx_ctc_loss",),
    "InstanceNorm": ("_npx_instance_norm",),
    "Pad": ("_npx_pad",),
    "SequenceLast": ("_npx_sequence_last",),
    "SequenceReverse": ("_npx_sequence_reverse",),
    "SliceChannel": ("_npx_slice_channel",),
    "_contrib_BatchNormWithReLU": ("_npx_batch_norm_with_relu",),
    "_contrib_DeformableConvolution": ("_npx_deformable_convolution",),
    "_contrib_ModulatedDeformableConvolution": ("_npx_modulated_deformable_convolution",),
    "_contrib_SyncBatchNorm": ("_npx_sync_batch_norm",),
    "_contrib_calibrate_entropy": ("_npx_contrib_calibrate_entropy",),
    "_contrib_quantize": ("_npx_contrib_quantize",),
    "_contrib_quantize_v2": ("_npx_contrib_quantize_v2",),
    "_contrib_quantized_reshape": ("quantized_reshape",),
    "_random_poisson": ("_npx_scalar_poisson",),
    "_sample_poisson": ("_npx_tensor_poisson",),
    "_sample_multinomial": (
        *("_sample_categorical", "sample_categorical"),
        "_npx__random_categorical",
    ),
    "_np_max": ("_npi_max", "_npi_amax"),
    "_np_min": ("_npi_min", "_npi_amin"),
    "_unravel_index": ("_npi_unravel_index",),
    "all_finite": ("_npi_all_finite",),
    "amp_cast": ("_npi_amp_cast",),
    "amp_multicast": ("_npi_amp_multicast",),
    "multi_all_finite": ("_npi_multi_all_finite",),
    "repeat": ("_npi_repeat",),
}
"""The names by those that the operators are declared with."""

_POOLING = ("global_pool", "cudnn_off", "pooling_convention", "stride", "pad", "p_value")

LATER_ATTRIBUTES: dict[str, frozenset[str]] = {
    **dict.fromkeys(("Pooling", "_contrib_quantized_pooling"), frozenset({"output_size"})),
    **dict.fromkeys(
        ("_image_random_flip_left_right", "_image_random_flip_top_bottom"), frozenset({"p"})
    ),
    "_contrib_AdaptiveAvgPooling2D": frozenset(
        {"kernel", "pool_type", *_POOLING, "count_include_pad", "layout"}
    ),
    "rmsprop_update": frozenset({"rho"}),
    "rmspropalex_update": frozenset({"rho", "momentum"}),
}
"""Attributes that only MXNet 2 has, by operators, of which they are the last. The classic dialect
takes them by name without saying so, since `out` follows the others by position."""

"""The functions of `mx.nd` that programs use most have an example that runs."""

from __future__ import annotations

import mxnet as mx

MOST_USED = """
    array zeros concat Activation Convolution transpose FullyConnected sum SoftmaxOutput
    Pooling ones argmax BatchNorm load mean softmax waitall expand_dims dot Flatten arange
    maximum sqrt Reshape stack zeros_like MakeLoss clip Dropout reshape log save Concat
    one_hot empty BlockGrad exp Custom full random_normal SoftmaxActivation abs relu pick
    LeakyReLU square max broadcast_mul power concatenate split batch_dot where sigmoid
    argmax_channel log_softmax Deconvolution norm ones_like tile repeat smooth_l1
    random_uniform broadcast_add topk add_n take flip ElementWiseSum flatten slice_axis
    Cast SliceChannel minimum L2Normalization argsort Crop Embedding tanh sin UpSampling
    squeeze slice identity min broadcast_div cast LinearRegressionOutput ROIPooling
    swapaxes uniform broadcast_to cos eye floor elemwise_add linalg_gemm2 divide normal
    SequenceMask
"""
"""The first 100 names by the number of public programs that use them."""

UNFINISHED = """
    BlockGrad Custom LinearRegressionOutput abs argmax broadcast_add
    broadcast_div broadcast_mul cos divide elemwise_add exp floor identity log max maximum
    mean min minimum normal ones_like power random_normal random_uniform relu sigmoid sin
    sqrt square sum tanh uniform zeros_like
"""
"""Those without an example yet, most of them made from tables; a name leaves when it gets one."""


def test_functions_without_an_example():
    names = MOST_USED.split()
    missing = [name for name in names if ">>> " not in getattr(mx.nd, name).__doc__]
    assert len(names) == 100
    assert sorted(missing) == UNFINISHED.split()

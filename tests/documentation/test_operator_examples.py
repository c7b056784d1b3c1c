"""The functions of `mx.nd` that programs use most have an example that runs."""

from __future__ import annotations

import doctest

import pytest

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


@pytest.mark.parametrize("name", MOST_USED.split())
def test_the_example_of_an_operator_runs(name):
    runner = doctest.DocTestRunner()
    function = getattr(mx.nd, name)
    (found,) = doctest.DocTestFinder().find(function, name, module=False, globs={})
    runner.run(found)
    assert runner.tries > 0, f"mx.nd.{name} has no example"
    assert runner.failures == 0


def test_there_are_a_hundred_names():
    assert len(set(MOST_USED.split())) == 100

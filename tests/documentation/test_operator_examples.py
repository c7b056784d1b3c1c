"""Operators have examples that run: all that programs use most, and nearly all others."""

from __future__ import annotations

import doctest
import inspect
import types

import pytest

import mxnet as mx
from mxnet.ops.core.registry import all_ops

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


PACKAGES = (
    mx.nd,
    *(mx.nd.contrib, mx.nd.linalg, mx.nd.image, mx.nd.random, mx.nd.sparse),
    mx.sym,
    *(mx.sym.contrib, mx.sym.linalg, mx.sym.image, mx.sym.random, mx.sym.sparse),
)
"""Modules with functions that run or build operators."""


def read_examples(name, text):
    """Returns the examples in a docstring; the parser of doctest wants them flush."""
    return doctest.DocTestParser().get_doctest(inspect.cleandoc(text or ""), {}, name, None, None)


def public_functions(package):
    """Returns the functions of a module by name, without those that are at home elsewhere."""
    members = {name: getattr(package, name) for name in dir(package) if name[0] != "_"}
    return {
        name: value
        for name, value in members.items()
        if isinstance(value, types.FunctionType) and value.__module__.startswith("mxnet")
        if value.__module__ not in ("mxnet.base", "mxnet.context")
    }


def test_examples_of_operators_without_a_public_name():
    runner = doctest.DocTestRunner()
    for op in all_ops():
        runner.run(read_examples(op.name, op.doc))
    assert runner.tries > 1000
    assert runner.failures == 0


@pytest.mark.parametrize("package", PACKAGES, ids=lambda package: package.__name__)
def test_examples_of_functions(package):
    runner = doctest.DocTestRunner()
    for name, function in public_functions(package).items():
        runner.run(read_examples(name, function.__doc__))
    assert runner.tries > 0
    assert runner.failures == 0


@pytest.mark.parametrize("package", PACKAGES, ids=lambda package: package.__name__)
def test_functions_without_an_example(package):
    functions = public_functions(package).items()
    lacking = {name for name, function in functions if ">>> " not in (function.__doc__ or "")}
    assert lacking == set()

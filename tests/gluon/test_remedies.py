"""What messages of Gluon propose to a program that passes the wrong thing."""

import pytest
import torch

import mxnet as mx
from mxnet import gluon
from mxnet.gluon import nn


def test_a_misspelt_network_is_answered_with_the_name_that_is_close():
    with pytest.raises(mx.MXNetError, match=r"'resnet19_v1' \(did you mean 'resnet18_v1'\?\)"):
        gluon.model_zoo.vision.get_model("resnet19_v1")


def test_a_network_in_place_of_its_parameters_names_collect_params():
    with pytest.raises(mx.MXNetError, match=r"give it net\.collect_params\(\)"):
        gluon.Trainer(nn.Dense(2), "sgd")


def test_other_things_in_place_of_parameters_name_no_method_that_they_lack():
    with pytest.raises(mx.MXNetError, match=r"got <class 'int'>$"):
        gluon.Trainer(3, "sgd")


def test_a_tensor_of_torch_in_place_of_an_array_names_from_torch():
    net = nn.Dense(2)
    net.initialize()
    with pytest.raises(
        mx.MXNetError, match=r"got torch\.Tensor; convert a tensor with mx\.nd\.from_torch"
    ):
        net(torch.ones(2, 3))
    assert net(mx.nd.from_torch(torch.ones(2, 3))).shape == (2, 2)

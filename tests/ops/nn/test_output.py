"""Output layers beyond the table: labels of several shapes, scaled gradients, sparse penalty."""

from __future__ import annotations

import pytest
import torch

from mxnet.ops.core.registry import get_op
from mxnet.ops.nn.output import identity_attach_kl_sparse_reg, softmax_output
from mxnet.ops.nn.softmax import softmax_cross_entropy


def gradient_of(function, *inputs, head=None, **attrs):
    data, *others = inputs
    data = data.clone().requires_grad_()
    output = function(data, *others, **attrs)
    output.backward(torch.rand_like(output) if head is None else head)
    return data.grad


@pytest.fixture
def scores() -> torch.Tensor:
    return torch.rand(2, 3, 2, 4, generator=torch.Generator().manual_seed(1))


@pytest.mark.parametrize("shape", [(2, 2, 4), (2, 1, 2, 4), (2, 8)])
@pytest.mark.parametrize("normalization", ["null", "batch", "valid"])
def test_labels_of_positions_may_have_any_shape(scores, shape, normalization):
    label = torch.tensor([0, 1, 2, -1, 0, 1, 2, 2] * 2, dtype=torch.float32).view(shape)
    options = {"multi_output": True, "normalization": normalization, "use_ignore": True}
    gradient = gradient_of(softmax_output, scores, label, **options)
    table = torch.softmax(scores, 1).flatten(2)
    expected = table - (label.view(2, 1, 8) == torch.arange(3).view(1, 3, 1)).float()
    expected = expected * (label.view(2, 1, 8) >= 0)
    divisor = {"null": 8, "batch": 16, "valid": 14}[normalization]
    torch.testing.assert_close(gradient, (expected / divisor).view_as(scores))


@pytest.mark.parametrize("kind", [torch.float64, torch.float32, torch.int64])
@pytest.mark.parametrize(
    "options",
    [{}, {"grad_scale": 2.5}, {"normalization": "batch"}, {"out_grad": True, "grad_scale": 0.5}],
)
def test_one_class_for_each_row_is_as_one_for_each_position(options, kind):
    generator = torch.Generator().manual_seed(2)
    rows = torch.rand(6, 4, generator=generator)
    head = torch.rand(6, 4, generator=generator)
    label = torch.tensor([0, 1.75, 3, 4, -1, 2]).to(kind)
    positions = gradient_of(
        softmax_output, rows[None], label[None], head=head[None], preserve_shape=True, **options
    )
    gradient = gradient_of(softmax_output, rows, label, head=head, **options)
    torch.testing.assert_close(gradient, positions[0])


@pytest.mark.parametrize("options", [{}, {"preserve_shape": True}, {"multi_output": True}])
def test_labels_may_be_probabilities(scores, options):
    label = torch.rand_like(scores)
    gradient = gradient_of(
        softmax_output, scores, label, grad_scale=2, normalization="batch", **options
    )
    output = softmax_output(scores, label, **options)
    torch.testing.assert_close(gradient, 2 * (output - label))


@pytest.mark.parametrize("name", ["SoftmaxOutput", "LinearRegressionOutput", "SVMOutput"])
def test_a_label_that_is_a_variable_gets_no_gradient(name):
    label = torch.rand((2,) if name == "SVMOutput" else (2, 3)).requires_grad_()
    visits = []
    label.register_post_accumulate_grad_hook(visits.append)
    gradient = gradient_of(get_op(name).kernel, torch.rand(2, 3), label)
    assert gradient is not None
    assert visits == []


def test_the_gradient_that_arrives_counts_only_if_asked_for():
    data, label = torch.rand(2, 3), torch.tensor([0.0, 2.0])
    own = gradient_of(softmax_output, data, label, head=torch.ones(2, 3))
    head = torch.rand(2, 3)
    assert torch.equal(gradient_of(softmax_output, data, label, head=head), own)
    scaled = gradient_of(softmax_output, data, label, head=head, out_grad=True)
    torch.testing.assert_close(scaled, own * head)


@pytest.mark.parametrize(
    ("data", "label"), [((3, 1), (3, 1)), ((3,), (3, 1)), ((3, 1, 1), (3,)), ((2, 3, 2), (2, 6))]
)
def test_targets_need_only_be_as_many(data, label):
    kernel = get_op("LinearRegressionOutput").kernel
    values, targets = torch.rand(data), torch.rand(label)
    expected = (values - targets.view(data)) * data[0] / values.numel()
    torch.testing.assert_close(gradient_of(kernel, values, targets), expected)


def test_nothing_is_recorded_where_no_gradient_is_asked_for():
    data, label = torch.rand(2, 3), torch.tensor([0.0, 2.0])
    assert not softmax_output(data, label).requires_grad
    with torch.no_grad():
        assert not softmax_output(data.requires_grad_(), label).requires_grad


@pytest.mark.filterwarnings(
    "ignore:.*should not be instantiated:DeprecationWarning"
)  # dynamo's own
def test_a_layer_compiles():
    def loss(data, label):
        return softmax_output(data * 2, label, normalization="batch")

    data, label = torch.rand(2, 3), torch.tensor([0.0, 2.0])
    compiled = torch.compile(loss, backend="eager", fullgraph=True)
    torch.testing.assert_close(gradient_of(compiled, data, label), gradient_of(loss, data, label))


def test_sparse_penalty_follows_the_moving_average():
    data = torch.tensor(
        [[0.10, 0.43, 0.21, 0.09], [0.15, 0.29, 0.12, 0.78], [0.93, 0.23, 0.58, 0.06]]
    )
    average = torch.tensor([0.1, 0.2, 0.3, 0.4])
    gradient = gradient_of(
        identity_attach_kl_sparse_reg, data, average, head=torch.full((3, 4), 2.0), training=True
    )
    # both as the original gives them when bound as a symbol
    row = torch.tensor([2.0002606, 2.0006692, 2.0009534, 2.0012221])
    torch.testing.assert_close(gradient, row.expand(3, 4))
    torch.testing.assert_close(average, torch.tensor([0.12933335, 0.21166667, 0.30033335, 0.391]))


def test_sparse_penalty_is_absent_in_prediction():
    average = torch.tensor([0.5])
    data = torch.rand(3, 1)
    assert torch.equal(identity_attach_kl_sparse_reg(data, average, training=False), data)
    assert average.item() == 0.5


@pytest.mark.parametrize("label", [[0.0, 2.0], [-1.0, 5.0]])
def test_cross_entropy_has_the_slope_of_softmax(label):
    data = torch.rand(2, 3)
    label = torch.tensor(label)
    gradient = gradient_of(softmax_cross_entropy, data, label, head=torch.tensor([2.0]))
    expected = torch.softmax(data, 1) - (label[:, None] == torch.arange(3)).float()
    torch.testing.assert_close(gradient, 2 * expected)

"""What attention keeps for the backward pass."""

import pytest
import torch

from mxnet.ops.nn.attention import encdec_qk, selfatt_qk

HEADS, SIZE = 2, 4


@pytest.mark.parametrize(("score", "counts"), [(selfatt_qk, (3,)), (encdec_qk, (1, 2))])
def test_scores_keep_no_copy_of_their_inputs(score, counts):
    inputs = [torch.randn(5, 3, HEADS * count * SIZE, requires_grad=True) for count in counts]
    kept = set()

    def note(tensor):
        kept.add(tensor.untyped_storage().data_ptr())
        return tensor

    with torch.autograd.graph.saved_tensors_hooks(note, lambda tensor: tensor):
        scores = score(*inputs, heads=HEADS)
    assert scores.shape == (3 * HEADS, 5, 5)
    assert kept == {item.untyped_storage().data_ptr() for item in inputs}

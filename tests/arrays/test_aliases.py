"""Which tensors lie on the same memory."""

import torch

from mxnet._arrays.array import shares_base, unshare_results, unshare_source


def test_a_result_shares_memory_with_its_input_and_with_views_of_it():
    x = torch.ones(4)
    assert shares_base(x, [None, x])
    assert shares_base(x[1:], [x])
    assert shares_base(x[1:], [x[:2]])


def test_a_computed_result_shares_no_memory():
    x = torch.ones(4)
    assert not shares_base(x + 1, [x, None])
    assert not shares_base((x + 1)[1:], [x, None])


def test_shared_results_are_copied():
    lent, own = torch.ones(4), torch.zeros(2)
    results = unshare_results([lent.detach()[:2], own, own.view(1, 2)], [lent])
    assert [item.tolist() for item in results] == [[1, 1], [0, 0], [[0, 0]]]
    assert results[1] is own
    for item in results:
        item.add_(5)
    assert lent.tolist() == [1, 1, 1, 1]
    assert own.tolist() == [5, 5]


def test_what_is_written_to_its_own_memory_is_copied_before():
    x = torch.arange(3)
    assert unshare_source(x[1:], x).data_ptr() != x[1:].data_ptr()
    other = torch.arange(3)
    assert unshare_source(other, x) is other

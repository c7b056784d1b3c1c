"""Buckets of gradients: what they hold, and in which order they are sent."""

import pytest
import torch

from mxnet.errors import MXNetError
from mxnet.kvstore._reducer import Layout, make_buckets

CPU = torch.device("cpu")


def layout(length, dtype=torch.float32, early=True, device=CPU):
    return Layout(torch.Size([length]), dtype, device, early)


def make(lengths, megabytes, monkeypatch, num_notes=2, **options):
    monkeypatch.setenv("MXNET_KVSTORE_BUCKET_MB", str(megabytes))
    layouts = {place: layout(length, **options) for place, length in enumerate(lengths)}
    return make_buckets(layouts, list(reversed(range(len(lengths)))), num_notes)


def test_buckets_have_the_gradients_in_the_given_order(monkeypatch):
    buckets = make([100, 200, 300, 400], 1000 / 2**20, monkeypatch)
    assert [bucket.members for bucket in buckets] == [[3], [2], [1, 0]]


def test_together_they_are_as_long_as_the_gradients_and_the_notes(monkeypatch):
    buckets = make([100, 200, 300, 400], 1000 / 2**20, monkeypatch, num_notes=5)
    assert [len(bucket.flat) for bucket in buckets] == [400, 300, 305]


def test_they_are_parts_of_one_piece_of_memory(monkeypatch):
    first, *others = make([100, 200, 300], 400 / 2**20, monkeypatch)
    pieces = {bucket.flat.untyped_storage().data_ptr() for bucket in others}
    assert pieces == {first.flat.untyped_storage().data_ptr()}


def test_views_show_the_memory_of_a_bucket_in_the_shape_of_the_gradient():
    layouts = {0: Layout(torch.Size([2, 3]), torch.float32, CPU, True), 1: layout(4)}
    (bucket,) = make_buckets(layouts, [1, 0], 1)
    bucket.flat.copy_(torch.arange(11.0))
    assert bucket.views[0].tolist() == [0, 1, 2, 3]
    assert bucket.views[1].tolist() == [[4, 5, 6], [7, 8, 9]]


def test_views_of_filters_have_the_channels_last_where_the_gradient_has():
    filters = torch.zeros(2, 3, 4, 5).contiguous(memory_format=torch.channels_last)
    layouts = {0: Layout(filters.shape, torch.float32, CPU, True, channels_last=True)}
    (bucket,) = make_buckets(layouts, [0], 1)
    bucket.flat[1] = 7
    assert bucket.views[0].stride() == filters.stride()
    assert bucket.views[0][0, 1, 0, 0] == 7


def test_a_write_to_one_view_does_not_look_like_one_to_another():
    (bucket,) = make_buckets({0: layout(2), 1: layout(2)}, [0, 1], 1)
    bucket.views[0].add_(1)
    assert bucket.views[1]._version == 0


def test_the_first_bucket_of_a_large_network_is_small(monkeypatch):
    monkeypatch.delenv("MXNET_KVSTORE_BUCKET_MB", raising=False)
    quarter = 2**16
    buckets = make_buckets({place: layout(quarter) for place in range(120)}, range(120), 1)
    assert [len(bucket.members) for bucket in buckets] == [4, 15, 15, 15, 15, 15, 15, 15, 11]


def test_buckets_of_a_huge_network_are_not_larger_than_needed(monkeypatch):
    monkeypatch.delenv("MXNET_KVSTORE_BUCKET_MB", raising=False)
    layouts = {place: layout(2**20, device=torch.device("meta")) for place in range(60)}
    *buckets, _ = make_buckets(layouts, range(60), 1)
    assert [len(bucket.members) for bucket in buckets] == [1, 7, 7, 7, 7, 7, 7, 7, 7, 3]


def test_the_last_bucket_waits_for_its_notes(monkeypatch):
    assert [bucket.early for bucket in make([9, 9, 9], 1e-6, monkeypatch)] == [True, True, False]


def test_gradients_that_wait_are_not_mixed_with_others():
    layouts = {0: layout(2), 1: layout(3, early=False), 2: layout(4)}
    buckets = make_buckets(layouts, [0, 1, 2], 1)
    assert [bucket.members for bucket in buckets] == [[1], [0, 2]]


@pytest.mark.parametrize("dtype", [torch.float16, torch.bfloat16])
def test_notes_travel_in_a_dtype_that_counts_exactly(dtype):
    gradients, notes = make_buckets({0: layout(3, dtype)}, [0], 4)
    assert (gradients.flat.dtype, len(gradients.flat)) == (dtype, 3)
    assert (notes.flat.dtype, len(notes.flat), notes.members) == (torch.float64, 4, [])


def test_notes_stay_on_the_cpu():
    layouts = {0: Layout(torch.Size([3]), torch.float32, torch.device("meta"), True)}
    gradients, notes = make_buckets(layouts, [0], 4)
    assert (gradients.flat.device.type, notes.flat.device) == ("meta", CPU)


def test_without_gradients_there_are_notes_alone():
    (notes,) = make_buckets({}, [], 3)
    assert (len(notes.flat), notes.members) == (3, [])


@pytest.mark.parametrize("text", ["0", "-1", "much", "nan"])
def test_the_size_is_a_positive_number(monkeypatch, text):
    monkeypatch.setenv("MXNET_KVSTORE_BUCKET_MB", text)
    with pytest.raises(MXNetError, match="MXNET_KVSTORE_BUCKET_MB: takes a number above 0"):
        make_buckets({0: layout(3)}, [0], 1)

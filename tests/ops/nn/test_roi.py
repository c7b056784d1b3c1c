"""Regions of interest: what a GPU computes from shapes alone, against what a CPU looks up."""

from __future__ import annotations

import pytest
import torch

import mxnet.ops.catalog  # noqa: F401 - declares the operators
from mxnet.ops.core.registry import get_op
from mxnet.ops.nn import _roi_at_once, roi


def make_regions(seed: int) -> tuple[torch.Tensor, torch.Tensor]:
    """A map with equal values, and regions within it, beyond it, inside out and of no image."""
    generator = torch.Generator().manual_seed(seed)
    data = torch.randint(0, 9, (3, 8, 13, 10), generator=generator).double()
    low = torch.rand(9, 2, generator=generator) * 20 - 5
    size = torch.rand(9, 2, generator=generator) * torch.tensor([[3.0], [12.0], [60.0]]).repeat(
        3, 1
    )
    size[4] = -size[4]
    numbers = torch.tensor([0, 1, 2, 0, 1, 2, -1, 0, 2])[:, None]
    return data, torch.cat((numbers, low, low + size), 1).double()


def run_both(name, data, rois, monkeypatch, **options):
    """Returns results and gradients of both ways."""
    results = []
    for waits in (True, False):
        monkeypatch.setattr(roi, "may_wait", lambda *_, waits=waits: waits)
        given = data.clone().requires_grad_()
        output = get_op(name).kernel(given, rois, **options)
        weights = torch.arange(output.numel(), dtype=output.dtype).view_as(output)
        (output * weights).sum().backward()
        results.append((output.detach(), given.grad))
    return results


@pytest.mark.parametrize("most", [1, 3000, 1 << 25])
@pytest.mark.parametrize("pooled_size", [(1, 1), (3, 2), (7, 7)])
def test_maxima_and_their_places_need_no_sizes(pooled_size, most, monkeypatch):
    monkeypatch.setattr(_roi_at_once, "_MOST_VALUES", most)
    for scale in (1.0, 0.3):
        options = {"pooled_size": pooled_size, "spatial_scale": scale}
        own, other = run_both("ROIPooling", *make_regions(3), monkeypatch, **options)
        assert torch.equal(own[0], other[0])
        torch.testing.assert_close(own[1], other[1])


@pytest.mark.parametrize("most", [1, 1 << 25])
@pytest.mark.parametrize("aligned", [False, True])
@pytest.mark.parametrize("position_sensitive", [False, True])
def test_averages_need_no_numbers_of_samples(position_sensitive, aligned, most, monkeypatch):
    monkeypatch.setattr(_roi_at_once, "_MOST_VALUES", most)
    for scale in (1.0, 0.3):
        options = {"spatial_scale": scale, "aligned": aligned, "pooled_size": (2, 4)}
        options["position_sensitive"] = position_sensitive
        own, other = run_both("_contrib_ROIAlign", *make_regions(4), monkeypatch, **options)
        torch.testing.assert_close(own, other)
        one = make_regions(5)
        own, other = run_both("_contrib_ROIAlign", one[0][:1], one[1][:1], monkeypatch, **options)
        torch.testing.assert_close(own, other)


def test_halves_are_averaged_in_single_precision(monkeypatch):
    data, rois = make_regions(6)
    options = {"pooled_size": (2, 2), "spatial_scale": 1.0}
    exact = get_op("_contrib_ROIAlign").kernel(data, rois.half().double(), **options)
    monkeypatch.setattr(roi, "may_wait", lambda *_: False)
    found = get_op("_contrib_ROIAlign").kernel(data.half(), rois.half(), **options)
    assert found.dtype is torch.float16
    torch.testing.assert_close(found.double(), exact, rtol=2e-2, atol=5e-2)

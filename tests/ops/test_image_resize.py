"""Scaling by torch alone, as on an accelerator, gives what OpenCV gives."""

import numpy as np
import pytest
import torch

from mxnet.errors import MXNetError
from mxnet.ops.image import resize

from .harness import expected_results, parse_call
from .samples.image import RESIZE

ROWS = [row for row in RESIZE if row.oracle and not row.raises]


@pytest.fixture(autouse=True)
def without_opencv(monkeypatch):
    monkeypatch.setattr(resize._opencv, "has_opencv", lambda: False)


@pytest.mark.parametrize("row", ROWS, ids=str)
def test_torch_scales_as_the_original(row):
    op, attrs = parse_call(row)
    result = op.kernel(torch.tensor(row.make_inputs()[0]), **attrs).numpy()
    expected = expected_results("image", row)["out0"]
    exact = result.dtype == np.uint8 and attrs.get("interp", 1) in (0, 1, 3)
    np.testing.assert_allclose(
        result.astype(float), expected.astype(float), rtol=0, atol=0 if exact else row.atol
    )


def test_half_precision_is_scaled():
    image = torch.rand(4, 6, 3, generator=torch.Generator().manual_seed(0))
    result = resize.resize(image.half(), size=(5, 3))
    assert result.dtype is torch.float16
    torch.testing.assert_close(result.float(), resize.resize(image, size=(5, 3)), atol=2e-3, rtol=0)


@pytest.mark.parametrize("dtype", [torch.int8, torch.int32, torch.int64])
def test_other_integers_are_refused(dtype):
    with pytest.raises(MXNetError, match="bytes or floats"):
        resize.resize(torch.ones(4, 4, 3, dtype=dtype), size=(2, 2))

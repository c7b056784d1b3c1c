"""The harness refuses golden rows that are of another call."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from .harness import expected_results
from .samples.core import sample, values
from .samples.detection import NMS, boxes


def test_a_golden_row_of_a_changed_sample_is_refused():
    row = sample(NMS, boxes(2, 30), overlap_thresh=0.3, id_index=0)
    assert expected_results("detection", row)
    changed = replace(row, inputs=(values(np.zeros((2, 30, 6)).tolist()),))
    assert changed.id == row.id
    with pytest.raises(AssertionError, match="has changed"):
        expected_results("detection", changed)

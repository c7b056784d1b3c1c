"""Every public function, class and method has an example, and the examples run."""

from __future__ import annotations

import pytest

from tools.check_examples import AREAS, CLASSES, LIMITS, lacking, run

IMAGES = {"image", "io", "gluon", "recordio"}
"""Areas whose examples decode images."""


@pytest.mark.parametrize("area", [*AREAS, *CLASSES])
def test_callables_without_an_example(area: str):
    assert len(lacking(area)) <= LIMITS.get(area, 0)


@pytest.mark.parametrize("area", sorted({*AREAS, *CLASSES} - {"nd", "sym"}))
def test_examples_run(area: str):
    """Those of operators are run by `test_operator_examples.py`."""
    if area in IMAGES:
        pytest.importorskip("cv2", reason="needs the extra `images`")
    failed, ran = run(area)
    assert failed == 0
    assert ran > 0

"""Region proposals."""

from __future__ import annotations

import numpy as np

from .core import rand, sample, values


def probabilities(*shape: int):
    """Probabilities that are distinct in half precision too, so that the order is the same."""
    count = int(np.prod(shape))
    order = np.random.RandomState(5).permutation(count)
    return values(((order + 1) / (count + 2)).round(5).reshape(shape).tolist())


def propose(name, batch=1, shapes=12, size=3, info=(48, 48, 1), **attrs):
    """A call with few boxes."""
    given = {"rpn_pre_nms_top_n": 30, "rpn_post_nms_top_n": 6, "rpn_min_size": 4, **attrs}
    return sample(
        f"_contrib_{name}",
        probabilities(batch, 2 * shapes, size, size),
        rand(batch, 4 * shapes, size, size, low=-0.3, high=0.3),
        values([list(info)] * batch),
        **given,
    )


SAMPLES = [
    *(
        propose(name, **attrs)
        for name in ("Proposal", "MultiProposal")
        for attrs in (
            {},
            {"output_score": True},
            {"threshold": 0.3, "output_score": True},
            {"rpn_min_size": 30, "output_score": True},
            {"info": (40, 30, 2), "output_score": True},
            {"rpn_pre_nms_top_n": 0, "rpn_post_nms_top_n": 9},
            {"rpn_pre_nms_top_n": 5, "rpn_post_nms_top_n": 9, "output_score": True},
            {"shapes": 2, "scales": (2, 4), "ratios": (0.7,), "train": False},
            {"shapes": 3, "scales": "(3,)", "feature_stride": 8, "info": (24, 24, 1)},
            {"iou_loss": True, "output_score": True},
        )
    ),
    propose("MultiProposal", batch=2, output_score=True),
    propose("MultiProposal", batch=3, threshold=0.4),
    propose("Proposal", batch=2, raises=True),
    propose("Proposal", shapes=6, raises=True),
    propose("MultiProposal", shapes=6, raises=True),
]

"""Losses, which training minimizes."""

from typing import TYPE_CHECKING

from mxnet._start import make_getattr
from mxnet.errors import InvalidArgumentError
from mxnet.gluon.block import HybridBlock as HybridBlock
from mxnet.gluon.losses.base import Loss
from mxnet.gluon.losses.base import apply_weighting as _apply_weighting
from mxnet.gluon.losses.base import reshape_like as _reshape_like
from mxnet.gluon.losses.classification import (
    CTCLoss,
    HingeLoss,
    KLDivLoss,
    LogisticLoss,
    SigmoidBCELoss,
    SigmoidBinaryCrossEntropyLoss,
    SoftmaxCELoss,
    SoftmaxCrossEntropyLoss,
    SquaredHingeLoss,
)
from mxnet.gluon.losses.embedding import CosineEmbeddingLoss, SDMLLoss, TripletLoss
from mxnet.gluon.losses.regression import HuberLoss, L1Loss, L2Loss, PoissonNLLLoss
from mxnet.util import is_np_array as is_np_array

__all__ = [
    "CTCLoss",
    "CosineEmbeddingLoss",
    "HingeLoss",
    "HuberLoss",
    "InvalidArgumentError",
    "KLDivLoss",
    "L1Loss",
    "L2Loss",
    "LogisticLoss",
    "Loss",
    "PoissonNLLLoss",
    "SDMLLoss",
    "SigmoidBCELoss",
    "SigmoidBinaryCrossEntropyLoss",
    "SoftmaxCELoss",
    "SoftmaxCrossEntropyLoss",
    "SquaredHingeLoss",
    "TripletLoss",
    "_apply_weighting",
    "_reshape_like",
]

for _class in (  # where programs and pickles find them, as in the original
    CTCLoss,
    CosineEmbeddingLoss,
    HingeLoss,
    HuberLoss,
    KLDivLoss,
    L1Loss,
    L2Loss,
    LogisticLoss,
    Loss,
    PoissonNLLLoss,
    SDMLLoss,
    SigmoidBinaryCrossEntropyLoss,
    SoftmaxCrossEntropyLoss,
    SquaredHingeLoss,
    TripletLoss,
):
    _class.__module__ = __name__

if not TYPE_CHECKING:
    __getattr__ = make_getattr(__name__, globals())

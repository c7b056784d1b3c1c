"""Losses."""

from .core import flatten, values

_PREDICTION, _LABEL = values(3, 4), values(3, 4, start=9)
_CLASSES = values(3, start=3, low=0, high=4).astype("int32")
_SIGNS = [[1, -1, 1, -1]] * 3
_WEIGHT = values(3, 1, low=0.5)
_PROBABILITIES = values(3, 4, low=0.1) / 10

_ROWS = [
    ("L2Loss()", _PREDICTION, _LABEL),
    ("L2Loss(weight=2)", _PREDICTION, _LABEL, _WEIGHT),
    ("L1Loss()", _PREDICTION, _LABEL),
    ("SigmoidBinaryCrossEntropyLoss()", _PREDICTION, _LABEL),
    ("SigmoidBCELoss(from_sigmoid=True)", _PROBABILITIES, _LABEL),
    ("SigmoidBCELoss()", _PREDICTION, _LABEL, None, _WEIGHT),
    ("SigmoidBCELoss(from_sigmoid=True)", _PROBABILITIES, _LABEL, None, _WEIGHT),
    ("SoftmaxCrossEntropyLoss()", _PREDICTION, _CLASSES),
    ("SoftmaxCrossEntropyLoss()", _PREDICTION, _CLASSES, _WEIGHT),
    ("SoftmaxCrossEntropyLoss(sparse_label=False)", _PREDICTION, _PROBABILITIES),
    ("SoftmaxCELoss(from_logits=True, weight=0.5)", _PREDICTION, _CLASSES),
    ("SoftmaxCELoss(axis=1)", values(2, 3, 2), [[0, 1], [2, 1]]),
    ("KLDivLoss()", _PREDICTION, _PROBABILITIES),
    ("KLDivLoss(from_logits=False)", _PREDICTION, _PROBABILITIES, _WEIGHT),
    ("CTCLoss()", values(2, 5, 4), [[0, 1], [2, -1]]),
    ("CTCLoss(layout='TNC')", values(5, 2, 4), [[0, 1], [2, 1]]),
    ("CTCLoss()", values(2, 5, 4), [[0, 1], [2, 0]], [4, 5], [2, 1]),
    ("HuberLoss()", _PREDICTION, _LABEL),
    ("HuberLoss(0.1)", _PREDICTION, _LABEL, _WEIGHT),
    ("HingeLoss()", _PREDICTION, _SIGNS),
    ("SquaredHingeLoss(2)", _PREDICTION, _SIGNS),
    ("LogisticLoss()", _PREDICTION, _SIGNS),
    ("LogisticLoss(label_format='binary')", _PREDICTION, [[1, 0, 0, 1]] * 3),
    ("TripletLoss()", _PREDICTION, _LABEL, values(3, 4, start=17)),
    ("PoissonNLLLoss()", _PREDICTION, _PROBABILITIES),
    ("PoissonNLLLoss(from_logits=False, compute_full=True)", _PROBABILITIES, _PROBABILITIES),
    ("CosineEmbeddingLoss()", _PREDICTION, _LABEL, [1, -1, 1]),
    ("CosineEmbeddingLoss(margin=0.2)", _PREDICTION, _LABEL, [1, -1, -1]),
    ("SDMLLoss()", _PREDICTION, _LABEL),
]


def loss(text, *arrays):
    """Makes a case of a loss: eager and hybridized, with the gradient of the prediction."""

    def case(mx):
        results = []
        for hybridized in (False, True):
            net = eval(f"loss.{text}", {"loss": mx.gluon.loss})  # noqa: S307
            if hybridized:
                net.hybridize()
            inputs = [item if item is None else mx.np.array(item) for item in arrays]
            inputs[0].attach_grad()
            with mx.autograd.record():
                result = net(*inputs)
            result.backward()
            results.append([*flatten(result), inputs[0].grad])
        return results

    return case


CASES = {f"{index} {text}": loss(text, *arrays) for index, (text, *arrays) in enumerate(_ROWS)}

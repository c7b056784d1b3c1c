"""Connectionist temporal classification."""

from .core import rand, sample, values

FIRST = values([[1, 2], [1, 0]])
LAST = values([[1, 0], [0, -1]])
FULL = values([[1, 2], [1, 2]])
IMPOSSIBLE = "the original gives loss 0 and a gradient of hundreds"
TYPE = "the original keeps its gradients in float32 and refuses others"

SAMPLES = [
    sample("CTCLoss", rand(4, 2, 3), FIRST),
    sample("CTCLoss", rand(4, 2, 3), FIRST, train=False),
    sample("CTCLoss", rand(4, 2, 3), FIRST, blank_label="first"),
    sample("CTCLoss", rand(4, 2, 3), LAST, blank_label="last"),
    sample("CTCLoss", rand(6, 3, 5, low=-3, high=3), values([[1, 4, 3], [2, 0, 0], [3, 3, 0]])),
    sample(
        "CTCLoss",
        rand(6, 3, 5, low=-3, high=3),
        values([[1, 3, 2], [2, -1, -1], [3, 3, -1]]),
        blank_label="last",
    ),
    *(
        sample("CTCLoss", rand(4, 2, 3), values([[1, 2], [1, 0]], dtype))
        for dtype in ("int32", "int64", "float64")
    ),
    sample("CTCLoss", rand(4, 2, 3), FIRST, values([3, 4]), use_data_lengths=True),
    sample("CTCLoss", rand(4, 2, 3), FULL, None, values([2, 1]), use_label_lengths=True),
    sample("CTCLoss", rand(4, 2, 3), FULL, values([2, 1]), use_label_lengths=True),
    sample(
        "CTCLoss",
        rand(4, 2, 3),
        FULL,
        values([3, 4]),
        values([2, 1]),
        use_data_lengths="True",
        use_label_lengths="1",
    ),
    sample(
        "CTCLoss",
        rand(4, 2, 3),
        values([[1, 0], [0, 1]]),
        None,
        values([2, 1]),
        use_label_lengths=True,
        blank_label="last",
    ),
    sample("CTCLoss", rand(4, 2, 3), values([[0, 0], [1, 0]])),
    sample("CTCLoss", rand(4, 2, 3), values([[0, 1], [1, 2]])),
    sample(
        "CTCLoss",
        rand(4, 2, 3),
        values([[0, 0], [0, 1]]),
        oracle=False,
        why="the original returns what was in memory if no sequence has labels",
    ),
    sample("CTCLoss", rand(4, 2, 3), values([[1, 1], [2, 2]])),
    sample("CTCLoss", rand(4, 2, 3), values([[0, 0], [0, -1]]), blank_label="last"),
    sample("CTCLoss", rand(2, 2, 3), values([[1, 2], [2, 1]])),
    sample("CTCLoss", rand(1, 1, 2), values([[1]])),
    sample("CTCLoss", rand(2, 2, 3), values([[1, 1], [1, 2]]), oracle=False, why=IMPOSSIBLE),
    sample(
        "CTCLoss",
        rand(4, 2, 3, dtype="float64"),
        values([[1, 2], [1, 0]], "float64"),
        oracle=False,
        why=TYPE,
    ),
    sample(
        "CTCLoss",
        rand(4, 2, 3, dtype="float16"),
        values([[1, 2], [1, 0]], "float16"),
        oracle=False,
        why=TYPE,
    ),
    sample(
        "CTCLoss",
        rand(4, 2, 3),
        FULL,
        values([3, 4], "int32"),
        values([2, 1], "int32"),
        use_data_lengths=True,
        use_label_lengths=True,
        oracle=False,
        why="the original takes lengths of float32 only",
    ),
    sample("CTCLoss", rand(1, 2, 3), FIRST, raises=True),
    sample("CTCLoss", rand(4, 2, 3), values([[1, 2]]), raises=True),
    sample("CTCLoss", rand(4, 3), FIRST, raises=True),
    sample("CTCLoss", rand(4, 2, 3), values([1, 2]), raises=True),
    sample("CTCLoss", rand(4, 2, 3), FIRST, blank_label="middle", raises=True),
    sample("CTCLoss", rand(4, 2, 3), FIRST, use_label_lengths=True, raises=True),
    sample("CTCLoss", rand(4, 2, 3), FIRST, use_data_lengths=True, raises=True),
]

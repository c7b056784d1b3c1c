"""The test suites of libraries that `make clients` runs: where they come from, what they need."""

from __future__ import annotations

from dataclasses import dataclass, field

_RANDOM = "expects the numbers that a seed gives with the original"
_NUMPY_SHAPES = "compares arrays of lengths 6 and 70, which NumPy refuses since 1.25"
_ROUNDING = "cuts float32 sums of 46,225 terms to whole numbers, and one lies 0.02 from the next"
_LAST_BIT = "compares a float32 sum of three numbers to the last bit"


@dataclass(frozen=True)
class Suite:
    """The tests of a release of a library.

    Attributes:
        name: Name of its environment and of its list of tests.
        title: What the documentation calls it.
        install: Arguments of `pip install`, a line each, after Glueball is installed.
        tests: Folders of tests, below the root.
        repository: Repository that the tests are in; without one, they are in the package itself.
        revision: Tag or branch of the repository.
        folders: What is taken from it.
        root: Folder of the repository that names of tests begin at.
        arguments: Arguments of pytest.
        variables: Environment variables.
        left_out: Tests that pass with the original and are left out here, and why.
    """

    name: str
    title: str
    install: tuple[str, ...]
    tests: tuple[str, ...]
    repository: str = ""
    revision: str = ""
    folders: tuple[str, ...] = ()
    root: str = ""
    arguments: tuple[str, ...] = ()
    variables: dict[str, str] = field(default_factory=dict, hash=False)
    left_out: dict[str, str] = field(default_factory=dict, hash=False)


SUITES = (
    Suite(
        "gluonnlp-tests",
        "GluonNLP 0.10.0",
        (
            "--no-deps gluonnlp==0.10.0",
            "numpy<2 scipy<1.12 packaging pandas requests flaky pytest<9",
        ),
        ("tests/unittest",),
        repository="dmlc/gluon-nlp",
        revision="v0.10.0",
        folders=("tests", "conftest.py"),
        left_out={
            "tests/unittest/test_candidate_sampler.py::test_unigram_candidate_sampler": _RANDOM,
            "tests/unittest/test_preprocess_utils.py::test_truncate": "makes an array of lists of "
            "different lengths, which NumPy refuses since 1.24",
        },
    ),
    Suite(
        "mxfusion-tests",
        "MXFusion 0.3.1",
        (
            "--no-deps mxfusion==0.3.1 GPy paramz",
            "numpy<2 scipy<1.12 networkx<3 matplotlib decorator six cython pytest<9",
        ),
        ("testing",),
        repository="amzn/MXFusion",
        revision="v0.3.1",
        folders=("testing", "conftest.py"),
    ),
    Suite(
        "xfer-tests",
        "xfer 1.2.0",
        (
            "--no-deps GPy paramz",
            "numpy<2 scipy<1.12 scikit-learn<1.3 graphviz<0.18 opencv-python-headless<4.10 "
            "matplotlib decorator six cython pytest<9",
        ),
        ("tests/unit", "tests/integration"),
        repository="amzn/xfer",
        revision="master",
        folders=("xfer-ml/xfer", "xfer-ml/tests"),
        root="xfer-ml",
        arguments=("--integration",),
        left_out={
            **dict.fromkeys(
                (
                    "tests/unit/test_model_handler.py::TestModelHandler::" + name
                    for name in (
                        "test_get_layer_output_NDArray_iterator",
                        "test_get_layer_output_NDArray_iterator_padding",
                        "test_get_layer_output_csv_iterator_padding",
                    )
                ),
                _ROUNDING,
            ),
            "tests/unit/test_neural_network_fine_tune_repurposer.py"
            "::NeuralNetworkFineTuneRepurposerTestCase::test_serialisation": _NUMPY_SHAPES,
            "tests/unit/test_neural_network_random_freeze_repurposer.py"
            "::NeuralNetworkRandomFreezeRepurposerTestCase::test_serialisation": _NUMPY_SHAPES,
            "tests/unit/test_prob.py::TestProb::test_prior_log_pdf": _LAST_BIT,
            "tests/unit/test_prob.py::TestProb::test_posterior_log_pdf": _LAST_BIT,
        },
    ),
    Suite(
        "tensorly-tests",
        "TensorLy 0.7.0, on `mx.np`",
        ("--no-deps tensorly==0.7.0", "numpy<2 scipy<1.12 pytest<9"),
        ("tensorly",),
        variables={"TENSORLY_BACKEND": "mxnet"},
    ),
    Suite(
        "thinc-tests",
        "thinc 8.1.12",
        ("thinc==8.1.12 pydantic<1.11 numpy<2 hypothesis mock pathy pytest<9",),
        ("thinc/tests",),
    ),
)

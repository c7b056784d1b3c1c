"""Products of arrays in the NumPy dialect."""

from .core import ints, rand, sample

NOT_FLOATS = ("int32", "int64", "uint8", "bool")
HALF = {"oracle": False, "why": "the original has half precision on GPUs alone"}

PAIRS = [
    ((3,), (3,)),
    ((2, 3), (3,)),
    ((3,), (3, 2)),
    ((2, 3), (3, 4)),
    ((2, 0), (0, 3)),
    ((0, 3), (3, 4)),
    ((0,), (0,)),
    ((0,), (0, 2)),
    ((2, 3, 4), (4,)),
    ((2, 3, 4), (4, 5)),
    ((4,), (2, 4, 3)),
    ((2, 3, 4), (2, 4, 5)),
    ((1, 3, 4), (5, 4, 2)),
    ((2, 1, 0, 4), (5, 4, 2)),
    ((2, 0, 3, 4), (2, 0, 4, 5)),
]


def _common(op: str, **attrs) -> list:
    """Rows that all products of two arrays have."""
    return [
        sample(op, rand(2, 3, dtype="float64"), rand(3, 2, dtype="float64"), attrs=attrs),
        sample(op, rand(2, 3, dtype="float16"), rand(3, 2, dtype="float16"), attrs=attrs, **HALF),
        sample(op, rand(2, 3), rand(3, 2, dtype="float64"), attrs=attrs, raises=True),
        sample(op, rand(2, 3), ints(3, 2), attrs=attrs, raises=True),
        *(
            sample(op, rand(2, 3, dtype=dtype), rand(3, 2, dtype=dtype), attrs=attrs, raises=True)
            for dtype in NOT_FLOATS
        ),
    ]


DOT = [
    *(sample("_np_dot", rand(*a), rand(*b), numeric=0 not in a + b) for a, b in PAIRS),
    sample("_np_dot", rand(), rand()),
    sample("_np_dot", rand(), rand(2, 3)),
    sample("_np_dot", rand(2, 0), rand(), numeric=False),
    sample("_np_dot", rand(2, 3, 4), rand(5, 4, 6)),
    sample("_np_dot", rand(2, 1, 3, 4), rand(5, 4, 2)),
    *_common("_np_dot"),
    *(
        sample("_np_dot", rand(*a), rand(*b), raises=True)
        for a, b in [((2, 3), (2, 3)), ((3,), (2,)), ((2, 3, 4), (4, 3, 2)), ((0,), (1,))]
    ),
]

MATMUL = [
    *(sample("_npi_matmul", rand(*a), rand(*b), numeric=0 not in a + b) for a, b in PAIRS),
    sample("_npi_matmul", rand(2, 1, 3, 4), rand(5, 4, 2), gradient=False),
    sample(
        "_npi_matmul",
        *(rand(2, 1, 3, 4), rand(5, 4, 2)),
        label="gradient",
        oracle=False,
        why="the original's gradient is that of other elements if both stacks broadcast",
    ),
    *_common("_npi_matmul"),
    *(
        sample("_npi_matmul", rand(*a), rand(*b), raises=True)
        for a, b in [
            ((2, 3), (2, 3)),
            ((3,), (2,)),
            ((), ()),
            ((), (2, 3)),
            ((2, 3), ()),
            ((2, 3, 4), (3, 4, 5)),
        ]
    ),
]

BEYOND = {"raises": True, "oracle": False, "why": "the original corrupts its memory"}

TENSORDOT = [
    *(
        sample("_npi_tensordot", rand(*a), rand(*b), a_axes_summed=x, b_axes_summed=y)
        for a, b, x, y in [
            ((2, 3), (3, 4), (1,), (0,)),
            ((2, 3), (4, 3), 1, 1),
            ((2, 3), (4, 3), (-1,), (-1,)),
            ((2, 3, 4), (4, 3, 5), (1, 2), "(1, 0)"),
            ((2, 3), (4, 5), (), ()),
            ((), (), (), ()),
            ((2, 0), (0, 3), (1,), (0,)),
            ((2, 3), (2, 3), (0, 1), (0, 1)),
            ((3,), (3,), (0,), (0,)),
        ]
    ),
    *_common("_npi_tensordot", a_axes_summed=(1,), b_axes_summed=(0,)),
    sample(
        "_npi_tensordot",
        *(rand(2, 3), rand(3, 4)),
        a_axes_summed=(1, 0),
        b_axes_summed=(0,),
        raises=True,
    ),
    sample("_npi_tensordot", rand(2, 3), rand(3, 4), a_axes_summed=0, b_axes_summed=0, raises=True),
    sample("_npi_tensordot", rand(2, 3), rand(3, 4), a_axes_summed=5, b_axes_summed=0, **BEYOND),
    sample(
        "_npi_tensordot", rand(2, 3), rand(3, 3), a_axes_summed=(1, 1), b_axes_summed=0, **BEYOND
    ),
    sample("_npi_tensordot", rand(2, 3), rand(3, 4), raises=True),
]

TENSORDOT_INT = [
    *(
        sample("_npi_tensordot_int_axes", rand(*a), rand(*b), axes=axes, numeric=0 not in a + b)
        for a, b, axes in [
            ((2, 3), (3, 4), 1),
            ((2, 3), (2, 3), 2),
            ((2, 3), (4, 5), 0),
            ((2, 3), (3, 4), -1),
            ((), (), 0),
            ((), (2,), "0"),
            ((2, 0), (0, 3), 1),
            ((0, 3), (3, 2), 1),
            ((2, 3, 4), (3, 4, 5), 2),
            ((2, 3, 4), (4,), 1),
        ]
    ),
    *_common("_npi_tensordot_int_axes", axes=1),
    sample("_npi_tensordot_int_axes", rand(2, 3), rand(3, 4), axes=2, raises=True),
    sample("_npi_tensordot_int_axes", rand(2, 3), rand(3, 4), axes=3, **BEYOND),
    sample("_npi_tensordot_int_axes", rand(2, 3), rand(3, 4), raises=True),
]

EINSUM = [
    *(
        sample("_npi_einsum", *(rand(*shape) for shape in shapes), subscripts=subscripts)
        for subscripts, *shapes in [
            ("ij,jk->ik", (2, 3), (3, 4)),
            ("ij,jk", (2, 3), (3, 4)),
            ("ii", (3, 3)),
            ("ii->i", (3, 3)),
            ("ij->ji", (2, 3)),
            ("ij->", (2, 3)),
            ("ba", (2, 3)),
            ("...j->...", (2, 3)),
            ("i,i", (3,), (3,)),
            ("i,j", (3,), (2,)),
            ("...ij,...jk->...ik", (2, 2, 3), (3, 4)),
            ("ij,jk,kl->il", (2, 3), (3, 4), (4, 2)),
            (",ij", (), (2, 3)),
            ("i->", (0,)),
            ("ij,jk->ik", (2, 0), (0, 3)),
            ("iij->j", (2, 2, 3)),
            ("iJ,Jk", (2, 3), (3, 4)),
            ("ij->...ij", (2, 3)),
            ("bij,bjk->bik", (2, 3, 4), (2, 4, 2)),
        ]
    ),
    sample("_npi_einsum", rand(2, 3), subscripts="i j -> j i", label="spaces"),
    sample("_npi_einsum", rand(), subscripts="", gradient=False),
    sample("_npi_einsum", rand(), rand(), subscripts=",", gradient=False),
    sample("_npi_einsum", rand(2, 1), rand(3, 4), subscripts="ij,jk->ik", gradient=False),
    sample("_npi_einsum", rand(2, 3), rand(3, 2), rand(2, 2), subscripts="ij,jk,kl", optimize=1),
    sample("_npi_einsum", *(rand(2, 2, dtype="float64") for _ in range(2)), subscripts="ij,jk"),
    sample(
        "_npi_einsum",
        *(rand(2, 2, dtype="float16") for _ in range(2)),
        subscripts="ij,jk",
        rtol=1e-2,
        atol=1e-2,
    ),
    *(
        sample("_npi_einsum", *(ints(2, 2, dtype=dtype) for _ in range(2)), subscripts="ij,jk")
        for dtype in ("int32", "int64", "uint8", "int8")
    ),
    sample("_npi_einsum", rand(2, 3, dtype="bool"), rand(3, 2, dtype="bool"), subscripts="ij,jk"),
    sample("_npi_einsum", rand(2, 3), rand(3, 2, dtype="float64"), subscripts="ij,jk", raises=True),
    sample("_npi_einsum", rand(2, 3), ints(3, 2), subscripts="ij,jk", raises=True),
    *(
        sample("_npi_einsum", *(rand(*s) for s in shapes), subscripts=subscripts, raises=True)
        for subscripts, *shapes in [
            ("ij,jk", (2, 3), (4, 4)),
            ("ij", (2,)),
            ("ij->ik", (2, 3)),
            ("ij->ii", (2, 3)),
            ("1", (2,)),
            ("..ij", (2, 3)),
            ("ij,jk", (2, 3)),
            ("i...,...j...->ij", (2, 3), (2, 3)),
        ]
    ),
]

SAMPLES = [*DOT, *MATMUL, *TENSORDOT, *TENSORDOT_INT, *EINSUM]

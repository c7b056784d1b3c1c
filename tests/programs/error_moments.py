"""Programs about the moment in which an error of shapes or of values appears."""

from __future__ import annotations

from .core import lines

PROGRAMS = lines(
    "error_moment_helpers",
    """
    moment(bad)
    moment(lambda: nd.dot(x, bad()))
    moment(lambda: (bad() + 1).sum(axis=1) * 2)
    moment(lambda: nd.concat(x, bad(), dim=1))
    moment(lambda: nd.random.uniform(3, 1, (2, 2)))
    moment(lambda: nd.random.exponential(-1, (2, 2)))
    moment(lambda: nd.random.poisson(-1, (2, 2)))
    moment(lambda: nd.random.gamma(-1, 1, (2, 2)))
    moment(lambda: nd.random.negative_binomial(-1, 0.5, (2, 2)))
    moment(lambda: nd.random.generalized_negative_binomial(-1, 0.5, (2, 2)))
    moment(lambda: nd.random.randint(5, 2, shape=(2,)))
    moment(lambda: nd.take(x, nd.array([5]), mode='raise'))
    moment(lambda: nd.take(x, nd.array([-1]), mode='raise') + 1)
    moment(lambda: nd.linalg.potrf(indefinite))
    moment(lambda: nd.linalg.potrf(nd.linalg.potrf(indefinite)))
    moment(lambda: nd.linalg.inverse(nd.zeros((2, 2))))
    moment(lambda: nd.linalg.potri(nd.zeros((2, 2))))
    moment(lambda: nd.gather_nd(x, nd.array([[5], [0]])))
    moment(lambda: x + nd.ones((3,)))
    moment(lambda: nd.dot(x, nd.ones((3, 3))))
    moment(lambda: nd.dot(bad(), nd.ones((3, 3))))
    moment(lambda: nd.concat(x, nd.ones((3, 3)), dim=1))
    moment(lambda: nd.split(x, num_outputs=3))
    moment(lambda: nd.slice_axis(x, axis=5, begin=0, end=1))
    moment(lambda: nd.sum(x, axis=7))
    moment(lambda: nd.Activation(x, act_type='nosuch'))
    reading(bad)
    reading(lambda: nd.linalg.potrf(indefinite))
    reading(executor)
    moment(executor)
    moment(lambda: block(False))
    moment(lambda: block(True))
    moment(lambda: block(False, True))
    moment(lambda: block(True, True))
    attempts(network, False, True)
    attempts(lambda wait: nd.dot(x, bad()).asnumpy() if wait else nd.dot(x, bad()), False, True)
    attempts(lambda _: nd.waitall(), 1)
    (nd.linalg.potrf(indefinite), attempts(lambda _: nd.waitall(), 1, 2))[1]
    (bad(), bad(), attempts(lambda _: nd.waitall(), 1, 2))[2]
    told(lambda: (bad(), bad()), first, second, every)
    told(lambda: (bad(), bad()), every, second, first, every)
    told(lambda: (bad(), bad()), second, lambda made: (made[0] + made[1]).asnumpy(), first)
    told(with_copy, second, first, every)
    told(with_copy, lambda made: str(made[0]), lambda made: str(made[0]), second)
    told(with_row, second, first, second)
    told(with_row, lambda made: made[1].asnumpy(), lambda made: bool(made[0][0, 0]), first)
    told(rows, first, second, first, every)
    told(assigned, first, second, every)
    told(written, second, first, every)
    told(added, first, second, every)
    told(added, second, first)
    """,
)

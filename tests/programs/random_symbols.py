"""Random operators in graphs: with arrays as parameters, seeds, and gradients around them."""

from __future__ import annotations

from .core import lines

DRAWS = """
drawn(R.uniform(a, b), a=low, b=high)
drawn(R.uniform(a, b, shape=3), a=low, b=high)
drawn(R.uniform(a, b, shape=(3, 2), dtype='float64'), a=low, b=high)
drawn(R.uniform(a, b, shape=(3, 2), dtype='float16'), a=low, b=high)
drawn(R.uniform(a, 1.0), a=low)
drawn(R.uniform(shape=(2,), dtype='float64'))
drawn(R.uniform())
drawn(R.randn(2, 3, data=b, loc=1.0))
drawn(R.uniform(shape=(2,), data=sym.ones((3,))))
drawn(sym.zeros((2,), data=b))
sym.relu(a, other=b)
sym.FullyConnected(a, other=b, num_hidden=2)
drawn(R.randn(data=sym.ones((3,)), loc=1.0) + a, a=low)
drawn(R.normal() + a, a=low)
drawn(R.uniform(shape=()) * a, a=low)
drawn(R.poisson(3) - a, a=low)
drawn(R.randint(0, 4) + a, a=low.astype('int32'))
drawn(R.gamma(2, 1, shape=(0, 2)) + a, a=nd.ones((3, 2)))
drawn(sym.arange(2, None, infer_range=True) + a, a=low)
sym.elemwise_add(sym.arange(3, None, 0.5, infer_range=True), a).eval(a=nd.zeros((5,)))
sym.elemwise_add(sym.arange(3, None, -2, repeat=2, infer_range=True), a).eval(a=nd.zeros((6,)))
sym.arange(3, None, infer_range=True).infer_shape()
(sym.ones((2, -1)) + sym.transpose(sym.zeros((3, -1)))).eval()
(sym.ones((2, 3)) + sym.transpose(sym.zeros((0, -1)))).eval()
nd.random.multinomial(nd.array([[-8.5, -0.25], [-0.5, -3]]), shape=3)
nd.random.multinomial(nd.array([-8.5, -0.25, -1]))
nd.random.multinomial(nd.array([[0, 0, 0]]), shape=2)
nd.random.multinomial(nd.array([[0, 0, 1], [-1, -2, -3]]), shape=(2, 2))
drawn(R.normal(loc=a, scale=b, shape=4), a=low, b=high)
drawn(R.normal(a, 1.0), a=low)
drawn(R.randn(2, 3, loc=a, scale=b), a=low, b=high)
drawn(R.exponential(a, shape=2), a=low)
drawn(R.gamma(a, b, shape=2), a=low, b=high)
drawn(R.poisson(a, shape=2), a=low)
drawn(R.negative_binomial(a, b, shape=2), a=nd.array([2, 3]), b=nd.array([0.3, 0.4]))
drawn(R.generalized_negative_binomial(a, b, shape=2), a=low, b=high)
drawn(R.multinomial(a, shape=3), a=nd.array([[0.2, 0.8], [0.5, 0.5]]))
drawn(R.multinomial(a, shape=(2, 3), get_prob=True, dtype='float32'), a=nd.array([[0.2, 0.8], [0.5, 0.5]]))
drawn(R.multinomial(a, dtype='uint8'), a=nd.array([0.2, 0.8]))
drawn(R.shuffle(a), a=nd.ones((4, 3)))
drawn(R.randint(0, 10, shape=(3,), dtype='int64'))
drawn(sym.sample_uniform(a, b, shape=(2,)), a=low, b=high)
drawn(sym.sample_gamma(a, b, shape=(2,), dtype='float64'), a=low, b=high)
drawn(sym.sample_poisson(a, shape=2), a=low)
drawn(sym.sample_multinomial(a, shape=2), a=nd.array([0.2, 0.8]))
drawn(sym.random_uniform(low=0, high=2, shape=(2, 2)))
drawn(R.uniform_like(a, low=2, high=3), a=nd.ones((2, 3)))
drawn(R.normal_like(a), a=nd.ones((2, 3), dtype='float64'))
drawn(R.gamma_like(a), a=nd.ones((2, 3)))
drawn(R.exponential_like(a, lam=3), a=nd.ones((2, 3)))
drawn(R.poisson_like(a), a=nd.ones((2, 3)))
drawn(R.negative_binomial_like(a), a=nd.ones((2, 3)))
drawn(R.generalized_negative_binomial_like(a), a=nd.ones((2, 3)))
"""

MEANS = """
means(R.uniform(a, b, shape=4000), a=nd.array([0, 10]), b=nd.array([4, 30]))
means(R.normal(a, b, shape=4000), a=nd.array([-5, 10]), b=nd.array([1, 2]))
means(R.gamma(a, b, shape=8000), a=nd.array([4, 3.5]), b=nd.array([1, 2]))
means(R.exponential(a, shape=8000), a=nd.array([0.25, 4]))
means(R.poisson(a, shape=8000), a=nd.array([2.2, 7.2]))
means(R.negative_binomial(a, b, shape=8000), a=nd.array([2, 8]), b=nd.array([0.4, 0.7]))
means(R.generalized_negative_binomial(a, b, shape=8000), a=nd.array([2.2, 8.2]), b=nd.array([0.4, 0.1]))
"""

SEEDS = """
repeats(lambda: nd.random.normal(nd.array([0, 1]), nd.array([1, 2]), shape=5))
repeats(lambda: nd.random.multinomial(nd.array([0.2, 0.3, 0.5]), shape=20))
repeats(lambda: nd.random.shuffle(nd.arange(20)))
repeats(lambda: nd.random.randint(0, 1000, shape=(9,)))
repeats(lambda: nd.Dropout(nd.ones((40,)), mode='always'))
repeats(lambda: R.normal(a, b, shape=5).bind(mx.cpu(), {'a': low, 'b': high}).forward()[0])
repeats(lambda: nd.random.uniform(shape=(5,), ctx=mx.cpu(1)), ctx=mx.cpu(1))
repeats(lambda: nd.random.uniform(shape=(5,), ctx=mx.cpu(1)), ctx='all')
repeats(lambda: nd.random.gamma(2, 3, shape=(5,)), ctx=mx.cpu(0))
repeats(lambda: nd.random.uniform(shape=(5,)), seed=np.int64(4))
repeats(lambda: nd.random.uniform(shape=(5,)), seed=-1)
repeats(lambda: nd.random.uniform(shape=(5,)), seed='a')
mx.random.seed()
"""

SLOPES = """
slopes(lambda a: R.multinomial(a, shape=4, get_prob=True)[1], [[0, 1.0, 0], [1, 0, 0]])
slopes(lambda a: R.multinomial(a, shape=(2, 2), get_prob=True)[1], [0, 1.0, 0])
slopes(lambda a, b: R.normal(a, b, shape=4) * 0, [1, 2], [3, 4])
slopes(lambda a, b: R.normal(a, b, shape=4).sum() * 0 + sym.sum(a * b), [1, 2], [3, 4])
slopes(lambda a: R.normal_like(a) * 0 + a, [1, 2])
slopes(lambda a, b: sym.random_pdf_normal(a, b, b + 1), [[1, 2]], [0.5])
slopes(lambda a, b: sym.random_pdf_gamma(a, b, b + 1, is_log=True), [[1, 2]], [0.5])
"""

AFTER_OUT = """
symbol_after_out(lambda x, out: nd.square(x, out=out))
symbol_after_out(lambda x, out: nd.elemwise_add(x, x * 2, out=out))
symbol_after_out(lambda x, out: nd.exp(nd.square(x), out=out))
symbol_after_out(lambda x, out: nd.broadcast_mul(nd.square(x), x, out=out))
symbol_after_out(lambda x, out: nd.clip(x, 0, 1, out=out))
symbol_after_out(lambda x, out: nd.relu(nd.square(x, out=out), out=out))
symbol_after_out(lambda x, out: nd.split(nd.concat(x, x, dim=0), 2, axis=0, out=[out, nd.zeros(2)]))
"""

PROGRAMS = lines("random_symbol_helpers", "\n".join((DRAWS, MEANS, SEEDS, SLOPES, AFTER_OUT)))

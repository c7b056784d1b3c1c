"""Layers of programs whose parameters wait for the first data, used in many ways."""

SETUP = """
def made(compute, shapes, hybridized):
    class Layer(mx.gluon.HybridBlock):
        def __init__(self):
            super().__init__(prefix='layer_')
            with self.name_scope():
                for name, shape in shapes.items():
                    setattr(self, name, self.params.get(
                        name, shape=shape, allow_deferred_init=True, init='ones'))
        def hybrid_forward(self, F, x, **params):
            return compute(F, x, **params)
    layer = Layer()
    layer.initialize()
    if hybridized:
        layer.hybridize()
    y = layer(nd.array([[1, 2, 3], [4, 5, 6.]]))
    return y, {name: getattr(layer, name).shape for name in shapes}

class Weigh(mx.operator.CustomOp):
    def forward(self, is_train, req, in_data, out_data, aux):
        self.assign(out_data[0], req[0], nd.dot(in_data[0], in_data[1].T))
@mx.operator.register('program_weigh')
class WeighProp(mx.operator.CustomOpProp):
    def list_arguments(self):
        return ['data', 'weight']
    def infer_shape(self, in_shape):
        return [in_shape[0], [4, in_shape[0][1]]], [[in_shape[0][0], 4]], []
    def infer_type(self, in_type):
        return [in_type[0]] * 2, [in_type[0]], []
    def create_operator(self, ctx, shapes, dtypes):
        return Weigh()
"""
MISTAKEN = """
class Recurrent(mx.gluon.HybridBlock):
    def __init__(self):
        super().__init__()
        self.layer = mx.gluon.rnn.LSTM(4, layout='NTC')
    def hybrid_forward(self, F, x):
        return F.sum(self.layer(x), axis=2) + F.ones(1)
block = Recurrent()
block.initialize()
block.hybridize(HYBRIDIZED)
def attempt():
    try:
        return block(nd.ones((2, 5, 3))).shape
    except ValueError:
        return 'refused'
r = attempt(), attempt(), block.layer.l0_i2h_weight.shape
"""
LAYERS = (
    ("x * w", {"w": (0, 3)}),
    ("w * x", {"w": (0, 0)}),
    ("x + w", {"w": None}),
    ("F.elemwise_add(x, w)", {"w": (0, 0)}),
    ("F.elemwise_mul(w, x)", {"w": (0, 0)}),
    ("F.FullyConnected(x, w * 2, num_hidden=4, no_bias=True)", {"w": (4, 0)}),
    ("F.FullyConnected(x, F.abs(w), b, num_hidden=4)", {"w": (4, 0), "b": (0,)}),
    ("F.FullyConnected(data=x, weight=w, bias=b, num_hidden=4)", {"w": (0, 0), "b": (0,)}),
    ("F.concat(x, w, dim=0)", {"w": (1, 0)}),
    ("F.where(x > 2, x, w)", {"w": (0, 0)}),
    ("F.LayerNorm(x, g * 2, b)", {"g": (0,), "b": (0,)}),
    ("F.Embedding(x, -w, input_dim=5, output_dim=2)", {"w": (0, 0)}),
    ("F.Custom(x, w, op_type='program_weigh')", {"w": (4, 0)}),
    ("F.batch_dot(F.expand_dims(x, 0), F.expand_dims(w, 0))", {"w": (0, 4)}),
    ("F.concat(x, w, dim=1)", {"w": (0, 0)}),
)

PROGRAMS = {
    f"{'hybridized ' if hybridized else ''}{source}": SETUP
    + f"r = made(lambda F, x, {', '.join(shapes)}: {source}, {shapes}, {hybridized})"
    for source, shapes in LAYERS
    for hybridized in (False, True)
}
PROGRAMS.update(
    (f"mistaken sum, hybridized {hybridized}", MISTAKEN.replace("HYBRIDIZED", str(hybridized)))
    for hybridized in (False, True)
)

"""Operators written in Python as tests of networks use them: without inputs, on sparse arrays."""

OPERATORS = """
class Made(mx.operator.CustomOp):
    def __init__(self, rows, columns):
        super().__init__()
        self.values = nd.arange(rows * columns).reshape((rows, columns))
    def forward(self, is_train, req, in_data, out_data, aux):
        self.assign(out_data[0], req[0], self.values)
    def backward(self, req, out_grad, in_data, out_data, in_grad, aux):
        pass
@mx.operator.register('program_made')
class MadeProp(mx.operator.CustomOpProp):
    def __init__(self, rows, columns='2'):
        super().__init__()
        self.size = int(rows), int(columns)
    def list_arguments(self):
        return []
    def infer_shape(self, in_shape):
        return [], [self.size], []
    def infer_type(self, in_type):
        return [], [np.float32], []
    def create_operator(self, ctx, shapes, dtypes):
        return Made(*self.size)

class Cube(mx.operator.CustomOp):
    def forward(self, is_train, req, in_data, out_data, aux):
        x = in_data[0]
        seen.append((x.stype, out_data[0].stype))
        if x.stype == 'csr':
            x = nd.sparse.csr_matrix((x.data ** 3, x.indices, x.indptr), shape=x.shape)
            self.assign(out_data[0], req[0], x)
        else:
            self.assign(out_data[0], req[0], x * x * x)
    def backward(self, req, out_grad, in_data, out_data, in_grad, aux):
        seen.append((out_grad[0].stype, in_data[0].stype, in_grad[0].stype))
        square = nd.sparse.square(in_data[0])
        self.assign(in_grad[0], req[0], 3 * nd.sparse.elemwise_mul(square, out_grad[0]))
@mx.operator.register('program_cube')
class CubeProp(mx.operator.CustomOpProp):
    def infer_storage_type(self, in_stype):
        return in_stype, in_stype, []
    def infer_storage_type_backward(self, ograd_stype, in_stype, out_stype, igrad_stype, aux_stype):
        return ['default'], in_stype, out_stype, in_stype, []
    def create_operator(self, ctx, shapes, dtypes):
        return Cube()
seen = []

class Named(mx.operator.CustomOp):
    def forward(self, **given):
        seen.append(sorted(given))
        self.assign(given['out_data'][0], given['req'][0], given['in_data'][0] + 1)
    def backward(self, in_grad, out_grad, req, **rest):
        seen.append(sorted(rest))
        self.assign(in_grad[0], req[0], out_grad[0] * 3)
@mx.operator.register('program_named')
class NamedProp(mx.operator.CustomOpProp):
    def create_operator(self, ctx, shapes, dtypes):
        return Named()

class Add(mx.gluon.HybridBlock):
    def hybrid_forward(self, F, x):
        return x + F.Custom(rows=3, op_type='program_made')

def differentiated(x, name):
    x.attach_grad()
    with autograd.record():
        y = nd.Custom(x, op_type=name)
    y.backward()
    return y.stype, y.asnumpy(), x.grad.stype, x.grad.asnumpy(), seen
"""
SPARSE = "x = nd.array([[1, 0, 2.], [0, 0, 3]])"

PROGRAMS = {
    name: f"{OPERATORS}{source}"
    for name, source in {
        "no inputs": "r = nd.Custom(rows=3, op_type='program_made')",
        "no inputs, recorded": """
with autograd.record():
    y = nd.Custom(rows=3, columns=1, op_type='program_made')
r = y
""",
        "no inputs in a graph": """
s = mx.sym.Custom(rows=3, op_type='program_made', name='made')
e = s.bind(mx.cpu(), {})
r = (s.list_arguments(), s.list_outputs(), s.infer_shape(), e.forward())
""",
        "no inputs in a block": "r = Add()(nd.ones((3, 2)))",
        "no inputs in a hybridized block": """
net = Add()
net.hybridize()
r = net(nd.ones((3, 2)))
""",
        "no input where one is expected": "r = nd.Custom(op_type='program_cube')",
        "sparse": f"{SPARSE}\nr = differentiated(x.tostype('csr'), 'program_cube')",
        "dense": f"{SPARSE}\nr = differentiated(x, 'program_cube')",
        "sparse, not recorded": f"{SPARSE}\ny = nd.Custom(x.tostype('csr'), op_type='program_cube')"
        "\nr = (y.stype, y.asnumpy(), seen)",
        "storage of sparse inputs by default": (
            "r = mx.operator.CustomOpProp().infer_storage_type(['csr'])"
        ),
        "storage of dense inputs by default": (
            "r = mx.operator.CustomOpProp().infer_storage_type(['default'])"
        ),
        "arguments by name": "r = differentiated(nd.ones(2), 'program_named')",
        "old operators by name": """
class Twice(mx.operator.NumpyOp):
    def forward(self, **given):
        given['out_data'][0][:] = given['in_data'][0] * 2
    def backward(self, in_grad, out_grad, **rest):
        in_grad[0][:] = out_grad[0] * len(rest)
import warnings
warnings.simplefilter('ignore')
e = Twice()(mx.sym.var('x'), name='t').simple_bind(mx.cpu(), x=(2,))
e.arg_dict['x'][:] = 4
out = e.forward(is_train=True)
e.backward(nd.ones(2))
r = (out, e.grad_dict['x'])
""",
    }.items()
}

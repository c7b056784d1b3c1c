"""Optimizers as programs use them: subclasses, parameters by name, a few rows of a weight."""

SETUP = """
import warnings
warnings.simplefilter('ignore')
def updated(optimizer, index='w_weight', steps=3):
    update, w = mx.optimizer.get_updater(optimizer), nd.array([1, 2, 3.])
    for step in range(steps):
        update(index, nd.array([3, 2, 1.]) * (step + 1), w)
    return w
def some_rows(optimizer):
    update, w = mx.optimizer.get_updater(optimizer), nd.ones((3, 2))
    for step in range(2):
        update(0, nd.sparse.row_sparse_array((nd.ones((1, 2)), [1]), shape=(3, 2)), w)
    return w
"""
BY_NAME = ("w_weight", "w_bias", "w_gamma", "w_beta", "w", 0)

PROGRAMS = {
    **{
        f"LARS with momentum {momentum}: {index!r}": SETUP
        + f"r = updated(mx.optimizer.LARS(learning_rate=0.1, momentum={momentum}, eta=0.1), "
        f"{index!r})"
        for momentum in (0, 0.9)
        for index in BY_NAME
    },
    **{
        f"rows with {options}": f"{SETUP}r = some_rows(mx.optimizer.{options})"
        for options in (
            "NAG(learning_rate=0.1, wd=0.1)",
            "NAG(learning_rate=0.1, wd=0.1, momentum=0.9)",
            "SGD(learning_rate=0.1, wd=0.1)",
            "SGD(learning_rate=0.1, wd=0.1, lazy_update=False)",
            "Signum(learning_rate=0.1, wd=0.1)",
        )
    },
    **{
        f"{base} with rates of its own": SETUP
        + f"""
class Own(mx.optimizer.{base}):
    def _get_lr(self, index):
        return super()._get_lr(index) * 0.5
    def _get_wd(self, index):
        return 0.25
r = updated(Own(learning_rate=0.1))
"""
        for base in ("Adam", "RMSProp", "AdaGrad", "Adamax", "Nadam", "FTML", "Ftrl", "AdaDelta")
    },
    "rates of several indices": SETUP
    + """
class Own(mx.optimizer.SGD):
    def _get_lrs(self, indices):
        return [rate * 0.5 for rate in super()._get_lrs(indices)]
    def _get_wds(self, indices):
        return [0.25 for _ in indices]
r = updated(Own(learning_rate=0.1))
""",
    **{
        f"compared on {arguments}": SETUP
        + f"""
seen = []
def kind(item):
    return [kind(part) for part in item] if isinstance(item, (list, tuple)) else item.stype
class Seen(mx.optimizer.Optimizer):
    def __init__(self, name):
        super().__init__()
        self.name = name
    def create_state_multi_precision(self, index, weight):
        seen.append((self.name, index, weight.shape, weight.stype))
        return nd.zeros(weight.shape)
    def update_multi_precision(self, index, weight, grad, state):
        seen.append((self.name, index, kind(weight), kind(grad), kind(state)))
mx.test_utils.compare_optimizer(Seen('a'), Seen('b'), {arguments})
r = seen
"""
        for arguments in (
            "(3, 4), 'float32'",
            "(3, 4), 'float32', w_stype='row_sparse', g_stype='row_sparse'",
            "(3, 4), 'float32', g_stype='row_sparse'",
            "[(3, 4), (2,)], 'float64', ntensors=2",
            "[3, 4], 'float32', ntensors=2",
            "(3, 4), 'float32', ntensors=2",
        )
    },
    "multipliers on two contexts": SETUP
    + """
w = mx.sym.var('fc_weight', lr_mult=2.0, wd_mult=3.0)
net = mx.sym.FullyConnected(mx.sym.var('data'), weight=w, num_hidden=2, name='fc')
net = mx.sym.SoftmaxOutput(net, name='softmax')
found = []
for store in ('local', None):
    m = mx.mod.Module(net, context=[mx.cpu(0), mx.cpu(1)])
    m.bind([('data', (2, 3))], [('softmax_label', (2,))])
    m.init_params(mx.init.One())
    m.init_optimizer(store, 'lars', {'learning_rate': 0.1, 'wd': 0.1})
    m.forward_backward(mx.io.DataBatch([nd.array([[1, 2, 3], [4, 5, 6]])], [nd.array([0, 1])]))
    m.update()
    found.append(m.get_params()[0])
r = found
""",
}

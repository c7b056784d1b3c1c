"""Whole programs in the style of projects written on symbols: detection, faces, games, recommenders."""

# ruff: noqa: E501 - a statement is one line
from __future__ import annotations

SETUP = """
import logging, math, os, warnings, zlib
warnings.simplefilter('ignore')
S, V = mx.sym, mx.sym.Variable
def drawn(name, shape, low=-1.0, high=1.0):
    return np.random.RandomState(zlib.crc32(name.encode())).uniform(low, high, size=shape).astype('float32')
def whole(name, shape, number):
    return np.random.RandomState(zlib.crc32(name.encode())).randint(0, number, size=shape).astype('float32')
class Drawn(mx.init.Initializer):
    def _init_weight(self, name, arr):
        arr[:] = drawn(str(name), arr.shape) / math.sqrt(max(1, np.prod(arr.shape[1:])))
    _init_default = _init_weight
def fill(arrays, but=()):
    for name, array in arrays.items():
        if name not in but:
            Drawn()._init_weight(name, array)
def short(*arrays):
    values = [np.asarray(a.asnumpy() if isinstance(a, nd.NDArray) else a, 'float32') for a in arrays]
    return [[list(v.shape), np.float16(v.ravel()[:12]), np.float16(np.abs(v).mean())] for v in values]
def params(module):
    mx.nd.waitall()  # the original writes statistics late
    return {k: short(v)[0] for k, v in sorted(module.get_params()[0].items())[:6]}
def train(net, shapes, labels=(), steps=3, optimizer='sgd', made={}, **options):
    module = mx.mod.Module(net, [k for k in shapes if k not in labels], list(labels) or None)
    module.bind([(k, v) for k, v in shapes.items() if k not in labels], [(k, shapes[k]) for k in labels] or None)
    module.init_params(Drawn())
    module.init_optimizer(optimizer=optimizer, optimizer_params={'learning_rate': 0.1, **options})
    found = []
    for step in range(steps):
        arrays = {k: nd.array(made[k](step) if k in made else drawn(k + str(step), shapes[k])) for k in shapes}
        module.forward_backward(mx.io.DataBatch([arrays[k] for k in shapes if k not in labels], [arrays[k] for k in labels]))
        module.update()
        found.append(short(*module.get_outputs()))
    return found, params(module)
def unit(data, filters, name, size=3, stride=2):
    conv = S.Convolution(data=data, kernel=(size, size), pad=(size // 2,) * 2, stride=(stride,) * 2, num_filter=filters, name=name)
    return S.Activation(data=conv, act_type='relu', name=name + '_relu')
"""

_SOURCES = {
    "detection in one shot: fit and detect": """
class Boxes(mx.io.DataIter):
    def __init__(self):
        super().__init__(2)
        self.at, self.provide_data, self.provide_label = 0, [('data', (2, 3, 32, 32))], [('label', (2, 3, 5))]
    def reset(self): self.at = 0
    def next(self):
        if self.at == 3: raise StopIteration
        self.at += 1
        label = np.full((2, 3, 5), -1.0, 'float32')
        for i in range(2):
            x, y = drawn('box%d%d' % (self.at, i), (2,), 0, 0.5)
            label[i, 0] = [i, x, y, x + 0.4, y + 0.35]
        return mx.io.DataBatch([nd.array(drawn('image%d' % self.at, (2, 3, 32, 32)))], [nd.array(label)], pad=0)
class Losses(mx.metric.EvalMetric):
    def __init__(self): super().__init__('losses')
    def reset(self): self.sums, self.counts = [0.0, 0.0], 0
    def update(self, labels, preds):
        prob, loc, target = (p.asnumpy() for p in preds[:3])
        known = target.ravel() >= 0
        chosen = prob.transpose(0, 2, 1).reshape(-1, prob.shape[1])[known, target.ravel()[known].astype(int)]
        self.sums = [self.sums[0] - np.log(chosen + 1e-8).sum(), self.sums[1] + loc.sum()]
        self.counts += known.sum()
    def get(self): return ['entropy', 'smooth'], [float(s / max(1, self.counts)) for s in self.sums]
def network(training):
    a = unit(unit(S.Variable('data'), 8, 'c1'), 8, 'c2')
    locs, classes, anchors = [], [], []
    for k, layer in enumerate([a, unit(a, 8, 'c3')]):
        if k == 0:
            scale = S.Variable('scale', shape=(1, 8, 1, 1), init=mx.init.Constant(20), attr={'__wd_mult__': '0.1'})
            layer = S.broadcast_mul(scale, S.L2Normalization(layer, mode='channel'))
        for parts, count, kind in ((locs, 4 * 3, 'loc'), (classes, 4 * 3, 'cls')):
            conv = S.Convolution(layer, kernel=(3, 3), pad=(1, 1), num_filter=count, name='%s%d' % (kind, k))
            parts.append(S.Flatten(S.transpose(conv, axes=(0, 2, 3, 1))))
        anchors.append(S.Flatten(mx.contrib.symbol.MultiBoxPrior(layer, sizes='(%s)' % ','.join(map(str, (0.2 + 0.3 * k, 0.3 + 0.3 * k))), ratios=(1, 2), name='anchors%d' % k)))
    loc = S.Concat(*locs, num_args=2, dim=1)
    cls = S.transpose(S.Reshape(S.Concat(*classes, dim=1), shape=(0, -1, 4)), axes=(0, 2, 1))
    anchor = S.Reshape(S.Concat(*anchors, dim=1), shape=(0, -1, 4))
    options = dict(nms_threshold=0.5, force_suppress=False, variances=(0.1, 0.1, 0.2, 0.2), nms_topk=40)
    if not training:
        return mx.contrib.sym.MultiBoxDetection(S.SoftmaxActivation(cls, mode='channel'), loc, anchor, name='detection', **options)
    target = mx.contrib.sym.MultiBoxTarget(anchor, S.Variable('label'), cls, overlap_threshold=0.5, ignore_label=-1, negative_mining_ratio=3, negative_mining_thresh=0.5, variances=(0.1, 0.1, 0.2, 0.2))
    prob = S.SoftmaxOutput(cls, target[2], ignore_label=-1, use_ignore=True, multi_output=True, normalization='valid', name='cls_prob')
    smooth = S.MakeLoss(S.smooth_l1(target[1] * (loc - target[0]), scalar=1.0), normalization='valid', name='loc_loss')
    return S.Group([prob, smooth, S.MakeLoss(target[2], grad_scale=0, name='cls_label')])
net, lines = network(True), []
m = mx.mod.Module(net, label_names=('label',), fixed_param_names=['c1_weight'])
m.fit(Boxes(), eval_metric=Losses(), num_epoch=2, initializer=Drawn(), optimizer_params={'learning_rate': 0.02, 'momentum': 0.9, 'wd': 5e-4, 'clip_gradient': 4.0},
      batch_end_callback=lambda p: lines.append([p.epoch, p.nbatch, np.float16(p.eval_metric.get()[1])]))
detector = mx.mod.Module(network(False), label_names=None)
detector.bind([('data', (1, 3, 32, 32))], for_training=False)
detector.set_params(*m.get_params())
detector.forward(mx.io.DataBatch([nd.array(drawn('test', (1, 3, 32, 32)))]))
r = net.list_outputs(), lines, params(m), short(detector.get_outputs()[0].asnumpy()[0, :6])
""",
    "detection in two stages: proposals, targets by a custom operator, shapes that change": """
class Target(mx.operator.CustomOp):
    def forward(self, is_train, req, in_data, out_data, aux):
        rois, truth = in_data[0].asnumpy(), in_data[1].asnumpy()[0]
        rois = np.vstack([rois, np.hstack([np.zeros((len(truth), 1), 'float32'), truth[:, :4]])])[-8:]
        wide = np.minimum(rois[:, None, 3], truth[None, :, 2]) - np.maximum(rois[:, None, 1], truth[None, :, 0])
        high = np.minimum(rois[:, None, 4], truth[None, :, 3]) - np.maximum(rois[:, None, 2], truth[None, :, 1])
        common = np.maximum(wide, 0) * np.maximum(high, 0)
        label = truth[common.argmax(1), 4] * (common.max(1) > 100)
        offsets = np.tile((truth[common.argmax(1), :4] - rois[:, 1:]) / 16, (1, 3))
        weights = np.repeat(np.arange(3)[None] == label[:, None], 4, axis=1) * (label[:, None] > 0)
        for i, value in enumerate([rois, label, offsets, weights.astype('float32')]):
            self.assign(out_data[i], req[i], nd.array(value))
    def backward(self, req, out_grad, in_data, out_data, in_grad, aux):
        self.assign(in_grad[0], req[0], 0)
        self.assign(in_grad[1], req[1], 0)
@mx.operator.register('roi_target')
class TargetProp(mx.operator.CustomOpProp):
    def __init__(self, num_classes): super().__init__(need_top_grad=False); self.classes = int(num_classes)
    def list_arguments(self): return ['rois', 'gt_boxes']
    def list_outputs(self): return ['rois_output', 'label', 'bbox_target', 'bbox_weight']
    def infer_shape(self, in_shape): return in_shape, [(8, 5), (8,), (8, self.classes * 4), (8, self.classes * 4)]
    def create_operator(self, ctx, shapes, dtypes): return Target()
    def declare_backward_dependency(self, out_grad, in_data, out_data): return []
names, label_names = ['data', 'im_info', 'gt_boxes'], ['label', 'bbox_target', 'bbox_weight']
data, info, truth, label, target, weight = (S.Variable(n) for n in names + label_names)
body = unit(unit(unit(unit(data, 4, 'c1'), 4, 'c2'), 6, 'c3'), 6, 'c4')
score = S.Convolution(body, kernel=(1, 1), num_filter=6, name='rpn_cls')
box = S.Convolution(body, kernel=(1, 1), num_filter=12, name='rpn_box')
flat = S.Reshape(score, shape=(0, 2, -1, 0))
prob = S.SoftmaxOutput(flat, label, multi_output=True, normalization='valid', use_ignore=True, ignore_label=-1, name='rpn_prob')
loss = S.MakeLoss(weight * S.smooth_l1(box - target, scalar=3.0), grad_scale=1.0 / 16, name='rpn_loss')
act = S.Reshape(S.SoftmaxActivation(flat, mode='channel'), shape=(0, 6, -1, 0))
rois = mx.contrib.symbol.Proposal(cls_prob=act, bbox_pred=box, im_info=info, name='rois', feature_stride=16, scales=(1,), ratios=(0.5, 1, 2), rpn_pre_nms_top_n=40, rpn_post_nms_top_n=8, threshold=0.7, rpn_min_size=4)
group = S.Custom(rois=rois, gt_boxes=truth, op_type='roi_target', num_classes=3)
pool = S.ROIPooling(data=body, rois=group[0], pooled_size=(2, 2), spatial_scale=1.0 / 16)
top = S.FullyConnected(S.Flatten(pool), num_hidden=8, name='fc6')
cls = S.SoftmaxOutput(S.FullyConnected(top, num_hidden=3, name='cls'), group[1], normalization='batch', name='cls_prob')
reg = S.MakeLoss(group[3] * S.smooth_l1(S.FullyConnected(top, num_hidden=12, name='box') - group[2], scalar=1.0), grad_scale=1.0 / 8, name='box_loss')
net = S.Group([prob, loss, S.Reshape(cls, shape=(1, -1, 3)), reg, S.BlockGrad(group[1])])
current, found = None, []
for i, (h, w) in enumerate([(96, 128), (128, 96), (64, 112), (96, 128)]):
    fh, fw = net.get_internals()['rpn_cls_output'].infer_shape(data=(1, 3, h, w))[1][0][2:]
    arrays = [drawn('im%d' % i, (1, 3, h, w)), [[h, w, 1.0]], [[[5, 5, 40, 30, 1], [10, 12, 30, 44, 2]]],
              whole('l%d' % i, (1, 3 * fh, fw), 3) - 1, drawn('t%d' % i, (1, 12, fh, fw)), whole('w%d' % i, (1, 12, fh, fw), 2)]
    arrays = [nd.array(a) for a in arrays]
    batch = mx.io.DataBatch(arrays[:3], arrays[3:], provide_data=[(n, a.shape) for n, a in zip(names, arrays)], provide_label=[(n, a.shape) for n, a in zip(label_names, arrays[3:])])
    if current is None or dict(current.data_shapes)['data'] != batch.provide_data[0][1]:
        fresh = mx.mod.Module(net, names, label_names, fixed_param_names=['c1_weight', 'c1_bias'])
        fresh.bind(batch.provide_data, batch.provide_label, shared_module=current)
        if current is None:
            fresh.init_params(Drawn())
            fresh.init_optimizer(optimizer_params={'learning_rate': 0.05, 'momentum': 0.9, 'rescale_grad': 1.0, 'clip_gradient': 5})
        current = fresh
    current.forward_backward(batch)
    current.update()
    found.append(short(*current.get_outputs()))
r = net.list_outputs(), net.list_arguments()[:4], found, params(current)
""",
    "regions pooled by position, deformed and aligned": """
x, rois = V('data'), V('rois')
maps = S.Convolution(x, num_filter=27, kernel=(1, 1), name='maps')
pooled = mx.contrib.sym.PSROIPooling(data=maps, rois=rois, group_size=3, pooled_size=3, output_dim=3, spatial_scale=0.25)
votes = S.softmax(S.Flatten(S.Pooling(pooled, pool_type='avg', global_pool=True, kernel=(3, 3))))
offset = S.Convolution(x, num_filter=18, kernel=(3, 3), pad=(1, 1), name='offset')
deformed = mx.contrib.sym.DeformableConvolution(name='deformed', data=x, offset=offset, num_filter=4, pad=(1, 1), kernel=(3, 3), num_deformable_group=1, no_bias=True)
net = S.Group([votes, S.sum(mx.contrib.sym.ROIAlign(deformed, rois, pooled_size=(2, 2), spatial_scale=0.25, sample_ratio=2))])
exe = net.simple_bind(mx.cpu(), data=(1, 4, 12, 12), rois=(4, 5))
fill(exe.arg_dict)
exe.arg_dict['rois'][:] = [[0, 0, 0, 20, 20], [0, 4, 8, 40, 30], [0, 10, 2, 30, 47], [0, 0, 0, 47, 47]]
out = exe.forward(is_train=True)
exe.backward([nd.array(drawn('head', (4, 3))), nd.array([1.0])])
r = short(*out), {k: short(exe.grad_dict[k]) for k in ('data', 'maps_weight', 'deformed_weight', 'offset_bias')}
""",
    "faces with angular margins in shards": """
body = S.BatchNorm(S.FullyConnected(V('data'), num_hidden=6, name='pre'), fix_gamma=True, eps=2e-5, name='fc1')
back = mx.mod.Module(body, label_names=None)
back.bind([('data', (4, 5))])
back.init_params(Drawn())
back.init_optimizer(optimizer_params={'learning_rate': 0.1, 'rescale_grad': 1.0})
shards = []
for i in range(2):
    weight = S.L2Normalization(V('fc7_%d_weight' % i, shape=(3, 6), lr_mult=1.0), mode='instance')
    label = V('softmax_label')
    fc7 = S.FullyConnected(S.L2Normalization(V('data'), mode='instance') * 8.0, weight=weight, no_bias=True, num_hidden=3, name='fc7_%d' % i)
    zy = S.pick(fc7, label, axis=1)
    cosine = zy / 8.0
    turned = (cosine * math.cos(0.3) - S.sqrt(1.0 - cosine * cosine) * math.sin(0.3)) * 8.0
    turned = S.where(S.Activation(cosine - math.cos(math.pi - 0.3), act_type='relu'), turned, zy - 0.7)
    fc7 = fc7 + S.broadcast_mul(S.one_hot(label, depth=3), S.expand_dims(turned - zy, 1))
    shard = mx.mod.Module(fc7, label_names=['softmax_label'])
    shard.bind([('data', (4, 6))], [('softmax_label', (4,))], inputs_need_grad=True)
    shard.init_params(Drawn())
    shard.init_optimizer(optimizer_params={'learning_rate': 0.1})
    shards.append(shard)
found = []
for step in range(3):
    labels = whole('y%d' % step, (4,), 6)
    back.forward(mx.io.DataBatch([nd.array(drawn('x%d' % step, (4, 5)))], []), is_train=True)
    features = back.get_outputs()[0]
    own = [np.where((labels >= 3 * i) & (labels < 3 * i + 3), labels - 3 * i, -1) for i in range(2)]
    for shard, part in zip(shards, own):
        shard.forward(mx.io.DataBatch([features], [nd.array(part)]), is_train=True)
    logits = nd.concat(*[s.get_outputs()[0] for s in shards], dim=1)
    prob = nd.softmax(logits)
    gradient = (prob - nd.one_hot(nd.array(labels), 6)) / 4
    total = nd.zeros(features.shape)
    for i, shard in enumerate(shards):
        shard.backward(out_grads=[nd.slice_axis(gradient, axis=1, begin=3 * i, end=3 * i + 3)])
        total += shard.get_input_grads()[0]
        shard.update()
    back.backward([total])
    back.update()
    found.append(short(prob, total))
r = found, [params(m) for m in (back, *shards)]
""",
    "games: values of actions with a target net": """
class Chosen(mx.operator.CustomOp):
    def forward(self, is_train, req, in_data, out_data, aux):
        self.assign(out_data[0], req[0], in_data[0])
    def backward(self, req, out_grad, in_data, out_data, in_grad, aux):
        x, action, reward = out_data[0].asnumpy(), in_data[1].asnumpy().astype(int), in_data[2].asnumpy()
        rows, grad = np.arange(len(action)), np.zeros(x.shape, 'float32')
        grad[rows, action] = np.clip(x[rows, action] - reward, -1, 1)
        self.assign(in_grad[0], req[0], nd.array(grad))
@mx.operator.register('chosen_value')
class ChosenProp(mx.operator.CustomOpProp):
    def __init__(self): super().__init__(need_top_grad=False)
    def list_arguments(self): return ['data', 'action', 'reward']
    def list_outputs(self): return ['output']
    def infer_shape(self, s): return [s[0], (s[0][0],), (s[0][0],)], [s[0]], []
    def create_operator(self, ctx, shapes, dtypes): return Chosen()
body = S.FullyConnected(S.Flatten(S.Activation(S.Convolution(V('data'), num_filter=4, kernel=(3, 3), stride=(2, 2), name='conv'), act_type='relu')), num_hidden=3, name='value')
net = S.Custom(data=body, name='dqn', op_type='chosen_value')
inputs = ('data', 'dqn_action', 'dqn_reward')
exe = net.simple_bind(mx.cpu(), data=(4, 2, 9, 9), dqn_action=(4,), dqn_reward=(4,), grad_req='write')
old = body.simple_bind(mx.cpu(), data=(4, 2, 9, 9), grad_req='null')
fill(exe.arg_dict, inputs)
names = [n for n in net.list_arguments() if n not in inputs]
update = mx.optimizer.get_updater(mx.optimizer.create('rmsprop', learning_rate=0.01, gamma1=0.95, gamma2=0.95, epsilon=0.01, centered=True))
found = []
old.copy_params_from({n: exe.arg_dict[n] for n in names})
for step in range(4):
    action = nd.array(whole('a%d' % step, (4,), 3))
    after = old.forward(is_train=False, data=nd.array(drawn('s2%d' % step, (4, 2, 9, 9))))[0]
    goal = nd.array(drawn('r%d' % step, (4,))) + 0.9 * nd.choose_element_0index(after, nd.argmax_channel(after))
    out = exe.forward(is_train=True, data=nd.array(drawn('s%d' % step, (4, 2, 9, 9))), dqn_action=action, dqn_reward=goal)[0]
    exe.backward()
    for k, n in enumerate(names):
        update(k, exe.grad_dict[n], exe.arg_dict[n])
    found.append(short(out, goal))
single = exe.reshape(data=(1, 2, 9, 9), dqn_action=(1,), dqn_reward=(1,))
r = net.list_arguments(), found, short(single.forward(is_train=False, data=nd.ones((1, 2, 9, 9)))[0])
""",
    "games: a policy and its value with gradients by hand": """
h = S.Activation(S.FullyConnected(V('data'), num_hidden=8, name='fc', no_bias=True), act_type='relu')
policy = S.clip(S.SoftmaxActivation(S.FullyConnected(h, name='policy', num_hidden=3, no_bias=True)), a_min=1e-5, a_max=1 - 1e-5)
log = S.log(policy, name='log_policy')
entropy = S.MakeLoss(policy * log, grad_scale=0.01, name='neg_entropy')
net = S.Group([log, S.FullyConnected(h, name='value', num_hidden=1), entropy, S.BlockGrad(policy)])
m = mx.mod.Module(net, label_names=None)
m.bind([('data', (5, 4))], grad_req='write')
m.init_params(Drawn())
m.init_optimizer(optimizer='adam', optimizer_params={'learning_rate': 0.02, 'epsilon': 1e-3})
found = []
for step in range(3):
    m.forward(mx.io.DataBatch([nd.array(drawn('x%d' % step, (5, 4)))], None), is_train=True)
    advantage, head = drawn('adv%d' % step, (5,)), np.zeros((5, 3), 'float32')
    head[np.arange(5), whole('act%d' % step, (5,), 3).astype(int)] = -advantage
    m.backward([nd.array(head), nd.array(-advantage[:, None] * 0.5), nd.ones((5, 3)), nd.ones((5, 3))])
    norm = sum(float((g[0].asnumpy() ** 2).sum()) for g in m._exec_group.grad_arrays)
    m.update()
    found.append([np.float16(norm), short(*m.get_outputs())])
try:
    m.forward(mx.io.DataBatch([nd.ones((5, 4))], None), is_train=True)
    m.backward([nd.ones((5, 3))])
except mx.MXNetError:
    found.append('too few heads')
r = found, params(m)
""",
    "games: an actor led by the gradient of a critic": """
obs, act, goal = V('obs'), V('act'), V('goal')
actor = S.Activation(S.FullyConnected(obs, num_hidden=2, name='policy'), act_type='tanh', name='act')
value = S.FullyConnected(S.Concat(S.Activation(S.FullyConnected(obs, num_hidden=6, name='q1'), act_type='relu'), act), num_hidden=1, name='q2')
loss = S.Group([S.MakeLoss(S.square(value - goal), grad_scale=0.25), S.BlockGrad(value)])
critic = loss.simple_bind(mx.cpu(), obs=(4, 3), act=(4, 2), goal=(4, 1))
player = actor.simple_bind(mx.cpu(), obs=(4, 3))
fill(critic.arg_dict); fill(player.arg_dict)
arguments = value.list_arguments()
asked = value.bind(mx.cpu(), {k: critic.arg_dict[k] for k in arguments}, args_grad={'act': nd.zeros((4, 2))}, grad_req={k: 'write' if k == 'act' else 'null' for k in arguments})
updates = [mx.optimizer.get_updater(mx.optimizer.create('adam', learning_rate=0.01)) for _ in range(2)]
slow, found = {k: v.copy() for k, v in player.arg_dict.items() if k != 'obs'}, []
for step in range(3):
    for name in ('obs', 'act', 'goal'):
        critic.arg_dict[name][:] = drawn(name + str(step), critic.arg_dict[name].shape)
    critic.forward(is_train=True)
    critic.backward()
    for k, n in enumerate(arguments):
        if n.startswith('q'): updates[0](k, critic.grad_dict[n], critic.arg_dict[n])
    player.arg_dict['obs'][:] = critic.arg_dict['obs']
    player.forward(is_train=True)
    critic.arg_dict['act'][:] = player.outputs[0]
    asked.forward(is_train=True)
    asked.backward([nd.ones((4, 1)) * -0.25])
    player.backward([asked.grad_dict['act']])
    for k, n in enumerate(slow):
        updates[1](k, player.grad_dict[n], player.arg_dict[n])
        slow[n][:] = 0.9 * slow[n] + 0.1 * player.arg_dict[n]
    found.append(short(*critic.outputs, *player.outputs))
r = found, {k: short(v) for k, v in sorted(slow.items())}
""",
    "two modules against each other": """
noise = S.Activation(S.BatchNorm(S.Deconvolution(V('rand'), name='g1', kernel=(4, 4), num_filter=6, no_bias=True), name='gbn', fix_gamma=True, eps=1e-5), act_type='relu')
drawing = S.Activation(S.Deconvolution(noise, name='g2', kernel=(4, 4), stride=(2, 2), pad=(1, 1), num_filter=1, no_bias=True), act_type='tanh')
seen = S.LeakyReLU(S.Convolution(V('data'), name='d1', kernel=(4, 4), stride=(2, 2), pad=(1, 1), num_filter=4, no_bias=True), act_type='leaky', slope=0.2)
verdict = S.LogisticRegressionOutput(S.Flatten(S.Convolution(seen, name='d2', kernel=(4, 4), num_filter=1, no_bias=True)), V('label'), name='verdict')
g = mx.mod.Module(drawing, data_names=('rand',), label_names=None)
g.bind([('rand', (4, 5, 1, 1))])
d = mx.mod.Module(verdict, label_names=('label',))
d.bind([('data', (4, 1, 8, 8))], [('label', (4,))], inputs_need_grad=True)
for m in (g, d):
    m.init_params(Drawn())
    m.init_optimizer(optimizer='adam', optimizer_params={'learning_rate': 0.01, 'wd': 0.0, 'beta1': 0.5})
def entropy(label, pred):
    pred, label = pred.ravel(), label.ravel()
    return -(label * np.log(pred + 1e-12) + (1.0 - label) * np.log(1.0 - pred + 1e-12)).mean()
metrics, label, found = [mx.metric.CustomMetric(entropy) for _ in range(2)], nd.zeros((4,)), []
for step in range(3):
    g.forward(mx.io.DataBatch([nd.array(drawn('z%d' % step, (4, 5, 1, 1)))], []), is_train=True)
    fake = g.get_outputs()
    label[:] = 0
    d.forward(mx.io.DataBatch(fake, [label]), is_train=True)
    d.backward()
    kept = [[grad.copyto(grad.context) for grad in grads] for grads in d._exec_group.grad_arrays]
    d.update_metric(metrics[0], [label])
    label[:] = 1
    d.forward(mx.io.DataBatch([nd.array(drawn('real%d' % step, (4, 1, 8, 8)))], [label]), is_train=True)
    d.backward()
    for grads, others in zip(d._exec_group.grad_arrays, kept):
        for grad, other in zip(grads, others): grad += other
    d.update()
    d.forward(mx.io.DataBatch(fake, [label]), is_train=True)
    d.backward()
    g.backward(d.get_input_grads())
    g.update()
    d.update_metric(metrics[1], [label])
    found.append([np.float16([m.get()[1] for m in metrics]), short(fake[0], d.get_input_grads()[0])])
r = metrics[0].get()[0], found, params(g), params(d)
""",
    "an image drawn by gradients": """
x, layers = V('data'), []
for i, n in enumerate([4, 6]):
    x = S.Activation(S.Convolution(x, num_filter=n, kernel=(3, 3), pad=(1, 1), name='conv%d' % i), act_type='relu')
    layers.append(x)
    x = S.Pooling(x, kernel=(2, 2), stride=(2, 2), pool_type='avg')
size = (1, 3, 8, 8)
shape = layers[0].infer_shape(data=size)[1][0]
rows = S.Reshape(layers[0], target_shape=(int(shape[1]), int(np.prod(shape[2:]))))
style, content = S.FullyConnected(rows, rows, no_bias=True, num_hidden=shape[1]), layers[1]
both = S.Group([style, content])
shapes = dict(zip(both.list_arguments(), both.infer_shape(data=size)[0]))
args = {n: nd.zeros(s) for n, s in shapes.items()}
exe = both.bind(mx.cpu(), args, args_grad={'data': nd.zeros(size)}, grad_req={n: 'write' if n == 'data' else 'null' for n in shapes})
fill(exe.arg_dict)
wanted = [exe.forward()[0].copy()]
exe.arg_dict['data'][:] = drawn('content', size)
wanted.append(exe.forward()[1].copy())
total = S.Group([S.sum(S.square(V('gram') - style)), S.sum(S.square(V('content') - content))])
image = nd.array(drawn('image', size))
exe = total.bind(mx.cpu(), {**{n: a for n, a in args.items() if n != 'data'}, 'data': image, 'gram': wanted[0], 'content': wanted[1]}, args_grad={'data': nd.zeros(size)}, grad_req='write')
split, kernel = S.SliceChannel(V('img'), num_outputs=3), V('kernel')
rough = S.Concat(*[S.Convolution(data=split[i], weight=kernel, num_filter=1, kernel=(3, 3), pad=(1, 1), no_bias=True) for i in range(3)]) * 0.01
rough = rough.bind(mx.cpu(), {'img': image, 'kernel': nd.array(np.array([[0, -1, 0], [-1, 4, -1], [0, -1, 0]]).reshape(1, 1, 3, 3) / 8.0)})
optimizer, found = mx.optimizer.NAG(learning_rate=0.02, wd=1e-4, momentum=0.9), []
state = optimizer.create_state(0, image)
for step in range(4):
    exe.forward(is_train=True)
    exe.backward([nd.ones((1,)) * 0.01, nd.ones((1,)) * 0.1])
    norm = nd.norm(exe.grad_dict['data']).asscalar()
    if norm > 0.5: exe.grad_dict['data'][:] *= 0.5 / norm
    optimizer.update(0, image, exe.grad_dict['data'] + rough.forward()[0], state)
    found.append([np.float16(norm), short(*exe.outputs)])
r = total.list_arguments(), found, short(image)
""",
    "FeedForward whose epochs end with the data": """
it = mx.io.ResizeIter(mx.io.NDArrayIter(drawn('x', (48, 6)), whole('y', (48,), 3), 8), 4)
net = S.Softmax(S.FullyConnected(V('data'), num_hidden=3, name='fc'), name='softmax')
calls = []
m = mx.model.FeedForward(net, num_epoch=3, epoch_size=4, learning_rate=0.1, initializer=Drawn())
m.fit(it, batch_end_callback=lambda p: calls.append((p.epoch, p.nbatch)))
r = calls, short(*[m.arg_params[k] for k in sorted(m.arg_params)])
""",
    "contributed operators under their old name": """
x = nd.array(drawn('x', (1, 2, 4, 4)))
s = mx.contrib.sym.MultiBoxPrior(V('x'), sizes=(0.5,), name='p')
r = mx.contrib.nd.MultiBoxPrior(x, sizes=(0.5,)), s.list_outputs(), s.infer_shape(x=(1, 2, 4, 4))[1], s.eval(x=x), mx.contrib.ndarray is mx.contrib.nd, mx.contrib.symbol is mx.contrib.sym, [hasattr(mx.contrib.sym, n) for n in ('Proposal', 'ctc_loss', 'foreach', 'box_nms')]
""",
    "differentiation under its old names": """
old = mx.contrib.autograd
states = [old.set_is_training(True), autograd.is_training(), autograd.is_recording(), old.set_is_training(False), autograd.is_recording()]
x, g, h = nd.array([1.0, 2.0, 3.0]), nd.zeros(3), nd.zeros(3)
old.mark_variables([x], [g])
with old.train_section():
    with old.test_section():
        states += [autograd.is_training(), autograd.is_recording()]
    y = x * x
old.compute_gradient([y])
first = g.copy()
with old.train_section():
    y, z = x * 3, x * x
old.backward([y, z], [None, nd.array([1.0, 0.0, 2.0])], retain_graph=True)
both = old.grad_and_loss(lambda a, b: a * b + a)(nd.array([1.0, 2.0]), nd.array([3.0, 4.0]))
one = old.grad(lambda a, b: [a * b, b * 1], argnum=1)(nd.array([1.0, 2.0]), nd.array([3.0, 4.0]))
wrong = []
for call in (lambda: old.backward(y), lambda: old.grad(lambda a: a)(5)):
    try: call()
    except AssertionError: wrong.append('refused')
r = states, first, g, both, one, wrong
""",
    "a loader of Gluon in a module": """
dataset = mx.gluon.data.ArrayDataset(nd.array(drawn('x', (10, 4))), nd.array(whole('y', (10,), 3)))
it = mx.contrib.io.DataLoaderIter(mx.gluon.data.DataLoader(dataset, 4, last_batch='keep'), dtype='float32')
seen = [(b.pad, b.index, [d.shape for d in b.data + b.label], short(b.data[0][:2], b.label[0][:2])) for b in it]
half = mx.contrib.io.DataLoaderIter(mx.gluon.data.DataLoader(dataset, 5), data_name='d', label_name='l', dtype='float16')
whole_batches = mx.contrib.io.DataLoaderIter(mx.gluon.data.DataLoader(dataset, 4, last_batch='discard'))
m = mx.mod.Module(S.SoftmaxOutput(S.FullyConnected(V('data'), num_hidden=3, name='fc'), name='softmax'))
m.fit(whole_batches, num_epoch=2, initializer=Drawn())
it.reset()
r = seen, [str(d) for d in it.provide_data + half.provide_label], next(half).data[0].dtype, params(m), it.iter_next(), it.getpad(), it.getindex(), it.batch_size
""",
    "states carried from bucket to bucket": """
def generate(length):
    cell = mx.rnn.LSTMCell(4, prefix='cell_')
    words = S.Embedding(V('data'), input_dim=6, output_dim=5, name='words')
    out, states = cell.unroll(length, words, begin_state=[V('h', shape=(4, 4)), V('c', shape=(4, 4))], merge_outputs=True)
    loss = S.SoftmaxOutput(S.FullyConnected(S.Reshape(out, shape=(-1, 4)), num_hidden=6, name='fc'), S.Reshape(V('softmax_label'), shape=(-1,)), name='softmax')
    return S.Group([loss, *[S.BlockGrad(s) for s in states]]), ('data',), ('softmax_label',)
m = mx.mod.BucketingModule(generate, 4, state_names=['h', 'c'])
m.bind([('data', (4, 4))], [('softmax_label', (4, 4))])
m.init_params(Drawn())
m.init_optimizer(optimizer_params={'learning_rate': 0.2, 'momentum': 0.9})
m.set_states(value=0)
found = []
for step, length in enumerate((4, 2, 3, 2)):
    arrays = [nd.array(whole(name + str(step), (4, length), 6)) for name in ('data', 'label')]
    m.forward(mx.io.DataBatch(arrays[:1], arrays[1:], bucket_key=length, provide_data=[('data', (4, length))], provide_label=[('softmax_label', (4, length))]), is_train=True)
    m.backward()
    m.update()
    outputs = m.get_outputs(merge_multi_context=False)
    m.set_states(states=outputs[1:])
    found.append(short(outputs[0][0], *[s[0] for s in m.get_states(merge_multi_context=False)]))
r = found, params(m)
""",
    "numbers of NumPy among attributes": """
i, f = np.int64, np.float32
d = V('d')
made = [S.Convolution(d, kernel=(i(3), 3), num_filter=i(2), pad=tuple(np.array([1, 1])), name='c'), S.Reshape(d, shape=[i(2), -1]), S.sum(d, axis=(i(1), i(2))), S.slice(d, begin=(i(0), 1), end=(None, i(3))), S.clip(d, f(-0.1), f(0.3)),
        S.contrib.MultiBoxPrior(d, sizes=(f(0.2), np.float64(0.3)), ratios=tuple(np.array([1, 2], 'float32'))), d * f(0.1)]
v = V('v', shape=(i(2), np.int32(3)), lr_mult=f(0.1), __own__=i(5))
class Doubled(mx.operator.CustomOp):
    def forward(self, is_train, req, in_data, out_data, aux): self.assign(out_data[0], req[0], in_data[0] * 2)
given = []
@mx.operator.register('numpy_numbers')
class DoubledProp(mx.operator.CustomOpProp):
    def __init__(self, **kwargs):
        super().__init__()
        given.append(sorted(kwargs.items()))
    def create_operator(self, ctx, shapes, dtypes): return Doubled()
options = dict(sizes=(f(0.1), i(2)), number=i(3), part=f(0.3), items=[np.float64(1.5)], flag=np.bool_(True))
out = nd.Custom(nd.ones((2,)), op_type='numpy_numbers', **options)
custom = S.Custom(d, op_type='numpy_numbers', name='n', **options)
r = [[sorted(s.list_attr().items()), s.infer_shape(d=(2, 3, 4, 4))[1]] for s in made], sorted(v.list_attr().items()), v.infer_shape()[1], out, given[-1], sorted(custom.list_attr().items())
""",
    "inside of a group of executors": """
net = S.SoftmaxOutput(S.FullyConnected(V('data'), num_hidden=3, name='fc'), name='softmax')
m = mx.mod.Module(net, context=[mx.cpu(0), mx.cpu(1)])
m.bind([('data', (6, 4))], [('softmax_label', (6,))])
m.init_params(Drawn())
m.forward(mx.io.DataBatch([nd.array(drawn('x', (6, 4)))], [nd.array(whole('y', (6,), 3))]), is_train=True)
group = m._exec_group
text = group.execs[0].debug_str().split('\\n')
r = [[(str(piece), array.shape, str(array.context)) for piece, array in row] for row in group.data_arrays + group.label_arrays], text[0], text[-3], text[-1]
""",
}

PROGRAMS = {name: SETUP + source for name, source in _SOURCES.items()}

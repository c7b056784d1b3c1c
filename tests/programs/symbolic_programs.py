"""Whole programs in the style of projects written on symbols: games, drawing, old interfaces."""

from __future__ import annotations

import mxnet as mx
import numpy as np
from mxnet import autograd, nd

from .core import functions
from .symbolic_program_helpers import Drawn, S, V, drawn, fill, params, short, whole


class Chosen(mx.operator.CustomOp):
    def forward(self, is_train, req, in_data, out_data, aux):
        self.assign(out_data[0], req[0], in_data[0])

    def backward(self, req, out_grad, in_data, out_data, in_grad, aux):
        x, action, reward = (
            out_data[0].asnumpy(),
            in_data[1].asnumpy().astype(int),
            in_data[2].asnumpy(),
        )
        rows, grad = np.arange(len(action)), np.zeros(x.shape, "float32")
        grad[rows, action] = np.clip(x[rows, action] - reward, -1, 1)
        self.assign(in_grad[0], req[0], nd.array(grad))


@mx.operator.register("chosen_value")
class ChosenProp(mx.operator.CustomOpProp):
    def __init__(self):
        super().__init__(need_top_grad=False)

    def list_arguments(self):
        return ["data", "action", "reward"]

    def list_outputs(self):
        return ["output"]

    def infer_shape(self, s):
        return [s[0], (s[0][0],), (s[0][0],)], [s[0]], []

    def create_operator(self, ctx, shapes, dtypes):
        return Chosen()


def games_values_of_actions_with_a_target_net():
    body = S.FullyConnected(
        S.Flatten(
            S.Activation(
                S.Convolution(V("data"), num_filter=4, kernel=(3, 3), stride=(2, 2), name="conv"),
                act_type="relu",
            )
        ),
        num_hidden=3,
        name="value",
    )
    net = S.Custom(data=body, name="dqn", op_type="chosen_value")
    inputs = ("data", "dqn_action", "dqn_reward")
    exe = net.simple_bind(
        mx.cpu(), data=(4, 2, 9, 9), dqn_action=(4,), dqn_reward=(4,), grad_req="write"
    )
    old = body.simple_bind(mx.cpu(), data=(4, 2, 9, 9), grad_req="null")
    fill(exe.arg_dict, inputs)
    names = [n for n in net.list_arguments() if n not in inputs]
    update = mx.optimizer.get_updater(
        mx.optimizer.create(
            "rmsprop", learning_rate=0.01, gamma1=0.95, gamma2=0.95, epsilon=0.01, centered=True
        )
    )
    found = []
    old.copy_params_from({n: exe.arg_dict[n] for n in names})
    for step in range(4):
        action = nd.array(whole("a%d" % step, (4,), 3))
        after = old.forward(is_train=False, data=nd.array(drawn("s2%d" % step, (4, 2, 9, 9))))[0]
        goal = nd.array(drawn("r%d" % step, (4,))) + 0.9 * nd.choose_element_0index(
            after, nd.argmax_channel(after)
        )
        out = exe.forward(
            is_train=True,
            data=nd.array(drawn("s%d" % step, (4, 2, 9, 9))),
            dqn_action=action,
            dqn_reward=goal,
        )[0]
        exe.backward()
        for k, n in enumerate(names):
            update(k, exe.grad_dict[n], exe.arg_dict[n])
        found.append(short(out, goal))
    single = exe.reshape(data=(1, 2, 9, 9), dqn_action=(1,), dqn_reward=(1,))
    return (
        net.list_arguments(),
        found,
        short(single.forward(is_train=False, data=nd.ones((1, 2, 9, 9)))[0]),
    )


def games_a_policy_and_its_value_with_gradients_by_hand():
    h = S.Activation(
        S.FullyConnected(V("data"), num_hidden=8, name="fc", no_bias=True), act_type="relu"
    )
    policy = S.clip(
        S.SoftmaxActivation(S.FullyConnected(h, name="policy", num_hidden=3, no_bias=True)),
        a_min=1e-5,
        a_max=1 - 1e-5,
    )
    log = S.log(policy, name="log_policy")
    entropy = S.MakeLoss(policy * log, grad_scale=0.01, name="neg_entropy")
    net = S.Group(
        [log, S.FullyConnected(h, name="value", num_hidden=1), entropy, S.BlockGrad(policy)]
    )
    m = mx.mod.Module(net, label_names=None)
    m.bind([("data", (5, 4))], grad_req="write")
    m.init_params(Drawn())
    m.init_optimizer(optimizer="adam", optimizer_params={"learning_rate": 0.02, "epsilon": 1e-3})
    found = []
    for step in range(3):
        m.forward(mx.io.DataBatch([nd.array(drawn("x%d" % step, (5, 4)))], None), is_train=True)
        advantage, head = drawn("adv%d" % step, (5,)), np.zeros((5, 3), "float32")
        head[np.arange(5), whole("act%d" % step, (5,), 3).astype(int)] = -advantage
        m.backward(
            [nd.array(head), nd.array(-advantage[:, None] * 0.5), nd.ones((5, 3)), nd.ones((5, 3))]
        )
        norm = sum(float((g[0].asnumpy() ** 2).sum()) for g in m._exec_group.grad_arrays)
        m.update()
        found.append([np.float16(norm), short(*m.get_outputs())])
    try:
        m.forward(mx.io.DataBatch([nd.ones((5, 4))], None), is_train=True)
        m.backward([nd.ones((5, 3))])
    except mx.MXNetError:
        found.append("too few heads")
    return found, params(m)


def games_an_actor_led_by_the_gradient_of_a_critic():
    obs, act, goal = V("obs"), V("act"), V("goal")
    actor = S.Activation(
        S.FullyConnected(obs, num_hidden=2, name="policy"), act_type="tanh", name="act"
    )
    value = S.FullyConnected(
        S.Concat(
            S.Activation(S.FullyConnected(obs, num_hidden=6, name="q1"), act_type="relu"), act
        ),
        num_hidden=1,
        name="q2",
    )
    loss = S.Group([S.MakeLoss(S.square(value - goal), grad_scale=0.25), S.BlockGrad(value)])
    critic = loss.simple_bind(mx.cpu(), obs=(4, 3), act=(4, 2), goal=(4, 1))
    player = actor.simple_bind(mx.cpu(), obs=(4, 3))
    fill(critic.arg_dict)
    fill(player.arg_dict)
    arguments = value.list_arguments()
    asked = value.bind(
        mx.cpu(),
        {k: critic.arg_dict[k] for k in arguments},
        args_grad={"act": nd.zeros((4, 2))},
        grad_req={k: "write" if k == "act" else "null" for k in arguments},
    )
    updates = [
        mx.optimizer.get_updater(mx.optimizer.create("adam", learning_rate=0.01)) for _ in range(2)
    ]
    slow, found = {k: v.copy() for k, v in player.arg_dict.items() if k != "obs"}, []
    for step in range(3):
        for name in ("obs", "act", "goal"):
            critic.arg_dict[name][:] = drawn(name + str(step), critic.arg_dict[name].shape)
        critic.forward(is_train=True)
        critic.backward()
        for k, n in enumerate(arguments):
            if n.startswith("q"):
                updates[0](k, critic.grad_dict[n], critic.arg_dict[n])
        player.arg_dict["obs"][:] = critic.arg_dict["obs"]
        player.forward(is_train=True)
        critic.arg_dict["act"][:] = player.outputs[0]
        asked.forward(is_train=True)
        asked.backward([nd.ones((4, 1)) * -0.25])
        player.backward([asked.grad_dict["act"]])
        for k, n in enumerate(slow):
            updates[1](k, player.grad_dict[n], player.arg_dict[n])
            slow[n][:] = 0.9 * slow[n] + 0.1 * player.arg_dict[n]
        found.append(short(*critic.outputs, *player.outputs))
    return found, {k: short(v) for k, v in sorted(slow.items())}


def _drawing_and_verdict():
    noise = S.Activation(
        S.BatchNorm(
            S.Deconvolution(V("rand"), name="g1", kernel=(4, 4), num_filter=6, no_bias=True),
            name="gbn",
            fix_gamma=True,
            eps=1e-5,
        ),
        act_type="relu",
    )
    drawing = S.Activation(
        S.Deconvolution(
            noise, name="g2", kernel=(4, 4), stride=(2, 2), pad=(1, 1), num_filter=1, no_bias=True
        ),
        act_type="tanh",
    )
    seen = S.LeakyReLU(
        S.Convolution(
            V("data"),
            name="d1",
            kernel=(4, 4),
            stride=(2, 2),
            pad=(1, 1),
            num_filter=4,
            no_bias=True,
        ),
        act_type="leaky",
        slope=0.2,
    )
    verdict = S.LogisticRegressionOutput(
        S.Flatten(S.Convolution(seen, name="d2", kernel=(4, 4), num_filter=1, no_bias=True)),
        V("label"),
        name="verdict",
    )
    return drawing, verdict


def two_modules_against_each_other():
    drawing, verdict = _drawing_and_verdict()
    g = mx.mod.Module(drawing, data_names=("rand",), label_names=None)
    g.bind([("rand", (4, 5, 1, 1))])
    d = mx.mod.Module(verdict, label_names=("label",))
    d.bind([("data", (4, 1, 8, 8))], [("label", (4,))], inputs_need_grad=True)
    for m in (g, d):
        m.init_params(Drawn())
        m.init_optimizer(
            optimizer="adam", optimizer_params={"learning_rate": 0.01, "wd": 0.0, "beta1": 0.5}
        )

    def entropy(label, pred):
        pred, label = pred.ravel(), label.ravel()
        return -(label * np.log(pred + 1e-12) + (1.0 - label) * np.log(1.0 - pred + 1e-12)).mean()

    metrics, label, found = [mx.metric.CustomMetric(entropy) for _ in range(2)], nd.zeros((4,)), []
    for step in range(3):
        g.forward(mx.io.DataBatch([nd.array(drawn("z%d" % step, (4, 5, 1, 1)))], []), is_train=True)
        fake = g.get_outputs()
        label[:] = 0
        d.forward(mx.io.DataBatch(fake, [label]), is_train=True)
        d.backward()
        kept = [
            [grad.copyto(grad.context) for grad in grads] for grads in d._exec_group.grad_arrays
        ]
        d.update_metric(metrics[0], [label])
        label[:] = 1
        d.forward(
            mx.io.DataBatch([nd.array(drawn("real%d" % step, (4, 1, 8, 8)))], [label]),
            is_train=True,
        )
        d.backward()
        for grads, others in zip(d._exec_group.grad_arrays, kept):
            for grad, other in zip(grads, others):
                grad += other
        d.update()
        d.forward(mx.io.DataBatch(fake, [label]), is_train=True)
        d.backward()
        g.backward(d.get_input_grads())
        g.update()
        d.update_metric(metrics[1], [label])
        found.append(
            [np.float16([m.get()[1] for m in metrics]), short(fake[0], d.get_input_grads()[0])]
        )
    return metrics[0].get()[0], found, params(g), params(d)


def _bind_roughness(image):
    split, kernel = S.SliceChannel(V("img"), num_outputs=3), V("kernel")
    rough = (
        S.Concat(
            *[
                S.Convolution(
                    data=split[i],
                    weight=kernel,
                    num_filter=1,
                    kernel=(3, 3),
                    pad=(1, 1),
                    no_bias=True,
                )
                for i in range(3)
            ]
        )
        * 0.01
    )
    rough = rough.bind(
        mx.cpu(),
        {
            "img": image,
            "kernel": nd.array(
                np.array([[0, -1, 0], [-1, 4, -1], [0, -1, 0]]).reshape(1, 1, 3, 3) / 8.0
            ),
        },
    )
    return rough


def an_image_drawn_by_gradients():
    x, layers = V("data"), []
    for i, n in enumerate([4, 6]):
        x = S.Activation(
            S.Convolution(x, num_filter=n, kernel=(3, 3), pad=(1, 1), name="conv%d" % i),
            act_type="relu",
        )
        layers.append(x)
        x = S.Pooling(x, kernel=(2, 2), stride=(2, 2), pool_type="avg")
    size = (1, 3, 8, 8)
    shape = layers[0].infer_shape(data=size)[1][0]
    rows = S.Reshape(layers[0], target_shape=(int(shape[1]), int(np.prod(shape[2:]))))
    style, content = S.FullyConnected(rows, rows, no_bias=True, num_hidden=shape[1]), layers[1]
    both = S.Group([style, content])
    shapes = dict(zip(both.list_arguments(), both.infer_shape(data=size)[0]))
    args = {n: nd.zeros(s) for n, s in shapes.items()}
    exe = both.bind(
        mx.cpu(),
        args,
        args_grad={"data": nd.zeros(size)},
        grad_req={n: "write" if n == "data" else "null" for n in shapes},
    )
    fill(exe.arg_dict)
    wanted = [exe.forward()[0].copy()]
    exe.arg_dict["data"][:] = drawn("content", size)
    wanted.append(exe.forward()[1].copy())
    total = S.Group([S.sum(S.square(V("gram") - style)), S.sum(S.square(V("content") - content))])
    image = nd.array(drawn("image", size))
    exe = total.bind(
        mx.cpu(),
        {
            **{n: a for n, a in args.items() if n != "data"},
            "data": image,
            "gram": wanted[0],
            "content": wanted[1],
        },
        args_grad={"data": nd.zeros(size)},
        grad_req="write",
    )
    rough = _bind_roughness(image)
    optimizer, found = mx.optimizer.NAG(learning_rate=0.02, wd=1e-4, momentum=0.9), []
    state = optimizer.create_state(0, image)
    for step in range(4):
        exe.forward(is_train=True)
        exe.backward([nd.ones((1,)) * 0.01, nd.ones((1,)) * 0.1])
        norm = nd.norm(exe.grad_dict["data"]).asscalar()
        if norm > 0.5:
            exe.grad_dict["data"][:] *= 0.5 / norm
        optimizer.update(0, image, exe.grad_dict["data"] + rough.forward()[0], state)
        found.append([np.float16(norm), short(*exe.outputs)])
    return total.list_arguments(), found, short(image)


def feedforward_whose_epochs_end_with_the_data():
    it = mx.io.ResizeIter(mx.io.NDArrayIter(drawn("x", (48, 6)), whole("y", (48,), 3), 8), 4)
    net = S.Softmax(S.FullyConnected(V("data"), num_hidden=3, name="fc"), name="softmax")
    calls = []
    m = mx.model.FeedForward(net, num_epoch=3, epoch_size=4, learning_rate=0.1, initializer=Drawn())
    m.fit(it, batch_end_callback=lambda p: calls.append((p.epoch, p.nbatch)))
    return calls, short(*[m.arg_params[k] for k in sorted(m.arg_params)])


def contributed_operators_under_their_old_name():
    x = nd.array(drawn("x", (1, 2, 4, 4)))
    s = mx.contrib.sym.MultiBoxPrior(V("x"), sizes=(0.5,), name="p")
    return (
        mx.contrib.nd.MultiBoxPrior(x, sizes=(0.5,)),
        s.list_outputs(),
        s.infer_shape(x=(1, 2, 4, 4))[1],
        s.eval(x=x),
        mx.contrib.ndarray is mx.contrib.nd,
        mx.contrib.symbol is mx.contrib.sym,
        [hasattr(mx.contrib.sym, n) for n in ("Proposal", "ctc_loss", "foreach", "box_nms")],
    )


def differentiation_under_its_old_names():
    old = mx.contrib.autograd
    states = [
        old.set_is_training(True),
        autograd.is_training(),
        autograd.is_recording(),
        old.set_is_training(False),
        autograd.is_recording(),
    ]
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
    one = old.grad(lambda a, b: [a * b, b * 1], argnum=1)(
        nd.array([1.0, 2.0]), nd.array([3.0, 4.0])
    )
    wrong = []
    for call in (lambda: old.backward(y), lambda: old.grad(lambda a: a)(5)):
        try:
            call()
        except AssertionError:
            wrong.append("refused")
    return states, first, g, both, one, wrong


def a_loader_of_gluon_in_a_module():
    dataset = mx.gluon.data.ArrayDataset(
        nd.array(drawn("x", (10, 4))), nd.array(whole("y", (10,), 3))
    )
    it = mx.contrib.io.DataLoaderIter(
        mx.gluon.data.DataLoader(dataset, 4, last_batch="keep"), dtype="float32"
    )
    seen = [
        (b.pad, b.index, [d.shape for d in b.data + b.label], short(b.data[0][:2], b.label[0][:2]))
        for b in it
    ]
    half = mx.contrib.io.DataLoaderIter(
        mx.gluon.data.DataLoader(dataset, 5), data_name="d", label_name="l", dtype="float16"
    )
    whole_batches = mx.contrib.io.DataLoaderIter(
        mx.gluon.data.DataLoader(dataset, 4, last_batch="discard")
    )
    m = mx.mod.Module(
        S.SoftmaxOutput(S.FullyConnected(V("data"), num_hidden=3, name="fc"), name="softmax")
    )
    m.fit(whole_batches, num_epoch=2, initializer=Drawn())
    it.reset()
    return (
        seen,
        [str(d) for d in it.provide_data + half.provide_label],
        next(half).data[0].dtype,
        params(m),
        it.iter_next(),
        it.getpad(),
        it.getindex(),
        it.batch_size,
    )


def states_carried_from_bucket_to_bucket():
    def generate(length):
        cell = mx.rnn.LSTMCell(4, prefix="cell_")
        words = S.Embedding(V("data"), input_dim=6, output_dim=5, name="words")
        out, states = cell.unroll(
            length,
            words,
            begin_state=[V("h", shape=(4, 4)), V("c", shape=(4, 4))],
            merge_outputs=True,
        )
        loss = S.SoftmaxOutput(
            S.FullyConnected(S.Reshape(out, shape=(-1, 4)), num_hidden=6, name="fc"),
            S.Reshape(V("softmax_label"), shape=(-1,)),
            name="softmax",
        )
        return S.Group([loss, *[S.BlockGrad(s) for s in states]]), ("data",), ("softmax_label",)

    m = mx.mod.BucketingModule(generate, 4, state_names=["h", "c"])
    m.bind([("data", (4, 4))], [("softmax_label", (4, 4))])
    m.init_params(Drawn())
    m.init_optimizer(optimizer_params={"learning_rate": 0.2, "momentum": 0.9})
    m.set_states(value=0)
    found = []
    for step, length in enumerate((4, 2, 3, 2)):
        arrays = [nd.array(whole(name + str(step), (4, length), 6)) for name in ("data", "label")]
        m.forward(
            mx.io.DataBatch(
                arrays[:1],
                arrays[1:],
                bucket_key=length,
                provide_data=[("data", (4, length))],
                provide_label=[("softmax_label", (4, length))],
            ),
            is_train=True,
        )
        m.backward()
        m.update()
        outputs = m.get_outputs(merge_multi_context=False)
        m.set_states(states=outputs[1:])
        found.append(short(outputs[0][0], *[s[0] for s in m.get_states(merge_multi_context=False)]))
    return found, params(m)


def numbers_of_numpy_among_attributes():
    i, f = np.int64, np.float32
    d = V("d")
    made = [
        S.Convolution(d, kernel=(i(3), 3), num_filter=i(2), pad=tuple(np.array([1, 1])), name="c"),
        S.Reshape(d, shape=[i(2), -1]),
        S.sum(d, axis=(i(1), i(2))),
        S.slice(d, begin=(i(0), 1), end=(None, i(3))),
        S.clip(d, f(-0.1), f(0.3)),
        S.contrib.MultiBoxPrior(
            d, sizes=(f(0.2), np.float64(0.3)), ratios=tuple(np.array([1, 2], "float32"))
        ),
        d * f(0.1),
    ]
    v = V("v", shape=(i(2), np.int32(3)), lr_mult=f(0.1), __own__=i(5))

    class Doubled(mx.operator.CustomOp):
        def forward(self, is_train, req, in_data, out_data, aux):
            self.assign(out_data[0], req[0], in_data[0] * 2)

    given = []

    @mx.operator.register("numpy_numbers")
    class DoubledProp(mx.operator.CustomOpProp):
        def __init__(self, **kwargs):
            super().__init__()
            given.append(sorted(kwargs.items()))

        def create_operator(self, ctx, shapes, dtypes):
            return Doubled()

    options = dict(
        sizes=(f(0.1), i(2)), number=i(3), part=f(0.3), items=[np.float64(1.5)], flag=np.bool_(True)
    )
    out = nd.Custom(nd.ones((2,)), op_type="numpy_numbers", **options)
    custom = S.Custom(d, op_type="numpy_numbers", name="n", **options)
    return (
        [[sorted(s.list_attr().items()), s.infer_shape(d=(2, 3, 4, 4))[1]] for s in made],
        sorted(v.list_attr().items()),
        v.infer_shape()[1],
        out,
        given[-1],
        sorted(custom.list_attr().items()),
    )


def inside_of_a_group_of_executors():
    net = S.SoftmaxOutput(S.FullyConnected(V("data"), num_hidden=3, name="fc"), name="softmax")
    m = mx.mod.Module(net, context=[mx.cpu(0), mx.cpu(1)])
    m.bind([("data", (6, 4))], [("softmax_label", (6,))])
    m.init_params(Drawn())
    m.forward(
        mx.io.DataBatch([nd.array(drawn("x", (6, 4)))], [nd.array(whole("y", (6,), 3))]),
        is_train=True,
    )
    group = m._exec_group
    text = group.execs[0].debug_str().split("\n")
    return (
        [
            [(str(piece), array.shape, str(array.context)) for piece, array in row]
            for row in group.data_arrays + group.label_arrays
        ],
        text[0],
        text[-3],
        text[-1],
    )


PROGRAMS = functions(globals())

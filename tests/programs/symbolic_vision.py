"""Whole programs in the style of projects written on symbols: detection and faces."""

from __future__ import annotations

import math

import mxnet as mx
import numpy as np
from mxnet import nd

from .core import functions
from .symbolic_program_helpers import Drawn, S, V, drawn, fill, params, short, unit, whole


class Boxes(mx.io.DataIter):
    def __init__(self):
        super().__init__(2)
        self.at, self.provide_data, self.provide_label = (
            0,
            [("data", (2, 3, 32, 32))],
            [("label", (2, 3, 5))],
        )

    def reset(self):
        self.at = 0

    def next(self):
        if self.at == 3:
            raise StopIteration
        self.at += 1
        label = np.full((2, 3, 5), -1.0, "float32")
        for i in range(2):
            x, y = drawn("box%d%d" % (self.at, i), (2,), 0, 0.5)
            label[i, 0] = [i, x, y, x + 0.4, y + 0.35]
        return mx.io.DataBatch(
            [nd.array(drawn("image%d" % self.at, (2, 3, 32, 32)))], [nd.array(label)], pad=0
        )


class Losses(mx.metric.EvalMetric):
    def __init__(self):
        super().__init__("losses")

    def reset(self):
        self.sums, self.counts = [0.0, 0.0], 0

    def update(self, labels, preds):
        prob, loc, target = (p.asnumpy() for p in preds[:3])
        known = target.ravel() >= 0
        chosen = prob.transpose(0, 2, 1).reshape(-1, prob.shape[1])[
            known, target.ravel()[known].astype(int)
        ]
        self.sums = [self.sums[0] - np.log(chosen + 1e-8).sum(), self.sums[1] + loc.sum()]
        self.counts += known.sum()

    def get(self):
        return ["entropy", "smooth"], [float(s / max(1, self.counts)) for s in self.sums]


def _network(training):
    a = unit(unit(S.Variable("data"), 8, "c1"), 8, "c2")
    locs, classes, anchors = [], [], []
    for k, layer in enumerate([a, unit(a, 8, "c3")]):
        if k == 0:
            scale = S.Variable(
                "scale", shape=(1, 8, 1, 1), init=mx.init.Constant(20), attr={"__wd_mult__": "0.1"}
            )
            layer = S.broadcast_mul(scale, S.L2Normalization(layer, mode="channel"))
        for parts, count, kind in ((locs, 4 * 3, "loc"), (classes, 4 * 3, "cls")):
            conv = S.Convolution(
                layer, kernel=(3, 3), pad=(1, 1), num_filter=count, name="%s%d" % (kind, k)
            )
            parts.append(S.Flatten(S.transpose(conv, axes=(0, 2, 3, 1))))
        anchors.append(
            S.Flatten(
                mx.contrib.symbol.MultiBoxPrior(
                    layer,
                    sizes="(%s)" % ",".join(map(str, (0.2 + 0.3 * k, 0.3 + 0.3 * k))),
                    ratios=(1, 2),
                    name="anchors%d" % k,
                )
            )
        )
    loc = S.Concat(*locs, num_args=2, dim=1)
    cls = S.transpose(S.Reshape(S.Concat(*classes, dim=1), shape=(0, -1, 4)), axes=(0, 2, 1))
    anchor = S.Reshape(S.Concat(*anchors, dim=1), shape=(0, -1, 4))
    options = dict(
        nms_threshold=0.5, force_suppress=False, variances=(0.1, 0.1, 0.2, 0.2), nms_topk=40
    )
    if not training:
        return mx.contrib.sym.MultiBoxDetection(
            S.SoftmaxActivation(cls, mode="channel"), loc, anchor, name="detection", **options
        )
    target = mx.contrib.sym.MultiBoxTarget(
        anchor,
        S.Variable("label"),
        cls,
        overlap_threshold=0.5,
        ignore_label=-1,
        negative_mining_ratio=3,
        negative_mining_thresh=0.5,
        variances=(0.1, 0.1, 0.2, 0.2),
    )
    prob = S.SoftmaxOutput(
        cls,
        target[2],
        ignore_label=-1,
        use_ignore=True,
        multi_output=True,
        normalization="valid",
        name="cls_prob",
    )
    smooth = S.MakeLoss(
        S.smooth_l1(target[1] * (loc - target[0]), scalar=1.0),
        normalization="valid",
        name="loc_loss",
    )
    return S.Group([prob, smooth, S.MakeLoss(target[2], grad_scale=0, name="cls_label")])


def detection_in_one_shot_fit_and_detect():
    net, lines = _network(True), []
    m = mx.mod.Module(net, label_names=("label",), fixed_param_names=["c1_weight"])
    m.fit(
        Boxes(),
        eval_metric=Losses(),
        num_epoch=2,
        initializer=Drawn(),
        optimizer_params={"learning_rate": 0.02, "momentum": 0.9, "wd": 5e-4, "clip_gradient": 4.0},
        batch_end_callback=lambda p: lines.append(
            [p.epoch, p.nbatch, np.float16(p.eval_metric.get()[1])]
        ),
    )
    detector = mx.mod.Module(_network(False), label_names=None)
    detector.bind([("data", (1, 3, 32, 32))], for_training=False)
    detector.set_params(*m.get_params())
    detector.forward(mx.io.DataBatch([nd.array(drawn("test", (1, 3, 32, 32)))]))
    return net.list_outputs(), lines, params(m), short(detector.get_outputs()[0].asnumpy()[0, :6])


class Target(mx.operator.CustomOp):
    def forward(self, is_train, req, in_data, out_data, aux):
        rois, truth = in_data[0].asnumpy(), in_data[1].asnumpy()[0]
        rois = np.vstack([rois, np.hstack([np.zeros((len(truth), 1), "float32"), truth[:, :4]])])[
            -8:
        ]
        wide = np.minimum(rois[:, None, 3], truth[None, :, 2]) - np.maximum(
            rois[:, None, 1], truth[None, :, 0]
        )
        high = np.minimum(rois[:, None, 4], truth[None, :, 3]) - np.maximum(
            rois[:, None, 2], truth[None, :, 1]
        )
        common = np.maximum(wide, 0) * np.maximum(high, 0)
        label = truth[common.argmax(1), 4] * (common.max(1) > 100)
        offsets = np.tile((truth[common.argmax(1), :4] - rois[:, 1:]) / 16, (1, 3))
        weights = np.repeat(np.arange(3)[None] == label[:, None], 4, axis=1) * (label[:, None] > 0)
        for i, value in enumerate([rois, label, offsets, weights.astype("float32")]):
            self.assign(out_data[i], req[i], nd.array(value))

    def backward(self, req, out_grad, in_data, out_data, in_grad, aux):
        self.assign(in_grad[0], req[0], 0)
        self.assign(in_grad[1], req[1], 0)


@mx.operator.register("roi_target")
class TargetProp(mx.operator.CustomOpProp):
    def __init__(self, num_classes):
        super().__init__(need_top_grad=False)
        self.classes = int(num_classes)

    def list_arguments(self):
        return ["rois", "gt_boxes"]

    def list_outputs(self):
        return ["rois_output", "label", "bbox_target", "bbox_weight"]

    def infer_shape(self, in_shape):
        return in_shape, [(8, 5), (8,), (8, self.classes * 4), (8, self.classes * 4)]

    def create_operator(self, ctx, shapes, dtypes):
        return Target()

    def declare_backward_dependency(self, out_grad, in_data, out_data):
        return []


def _two_stages(names):
    data, info, truth, label, target, weight = (S.Variable(n) for n in names)
    body = unit(unit(unit(unit(data, 4, "c1"), 4, "c2"), 6, "c3"), 6, "c4")
    score = S.Convolution(body, kernel=(1, 1), num_filter=6, name="rpn_cls")
    box = S.Convolution(body, kernel=(1, 1), num_filter=12, name="rpn_box")
    flat = S.Reshape(score, shape=(0, 2, -1, 0))
    prob = S.SoftmaxOutput(
        flat,
        label,
        multi_output=True,
        normalization="valid",
        use_ignore=True,
        ignore_label=-1,
        name="rpn_prob",
    )
    loss = S.MakeLoss(
        weight * S.smooth_l1(box - target, scalar=3.0), grad_scale=1.0 / 16, name="rpn_loss"
    )
    act = S.Reshape(S.SoftmaxActivation(flat, mode="channel"), shape=(0, 6, -1, 0))
    rois = mx.contrib.symbol.Proposal(
        cls_prob=act,
        bbox_pred=box,
        im_info=info,
        name="rois",
        feature_stride=16,
        scales=(1,),
        ratios=(0.5, 1, 2),
        rpn_pre_nms_top_n=40,
        rpn_post_nms_top_n=8,
        threshold=0.7,
        rpn_min_size=4,
    )
    group = S.Custom(rois=rois, gt_boxes=truth, op_type="roi_target", num_classes=3)
    pool = S.ROIPooling(data=body, rois=group[0], pooled_size=(2, 2), spatial_scale=1.0 / 16)
    top = S.FullyConnected(S.Flatten(pool), num_hidden=8, name="fc6")
    cls = S.SoftmaxOutput(
        S.FullyConnected(top, num_hidden=3, name="cls"),
        group[1],
        normalization="batch",
        name="cls_prob",
    )
    reg = S.MakeLoss(
        group[3]
        * S.smooth_l1(S.FullyConnected(top, num_hidden=12, name="box") - group[2], scalar=1.0),
        grad_scale=1.0 / 8,
        name="box_loss",
    )
    net = S.Group([prob, loss, S.Reshape(cls, shape=(1, -1, 3)), reg, S.BlockGrad(group[1])])
    return net


def detection_in_two_stages():
    names, label_names = ["data", "im_info", "gt_boxes"], ["label", "bbox_target", "bbox_weight"]
    net = _two_stages(names + label_names)
    current, found = None, []
    for i, (h, w) in enumerate([(96, 128), (128, 96), (64, 112), (96, 128)]):
        fh, fw = net.get_internals()["rpn_cls_output"].infer_shape(data=(1, 3, h, w))[1][0][2:]
        arrays = [
            drawn("im%d" % i, (1, 3, h, w)),
            [[h, w, 1.0]],
            [[[5, 5, 40, 30, 1], [10, 12, 30, 44, 2]]],
            whole("l%d" % i, (1, 3 * fh, fw), 3) - 1,
            drawn("t%d" % i, (1, 12, fh, fw)),
            whole("w%d" % i, (1, 12, fh, fw), 2),
        ]
        arrays = [nd.array(a) for a in arrays]
        batch = mx.io.DataBatch(
            arrays[:3],
            arrays[3:],
            provide_data=[(n, a.shape) for n, a in zip(names, arrays)],
            provide_label=[(n, a.shape) for n, a in zip(label_names, arrays[3:])],
        )
        if current is None or dict(current.data_shapes)["data"] != batch.provide_data[0][1]:
            fresh = mx.mod.Module(
                net, names, label_names, fixed_param_names=["c1_weight", "c1_bias"]
            )
            fresh.bind(batch.provide_data, batch.provide_label, shared_module=current)
            if current is None:
                fresh.init_params(Drawn())
                fresh.init_optimizer(
                    optimizer_params={
                        "learning_rate": 0.05,
                        "momentum": 0.9,
                        "rescale_grad": 1.0,
                        "clip_gradient": 5,
                    }
                )
            current = fresh
        current.forward_backward(batch)
        current.update()
        found.append(short(*current.get_outputs()))
    return net.list_outputs(), net.list_arguments()[:4], found, params(current)


def regions_pooled_by_position_deformed_and_aligned():
    x, rois = V("data"), V("rois")
    maps = S.Convolution(x, num_filter=27, kernel=(1, 1), name="maps")
    pooled = mx.contrib.sym.PSROIPooling(
        data=maps, rois=rois, group_size=3, pooled_size=3, output_dim=3, spatial_scale=0.25
    )
    votes = S.softmax(
        S.Flatten(S.Pooling(pooled, pool_type="avg", global_pool=True, kernel=(3, 3)))
    )
    offset = S.Convolution(x, num_filter=18, kernel=(3, 3), pad=(1, 1), name="offset")
    deformed = mx.contrib.sym.DeformableConvolution(
        name="deformed",
        data=x,
        offset=offset,
        num_filter=4,
        pad=(1, 1),
        kernel=(3, 3),
        num_deformable_group=1,
        no_bias=True,
    )
    net = S.Group(
        [
            votes,
            S.sum(
                mx.contrib.sym.ROIAlign(
                    deformed, rois, pooled_size=(2, 2), spatial_scale=0.25, sample_ratio=2
                )
            ),
        ]
    )
    exe = net.simple_bind(mx.cpu(), data=(1, 4, 12, 12), rois=(4, 5))
    fill(exe.arg_dict)
    exe.arg_dict["rois"][:] = [
        [0, 0, 0, 20, 20],
        [0, 4, 8, 40, 30],
        [0, 10, 2, 30, 47],
        [0, 0, 0, 47, 47],
    ]
    out = exe.forward(is_train=True)
    exe.backward([nd.array(drawn("head", (4, 3))), nd.array([1.0])])
    return short(*out), {
        k: short(exe.grad_dict[k])
        for k in ("data", "maps_weight", "deformed_weight", "offset_bias")
    }


def faces_with_angular_margins_in_shards():
    body = S.BatchNorm(
        S.FullyConnected(V("data"), num_hidden=6, name="pre"), fix_gamma=True, eps=2e-5, name="fc1"
    )
    back = mx.mod.Module(body, label_names=None)
    back.bind([("data", (4, 5))])
    back.init_params(Drawn())
    back.init_optimizer(optimizer_params={"learning_rate": 0.1, "rescale_grad": 1.0})
    shards = []
    for i in range(2):
        weight = S.L2Normalization(
            V("fc7_%d_weight" % i, shape=(3, 6), lr_mult=1.0), mode="instance"
        )
        label = V("softmax_label")
        fc7 = S.FullyConnected(
            S.L2Normalization(V("data"), mode="instance") * 8.0,
            weight=weight,
            no_bias=True,
            num_hidden=3,
            name="fc7_%d" % i,
        )
        zy = S.pick(fc7, label, axis=1)
        cosine = zy / 8.0
        turned = (cosine * math.cos(0.3) - S.sqrt(1.0 - cosine * cosine) * math.sin(0.3)) * 8.0
        turned = S.where(
            S.Activation(cosine - math.cos(math.pi - 0.3), act_type="relu"), turned, zy - 0.7
        )
        fc7 = fc7 + S.broadcast_mul(S.one_hot(label, depth=3), S.expand_dims(turned - zy, 1))
        shard = mx.mod.Module(fc7, label_names=["softmax_label"])
        shard.bind([("data", (4, 6))], [("softmax_label", (4,))], inputs_need_grad=True)
        shard.init_params(Drawn())
        shard.init_optimizer(optimizer_params={"learning_rate": 0.1})
        shards.append(shard)
    found = []
    for step in range(3):
        labels = whole("y%d" % step, (4,), 6)
        back.forward(mx.io.DataBatch([nd.array(drawn("x%d" % step, (4, 5)))], []), is_train=True)
        features = back.get_outputs()[0]
        own = [
            np.where((labels >= 3 * i) & (labels < 3 * i + 3), labels - 3 * i, -1) for i in range(2)
        ]
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
    return found, [params(m) for m in (back, *shards)]


PROGRAMS = functions(globals())

"""Files of symbols of several versions."""

from __future__ import annotations

import json
import warnings

import mxnet as mx
import numpy as np
from mxnet import autograd, nd

warnings.simplefilter("ignore")


def null(name, **more):
    return dict(op="null", name=name, inputs=[], **more)


def text(nodes, heads, version=None, **more):
    arg_nodes = [i for i, node in enumerate(nodes) if node["op"] == "null"]
    found = dict(nodes=nodes, arg_nodes=arg_nodes, heads=heads, **more)
    if version is not None:
        found["attrs"] = {"mxnet_version": ["int", version]}
    return json.dumps(found)


def fc(key, value, inputs=[[0, 0], [1, 0], [2, 0]], **more):
    nodes = [null("data"), null("fc_weight"), null("fc_bias")]
    return nodes + [{"op": "FullyConnected", "name": "fc", "inputs": inputs, key: value, **more}]


def bn(version, inputs, **more):
    nodes = [null("data"), null("bn_gamma"), null("bn_beta")]
    nodes += [null("bn_moving_mean"), null("bn_moving_var")] if len(inputs) == 5 else []
    nodes.append({"op": "BatchNorm", "name": "bn", "inputs": inputs, **more})
    return text(nodes, [[len(nodes) - 1, 0]], version)


def about(source):
    s = mx.sym.load_json(source)
    found = sorted((name, sorted(attrs.items())) for name, attrs in s.attr_dict().items())
    return [s.list_arguments(), s.list_auxiliary_states(), s.list_outputs(), found]


def arg(version, axis):
    nodes = [null("x"), {"op": "argmax", "name": "a", "attrs": {"axis": axis}, "inputs": [[0, 0]]}]
    return text(nodes, [[1, 0]], version)


three = [[0, 0], [1, 0], [2, 0]]
five = three + [[3, 0], [4, 0]]

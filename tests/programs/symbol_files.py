"""Programs that read symbol files of every generation, written by the rules of the format."""

from __future__ import annotations

from .core import of

SETUP = """\
import json, warnings
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
"""

_READ = """
about(text(fc("param", {"num_hidden": "3"}, backward_source_id=-1), [[3, 0]]))
about(text(fc("attr", {"num_hidden": "3"}), [[3, 0]], 900))
about(text(fc("attrs", {"num_hidden": "3"}), [[3, 0, 0]], 10901))
about(text(fc("param", {"num_hidden": "3"}, attr={"ctx_group": "a"}), [[3, 0]]))
about(text(fc("attr", {"num_hidden": "3", "lr_mult": "2"}), [[3, 0]], 900))
about(text(fc("attr", {"num_hidden": "3", "weight_lr_mult": "2"}), [[3, 0]], 900))
about(bn(None, three, param={"eps": "0.001", "momentum": "0.9", "fix_gamma": "True"}))
about(bn(None, three))
about(bn(800, three))
about(bn(903, five))
about(bn(904, five))
about(bn(10901, five))
mx.sym.load_json(arg(904, "-1")).infer_shape(x=(2, 3))
mx.sym.load_json(arg(10901, "-1")).infer_shape(x=(2, 3))
about(text([null("x", attr={"lr_mult": "3"})], [[0, 0]]))
about(text([null("x", attrs={"__shape__": "(2, 3)"})], [[0, 0]], 10901))
mx.sym.load_json(text([null("x", attrs={"__shape__": "(2, 3)"})], [[0, 0]], 10901)).infer_shape()
"""

PROGRAMS = of(SETUP, _READ)

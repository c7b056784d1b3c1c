"""Programs that read symbol files of every generation, written by the rules of the format."""

from __future__ import annotations

from .core import lines

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

PROGRAMS = lines("symbol_file_helpers", _READ)

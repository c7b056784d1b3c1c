"""Steps that whole networks need: recurrent layers, losses, regions, images, updates of weights."""

from __future__ import annotations

from typing import Any

from tools.random_programs.catalogue.table import row, rows
from tools.random_programs.draft import Draft, call

_REAL = ("float32", "float64")
_GATES = {"rnn_relu": 1, "rnn_tanh": 1, "lstm": 4, "gru": 3}


@row("RNN")
def _rnn(draft: Draft) -> dict[str, Any]:
    mode = draft.one(sorted(_GATES))
    steps, batch, width, units = (draft.whole(1, 3) for _ in range(4))
    layers, both = draft.one([(1, False), (1, True), (2, False)])
    ways = 2 if both else 1
    weights = 0
    for layer in range(layers):
        inner = width if layer == 0 else units * ways
        weights += ways * _GATES[mode] * units * (inner + units + 2)
    data = draft.new((steps, batch, width), "float32", "unit")
    parameters = draft.new((weights,), "float32", "unit")
    states = [draft.new((layers * ways, batch, units), "float32", "unit")]
    if mode == "lstm":
        states.append(draft.new((layers * ways, batch, units), "float32", "unit"))
    options = {"state_size": units, "num_layers": layers, "mode": mode, "bidirectional": both}
    return call("RNN", data, parameters, *states, **options, **draft.options(state_outputs=[True]))


def _ctc(draft: Draft, name: str) -> dict[str, Any]:
    steps, batch, classes = draft.whole(3, 5), draft.whole(1, 2), draft.whole(3, 4)
    data = draft.new((steps, batch, classes), "float32")
    return call(name, data, draft.new((batch, draft.whole(1, 2)), "float32", [1, classes]))


rows("CTCLoss ctc_loss", _ctc)


@row("BatchNorm training")
def _batch_norm(draft: Draft) -> dict[str, Any]:
    data = draft.any((2, 3, 4), _REAL, fits=lambda shape: 0 not in shape)
    channels, dtype = draft.shape(data)[1], draft.dtype(data)
    draws = ("any", "any", [-2, 3], [1, 5])
    # Moving statistics change, in the original in the backward pass and here before.
    parameters = [draft.new((channels,), dtype, draw, once=True) for draw in draws]
    return call("BatchNorm", data, *parameters, fix_gamma=False, **draft.options(eps=[1e-3]))


@row("SpatialTransformer")
def _transformer(draft: Draft) -> dict[str, Any]:
    data = draft.new((2, 2, 4, 4), "float32")
    place = draft.new((2, 6), "float32", "unit")
    kinds = {"transform_type": "affine", "sampler_type": "bilinear"}
    return call("SpatialTransformer", data, place, target_shape=[2, 3], **kinds)


@row("Crop")
def _crop(draft: Draft) -> dict[str, Any]:
    data = draft.new((1, 2, 5, 6), "float32")
    options = draft.options(offset=[[1, 2], [0, 1]], center_crop=[True])
    return call("Crop", data, h_w=[2, 3], num_args=1, **options)


@row("contrib.ROIAlign")
def _roi_align(draft: Draft) -> dict[str, Any]:
    data = draft.new((1, draft.one([1, 4]), 5, 5), "float32")
    regions = draft.new((2, 5), "float32", [0, 1])
    options = draft.options(sample_ratio=[1, 2], spatial_scale=[0.5, 1.0])
    return call(
        "contrib.ROIAlign", data, regions, pooled_size=[2, 2], **({"spatial_scale": 1.0} | options)
    )


@row("contrib.box_nms")
def _box_nms(draft: Draft) -> dict[str, Any]:
    data = draft.new((draft.whole(1, 4), 6), "float32", "positive")
    options = draft.options(overlap_thresh=[0.3, 0.7], topk=[1, 2], force_suppress=[True, False])
    return call("contrib.box_nms", data, id_index=0, **options)


@row("contrib.MultiBoxPrior")
def _prior(draft: Draft) -> dict[str, Any]:
    data = draft.any(4, "float32", fits=lambda shape: 0 not in shape)
    return call(
        "contrib.MultiBoxPrior",
        data,
        **draft.options(sizes=[[0.5, 0.2]], ratios=[[1.0, 2.0]], clip=[True]),
    )


@row("contrib.fft")
def _fft(draft: Draft) -> dict[str, Any]:
    return call("contrib.fft", draft.any(2, "float32", fits=lambda shape: 0 not in shape))


def _density(draft: Draft, name: str) -> dict[str, Any]:
    kind = name.removeprefix("random_pdf_")
    sample = draft.new((2, 3), "float32", "positive" if kind != "poisson" else [0, 5])
    count = {"normal": 2, "uniform": 2, "gamma": 2}.get(kind, 1)
    draws = ["unit", "positive"] if kind in ("normal", "uniform") else ["positive"] * 2
    parameters = [draft.new((2,), "float32", draw) for draw in draws[:count]]
    return call(name, sample, *parameters, **draft.options(is_log=[True, False]))


rows([f"random_pdf_{kind}" for kind in ("normal", "gamma", "exponential", "poisson")], _density)

_STATES = {
    "sgd_update": "", "sgd_mom_update": "m", "nag_mom_update": "m", "signsgd_update": "",
    "signum_update": "m",
    "adam_update": "mv", "rmsprop_update": "v", "ftrl_update": "mv",
}  # fmt: skip


def _update(draft: Draft, name: str) -> dict[str, Any]:
    dtype = "float32"
    weight = draft.new(draft.some_shape(draft.whole(1, 2)), dtype)
    shape = draft.shape(weight)
    states = [
        draft.new(shape, dtype, "positive" if kind == "v" else "unit") for kind in _STATES[name]
    ]
    options = draft.options(wd=[0.01, 0.1], rescale_grad=[0.5, 2.0], clip_gradient=[0.5, 1.0])
    if "m" in _STATES[name] and name not in ("adam_update", "ftrl_update"):
        options |= draft.options(momentum=[0.5, 0.9])
    return call(name, weight, draft.new(shape, dtype), *states, lr=draft.one([0.1, 0.5]), **options)


rows(_STATES, _update)


@row("amp_multicast")
def _multicast(draft: Draft) -> dict[str, Any]:
    arrays = [draft.float(), draft.float()]
    return call("amp_multicast", *arrays, num_outputs=2, **draft.options(cast_narrow=[True]))


@row("multi_all_finite")
def _multi_all_finite(draft: Draft) -> dict[str, Any]:
    arrays = [draft.any(dtype="float32") for _ in range(2)]
    return call("multi_all_finite", *arrays, num_arrays=2)


def _image(draft: Draft, name: str) -> dict[str, Any]:
    data = draft.new(
        (draft.whole(2, 4), draft.one([2, 4]), 3), draft.one(["uint8", "float32"]), [0, 200]
    )
    if name == "image.crop":
        return call(name, data, x=0, y=1, width=2, height=1)
    return call(name, data)


rows("image.to_tensor image.flip_left_right image.crop", _image)


@row("image.normalize")
def _normalize(draft: Draft) -> dict[str, Any]:
    data = draft.new((3, draft.whole(1, 3), draft.whole(1, 3)), "float32", "unit")
    return call(
        "image.normalize", data, mean=[0.5, 0.25, 0.1], std=draft.one([[2.0, 1.0, 0.5], 0.5])
    )


@row("col2im")
def _col2im(draft: Draft) -> dict[str, Any]:
    data = draft.new((1, 8, 6), "float32")
    return call("col2im", data, output_size=[3, 4], kernel=[2, 2], stride=[1, 1])


@row("LayerNorm outputs")
def _layer_norm(draft: Draft) -> dict[str, Any]:
    data = draft.any((2, 3), _REAL, fits=lambda shape: 0 not in shape and shape[-1] > 1)
    length = draft.shape(data)[-1]
    parameters = [draft.like(data, (length,)) for _ in range(2)]
    return call("LayerNorm", data, *parameters, output_mean_var=True)

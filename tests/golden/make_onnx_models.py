"""Writes models of torch as ONNX files with inputs and outputs: `tests/golden/onnx/`.

    python tests/golden/make_onnx_models.py

Needs the package `onnxscript`. The batch is left open in all of them, so that shapes are computed
inside of the models.
"""

from __future__ import annotations

import warnings
from pathlib import Path

import numpy as np
import torch
from torch import Tensor, nn

FOLDER = Path(__file__).parent / "onnx"


class Convolutional(nn.Module):
    def __init__(self):
        super().__init__()
        self.features = nn.Sequential(
            nn.Conv2d(1, 4, 3, padding=1, bias=False),
            nn.BatchNorm2d(4),
            nn.ReLU(),
            nn.MaxPool2d(2, ceil_mode=True),
            nn.Conv2d(4, 8, 3, 2, 1, groups=2),
            nn.Hardswish(),
            nn.AdaptiveAvgPool2d(1),
        )
        self.output = nn.Linear(8, 5)

    def forward(self, x: Tensor) -> Tensor:
        features = self.features(x)
        return torch.log_softmax(self.output(features.view(x.shape[0], -1)), -1)


class Transformer(nn.Module):
    def __init__(self):
        super().__init__()
        self.embedding = nn.Embedding(11, 8)
        self.layer = nn.TransformerEncoderLayer(
            8, 2, 16, batch_first=True, activation="gelu", dropout=0.0
        )
        self.norm = nn.LayerNorm(8)
        self.output = nn.Linear(8, 3)

    def forward(self, tokens: Tensor, mask: Tensor) -> Tensor:
        x = self.layer(self.embedding(tokens) * 4.0, src_key_padding_mask=mask)
        return self.output(self.norm(x)[:, 0])


class Recurrent(nn.Module):
    def __init__(self):
        super().__init__()
        self.lstm = nn.LSTM(3, 4, 2, bidirectional=True, batch_first=True)
        self.gru = nn.GRU(8, 5)

    def forward(self, x: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        y, (h, c) = self.lstm(x)
        z, _ = self.gru(y.transpose(0, 1))
        return z.transpose(0, 1), h, c


def write(name: str, module: nn.Module, *inputs: Tensor) -> None:
    module.eval()
    for layer in module.modules():
        if isinstance(layer, nn.BatchNorm2d):
            layer.running_mean.uniform_()
            layer.running_var.uniform_(0.5, 1.5)
    names = [f"input{place}" for place in range(len(inputs))]
    torch.onnx.export(
        module,
        inputs,
        FOLDER / f"{name}.onnx",
        dynamo=False,
        opset_version=17,
        input_names=names,
        dynamic_axes={name: {0: "N"} for name in names},
    )
    with torch.no_grad():
        outputs = module(*inputs)
    outputs = outputs if isinstance(outputs, tuple) else (outputs,)
    arrays = {name: array.numpy() for name, array in zip(names, inputs, strict=True)}
    arrays |= {f"output{place}": array.numpy() for place, array in enumerate(outputs)}
    np.savez_compressed(FOLDER / f"{name}.npz", **arrays)


def main() -> None:
    warnings.simplefilter("ignore")
    torch.manual_seed(0)
    FOLDER.mkdir(exist_ok=True)
    write("cnn", Convolutional(), torch.randn(2, 1, 9, 9))
    mask = torch.zeros(2, 6, dtype=torch.bool)
    mask[1, 4:] = True
    write("transformer", Transformer(), torch.randint(0, 11, (2, 6)), mask)
    write("recurrent", Recurrent(), torch.randn(2, 7, 3))


if __name__ == "__main__":
    main()

"""Exporting graphs to ONNX: what converters build with, and converters by family."""

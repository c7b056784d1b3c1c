"""Reading models in the ONNX format as graphs of this package."""

"""Prediction on a CPU by OpenVINO, an extra that need not be installed (ADR 0024)."""

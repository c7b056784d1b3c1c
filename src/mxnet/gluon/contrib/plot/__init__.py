"""Curves of a training, drawn while it runs: in loops of one's own and for `Estimator`."""

from mxnet.gluon.contrib.plot._handler import PlotHandler as PlotHandler
from mxnet.gluon.contrib.plot._live_plot import LivePlot as LivePlot

__all__ = ["LivePlot", "PlotHandler"]

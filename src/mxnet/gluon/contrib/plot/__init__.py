"""Curves of a training, drawn while it runs: in loops of one's own and for `Estimator`."""

from mxnet.gluon.contrib.plot._live_plot import LivePlot as LivePlot
from mxnet.gluon.contrib.plot._live_plot import PlotHandler as PlotHandler

__all__ = ["LivePlot", "PlotHandler"]

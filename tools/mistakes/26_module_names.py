"""The data of a module has another name than the variable of its graph."""

import mxnet as mx

data = mx.sym.var("data")
out = mx.sym.SoftmaxOutput(mx.sym.FullyConnected(data, num_hidden=2, name="fc"), name="softmax")
train = mx.io.NDArrayIter({"input": mx.nd.ones((8, 3))}, mx.nd.zeros((8,)), batch_size=4)
module = mx.mod.Module(out)
module.fit(train, num_epoch=1)

"""Blocks of one's own in the NumPy dialect."""

from typing_extensions import assert_type

from mxnet import np, npx
from mxnet.gluon import nn

npx.set_np()


class Residual(nn.HybridBlock):
    def __init__(self, num_channels, use_1x1conv=False, strides=1, **kwargs):
        super().__init__(**kwargs)
        self.conv1 = nn.Conv2D(num_channels, kernel_size=3, padding=1, strides=strides)
        self.conv2 = nn.Conv2D(num_channels, kernel_size=3, padding=1)
        self.conv3 = None
        if use_1x1conv:
            self.conv3 = nn.Conv2D(num_channels, kernel_size=1, strides=strides)
        self.bn1 = nn.BatchNorm()
        self.bn2 = nn.BatchNorm()

    def forward(self, X):
        Y = npx.relu(self.bn1(self.conv1(X)))
        Y = self.bn2(self.conv2(Y))
        if self.conv3:
            X = self.conv3(X)
        return npx.relu(Y + X)


class DotProductAttention(nn.Block):
    def __init__(self, dropout, **kwargs):
        super().__init__(**kwargs)
        self.dropout = nn.Dropout(dropout)

    def forward(self, queries, keys, values, valid_lens=None):
        d = queries.shape[-1]
        scores = npx.batch_dot(queries, keys, transpose_b=True) / d**0.5
        self.attention_weights = npx.softmax(scores)
        return npx.batch_dot(self.dropout(self.attention_weights), values)


class CenteredLayer(nn.Block):
    def forward(self, X):
        return X - X.mean()


class MyDense(nn.Block):
    def __init__(self, units, in_units, **kwargs):
        super().__init__(**kwargs)
        self.weight = self.params.get("weight", shape=(in_units, units))
        self.bias = self.params.get("bias", shape=(units,))

    def forward(self, x):
        linear = np.dot(x, self.weight.data(ctx=x.ctx)) + self.bias.data(ctx=x.ctx)
        return npx.relu(linear)


X = np.random.uniform(size=(4, 3, 6, 6))
blk = Residual(6, use_1x1conv=True, strides=2)
blk.initialize()
assert_type(blk(X), np.ndarray)
attention = DotProductAttention(dropout=0.5)
attention.initialize()
queries = np.random.normal(0, 1, (2, 1, 2))
keys, values = np.ones((2, 10, 2)), np.arange(40).reshape(1, 10, 4).repeat(2, axis=0)
assert_type(attention(queries, keys, values, np.array([2, 6])), np.ndarray)
assert_type(attention(queries, keys, values), np.ndarray)
assert_type(CenteredLayer()(np.array([1, 2, 3])), np.ndarray)
dense = MyDense(3, in_units=5)
dense.initialize()
assert_type(dense(np.random.uniform(size=(2, 5))), np.ndarray)
net = nn.HybridSequential()
net.add(nn.Conv2D(8, kernel_size=7, strides=2, padding=3), nn.BatchNorm(), nn.Activation("relu"))
for i, channels in enumerate([8, 16]):
    net.add(Residual(channels, use_1x1conv=True, strides=1 + i))
net.add(nn.GlobalAvgPool2D(), nn.Dense(10))
net.initialize()
net.hybridize()
Y = np.random.uniform(size=(1, 1, 24, 24))
for layer in net:
    Y = layer(Y)
    print(layer.name, "output shape:", Y.shape)
assert_type(net(np.zeros((1, 1, 24, 24))), np.ndarray)
npx.reset_np()
